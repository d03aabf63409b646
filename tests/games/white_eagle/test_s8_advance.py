"""Advance after combat: its conditions, where to, the combat that it starts, supporting units (5.1, 8.5, 8.6)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.games.white_eagle.answers import Battle, Defence, Fight
from pbem.games.white_eagle.kinds import Event
from pbem.games.white_eagle.state import State
from white_eagle.combat_ground import GROUND, attack, battles, fought, places, resolved
from white_eagle.positions import unit

THREE = ("GER-4th-1 Alfa", "GER-4th-2 Alfa", "GER-3rd-3 Bern")
WON = (4, 1, 1, 1)
"""Three corps eliminate a reduced unit without a hit in return."""


def after(state: State, *dice: int, **plan: Any) -> dict[str, str]:
    """Where everybody is behind a combat in Mitte with an advance to Ende."""
    return places(resolved(fought(state, *dice, **{"advance": ("Ende",), **plan})).state)


# ---------------------------------------------------------------------- when


@pytest.mark.rule("white_eagle:8.5.p4", "white_eagle:8.5.p5", "white_eagle:8.5.b16", "white_eagle:6.1.p2")
def test_8_5_three_to_one_none_left_and_no_hit() -> None:
    found = fought(attack(*THREE, against=["POL-Lodz-1*"]), *WON, advance=("Ende",))
    assert found.told[-3:] == [
        "8.5.p1: no Polish unit is left in the combat",
        "8.5.p5: advance from Mitte to Ende: Kempf, II Corps, III Corps",
        "6.1.p2: Ende is captured: 1 VP",
    ]
    assert set(places(resolved(found).state).values()) == {"Ende"}
    assert resolved(found).advanced == "Ende"


@pytest.mark.rule("white_eagle:8.5.b13")
def test_8_5_two_to_one_is_not_enough() -> None:
    assert set(after(attack(*THREE[:2], against=["POL-Lodz-1*"]), 4, 1, 1).values()) == {"Mitte"}


@pytest.mark.rule("white_eagle:8.5.b14")
def test_8_5_a_defender_who_retreats_leaves_no_advance() -> None:
    moved = after(attack(*THREE, against=["POL-Lodz-1"]), 4, 1, 1, 1)
    assert moved == {"POL-Lodz-1": "Dom*", **dict.fromkeys(("GER-3rd-3", "GER-4th-1", "GER-4th-2"), "Mitte")}


@pytest.mark.rule("white_eagle:8.5.b15")
def test_8_5_a_hit_on_the_attacker_leaves_no_advance() -> None:
    moved = after(attack(*THREE, against=["POL-Lodz-1*"]), 4, 1, 1, 6)
    assert sorted(moved.values()) == ["Mitte", "Mitte", "Mitte*"]


@pytest.mark.rule("white_eagle:8.5.b13")
def test_8_5_steps_of_a_fort_count_as_units() -> None:
    """Three units against one step advance, against two they would need six."""
    one = attack(*THREE, against=[], box="Fort", forts={"Fort": 1})
    assert set(after(one, 4, 4, 1, 1, box="Fort", advance=("Tor",)).values()) == {"Tor"}
    two = attack(*THREE, against=[], box="Fort", forts={"Fort": 2})
    assert set(after(two, 4, 4, 1, 1, 1, box="Fort", advance=("Tor",)).values()) == {"Fort"}


@pytest.mark.rule("white_eagle:8.5.b13")
def test_8_5_supporting_units_count_as_attackers() -> None:
    state = attack(*THREE[:2], support=["GER-3rd-1 Bern"], against=["POL-Lodz-1*"])
    assert after(state, *WON)["GER-4th-1"] == "Ende"


# ---------------------------------------------------------------------- Blitzkrieg


def blitz(*attackers: str, against: tuple[str, ...] = ("POL-Lodz-1*",), **facts: Any) -> State:
    return attack(*attackers, against=list(against), **{"pulled": ("Blitzkrieg",), **facts})


@pytest.mark.rule("white_eagle:8.5.p6", "white_eagle:5.1.b2")
def test_8_5_blitzkrieg_needs_no_three_to_one() -> None:
    found = fought(blitz("GER-4th-1 Alfa"), 3, 1, event=Event.BLITZKRIEG, advance=("Ende",))
    assert found.told[-2] == "8.5.p6: advance (Blitzkrieg) from Mitte to Ende: II Corps"
    assert places(resolved(found).state) == {"GER-4th-1": "Ende"}


@pytest.mark.rule("white_eagle:8.5.p6", "white_eagle:8.5.b14", "white_eagle:8.5.b15")
def test_8_5_blitzkrieg_needs_the_other_conditions() -> None:
    hit = after(blitz("GER-4th-1 Alfa"), 3, 6, event=Event.BLITZKRIEG)
    assert hit == {"GER-4th-1": "Mitte*"}
    alive = after(blitz("GER-4th-1 Alfa", against=("POL-Lodz-1",)), 3, 1, event=Event.BLITZKRIEG)
    assert alive["GER-4th-1"] == "Mitte"


@pytest.mark.rule("white_eagle:8.5.p6")
def test_ruling_1_1_the_automatic_advance_is_for_germans_alone() -> None:
    soviets = blitz("SOV-11th-1 Alfa", command="SOV-Belorussian")
    assert after(soviets, 5, 1, event=Event.BLITZKRIEG) == {"SOV-11th-1": "Mitte"}


# ---------------------------------------------------------------------- where to


@pytest.mark.rule("white_eagle:8.5.p5")
def test_8_5_the_first_box_of_the_plan_that_has_room() -> None:
    state = attack(*THREE, against=["POL-Lodz-1*"], command="GER-North")
    full = state.with_units([unit("GER-10th-1", "Ende"), unit("GER-10th-2", "Ende")])
    assert after(full, *WON, advance=("Warta", "Ende", "Dom"))["GER-4th-1"] == "Dom"
    assert after(full, *WON, advance=("Ende",))["GER-4th-1"] == "Mitte"
    assert after(full, *WON, advance=())["GER-4th-1"] == "Mitte"


@pytest.mark.rule("white_eagle:8.5.p5", "white_eagle:7.3.b3")
def test_8_5_an_advance_keeps_the_limits_of_movement() -> None:
    soviets = ("SOV-3rd-1 Alfa", "SOV-3rd-2 Alfa", "SOV-4th-2 Alfa")
    state = attack(*soviets, against=["POL-Lodz-1*"], command="SOV-Belorussian")
    assert set(after(state, 5, 1, 1, 1).values()) == {"Mitte"}


# ---------------------------------------------------------------------- into enemies


@pytest.mark.rule("white_eagle:8.5.b17", "white_eagle:8.5.b18")
def test_8_5_an_advance_into_enemies_is_fought_at_once_and_is_the_last() -> None:
    state = attack(*THREE, against=["POL-Lodz-1*", "POL-Prusy-1* Ende"])
    found = battles(state, *WON, *WON, battles=(Battle(box="Mitte", advance=("Ende",)),))
    assert found.told[-5:] == [
        "8.3.p1: German Kempf, II Corps, III Corps on 4+: dice 4, 1, 1: 1 hit",
        "8.3.p1: Polish Prusy INF on 6+: dice 1: no hit",
        "8.4.p1: Prusy INF is eliminated",
        "8.5.p1: no Polish unit is left in the combat",
        "6.1.p2: Ende is captured: 1 VP",
    ]
    assert set(places(found.result).values()) == {"Ende"}
    assert found.result.activation.fought == ("Mitte", "Ende")
    assert found.asked == []


@pytest.mark.rule("white_eagle:8.5.b1", "white_eagle:8.5.b17")
def test_8_5_who_is_beaten_after_an_advance_goes_back_to_where_it_began() -> None:
    state = attack(*THREE, against=["POL-Lodz-1*", "POL-Prusy-1* Ende"])
    found = battles(state, *WON, 1, 1, 1, 1, battles=(Battle(box="Mitte", advance=("Ende",)),))
    assert found.told[-1] == "8.5.b1: back to Mitte: Kempf, II Corps, III Corps"


@pytest.mark.rule("white_eagle:8.5.b17")
def test_8_5_the_defender_is_asked_for_that_combat_and_the_attacker_has_planned_it() -> None:
    state = attack(*THREE, against=["POL-Lodz-1*", "POL-Prusy-1 Ende"], pulled=("Stuka", "P11"))
    plan = (Battle(box="Mitte", advance=("Ende",)), Battle(box="Ende", event=Event.STUKA))
    fighter = Defence(fights=(Fight(box="Ende", event=Event.P11),))
    found = battles(state, *WON, 3, 1, 1, 4, battles=plan, answers=(Defence(), fighter))
    assert [question.about for question in found.asked] == ["attacked: Mitte", "attacked: Ende"]
    assert "8.3.p1: German Kempf, II Corps, III Corps on 4+ (Ju 87 Stuka +1): dice 3, 1, 1: 1 hit" in found.told
    assert "8.3.p1: Polish Prusy INF on 5+ (PZL P.11 +1): dice 4: 1 hit" in found.told


def test_8_5_an_order_for_an_advance_that_does_not_come_is_void() -> None:
    state = attack(*THREE, against=["POL-Lodz-1*", "POL-Prusy-1 Ende"], pulled=("Stuka",))
    plan = (Battle(box="Mitte", advance=("Ende",)), Battle(box="Ende", event=Event.STUKA))
    found = battles(state, 1, 1, 1, 1, battles=plan)
    assert found.told[-1] == "8.0.p1: no combat in Ende as ordered: nobody is there to fight"
    assert found.result.used == ()


def test_ruling_8_16_an_advance_joins_comrades_who_wait_for_their_combat() -> None:
    waiting = ["POL-Lodz-1*", "POL-Prusy-1 Ende", "GER-3rd-3 Ende"]
    state = attack("GER-4th-1 Alfa", "GER-4th-2 Alfa", "GER-4th-3 Alfa", against=waiting, entered={"GER-3rd-3": "Dom"})
    plan = (Battle(box="Mitte", advance=("Ende",)),)
    found = battles(state, 4, *[1] * 10, battles=plan, answers=(Defence(),))
    told = "8.0.p1: combat in Ende: Kempf, II Corps, III Corps, XIX Panzer against Prusy INF"
    assert told in found.told
    assert found.result.activation.fought == ("Mitte", "Ende")
    assert found.told[-2:] == [
        "8.5.b1: back to Dom: Kempf",
        "8.5.b1: back to Mitte: II Corps, III Corps, XIX Panzer",
    ]


# ---------------------------------------------------------------------- with support


@pytest.mark.rule("white_eagle:8.6.b3", "white_eagle:8.6.b6")
def test_8_6_supporting_units_take_control_of_what_the_primary_ones_leave() -> None:
    state = attack(*THREE[:2], support=["GER-3rd-1 Bern"], against=["POL-Lodz-1*"])
    assert after(state, *WON) == {"GER-4th-1": "Ende", "GER-4th-2": "Ende", "GER-3rd-1": "Mitte"}


@pytest.mark.rule("white_eagle:8.6.b2")
def test_8_6_without_an_advance_they_go_back() -> None:
    state = attack(*THREE[:2], support=["GER-3rd-1 Bern"], against=["POL-Lodz-1*"])
    assert after(state, *WON, advance=()) == {"GER-4th-1": "Mitte", "GER-4th-2": "Mitte", "GER-3rd-1": "Bern"}


@pytest.mark.rule("white_eagle:8.6.b6")
def test_ruling_8_17_supporting_units_that_have_no_room_in_a_relieved_fort_go_back() -> None:
    """Two stand in the fort; the three who came in support cannot stay with them when the relief moves on."""
    came = {"POL-Pomorze-2": "Tor", "POL-Modlin-1": "Alfa", "POL-Modlin-2": "Alfa", "POL-Krakow-3": "Alfa"}
    state = attack(
        *(f"{name} {box}" for name, box in came.items()),
        "POL-Narew-1 Fort",
        against=["GER-4th-1*"],
        box="Fort",
        command="POL-North",
        forts={"Fort": 2},
    )
    assert state.activation is not None
    state = _with_support(state, "POL-Modlin-1", "POL-Modlin-2", "POL-Krakow-3")
    found = fought(state, 5, 1, 1, 1, 1, box="Fort", advance=("Tor",))
    assert places(resolved(found).state)["POL-Pomorze-2"] == "Tor"
    assert found.told[-2] == "8.6.b2: back to Alfa: Krakow LARM, Modlin INF, Modlin CAV"


def _with_support(state: State, *names: str) -> State:
    assert state.activation is not None
    return replace(state, activation=replace(state.activation, support=tuple(names)))


def test_the_ground_is_as_the_tests_take_it() -> None:
    assert GROUND.board.neighbours["Mitte"] == ("Alfa", "Bern", "Cham", "Dom", "Ende")  # type: ignore[index]
