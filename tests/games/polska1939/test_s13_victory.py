"""Victory: capturing cities (13.A), points, the end and its result."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from positions import DATA, position, run, unit

from pbem.games.polska1939.s13_victory import all_destroyed, close_day, grade, outcome_of, score, take_cities
from pbem.games.polska1939.state import AreaId, City, Side, State, UnitId
from pbem.rules.play import Outcome

CZESTOCHOWA = AreaId("P47")
BESIDE = next(area for area in DATA.board.neighbours[CZESTOCHOWA] if DATA.board.areas[area].country == "PL")


def taken(state: State, side: Side = Side.GERMAN, passed: tuple[str, ...] = ()) -> State:
    after: State = run(take_cities(DATA, state, side, tuple(map(AreaId, passed))))[0]
    return after


def holder(state: State) -> Side:
    return state.cities[CZESTOCHOWA].holder


# ---------------------------------------------------------------------- capturing (13.A)


@pytest.mark.rule("polska1939:13.A")
def test_13_a_a_unit_in_the_city_takes_it_whoever_is_near() -> None:
    alone = {CZESTOCHOWA: City(Side.POLISH)}
    state = position(unit("DE-INF-4", "P47"), unit("PL-INF-7", BESIDE), phase=3, cities=alone)
    after, told = run(take_cities(DATA, state, Side.GERMAN, ()))
    assert (holder(after), told) == (Side.GERMAN, ["13.A: the German side takes Częstochowa (P47)"])


@pytest.mark.rule("polska1939:13.A")
def test_13_a_a_unit_beside_it_takes_it_when_no_enemy_is_near() -> None:
    assert holder(taken(position(unit("DE-INF-4", BESIDE), phase=3))) is Side.GERMAN


@pytest.mark.rule("polska1939:13.A")
@pytest.mark.parametrize("enemy", [CZESTOCHOWA, DATA.board.neighbours[CZESTOCHOWA][-1]])
def test_13_a_an_enemy_in_the_city_or_beside_it_guards_it(enemy: AreaId) -> None:
    first = next(area for area in DATA.board.neighbours[CZESTOCHOWA] if area != enemy)
    assert holder(taken(position(unit("DE-INF-4", first), unit("PL-INF-7", enemy), phase=3))) is Side.POLISH


@pytest.mark.rule("polska1939:13.A")
def test_13_a_a_unit_that_passed_through_takes_it() -> None:
    far = position(unit("DE-INF-4", "G37"), phase=3)
    assert [holder(taken(far, passed=passed)) for passed in ((), (CZESTOCHOWA,))] == [Side.POLISH, Side.GERMAN]


def test_ruling_13_5_a_headquarters_guards_a_city() -> None:
    assert holder(taken(position(unit("DE-INF-4", BESIDE), unit("PL-HQ-Lodz", CZESTOCHOWA), phase=3))) is Side.POLISH


# ---------------------------------------------------------------------- points


def held(day: int, holder_: Side, point: Side | None = None) -> State:
    begun = position(day=day, phase=6)
    return replace(begun, cities={CZESTOCHOWA: City(holder_, point)})


@pytest.mark.rule("polska1939:13.A", "polska1939:scenario.victory-city")
@pytest.mark.parametrize("side", [Side.GERMAN, Side.POLISH])
def test_ruling_13_1_the_point_goes_to_who_holds_the_city_when_its_day_ends(side: Side) -> None:
    state, told = run(close_day(DATA, held(3, side)))
    assert state.cities[CZESTOCHOWA].point is side
    assert told == [f"13.A: Częstochowa (P47): its historical day is over, the point is {side.adjective}"]
    assert run(close_day(DATA, held(2, side)))[0].cities[CZESTOCHOWA].point is None


@pytest.mark.rule("polska1939:13.A")
def test_ruling_13_1_poles_who_take_it_back_later_have_the_point_for_good() -> None:
    late = replace(held(5, Side.GERMAN, Side.GERMAN), units=position(unit("PL-INF-7", CZESTOCHOWA)).units)
    back = taken(late, Side.POLISH)
    assert back.cities[CZESTOCHOWA] == City(Side.POLISH, Side.POLISH)
    again = replace(back, units=position(unit("DE-INF-4", CZESTOCHOWA)).units)
    assert taken(again).cities[CZESTOCHOWA] == City(Side.GERMAN, Side.POLISH)


def poles(day: int, **facts: Any) -> State:
    """A late position with a Polish unit, and cities of which the Germans have six points and the Poles one."""
    cities = {AreaId(f"P{n}"): City(Side.GERMAN, Side.GERMAN) for n in range(40, 46)}
    cities[AreaId("P46")] = City(Side.POLISH, Side.POLISH)
    return position(unit("PL-INF-7", "P97"), day=day, cities=cities, **facts)


@pytest.mark.rule("polska1939:scenario.result")
def test_the_result_after_the_last_day() -> None:
    assert outcome_of(DATA, poles(35)) is None
    text = "German 6 VP, Polish 1 VP: German medium victory"
    assert outcome_of(DATA, poles(36)) == Outcome("german", "scenario.result", text)


@pytest.mark.rule("polska1939:scenario.result")
@pytest.mark.parametrize(
    ("difference", "expected"),
    [(1, "minor"), (3, "minor"), (4, "medium"), (6, "medium"), (7, "major"), (9, "major"), (10, "overwhelming")],
)
def test_the_bands_of_the_result(difference: int, expected: str) -> None:
    assert grade(DATA, difference) == expected


@pytest.mark.rule("polska1939:scenario.result")
def test_a_draw_and_a_polish_victory() -> None:
    even = {AreaId("P46"): City(Side.POLISH, Side.POLISH), AreaId("P47"): City(Side.GERMAN, Side.GERMAN)}
    assert outcome_of(DATA, replace(poles(36), cities=even)) == Outcome(
        "", "scenario.result", "German 1 VP, Polish 1 VP: draw"
    )
    polish = {AreaId("P46"): City(Side.POLISH, Side.POLISH)}
    assert outcome_of(DATA, replace(poles(36), cities=polish)) == Outcome(
        "polish", "scenario.result", "German 0 VP, Polish 1 VP: Polish victory"
    )


@pytest.mark.rule("polska1939:scenario.victory-short")
def test_ruling_13_4_the_short_game_counts_losses() -> None:
    state = poles(9, scenario="short", losses={Side.POLISH: 399, Side.GERMAN: 101})
    found = score(DATA, state)
    assert (found.german_bonus, found.polish_bonus, found.difference) == (3, 2, 6)
    assert outcome_of(DATA, replace(state, day=8)) is None
    assert outcome_of(DATA, state) == Outcome(
        "german", "scenario.result", "German 9 VP, Polish 3 VP: German medium victory"
    )


@pytest.mark.rule("polska1939:scenario.victory-auto")
def test_ruling_13_3_the_capture_of_the_national_hq_ends_it_all() -> None:
    state = replace(poles(5), lost=(UnitId("PL-HQ-National"),))
    text = "the Polish National HQ is captured: German overwhelming victory"
    assert outcome_of(DATA, state) == Outcome("german", "scenario.victory-auto", text)


@pytest.mark.rule("polska1939:scenario.victory-destroy")
@pytest.mark.parametrize(("day", "bonus"), [(24, 10), (26, 10), (27, 9), (30, 6), (31, 5), (35, 1)])
def test_the_destruction_of_all_poles(day: int, bonus: int) -> None:
    """Seen at the beginning of phase I, the last unit fell the day before; in phase II, the same day."""
    for state in (position(day=day + 1, phase=1), position(day=day, phase=2)):
        assert all_destroyed(DATA, state)
        assert score(DATA, state).german_bonus == bonus


def test_ruling_13_2_the_war_is_not_over_while_poles_are_to_come() -> None:
    assert [all_destroyed(DATA, position(day=day)) for day in (21, 22, 23)] == [False, False, True]
    assert not all_destroyed(DATA, position(day=30, waiting=(UnitId("PL-INF-39"),)))
    lost = position(day=22, phase=6, lost=(UnitId("PL-INF-60"),))
    assert all_destroyed(DATA, lost)


def test_ruling_13_2_cities_whose_day_is_to_come_count_as_taken() -> None:
    state = position(day=25, cities={CZESTOCHOWA: City(Side.POLISH, Side.POLISH), AreaId("P01"): City(Side.POLISH)})
    found = score(DATA, state)
    assert (found.german_cities, found.polish_cities, found.german_bonus) == (1, 1, 10)


# ---------------------------------------------------------------------- crossing


def test_ruling_12_3_a_german_east_of_the_line_is_noticed() -> None:
    east = next(a for a, f in DATA.board.areas.items() if f.country == "PL" and not f.west_of_line)
    assert not taken(position(unit("DE-INF-4", "P47"), phase=3)).crossed
    assert taken(position(unit("DE-INF-4", east), phase=3)).crossed
