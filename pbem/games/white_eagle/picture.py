"""The map and the board of White Eagle Defiant as pictures for any viewer.

Left out: which counters stand where (whoever calls tells), the boxes beside the map (`picture_legend.py`), and how
anything is drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from textwrap import wrap

from pbem.errors import BadRequest
from pbem.games.white_eagle.board import Board, Box, BoxId, Country
from pbem.games.white_eagle.forces import UnitType
from pbem.games.white_eagle.kinds import Command, Nation, Side
from pbem.games.white_eagle.kinds import Kind as UnitKind
from pbem.games.white_eagle.picture_legend import (
    HEADING_AT,
    HEADING_SIZE,
    LEFT,
    SCALE_AT,
    Tracks,
    legend_boxes,
    track_words,
)
from pbem.games.white_eagle.shapes_file import Kind, MapShapes
from pbem.rules.picture import Counter, Label, Mark, Picture, Place, Scale, Shape, Stack
from pbem.rules.shapes import Point

TITLE = "White Eagle Defiant"
SUBTITLE = "house map: boxes of the set-up are printed, all else are house values"
CAPTIONS_AT, CAPTION = (LEFT, 390), 92
"""Where captions stand, and how many letters fit into a line."""
OWNERS: Mapping[str, str] = {
    Country.POLAND: "polish",
    Country.GERMANY: "german",
    Country.EAST_PRUSSIA: "german",
    Country.DANZIG: "free_city",
    Country.SLOVAKIA: "slovak",
    Country.SOVIET_UNION: "soviet",
}
COUNTRIES: Mapping[Country, str] = {
    Country.POLAND: "Poland",
    Country.GERMANY: "Germany",
    Country.EAST_PRUSSIA: "East Prussia",
    Country.DANZIG: "Free City of Danzig",
    Country.SLOVAKIA: "Slovakia",
    Country.SOVIET_UNION: "Soviet Union",
}
SIDES: Mapping[Nation, str] = {
    Nation.GERMAN: "german",
    Nation.SOVIET: "soviet",
    Nation.SLOVAK: "slovak",
    Nation.POLISH: "polish",
}
SYMBOLS: Mapping[UnitKind, str] = {
    UnitKind.INF: "infantry",
    UnitKind.CAV: "cavalry",
    UnitKind.LARM: "light_armour",
    UnitKind.ARM: "armour",
}
INKS: Mapping[Command, str] = {
    Command.GERMAN_NORTH: "green",
    Command.GERMAN_SOUTH: "brown",
    Command.BELORUSSIAN: "orange",
    Command.UKRAINIAN: "red",
    Command.POLISH_NORTH: "green",
    Command.POLISH_CENTRAL: "blue",
    Command.POLISH_SOUTH: "purple",
}
FULL_FORT = 2
COUNTER_SIZE, STEP = 90, 98
"""Width of a counter, and from one to the next; as the viewer has them."""
IN_A_BOX = 4
"""How many counters have room within the frame of a box."""
HALF_WIDE, HALF_HIGH, BAND, HALF_SIEGE = 105, 116, 46, 75
"""Half a box, the height of the band with its name, half a siege space."""
BELOW = (Kind.SHALLOWS, Kind.LAND, Kind.LAGOON, Kind.SHORE)
ABOVE = (
    *(Kind.LAKE, Kind.TREE, Kind.MARSH, Kind.HILL, Kind.PEAK, Kind.RIVER, Kind.VISTULA, Kind.STATE),
    Kind.LINE,
)
GROUND: Mapping[Kind, str] = {Kind.TREE: "trees", Kind.HILL: "hills_sign", Kind.PEAK: "peaks", Kind.MARSH: "marshes"}
"""Kinds of the file that have another name in a picture; the others keep theirs."""


def map_picture(board: Board, shapes: MapShapes | None) -> Picture:
    """The empty map; without the drawing it has places and no shapes, which serves the text map."""
    return board_picture(board, shapes, {})


def board_picture(
    board: Board,
    shapes: MapShapes | None,
    stacks: Mapping[BoxId, Sequence[Counter]],
    *,
    forts: Mapping[BoxId, int] | None = None,
    held: Collection[BoxId] = (),
    tracks: Tracks | None = None,
    captions: Sequence[str] = (),
) -> Picture:
    """A position: counters by box, those of both sides together.

    `forts` has the steps of each fort, 2 to 0, full for what it leaves out; `held` are the victory cities with German
    control markers. What stands on the `tracks` is shown there and told in captions before `captions`. Raises
    `BadRequest` for a box that is not on the map.
    """
    steps = {**dict.fromkeys(board.forts, FULL_FORT), **(forts or {})}
    _refuse_unknown(board, (*stacks, *steps, *held))
    told = tuple(line for text in (*(track_words(tracks) if tracks else ()), *captions) for line in wrap(text, CAPTION))
    places = tuple(_place(board, box, steps.get(box.id), box.id in held) for box in board.boxes.values())
    if shapes is None:
        plain = tuple(Stack(box, tuple(stacks[box])) for box in board.boxes if stacks.get(box))
        return Picture(TITLE, "", 0, 0, (), places, counters=plain, captions=told)
    left, top, right, bottom = shapes.numbers(Kind.MAP)
    width, height = shapes.numbers(Kind.PAGE)
    sieges = {box: at for box, at in shapes.sieges.items() if steps[BoxId(box)]}
    return Picture(
        title=TITLE,
        subtitle=SUBTITLE,
        width=width,
        height=height,
        shapes=(*_ground(shapes), *_lines(board), *_frames(board, shapes)),
        places=places,
        labels=tuple(_labels(shapes)),
        counters=tuple(_stacks(board, sieges, stacks)),
        marks=tuple(_fights(board, sieges, stacks)),
        captions=told,
        captions_at=CAPTIONS_AT,
        scale=Scale(SCALE_AT, shapes.numbers(Kind.SCALE)[0], "100 km"),
        boxes=legend_boxes(tracks),
        window=((left, top), (right, bottom)),
        heading_at=HEADING_AT,
        heading_size=HEADING_SIZE,
    )


def unit_counter(unit: UnitType, *, reduced: bool) -> Counter:
    """A counter: its army or corps, the symbol in the ink of its command, the lowest number that hits (2.2)."""
    factor = unit.factor_reduced if reduced else unit.factor_full
    panzer = unit.is_panzer and not reduced
    return Counter(
        id=unit.id,
        label=" ".join(word for word in unit.name.split() if word not in [*UnitKind, "Corps"]),
        side=SIDES[unit.nation],
        type=SYMBOLS[unit.type],
        strength=f"{factor}+",
        weak=reduced,
        note=f"{unit.name}, {SYMBOLS[unit.type].replace('_', ' ')}, {unit.command.full_name}",
        colour=INKS[unit.command],
        flags=("dice",) if panzer else (),
    )


def _refuse_unknown(board: Board, boxes: Sequence[str]) -> None:
    unknown = sorted({*boxes} - {*board.boxes})
    if unknown:
        raise BadRequest("map.place", f"expected a box of the map, got {unknown[0]!r}", "see `pbem map white_eagle`")


# ---------------------------------------------------------------------- ground


def _ground(shapes: MapShapes) -> Iterator[Shape]:
    """Water and land first, then what lies and runs upon it."""
    for kind in (*BELOW, *ABOVE):
        for row in shapes.of(kind):
            if kind is Kind.LAND:
                owner = OWNERS.get(row.name, "")
                yield Shape("clear" if owner else "abroad", row.points, owner=owner)
            else:
                yield Shape(GROUND.get(kind, kind.value), row.points, closed=kind in (Kind.LAGOON, Kind.LAKE))


def _lines(board: Board) -> Iterator[Shape]:
    for line in board.lines:
        ends = tuple((board.boxes[box].x, board.boxes[box].y) for box in (line.a, line.b))
        yield Shape("difficult" if line.difficult else "easy", ends, closed=False)


def _frames(board: Board, shapes: MapShapes) -> Iterator[Shape]:
    """Boxes, and the siege spaces that stick out of forts."""
    for at in shapes.sieges.values():
        yield Shape("siege_space", _frame(at, HALF_SIEGE, HALF_SIEGE))
    for box in board.boxes.values():
        yield Shape("victory_box" if box.victory else "box", _frame((box.x, box.y), HALF_WIDE, HALF_HIGH))


def _frame(at: Point, wide: int, high: int) -> tuple[Point, ...]:
    (x, y) = at
    return (x - wide, y - high), (x + wide, y - high), (x + wide, y + high), (x - wide, y + high)


def _labels(shapes: MapShapes) -> Iterator[Label]:
    for row in shapes.of(Kind.CAPTION):
        x, y, size, turn = row.numbers
        yield Label(row.name, (x, y), "state", size, turn)
    for row in shapes.of(Kind.RIVER_NAME):
        x, y, turn = row.numbers
        yield Label(row.name, (x, y), "river", 34, turn)


# ---------------------------------------------------------------------- places


def _place(board: Board, box: Box, steps: int | None, held: bool) -> Place:
    lines, size = _name(box.name)
    return Place(
        id=box.id,
        name=box.name,
        kind=COUNTRIES[box.country],
        terrain="",
        label=(box.x, box.y - HALF_HIGH + BAND // 2 + 19 - size * 15 // 100 + 5 * (len(lines) - 1)),
        stack=(box.x, box.y + BAND // 2),
        neighbours=tuple(
            f"{near} {board.cost(box.id, near)}{' (difficult)' if board.cost(box.id, near) > 1 else ''}"
            for near in board.neighbours[box.id]
        ),
        counter_size=COUNTER_SIZE,
        facts=tuple(_facts(box, steps, held)),
        size=size,
        lines=lines,
        marks=tuple(_marks(box, steps, held)),
        is_town=True,
    )


def _name(name: str) -> tuple[tuple[str, ...], int]:
    """The lines of a name and the size at which they fit into the band of the box."""
    if " " in name:
        return tuple(name.split(" ", 1)), 22
    return (name,), 36 if len(name) < 8 else 30 if len(name) < 10 else 25 if len(name) < 12 else 23


def _facts(box: Box, steps: int | None, held: bool) -> Iterator[str]:
    """What the box is besides its country, in words."""
    if box.victory:
        markers = f"{box.victory} control marker{'s' if box.victory > 1 else ''}"
        yield f"victory city ({markers}{', German' if held else ''})"
    if steps is not None:
        state = {2: "full strength", 1: "reduced", 0: "destroyed"}[steps]
        yield f"fort of {Command(box.fort).full_name} ({state})"
    if box.country is Country.POLAND:
        yield f"{'east' if box.east else 'west'} of the German/Soviet Line"


def _marks(box: Box, steps: int | None, held: bool) -> Iterator[Mark]:
    """On top of the box: on the left the fort, on the right the control markers."""
    if steps is not None:
        yield Mark("fort", (box.x - 66, box.y - HALF_HIGH - 26), str(steps), Command(box.fort).side)
    if box.victory:
        yield Mark("markers", (box.x + 76, box.y - HALF_HIGH - 26), str(box.victory), Side.GERMAN if held else "")


# ---------------------------------------------------------------------- counters


def _stacks(board: Board, sieges: Mapping[str, Point], stacks: Mapping[BoxId, Sequence[Counter]]) -> Iterator[Stack]:
    """One stack for each side in a box: besiegers in the siege space, enemies in the open left and right.

    `sieges` has the siege spaces of the forts that still stand.
    """
    for box in board.boxes.values():
        polish = [counter for counter in stacks.get(box.id, ()) if counter.side == Side.POLISH]
        german = [counter for counter in stacks.get(box.id, ()) if counter.side != Side.POLISH]
        if box.id in sieges:
            home, away = (polish, german) if Command(box.fort).side is Side.POLISH else (german, polish)
            yield from _siege(box, sieges[box.id], home, away)
        else:
            yield from _field(box, german, polish)


def _fights(board: Board, sieges: Mapping[str, Point], stacks: Mapping[BoxId, Sequence[Counter]]) -> Iterator[Mark]:
    """A burst on top of each box in the open that has units of both sides (8.0)."""
    for box in board.boxes.values():
        sides = {counter.side == Side.POLISH for counter in stacks.get(box.id, ())}
        if len(sides) > 1 and box.id not in sieges:
            yield Mark("combat", (box.x, box.y - HALF_HIGH - 30))


def _field(box: Box, german: Sequence[Counter], polish: Sequence[Counter]) -> Iterator[Stack]:
    top = box.y - HALF_HIGH + BAND
    if german and polish:
        yield from _stack(box.id, german, (box.x - 8, top), (-1, 1))
        yield from _stack(box.id, polish, (box.x + 8, top), (1, 1))
    else:
        yield from _stack(box.id, german or polish, (box.x, top), (0, 1))


def _siege(box: Box, siege: Point, home: Sequence[Counter], away: Sequence[Counter]) -> Iterator[Stack]:
    """A garrison that is wider than its box sticks out on the side away from the siege space."""
    right, down = _direction(box, siege)
    aside = right if len(home) > IN_A_BOX else 0
    yield from _stack(box.id, home, (box.x + aside * HALF_WIDE, box.y - HALF_HIGH + BAND), (-aside, 1))
    near = (siege[0] - right * (HALF_SIEGE - 4), siege[1] - down * (HALF_SIEGE - 4))
    yield from _stack(box.id, away, near, (right, down))


def _stack(box: BoxId, counters: Sequence[Counter], edge: Point, outward: Point) -> Iterator[Stack]:
    """Counters in a block beyond `edge` in the direction `outward`, else around it."""
    if counters:
        columns = 2 if len(counters) <= IN_A_BOX else 3 if len(counters) < 10 else 4
        rows = -(-len(counters) // columns)
        wide, high = min(columns, len(counters)) * STEP, rows * STEP
        at = (edge[0] + outward[0] * wide // 2, edge[1] + outward[1] * high // 2)
        yield Stack(box, tuple(counters), at=at, columns=columns, counter_size=COUNTER_SIZE)


def _direction(box: Box, siege: Point) -> Point:
    """East, west, south or north as a step."""
    right, down = siege[0] - box.x, siege[1] - box.y
    return (right // abs(right), 0) if abs(right) > abs(down) else (0, down // abs(down))
