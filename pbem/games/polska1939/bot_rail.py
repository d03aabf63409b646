"""How a program uses trains: to cities that will be attacked, but not yet (8.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pbem.games.polska1939.answers import Destinations, Join, Load, Travel
from pbem.games.polska1939.bot_polish import capital, goals_of
from pbem.games.polska1939.bot_view import View
from pbem.games.polska1939.s4_joining import join_areas
from pbem.games.polska1939.s8_rail import loadable
from pbem.games.polska1939.s8_routes import rail_ways
from pbem.games.polska1939.state import Aboard, AreaId, Unit, UnitId

SAFE = 3
"""Turns that the enemy must be away from a goal."""
DIVISION = 8
"""SP from which on a unit helps to hold a fortress for long."""
PATIENCE = 3
"""Days that a unit waits for its train."""
BY_RAIL = 4
"""Turns on foot from which on a train is worth its three days."""


def travels(view: View, aboard: Aboard) -> tuple[Travel, ...]:
    """A city for each unit that came loaded or was just loaded; where none is good it unloads."""
    goals = {goal.area: goal.worth for goal in goals_of(view)}
    found = []
    for unit in view.mine():
        if unit.train is aboard:
            goal = _goal(view, unit, goals)
            _fill(view, goals, goal)
            found.append(Travel(unit=unit.id, to=goal))
    return tuple(found)


def destinations(view: View) -> Destinations:
    """For the units that were just loaded."""
    return Destinations(travels=travels(view, Aboard.SEALED))


def loads(view: View) -> tuple[Load, ...]:
    """Units whose train waits and whose best goal is far away."""
    return tuple(Load(unit=name) for name in _loaded(view, loadable(view.data, view.state, view.side)))


def waits(view: View) -> set[UnitId]:
    """Units that stand where a train comes for them soon, while the enemy is far."""
    soon = range(view.state.day, view.state.day + PATIENCE + 1)
    places = {UnitId(row.unit): AreaId(row.area) for row in view.data.forces.trains if row.day in soon}
    here = [view.state.units[name] for name in places if name in view.state.units]
    return {u.id for u in here if u.area == places[u.id] and view.enemy_turns(u.area) >= SAFE}


def joins(view: View) -> tuple[Join, ...]:
    """9 INF, where its regiments stand together."""
    return tuple(Join(area=area) for area in join_areas(view.state))


def _loaded(view: View, names: Iterable[UnitId]) -> Iterator[UnitId]:
    goals = {goal.area: goal.worth for goal in goals_of(view)}
    for name in names:
        unit = view.state.units[name]
        goal = _goal(view, unit, goals)
        if (
            view.roads.turns(view.gait(unit), view.side, unit.area, goal) >= BY_RAIL
            and view.enemy_turns(unit.area) >= SAFE
        ):
            _fill(view, goals, goal)
            yield name


def _fill(view: View, goals: dict[AreaId, int], goal: AreaId) -> None:
    """One unit is enough for a goal, but for the capital."""
    if goal != capital(view.data):
        goals.pop(goal, None)


def _goal(view: View, unit: Unit, goals: Mapping[AreaId, int]) -> AreaId:
    """The best goal that a train reaches and the enemy does not soon; its own area when there is none."""
    ways = rail_ways(view.data, view.occupation, unit)
    marks = [(worth - 5 * len(ways[area]), area) for area, worth in goals.items() if area in ways]
    for _, area in sorted(marks, reverse=True):
        if _is_open(view, unit, area) and view.enemy_turns(area) >= SAFE:
            return area
    return unit.area


def _is_open(view: View, unit: Unit, area: AreaId) -> bool:
    """A city where nobody is yet, or the capital for a unit that is worth its rations."""
    if area == capital(view.data):
        return unit.strength >= DIVISION
    return view.data.board.areas[area].city and not view.own.get(area)
