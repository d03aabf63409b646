"""Real `pbem serve` processes at one home in PostgreSQL, of which one is killed now and then, and many hosted games of
the toy, whose players live in this process with homes and Maildirs of their own."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.utils import getaddresses
from pathlib import Path

from pbem.app import catalogue
from pbem.app.deciding import submit_orders
from pbem.app.demo import Seeded
from pbem.app.desk import Desk, make_home
from pbem.app.exporting import export
from pbem.app.importing import import_arrived
from pbem.app.opened import open_game
from pbem.app.propose import Terms, accept, propose, single_proposal
from pbem.app.routing import incoming
from pbem.log.event import Role
from pbem.mail.post.maildir import MaildirInbox, deliver, prepare
from pbem.mail.post.remarks import quiet
from pbem.service.agent import Agent
from pbem.service.bench import summary_of
from pbem.service.record import silent
from pbem.service.shift import workers
from pbem.store.database import Home

ROOT = Path(__file__).parent.parent.parent
PEOPLE = {"north": "Anna", "south": "Bruno", "adjudicator": "Hugo"}
ROLLERS = ("adjudicator", "players", "all")
DAY = 86_400
LONG_AGO = 9 * DAY
"""Seconds by which a silent player's deadline of a week is over when the workers begin."""


@dataclass
class Mails:
    """Takes mails to the boxes of their receivers, and counts them by sender and Message-ID."""

    folder: Path
    count: Counter[str] = field(default_factory=Counter)

    def box(self, role: str) -> Path:
        return self.folder / "box" / role

    def deliver(self, mail: bytes, receivers: Sequence[str]) -> None:
        for role, name in PEOPLE.items():
            if f"{name.lower()}@example.org" in receivers:
                deliver(self.box(role), mail)

    def collect(self, out: Path) -> None:
        """What the workers have sent."""
        for path in sorted((out / "new").iterdir()):
            mail = path.read_bytes()
            headers = message_from_bytes(mail)
            self.count[str(headers["Message-ID"])] += 1
            self.deliver(mail, [address for _, address in getaddresses(headers.get_all("To", []))])
            path.unlink()


@dataclass
class Way:
    """How a player's mails go out."""

    mails: Mails

    def send(self, mail: bytes, sender: str, receivers: Sequence[str]) -> None:  # noqa: ARG002 - the port has it
        self.mails.deliver(mail, receivers)

    def reach(self) -> None: ...

    def close(self) -> None: ...


@dataclass
class Player:
    """A home with all its games, an agent, and who decides at random; in the games of `mute` nobody does before a
    ruling has come."""

    role: Role
    desk: Desk
    mails: Mails
    mute: set[str] = field(default_factory=set)
    choose: Seeded = field(default_factory=lambda: Seeded(5, "choose"))

    def turn(self) -> bool:
        """Take in, decide, send; whether all games are over."""
        agent = Agent(self.desk, MaildirInbox(self.mails.box(self.role), quiet), Way(self.mails), self.role, silent)
        agent.round()
        over = True
        for row in self.desk.home.games():
            summary = summary_of(self.desk, row)
            over = over and summary["finished"]
            kinds = {one["kind"] for one in summary["waiting"] if one["role"] == self.role}
            if kinds & {"answer", "seal"}:
                self._decide(row.game_id)
        return over

    def _decide(self, game: str) -> None:
        opened = open_game(self.desk.home, game, self.desk.games)
        question = opened.campaign.question(self.role)
        if game in self.mute:
            if not any(row.kind == "ruling" for row in opened.rows):
                return
            self.mute.remove(game)
        if question is not None:
            ruleset = opened.campaign.ruleset
            answer = ruleset.bots()["random"](question, opened.campaign.state, self.choose.choose)
            submit_orders(self.desk, game, ruleset.write_orders(answer))


@dataclass
class Table:
    """The desks of both players and of the adjudicator, each with its home open and a clock that `ago` sets back."""

    north: Desk
    south: Desk
    adjudicator: Desk
    ago: int = 0

    def games(self, number: int, silent_ones: int, by_mail: int) -> set[str]:
        """Propose and join games: the first ones long ago, the last ones not yet at the adjudicator's; the ids of the
        first ones."""
        mute = set()
        for index in range(number):
            self.ago = LONG_AGO if index < silent_ones else 0
            game = self._begun(index, joined=index < number - by_mail)
            if self.ago:
                mute.add(game)
        self.ago = 0
        return mute

    def _begun(self, index: int, *, joined: bool) -> str:
        opponents = {Role("south"): ("Bruno", "bruno@example.org")}
        toy = catalogue.ruleset("toy")
        host = ("Hugo", "hugo@example.org")
        rollers = ROLLERS[0 if self.ago else index % len(ROLLERS)]
        terms = Terms(toy, "short", Role("north"), opponents, 7, adjudicator=host, rollers=rollers)  # type: ignore[arg-type]
        game = propose(self.north, terms).row.game_id
        invitation = incoming(export(self.north, game).mail, "a mail")
        accept(self.south, single_proposal(invitation), "south")
        if joined:
            accept(self.adjudicator, single_proposal(invitation), "adjudicator")
            accepted = incoming(export(self.south, game).mail, "a mail")
            import_arrived(self.adjudicator, accepted)
            import_arrived(self.north, accepted)
            hosted = incoming(export(self.adjudicator, game).mail, "a mail")
            for desk in (self.north, self.south):
                import_arrived(desk, hosted)
        return game


@contextmanager
def seated(folder: Path) -> Iterator[Table]:
    """Three new homes, that of the adjudicator where its folder says."""
    with ExitStack() as stack:
        desks: list[Desk] = []
        for role, name in PEOPLE.items():
            make_home(folder / role, name, f"{name.lower()}@example.org", None, Seeded(7, name))
            desks.append(Desk(stack.enter_context(Home.open(folder / role)), random=Seeded(3, role)))
        table = Table(*desks)
        for desk in desks:
            desk.clock = lambda: int(time.time()) - table.ago
        yield table


@dataclass
class Crew:
    """So many workers at a home, each a process, of which one is killed every so many seconds and followed by a new
    one, whatever the players do meanwhile."""

    home: Path
    box: Path
    out: Path
    size: int = 3
    every: float = 5.0
    source: random.Random = field(default_factory=lambda: random.Random(1))
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    kills: int = 0
    over: threading.Event = field(default_factory=threading.Event)
    killer: threading.Thread | None = None

    def __enter__(self) -> Crew:
        prepare(self.box)
        prepare(self.out)
        self.workers = [self._begun() for _ in range(self.size)]
        self.killer = threading.Thread(target=self._kill)
        self.killer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        assert self.killer is not None
        self.killer.join()
        for worker in self.workers:
            worker.terminate()
        for worker in self.workers:
            worker.wait()

    def _kill(self) -> None:
        with Home.open(self.home) as home:
            while not self.over.wait(self.every):
                self._kill_one(workers(home, int(time.time())).keys())

    def _kill_one(self, names: Collection[str]) -> None:
        """Kill one of those that have begun to work, which have names, where it stands."""
        begun = [place for place, one in enumerate(self.workers) if any(f"-{one.pid}-" in name for name in names)]
        if not begun:
            return
        place = self.source.choice(begun)
        self.workers[place].kill()
        self.workers[place].wait()
        self.workers[place] = self._begun()
        self.kills += 1

    def ended(self) -> list[int]:
        """The exit codes of workers that have ended by themselves, which none should."""
        return [code for worker in self.workers if (code := worker.poll()) not in (None, -signal.SIGKILL)]

    def _begun(self) -> subprocess.Popen[bytes]:
        ways = ["--in", f"maildir:{self.box}", "--out", f"maildir:{self.out}", "--pause", "1"]
        rules = ["--for", "any", "--most-games", "1000", "--grace", "0.001", "--most-rulings", "1000"]
        paths = os.pathsep.join((str(ROOT), str(ROOT / "tests" / "toy")))
        with (self.home.parent / "log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "pbem", "serve", *ways, *rules],
                env={**os.environ, "PBEM_HOME": str(self.home), "PYTHONPATH": paths},
                stderr=log,
                stdout=log,
            )


def until(done: Callable[[], bool], crew: Crew, longest: float) -> None:
    """Work until it is done, or a game is stuck."""
    begun = time.monotonic()
    while not done():
        assert not crew.ended(), (crew.home.parent / "log").read_text()[-3000:]
        assert time.monotonic() < begun + longest, "a game is stuck"
