"""Events that slow movement down (5.1); those of combat are shown with combat."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.games.white_eagle.answers import Interference
from pbem.games.white_eagle.kinds import Command, Event, Side
from pbem.games.white_eagle.s5_events import interfere, ready_events, use_event
from pbem.games.white_eagle.s7_movement import points
from pbem.games.white_eagle.state import Activation, State
from white_eagle.positions import DATA, Played, play, position, unit

USE, KEEP = Interference(use=True), Interference(use=False)
FOOT, TANKS, POLE, SLOVAK = "GER-14th-1", "GER-14th-3", "POL-Krakow-1", "SLO-Bernolak-1"


def state_with(*pulled: str, command: str = "GER-South", **facts: Any) -> State:
    units = [unit(FOOT, "Neisse"), unit(TANKS, "Neisse"), unit(SLOVAK, "Presov"), unit(POLE, "Krakow")]
    return position(*units, pulled=pulled, command=command, **facts)


def slowed(state: State, *answers: Interference) -> Played:
    assert state.activation
    return play(interfere(DATA, state, state.activation), answers)


@pytest.mark.rule("white_eagle:5.1.p1")
def test_5_1_events_are_ready_for_their_side_when_drawn_until_used() -> None:
    state = state_with("Stuka", "P11", "GER-South", "Luftwaffe", "Sabotage", used=("Stuka",))
    assert ready_events(DATA, state, Side.GERMAN) == (Event.LUFTWAFFE,)
    assert ready_events(DATA, state, Side.POLISH) == (Event.P11, Event.SABOTAGE)
    after = use_event(DATA, state, Event.P11)
    assert after == replace(state, used=("Stuka", "P11"))
    assert ready_events(DATA, after, Side.POLISH) == (Event.SABOTAGE,)


@pytest.mark.rule("white_eagle:5.1.b5", "white_eagle:5.1.p1", "white_eagle:7.0.p3")
def test_5_1_sabotage_before_a_german_movement() -> None:
    state = state_with("Sabotage")
    found = slowed(state, USE)
    assert [(one.role, one.kind) for one in found.asked] == [("polish", "interference")]
    assert found.told == ["5.1.b5: Sabotage: the units of German South lose 1 movement point"]
    activation = Activation(Command.GERMAN_SOUTH, slowed=-1, asked=True)
    assert found.result == replace(state, used=("Sabotage",), activation=activation)
    there = found.result.units.values()
    assert [points(DATA, found.result, one) for one in there if one.id in (FOOT, TANKS, SLOVAK)] == [1, 3, 1]


@pytest.mark.rule("white_eagle:5.1.b1")
def test_5_1_luftwaffe_before_a_polish_movement() -> None:
    state = state_with("Luftwaffe", command="POL-South")
    found = slowed(state, USE)
    assert [(one.role, one.kind) for one in found.asked] == [("german", "interference")]
    assert found.told == ["5.1.b1: Luftwaffe: the units of Polish South lose 1 movement point"]
    assert found.result.activation == Activation(Command.POLISH_SOUTH, slowed=-1, asked=True)


@pytest.mark.rule("white_eagle:5.1.p1")
def test_5_1_it_may_be_kept_for_later_which_is_the_default() -> None:
    found = slowed(state_with("Sabotage"), KEEP)
    assert (found.told, found.result.used) == ([], ())
    assert found.result.activation == Activation(Command.GERMAN_SOUTH, asked=True)
    assert (found.asked[0].default, found.asked[0].legal()) == (KEEP, (KEEP, USE))


@pytest.mark.rule("white_eagle:5.1.b5", "white_eagle:4.2.b1")
def test_ruling_4_1_sabotage_and_a_breakdown_add_up() -> None:
    found = slowed(state_with("Sabotage", slowed=-1, breakdown=True), USE)
    assert found.result.activation == Activation(Command.GERMAN_SOUTH, slowed=-2, breakdown=True, asked=True)


@pytest.mark.rule("white_eagle:5.1.b1", "white_eagle:5.1.b5", "white_eagle:5.1.p1")
@pytest.mark.parametrize(
    ("pulled", "facts"),
    [
        ((), {}),
        (("Sabotage",), {"used": ("Sabotage",)}),
        (("Luftwaffe", "Stuka", "P11", "Train"), {}),
        (("Sabotage",), {"command": "POL-South"}),
        (("Sabotage",), {"asked": True}),
        (("Sabotage",), {"command": "GER-North"}),
        (("Luftwaffe",), {"command": "POL-Central"}),
    ],
    ids=["not drawn", "used", "other events", "own movement", "asked before", "nobody to march", "no unit there"],
)
def test_5_1_nobody_is_asked_who_has_no_choice(pulled: tuple[str, ...], facts: dict[str, Any]) -> None:
    state = state_with(*pulled, **facts)
    found = slowed(state)
    assert (found.asked, found.told) == ([], [])
    assert found.result == replace(state, activation=replace(state.activation, asked=True))


@pytest.mark.rule("white_eagle:5.1.b1")
def test_5_1_soviets_are_slowed_by_sabotage_as_a_part_of_the_german_side() -> None:
    state = position(unit("SOV-5th-1", "Proskurov"), command="SOV-Ukrainian", pulled=("Sabotage",), soviets=True)
    assert slowed(state, USE).told == ["5.1.b5: Sabotage: the units of Soviet Ukrainian lose 1 movement point"]
