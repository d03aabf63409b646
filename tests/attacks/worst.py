"""A toy game with the remedy `worst` between two homes, and a stranger who has nothing but archives."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from attacks.sides import DAY, DEADLINE_DAYS, Done, Side, new_side
from pbem.app import catalogue
from pbem.app.propose import Terms, accept, propose, single_proposal
from pbem.app.routing import incoming
from pbem.log.event import Role

GAME = "toy"
NORTH, SOUTH = Role("north"), Role("south")


@dataclass(slots=True)
class Duel:
    """Both players, and the home of somebody who plays no part."""

    north: Side
    south: Side
    stranger: Side

    def sides(self) -> tuple[Side, Side]:
        return self.north, self.south

    def of(self, role: str) -> Side:
        return self.north if role == NORTH else self.south

    def other(self, side: Side) -> Side:
        return self.south if side is self.north else self.north

    def copy(self, folder: Path) -> Duel:
        return Duel(*(side.copy(folder / side.folder.name) for side in (*self.sides(), self.stranger)))

    def later(self, days: int = DEADLINE_DAYS) -> None:
        """Both clocks go on from the latest thing that either home knows; the command line dates things now."""
        latest = max(row.arrived for side in self.sides() for row in side.opened().rows)
        now = max(latest, *(side.now for side in self.sides())) + days * DAY + 1
        self.north.now = self.south.now = now

    def till_owed(self, kind: str, silent: Role, rounds: int = 40) -> tuple[Side, Side]:
        """Play until the silent role alone owes something; who waits for it, and the silent one."""
        late, waits = self.of(silent), self.other(self.of(silent))
        for _ in range(rounds):
            self.later(0)
            waits.decide()
            if {role: one.kind for role, one in waits.opened().campaign.awaited().items()} == {silent: kind}:
                return waits, late
            late.take(waits.export())
            demand = late.opened().campaign.awaited().get(silent)
            if kind != "answer" or demand is None or demand.kind != kind:
                late.decide()
            waits.take(late.export())
        raise AssertionError(f"{silent} never owes its {kind}")

    def exchange(self, rounds: int = 3) -> None:
        """Everything reaches everybody, and every program answers what needs nobody."""
        for _ in range(rounds):
            for side in self.sides():
                self.later(0)
                self.other(side).take(side.export(everything=True))

    def play(self, rounds: int = 40) -> None:
        """To the end."""
        for _ in range(rounds):
            for side in self.sides():
                self.later(0)
                side.decide()
                self.other(side).take(side.export())
        assert self.heads_agree()

    def heads_agree(self) -> bool:
        return self.north.heads() == self.south.heads()

    def verified(self, side: Side, *, running: bool = True) -> Done:
        """What the stranger's client says about the archive of a side."""
        path = side.folder.parent / f"{side.role}.pbem"
        assert side("archive", side.game, "-o", path, "--force").code == 0
        return self.stranger("verify", path, *(["--running"] if running else []))


def joined(folder: Path, remedy: str = "worst", game: str = GAME, roles: tuple[Role, Role] = (NORTH, SOUTH)) -> Duel:
    """A proposal that is accepted."""
    first, second = roles
    people = ((first, "Anna"), (second, "Bruno"), ("stranger", "Carla"))
    sides = [replace(new_side(folder / role, role, name), game=game) for role, name in people]
    duel = Duel(*sides)
    rules = catalogue.ruleset(game)
    opponents = {second: ("Bruno", "bruno@example.org")}
    terms = Terms(rules, rules.scenarios[0], first, opponents, DEADLINE_DAYS, remedy=remedy)  # type: ignore[arg-type]
    with duel.north.desk() as desk:
        propose(desk, terms)
    with duel.south.desk() as desk:
        accept(desk, single_proposal(incoming(duel.north.export(), "invitation")))
    duel.north.take(duel.south.export())
    return duel
