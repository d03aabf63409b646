"""How a program defends: who stays in fortifications, and where the others go (5.3)."""

from __future__ import annotations

from pbem.games.polska1939.answers import Defence, Stand
from pbem.games.polska1939.bot_attack import first_to_lose
from pbem.games.polska1939.bot_odds import LAST_STAND, Holding
from pbem.games.polska1939.bot_view import View
from pbem.games.polska1939.s5_defence import attacked_areas, may_stay
from pbem.games.polska1939.s5_retreat import ways_of_all
from pbem.games.polska1939.s13_victory import NATIONAL_HQ
from pbem.games.polska1939.state import AreaId, Side, Unit

RETREATS = 12
"""Areas that an order to retreat can name."""


def defence(view: View) -> Defence:
    """A plan for every attacked area."""
    return Defence(stands=tuple(_stand(view, area) for area in attacked_areas(view.state)))


def _stand(view: View, area: AreaId) -> Stand:
    units = [unit for unit in view.occupation.at(area) if not unit.loaded]
    return Stand(
        area=area,
        stay=may_stay(view.data, view.state, area) and _holds(view, area),
        to=tuple(_ways_back(view, units)[:RETREATS]),
        losses=tuple(first_to_lose(view, units)),
    )


def _holds(view: View, area: AreaId) -> bool:
    """Cities that still count, what the National HQ is in, and whatever a retreat would not make safer."""
    holding = Holding.of(view.data, view.state, view.occupation, area)
    if holding.price is None or any(unit.id == NATIONAL_HQ for unit in view.occupation.at(area)):
        return True
    if holding.points <= holding.counters + LAST_STAND:
        return False
    return is_wanted(view, area) or holding.price >= holding.counters


def is_wanted(view: View, area: AreaId) -> bool:
    """Whether a city can still bring the side its point."""
    city = view.state.cities.get(area)
    if city is None:
        return False
    return view.days_left(area) > 0 or (view.side is Side.GERMAN and city.point is Side.GERMAN)


def _ways_back(view: View, units: list[Unit]) -> list[AreaId]:
    """Areas for a retreat, the best first: in supply, at a low price, away from the enemy, with friends."""
    ways = ways_of_all(view.data, view.state, view.occupation, units)
    prices = {way.to: way.price for found in ways.values() for way in found}
    supplied = [frozenset(area for area in prices if view.is_supplied(unit, area)) for unit in units]

    def badness(area: AreaId) -> tuple[int, int, AreaId]:
        hungry = sum(area not in one for one in supplied)
        company = min(view.own.get(area, 0), 20) + 8 * view.state.forts.get(area, 0) * bool(view.own.get(area))
        return hungry, 10 * prices[area] * len(units) + view.pressure(area) - company, area

    return sorted(prices, key=badness)
