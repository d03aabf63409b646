"""Places of a large map: the name in lines, the id and signs below it, counters there or at the end of a leader."""

from __future__ import annotations

from pbem.rules.picture import Place, Point, Shape, Stack
from pbem.viewer.colours import INK, PAPER
from pbem.viewer.svg_counters import draw_stack
from pbem.viewer.svg_landscape import draw_landscape
from pbem.viewer.svg_marks import draw_mark
from pbem.viewer.xml_text import tag, words

LEADING = 3
ROW = 30
HALO: dict[str, int | str] = {
    "stroke": PAPER,
    "stroke_width": 6,
    "stroke_linejoin": "round",
    "stroke_opacity": "0.85",
    "paint_order": "stroke",
}


def draw_name(place: Place) -> str:
    """The lines of the name around the middle of the label, then the id, then the signs where they say."""
    x, y = place.label
    size = place.size
    top = y - (len(place.lines) * (size + LEADING) + ROW) // 2
    weight = "bold" if place.is_town else "normal"
    names = "".join(
        words(line, x, top + (row + 1) * (size + LEADING) - 6, size, font_weight=weight, fill=INK, **HALO)
        for row, line in enumerate(place.lines)
    )
    return names + "".join(map(draw_mark, place.marks))


def draw_leader(place: Place, stack: Stack) -> str:
    """For counters away from their place, a line from a dot in the place to them."""
    if not stack.at or not stack.is_apart:
        return ""
    line = draw_landscape(Shape("leader", (place.stack, stack.at), closed=False)) or ""
    return line + tag("circle", cx=place.stack[0], cy=place.stack[1], r=8, fill=INK, stroke=PAPER, stroke_width=3)


def draw_counters(place: Place, stack: Stack) -> str:
    """The counters at their place or away from it, and the line of words below them."""
    middle = stack.at or place.stack
    columns, width = stack.columns or place.columns, stack.counter_size or place.counter_size
    rows = -(-len(stack.counters) // columns)
    below = (middle[0], middle[1] + rows * (width + 8) // 2 + 14)
    return draw_stack(stack.counters, middle, columns, width) + _line(stack.line, below)


def _line(text: str, at: Point) -> str:
    look: dict[str, int | str] = {"font_weight": "bold", "fill": INK, **HALO}
    return words(text, at[0], at[1], 22, **look) if text else ""
