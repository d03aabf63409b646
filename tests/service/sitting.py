"""Parties with agents, and a service where one presides, that play one game over a post office to its end.

Each home has two clocks, and both go on. The one of the post is the office's: by it mails are sent, come late, and are
sent again. The other one dates what is signed and what has come, and counts a minute for every event that this home has
signed before. Dates are in the signed bytes, so in every digest and every roll that follows: with the office's clock a
mail that comes an hour late would be another game. By the log's own clock it is the same game, byte for byte.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from attacks.sides import BEGIN, new_side

from pbem.app import catalogue
from pbem.app.archive import archive
from pbem.app.deciding import submit_orders
from pbem.app.demo import Seeded
from pbem.app.desk import Desk
from pbem.app.moving import move
from pbem.app.opened import OpenGame, open_game
from pbem.app.propose import Joining, Terms, accept, propose, seats_taken, single_proposal
from pbem.app.routing import incoming
from pbem.errors import PbemError
from pbem.log.event import ADJUDICATOR, REFEREE, Role
from pbem.mail.post.port import Letter
from pbem.service.agent import Agent
from pbem.service.bench import summary_of
from pbem.service.joining import allow
from pbem.service.overdue import Policy
from pbem.service.referee import Docket, reception
from pbem.store.database import Home
from service.office import MINUTE, Box, Office

AGAIN = 20 * MINUTE
"""When what was not acknowledged is sent once more, the first time."""
IDLE = 10 * MINUTE
"""What the clock goes on by when nobody had anything to do."""
NAMES = ("Anna", "Bruno")
BENCH = {REFEREE: "Rita", ADJUDICATOR: "Hugo"}


@dataclass(frozen=True, slots=True)
class Match:
    """A game to be played: whose bots decide, who presides, and in which turn the first side concedes (0: never)."""

    game: str
    seed: int
    bot: str = "random"
    scenario: int = 0
    bench: Role | None = None
    turns: int = 0

    def with_seed(self, seed: int) -> Match:
        return replace(self, seed=seed)

    def people(self) -> dict[Role, str]:
        players = dict(zip(catalogue.ruleset(self.game).roles, NAMES, strict=True))
        return players | ({self.bench: BENCH[self.bench]} if self.bench else {})

    @property
    def name(self) -> str:
        return "-".join((self.game, str(self.seed), *([self.bench] if self.bench else [])))


def address(name: str) -> str:
    return f"{name.lower()}@example.org"


@dataclass(slots=True)
class Clocks:
    """The clock of a home: the log's while letters are read or a player decides, else the office's."""

    office: Office
    home: Home
    role: Role
    begin: int
    of_the_log: bool = False

    def __call__(self) -> int:
        if not self.of_the_log:
            return self.office.now
        ((signed,),) = self.home._connection.rows("SELECT count(*) FROM events WHERE role = ?", self.role)
        return self.begin + MINUTE * int(signed)

    @contextmanager
    def dating(self) -> Iterator[None]:
        self.of_the_log = True
        try:
            yield
        finally:
            self.of_the_log = False


@dataclass(slots=True)
class Inbox:
    """A box whose letters are taken in by the log's clock; what is left in it a person reads."""

    box: Box
    clocks: Clocks
    left: list[Letter] = field(default_factory=list)

    def letters(self, at_most: int) -> Iterator[Letter]:
        with self.clocks.dating():
            yield from self.box.letters(at_most)

    def done(self, letter: Letter) -> None:
        self.box.done(letter)

    def set_aside(self, letter: Letter) -> None:
        self.box.set_aside(letter)

    def leave(self, letter: Letter) -> None:
        self.left.append(letter)
        self.box.leave(letter)

    def offer(self, handle: str) -> None:
        self.box.offer(handle)

    def wait(self, seconds: float) -> None: ...

    def close(self) -> None: ...


@dataclass(slots=True)
class Party:
    """A home with its program: an agent, or a service on the bench."""

    match: Match
    role: Role
    desk: Desk
    clocks: Clocks
    inbox: Inbox
    agent: Agent
    chooser: Seeded
    told: list[tuple[str, dict[str, object]]]

    @property
    def home(self) -> Home:
        return self.desk.home

    def words(self) -> set[str]:
        return {what for what, _ in self.told}

    def opened(self) -> OpenGame:
        return open_game(self.home, self.home.games()[0].game_id, self.desk.games, whole=True)

    def finished(self) -> bool:
        games = self.home.games()
        return bool(games) and bool(summary_of(self.desk, games[0])["finished"])

    def started(self) -> bool:
        games = self.home.games()
        return bool(games) and self.opened().campaign.started

    def turn(self) -> int:
        """Join, decide, and one round of the program; how much was done."""
        with self.clocks.dating():
            done = self._decide() if self.home.games() else self._join()
        found = self.agent.round()
        return done + found.letters + found.sent

    def _join(self) -> int:
        """Read what the program has left for a person, and accept the proposal in it."""
        while self.inbox.left and not self.home.games():
            arrived = incoming(self.inbox.left.pop().data, "a mail")
            with suppress(PbemError):
                proposal = single_proposal(arrived)
                accept(self.desk, proposal, joining=Joining(seats_taken(arrived, proposal)))
        return len(self.home.games())

    def _decide(self) -> int:
        """Answer whatever this side is asked."""
        count = 0
        while self._is_asked():
            opened = open_game(self.home, self.home.games()[0].game_id, self.desk.games)
            question = opened.campaign.question(self.role)
            if question is None:
                break
            count += 1
            if self._concedes(opened):
                move(self.desk, opened.row.name, {"what": "concede"})
                continue
            ruleset = opened.campaign.ruleset
            answer = ruleset.bots()[self.match.bot](question, opened.campaign.state, self.chooser.choose)
            submit_orders(self.desk, opened.row.name, ruleset.write_orders(answer))
        return count

    def _is_asked(self) -> bool:
        waiting = summary_of(self.desk, self.home.games()[0])["waiting"]
        return self.role in {one["role"] for one in waiting if one["kind"] in ("answer", "seal")}

    def _concedes(self, opened: OpenGame) -> bool:
        campaign, turns = opened.campaign, self.match.turns
        alone = campaign.place.deciding == (self.role,) == campaign.ruleset.roles[:1]
        return bool(turns) and alone and campaign.ruleset.turn_of(campaign.state) >= turns


@dataclass(slots=True)
class Sitting:
    """All parties of a match at one post office."""

    match: Match
    folder: Path
    office: Office
    parties: list[Party]

    def propose(self) -> None:
        first, match = self.parties[0], self.match
        rules = catalogue.ruleset(match.game)
        people = {role: (name, address(name)) for role, name in match.people().items()}
        opponents = {role: people[role] for role in rules.roles[1:]}
        bench = {str(role): people[role] for role in people if role == match.bench}
        scenario = rules.scenarios[match.scenario]
        rollers = "all" if match.bench == ADJUDICATOR else ""
        with first.clocks.dating():
            propose(first.desk, Terms(rules, scenario, first.role, opponents, 60, rollers=rollers, **bench))

    def begin(self) -> None:
        """Play until the game has started at every home, and everything that is to be sent has come."""
        self.propose()
        self._go_on(lambda: all(party.started() for party in self.parties))

    def play(self) -> None:
        """Play until the game is over at every home."""
        self._go_on(lambda: all(party.finished() for party in self.parties))

    def _go_on(self, until: Callable[[], bool], most: int = 4000) -> None:
        for _ in range(most):
            done = 0
            for party in self.parties:
                self.office.now += MINUTE
                done += party.turn()
            if until():
                return
            self.office.now += 0 if done else IDLE
        raise AssertionError(f"{self.match.name}: no end after {most} rounds; {self.where()}")

    def where(self) -> list[tuple[Role, int, list[object]]]:
        """How far each home is, and what it waits for."""
        summaries = [summary_of(party.desk, party.home.games()[0]) for party in self.parties]
        return [(one["role"], one["step"], one["waiting"]) for one in summaries]

    def heads(self) -> dict[Role, list[str]]:
        """The digest of every step, at every home."""
        return {one.role: [step.digest.hex() for step in one.opened().campaign.steps] for one in self.parties}

    def archives(self) -> list[bytes]:
        """The archive of every home."""
        return [archive(party.desk, party.home.games()[0].name) for party in self.parties]

    def close(self) -> None:
        for party in self.parties:
            party.agent.end()
            party.home.close()

    def __enter__(self) -> Sitting:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def homes(match: Match, folder: Path) -> None:
    """A home for every party, without a game."""
    for role, name in match.people().items():
        new_side(folder / role, role, name)


def seated(match: Match, folder: Path, office: Office, begin: int = BEGIN) -> Sitting:
    """The parties whose homes are in a folder, each with its program running; what is dated begins at `begin`."""
    return Sitting(match, folder, office, [_party(match, role, folder, office, begin) for role in match.people()])


def _party(match: Match, role: Role, folder: Path, office: Office, begin: int) -> Party:
    home = Home.open(folder / role)
    clocks = Clocks(office, home, role, begin)
    desk = Desk(home, clocks, Seeded(match.seed, f"{role} at {begin}"))
    inbox = Inbox(office.box(address(match.people()[role])), clocks)
    told: list[tuple[str, dict[str, object]]] = []

    def tell(what: str, /, **facts: object) -> None:
        told.append((what, facts))

    visitors, duties = None, None
    if role == match.bench:
        with home.writing() as writer:
            allow(writer, [address(NAMES[0])])
        visitors, duties = reception(desk, tell), Docket(desk, Policy(), role, tell)
    agent = Agent(desk, inbox, office, role, tell, AGAIN, visitors, duties)
    agent.begin()
    return Party(match, role, desk, clocks, inbox, agent, Seeded(match.seed, f"{role} chooses"), told)


def copied(folder: Path, to: Path, roles: Sequence[Role]) -> None:
    """The homes as they are."""
    for role in roles:
        shutil.copytree(folder / role, to / role)
