"""People who live on mailboxes of Dovecot and Postfix, each with a home and a process of the client of their own.

What they do is what a person with the installed client does: commands in their home, and letters that they look up in
their mailbox. Whoever waits for something looks at the homes, with one limit for the whole; what the processes told is
printed when it does not come.
"""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TextIO

from cli.client import Client, command
from mail.post_daemons import Daemon, dovecot, postfix
from mail.post_servers import PASSWORD, Certificate, ImapServer, SmtpServer, certificate

from pbem.store.database import Home

TAIL = 25
"""Lines of a log that are printed."""
PHRASE = "a phrase of nobody else"


@dataclass(frozen=True, slots=True)
class PostOffice:
    """The two servers and where the letters lie."""

    folder: Path
    files: Certificate
    incoming: tuple[Daemon, ImapServer]
    outgoing: tuple[Daemon, SmtpServer]

    def ways(self, name: str) -> tuple[str, ...]:
        """In by IMAP over TLS, out by SMTP with STARTTLS, with a login for both."""
        incoming = f"imaps://{name}@localhost:{self.incoming[1].tls_port}/INBOX"
        return "--in", incoming, "--out", self.outgoing[1].url(user=name, options="?starttls=yes")

    def letters(self, name: str) -> list[Path]:
        """Every letter that was ever delivered to somebody, the oldest first."""
        box = self.folder / "mail" / name
        return sorted((path for sub in ("new", "cur") for path in (box / sub).glob("*")), key=lambda path: path.name)


@contextlib.contextmanager
def post_office(names: Sequence[str]) -> Iterator[PostOffice]:
    """Servers for people at example.org, in a folder that the servers' own users can reach."""
    with TemporaryDirectory(prefix="pbem-", ignore_cleanup_errors=True) as place:
        folder = Path(place)
        folder.chmod(0o755)
        parts = {name: folder / name for name in ("dovecot", "postfix", "certificate")}
        for part in parts.values():
            part.mkdir()
        files = certificate(parts["certificate"])
        incoming = dovecot(parts["dovecot"], files)
        mail = parts["dovecot"] / "mail"
        outgoing = postfix(parts["postfix"], files, parts["dovecot"] / "auth", mail / names[0], tuple(names))
        with incoming[0].running(), outgoing[0].running():
            yield PostOffice(parts["dovecot"], files, incoming, outgoing)


@dataclass(slots=True)
class Person:
    """Somebody with a home, behind a passphrase, and at times a process that works on it."""

    name: str
    client: Client
    settings: Mapping[str, str]
    process: subprocess.Popen[str] | None = None
    log: TextIO | None = None

    @property
    def address(self) -> str:
        return f"{self.name}@example.org"

    def begin(self, *arguments: str) -> None:
        """Start `pbem` with these words in a process of its own."""
        self.log = self.log or (self.client.folder / "log").open("a")
        self.process = subprocess.Popen(
            command(*arguments),
            cwd=self.client.folder,
            env=self.client.variables(**self.settings),
            stdout=self.log,
            stderr=self.log,
            text=True,
        )

    def summary(self) -> dict[str, Any]:
        """The summary of the only game of the home, {} before there is one."""
        with Home.open(self.client.home) as home:
            rows = [status for row in home.games() if (status := home.status(row.game_id))]
            return dict(json.loads(rows[0].json)) if rows else {}

    def outbox(self) -> dict[str, int]:
        with Home.open(self.client.home) as home:
            return dict(home.mail_count())

    def told(self) -> list[str]:
        """The lines of the log of this person's processes."""
        return (self.client.folder / "log").read_text().splitlines()

    def words(self) -> set[str]:
        """What happened, one word for each kind."""
        return {line.split()[1] for line in self.told()}


@dataclass(slots=True)
class People:
    """Everybody of a test; `until` is when it must be over."""

    persons: tuple[Person, ...]
    until: float

    def wait_for(self, what: str, is_so: Callable[[], object]) -> None:
        """Look until it is so, all processes living; AssertionError with the ends of the logs."""
        while not is_so():
            dead = [one.name for one in self.persons if one.process and one.process.poll() is not None]
            if dead or time.monotonic() > self.until:
                why = f"ended: {', '.join(dead)}" if dead else "not in time"
                raise AssertionError("\n".join([f"{what}: {why}", *self._tails()]))
            time.sleep(0.25)

    def end(self) -> list[int]:
        """Tell all processes to end, as systemd does; their exit codes."""
        working = [one.process for one in self.persons if one.process]
        for process in working:
            process.send_signal(signal.SIGTERM)
        codes = [process.wait(60) for process in working]
        for one in self.persons:
            one.process = None
        return codes

    def _tails(self) -> Iterator[str]:
        for one in self.persons:
            yield f"--- {one.name}: {one.outbox()} {one.summary().get('waiting')}"
            yield from one.told()[-TAIL:]


@contextlib.contextmanager
def people(folder: Path, names: Sequence[str], settings: Mapping[str, str], seconds: float) -> Iterator[People]:
    """Persons with fresh homes; whatever process is left at the end is killed."""
    persons = []
    for name in names:
        place = folder / name
        place.mkdir()
        client = Client(place / "home", place, PHRASE)
        client.does("init", "--name", name.capitalize(), "--address", f"{name}@example.org")
        persons.append(Person(name, client, settings))
    found = People(tuple(persons), time.monotonic() + seconds)
    try:
        yield found
    finally:
        for one in persons:
            if one.process is not None:
                one.process.kill()
                one.process.wait()
            if one.log is not None:
                one.log.close()


def post_settings(office: PostOffice) -> dict[str, str]:
    """The environment of who lives on a mailbox there: the password, and whom to trust."""
    return {"PBEM_MAIL_PASSWORD": PASSWORD, "SSL_CERT_FILE": str(office.files.certificate)}
