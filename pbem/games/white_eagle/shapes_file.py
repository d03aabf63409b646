"""The drawing of the map (`shapes.csv`): land, coasts, frontiers, rivers, symbols, siege spaces, captions.

One row a shape: its kind, a name (a country, a river, a box, the text of a caption) and whole numbers, tenths of a
millimetre with y downwards. Left out: boxes and lines, which `boxes.csv` and `lines.csv` place, and how anything looks
(the viewer).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from pbem.errors import BadRequest
from pbem.games.white_eagle.board import Country
from pbem.log.enumeration import cut
from pbem.rules.csv_file import Row, read_rows

SHAPES = "shapes.csv"
COLUMNS = ("kind", "name", "numbers")
HINT = "correct the file, or leave it out and use the text map"
LARGEST_NUMBER = 9999
ABROAD = "abroad"
LANDS = (*Country, ABROAD)
"""What a row `land` may have as its name."""
Point = tuple[int, int]


class Kind(StrEnum):
    """What a row draws; `german_soviet` is the German/Soviet Line (2.1), `siege` the siege space of a fort (9.0)."""

    PAGE = "page"
    MAP = "map"
    SCALE = "scale"
    SHALLOWS = "shallows"
    LAND = "land"
    LAGOON = "lagoon"
    SHORE = "shore"
    LAKE = "lake"
    TREE = "tree"
    MARSH = "marsh"
    HILL = "hill"
    PEAK = "peak"
    RIVER = "river"
    VISTULA = "vistula"
    STATE = "state"
    LINE = "german_soviet"
    SIEGE = "siege"
    RIVER_NAME = "river_name"
    CAPTION = "caption"


COUNTS: Mapping[Kind, int] = {
    Kind.PAGE: 2,
    Kind.MAP: 4,
    Kind.SCALE: 1,
    Kind.SIEGE: 2,
    Kind.RIVER_NAME: 3,
    Kind.CAPTION: 4,
}
"""How many numbers a row of a kind has; any even count where nothing is said."""
ONCE = (Kind.PAGE, Kind.MAP, Kind.SCALE)


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
    """All rows in their order."""

    rows: tuple[MapShape, ...]

    def of(self, *kinds: Kind) -> tuple[MapShape, ...]:
        """The rows of these kinds, in the order of the file."""
        return tuple(row for row in self.rows if row.kind in kinds)

    def numbers(self, kind: Kind) -> tuple[int, ...]:
        """The numbers of the one row of a kind such as `page`."""
        return next(row.numbers for row in self.rows if row.kind is kind)

    @property
    def sieges(self) -> Mapping[str, Point]:
        """The middle of the siege space of each fort."""
        return {row.name: row.points[0] for row in self.of(Kind.SIEGE)}


def parse_shapes(files: Mapping[str, bytes], forts: Collection[str]) -> MapShapes | None:
    """The drawing, with a siege space for each of `forts` and no other; None where there is no such file.

    Raises `BadRequest` with file, line and column for a row that does not hold what it should.
    """
    if SHAPES not in files:
        return None
    rows = read_rows(SHAPES, files[SHAPES], COLUMNS, HINT)
    shapes = tuple(_shape(row, forts) for row in rows)
    _refuse_incomplete(shapes, forts)
    return MapShapes(shapes)


def _shape(row: Row, forts: Collection[str]) -> MapShape:
    kind = row.choice("kind", Kind)
    words = row.text("numbers").split()
    count = COUNTS.get(kind)
    if not all(_is_number(word) for word in words):
        row.refuse("numbers", f"whole numbers up to {LARGEST_NUMBER}")
    if count is not None and len(words) != count:
        row.refuse("numbers", f"{count} numbers")
    if count is None and len(words) % 2:
        row.refuse("numbers", "points of two numbers each")
    if kind is Kind.LAND and row.text("name") not in LANDS:
        row.refuse("name", f"one of {', '.join(LANDS)}")
    if kind is Kind.SIEGE and row.text("name") not in forts:
        row.refuse("name", "a fort of boxes.csv")
    return MapShape(kind, row.text("name"), tuple(int(word) for word in words))


def _is_number(word: str) -> bool:
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= len(str(LARGEST_NUMBER))


def _refuse_incomplete(shapes: Iterable[MapShape], forts: Collection[str]) -> None:
    kinds = [shape.kind for shape in shapes]
    missing = [kind for kind in ONCE if kinds.count(kind) != 1]
    if missing:
        got = kinds.count(missing[0]) or "none"
        raise BadRequest("data.shapes", f"expected one row {missing[0].value!r} in {SHAPES}, got {got}", HINT)
    names = sorted(shape.name for shape in shapes if shape.kind is Kind.SIEGE)
    if names != sorted(forts):
        wrong = cut(sorted({*names} ^ {*forts})) or "doubles"
        raise BadRequest("data.shapes", f"expected one row 'siege' for each fort in {SHAPES}, differs in {wrong}", HINT)
