"""Ordering attacks (5.2): who can attack what, and every reason against an order."""

from __future__ import annotations

import pytest
from combat_ground import GROUND, attacks, field, order, unit
from small_board import chain, small_board

from pbem.games.polska1939.answers import AttackOrder, Attacks, Bomb
from pbem.games.polska1939.s5_combat import attack_refusals, attackable, attacks_question
from pbem.games.polska1939.state import Aboard, Occupation, Side, State

POLE, OTHER = unit("PL-INF-20", "P40"), unit("PL-INF-8", "P44")
ONE, TWO = unit("DE-INF-11", "G16"), unit("DE-INF-61", "G17")


def can_attack(state: State, side: Side = Side.GERMAN) -> dict[str, list[str]]:
    found = attackable(GROUND, state, Occupation.of(state), side)
    return {area: [one.id for one in units] for area, units in found.items()}


def reasons(state: State, *orders: AttackOrder, bombs: tuple[Bomb, ...] = ()) -> list[str]:
    return [reason.sentence() for reason in attack_refusals(GROUND, state, attacks(*orders), bombs=bombs)]


# ---------------------------------------------------------------------- who can attack what


@pytest.mark.rule("polska1939:5.2.3", "polska1939:5.2.4")
def test_5_2_3_every_adjacent_area_with_enemies() -> None:
    state = field(POLE, OTHER, ONE, TWO)
    assert can_attack(state) == {"P40": ["DE-INF-11", "DE-INF-61"], "P44": ["DE-INF-11"]}
    assert can_attack(state, Side.POLISH) == {"G16": ["PL-INF-20", "PL-INF-8"], "G17": ["PL-INF-20"]}


@pytest.mark.rule("polska1939:5.2.6")
def test_5_2_6_not_through_a_node() -> None:
    state = field(unit("PL-INF-20", "P51"), unit("DE-INF-11", "P50"))
    assert can_attack(state) == {}
    assert reasons(state, order("P51", ["DE-INF-11"])) == [
        "attack.adjacent: expected units beside AreaP51 (P51), got 11 INF in AreaP50 (P50) in line 1 (5.2.6)"
    ]


def test_5_2_3_not_across_a_lake() -> None:
    state = field(POLE, unit("DE-INF-11", "G22"))
    assert reasons(state, order("P40", ["DE-INF-11"])) == [
        "attack.adjacent: expected units beside AreaP40 (P40), got 11 INF in AreaG22 (G22) in line 1 (5.2.3)"
    ]


@pytest.mark.rule("polska1939:8.1.3", "polska1939:10.1.5")
def test_8_1_3_units_on_trains_and_hqs_do_not_attack() -> None:
    state = field(POLE, unit("DE-INF-11", "G16", train=Aboard.CAME_LOADED), unit("DE-HQ-I", "G16"))
    assert (can_attack(state), attacks_question(GROUND, state)) == ({}, None)


@pytest.mark.rule("polska1939:8.1.3")
def test_ruling_5_5_units_on_trains_alone_are_no_target() -> None:
    state = field(unit("PL-INF-20", "P40", train=Aboard.CAME_LOADED), ONE)
    assert can_attack(state) == {}
    assert reasons(state, order("P40", ["DE-INF-11"])) == [
        "attack.helpless: expected units that can fight in AreaP40 (P40), got only units on trains in line 1 (8.1.3)"
    ]


@pytest.mark.rule("polska1939:10.1.6")
def test_10_1_6_an_hq_alone_is_a_target() -> None:
    assert can_attack(field(unit("PL-HQ-Modlin", "P40"), ONE)) == {"P40": ["DE-INF-11"]}


@pytest.mark.rule("polska1939:scenario.soviet-line", "polska1939:scenario.allies")
def test_ruling_5_6_nobody_attacks_where_it_may_not_go() -> None:
    """Soviets do not cross their line, and P70 lies west of it."""
    state = field(unit("PL-INF-20", "P70"), unit("SU-INF-2", "S01"), unit("SK-INF-1", "G16"), day=20)
    assert can_attack(state) == {}
    assert reasons(state, order("P70", ["SU-INF-2", "SK-INF-1"])) == [
        "attack.barred: expected units that may enter AreaP70 (P70), got 2 INF SU in line 1 (scenario.soviet-line)",
        "attack.barred: expected units that may enter AreaP70 (P70), got 1 INF SK in line 1 (scenario.allies)",
    ]


# ---------------------------------------------------------------------- the question


@pytest.mark.rule("polska1939:5.2.2", "polska1939:3.1.2.phaseII", "polska1939:3.1.2.phaseV")
@pytest.mark.parametrize(("phase", "role"), [(2, "german"), (5, "polish")])
def test_5_2_2_attack_is_voluntary(phase: int, role: str) -> None:
    question = attacks_question(GROUND, field(POLE, ONE, phase=phase))
    assert question is not None
    assert (question.role, question.default, question.check(question.default)) == (role, Attacks(), [])


@pytest.mark.rule("polska1939:4.1.11")
def test_4_1_11_every_counter_may_stand_beside_one_enemy() -> None:
    germans = [
        unit(name, "G16") for name, kind in GROUND.forces.units.items() if kind.nation == "DE" and not kind.attack
    ]
    assert len(germans) > 60
    question = attacks_question(GROUND, field(POLE, *germans))
    assert question is not None
    (everybody,) = [answer for answer in question.legal() if answer.attacks]
    assert len(everybody.attacks[0].units) == len(germans)


def test_each_area_with_all_that_can_attack_it_is_an_option() -> None:
    question = attacks_question(GROUND, field(POLE, OTHER, ONE, TWO))
    assert question is not None
    assert question.legal() == (
        Attacks(),
        attacks(order("P40", ["DE-INF-11", "DE-INF-61"])),
        attacks(order("P44", ["DE-INF-11"])),
    )
    assert [question.check(option) for option in question.legal()] == [[], [], []]


def test_nobody_is_asked_without_an_enemy_in_front() -> None:
    assert attacks_question(GROUND, field(POLE, unit("DE-INF-11", "G14"))) is None


# ---------------------------------------------------------------------- reasons


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("X99", "attack.target: expected an area with enemy units, got 'X99' in line 1 (5.2.3)"),
        ("P41", "attack.target: expected an area with enemy units, got AreaP41 (P41) in line 1 (5.2.3)"),
        ("G17", "attack.target: expected an area with enemy units, got AreaG17 (G17) in line 1 (5.2.3)"),
    ],
)
def test_5_2_3_a_target_has_enemies(target: str, sentence: str) -> None:
    state = field(POLE, ONE, TWO)
    assert reasons(state, order(target, ["DE-INF-11"])) == [sentence]
    (reason,) = attack_refusals(GROUND, state, attacks(order(target, ["DE-INF-11"])))
    assert reason.hint == "these units can attack AreaP40 (P40)"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("DE-INF-99", "attack.unit: expected a German unit on the map, got 'DE-INF-99' in line 1 (5.1.1)"),
        ("DE-INF-1", "attack.unit: expected a German unit on the map, got 1 INF in line 1 (5.1.1)"),
        ("PL-INF-8", "attack.unit: expected a German unit on the map, got 8 INF in line 1 (5.1.1)"),
        ("DE-HQ-I", "attack.headquarters: expected units other than HQs to attack, got I HQ in line 1 (10.1.5)"),
        ("DE-INF-3", "attack.loaded: expected units that can fight, got 3 INF on a train in line 1 (8.1.3)"),
        ("DE-INF-4", "attack.again: expected units that have not attacked in this phase, got 4 INF in line 1 (5.2.7)"),
        (
            "DE-INF-7",
            "attack.adjacent: expected units beside AreaP40 (P40), got 7 INF in AreaG14 (G14) in line 1 (5.2.3)",
        ),
    ],
)
def test_5_2_3_who_may_not_attack(name: str, sentence: str) -> None:
    state = field(
        POLE,
        OTHER,
        ONE,
        unit("DE-HQ-I", "G16"),
        unit("DE-INF-3", "G16", train=Aboard.ARRIVED),
        unit("DE-INF-4", "G16", exerted=26),
        unit("DE-INF-7", "G14"),
    )
    assert state.moment == 26
    assert reasons(state, order("P40", ["DE-INF-11", name])) == [sentence]


def hints(state: State, *orders: AttackOrder) -> list[str]:
    return [reason.hint for reason in attack_refusals(GROUND, state, attacks(*orders))]


def test_reasons_say_what_the_units_of_an_order_can_do_instead() -> None:
    """What one or all of them can attack, which HQ is with them, which support unit is free."""
    state = field(POLE, OTHER, ONE, TWO, unit("DE-INF-7", "G14"), unit("DE-HQ-I", "G17"), day=1, air_used=(2,))
    assert hints(state, order("P41", ["DE-INF-11"])) == ["these units can attack AreaP40 (P40), AreaP44 (P44)"]
    assert hints(state, order("P41", ["DE-INF-11", "DE-INF-61"])) == ["these units can attack AreaP40 (P40)"]
    assert hints(state, order("P41", ["DE-INF-7"])) == ["German units can attack AreaP40 (P40), AreaP44 (P44)"]
    assert hints(state, order("P41", ["DE-INF-7", "DE-INF-61"])) == ["some of these units can attack AreaP40 (P40)"]
    assert hints(state, order("P40", ["DE-INF-7"])) == ["no enemy stands beside it"]
    assert hints(state, order("P44", ["DE-INF-61"])) == ["it can attack AreaP40 (P40)"]
    assert hints(state, order("P40", ["DE-INF-11"], headquarters=("DE-HQ-I",))) == [
        "it is in AreaG17 (G17); no HQ is with the attacking units"
    ]
    assert hints(state, order("P40", ["DE-INF-11"], air=2)) == ["in reach and free: OFF 1, OFF 3, OFF 4, OFF 5"]


def test_10_1_1_who_may_not_support() -> None:
    state = field(POLE, ONE, TWO, unit("PL-HQ-Modlin", "P40"), unit("DE-HQ-I", "G16", train=Aboard.CAME_LOADED))
    names = ("DE-INF-61", "PL-HQ-Modlin", "DE-HQ-II", "DE-HQ-I")
    assert reasons(state, order("P40", ["DE-INF-11"], headquarters=names)) == [
        "attack.support: expected a German HQ on the map, got 61 INF in line 1 (10.1.1)",
        'attack.support: expected a German HQ on the map, got "Modlin" HQ in line 1 (10.1.1)',
        "attack.support: expected a German HQ on the map, got II HQ in line 1 (10.1.1)",
        "attack.loaded: expected units that can fight, got I HQ on a train in line 1 (8.1.3)",
    ]


@pytest.mark.rule("polska1939:6.2.2", "polska1939:6.2.4", "polska1939:6.2.5")
@pytest.mark.parametrize(
    ("day", "used", "number", "sentences"),
    [
        (1, (), 5, []),
        (1, (), 6, ["attack.air: expected an air support unit of the day, got OFF 6 in line 1 (6.2.4)"]),
        (9, (), 1, ["attack.air: expected an air support unit of the day, got OFF 1 in line 1 (6.2.4)"]),
        (
            1,
            (2,),
            2,
            ["attack.air_used: expected an air support unit without another mission, got OFF 2 in line 1 (6.2.2)"],
        ),
    ],
)
def test_6_2_4_air_support(day: int, used: tuple[int, ...], number: int, sentences: list[str]) -> None:
    state = field(POLE, ONE, day=day, air_used=used)
    assert reasons(state, order("P40", ["DE-INF-11"], air=number)) == sentences


@pytest.mark.rule("polska1939:6.2.1", "polska1939:6.2.2")
def test_ruling_5_16_air_support_that_bombs_is_not_free_but_leaves_its_area() -> None:
    state = field(POLE, ONE, day=1)
    bombs = (Bomb(air="off", number=2, area="P40"), Bomb(air="bom", number=1, area="P40"))
    assert reasons(state, order("P40", ["DE-INF-11"], air=2), bombs=bombs) == [
        "attack.air_used: expected an air support unit without another mission, got OFF 2 in line 1 (6.2.2)"
    ]
    assert reasons(state, order("P40", ["DE-INF-11"], air=1), bombs=bombs) == []


@pytest.mark.rule("polska1939:6.2.5")
@pytest.mark.parametrize(
    ("target", "sentences"),
    [
        ("P04", []),
        (
            "P05",
            ["attack.air_range: expected AreaP05 (P05) within reach of OFF 1, got it out of reach in line 1 (6.2.5)"],
        ),
    ],
)
def test_6_2_5_air_support_has_a_radius(target: str, sentences: list[str]) -> None:
    """Four areas from Germany, along a road of five."""
    road = [f"P0{number}" for number in range(1, 6)]
    data = small_board("\n".join(["G01 DE Start", *(f"{area} PL Road" for area in road)]), chain("G01", *road))
    state = field(unit("PL-INF-20", target), unit("DE-INF-11", road[road.index(target) - 1]), day=1)
    found = attack_refusals(data, state, attacks(order(target, ["DE-INF-11"], air=1)))
    assert [reason.sentence() for reason in found] == sentences


def test_5_4_2_losses_and_advance_name_units_of_the_attack() -> None:
    state = field(POLE, ONE, TWO)
    names = {"losses": ("DE-INF-61", "DE-INF-99"), "advance": ("DE-INF-61",)}
    assert reasons(state, order("P40", ["DE-INF-11", "DE-INF-11"], **names)) == [
        "attack.twice: expected each unit once in an attack, got 11 INF again in line 1 (5.2.7)",
        "attack.losses: expected units of the attack to lose, got 61 INF in line 1 (5.4.2)",
        "attack.losses: expected units of the attack to lose, got 'DE-INF-99' in line 1 (5.4.2)",
        "attack.advance: expected units of the attack to advance, got 61 INF in line 1 (5.3.10)",
    ]


# ---------------------------------------------------------------------- orders among each other


@pytest.mark.rule("polska1939:5.2.7")
def test_5_2_7_one_attack_of_a_unit_and_on_an_area() -> None:
    state = field(POLE, OTHER, ONE, TWO, unit("DE-INF-1", "G16"), day=1)
    orders = (
        order("P40", ["DE-INF-11"], air=1),
        order("P40", ["DE-INF-61"]),
        order("P44", ["DE-INF-11", "DE-INF-1"], air=1),
    )
    assert reasons(state, *orders) == [
        "attack.target_again: expected one attack on AreaP40 (P40), got another in line 2 (5.2.7)",
        "attack.again: expected each unit in one attack, got 11 INF in two in line 3 (5.2.7)",
        "attack.air_used: expected each air support unit in one attack, got OFF 1 in two in line 3 (6.2.2)",
    ]


def test_ruling_5_7_orders_that_exclude_each_other_may_use_the_same_units() -> None:
    state = field(POLE, OTHER, unit("PL-INF-30", "P45"), ONE, TWO, unit("DE-INF-1", "G16"))
    either = (
        order("P40", ["DE-INF-61"]),
        order("P44", ["DE-INF-11"], when_taken="P40"),
        order("P45", ["DE-INF-11"], unless_taken="P40"),
        order("P44", ["DE-INF-1"], unless_taken="P40"),
    )
    assert reasons(state, *either) == []


def test_ruling_5_7_a_condition_waits_for_an_earlier_attack() -> None:
    state = field(POLE, OTHER, ONE, TWO)
    orders = (
        order("P40", ["DE-INF-61"], when_taken="P44"),
        order("P44", ["DE-INF-11"], when_taken="P40", unless_taken="P40"),
    )
    assert reasons(state, *orders) == [
        "attack.condition: expected a condition on an earlier attack, got AreaP44 (P44) in line 1 (5.2.7)",
        "attack.condition: expected a condition that can come true, got AreaP40 (P40) taken and not taken "
        "in line 2 (5.2.7)",
    ]


def test_a_target_that_is_none_hides_no_other_order() -> None:
    state = field(POLE, ONE)
    assert reasons(state, order("P41", ["DE-INF-11"]), order("P40", ["DE-INF-61"])) == [
        "attack.target: expected an area with enemy units, got AreaP41 (P41) in line 1 (5.2.3)",
        "attack.unit: expected a German unit on the map, got 61 INF in line 2 (5.1.1)",
    ]
