"""Victory: capturing cities (13.A), the points, the end of the campaign and its result. Rulings 13-1 to 13-5."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.s12_scenario import notice_crossing
from pbem.games.polska1939.state import AreaId, City, Occupation, Side, State, UnitId, side_of
from pbem.rules.play import Outcome, Rules, report

NATIONAL_HQ = UnitId("PL-HQ-National")
SHORT = "short"


@dataclass(frozen=True, slots=True)
class Score:
    """Victory points of both sides, and what they are made of."""

    german_cities: int
    polish_cities: int
    german_bonus: int
    polish_bonus: int

    @property
    def difference(self) -> int:
        """German points less Polish points."""
        return self.german_cities + self.german_bonus - self.polish_cities - self.polish_bonus


def take_cities(data: GameData, state: State, side: Side, passed: Collection[AreaId]) -> Rules[State]:
    """Cities captured at the end of a side's movement phase (13.A); `passed` are areas that it moved through."""
    state = notice_crossing(data, state)
    occupation = Occupation.of(state)
    for area, city in state.cities.items():
        if city.holder is not side and captures(data, occupation, side, area, passed):
            point = Side.POLISH if side is Side.POLISH and city.point else city.point
            state = replace(state, cities={**state.cities, area: City(side, point)})
            text = "the {side} side takes {area}"
            yield from report("13.A", text, side=side.adjective, area=data.area_name(area))
    return state


def captures(data: GameData, occupation: Occupation, side: Side, area: AreaId, passed: Collection[AreaId] = ()) -> bool:
    """Whether a side captures a city now: it stands there, or came by or stands beside it with no enemy near (13.A)."""
    if occupation.is_held_by(area, side):
        return True
    near = data.board.neighbours[area]
    if any(occupation.is_held_by(AreaId(other), side.enemy) for other in (area, *near)):
        return False
    return area in passed or any(occupation.is_held_by(AreaId(other), side) for other in near)


def close_day(data: GameData, state: State) -> Rules[State]:
    """The point of each city whose historical day ends goes to who holds it then (13.A, ruling 13-1)."""
    cities = dict(state.cities)
    for area, city in state.cities.items():
        if data.board.areas[area].capture_day == state.day:
            cities[area] = City(city.holder, city.holder)
            text = "{area}: its historical day is over, the point is {side}"
            yield from report("13.A", text, area=data.area_name(area), side=city.holder.adjective)
    return replace(state, cities=cities)


def score(data: GameData, state: State) -> Score:
    """The points as they stand; what only the end brings is counted when it has come (victory conditions)."""
    points = [city.point for city in state.cities.values()]
    german, polish = points.count(Side.GERMAN), points.count(Side.POLISH)
    if state.scenario == SHORT:
        german_bonus = state.losses[Side.POLISH] // data.figures.victory.polish_losses_per_point
        polish_bonus = state.losses[Side.GERMAN] // data.figures.victory.german_losses_per_point
        return Score(german, polish, german_bonus, polish_bonus)
    if not all_destroyed(data, state):
        return Score(german, polish, 0, 0)
    open_cities = sum(city.point is None for city in state.cities.values())
    return Score(german + open_cities, polish, data.figures.victory.destroyed_by(_day_of_the_end(state)), 0)


def all_destroyed(data: GameData, state: State) -> bool:
    """Whether no Polish unit is on the map, waits or is still to come (ruling 13-2)."""
    if any(side_of(name) is Side.POLISH for name in (*state.units, *state.waiting)):
        return False
    return not any(
        side_of(UnitId(row.unit)) is Side.POLISH and row.day >= state.day and row.unit not in state.lost
        for row in data.forces.reinforcements
    )


def outcome_of(data: GameData, state: State) -> Outcome | None:
    """How the campaign has ended, None while it goes on (victory conditions)."""
    if NATIONAL_HQ in state.lost:
        text = "the Polish National HQ is captured: German overwhelming victory"
        return Outcome(Side.GERMAN.value, "scenario.victory-auto", text)
    if state.day > last_day(data, state) or all_destroyed(data, state):
        return _result(data, score(data, state))
    return None


def last_day(data: GameData, state: State) -> int:
    """8 IX for the short game, else 5 X."""
    return data.figures.days.short_game if state.scenario == SHORT else data.figures.days.last


def _day_of_the_end(state: State) -> int:
    """The day on which the last Polish unit fell: the one that has just ended, at the beginning of phase I."""
    return state.day - 1 if state.phase == 1 else state.day


def _result(data: GameData, found: Score) -> Outcome:
    german, polish = found.german_cities + found.german_bonus, found.polish_cities + found.polish_bonus
    counted = f"German {german} VP, Polish {polish} VP"
    if found.difference < 0:
        return Outcome(Side.POLISH.value, "scenario.result", f"{counted}: Polish victory")
    if found.difference == 0:
        return Outcome("", "scenario.result", f"{counted}: draw")
    text = f"{counted}: German {grade(data, found.difference)} victory"
    return Outcome(Side.GERMAN.value, "scenario.result", text)


def grade(data: GameData, difference: int) -> str:
    """How great a German victory by a difference above zero is (victory conditions)."""
    figures = data.figures.victory
    if difference >= figures.overwhelming_from:
        return "overwhelming"
    if difference >= figures.major_from:
        return "major"
    return "medium" if difference >= figures.medium_from else "minor"
