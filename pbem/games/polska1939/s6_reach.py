"""The air units of a day, and the areas that they reach (6.1.9, 6.2.5 and the lists of the scenario).

Rulings 6-1 and 6-2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import AirKind, Nation
from pbem.games.polska1939.s9_supply import supplied_areas
from pbem.games.polska1939.state import AreaId, Occupation, Side, State, UnitId, side_of

COUNTRIES: Mapping[Nation, tuple[Nation, ...]] = {
    Nation.POLAND: (Nation.POLAND,),
    Nation.GERMANY: (Nation.GERMANY, Nation.SLOVAKIA),
    Nation.SOVIET_UNION: (Nation.SOVIET_UNION,),
    Nation.SLOVAKIA: (Nation.SLOVAKIA, Nation.GERMANY),
}
"""The countries that are friendly to each nation (6.1.9)."""
NAMES: Mapping[Nation, str] = {
    Nation.POLAND: "Poland",
    Nation.GERMANY: "Germany",
    Nation.SOVIET_UNION: "the Soviet Union",
    Nation.SLOVAKIA: "Slovakia",
}


def countries_of(side: Side) -> tuple[Nation, ...]:
    """The countries of a side, in which its trains run (8.1.2)."""
    if side is Side.POLISH:
        return (Nation.POLAND,)
    return (Nation.GERMANY, Nation.SLOVAKIA, Nation.SOVIET_UNION)


@dataclass(frozen=True, slots=True)
class Aircraft:
    """An air unit of the day; `number` counts from 1, the strongest of its kind on its side; strength in SP."""

    kind: AirKind
    number: int
    nation: Nation
    strength: int

    @property
    def name(self) -> str:
        """`BOM 1`."""
        return f"{self.kind.value} {self.number}"


@dataclass(frozen=True, slots=True)
class AirDay:
    """What the air units of one side can do now: who flies today, where they reach, where there is something to bomb.

    `targets` are areas with enemy units or empty enemy trains, sorted.
    """

    side: Side
    aircraft: tuple[Aircraft, ...]
    reach: Mapping[tuple[Nation, AirKind], Collection[AreaId]]
    targets: tuple[AreaId, ...]

    @classmethod
    def of(cls, data: GameData, state: State, side: Side) -> AirDay:
        """Made once for a position; it scans all units and the map."""
        occupation = Occupation.of(state)
        planes = tuple(plane for kind in AirKind for plane in aircraft(data, side, state.day, kind))
        bases = {nation: air_bases(data, state, occupation, nation) for nation in {p.nation: None for p in planes}}
        groups = dict.fromkeys((plane.nation, plane.kind) for plane in planes)
        reach = {(nation, kind): reached_areas(data, nation, kind, bases[nation]) for nation, kind in groups}
        return cls(side, planes, reach, _targets(state, occupation, side))

    def of_kind(self, kind: AirKind) -> tuple[Aircraft, ...]:
        """The bombers or the support units, in the order of their numbers."""
        return tuple(plane for plane in self.aircraft if plane.kind is kind)

    def plane(self, kind: AirKind, number: int) -> Aircraft | None:
        """The unit of a number, None where there is none today."""
        return next((plane for plane in self.of_kind(kind) if plane.number == number), None)

    def reaches(self, plane: Aircraft, area: str) -> bool:
        """Whether an area lies within the unit's radius (6.1.9, 6.2.5)."""
        return area in self.reach[plane.nation, plane.kind]

    def bombable(self, plane: Aircraft) -> tuple[AreaId, ...]:
        """The targets that a unit reaches, sorted."""
        return tuple(area for area in self.targets if self.reaches(plane, area))

    def has_mission(self, kind: AirKind) -> bool:
        """Whether any unit of a kind reaches a target."""
        return any(self.bombable(plane) for plane in self.of_kind(kind))


def aircraft(data: GameData, side: Side, day: int, kind: AirKind) -> tuple[Aircraft, ...]:
    """The air units of a side on a day, from the strongest (scenario lists; ruling 6-1)."""
    rows = [row for row in data.forces.air if row.kind is kind and row.first <= day <= row.last]
    mine = [row for row in rows if side_of(UnitId(f"{row.nation}-")) is side]
    each = sorted((-row.strength, row.nation) for row in mine for _ in range(row.count))
    return tuple(Aircraft(kind, number, nation, -strength) for number, (strength, nation) in enumerate(each, start=1))


def radii(data: GameData, kind: AirKind) -> tuple[int, int]:
    """The radius from a friendly country and that from a supplied HQ, in areas (6.1.9, 6.2.5)."""
    figures = data.figures.air
    if kind is AirKind.BOMBER:
        return figures.bomber_country_radius, figures.bomber_headquarters_radius
    return figures.support_country_radius, figures.support_headquarters_radius


def reached_areas(data: GameData, nation: Nation, kind: AirKind, bases: Iterable[AreaId]) -> frozenset[AreaId]:
    """The areas within reach of a nation's air units: from its country and its friends', and from `bases`, its HQs."""
    from_country, from_headquarters = radii(data, kind)
    countries = COUNTRIES[nation]
    home = [AreaId(area) for area, found in data.board.areas.items() if found.country in countries]
    return frozenset(spread(data, home, from_country) | spread(data, bases, from_headquarters))


def air_bases(data: GameData, state: State, occupation: Occupation, nation: Nation) -> tuple[AreaId, ...]:
    """Where a nation has HQs in supply, from which its air units can fly (6.1.9, ruling 6-2)."""
    areas = [unit.area for unit in state.units.values() if unit.is_hq and unit.id.startswith(f"{nation}-")]
    supplied = supplied_areas(data, state, occupation, nation) if areas else frozenset()
    return tuple(area for area in areas if area in supplied)


def spread(data: GameData, sources: Iterable[AreaId], radius: int) -> dict[AreaId, None]:
    """The areas at most `radius` borders away from any of some areas, these included."""
    found = dict.fromkeys(sources)
    ring = list(found)
    for _ in range(radius):
        near = dict.fromkeys(AreaId(near) for area in ring for near in data.board.neighbours[area])
        ring = [area for area in near if area not in found]
        found |= dict.fromkeys(ring)
    return found


def _targets(state: State, occupation: Occupation, side: Side) -> tuple[AreaId, ...]:
    """Where the enemy has units, or trains that wait (6.1.2, 8.1.5)."""
    areas = [area for area, holder in occupation.sides.items() if holder is side.enemy]
    waiting = [train.area for train in state.trains if side_of(train.unit) is side.enemy]
    return tuple(sorted({*areas, *(area for area in waiting if not occupation.is_held_by(area, side))}))
