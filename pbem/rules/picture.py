"""What a game hands to a viewer: a map or a position as plain values, whole numbers only, no drawing code.

One form serves areas (closed shapes with a place each), hexes (the same) and points with links between them
(open shapes of kind `link`, places without a shape). A viewer draws the kinds of shape that it knows and
outlines the others, so a new game needs no new viewer. Left out: how anything looks (`pbem.viewer`).
"""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Shape:
    """A face or a line, in the order in which it is to be drawn.

    `kind` is a word such as `land`, `canal`, `railway`, `link`; `tree` and `wave` are symbols repeated at each
    point. `place` is the id of the place whose ground this is, or empty.
    """

    kind: str
    points: tuple[Point, ...]
    closed: bool = True
    place: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where counters can stand: an area, a hex, a point, or a tray beside the map.

    `label` is the middle of the label, `stack` the middle of the counters, which stand `columns` in a row and
    are `counter_size` wide. `value` is printed in a badge (a terrain bonus, say) and may be empty;
    `value_name` says what it is. `meaning` is a foreign name in the reader's language, or empty.
    """

    id: str
    name: str
    kind: str
    terrain: str
    label: Point
    stack: Point
    value: str = ""
    value_name: str = ""
    neighbours: tuple[str, ...] = ()
    columns: int = 2
    counter_size: int = 118
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """Text on the map that belongs to no place; `kind` is `region`, `small` or `caption`."""

    text: str
    at: Point
    kind: str = "region"


@dataclass(frozen=True, slots=True)
class Counter:
    """A piece as its owner's opponent may see it: `strength` is text, `note` its full name or state."""

    id: str
    label: str
    side: str
    type: str
    strength: str
    weak: bool = False
    size: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Stack:
    """The counters at one place, in the order in which they are shown."""

    place: str
    counters: tuple[Counter, ...]


@dataclass(frozen=True, slots=True)
class LegendLine:
    """A sample of a kind of shape, badge or counter, and what it means; `at` is its upper left corner.

    `symbol` is a type or a size of counters, of which only the sign is shown.
    """

    at: Point
    text: str
    shape: str = ""
    badge: str = ""
    counter: Counter | None = None
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class Legend:
    """The box with the key: `at` is its upper left corner; the lines stand where they say."""

    title: str
    at: Point
    width: int
    height: int
    lines: tuple[LegendLine, ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """A bar of `length` units that stands for `text`, with a north arrow above; `at` is the bar's left end."""

    at: Point
    length: int
    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A whole picture, `width` by `height` units of a tenth of a millimetre, y downwards."""

    title: str
    subtitle: str
    width: int
    height: int
    shapes: tuple[Shape, ...]
    places: tuple[Place, ...]
    labels: tuple[Label, ...] = ()
    counters: tuple[Stack, ...] = ()
    captions: tuple[str, ...] = ()
    captions_at: Point = (0, 0)
    legend: Legend | None = None
    counter_legend: Legend | None = None
    scale: Scale | None = None

    def counters_at(self, place: str) -> tuple[Counter, ...]:
        """The counters at a place, or none."""
        return tuple(counter for stack in self.counters if stack.place == place for counter in stack.counters)
