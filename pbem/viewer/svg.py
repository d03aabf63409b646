"""A picture as SVG: to look at, to print on A4 landscape, to read aloud.

Self-contained: no script, no style sheet, no font, no link; the same picture gives the same bytes. Left out: the
page around it, and how each kind of shape (`svg_ground`) and counter (`svg_counters`) looks.
"""

from __future__ import annotations

from pbem.errors import BadRequest
from pbem.rules.picture import Label, Legend, LegendLine, Picture, Place, Point, Scale, Shape
from pbem.viewer.plain import is_same_word
from pbem.viewer.svg_counters import draw_counter, draw_sign, draw_stack, spoken
from pbem.viewer.svg_ground import draw_shape
from pbem.viewer.xml_text import safe, tag, words

INK = "#23211c"
PAPER = "#fbf8ef"
MARGIN = 60
HALO: dict[str, int | str] = {
    "stroke": PAPER,
    "stroke_width": 7,
    "stroke_linejoin": "round",
    "paint_order": "stroke",
}
BADGE_RADIUS = 21
CODE_SIZE = 36
NAME_SIZE = 27


def draw(picture: Picture) -> str:
    """The whole picture as an SVG document. Raises `BadRequest` when the picture has no shapes to draw."""
    if not picture.shapes:
        raise BadRequest(
            "picture.no_shapes", "expected a map with shapes to draw, got none", "ask for the text map instead"
        )
    parts = (
        tag("title", safe(picture.title)),
        tag("desc", safe(description(picture))),
        tag("rect", width=picture.width, height=picture.height, fill="#c9e2ea"),
        *(draw_shape(shape) for shape in picture.shapes),
        *(_label(label) for label in picture.labels),
        *(_place(picture, place) for place in picture.places),
        *(_legend(legend) for legend in (picture.legend, picture.counter_legend) if legend),
        _scale(picture.scale) if picture.scale else "",
        _heading(picture),
        _captions(picture),
        _frame(picture),
    )
    return (
        tag(
            "svg",
            *parts,
            xmlns="http://www.w3.org/2000/svg",
            role="img",
            viewBox=f"0 0 {picture.width} {picture.height}",
            width=f"{picture.width // 10}mm",
            height=f"{picture.height // 10}mm",
            font_family="sans-serif",
        )
        + "\n"
    )


def description(picture: Picture) -> str:
    """The picture in words: where each counter stands, then the captions."""
    standing = (
        f"{place.name}: {'; '.join(map(spoken, picture.counters_at(place.id)))}."
        for place in picture.places
        if picture.counters_at(place.id)
    )
    return " ".join((f"{picture.subtitle}.", f"{len(picture.places)} places.", *standing, *picture.captions))


def _place(picture: Picture, place: Place) -> str:
    counters = picture.counters_at(place.id)
    stack = draw_stack(counters, place.stack, place.columns, place.counter_size) if counters else ""
    about = ", ".join(
        filter(
            None,
            (
                place.name,
                place.meaning,
                place.kind,
                place.terrain,
                f"{place.value_name} {place.value}" if place.value else "",
            ),
        )
    )
    return tag("g", tag("title", safe(f"{place.id}: {about}")), _place_label(place), stack)


def _place_label(place: Place) -> str:
    """Badge and code on the first line; on the second what the name means, or the name unless it says the same."""
    x, y = place.label
    second = place.meaning or place.name
    first = place.name if is_same_word(place.name, place.id) or place.kind == "tray" else place.id
    shift = BADGE_RADIUS + 4 if place.value else 0
    colour = "#15455c" if place.kind == "water" else INK
    code = words(first, x + shift, y, CODE_SIZE, font_weight="bold", fill=colour, **HALO)
    name = "" if first == second else words(second, x, y + 32, NAME_SIZE, font_style="italic", fill=colour, **HALO)
    badge_at = (x + shift - width_of(first, CODE_SIZE) // 2 - BADGE_RADIUS - 8, y - 13)
    return code + name + (draw_badge(place.value, badge_at) if place.value else "")


def width_of(text: str, size: int) -> int:
    """About as wide as a bold sans-serif line of that size."""
    return sum(84 if each.isupper() or each in "mw" else 68 if each.isalnum() else 40 for each in text) * size // 100


def draw_badge(value: str, at: Point) -> str:
    """A number in a disc."""
    disc = tag("circle", cx=at[0], cy=at[1], r=BADGE_RADIUS, fill="#3f4a2c", stroke=PAPER, stroke_width=3)
    return disc + words(value, at[0], at[1] + 9, 25, font_weight="bold", fill="#ffffff")


def _label(label: Label) -> str:
    size = {"small": 30, "caption": 34}.get(label.kind, 44)
    return words(label.text, *label.at, size, font_style="italic", fill="#5a5648", letter_spacing=3)


def _heading(picture: Picture) -> str:
    title = words(picture.title, 85, 142, 76, text_anchor="start", font_weight="bold", font_family="serif", fill=INK)
    return title + words(picture.subtitle, 88, 194, 31, text_anchor="start", font_style="italic", fill=INK)


def _captions(picture: Picture) -> str:
    x, y = picture.captions_at
    return "".join(
        words(line, x, y + 42 * row, 34, text_anchor="start", fill=INK, **HALO)
        for row, line in enumerate(picture.captions)
    )


def _frame(picture: Picture) -> str:
    """The paper around the map covers what sticks out, and a line closes it."""
    wide, high, near = picture.width, picture.height, MARGIN
    inner = f"M{near} {near}V{high - near}H{wide - near}V{near}Z"
    paper = tag("path", d=f"M0 0H{wide}V{high}H0Z{inner}", fill=PAPER, fill_rule="evenodd")
    return paper + tag("path", d=inner, fill="none", stroke=INK, stroke_width=6)


def _scale(scale: Scale) -> str:
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


def _legend(legend: Legend) -> str:
    x, y = legend.at
    look: dict[str, int | str] = {"rx": 12, "fill": PAPER, "stroke": INK, "stroke_width": 3}
    box = tag("rect", x=x, y=y, width=legend.width, height=legend.height, **look)
    title = words(
        legend.title, x + 25, y + 52, 42, text_anchor="start", font_weight="bold", font_family="serif", fill=INK
    )
    return box + title + "".join(map(_legend_line, legend.lines))


def _legend_line(line: LegendLine) -> str:
    x, y = line.at
    right, down = (135, 62) if line.counter else (58, 27) if line.symbol else (85, 34)
    return _legend_sample(line) + words(line.text, x + right, y + down, 29, text_anchor="start", fill=INK)


def _legend_sample(line: LegendLine) -> str:
    if line.counter:
        return draw_counter(line.counter, line.at, 118)
    if line.symbol:
        return draw_sign(line.symbol, line.at)
    if line.shape:
        return draw_shape(_sample(line.shape, line.at))
    return draw_badge(line.badge, (line.at[0] + 35, line.at[1] + 25)) if line.badge else ""


def _sample(kind: str, at: Point) -> Shape:
    """A small piece of a kind of shape: a symbol, a line or a face."""
    x, y = at
    if kind in ("tree", "wave"):
        return Shape(kind, ((x + 20, y + 26), (x + 50, y + 26)))
    if kind in ("wall", "railway", "road", "link", "coast"):
        return Shape(kind, ((x, y + 25), (x + 70, y + 25)), closed=False)
    return Shape(kind, ((x, y + 8), (x + 70, y + 8), (x + 70, y + 42), (x, y + 42)))
