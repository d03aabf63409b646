"""How far units go and by which way (4.0), on boards of a few areas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import pytest
from positions import DATA, position, unit
from small_board import chain, small_board

from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import Kind, Passage
from pbem.games.polska1939.s4_movement import Front, Route, allowance, entry_cost, reach_of_all, reachable, route_to
from pbem.games.polska1939.s12_scenario import opening_state
from pbem.games.polska1939.state import Aboard, AreaId, Occupation, Side, State, Unit, UnitId

FOOT, HORSE, TANKS, LORRIES, LEADER = "DE-INF-1", "DE-CAV-1", "DE-ARM-1", "DE-MOT-2", "DE-HQ-I"
POLE = unit("PL-INF-8", "P99")


def reach(data: GameData, name: str, start: str, *others: Unit, day: int = 2, **facts: Any) -> dict[str, int]:
    """Areas in reach of a unit, with their costs in half movement points."""
    side = 6 if name.startswith("PL") else 3
    state = position(unit(name, start, **facts), *others, day=day, phase=side)
    return {area: route.cost for area, route in routes_in(data, state, name).items()}


def routes_in(data: GameData, state: State, name: str) -> Mapping[AreaId, Route]:
    return reachable(data, state, Occupation.of(state), UnitId(name))


def row_of(count: int, country: str = "PL", region: str = "Row", terrain: str = "clear") -> str:
    return "\n".join(f"P{number:02} {country} {region} {terrain}" for number in range(1, count + 1))


ROW = [f"P{number:02}" for number in range(1, 9)]
LONE = "P99 PL Row"
"""An area of the same region without any border, for an enemy who makes it no free region."""


# ---------------------------------------------------------------------- allowances


@pytest.mark.rule("polska1939:4.1.2", "polska1939:2.0")
@pytest.mark.parametrize(
    ("kind", "halves"),
    [
        (Kind.INF, 2), (Kind.MINF, 2), (Kind.ND, 2), (Kind.FD, 2), (Kind.CAV, 4),
        (Kind.ARM, 6), (Kind.MOT, 6), (Kind.LARM, 6), (Kind.HQ, 12),
    ],
)  # fmt: skip
def test_4_1_2_limits_by_type(kind: Kind, halves: int) -> None:
    assert allowance(small_board("P01 PL Row", ""), kind) == halves


@pytest.mark.rule("polska1939:4.1.2")
@pytest.mark.parametrize(("name", "areas"), [(FOOT, 1), (HORSE, 2), (TANKS, 3), (LORRIES, 3), (LEADER, 6)])
def test_4_1_2_a_point_an_area_of_clear_ground_near_the_enemy(name: str, areas: int) -> None:
    data = small_board(f"{row_of(8)}\n{LONE}", chain(*ROW))
    assert reach(data, name, "P01", POLE) == {ROW[n]: 2 * n for n in range(1, areas + 1)}


@pytest.mark.rule("polska1939:4.1.3")
@pytest.mark.parametrize(("name", "areas"), [(FOOT, 2), (HORSE, 2), (TANKS, 3), (LEADER, 6)])
@pytest.mark.parametrize("feature", ["", "river", "vistula"])
@pytest.mark.parametrize("terrain", ["clear", "forest", "hills"])
def test_4_1_3_where_no_enemies_are_terrain_costs_nothing(name: str, areas: int, feature: str, terrain: str) -> None:
    data = small_board(row_of(8, terrain=terrain), chain(*ROW, feature=feature))
    assert reach(data, name, "P01") == {ROW[n]: 2 * n for n in range(1, areas + 1)}


TWO_REGIONS = "P01 PL Rear\nP02 PL Rear\nP03 PL Front\nP04 PL Front\nP05 PL Rear2\nP99 PL Front"


@pytest.mark.rule("polska1939:4.1.3")
@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("P01", {"P02": 2}),
        ("P02", {"P01": 2, "P03": 2}),
        ("P03", {"P02": 2, "P04": 2}),
        ("P05", {"P04": 2}),
    ],
    ids=["to the edge", "into the region", "out of it", "across it"],
)
def test_4_1_3_every_area_of_the_move_and_the_start_must_be_free(start: str, expected: dict[str, int]) -> None:
    data = small_board(TWO_REGIONS, chain("P01", "P02", "P03", "P04", "P05"))
    assert reach(data, FOOT, start, POLE) == expected


@pytest.mark.rule("polska1939:4.1.3")
@pytest.mark.parametrize("enemy", [unit("PL-HQ-Modlin", "P99"), unit("PL-INF-2", "P99", train=Aboard.CAME_LOADED)])
def test_ruling_4_11_a_unit_of_any_kind_keeps_a_region_from_being_free(enemy: Unit) -> None:
    data = small_board(TWO_REGIONS, chain("P01", "P02", "P03", "P04", "P05"))
    assert reach(data, FOOT, "P02", enemy) == {"P01": 2, "P03": 2}


def test_a_slow_free_way_and_a_short_contested_one_are_told_apart() -> None:
    areas = "P01 PL Rear\nP02 PL Rear river\nP03 PL Front\nP04 PL Rear\nP99 PL Front"
    data = small_board(areas, chain("P01", "P02", "P04", feature="river") + "\n" + chain("P01", "P03", "P04"))
    state = position(unit(LORRIES, "P01"), POLE, phase=3)
    found = routes_in(data, state, LORRIES)
    assert {area: (route.areas, route.cost, route.free) for area, route in found.items()} == {
        "P02": (("P01", "P02"), 2, True),
        "P03": (("P01", "P03"), 2, False),
        "P04": (("P01", "P02", "P04"), 4, True),
    }


# ---------------------------------------------------------------------- swamps, mountains, lakes


@pytest.mark.rule("polska1939:4.1.3.exception")
@pytest.mark.parametrize("name", [FOOT, HORSE, TANKS])
@pytest.mark.parametrize("others", [(), (POLE,)], ids=["free", "near the enemy"])
def test_4_1_3_exception_a_swamp_takes_all_points(name: str, others: Sequence[Unit]) -> None:
    areas = "P01 PL Row\nP02 PL Row swamp\nP03 PL Row\nP04 PL Row\nP05 PL Row swamp\nP99 PL Row"
    data = small_board(areas, chain("P01", "P02", "P03") + "\nP01 P04\nP04 P05")
    found = reach(data, name, "P01", *others)
    points = {FOOT: 2, HORSE: 4, TANKS: 6}[name] if others or name != FOOT else 4
    assert found == {"P02": points, "P04": 2}


@pytest.mark.rule("polska1939:4.1.3.exception")
def test_4_1_3_exception_so_does_a_swamp_border() -> None:
    data = small_board(row_of(4), "P01 P02 swamp\nP02 P03\nP01 P04\nP04 P03 swamp")
    assert reach(data, HORSE, "P01") == {"P02": 4, "P04": 2}
    assert reach(data, HORSE, "P02") == {"P01": 4, "P03": 2}


def test_ruling_4_1_leaving_a_swamp_costs_what_lies_beyond() -> None:
    data = small_board("P01 PL Row swamp\nP02 PL Row\nP03 PL Row\nP99 PL Row", chain("P01", "P02", "P03"))
    assert reach(data, HORSE, "P01", POLE) == {"P02": 2, "P03": 4}


@pytest.mark.rule("polska1939:4.2.4")
@pytest.mark.parametrize(
    ("name", "expected"),
    [(FOOT, {"P02": 4, "P03": 4}), (TANKS, {"P03": 6}), (LORRIES, {"P03": 6}), (LEADER, {"P03": 2})],
)
def test_4_2_4_motorized_units_enter_swamps_but_not_through_a_swamp_border(name: str, expected: dict[str, int]) -> None:
    data = small_board("P01 PL Row\nP02 PL Row\nP03 PL Row swamp", "P01 P02 swamp\nP01 P03")
    assert reach(data, name, "P01") == expected


@pytest.mark.rule("polska1939:4.2.5")
@pytest.mark.parametrize(
    ("name", "expected"),
    [(FOOT, ["P02", "P03", "P04", "P05"]), (TANKS, ["P03", "P05"]), (LEADER, ["P03", "P05"])],
)
def test_ruling_4_2_motorized_units_pass_mountains_by_a_pass_alone(name: str, expected: list[str]) -> None:
    areas = "P01 PL Row\nP02 PL Row\nP03 PL Row\nP04 PL Row mountains\nP05 PL Row mountains"
    data = small_board(areas, "P01 P02 mountain\nP01 P03 mountain pass\nP01 P04\nP01 P05 pass")
    assert list(reach(data, name, "P01")) == expected


def test_ruling_4_2_motorized_units_leave_mountains_by_any_border_that_is_none() -> None:
    data = small_board("P01 PL Row mountains\nP02 PL Row\nP03 PL Row", "P01 P02\nP01 P03 mountain")
    assert reach(data, TANKS, "P01") == {"P02": 2}


@pytest.mark.rule("polska1939:4.2.6", "polska1939:10.1.7")
def test_ruling_4_4_an_hq_pays_a_point_an_area_and_is_barred_like_other_motorized_units() -> None:
    areas = "P01 PL Row\nP02 PL Row forest\nP03 PL Row\nP04 PL Row swamp\nP05 PL Row hills\nP06 PL Row\nP99 PL Row"
    borders = "P01 P02 river\nP02 P03 vistula\nP03 P04\nP04 P05\nP05 P06 swamp\nP01 P06 mountain"
    assert reach(small_board(areas, borders), LEADER, "P01", POLE) == {"P02": 2, "P03": 4, "P04": 6, "P05": 8}


def test_a_lake_is_never_crossed_not_even_as_the_only_movement() -> None:
    assert reach(small_board(row_of(2), "P01 P02 lake"), FOOT, "P01") == {}


# ---------------------------------------------------------------------- costs


@pytest.mark.rule("polska1939:4.2.1", "polska1939:4.2.1.example")
@pytest.mark.parametrize(
    ("terrain", "feature", "foot", "cavalry", "motorized"),
    [
        ("clear", "", 2, 2, 2),
        ("forest", "", 2, 2, 3),
        ("hills", "", 2, 2, 2),
        ("clear", "river", 2, 2, 4),
        ("clear", "vistula", 2, 4, 6),
        ("swamp", "", Passage.ALL, Passage.ALL, Passage.ALL),
        ("clear", "swamp", Passage.ALL, Passage.ALL, Passage.NO),
        ("mountains", "", 2, 2, Passage.NO),
        ("mountains", "pass", 2, 2, 2),
        ("clear", "lake", Passage.NO, Passage.NO, Passage.NO),
    ],
)  # fmt: skip
def test_ruling_4_3_what_terrain_adds(
    terrain: str, feature: str, foot: object, cavalry: object, motorized: object
) -> None:
    data = small_board(f"P01 PL Row\nP02 PL Row {terrain}", f"P01 P02 {feature}")
    assert [entry_cost(data, kind, "P01", "P02") for kind in (Kind.INF, Kind.CAV, Kind.MOT)] == [
        foot,
        cavalry,
        motorized,
    ]


@pytest.mark.rule("polska1939:4.2.2", "polska1939:4.2.2.example")
def test_4_2_2_example_a_mot_unit_pays_two_and_a_half_points_for_a_forest_behind_a_river() -> None:
    data = small_board("P01 PL Row\nP02 PL Row forest\nP99 PL Row", "P01 P02 river")
    assert reach(data, LORRIES, "P01", POLE) == {"P02": 5}


@pytest.mark.rule("polska1939:4.2.3")
def test_4_2_3_one_area_is_always_possible_as_the_only_movement() -> None:
    data = small_board(f"{row_of(3, terrain='forest')}\n{LONE}", "P01 P02 vistula\nP02 P03")
    assert reach(data, LORRIES, "P01", POLE) == {"P02": 7}
    assert reach(data, LORRIES, "P03", POLE) == {"P02": 3}


# ---------------------------------------------------------------------- the enemy


@pytest.mark.rule("polska1939:4.1.1", "polska1939:4.1.4", "polska1939:1.1")
def test_4_1_4_enemies_beside_the_way_do_not_hold_a_unit_up_but_none_enters_their_area() -> None:
    areas = f"{row_of(4)}\nP05 PL Row\nP06 PL Row"
    data = small_board(areas, chain(*ROW[:4]) + "\nP02 P05\nP03 P06")
    enemies = (unit("PL-INF-8", "P05"), unit("PL-INF-20", "P06"))
    assert reach(data, TANKS, "P01", *enemies) == {"P02": 2, "P03": 4, "P04": 6}


@pytest.mark.rule("polska1939:4.1.8")
@pytest.mark.parametrize(
    ("name", "in_poland"),
    [
        (FOOT, {"P01": 4}),
        (HORSE, {"P01": 4}),
        (TANKS, {"P01": 4, "P02": 6}),
        (LEADER, {"P01": 4, "P02": 6, "P03": 8, "P04": 10}),
    ],
)
def test_4_1_8_the_enemy_border_costs_a_point_more_where_enemies_are_behind_it(
    name: str, in_poland: dict[str, int]
) -> None:
    areas = "G00 DE Home\nG01 DE Home\nG02 DE Home\nP01 PL Row\nP02 PL Row\nP03 PL Row\nP04 PL Row\nP99 PL Row"
    data = small_board(areas, chain("G00", "P01", "P02", "P03", "P04") + "\n" + chain("G00", "G01", "G02"))
    assert reach(data, name, "G00", POLE) == {"G01": 2, "G02": 4, **in_poland}


@pytest.mark.rule("polska1939:4.1.8")
@pytest.mark.parametrize(
    ("name", "start", "goal", "cost"),
    [
        (TANKS, "G00", "P01", 2),
        (TANKS, "P01", "G00", 2),
        ("PL-ARM-10", "P01", "G00", 4),
        ("PL-ARM-10", "G00", "P01", 2),
    ],
    ids=["no enemies there", "home again", "a Pole into Germany", "a Pole home again"],
)
def test_4_1_8_only_that_of_the_enemy_country(name: str, start: str, goal: str, cost: int) -> None:
    data = small_board("G00 DE Home\nP01 PL Row\nG99 DE Home\nP99 PL Row", "G00 P01")
    other = {"DE": unit("PL-INF-8", "G99"), "PL": unit("DE-INF-3", "G99")}[name[:2]]
    assert reach(data, name, start, other)[goal] == cost


@pytest.mark.rule("polska1939:4.1.9", "polska1939:7.1.6")
@pytest.mark.parametrize("kind", ["fortress", "fortified"])
def test_4_1_9_enemies_in_a_fortified_area_leave_the_region_around_it_free(kind: str) -> None:
    data = small_board(f"{row_of(3)}\nP04 PL Alone {kind}", chain(*ROW[:4]))
    assert reach(data, FOOT, "P01", unit("PL-INF-8", "P04")) == {"P02": 2, "P03": 4}
    assert data.board.areas["P04"].region != data.board.areas["P03"].region


@pytest.mark.rule("polska1939:4.1.10")
@pytest.mark.parametrize("kind", ["fortress", "fortified"])
def test_4_1_10_entering_a_fortified_area_costs_nothing_more(kind: str) -> None:
    data = small_board(f"G01 DE Home\nP01 PL Alone {kind}\nP99 PL Row", "G01 P01")
    assert reach(data, TANKS, "G01", POLE) == {"P01": 2}


def test_ruling_4_5_nor_does_the_enemy_border_of_a_fortress_with_an_hq() -> None:
    data = small_board("G01 DE Home\nP01 PL Alone fortress", "G01 P01")
    assert reach(data, TANKS, "G01", unit("PL-HQ-Modlin", "P01")) == {"P01": 2}


@pytest.mark.rule("polska1939:8.1.3", "polska1939:10.1.4")
def test_ruling_4_6_areas_with_hqs_and_loaded_units_alone_are_entered_and_passed_but_not_by_hqs() -> None:
    data = small_board(row_of(4), chain(*ROW[:4]))
    weak = (unit("PL-HQ-Modlin", "P02"), unit("PL-INF-2", "P02", train=Aboard.CAME_LOADED))
    assert reach(data, TANKS, "P01", *weak) == {"P02": 2, "P03": 4, "P04": 6}
    assert reach(data, LEADER, "P01", *weak) == {}
    assert reach(data, TANKS, "P01", *weak, unit("PL-INF-8", "P02")) == {}


# ---------------------------------------------------------------------- nodes

SQUARE = "P01 PL Row\nP02 PL Row\nP03 PL Row\nP04 PL Row\nP99 PL Row"
AROUND = "P01 P02\nP02 P03\nP03 P04\nP04 P01"
NODE = "N1 P01 P02 P03 P04"


@pytest.mark.rule("polska1939:4.1.1")
def test_4_1_1_a_unit_moves_across_a_node() -> None:
    assert reach(small_board(SQUARE, AROUND, NODE), FOOT, "P01", POLE) == {"P02": 2, "P03": 2, "P04": 2}


@pytest.mark.rule("polska1939:4.1.5")
def test_4_1_5_not_with_an_enemy_beside_the_node() -> None:
    data = small_board(SQUARE, AROUND, NODE)
    assert reach(data, FOOT, "P01", unit("PL-INF-8", "P04")) == {"P02": 2}


@pytest.mark.rule("polska1939:4.1.5.exception")
def test_4_1_5_exception_it_is_open_to_a_unit_that_has_no_other_way() -> None:
    data = small_board(SQUARE, AROUND, NODE)
    caught = (unit("PL-INF-8", "P02"), unit("PL-INF-20", "P04"))
    assert reach(data, FOOT, "P01", *caught) == {"P03": 2}
    assert reach(data, FOOT, "P01", *caught, unit("PL-INF-4", "P03")) == {}


@pytest.mark.rule("polska1939:4.1.5.exception")
def test_ruling_4_9_only_where_the_unit_stands_not_on_its_way() -> None:
    areas = f"{SQUARE}\nP05 PL Row"
    data = small_board(areas, f"{AROUND}\nP01 P05", NODE)
    assert reach(data, TANKS, "P05", unit("PL-INF-8", "P02"), unit("PL-INF-20", "P04")) == {"P01": 2}


def test_ruling_4_9_not_even_where_there_is_no_way_back() -> None:
    """Tanks come down from the mountains to a shore that they leave by a node alone, if at all."""
    areas = "P01 PL Row mountains\nP02 PL Row\nP03 PL Row\nP04 PL Row\nP05 PL Row"
    data = small_board(areas, "P01 P02\nP02 P03 lake\nP03 P04\nP04 P05\nP05 P02 lake", "N1 P02 P03 P04 P05")
    assert reach(data, TANKS, "P01", unit("PL-INF-8", "P03")) == {"P02": 2}
    assert reach(data, TANKS, "P02", unit("PL-INF-8", "P03")) == {"P04": 2, "P05": 4}


@pytest.mark.rule("polska1939:4.1.6")
def test_4_1_6_never_through_a_node_with_a_river() -> None:
    data = small_board(SQUARE, AROUND, f"{NODE} river")
    assert reach(data, FOOT, "P01", POLE) == {"P02": 2, "P04": 2}
    assert reach(data, FOOT, "P01", unit("PL-INF-8", "P02"), unit("PL-INF-20", "P04")) == {}


@pytest.mark.rule("polska1939:4.1.7")
@pytest.mark.parametrize("kind", ["fortress", "fortified"])
def test_4_1_7_fortified_areas_do_not_close_a_node(kind: str) -> None:
    areas = SQUARE.replace("P04 PL Row", f"P04 PL Alone {kind}")
    data = small_board(areas, AROUND, NODE)
    assert reach(data, FOOT, "P01", unit("PL-INF-20", "P04"), POLE) == {"P02": 2, "P03": 2}


def test_a_node_adds_nothing_but_what_the_area_beyond_costs() -> None:
    areas = SQUARE.replace("P03 PL Row", "P03 PL Row forest")
    assert reach(small_board(areas, AROUND, NODE), TANKS, "P01", POLE)["P03"] == 3
    hills = SQUARE.replace("P03 PL Row", "P03 PL Row mountains")
    assert "P03" not in reach(small_board(hills, AROUND, NODE), TANKS, "P01", POLE)


# ---------------------------------------------------------------------- who


@pytest.mark.rule("polska1939:3.1.2.phaseIII", "polska1939:9.2.6", "polska1939:8.1.2")
@pytest.mark.parametrize(
    "facts",
    [
        {"exerted": 8},
        {"exerted": 9},
        {"fuel": 0},
        {"train": Aboard.CAME_LOADED},
        {"train": Aboard.SEALED},
        {"train": Aboard.ARRIVED},
    ],
    ids=["attacked", "moved already", "no fuel", "loaded", "loaded in play", "arrived"],
)
def test_3_1_2_who_fought_or_moved_or_has_no_fuel_or_is_on_a_train_stays(facts: dict[str, Any]) -> None:
    assert reach(small_board(row_of(2), "P01 P02"), TANKS, "P01", **facts) == {}


@pytest.mark.rule("polska1939:3.1.2.phaseIII")
@pytest.mark.parametrize("facts", [{"exerted": 5}, {"exerted": 3, "disturbed": 8}, {"exerted": 0}])
def test_3_1_2_who_was_attacked_or_retreated_before_moves(facts: dict[str, Any]) -> None:
    assert reach(small_board(row_of(2), "P01 P02"), TANKS, "P01", **facts) == {"P02": 2}


@pytest.mark.rule("polska1939:9.2.1")
@pytest.mark.parametrize("name", [FOOT, "PL-ARM-10", "DE-HQ-I", "SK-ARM-ARM-BR"])
def test_9_2_1_fuel_is_no_matter_to_others(name: str) -> None:
    data = small_board("P01 SK Row\nP02 SK Row", "P01 P02")
    assert reach(data, name, "P01", fuel=0) == {"P02": 2}


@pytest.mark.rule("polska1939:scenario.allies", "polska1939:scenario.soviet-line")
def test_the_scenario_closes_areas() -> None:
    data = small_board("P01 PL Row\nP02 SU Row2\nP03 SK Row3\nP04 PL Row west", "P01 P02\nP02 P03\nP01 P03\nP01 P04")
    assert reach(data, FOOT, "P01") == {"P03": 2, "P04": 2}
    assert reach(data, "SK-INF-1", "P03") == {}
    assert reach(data, "SK-INF-1", "P03", day=9) == {"P01": 2}
    assert reach(data, "SU-INF-99", "P01", day=20) == {"P02": 2}


@pytest.mark.rule("polska1939:4.1.11")
def test_4_1_11_any_number_of_units_goes_to_one_area() -> None:
    data = small_board(row_of(2), "P01 P02")
    germans = [name for name in data.forces.units if name.startswith("DE-INF")]
    state = position(*(unit(name, "P01") for name in germans), phase=3)
    found = reach_of_all(data, state, Occupation.of(state), Side.GERMAN)
    assert {name: list(routes) for name, routes in found.items()} == {name: ["P02"] for name in sorted(germans)}


# ---------------------------------------------------------------------- ways


@pytest.mark.parametrize(
    ("via", "goal", "expected"),
    [
        ((), "P03", ("P01", "P02", "P03")),
        (("P04",), "P03", ("P01", "P04", "P03")),
        (("P02", "P03"), "P04", ("P01", "P02", "P03", "P04")),
        (("P02",), "P01", ("P01", "P02", "P01")),
        (("P02", "P04"), "P01", None),
        (("P05",), "P03", None),
    ],
    ids=["cheapest", "as named", "three areas", "there and back", "too far", "too dear"],
)
def test_a_way_goes_by_the_areas_named(via: tuple[str, ...], goal: str, expected: tuple[str, ...] | None) -> None:
    data = small_board(f"{SQUARE}\nP05 PL Row swamp", f"{AROUND}\nP01 P05\nP05 P03")
    state = position(unit(TANKS, "P01"), POLE, phase=3)
    front = Front.of(data, Occupation.of(state), Side.GERMAN)
    found = route_to(data, state, front, state.units[UnitId(TANKS)], AreaId(goal), tuple(map(AreaId, via)))
    assert (found.areas if found else None) == expected


def test_a_way_over_two_borders_is_taken_when_one_river_is_dearer() -> None:
    data = small_board(f"{row_of(3)}\n{LONE}", "P01 P03 vistula\nP01 P02\nP02 P03")
    state = position(unit(LORRIES, "P01"), POLE, phase=3)
    front = Front.of(data, Occupation.of(state), Side.GERMAN)
    found = route_to(data, state, front, state.units[UnitId(LORRIES)], AreaId("P03"))
    assert found == Route((AreaId("P01"), AreaId("P02"), AreaId("P03")), 4)


@pytest.mark.parametrize("side", list(Side))
def test_every_step_of_every_route_of_the_opening_can_be_made(side: Side) -> None:
    state = opening_state(DATA, "campaign")
    occupation = Occupation.of(state)
    front = Front.of(DATA, occupation, side)
    for name, routes in reach_of_all(DATA, state, occupation, side).items():
        kind = DATA.unit(name).type
        for goal, route in routes.items():
            costs = [entry_cost(DATA, kind, a, b) for a, b in pairwise(route.areas)]
            whole = [cost for cost in costs if not isinstance(cost, int)]
            assert (route.areas[0], route.areas[-1]) == (state.units[name].area, goal)
            assert not whole or (whole == [Passage.ALL] and len(costs) == 1)
            assert len(costs) == 1 or route.cost <= allowance(DATA, kind, route.free)
            assert front.firm.isdisjoint(route.areas)
