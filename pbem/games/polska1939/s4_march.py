"""The movement phases III and VI (3.1.2, 4.0): what comes, what moves, and what the end of the phase brings.

In this order: reinforcements, who leaves a train, the question `Moves`, trains, marches, joining, loading; then
fortifications, fuel, supply and cities. Rulings 4-7, 4-8 and 9-6. Left out: how far a unit can go (`s4_movement`),
why not (`s4_refusals`), rail (`s8_rail`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbem.games.polska1939.answers import Move, Moves
from pbem.games.polska1939.casualties import lose_each, removed
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.s4_joining import join, join_areas, join_refusals, joined
from pbem.games.polska1939.s4_movement import Front, Route, reach
from pbem.games.polska1939.s4_refusals import way_of
from pbem.games.polska1939.s7_field import abandon, dig_in, without_forts
from pbem.games.polska1939.s8_rail import (
    board_trains,
    load_refusals,
    loadable,
    transport,
    travel_refusals,
    unload,
)
from pbem.games.polska1939.s9_supply import refuel, spend_fuel, starve
from pbem.games.polska1939.s11_reinforcements import arrive
from pbem.games.polska1939.s13_victory import take_cities
from pbem.games.polska1939.state import Aboard, AreaId, Occupation, State, UnitId, side_of
from pbem.log.event import Role
from pbem.rules.play import Question, Rules, ask, literal, report
from pbem.rules.refusal import Refusal


def march_phase(data: GameData, state: State) -> Rules[State]:
    """Phase III or VI of the active side (3.1.2)."""
    side = state.active
    known = state.units
    state = yield from arrive(data, state, side)
    newcomers = tuple(name for name in state.units if name not in known)
    state = yield from unload(data, state, side)
    question = moves_question(data, state)
    answer = (yield from ask(state, question)) if question else Moves()
    state = yield from transport(data, state, side, answer.travels)
    state, passed = yield from march(data, state, answer.moves)
    for order in answer.joins:
        state = yield from join(data, state, AreaId(order.area))
    state = yield from board_trains(data, state, side, answer)
    state = yield from dig_in(data, state, side, newcomers)
    state = yield from refuel(data, state, side)
    state = yield from starve(data, state, side)
    state = yield from abandon(data, state)
    return (yield from take_cities(data, state, side, passed))


# ---------------------------------------------------------------------- the question


def moves_question(data: GameData, state: State) -> Question[Moves] | None:
    """What moves now, None when nothing of the active side can march, travel, load or join."""
    if not _anything_moves(data, state):
        return None
    return Question(
        role=Role(state.active.value),
        model=Moves,
        default=Moves(),
        check=lambda answer: moves_refusals(data, state, answer),
    )


def _anything_moves(data: GameData, state: State) -> bool:
    units = [unit for unit in state.units.values() if side_of(unit.id) is state.active]
    if (
        join_areas(state)
        or loadable(data, state, state.active)
        or any(unit.train is Aboard.CAME_LOADED for unit in units)
    ):
        return True
    front = Front.of(data, Occupation.of(state), state.active)
    return any(reach(data, state, front, unit) for unit in units)


def moves_refusals(data: GameData, state: State, answer: Moves) -> list[Refusal]:
    """Every reason against a sheet; each order is judged as if those before it had gone well (ruling 4-7).

    Orders are numbered from 1 through moves, travels, loads and joins (`Refusal.line`).
    """
    after, found = _marched(data, state, answer.moves)
    found += [
        *_twice(data, answer.moves),
        *travel_refusals(data, state, answer),
        *load_refusals(data, state, answer),
    ]
    before = len(answer.moves) + len(answer.travels) + len(answer.loads)
    for number, order in enumerate(answer.joins, start=before + 1):
        reasons = join_refusals(data, after, order)
        found += _at(number, reasons)
        after = after if reasons else joined(data, after, AreaId(order.area))
    return sorted(found, key=lambda refusal: refusal.line)


def _twice(data: GameData, moves: Sequence[Move]) -> Iterator[Refusal]:
    """A unit moves once in a phase (4.2.3, ruling 4-8)."""
    seen: set[str] = set()
    for number, order in enumerate(moves, start=1):
        if order.unit in seen and order.unit in data.forces.units:
            text = f"expected one move of {data.name(order.unit)}, got another"
            yield Refusal("move.twice", text, "4.1.2", "name the areas on the way in one order", number)
        seen.add(order.unit)


def _marched(data: GameData, state: State, moves: Sequence[Move]) -> tuple[State, list[Refusal]]:
    """The position after moves that go well, and the reasons against the others."""
    found: list[Refusal] = []
    front = Front.of(data, Occupation.of(state), state.active)
    moved: set[str] = set()
    for number, order in enumerate(moves, start=1):
        if order.unit in moved:
            continue
        moved.add(order.unit)
        route, reasons = way_of(data, state, front, order)
        found += _at(number, reasons)
        if route:
            overrun = [enemy.id for area in route.areas if area in front.held for enemy in state.at(area)]
            state = moved_along(data, state, UnitId(order.unit), route).without_units(overrun)
            front = Front.of(data, Occupation.of(state), state.active) if overrun else front
    return state, found


def _at(number: int, reasons: Sequence[Refusal]) -> list[Refusal]:
    return [replace(reason, line=number) for reason in reasons]


# ---------------------------------------------------------------------- marching


def march(data: GameData, state: State, moves: Sequence[Move]) -> Rules[tuple[State, frozenset[AreaId]]]:
    """Marches in turn, and the areas that they came through; what has become impossible is skipped with a report."""
    passed: set[AreaId] = set()
    front = Front.of(data, Occupation.of(state), state.active)
    for order in moves:
        route, reasons = way_of(data, state, front, order)
        if route is None:
            text = f"a move is left out: {literal(reasons[0].sentence())}"
            yield from report("4.1.1", text, unit=order.unit, code=reasons[0].code)
            continue
        unit = UnitId(order.unit)
        yield from _told(data, state, unit, route)
        passed.update(route.areas[1:])
        enemies = [area for area in route.areas if area in front.held]
        for area in enemies:
            state = yield from overrun(data, state, area)
        state = moved_along(data, state, unit, route)
        front = Front.of(data, Occupation.of(state), state.active) if enemies else front
    return state, frozenset(passed)


def _told(data: GameData, state: State, name: UnitId, route: Route) -> Rules[None]:
    """One line a march."""
    before = state.units[name]
    after = spend_fuel(data, before)
    fuel = f", fuel {after.fuel}" if after.fuel != before.fuel else ""
    names = [data.area_name(area) for area in route.areas]
    by = f" by {', '.join(names[1:-1])}" if len(names) > 2 else ""
    text = "{unit} moves from {start} to {goal}{by}{fuel}"
    facts = {"unit": data.name(name), "start": names[0], "goal": names[-1], "by": by, "fuel": fuel}
    yield from report("4.1.3" if route.free else "4.1.2", text, **facts)


def moved_along(data: GameData, state: State, name: UnitId, route: Route) -> State:
    """The position with a unit at the end of its way: it has moved, spent fuel (9.2.3) and grows no more (11.1.6)."""
    unit = spend_fuel(data, state.units[name])
    moved = replace(unit, area=route.goal, ceiling=0, exerted=state.moment, disturbed=state.moment)
    return state.with_units((moved,))


def overrun(data: GameData, state: State, area: AreaId) -> Rules[State]:
    """Enemies that cannot fight are eliminated where a unit enters: loaded ones (8.1.3), HQs (10.1.4).

    Field fortifications go with them (ruling 7-3).
    """
    units = state.at(area)
    state = yield from lose_each(data, state, "8.1.3", {unit.id: unit.strength for unit in units if not unit.is_hq})
    for unit in units:
        if unit.is_hq:
            text = "{unit} is overrun in {area}"
            yield from report("10.1.4", text, unit=data.name(unit.id), area=data.area_name(area))
            state = removed(state, (unit.id,))
    return without_forts(state, (area,))
