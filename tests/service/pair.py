"""Two workers at one home in PostgreSQL, as objects: the one is stopped, or killed, wherever it stores something.

A scene is a court whose judge keeps its home in a database, with letters in the box and deadlines that are due; every
try plays it from a copy of the database.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email import message_from_bytes
from pathlib import Path
from typing import Any

import orjson
from postgres_server import Server

from pbem.app.demo import Seeded
from pbem.app.desk import Desk
from pbem.errors import BadDisk
from pbem.service.agent import Agent
from pbem.service.overdue import Policy
from pbem.service.referee import Docket, reception
from pbem.store.database import Home, opened
from service.court import JUDGE
from service.office import Office

PATIENCE_MS = 50
HANDED = {"known": "taken"}
"""Who takes over from a killed worker finds that the events of its letter are known."""
A_MINUTE = 61


class Killed(BaseException):
    """The worker is no more."""


@dataclass
class Stopping:
    """A connection that calls `at` before it stores something and behind that; all else is the inner one's."""

    inner: Any
    at: Callable[[], None]

    @contextmanager
    def writing(self, **how: Any) -> Iterator[None]:
        with self.inner.writing(**how):
            yield
            self.at()
        self.at()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


@dataclass
class Scene:
    """A home as it was before the tries, and the post office around it."""

    server: Server
    folder: Path
    database: str
    office: Office
    tries: int = 0

    def copied(self) -> Stage:
        """The same once more; the copy before it is gone."""
        run(self.server, f"DROP DATABASE IF EXISTS {self.database}_{self.tries} WITH (FORCE)")
        self.tries += 1
        name = f"{self.database}_{self.tries}"
        run(self.server, f"CREATE DATABASE {name} TEMPLATE {self.database}")
        folder = named(self.server, self.folder / name, name)
        return Stage(folder, copy.deepcopy(self.office))


@dataclass
class Stage:
    """A home and a post office, where workers work."""

    folder: Path
    office: Office
    told: list[str] = field(default_factory=list)

    def round(self, name: str, at: Callable[[Any], None] | None = None) -> None:
        """One round of a worker; `at` is called with its connection wherever it stores something."""
        inner = opened(self.folder, PATIENCE_MS)
        connection: Any = inner if at is None else Stopping(inner, lambda: at(inner))
        with Home(self.folder, connection) as home:
            desk = Desk(home, lambda: self.office.now, Seeded(3, name))
            docket = Docket(desk, Policy(), name, self.tell)
            visitors = reception(desk, self.tell)
            agent = Agent(desk, self.office.box(JUDGE), self.office, name, self.tell, 3600, visitors, docket)
            agent.begin()
            agent.round()
            agent.end()

    def tell(self, what: str, /, **_: object) -> None:
        self.told.append(what)

    def beside(self, number: int) -> bool:
        """A round of one worker, in which at its stop of that number another one makes a round; whether it came
        there."""
        reached = False

        def at(_: Any) -> None:
            nonlocal number, reached
            number -= 1
            if number == 0:
                reached = True
                with suppress(BadDisk):  # what the first one holds is waited for in vain
                    self.round("second")

        self.round("first", at)
        return reached

    def killed(self, number: int) -> bool:
        """A round of a worker that dies at its stop of that number, beside another one; whether it came there."""
        reached = False

        def at(inner: Any) -> None:
            nonlocal number, reached
            number -= 1
            if number == 0:
                reached = True
                inner.close()
                raise Killed

        with suppress(Killed, BadDisk):
            self.round("first", at)
        self.round("second")
        return reached

    def settled(self) -> dict[str, Any]:
        """What it comes to when another worker has had a minute and some rounds."""
        self.office.now += A_MINUTE
        for _ in range(3):
            self.round("third")
        return self.outcome()

    def outcome(self) -> dict[str, Any]:
        """Everything that must be the same whoever has done it."""
        box = self.office.box(JUDGE)
        with Home.open(self.folder) as home:
            games = home.games()
            return {
                "games": {
                    row.game_id: [(one.step, one.role, one.kind, one.place) for one in home.events(row.game_id)]
                    for row in games
                },
                "letters": {
                    digest: HANDED.get(outcome, outcome)
                    for digest, outcome in home._connection.rows("SELECT mail_digest, outcome FROM letters")
                },
                "mails": mails_of(home),
                "outbox": home.mail_count().keys() - {"sent"},
                "deadlines": sorted(
                    (row.game_id, one.step, one.what.partition("/")[0], one.state)
                    for row in games
                    for one in home.deadlines(row.game_id)
                ),
                "counts": {
                    key: orjson.loads(value)[1]
                    for key, value in home._connection.rows("SELECT key, value FROM meta WHERE key LIKE 'daily/%'")
                },
                "leases": home.leases(0),
                "damages": home.damages(),
                "box": (sorted(box.done_with), sorted(box.aside), sorted(box.left), box.waiting),
            }

    def sent_again(self) -> int:
        """How many mails have gone more than once under one Message-ID."""
        ids = Counter(str(message_from_bytes(mail)["Message-ID"]) for _, _, mail in self.office.sent)
        return sum(count - 1 for count in ids.values())


def mails_of(home: Home) -> list[tuple[str, str, str]]:
    """What was sent: of turn files each once, since workers that take in two letters may send after each."""
    found = [(mail.message_id.partition(".")[0], mail.game_id, mail.receivers) for mail in home.mails("sent")]
    turns = {one for one in found if one[0].startswith("<turn-")}
    return sorted([*turns, *(one for one in found if one not in turns)])


def named(server: Server, folder: Path, database: str) -> Path:
    """A folder that names the schema `home` of a database of its own."""
    folder.mkdir(0o700, parents=True)
    url = server.url.replace("/postgres?", f"/{database}?")
    (folder / "database.toml").write_text(f'url = "{url}"\nschema = "home"\n')
    return folder


def run(server: Server, statement: str) -> None:
    import psycopg

    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(statement)
