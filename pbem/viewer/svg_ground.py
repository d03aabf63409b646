"""The ground of a picture: how each kind of shape looks. A kind that is not listed gets a plain outline.

Means nothing by colour alone: water has waves, woods have trees, walls and railways have their own lines.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.rules.picture import Point, Shape
from pbem.viewer.svg_landscape import draw_landscape
from pbem.viewer.xml_text import tag

Look = Mapping[str, int | str]
LAND_EDGE: Look = {"stroke": "#7d8a5a", "stroke_width": 3, "stroke_dasharray": "14 7"}
WATER_EDGE: Look = {"stroke": "#e3f1f6", "stroke_width": 5}
FACES: Mapping[str, Look] = {
    "land": {"fill": "#dde3b9", **LAND_EDGE},
    "woods": {"fill": "#cbd9a6", **LAND_EDGE},
    "beach": {"fill": "#e9e2bd", **LAND_EDGE},
    "quay": {"fill": "#dcd9cc", **LAND_EDGE},
    "entry": {"fill": "#ebe3d6", "stroke": "#6b5f4d", "stroke_width": 4},
    "far_shore": {"fill": "#e4e0d6", "stroke": "#6f6a5f", "stroke_width": 4},
    "mole": {"fill": "#a8a398", "stroke": "#4c4942", "stroke_width": 4},
    "canal": {"fill": "#a9cfdd", **WATER_EDGE},
    "basin": {"fill": "#9cc4d6", **WATER_EDGE},
    "bay": {"fill": "#b4d8e4", **WATER_EDGE},
    "building": {"fill": "#9d5b49", "stroke": "#4d261c", "stroke_width": 3},
    "shed": {"fill": "#b9b3a6", "stroke": "#6f6a5f", "stroke_width": 3},
    "tray": {"fill": "#fbf8ef", "stroke": "#55503f", "stroke_width": 3, "rx": 12},
}
LINES: Mapping[str, tuple[Look, ...]] = {
    "coast": ({"stroke": "#4f6470", "stroke_width": 5},),
    "sand": (
        {"stroke": "#f1e4b4", "stroke_width": 26},
        {"stroke": "#c9b67c", "stroke_width": 14, "stroke_dasharray": "3 13"},
    ),
    "wharf": ({"stroke": "#55524a", "stroke_width": 11}, {"stroke": "#bdb8aa", "stroke_width": 4}),
    "wall": (
        {"stroke": "#6d2f20", "stroke_width": 15},
        {"stroke": "#e8c9b8", "stroke_width": 7, "stroke_dasharray": "12 6"},
    ),
    "railway": (
        {"stroke": "#33302b", "stroke_width": 11},
        {"stroke": "#f5f2ea", "stroke_width": 6, "stroke_dasharray": "16 16"},
    ),
    "road": ({"stroke": "#a08c68", "stroke_width": 13}, {"stroke": "#f6f1e2", "stroke_width": 8}),
    "link": ({"stroke": "#6b5f4d", "stroke_width": 8},),
}
UNKNOWN: Look = {"stroke": "#55503f", "stroke_width": 3}


def draw_shape(shape: Shape) -> str:
    """One shape in the look of its kind."""
    if shape.kind in SYMBOLS:
        return tag("g", *(SYMBOLS[shape.kind](point) for point in shape.points)) if shape.points else ""
    landscape = draw_landscape(shape)
    if landscape is not None:
        return landscape
    if not shape.closed:
        strokes = LINES.get(shape.kind, (UNKNOWN,))
        return "".join(_line(shape.points, look) for look in strokes)
    return tag(
        "polygon",
        points=joined(shape.points),
        stroke_linejoin="round",
        **FACES.get(shape.kind, {"fill": "none", **UNKNOWN}),
    )


def joined(points: tuple[Point, ...]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)


def _line(points: tuple[Point, ...], look: Look) -> str:
    return tag("polyline", points=joined(points), fill="none", stroke_linejoin="round", **look)


def _tree(at: Point) -> str:
    """A pine: trunk and two tiers, 34 high."""
    x, y = at
    tiers = f"M{x - 13} {y + 8}L{x} {y - 12}L{x + 13} {y + 8}ZM{x - 10} {y - 4}L{x} {y - 22}L{x + 10} {y - 4}Z"
    trunk = tag("path", d=f"M{x} {y + 6}V{y + 15}", stroke="#5b4630", stroke_width=5)
    return trunk + tag("path", d=tiers, fill="#5f8148", stroke="#3c5630", stroke_width=2)


def _wave(at: Point) -> str:
    x, y = at
    return tag("path", d=f"M{x - 33} {y}q11 -13 22 0t22 0t22 0", fill="none", stroke="#6fa3b8", stroke_width=4)


SYMBOLS = {"tree": _tree, "wave": _wave}
