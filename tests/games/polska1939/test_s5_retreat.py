"""Retreats (5.3): who can go where, and at what price."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from combat_ground import GROUND, AreaId, battle, faces, field, fought, places, result, strengths, unit
from driven import drive

from pbem.games.polska1939.answers import Stand
from pbem.games.polska1939.combat_tables import CombatResult
from pbem.games.polska1939.s5_combat import fight
from pbem.games.polska1939.s5_retreat import Toll, Way, escape_of, retreat, retreat_areas, ways_out
from pbem.games.polska1939.state import Occupation, State, UnitId

POLE = unit("PL-INF-20", "P40", 10)
GERMANS = tuple(unit(name, "G16", 16) for name in ("DE-INF-1", "DE-INF-11"))
STAY_OUT = tuple(
    unit(f"DE-INF-{n}", area) for n, area in zip((3, 4, 7, 8, 10), ("G15", "G17", "G18", "G19", "G21"), strict=True)
)


def ways(state: State, name: str) -> dict[str, int]:
    """Where a unit can retreat to, with the price in SP."""
    return {way.to: way.price for way in ways_out(GROUND, state, Occupation.of(state), state.units[UnitId(name)])}


def escape(state: State, area: str, *wanted: str) -> dict[str, str]:
    found = escape_of(GROUND, state, Occupation.of(state), state.at(AreaId(area)), wanted)
    return {name: way.to for name, way in found.items()}


# ---------------------------------------------------------------------- where to


@pytest.mark.rule("polska1939:5.3.1", "polska1939:5.3.7")
def test_5_3_1_any_area_free_of_enemies_at_the_price_of_its_river() -> None:
    state = field(POLE, *GERMANS, *STAY_OUT, unit("DE-HQ-I", "G20"))
    assert ways(state, "PL-INF-20") == {"P41": 0, "P42": 1, "P43": 2}


@pytest.mark.rule("polska1939:5.3.1")
def test_5_3_1_an_enemy_hq_or_train_closes_an_area_too() -> None:
    loaded = unit("DE-INF-61", "P42", train="came")
    state = field(POLE, *GERMANS, *STAY_OUT, unit("DE-HQ-I", "P41"), loaded)
    assert ways(state, "PL-INF-20") == {"G20": 0, "P43": 2}


@pytest.mark.rule("polska1939:4.1.5.exception", "polska1939:5.3.6")
def test_ruling_5_8_a_node_is_open_only_when_no_border_is() -> None:
    """Enemies stand on both sides of the node; where a border is free, the node is closed (ruling 5-8)."""
    shut = field(unit("PL-INF-20", "P50"), unit("DE-INF-1", "G30"), unit("DE-INF-11", "G31"))
    assert ways(shut, "PL-INF-20") == {"P51": 1}
    half = field(unit("PL-INF-20", "P50"), unit("DE-INF-1", "G30"))
    assert ways(half, "PL-INF-20") == {"G31": 0}


@pytest.mark.rule("polska1939:4.1.6.exception", "polska1939:5.3.6", "polska1939:5.3.10.example")
def test_4_1_6_a_node_in_a_river_costs_two_points() -> None:
    state = field(unit("PL-INF-20", "P60"), unit("DE-INF-1", "G32"), unit("DE-INF-11", "G33"))
    occupation = Occupation.of(state)
    assert ways_out(GROUND, state, occupation, state.units[UnitId("PL-INF-20")]) == (
        Way(AreaId("P61"), (Toll("5.3.6", 1), Toll("4.1.6", 1))),
    )


@pytest.mark.rule("polska1939:5.3.5")
@pytest.mark.parametrize(
    ("name", "found"),
    [("PL-INF-20", {"G19", "G20", "G21", "P41"}), ("PL-ARM-10", {"G20", "P41"}), ("PL-HQ-Modlin", {"G20", "P41"})],
)
def test_4_2_4_motorized_units_retreat_where_they_can_go(name: str, found: set[str]) -> None:
    others = [unit(f"DE-INF-{n}", area) for n, area in zip((3, 4, 7), ("G15", "G17", "G18"), strict=True)]
    blocks = [unit(f"DE-INF-{n}", area) for n, area in zip((8, 10), ("P42", "P43"), strict=True)]
    assert set(ways(field(unit(name, "P40"), *GERMANS, *others, *blocks), name)) == found


@pytest.mark.rule("polska1939:9.2.7")
def test_9_2_7_nobody_retreats_without_fuel() -> None:
    tanks = [unit("DE-ARM-3", "G16", fuel=0), unit("DE-ARM-1", "G16", fuel=1)]
    state = field(POLE, *tanks, phase=5)
    assert (ways(state, "DE-ARM-3"), set(ways(state, "DE-ARM-1"))) == ({}, {"P44", "P70"})


@pytest.mark.rule("polska1939:scenario.soviet-line", "polska1939:scenario.allies")
def test_5_3_1_nobody_retreats_where_the_scenario_bars_it() -> None:
    state = field(unit("DE-INF-1", "P40"), unit("SU-INF-2", "S01"), unit("PL-INF-8", "P41"), day=20, phase=5)
    assert "S01" not in ways(state, "DE-INF-1")
    assert set(ways(state, "SU-INF-2")) == {"P40", "S02"}


# ---------------------------------------------------------------------- the choice


def test_ruling_5_9_units_go_together_to_the_first_area_that_all_can_reach() -> None:
    state = field(POLE, unit("PL-HQ-Modlin", "P40"), *GERMANS)
    assert escape(state, "P40", "G21", "P42", "P43") == {"PL-HQ-Modlin": "P42", "PL-INF-20": "P42"}


def test_ruling_5_9_units_without_a_common_area_part() -> None:
    """Only the swamp is left, which tanks cannot cross."""
    closed = ("G15", "G17", "G18", "G19", "P41", "P42", "P43", "S01")
    blocks = [unit(f"DE-INF-{n}", area) for n, area in zip((3, 4, 7, 8, 10, 12, 14, 17), closed, strict=True)]
    state = field(POLE, unit("PL-ARM-10", "P40"), *GERMANS, *blocks, unit("DE-INF-18", "G20"))
    assert escape(state, "P40") == {"PL-INF-20": "G21"}


def test_ruling_5_10_by_default_in_supply_and_away_from_the_enemy() -> None:
    """P41 has a depot; when the enemy stands on it, P42 and P43 are hungry, and the Vistula dearer than the river."""
    assert escape(field(POLE, *GERMANS), "P40") == {"PL-INF-20": "P41"}
    state = field(POLE, *GERMANS, *STAY_OUT, unit("DE-INF-12", "P41"), unit("DE-INF-14", "G20"))
    assert escape(state, "P40") == {"PL-INF-20": "P42"}
    assert escape(state, "P40", "P43") == {"PL-INF-20": "P43"}


def test_5_3_1_areas_for_a_retreat_of_any_unit() -> None:
    state = field(POLE, unit("PL-HQ-Modlin", "P40"), *GERMANS, *STAY_OUT)
    assert retreat_areas(GROUND, state, Occupation.of(state), state.at(AreaId("P40"))) == ("G20", "P41", "P42", "P43")


# ---------------------------------------------------------------------- the going


def went(state: State, *names: str, to: Sequence[str] = ()) -> tuple[State, list[str]]:
    units = [state.units[UnitId(name)] for name in names]
    found = escape_of(GROUND, state, Occupation.of(state), units, to)
    driven = drive(retreat(GROUND, state, [one.id for one in units], found))
    return driven.result, driven.told


@pytest.mark.rule("polska1939:5.3.7", "polska1939:10.1.6")
@pytest.mark.parametrize(("to", "left"), [("P41", 10), ("P42", 9), ("P43", 8)])
def test_ruling_5_11_every_unit_pays_for_the_river_but_no_hq(to: str, left: int) -> None:
    state = field(POLE, unit("PL-INF-8", "P40", 10), unit("PL-HQ-Modlin", "P40"), *GERMANS)
    after, _ = went(state, "PL-INF-20", "PL-INF-8", "PL-HQ-Modlin", to=[to])
    assert [strengths(after)[name] for name in ("PL-INF-20", "PL-INF-8", "PL-HQ-Modlin")] == [left, left, 0]
    assert {places(after)[name] for name in ("PL-INF-20", "PL-INF-8", "PL-HQ-Modlin")} == {to}


@pytest.mark.rule("polska1939:5.3.7")
def test_5_3_7_a_weak_unit_is_lost_in_the_river() -> None:
    after, told = went(field(unit("PL-INF-20", "P40", 2), *GERMANS), "PL-INF-20", to=["P43"])
    assert ("PL-INF-20" in after.units, after.lost) == (False, ("PL-INF-20",))
    assert told == ["5.3.1: retreat to AreaP43 (P43): 20 INF", "5.3.7: 20 INF loses 2 SP and is destroyed"]


@pytest.mark.rule("polska1939:12.1.2")
def test_12_1_2_each_soviet_unit_that_retreats_loses_two_more() -> None:
    soviets = [unit("SU-INF-2", "S01", 13), unit("SU-INF-4", "S01", 13), unit("SU-HQ-3Army", "S01")]
    state = field(*soviets, unit("PL-INF-8", "P40"), day=20, phase=5)
    after, _ = went(state, *(one.id for one in soviets))
    assert [(strengths(after)[one.id], places(after)[one.id]) for one in soviets] == [
        (11, "S02"),
        (11, "S02"),
        (0, "S02"),
    ]


@pytest.mark.rule("polska1939:9.2.3.example", "polska1939:11.1.6", "polska1939:11.1.7.example", "polska1939:5.5.5")
def test_9_2_3_a_retreat_costs_fuel_ends_growth_and_counts_as_a_move() -> None:
    tank = unit("DE-ARM-3", "G13", fuel=3, ceiling=11)
    state = field(tank, unit("PL-INF-8", "P20"), unit("PL-INF-20", "P23"), phase=5)
    assert set(ways(state, "DE-ARM-3")) == set()
    state = field(unit("DE-ARM-3", "P40", fuel=3, ceiling=11), unit("PL-INF-8", "P41"), phase=5)
    after, _ = went(state, "DE-ARM-3", to=["G16"])
    found = after.units[UnitId("DE-ARM-3")]
    assert (found.area, found.fuel, found.ceiling) == ("G16", 2, 0)
    assert (found.exerted, found.disturbed) == (state.moment, state.moment)


@pytest.mark.rule("polska1939:5.3.10.example", "polska1939:5.3.6")
def test_5_3_10_a_three_points_by_a_node_in_a_river() -> None:
    """D1, 1 SP in combat, 1 for the node, 1 for the river: row 16-18, a 6 is D1, a 9 costs 1 SP."""
    attackers = (unit("DE-INF-1", "G32", 16), unit("DE-INF-11", "G33", 16))
    state = field(unit("PL-INF-20", "P60", 10), *attackers)
    found = fought(state, "P60", 6, 9, 12)
    assert (strengths(result(found).state)["PL-INF-20"], places(result(found).state)["PL-INF-20"]) == (7, "P61")
    assert result(found).result.text == "D1"


@pytest.mark.rule("polska1939:5.3.1")
def test_5_3_1_two_areas_back() -> None:
    """No printed result wants it, but a transcription may: on from the first area, never back to the lost one."""
    far = CombatResult("D2", 2, 0, False, 0, False)
    results = replace(GROUND.results, cells=tuple(tuple(far for _ in row) for row in GROUND.results.cells))
    data = replace(GROUND, forces=replace(GROUND.forces, results=results))
    state = field(unit("PL-INF-20", "P23", 10), unit("DE-INF-1", "G13", 16))
    found = drive(fight(data, state, battle(state, "P23", Stand(area="P23", to=("P24", "P22")))), dice=faces(7, 12, 12))
    assert [line for line in found.told if line.startswith("5.3.1:")] == [
        "5.3.1: retreat to AreaP24 (P24): 20 INF",
        "5.3.1: retreat to AreaP22 (P22): 20 INF",
    ]
