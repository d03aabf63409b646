"""The shapes of the map (`shapes.toml`): polygons, places of labels, lines of the landscape.

Left out: what the shapes mean for the rules (nothing), and how they are drawn (`picture.py`, the viewer).
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NoReturn

from pbem.errors import BadRequest
from pbem.log.enumeration import cut
from pbem.rules.shapes import LEAVE_OUT

SHAPES = "shapes.toml"
LARGEST_COORDINATE = 9999
Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class AreaShape:
    polygon: tuple[Point, ...]
    label: Point
    counters: Point


@dataclass(frozen=True, slots=True)
class Feature:
    """A line or face that is drawn and has no part in the rules; `kind` is a word such as `railway`."""

    kind: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class PlaceName:
    text: str
    at: Point


@dataclass(frozen=True, slots=True)
class MapShapes:
    """The drawing, in tenths of a millimetre, y downwards; `scale_length` is as long as `scale_text` says."""

    width: int
    height: int
    scale_length: int
    scale_text: str
    source: str
    areas: Mapping[str, AreaShape]
    features: tuple[Feature, ...]
    names: tuple[PlaceName, ...]


def read_shapes(text: str, areas: Collection[str]) -> MapShapes:
    """The drawing as TOML; each of `areas` has exactly one shape. Raises `BadRequest` naming the key."""
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadRequest("data.toml", f"expected TOML in {SHAPES}: {error}", LEAVE_OUT) from error
    shapes = _table("areas", table.get("areas"))
    wrong = sorted(set(areas) ^ set(shapes))
    if wrong:
        raise BadRequest(
            "data.shapes", f"expected one shape in {SHAPES} for each area, differs in {cut(wrong)}", LEAVE_OUT
        )
    return MapShapes(
        width=_whole(table, "width"),
        height=_whole(table, "height"),
        scale_length=_whole(table, "scale_length"),
        scale_text=_text(table, "scale_text"),
        source=_source(table),
        areas=MappingProxyType({area: _area_shape(area, _table(area, shapes[area])) for area in areas}),
        features=tuple(Feature(_text(each, "kind"), _points(each, "points")) for each in _tables(table, "features")),
        names=tuple(PlaceName(_text(each, "text"), _point(each, "at")) for each in _tables(table, "names")),
    )


def _table(key: str, value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else _refuse_shape(key, "a table", value)


def _tables(table: Mapping[str, object], key: str) -> tuple[Mapping[str, object], ...]:
    value = table.get(key, [])
    return (
        tuple(_table(key, each) for each in value) if isinstance(value, list) else _refuse_shape(key, "tables", value)
    )


def _area_shape(area: str, shape: Mapping[str, object]) -> AreaShape:
    polygon = _points(shape, "polygon")
    if len(polygon) < 3:
        _refuse_shape("polygon", f"at least three points for {area}", polygon)
    return AreaShape(polygon, _point(shape, "label"), _point(shape, "counters"))


def _source(table: Mapping[str, object]) -> str:
    value = table.get("source")
    if value in ("printed", "inferred", "house"):
        return str(value)
    return _refuse_shape("source", "printed, inferred or house", value)


def short(value: object) -> str:
    """A value as quoted in a refusal, at most 60 characters."""
    return repr(value)[:60]


def _refuse_shape(key: str, expected: str, got: object) -> NoReturn:
    raise BadRequest("data.shape", f"expected {expected} in {SHAPES}, key {key!r}, got {short(got)}", LEAVE_OUT)


def _text(table: Mapping[str, object], key: str) -> str:
    value = table.get(key)
    return value if isinstance(value, str) and value.isprintable() else _refuse_shape(key, "text", value)


def _is_coordinate(value: object) -> bool:
    return type(value) is int and 0 <= value <= LARGEST_COORDINATE


def _whole(table: Mapping[str, object], key: str) -> int:
    value = table.get(key)
    if type(value) is int and _is_coordinate(value):
        return value
    return _refuse_shape(key, f"a whole number up to {LARGEST_COORDINATE}", value)


def _pair(key: str, value: object) -> Point:
    if isinstance(value, list) and len(value) == 2 and all(_is_coordinate(each) for each in value):
        return (value[0], value[1])
    return _refuse_shape(key, "two whole numbers", value)


def _point(table: Mapping[str, object], key: str) -> Point:
    return _pair(key, table.get(key))


def _points(table: Mapping[str, object], key: str) -> tuple[Point, ...]:
    value = table.get(key)
    return tuple(_pair(key, each) for each in value) if isinstance(value, list) else _refuse_shape(key, "points", value)
