"""A picture as text for a terminal, a mail or a screen reader: one line a fact, at most 80 columns.

First the list, which is complete and needs no eyes; then, for maps with shapes, a sketch of where things lie.
Nothing is said by colour, position or drawing alone. Left out: everything that has no part in the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from pbem.rules.picture import Counter, Picture, Place
from pbem.viewer.plain import is_same_word

COLUMNS = 80
SKETCH_ROWS = 22
MOST_SKETCHED = 80
INDENT = "  "


def draw(picture: Picture, *, sketch: bool = True) -> str:
    """The list of places, who is there, the captions, and the sketch, unless `sketch` is false or it has no room."""
    lines = [
        *_wrapped(picture.title),
        *_wrapped(picture.subtitle),
        "",
        *(line for place in picture.places for line in place_lines(picture, place)),
        *_captions(picture),
        *(_sketch(picture) if sketch and picture.shapes and len(picture.places) <= MOST_SKETCHED else ()),
    ]
    return "\n".join(lines) + "\n"


def place_lines(picture: Picture, place: Place) -> Iterator[str]:
    """One place: what it is, what it borders on, and each counter on a line of its own."""
    yield from _wrapped(_heading(place))
    if place.neighbours:
        yield from _wrapped(f"borders {', '.join(place.neighbours)}", INDENT)
    for counter in picture.counters_at(place.id):
        yield from _wrapped(_counter_words(counter), INDENT)
    for stack in picture.counters:
        if stack.place == place.id and stack.line:
            yield from _wrapped(stack.line, INDENT)


def _heading(place: Place) -> str:
    """Code, name, its meaning, kind, terrain and value, each once; a tray has only its name."""
    if place.kind == "tray":
        return f"{_clean(place.name)}:"
    names = [_clean(place.id)] if place.name == place.id else [_clean(place.id), _clean(place.name)]
    kinds = [place.kind] if is_same_word(place.kind, place.terrain) else [place.kind, place.terrain]
    value = [f"{place.value_name} {place.value}"] if place.value else []
    meaning = [f"'{_clean(place.meaning)}'"] if place.meaning else []
    return ", ".join(filter(None, (*names, *meaning, *kinds, *value, *map(_clean, place.facts))))


def _counter_words(counter: Counter) -> str:
    """The counter in words; `weak` is said, strong is the rule and is not."""
    note = f", {_clean(counter.note)}" if counter.note else ""
    state = " weak," if counter.weak else ""
    flags = "".join(f", {_clean(flag)}" for flag in counter.flags)
    return f"* {counter.side} {_clean(counter.label)}:{state} strength {_clean(counter.strength)}{flags}{note}"


def _captions(picture: Picture) -> Iterator[str]:
    if picture.captions:
        yield ""
    for caption in picture.captions:
        yield from _wrapped(caption)


def _wrapped(text: str, indent: str = "") -> list[str]:
    """Lines of at most `COLUMNS`; what follows the first is indented further."""
    return wrap(_clean(text), COLUMNS, initial_indent=indent, subsequent_indent=indent + INDENT)


def _clean(text: str) -> str:
    """No control character reaches a terminal."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


def _sketch(picture: Picture) -> Iterator[str]:
    """Codes where they lie on the map; a count of counters follows a code, as in `Prom:2`."""
    rows: list[list[str]] = [[" "] * COLUMNS for _ in range(SKETCH_ROWS)]
    for place in picture.places:
        if place.kind != "tray":
            _set_mark(rows, place, picture)
    yield ""
    yield "Sketch, north is up; a figure after a colon counts the units there:"
    yield from _without_empty_ends(["".join(row).rstrip() for row in rows])


def _set_mark(rows: list[list[str]], place: Place, picture: Picture) -> None:
    """Write a mark around the place of its label, in the nearest row where it fits."""
    count = len(picture.counters_at(place.id))
    mark = _clean(place.id) + (f":{count}" if count else "")
    middle = place.label[0] * COLUMNS // max(1, picture.width)
    start = max(0, min(COLUMNS - len(mark), middle - len(mark) // 2))
    wanted = min(SKETCH_ROWS - 1, place.label[1] * SKETCH_ROWS // max(1, picture.height))
    for row in sorted(range(SKETCH_ROWS), key=lambda each: (abs(each - wanted), each)):
        around = rows[row][max(0, start - 1) : start + len(mark) + 1]
        if set(around) == {" "}:
            rows[row][start : start + len(mark)] = mark[:COLUMNS]
            return


def _without_empty_ends(lines: Sequence[str]) -> Sequence[str]:
    full = [number for number, line in enumerate(lines) if line]
    return lines[full[0] : full[-1] + 1] if full else ()
