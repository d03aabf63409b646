"""Two players with agents and a referee with a service, in one post office; games are joined by mail."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from attacks.sides import BEGIN, DEADLINE_DAYS, Side, new_side

from pbem.app import catalogue
from pbem.app.desk import Desk
from pbem.app.propose import Terms, accept, propose, single_proposal
from pbem.app.routing import incoming
from pbem.log.event import Role
from pbem.mail.post.port import Letter
from pbem.service.agent import Agent, Round
from pbem.service.joining import allow
from pbem.service.overdue import Policy
from pbem.service.referee import Docket, reception
from pbem.service.times import keep_zones
from pbem.store.database import Home
from pbem.store.rows import Deadline
from service.office import Box, Office, Post

HOUR, DAY = 3600, 86_400
JUDGE = "rita@example.org"


@dataclass(slots=True)
class Judge(Post):
    """The referee; every round is that of a service which has just begun, as `--once` does."""

    policy: Policy = field(default_factory=Policy)
    most_games: int = 5

    @property
    def box(self) -> Box:
        return self.office.box(JUDGE)

    @contextmanager
    def desk(self) -> Iterator[Desk]:
        with Home.open(self.side.folder) as home:
            yield Desk(home, lambda: self.office.now, self.side.random)

    def round(self) -> Round:
        with self.desk() as desk:
            docket = Docket(desk, self.policy, self.worker, self.tell)
            visitors = reception(desk, self.tell, self.most_games)
            agent = Agent(desk, self.box, self.office, self.worker, self.tell, self.again, visitors, docket)
            agent.begin()
            found = agent.round()
            agent.end()
        return found

    def allow(self, *addresses: str) -> None:
        with self.desk() as desk, desk.home.writing() as writer:
            allow(writer, addresses)

    def zone(self, address: str, zone: str) -> None:
        with self.desk() as desk, desk.home.writing() as writer:
            keep_zones(writer, {address: zone})

    def deadlines(self, state: str = "waiting") -> list[Deadline]:
        with self.desk() as desk:
            rows = [one for row in desk.home.games() for one in desk.home.deadlines(row.game_id)]
        return [one for one in rows if one.state == state]

    def write(self, data: str | bytes, sender: str = "Bruno <bruno@example.org>", extra: str = "") -> Letter:
        """Put a letter of a person into the box."""
        number = len(self.office.sent) + len(self.box.waiting)
        head = f"From: {sender}\nMessage-ID: <{number}.{self.office.now}@example.org>\n{extra}".encode()
        letter = Letter(
            f"hand-{number}-{self.office.now}", head + (data if isinstance(data, bytes) else data.encode()), 0
        )
        self.box.waiting.append(letter)
        return letter

    def facts(self, what: str) -> list[dict[str, object]]:
        return [facts for told, facts in self.told if told == what]


@dataclass(slots=True)
class Court:
    """Anna plays the Germans, Bruno the Poles, Rita judges, and hosts the games if they are `hosted`."""

    german: Post
    polish: Post
    judge: Judge
    hosted: bool = False

    @property
    def office(self) -> Office:
        return self.judge.office

    def posts(self) -> tuple[Post, Post, Judge]:
        return self.german, self.polish, self.judge

    def later(self, seconds: int) -> None:
        self.office.now += seconds
        for post in self.posts():
            post.side.now = self.office.now

    def rounds(self, number: int = 4, *, decide: bool = False) -> None:
        for _ in range(number):
            for post in self.posts():
                self.later(60)
                if decide and post is not self.judge:
                    post.side.decide()
                post.round()

    def propose(self, begin: int = 0, referee: str = JUDGE, game: str = "westerplatte") -> Side:
        """A game that Anna proposes; the mails are on their way."""
        side, rules = self.german.side, catalogue.ruleset(game)
        opponents = {Role("polish"): ("Bruno", "bruno@example.org")}
        seat = "adjudicator" if self.hosted else "referee"
        judge: dict[str, Any] = {seat: ("Rita", referee)}
        terms = Terms(rules, rules.scenarios[0], side.role, opponents, DEADLINE_DAYS, **judge)
        self.later(begin)
        with side.desk() as desk:
            propose(desk, terms)
        self.german.round()
        return side

    def bruno_joins(self) -> None:
        """Bruno reads his proposals and accepts them."""
        for letter in list(self.polish.box.waiting):
            arrived = incoming(letter.data, "a mail")
            with self.polish.side.desk() as desk:
                accept(desk, single_proposal(arrived))
        self.polish.box.waiting = []

    def silent(self) -> str:
        """The role that has to decide, as the judge knows it."""
        (role,) = self.judge.side.opened().campaign.place.deciding
        return role

    def mails_to(self, address: str) -> list[bytes]:
        return [mail for sender, to, mail in self.office.sent if to == (address,) and not sender]


def strangers(folder: Path) -> Court:
    """Three homes without a game."""
    office = Office(now=BEGIN)
    sides = [
        new_side(folder / role, role, name)
        for role, name in (("german", "Anna"), ("polish", "Bruno"), ("referee", "Rita"))
    ]
    return Court(Post(sides[0], office), Post(sides[1], office), Judge(sides[2], office))


def in_play(folder: Path, begin: int = BEGIN, game: str = "westerplatte", *, hosted: bool = False) -> Court:
    """A game that all three have joined by mail, whose first decision waits."""
    court = strangers(folder)
    court.hosted = hosted
    for post in court.posts():
        post.side.game = game
    court.later(begin - BEGIN)
    court.judge.allow("anna@example.org")
    court.propose(game=game)
    court.bruno_joins()
    court.rounds()
    assert court.judge.side.opened().campaign.started
    return court


def patient(folder: Path) -> Court:
    """A game in play whose judge writes no mail a second time."""
    court = in_play(folder)
    court.judge.again = 1000 * DAY
    return court


def wait(court: Court, seconds: int, every: int = 6 * HOUR) -> None:
    """Let the judge alone work for so long."""
    end = court.office.now + seconds
    while court.office.now < end:
        court.later(min(every, end - court.office.now))
        court.judge.round()


def done(court: Court) -> list[tuple[str, str]]:
    """What was reminded of and ruled on, in order."""
    return [(what, str(facts.get("what", ""))) for what, facts in court.judge.told if what in ("reminded", "ruled")]


ALL = [("reminded", "half"), ("reminded", "day"), ("reminded", "late"), ("ruled", "")]
