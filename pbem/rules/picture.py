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
    point. `place` is the id of the place whose ground this is, or empty. `owner` is the side or state whose colour
    is mixed into the face, or empty.
    """

    kind: str
    points: tuple[Point, ...]
    closed: bool = True
    place: str = ""
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign on the map around `at`: `city`, `day`, `base`, `fortress`, `pass`, `node` and the like.

    `owner` is the side or state whose sign it is, `turn` the degrees by which it is turned to the right.
    """

    kind: str
    at: Point
    text: str = ""
    owner: str = ""
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """Where counters can stand: an area, a hex, a point, or a tray beside the map.

    `label` is the middle of the label, `stack` the middle of the counters, which stand `columns` in a row and
    are `counter_size` wide. `value` is printed in a badge (a terrain bonus, say) and may be empty;
    `value_name` says what it is. `meaning` is a foreign name in the reader's language, or empty.
    `facts` are more words about the place, `neighbours` its neighbours and how they are reached.
    On a large map `size` is the size of type of the name, whose `lines` stand in the middle of the label with the id
    below them and `marks` around; `is_town` sets the name in bold.
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
    facts: tuple[str, ...] = ()
    size: int = 0
    lines: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    is_town: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """Text on the map that belongs to no place; `kind` is `region`, `small`, `caption`, `river` or `state`.

    `size` is the size of type, 0 for what is usual for the kind; `turn` the degrees by which it is turned.
    """

    text: str
    at: Point
    kind: str = "region"
    size: int = 0
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Counter:
    """A piece as its owner's opponent may see it: `strength` is text, `note` its full name or state.

    `colour` names the ink of its symbol (`black`, `blue`, `green` …); `flags` are short states such as `R` or `fuel 3`.
    """

    id: str
    label: str
    side: str
    type: str
    strength: str
    weak: bool = False
    size: str = ""
    note: str = ""
    colour: str = ""
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stack:
    """The counters at one place, in the order in which they are shown, and a `line` of words below them.

    They may stand around `at` instead of where the place says, `columns` in a row and `counter_size` wide; if they are
    apart from the place, a line leads there.
    """

    place: str
    counters: tuple[Counter, ...]
    line: str = ""
    at: Point | None = None
    is_apart: bool = False
    columns: int = 0
    counter_size: int = 0


@dataclass(frozen=True, slots=True)
class LegendLine:
    """A sample of a kind of shape, badge, mark or counter, and what it means; `at` is its upper left corner.

    `symbol` is a type or a size of counters, of which only the sign is shown. Without a sample the text begins at the
    corner itself, `bold` where it is a heading.
    """

    at: Point
    text: str
    shape: str = ""
    badge: str = ""
    counter: Counter | None = None
    symbol: str = ""
    mark: Mark | None = None
    owner: str = ""
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Legend:
    """The box with the key: `at` is its upper left corner; the lines, shapes and labels stand where they say.

    `size` is the size of type of the lines.
    """

    title: str
    at: Point
    width: int
    height: int
    lines: tuple[LegendLine, ...]
    size: int = 29
    shapes: tuple[Shape, ...] = ()
    labels: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class Scale:
    """A bar of `length` units that stands for `text`, with a north arrow above; `at` is the bar's left end."""

    at: Point
    length: int
    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A whole picture, `width` by `height` units of a tenth of a millimetre, y downwards.

    `marks` are signs that belong to no place, `boxes` more legends. `window` are two corners between which the map is
    seen, the rest of the sheet being paper; without it the map fills the sheet but for a margin.
    """

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
    boxes: tuple[Legend, ...] = ()
    marks: tuple[Mark, ...] = ()
    window: tuple[Point, Point] | None = None
    heading_at: Point = (85, 142)
    heading_size: int = 76

    def counters_at(self, place: str) -> tuple[Counter, ...]:
        """The counters at a place, or none."""
        return tuple(counter for stack in self.counters if stack.place == place for counter in stack.counters)
