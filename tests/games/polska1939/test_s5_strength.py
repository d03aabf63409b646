"""Strengths and modifiers of an attack (1.2, 1.4, 5.2.5, 5.2.8, 5.2.9, 5.5.3, 9.2.6)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from combat_ground import GROUND, battle, field, order, unit

from pbem.games.polska1939.s5_battle import battle_of
from pbem.games.polska1939.s5_combat import rows_of
from pbem.games.polska1939.s7_fixed import Modifier
from pbem.games.polska1939.state import State

POLE = unit("PL-INF-20", "P40", 10)


def attack(state: State, target: str = "P40", **facts: object) -> int:
    return battle(state, target, **facts).strength.attack


def modifiers(state: State, target: str = "P40") -> dict[str, int]:
    return {modifier.reason: modifier.shift for modifier in battle(state, target).strength.modifiers}


# ---------------------------------------------------------------------- worked examples


@pytest.mark.rule("polska1939:1.2", "polska1939:1.2.example")
def test_1_2_a_shift_of_two_rows() -> None:
    assert GROUND.results.labels[rows_of(GROUND.results, 17, -2)[1]] == "23-30"


@pytest.mark.rule("polska1939:1.2.example", "polska1939:5.4.2")
def test_1_2_b_30_against_8_through_a_line() -> None:
    """Result row 19-22 to 10-12, attackers' losses 5-8 to 17-20, defenders' losses 29-32 to 17-20."""
    results, losses = GROUND.results, GROUND.losses
    assert [results.labels[row] for row in rows_of(results, 30 - 8, 3)] == ["19-22", "10-12"]
    assert [losses.labels[row] for row in rows_of(losses, 8, -3)] == ["5-8", "17-20"]
    assert [losses.labels[row] for row in rows_of(losses, 30, 3)] == ["29-32", "17-20"]


@pytest.mark.rule("polska1939:1.4", "polska1939:1.4.example", "polska1939:5.2.9")
def test_1_4_five_points_from_a_swamp_count_three() -> None:
    assert attack(field(POLE, unit("DE-INF-11", "G15", 5))) == 3


@pytest.mark.rule("polska1939:5.1.1.example", "polska1939:5.2.5", "polska1939:7.1.1")
def test_5_1_1_42_points_through_one_border() -> None:
    state = field(
        unit("PL-INF-20", "P20", 15),
        unit("DE-INF-11", "G13", 15),
        unit("DE-INF-61", "G13", 15),
        unit("DE-ARM-Kempf", "G13", 12),
    )
    strength = battle(state, "P20").strength
    assert (strength.borders[0].standing, strength.attack, strength.defence) == (42, 32, 15)
    assert strength.modifiers == (Modifier("forest", -1, "1.2"), Modifier("fortified line", -3, "7.1.1"))
    rows = rows_of(GROUND.results, strength.attack - strength.defence, -strength.shift)
    assert [GROUND.results.labels[row] for row in rows] == ["16-18", "4-6"]
    assert GROUND.results.cell(rows[1], 6).text == "D1"
    lost = rows_of(GROUND.losses, strength.attack, -strength.shift)[1]
    assert (GROUND.losses.labels[lost], [GROUND.losses.cell(lost, total) for total in (7, 8)]) == ("13-16", [1, 0])
    own = rows_of(GROUND.losses, strength.defence, strength.shift)[1]
    assert (GROUND.losses.labels[own], [GROUND.losses.cell(own, total) for total in (3, 11, 12)]) == (
        "29-32",
        [1, 1, 0],
    )


@pytest.mark.rule("polska1939:5.2.8", "polska1939:5.2.8.example", "polska1939:6.2.4")
def test_5_2_8_a_the_strongest_attack_from_one_area() -> None:
    """32 of 42 SP pass, an HQ adds 3 and air support 3."""
    units = [unit("DE-INF-11", "G16", 14), unit("DE-INF-61", "G16", 14), unit("DE-INF-1", "G16", 14)]
    state = field(POLE, *units, unit("DE-HQ-I", "G16"), day=1)
    assert attack(state, headquarters=("DE-HQ-I",), air=1) == 38


@pytest.mark.rule("polska1939:5.2.8.example", "polska1939:5.2.5")
def test_5_2_8_b_64_points_defend_at_two_borders() -> None:
    poles = [unit(f"PL-INF-{number}", "P40", 12) for number in (8, 10, 20, 26, 27, 35)]
    state = field(*poles, unit("DE-INF-11", "G16"), unit("DE-INF-61", "G17"))
    assert (battle(state, "P40").strength.standing, battle(state, "P40").strength.counted) == (72, 64)
    one = order("P40", ["DE-INF-11"])
    assert battle_of(GROUND, state, one).strength.counted == 32


@pytest.mark.rule("polska1939:5.4.3", "polska1939:5.4.3.example")
def test_5_4_3_35_against_10_in_a_forest_with_one_level() -> None:
    losses = GROUND.losses
    units = [unit("DE-INF-11", "G14", 16), unit("DE-INF-61", "G14", 16), unit("DE-HQ-I", "G14")]
    state = field(unit("PL-INF-7", "P20", 10), *units, forts={"P20": 1})
    data = replace(GROUND, board=replace(GROUND.board, areas={**GROUND.board.areas, "P20": open_forest()}))
    found = battle_of(data, state, order("P20", ["DE-INF-11", "DE-INF-61"], headquarters=("DE-HQ-I",))).strength
    assert (found.attack, found.defence, found.shift) == (35, 10, -2)
    assert [losses.labels[row] for row in rows_of(losses, found.defence, found.shift)] == ["9-12", "17-20"]
    assert [losses.labels[row] for row in rows_of(losses, found.attack, -found.shift)] == ["33-36", "25-28"]


def open_forest() -> object:
    return replace(GROUND.board.areas["P20"], fortified=False)


# ---------------------------------------------------------------------- halvings


@pytest.mark.rule("polska1939:5.2.9", "polska1939:5.5.3", "polska1939:9.2.6")
@pytest.mark.parametrize(
    ("attacker", "counted"),
    [
        (unit("DE-INF-11", "G16", 9), 9),
        (unit("DE-INF-11", "G21", 9), 5),
        (unit("DE-INF-11", "G16", 9, disorganized=True), 5),
        (unit("DE-ARM-3", "G16", 9, fuel=0), 5),
        (unit("DE-ARM-3", "G16", 9, fuel=1), 9),
        (unit("DE-INF-11", "G15", 9, disorganized=True), 3),
        (unit("DE-ARM-3", "G15", 9, disorganized=True, fuel=0), 2),
    ],
)
def test_ruling_5_2_each_reason_halves_once_and_rounds_up_at_the_end(attacker: object, counted: int) -> None:
    assert attack(field(POLE, attacker)) == counted  # type: ignore[arg-type]


@pytest.mark.rule("polska1939:1.4", "polska1939:5.2.9")
def test_1_4_a_border_is_rounded_up_once() -> None:
    assert attack(field(POLE, unit("DE-INF-11", "G15", 5), unit("DE-INF-61", "G15", 5))) == 5


@pytest.mark.rule("polska1939:5.2.5")
def test_5_2_5_the_limit_comes_before_the_halving() -> None:
    units = [unit("DE-INF-11", "G15", 15), unit("DE-INF-61", "G15", 15), unit("DE-INF-1", "G15", 15)]
    assert attack(field(POLE, *units)) == 16


@pytest.mark.rule("polska1939:5.2.5")
def test_ruling_5_1_units_that_are_not_halved_pass_first() -> None:
    units = [unit("DE-INF-1", "G16", 15, disorganized=True), unit("DE-INF-11", "G16", 15), unit("DE-INF-61", "G16", 15)]
    assert attack(field(POLE, *units)) == 31


@pytest.mark.rule("polska1939:5.5.4")
def test_5_5_4_who_is_disorganized_defends_with_all() -> None:
    state = field(replace(POLE, disorganized=True), unit("DE-INF-11", "G16"))
    assert battle(state, "P40").strength.defence == 10


# ---------------------------------------------------------------------- terrain


@pytest.mark.rule("polska1939:5.4.3")
@pytest.mark.parametrize(
    ("origin", "target", "found"),
    [
        ("G16", "P40", {}),
        ("G15", "P40", {}),
        ("G17", "P40", {"river": -1}),
        ("G18", "P40", {"Vistula": -2}),
        ("G19", "P40", {"mountains": -2}),
        ("G20", "P40", {"mountains": -2}),
        ("G16", "P44", {"hills": -1}),
        ("G16", "P45", {"mountains": -2}),
        ("G19", "P45", {"mountains": -2}),
    ],
)
def test_ruling_5_3_terrain_of_the_area_and_of_the_border(origin: str, target: str, found: dict[str, int]) -> None:
    assert modifiers(field(unit("PL-INF-20", target), unit("DE-INF-11", origin)), target) == found


@pytest.mark.rule("polska1939:7.1.2")
@pytest.mark.parametrize(
    ("river", "vistula", "plain", "found"),
    [
        (8, 0, 7, {"river": -1}),
        (7, 0, 7, {}),
        (4, 4, 7, {"river": -1}),
        (3, 8, 4, {"Vistula": -2}),
        (3, 8, 5, {"river": -1}),
    ],
)
def test_ruling_5_3_a_border_counts_for_the_stronger_part(
    river: int, vistula: int, plain: int, found: dict[str, int]
) -> None:
    units = {"DE-INF-11": ("G17", river), "DE-INF-61": ("G18", vistula), "DE-INF-1": ("G16", plain)}
    placed = [unit(name, area, points) for name, (area, points) in units.items() if points]
    assert modifiers(field(POLE, *placed)) == found


@pytest.mark.rule("polska1939:6.2.6")
def test_6_2_6_bombed_before() -> None:
    state = field(POLE, unit("DE-INF-11", "G16"), bombed=("P40",))
    assert modifiers(state) == {"bombed": 1}


# ---------------------------------------------------------------------- armour


@pytest.mark.rule("polska1939:5.3.9")
def test_5_3_9_armour_through_a_line_does_not_count() -> None:
    state = field(unit("PL-INF-20", "P20"), unit("DE-ARM-3", "G13", 12), unit("DE-LARM-1", "G14", 9))
    assert battle(state, "P20").strength.armour == 9


@pytest.mark.rule("polska1939:5.3.9")
@pytest.mark.parametrize(("strength", "armour"), [(4, 12), (5, 0), (13, 0)])
def test_5_3_9_armour_at_a_fortress_counts_only_at_minus_two(strength: int, armour: int) -> None:
    state = field(unit("PL-INF-20", "P23", strength), unit("DE-ARM-3", "G13", 12))
    assert battle(state, "P23").strength.armour == armour


def test_ruling_5_4_motorized_infantry_is_no_armour() -> None:
    state = field(POLE, unit("DE-MOT-2", "G16", 12), unit("DE-ARM-3", "G16", 10))
    assert battle(state, "P40").strength.armour == 10
