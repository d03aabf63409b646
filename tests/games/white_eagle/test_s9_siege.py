"""Sieges: attacks on forts, sorties of all and of the fort alone, relief, who may stay (9.0)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.games.white_eagle.kinds import Event
from pbem.games.white_eagle.s8_plans import Combat, combats
from pbem.games.white_eagle.s9_siege import fort_dice
from pbem.games.white_eagle.state import State
from white_eagle.combat_ground import GROUND, attack, fought, places, resolved

FOOT, HORSE = "POL-Narew-1", "POL-Narew-2"


def siege(*places_of: str, inside: tuple[str, ...] = (), steps: int = 2, **facts: Any) -> State:
    """Germans who have come to the Polish fort, or stand before it when they are written with its box."""
    given = {"forts": {"Fort": steps}, "box": "Fort", **facts}
    return attack(*places_of, against=list(inside), **given)


def sortie(*inside: str, besiegers: tuple[str, ...] = ("GER-4th-1",), steps: int = 2, **facts: Any) -> State:
    """A Polish activation with units in the fort and Germans before it."""
    given = {"command": "POL-North", "forts": {"Fort": steps}, "box": "Fort", **facts}
    return attack(*(f"{name} Fort" for name in inside), against=list(besiegers), **given)


def at_fort(state: State, *dice: int, **plan: Any) -> Any:
    return fought(state, *dice, box="Fort", **plan)


def told_combats(state: State) -> list[str]:
    """What can be fought: `Fort all`, a star for what must be."""
    return [f"{one.box} {one.sortie or 'attack'}{'*' if one.must else ''}" for one in combats(GROUND, state)]


# ---------------------------------------------------------------------- attacks on a fort


@pytest.mark.rule("white_eagle:9.0.p1", "white_eagle:9.0.b1", "white_eagle:9.0.b3")
def test_9_0_a_whole_attack_on_a_fort() -> None:
    """Three hits: two eliminate the unit inside, the third reduces the fort."""
    found = at_fort(siege("GER-4th-1 Alfa", "GER-4th-2 Alfa", "GER-4th-3 Bern", inside=(FOOT,)), 4, 4, 4, 1, 5, 4)
    assert found.told == [
        "8.0.p1: combat in Fort: II Corps, III Corps, XIX Panzer against the fort of Fort, Narew INF",
        "8.3.p1: German II Corps, III Corps, XIX Panzer on 4+: dice 4, 4, 4: 3 hits",
        "8.3.p1: Polish Narew INF on 5+: dice 1: no hit",
        "9.0.b3: Polish fort of Fort on 5+: dice 5, 4: 1 hit",
        "8.4.p1: II Corps is reduced",
        "8.4.p1: Narew INF is reduced",
        "8.4.p1: Narew INF is eliminated",
        "9.0.b1: the fort of Fort is reduced",
        "9.0.b4: hits on the German attacker 1, on the Polish defender 3: the Polish side may leave",
    ]
    after = resolved(found).state
    assert places(after) == {"GER-4th-1": "Fort*", "GER-4th-2": "Fort", "GER-4th-3": "Fort"}
    assert (after.forts, after.held) == ({"Fort": 1}, ())


@pytest.mark.rule("white_eagle:9.0.b3")
@pytest.mark.parametrize(("steps", "dice"), [(2, (1, 4, 4)), (1, (1, 4))])
def test_9_0_a_fort_rolls_two_dice_or_one(steps: int, dice: tuple[int, ...]) -> None:
    found = at_fort(siege("GER-4th-1 Alfa", steps=steps), *dice)
    shown = ", ".join(map(str, dice[1:]))
    assert f"9.0.b3: Polish fort of Fort on 5+: dice {shown}: no hit" in found.told


def test_9_0_a_destroyed_fort_has_no_dice() -> None:
    assert [fort_dice(GROUND, steps) for steps in (0, 1, 2)] == [0, 1, 2]


@pytest.mark.rule("white_eagle:9.0.b1", "white_eagle:6.1.p2")
def test_9_0_a_destroyed_fort_is_captured() -> None:
    found = at_fort(siege("GER-4th-1 Alfa", steps=1), 4, 4)
    assert found.told[3:] == [
        "9.0.b1: the fort of Fort is destroyed",
        "8.5.p1: no Polish unit is left in the combat",
        "6.1.p2: Fort is captured: 1 VP",
    ]
    assert resolved(found).state.forts == {"Fort": 0}


@pytest.mark.rule("white_eagle:6.1.p5", "white_eagle:9.0.b1")
def test_6_1_a_destroyed_german_fort_costs_a_point() -> None:
    state = attack("POL-Narew-1 Dom", against=[], box="Burg", command="POL-North", forts={"Burg": 1}, held=("Ende",))
    found = fought(state, 5, 4, box="Burg")
    assert found.told[3:5] == ["9.0.b1: the fort of Burg is destroyed", "6.1.p5: a German fort is lost: 0 VP"]


@pytest.mark.rule("white_eagle:9.0.b2")
def test_9_0_no_special_dice_in_a_siege() -> None:
    found = at_fort(siege("GER-4th-3 Alfa", inside=(HORSE,)), 4, 6, 1, 1)
    assert found.told[1:4] == [
        "8.3.p1: German XIX Panzer on 4+: dice 4: 1 hit",
        "8.3.p1: Polish Narew CAV on 5+: dice 6: 1 hit",
        "9.0.b3: Polish fort of Fort on 5+: dice 1, 1: no hit",
    ]


@pytest.mark.rule("white_eagle:9.0.b4", "white_eagle:8.5.b1")
@pytest.mark.parametrize("dice", [(1, 1, 1), (4, 5, 1), (1, 5, 5)])
def test_9_0_the_attacker_leaves_a_siege_that_he_does_not_win(dice: tuple[int, ...]) -> None:
    found = at_fort(siege("GER-4th-1 Alfa"), *dice)
    assert places(resolved(found).state).get("GER-4th-1", "gone").rstrip("*") in ("Alfa", "gone")


@pytest.mark.rule("white_eagle:9.0.b4")
def test_ruling_9_9_a_besieger_who_loses_retreats_as_a_defender() -> None:
    found = at_fort(siege("GER-4th-1 Fort"), 1, 1, 1, retreat=("Bern",))
    assert found.told[-1] == "8.5.b1: retreat to Bern: II Corps"


@pytest.mark.rule("white_eagle:9.0.b4")
def test_9_0_a_beaten_garrison_may_leave_and_so_may_the_besieger() -> None:
    state = siege("GER-4th-1 Alfa", "GER-4th-2 Alfa", inside=(FOOT,))
    stays = at_fort(state, 4, 1, 1, 1, 1)
    assert places(resolved(stays).state)[FOOT] == "Fort*"
    leaves = at_fort(state, 4, 1, 1, 1, 1, defence={"leave": True, "retreat": ("Tor",)})
    assert leaves.told[-1] == "8.5.b2: retreat to Tor: Narew INF"
    both = at_fort(state, 4, 1, 1, 1, 1, defence={"leave": True}, leave=True)
    assert both.told[-2:] == ["8.5.b2: retreat to Tor: Narew INF", "9.0.b4: back to Alfa: II Corps, III Corps"]


@pytest.mark.rule("white_eagle:8.6.b4")
def test_8_6_supporting_units_leave_a_siege_that_goes_on() -> None:
    found = at_fort(siege("GER-4th-1 Alfa", support=["GER-4th-2 Bern"]), 4, 1, 1, 1)
    assert found.told[-1] == "8.6.b4: back to Bern: III Corps"
    assert places(resolved(found).state) == {"GER-4th-1": "Fort", "GER-4th-2": "Bern"}


@pytest.mark.rule("white_eagle:9.0.b5")
def test_9_0_who_joins_a_siege_may_attack_or_not() -> None:
    assert told_combats(siege("GER-4th-1 Alfa", "GER-4th-2 Fort")) == ["Fort attack"]
    assert told_combats(siege("GER-4th-1 Fort")) == ["Fort attack"]


def test_ruling_8_1_a_fort_is_attacked_when_it_is_first_entered() -> None:
    assert told_combats(siege("GER-4th-1 Alfa")) == ["Fort attack*"]


def test_ruling_8_1_units_of_another_command_take_no_part() -> None:
    state = siege("GER-4th-1 Alfa", inside=("GER-10th-3",))
    (combat,) = combats(GROUND, state)
    assert (combat.attackers, combat.defenders, combat.must) == (("GER-4th-1",), (), False)


def test_ruling_5_2_who_recovers_takes_no_part() -> None:
    state = siege("GER-4th-1 Fort", "GER-4th-2 Fort", resting="GER-4th-1")
    assert [one.attackers for one in combats(GROUND, state)] == [("GER-4th-2",)]


def test_ruling_7_7_who_is_not_mobilised_takes_no_part() -> None:
    state = attack("POL-Wyszkow-1* Dorf", against=[], box="Burg", command="POL-North", forts={"Burg": 1})
    assert told_combats(state) == []


# ---------------------------------------------------------------------- sorties


@pytest.mark.rule("white_eagle:9.0.p2", "white_eagle:9.0.b6")
def test_9_0_a_sortie_of_all_units_and_the_fort() -> None:
    """The unit of another command comes too; the besieger loses and may leave."""
    state = sortie(FOOT, "POL-Lodz-2")
    assert told_combats(state) == ["Fort all", "Fort fort"]
    found = at_fort(state, 5, 1, 4, 1, 4, sortie="all", defence={"leave": True})
    assert found.told == [
        "9.0.b6: combat in Fort: the fort of Fort, Lodz CAV, Narew INF against II Corps",
        "8.3.p1: Polish Lodz CAV, Narew INF on 5+: dice 5, 1: 1 hit",
        "9.0.b3: Polish fort of Fort on 5+: dice 4, 1: no hit",
        "8.3.p1: German II Corps on 4+: dice 4: 1 hit",
        "8.4.p1: Narew INF is reduced",
        "8.4.p1: II Corps is reduced",
        "9.0.b4: hits on the Polish attacker 1, on the German defender 1: the Polish side holds its fort",
    ]
    assert resolved(found).state.fort_turns == ("Fort",)


@pytest.mark.rule("white_eagle:9.0.b6", "white_eagle:9.0.b4")
def test_9_0_besiegers_who_take_more_hits_may_leave_or_stay() -> None:
    stays = at_fort(sortie(FOOT), 5, 5, 1, 1, sortie="all")
    assert places(resolved(stays).state) == {FOOT: "Fort"}
    state = sortie(FOOT, besiegers=("GER-4th-1", "GER-4th-2"))
    stays = at_fort(state, 5, 1, 1, 1, 1, sortie="all")
    assert places(resolved(stays).state)["GER-4th-2"] == "Fort"
    leaves = at_fort(state, 5, 1, 1, 1, 1, sortie="all", defence={"leave": True, "retreat": ("Bern",)})
    assert leaves.told[-1] == "8.5.b2: retreat to Bern: II Corps, III Corps"
    chosen = at_fort(state, 5, 1, 1, 1, 1, sortie="all", leave=True)
    assert chosen.told[-1] == "9.0.b4: retreat to Tor: Narew INF"


@pytest.mark.rule("white_eagle:9.0.b6")
def test_ruling_9_6_hits_on_a_sortie_fall_on_units_and_then_on_the_fort() -> None:
    state = sortie("POL-Narew-1*", besiegers=("GER-4th-1", "GER-4th-2"))
    found = at_fort(state, 1, 1, 1, 4, 4, sortie="all")
    assert found.told[4:6] == ["8.4.p1: Narew INF is eliminated", "9.0.b1: the fort of Fort is reduced"]


@pytest.mark.rule("white_eagle:9.0.b7")
def test_9_0_the_fort_alone_is_not_shot_at() -> None:
    state = sortie(FOOT)
    found = at_fort(state, 5, 4, sortie="fort")
    assert found.told == [
        "9.0.b7: combat in Fort: the fort of Fort against II Corps",
        "9.0.b3: Polish fort of Fort on 5+: dice 5, 4: 1 hit",
        "8.4.p1: II Corps is reduced",
        "9.0.b4: hits on the Polish attacker 0, on the German defender 1: the German side may leave",
    ]
    missed = at_fort(state, 1, 4, sortie="fort")
    assert missed.told[-1].endswith("the Polish side holds its fort")
    assert places(resolved(missed).state) == {FOOT: "Fort", "GER-4th-1": "Fort"}


@pytest.mark.rule("white_eagle:9.0.b7", "white_eagle:5.1.b1")
def test_5_1_with_the_luftwaffe_the_besiegers_roll_back_at_the_fort() -> None:
    """Its hits fall on the unit inside before the fort, and it adds nothing to the dice."""
    state = sortie("POL-Narew-1*", besiegers=("GER-4th-1", "GER-4th-2"), pulled=("Luftwaffe", "Stuka"))
    fort = next(one for one in combats(GROUND, state) if one.sortie == "fort")
    assert fort.defence_events == (Event.LUFTWAFFE,)
    found = at_fort(state, 1, 4, 4, 4, sortie="fort", defence={"event": Event.LUFTWAFFE})
    assert found.told[1:6] == [
        "5.1.b1: German event: Luftwaffe",
        "9.0.b3: Polish fort of Fort on 5+: dice 1, 4: no hit",
        "8.3.p1: German II Corps, III Corps on 4+: dice 4, 4: 2 hits",
        "8.4.p1: Narew INF is eliminated",
        "9.0.b1: the fort of Fort is reduced",
    ]
    assert resolved(found).state.used == ("Luftwaffe",)


def test_ruling_9_5_a_fort_takes_the_event_of_its_side_alone() -> None:
    polish = at_fort(sortie(FOOT, pulled=("P11",)), 1, 4, sortie="fort", event=Event.P11)
    assert "9.0.b3: Polish fort of Fort on 5+ (PZL P.11 +1): dice 1, 4: 1 hit" in polish.told
    state = attack("GER-3rd-1 Burg", against=[FOOT], box="Burg", forts={"Burg": 2}, breakdown=True, turn=3)
    german = fought(state, 1, 4, 4, 1, box="Burg", sortie="all")
    assert german.told[1:3] == [
        "8.3.p1: German I Corps on 4+ (breakdown -1, Allied Involvement -2): dice 1: no hit",
        "9.0.b3: German fort of Burg on 5+: dice 4, 4: no hit",
    ]


# ---------------------------------------------------------------------- when a fort can be activated


@pytest.mark.rule("white_eagle:9.0.p2")
def test_9_0_the_chit_matches_the_fort_or_a_unit_in_it() -> None:
    assert told_combats(sortie("POL-Lodz-2")) == ["Fort all", "Fort fort"]
    assert told_combats(sortie("POL-Lodz-2", command="POL-Central")) == ["Fort all", "Fort fort"]
    assert told_combats(sortie("POL-Lodz-2", command="POL-South")) == []
    assert told_combats(sortie()) == ["Fort fort"]


@pytest.mark.rule("white_eagle:9.0.p2", "white_eagle:9.0.b8")
def test_9_0_a_fort_is_activated_once_a_turn_and_not_left_as_well() -> None:
    assert told_combats(sortie(FOOT, fort_turns=("Fort",))) == []
    assert told_combats(sortie(FOOT, left=("Fort",))) == []
    assert told_combats(sortie(FOOT, fought=("Fort",))) == []


def test_ruling_9_2_who_comes_in_relief_makes_the_sortie_too_and_who_recovers_does_not() -> None:
    state = sortie(FOOT, resting=FOOT)
    assert [one.attackers for one in combats(GROUND, state)] == [()]
    state = sortie(FOOT)
    relieved = replace(state, units={**state.units, **relief_units()}, activation=relieved_activation(state))
    sortie_of_all = next(one for one in combats(GROUND, relieved) if one.sortie == "all")
    assert sortie_of_all.attackers == (FOOT, "POL-Pomorze-2")


def test_ruling_9_8_a_relief_force_does_not_make_its_chit_that_of_the_fort() -> None:
    state = sortie(command="POL-South")
    unit = attack("POL-Krakow-1 Tor", against=["GER-4th-1"], box="Fort", command="POL-South", forts={"Fort": 2})
    assert told_combats(state) == []
    assert told_combats(unit) == ["Fort attack"]


def relief_units() -> dict[str, Any]:
    return dict(attack("POL-Pomorze-2 Tor", against=[], box="Fort", command="POL-North").units)


def relieved_activation(state: State) -> Any:
    assert state.activation is not None
    return replace(state.activation, came={"POL-Pomorze-2": "Tor"})


# ---------------------------------------------------------------------- relief


def relief(*inside: str, support: tuple[str, ...] = (), **facts: Any) -> State:
    """A unit that has come from Tor into the besieged fort."""
    state = attack(
        "POL-Pomorze-2 Tor",
        against=["GER-4th-1"],
        support=list(support),
        box="Fort",
        **{"command": "POL-North", "forts": {"Fort": 2}, **facts},
    )
    placed = attack(*(f"{name} Fort" for name in inside), against=[], box="Fort", command="POL-North").units
    return replace(state, units={**state.units, **placed})


@pytest.mark.rule("white_eagle:9.0.b5")
def test_ruling_9_11_relief_may_fight_or_join_the_garrison() -> None:
    state = relief(FOOT)
    assert told_combats(state) == ["Fort attack", "Fort all", "Fort fort"]
    found = at_fort(state, 5, 1)
    assert found.told[0] == "8.0.p1: combat in Fort: Pomorze CAV against II Corps"
    assert resolved(found).state.fort_turns == ()
    assert told_combats(resolved(found).state) == []


def test_ruling_9_4_relief_that_loses_goes_back_and_the_garrison_stays() -> None:
    found = at_fort(relief(FOOT), 1, 1)
    assert places(resolved(found).state) == {FOOT: "Fort", "GER-4th-1": "Fort", "POL-Pomorze-2": "Tor"}
    with_all = at_fort(relief(FOOT), 1, 1, 1, 1, 1, sortie="all")
    assert places(resolved(with_all).state) == {FOOT: "Fort", "GER-4th-1": "Fort", "POL-Pomorze-2": "Tor"}


def test_ruling_9_12_supporting_units_must_fight_and_go_back() -> None:
    state = relief(FOOT, support=("POL-Modlin-1 Tor",))
    assert told_combats(state) == ["Fort attack*", "Fort all"]
    won = at_fort(state, 5, 1, 1)
    assert won.told[-1] == "8.6.b4: back to Tor: Modlin INF"
    lost = at_fort(state, 1, 1, 4)
    assert lost.told[-1] == "8.6.b1: back to Tor: Modlin INF, Pomorze CAV"


def test_9_0_a_relieved_fort_is_free() -> None:
    state = relief(FOOT, held=("Ende",))
    found = at_fort(replace(state, units={**state.units, "GER-4th-1": reduced(state, "GER-4th-1")}), 5, 1)
    assert found.told[-1] == "8.5.p1: no German unit is left in the combat"


def reduced(state: State, name: str) -> Any:
    return replace(next(one for one in state.units.values() if one.id == name), reduced=True)


def test_a_combat_is_named_by_its_sides() -> None:
    combat: Combat = next(one for one in combats(GROUND, relief(FOOT, support=("POL-Modlin-1 Tor",))))
    assert combat.committed == ("POL-Pomorze-2", "POL-Modlin-1")
    assert combat.events(combat.side.enemy) == ()
