"""Where a program sends its HQs: to units that fight, never alone (10.1); and how the Polish National HQ is kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.games.polska1939.bot_goals import Plan, Routes
from pbem.games.polska1939.bot_view import View
from pbem.games.polska1939.kinds import AirKind
from pbem.games.polska1939.s6_reach import AirDay
from pbem.games.polska1939.s13_victory import NATIONAL_HQ
from pbem.games.polska1939.state import AreaId, Side, Unit, UnitId

ESCORT = 12
"""SP that an HQ wants around it."""
SIEGE = 30
"""What it is worth to a German HQ to be beside the National HQ."""
ALONE, MOST = 4, 120
"""SP that are too few for the National HQ, and those that are enough."""


def follow(plan: Plan, leaders: Iterable[Unit], routes: Mapping[UnitId, Routes]) -> None:
    """Each HQ goes where it helps most, one to an area as far as may be."""
    taken: dict[AreaId, int] = {}
    for unit in leaders:
        options = (unit.area, *routes.get(unit.id, ()))
        marks = [(_help(plan, unit, area) - 25 * taken.get(area, 0), area == unit.area, area) for area in options]
        area = max(marks)[2]
        taken[area] = taken.get(area, 0) + 1
        plan.put(unit, area)


def _help(plan: Plan, unit: Unit, area: AreaId) -> int:
    """An escort, an enemy to fight or to hold off, and a supply line to fly from (6.1.9)."""
    mass, pressure = plan.mass.get(area, 0), plan.view.pressure(area)
    found = min(mass, 32) + min(pressure, 32) // (1 if plan.view.side is Side.GERMAN else 3)
    capital = plan.view.state.units.get(NATIONAL_HQ)
    if plan.view.side is Side.GERMAN and capital and capital.area in plan.view.near(area):
        found += SIEGE
    return found - 60 * (mass < ESCORT) + 8 * plan.view.is_supplied(unit, area)


def hide(plan: Plan, unit: Unit, routes: Routes) -> None:
    """The National HQ stays with units that can bear losses for it, best in a fortress; bombs destroy it alone."""
    bombed = _bombed(plan.view)
    options = (unit.area, *routes)
    plan.put(unit, max((_safety(plan, area, area in bombed), area == unit.area, area) for area in options)[2])


def _safety(plan: Plan, area: AreaId, bombed: bool) -> int:
    view = plan.view
    mass, pressure = min(plan.mass.get(area, 0), MOST), view.pressure(area)
    away = min(4, view.enemy_turns(area))
    fortress = view.data.board.areas[area].fortress
    shelter = 4 if fortress else 3 if view.state.forts.get(area, 0) > 1 else 2
    lost = mass < ALONE or (bombed and not fortress and mass < ESCORT)
    return mass * shelter // 2 - pressure // 2 + 15 * away - 100 * lost


def _bombed(view: View) -> frozenset[AreaId]:
    """Where the enemy's bombers reach."""
    day = AirDay.of(view.data, view.state, view.side.enemy)
    return frozenset(area for plane in day.of_kind(AirKind.BOMBER) for area in day.reach[plane.nation, plane.kind])
