"""Mail servers inside the test's own process, and a relay that cuts or alters what passes."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import threading
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from imapclient import IMAPClient
from pymap.backend.dict import DictBackend
from pymap.imap import IMAPService
from pysasl.hashing import BuiltinHash

USER, PASSWORD = "anna", "Łódź-5ecret"
Edit = Callable[[bytes], bytes]


@dataclass(frozen=True)
class Certificate:
    """A self-signed certificate for `localhost`, for a server and for who trusts it."""

    certificate: Path
    key: Path

    def serving(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        return context

    def trusting(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.certificate)


def certificate(folder: Path) -> Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = Certificate(folder / "cert.pem", folder / "key.pem")
    files.certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    files.key.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return files


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@dataclass
class ImapServer:
    """A running IMAP server, and what it can do."""

    port: int
    keywords: bool
    tls_port: int = 0

    def url(self, port: int = 0, folder: str = "INBOX", options: str = "") -> str:
        return f"imap://{USER}@localhost:{port or self.port}/{folder}{options}"

    @contextlib.contextmanager
    def person(self, folder: str = "INBOX") -> Iterator[IMAPClient]:
        """Somebody who reads the same folder with another program."""
        with IMAPClient("localhost", self.port, ssl=False, timeout=10) as client:
            client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            client.plain_login(USER, PASSWORD)
            client.select_folder(folder)
            yield client

    def empty(self) -> None:
        with self.person() as client:
            for _, _, name in client.list_folders():
                if name.upper() != "INBOX":
                    client.delete_folder(name)
            if found := client.search():
                client.delete_messages(found)
                client.expunge()

    def put(self, *mails: bytes, folder: str = "INBOX") -> None:
        with self.person() as client:
            if not client.folder_exists(folder):
                client.create_folder(folder)
            for mail in mails:
                client.append(folder, mail, msg_time=datetime(2026, 3, 1, 12, 0, tzinfo=UTC))

    def flags(self, folder: str = "INBOX") -> list[set[bytes]]:
        """The flags of every letter in order, but for \\Recent, which depends on who looked first."""
        with self.person(folder) as client:
            uids = client.search()
            found = client.fetch(uids, ["FLAGS"]) if uids else {}
            return [set(found[uid][b"FLAGS"]) - {b"\\Recent"} for uid in uids]


@contextlib.contextmanager
def in_a_loop(serve: Callable[[AsyncExitStack], Any]) -> Iterator[None]:
    """Runs what `serve` starts in an event loop of its own until the end of the block."""
    ready, started = threading.Event(), []

    async def run() -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        loop.set_exception_handler(lambda *_: None)  # a server that is cut off complains
        async with AsyncExitStack() as stack:
            await serve(stack)
            started.append((loop, stop))
            ready.set()
            await stop.wait()

    running = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    running.start()
    assert ready.wait(20)
    yield
    for loop, stop in started:
        loop.call_soon_threadsafe(stop.set)
    running.join(20)


@contextlib.contextmanager
def pymap_server(files: Certificate, *, tls: bool = False) -> Iterator[ImapServer]:
    """An IMAP server that keeps letters in memory; it has no keywords of one's own."""
    port = free_port()
    arguments = Namespace(
        host="127.0.0.1",
        port=port,
        debug=False,
        cert=str(files.certificate),
        key=str(files.key),
        tls=tls,
        passlib_cfg=None,
        proxy_protocol=None,
        inherited_sockets=None,
        demo_data=False,
        demo_user=USER,
        demo_password=PASSWORD,
    )

    async def serve(stack: AsyncExitStack) -> None:
        backend, config = await DictBackend.init(arguments, hash_context=BuiltinHash(rounds=1))
        config.apply_context()
        await backend.start(stack)
        await IMAPService(backend, config).start(stack)

    with in_a_loop(serve):
        yield ImapServer(port, keywords=False)


@dataclass
class Relay:
    """Passes bytes on to a server. `to_client` and `to_server` may alter what passes, `heard` tells what the client
    said; `cut` breaks all connections, and while `closed` new ones break at once."""

    target: int
    tls: ssl.SSLContext | None = None
    to_client: Edit = bytes
    to_server: Edit = bytes
    closed: bool = False
    heard: bytearray = field(default_factory=bytearray)
    opened: int = 0
    _news: threading.Condition = field(default_factory=threading.Condition)
    _pairs: list[socket.socket] = field(default_factory=list)

    def __enter__(self) -> Relay:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # closing alone leaves it open while it is waited on
        self._listener.close()
        self.cut()

    def cut(self) -> None:
        pairs, self._pairs = self._pairs, []
        for one in pairs:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def wait_for(self, said: bytes) -> None:
        """Until the client has said this."""
        with self._news:
            assert self._news.wait_for(lambda: said in self.heard, 20), f"never said: {said!r}"

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        if self.closed:
            client.close()
            return
        with contextlib.suppress(OSError):
            if self.tls:
                client = self.tls.wrap_socket(client, server_side=True)
            server = socket.create_connection(("127.0.0.1", self.target))
            for one in (client, server):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.opened += 1
            self._pairs += [client, server]
            with client, server:
                back = threading.Thread(target=self._pump, args=(server, client, self._altered), daemon=True)
                back.start()
                self._pump(client, server, self._heard)
                back.join()

    def _pump(self, source: socket.socket, sink: socket.socket, edit: Edit) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(edit(data))
        for one in (source, sink):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def _altered(self, data: bytes) -> bytes:
        return self.to_client(data)

    def _heard(self, data: bytes) -> bytes:
        with self._news:
            self.heard += data
            self._news.notify_all()
        return self.to_server(data)


Received = tuple[str, tuple[str, ...], bytes]


@dataclass
class SmtpServer:
    """A running SMTP server: where it is, and what it took in, once that is so many mails: sender, receivers and
    bytes of each."""

    port: int
    received: Callable[[int], list[Received]]

    def url(self, port: int = 0, user: str = "", options: str = "") -> str:
        return f"smtp://{user + '@' if user else ''}localhost:{port or self.port}{options}"


ANSWERS = {
    "later": "450 4.2.0 try again later",
    "never": "550 5.1.1 nobody of that name",
    "many": "552 too many",
    "login": "530 5.7.0 log in first",
}


@dataclass
class Postman:
    """What a server answers: for a receiver whose name is an answer's (`later`, `never`, `many`), and to the mail."""

    mails: list[Received] = field(default_factory=list)
    verdict: str = "250 OK"

    async def handle_RCPT(  # noqa: N802 - the name is the library's
        self, _: SMTP, __: Session, envelope: Envelope, address: str, ___: list[str]
    ) -> str:
        answer = ANSWERS.get(address.partition("@")[0], "250 OK")
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, _: SMTP, __: Session, envelope: Envelope) -> str:  # noqa: N802 - the name is the library's
        if self.verdict.startswith("250"):
            assert isinstance(envelope.content, bytes)
            self.mails.append(((envelope.mail_from or "").strip("<>"), tuple(envelope.rcpt_tos), envelope.content))
        return self.verdict


def _authenticated(_: SMTP, __: Session, ___: Envelope, ____: str, given: object) -> AuthResult:
    assert isinstance(given, LoginPassword)
    return AuthResult(success=(given.login, given.password) == (USER.encode(), PASSWORD.encode()), handled=False)


@contextlib.contextmanager
def smtp_server(postman: Postman, tls: ssl.SSLContext | None = None, **options: Any) -> Iterator[SmtpServer]:
    """An SMTP server; with `tls` it offers STARTTLS, and a login after it."""
    controller = Controller(
        postman,
        hostname="127.0.0.1",
        port=free_port(),
        tls_context=tls,
        authenticator=_authenticated,
        auth_require_tls=tls is not None,
        **options,
    )
    controller.start()
    yield SmtpServer(controller.port, lambda _: postman.mails)
    controller.stop()
