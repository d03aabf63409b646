"""Attacks from the dice to the advance (5.0), and phases II and V."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from combat_ground import (
    GROUND,
    attackers,
    attacks,
    battle,
    faces,
    field,
    fought,
    order,
    places,
    result,
    strengths,
    unit,
)
from driven import Driven, drive

from pbem.games.polska1939.answers import AttackOrder, Attacks, Defence, Stand
from pbem.games.polska1939.s5_combat import attack_phase
from pbem.games.polska1939.state import Aboard, State, Unit, UnitId
from pbem.rules.play import Asking

POLE = unit("PL-INF-20", "P40", 10)
PAIR = (unit("DE-INF-1", "G16", 16), unit("DE-INF-11", "G16", 16))
"""32 against 10: row 19-22; a 6 is D1, an 11 is nothing, a 12 lets the attacker reorganize."""
D1, NOTHING, AR = 6, 11, 12


def after(driven: Driven) -> State:
    return result(driven).state


def there(state: State, name: str) -> Unit:
    return state.units[UnitId(name)]


# ---------------------------------------------------------------------- the whole narrative


@pytest.mark.rule(
    "polska1939:5.1.1", "polska1939:5.1.1.example", "polska1939:5.2.1", "polska1939:5.4.1", "polska1939:5.4.2"
)
def test_5_1_1_the_example_in_every_number() -> None:
    """42 SP against 15 in forest and line; a 6 is D1, a 7 costs the Poles 1 SP, an 11 the Germans 1 SP."""
    state = field(
        unit("PL-INF-20", "P20", 15),
        unit("DE-INF-11", "G13", 15),
        unit("DE-INF-61", "G13", 15),
        unit("DE-ARM-Kempf", "G13", 12),
    )
    found = fought(state, "P20", D1, 7, 11)
    assert found.told == [
        '5.1.1: German attack on AreaP20 (P20): "Kempf" ARM 12, 11 INF 15, 61 INF 15 from AreaG13 (G13)',
        "5.2.5: attack: 32 (AreaG13 (G13): 32 of 42 SP pass) = 32 SP",
        "5.2.8: defence: 20 INF 15 = 15 SP",
        "1.2: modifier -4: forest -1, fortified line -3",
        "5.2.1: difference 17, row 16-18, modified 4-6: dice 6: D1",
        "5.4.2: losses of the defender: strength 32, row 29-32, modified 13-16: dice 7: 1 SP",
        "5.4.2: losses of the attacker: strength 15, row 13-16, modified 29-32: dice 11: 1 SP",
        "5.4.2: 11 INF loses 1 SP",
        "5.4.2: 20 INF loses 1 SP",
        "5.3.1: retreat to AreaP22 (P22): 20 INF",
        '5.3.10: advance to AreaP20 (P20): "Kempf" ARM, 11 INF, 61 INF',
    ]
    assert found.rolled == [
        "5.1.1/day-5/P20/german-result",
        "5.4.2/day-5/P20/german-defender",
        "5.4.2/day-5/P20/german-attacker",
    ]
    assert (result(found).attacker_loss, result(found).defender_loss, result(found).taken) == (1, 1, True)


@pytest.mark.rule("polska1939:5.3.3", "polska1939:5.3.4", "polska1939:5.4.3")
def test_5_3_3_the_example_when_the_defender_stays() -> None:
    state = field(unit("PL-INF-20", "P20", 15), unit("DE-INF-11", "G13", 16), unit("DE-INF-61", "G13", 16))
    found = fought(state, "P20", D1, 8, 12, stand=Stand(area="P20", stay=True))
    assert found.told[-2:] == ["5.3.4: stay, 1 SP more for each: 20 INF", "5.4.2: 20 INF loses 1 SP"]
    assert (places(after(found))["PL-INF-20"], places(after(found))["DE-INF-11"]) == ("P20", "G13")
    assert result(found).taken is False


def test_everything_that_can_strengthen_an_attack_is_told() -> None:
    state = field(
        unit("PL-INF-20", "P40", 10),
        unit("PL-INF-8", "P40", 12),
        unit("PL-INF-10", "P40", 16),
        unit("PL-HQ-Modlin", "P40"),
        unit("DE-INF-11", "G15", 9),
        unit("DE-HQ-I", "G15"),
        day=1,
        bombed=("P40",),
    )
    found = fought(state, "P40", NOTHING, 12, 12, headquarters=("DE-HQ-I",), air=1)
    assert found.told[:4] == [
        "5.1.1: German attack on AreaP40 (P40): 11 INF 9 from AreaG15 (G15)",
        "5.2.5: attack: 5 (AreaG15 (G15): 9 SP halved) + I HQ 3 + OFF 1 3 = 11 SP",
        '5.2.8: defence: 10 INF 16 + 20 INF 10 + 8 INF 12 + "Modlin" HQ 3 = 35 SP (32 of 38 SP count)',
        "1.2: modifier +1: bombed +1",
    ]


# ---------------------------------------------------------------------- results


@pytest.mark.rule("polska1939:5.2.1", "polska1939:5.5.1", "polska1939:5.5.2")
def test_tables_d1_1_r_defender_disorganizes_loses_1_and_retreats() -> None:
    """The example under the result table: D1(-1)R stands in row 19-22 under 2."""
    found = fought(field(POLE, *PAIR), "P40", 2, 12, 12)
    assert result(found).result.text == "D1(-1)R"
    pole = there(after(found), "PL-INF-20")
    assert (pole.strength, pole.area, pole.disorganized) == (9, "P41", True)
    assert not there(after(found), "DE-INF-1").disorganized
    assert "5.5.2: to be reorganized: 20 INF" in found.told


@pytest.mark.rule("polska1939:5.2.1", "polska1939:5.5.2")
def test_tables_a_1_attacker_loses_1() -> None:
    """The other example: 13 against 18 is row 0 to -5, where an 11 is A(-1)R."""
    state = field(unit("PL-INF-20", "P40", 18), unit("DE-INF-1", "G16", 10), unit("DE-HQ-I", "G16"))
    found = fought(state, "P40", 11, 12, 12, headquarters=("DE-HQ-I",))
    assert result(found).result.text == "A(-1)R"
    german = there(after(found), "DE-INF-1")
    assert (german.strength, german.area, german.disorganized) == (9, "G16", True)
    assert there(after(found), "DE-HQ-I").disorganized
    assert not there(after(found), "PL-INF-20").disorganized


@pytest.mark.rule("polska1939:5.5.1", "polska1939:5.3.1")
def test_5_5_1_even_who_wins_may_have_to_reorganize() -> None:
    """D1AR stands in row 52-64 under 12."""
    four = [
        unit(name, area, 16)
        for name, area in zip(
            ("DE-INF-1", "DE-INF-11", "DE-INF-12", "DE-INF-61"), ("G15", "G16", "G16", "G20"), strict=True
        )
    ]
    state = field(unit("PL-INF-20", "P40", 2), *four)
    found = fought(state, "P40", AR, 12, 12)
    assert result(found).result.text == "D1AR"
    assert (places(after(found))["PL-INF-20"], there(after(found), "DE-INF-1").disorganized) == ("P41", True)


@pytest.mark.rule("polska1939:5.4.2")
def test_5_4_2_losses_of_the_attacker_are_taken_as_ordered() -> None:
    """10 SP cost 1 SP at a 4; A(-2)R another 2: 1 INF alone loses all three."""
    state = field(unit("PL-INF-20", "P40", 18), unit("PL-INF-8", "P40", 14), *PAIR)
    found = fought(state, "P40", AR, 12, 4, losses=("DE-INF-1",))
    assert (result(found).result.text, result(found).attacker_loss) == ("A(-1)R", 2)
    assert strengths(after(found)) == {"DE-INF-1": 14, "DE-INF-11": 16, "PL-INF-20": 18, "PL-INF-8": 14}


def test_ruling_5_20_a_row_past_the_end_is_the_row_at_the_end() -> None:
    state = field(unit("PL-INF-20", "P20", 1), unit("DE-INF-1", "G13", 1))
    told = fought(state, "P20", 2, 2, 12).told
    assert "5.4.2: losses of the defender: strength 1, row 1, modified 1: dice 2: 1 SP" in told
    assert "5.4.2: losses of the attacker: strength 1, row 1, modified 9-12: dice 12: 0 SP" in told


@pytest.mark.rule("polska1939:5.4.2", "polska1939:5.3.1")
def test_ruling_5_19_losses_come_before_the_retreat() -> None:
    """Who is destroyed does not retreat: 20 INF loses its last point, 8 INF goes alone."""
    state = field(unit("PL-INF-20", "P40", 1), unit("PL-INF-8", "P40", 9), *PAIR)
    found = fought(state, "P40", D1, 7, 12, stand=Stand(area="P40", losses=("PL-INF-20",)))
    assert found.told[-3:] == [
        "5.4.2: 20 INF loses 1 SP and is destroyed",
        "5.3.1: retreat to AreaP41 (P41): 8 INF",
        "5.3.10: advance to AreaP40 (P40): 1 INF, 11 INF",
    ]


# ---------------------------------------------------------------------- stamps


@pytest.mark.rule("polska1939:5.5.5", "polska1939:3.1.2.phaseIII")
def test_ruling_10_3_who_fights_or_supports_is_stamped() -> None:
    state = field(POLE, unit("PL-HQ-Modlin", "P40"), *PAIR, unit("DE-HQ-I", "G16"))
    found = after(fought(state, "P40", NOTHING, 12, 12, headquarters=("DE-HQ-I",)))
    stamps = {name: (one.exerted, one.disturbed) for name, one in found.units.items()}
    assert stamps == {
        "DE-HQ-I": (26, 26),
        "DE-INF-1": (26, 26),
        "DE-INF-11": (26, 26),
        "PL-HQ-Modlin": (0, 26),
        "PL-INF-20": (0, 26),
    }


# ---------------------------------------------------------------------- 5.3.2


@pytest.mark.rule("polska1939:5.3.2")
def test_5_3_2_who_retreated_into_an_area_suffers_but_does_not_count() -> None:
    """8 INF came in this phase: 20 INF alone defends, both retreat, and the loss is shared."""
    came = unit("PL-INF-8", "P40", 12, exerted=26, disturbed=26)
    leader = unit("PL-HQ-Modlin", "P40", exerted=26, disturbed=26)
    state = field(POLE, came, leader, *PAIR)
    found = fought(state, "P40", D1, 7, 12)
    assert "5.2.8: defence: 20 INF 10 = 10 SP" in found.told
    assert strengths(after(found)) == {
        "DE-INF-1": 16,
        "DE-INF-11": 16,
        "PL-HQ-Modlin": 0,
        "PL-INF-20": 10,
        "PL-INF-8": 11,
    }
    assert {places(after(found))[name] for name in ("PL-HQ-Modlin", "PL-INF-20", "PL-INF-8")} == {"P41"}


@pytest.mark.rule("polska1939:7.1.4", "polska1939:5.3.2")
def test_5_3_2_who_retreated_into_a_fortress_does_not_make_it_stronger() -> None:
    state = field(unit("PL-INF-20", "P23", 4), unit("PL-INF-8", "P23", 12, exerted=26), unit("DE-INF-1", "G13"))
    assert battle(state, "P23").strength.shift == -2


# ---------------------------------------------------------------------- the advance


@pytest.mark.rule(
    "polska1939:5.3.10", "polska1939:9.2.3", "polska1939:9.2.3.example", "polska1939:9.2.6", "polska1939:4.2.4"
)
def test_5_3_10_who_advances() -> None:
    """With fuel, and where motorized units can go; a pursuit costs fuel, an attack without one does not."""
    units = [
        unit("DE-ARM-1", "G16", 8, fuel=0),
        unit("DE-ARM-3", "G16", 8, fuel=2),
        unit("DE-ARM-4", "G21", 8, fuel=2),
        unit("DE-INF-1", "G21", 8, ceiling=12),
        unit("DE-HQ-I", "G16"),
        unit("DE-HQ-II", "G16"),
    ]
    found = after(fought(field(POLE, *units), "P40", D1, 12, 12, headquarters=("DE-HQ-I",)))
    assert {name: (one.area, one.fuel) for name, one in found.units.items() if name.startswith("DE")} == {
        "DE-ARM-1": ("G16", 0),
        "DE-ARM-3": ("P40", 1),
        "DE-ARM-4": ("G21", 2),
        "DE-HQ-I": ("P40", 0),
        "DE-HQ-II": ("G16", 0),
        "DE-INF-1": ("P40", 0),
    }
    assert there(found, "DE-INF-1").ceiling == 0


@pytest.mark.rule("polska1939:5.3.10")
@pytest.mark.parametrize(
    ("advance", "entered"),
    [
        ("all", {"DE-HQ-I", "DE-INF-1", "DE-INF-11"}),
        ("none", set()),
        (("DE-INF-11",), {"DE-INF-11"}),
        (("DE-HQ-I",), set()),
    ],
)
def test_ruling_5_18_the_order_says_who_advances_and_no_hq_goes_alone(advance: object, entered: set[str]) -> None:
    state = field(POLE, *PAIR, unit("DE-HQ-I", "G16"))
    found = fought(state, "P40", D1, 12, 12, headquarters=("DE-HQ-I",), advance=advance)
    assert {name for name, area in places(after(found)).items() if area == "P40"} == entered
    assert result(found).taken is True


@pytest.mark.rule("polska1939:5.3.10")
def test_5_3_10_nobody_advances_where_the_defender_holds() -> None:
    found = fought(field(POLE, *PAIR), "P40", NOTHING, 7, 12)
    assert (places(after(found))["DE-INF-1"], result(found).taken) == ("G16", False)


@pytest.mark.rule("polska1939:5.3.10")
def test_5_3_10_a_destroyed_defender_vacates_its_area() -> None:
    found = fought(field(unit("PL-INF-20", "P40", 1), *PAIR), "P40", NOTHING - 1, 7, 12)
    assert (result(found).taken, after(found).lost) == (True, ("PL-INF-20",))
    assert places(after(found)) == {"DE-INF-1": "P40", "DE-INF-11": "P40"}


@pytest.mark.rule("polska1939:10.1.4", "polska1939:8.1.3")
def test_10_1_4_hqs_and_trains_that_are_left_are_overrun() -> None:
    """The only division is destroyed without a retreat: row 23-30, an 11 is nothing, a 7 costs 1 SP."""
    loaded = unit("PL-INF-8", "P40", 12, train=Aboard.ARRIVED)
    state = field(unit("PL-INF-20", "P40", 1), unit("PL-HQ-Modlin", "P40"), loaded, *PAIR)
    found = fought(state, "P40", 11, 7, 12)
    assert found.told[-4:] == [
        "5.4.2: 20 INF loses 1 SP and is destroyed",
        "5.3.10: advance to AreaP40 (P40): 1 INF, 11 INF",
        "8.1.3: 8 INF loses 12 SP and is destroyed",
        '10.1.4: "Modlin" HQ is overrun in AreaP40 (P40)',
    ]
    assert sorted(after(found).units) == ["DE-INF-1", "DE-INF-11"]


@pytest.mark.rule("polska1939:10.1.4")
def test_ruling_5_17_an_hq_that_defends_alone_holds_its_area() -> None:
    state = field(unit("PL-HQ-Modlin", "P40"), *PAIR)
    assert result(fought(state, "P40", 11, 12, 12)).taken is False


@pytest.mark.rule("polska1939:7.2.5")
@pytest.mark.parametrize(
    ("advance", "loaded", "left"), [("none", False, False), ("none", True, True), ("all", True, False)]
)
def test_7_2_5_fortifications_go_with_the_defender(advance: str, loaded: bool, left: bool) -> None:
    on_train = [unit("PL-INF-8", "P40", train=Aboard.ARRIVED)] if loaded else []
    state = field(POLE, *on_train, *PAIR, forts={"P40": 1, "P41": 2})
    found = after(fought(state, "P40", D1, 12, 12, advance=advance))
    assert found.forts == ({"P40": 1, "P41": 2} if left else {"P41": 2})


@pytest.mark.rule("polska1939:7.2.5")
def test_7_2_5_fortifications_stay_with_who_stays() -> None:
    found = fought(field(POLE, *PAIR, forts={"P40": 1}), "P40", NOTHING, 12, 12)
    assert after(found).forts == {"P40": 1}


# ---------------------------------------------------------------------- phases II and V


def phase(state: State, answers: Sequence[object], *totals: int) -> Driven:
    return drive(attack_phase(GROUND, state), answers=answers, dice=faces(*totals))  # type: ignore[arg-type]


def all_at(state: State, target: str, **facts: object) -> AttackOrder:
    return order(target, attackers(state, target), **facts)


@pytest.mark.rule("polska1939:3.1.2.phaseII", "polska1939:5.1.1")
def test_3_1_2_attacks_are_ordered_then_the_defence_then_the_dice_fall() -> None:
    state = field(POLE, *PAIR, bombed=("P40",), air_used=(1,))
    found = phase(state, [attacks(all_at(state, "P40")), Defence(stands=(Stand(area="P40", to=("P42",)),))], D1, 12, 12)
    assert found.asked == ["german attacks", "polish defence"]
    assert places(found.result)["PL-INF-20"] == "P42"
    assert (found.result.planned, found.result.bombed, found.result.air_used) == (None, (), ())


@pytest.mark.rule("polska1939:5.2.10")
def test_5_2_10_the_defender_sees_every_attack_before_it_decides() -> None:
    state = field(POLE, *PAIR)
    orders = attacks(all_at(state, "P40"))
    rule = attack_phase(GROUND, state)
    asked = rule.send(None)
    assert isinstance(asked, Asking)
    asked = rule.send((orders,))
    assert isinstance(asked, Asking)
    assert (asked.questions[0].kind, asked.state.planned) == ("defence", orders)


@pytest.mark.rule("polska1939:3.1.2.phaseV")
def test_3_1_2_poles_attack_in_phase_five() -> None:
    state = field(unit("DE-INF-1", "P40", 8), unit("PL-INF-20", "P41", 16), unit("PL-INF-8", "P42", 12), phase=5)
    found = phase(state, [attacks(all_at(state, "P40")), Defence()], D1, 12, 12)
    assert found.asked == ["polish attacks", "german defence"]
    assert places(found.result)["PL-INF-8"] == "P40"


@pytest.mark.rule("polska1939:5.2.2")
def test_5_2_2_nobody_needs_to_attack() -> None:
    found = phase(field(POLE, *PAIR), [Attacks()])
    assert (found.asked, found.told) == (["german attacks"], [])


def test_nobody_is_asked_where_nobody_can_attack() -> None:
    assert phase(field(POLE), []).asked == []


def test_planned_attacks_are_not_asked_for_again() -> None:
    state = field(POLE, *PAIR)
    found = phase(field(POLE, *PAIR, planned=attacks(all_at(state, "P40"))), [Defence()], NOTHING, 12, 12)
    assert found.asked == ["polish defence"]


def test_planned_attacks_on_what_the_bombs_destroyed_are_skipped() -> None:
    """Nobody is asked how to defend, and the player may not order other attacks."""
    planned = attacks(order("P40", ["DE-INF-1"]), order("P44", ["DE-INF-11", "DE-INF-12"]))
    state = field(unit("PL-INF-8", "P45"), *PAIR, planned=planned)
    found = phase(state, [])
    assert found.told == [
        "5.1.1: no attack on AreaP40 (P40): expected an area with enemy units, got AreaP40 (P40)",
        "5.1.1: no attack on AreaP44 (P44): expected an area with enemy units, got AreaP44 (P44)",
    ]
    assert found.asked == []


@pytest.mark.parametrize(
    ("total", "made", "skipped"),
    [
        (D1, "P44", "5.1.1: no attack on AreaP45 (P45): AreaP40 (P40) is taken"),
        (NOTHING, "P45", "5.1.1: no attack on AreaP44 (P44): AreaP40 (P40) is not taken"),
    ],
)
def test_ruling_5_7_an_attack_may_wait_for_another(total: int, made: str, skipped: str) -> None:
    others = (unit("PL-INF-8", "P44", 12), unit("PL-INF-30", "P45", 12), unit("DE-INF-12", "G16", 14))
    state = field(POLE, *others, *PAIR)
    orders = (
        order("P40", ["DE-INF-1", "DE-INF-11"]),
        order("P44", ["DE-INF-12"], when_taken="P40"),
        order("P45", ["DE-INF-12"], unless_taken="P40"),
    )
    found = phase(state, [attacks(*orders), Defence()], total, 12, 12, 8, 12, 12)
    assert skipped in found.told
    assert f"5.1.1/day-5/{made}/german-result" in found.rolled
    assert len(found.rolled) == 6


@pytest.mark.rule("polska1939:5.3.2", "polska1939:5.2.7")
def test_5_3_2_in_a_phase_a_retreat_into_an_area_under_attack() -> None:
    """20 INF retreats to P41, which is attacked after it: 8 INF alone defends there, and both go on."""
    state = field(POLE, unit("PL-INF-8", "P41", 8), *PAIR, unit("DE-INF-12", "P44", 16), unit("DE-INF-61", "P44", 16))
    orders = (order("P40", ["DE-INF-1", "DE-INF-11"]), order("P41", ["DE-INF-12", "DE-INF-61"]))
    stands = Defence(stands=(Stand(area="P40", to=("P41",)), Stand(area="P41", to=("P42",))))
    found = phase(state, [attacks(*orders), stands], D1, 12, 12, D1, 12, 12)
    assert "5.2.8: defence: 8 INF 8 = 8 SP" in found.told
    assert [places(found.result)[name] for name in ("PL-INF-20", "PL-INF-8")] == ["P42", "P42"]
    assert strengths(found.result)["PL-INF-20"] == 10


def test_5_2_7_air_support_and_units_are_spent_in_a_phase() -> None:
    """What two planned orders share is used by the first alone."""
    planned = attacks(order("P40", ["DE-INF-1"], air=1), order("P44", ["DE-INF-11"], air=1), order("P45", ["DE-INF-1"]))
    state = field(POLE, unit("PL-INF-8", "P44"), unit("PL-INF-30", "P45"), *PAIR, day=1, planned=planned)
    found = phase(state, [Defence()], NOTHING, 12, 12)
    assert [line for line in found.told if line.startswith("5.1.1: no")] == [
        "5.1.1: no attack on AreaP44 (P44): expected an air support unit without another mission, got OFF 1",
        "5.1.1: no attack on AreaP45 (P45): expected units that have not attacked in this phase, got 1 INF",
    ]


def test_5_2_7_an_area_is_attacked_once_in_a_phase() -> None:
    planned = attacks(order("P40", ["DE-INF-1"]), order("P40", ["DE-INF-11"]))
    found = phase(field(POLE, *PAIR, planned=planned), [Defence()], NOTHING, 12, 12)
    assert found.told[-1] == "5.1.1: no attack on AreaP40 (P40): it has been attacked already"
