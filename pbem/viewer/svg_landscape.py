"""The landscape of a campaign map: tinted terrain, symbols by the hundred, rivers, borders, fortified lines.

Means nothing by colour alone: woods, hills, mountains and marshes have symbols; each kind of border its own dashes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import isqrt

from pbem.rules.picture import Point, Shape
from pbem.viewer.colours import GROUND_OF, INK, PAPER, WATER, WATER_EDGE, mixed
from pbem.viewer.xml_text import tag

Look = Mapping[str, int | str]
TERRAINS: Mapping[str, str] = {
    "clear": "#f4ecd2",
    "forest": "#d3e2b0",
    "hills": "#ecd9a8",
    "swamp": "#d2e6dd",
    "mountains": "#dcc29a",
    "abroad": "#e6e1d6",
}
FACES: Mapping[str, Look] = {
    "lagoon": {"fill": WATER, "stroke": WATER_EDGE, "stroke_width": 4},
    "lake": {"fill": WATER, "stroke": WATER_EDGE, "stroke_width": 4},
    "sheet": {"fill": PAPER, "stroke": INK, "stroke_width": 3},
    "day": {"fill": "#fffdf6", "stroke": INK, "stroke_width": 3},
    "today": {"fill": "#ffe08a", "stroke": INK, "stroke_width": 9},
    "past": {"fill": "#d8d4c8", "stroke": INK, "stroke_width": 3},
    "box": {"fill": "#f7e3ae", "stroke": INK, "stroke_width": 7},
    "victory_box": {"fill": "#ffffff", "stroke": "#c8102e", "stroke_width": 13},
    "siege_space": {"fill": "#cdb88a", "stroke": INK, "stroke_width": 6, "stroke_dasharray": "16 8"},
}
LINES: Mapping[str, tuple[Look, ...]] = {
    "shallows": (
        {"stroke": "#bfdce6", "stroke_width": 120},
        {"stroke": "#b2d4e1", "stroke_width": 76},
        {"stroke": "#a4cbdb", "stroke_width": 36},
    ),
    "shore": ({"stroke": "#3c6f8d", "stroke_width": 6},),
    "edge": ({"stroke": "#8b8574", "stroke_width": 9},),
    "river": ({"stroke": "#4d92bb", "stroke_width": 9},),
    "vistula": ({"stroke": "#2e6f99", "stroke_width": 30}, {"stroke": "#7cb8d6", "stroke_width": 22}),
    "border": ({"stroke": "#c0392f", "stroke_width": 5, "stroke_dasharray": "13 9"},),
    "region": ({"stroke": "#1f4fa8", "stroke_width": 8, "stroke_dasharray": "22 11"},),
    "border_on_river": ({"stroke": "#c0392f", "stroke_width": 3, "stroke_dasharray": "9 13"},),
    "region_on_river": ({"stroke": "#12367a", "stroke_width": 4, "stroke_dasharray": "16 17"},),
    "state": (
        {"stroke": "#a2769f", "stroke_width": 26, "stroke_opacity": "0.45"},
        {"stroke": "#4b2a4f", "stroke_width": 7, "stroke_dasharray": "30 9 6 9"},
    ),
    "lake_border": ({"stroke": WATER_EDGE, "stroke_width": 40}, {"stroke": WATER, "stroke_width": 32}),
    "demarcation": (
        {"stroke": PAPER, "stroke_width": 20, "stroke_opacity": "0.8"},
        {"stroke": "#000000", "stroke_width": 11, "stroke_dasharray": "34 20", "stroke_linecap": "butt"},
    ),
    "german_soviet": (
        {"stroke": INK, "stroke_width": 25},
        {"stroke": "#ffffff", "stroke_width": 17},
    ),
    "easy": (
        {"stroke": PAPER, "stroke_width": 22, "stroke_opacity": "0.8"},
        {"stroke": INK, "stroke_width": 12},
    ),
    "difficult": (
        {"stroke": PAPER, "stroke_width": 24, "stroke_opacity": "0.8"},
        {"stroke": INK, "stroke_width": 15, "stroke_dasharray": "1 24", "stroke_linecap": "round"},
    ),
    "leader": ({"stroke": PAPER, "stroke_width": 10}, {"stroke": INK, "stroke_width": 4}),
}
STEP, TOOTH, HALF = 30, 17, 9
"""Teeth of a fortified line: how far apart, how long, half as wide."""


def draw_landscape(shape: Shape) -> str | None:
    """One shape in the look of its kind, or None when it is no part of a landscape."""
    if shape.kind in SYMBOLS:
        return _symbols(shape)
    if shape.kind == "fortified":
        return _fortified(shape.points)
    if shape.kind in TERRAINS and shape.closed:
        return _terrain(shape)
    if shape.kind in FACES:
        return tag("polygon", points=_joined(shape.points), stroke_linejoin="round", **FACES[shape.kind])
    if shape.kind in LINES:
        look: Look = {"points": _joined(shape.points), "fill": "none", "stroke_linejoin": "round"}
        return "".join(tag("polyline", **look, **stroke) for stroke in LINES[shape.kind])
    return None


def _terrain(shape: Shape) -> str:
    """A face in the colour of its terrain with that of its state; a hairline of the same closes the seams."""
    colour = TERRAINS[shape.kind]
    if shape.owner in GROUND_OF:
        colour = mixed(colour, *GROUND_OF[shape.owner])
    return tag("polygon", points=_joined(shape.points), fill=colour, stroke=colour, stroke_width=2)


def _joined(points: Sequence[Point]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)


def _fortified(points: Sequence[Point]) -> str:
    """A heavy line with teeth towards the attacker, who comes from the right of one who walks along it."""
    teeth = "".join(_teeth(points))
    look: Look = {"fill": "none", "stroke": PAPER, "stroke_width": 18, "stroke_linejoin": "round"}
    halo = tag("polyline", points=_joined(points), **look)
    wall = tag("polyline", points=_joined(points), fill="none", stroke=INK, stroke_width=9, stroke_linejoin="round")
    return halo + wall + tag("path", d=teeth, fill=INK)


def _teeth(points: Sequence[Point]) -> Iterator[str]:
    left = STEP // 2
    for (ax, ay), (bx, by) in pairwise(points):
        long = isqrt((bx - ax) ** 2 + (by - ay) ** 2)
        while long and left <= long:
            ux, uy = (bx - ax) * 1000 // long, (by - ay) * 1000 // long
            x, y = ax + (bx - ax) * left // long, ay + (by - ay) * left // long
            base = f"M{x - ux * HALF // 1000} {y - uy * HALF // 1000}L{x + ux * HALF // 1000} {y + uy * HALF // 1000}"
            yield f"{base}L{x - uy * TOOTH // 1000} {y + ux * TOOTH // 1000}Z"
            left += STEP
        left -= long


# ---------------------------------------------------------------------- symbols, one path for all of a kind

Pen = Callable[[int, int], str]


def _symbols(shape: Shape) -> str:
    """All symbols of a shape in one path for the faces and one for the lines."""
    parts = []
    for pen, look in SYMBOLS[shape.kind]:
        parts.append(tag("path", d="".join(pen(x, y) for x, y in shape.points), **look))
    return "".join(parts) if shape.points else ""


def _trunk(x: int, y: int) -> str:
    return f"M{x} {y + 5}v7"


def _crown(x: int, y: int) -> str:
    return f"M{x - 9} {y + 6}l9 -13l9 13zM{x - 7} {y - 2}l7 -11l7 11z"


def _hill(x: int, y: int) -> str:
    return f"M{x - 20} {y + 8}q18 -26 36 -1M{x - 4} {y - 3}l-5 9M{x + 3} {y - 3}l0 9M{x + 9} {y}l4 7"


def _peak(x: int, y: int) -> str:
    return f"M{x - 19} {y + 12}l17 -30l20 30"


def _shade(x: int, y: int) -> str:
    return f"M{x - 2} {y - 18}l20 30h-11l-6 -9l2 -6z"


def _marsh(x: int, y: int) -> str:
    return f"M{x - 18} {y + 6}h36M{x - 11} {y + 12}h22M{x - 8} {y + 1}l-4 -9M{x} {y + 1}v-13M{x + 8} {y + 1}l4 -9"


SYMBOLS: Mapping[str, tuple[tuple[Pen, Look], ...]] = {
    "trees": (
        (_trunk, {"stroke": "#6b5335", "stroke_width": 3, "fill": "none"}),
        (_crown, {"fill": "#7fa35c", "stroke": "#4f7440", "stroke_width": 2}),
    ),
    "hills_sign": ((_hill, {"stroke": "#9a7436", "stroke_width": 3, "fill": "none", "stroke_linecap": "round"}),),
    "peaks": (
        (_shade, {"fill": "#9c7a52"}),
        (_peak, {"stroke": "#6e4f2c", "stroke_width": 3, "fill": "none", "stroke_linejoin": "round"}),
    ),
    "marshes": ((_marsh, {"stroke": "#4f8f86", "stroke_width": 3, "fill": "none"}),),
}
