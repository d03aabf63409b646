"""How far units march, who may not, and which boxes are closed (7.0, 7.2, 7.3)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.s7_movement import Route, barred, can_march, may_march, points, reachable
from pbem.games.white_eagle.state import Unit
from white_eagle.positions import DATA, OPENING, position, small_board, unit

FOOT, TANKS, LIGHT = "GER-3rd-1", "GER-4th-3", "GER-3rd-3"
HORSE = "POL-Modlin-2"
ROW = "\n".join(f"B{number} PL" for number in range(8))
EASY = "\n".join(f"B{number} B{number + 1}" for number in range(7))
LINE = small_board(ROW, EASY)


def reach(data: GameData, mover: Unit, *others: Unit, **facts: Any) -> dict[str, int]:
    """The boxes in reach of a unit, with their costs."""
    command = data.unit(mover.id).command
    found = reachable(data, position(mover, *others, command=command, **facts), mover)
    return {box: route.cost for box, route in found.items()}


# ---------------------------------------------------------------------- points


@pytest.mark.rule("white_eagle:7.0.p2", "white_eagle:7.0.b3", "white_eagle:2.2.b1")
def test_7_0_infantry_has_2_points() -> None:
    assert reach(LINE, unit(FOOT, "B0")) == {"B1": 1, "B2": 2}


@pytest.mark.rule(
    "white_eagle:7.0.p2", "white_eagle:7.0.b4", "white_eagle:2.2.b2", "white_eagle:2.2.b3", "white_eagle:2.2.b4"
)
@pytest.mark.parametrize("name", [TANKS, LIGHT, HORSE, "SOV-11th-2"], ids=["armor", "light", "cavalry", "Soviet"])
def test_7_0_all_others_have_4_points(name: str) -> None:
    board = LINE if not name.startswith("SOV") else small_board(ROW.replace(" PL", " PL east"), EASY)
    assert reach(board, unit(name, "B0"), soviets=True) == {"B1": 1, "B2": 2, "B3": 3, "B4": 4}


@pytest.mark.rule("white_eagle:7.0.p1", "white_eagle:7.0.b1", "white_eagle:7.0.b2")
def test_7_0_easy_lines_cost_1_and_difficult_ones_2() -> None:
    board = small_board("B0 PL\nB1 PL\nB2 PL\nB3 PL\nB4 PL", "B0 B1 difficult\nB1 B2\nB2 B3 difficult\nB0 B4")
    assert reach(board, unit(FOOT, "B0")) == {"B1": 2, "B4": 1}
    assert reach(board, unit(TANKS, "B0")) == {"B1": 2, "B2": 3, "B4": 1}


@pytest.mark.rule("white_eagle:7.0.p3", "white_eagle:5.1.b1", "white_eagle:5.1.b5", "white_eagle:4.2.b1")
@pytest.mark.parametrize(
    ("name", "slowed", "expected"), [(FOOT, -1, 1), (TANKS, -1, 3), (FOOT, -2, 0), (TANKS, -2, 2), (FOOT, -3, 0)]
)
def test_7_0_events_and_breakdowns_take_points(name: str, slowed: int, expected: int) -> None:
    mover = unit(name, "B0")
    state = position(mover, command="GER-North", slowed=slowed)
    assert points(LINE, state, mover) == expected
    assert len(reachable(LINE, state, mover)) == expected


def test_7_0_the_cheapest_way_is_taken_then_the_shortest_then_the_first_by_name() -> None:
    board = small_board(
        "B0 PL\nB1 PL\nB2 PL\nB3 PL\nB4 PL\nB5 PL",
        "B0 B1\nB1 B3\nB0 B2\nB2 B3\nB0 B3 difficult\nB3 B4\nB0 B5 difficult\nB5 B4 difficult",
    )
    mover = unit(TANKS, "B0")
    found = reachable(board, position(mover, command="GER-North"), mover)
    assert found == {
        "B1": Route(("B1",), 1),
        "B2": Route(("B2",), 1),
        "B3": Route(("B3",), 2),
        "B4": Route(("B3", "B4"), 3),
        "B5": Route(("B5",), 2),
    }


# ---------------------------------------------------------------------- enemies


@pytest.mark.rule("white_eagle:7.2.p1")
def test_7_2_a_unit_stops_where_enemies_are() -> None:
    assert reach(LINE, unit(TANKS, "B0"), unit(HORSE, "B2")) == {"B1": 1, "B2": 2}


@pytest.mark.rule("white_eagle:7.1.p2")
def test_7_1_a_unit_moves_through_friends_of_any_nationality() -> None:
    friends = [unit(name, "B1") for name in ("GER-4th-1", "GER-4th-2", "GER-AGN-1")]
    assert reach(LINE, unit(TANKS, "B0"), *friends, unit("SLO-Bernolak-1", "B2")) == {
        "B1": 1,
        "B2": 2,
        "B3": 3,
        "B4": 4,
    }


@pytest.mark.rule("white_eagle:7.2.p1")
@pytest.mark.parametrize(
    ("command", "steps", "expected"),
    [
        ("POL-North", 2, ["B1", "B2"]),
        ("POL-North", 1, ["B1", "B2"]),
        ("POL-North", 0, ["B1", "B2", "B3", "B4"]),
        ("GER-North", 2, ["B1", "B2", "B3", "B4"]),
    ],
    ids=["standing", "reduced", "destroyed", "a friend's"],
)
def test_ruling_7_3_a_standing_enemy_fort_stops_as_units_do(command: str, steps: int, expected: list[str]) -> None:
    board = small_board(ROW.replace("B2 PL", f"B2 PL fort={command}"), EASY)
    assert [*reach(board, unit(TANKS, "B0"), forts={"B2": steps})] == expected


@pytest.mark.rule("white_eagle:7.2.p1", "white_eagle:9.0.b8")
def test_ruling_7_4_who_begins_among_enemies_leaves_by_any_line_until_the_next_ones() -> None:
    enemies = [unit(HORSE, "B3"), unit("POL-Modlin-1", "B5")]
    assert reach(LINE, unit(TANKS, "B3"), *enemies) == {"B1": 2, "B2": 1, "B0": 3, "B4": 1, "B5": 2}


@pytest.mark.rule("white_eagle:7.2.p1")
def test_7_2_a_way_around_enemies_is_found() -> None:
    board = small_board("B0 PL\nB1 PL\nB2 PL\nB3 PL\nB4 PL", "B0 B1\nB1 B2\nB0 B3\nB3 B4\nB4 B2")
    mover = unit(TANKS, "B0")
    state = position(mover, unit(HORSE, "B1"), command="GER-North")
    assert reachable(board, state, mover)["B2"] == Route(("B3", "B4", "B2"), 3)


# ---------------------------------------------------------------------- special restrictions


def refused(name: str, box: str = "Lodz", *, reduced: bool = False, **facts: Any) -> str:
    """The refusal of a unit that is to march, in short."""
    mover = unit(name, box, reduced=reduced)
    found = may_march(DATA, position(mover, **facts), mover)
    return f"{found.sentence()}; {found.hint}" if found else ""


@pytest.mark.rule("white_eagle:7.3.p1", "white_eagle:7.3.b1", "white_eagle:3.1.p4")
def test_7_3_reserves_of_the_army_groups_wait_for_turn_2() -> None:
    text = "march.reserve: expected a unit that may move on turn 1, got AGN 1 (7.3.b1); it may move from turn 2 on"
    assert refused("GER-AGN-1", turn=1, command="GER-North") == text
    assert refused("GER-AGS-2", turn=1, command="GER-South").startswith("march.reserve: ")
    assert refused("GER-AGN-1", turn=2, command="GER-North") == ""


@pytest.mark.rule("white_eagle:7.3.b5")
def test_7_3_units_of_one_step_wait_until_they_are_turned_over() -> None:
    text = "march.unmobilised: expected a unit that is mobilised, got Wyszkow INF (7.3.b5); it may move from turn 2 on"
    assert refused("POL-Wyszkow-1", reduced=True, turn=1, command="POL-North") == text
    assert refused("POL-Polesie-1", reduced=True, turn=2, command="POL-Central").startswith("march.unmobilised: ")
    assert refused("POL-Wyszkow-1", turn=2, command="POL-North") == ""
    assert refused("POL-Warszawa-1", reduced=True, turn=1, command="POL-Central") == ""


@pytest.mark.rule("white_eagle:5.2.p1")
def test_5_2_only_the_activated_command_moves() -> None:
    text = "march.command: expected a unit of German North, got IV Corps of German South (5.2.p1)"
    assert refused("GER-10th-1", command="GER-North") == f"{text}; it moves when its own chit is drawn"


@pytest.mark.rule("white_eagle:6.3.p1")
def test_6_3_soviets_move_when_they_have_entered() -> None:
    text = "march.soviets: expected a unit that is in the game, got 3rd INF before Soviet entry (6.3.p1)"
    hint = "the Soviets enter with 6 VP from turn 5 on"
    assert refused("SOV-3rd-1", "Minsk", turn=5, command="SOV-Belorussian") == f"{text}; {hint}"
    assert refused("SOV-3rd-1", "Minsk", turn=5, command="SOV-Belorussian", soviets=True) == ""


@pytest.mark.rule("white_eagle:7.3.b2")
@pytest.mark.parametrize("soviets", [False, True])
@pytest.mark.parametrize("box", ["Siedlce", "Brzesc-Litewski", "Minsk", "Warszawa", "Presov"])
def test_7_3_no_box_is_closed_to_germans(box: str, soviets: bool) -> None:
    mover = unit(FOOT, "Warszawa")
    assert barred(DATA, position(mover, turn=1, soviets=soviets), mover, BoxId(box)) is None


@pytest.mark.rule("white_eagle:7.3.b3")
def test_7_3_soviets_stay_east_of_the_line() -> None:
    board = small_board("B0 SU east\nB1 PL east\nB2 PL\nB3 PL east", "B0 B1\nB1 B2\nB2 B3")
    mover = unit("SOV-3rd-2", "B0")
    assert reach(board, mover, soviets=True) == {"B1": 1}
    found = barred(board, position(mover), mover, BoxId("B2"))
    assert found
    text = "march.line: expected a box east of the German/Soviet Line for 3rd ARM, got B2 (7.3.b3)"
    assert (found.sentence(), found.hint) == (text, "Soviet units never move west of that line")


@pytest.mark.rule("white_eagle:7.3.b4")
def test_7_3_the_slovak_stays_within_two_lines_of_presov() -> None:
    boxes, lines = "Presov SK\nB1 SK\nB2 PL\nB3 PL\nB4 PL", "Presov B1\nB1 B2\nB2 B3\nB1 B4 difficult"
    board = small_board(boxes, lines)
    mover = unit("SLO-Bernolak-1", "Presov")
    assert reach(board, mover) == {"B1": 1, "B2": 2}
    found = barred(board, position(mover), mover, BoxId("B3"))
    assert found
    text = "march.slovak: expected a box within 2 lines of Presov for Bernolak, got B3, 3 lines away (7.3.b4)"
    assert (found.sentence(), found.hint) == (text, "these are B1, B2, B4, Presov")
    assert barred(board, position(mover), mover, BoxId("B4")) is None


@pytest.mark.rule("white_eagle:7.3.b5")
@pytest.mark.parametrize("country", ["DE", "EP", "DZ", "SK", "SU"])
def test_7_3_poles_stay_in_poland_on_turn_1(country: str) -> None:
    board = small_board(f"B0 PL\nB1 PL\nB2 {country}\nB3 PL", "B0 B1\nB1 B2\nB2 B3")
    mover = unit(HORSE, "B0")
    assert reach(board, mover, turn=1) == {"B1": 1}
    assert reach(board, mover, turn=2) == {"B1": 1, "B2": 2, "B3": 3}
    found = barred(board, position(mover, turn=1), mover, BoxId("B2"))
    assert found
    text = "march.poland: expected a box in Poland for Modlin CAV on turn 1, got B2 (7.3.b5)"
    assert (found.sentence(), found.hint) == (text, "Poles may leave Poland from turn 2 on")


# ---------------------------------------------------------------------- out of a fort


FORT = "Modlin"


@pytest.mark.rule("white_eagle:9.0.p2", "white_eagle:9.0.b8")
def test_ruling_9_3_a_unit_of_another_command_leaves_a_besieged_fort_by_the_forts_chit() -> None:
    enemy = unit(FOOT, FORT)
    facts = {"command": "POL-North", "forts": {FORT: 2}}
    mover = unit("POL-Poznan-1", FORT)
    assert may_march(DATA, position(mover, enemy, **facts), mover) is None
    used = may_march(DATA, position(mover, enemy, fort_turns=(FORT,), **facts), mover)
    assert used
    text = "march.command: expected a unit of Polish North, got Poznan INF of Polish Central (5.2.p1)"
    assert (used.sentence(), used.hint) == (text, "the fort of Modlin was activated this turn already (9.0)")


@pytest.mark.rule("white_eagle:9.0.p2")
@pytest.mark.parametrize(
    ("command", "steps", "enemies"),
    [("POL-North", 2, []), ("POL-North", 0, [unit(FOOT, FORT)]), ("POL-South", 2, [unit(FOOT, FORT)])],
    ids=["not besieged", "destroyed", "another chit"],
)
def test_ruling_9_3_but_not_else(command: str, steps: int, enemies: list[Unit]) -> None:
    mover = unit("POL-Poznan-1", FORT)
    assert may_march(DATA, position(mover, *enemies, command=command, forts={FORT: steps}), mover)


# ---------------------------------------------------------------------- is there anything to slow down


@pytest.mark.rule("white_eagle:5.1.p1")
def test_5_1_there_is_a_march_when_a_unit_of_the_command_can_go_anywhere() -> None:
    assert can_march(DATA, OPENING)
    assert can_march(LINE, position(unit(FOOT, "B0"), command="GER-North"))


@pytest.mark.parametrize(
    "facts",
    [
        {"command": "GER-South"},
        {"command": "GER-North", "slowed": -2},
        {},
    ],
    ids=["nobody of the command", "no points left", "no activation"],
)
def test_5_1_and_none_when_no_unit_can(facts: dict[str, Any]) -> None:
    assert not can_march(LINE, position(unit(FOOT, "B0"), **facts))


def test_7_0_the_narew_army_reaches_lotzen_on_turn_2() -> None:
    state = position(unit("POL-Narew-1", "Lomza"), command="POL-North", forts={"Lotzen": 2})
    assert "Lotzen" in reachable(DATA, state, state.units[UnitId("POL-Narew-1")])
