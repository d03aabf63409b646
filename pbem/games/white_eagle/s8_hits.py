"""Hits (8.4): on whom they fall, by plan or by itself, and what they do. Ruling 8-3.

Left out: hits on forts, which come when the units inside are gone (`s9_siege`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.kinds import Kind
from pbem.games.white_eagle.s9_siege import hit_fort
from pbem.games.white_eagle.state import State, Unit
from pbem.rules.play import Rules, report

WEAKEST_FIRST = tuple(Kind)


@dataclass(frozen=True, slots=True)
class Takers:
    """Who takes the hits of a side: units of `first` before those of `then`, and a fort in `fort` last.

    `plan` has units that shall take the next hits, each as often as it is named.
    """

    first: tuple[UnitId, ...]
    then: tuple[UnitId, ...] = ()
    fort: BoxId | None = None
    plan: tuple[UnitId, ...] = ()

    def open_to(self, state: State) -> tuple[Unit, ...]:
        """The units on which a hit can fall now: supporting ones only when no primary one is left (8.4, 8.6)."""
        for group in (self.first, self.then):
            alive = tuple(state.units[name] for name in group if name in state.units)
            if alive:
                return alive
        return ()

    def are_gone(self, state: State) -> bool:
        """Whether nobody is left, and no fort."""
        return not self.open_to(state) and not (self.fort and state.forts[self.fort])


def hits_left(data: GameData, unit: Unit) -> int:
    """Hits that eliminate a unit: two at full strength, if it has two steps (2.2, 8.4)."""
    return 1 if unit.reduced else data.unit(unit.id).steps


def take_hits(data: GameData, state: State, takers: Takers, hits: int) -> Rules[tuple[State, Takers]]:
    """Hits one after the other, the plan first; those that find nobody have no effect (8.4, 9.0)."""
    for taken in range(hits):
        chosen, takers = next_taker(data, state, takers)
        if chosen is not None:
            state = yield from hit(data, state, chosen)
        elif takers.fort and state.forts[takers.fort]:
            state = yield from hit_fort(data, state, takers.fort)
        else:
            yield from report("8.4.p1", "{number} of {hits} hits find nobody", number=hits - taken, hits=hits)
            break
    return state, takers


def next_taker(data: GameData, state: State, takers: Takers) -> tuple[Unit | None, Takers]:
    """The unit that takes the next hit, None when none is left, and the plan for the hits behind it (ruling 8-3)."""
    units = takers.open_to(state)
    if not units:
        return None, takers
    able = [unit.id for unit in units]
    planned = next((name for name in takers.plan if name in able), None)
    if planned is None:
        return min(units, key=lambda unit: _loath(data, unit)), takers
    place = takers.plan.index(planned)
    return state.units[planned], replace(takers, plan=(*takers.plan[:place], *takers.plan[place + 1 :]))


def _loath(data: GameData, unit: Unit) -> tuple[bool, int, int, int, UnitId]:
    """Whom to spare: first those whom a hit eliminates, then panzers, good factors, armour before infantry."""
    kind = data.unit(unit.id)
    return hits_left(data, unit) == 1, kind.dice, -data.factor(unit), WEAKEST_FIRST.index(kind.type), unit.id


def hit(data: GameData, state: State, unit: Unit, rule: str = "8.4.p1") -> Rules[State]:
    """One hit on a unit: it is reduced, or eliminated."""
    left = hits_left(data, unit) > 1
    yield from report(rule, "{unit} is {fate}", unit=data.name(unit.id), fate="reduced" if left else "eliminated")
    return state.with_units([replace(unit, reduced=True)]) if left else state.without([unit.id])


def hit_each(data: GameData, state: State, units: Iterable[UnitId], rule: str) -> Rules[State]:
    """One hit on each of some units (8.5)."""
    for name in units:
        state = yield from hit(data, state, state.units[name], rule)
    return state
