"""What a program that plays to win sees in a position: who stands where, who could come, how far it is.

Ways are those of the rules as the units stand; times over long ways are estimates, the road is empty in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from heapq import heappop, heappush
from typing import Any

from pbem.games.white_eagle.board import Board, BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.kinds import GERMAN_COMMANDS, Command, Nation, Side
from pbem.games.white_eagle.s7_movement import Route, may_march, points, reachable
from pbem.games.white_eagle.s7_stacking import fits
from pbem.games.white_eagle.s8_hits import hits_left
from pbem.games.white_eagle.s8_retreat import is_held_by
from pbem.games.white_eagle.state import State, Unit

SURE = 1000
IN_CUP, IN_CUP_GERMAN, NEXT_TURN = 750, 900, 500
"""Likelihoods of a command whose chit is in the cup (a German one tries late, 4.2), and of one that has acted."""
FAR = 99
"""Activations to where no way leads."""


@dataclass(slots=True, eq=False)
class View:
    """A position as `side` sees it; what was found once is kept in `known`."""

    data: GameData
    state: State
    side: Side
    stacks: Mapping[tuple[BoxId, Side], tuple[Unit, ...]]
    known: dict[Any, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, data: GameData, state: State, side: Side) -> View:
        """Look at a position."""
        boxes: dict[tuple[BoxId, Side], list[Unit]] = {}
        for unit in state.units.values():
            boxes.setdefault((unit.box, data.unit(unit.id).side), []).append(unit)
        return cls(data, state, side, {key: tuple(units) for key, units in boxes.items()})

    def threats(self, box: BoxId) -> Mapping[Command, tuple[Unit, ...]]:
        """By command the enemies that could come into a box in an activation of theirs, or are there."""
        if "threats" not in self.known:
            self.known["threats"] = _threats(self.data, self.state, self.side.enemy)
        found: Mapping[Command, tuple[Unit, ...]] = self.known["threats"].get(box, {})
        return found

    def of_side(self, box: BoxId, side: Side) -> tuple[Unit, ...]:
        """The units of a side in a box."""
        return self.stacks.get((box, side), ())

    def is_opposed(self, box: BoxId) -> bool:
        """Whether enemies or a standing fort of theirs are in a box."""
        return self.data.fort_against(self.state, box, self.side) or bool(self.of_side(box, self.side.enemy))

    def has_own_fort(self, box: BoxId) -> bool:
        """Whether a fort of this side stands in a box."""
        return self.data.fort_against(self.state, box, self.side.enemy)

    def is_theirs(self, box: BoxId) -> bool:
        """Whether a box is a victory city that the enemy holds."""
        return is_held_by(self.data, self.state, box, self.side.enemy)

    def is_ours(self, box: BoxId) -> bool:
        """Whether a box is a victory city that this side holds."""
        return is_held_by(self.data, self.state, box, self.side)

    def reach(self, unit: Unit) -> Mapping[BoxId, Route]:
        """Where a unit can march in this activation."""
        key = "reach", unit.box, self.data.unit(unit.id).nation, points(self.data, self.state, unit)
        if key not in self.known:
            self.known[key] = reachable(self.data, self.state, unit)
        found: Mapping[BoxId, Route] = self.known[key]
        return found

    def fits(self, box: BoxId, units: Sequence[Unit], *, fort_limit: bool = True) -> bool:
        """Whether units can stand together."""
        key = "fits", box, fort_limit, tuple([unit.id for unit in units])
        if key not in self.known:
            self.known[key] = fits(self.data, self.state, box, units, fort_limit=fort_limit)
        return bool(self.known[key])

    def filled(
        self, box: BoxId, there: Sequence[Unit], others: Iterable[Unit], most: int = FAR, *, fort_limit: bool = True
    ) -> tuple[Unit, ...]:
        """Units in a box with the best of some others, as far as there is room."""
        found = list(there)
        for unit in sorted(others, key=self.rank):
            if len(found) < most and self.fits(box, [*found, unit], fort_limit=fort_limit):
                found.append(unit)
        return tuple(found)

    def rank(self, unit: Unit) -> tuple[int, int, int, UnitId]:
        """The strongest unit first."""
        kind = self.data.unit(unit.id)
        return -(kind.dice if not unit.reduced else 1), self.data.factor(unit), -hits_left(self.data, unit), unit.id

    def turns(self, unit: Unit, goal: BoxId, start: BoxId | None = None) -> int:
        """Activations that a unit needs to a box, 0 when it is there."""
        pace = self.data.figures.movement.of(self.data.unit(unit.id).type)
        cost = costs_from(self.data.board, goal).get(start or unit.box, FAR)
        return -(-cost // pace)


@cache
def costs_from(board: Board, goal: BoxId) -> Mapping[BoxId, int]:
    """Movement points between a box and every other one, whoever stands on the way."""
    costs, queue = {goal: 0}, [(0, goal)]
    while queue:
        spent, here = heappop(queue)
        if spent == costs[here]:
            for box in board.neighbours[here]:
                cost = spent + board.cost(here, box)
                if cost < costs.get(box, cost + 1):
                    costs[box] = cost
                    heappush(queue, (cost, box))
    return costs


# ---------------------------------------------------------------------- who could come


def _threats(data: GameData, state: State, enemy: Side) -> Mapping[BoxId, Mapping[Command, tuple[Unit, ...]]]:
    """By box and command the enemies that could come; units alike that stand together have the same ways."""
    found: dict[BoxId, dict[Command, list[Unit]]] = {}
    ways: dict[tuple[BoxId, Nation, int], Iterable[BoxId]] = {}
    at_rest = replace(state, activation=None)
    for unit in state.units.values():
        if data.unit(unit.id).side is not enemy or may_march(data, at_rest, unit) is not None:
            continue
        key = unit.box, data.unit(unit.id).nation, points(data, at_rest, unit)
        if key not in ways:
            ways[key] = (unit.box, *reachable(data, at_rest, unit))
        for box in ways[key]:
            found.setdefault(box, {}).setdefault(data.unit(unit.id).command, []).append(unit)
    return {box: {one: tuple(units) for one, units in by.items()} for box, by in found.items()}


def likelihood(data: GameData, state: State, command: Command) -> int:
    """About how likely a command acts before those that it threatens act again, in thousandths."""
    if all(data.chit(chit).command is not command for chit in state.cup):
        return NEXT_TURN
    return IN_CUP_GERMAN if command in GERMAN_COMMANDS else IN_CUP
