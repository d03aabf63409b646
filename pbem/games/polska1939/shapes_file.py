"""The drawing of the map (`shapes.csv`): outlines, lines, symbols, where names and counters stand.

One row a shape: its kind, a name (an area, a river, the text of a caption) and whole numbers, tenths of a millimetre
with y downwards. Left out: what the shapes mean for the rules (nothing), and how they look (the viewer).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from pbem.errors import BadRequest
from pbem.log.enumeration import cut
from pbem.rules.csv_file import Row, read_rows

SHAPES = "shapes.csv"
COLUMNS = ("kind", "name", "numbers")
HINT = "correct the file, or leave it out and use the text map"
LARGEST_NUMBER = 9999
Point = tuple[int, int]


class Kind(StrEnum):
    """What a row draws. `line` is a fortified line with the guarded area, its name, on the left."""

    PAGE = "page"
    MAP = "map"
    SCALE = "scale"
    SHALLOWS = "shallows"
    ABROAD = "abroad"
    LAGOON = "lagoon"
    AREA = "area"
    LAKE = "lake"
    TREE = "tree"
    HILL = "hill"
    PEAK = "peak"
    MARSH = "marsh"
    RIVER = "river"
    VISTULA = "vistula"
    BORDER = "border"
    BORDER_ON_RIVER = "border_on_river"
    REGION = "region"
    REGION_ON_RIVER = "region_on_river"
    STATE = "state"
    LAKE_BORDER = "lake_border"
    FORTIFIED = "line"
    SHORE = "shore"
    EDGE = "edge"
    DEMARCATION = "demarcation"
    NODE = "node"
    PASS = "pass"
    LABEL = "label"
    STACK = "stack"
    RIVER_NAME = "river_name"
    CAPTION = "caption"


COUNTS: Mapping[Kind, int] = {
    Kind.PAGE: 2,
    Kind.MAP: 4,
    Kind.SCALE: 1,
    Kind.NODE: 2,
    Kind.PASS: 3,
    Kind.LABEL: 3,
    Kind.STACK: 2,
    Kind.RIVER_NAME: 3,
    Kind.CAPTION: 4,
}
"""How many numbers a row of a kind has; any even count where nothing is said."""
ONCE = (Kind.PAGE, Kind.MAP, Kind.SCALE)
OF_AREAS = (Kind.AREA, Kind.LABEL, Kind.STACK)


@dataclass(frozen=True, slots=True)
class MapShape:
    """One row."""

    kind: Kind
    name: str
    numbers: tuple[int, ...]

    @property
    def points(self) -> tuple[Point, ...]:
        """The numbers in pairs."""
        return tuple(zip(self.numbers[::2], self.numbers[1::2], strict=False))


@dataclass(frozen=True, slots=True)
class MapShapes:
    """All rows in their order, and those of each area by kind."""

    rows: tuple[MapShape, ...]
    areas: Mapping[str, Mapping[Kind, MapShape]]

    def of(self, *kinds: Kind) -> tuple[MapShape, ...]:
        """The rows of these kinds, in the order of the file."""
        return tuple(row for row in self.rows if row.kind in kinds)

    def numbers(self, kind: Kind) -> tuple[int, ...]:
        """The numbers of the one row of a kind such as `page`."""
        return next(row.numbers for row in self.rows if row.kind is kind)


def parse_shapes(files: Mapping[str, bytes], areas: Collection[str]) -> MapShapes | None:
    """The drawing; every area of `areas` has an outline, a label and a stack. None where there is no such file.

    Raises `BadRequest` with file, line and column for a row that does not hold what it should.
    """
    if SHAPES not in files:
        return None
    rows = read_rows(SHAPES, files[SHAPES], COLUMNS, HINT)
    shapes = tuple(_shape(row, areas) for row in rows)
    _refuse_incomplete(shapes, areas)
    return MapShapes(shapes, _by_area(shapes, areas))


def _shape(row: Row, areas: Collection[str]) -> MapShape:
    kind = row.choice("kind", Kind)
    words = row.text("numbers").split()
    count = COUNTS.get(kind)
    if not all(_is_number(word) for word in words):
        row.refuse("numbers", f"whole numbers up to {LARGEST_NUMBER}")
    if count is not None and len(words) != count:
        row.refuse("numbers", f"{count} numbers")
    if count is None and len(words) % 2:
        row.refuse("numbers", "points of two numbers each")
    if kind in OF_AREAS and row.text("name") not in areas:
        row.refuse("name", "an area of areas.csv")
    return MapShape(kind, row.text("name"), tuple(int(word) for word in words))


def _is_number(word: str) -> bool:
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= 4


def _refuse_incomplete(shapes: Iterable[MapShape], areas: Collection[str]) -> None:
    kinds = [shape.kind for shape in shapes]
    missing = [kind for kind in ONCE if kinds.count(kind) != 1]
    if missing:
        got = kinds.count(missing[0]) or "none"
        raise BadRequest("data.shapes", f"expected one row {missing[0].value!r} in {SHAPES}, got {got}", HINT)
    for kind in OF_AREAS:
        names = sorted(shape.name for shape in shapes if shape.kind is kind)
        wrong = sorted({*names} ^ {*areas})
        if wrong or len(names) != len(areas):
            text = f"expected one row {kind.value!r} for each area in {SHAPES}, differs in {cut(wrong) or 'doubles'}"
            raise BadRequest("data.shapes", text, HINT)


def _by_area(shapes: Iterable[MapShape], areas: Collection[str]) -> Mapping[str, Mapping[Kind, MapShape]]:
    found: dict[str, dict[Kind, MapShape]] = {area: {} for area in areas}
    for shape in shapes:
        if shape.kind in OF_AREAS:
            found[shape.name][shape.kind] = shape
    return MappingProxyType(found)
