"""The map and the board of Polska 1939 as pictures for any viewer.

Left out: which counters stand where (`picture_state.py` tells), where they find room (`picture_stacks.py`), the boxes
beside the map (`picture_legend.py`), and how anything is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.errors import BadRequest
from pbem.games.polska1939.board import Area, Board, Border, Feature
from pbem.games.polska1939.kinds import Kind as UnitKind
from pbem.games.polska1939.kinds import Nation
from pbem.games.polska1939.order_of_battle import UnitType
from pbem.games.polska1939.picture_legend import CAPTIONS_AT, HEADING_AT, HEADING_SIZE, SCALE_AT, legend_boxes
from pbem.games.polska1939.picture_names import name_lines, name_width
from pbem.games.polska1939.picture_stacks import Box, placed_stacks
from pbem.games.polska1939.shapes_file import Drawn, Kind, MapShapes
from pbem.rules.picture import Counter, Label, Legend, Mark, Picture, Place, Scale, Shape, Stack
from pbem.rules.shapes import Point

TITLE = "Polska 1939"
SUBTITLE = "house map: codes and names of areas are printed, all else are house values"
OWNERS: Mapping[Nation, str] = {
    Nation.POLAND: "polish",
    Nation.GERMANY: "german",
    Nation.SLOVAKIA: "slovak",
    Nation.SOVIET_UNION: "soviet",
}
COUNTRIES: Mapping[Nation, str] = {
    Nation.POLAND: "Poland",
    Nation.GERMANY: "Germany",
    Nation.SLOVAKIA: "Slovakia",
    Nation.SOVIET_UNION: "USSR",
}
LETTERS: Mapping[Nation, str] = {
    Nation.POLAND: "P",
    Nation.GERMANY: "G",
    Nation.SLOVAKIA: "S",
    Nation.SOVIET_UNION: "U",
}
"""What a supply base has in its square."""
SYMBOLS: Mapping[UnitKind, str] = {
    UnitKind.INF: "infantry",
    UnitKind.CAV: "cavalry",
    UnitKind.ARM: "armour",
    UnitKind.MOT: "motorized",
    UnitKind.LARM: "light_armour",
    UnitKind.MINF: "mountain_infantry",
    UnitKind.ND: "home_defence",
    UnitKind.FD: "frontier_defence",
    UnitKind.HQ: "staff",
}
GROUND: Mapping[Kind, str] = {
    Kind.ABROAD: "abroad",
    Kind.LAGOON: "lagoon",
    Kind.LAKE: "lake",
    Kind.TREE: "trees",
    Kind.HILL: "hills_sign",
    Kind.PEAK: "peaks",
    Kind.MARSH: "marshes",
    Kind.FORTIFIED: "fortified",
}
"""Kinds of the file that have another name in a picture; the others keep theirs."""
FACES = (Kind.ABROAD, Kind.LAGOON, Kind.LAKE)
BELOW = (Kind.SHALLOWS, Kind.ABROAD, Kind.LAGOON)
ABOVE = (
    Kind.LAKE,
    Kind.TREE,
    Kind.HILL,
    Kind.PEAK,
    Kind.MARSH,
    Kind.RIVER,
    Kind.VISTULA,
    Kind.EDGE,
    Kind.SHORE,
    Kind.BORDER,
    Kind.BORDER_ON_RIVER,
    Kind.REGION,
    Kind.REGION_ON_RIVER,
    Kind.LAKE_BORDER,
    Kind.STATE,
    Kind.DEMARCATION,
    Kind.FORTIFIED,
)
ROW, LEADING = 30, 3
"""Height of the row of signs below a name, and space between the lines of a name; as the viewer has them."""
SIGN = 34
ID_SIZE = 18
LONGEST_LABEL = 9


def map_picture(board: Board, shapes: MapShapes | None) -> Picture:
    """The empty map; without the drawing it has places and no shapes, which serves the text map."""
    return board_picture(board, shapes, {})


def board_picture(
    board: Board,
    shapes: MapShapes | None,
    placements: Mapping[str, Sequence[Counter]],
    *,
    lines: Mapping[str, str] | None = None,
    day: int | None = None,
    captions: Sequence[str] = (),
) -> Picture:
    """A position: counters by area code; `lines` are words below them, such as `field fort 2`.

    `day` (1 to 35) is marked on the turn track; captions are lines such as day and points. Raises `BadRequest` for an
    area that is not on the map.
    """
    words = lines or {}
    _refuse_unknown(board, (*placements, *words))
    places = tuple(_place(board, shapes, area) for area in board.areas.values())
    stacks = tuple(
        Stack(place, tuple(placements.get(place, ())), words.get(place, ""))
        for place in board.areas
        if placements.get(place) or words.get(place)
    )
    if shapes is None:
        return Picture(TITLE, "", 0, 0, (), places, counters=stacks, captions=tuple(captions))
    return _sheet(board, shapes, places, stacks, legend_boxes(day), tuple(captions))


def _sheet(
    board: Board,
    shapes: MapShapes,
    places: tuple[Place, ...],
    stacks: tuple[Stack, ...],
    legends: tuple[Legend, ...],
    captions: tuple[str, ...],
) -> Picture:
    """The whole sheet: the map in its window, the boxes beside it."""
    left, top, right, bottom = shapes.numbers(Kind.MAP)
    width, height = shapes.numbers(Kind.PAGE)
    homes, boxes = {place.id: place.stack for place in places}, {place.id: label_box(place) for place in places}
    return Picture(
        title=TITLE,
        subtitle=SUBTITLE,
        width=width,
        height=height,
        shapes=_ground(board, shapes),
        places=places,
        labels=tuple(_labels(shapes)),
        counters=placed_stacks(stacks, homes, boxes, (left, top, right, bottom)),
        marks=tuple(_signs_between(board, shapes)),
        captions=captions,
        captions_at=CAPTIONS_AT,
        scale=Scale(SCALE_AT, shapes.numbers(Kind.SCALE)[0], "100 km"),
        boxes=legends,
        window=((left, top), (right, bottom)),
        heading_at=HEADING_AT,
        heading_size=HEADING_SIZE,
    )


def unit_counter(unit: UnitType, strength: str, colour: str = "", flags: Sequence[str] = ()) -> Counter:
    """A counter: its number or short name, symbol and size; the side is that of its state."""
    words = unit.name.split()
    short = " ".join(words[:-1] if words[-1].split("-")[0] in (*UnitKind, "REG", "LW") else words).strip('"')
    label = unit.code if unit.code and len(short) > LONGEST_LABEL else short
    return Counter(
        id=unit.id,
        label=label,
        side=OWNERS[unit.nation],
        type=SYMBOLS[unit.type],
        strength=strength,
        size=unit.size.value,
        note=f"{unit.name}, {_unit_words(unit)}",
        colour=colour,
        flags=tuple(flags),
    )


def _unit_words(unit: UnitType) -> str:
    kind = SYMBOLS[unit.type].replace("_", " ")
    return unit.size.value if unit.type is UnitKind.HQ else f"{kind} {unit.size.value}"


def label_box(place: Place) -> Box:
    """The box that a name with its row of signs fills: left, top, right, bottom."""
    x, y = place.label
    wide = max((name_width(line, place.size) for line in place.lines), default=0) + (40 if place.is_town else 0)
    wide = max(wide, _row_width(place))
    high = len(place.lines) * (place.size + LEADING) + ROW
    return x - wide // 2, y - high // 2, x + wide // 2, y + high // 2


def _row_width(place: Place) -> int:
    signs = [mark for mark in place.marks if mark.kind not in ("id", "city")]
    return name_width(place.id, ID_SIZE) + len(signs) * SIGN


def _refuse_unknown(board: Board, places: Sequence[str]) -> None:
    unknown = sorted({*places} - {*board.areas})
    if unknown:
        raise BadRequest("map.place", f"expected an area of the map, got {unknown[0]!r}", "see `pbem map polska1939`")


# ---------------------------------------------------------------------- ground


def _ground(board: Board, shapes: MapShapes) -> tuple[Shape, ...]:
    """Water and foreign land first, then the areas, then what lies and runs upon them."""
    return (
        *(_shape(row) for kind in BELOW for row in shapes.of(kind)),
        *(_face(board.areas[row.name], row) for row in shapes.of(Kind.AREA)),
        *(_shape(row) for kind in ABOVE for row in shapes.of(kind)),
    )


def _shape(row: Drawn) -> Shape:
    return Shape(GROUND.get(row.kind, row.kind.value), row.points, closed=row.kind in FACES)


def _face(area: Area, row: Drawn) -> Shape:
    return Shape(area.terrain.value, row.points, place=area.code, owner=OWNERS[area.country])


def _labels(shapes: MapShapes) -> Iterator[Label]:
    for row in shapes.of(Kind.CAPTION):
        x, y, size, turn = row.numbers
        yield Label(row.name, (x, y), "state", size, turn)
    for row in shapes.of(Kind.RIVER_NAME):
        x, y, turn = row.numbers
        yield Label(row.name, (x, y), "river", 24, turn)


def _signs_between(board: Board, shapes: MapShapes) -> Iterator[Mark]:
    """Passes and nodes."""
    for row in shapes.of(Kind.PASS):
        x, y, turn = row.numbers
        yield Mark("pass", (x, y), turn=turn)
    for row in shapes.of(Kind.NODE):
        node = board.nodes.get(row.name)
        yield Mark("river_node" if node and node.river else "node", row.points[0])


# ---------------------------------------------------------------------- places


def _place(board: Board, shapes: MapShapes | None, area: Area) -> Place:
    shown = shapes.areas[area.code] if shapes else None
    x, y, size = shown[Kind.LABEL].numbers if shown else (area.x, area.y, 0)
    stack = shown[Kind.STACK].points[0] if shown else (area.x, area.y)
    lines = name_lines(area.name)
    return Place(
        id=area.code,
        name=area.name,
        kind=COUNTRIES[area.country],
        terrain=area.terrain.value,
        label=(x, y),
        stack=stack,
        neighbours=tuple(_neighbours(board, area)),
        counter_size=84,
        facts=tuple(_facts(board, area)),
        size=size,
        lines=lines,
        marks=tuple(_marks(area, (x, y), size, lines)),
        is_town=area.city,
    )


def _facts(board: Board, area: Area) -> Iterator[str]:
    """What the area is besides its terrain, in words."""
    if area.region != area.name or len(board.regions[area.region]) > 1:
        yield f"region {area.region}"
    if area.city:
        yield f"city, historically taken on {day_name(area.capture_day)}" if area.capture_day else "city"
    if area.fortress:
        yield "fortress"
    if area.fortified:
        yield "fortified line"
    if area.supply:
        yield f"supply base of {' and '.join(COUNTRIES[nation] for nation in area.supply)}"


def day_name(day: int) -> str:
    """`3 IX` for day 3, `2 X` for day 32."""
    return f"{day} IX" if day <= 30 else f"{day - 30} X"


def _neighbours(board: Board, area: Area) -> Iterator[str]:
    """Each neighbour with what lies on the border, and those across a node."""
    near = [border for (a, _), border in board.borders.items() if a == area.code]
    for border in sorted(near, key=lambda each: each.other(area.code)):
        yield f"{border.other(area.code)}{_about(border)}"
    for link in board.across_node.get(area.code, ()):
        yield f"{link.to} (node{', river' if link.river else ''})"


def _about(border: Border) -> str:
    features = [feature.value for feature in Feature if feature in border.features]
    fortified = [f"fortified line of {border.line}"] if border.line else []
    return f" ({', '.join((*features, *fortified))})" if features or fortified else ""


def _marks(area: Area, label: Point, size: int, lines: tuple[str, ...]) -> Iterator[Mark]:
    """A square before the name of a city; below the name its code, then the signs in a row."""
    x, y = label
    top = y - (len(lines) * (size + LEADING) + ROW) // 2
    if area.city:
        yield Mark("city", (x - name_width(lines[0], size, bold=True) // 2 - 15, top + size * 2 // 3))
    signs = list(_signs(area))
    wide = name_width(area.code, ID_SIZE) + len(signs) * SIGN
    left, middle = x - wide // 2, top + len(lines) * (size + LEADING) + ROW // 2
    yield Mark("id", (left + name_width(area.code, ID_SIZE) // 2, middle), area.code)
    left += name_width(area.code, ID_SIZE) + SIGN // 2 + 6
    for number, (kind, text, owner) in enumerate(signs):
        yield Mark(kind, (left + number * SIGN, middle), text, owner)


def _signs(area: Area) -> Iterator[tuple[str, str, str]]:
    """Kind, text and owner of each sign in the row."""
    if area.capture_day:
        yield "day", str(area.capture_day if area.capture_day <= 30 else area.capture_day - 30), ""
    for nation in area.supply:
        yield "base", LETTERS[nation], OWNERS[nation]
    if area.fortress:
        yield "fortress", "", ""
    if area.fortified:
        yield "fortified", "", ""
