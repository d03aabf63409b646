"""Field fortifications (7.2)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from positions import DATA, position, run, unit

from pbem.games.polska1939.answers import Move, Moves
from pbem.games.polska1939.s4_march import march_phase
from pbem.games.polska1939.s7_field import abandon, dig_in, has_rested
from pbem.games.polska1939.state import Aboard, AreaId, Side, State, Unit, UnitId

REST = Moves()


def dug(*units: Unit, day: int = 3, newcomers: Sequence[str] = (), **forts: int) -> tuple[dict[str, int], list[str]]:
    """Fortifications at the end of a German movement phase, and what is told of them."""
    state = position(*units, day=day, phase=3, forts=forts)
    after, told = run(dig_in(DATA, state, Side.GERMAN, tuple(map(UnitId, newcomers))))
    return dict(after.forts), told


@pytest.mark.rule("polska1939:7.2.1", "polska1939:7.2.2")
def test_7_2_1_who_rested_a_day_builds_a_level() -> None:
    forts, told = dug(unit("DE-INF-3", "G06"), unit("DE-INF-50", "G07"), unit("DE-INF-11", "G13"), G07=1, G13=2)
    assert forts == {"G06": 1, "G07": 2, "G13": 2}
    assert told == [
        "7.2.1: field fortifications of level 1 in Złotów (G06)",
        "7.2.1: field fortifications of level 2 in Piła (G07)",
    ]


@pytest.mark.rule("polska1939:7.2.1")
@pytest.mark.parametrize(
    ("exerted", "builds"),
    [(0, True), (8, True), (9, True), (10, False), (11, False), (14, False), (15, False)],
    ids=["never", "attacked two days ago", "moved yesterday", "later", "retreated", "attacked", "moved"],
)
def test_7_2_1_who_attacked_moved_or_retreated_since_the_last_movement_phase_does_not(
    exerted: int, builds: bool
) -> None:
    tired = unit("DE-INF-3", "G06", exerted=exerted)
    assert has_rested(position(tired, day=3, phase=3), tired) is builds
    assert dug(tired)[0] == ({"G06": 1} if builds else {})


@pytest.mark.rule("polska1939:7.2.1")
def test_7_2_1_who_was_only_attacked_or_bombed_builds() -> None:
    assert dug(unit("DE-INF-3", "G06", disturbed=13))[0] == {"G06": 1}


@pytest.mark.rule("polska1939:7.2.1")
@pytest.mark.parametrize(
    "idle",
    [unit("DE-HQ-II", "G06"), unit("DE-INF-3", "G06", train=Aboard.CAME_LOADED), unit("PL-INF-8", "P22")],
    ids=["an HQ", "on a train", "an enemy"],
)
def test_ruling_7_1_hqs_units_on_trains_and_the_other_side_do_not_build(idle: Unit) -> None:
    assert dug(idle) == ({}, [])


def test_ruling_7_2_who_has_just_come_on_the_map_does_not_build() -> None:
    assert dug(unit("DE-INF-3", "G06"), newcomers=["DE-INF-3"]) == ({}, [])


def test_several_units_build_one_level_together_and_one_that_rested_is_enough() -> None:
    assert dug(unit("DE-INF-3", "G06"), unit("DE-INF-32", "G06"), unit("DE-HQ-II", "G06", exerted=15))[0] == {"G06": 1}


@pytest.mark.rule("polska1939:7.2.2", "polska1939:7.2.3", "polska1939:7.2.3.example")
def test_7_2_3_example_level_1_after_a_day_and_2_after_another() -> None:
    """What the levels are worth is shown with the combat modifiers."""
    state = position(unit("PL-INF-8", "P22", exerted=6), day=2, phase=6, cities={})
    levels = []
    for day in (2, 3, 4):
        state, _ = run(march_phase(DATA, on_day(state, day)), [REST])
        levels.append(state.forts[AreaId("P22")])
    assert levels == [1, 2, 2]


def on_day(state: State, day: int) -> State:
    return position(*state.units.values(), day=day, phase=6, forts=state.forts, cities={})


@pytest.mark.rule("polska1939:7.2.4", "polska1939:7.2.4.example")
def test_7_2_4_example_they_vanish_when_the_unit_leaves_and_stay_when_another_comes() -> None:
    leaves = Move(unit="DE-ARM-3", to="G04")
    comes = Move(unit="DE-INF-50", to="G05")
    state = position(unit("DE-ARM-3", "G05"), unit("DE-INF-50", "G06"), day=10, phase=3, forts={"G05": 2}, cities={})
    empty, told = run(march_phase(DATA, state), [Moves(moves=(leaves,))])
    assert ("7.2.4: field fortifications are abandoned in Frydląd (G05)" in told, "G05" in empty.forts) == (True, False)
    held, _ = run(march_phase(DATA, state), [Moves(moves=(leaves, comes))])
    assert held.forts["G05"] == 2


@pytest.mark.rule("polska1939:7.2.4")
def test_ruling_7_4_a_unit_of_any_kind_keeps_them() -> None:
    state = position(unit("DE-HQ-II", "G06"), phase=3, forts={"G06": 1, "P20": 2, "P22": 1})
    after, told = run(abandon(DATA, state))
    assert after.forts == {"G06": 1}
    assert told == ["7.2.4: field fortifications are abandoned in Mława (P20), Płońsk (P22)"]
