"""The data files of The Battle of the Westerplatte, read into frozen values.

Pure: whoever calls hands over file names and bytes, from the package or from a player's own transcription.
`shapes.toml` may be missing there; then the game is played and told in text, and has no drawn map.
Left out: which unit may move where (rules), the shapes of the drawing (`shapes_file.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import NewType

from pbem.errors import BadRequest
from pbem.games.westerplatte.shapes_file import SHAPES, MapShapes, read_shapes
from pbem.rules.csv_file import Row, decoded, read_rows
from pbem.rules.tables import Source

AreaId = NewType("AreaId", str)
UnitId = NewType("UnitId", str)

AREAS, ADJACENCY, UNITS, CONSTANTS = "areas.csv", "adjacency.csv", "units.csv", "constants.csv"
NEEDED = (AREAS, ADJACENCY, UNITS, CONSTANTS)
COLUMNS: Mapping[str, tuple[str, ...]] = {
    AREAS: ("id", "name", "kind", "terrain", "bonus", "source", "note"),
    ADJACENCY: ("a", "b", "source", "note"),
    UNITS: ("id", "name", "side", "type", "size", "strong", "weak", "source_strong", "source_weak", "note"),
    CONSTANTS: ("key", "value", "rule", "source", "note"),
}
HINT = "correct the file and try again; `pbem tables westerplatte` shows the built-in one"
FARTHEST = 99
KEYS_THAT_NAME_AREAS = frozenset(("areas.closed_to_poles", "areas.german_entry", "ship.start", "ship.join"))
LARGEST_NUMBER = 9999


class Side(StrEnum):
    GERMAN = "german"
    POLISH = "polish"


class AreaKind(StrEnum):
    """Ground units use `land` and `entry`, the ship `water`; Poles keep out of `entry` (setup.1)."""

    LAND = "land"
    ENTRY = "entry"
    WATER = "water"


class UnitKind(StrEnum):
    INFANTRY = "infantry"
    ENGINEER = "engineer"
    MORTAR = "mortar"
    ANTI_TANK_GUN = "anti_tank_gun"
    FIELD_GUN = "field_gun"
    BATTLESHIP = "battleship"


class UnitSize(StrEnum):
    COMPANY = "company"
    PLATOON = "platoon"
    GUN = "gun"
    SHIP = "ship"


@dataclass(frozen=True, slots=True)
class Area:
    """One area of the map; `bonus` is the terrain bonus, 0 to 3 (combat.11)."""

    id: AreaId
    name: str
    kind: AreaKind
    terrain: str
    bonus: int
    source: Source
    note: str


@dataclass(frozen=True, slots=True)
class Join:
    """Two adjacent areas, named once."""

    a: AreaId
    b: AreaId
    source: Source
    note: str


@dataclass(frozen=True, slots=True)
class UnitType:
    """One counter; `strong` and `weak` are the fire strengths of its faces, 1 to 9 (combat.5)."""

    id: UnitId
    name: str
    side: Side
    kind: UnitKind
    size: UnitSize
    strong: int
    weak: int
    source_strong: Source
    source_weak: Source
    note: str


@dataclass(frozen=True, slots=True)
class Constant:
    """A number or fact of the rules card; `value` is an integer where it is one, else words."""

    key: str
    value: int | str
    rule: str
    source: Source
    note: str


@dataclass(frozen=True, slots=True)
class GameData:
    """Everything the rules and the pictures look up, in the order of the files."""

    areas: Mapping[AreaId, Area]
    joins: tuple[Join, ...]
    adjacent: Mapping[AreaId, tuple[AreaId, ...]]
    by_land: Mapping[AreaId, tuple[AreaId, ...]]
    by_water: Mapping[AreaId, tuple[AreaId, ...]]
    distances: Mapping[AreaId, Mapping[AreaId, int]]
    units: Mapping[UnitId, UnitType]
    constants: Mapping[str, Constant]
    shapes: MapShapes | None

    def distance(self, a: AreaId, b: AreaId) -> int:
        """Areas from `a` to `b`, over land and water alike; 0 is the same area (combat.2)."""
        return self.distances[a][b]

    def within(self, area: AreaId, reach: int) -> tuple[AreaId, ...]:
        """Areas at most `reach` away, sorted, the area itself included."""
        return tuple(sorted(b for b, far in self.distances[area].items() if far <= reach))

    def ground_steps(self, area: AreaId) -> tuple[AreaId, ...]:
        """Adjacent areas that are not water (turn.8); who may enter them is a matter of the rules."""
        return self.by_land[area]

    def ship_steps(self, area: AreaId) -> tuple[AreaId, ...]:
        """Adjacent water areas (turn.9, turn.10)."""
        return self.by_water[area]

    def number(self, key: str) -> int:
        """A constant that is a number."""
        value = self.constants[key].value
        if not isinstance(value, int):
            raise TypeError(f"constant {key} is {value!r}, not a number")
        return value

    def words(self, key: str) -> tuple[str, ...]:
        """A constant that is a list of words, such as the areas where the ship may start."""
        return tuple(str(self.constants[key].value).split())


def parse(files: Mapping[str, bytes]) -> GameData:
    """Read the tables; `files` maps a file name to its bytes.

    Raises `BadRequest` with file, line and column where a table is missing or does not hold what it should.
    """
    for name in NEEDED:
        if name not in files:
            raise BadRequest("data.missing", f"expected {name} among the data files, got none", "add the file")
    areas = read_areas(_rows(files, AREAS))
    joins = tuple(read_joins(_rows(files, ADJACENCY), areas))
    adjacent = neighbours(areas, joins)
    constants = read_constants(_rows(files, CONSTANTS), areas)
    return GameData(
        areas=areas,
        joins=joins,
        adjacent=adjacent,
        by_land=_among(adjacent, {area.id for area in areas.values() if area.kind is not AreaKind.WATER}),
        by_water=_among(adjacent, {area.id for area in areas.values() if area.kind is AreaKind.WATER}),
        distances=MappingProxyType({a: distances_from(a, adjacent) for a in areas}),
        units=read_units(_rows(files, UNITS)),
        constants=constants,
        shapes=read_shapes(decoded(SHAPES, files[SHAPES], HINT), areas) if SHAPES in files else None,
    )


def _rows(files: Mapping[str, bytes], file: str) -> tuple[Row, ...]:
    return read_rows(file, files[file], COLUMNS[file], HINT)


def read_areas(rows: Iterable[Row]) -> Mapping[AreaId, Area]:
    found: dict[AreaId, Area] = {}
    for row in rows:
        area = Area(
            id=AreaId(row.id("id")),
            name=row.name("name"),
            kind=row.choice("kind", AreaKind),
            terrain=row.id("terrain"),
            bonus=row.number("bonus", 0, 3),
            source=row.choice("source", Source),
            note=row.text("note"),
        )
        if area.id.casefold() in {known.casefold() for known in found}:
            row.refuse("id", "an area that no other line has")
        found[area.id] = area
    return MappingProxyType(found)


def read_joins(rows: Iterable[Row], areas: Mapping[AreaId, Area]) -> Iterator[Join]:
    seen: set[frozenset[AreaId]] = set()
    for row in rows:
        a, b = AreaId(row.id("a")), AreaId(row.id("b"))
        for column, area in (("a", a), ("b", b)):
            if area not in areas:
                row.refuse(column, f"an area of {AREAS}")
        if a == b or frozenset((a, b)) in seen:
            row.refuse("b", "two different areas that no other line joins")
        seen.add(frozenset((a, b)))
        yield Join(a, b, row.choice("source", Source), row.text("note"))


def neighbours(areas: Mapping[AreaId, Area], joins: tuple[Join, ...]) -> Mapping[AreaId, tuple[AreaId, ...]]:
    """Each area with its neighbours, sorted."""
    pairs = [pair for join in joins for pair in ((join.a, join.b), (join.b, join.a))]
    return MappingProxyType({area: tuple(sorted(b for a, b in pairs if a == area)) for area in areas})


def _among(
    adjacent: Mapping[AreaId, tuple[AreaId, ...]], wanted: Collection[AreaId]
) -> Mapping[AreaId, tuple[AreaId, ...]]:
    """Each area with those of its neighbours that are wanted, sorted."""
    return MappingProxyType({area: tuple(b for b in near if b in wanted) for area, near in adjacent.items()})


def distances_from(start: AreaId, adjacent: Mapping[AreaId, tuple[AreaId, ...]]) -> Mapping[AreaId, int]:
    """Areas from `start` to each other area; `FARTHEST` where no way leads."""
    far = {start: 0}
    ring = [start]
    while ring:
        ring = list(dict.fromkeys(b for a in ring for b in adjacent[a] if b not in far))
        far.update({area: 1 + max(far.values()) for area in ring})
    return MappingProxyType({area: far.get(area, FARTHEST) for area in adjacent})


def read_units(rows: Iterable[Row]) -> Mapping[UnitId, UnitType]:
    found: dict[UnitId, UnitType] = {}
    for row in rows:
        unit = UnitType(
            id=UnitId(row.id("id")),
            name=row.name("name"),
            side=row.choice("side", Side),
            kind=row.choice("type", UnitKind),
            size=row.choice("size", UnitSize),
            strong=row.number("strong", 1, 9),
            weak=row.number("weak", 1, 9),
            source_strong=row.choice("source_strong", Source),
            source_weak=row.choice("source_weak", Source),
            note=row.text("note"),
        )
        if unit.id.casefold() in {known.casefold() for known in found}:
            row.refuse("id", "a unit that no other line has")
        found[unit.id] = unit
    return MappingProxyType(found)


def read_constants(rows: Iterable[Row], areas: Mapping[AreaId, Area]) -> Mapping[str, Constant]:
    found: dict[str, Constant] = {}
    for row in rows:
        key, value = row.name("key"), row.name("value")
        if key in found:
            row.refuse("key", "a key that no other line has")
        named = key in KEYS_THAT_NAME_AREAS
        if named and not set(value.split()) <= set(areas):
            row.refuse("value", f"areas of {AREAS}")
        plain = value.isascii() and value.isdigit() and not named
        number = row.number("value", 0, LARGEST_NUMBER) if plain else value
        found[key] = Constant(key, number, row.name("rule"), row.choice("source", Source), row.text("note"))
    return MappingProxyType(found)
