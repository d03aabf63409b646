"""How a program moves the Polish side: it guards cities until their day, falls back, and comes again (4.0, 13.A)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.polska1939.bot_goals import FARTHEST, Goal, Plan, advance, all_routes, feed, match
from pbem.games.polska1939.bot_leaders import follow, hide
from pbem.games.polska1939.bot_view import View
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import Nation
from pbem.games.polska1939.s4_movement import may_march
from pbem.games.polska1939.s13_victory import NATIONAL_HQ
from pbem.games.polska1939.state import AreaId, Side, Unit

GUARD, RETAKE, LAST_HOUR, REGAIN, CAPITAL, REFUGE = 100, 120, 150, 50, 220, 15
"""What goals are worth: to hold a city, to take it back for good, on its last day or before it."""
CAPITAL_DEMAND = 150
FOR_GOOD, FOR_NOW = 60, 20
"""What it is worth to an area that a city falls from it at once."""
HUNGER = 30
"""What it costs an area to have no supply line."""
WEAK = 5
"""SP with which nobody holds a city against an army."""
EVERYBODY = 9999
"""A demand that is never met."""
REFUGES = (AreaId("P81"), AreaId("P97"))
"""Brześć and Lwów, where the army gathers that does not reach Warszawa."""


def polish_moves(view: View) -> Plan:
    """Marches of all units that have somewhere to go."""
    plan = Plan.of(view, prize)
    units = [unit for unit in view.mine() if may_march(view.data, view.state, unit)]
    routes = all_routes(view, units)
    fighting = [unit for unit in units if not unit.is_hq]
    fighting.sort(key=lambda unit: (-unit.strength, unit.id))
    goals = goals_of(view)
    found = match(view, [unit for unit in fighting if not _flees(view, unit)], goals)
    found |= match(view, [unit for unit in fighting if unit.id not in found], _last_goals(view, goals))
    advance(plan, fighting, routes, found, _score)
    feed(
        plan,
        [unit for unit in fighting if not (unit.strength <= WEAK and plan.gain(plan.places[unit.id]))],
        routes,
        _score,
    )
    leaders = [unit for unit in units if unit.is_hq]
    follow(plan, [unit for unit in leaders if unit.id != NATIONAL_HQ], routes)
    for unit in leaders:
        if unit.id == NATIONAL_HQ:
            hide(plan, unit, routes[unit.id])
    return plan


def prize(view: View, city: AreaId) -> int:
    """A city that the Germans have the point of is won for good; before its day it may be lost again."""
    found = view.state.cities[city]
    if found.point is Side.POLISH:
        return 0
    return FOR_GOOD if found.point is Side.GERMAN or view.days_left(city) == 1 else FOR_NOW


def _flees(view: View, unit: Unit) -> bool:
    return unit.strength <= WEAK and view.pressure(unit.area) > 5 * view.own.get(unit.area, 0)


# ---------------------------------------------------------------------- goals


def goals_of(view: View) -> list[Goal]:
    """Cities to hold and to take back, and Warszawa."""
    return [goal for area in view.state.cities for goal in _city_goals(view, area)]


def _city_goals(view: View, area: AreaId) -> Iterator[Goal]:
    city, days = view.state.cities[area], view.days_left(area)
    if city.holder is Side.POLISH:
        if days > 1:
            yield from _guard(view, area, days - 1)
    elif area not in view.front.held:
        if city.point is Side.GERMAN:
            yield Goal(area, RETAKE)
        elif days == 1:
            yield Goal(area, LAST_HOUR, latest=1)
        elif days:
            yield Goal(area, REGAIN, 12)


def _guard(view: View, area: AreaId, left: int) -> Iterator[Goal]:
    """A city that the enemy can come to in the `left` turns that count; the shorter it must be held, the better."""
    if area == capital(view.data):
        yield Goal(area, CAPITAL, CAPITAL_DEMAND, strong=True)
        return
    coming = view.enemy_turns(area)
    held = left - coming + 1
    if held > 0:
        hungry = Nation.POLAND not in view.data.board.areas[area].supply
        worth = GUARD - min(held, 10) * (6 + 2 * hungry)
        if worth > 0:
            yield Goal(area, worth, 8 + 3 * held, latest=min(coming, FARTHEST))


def _last_goals(view: View, goals: Sequence[Goal]) -> list[Goal]:
    """What is left for the others: to take cities back, or a place where the army gathers."""
    refuges = [Goal(area, REFUGE, EVERYBODY) for area in REFUGES if area in view.data.board.areas]
    again = [goal for goal in goals if goal.worth == RETAKE]
    return [*again, Goal(capital(view.data), REFUGE, EVERYBODY, strong=True), *refuges]


def capital(data: GameData) -> AreaId:
    """Where the National HQ is set up."""
    return next(AreaId(row.area) for row in data.forces.placements if row.unit == NATIONAL_HQ)


# ---------------------------------------------------------------------- areas


def _score(plan: Plan, unit: Unit, area: AreaId) -> int:
    """Cities that fall, supply, trenches, and enemies that are too strong."""
    view = plan.view
    fort = view.state.forts.get(area, 0) if area == unit.area or view.own.get(area) else 0
    stands = plan.with_unit(unit, area) + 10 * fort
    pressure = view.pressure(area)
    found = plan.gain(area) + 4 * fort - HUNGER * (not view.is_supplied(unit, area))
    return found - min(30, 6 * pressure // max(stands, 1))
