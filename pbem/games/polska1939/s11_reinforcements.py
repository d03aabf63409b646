"""Reinforcements: who comes when and where, and growing to full strength (11.1). Rulings 11-1 to 11-5."""

from __future__ import annotations

from dataclasses import replace

from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.order_of_battle import Placement, Reinforcement
from pbem.games.polska1939.state import Aboard, AreaId, Occupation, Side, State, Train, Unit, UnitId, side_of
from pbem.rules.play import Rules, report

FIRST_DAY = 1


def new_unit(data: GameData, row: Placement | Reinforcement, area: AreaId) -> Unit:
    """A counter as it comes on the map: with all its fuel (9.2.2), growing when it is not at full strength (11.1.4)."""
    kind = data.unit(row.unit)
    return Unit(
        id=UnitId(row.unit),
        area=area,
        strength=row.strength,
        ceiling=kind.maximum if row.strength < kind.maximum else 0,
        fuel=kind.fuel,
        train=Aboard.CAME_LOADED if row.loaded else Aboard.NO,
    )


def arrive(data: GameData, state: State, side: Side) -> Rules[State]:
    """Units and trains of the day, at the beginning of their side's movement phase (11.1.2).

    A unit whose area the enemy holds waits until it is free (ruling 11-1).
    """
    occupation = Occupation.of(state)
    state = _trains(data, state, side, occupation)
    for row in _due(data, state, side):
        area = entry_area(state, row)
        if area is None:
            yield from report("11.1.1", "{unit} has no headquarters to come to and is lost", unit=data.name(row.unit))
            state = replace(_not_waiting(state, row.unit), lost=tuple(sorted({*state.lost, UnitId(row.unit)})))
        elif occupation.is_held_by(area, side.enemy):
            state = yield from _wait(data, state, row, area)
        else:
            unit = new_unit(data, row, area)
            yield from _told(data, unit)
            state = _not_waiting(state, row.unit).with_units((unit,))
    return state


def _told(data: GameData, unit: Unit) -> Rules[None]:
    text = "{unit} ({strength}) comes to {area}"
    area = data.area_name(unit.area)
    yield from report("11.1.2", text, unit=data.name(unit.id), strength=unit.strength, area=area)


def entry_area(state: State, row: Placement | Reinforcement) -> AreaId | None:
    """Where a unit comes on the map; one that joins a headquarters comes to it (ruling 11-2), None without it."""
    if isinstance(row, Placement) or not row.joins:
        return AreaId(row.area)
    leader = state.units.get(UnitId(row.joins))
    return leader.area if leader else None


def _due(data: GameData, state: State, side: Side) -> list[Placement | Reinforcement]:
    """The day's units of a side, and before them those that wait."""
    placed = [row for row in data.forces.placements if row.day > FIRST_DAY]
    rows: list[Placement | Reinforcement] = [*placed, *data.forces.reinforcements]
    mine = [row for row in rows if side_of(UnitId(row.unit)) is side]
    waiting = [row for row in mine if row.unit in state.waiting]
    return waiting + [row for row in mine if row.day == state.day and row.unit not in state.waiting]


def _wait(data: GameData, state: State, row: Placement | Reinforcement, area: AreaId) -> Rules[State]:
    if row.unit in state.waiting:
        return state
    text = "{unit} cannot come to {area}, which the enemy holds: it waits"
    yield from report("11.1.1", text, unit=data.name(row.unit), area=data.area_name(area))
    return replace(state, waiting=tuple(sorted({*state.waiting, UnitId(row.unit)})))


def _not_waiting(state: State, unit: str) -> State:
    return replace(state, waiting=tuple(name for name in state.waiting if name != unit))


def _trains(data: GameData, state: State, side: Side, occupation: Occupation) -> State:
    """Empty trains of the day, in areas that the enemy does not hold (8.1.2 example b)."""
    due = [train for train in data.forces.trains if train.day == state.day and side_of(UnitId(train.unit)) is side]
    new = [Train(AreaId(t.area), UnitId(t.unit)) for t in due if not occupation.is_held_by(AreaId(t.area), side.enemy)]
    return replace(state, trains=(*state.trains, *new)) if new else state


def grow(data: GameData, state: State) -> Rules[State]:
    """At the beginning of the enemy's bombing phase, 1 SP for each unit that still grows (11.1.4, 11.1.6, 11.1.7).

    Units of the set-up begin on the second day (ruling 11-3).
    """
    side = state.active.enemy
    growing = [u for u in state.units.values() if side_of(u.id) is side and u.strength < u.ceiling]
    if state.day == FIRST_DAY or not growing:
        return state
    step = data.figures.recovery.per_day
    grown = [replace(unit, strength=min(unit.ceiling, unit.strength + step)) for unit in growing]
    for unit in grown:
        yield from report("11.1.4", "{unit} grows to {strength} SP", unit=data.name(unit.id), strength=unit.strength)
    return state.with_units(replace(u, ceiling=0) if u.strength == u.ceiling else u for u in grown)
