"""One connection to an IMAP server, logged in, with a folder selected.

IMAPClient does the protocol: it gives raw bytes, sizes, UIDVALIDITY and the lines of IDLE as they are, and parses no
mail, which is a stranger's. Its log at level DEBUG would repeat letters, so it is silenced.
"""

from __future__ import annotations

import logging
import socket
import ssl
from contextlib import suppress
from dataclasses import dataclass, field

from imapclient import IMAPClient
from imapclient.exceptions import (
    CapabilityError,
    IMAPClientAbortError,
    IMAPClientError,
    IMAPClientReadOnlyError,
    LoginError,
)
from pydantic import SecretStr

from pbem.mail.plain import printable
from pbem.mail.post.address import Security, ServerAddress
from pbem.mail.post.port import PostFault
from pbem.mail.post.secrets import redacted
from pbem.mail.post.trust import APP_PASSWORD, connect_fault

SECONDS = 30
SEARCHES = 10
DELETED = b"\\Deleted"
_FAULTS = (IMAPClientError, OSError, ValueError)

logging.getLogger("imapclient").setLevel(logging.WARNING)


class _AsciiAlone(ValueError):
    """The server has no SASL PLAIN, and the password is beyond ASCII."""


@dataclass(frozen=True, slots=True)
class Session:
    """A connection, the UIDVALIDITY of its folder, and what the server can do."""

    client: IMAPClient
    validity: int
    keywords: bool
    idle: bool

    def search(self, criteria: list[str | bytes]) -> list[int]:
        """The UIDs that meet the criteria, the whole folder considered.

        A letter that comes meanwhile is told at the end of the answer, is not among those found, and will not be told
        again by IDLE; so after such an answer the question is put anew.
        """
        self.client.noop()
        for _ in range(SEARCHES):
            self._has_grown()
            found = [int(uid) for uid in self.client.search(criteria)]
            if not self._has_grown():
                break
        return found

    def _has_grown(self) -> bool:
        """Whether the server has told of more letters since this was asked last (RFC 9051 7.4.1)."""
        told: list[bytes | None] = self.client._imap.response("EXISTS")[1]
        return told != [None]

    def idle_round(self, seconds: float) -> None:
        """Wait for news (RFC 2177). What a server sends together with its consent to IDLE is read already and lies in
        the library's buffer, where waiting for the connection would never see it, so that is looked at first."""
        self.client.idle()
        if not self._is_heard():
            self.client.idle_check(seconds)
        self.client.idle_done()

    def _is_heard(self) -> bool:
        connection = self.client.socket()
        before = connection.gettimeout()
        connection.setblocking(False)
        try:
            return bool(self.client._imap.readline())
        except OSError:
            return False
        finally:
            connection.settimeout(before)

    def move(self, uid: int, folder: str) -> None:
        """Move a letter (RFC 6851), or copy it and delete the original, without expunging what others deleted."""
        if self.client.has_capability("MOVE"):
            self.client.move([uid], folder)
            return
        self.client.copy([uid], folder)
        self.client.add_flags([uid], [DELETED], silent=True)
        if self.client.has_capability("UIDPLUS"):
            self.client.uid_expunge([uid])

    def close(self) -> None:
        """Say goodbye; a connection that is lost already is only dropped."""
        try:
            self.client.logout()
        except _FAULTS:
            self.drop()

    def drop(self) -> None:
        with suppress(*_FAULTS):
            self.client.shutdown()


@dataclass(frozen=True, slots=True)
class Sessions:
    """Opens sessions at an address. `tls` says whom to trust; None trusts whom the machine trusts."""

    address: ServerAddress
    password: SecretStr
    tls: ssl.SSLContext | None = field(default=None, repr=False)
    seconds: float = SECONDS

    def open(self) -> Session:
        """A new session, or PostFault."""
        client: IMAPClient | None = None
        try:
            client = self._connected()
            if self.address.security is Security.STARTTLS:
                client.starttls(self._trusted())
            self._log_in(client)
            return self._selected(client)
        except _FAULTS as error:
            fault = self._closed(error)
        if client is not None:
            with suppress(*_FAULTS):
                client.shutdown()
        raise fault

    def fault(self, error: Exception) -> PostFault:
        """What went wrong with an open session: `post.lost` if the connection is gone, else `post.answer`."""
        said = printable(redacted(str(error), self.password))
        if isinstance(error, IMAPClientAbortError | OSError):
            return PostFault("post.lost", f"expected {self.address} to stay connected, got {said!r}")
        return PostFault("post.answer", f"expected {self.address} to do as asked, got {said!r}")

    def _connected(self) -> IMAPClient:
        """The library sends a command in pieces, each of which would wait for the last one's receipt (RFC 896)."""
        address, wrapped = self.address, self.address.security is Security.TLS
        trusted = self._trusted() if wrapped else None
        client = IMAPClient(address.host, address.port, ssl=wrapped, ssl_context=trusted, timeout=self.seconds)
        client.normalise_times = False
        client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return client

    def _trusted(self) -> ssl.SSLContext:
        return self.tls or ssl.create_default_context()

    def _log_in(self, client: IMAPClient) -> None:
        """SASL PLAIN where it is offered, since it takes passwords beyond ASCII (RFC 4616)."""
        log_in = client.plain_login if client.has_capability("AUTH=PLAIN") else client.login
        try:
            log_in(self.address.user, self.password.get_secret_value())
        except UnicodeError:
            raise _AsciiAlone from None

    def _selected(self, client: IMAPClient) -> Session:
        for name in (self.address.done, self.address.aside):
            if name and not client.folder_exists(name):
                client.create_folder(name)
        told = client.select_folder(self.address.folder)
        keywords = b"\\*" in told.get(b"PERMANENTFLAGS", ())
        return Session(client, int(told[b"UIDVALIDITY"]), keywords, client.has_capability("IDLE"))

    def _closed(self, error: Exception) -> PostFault:
        """Why there is no session. What a server says to a login is not repeated: it may hold the password."""
        address = self.address
        if isinstance(error, LoginError | _AsciiAlone):
            got = "a server that takes no password beyond ASCII" if isinstance(error, _AsciiAlone) else "a refusal"
            return PostFault("post.login", f"expected {address} to take the login, got {got}", APP_PASSWORD)
        if isinstance(error, CapabilityError):
            return PostFault("post.starttls", f"expected {address} to offer STARTTLS, got a server without")
        if isinstance(error, IMAPClientReadOnlyError):
            return PostFault("post.read_only", f"expected {address} to let letters be marked, got a read-only folder")
        said = printable(redacted(str(error), self.password))
        if isinstance(error, IMAPClientAbortError | OSError):
            return connect_fault(address, error, said)
        return PostFault("post.answer", f"expected {address} to open, got {said!r}", "check the name of the folder")
