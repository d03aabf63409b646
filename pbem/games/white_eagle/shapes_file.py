"""The drawing of the map (`shapes.csv`): land, coasts, frontiers, rivers, symbols, siege spaces, captions.

One row a shape: its kind, a name (a country, a river, a box, the text of a caption) and whole numbers, tenths of a
millimetre with y downwards. Left out: boxes and lines, which `boxes.csv` and `lines.csv` place, and how anything looks
(the viewer).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from pbem.errors import BadRequest
from pbem.games.white_eagle.board import Country
from pbem.log.enumeration import cut
from pbem.rules.csv_file import Row, read_rows
from pbem.rules.shapes import LEAVE_OUT, MapShape, Point, ShapeRows, read_shape, refuse_missing

SHAPES = "shapes.csv"
COLUMNS = ("kind", "name", "numbers")
ABROAD = "abroad"
LANDS = (*Country, ABROAD)
"""What a row `land` may have as its name."""


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


Drawn: TypeAlias = MapShape[Kind]
"""One row."""


@dataclass(frozen=True, slots=True)
class MapShapes(ShapeRows[Kind]):
    """All rows in their order, and the siege spaces among them."""

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
    rows = read_rows(SHAPES, files[SHAPES], COLUMNS, LEAVE_OUT)
    shapes = tuple(_shape(row, forts) for row in rows)
    _refuse_incomplete(shapes, forts)
    return MapShapes(shapes)


def _shape(row: Row, forts: Collection[str]) -> Drawn:
    shape = read_shape(row, Kind, COUNTS)
    if shape.kind is Kind.LAND and row.text("name") not in LANDS:
        row.refuse("name", f"one of {', '.join(LANDS)}")
    if shape.kind is Kind.SIEGE and row.text("name") not in forts:
        row.refuse("name", "a fort of boxes.csv")
    return shape


def _refuse_incomplete(shapes: Iterable[Drawn], forts: Collection[str]) -> None:
    refuse_missing(shapes, ONCE, SHAPES, LEAVE_OUT)
    names = sorted(shape.name for shape in shapes if shape.kind is Kind.SIEGE)
    if names != sorted(forts):
        wrong = cut(sorted({*names} ^ {*forts})) or "doubles"
        raise BadRequest(
            "data.shapes", f"expected one row 'siege' for each fort in {SHAPES}, differs in {wrong}", LEAVE_OUT
        )
