"""The boxes beside a map: samples with what they mean, lines of text, and the scale with a north arrow."""

from __future__ import annotations

from dataclasses import replace

from pbem.rules.picture import Legend, LegendLine, Point, Scale, Shape
from pbem.viewer.colours import INK, PAPER
from pbem.viewer.svg_badge import draw_badge
from pbem.viewer.svg_counters import draw_counter, draw_sign
from pbem.viewer.svg_ground import draw_shape
from pbem.viewer.svg_labels import draw_label
from pbem.viewer.svg_landscape import LINES
from pbem.viewer.svg_marks import draw_mark
from pbem.viewer.xml_text import tag, words

PAIRS = ("trees", "hills_sign", "peaks", "marshes")
OPEN = ("wall", "railway", "road", "link", "coast", "fortified", *LINES)
"""Kinds of which a legend shows two symbols, or a stretch."""


def draw_scale(scale: Scale) -> str:
    """A bar in four parts, and an arrow to the north above its left end."""
    (x, y), part = scale.at, scale.length // 4
    bars = "".join(
        tag(
            "rect",
            x=x + each * part,
            y=y,
            width=part,
            height=12,
            stroke=INK,
            stroke_width=2,
            fill=INK if each % 2 else "#ffffff",
        )
        for each in range(4)
    )
    arrow = tag("path", d=f"M{x + 30} {y - 130}L{x + 54} {y - 40}L{x + 30} {y - 58}L{x + 6} {y - 40}Z", fill=INK)
    north = words("N", x + 30, y - 140, 40, font_weight="bold", fill=INK)
    return bars + arrow + north + words(scale.text, x + scale.length, y - 10, 28, text_anchor="end", fill=INK)


def draw_legend(legend: Legend) -> str:
    x, y = legend.at
    look: dict[str, int | str] = {"rx": 12, "fill": PAPER, "stroke": INK, "stroke_width": 3}
    box = tag("rect", x=x, y=y, width=legend.width, height=legend.height, **look)
    size = legend.size * 42 // 29
    title = words(
        legend.title,
        x + 25,
        y + size + 10,
        size,
        text_anchor="start",
        font_weight="bold",
        font_family="serif",
        fill=INK,
    )
    inside = (*map(draw_shape, legend.shapes), *map(draw_label, legend.labels))
    return box + title + "".join(inside) + "".join(_legend_line(line, legend.size) for line in legend.lines)


def _legend_line(line: LegendLine, size: int) -> str:
    x, y = line.at
    right, down = _beside(line)
    look: dict[str, int | str] = {"font_weight": "bold"} if line.bold else {}
    text = words(line.text, x + right, y + down + (size - 29) // 3, size, text_anchor="start", fill=INK, **look)
    return _legend_sample(line) + text


def _beside(line: LegendLine) -> Point:
    """Where the text begins, from the corner of the line."""
    if line.counter:
        return 135, 62
    if line.symbol:
        return 58, 27
    return (85, 34) if line.shape or line.badge or line.mark else (0, 34)


def _legend_sample(line: LegendLine) -> str:
    if line.counter:
        return draw_counter(line.counter, line.at, 118)
    if line.symbol:
        return draw_sign(line.symbol, line.at)
    if line.shape:
        return draw_shape(replace(_sample(line.shape, line.at), owner=line.owner))
    if line.mark:
        return draw_mark(line.mark)
    return draw_badge(line.badge, (line.at[0] + 35, line.at[1] + 25)) if line.badge else ""


def _sample(kind: str, at: Point) -> Shape:
    """A small piece of a kind of shape: a symbol, a line or a face."""
    x, y = at
    if kind in ("tree", "wave"):
        return Shape(kind, ((x + 20, y + 26), (x + 50, y + 26)))
    if kind in PAIRS:
        return Shape(kind, ((x + 20, y + 28), (x + 52, y + 28)))
    if kind in OPEN:
        return Shape(kind, ((x, y + 25), (x + 70, y + 25)), closed=False)
    return Shape(kind, ((x, y + 8), (x + 70, y + 8), (x + 70, y + 42), (x, y + 42)))
