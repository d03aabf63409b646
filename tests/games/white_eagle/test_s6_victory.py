"""Victory points, control markers, allied involvement (6.0 to 6.2)."""

from __future__ import annotations

import pytest

from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.kinds import Side
from pbem.games.white_eagle.s6_victory import adjusted_points, allied_modifier, east_of_line, settle, victory_points
from pbem.games.white_eagle.state import Unit
from white_eagle.positions import DATA, OPENING, play, position, small_board, unit

CITIES = tuple(DATA.board.victory_cities)
ORDINARY = tuple(box for box in CITIES if DATA.board.boxes[box].victory == 1)
BOARD = small_board(
    "City PL victory=1\nFort PL victory=1 fort=POL-North\nWarszawa PL victory=3\nField PL", "City Field"
)
GERMAN, SOVIET, SLOVAK, POLE = "GER-3rd-1", "SOV-3rd-1", "SLO-Bernolak-1", "POL-Modlin-1"


def settled(*units: Unit, box: str = "City", held: tuple[str, ...] = (), **facts: object) -> tuple[object, list[str]]:
    """The control markers after a box was looked at, and what was told."""
    found = play(settle(BOARD, position(*units, held=held, **facts), BoxId(box)))
    return found.result.held, found.told


@pytest.mark.rule("white_eagle:6.0.p1")
@pytest.mark.parametrize(("held", "expected"), [((), 0), (("Danzig",), 1), (CITIES, 12), (ORDINARY, 9)])
def test_6_0_points_are_markers_on_the_map(held: tuple[str, ...], expected: int) -> None:
    assert victory_points(DATA, position(held=held)) == expected


@pytest.mark.rule("white_eagle:6.0.p1")
def test_6_0_one_point_at_the_start() -> None:
    assert victory_points(DATA, OPENING) == 1


@pytest.mark.rule("white_eagle:6.1.p1", "white_eagle:6.1.p2")
@pytest.mark.parametrize("name", [GERMAN, SOVIET, SLOVAK])
def test_6_1_a_city_is_captured_by_any_unit_of_the_german_side(name: str) -> None:
    assert settled(unit(name, "City")) == (("City",), ["6.1.p2: City is captured: 1 VP"])


@pytest.mark.rule("white_eagle:6.1.p1", "white_eagle:6.1.p3")
def test_6_1_a_city_is_liberated_by_a_pole() -> None:
    assert settled(unit(POLE, "City"), held=("City",)) == ((), ["6.1.p3: City is liberated: 0 VP"])


@pytest.mark.rule("white_eagle:6.1.p2", "white_eagle:6.1.p3")
@pytest.mark.parametrize("held", [(), ("City",)])
def test_6_1_nothing_changes_while_both_sides_are_there_or_none(held: tuple[str, ...]) -> None:
    assert settled(unit(GERMAN, "City"), unit(POLE, "City"), held=held) == (held, [])
    assert settled(held=held) == (held, [])


@pytest.mark.rule("white_eagle:6.1.p1")
def test_6_1_who_has_the_city_already_gets_no_second_marker() -> None:
    assert settled(unit(GERMAN, "City"), held=("City",)) == (("City",), [])
    assert settled(unit(POLE, "City")) == ((), [])


def test_6_1_a_box_that_is_no_victory_city_has_no_marker() -> None:
    assert settled(unit(GERMAN, "Field"), box="Field") == ((), [])


@pytest.mark.rule("white_eagle:6.1.p4")
def test_6_1_warszawa_takes_three_markers() -> None:
    warsaw = unit(GERMAN, "Warszawa")
    assert settled(warsaw, box="Warszawa") == (("Warszawa",), ["6.1.p4: Warszawa is captured: 3 VP"])
    told = ["6.1.p4: Warszawa is liberated: 1 VP"]
    assert settled(unit(POLE, "Warszawa"), box="Warszawa", held=("City", "Warszawa")) == (("City",), told)


@pytest.mark.rule("white_eagle:6.1.p2", "white_eagle:6.1.p3")
@pytest.mark.parametrize(("steps", "expected"), [(2, ()), (1, ()), (0, ("Fort",))])
def test_ruling_6_2_a_city_with_a_fort_falls_when_the_fort_is_destroyed(steps: int, expected: tuple[str, ...]) -> None:
    assert settled(unit(GERMAN, "Fort"), box="Fort", forts={"Fort": steps})[0] == expected


@pytest.mark.rule("white_eagle:6.1.p3")
def test_ruling_6_2_a_standing_polish_fort_does_not_keep_poles_from_liberating() -> None:
    assert settled(unit(POLE, "Fort"), box="Fort", held=("Fort",), forts={"Fort": 1})[0] == ()


@pytest.mark.rule("white_eagle:6.1.p5")
@pytest.mark.parametrize(
    ("forts", "held", "expected"),
    [
        ({"Konigsberg": 0, "Lotzen": 2}, ORDINARY, 8),
        ({"Konigsberg": 0, "Lotzen": 0}, ORDINARY, 7),
        ({"Konigsberg": 1, "Lotzen": 1}, ORDINARY, 9),
        ({"Modlin": 0}, ORDINARY, 9),
        ({"Konigsberg": 0, "Lotzen": 0}, ("Danzig",), 0),
    ],
    ids=["one", "both", "reduced ones", "a Polish one", "never below 0"],
)
def test_6_1_destroyed_german_forts_cost_a_point(forts: dict[str, int], held: tuple[str, ...], expected: int) -> None:
    assert victory_points(DATA, position(forts=forts, held=held)) == expected


@pytest.mark.rule("white_eagle:6.2.p1")
@pytest.mark.parametrize(
    ("turn", "held", "expected"),
    [
        (2, (), 0), (3, (), -2), (3, ("Danzig",), -1), (3, ("Danzig", "Krakow"), 0), (10, ("Danzig",), -1),
        (10, (), -2), (1, ("Danzig",), 0),
    ],
)  # fmt: skip
def test_6_2_few_points_cost_german_dice_from_turn_3_on(turn: int, held: tuple[str, ...], expected: int) -> None:
    assert allied_modifier(DATA, position(turn=turn, held=held)) == expected


@pytest.mark.rule("white_eagle:6.2.p1")
def test_6_2_the_points_of_the_moment_count_with_lost_forts() -> None:
    assert allied_modifier(DATA, position(turn=3, held=("Danzig", "Krakow"), forts={"Lotzen": 0})) == -1


@pytest.mark.rule("white_eagle:10.0.p2")
@pytest.mark.parametrize(
    ("units", "soviets", "expected"),
    [
        ([("GER-3rd-1", "Siedlce"), ("GER-3rd-2", "Minsk")], True, 7),
        ([("GER-3rd-1", "Siedlce"), ("GER-3rd-2", "Minsk")], False, 9),
        ([("GER-3rd-1", "Warszawa"), ("GER-3rd-2", "Allenstein")], True, 9),
        ([("SLO-Bernolak-1", "Przemysl"), ("SOV-3rd-1", "Siedlce"), ("POL-Krakow-1", "Siedlce")], True, 9),
    ],
    ids=["east of the line", "no Soviets in the game", "west of it", "other nationalities"],
)
def test_10_0_adjusted_points(units: list[tuple[str, str]], soviets: bool, expected: int) -> None:
    state = position(*[unit(name, box) for name, box in units], soviets=soviets, held=ORDINARY)
    assert adjusted_points(DATA, state) == expected


def test_10_0_units_east_of_the_line_are_counted_one_by_one() -> None:
    there = [unit(name, "Siedlce") for name in ("GER-3rd-1", "GER-3rd-2", "GER-4th-1")]
    assert east_of_line(DATA, position(*there, unit("GER-4th-2", "Warszawa"))) == 3
    assert DATA.forces.units[there[0].id].side is Side.GERMAN
