"""The combat step: what can be fought, orders in turn, conditions, questions, and what is refused (5.1, 8.0)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.games.white_eagle.answers import Battle, Battles, Defence, Fight
from pbem.games.white_eagle.kinds import Event
from pbem.games.white_eagle.s8_battles import (
    battle_refusals,
    battles_question,
    combats,
    defence_question,
    defence_refusals,
    defence_retreats,
    planned_combats,
)
from pbem.games.white_eagle.s9_siege import activated
from pbem.games.white_eagle.state import State
from white_eagle.combat_ground import GROUND, attack, battles, drive, fight_battles, places
from white_eagle.positions import unit

FOOT = "POL-Lodz-1*"


def two_fights(**facts: Any) -> State:
    """One German corps in Mitte and one in Dom, each with a reduced Polish unit that retreats nowhere else."""
    others = [FOOT, "POL-Prusy-1* Dom", "GER-4th-2 Dom"]
    return attack("GER-4th-1 Alfa", against=others, entered={"GER-4th-2": "Ende"}, **facts)


def fights(told: list[str]) -> list[str]:
    return [line.removeprefix("8.0.p1: ") for line in told if line.startswith("8.0.p1")]


IN_MITTE = "combat in Mitte: II Corps against Lodz INF"
IN_DOM = "combat in Dom: III Corps against Prusy INF"

# ---------------------------------------------------------------------- what is fought, and in which order


@pytest.mark.rule("white_eagle:8.0.p1")
def test_8_0_combats_are_listed_with_both_sides() -> None:
    first, second = combats(GROUND, two_fights(pulled=("Stuka", "Train", "Sabotage", "Blitzkrieg")))
    assert (first.box, second.box) == ("Dom", "Mitte")
    assert (second.attackers, second.defenders, second.launched) == (("GER-4th-1",), ("POL-Lodz-1",), ("Alfa",))
    assert (second.must, second.siege, second.sortie) == (True, False, "")
    assert second.attack_events == (Event.STUKA, Event.BLITZKRIEG)
    assert second.defence_events == (Event.TRAIN,)


@pytest.mark.rule("white_eagle:8.0.p1")
def test_8_0_all_combats_are_fought_those_that_are_not_named_last() -> None:
    named = battles(two_fights(), 1, 1, 1, 1, battles=(Battle(box="Mitte"),))
    assert fights(named.told) == [IN_MITTE, IN_DOM]
    unnamed = battles(two_fights(), 1, 1, 1, 1)
    assert fights(unnamed.told) == [IN_DOM, IN_MITTE]
    assert activated(unnamed.result).planned == ()


@pytest.mark.rule("white_eagle:8.0.p1")
def test_8_0_a_siege_that_nobody_names_is_not_fought() -> None:
    state = attack("GER-4th-1 Fort", against=[], box="Fort", forts={"Fort": 2})
    assert battles(state).told == []
    assert len(battles(state, 1, 1, 1, battles=(Battle(box="Fort"),)).told) > 0


def test_8_5_who_retreats_into_a_fight_to_come_takes_no_part_in_it() -> None:
    """The cavalry comes to Dom, where the infantry alone fights; it leaves with it when that is lost."""
    others = ["POL-Prusy-2", "POL-Prusy-1 Dom", "GER-4th-2 Dom", "GER-10th-1 Ende"]
    state = attack("GER-4th-1 Alfa", against=others, entered={"GER-4th-2": "Warta"})
    mitte = Fight(box="Mitte", retreat=("Dom",))
    found = battles(state, 1, 4, 4, 1, battles=(Battle(box="Mitte"),), answers=(Defence(fights=(mitte,)),))
    assert "8.5.b3: retreat to Dom: Prusy CAV" in found.told
    assert fights(found.told)[1] == "combat in Dom: III Corps against Prusy INF"
    assert places(found.result)["POL-Prusy-2"] == places(found.result)["POL-Prusy-1"] == "Burg*"
    assert activated(found.result).idle == ("GER-4th-1", "GER-4th-2")


# ---------------------------------------------------------------------- conditions


@pytest.mark.rule("white_eagle:5.1.p1", "white_eagle:8.0.p1")
@pytest.mark.parametrize(
    ("die", "told"),
    [
        (6, "8.3.p1: German III Corps on 4+: dice 1: no hit"),
        (1, "8.3.p1: German III Corps on 4+ (Ju 87 Stuka +1): dice 1: no hit"),
    ],
)
def test_8_0_an_event_that_waits_for_another_result(die: int, told: str) -> None:
    plan = (Battle(box="Mitte"), Battle(box="Dom", event=Event.STUKA, unless_won="Mitte"))
    found = battles(two_fights(pulled=("Stuka",)), die, 1, 1, 1, battles=plan)
    assert told in found.told
    assert found.result.used == (("Stuka",) if die == 1 else ())


@pytest.mark.rule("white_eagle:8.0.p1")
def test_8_0_two_orders_of_which_one_comes_true() -> None:
    plan = (
        Battle(box="Mitte"),
        Battle(box="Dom", event=Event.STUKA, when_won="Mitte"),
        Battle(box="Dom", event=Event.BLITZKRIEG, unless_won="Mitte"),
    )
    state = two_fights(pulled=("Stuka", "Blitzkrieg"))
    assert battles(state, 6, 1, 1, 1, battles=plan).result.used == ("Stuka",)
    assert battles(state, 1, 1, 1, 1, battles=plan).result.used == ("Blitzkrieg",)


def test_8_0_a_condition_that_fails_is_told_and_leaves_an_optional_combat_out() -> None:
    state = attack("GER-4th-1 Alfa", against=[FOOT, "GER-4th-2 Fort"], forts={"Fort": 2})
    found = battles(state, 1, 1, battles=(Battle(box="Mitte"), Battle(box="Fort", when_won="Mitte")))
    assert found.told[-1] == "8.0.p1: no combat in Fort as ordered: Mitte was not won"


# ---------------------------------------------------------------------- asking the attacker again


@pytest.mark.rule("white_eagle:8.0.p1")
def test_8_0_the_attacker_sees_results_before_he_goes_on() -> None:
    state = two_fights(pulled=("Stuka",))
    rest = Battles(battles=(Battle(box="Dom", event=Event.STUKA, when_won="Mitte"),))
    found = battles(state, 6, 1, 3, 1, battles=(Battle(box="Mitte"),), ask_again=True, answers=(rest,))
    assert [(question.kind, question.role) for question in found.asked] == [("battles", "german")]
    assert found.result.used == ("Stuka",)
    assert fights(found.told) == [IN_MITTE, IN_DOM]


def test_8_0_nobody_is_asked_when_no_combat_is_left() -> None:
    state = attack("GER-4th-1 Alfa", against=[FOOT])
    assert battles(state, 1, 1, battles=(Battle(box="Mitte"),), ask_again=True).asked == []
    assert battles_question(GROUND, battles(state, 1, 1).result) is None


# ---------------------------------------------------------------------- asking the defender


def asks(state: State, *planned: Battle) -> str:
    """What the defender is asked about, empty for nothing."""
    question = defence_question(GROUND, with_plan(state, *planned))
    return question.about if question else ""


def with_plan(state: State, *planned: Battle) -> State:
    return replace(state, activation=replace(activated(state), planned=planned))


MITTE = Battle(box="Mitte")


def test_8_0_the_defender_is_asked_only_where_he_can_choose() -> None:
    assert asks(attack("GER-4th-1 Alfa", against=[FOOT]), MITTE) == ""
    assert asks(attack("GER-4th-1 Alfa", against=[FOOT], pulled=("P11",)), MITTE) == "attacked: Mitte"
    assert asks(attack("GER-4th-1 Alfa", against=[FOOT], pulled=("Stuka",)), MITTE) == ""
    assert asks(attack("GER-4th-1 Alfa", against=["POL-Lodz-1*", "POL-Lodz-2*"]), MITTE) == "attacked: Mitte"
    assert asks(attack("GER-4th-1 Alfa", against=["POL-Lodz-1"]), MITTE) == "attacked: Mitte"
    no_way = attack("GER-4th-1 Alfa", "GER-4th-2 Bern", against=["POL-Lodz-1"], turn=1, held=("Ende",))
    assert asks(no_way.with_units([unit("GER-10th-1", "Ende")]), MITTE) == ""


@pytest.mark.rule("white_eagle:9.0.b4")
def test_9_0_the_defender_of_a_fort_is_asked_whether_he_leaves() -> None:
    fort = Battle(box="Fort")
    assert asks(attack("GER-4th-1 Alfa", against=[], box="Fort", forts={"Fort": 2}), fort) == ""
    state = attack("GER-4th-1 Alfa", against=["POL-Narew-1"], box="Fort", forts={"Fort": 2})
    assert asks(state, fort) == "attacked: Fort"


@pytest.mark.rule("white_eagle:8.0.p1")
def test_8_0_one_question_for_all_combats_or_one_before_each() -> None:
    state = two_fights(pulled=("P11",))
    once = battles(state, 1, 1, 1, 1, answers=(Defence(fights=(Fight(box="Mitte", event=Event.P11),)),))
    assert [question.about for question in once.asked] == ["attacked: Dom, Mitte"]
    assert once.result.used == ("P11",)
    each = (Defence(ask_again=True), Defence(fights=(Fight(box="Mitte", event=Event.P11),), ask_again=True))
    found = battles(state, 1, 1, 1, 1, answers=each)
    assert [question.about for question in found.asked] == ["attacked: Dom, Mitte", "attacked: Mitte"]


def test_8_0_an_event_of_the_defender_goes_to_the_first_combat_that_is_fought() -> None:
    state = two_fights(pulled=("P11",))
    plan = (Battle(box="Mitte"), Battle(box="Dom", unless_won="Mitte"))
    both = Defence(fights=(Fight(box="Dom", event=Event.P11), Fight(box="Mitte", event=Event.P11)))
    found = battles(state, 1, 1, 1, 1, battles=plan, answers=(both,))
    assert "8.3.p1: Polish Lodz INF on 6+ (PZL P.11 +1): dice 1: no hit" in found.told
    assert "8.3.p1: Polish Prusy INF on 6+: dice 1: no hit" in found.told


def test_8_0_what_a_sheet_shows_of_planned_combats() -> None:
    state = with_plan(two_fights(), MITTE, Battle(box="Ende"))
    ((battle, combat),) = planned_combats(GROUND, state)
    assert (battle, combat.box) == (MITTE, "Mitte")
    assert defence_retreats(GROUND, state, combat) == ("Ende", "Dom", "Bern", "Cham")


def test_8_0_some_answers_are_listed_for_programs() -> None:
    state = attack("GER-4th-1 Alfa", against=["POL-Narew-1", "POL-Narew-2"], box="Fort", forts={"Fort": 1})
    question = defence_question(GROUND, with_plan(state, Battle(box="Fort")))
    assert question is not None
    assert [fight for answer in question.legal() for fight in answer.fights] == [
        Fight(box="Fort", leave=True, retreat=("Tor",)),
        Fight(box="Fort", leave=True, retreat=("Bern",)),
        Fight(box="Fort", losses=("POL-Narew-1",)),
        Fight(box="Fort", losses=("POL-Narew-2",)),
    ]


def test_8_0_the_defender_is_not_asked_again_for_a_combat_that_comes_late() -> None:
    state = two_fights(pulled=("P11",))
    plan = (Battle(box="Mitte"), Battle(box="Dom", when_won="Mitte"))
    found = battles(state, 1, 1, 1, 1, battles=plan, answers=(Defence(),))
    assert fights(found.told) == [IN_MITTE, "no combat in Dom as ordered: Mitte was not won", IN_DOM]


# ---------------------------------------------------------------------- refusals of the attacker


def refused(state: State, *orders: Battle, **plan: Any) -> list[str]:
    """Every reason against combats, each with its hint."""
    found = battle_refusals(GROUND, state, Battles(battles=orders, **plan))
    return [part for one in found for part in (one.sentence(), one.hint) if part]


@pytest.mark.rule("white_eagle:8.0.p1")
def test_8_0_a_combat_where_nobody_can_fight_is_refused() -> None:
    assert refused(two_fights(), Battle(box="Warta"), Battle(box="Nowhere")) == [
        "battle.nobody: expected a box where units of German North can fight, got Warta in line 1 (8.0.p1)",
        "possible are: attack Dom, attack Mitte",
        "battle.box: expected a box of the map, got 'Nowhere' in line 2 (8.0.p1)",
    ]


@pytest.mark.rule("white_eagle:8.0.p1")
def test_8_0_one_combat_in_a_box() -> None:
    assert refused(two_fights(), MITTE, MITTE) == [
        "battle.twice: expected one combat in Mitte, got another in line 2 (8.0.p1)"
    ]


@pytest.mark.rule("white_eagle:5.1.p1")
def test_5_1_an_event_must_be_drawn_unused_and_once() -> None:
    state = two_fights(pulled=("Stuka", "Blitzkrieg"), used=("Blitzkrieg",))
    orders = (Battle(box="Mitte", event=Event.STUKA), Battle(box="Dom", event=Event.STUKA))
    assert refused(state, *orders) == [
        "battle.event_twice: expected each event in one combat of a turn, got Ju 87 Stuka again after Mitte"
        " in line 2 (5.1.p1)",
        "conditions that exclude each other would allow it",
    ]
    assert refused(state, Battle(box="Mitte", event=Event.BLITZKRIEG), Battle(box="Dom", event=Event.P11)) == [
        "battle.event: expected an event of the German side that is drawn and not used, got Blitzkrieg"
        " in line 1 (5.1.p1)",
        "ready: Ju 87 Stuka",
        "battle.event: expected an event of the German side that is drawn and not used, got PZL P.11"
        " in line 2 (5.1.p1)",
        "ready: Ju 87 Stuka",
    ]


@pytest.mark.rule("white_eagle:5.1.b1", "white_eagle:5.1.b2")
def test_5_1_no_blitzkrieg_against_a_fort_and_no_luftwaffe_in_an_attack() -> None:
    state = attack("GER-4th-1 Alfa", against=[], box="Fort", forts={"Fort": 2}, pulled=("Blitzkrieg", "Luftwaffe"))
    assert refused(state, Battle(box="Fort", event=Event.BLITZKRIEG)) == [
        "battle.event: expected an event that can be used in this combat in Fort, got Blitzkrieg in line 1 (5.1.b2)",
        "it is used in an attack, but not against a fort",
    ]
    assert refused(state, Battle(box="Fort", event=Event.LUFTWAFFE)) == [
        "battle.event: expected an event that can be used in this combat in Fort, got Luftwaffe in line 1 (5.1.b1)",
        "in combat it is used by besiegers against a fort that attacks alone",
    ]
    open_now = attack("GER-4th-1 Alfa", against=[FOOT], box="Fort", forts={"Fort": 0}, pulled=("Blitzkrieg",))
    assert refused(open_now, Battle(box="Fort", event=Event.BLITZKRIEG)) == []


@pytest.mark.rule("white_eagle:5.1.b4", "white_eagle:5.1.b5")
def test_5_1_poles_attack_without_train_and_sabotage() -> None:
    state = attack("POL-Lodz-1 Dom", against=["GER-4th-1"], command="POL-Central", pulled=("Train", "Sabotage", "P11"))
    assert refused(state, Battle(box="Mitte", event=Event.TRAIN)) == [
        "battle.event: expected an event that can be used in this combat in Mitte, got Armored Train"
        " in line 1 (5.1.b4)",
        "it is used in defence, inside Poland",
    ]
    assert refused(state, Battle(box="Mitte", event=Event.SABOTAGE)) == [
        "battle.event: expected an event that can be used in this combat in Mitte, got Sabotage in line 1 (5.1.b5)",
        "it is used before German movement, not in combat",
    ]
    assert refused(state, Battle(box="Mitte", event=Event.P11)) == []


@pytest.mark.rule("white_eagle:9.0.p2")
def test_9_0_a_sortie_that_cannot_be_made() -> None:
    open_box = attack("POL-Narew-1 Dom", against=["GER-4th-1"], command="POL-North")
    assert refused(open_box, Battle(box="Mitte", sortie="all")) == [
        "battle.sortie: expected a besieged fort of the Polish side, got Mitte in line 1 (9.0.p2)"
    ]

    def fort(*orders: Battle, inside: tuple[str, ...] = ("POL-Narew-1 Fort",), **facts: Any) -> list[str]:
        given = {"command": "POL-North", "box": "Fort", "forts": {"Fort": 1}, **facts}
        return refused(attack(*inside, against=["GER-4th-1"], **given), *orders)

    all_out, alone, plain = Battle(box="Fort", sortie="all"), Battle(box="Fort", sortie="fort"), Battle(box="Fort")
    assert fort(all_out, fort_turns=("Fort",)) == [
        "battle.sortie: expected one activation of a fort in a turn, got Fort again in line 1 (9.0.p2)"
    ]
    assert fort(all_out, left=("Fort",)) == [
        "battle.sortie: expected a sortie or units that leave, got both from Fort in line 1 (9.0.b8)",
        "one activation of a fort brings one of them",
    ]
    assert fort(all_out, fought=("Fort",)) == [
        "battle.sortie: expected one combat in a box, got another in Fort in line 1 (9.0.p2)"
    ]
    assert fort(Battle(box="Mitte")) == [
        "battle.nobody: expected a box where units of Polish North can fight, got Mitte in line 1 (8.0.p1)",
        "possible are: sortie of all in Fort, the fort of Fort alone",
    ]
    assert fort(all_out, command="POL-South") == [
        "battle.sortie: expected the chit of the fort or of its units, got Polish South for Fort in line 1 (9.0.p2)",
        "the fort is of Polish North",
    ]
    assert fort(all_out, inside=()) == [
        "battle.sortie: expected units in the fort of Fort for a sortie with all, got none in line 1 (9.0.b6)",
        "the fort alone can attack",
    ]
    assert fort(plain) == [
        "battle.nobody: expected units that came to the relief of Fort, got none that can attack in line 1 (9.0.p2)",
        "what is in the fort attacks by a sortie",
    ]
    assert fort(alone.model_copy(update={"advance": ("Tor",)})) == [
        "battle.advance: expected no advance of the fort of Fort alone, got one in line 1 (9.0.b7)"
    ]
    supported = attack(
        "POL-Narew-1 Fort",
        support=["POL-Narew-2 Tor"],
        against=["GER-4th-1"],
        box="Fort",
        command="POL-North",
        forts={"Fort": 1},
    )
    assert refused(supported, alone) == [
        "battle.sortie: expected a combat of the units that came to support in Fort, got one of the fort alone"
        " in line 1 (9.0.b7)",
        "supporting units must fight: attack, or make a sortie with all",
    ]


@pytest.mark.rule("white_eagle:8.4.p1", "white_eagle:8.5.p5", "white_eagle:8.5.b2", "white_eagle:9.0.b4")
def test_8_4_plans_that_mean_nothing_are_refused() -> None:
    order = Battle(box="Mitte", losses=("POL-Lodz-1", "GER-9"), advance=("Warta",), retreat=("Tor",), leave=True)
    assert refused(two_fights(), order) == [
        "battle.losses: expected units of this combat to take hits, got Lodz INF in line 1 (8.4.p1)",
        "they can fall on II Corps",
        "battle.losses: expected units of this combat to take hits, got 'GER-9' in line 1 (8.4.p1)",
        "they can fall on II Corps",
        "battle.advance: expected a box beside Mitte for an advance, got Warta in line 1 (8.5.p5)",
        "lines lead to Alfa, Bern, Cham, Dom, Ende",
        "battle.retreat: expected boxes near Mitte for a retreat, got Tor in line 1 (8.5.b2)",
        "lines lead to Alfa, Bern, Cham, Dom, Ende",
        "battle.leave: expected a siege to leave, got an open combat in Mitte in line 1 (9.0.b4)",
        "in the open the loser retreats, and the winner stays",
    ]


@pytest.mark.rule("white_eagle:8.0.p1")
def test_8_0_conditions_that_cannot_come_true_are_refused() -> None:
    assert refused(two_fights(), Battle(box="Mitte", when_won="Dom"), Battle(box="Dom")) == [
        "battle.condition: expected a condition on an earlier combat, got Dom in line 1 (8.0.p1)",
        "write the combat that it waits for above it",
    ]
    both = Battle(box="Dom", when_won="Mitte", unless_won="Mitte")
    assert refused(two_fights(), MITTE, both) == [
        "battle.condition: expected a condition that can come true, got Mitte won and not won in line 2 (8.0.p1)"
    ]
    assert refused(two_fights(fought=("Ende",)), Battle(box="Mitte", when_won="Ende")) == [
        "battle.condition: expected a condition that can come true, got one on Ende, not won in line 1 (8.0.p1)"
    ]
    assert refused(two_fights(fought=("Ende",), won=("Ende",)), Battle(box="Mitte", when_won="Ende")) == []


def test_8_0_a_question_behind_no_combat_is_refused() -> None:
    assert refused(two_fights(), ask_again=True) == [
        "battle.ask: expected a combat before the question what comes next, got none (8.0.p1)",
        "order a combat first, or leave the question out",
    ]


# ---------------------------------------------------------------------- refusals of the defender


def refused_defence(state: State, *fights_of: Fight) -> list[str]:
    state = with_plan(state, MITTE, Battle(box="Dom"))
    found = defence_refusals(GROUND, state, Defence(fights=fights_of))
    return [part for one in found for part in (one.sentence(), one.hint) if part]


@pytest.mark.rule("white_eagle:8.4.p1", "white_eagle:8.5.b2")
def test_8_4_what_a_defender_cannot_plan() -> None:
    fight = Fight(box="Mitte", losses=("GER-4th-1",), retreat=("Fort", "Burg"), leave=True)
    assert refused_defence(two_fights(), fight, Fight(box="Mitte"), Fight(box="Ende")) == [
        "battle.losses: expected units of this combat to take hits, got II Corps in line 1 (8.4.p1)",
        "they can fall on Lodz INF",
        "battle.leave: expected a siege to leave, got an open combat in Mitte in line 1 (9.0.b4)",
        "in the open the loser retreats, and the winner stays",
        "defence.twice: expected one defence of Mitte, got another in line 2 (8.0.p1)",
        "defence.box: expected a box that is attacked, got Ende in line 3 (8.0.p1)",
        "attacked are Mitte, Dom",
    ]


@pytest.mark.rule("white_eagle:5.1.b4", "white_eagle:5.1.p1")
def test_5_1_what_a_defender_cannot_use() -> None:
    state = two_fights(pulled=("Train", "Stuka"))
    twice = (Fight(box="Mitte", event=Event.TRAIN), Fight(box="Dom", event=Event.TRAIN))
    assert refused_defence(state, *twice) == [
        "battle.event_twice: expected each event in one combat of a turn, got Armored Train again after Mitte"
        " in line 2 (5.1.p1)",
        "conditions that exclude each other would allow it",
    ]
    assert refused_defence(state, Fight(box="Mitte", event=Event.STUKA)) == [
        "battle.event: expected an event of the Polish side that is drawn and not used, got Ju 87 Stuka"
        " in line 1 (5.1.p1)",
        "ready: Armored Train",
    ]
    abroad = attack("GER-4th-1 Bern", against=[FOOT], box="Alfa", pulled=("Train",))
    found = defence_refusals(
        GROUND,
        with_plan(abroad, Battle(box="Alfa")),
        Defence(fights=(Fight(box="Alfa", event=Event.TRAIN),)),
    )
    assert [one.sentence() for one in found] == [
        "battle.event: expected an event that can be used in this combat in Alfa, got Armored Train in line 1 (5.1.b4)"
    ]


def test_what_is_played_is_told_by_a_rule_alone() -> None:
    assert drive(fight_battles(GROUND, attack("GER-4th-1 Alfa", against=[FOOT]), Battles()), dice=(1, 1)).asked == []
