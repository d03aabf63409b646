"""Retreats (5.3): who can go where, at what price, and the going (4.1.5, 4.1.6, 5.3.6, 5.3.7, 9.2, 12.1.2).

Rulings 5-8 to 5-11. Left out: whether defenders retreat at all, and what those lose who do not (`s5_losses`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pbem.games.polska1939.casualties import lose_each
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import Nation
from pbem.games.polska1939.s4_terrain import is_passable
from pbem.games.polska1939.s6_reach import COUNTRIES
from pbem.games.polska1939.s9_supply import out_of_fuel, spend_fuel, supplied_areas
from pbem.games.polska1939.s12_scenario import may_enter
from pbem.games.polska1939.state import AreaId, Occupation, State, Unit, UnitId, side_of
from pbem.rules.play import Rules, report


@dataclass(frozen=True, slots=True)
class Toll:
    """SP that each unit loses on a way, and the rule."""

    rule: str
    points: int


@dataclass(frozen=True, slots=True)
class Way:
    """A way out of an attacked area for one unit."""

    to: AreaId
    tolls: tuple[Toll, ...] = ()

    @property
    def price(self) -> int:
        """SP lost on it in all."""
        return sum(toll.points for toll in self.tolls)


Ways = Mapping[UnitId, tuple[Way, ...]]
"""The ways of each unit of an area; none for those that cannot retreat."""
Escape = Mapping[UnitId, Way]
"""The way that each unit takes; units that cannot retreat are not in it."""


# ---------------------------------------------------------------------- where to


def ways_of_all(data: GameData, state: State, occupation: Occupation, units: Iterable[Unit]) -> Ways:
    """Where each of some units could retreat to."""
    return {unit.id: ways_out(data, state, occupation, unit) for unit in units}


def ways_out(data: GameData, state: State, occupation: Occupation, unit: Unit) -> tuple[Way, ...]:
    """Where a unit can retreat to: by a border, or else by a node, or else by one in a river (ruling 5-8).

    Areas with enemy units of any kind are closed (5.3.1); without fuel there is no way (9.2.7).
    """
    if out_of_fuel(data, unit):
        return ()
    for found in (_by_border(data, unit), _by_node(data, unit, river=False), _by_node(data, unit, river=True)):
        open_ways = tuple(way for way in found if _is_open(data, state, occupation, unit, way.to))
        if open_ways:
            return open_ways
    return ()


def _by_border(data: GameData, unit: Unit) -> Iterator[Way]:
    """5.3.7: an important river counts instead of a river."""
    figures = data.figures.retreat
    for near in data.board.neighbours[unit.area]:
        features = data.board.border(unit.area, near).features
        river = figures.vistula_loss if "vistula" in features else figures.river_loss if "river" in features else 0
        yield Way(AreaId(near), (Toll("5.3.7", river),) if river else ())


def _by_node(data: GameData, unit: Unit, river: bool) -> Iterator[Way]:
    """Where it is the only way, enemies around a node do not close it (4.1.5), nor does a river in it (4.1.6)."""
    figures = data.figures.retreat
    for link in data.board.across_node.get(unit.area, ()):
        if link.river is river:
            node = Toll("5.3.6", figures.node_loss)
            yield Way(AreaId(link.to), (node, Toll("4.1.6", figures.river_node_loss)) if river else (node,))


def _is_open(data: GameData, state: State, occupation: Occupation, unit: Unit, to: AreaId) -> bool:
    return (
        not occupation.is_held_by(to, side_of(unit.id).enemy)
        and is_passable(data, data.unit(unit.id).type, unit.area, to)
        and may_enter(data, state, unit.id, to)
    )


# ---------------------------------------------------------------------- the choice


def escape_of(
    data: GameData, state: State, occupation: Occupation, units: Sequence[Unit], wanted: Sequence[str] = ()
) -> Escape:
    """The ways that units of one area take: together if they can, to the first possible area (ruling 5-9).

    `wanted` are areas, the best first; behind them come all others, in the order of `by_default`.
    """
    ways = {name: found for name, found in ways_of_all(data, state, occupation, units).items() if found}
    if not ways:
        return {}
    order = _in_order(data, state, occupation, units, ways, wanted)
    together = [area for area in order if all(_way_to(found, area) for found in ways.values())]
    return {name: _first_way(found, together or order) for name, found in ways.items()}


def retreat_areas(data: GameData, state: State, occupation: Occupation, units: Sequence[Unit]) -> tuple[AreaId, ...]:
    """Every area to which one of some units can retreat, sorted."""
    ways = ways_of_all(data, state, occupation, units)
    return tuple(sorted({way.to for found in ways.values() for way in found}))


def _in_order(
    data: GameData, state: State, occupation: Occupation, units: Sequence[Unit], ways: Ways, wanted: Sequence[str]
) -> list[AreaId]:
    areas = {way.to: way.price for found in ways.values() for way in found}
    first = [AreaId(area) for area in dict.fromkeys(wanted) if area in areas]
    rest = {area: price for area, price in areas.items() if area not in first}
    return first + (by_default(data, state, occupation, units, rest) if len(rest) > 1 else list(rest))


def by_default(
    data: GameData, state: State, occupation: Occupation, units: Sequence[Unit], prices: Mapping[AreaId, int]
) -> list[AreaId]:
    """Areas for a retreat, the best first: in supply, then cheap, at home and away from the enemy (ruling 5-10)."""
    enemy = side_of(units[0].id).enemy
    nations = dict.fromkeys(data.unit(unit.id).nation for unit in units)
    supplied = [supplied_areas(data, state, occupation, nation) for nation in nations]

    def badness(area: AreaId) -> tuple[int, int, AreaId]:
        hungry = sum(area not in one for one in supplied)
        near = sum(occupation.is_held_by(AreaId(other), enemy) for other in data.board.neighbours[area])
        abroad = sum(data.board.areas[area].country not in COUNTRIES[nation] for nation in nations)
        return hungry, prices[area] + near + abroad, area

    return sorted(prices, key=badness)


def _first_way(ways: Sequence[Way], order: Iterable[AreaId]) -> Way:
    return next(way for area in order if (way := _way_to(ways, area)))


def _way_to(ways: Sequence[Way], area: AreaId) -> Way | None:
    return next((way for way in ways if way.to == area), None)


# ---------------------------------------------------------------------- the going


def retreat(data: GameData, state: State, units: Sequence[UnitId], escape: Escape) -> Rules[State]:
    """Units leave their area, and each pays for its way (5.3.6, 5.3.7, 12.1.2); an HQ has nothing to pay (ruling 5-11).

    Who retreats has moved: it grows no more (11.1.6, 11.1.7 b) and spends fuel (9.2.3).
    """
    for area in dict.fromkeys(escape[name].to for name in units):
        together = [name for name in units if escape[name].to == area]
        named = ", ".join(data.name(name) for name in together)
        yield from report("5.3.1", "retreat to {area}: {units}", units=named, area=data.area_name(area))
    state = state.with_units(_moved(data, state, state.units[name], escape[name].to) for name in units)
    payers = [name for name in units if not state.units[name].is_hq]
    for rule in ("5.3.7", "5.3.6", "4.1.6"):
        state = yield from _pay(data, state, rule, {name: _toll(escape[name], rule) for name in payers})
    soviets = [name for name in payers if data.unit(name).nation is Nation.SOVIET_UNION]
    return (yield from _pay(data, state, "12.1.2", dict.fromkeys(soviets, data.figures.retreat.soviet_loss)))


def _moved(data: GameData, state: State, unit: Unit, to: AreaId) -> Unit:
    moved = replace(unit, area=to, ceiling=0, exerted=state.moment, disturbed=state.moment)
    return spend_fuel(data, moved)


def _toll(way: Way, rule: str) -> int:
    return sum(toll.points for toll in way.tolls if toll.rule == rule)


def _pay(data: GameData, state: State, rule: str, points: Mapping[UnitId, int]) -> Rules[State]:
    due = {name: lost for name, lost in points.items() if lost and name in state.units}
    return (yield from lose_each(data, state, rule, due)) if due else state
