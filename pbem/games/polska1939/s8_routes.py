"""Where trains can go: the fewest regions in the own country, past no enemy (8.1.2). Rulings 8-1 and 8-9."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.s6_reach import countries_of
from pbem.games.polska1939.state import AreaId, Occupation, Side, Unit, side_of


def rail_ways(data: GameData, occupation: Occupation, unit: Unit) -> Mapping[AreaId, tuple[str, ...]]:
    """The areas that a unit can be carried to, each with the regions on the way, its own and the last included.

    A train runs in the side's own country through areas free of enemies, by the fewest regions (8.1.2); of several
    ways it takes the one whose regions come first in the alphabet (ruling 8-1).
    """
    side = side_of(unit.id)
    parts = _open_parts(data, occupation, side)
    if unit.area not in parts:
        return {}
    ways: dict[AreaId, tuple[str, ...]] = {parts[unit.area]: (data.board.areas[unit.area].region,)}
    layer = dict(ways)
    joined = _joined_parts(data, parts)
    while layer:
        longer: dict[AreaId, tuple[str, ...]] = {}
        for part, way in layer.items():
            for near in joined[part]:
                if near not in ways:
                    found = (*way, data.board.areas[near].region)
                    longer[near] = min(longer.get(near, found), found)
        ways |= longer
        layer = longer
    return {area: ways[part] for area, part in parts.items() if part in ways}


def rail_route(data: GameData, occupation: Occupation, unit: Unit, goal: str) -> tuple[str, ...]:
    """The regions from a unit's area to its goal; empty when no way is open."""
    return rail_ways(data, occupation, unit).get(AreaId(goal), ())


def rail_cities(data: GameData, side: Side) -> tuple[AreaId, ...]:
    """The cities of a side's own country, sorted: where trains can go (8.1.2)."""
    countries = countries_of(side)
    areas = data.board.areas
    return tuple(sorted(AreaId(code) for code, area in areas.items() if area.city and area.country in countries))


def reachable_cities(data: GameData, occupation: Occupation, unit: Unit) -> tuple[AreaId, ...]:
    """The cities to which a way is open from where a unit stands, those by few regions first; without its own area."""
    ways = rail_ways(data, occupation, unit)
    cities = [city for city in rail_cities(data, side_of(unit.id)) if city in ways and city != unit.area]
    return tuple(sorted(cities, key=lambda city: (len(ways[city]), city)))


def _open_parts(data: GameData, occupation: Occupation, side: Side) -> dict[AreaId, AreaId]:
    """Each area where a train can run, with the first area of the part of its region that hangs together there."""
    countries, areas = countries_of(side), data.board.areas
    free = {AreaId(code) for code, area in areas.items() if area.country in countries}
    free -= {area for area, holder in occupation.sides.items() if holder is side.enemy}
    parts: dict[AreaId, AreaId] = {}
    for start in sorted(free):
        edge = [start] if start not in parts else []
        while edge:
            area = edge.pop()
            parts[area] = start
            near = (AreaId(code) for code in data.board.neighbours[area] if areas[code].region == areas[area].region)
            edge += [one for one in near if one in free and one not in parts]
    return parts


def _joined_parts(data: GameData, parts: Mapping[AreaId, AreaId]) -> dict[AreaId, dict[AreaId, None]]:
    """The parts beside each part."""
    joined: dict[AreaId, dict[AreaId, None]] = {part: {} for part in parts.values()}
    for area, part in parts.items():
        for near in data.board.neighbours[area]:
            other = parts.get(AreaId(near), part)
            if other != part:
                joined[part][other] = None
    return joined
