"""A picture as SVG: to look at, to print, to read aloud.

Self-contained: no script, no style sheet, no font, no link; the same picture gives the same bytes. Left out: the
page around it, and how each kind of shape (`svg_ground`), counter (`svg_counters`), legend (`svg_legend`) and place
of a large map (`svg_places`) looks.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import BadRequest
from pbem.log.enumeration import counted
from pbem.rules.picture import Picture, Place, Stack
from pbem.viewer.colours import INK, PAPER
from pbem.viewer.plain import is_same_word
from pbem.viewer.svg_badge import BADGE_RADIUS, draw_badge
from pbem.viewer.svg_counters import draw_stack, spoken
from pbem.viewer.svg_ground import draw_shape
from pbem.viewer.svg_labels import draw_label
from pbem.viewer.svg_legend import draw_legend, draw_scale
from pbem.viewer.svg_marks import draw_mark
from pbem.viewer.svg_places import draw_counters, draw_leader, draw_name
from pbem.viewer.xml_text import safe, tag, words

MARGIN = 60
HALO: dict[str, int | str] = {
    "stroke": PAPER,
    "stroke_width": 7,
    "stroke_linejoin": "round",
    "paint_order": "stroke",
}
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
        *(draw_label(label) for label in picture.labels),
        *map(draw_mark, picture.marks),
        *(draw_leader(place, stack) for place, stack in _apart(picture)),
        *(_place(picture, place) for place in picture.places),
        *(draw_counters(place, stack) for place, stack in _apart(picture)),
        *(_around(picture) if not picture.window else (_frame(picture), *_around(picture))),
        _frame(picture) if not picture.window else "",
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


def _apart(picture: Picture) -> Iterator[tuple[Place, Stack]]:
    """The counters of a large map, which stand above all names."""
    stacks: dict[str, list[Stack]] = {}
    for stack in picture.counters:
        stacks.setdefault(stack.place, []).append(stack)
    return ((place, stack) for place in picture.places if place.size for stack in stacks.get(place.id, ()))


def _around(picture: Picture) -> Iterator[str]:
    """What is written upon the map or beside it."""
    yield from (draw_legend(legend) for legend in (picture.legend, picture.counter_legend) if legend)
    yield from map(draw_legend, picture.boxes)
    yield draw_scale(picture.scale) if picture.scale else ""
    yield _heading(picture)
    yield _captions(picture)


def description(picture: Picture) -> str:
    """The picture in words: where each counter stands, then the captions."""
    standing = (
        f"{place.name}: {'; '.join(map(spoken, picture.counters_at(place.id)))}."
        for place in picture.places
        if picture.counters_at(place.id)
    )
    return " ".join((f"{picture.subtitle}.", f"{counted(len(picture.places), 'place')}.", *standing, *picture.captions))


def _place(picture: Picture, place: Place) -> str:
    if place.size:
        return tag("g", tag("title", safe(_spoken_place(place))), draw_name(place))
    counters = picture.counters_at(place.id)
    stack = draw_stack(counters, place.stack, place.columns, place.counter_size) if counters else ""
    return tag("g", tag("title", safe(_spoken_place(place))), _place_label(place), stack)


def _spoken_place(place: Place) -> str:
    about = ", ".join(
        filter(
            None,
            (
                place.name,
                place.meaning,
                place.kind,
                place.terrain,
                f"{place.value_name} {place.value}" if place.value else "",
                *place.facts,
            ),
        )
    )
    return f"{place.id}: {about}"


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


def _heading(picture: Picture) -> str:
    (x, y), size = picture.heading_at, picture.heading_size
    title = words(picture.title, x, y, size, text_anchor="start", font_weight="bold", font_family="serif", fill=INK)
    below, small = y + size * 52 // 76, size * 31 // 76
    return title + words(picture.subtitle, x + 3, below, small, text_anchor="start", font_style="italic", fill=INK)


def _captions(picture: Picture) -> str:
    x, y = picture.captions_at
    return "".join(
        words(line, x, y + 42 * row, 34, text_anchor="start", fill=INK, **HALO)
        for row, line in enumerate(picture.captions)
    )


def _frame(picture: Picture) -> str:
    """The paper around the map covers what sticks out, and a line closes it."""
    wide, high, near = picture.width, picture.height, MARGIN
    (left, top), (right, bottom) = picture.window or ((near, near), (wide - near, high - near))
    inner = f"M{left} {top}V{bottom}H{right}V{top}Z"
    paper = tag("path", d=f"M0 0H{wide}V{high}H0Z{inner}", fill=PAPER, fill_rule="evenodd")
    return paper + tag("path", d=inner, fill="none", stroke=INK, stroke_width=6)
