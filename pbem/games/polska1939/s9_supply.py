"""Supply (9.0): supply lines, losses without them, and the fuel of motorized units. Rulings 9-1 to 9-6."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from pbem.games.polska1939.casualties import lose_each
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import Nation
from pbem.games.polska1939.s7_field import has_rested
from pbem.games.polska1939.state import AreaId, Occupation, Side, State, Unit, side_of
from pbem.rules.play import Rules, report


def supplied_areas(
    data: GameData,
    state: State,  # noqa: ARG001  (every rule that looks at the position takes it)
    occupation: Occupation,
    nation: str,
) -> frozenset[AreaId]:
    """The areas in which a unit of a nation has, or would have, a supply line from a base of its own (9.1).

    A line passes areas free of enemies and not beside them, or with a friendly unit in them (9.1.2, ruling 9-5), and
    so it is with the base where it begins (ruling 9-1); it does not pass nodes or lakes (9.1.3, ruling 9-2). Its last
    area, the unit's own, is friendly by that. A fortress supplies who holds it for its country (7.1.5, ruling 9-3).
    """
    board = data.board
    side = Side.POLISH if nation == Nation.POLAND else Side.GERMAN
    enemy = {area for area, holder in occupation.sides.items() if holder is not side}
    barred = {near for area in enemy for near in board.neighbours[area]} - occupation.sides.keys() | enemy
    barred |= _foreign(data, nation)
    bases, fortresses = _own_bases(data, nation)
    reached = set(bases)
    frontier = [area for area in bases if area not in barred]
    while frontier:
        for near in board.neighbours[frontier.pop()]:
            if near not in reached and near not in enemy:
                reached.add(near)
                if near not in barred:
                    frontier.append(near)
    return frozenset(AreaId(area) for area in reached.union(fortresses) - enemy)


def _foreign(data: GameData, nation: str) -> set[str]:
    """Areas of the Soviet Union let no supply line of others pass (ruling 9-4)."""
    if nation == Nation.SOVIET_UNION:
        return set()
    return {code for code, area in data.board.areas.items() if area.country == Nation.SOVIET_UNION}


def _own_bases(data: GameData, nation: str) -> tuple[list[str], list[str]]:
    """The supply bases of a nation (9.1.4), and the fortresses of its country (7.1.5)."""
    areas = data.board.areas
    bases = [code for code, area in areas.items() if nation in area.supply]
    return bases, [code for code, area in areas.items() if area.fortress and area.country == nation]


def supply(data: GameData, state: State, occupation: Occupation, side: Side) -> Mapping[str, frozenset[AreaId]]:
    """`supplied_areas` of every nation of a side that has a unit on the map, by nation."""
    nations = {data.unit(unit.id).nation for unit in state.units.values() if side_of(unit.id) is side}
    return {nation: supplied_areas(data, state, occupation, nation) for nation in sorted(nations)}


def is_supplied(data: GameData, state: State, occupation: Occupation, unit: Unit) -> bool:
    """Whether a unit has a supply line (9.1.1); for many units of a nation ask `supplied_areas` once."""
    return unit.area in supplied_areas(data, state, occupation, data.unit(unit.id).nation)


def starve(data: GameData, state: State, side: Side) -> Rules[State]:
    """Losses of a side's units without supply at the end of its movement phase (9.1.5); an HQ has nothing to lose."""
    supplied = supply(data, state, Occupation.of(state), side)
    lost, areas = {}, set()
    for unit in _units_of(state, side):
        nation = data.unit(unit.id).nation
        if not unit.is_hq and unit.area not in supplied[nation]:
            lost[unit.id] = data.figures.supply.loss(nation)
            areas.add(unit.area)
    if not lost:
        return state
    named = ", ".join(data.area_name(area) for area in sorted(areas))
    yield from report("9.1.5", "no supply line leads to {areas}", areas=named)
    return (yield from lose_each(data, state, "9.1.5", lost))


# ---------------------------------------------------------------------- fuel


def out_of_fuel(data: GameData, unit: Unit) -> bool:
    """Whether a unit cannot move, pursue or retreat for want of fuel (9.2.6, 9.2.7)."""
    return unit.fuel == 0 and data.unit(unit.id).uses_fuel


def spend_fuel(data: GameData, unit: Unit) -> Unit:
    """The unit after a move, a pursuit or a retreat (9.2.3); nothing changes where fuel is no matter (9.2.1)."""
    return replace(unit, fuel=max(0, unit.fuel - data.figures.fuel.move_cost)) if unit.fuel else unit


def refuel(data: GameData, state: State, side: Side) -> Rules[State]:
    """Two levels more for units that rested a day and have a supply line (9.2.4, 9.2.5)."""
    thirsty = [u for u in _units_of(state, side) if u.fuel < data.unit(u.id).fuel and has_rested(state, u)]
    if not thirsty:
        return state
    supplied = supply(data, state, Occupation.of(state), side)
    full = [_filled(data, unit) for unit in thirsty if unit.area in supplied[data.unit(unit.id).nation]]
    if not full:
        return state
    named = ", ".join(f"{data.name(unit.id)} ({unit.fuel})" for unit in full)
    yield from report("9.2.4", "fuel rises: {units}", units=named)
    return state.with_units(full)


def _filled(data: GameData, unit: Unit) -> Unit:
    return replace(unit, fuel=min(data.unit(unit.id).fuel, unit.fuel + data.figures.fuel.regained))


def _units_of(state: State, side: Side) -> Iterable[Unit]:
    return (unit for unit in state.units.values() if side_of(unit.id) is side)
