"""Headquarters in combat (10.1)."""

from __future__ import annotations

import pytest
from combat_ground import GROUND, battle, field, fought, order, result, strengths, unit

from pbem.games.polska1939.answers import Attacks, Stand
from pbem.games.polska1939.s5_attacks import Check, attack_refusals
from pbem.games.polska1939.s5_battle import battle_of
from pbem.games.polska1939.state import Side, State

FOUR = ("DE-INF-1", "DE-INF-11", "DE-INF-12", "DE-INF-61")
LEADERS = ("DE-HQ-I", "DE-HQ-XXI", "DE-HQ-II")
POLE = unit("PL-INF-20", "P40", 10)


def reasons(state: State, *orders: object) -> list[str]:
    check = Check.of(GROUND, state, Side.GERMAN)
    return [reason.sentence() for one in orders for reason in check.refusals(one)]  # type: ignore[arg-type]


# ---------------------------------------------------------------------- worked examples


@pytest.mark.rule("polska1939:10.1.1", "polska1939:10.1.3", "polska1939:10.1.3.example")
def test_10_1_3_a_one_hq_for_each_attack_from_an_area() -> None:
    """Four divisions and three HQs: 32 SP and one HQ against an area, each HQ once against three areas."""
    units = [unit(name, "G16", 10) for name in FOUR]
    state = field(POLE, unit("PL-INF-8", "P44"), unit("PL-INF-30", "P45"), *units, *(unit(n, "G16") for n in LEADERS))
    assert battle(state, "P40", headquarters=LEADERS[:1]).strength.attack == 32 + 3
    assert reasons(state, order("P40", FOUR, headquarters=LEADERS[:2])) == [
        "attack.support_twice: expected one HQ from an area, got I HQ and XXI HQ (10.1.3)"
    ]
    targets = ("P40", "P44", "P45")
    orders = [order(area, [name], headquarters=(hq,)) for area, name, hq in zip(targets, FOUR, LEADERS, strict=False)]
    assert reasons(state, *orders) == []
    assert [battle_of(GROUND, state, one).strength.attack for one in orders] == [13, 13, 13]


@pytest.mark.rule("polska1939:10.1.3.example")
def test_10_1_3_b_one_attack_from_three_areas_has_three_hqs() -> None:
    areas = ("G16", "G17", "G18")
    units = [unit(name, area, 10) for name, area in zip(FOUR, areas, strict=False)]
    state = field(POLE, *units, *(unit(name, area) for name, area in zip(LEADERS, areas, strict=True)))
    assert reasons(state, order("P40", FOUR[:3], headquarters=LEADERS)) == []
    assert battle(state, "P40", headquarters=LEADERS).strength.attack == 30 + 9


@pytest.mark.rule("polska1939:10.1.3.example", "polska1939:10.1.1")
def test_10_1_3_c_one_hq_defends() -> None:
    state = field(POLE, unit("PL-HQ-Modlin", "P40"), unit("PL-HQ-Lublin", "P40"), unit("DE-INF-11", "G16"))
    assert battle(state, "P40").strength.defence == 10 + 3


@pytest.mark.rule("polska1939:10.1.6", "polska1939:10.1.6.example")
def test_10_1_6_a_both_are_destroyed_by_two_losses() -> None:
    """32 against 4: row 23-30, a 6 is D1; a 2 costs the defender 2 SP."""
    state = field(unit("PL-INF-20", "P40", 1), unit("PL-HQ-Modlin", "P40"), *(unit(n, "G16", 16) for n in FOUR[:2]))
    found = fought(state, "P40", 6, 2, 12)
    assert strengths(result(found).state) == {"DE-INF-1": 16, "DE-INF-11": 16}
    assert '10.1.6: "Modlin" HQ is destroyed: losses are left over' in found.told


@pytest.mark.rule("polska1939:10.1.5", "polska1939:10.1.6.example", "polska1939:5.3.1")
def test_10_1_6_b_an_hq_alone() -> None:
    """It defends with its factor of 3; any loss destroys it, without one it retreats."""
    state = field(unit("PL-HQ-Modlin", "P40"), *(unit(name, "G16", 16) for name in FOUR[:2]))
    assert battle(state, "P40").strength.defence == 3
    hit, missed = (result(fought(state, "P40", 6, total, 12)) for total in (11, 12))
    assert "PL-HQ-Modlin" not in hit.state.units
    assert missed.state.units["PL-HQ-Modlin"].area == "P41"


@pytest.mark.rule("polska1939:10.1.8", "polska1939:10.1.8.example")
@pytest.mark.parametrize(("count", "shift"), [(1, 0), (2, 0), (3, 1), (4, 2)])
def test_10_1_8_each_hq_above_two_is_a_modifier(count: int, shift: int) -> None:
    areas = ("G15", "G16", "G20", "S01")
    leaders = (*LEADERS, "DE-HQ-III")[:count]
    units = [unit(name, area, 10) for name, area in zip(FOUR, areas, strict=True)]
    state = field(POLE, *units, *(unit(name, area) for name, area in zip(leaders, areas, strict=False)))
    found = {m.reason: m.shift for m in battle(state, "P40", headquarters=leaders).strength.modifiers}
    assert found.get(f"{count} headquarters", 0) == shift


@pytest.mark.rule("polska1939:10.1.8")
def test_10_1_8_an_hq_without_an_attack_factor_is_not_counted() -> None:
    areas = ("P41", "P42", "P43")
    leaders = ("PL-HQ-Modlin", "PL-HQ-Poznan", "PL-HQ-Lublin")
    units = [unit(name, area, 10) for name, area in zip(("PL-INF-8", "PL-INF-20", "PL-INF-30"), areas, strict=True)]
    placed = (*units, *(unit(name, area) for name, area in zip(leaders, areas, strict=True)))
    state = field(unit("DE-INF-11", "P40"), *placed, phase=5)
    assert GROUND.unit("PL-HQ-Lublin").attack == 0
    assert all(modifier.rule != "10.1.8" for modifier in battle(state, "P40", headquarters=leaders).strength.modifiers)


# ---------------------------------------------------------------------- rulings


def test_ruling_10_1_a_disorganized_hq_adds_half() -> None:
    state = field(POLE, unit("DE-INF-11", "G16", 10), unit("DE-HQ-I", "G16", disorganized=True))
    assert battle(state, "P40", headquarters=("DE-HQ-I",)).strength.attack == 10 + 2


def test_ruling_10_2_the_best_hq_defends_unless_another_is_named() -> None:
    state = field(POLE, unit("PL-HQ-Modlin", "P40"), unit("PL-HQ-Lublin", "P40"), unit("DE-INF-11", "G16"))
    stands = (None, Stand(area="P40"), Stand(area="P40", headquarters="PL-HQ-Lublin"))
    assert [battle(state, "P40", stand).strength.defence for stand in stands] == [13, 13, 11]


# ---------------------------------------------------------------------- reasons


@pytest.mark.rule("polska1939:10.1.5")
def test_10_1_5_an_hq_does_not_attack() -> None:
    state = field(POLE, unit("DE-HQ-I", "G16"))
    assert reasons(state, order("P40", ["DE-HQ-I"])) == [
        "attack.headquarters: expected units other than HQs to attack, got I HQ (10.1.5)"
    ]


@pytest.mark.rule("polska1939:10.1.3")
def test_10_1_3_an_hq_supports_units_of_its_own_area() -> None:
    state = field(POLE, unit("DE-INF-11", "G16"), unit("DE-HQ-I", "G17"))
    assert reasons(state, order("P40", ["DE-INF-11"], headquarters=("DE-HQ-I",))) == [
        "attack.support_area: expected an HQ in an area from which units attack, got I HQ (10.1.3)"
    ]


@pytest.mark.rule("polska1939:10.1.2")
def test_10_1_2_a_factor_is_used_once() -> None:
    state = field(
        POLE, unit("PL-INF-8", "P44"), unit("DE-INF-11", "G16"), unit("DE-INF-1", "G16"), unit("DE-HQ-I", "G16")
    )
    orders = [
        order(area, [name], headquarters=("DE-HQ-I",)) for area, name in (("P40", "DE-INF-11"), ("P44", "DE-INF-1"))
    ]
    assert [reason.sentence() for reason in attack_refusals(GROUND, state, Attacks(attacks=tuple(orders)))] == [
        "attack.again: expected each unit in one attack, got I HQ in two in line 2 (10.1.2)"
    ]
