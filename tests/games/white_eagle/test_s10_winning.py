"""How the game ends (10.0)."""

from __future__ import annotations

import pytest

from pbem.games.white_eagle.s6_victory import outcome_of
from pbem.games.white_eagle.state import Stage
from pbem.rules.play import Outcome
from white_eagle.positions import DATA, position, unit

CITIES = tuple(DATA.board.victory_cities)
NINE = tuple(box for box in CITIES if DATA.board.boxes[box].victory == 1)
EIGHT = NINE[1:]


def outcome(turn: int, held: tuple[str, ...], **facts: object) -> Outcome | None:
    return outcome_of(DATA, position(**{"turn": turn, "held": held, "stage": Stage.CLEAN_UP, **facts}))


@pytest.mark.rule("white_eagle:10.0.p1", "white_eagle:10.0.b1", "white_eagle:4.2.p2")
@pytest.mark.parametrize("stage", [Stage.LATE, Stage.CLEAN_UP, Stage.PULL])
def test_10_0_the_fifth_breakdown_ends_the_game_at_once(stage: Stage) -> None:
    lost = Outcome("polish", "10.0.b1", "the Blitzkrieg broke down 5 times: Polish victory")
    assert outcome(4, CITIES, breakdowns=5, stage=stage, command="GER-North") == lost
    assert outcome(4, NINE, breakdowns=4, stage=stage) is None


@pytest.mark.rule("white_eagle:10.0.b2")
@pytest.mark.parametrize("turn", [1, 3, 7, 8, 9, 10])
def test_10_0_twelve_points_win_at_the_end_of_any_turn(turn: int) -> None:
    text = f"12 VP at the end of turn {turn}: German victory"
    assert outcome(turn, CITIES) == Outcome("german", "10.0.b2", text)


@pytest.mark.rule("white_eagle:10.0.b2")
@pytest.mark.parametrize("stage", [Stage.PULL, Stage.LATE])
def test_10_0_twelve_points_win_not_before_the_end_of_the_turn(stage: Stage) -> None:
    assert outcome(3, CITIES, stage=stage) is None
    assert outcome(3, CITIES, command="GER-South") is None


@pytest.mark.rule("white_eagle:10.0.b2", "white_eagle:6.1.p5")
def test_10_0_twelve_markers_with_a_lost_fort_are_eleven_points() -> None:
    assert outcome(3, CITIES, forts={"Lotzen": 0}) is None


@pytest.mark.rule("white_eagle:10.0.p2", "white_eagle:10.0.b3", "white_eagle:10.0.b4", "white_eagle:10.0.p3")
@pytest.mark.parametrize(
    ("turn", "held", "expected"),
    [
        (7, NINE, None),
        (8, NINE, Outcome("german", "10.0.b3", "9 adjusted VP at the end of turn 8: German victory")),
        (8, EIGHT, None),
        (9, NINE, Outcome("", "10.0.b4", "9 adjusted VP at the end of turn 9: a draw")),
        (9, EIGHT, None),
        (10, NINE, Outcome("", "10.0.b4", "9 adjusted VP at the end of turn 10: a draw")),
        (10, EIGHT, Outcome("polish", "10.0.p3", "8 adjusted VP at the end of turn 10: Polish victory")),
        (10, (), Outcome("polish", "10.0.p3", "0 adjusted VP at the end of turn 10: Polish victory")),
    ],
)
def test_10_0_the_check_from_turn_8_on(turn: int, held: tuple[str, ...], expected: Outcome | None) -> None:
    assert outcome(turn, held) == expected


@pytest.mark.rule("white_eagle:10.0.p2", "white_eagle:7.3.b2")
def test_10_0_germans_in_the_east_cost_points_in_the_check_once_the_soviets_are_there() -> None:
    there = unit("GER-3rd-1", "Siedlce")
    assert outcome_of(DATA, position(there, turn=8, held=NINE, stage=Stage.CLEAN_UP, soviets=True)) is None
    found = outcome_of(DATA, position(there, turn=8, held=NINE, stage=Stage.CLEAN_UP))
    assert found == Outcome("german", "10.0.b3", "9 adjusted VP at the end of turn 8: German victory")


@pytest.mark.rule("white_eagle:10.0.b2", "white_eagle:10.0.p2")
def test_10_0_twelve_points_win_whatever_is_in_the_east() -> None:
    there = [unit(name, "Siedlce") for name in ("GER-3rd-1", "GER-3rd-2")]
    found = outcome_of(DATA, position(*there, turn=8, held=CITIES, stage=Stage.CLEAN_UP, soviets=True))
    assert found == Outcome("german", "10.0.b2", "12 VP at the end of turn 8: German victory")
