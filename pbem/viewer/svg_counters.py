"""Counters in the manner of wargames: name, type symbol, fire strength, size marks, side letter.

A weak counter has cut corners, a broken edge, hatching and the word; a side has its own letter and edge besides
its colour. All lengths scale with the width of the counter; they are given for one of 120 units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.rules.picture import Counter, Point
from pbem.viewer.svg_symbols import draw_flags, draw_symbol
from pbem.viewer.xml_text import safe, tag, words

FULL = 120
GAP = 8
INK = "#1d1b18"
FILLS: Mapping[str, str] = {"german": "#a9c29f", "polish": "#efc0b4", "slovak": "#b9cdea", "soviet": "#d9b98c"}
LETTERS: Mapping[str, str] = {"soviet": "U"}
PLAIN_FILL = "#e6e1d2"
SIZE_MARKS: Mapping[str, str] = {
    "company": "I",
    "platoon": "•••",
    "battalion": "II",
    "regiment": "III",
    "brigade": "X",
    "division": "XX",
    "headquarters": "XXX",
}


def draw_stack(counters: Sequence[Counter], middle: Point, columns: int, width: int) -> str:
    """Counters side by side in rows of `columns`, all around `middle`."""
    rows = [counters[first : first + columns] for first in range(0, len(counters), columns)]
    step = width + GAP
    top = middle[1] - (len(rows) * step - GAP) // 2
    return "".join(
        draw_counter(counter, (middle[0] - (len(row) * step - GAP) // 2 + place * step, top + line * step), width)
        for line, row in enumerate(rows)
        for place, counter in enumerate(row)
    )


def draw_counter(counter: Counter, corner: Point, width: int) -> str:
    """One counter; `corner` is its upper left corner."""
    scale = f" scale({width * 1000 // FULL}e-3)" if width != FULL else ""
    parts = (
        tag("title", safe(spoken(counter))),
        _body(counter),
        _name(counter.label),
        _size_marks(counter.size),
        draw_symbol(counter.type, counter.colour),
        words(counter.strength, 60, 113, 34, font_weight="bold", fill=INK),
        words(letter_of(counter.side), 103 if not counter.weak else 101, 111, 23, fill=INK),
        _weak_word() if counter.weak else "",
        *draw_flags(counter.flags),
    )
    return tag("g", *parts, transform=f"translate({corner[0]} {corner[1]}){scale}", font_family="sans-serif")


def letter_of(side: str) -> str:
    """The first letter of a side, or the one by which it is told from another."""
    return LETTERS.get(side, side[:1].upper())


def draw_sign(name: str, corner: Point) -> str:
    """A type symbol or a size mark alone, 46 wide, as a legend shows it."""
    if name in SIZE_MARKS:
        return words(SIZE_MARKS[name], corner[0] + 23, corner[1] + 25, 25, font_weight="bold", fill=INK)
    scale = 500 if name == "battleship" else 700
    x, y = corner[0] + 22 - 60 * scale // 1000, corner[1] + 16 - 63 * scale // 1000
    shifted = f"translate({x} {y}) scale({scale}e-3)"
    return tag("g", draw_symbol(name), transform=shifted)


def spoken(counter: Counter) -> str:
    """The counter in words, for a screen reader or a hovering pointer."""
    state = ", weak" if counter.weak else ""
    note = f" ({counter.note})" if counter.note else ""
    flags = "".join(f", {flag}" for flag in counter.flags)
    return f"{counter.label}{note}, {counter.side}, strength {counter.strength}{state}{flags}"


def _body(counter: Counter) -> str:
    fill = FILLS.get(counter.side, PLAIN_FILL)
    shadow = tag("rect", x=4, y=5, width=FULL, height=FULL, rx=8, fill="#3a3a30", opacity="0.35")
    if counter.weak:
        edge = tag("path", d=CUT_CORNERS, fill=fill, stroke=INK, stroke_width=4, stroke_dasharray="9 5")
        return (
            tag("path", d=CUT_CORNERS, fill="#fffdf6")
            + edge
            + tag("path", d=HATCHING, stroke="#fffdf6", stroke_width=5)
        )
    edge = tag("rect", width=FULL, height=FULL, rx=8, fill=fill, stroke=INK, stroke_width=3)
    inner = tag("rect", x=5, y=5, width=110, height=110, rx=5, fill="none", stroke=INK, stroke_width=1)
    return shadow + edge + (inner if counter.side != "german" else "")


CUT_CORNERS = "M16 0H104L120 16V104L104 120H16L0 104V16Z"
HATCHING = "M4 44L44 4M4 80L80 4M10 110L110 10M40 116L116 40M76 116L116 76"


def _name(label: str) -> str:
    """The name in one line; a long one is set closer."""
    fitted: dict[str, int | str] = {"textLength": 104, "lengthAdjust": "spacingAndGlyphs"} if len(label) > 7 else {}
    return words(label, 60, 25, 22, font_weight="bold", fill=INK, **HALO, **fitted)


HALO: Mapping[str, int | str] = {
    "stroke": "#fffdf6",
    "stroke_width": 3,
    "paint_order": "stroke",
    "stroke_linejoin": "round",
}


def _size_marks(size: str) -> str:
    return words(SIZE_MARKS[size], 60, 41, 14, font_weight="bold", fill=INK) if size in SIZE_MARKS else ""


def _weak_word() -> str:
    return words("WEAK", -63, 22, 17, transform="rotate(-90)", font_weight="bold", fill=INK, **HALO)
