"""Mail servers for the tests of mail in and out: in this process always, Debian's where they are installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from .post_daemons import dovecot_server, missing, postfix_server
from .post_servers import (
    USER,
    Certificate,
    ImapServer,
    Postman,
    SmtpServer,
    certificate,
    pymap_server,
    smtp_server,
)


@dataclass(frozen=True)
class Daemons:
    """Where Dovecot lives, and the server."""

    folder: Path
    imap: ImapServer


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return certificate(tmp_path_factory.mktemp("certificate"))


@pytest.fixture(scope="session")
def dovecot(files: Certificate) -> Iterator[Daemons]:
    if reason := missing("dovecot"):
        pytest.skip(reason)
    with open_folder() as folder, dovecot_server(folder, files) as server:
        yield Daemons(folder, server)


@pytest.fixture(scope="session")
def postfix(files: Certificate, dovecot: Daemons) -> Iterator[SmtpServer]:
    if reason := missing("postfix"):
        pytest.skip(reason)
    mail = dovecot.folder / "mail" / USER
    with open_folder() as folder, postfix_server(folder, files, dovecot.folder / "auth", mail) as server:
        yield server


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that the daemons' own users can reach, which those of pytest are not."""
    with TemporaryDirectory(prefix="pbem-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture(scope="session")
def pymap(files: Certificate) -> Iterator[ImapServer]:
    with pymap_server(files) as server:
        yield server


@pytest.fixture(params=["pymap", "dovecot"])
def imap(request: pytest.FixtureRequest) -> ImapServer:
    """An IMAP server with an empty inbox and no other folder."""
    found = request.getfixturevalue(request.param)
    server = found.imap if isinstance(found, Daemons) else found
    assert isinstance(server, ImapServer)
    server.empty()
    return server


@pytest.fixture(params=["aiosmtpd", "postfix"])
def smtp(request: pytest.FixtureRequest, files: Certificate) -> Iterator[SmtpServer]:
    """An SMTP server that has taken in nothing, with STARTTLS and a login."""
    if request.param == "aiosmtpd":
        with smtp_server(Postman(), files.serving()) as server:
            yield server
        return
    request.getfixturevalue("dovecot").imap.empty()
    yield request.getfixturevalue("postfix")
