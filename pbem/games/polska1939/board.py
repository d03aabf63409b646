"""The board of Polska 1939: areas, the borders and nodes where they meet, regions (1.1, 4.1, 7.1, 9.1).

Pure: whoever calls hands over file names and bytes, from the package or from a player's own transcription.
Left out: what terrain costs and does (`terrain.csv`, the rules), and the drawing (`shapes_file.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TypeVar

from pbem.errors import BadRequest
from pbem.games.polska1939.kinds import HINT, Nation
from pbem.rules.csv_file import Row, read_rows
from pbem.rules.tables import Source

AREAS, BORDERS, NODES, REGIONS = "areas.csv", "borders.csv", "nodes.csv", "regions.csv"
NEEDED = (AREAS, BORDERS, NODES, REGIONS)
COLUMNS: Mapping[str, tuple[str, ...]] = {
    AREAS: (
        "code",
        "name",
        "country",
        "region",
        "terrain",
        "city",
        "capture_day",
        "fortress",
        "fortified",
        "supply",
        "west_of_line",
        "west_of_vistula",
        "x",
        "y",
        "source",
        "note",
    ),
    BORDERS: ("a", "b", "features", "line", "length", "source", "note"),
    NODES: ("id", "areas", "river", "source", "note"),
    REGIONS: ("region", "country", "areas", "source", "note"),
}
LONGEST_NODE = 8
FARTHEST = 999
LAST_DAY = 35
LARGEST_COORDINATE = 9999
LARGEST_LENGTH = 999
Word = TypeVar("Word", bound=StrEnum)


class Terrain(StrEnum):
    """What an area's ground is (4.2, 6.1.4)."""

    CLEAR = "clear"
    FOREST = "forest"
    HILLS = "hills"
    SWAMP = "swamp"
    MOUNTAINS = "mountains"


class Feature(StrEnum):
    """What lies on a border; `pass` lets motorized units through mountains (4.2.5), nothing crosses a `lake`."""

    RIVER = "river"
    VISTULA = "vistula"
    SWAMP = "swamp"
    MOUNTAIN = "mountain"
    PASS = "pass"
    LAKE = "lake"
    STATE = "state"


@dataclass(frozen=True, slots=True)
class Area:
    """One area; `supply` names the nations whose bases stand here (9.1.4), `x` and `y` its town on the drawing.

    `capture_day` is the day printed in the blue box, 1 for 1 IX, or None (13.0 A). `fortified` says that a fortified
    line protects one of its borders (7.1.1). `west_of_line` is the German side of Pisa, Narew, Bug and San,
    `west_of_vistula` that of San and Vistula.
    """

    code: str
    name: str
    country: Nation
    region: str
    terrain: Terrain
    city: bool
    capture_day: int | None
    fortress: bool
    fortified: bool
    supply: tuple[Nation, ...]
    west_of_line: bool
    west_of_vistula: bool
    x: int
    y: int
    source: Source
    note: str


@dataclass(frozen=True, slots=True)
class Border:
    """Where two areas meet along a line of `length` km; `line` is the area that a fortified line protects, or empty."""

    a: str
    b: str
    features: frozenset[Feature]
    line: str
    length: int
    source: Source
    note: str

    @property
    def is_crossed(self) -> bool:
        """Whether anything ever crosses it: not a lake."""
        return Feature.LAKE not in self.features

    def other(self, area: str) -> str:
        """The area on the far side."""
        return self.b if area == self.a else self.a


@dataclass(frozen=True, slots=True)
class Node:
    """A point where four or more areas meet, in order around it (4.1.1); `river` when one runs through (4.1.6)."""

    id: str
    areas: tuple[str, ...]
    river: bool
    source: Source
    note: str


@dataclass(frozen=True, slots=True)
class NodeLink:
    """A way through a node to an area that shares no border; `around` are all areas of the node (4.1.5)."""

    to: str
    node: str
    river: bool
    around: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """Everything in the order of the files; neighbours and regions sorted.

    `neighbours` are the areas beyond borders that can be crossed at all, `borders` holds every border under both
    orders of its areas, `across_node` the ways through nodes, `region_neighbours` the regions beside a region.
    """

    areas: Mapping[str, Area]
    borders: Mapping[tuple[str, str], Border]
    neighbours: Mapping[str, tuple[str, ...]]
    nodes: Mapping[str, Node]
    across_node: Mapping[str, tuple[NodeLink, ...]]
    regions: Mapping[str, tuple[str, ...]]
    region_neighbours: Mapping[str, tuple[str, ...]]
    _far: dict[str, Mapping[str, int]] = field(default_factory=dict, repr=False)
    _near: dict[tuple[str, int], tuple[str, ...]] = field(default_factory=dict, repr=False)

    def border(self, a: str, b: str) -> Border:
        """The border between two areas, in either order; KeyError where they share none."""
        return self.borders[a, b]

    def distance(self, a: str, b: str) -> int:
        """Areas from `a` to `b` by borders, nodes not counted; FARTHEST where no way leads."""
        return self._distances(a).get(b, FARTHEST)

    def within(self, area: str, radius: int) -> tuple[str, ...]:
        """Areas at most `radius` away by borders, sorted, the area itself included (3.1.2, 6.1.9, 6.2.5)."""
        found = self._near.get((area, radius))
        if found is None:
            far = self._distances(area)
            found = self._near[area, radius] = tuple(sorted(b for b, steps in far.items() if steps <= radius))
        return found

    def _distances(self, start: str) -> Mapping[str, int]:
        found = self._far.get(start)
        if found is None:
            found = self._far[start] = distances_from(start, self.neighbours)
        return found


def parse_board(files: Mapping[str, bytes]) -> Board:
    """Read the four tables; `files` maps a file name to its bytes.

    Raises `BadRequest` with file, line and column where a table is missing or does not hold what it should.
    """
    for name in NEEDED:
        if name not in files:
            raise BadRequest("data.missing", f"expected {name} among the data files, got none", "add the file")
    rows = {name: read_rows(name, files[name], COLUMNS[name], HINT) for name in NEEDED}
    areas = _read_areas(rows[AREAS])
    borders = _read_borders(rows[BORDERS], areas)
    nodes = _read_nodes(rows[NODES], areas, borders)
    neighbours = _neighbours(areas, borders)
    regions = _read_regions(rows[REGIONS], areas)
    return Board(
        areas=areas,
        borders=borders,
        neighbours=neighbours,
        nodes=nodes,
        across_node=_across(areas, borders, nodes),
        regions=regions,
        region_neighbours=_beside(areas, neighbours, regions),
    )


def distances_from(start: str, neighbours: Mapping[str, tuple[str, ...]]) -> Mapping[str, int]:
    """Steps from `start` to each area that can be reached."""
    far, ring, steps = {start: 0}, [start], 0
    while ring:
        steps += 1
        ring = list(dict.fromkeys(b for a in ring for b in neighbours[a] if b not in far))
        far.update(dict.fromkeys(ring, steps))
    return far


def _read_areas(rows: Iterable[Row]) -> Mapping[str, Area]:
    found: dict[str, Area] = {}
    for row in rows:
        area = _read_area(row)
        if area.code in found:
            row.refuse("code", "an area that no other line has")
        found[area.code] = area
    return MappingProxyType(found)


def _read_area(row: Row) -> Area:
    area = Area(
        code=row.id("code"),
        name=row.name("name"),
        country=row.choice("country", Nation),
        region=row.name("region"),
        terrain=row.choice("terrain", Terrain),
        city=row.flag("city"),
        capture_day=row.number("capture_day", 1, LAST_DAY) if row.text("capture_day") else None,
        fortress=row.flag("fortress"),
        fortified=row.flag("fortified"),
        supply=_words(row, "supply", Nation),
        west_of_line=row.flag("west_of_line"),
        west_of_vistula=row.flag("west_of_vistula"),
        x=row.number("x", 0, LARGEST_COORDINATE),
        y=row.number("y", 0, LARGEST_COORDINATE),
        source=row.choice("source", Source),
        note=row.text("note"),
    )
    if area.capture_day and not area.city:
        row.refuse("capture_day", "no day, for the area has no city")
    return area


def _words(row: Row, column: str, options: type[Word]) -> tuple[Word, ...]:
    words = row.text(column).split()
    if len(set(words)) < len(words) or not all(word in {*options} for word in words):
        row.refuse(column, "different words out of " + ", ".join(options))
    return tuple(options(word) for word in words)


def _read_borders(rows: Iterable[Row], areas: Mapping[str, Area]) -> Mapping[tuple[str, str], Border]:
    found: dict[tuple[str, str], Border] = {}
    for row in rows:
        a, b, line = row.text("a"), row.text("b"), row.text("line")
        for column in ("a", "b"):
            if row.text(column) not in areas:
                row.refuse(column, f"an area of {AREAS}")
        if a == b or (a, b) in found:
            row.refuse("b", "two different areas that no other line joins")
        if line and (line not in (a, b) or not areas[line].fortified):
            row.refuse("line", f"empty, or whichever of the two areas is fortified in {AREAS}")
        features = frozenset(_words(row, "features", Feature))
        length = row.number("length", 0, LARGEST_LENGTH)
        border = Border(a, b, features, line, length, row.choice("source", Source), row.text("note"))
        found[a, b] = found[b, a] = border
    return MappingProxyType(found)


def _read_nodes(
    rows: Iterable[Row], areas: Mapping[str, Area], borders: Mapping[tuple[str, str], Border]
) -> Mapping[str, Node]:
    found: dict[str, Node] = {}
    for row in rows:
        around = tuple(row.text("areas").split())
        if len(around) < 4 or len(set(around)) < len(around) or not all(area in areas for area in around):
            row.refuse("areas", f"four or more different areas of {AREAS}")
        if any((a, b) not in borders for a, b in zip(around, (*around[1:], around[0]), strict=True)):
            row.refuse("areas", f"areas in order around the point, each with a border to the next in {BORDERS}")
        name, river = row.id("id", LONGEST_NODE), row.flag("river")
        if name in found:
            row.refuse("id", "a node that no other line has")
        found[name] = Node(name, around, river, row.choice("source", Source), row.text("note"))
    return MappingProxyType(found)


def _neighbours(areas: Mapping[str, Area], borders: Mapping[tuple[str, str], Border]) -> Mapping[str, tuple[str, ...]]:
    near: dict[str, list[str]] = {area: [] for area in areas}
    for (a, b), border in borders.items():
        if border.is_crossed:
            near[a].append(b)
    return MappingProxyType({area: tuple(sorted(found)) for area, found in near.items()})


def _across(
    areas: Mapping[str, Area], borders: Mapping[tuple[str, str], Border], nodes: Mapping[str, Node]
) -> Mapping[str, tuple[NodeLink, ...]]:
    """Pairs around a node that share no border touch there alone."""
    found: dict[str, list[NodeLink]] = {area: [] for area in areas}
    for node in nodes.values():
        for area in node.areas:
            found[area] += (
                NodeLink(to, node.id, node.river, node.areas)
                for to in node.areas
                if to != area and (area, to) not in borders
            )
    return MappingProxyType({area: tuple(links) for area, links in found.items()})


def _read_regions(rows: Iterable[Row], areas: Mapping[str, Area]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for row in rows:
        name, country, codes = row.name("region"), row.choice("country", Nation), row.text("areas").split()
        if name in found:
            row.refuse("region", "a region that no other line has")
        members = sorted(code for code, area in areas.items() if area.region == name)
        if not codes or sorted(codes) != members:
            row.refuse("areas", f"the areas that have this region in {AREAS}")
        if any(areas[code].country != country for code in codes):
            row.refuse("country", "the country of its areas")
        if len(codes) > 1 and any(areas[code].fortress or areas[code].fortified for code in codes):
            row.refuse("areas", "a fortress or a fortified area alone (4.1.9)")
        found[name] = tuple(members)
    _refuse_without_region(areas, found)
    return MappingProxyType(found)


def _refuse_without_region(areas: Mapping[str, Area], regions: Mapping[str, tuple[str, ...]]) -> None:
    for area in areas.values():
        if area.region not in regions:
            text = f"expected a line for the region {area.region!r} of {area.code} in {REGIONS}, got none"
            raise BadRequest("data.region", text, HINT)


def _beside(
    areas: Mapping[str, Area], neighbours: Mapping[str, tuple[str, ...]], regions: Mapping[str, tuple[str, ...]]
) -> Mapping[str, tuple[str, ...]]:
    return MappingProxyType(
        {
            region: tuple(sorted({areas[near].region for code in codes for near in neighbours[code]} - {region}))
            for region, codes in regions.items()
        }
    )
