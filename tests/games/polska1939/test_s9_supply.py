"""Supply lines, losses without them, and fuel (9.0, 13.C)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from positions import DATA, position, run, unit
from small_board import chain, small_board

from pbem.games.polska1939.answers import Move, Moves
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.s4_march import march, march_phase
from pbem.games.polska1939.s9_supply import (
    is_supplied,
    out_of_fuel,
    refuel,
    spend_fuel,
    starve,
    supplied_areas,
)
from pbem.games.polska1939.s12_scenario import opening_state
from pbem.games.polska1939.state import Aboard, Occupation, Side, Unit, UnitId


def supplied(data: GameData, *units: Unit, nation: str = "DE") -> list[str]:
    state = position(*units)
    return sorted(supplied_areas(data, state, Occupation.of(state), nation))


# ---------------------------------------------------------------------- supply lines

LINE = small_board(
    "P01 PL Row supply=DE\nP02 PL Row\nP03 PL Row\nP04 PL Row\nP05 PL Row\nP06 PL Row",
    chain("P01", "P02", "P03", "P04", "P05") + "\nP03 P06",
)
ENEMY = unit("PL-INF-8", "P06")


@pytest.mark.rule("polska1939:9.1.1")
def test_9_1_1_a_line_is_a_path_of_areas_from_a_base() -> None:
    assert supplied(LINE) == ["P01", "P02", "P03", "P04", "P05", "P06"]
    gap = small_board("P01 PL Row supply=DE\nP02 PL Row\nP03 PL Row\nP04 PL Row", "P01 P02\nP03 P04")
    assert supplied(gap) == ["P01", "P02"]


@pytest.mark.rule("polska1939:9.1.2")
@pytest.mark.parametrize(
    ("units", "expected"),
    [
        ((ENEMY,), ["P01", "P02", "P03"]),
        ((ENEMY, unit("DE-INF-1", "P03")), ["P01", "P02", "P03", "P04", "P05"]),
        ((ENEMY, unit("DE-HQ-I", "P03")), ["P01", "P02", "P03", "P04", "P05"]),
        ((ENEMY, unit("SU-INF-99", "P03")), ["P01", "P02", "P03", "P04", "P05"]),
        ((unit("PL-INF-8", "P03"),), ["P01", "P02"]),
        ((unit("PL-HQ-Modlin", "P06"),), ["P01", "P02", "P03"]),
        ((unit("PL-INF-8", "P04"), unit("DE-INF-1", "P03")), ["P01", "P02", "P03", "P06"]),
    ],
    ids=[
        "beside an enemy",
        "with a friend there",
        "with an HQ",
        "with an ally",
        "enemy on it",
        "beside an HQ",
        "its end",
    ],
)
def test_ruling_9_5_it_passes_no_enemy_and_not_beside_one_but_through_friends(
    units: Sequence[Unit], expected: list[str]
) -> None:
    assert supplied(LINE, *units) == expected


@pytest.mark.rule("polska1939:9.1.2")
@pytest.mark.parametrize(
    ("units", "expected"),
    [
        ((unit("PL-INF-8", "P01"),), []),
        ((unit("PL-INF-8", "P02"),), ["P01"]),
        ((unit("PL-INF-8", "P02"), unit("DE-INF-1", "P01")), ["P01", "P03"]),
    ],
    ids=["held by the enemy", "beside him", "held by a friend"],
)
def test_ruling_9_1_so_it_is_with_the_base(units: Sequence[Unit], expected: list[str]) -> None:
    data = small_board("P01 PL Row supply=DE\nP02 PL Row\nP03 PL Row", "P01 P02\nP01 P03")
    assert supplied(data, *units) == expected


@pytest.mark.rule("polska1939:9.1.3")
def test_ruling_9_2_no_line_passes_a_node_or_a_lake_and_none_is_blocked_through_them() -> None:
    areas = "P01 PL Row supply=DE\nP02 PL Row\nP03 PL Row\nP04 PL Row"
    around = "P01 P02\nP02 P03 lake\nP03 P04\nP04 P01 lake"
    data = small_board(areas, around, "N1 P01 P02 P03 P04")
    assert supplied(data) == ["P01", "P02"]
    assert supplied(data, unit("PL-INF-8", "P03"), unit("PL-INF-20", "P04")) == ["P01", "P02"]


@pytest.mark.rule("polska1939:9.1.4")
def test_9_1_4_a_base_supplies_its_own_nation_alone() -> None:
    data = small_board("P01 PL Row supply=DE\nP02 PL Row2 supply=SU,SK\nP03 PL Row3 supply=PL", "")
    assert {nation: supplied(data, nation=nation) for nation in ("DE", "SU", "SK", "PL")} == {
        "DE": ["P01"],
        "SU": ["P02"],
        "SK": ["P02"],
        "PL": ["P03"],
    }


@pytest.mark.rule("polska1939:7.1.5")
def test_7_1_5_a_fortress_supplies_itself_and_no_other_area() -> None:
    data = small_board("P01 PL Fort fortress\nP02 PL Row", "P01 P02")
    assert supplied(data, nation="PL") == ["P01"]
    assert supplied(data, unit("DE-INF-1", "P01"), nation="PL") == []


@pytest.mark.rule("polska1939:9.1.4")
def test_ruling_9_3_a_fortress_supplies_who_holds_it_for_its_own_country() -> None:
    data = small_board("P01 PL Fort fortress", "")
    assert supplied(data, unit("DE-INF-1", "P01"), nation="DE") == []


def test_ruling_9_4_the_soviet_union_lets_no_line_of_others_pass() -> None:
    areas = "P01 PL Row supply=PL,SU\nP02 SU East\nP03 PL Row"
    data = small_board(areas, chain("P01", "P02", "P03"))
    assert {nation: supplied(data, nation=nation) for nation in ("PL", "SU")} == {
        "PL": ["P01", "P02"],
        "SU": ["P01", "P02", "P03"],
    }


OPOLE = "G34"
OLKUSZ = next(code for code, area in DATA.board.areas.items() if area.name == "Olkusz")


def way_from_opole(goal: str) -> list[str]:
    """Areas from Opole to another, both included."""
    way = [goal]
    while way[-1] != OPOLE:
        way.append(min(DATA.board.neighbours[way[-1]], key=lambda area: (DATA.board.distance(area, OPOLE), area)))
    return way[::-1]


LINE_TO_OLKUSZ = way_from_opole(OLKUSZ)
BEYOND = next(
    area
    for area in DATA.board.neighbours[OLKUSZ]
    if {area, *DATA.board.neighbours[area]}.isdisjoint(LINE_TO_OLKUSZ[:-1])
)
FLANKS = sorted({*DATA.board.neighbours[OLKUSZ], *DATA.board.neighbours[BEYOND]} - {*LINE_TO_OLKUSZ, BEYOND})


@pytest.mark.rule("polska1939:13.C")
@pytest.mark.parametrize("in_olkusz", [True, False], ids=["A in Olkusz", "A gone"])
def test_13_c_the_line_from_opole_is_blocked_without_a_unit_in_olkusz(in_olkusz: bool) -> None:
    """Unit B stands beyond Olkusz; Germans hold the line from Opole up to it, Poles everything around."""
    held = LINE_TO_OLKUSZ if in_olkusz else LINE_TO_OLKUSZ[:-1]
    germans = [unit(name, area) for name, area in zip(GERMANS, (BEYOND, *held), strict=False)]
    poles = [unit(name, area) for name, area in zip(POLES, FLANKS, strict=False)]
    state = position(*germans, *poles, day=5, phase=3)
    assert is_supplied(DATA, state, Occupation.of(state), germans[0]) is in_olkusz


GERMANS = [row.unit for row in DATA.forces.placements if row.unit.startswith("DE-INF")]
POLES = [row.unit for row in DATA.forces.placements if row.unit.startswith("PL-INF")]


def test_every_unit_of_the_opening_is_in_supply() -> None:
    state = opening_state(DATA, "campaign")
    occupation = Occupation.of(state)
    areas = {nation: supplied_areas(DATA, state, occupation, nation) for nation in ("PL", "DE")}
    assert [one.id for one in state.units.values() if one.area not in areas[DATA.unit(one.id).nation]] == []


# ---------------------------------------------------------------------- losses


@pytest.mark.rule("polska1939:9.1.5")
def test_9_1_5_losses_by_nation_of_those_without_a_line() -> None:
    nowhere = small_board("P01 PL Row\nP02 PL Row2 supply=DE", "")
    germans = (
        unit("DE-INF-1", "P01"),
        unit("DE-INF-3", "P02"),
        unit("DE-HQ-I", "P01"),
        unit("SK-INF-1", "P01", 2),
        unit("SU-INF-99", "P01", ceiling=13),
    )
    state = position(*germans, phase=3)
    after, told = run(starve(nowhere, state, Side.GERMAN))
    assert told == [
        "9.1.5: no supply line leads to AreaP01 (P01)",
        "9.1.5: 1 INF loses 1 SP",
        "9.1.5: 1 INF SK loses 2 SP and is destroyed",
        "9.1.5: 99 INF SU loses 3 SP",
    ]
    strengths = {one.id: one.strength for one in after.units.values()}
    assert strengths == {"DE-INF-1": 15, "DE-INF-3": 16, "DE-HQ-I": 0, "SU-INF-99": 10}
    assert after.lost == ("SK-INF-1",)


@pytest.mark.rule("polska1939:9.1.5")
def test_9_1_5_poles_lose_two_on_trains_too_and_the_other_side_nothing() -> None:
    data = small_board("P01 PL Row\nP02 PL Row2", "")
    units = (unit("PL-INF-8", "P01"), unit("PL-INF-2", "P01", train=Aboard.SEALED), unit("DE-INF-1", "P02"))
    after, told = run(starve(data, position(*units, phase=6), Side.POLISH))
    assert told[1:] == ["9.1.5: 2 INF loses 2 SP", "9.1.5: 8 INF loses 2 SP"]
    assert [one.strength for one in after.units.values()] == [16, 11, 10]


def test_nobody_without_supply_is_not_told() -> None:
    state = position(unit("DE-INF-1", "P01"), phase=3)
    assert run(starve(LINE, state, Side.GERMAN)) == (state, [])


# ---------------------------------------------------------------------- fuel


@pytest.mark.rule("polska1939:9.2.1", "polska1939:9.2.2")
def test_9_2_2_motorized_germans_and_soviets_begin_with_all_their_fuel() -> None:
    fuel = {name: DATA.unit(name).fuel for name in FUELLED}
    assert fuel == dict(zip(FUELLED, (4, 4, 4, 3, 3, 0, 0, 0, 0, 0), strict=True))
    state = opening_state(DATA, "campaign")
    assert {one.fuel for one in state.units.values() if DATA.unit(one.id).uses_fuel} == {4}


FUELLED = (
    "DE-ARM-1", "DE-LARM-1", "DE-MOT-2", "SU-ARM-4", "SU-MOT-1",
    "DE-INF-1", "DE-HQ-I", "SU-CAV-9", "PL-ARM-10", "SK-ARM-ARM-BR",
)  # fmt: skip


@pytest.mark.rule("polska1939:9.2.3", "polska1939:9.2.3.example")
@pytest.mark.parametrize(
    ("name", "fuel", "left"), [("DE-ARM-1", 4, 3), ("SU-MOT-1", 1, 0), ("DE-INF-1", 0, 0), ("PL-ARM-10", 0, 0)]
)
def test_9_2_3_a_move_costs_a_level(name: str, fuel: int, left: int) -> None:
    assert spend_fuel(DATA, unit(name, "P01", fuel=fuel)).fuel == left


@pytest.mark.rule("polska1939:9.2.3")
def test_9_2_3_however_far_it_goes() -> None:
    state = position(unit("DE-ARM-1", "P01"), phase=3, cities={})
    (after, _), _ = run(march(LINE, state, (Move(unit="DE-ARM-1", to="P04"),)))
    assert after.units[UnitId("DE-ARM-1")].fuel == 3


@pytest.mark.rule("polska1939:9.2.6", "polska1939:9.2.7")
@pytest.mark.parametrize(
    ("name", "fuel", "expected"),
    [("DE-ARM-1", 0, True), ("DE-ARM-1", 1, False), ("DE-INF-1", 0, False), ("PL-ARM-10", 0, False)],
)
def test_9_2_6_who_is_out_of_fuel(name: str, fuel: int, expected: bool) -> None:
    assert out_of_fuel(DATA, unit(name, "P01", fuel=fuel)) is expected


@pytest.mark.rule("polska1939:9.2.4")
@pytest.mark.parametrize(
    ("name", "fuel", "after"),
    [("DE-ARM-1", 0, 2), ("DE-ARM-1", 3, 4), ("DE-MOT-2", 4, 4), ("SU-ARM-4", 2, 3), ("SU-MOT-1", 0, 2)],
)
def test_9_2_4_two_levels_on_a_day_of_rest_up_to_the_highest(name: str, fuel: int, after: int) -> None:
    data = small_board("P01 PL Row supply=DE,SU", "")
    state = position(unit(name, "P01", fuel=fuel), day=3, phase=3)
    assert run(refuel(data, state, Side.GERMAN))[0].units[UnitId(name)].fuel == after


@pytest.mark.rule("polska1939:9.2.4", "polska1939:9.2.4.example")
@pytest.mark.parametrize("exerted", [11, 14, 15], ids=["retreated", "attacked", "moved"])
def test_9_2_4_example_none_on_a_day_with_a_retreat_an_attack_or_a_move(exerted: int) -> None:
    data = small_board("P01 PL Row supply=DE", "")
    state = position(unit("DE-ARM-1", "P01", fuel=1, exerted=exerted), day=3, phase=3)
    assert run(refuel(data, state, Side.GERMAN)) == (state, [])


@pytest.mark.rule("polska1939:9.2.5")
def test_9_2_5_none_without_a_supply_line() -> None:
    data = small_board("P01 PL Row supply=DE\nP02 PL Row2", "")
    state = position(unit("DE-ARM-1", "P01", fuel=1), unit("DE-ARM-3", "P02", fuel=1), day=3, phase=3)
    after, told = run(refuel(data, state, Side.GERMAN))
    assert [one.fuel for one in after.units.values()] == [3, 1]
    assert told == ["9.2.4: fuel rises: 1 ARM (3)"]


NOBODY_COMES = replace(LINE, forces=replace(LINE.forces, reinforcements=(), placements=()))


@pytest.mark.rule("polska1939:9.2.3", "polska1939:9.2.4")
def test_fuel_through_days_of_marching_and_rest() -> None:
    """4 at first; three marches leave 1, the day of rest brings it to 3."""
    levels = []
    here = unit("DE-ARM-1", "P01")
    for day, goal in enumerate(("P02", "P03", "P02", ""), start=1):
        orders: dict[str, Any] = {"moves": (Move(unit="DE-ARM-1", to=goal),)} if goal else {}
        state = position(here, day=day, phase=3, cities={})
        state, _ = run(march_phase(NOBODY_COMES, state), [Moves(**orders)])
        here = state.units[UnitId("DE-ARM-1")]
        levels.append(here.fuel)
    assert levels == [3, 2, 1, 3]
