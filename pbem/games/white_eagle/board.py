"""The board of White Eagle Defiant: boxes, the lines between them, and how far one is from another (2.1, 7.0).

Pure: whoever calls hands over file names and bytes, from the package or from a player's own transcription.
Left out: what moving and stacking cost and allow (the rules), and the drawing (`shapes_file.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import NewType

from pbem.errors import BadRequest
from pbem.games.white_eagle.kinds import HINT, Command
from pbem.log.enumeration import cut
from pbem.rules.csv_file import Row, read_rows
from pbem.rules.tables import Source

BoxId = NewType("BoxId", str)
BOXES, LINES = "boxes.csv", "lines.csv"
NEEDED = (BOXES, LINES)
COLUMNS: Mapping[str, tuple[str, ...]] = {
    BOXES: ("id", "name", "country", "victory", "fort", "east", "x", "y", "source", "note"),
    LINES: ("a", "b", "difficult", "source", "note"),
}
CONTROL_MARKERS = 12
"""All of them, which Warszawa, Danzig and the other victory cities take (2.0, 3.0, 6.1)."""
MOST_MARKERS = 3
EASY, DIFFICULT = 1, 2
"""Movement points that a line costs where the data do not say (7.0)."""
LARGEST_COORDINATE = 9999


class Country(StrEnum):
    """Whose land a box lies in on 1 September 1939; Danzig is the Free City, on the German side."""

    POLAND = "PL"
    GERMANY = "DE"
    EAST_PRUSSIA = "EP"
    DANZIG = "DZ"
    SLOVAKIA = "SK"
    SOVIET_UNION = "SU"


@dataclass(frozen=True, slots=True)
class Box:
    """One box.

    `victory` counts the control markers that a victory city takes, 0 for any other box (6.1). `fort` is the command
    that activates the fort, or empty (9.0). `east` says that the box lies on the Soviet side of the German/Soviet Line
    (2.1, 7.3); no box of Germany, Danzig and Slovakia does. `x` and `y` are its middle on the drawing.
    """

    id: BoxId
    name: str
    country: Country
    victory: int
    fort: str
    east: bool
    x: int
    y: int
    source: Source
    note: str


@dataclass(frozen=True, slots=True)
class Line:
    """A movement line, passable both ways; a `difficult` one is dotted on the map (7.0)."""

    a: BoxId
    b: BoxId
    difficult: bool
    source: Source
    note: str

    @property
    def cost(self) -> int:
        """Movement points: 1 or 2."""
        return DIFFICULT if self.difficult else EASY


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """Boxes and lines in the order of the files; neighbours sorted; distances of all pairs in lines."""

    boxes: Mapping[BoxId, Box]
    lines: tuple[Line, ...]
    neighbours: Mapping[BoxId, tuple[BoxId, ...]]
    _costs: Mapping[tuple[BoxId, BoxId], int]
    _distances: Mapping[BoxId, Mapping[BoxId, int]]

    def cost(self, a: BoxId, b: BoxId) -> int:
        """Movement points from a box to its neighbour, 1 or 2 (7.0); KeyError where no line leads."""
        return self._costs[a, b]

    def distance(self, a: BoxId, b: BoxId) -> int:
        """The fewest lines from `a` to `b`, whatever they cost; 0 from a box to itself."""
        return self._distances[a][b]

    def to_country(self, box: BoxId, countries: tuple[Country, ...]) -> int:
        """The fewest lines from `box` to a box of `countries`, 0 in one of them (8.5).

        Raises ValueError when the board has no box of these countries.
        """
        return min(far for other, far in self._distances[box].items() if self.boxes[other].country in countries)

    @property
    def victory_cities(self) -> tuple[BoxId, ...]:
        """The boxes that take control markers, in the order of the file (2.1)."""
        return tuple(box.id for box in self.boxes.values() if box.victory)

    @property
    def forts(self) -> tuple[BoxId, ...]:
        """The boxes with a siege space, in the order of the file (2.1)."""
        return tuple(box.id for box in self.boxes.values() if box.fort)

    def in_poland(self, box: BoxId) -> bool:
        """Whether the box lies within the borders of Poland (5.1, 7.3, 8.5)."""
        return self.boxes[box].country is Country.POLAND


def parse_board(files: Mapping[str, bytes], easy: int = EASY, difficult: int = DIFFICULT) -> Board:
    """Read the two tables; `files` maps a file name to its bytes, `easy` and `difficult` are what lines cost.

    Raises `BadRequest` with file, line and column where a table is missing or does not hold what it should, and where
    the control markers are not twelve or the lines do not join all boxes.
    """
    for name in NEEDED:
        if name not in files:
            raise BadRequest("data.missing", f"expected {name} among the data files, got none", "add the file")
    rows = {name: read_rows(name, files[name], COLUMNS[name], HINT) for name in NEEDED}
    boxes = _read_boxes(rows[BOXES])
    lines = _read_lines(rows[LINES], boxes)
    neighbours = _neighbours(boxes, lines)
    distances = MappingProxyType({box: distances_from(box, neighbours) for box in boxes})
    _refuse_apart(boxes, distances)
    costs = {
        pair: difficult if line.difficult else easy for line in lines for pair in ((line.a, line.b), (line.b, line.a))
    }
    return Board(MappingProxyType(boxes), lines, neighbours, MappingProxyType(costs), distances)


def distances_from(start: BoxId, neighbours: Mapping[BoxId, tuple[BoxId, ...]]) -> Mapping[BoxId, int]:
    """Lines from `start` to each box that can be reached."""
    far, ring, steps = {start: 0}, [start], 0
    while ring:
        steps += 1
        ring = list(dict.fromkeys(b for a in ring for b in neighbours[a] if b not in far))
        far.update(dict.fromkeys(ring, steps))
    return MappingProxyType(far)


def _read_boxes(rows: Iterable[Row]) -> dict[BoxId, Box]:
    found: dict[BoxId, Box] = {}
    names: list[str] = []
    for row in rows:
        row.unused("id", row.id("id"), found, "a box")
        names.append(row.unused("name", row.name("name"), names, "a name"))
        box = _read_box(row)
        found[box.id] = box
    markers = sum(box.victory for box in found.values())
    if markers != CONTROL_MARKERS:
        text = f"expected {CONTROL_MARKERS} control markers in all in {BOXES}, column 'victory', got {markers}"
        raise BadRequest("data.markers", text, HINT)
    return found


def _read_box(row: Row) -> Box:
    box = Box(
        id=BoxId(row.id("id")),
        name=row.name("name"),
        country=row.choice("country", Country),
        victory=row.number("victory", 0, MOST_MARKERS),
        fort=row.choice("fort", Command).value if row.text("fort") else "",
        east=row.flag("east"),
        x=row.number("x", 0, LARGEST_COORDINATE),
        y=row.number("y", 0, LARGEST_COORDINATE),
        source=row.choice("source", Source),
        note=row.text("note"),
    )
    if box.country is not Country.POLAND and box.east != (box.country is Country.SOVIET_UNION):
        row.refuse("east", "1 for the Soviet Union, 0 for any other state but Poland")
    return box


def _read_lines(rows: Iterable[Row], boxes: Mapping[BoxId, Box]) -> tuple[Line, ...]:
    found: dict[frozenset[str], Line] = {}
    for row in rows:
        for column in ("a", "b"):
            if row.text(column) not in boxes:
                row.refuse(column, f"a box of {BOXES}")
        a, b = BoxId(row.text("a")), BoxId(row.text("b"))
        if a == b or frozenset((a, b)) in found:
            row.refuse("b", "two different boxes that no other line joins")
        line = Line(a, b, row.flag("difficult"), row.choice("source", Source), row.text("note"))
        found[frozenset((a, b))] = line
    return tuple(found.values())


def _neighbours(boxes: Iterable[BoxId], lines: Iterable[Line]) -> Mapping[BoxId, tuple[BoxId, ...]]:
    near: dict[BoxId, list[BoxId]] = {box: [] for box in boxes}
    for line in lines:
        near[line.a].append(line.b)
        near[line.b].append(line.a)
    return MappingProxyType({box: tuple(sorted(found)) for box, found in near.items()})


def _refuse_apart(boxes: Iterable[BoxId], distances: Mapping[BoxId, Mapping[BoxId, int]]) -> None:
    first, *others = boxes
    apart = [box for box in others if box not in distances[first]]
    if apart:
        text = f"expected lines from {first} to every box in {LINES}, got none that lead to {cut(apart)}"
        raise BadRequest("data.apart", text, HINT)
