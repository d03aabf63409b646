"""An activation (5.2): who is asked what, recovery, movement, then combat."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.games.white_eagle.answers import Battle, Battles, Defence, Fight, Interference, March, Orders
from pbem.games.white_eagle.kinds import Command, Event, Side
from pbem.games.white_eagle.s4_sequence import one_step
from pbem.games.white_eagle.s5_orders import orders_question, orders_refusals
from pbem.games.white_eagle.s5_recovery import may_recover, recovery_refusals
from pbem.games.white_eagle.s7_march import placed
from pbem.games.white_eagle.state import State, Unit
from white_eagle.positions import DATA, play, position, small_board, unit

FOOT, FOOT_2, LIGHT, TANKS = "GER-3rd-1", "GER-3rd-2", "GER-3rd-3", "GER-4th-3"
POLE, HORSE = "POL-Modlin-1", "POL-Modlin-2"
STAR = small_board(
    "Hub PL\nWest DE\nNorth DE\nEast DE\nSouth PL victory=1", "Hub West\nHub North\nHub East\nHub South\nWest North"
)
FORT = small_board("Hub PL fort=POL-North\nWest PL\nEast DE", "Hub West\nHub East")


def to(*path: str, units: tuple[str, ...] = (FOOT,)) -> March:
    return March(units=units, path=path)


def german(*units: Unit, **facts: Any) -> State:
    return position(*units, **{"command": "GER-North", "turn": 2, **facts})


def reduced(name: str, box: str) -> Unit:
    return unit(name, box, reduced=True)


def refused(state: State, orders: Orders) -> list[str]:
    return [part for one in orders_refusals(STAR, state, orders) for part in (one.sentence(), one.hint) if part]


# ---------------------------------------------------------------------- the flow


@pytest.mark.rule("white_eagle:5.2.p1", "white_eagle:5.0.p1")
def test_5_2_recovery_then_movement_then_combat() -> None:
    state = german(reduced(FOOT_2, "West"), unit(FOOT, "West"), unit(TANKS, "North"), unit(POLE, "Hub"))
    orders = Orders(recover=FOOT_2, marches=(to("Hub"), to("Hub", units=(TANKS,))))
    found = play(one_step(STAR, state), [orders, Defence()], dice=[1, 1, 1, 1])
    assert found.told[:4] == [
        "5.2.p1: German North is activated",
        "5.2.p1: XXI Corps recovers",
        "7.2.p1: I Corps: West to Hub, 1 MP, against the enemy there",
        "7.2.p1: XIX Panzer: North to Hub, 1 MP, against the enemy there",
    ]
    assert [label.split("/")[0] for label in found.labels] == ["8.3"] * len(found.labels)
    result = found.result
    assert (result.activation, result.recovered) == (None, (Side.GERMAN,))
    assert not result.units[FOOT_2].reduced


@pytest.mark.rule("white_eagle:5.1.p1", "white_eagle:5.2.p1", "white_eagle:5.1.b5")
def test_5_1_the_enemys_event_comes_before_the_orders() -> None:
    state = german(unit(FOOT, "West"), pulled=("Sabotage",))
    found = play(one_step(STAR, state), [Interference(use=True), Orders(marches=(to("North"),))])
    assert [(question.role, question.kind) for question in found.asked] == [
        ("polish", "interference"),
        ("german", "orders"),
    ]
    assert found.rules == ["5.2.p1", "5.1.b5", "7.0.p1"]
    assert found.result == replace(
        german(unit(FOOT, "North")), pulled=("Sabotage",), used=("Sabotage",), activation=None
    )


@pytest.mark.rule("white_eagle:5.2.p1")
def test_5_2_a_command_without_units_is_not_asked() -> None:
    found = play(one_step(STAR, german(unit("GER-10th-1", "West"), unit(POLE, "Hub"))))
    assert found.told == ["5.2.p1: German North is activated", "5.2.p1: German North has nothing to do"]
    assert found.result.activation is None


@pytest.mark.rule("white_eagle:5.2.p1")
def test_5_2_units_need_not_do_anything() -> None:
    found = play(one_step(STAR, german(unit(FOOT, "West"), unit(POLE, "Hub"))), [Orders()])
    assert (found.rules, found.result.units) == (["5.2.p1"], german(unit(FOOT, "West"), unit(POLE, "Hub")).units)


# ---------------------------------------------------------------------- who is asked


@pytest.mark.rule("white_eagle:5.2.p1")
@pytest.mark.parametrize(
    ("units", "facts"),
    [
        ([unit(FOOT, "West")], {}),
        ([reduced(FOOT, "West")], {"slowed": -2}),
        ([unit(FOOT, "Hub")], {"slowed": -2, "forts": {"Hub": 2}}),
        ([unit(FOOT, "Hub"), unit(POLE, "Hub")], {"slowed": -2, "forts": {"Hub": 2}}),
    ],
    ids=["a march", "a recovery", "a siege of a fort", "a siege with units"],
)
def test_5_2_who_can_do_something_is_asked(units: list[Unit], facts: dict[str, Any]) -> None:
    question = orders_question(FORT, german(*[replace(one) for one in units], **facts))
    assert question
    assert (question.role, question.model, question.default, question.options) == ("german", Orders, Orders(), None)
    assert question.check(question.default) == []


@pytest.mark.rule("white_eagle:9.0.p2")
def test_9_0_a_besieged_fort_alone_can_be_activated() -> None:
    state = position(unit(FOOT, "Hub"), command="POL-North", forts={"Hub": 2})
    question = orders_question(FORT, state)
    assert question
    assert question.check(Orders(battles=Battles(battles=(Battle(box="Hub", sortie="fort"),)))) == []
    assert orders_question(FORT, replace(state, fort_turns=("Hub",))) is None


@pytest.mark.rule("white_eagle:5.2.p1")
@pytest.mark.parametrize(
    "facts", [{"slowed": -2}, {"command": "GER-South"}, {"command": "SOV-Ukrainian"}], ids=["slow", "other", "none"]
)
def test_5_2_who_cannot_is_not(facts: dict[str, Any]) -> None:
    assert orders_question(FORT, german(unit(FOOT, "West"), unit(POLE, "Hub"), **facts)) is None


# ---------------------------------------------------------------------- recovery


@pytest.mark.rule("white_eagle:5.2.p1", "white_eagle:2.2.p7")
@pytest.mark.parametrize(
    ("one", "facts", "able"),
    [
        (reduced(FOOT, "West"), {}, True),
        (unit(FOOT, "West"), {}, False),
        (reduced("GER-10th-1", "West"), {}, False),
        (reduced(FOOT, "West"), {"recovered": (Side.GERMAN,)}, False),
        (reduced(FOOT, "West"), {"recovered": (Side.POLISH,)}, True),
        (reduced("POL-Warszawa-1", "Hub"), {"command": "POL-Central"}, True),
        (reduced("POL-Wyszkow-1", "Hub"), {"command": "POL-North"}, False),
    ],
    ids=["reduced", "full", "other command", "used", "used by the other side", "reduced at set-up", "unmobilised"],
)
def test_ruling_5_2_who_may_recover(one: Unit, facts: dict[str, Any], able: bool) -> None:
    state = german(one, **facts)
    assert may_recover(STAR, state) == ((one,) if able else ())
    assert (recovery_refusals(STAR, state, one.id) == []) is able


@pytest.mark.rule("white_eagle:5.2.p1")
@pytest.mark.parametrize(
    ("name", "got"),
    [
        ("GER-9th-1", "'GER-9th-1'"),
        (FOOT_2, "XXI Corps, which is not there"),
        ("GER-10th-1", "IV Corps of German South"),
        (LIGHT, "Kempf, which is at full strength"),
        (POLE, "Modlin INF of Polish North"),
    ],
)
def test_5_2_why_a_unit_does_not_recover(name: str, got: str) -> None:
    there = [reduced(FOOT, "West"), unit(LIGHT, "West"), reduced("GER-10th-1", "North"), reduced(POLE, "Hub")]
    assert refused(german(*there), Orders(recover=name)) == [
        f"recover.unit: expected a reduced unit of German North on the map to recover, got {got} in line 1 (5.2.p1)",
        "I Corps could recover",
    ]


@pytest.mark.rule("white_eagle:5.2.p1", "white_eagle:7.3.b5")
def test_5_2_an_unmobilised_unit_waits_for_its_turn() -> None:
    state = position(reduced("POL-Wyszkow-1", "Hub"), command="POL-North", turn=1)
    turn = DATA.unit(next(iter(state.units))).flips_on
    assert refused(state, Orders(recover="POL-Wyszkow-1")) == [
        "recover.unit: expected a reduced unit of Polish North on the map to recover,"
        f" got Wyszkow INF, which comes to strength on turn {turn} in line 1 (5.2.p1)",
        "no unit of Polish North can recover now",
    ]


@pytest.mark.rule("white_eagle:5.2.p1")
def test_5_2_one_recovery_of_a_side_in_a_turn() -> None:
    state = german(reduced(FOOT, "West"), recovered=(Side.GERMAN,))
    assert refused(state, Orders(recover=FOOT)) == [
        "recover.again: expected one recovery of the German side in a turn, got another in line 1 (5.2.p1)",
        "leave it out: the next one is possible next turn",
    ]


@pytest.mark.rule("white_eagle:5.2.p1")
def test_ruling_5_2_who_recovers_neither_moves_nor_attacks() -> None:
    siege = german(reduced(FOOT, "Hub"), unit(POLE, "Hub"), forts={"Hub": 2})
    attack = Battles(battles=(Battle(box="Hub"),))
    found = orders_refusals(FORT, siege, Orders(recover=FOOT, marches=(to("East"),), battles=attack))
    assert [(one.code, one.line) for one in found][:1] == [("march.recovers", 2)]
    found = orders_refusals(FORT, siege, Orders(recover=FOOT, battles=attack))
    assert [(one.code, one.line) for one in found] == [("battle.nobody", 2)]
    assert orders_refusals(FORT, siege, Orders(battles=attack)) == []


# ---------------------------------------------------------------------- all reasons at once


@pytest.mark.rule("white_eagle:5.2.p1")
def test_5_2_every_reason_of_every_part_with_the_number_of_its_order() -> None:
    state = german(reduced(FOOT, "West"), unit(LIGHT, "West"), unit(POLE, "Hub"), unit(HORSE, "South"))
    battles = Battles(battles=(Battle(box="Hub"), Battle(box="South"), Battle(box="Nowhere")))
    orders = Orders(recover=LIGHT, marches=(to("East"), to("Hub", "South")), battles=battles)
    assert [(one.line, one.code) for one in orders_refusals(STAR, state, orders)] == [
        (1, "recover.unit"),
        (2, "march.line"),
        (3, "march.twice"),
        (3, "march.stops"),
        (4, "battle.nobody"),
        (5, "battle.nobody"),
        (6, "battle.box"),
    ]


@pytest.mark.rule("white_eagle:8.0.p1")
def test_5_2_battles_are_judged_where_the_marches_lead() -> None:
    state = german(unit(FOOT, "West"), unit(POLE, "Hub"))
    attack = Battles(battles=(Battle(box="Hub"),))
    assert refused(state, Orders(marches=(to("Hub"),), battles=attack)) == []
    assert [one.code for one in orders_refusals(STAR, state, Orders(battles=attack))] == ["battle.nobody"]
    assert placed(STAR, state, [to("Hub")]).activation.command is Command.GERMAN_NORTH


def test_5_2_an_enemy_cannot_be_recovered_or_ordered() -> None:
    state = german(unit(FOOT, "West"), reduced(POLE, "Hub"))
    orders = Orders(recover=POLE, marches=(to("South", units=(POLE,)),))
    assert [(one.line, one.code) for one in orders_refusals(STAR, state, orders)] == [
        (1, "recover.unit"),
        (2, "march.unit"),
    ]


# ---------------------------------------------------------------------- events of combat


def fought(attack: Event | None, defence: Event | None, *, poles: bool = False, dice: tuple[int, int]) -> list[bool]:
    """Whether the German and the Polish unit were hit, in an attack of one on the other with events."""
    events = tuple(event for event in (attack, defence) if event)
    units = [unit(FOOT, "West"), unit(POLE, "Hub")]
    state = german(*units, command="POL-North" if poles else "GER-North", pulled=events)
    goal, mover = ("West", POLE) if poles else ("Hub", FOOT)
    orders = Orders(marches=(to(goal, units=(mover,)),), battles=Battles(battles=(Battle(box=goal, event=attack),)))
    plan = Defence(fights=(Fight(box=goal, event=defence),) if defence else ())
    asked = [orders] if poles and not defence else [orders, plan]
    found = play(one_step(STAR, state), asked, dice)
    assert found.result.used == events
    return [found.result.units[name].reduced for name in (FOOT, POLE)]


@pytest.mark.rule("white_eagle:5.1.b2", "white_eagle:5.1.b3", "white_eagle:5.1.b4", "white_eagle:5.1.b6")
@pytest.mark.parametrize(
    ("attack", "defence", "hits"),
    [
        (None, None, [False, False]),
        (Event.BLITZKRIEG, None, [False, True]),
        (Event.STUKA, None, [False, True]),
        (None, Event.TRAIN, [True, False]),
        (None, Event.P11, [True, False]),
        (Event.STUKA, Event.P11, [True, True]),
    ],
)
def test_5_1_events_add_1_to_all_dice_of_their_side_in_an_attack_of_the_german(
    attack: Event | None, defence: Event | None, hits: list[bool]
) -> None:
    """Germans hit with 4, Poles with 5: these dice hit only with the event."""
    assert fought(attack, defence, dice=(3, 4)) == hits


@pytest.mark.rule("white_eagle:5.1.b3", "white_eagle:5.1.b6")
@pytest.mark.parametrize(
    ("attack", "defence", "hits"),
    [(Event.P11, None, [True, False]), (None, Event.STUKA, [False, True]), (Event.P11, Event.STUKA, [True, True])],
)
def test_5_1_stuka_and_pzl_p_11_do_so_on_either_side(
    attack: Event | None, defence: Event | None, hits: list[bool]
) -> None:
    assert fought(attack, defence, poles=True, dice=(4, 3)) == hits


@pytest.mark.rule("white_eagle:5.1.b2", "white_eagle:5.1.b4", "white_eagle:5.1.b5", "white_eagle:5.1.p1")
@pytest.mark.parametrize(
    ("event", "poles"),
    [
        (Event.LUFTWAFFE, False), (Event.BLITZKRIEG, True), (Event.TRAIN, False), (Event.P11, False),
        (Event.TRAIN, True), (Event.SABOTAGE, True), (Event.STUKA, True),
    ],
)  # fmt: skip
def test_5_1_events_that_no_attack_of_a_side_can_use(event: Event, poles: bool) -> None:
    units = [unit(FOOT, "West"), unit(POLE, "Hub")]
    state = german(*units, command="POL-North" if poles else "GER-North", pulled=(event,))
    goal, mover = ("West", POLE) if poles else ("Hub", FOOT)
    battles = Battles(battles=(Battle(box=goal, event=event),))
    orders = Orders(marches=(to(goal, units=(mover,)),), battles=battles)
    assert [one.code for one in orders_refusals(STAR, state, orders)] == ["battle.event"]
