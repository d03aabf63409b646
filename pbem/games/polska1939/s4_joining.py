"""The regiments of the Polish 9 INF become one counter (scenario notes). Ruling 4-10."""

from __future__ import annotations

from pbem.games.polska1939.answers import Join
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.state import AreaId, Side, State, Unit, UnitId
from pbem.rules.play import Rules, report
from pbem.rules.refusal import Refusal

RULE = "scenario.9inf-rejoin"
DIVISION = UnitId("PL-INF-9")
REGIMENTS = (UnitId("PL-INF-22_9-R"), UnitId("PL-INF-34_9-R"), UnitId("PL-INF-35_9-R"))
FEWEST = 2


def regiments_in(state: State, area: AreaId) -> list[Unit]:
    """The regiments of 9 INF in an area that are on no train."""
    units = (state.units[name] for name in REGIMENTS if name in state.units)
    return [unit for unit in units if unit.area == area and not unit.loaded]


def join_areas(state: State) -> tuple[AreaId, ...]:
    """The area where 9 INF can be rejoined now, if there is one: all regiments that are left, two at least."""
    if state.active is not Side.POLISH:
        return ()
    left = [state.units[name] for name in REGIMENTS if name in state.units]
    if len(left) < FEWEST or len(regiments_in(state, left[0].area)) < len(left):
        return ()
    return (left[0].area,)


def join_refusals(data: GameData, state: State, order: Join) -> list[Refusal]:
    """Reasons against joining in an area, with the moves of the same sheet made."""
    if order.area not in data.board.areas:
        return [Refusal("join.area", f"expected an area of the map, got '{order.area}'", RULE)]
    if order.area in join_areas(state):
        return []
    here = ", ".join(data.name(unit.id) for unit in regiments_in(state, AreaId(order.area))) or "none of them"
    text = f"expected all regiments left of 9 INF, at least two, in {data.area_name(order.area)}, got {here}"
    return [Refusal("join.regiments", text, RULE, "they may march to one area in the same sheet")]


def join(data: GameData, state: State, area: AreaId) -> Rules[State]:
    """The counter of 9 INF in place of its regiments, with their strength together.

    It is in the condition of the regiment that is worst off.
    """
    if area not in join_areas(state):
        yield from report(RULE, "9 INF cannot be rejoined in {area}", area=data.area_name(area))
        return state
    state = joined(data, state, area)
    text = "the regiments of 9 INF in {area} become one counter with {strength} SP"
    yield from report(RULE, text, area=data.area_name(area), strength=state.units[DIVISION].strength)
    return state


def joined(data: GameData, state: State, area: AreaId) -> State:
    """The position with the counter of 9 INF in place of its regiments in an area."""
    parts = regiments_in(state, area)
    whole = Unit(
        id=DIVISION,
        area=area,
        strength=min(data.unit(DIVISION).maximum, sum(unit.strength for unit in parts)),
        disorganized=any(unit.disorganized for unit in parts),
        disturbed=max(unit.disturbed for unit in parts),
        exerted=max(unit.exerted for unit in parts),
    )
    return state.without_units(unit.id for unit in parts).with_units((whole,))
