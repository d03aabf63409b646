"""The drawing of the map (`shapes.csv`): outlines, lines, symbols, where names and counters stand.

One row a shape: its kind, a name (an area, a river, the text of a caption) and whole numbers, tenths of a millimetre
with y downwards. Left out: what the shapes mean for the rules (nothing), and how they look (the viewer).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

from pbem.errors import BadRequest
from pbem.log.enumeration import cut
from pbem.rules.csv_file import Row, read_rows
from pbem.rules.shapes import LEAVE_OUT, MapShape, ShapeRows, read_shape, refuse_missing

SHAPES = "shapes.csv"
COLUMNS = ("kind", "name", "numbers")


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


Drawn: TypeAlias = MapShape[Kind]
"""One row."""


@dataclass(frozen=True, slots=True)
class MapShapes(ShapeRows[Kind]):
    """All rows in their order, and those of each area by kind."""

    areas: Mapping[str, Mapping[Kind, Drawn]]


def parse_shapes(files: Mapping[str, bytes], areas: Collection[str]) -> MapShapes | None:
    """The drawing; every area of `areas` has an outline, a label and a stack. None where there is no such file.

    Raises `BadRequest` with file, line and column for a row that does not hold what it should.
    """
    if SHAPES not in files:
        return None
    rows = read_rows(SHAPES, files[SHAPES], COLUMNS, LEAVE_OUT)
    shapes = tuple(_shape(row, areas) for row in rows)
    _refuse_incomplete(shapes, areas)
    return MapShapes(shapes, _by_area(shapes, areas))


def _shape(row: Row, areas: Collection[str]) -> Drawn:
    shape = read_shape(row, Kind, COUNTS)
    if shape.kind in OF_AREAS and row.text("name") not in areas:
        row.refuse("name", "an area of areas.csv")
    return shape


def _refuse_incomplete(shapes: Iterable[Drawn], areas: Collection[str]) -> None:
    refuse_missing(shapes, ONCE, SHAPES, LEAVE_OUT)
    for kind in OF_AREAS:
        names = sorted(shape.name for shape in shapes if shape.kind is kind)
        wrong = sorted({*names} ^ {*areas})
        if wrong or len(names) != len(areas):
            text = f"expected one row {kind.value!r} for each area in {SHAPES}, differs in {cut(wrong) or 'doubles'}"
            raise BadRequest("data.shapes", text, LEAVE_OUT)


def _by_area(shapes: Iterable[Drawn], areas: Collection[str]) -> Mapping[str, Mapping[Kind, Drawn]]:
    found: dict[str, dict[Kind, Drawn]] = {area: {} for area in areas}
    for shape in shapes:
        if shape.kind in OF_AREAS:
            found[shape.name][shape.kind] = shape
    return MappingProxyType(found)
