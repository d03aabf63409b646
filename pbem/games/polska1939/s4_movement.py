"""Movement (4.1): who may move, how far, and by which way. Rulings 4-6, 4-9 and 4-11.

Costs and allowances are in half movement points. Terrain is in `s4_terrain`, the phase itself in `s4_march`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from heapq import heappop, heappush
from itertools import pairwise
from typing import TypeAlias

from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import Kind
from pbem.games.polska1939.s4_terrain import WHOLE, Gait, Step, Steps, entry_cost, gait, is_passable, ways_of
from pbem.games.polska1939.s9_supply import out_of_fuel
from pbem.games.polska1939.s12_scenario import may_enter
from pbem.games.polska1939.state import AreaId, Occupation, Side, State, Unit, UnitId, side_of

__all__ = [
    "Front",
    "Route",
    "allowance",
    "entry_cost",
    "has_acted",
    "is_passable",
    "may_march",
    "reach",
    "reach_of_all",
    "reachable",
    "route_to",
    "shortfall",
]

ON_FOOT = (Gait.FOOT, Gait.CAVALRY)


@dataclass(frozen=True, slots=True)
class Route:
    """A movement: areas from the start to the goal, and its cost.

    The cost of a single step can be above the allowance (4.2.3), as that of a swamp is, which takes all points.
    `free`: only through regions free of enemies (4.1.3).
    """

    areas: tuple[AreaId, ...]
    cost: int
    free: bool = False

    @property
    def goal(self) -> AreaId:
        return self.areas[-1]


@dataclass(frozen=True, slots=True)
class Front:
    """What the enemy of a side closes to it, made once for a position.

    `held` are areas with an enemy unit of any kind, `firm` those with one that can fight: the others, with HQs and
    units on trains alone, can be overrun (8.1.3, 10.1.4, ruling 4-6). `regions` hold enemies of any kind (ruling
    4-11), and so `contested` are their areas.
    """

    held: frozenset[AreaId]
    firm: frozenset[AreaId]
    regions: frozenset[str]
    contested: frozenset[AreaId]

    @classmethod
    def of(cls, data: GameData, occupation: Occupation, side: Side) -> Front:
        """The front against a side."""
        held = [area for area, holder in occupation.sides.items() if holder is not side]
        firm = (area for area in held if any(not (u.is_hq or u.loaded) for u in occupation.by_area[area]))
        regions = frozenset(data.board.areas[area].region for area in held)
        contested = frozenset(AreaId(area) for region in regions for area in data.board.regions[region])
        return cls(frozenset(held), frozenset(firm), regions, contested)


def allowance(data: GameData, kind: Kind, free: bool = False) -> int:
    """Half movement points of a type of unit (4.1.2), more for foot when it moves in free regions alone (4.1.3)."""
    points = data.figures.movement.of(kind)
    return max(points, data.figures.movement.free_foot_halves) if free and gait(kind) in ON_FOOT else points


def may_march(data: GameData, state: State, unit: Unit) -> bool:
    """Whether a unit may move now: it did not fight or move yet, is on no train and has fuel (3.1.2, 8.1.2, 9.2.6)."""
    return not (unit.loaded or has_acted(state, unit) or out_of_fuel(data, unit))


def has_acted(state: State, unit: Unit) -> bool:
    """Whether a unit has attacked or pursued in the phase before this one, or moved in this one (3.1.2)."""
    return unit.exerted > 0 and unit.exerted >= state.moment - 1


# ---------------------------------------------------------------------- how far


def reachable(data: GameData, state: State, occupation: Occupation, unit_id: UnitId) -> Mapping[AreaId, Route]:
    """Where a unit can move, each area with the cheapest way to it, in the order of the areas' codes.

    Nothing for a unit that may not march. For many units at once take `reach_of_all`, or `reach` with one front.
    """
    return reach(data, state, Front.of(data, occupation, side_of(unit_id)), state.units[unit_id])


def reach(data: GameData, state: State, front: Front, unit: Unit) -> Mapping[AreaId, Route]:
    """`reachable` behind a front that is known."""
    if not may_march(data, state, unit):
        return {}
    found: dict[AreaId, Route] = {}
    for search in _searches(data, state, front, unit):
        found |= search.routes()
    return {area: found[area] for area in sorted(found)}


def reach_of_all(
    data: GameData, state: State, occupation: Occupation, side: Side
) -> Mapping[UnitId, Mapping[AreaId, Route]]:
    """`reachable` of every unit of a side that can go anywhere."""
    front = Front.of(data, occupation, side)
    routes = {name: reach(data, state, front, unit) for name, unit in state.units.items() if side_of(name) is side}
    return {name: found for name, found in routes.items() if found}


def route_to(
    data: GameData, state: State, front: Front, unit: Unit, goal: AreaId, via: Sequence[AreaId] = ()
) -> Route | None:
    """The cheapest way of a unit to an area by way of others, None when it cannot get there in one movement.

    Whether it may march at all is not asked. A way through free regions is taken before any other.
    """
    searches = tuple(_searches(data, state, front, unit))
    found = (search.route((unit.area, *via, goal), search.allowance) for search in reversed(searches))
    return next((route for route in found if route), None)


def shortfall(
    data: GameData, state: State, front: Front, unit: Unit, goal: AreaId, via: Sequence[AreaId] = ()
) -> tuple[Route, int] | None:
    """The way that lacks least, whatever it costs, and the allowance for it; None when no way is open at all."""
    found = [
        (route, search.allowance)
        for search in _searches(data, state, front, unit)
        if (route := search.route((unit.area, *via, goal), WHOLE - 1))
    ]
    return min(found, key=lambda pair: pair[0].cost - pair[1], default=None)


# ---------------------------------------------------------------------- the search

Spread: TypeAlias = tuple[dict[AreaId, int], dict[AreaId, AreaId]]
"""What it costs to get to areas, and from where one comes to each."""


@dataclass(frozen=True, slots=True)
class _Search:
    """One unit in one manner of movement: its steps, what is closed to it, what the enemy's border costs (4.1.8)."""

    origin: AreaId
    borders: Steps
    nodes: Steps
    front: Front
    closed: frozenset[AreaId]
    may_enter: Callable[[AreaId], bool]
    dear: int
    allowance: int
    free: bool

    def routes(self) -> dict[AreaId, Route]:
        """The cheapest way to every area in reach."""
        costs, came = self._spread(self.origin, self.allowance)
        ways: dict[AreaId, tuple[AreaId, ...]] = {self.origin: (self.origin,)}
        for _, area in sorted((cost, area) for area, cost in costs.items() if area != self.origin):
            ways[area] = (*ways[came[area]], area)
        del ways[self.origin]
        return {area: self._as_route(way, costs[area]) for area, way in ways.items()}

    def route(self, stops: Sequence[AreaId], points: int) -> Route | None:
        """The cheapest way from stop to stop for at most `points`, None when there is none."""
        way, spent = [stops[0]], 0
        for start, goal in pairwise(stops):
            costs, came = self._spread(start, points - spent, goal, alone=len(stops) == 2)
            if goal not in costs:
                return None
            spent += costs[goal]
            way += _way(came, start, goal)
        return self._as_route(tuple(way), spent)

    def _as_route(self, way: tuple[AreaId, ...], cost: int) -> Route:
        return Route(way, cost if cost < WHOLE else self.allowance, self.free)

    def _spread(self, start: AreaId, points: int, goal: AreaId | None = None, alone: bool = True) -> Spread:
        """The cheapest ways from an area for at most `points`, until that to `goal` is found.

        With `alone`, a first step is possible whatever it costs, and nothing follows it then (4.2.3).
        """
        costs, came, queue = {start: 0}, dict[AreaId, AreaId](), [(0, start)]
        while queue:
            spent, here = heappop(queue)
            if spent > costs[here]:
                continue
            if goal in costs and costs[goal] <= spent:
                break
            most = 2 * WHOLE if alone and here == start else points
            for cost, area in self._onward(here, spent):
                if cost <= most and cost < costs.get(area, cost + 1):
                    costs[area], came[area] = cost, here
                    if cost < points:
                        heappush(queue, (cost, area))
        return costs, came

    def _onward(self, here: AreaId, spent: int) -> list[tuple[int, AreaId]]:
        """Open steps from an area, with what has been spent when they are made."""
        steps = [step for step in self.borders[here] if step.to not in self.closed and self.may_enter(step.to)]
        if self.nodes[here]:
            steps += self._through_nodes(here, bool(steps))
        regions, dear = self.front.regions, self.dear
        return [(spent + step.cost + (dear if step.region in regions else 0), step.to) for step in steps]

    def _through_nodes(self, here: AreaId, other_ways: bool) -> list[Step]:
        """Steps through nodes without enemies around, or through all where no other way is (4.1.5, ruling 4-9)."""
        steps = [step for step in self.nodes[here] if step.to not in self.closed and self.may_enter(step.to)]
        clear = [step for step in steps if self.front.held.isdisjoint(step.around)]
        trapped = here == self.origin and not (other_ways or clear or self.free)
        return steps if trapped else clear


def _way(came: Mapping[AreaId, AreaId], start: AreaId, goal: AreaId) -> list[AreaId]:
    """The areas behind `start`, up to `goal`."""
    way = []
    while goal != start:
        way.append(goal)
        goal = came[goal]
    return way[::-1]


def _searches(data: GameData, state: State, front: Front, unit: Unit) -> Iterator[_Search]:
    """Ordinary movement, and that through free regions where the unit stands in one (4.1.3, 4.1.9).

    Terrain is nothing to an HQ, and so free regions are no faster for it (4.2.6).
    """
    kind, side = data.unit(unit.id).type, side_of(unit.id)
    ways = ways_of(data, gait(kind), side)
    closed = front.held if kind is Kind.HQ else front.firm
    enters = cache(partial(may_enter, data, state, unit.id))
    dear = data.figures.movement.enemy_region_halves
    points = allowance(data, kind)
    yield _Search(unit.area, ways.borders, ways.nodes, front, closed, enters, dear, points, free=False)
    if kind is not Kind.HQ and unit.area not in front.contested:
        points = allowance(data, kind, free=True)
        closed = front.contested
        yield _Search(unit.area, ways.free_borders, ways.free_nodes, front, closed, enters, 0, points, free=True)
