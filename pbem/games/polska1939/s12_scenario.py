"""September 1st: the opening position, the Slovaks, the Soviets' line, withdrawals (scenario notes).

Rulings 12-1 to 12-6.

What befalls Soviet units that retreat (12.1) is with the other retreats in `s5_retreat`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbem.games.polska1939.answers import Placed, SlovakSetup
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.order_of_battle import Placement
from pbem.games.polska1939.s9_supply import is_supplied
from pbem.games.polska1939.s11_reinforcements import FIRST_DAY, new_unit
from pbem.games.polska1939.state import SETUP, AreaId, City, Occupation, Side, State, UnitId
from pbem.log.event import Role
from pbem.rules.play import Question, Rules, ask, report
from pbem.rules.refusal import Refusal

SLOVAK, SOVIET = "SK", "SU"


def opening_state(data: GameData, scenario: str) -> State:
    """The position before the Slovaks are placed."""
    rows = [row for row in data.forces.placements if row.day == FIRST_DAY and data.unit(row.unit).nation != SLOVAK]
    units = [new_unit(data, row, AreaId(row.area)) for row in rows]
    forts: dict[AreaId, int] = {}
    for row in rows:
        if row.fort:
            forts[AreaId(row.area)] = max(row.fort, forts.get(AreaId(row.area), 0))
    dated = sorted(area for area, found in data.board.areas.items() if found.capture_day)
    return State(
        scenario=scenario,
        day=FIRST_DAY,
        phase=SETUP,
        units={unit.id: unit for unit in sorted(units, key=lambda unit: unit.id)},
        forts={area: forts[area] for area in sorted(forts)},
        cities={AreaId(area): City(Side.POLISH) for area in dated},
        losses={Side.GERMAN: 0, Side.POLISH: 0},
    )


# ---------------------------------------------------------------------- the Slovaks


def place_slovaks(data: GameData, state: State) -> Rules[State]:
    """The German player places the Slovaks freely in Slovakia (scenario notes)."""
    answer = yield from ask(state, slovak_question(data))
    where = {placed.unit: placed.area for placed in answer.placed}
    units = [new_unit(data, row, AreaId(where[row.unit])) for row in _slovak_rows(data)]
    for unit in units:
        yield from report(
            "scenario.allies", "{unit} begins in {area}", unit=data.name(unit.id), area=data.area_name(unit.area)
        )
    return state.with_units(units)


def slovak_question(data: GameData) -> Question[SlovakSetup]:
    """Where the Slovaks begin; the default is that of the set-up file."""
    return Question(
        role=Role(Side.GERMAN.value),
        model=SlovakSetup,
        default=_default_slovaks(data),
        check=lambda answer: slovak_refusals(data, answer),
        options=lambda: _slovak_options(data),
    )


def slovak_refusals(data: GameData, answer: SlovakSetup) -> Sequence[Refusal]:
    """Every Slovak unit once, each in Slovakia."""
    found = []
    wanted = {row.unit for row in _slovak_rows(data)}
    counted = Counter(placed.unit for placed in answer.placed)
    for number, placed in enumerate(answer.placed, start=1):
        if placed.unit not in wanted or counted[placed.unit] > 1:
            text = f"expected each Slovak unit once, got {data.any_unit(placed.unit)}"
            found.append(Refusal("setup.slovak_unit", text, "scenario.allies", line=number))
        if placed.area not in slovak_areas(data):
            text = f"expected an area of Slovakia, got {data.any_area(placed.area)}"
            hint = f"these are {', '.join(map(data.area_name, slovak_areas(data)))}"
            found.append(Refusal("setup.slovak_area", text, "scenario.allies", hint, number))
    missing = sorted(wanted - set(counted))
    if missing:
        names = ", ".join(data.name(unit) for unit in missing)
        text = f"expected a place for each Slovak unit, got none for {names}"
        found.append(Refusal("setup.slovak_missing", text, "scenario.allies"))
    return found


def slovak_areas(data: GameData) -> tuple[str, ...]:
    """The areas of Slovakia."""
    return tuple(sorted(area for area, found in data.board.areas.items() if found.country == SLOVAK))


def _slovak_rows(data: GameData) -> list[Placement]:
    return [row for row in data.forces.placements if data.unit(row.unit).nation == SLOVAK]


def _default_slovaks(data: GameData) -> SlovakSetup:
    return SlovakSetup(placed=tuple(Placed(unit=row.unit, area=row.area) for row in _slovak_rows(data)))


def _slovak_options(data: GameData) -> Iterator[SlovakSetup]:
    """The default, and all units together in each area: some of the many legal answers."""
    yield _default_slovaks(data)
    for area in slovak_areas(data):
        yield SlovakSetup(placed=tuple(Placed(unit=row.unit, area=area) for row in _slovak_rows(data)))


# ---------------------------------------------------------------------- who may go where


def may_enter(data: GameData, state: State, unit: str, area: str) -> bool:
    """Whether the scenario lets a unit be in an area: limits of Slovaks, Soviets and all others (scenario notes)."""
    nation, country = data.unit(unit).nation, data.board.areas[area].country
    if nation == SLOVAK:
        return country == SLOVAK or _slovak_may(data, state, area)
    if nation == SOVIET:
        return country == SOVIET or _soviet_may(data, state, unit, area)
    return country != SOVIET


def limit_of(data: GameData, state: State, unit: str) -> str:
    """The rule that keeps a unit out of an area that `may_enter` closes to it."""
    if data.unit(unit).nation != SOVIET:
        return "scenario.allies"
    return "scenario.soviet-late" if state.day < data.soviet_days[unit] else "scenario.soviet-line"


def _slovak_may(data: GameData, state: State, area: str) -> bool:
    """From 9 IX on, Polish areas beside Slovakia (scenario notes)."""
    borders_slovakia = any(data.board.areas[near].country == SLOVAK for near in data.board.neighbours[area])
    return data.board.areas[area].country == "PL" and borders_slovakia and state.day >= data.figures.days.slovak


def _soviet_may(data: GameData, state: State, unit: str, area: str) -> bool:
    """East of the line in Poland; up to the Vistula while no German has crossed the line (ruling 12-3)."""
    found = data.board.areas[area]
    if found.country != "PL" or state.day < data.soviet_days[unit]:
        return False
    return not (found.west_of_vistula if not state.crossed else found.west_of_line)


def notice_crossing(data: GameData, state: State) -> State:
    """The position with `crossed` set when a German unit stands east of the line (ruling 12-3)."""
    if state.crossed:
        return state
    east = (u for u in state.units.values() if data.unit(u.id).nation == "DE" and _is_east(data, u.area))
    return replace(state, crossed=True) if any(True for _ in east) else state


def _is_east(data: GameData, area: AreaId) -> bool:
    found = data.board.areas[area]
    return found.country == "PL" and not found.west_of_line


# ---------------------------------------------------------------------- withdrawals


def withdraw(data: GameData, state: State) -> Rules[State]:
    """Behind phase VI, units that are due leave the map, unless they are surrounded: then later (scenario notes).

    Surrounded is who has no supply line (ruling 12-4).
    """
    due = [UnitId(row.unit) for row in data.forces.withdrawals if row.day <= state.day]
    here = [name for name in due if name in state.units]
    if not here:
        return state
    occupation = Occupation.of(state)
    for name in here:
        if not is_supplied(data, state, occupation, state.units[name]):
            yield from report("scenario.withdrawal", "{unit} is surrounded and stays", unit=data.name(name))
            continue
        yield from report("scenario.withdrawal", "{unit} is withdrawn", unit=data.name(name))
        state = replace(state.without_units((name,)), withdrawn=tuple(sorted({*state.withdrawn, name})))
    return state
