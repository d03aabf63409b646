"""How a program moves the German side: to the cities in time, at the Polish army, with its HQs behind (4.0, 13.A)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pbem.games.polska1939.bot_goals import Goal, Plan, Routes, advance, all_routes, match
from pbem.games.polska1939.bot_leaders import follow
from pbem.games.polska1939.bot_view import View
from pbem.games.polska1939.kinds import Nation
from pbem.games.polska1939.s4_movement import Front, may_march, reach
from pbem.games.polska1939.s12_scenario import may_enter
from pbem.games.polska1939.s13_victory import NATIONAL_HQ
from pbem.games.polska1939.state import PHASES, AreaId, Side, Unit, UnitId

CITY, SOON, LEAST, LAST_DAY, BASE, ARMY, CAPITAL = 110, 7, 40, 140, 20, 70, 300
"""What goals are worth, a city less for each day that is left; the National HQ decides the campaign."""
CAPITAL_DEMAND = 130
TAKEN = 60
"""What it is worth to an area that a city falls from it at once."""
LOW_FUEL = 1
COVER, COVERED, IN_CITY, BESIDE, MOST_COVER = 60, 20, 3, 2, 220
"""What it is worth to cover cities."""
CROWD, RING, DIVISION = 40, 5, 8
"""Beside the enemy: SP that are too many, and what it is worth that a division closes another way."""


def german_moves(view: View) -> Plan:
    """Marches of all units that can do something useful: first to cities that would be lost today."""
    plan = Plan.of(view, prize)
    units = [unit for unit in view.mine() if may_march(view.data, view.state, unit)]
    routes = all_routes(view, units)
    fighting = [unit for unit in units if not unit.is_hq]
    posted = posts(view, fighting, routes)
    for name, area in posted.items():
        plan.put(view.state.units[name], area)
    free = [unit for unit in fighting if unit.id not in posted]
    fresh = [unit for unit in free if not _rests(view, unit)]
    fresh.sort(key=lambda unit: (-view.data.unit(unit.id).movement, unit.id))
    advance(plan, fresh, routes, _matched(view, fresh), _score)
    for unit in free:
        if _rests(view, unit):
            _capture_only(plan, unit, routes[unit.id])
    follow(plan, [unit for unit in units if unit.is_hq], routes)
    return plan


def prize(view: View, city: AreaId) -> int:
    """A city counts until its historical day."""
    return TAKEN if view.days_left(city) else 0


def _rests(view: View, unit: Unit) -> bool:
    """Units with an R marker, and those that run out of fuel where they can get some."""
    thirsty = view.data.unit(unit.id).uses_fuel and unit.fuel <= LOW_FUEL
    return unit.disorganized or (thirsty and view.is_supplied(unit, unit.area))


def _capture_only(plan: Plan, unit: Unit, routes: Routes) -> None:
    """A unit that should rest moves for a city alone."""
    falls = [area for area in routes if plan.gain(area)]
    stay = plan.gain(unit.area) or not falls
    plan.put(unit, unit.area if stay else max(falls, key=lambda area: (_score(plan, unit, area), area)))


# ---------------------------------------------------------------------- posts


def posts(view: View, units: Sequence[Unit], routes: Mapping[UnitId, Routes]) -> dict[UnitId, AreaId]:
    """Who stands today in cities that would else be lost: the weakest that can, rather one that is there already."""
    held = {unit.area for unit in view.mine() if not unit.is_hq} - {unit.area for unit in units}
    wanted = [area for area in _posts(view) if area not in held]
    able = {area: [unit for unit in units if area == unit.area or area in routes[unit.id]] for area in wanted}
    found: dict[UnitId, AreaId] = {}
    for area in sorted(wanted, key=lambda area: (len(able[area]), area)):
        free = [unit for unit in able[area] if unit.id not in found]
        if free:
            want = min(view.pressure(area) // 2, 2 * DIVISION)
            best = min(free, key=lambda unit: (_misfit(unit, area, want), not _rests(view, unit), unit.id))
            found[best.id] = area
    return found


def _misfit(unit: Unit, area: AreaId, want: int) -> int:
    """SP that a garrison lacks, or has to spare, and what it costs to relieve one that is there."""
    return 2 * max(0, want - unit.strength) + max(0, unit.strength - want) // 2 + 3 * (unit.area != area)


def _posts(view: View) -> Iterator[AreaId]:
    """Cities whose day ends today, or whose point the Germans have, that Poles could stand in tonight."""
    exposed = set(exposed_areas(view))
    for area, city in view.state.cities.items():
        due = view.days_left(area) == 1 and area not in view.foes
        if (due or city.point is Side.GERMAN) and (area in exposed or city.holder is Side.POLISH):
            yield area


def guards(view: View) -> dict[UnitId, AreaId]:
    """Units that are needed today to hold or to take a city, and where."""
    units = [unit for unit in view.mine() if not unit.is_hq and may_march(view.data, view.state, unit)]
    return posts(view, units, all_routes(view, units))


# ---------------------------------------------------------------------- goals


def _matched(view: View, units: Sequence[Unit]) -> dict[UnitId, Goal]:
    """Goals for each nation's units by themselves: Soviets and Slovaks may not go everywhere."""
    goals = [*_city_goals(view), *_army_goals(view)]
    found: dict[UnitId, Goal] = {}
    for nation in dict.fromkeys(view.data.unit(unit.id).nation for unit in units):
        own = [unit for unit in units if view.data.unit(unit.id).nation is nation]
        free = goals
        if nation is not Nation.GERMANY:
            free = [goal for goal in goals if may_enter(view.data, view.state, own[0].id, goal.area)]
        found |= match(view, own, free)
    return found


def _city_goals(view: View) -> Iterator[Goal]:
    exposed = exposed_areas(view)
    yield from _cover_goals(view, exposed)
    for area, city in view.state.cities.items():
        days = view.days_left(area)
        if city.holder is Side.POLISH:
            if days and area not in view.foes:
                yield Goal(area, _city_worth(days), latest=days)
            elif days > 1:
                yield Goal(area, _city_worth(days) + 20 + view.foes[area], _enough(view, area), latest=days - 1)
    for area in exposed:
        if Nation.POLAND in view.data.board.areas[area].supply and area not in view.state.cities:
            yield Goal(area, BASE)


def _cover_goals(view: View, exposed: Iterable[AreaId]) -> Iterator[Goal]:
    """Places from which all cities that the Poles could take back are covered: one in a city or beside it (13.A)."""
    near = {other for area in exposed for other in (area, *view.near(area))}
    bare = {area for area in view.state.cities if area in near and _is_kept(view, area)}
    while bare:
        marks: dict[AreaId, int] = {}
        for city in sorted(bare):
            for area in (city, *view.near(city)):
                marks[area] = marks.get(area, 0) + (IN_CITY if area == city else BESIDE)
        mark, _, best = max((0 if area in view.foes else mark, area in view.own, area) for area, mark in marks.items())
        yield Goal(best, min(MOST_COVER, COVER + COVERED * mark))
        bare -= {best, *view.near(best)}


def _is_kept(view: View, area: AreaId) -> bool:
    """Whether the Germans have the point of a city, or will have it tomorrow if they hold it."""
    city = view.state.cities[area]
    kept = city.point is Side.GERMAN or 0 < view.days_left(area) <= 2
    return city.holder is Side.GERMAN and kept


def _city_worth(days: int) -> int:
    """A city must be held when its day ends; before that the Poles can come back."""
    return LAST_DAY if days == 1 else max(LEAST, CITY - SOON * days)


def _army_goals(view: View) -> Iterator[Goal]:
    for area, points in view.foes.items():
        if not view.days_left(area):
            yield Goal(area, ARMY + points, _enough(view, area))
    leader = view.state.units.get(NATIONAL_HQ)
    if leader:
        yield Goal(leader.area, CAPITAL, CAPITAL_DEMAND, latest=4, strong=True)


def _enough(view: View, area: AreaId) -> int:
    """SP to gather against an area: D1 or better on most throws."""
    return 2 * view.foes.get(area, 0) + 15


def exposed_areas(view: View) -> list[AreaId]:
    """Where Polish units could go in their next movement if no German stood in their way."""
    tonight = replace(view.state, phase=PHASES)
    front = replace(
        Front.of(view.data, view.occupation, view.side.enemy), held=frozenset(), firm=frozenset(), contested=frozenset()
    )
    found = {area for unit in view.enemies for area in reach(view.data, tonight, front, unit)}
    return sorted(found)


# ---------------------------------------------------------------------- areas


def _score(plan: Plan, unit: Unit, area: AreaId) -> int:
    """Cities that fall, supply, and beside the enemy enough company but no crowd."""
    view = plan.view
    stands = plan.with_unit(unit, area)
    pressure = view.pressure(area)
    found = plan.gain(area) - 15 * (not view.is_supplied(unit, area)) - 10 * (pressure > 2 * stands)
    if not pressure:
        return found
    return found + (RING if stands == unit.strength >= DIVISION else -10 * (stands > CROWD))
