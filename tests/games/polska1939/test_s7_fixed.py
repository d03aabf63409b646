"""What fortifications are worth in combat (7.1, 7.2.3)."""

from __future__ import annotations

import pytest
from combat_ground import GROUND, AreaId, battle, field, unit

from pbem.games.polska1939.s7_fixed import Modifier, fortification, is_strong
from pbem.games.polska1939.state import State

POLE = unit("PL-INF-20", "P20", 15)
LINE, ELSEWHERE = Modifier("fortified line", -3, "7.1.1"), Modifier("fortified line elsewhere", -2, "7.1.3")


def fortified(state: State, target: str = "P20") -> Modifier | None:
    return battle(state, target).strength.fortified


@pytest.mark.rule("polska1939:7.1.1", "polska1939:7.1.3")
@pytest.mark.parametrize(("origin", "found"), [("G13", LINE), ("G14", ELSEWHERE)])
def test_7_1_1_a_line_counts_only_for_attacks_through_it(origin: str, found: Modifier) -> None:
    assert fortified(field(POLE, unit("DE-INF-11", origin))) == found


@pytest.mark.rule("polska1939:7.1.2", "polska1939:7.1.3.example")
@pytest.mark.parametrize(
    ("units_1_and_2", "unit_3", "found"),
    [((8, 5), 12, ELSEWHERE), ((8, 5), 13, ELSEWHERE), ((8, 5), 14, LINE)],
)
def test_7_1_3_units_1_and_2_beside_the_line_and_unit_3_through_it(
    units_1_and_2: tuple[int, int], unit_3: int, found: Modifier
) -> None:
    one, two = (
        unit(name, "G14", points) for name, points in zip(("DE-INF-11", "DE-INF-61"), units_1_and_2, strict=True)
    )
    assert fortified(field(POLE, one, two, unit("DE-INF-1", "G13", unit_3))) == found


@pytest.mark.rule("polska1939:7.1.4")
@pytest.mark.parametrize(("strength", "shift"), [(1, -2), (4, -2), (5, -3), (11, -3), (12, -3), (13, -4), (16, -4)])
def test_7_1_4_a_fortress_by_the_strength_in_it(strength: int, shift: int) -> None:
    found = fortified(field(unit("PL-INF-20", "P23", strength), unit("DE-INF-11", "G13")), "P23")
    assert found == Modifier("fortress", shift, "7.1.4")


@pytest.mark.rule("polska1939:7.1.4")
def test_ruling_7_12_an_hq_does_not_make_a_fortress_stronger() -> None:
    state = field(unit("PL-INF-20", "P23", 4), unit("PL-HQ-Modlin", "P23"), unit("DE-INF-11", "G13"))
    assert fortified(state, "P23") == Modifier("fortress", -2, "7.1.4")


@pytest.mark.rule("polska1939:7.2.3", "polska1939:7.2.3.example")
@pytest.mark.parametrize(("level", "found"), [(0, None), (1, -1), (2, -2)])
def test_7_2_3_field_fortifications_by_their_level(level: int, found: int | None) -> None:
    state = field(unit("PL-INF-20", "P40"), unit("DE-INF-11", "G16"), forts={"P40": level} if level else {})
    modifier = fortified(state, "P40")
    assert (modifier.shift if modifier else None) == found


@pytest.mark.rule("polska1939:7.1.1", "polska1939:7.2.3")
def test_ruling_7_11_of_several_fortifications_the_best_counts() -> None:
    state = field(POLE, unit("DE-INF-11", "G13"), forts={"P20": 2})
    assert fortified(state) == LINE
    weak = field(unit("PL-INF-20", "P23", 3), unit("DE-INF-11", "G13"), forts={"P23": 2})
    assert fortified(weak, "P23") == Modifier("fortress", -2, "7.1.4")


@pytest.mark.rule("polska1939:5.3.3")
@pytest.mark.parametrize(("level", "strong"), [(0, False), (1, False), (2, True)])
def test_5_3_3_a_modifier_of_two_lets_units_stay(level: int, strong: bool) -> None:
    state = field(unit("PL-INF-20", "P40"), forts={"P40": level} if level else {})
    assert is_strong(GROUND, fortification(GROUND, state, AreaId("P40"), 10, through_line=False)) is strong
