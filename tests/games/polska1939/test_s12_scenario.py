"""The scenario September 1st: the opening position, the Slovaks, the Soviets, withdrawals."""

from __future__ import annotations

import pytest
from positions import DATA, position, run, unit

from pbem.games.polska1939.answers import Placed, SlovakSetup
from pbem.games.polska1939.s3_turns import one_phase
from pbem.games.polska1939.s5_reorganization import reorganize
from pbem.games.polska1939.s11_reinforcements import arrive
from pbem.games.polska1939.s12_scenario import (
    may_enter,
    opening_state,
    place_slovaks,
    slovak_areas,
    slovak_refusals,
    withdraw,
)
from pbem.games.polska1939.state import AreaId, Side, UnitId

SLOVAKS = ("SK-ARM-ARM-BR", "SK-INF-1", "SK-INF-2", "SK-INF-3")
EAST = next(a for a, found in DATA.board.areas.items() if found.country == "PL" and not found.west_of_line)
MIDDLE = next(
    a
    for a, found in DATA.board.areas.items()
    if found.country == "PL" and found.west_of_line and not found.west_of_vistula
)
WEST = next(a for a, found in DATA.board.areas.items() if found.country == "PL" and found.west_of_vistula)


def test_the_opening_position_holds_every_unit_of_1_september() -> None:
    state = opening_state(DATA, "campaign")
    counted = {nation: sum(name.startswith(nation) for name in state.units) for nation in ("PL", "DE", "SU", "SK")}
    assert counted == {"PL": 97, "DE": 74, "SU": 0, "SK": 0}
    assert (state.units[UnitId("PL-INF-36")].strength, state.units[UnitId("DE-ARM-1")].fuel) == (3, 4)
    assert (state.forts[AreaId("P20")], state.forts[AreaId("G13")]) == (2, 1)


@pytest.mark.rule("polska1939:scenario.initiative", "polska1939:3.1.2.phaseI")
@pytest.mark.parametrize(("phase", "active"), [(1, "german"), (3, "german"), (4, "polish"), (6, "polish")])
def test_the_germans_have_the_initiative(phase: int, active: str) -> None:
    assert position(phase=phase).active == active


# ---------------------------------------------------------------------- Slovaks


@pytest.mark.rule("polska1939:scenario.allies")
def test_the_slovaks_are_placed_freely_in_slovakia() -> None:
    answer = SlovakSetup(placed=tuple(Placed(unit=name, area="G47") for name in SLOVAKS))
    state, told = run(place_slovaks(DATA, opening_state(DATA, "campaign")), [answer])
    assert [state.units[UnitId(name)].area for name in SLOVAKS] == ["G47"] * 4
    assert told[0] == "scenario.allies: 1 INF SK begins in Trzciana (G47)"
    assert slovak_refusals(DATA, answer) == []


def test_ruling_12_1_what_a_slovak_set_up_may_not_be() -> None:
    wrong = SlovakSetup(placed=tuple(Placed(unit=name, area="P20") for name in SLOVAKS[:1]))
    assert [refusal.sentence() for refusal in slovak_refusals(DATA, wrong)] == [
        "setup.slovak_area: expected an area of Slovakia, got Mława (P20) in line 1 (scenario.allies)",
        "setup.slovak_missing: expected a place for each Slovak unit, got none for 1 INF SK, 2 INF SK, 3 INF SK"
        " (scenario.allies)",
    ]
    twice = SlovakSetup(placed=tuple(Placed(unit=name, area="G47") for name in (*SLOVAKS, "SK-INF-1")))
    assert [refusal.sentence() for refusal in slovak_refusals(DATA, twice)] == [
        "setup.slovak_unit: expected each Slovak unit once, got 1 INF SK in line 2 (scenario.allies)",
        "setup.slovak_unit: expected each Slovak unit once, got 1 INF SK in line 5 (scenario.allies)",
    ]


@pytest.mark.rule("polska1939:scenario.allies")
def test_ruling_12_2_slovaks_enter_polish_areas_beside_slovakia_from_9_september() -> None:
    beside = {b for a in slovak_areas(DATA) for b in DATA.board.neighbours[a] if DATA.board.areas[b].country == "PL"}
    for day, expected in ((8, set()), (9, beside)):
        state = position(day=day)
        polish = {a for a, found in DATA.board.areas.items() if found.country == "PL"}
        assert {a for a in polish if may_enter(DATA, state, "SK-INF-1", a)} == expected
    assert all(may_enter(DATA, position(day=1), "SK-INF-1", area) for area in slovak_areas(DATA))


# ---------------------------------------------------------------------- Soviets


@pytest.mark.rule("polska1939:scenario.soviet-setup")
def test_ruling_12_5_the_soviets_come_on_17_september() -> None:
    state, _ = run(arrive(DATA, position(day=17, phase=3), Side.GERMAN))
    assert (len(state.units), {name[:2] for name in state.units}) == (61, {"SU"})
    assert state.units[UnitId("SU-ARM-22")].fuel == 3
    assert run(arrive(DATA, position(day=16, phase=3), Side.GERMAN))[1] == []


@pytest.mark.rule("polska1939:scenario.soviet-line")
@pytest.mark.parametrize(
    ("crossed", "expected"), [(False, [True, True, False]), (True, [True, False, False])], ids=["free", "crossed"]
)
def test_ruling_12_3_the_line_of_the_soviets(crossed: bool, expected: list[bool]) -> None:
    state = position(day=20, crossed=crossed)
    assert [may_enter(DATA, state, "SU-INF-5", area) for area in (EAST, MIDDLE, WEST)] == expected


@pytest.mark.rule("polska1939:scenario.soviet-late")
@pytest.mark.parametrize(("name", "day", "expected"), [
    ("SU-ARM-10", 23, False), ("SU-ARM-10", 24, True), ("SU-ARM-38", 23, False), ("SU-ARM-38", 24, True),
    ("SU-INF-124", 35, False), ("SU-INF-140", 21, True), ("SU-INF-99", 17, True),
])  # fmt: skip
def test_ruling_12_5_who_may_be_in_poland_from_when(name: str, day: int, expected: bool) -> None:
    assert may_enter(DATA, position(day=day), name, EAST) is expected


def test_ruling_12_6_only_soviets_enter_the_soviet_union() -> None:
    state = position(day=20)
    assert [may_enter(DATA, state, name, "S13") for name in ("SU-INF-55", "PL-INF-8", "DE-INF-1", "SK-INF-1")] == [
        True, False, False, False,
    ]  # fmt: skip
    assert not may_enter(DATA, state, "SK-INF-1", "G41")


# ---------------------------------------------------------------------- withdrawals


@pytest.mark.rule("polska1939:scenario.withdrawal")
def test_units_leave_on_their_day_when_they_are_in_supply() -> None:
    units = (unit("DE-INF-3", "G06"), unit("DE-INF-23", "G06"), unit("DE-INF-17", "G06"))
    state, told = run(withdraw(DATA, position(*units, day=20, phase=6)))
    assert told == ["scenario.withdrawal: 3 INF is withdrawn", "scenario.withdrawal: 23 INF is withdrawn"]
    assert (state.withdrawn, list(state.units)) == (("DE-INF-23", "DE-INF-3"), ["DE-INF-17"])


@pytest.mark.rule("polska1939:scenario.withdrawal")
def test_ruling_12_4_who_is_surrounded_stays() -> None:
    around = [unit(name, area) for name, area in zip(POLES, DATA.board.neighbours["P87"], strict=False)]
    caught = position(unit("DE-INF-3", "P87"), *around, day=20, phase=6)
    state, told = run(withdraw(DATA, caught))
    assert told == ["scenario.withdrawal: 3 INF is surrounded and stays"]
    assert UnitId("DE-INF-3") in state.units


POLES = [placement.unit for placement in DATA.forces.placements if placement.unit.startswith("PL-INF")]


# ---------------------------------------------------------------------- reorganization


@pytest.mark.rule("polska1939:5.5.5", "polska1939:5.5.5.example")
@pytest.mark.parametrize(("disturbed", "day", "phase"), [(2, 2, 3), (4, 2, 5), (5, 2, 6)])
def test_5_5_5_example_the_marker_goes_a_whole_cycle_later(disturbed: int, day: int, phase: int) -> None:
    tired = unit("DE-INF-18", "G29", disorganized=True, disturbed=disturbed)
    state, told = run(reorganize(DATA, position(tired, day=day, phase=phase)))
    assert (state.units[tired.id].disorganized, told) == (False, ["5.5.5: 18 INF is reorganized"])
    before = position(tired, day=day, phase=phase - 1)
    assert run(reorganize(DATA, before)) == (before, [])


# ---------------------------------------------------------------------- turns (3.1)


@pytest.mark.rule("polska1939:3.1.1", "polska1939:3.1.2")
def test_3_1_1_a_turn_is_a_day_of_six_phases() -> None:
    state, days = position(unit("PL-INF-7", "P97"), day=29, phase=1), []
    for _ in range(12):
        state, told = run(one_phase(DATA, state), None)
        days.append((state.day, state.phase, [line for line in told if line.startswith("3.1.1")]))
    assert days[5:8] == [(30, 1, []), (30, 2, ["3.1.1: 30 September"]), (30, 3, [])]
    assert days[-1] == (31, 1, [])
