"""A post office in memory that obeys the ports of `pbem.mail.post`, and two homes that live on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from attacks.sides import BEGIN, Side, new_side

from pbem.app import catalogue
from pbem.app.desk import Desk
from pbem.app.propose import Terms, accept, propose, single_proposal
from pbem.app.routing import incoming
from pbem.log.event import Role
from pbem.mail.post.port import Letter, PostFault, Undeliverable
from pbem.service.agent import Agent, Round
from pbem.store.database import Home

MINUTE = 60


@dataclass(slots=True)
class Box:
    """An inbox: letters that wait, and what became of those that were offered."""

    waiting: list[Letter] = field(default_factory=list)
    done_with: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    kept: dict[str, Letter] = field(default_factory=dict)
    closed: bool = False

    def letters(self, at_most: int) -> Iterator[Letter]:
        if self.closed:
            raise PostFault("post.closed", "expected a way in, got a box that is out of reach")
        yield from self.waiting[:at_most]

    def done(self, letter: Letter) -> None:
        self._gone(letter, self.done_with)

    def set_aside(self, letter: Letter) -> None:
        self._gone(letter, self.aside)

    def leave(self, letter: Letter) -> None:
        self.kept[letter.handle] = letter
        self._gone(letter, self.left)

    def offer(self, handle: str) -> None:
        if handle in self.left:
            self.left.remove(handle)
            self.waiting.append(self.kept[handle])

    def wait(self, seconds: float) -> None:  # noqa: ARG002 - the port has it
        if self.closed:
            raise PostFault("post.closed", "expected a way in, got a box that is out of reach")

    def close(self) -> None: ...

    def _gone(self, letter: Letter, to: list[str]) -> None:
        left = [one for one in self.waiting if one.handle != letter.handle]
        if len(left) < len(self.waiting):
            to.append(letter.handle)
        self.waiting = left


@dataclass(slots=True)
class Office:
    """Takes mails to the boxes of their receivers; `lost` says which ones never come."""

    boxes: dict[str, Box] = field(default_factory=dict)
    sent: list[tuple[str, tuple[str, ...], bytes]] = field(default_factory=list)
    lost: set[int] = field(default_factory=set)
    closed: bool = False
    refuses: str = ""
    later: str = ""
    """To whom no mail is taken now."""
    now: int = BEGIN

    def box(self, address: str) -> Box:
        return self.boxes.setdefault(address, Box())

    def send(self, mail: bytes, sender: str, receivers: Sequence[str]) -> None:
        if self.closed:
            raise PostFault("post.closed", "expected a way out, got none")
        if self.refuses in receivers:
            raise Undeliverable("post.refused", f"expected somebody at {self.refuses}, got nobody")
        everybody, receivers = receivers, tuple(one for one in receivers if one != self.later)
        if receivers:
            self._taken(mail, sender, receivers)
        if len(receivers) < len(everybody):
            text = f"expected somebody to take the mail for {self.later}, got '451 try later'"
            raise PostFault("post.postponed", text, delivered=receivers, postponed=(self.later,))

    def _taken(self, mail: bytes, sender: str, receivers: tuple[str, ...]) -> None:
        number = len(self.sent)
        self.sent.append((sender, receivers, mail))
        if number in self.lost:
            return
        for receiver in receivers:
            self.box(receiver).waiting.append(Letter(str(number), mail, self.now))

    def reach(self) -> None:
        if self.closed:
            raise PostFault("post.closed", "expected a way out, got none")

    def close(self) -> None: ...


@dataclass(slots=True)
class Post:
    """One player with an agent: `told` is what the agent said."""

    side: Side
    office: Office
    told: list[tuple[str, dict[str, object]]] = field(default_factory=list)
    worker: str = "one"
    again: int = 3600

    @property
    def box(self) -> Box:
        return self.office.box(f"{NAMES[self.side.role].lower()}@example.org")

    def tell(self, what: str, /, **facts: object) -> None:
        self.told.append((what, facts))

    def words(self) -> list[str]:
        return [what for what, _ in self.told]

    def round(self) -> Round:
        """One round of an agent that has just begun, as `--once` does."""
        with Home.open(self.side.folder) as home:
            desk = Desk(home, lambda: self.office.now, self.side.random)
            agent = Agent(desk, self.box, self.office, self.worker, self.tell, self.again)
            agent.begin()
            found = agent.round()
            agent.end()
        return found


NAMES = {"german": "Anna", "polish": "Bruno"}


def two_players(folder: Path, game: str = "westerplatte", begin: int = 0) -> tuple[Post, Post]:
    """A game that both have joined, whose first question waits; nothing is in the post. `begin` seconds tell it from
    another one."""
    office = Office()
    sides = [new_side(folder / role, role, name) for role, name in NAMES.items()]
    german, polish = (Post(side, office) for side in sides)
    for side in sides:
        side.game, side.now = game, BEGIN + begin
    rules, opponents = catalogue.ruleset(game), {Role("polish"): ("Bruno", "bruno@example.org")}
    with german.side.desk() as desk:
        propose(desk, Terms(rules, rules.scenarios[0], german.side.role, opponents, 7))
    with polish.side.desk() as desk:
        accept(desk, single_proposal(incoming(german.side.export(), "invitation")))
    return german, polish


def play(players: tuple[Post, Post], rounds: int) -> int:
    """Decide and let the agents work until the game is closed at both homes, or so many rounds are over; how many
    rounds that took."""
    for number in range(rounds):
        for player in players:
            player.office.now += MINUTE
            player.side.now = player.office.now
            player.side.decide()
            player.round()
        if all(player.side.opened().campaign.finished for player in players):
            return number
    raise AssertionError(f"the game is not over after {rounds} rounds")
