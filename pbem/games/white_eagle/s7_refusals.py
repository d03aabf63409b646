"""Why marches cannot be made as ordered (7.0 to 7.3), as refusals; `s7_movement` says what a unit can do.

Stacking and support are judged in the position after all marches (ruling 7-1), as if each of them could be made.
Rulings 5-2, 5-4, 7-1, 7-4 to 7-9, 7-12 and 9-4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pbem.games.white_eagle.answers import March
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.kinds import Kind
from pbem.games.white_eagle.s7_march import by_start, goal, placed
from pbem.games.white_eagle.s7_movement import barred, may_march, points, reachable
from pbem.games.white_eagle.s7_stacking import broken_limits
from pbem.games.white_eagle.s9_siege import activated, fort_stands, may_attack
from pbem.games.white_eagle.state import State, Unit, nation_of, side_of
from pbem.log.enumeration import cut
from pbem.rules.refusal import Refusal

MOST_NAMED = 8
"""Boxes that a hint names."""


def march_refusals(data: GameData, state: State, marches: Sequence[March]) -> list[Refusal]:
    """Every reason against marches; `line` is the number of the march, from 1."""
    found = []
    for number, order in enumerate(marches, start=1):
        reasons = [*_unit_reasons(data, state, marches[: number - 1], order), *_way_reasons(data, state, order)]
        found += [replace(reason, line=number) for reason in reasons]
    followed = followable(data, state, marches)
    return sorted([*found, *_goal_reasons(data, state, followed)], key=lambda refusal: refusal.line)


def followable(data: GameData, state: State, marches: Sequence[March]) -> list[tuple[int, March]]:
    """What can be followed on the map: marches with their numbers, of units of the side there, each unit once."""
    found: list[tuple[int, March]] = []
    moved: set[str] = set()
    for number, order in enumerate(marches, start=1):
        units = tuple(unit.id for unit in _known(state, order) if unit.id not in moved)
        moved.update(units)
        if units and all(box in data.board.boxes for box in order.path):
            found.append((number, order.model_copy(update={"units": units})))
    return found


def _known(state: State, order: March) -> tuple[Unit, ...]:
    """The units of a march that are on the map and of the activated side, each once."""
    side = activated(state).side
    units = [state.units[UnitId(name)] for name in dict.fromkeys(order.units) if name in state.units]
    return tuple(unit for unit in units if side_of(unit.id) is side)


# ---------------------------------------------------------------------- who is ordered


def _unit_reasons(data: GameData, state: State, before: Sequence[March], order: March) -> Iterator[Refusal]:
    """Units that are not there, that may not move, and that have another order."""
    earlier = [name for march in before for name in march.units]
    for place, name in enumerate(order.units):
        unit = state.units.get(UnitId(name))
        if unit is None or side_of(unit.id) is not activated(state).side:
            yield _no_unit(data, state, name)
        elif name in earlier or name in order.units[:place]:
            text = f"expected one march of {data.name(unit.id)}, got another"
            yield Refusal("march.twice", text, "5.2.p1", "name all boxes on its way in one order")
        elif unit.id == activated(state).resting:
            text = f"expected a march of a unit that does not recover, got one of {data.name(unit.id)}"
            yield Refusal("march.recovers", text, "5.2.p1", "a unit recovers instead of moving: leave one order out")
        elif reason := may_march(data, state, unit):
            yield reason


def _no_unit(data: GameData, state: State, name: str) -> Refusal:
    adjective = activated(state).side.adjective
    if name not in data.forces.units:
        return Refusal("march.unit", f"expected a unit of the {adjective} side, got '{name}'", "5.2.p1")
    unit = data.unit(UnitId(name))
    gone = ", which is not on the map" if unit.side is activated(state).side else f" of {unit.command.full_name}"
    return Refusal("march.unit", f"expected a unit of the {adjective} side, got {unit.name}{gone}", "5.2.p1")


# ---------------------------------------------------------------------- the way


def _way_reasons(data: GameData, state: State, order: March) -> Iterator[Refusal]:
    """What is wrong with the way of those that may move: unknown boxes, no line, enemies, closed boxes, its length."""
    unknown = [box for box in order.path if box not in data.board.boxes]
    for box in dict.fromkeys(unknown):
        yield Refusal("march.box", f"expected a box of the map, got '{box}'", "7.0.p1")
    able = [unit for unit in _known(state, order) if may_march(data, state, unit) is None]
    for start, units in by_start(able) if not unknown else ():
        way = (start, *map(BoxId, order.path))
        gap = next((step for step in pairwise(way) if step[1] not in data.board.neighbours[step[0]]), None)
        yield from _closed(data, state, way, units)
        if gap:
            yield _no_line(data, *gap)
        else:
            yield from _too_far(data, state, way, units)


def _no_line(data: GameData, here: BoxId, there: BoxId) -> Refusal:
    near = ", ".join(map(data.box_name, data.board.neighbours[here]))
    if here == there:
        text = f"expected another box after {data.box_name(here)}, got the same"
    else:
        text = f"expected a line from {data.box_name(here)} to {data.box_name(there)}, got none"
    return Refusal("march.line", text, "7.0.p1", f"lines lead to {near}")


def _closed(data: GameData, state: State, way: Sequence[BoxId], units: Sequence[Unit]) -> Iterator[Refusal]:
    """Enemies on the way (7.2), and boxes where a unit may not be (7.3); each unit's first one."""
    side = activated(state).side
    for box in way[1:-1]:
        if data.is_opposed(state, box, side):
            where = data.box_name(box)
            text = f"expected a way that ends at enemies, got one through {where} with {_who(data, state, box)}"
            yield Refusal("march.stops", text, "7.2.p1", f"let it end in {where}, or go around")
            break
    for unit in units:
        yield from [reason for box in way[1:] if (reason := barred(data, state, unit, box))][:1]


def _who(data: GameData, state: State, box: BoxId) -> str:
    """The enemies of the activated side in a box."""
    enemy = activated(state).side.enemy
    units = [data.name(unit.id) for unit in state.of_side(box, enemy)]
    return ", ".join([*units, *(["a fort"] if fort_stands(data, state, box, enemy) else [])])


def _too_far(data: GameData, state: State, way: Sequence[BoxId], units: Sequence[Unit]) -> Iterator[Refusal]:
    """One refusal for all units that have as few points."""
    cost = sum(data.board.cost(*step) for step in pairwise(way))
    for most in sorted({points(data, state, unit) for unit in units}):
        slow = [unit for unit in units if points(data, state, unit) == most]
        if most >= cost:
            continue
        names = data.names(tuple(unit.id for unit in slow))
        boxes = ", ".join(map(data.box_name, way))
        text = f"expected a way of at most {most} MP for {names}, got {cost} MP: {boxes}"
        rule = "7.0.b3" if data.unit(slow[0].id).type is Kind.INF else "7.0.b4"
        yield Refusal("march.far", text, rule, _in_reach(data, state, slow[0], way[-1]))


def _in_reach(data: GameData, state: State, unit: Unit, wanted: BoxId) -> str:
    """What a unit could reach, the nearest to what was wanted first, and why it is slow."""
    costs = {box: route.cost for box, route in reachable(data, state, unit).items()}
    ranked = sorted(costs, key=lambda box: (data.board.distance(wanted, box), costs[box], box))
    named = cut([f"{data.box_name(box)} ({costs[box]})" for box in ranked], MOST_NAMED)
    slowed = -activated(state).slowed
    why = f", slowed by {slowed}" if slowed else ""
    return f"{data.name(unit.id)} reaches {named or 'no box'}{why}"


# ---------------------------------------------------------------------- who stands together


@dataclass(frozen=True, slots=True)
class Entry:
    """A box that units have entered: all units of the side there after the marches, and who of them came to support.

    `came` are the boxes from which units have entered one with enemies.
    """

    box: BoxId
    primary: tuple[Unit, ...]
    support: tuple[Unit, ...]
    primary_from: tuple[BoxId, ...]
    support_from: tuple[BoxId, ...]


def _goal_reasons(data: GameData, state: State, followed: Sequence[tuple[int, March]]) -> Iterator[Refusal]:
    """Stacking and support in every box that was entered, with the number of the last march into it (ruling 7-1)."""
    after = placed(data, state, [order for _, order in followed])
    lines = {goal(order): number for number, order in followed}
    for box, line in lines.items():
        orders = [order for _, order in followed if goal(order) == box]
        if data.is_opposed(after, box, activated(state).side):
            reasons = [*_entry_reasons(data, after, entry_of(after, box))]
        else:
            there = after.of_side(box, activated(state).side)
            reasons = [*_needless_support(data, box, orders), *broken_limits(data, after, box, there)]
        yield from [replace(reason, line=line) for reason in reasons]


def entry_of(state: State, box: BoxId) -> Entry:
    """The groups of the activated side in a box with enemies, after its marches (ruling 7-5)."""
    activation = activated(state)
    there = state.of_side(box, activation.side)
    support = tuple(unit for unit in there if unit.id in activation.support)
    primary = tuple(unit for unit in there if unit.id not in activation.support)
    came = activation.came
    primary_from = tuple(sorted({came[unit.id] for unit in primary if unit.id in came}))
    return Entry(box, primary, support, primary_from, tuple(sorted({came[unit.id] for unit in support})))


def _needless_support(data: GameData, box: BoxId, orders: Sequence[March]) -> Iterator[Refusal]:
    if any(order.support for order in orders):
        text = f"expected a box with enemies to enter in support, got {data.box_name(box)}"
        yield Refusal("support.nobody", text, "7.2.b2", "leave the support out of the order")


def _entry_reasons(data: GameData, after: State, entry: Entry) -> Iterator[Refusal]:
    """The limits of each group, one nationality over both, and where the groups come from (7.2)."""
    if not entry.support:
        yield from broken_limits(data, after, entry.box, entry.primary)
        return
    yield from broken_limits(data, after, entry.box, entry.primary, called="primary unit")
    yield from broken_limits(data, after, entry.box, entry.support, fort_limit=False, called="supporting unit")
    yield from _mixed_groups(data, entry)
    yield from _origins(data, after, entry)


def _mixed_groups(data: GameData, entry: Entry) -> Iterator[Refusal]:
    groups = [{nation_of(unit.id) for unit in group} for group in (entry.primary, entry.support)]
    if all(len(group) == 1 for group in groups) and groups[0] != groups[1]:
        nations = " and ".join(sorted(nation.adjective for group in groups for nation in group))
        text = f"expected units of one nationality in {data.box_name(entry.box)}, got {nations} ones"
        yield Refusal("stack.nation", text, "7.1.b4", "units of different nationalities never fight together")


def _origins(data: GameData, after: State, entry: Entry) -> Iterator[Refusal]:
    """Primary units from one box, supporting ones from one other, none without primary units (ruling 7-5)."""
    where = data.box_name(entry.box)
    if len(entry.support_from) > 1:
        text = f"expected supporting units from one box for {where}, got them from {_boxes(data, entry.support_from)}"
        yield Refusal("support.boxes", text, "7.2.b2", "only one box supports")
    if not _has_primary(data, after, entry):
        text = f"expected primary units for the support in {where}, got none"
        yield Refusal("support.alone", text, "7.2.b1", "let units enter without support first")
    if len(entry.primary_from) > 1:
        text = f"expected primary units from one box for {where}, got them from {_boxes(data, entry.primary_from)}"
        yield Refusal("support.primary", text, "7.2.b1", "without support they may come from several boxes")
    for box in entry.support_from:
        if box in entry.primary_from:
            text = f"expected support for {where} from another box than its primary units, got {data.box_name(box)}"
            yield Refusal("support.same", text, "7.2.b2", "it comes along another line")


def _has_primary(data: GameData, after: State, entry: Entry) -> bool:
    """Whether any unit can be supported: one that attacks, or one in a fort that is relieved."""
    relief = fort_stands(data, after, entry.box, activated(after).side)
    return any(relief or may_attack(data, activated(after), unit) for unit in entry.primary)


def _boxes(data: GameData, boxes: Sequence[BoxId]) -> str:
    return " and ".join(map(data.box_name, boxes))
