"""The defender's plan (5.1.1, 5.3.3, 5.4.2, 10.1.3 c)."""

from __future__ import annotations

import pytest
from combat_ground import GROUND, attacks, field, order, unit

from pbem.games.polska1939.answers import Defence, Stand
from pbem.games.polska1939.s5_defence import defence_question, defence_refusals, may_stay
from pbem.games.polska1939.state import Aboard, AreaId, State, Unit

POLE, OTHER, HQ = unit("PL-INF-20", "P70"), unit("PL-INF-8", "P70"), unit("PL-HQ-Modlin", "P70")
ONE, TWO = unit("DE-INF-11", "G16"), unit("DE-INF-61", "G17")


def attacked(*units: Unit, target: str = "P70", **facts: object) -> State:
    """11 INF and 61 INF attack an area."""
    planned = attacks(order(target, ["DE-INF-11", "DE-INF-61"]))
    return field(*units, ONE, TWO, planned=planned, **facts)


def reasons(state: State, *stands: Stand) -> list[str]:
    return [reason.sentence() for reason in defence_refusals(GROUND, state, Defence(stands=stands))]


# ---------------------------------------------------------------------- whether anything is asked


@pytest.mark.rule("polska1939:5.1.1")
@pytest.mark.parametrize(
    ("units", "asked"),
    [
        ((POLE,), False),
        ((POLE, HQ), False),
        ((HQ,), False),
        ((POLE, unit("PL-INF-8", "P70", train=Aboard.CAME_LOADED)), False),
        ((POLE, OTHER), True),
        ((POLE, HQ, unit("PL-HQ-Lublin", "P70")), True),
    ],
)
def test_ruling_5_21_a_defender_without_a_choice_is_not_asked(units: tuple[Unit, ...], asked: bool) -> None:
    """From P70 there is no way out; several units or several HQs are a choice."""
    assert (defence_question(GROUND, attacked(*units)) is not None) is asked


def test_ways_out_and_fortifications_are_a_choice() -> None:
    assert defence_question(GROUND, attacked(POLE, forts={"P70": 1})) is None
    assert defence_question(GROUND, attacked(POLE, forts={"P70": 2})) is not None
    assert defence_question(GROUND, attacked(unit("PL-INF-20", "P40"), target="P40")) is not None


def test_one_question_for_all_attacked_areas() -> None:
    two = attacks(order("P40", ["DE-INF-61"]), order("P44", ["DE-INF-11"]), order("P41", ["DE-INF-11"]))
    state = field(unit("PL-INF-20", "P40"), unit("PL-INF-8", "P44"), ONE, TWO, planned=two)
    question = defence_question(GROUND, state)
    assert question is not None
    assert (question.role, question.about) == ("polish", "attacked: AreaP40 (P40), AreaP44 (P44)")
    assert [question.check(option) for option in question.legal()] == [[]] * len(question.legal())
    assert len(question.legal()) > 4


def test_nobody_is_asked_without_attacks() -> None:
    assert defence_question(GROUND, field(POLE, OTHER, ONE)) is None


# ---------------------------------------------------------------------- staying


@pytest.mark.rule("polska1939:5.3.3", "polska1939:12.1.1")
@pytest.mark.parametrize(
    ("units", "area", "level", "stays"),
    [
        ((unit("PL-INF-20", "P40"),), "P40", 0, False),
        ((unit("PL-INF-20", "P40"),), "P40", 1, False),
        ((unit("PL-INF-20", "P40"),), "P40", 2, True),
        ((unit("PL-INF-20", "P20"),), "P20", 0, True),
        ((unit("PL-INF-20", "P23", 2),), "P23", 0, True),
        ((unit("SU-INF-2", "P40"),), "P40", 2, False),
        ((unit("SU-INF-2", "P40"), unit("DE-INF-1", "P40")), "P40", 2, True),
    ],
)
def test_5_3_3_who_may_stay(units: tuple[Unit, ...], area: str, level: int, stays: bool) -> None:
    state = field(*units, day=20, forts={area: level} if level else {})
    assert may_stay(GROUND, state, AreaId(area)) is stays


# ---------------------------------------------------------------------- reasons


def test_reasons_against_a_plan() -> None:
    state = attacked(unit("PL-INF-20", "P40"), HQ, target="P40")
    stand = Stand(area="P40", headquarters="PL-HQ-Modlin", stay=True, to=("P41", "P44"), losses=("PL-INF-8",))
    assert reasons(state, stand, Stand(area="P40"), Stand(area="P70"), Stand(area="X99")) == [
        'defence.headquarters: expected an HQ in AreaP40 (P40), got "Modlin" HQ in line 1 (10.1.3)',
        "defence.stay: expected a retreat from AreaP40 (P40), whose fortifications are too weak, got 'stay' "
        "in line 1 (5.3.3)",
        "defence.retreat: expected areas beside AreaP40 (P40) for a retreat, got AreaP44 (P44) in line 1 (5.3.1)",
        "defence.losses: expected attacked units to lose, got 8 INF in line 1 (5.4.2)",
        "defence.twice: expected one defence of an area, got another of AreaP40 (P40) in line 2 (5.2.7)",
        "defence.area: expected an area that is attacked, got AreaP70 (P70) in line 3 (5.1.1)",
        "defence.area: expected an area that is attacked, got 'X99' in line 4 (5.1.1)",
    ]


def test_reasons_against_a_plan_say_what_would_be_right() -> None:
    stand = Stand(area="P40", headquarters="PL-HQ-Modlin", stay=True, to=("P44",))
    others = ("P41", "P42", "P43", "G15", "G18", "G19", "G20", "G21")
    ways = f"ways back lead to {', '.join(f'Area{area} ({area})' for area in others)}"
    stays = "only a fortification of -2, -3 or -4 lets units stay; mountains, forest and rivers do not"
    for more, leaders in (((), "no HQ is there: leave 'hq' out"), ((unit("PL-HQ-Lublin", "P40"),), None)):
        found = defence_refusals(
            GROUND, attacked(unit("PL-INF-20", "P40"), *more, target="P40"), Defence(stands=(stand,))
        )
        assert [reason.hint for reason in found] == [leaders or 'HQs there: "Lublin" HQ', stays, ways]


@pytest.mark.rule("polska1939:12.1.1")
def test_12_1_1_soviets_cannot_be_told_to_stay() -> None:
    planned = attacks(order("P40", ["PL-INF-8"]))
    state = field(unit("SU-INF-2", "P40"), unit("PL-INF-8", "P41"), day=20, phase=5, planned=planned, forts={"P40": 2})
    assert reasons(state, Stand(area="P40", stay=True)) == [
        "defence.stay: expected a retreat of the Soviet units in AreaP40 (P40), got 'stay' in line 1 (12.1.1)"
    ]


@pytest.mark.rule("polska1939:4.1.5.exception")
def test_4_1_5_a_retreat_may_be_planned_through_a_node() -> None:
    state = field(unit("PL-INF-20", "P50"), unit("DE-INF-11", "G30"), planned=attacks(order("P50", ["DE-INF-11"])))
    assert reasons(state, Stand(area="P50", to=("P51", "G31"))) == []
