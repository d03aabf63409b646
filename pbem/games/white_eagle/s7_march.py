"""Marches as ordered: where they lead, who enters boxes with enemies and from where, what is captured on the way.

Pure `placed` serves checks, sheets and programs; `march` tells it and turns control markers over (6.1, 7.0, 7.2). Both
take marches that `s7_refusals` finds nothing against. Rulings 6-2, 7-5, 7-10 and 9-3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from pbem.games.white_eagle.answers import March
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.s6_victory import settle
from pbem.games.white_eagle.s9_siege import activated, is_besieged
from pbem.games.white_eagle.state import Activation, State, Unit
from pbem.rules.play import Rules, report


def placed(data: GameData, state: State, marches: Sequence[March]) -> State:
    """The position with every unit at its goal, and what the activation has to know of how it came there."""
    activation = activated(state)
    for order in marches:
        units = ordered(state, order)
        activation = _came(data, state, _left(data, state, activation, units), order, units)
        state = _left_by_fort(data, state, units)
        state = at_box(state, units, goal(order))
    return replace(state, activation=activation)


def march(data: GameData, state: State, marches: Sequence[March]) -> Rules[State]:
    """Marches in turn with reports; a victory city changes hands as units come through or stop there (6.1)."""
    for order in marches:
        yield from _told(data, state, order)
        on_the_way = state
        for box in map(BoxId, order.path):
            on_the_way = at_box(on_the_way, ordered(on_the_way, order), box)
            on_the_way = yield from settle(data, on_the_way, box)
        state = replace(placed(data, state, (order,)), held=on_the_way.held)
    return replace(state, activation=replace(activated(state), marched=True))


def goal(order: March) -> BoxId:
    """Where a march ends."""
    return BoxId(order.path[-1])


def ordered(state: State, order: March) -> tuple[Unit, ...]:
    """The units of a march, as they stand now."""
    return tuple(state.units[UnitId(name)] for name in order.units)


def at_box(state: State, units: Sequence[Unit], box: BoxId) -> State:
    """The position with units in another box."""
    return state.with_units([replace(unit, box=box) for unit in units])


def _came(data: GameData, state: State, activation: Activation, order: March, units: Sequence[Unit]) -> Activation:
    """Units that enter a box with enemies come from the box that they were in before (ruling 7-5)."""
    if not data.is_opposed(state, goal(order), activation.side):
        return activation
    last = BoxId(order.path[-2]) if len(order.path) > 1 else None
    came = {**activation.came, **{unit.id: last or unit.box for unit in units}}
    support = (*activation.support, *[unit.id for unit in units]) if order.support else activation.support
    return replace(activation, came=came, support=support)


def _left(data: GameData, state: State, activation: Activation, units: Sequence[Unit]) -> Activation:
    """Besieged forts that units leave make no sortie (ruling 9-3)."""
    left = sorted({unit.box for unit in units if is_besieged(data, state, unit.box, activation.side)})
    return replace(activation, left=tuple(sorted({*activation.left, *left})))


def _left_by_fort(data: GameData, state: State, units: Sequence[Unit]) -> State:
    """Units of another command leave their fort because it is activated, for which it has used its turn up."""
    command = activated(state).command
    forts = {unit.box for unit in units if data.unit(unit.id).command is not command}
    return replace(state, fort_turns=(*state.fort_turns, *sorted(forts - {*state.fort_turns})))


# ---------------------------------------------------------------------- reports


def _told(data: GameData, state: State, order: March) -> Rules[None]:
    """One line for the units that start in one box."""
    for start, units in by_start(ordered(state, order)):
        way = (start, *map(BoxId, order.path))
        cost = sum(data.board.cost(*step) for step in pairwise(way))
        by = f" by {', '.join(map(data.box_name, way[1:-1]))}" if len(way) > 2 else ""
        rule, how = _manner(data, state, order)
        yield from report(
            rule,
            "{units}: {start} to {goal}{by}, {cost} MP{how}",
            units=data.names(tuple(unit.id for unit in units)),
            start=data.box_name(start),
            goal=data.box_name(goal(order)),
            by=by,
            cost=cost,
            how=how,
        )


def _manner(data: GameData, state: State, order: March) -> tuple[str, str]:
    """The rule of a march, and what it is when it ends at enemies."""
    if order.support:
        return "7.2.b2", ", in support against the enemy there"
    if data.is_opposed(state, goal(order), activated(state).side):
        return "7.2.p1", ", against the enemy there"
    return "7.0.p1", ""


def by_start(units: Sequence[Unit]) -> Iterator[tuple[BoxId, tuple[Unit, ...]]]:
    """Units by the boxes where they stand."""
    for box in dict.fromkeys(unit.box for unit in units):
        yield box, tuple(unit for unit in units if unit.box == box)
