"""One combat: groups, modifiers, dice, hits, and who keeps the box (8.0 to 8.6)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.white_eagle.figures import Combat
from pbem.games.white_eagle.kinds import Event, Side
from pbem.games.white_eagle.s8_dice import Modifier, Throw, hits_of, scores_hit
from pbem.games.white_eagle.state import State
from white_eagle.combat_ground import attack, fought, places, resolved
from white_eagle.positions import DATA

FIGURES: Combat = DATA.figures.combat
CORPS, CORPS_2, TANKS = "GER-4th-1", "GER-4th-2", "GER-4th-3"
FOOT, HORSE = "POL-Lodz-1", "POL-Lodz-2"


def dice_lines(told: list[str]) -> list[str]:
    return [line for line in told if ": dice " in line]


def outcome(state: State, *dice: int, **plan: Any) -> dict[str, str]:
    """Where everybody is behind a combat."""
    return places(resolved(fought(state, *dice, **plan)).state)


# ---------------------------------------------------------------------- a combat as a player reads it


@pytest.mark.rule("white_eagle:8.0.p2", "white_eagle:8.1.p1", "white_eagle:8.3.p1", "white_eagle:8.4.p1")
def test_8_0_a_whole_combat() -> None:
    """Two groups of one factor and a reduced unit apart; the German side deals two hits, takes one, and stays."""
    state = attack("GER-4th-1 Alfa", "GER-4th-2 Alfa", "GER-3rd-3* Bern", against=[FOOT, "POL-Poznan-1"])
    found = fought(state, 3, 5, 5, 6, 2, losses=("GER-4th-2",))
    assert found.told == [
        "8.0.p1: combat in Mitte: Kempf, II Corps, III Corps against Lodz INF, Poznan INF",
        "8.3.p1: German Kempf on 5+: dice 3: no hit",
        "8.3.p1: German II Corps, III Corps on 4+: dice 5, 5: 2 hits",
        "8.3.p1: Polish Lodz INF, Poznan INF on 5+: dice 6, 2: 1 hit",
        "8.4.p1: III Corps is reduced",
        "8.4.p1: Lodz INF is reduced",
        "8.4.p1: Poznan INF is reduced",
        "8.5.p1: hits on the German attacker 1, on the Polish defender 2: the Polish side retreats",
        "8.5.b2: retreat to Dom: Lodz INF, Poznan INF",
    ]
    assert found.labels == [
        "8.3/turn-2/GER-North/Mitte/german",
        "8.3/turn-2/GER-North/Mitte/german-2",
        "8.3/turn-2/GER-North/Mitte/polish",
    ]
    after = resolved(found)
    assert (after.on_attacker, after.on_defender, after.won, after.advanced) == (1, 2, True, None)
    activation = after.state.activation
    assert activation is not None
    assert (activation.fought, activation.won) == (("Mitte",), ("Mitte",))
    assert activation.idle == ("GER-3rd-3", "GER-4th-1", "GER-4th-2")


# ---------------------------------------------------------------------- what hits


@pytest.mark.rule("white_eagle:8.3.p1", "white_eagle:2.2.p5")
@pytest.mark.parametrize(
    ("factor", "shift", "hitting"),
    [
        (4, 0, {4, 5, 6}),
        (5, 0, {5, 6}),
        (6, 0, {6}),
        (4, 1, {3, 4, 5, 6}),
        (4, 3, {2, 3, 4, 5, 6}),
        (2, 5, {2, 3, 4, 5, 6}),
        (4, -1, {5, 6}),
        (5, -2, {6}),
        (6, -3, {6}),
    ],
)
def test_8_3_a_natural_6_hits_and_a_natural_1_misses(factor: int, shift: int, hitting: set[int]) -> None:
    assert {face for face in range(1, 7) if scores_hit(FIGURES, factor, shift, face)} == hitting


@pytest.mark.rule("white_eagle:8.3.b2")
@pytest.mark.parametrize(
    ("faces", "hits"),
    [((4, 4), 2), ((6, 6), 2), ((5, 5), 2), ((4, 6), 1), ((3, 4), 1), ((6, 1), 1), ((3, 3), 0), ((1, 2), 0)],
)
def test_8_3_a_panzer_hits_once_and_twice_with_a_double_that_hits(faces: tuple[int, ...], hits: int) -> None:
    throw = Throw(Side.GERMAN, "", "", "8.3.b2", 2, 4, (), panzer=True)
    assert hits_of(FIGURES, throw, faces) == hits


@pytest.mark.rule("white_eagle:8.3.b2")
def test_8_3_a_double_that_hits_by_its_modifier_counts_twice() -> None:
    modifiers = (Modifier("Ju 87 Stuka", 1),)
    throw = Throw(Side.GERMAN, "", "", "8.3.b2", 2, 4, modifiers, panzer=True)
    assert [hits_of(FIGURES, throw, faces) for faces in ((3, 3), (1, 1), (2, 2))] == [2, 0, 0]


@pytest.mark.rule("white_eagle:8.3.b2", "white_eagle:8.1.p1")
def test_8_3_each_panzer_rolls_for_itself_and_a_reduced_one_with_the_others() -> None:
    state = attack("GER-4th-3 Alfa", "GER-4th-1* Alfa", against=[FOOT, "POL-Poznan-1"])
    assert dice_lines(fought(state, 2, 4, 4, 1, 1).told)[:2] == [
        "8.3.p1: German II Corps on 5+: dice 2: no hit",
        "8.3.b2: German XIX Panzer on 4+: dice 4, 4: 2 hits",
    ]
    reduced = attack("GER-4th-3* Alfa", "GER-4th-1* Alfa", against=[FOOT])
    assert dice_lines(fought(reduced, 2, 2, 1).told)[0] == (
        "8.3.p1: German II Corps, XIX Panzer on 5+: dice 2, 2: no hit"
    )


# ---------------------------------------------------------------------- cavalry first


@pytest.mark.rule("white_eagle:8.3.b1")
def test_8_3_polish_cavalry_hits_before_the_others_roll() -> None:
    """The only attacker is reduced before it rolls: a 4 does not hit any more."""
    found = fought(attack("GER-4th-1 Alfa", against=[FOOT, HORSE]), 5, 4, 1)
    assert found.told[1:5] == [
        "8.3.b1: Polish Lodz CAV on 5+: dice 5: 1 hit",
        "8.4.p1: II Corps is reduced",
        "8.3.p1: German II Corps on 5+: dice 4: no hit",
        "8.3.p1: Polish Lodz INF on 5+: dice 1: no hit",
    ]


@pytest.mark.rule("white_eagle:8.3.b1")
def test_8_3_a_panzer_reduced_by_cavalry_rolls_one_die() -> None:
    found = fought(attack("GER-4th-3 Alfa", against=[HORSE]), 6, 5)
    assert dice_lines(found.told) == [
        "8.3.b1: Polish Lodz CAV on 5+: dice 6: 1 hit",
        "8.3.p1: German XIX Panzer on 5+: dice 5: 1 hit",
    ]


@pytest.mark.rule("white_eagle:8.3.b1")
def test_8_3_nobody_rolls_when_cavalry_has_eliminated_all() -> None:
    found = fought(attack("GER-4th-1* Alfa", against=[FOOT, HORSE]), 6)
    assert found.told[1:] == [
        "8.3.b1: Polish Lodz CAV on 5+: dice 6: 1 hit",
        "8.4.p1: II Corps is eliminated",
        "8.5.p1: no German unit is left in the combat",
    ]


@pytest.mark.rule("white_eagle:8.3.b1")
def test_8_3_polish_cavalry_rolls_first_in_an_attack_too() -> None:
    state = attack("POL-Pomorze-2 Dom", "POL-Pomorze-1 Dom", against=["GER-4th-1*"], command="POL-North")
    assert dice_lines(fought(state, 5).told) == ["8.3.b1: Polish Pomorze CAV on 5+: dice 5: 1 hit"]


@pytest.mark.rule("white_eagle:8.3.b1")
def test_8_3_soviet_cavalry_has_no_such_right() -> None:
    state = attack("SOV-11th-2 Alfa", "SOV-11th-1 Alfa", against=[FOOT], command="SOV-Belorussian", soviets=True)
    assert dice_lines(fought(state, 1, 1, 1).told)[0] == "8.3.p1: Soviet 11th INF, 11th CAV on 5+: dice 1, 1: no hit"


# ---------------------------------------------------------------------- modifiers


def drawn(*events: Event) -> dict[str, Any]:
    return {"pulled": tuple(one.value for one in events)}


@pytest.mark.rule("white_eagle:8.2.p1", "white_eagle:5.1.b3", "white_eagle:5.1.b4", "white_eagle:5.1.p1")
def test_8_2_an_event_on_each_side() -> None:
    state = attack("GER-4th-1 Alfa", against=[FOOT], **drawn(Event.STUKA, Event.TRAIN))
    found = fought(state, 3, 4, event=Event.STUKA, defence={"event": Event.TRAIN})
    assert found.told[1:5] == [
        "5.1.b3: German event: Ju 87 Stuka",
        "5.1.b4: Polish event: Armored Train",
        "8.3.p1: German II Corps on 4+ (Ju 87 Stuka +1): dice 3: 1 hit",
        "8.3.p1: Polish Lodz INF on 5+ (Armored Train +1): dice 4: 1 hit",
    ]
    assert resolved(found).state.used == ("Stuka", "Train")


@pytest.mark.rule("white_eagle:5.1.b2", "white_eagle:5.1.b6")
def test_5_1_blitzkrieg_and_the_fighter() -> None:
    state = attack("GER-4th-1 Alfa", against=[FOOT], **drawn(Event.BLITZKRIEG, Event.P11))
    found = fought(state, 1, 1, event=Event.BLITZKRIEG, defence={"event": Event.P11})
    assert dice_lines(found.told) == [
        "8.3.p1: German II Corps on 4+ (Blitzkrieg +1): dice 1: no hit",
        "8.3.p1: Polish Lodz INF on 5+ (PZL P.11 +1): dice 1: no hit",
    ]


@pytest.mark.rule("white_eagle:5.1.p1")
def test_5_1_an_event_that_is_used_up_is_left_out() -> None:
    state = attack("GER-4th-1 Alfa", against=[FOOT], pulled=("Stuka",), used=("Stuka",))
    found = fought(state, 1, 1, event=Event.STUKA)
    assert dice_lines(found.told)[0] == "8.3.p1: German II Corps on 4+: dice 1: no hit"


@pytest.mark.rule("white_eagle:4.2.b1")
def test_4_2_a_breakdown_costs_one_on_every_die() -> None:
    state = attack("GER-4th-1 Alfa", against=[FOOT], breakdown=True)
    assert dice_lines(fought(state, 4, 1).told) == [
        "8.3.p1: German II Corps on 4+ (breakdown -1): dice 4: no hit",
        "8.3.p1: Polish Lodz INF on 5+: dice 1: no hit",
    ]


@pytest.mark.rule("white_eagle:6.2.p1", "white_eagle:8.2.p1")
@pytest.mark.parametrize(
    ("turn", "held", "told"),
    [
        (2, (), ""),
        (3, (), " (Allied Involvement -2)"),
        (3, ("Ende",), " (Allied Involvement -1)"),
        (3, ("Ende", "Fort"), ""),
    ],
)
def test_6_2_allied_involvement_weighs_on_german_dice(turn: int, held: tuple[str, ...], told: str) -> None:
    state = attack("GER-4th-1 Alfa", against=[FOOT], turn=turn, held=held)
    assert dice_lines(fought(state, 1, 1).told)[0] == f"8.3.p1: German II Corps on 4+{told}: dice 1: no hit"


@pytest.mark.rule("white_eagle:6.2.p1")
def test_6_2_slovaks_soviets_and_poles_do_not_mind() -> None:
    soviet = attack("SOV-11th-1 Alfa", against=[FOOT], command="SOV-Belorussian", turn=7)
    assert dice_lines(fought(soviet, 1, 1).told)[0] == "8.3.p1: Soviet 11th INF on 5+: dice 1: no hit"
    german = attack("POL-Pomorze-1 Dom", against=["GER-4th-1"], command="POL-North", turn=3)
    assert dice_lines(fought(german, 1, 1).told) == [
        "8.3.p1: Polish Pomorze INF on 5+: dice 1: no hit",
        "8.3.p1: German II Corps on 4+ (Allied Involvement -2): dice 1: no hit",
    ]


@pytest.mark.rule("white_eagle:8.2.p1")
def test_8_2_modifiers_add_up() -> None:
    state = attack("GER-4th-3 Alfa", against=[FOOT], breakdown=True, turn=3, held=("Ende",), **drawn(Event.STUKA))
    assert dice_lines(fought(state, 5, 4, 1, event=Event.STUKA).told)[0] == (
        "8.3.b2: German XIX Panzer on 4+ (Ju 87 Stuka +1, breakdown -1, Allied Involvement -1): dice 5, 4: 1 hit"
    )


# ---------------------------------------------------------------------- on whom hits fall


@pytest.mark.rule("white_eagle:8.4.p1")
def test_8_4_the_owner_says_who_takes_hits_and_in_which_order() -> None:
    state = attack("GER-4th-1 Alfa", "GER-4th-2 Alfa", against=[FOOT, "POL-Poznan-1"])
    assert outcome(state, 6, 6, 1, 1, defence={"losses": (FOOT, FOOT)})["POL-Poznan-1"] == "Dom"
    both = outcome(state, 6, 6, 1, 1, defence={"losses": (FOOT, "POL-Poznan-1")})
    assert (both[FOOT], both["POL-Poznan-1"]) == ("Dom*", "Dom*")


@pytest.mark.rule("white_eagle:8.4.p1")
def test_ruling_8_3_by_themselves_hits_spare_who_would_be_eliminated() -> None:
    state = attack("GER-4th-1 Alfa", "GER-4th-2 Alfa", against=["POL-Lodz-1*", "POL-Poznan-1", "POL-Krakow-3"])
    after = outcome(state, 6, 6, 1, 1, 1)
    assert {name: place for name, place in after.items() if name.startswith("POL")} == {
        "POL-Lodz-1": "Dom*",
        "POL-Poznan-1": "Dom*",
        "POL-Krakow-3": "Dom*",
    }


@pytest.mark.rule("white_eagle:8.4.p1")
def test_8_4_a_unit_of_one_step_is_eliminated_at_once() -> None:
    state = attack("GER-4th-1 Alfa", against=["POL-Wyszkow-1"])
    assert fought(state, 4, 1).told[3:] == [
        "8.4.p1: Wyszkow INF is eliminated",
        "8.5.p1: no Polish unit is left in the combat",
    ]


@pytest.mark.rule("white_eagle:8.4.p1")
def test_8_4_surplus_hits_find_nobody() -> None:
    state = attack("GER-4th-3 Alfa", against=["POL-Lodz-1*"])
    assert fought(state, 4, 4, 1).told[3:5] == ["8.4.p1: Lodz INF is eliminated", "8.4.p1: 1 of 2 hits find nobody"]


# ---------------------------------------------------------------------- who keeps the box


@pytest.mark.rule("white_eagle:8.5.p1", "white_eagle:8.5.b1")
@pytest.mark.parametrize("dice", [(1, 1), (4, 5), (1, 5)])
def test_8_5_the_attacker_goes_back_with_as_many_hits_or_more(dice: tuple[int, ...]) -> None:
    found = fought(attack("GER-4th-1 Alfa", against=[FOOT]), *dice)
    assert places(resolved(found).state)[CORPS].startswith("Alfa")
    assert not resolved(found).won


@pytest.mark.rule("white_eagle:8.5.p1", "white_eagle:6.1.p2")
def test_8_5_who_is_alone_keeps_the_box_whatever_he_lost() -> None:
    alone = attack("GER-4th-1 Alfa", "GER-4th-2 Alfa", against=["POL-Lodz-1*"], box="Ende")
    found = fought(alone, 4, 1, 6, box="Ende")
    assert resolved(found).won
    assert found.told[-2:] == ["8.5.p1: no Polish unit is left in the combat", "6.1.p2: Ende is captured: 1 VP"]


@pytest.mark.rule("white_eagle:8.5.p1")
def test_8_5_when_both_are_gone_nothing_changes_hands() -> None:
    found = fought(attack("GER-4th-1* Alfa", against=["POL-Lodz-1*"], box="Ende"), 5, 6, box="Ende")
    assert found.told[-1] == "8.5.p1: no German and no Polish unit is left in the combat"
    assert (resolved(found).won, resolved(found).state.held, resolved(found).state.units) == (False, (), {})


@pytest.mark.rule("white_eagle:6.1.p3", "white_eagle:6.1.p4")
def test_6_1_poles_liberate_what_they_alone_hold() -> None:
    state = attack("POL-Pomorze-1 Dom", against=["GER-4th-1*"], box="Warta", command="POL-North", held=("Warta",))
    assert fought(state, 5, 1, box="Warta").told[-1] == "6.1.p4: Warta is liberated: 0 VP"


# ---------------------------------------------------------------------- supporting units

SUPPORTED = {"against": [FOOT, "POL-Poznan-1"], "support": ["GER-4th-2 Bern"]}


@pytest.mark.rule("white_eagle:8.6.b2", "white_eagle:8.6.b6", "white_eagle:8.0.p2")
def test_8_6_supporting_units_go_back_when_the_defender_retreats() -> None:
    found = fought(attack("GER-4th-1 Alfa", **SUPPORTED), 4, 4, 1, 1)
    assert found.told[0] == "8.0.p1: combat in Mitte: II Corps, in support III Corps against Lodz INF, Poznan INF"
    assert found.told[-2:] == ["8.5.b2: retreat to Dom: Lodz INF, Poznan INF", "8.6.b2: back to Bern: III Corps"]


@pytest.mark.rule("white_eagle:8.6.b1")
def test_8_6_both_groups_go_back_to_their_boxes_when_the_attacker_loses() -> None:
    found = fought(attack("GER-4th-1 Alfa", **SUPPORTED), 1, 1, 5, 1)
    assert found.told[-2:] == ["8.6.b1: back to Alfa: II Corps", "8.6.b1: back to Bern: III Corps"]


@pytest.mark.rule("white_eagle:8.6.b5", "white_eagle:8.4.p1")
def test_8_6_supporting_units_take_no_hit_before_all_primary_ones_are_gone() -> None:
    against = [FOOT, "POL-Poznan-1", "POL-Krakow-3"]
    state = attack("GER-4th-1* Alfa", support=["GER-4th-2 Bern"], against=against)
    found = fought(state, 1, 1, 5, 1, 1, losses=(CORPS_2, CORPS_2))
    assert [line for line in found.told if line.startswith("8.4")] == ["8.4.p1: II Corps is eliminated"]
    found = fought(state, 1, 1, 5, 5, 1)
    assert [line for line in found.told if line.startswith("8.4")] == [
        "8.4.p1: II Corps is eliminated",
        "8.4.p1: III Corps is reduced",
    ]


@pytest.mark.rule("white_eagle:8.6.b2")
def test_8_6_a_box_that_only_supporting_units_have_won_is_left() -> None:
    state = attack("GER-4th-1* Alfa", support=["GER-4th-2 Bern"], against=["POL-Lodz-1*"], box="Ende")
    found = fought(state, 1, 4, 6, box="Ende")
    assert places(resolved(found).state) == {CORPS_2: "Bern"}
    assert resolved(found).state.held == ()
