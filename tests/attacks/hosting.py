"""A hosted game for the attacks: two players and an adjudicator, three homes that exchange turn files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from attacks.sides import DAY, DEADLINE_DAYS, Side, new_side
from pbem.app import catalogue
from pbem.app.opened import open_game
from pbem.app.propose import Terms, accept, propose, single_proposal
from pbem.app.routing import incoming
from pbem.app.ruling import rule
from pbem.app.summary import has_news
from pbem.log.event import Receipt, Role
from pbem.log.verify import Verified

GRACE = 12 * 3600
Rollers = Literal["players", "adjudicator", "all"]
ROLLERS: tuple[Rollers, ...] = ("players", "adjudicator", "all")


@dataclass(slots=True)
class Table:
    """Two players and who hosts them."""

    first: Side
    second: Side
    host: Side

    def players(self) -> tuple[Side, Side]:
        return self.first, self.second

    def sides(self) -> tuple[Side, Side, Side]:
        return self.first, self.second, self.host

    def exchange(self, rounds: int = 3) -> None:
        """The players send what is new to the host, and the host to them; at most `rounds` times."""
        for _ in range(rounds):
            news = [self._sent(player, self.host) for player in self.players()]
            if not any([*news, self._sent(self.host, *self.players())]):
                return

    def _sent(self, side: Side, *others: Side) -> bool:
        """Whether a side had something to send, which the others have now."""
        self.tick()
        with side.desk() as desk:
            if not has_news(desk.home, open_game(desk.home, side.game, desk.games)):
                return False
        sent = side.export()
        for other in others:
            other.take(sent)
        return True

    def tick(self, seconds: int = 60) -> None:
        now = max(one.now for one in self.sides()) + seconds
        for one in self.sides():
            one.now = now

    def late(self, seconds: int = GRACE) -> None:
        """The clocks of all stand some seconds behind the deadline, which is counted from the last arrival here."""
        for side in self.sides():
            side.now = max(row.arrived for row in self.host.opened().rows) + DEADLINE_DAYS * DAY + seconds

    def heads(self) -> set[tuple[str, ...]]:
        return {tuple(side.heads()) for side in self.sides()}

    def deciding(self) -> tuple[Side, Side]:
        """Which player has to decide something, and the other one."""
        for side, other in ((self.first, self.second), (self.second, self.first)):
            if side.opened().campaign.place.deciding == (side.role,):
                return side, other
        raise AssertionError("nobody has to decide anything")

    def ruled(self, why: str = "", *, agree: bool | None = None) -> list[str]:
        with self.host.desk() as desk:
            return rule(desk, self.host.game, why, agree=agree).told

    def to_the_end(self, most: int = 400) -> None:
        """Bots play at random until every home has the closed game."""
        for _ in range(most):
            for player in self.players():
                player.decide()
            self.exchange()
            if all(side.opened().campaign.finished for side in self.sides()):
                return
        raise AssertionError("the game has no end")

    def copied(self, folder: Path) -> Table:
        return Table(*(side.copy(folder / side.role) for side in self.sides()))


def hosted(
    folder: Path, rollers: Rollers, game: str = "westerplatte", scenario: str = "standard", days: int = DEADLINE_DAYS
) -> Table:
    """A game that all three have joined and that waits for its first decision."""
    rules = catalogue.ruleset(game)
    first, second = rules.roles
    names = {first: "Anna", second: "Bruno", "adjudicator": "Hugo"}
    table = Table(*(replace(new_side(folder / role, role, name), game=game) for role, name in names.items()))
    opponents = {Role(second): ("Bruno", "bruno@example.org")}
    host = ("Hugo", "hugo@example.org")
    terms = Terms(rules, scenario, Role(first), opponents, days, adjudicator=host, rollers=rollers)
    with table.first.desk() as desk:
        propose(desk, terms)
    for side in (table.second, table.host):
        with side.desk() as desk:
            accept(desk, single_proposal(incoming(table.first.export(), "invitation")))
    table.exchange()
    return table


def receipts(side: Side) -> list[tuple[Verified, Receipt]]:
    """Every receipt of a home's log, in the order of steps."""
    found = [one for step in side.opened(whole=True).campaign.steps for one in step.events]
    return [(one, one.event.body) for one in found if isinstance(one.event.body, Receipt)]


def kinds(side: Side) -> list[list[str]]:
    """`german answer` and so on, for each step."""
    steps = side.opened(whole=True).campaign.steps
    return [[f"{one.event.role} {one.event.kind}" for one in step.events] for step in steps]


def rolling(table: Table) -> Table:
    """Until both have set up, so that the first cards are drawn."""
    for _ in range(2):
        table.deciding()[0].decide()
        table.exchange()
    return table
