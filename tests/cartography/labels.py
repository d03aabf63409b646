"""Where names and counters stand, where trees and hills are scattered, and where rivers are named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import atan2, hypot
from math import degrees as as_degrees

import numpy as np
import shapely
from shapely.ops import substring

from pbem.games.polska1939.picture import ID_SIZE, LEADING, SIGN
from pbem.games.polska1939.picture import ROW as ROW_HEIGHT
from pbem.games.polska1939.picture_names import name_lines, name_width
from tests.cartography import page
from tests.cartography.chart import Chart
from tests.cartography.inputs import Place
from tests.cartography.page import Units

STEP = 10
SIZES = (30, 27, 24, 21)
COUNTERS = (168, 120)
COUNTER = 88
FITS = 0.97
SPACING = {"tree": 44, "hill": 62, "peak": 66, "marsh": 58}
TERRAIN = {"forest": "tree", "hills": "hill", "mountains": "peak", "swamp": "marsh"}
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Block:
    """A name with its row of marks around `at`, and the middle of the counters below."""

    at: Units
    size: int
    stack: Units
    box: Box


def degrees(dx: float, dy: float) -> int:
    return round(as_degrees(atan2(dy, dx)))


def placed(chart: Chart, faces: Mapping[str, Sequence[Units]]) -> dict[str, Block]:
    """A block for every area; the smallest areas choose first, and nobody covers what is there already."""
    polygons = {place.code: shapely.Polygon(faces[place.code]).buffer(0) for place in chart.places}
    found: dict[str, Block] = {}
    for place in sorted(chart.places, key=lambda each: (polygons[each.code].area, each.code)):
        found[place.code] = _placed(place, polygons[place.code], [block.box for block in found.values()])
    return {place.code: found[place.code] for place in chart.places}


def _placed(place: Place, face: shapely.Polygon, taken: Sequence[Box]) -> Block:
    """The largest size that fits well; else the one that fits best."""
    near = [box for box in taken if shapely.box(*box).intersects(face)]
    tried: list[tuple[float, Block]] = []
    for size in SIZES:
        tried.append(_best(place, face, size, near))
        if tried[-1][0] > FITS:
            return tried[-1][1]
    return max(tried, key=lambda each: each[0])[1]


def _best(place: Place, face: shapely.Polygon, size: int, taken: Sequence[Box]) -> tuple[float, Block]:
    lines = name_lines(place.cells["name"])
    is_town = place.cells["city"] == "1"
    wide = max(name_width(line, size, bold=is_town) for line in lines) + (44 if is_town else 6)
    wide = max(wide, _row_width(place))
    high = len(lines) * (size + LEADING) + ROW_HEIGHT
    west, north, east, south = face.bounds
    xs, ys = (grid.ravel() for grid in np.meshgrid(np.arange(west, east, STEP), np.arange(north, south, STEP)))
    inside = _share(face.buffer(-5), xs, ys, wide, high, 0) - 2 * _covered(taken, xs, ys, wide, high)
    room = _share(face, xs, ys, *COUNTERS, high / 2 + COUNTERS[1] / 2 + 4)
    middle = face.centroid
    off = np.hypot(xs - middle.x, ys + COUNTERS[1] / 2 - middle.y) / hypot(east - west, south - north)
    best = int(np.argmax(np.round(3 * inside + room - 0.25 * off, 9)))
    at = (int(xs[best]), int(ys[best]))
    box = (at[0] - wide / 2, at[1] - high / 2, at[0] + wide / 2, at[1] + high / 2)
    stack = _stack(face, xs, ys, box)
    return float(inside[best]), Block(at, size, stack, box)


def _stack(face: shapely.Polygon, xs: np.ndarray, ys: np.ndarray, box: Box) -> Units:
    """Where counters stand: inside the area, below the name rather than beside it, and not upon it."""
    fits = _share(face, xs, ys, COUNTER, COUNTER, 0) - 1.5 * _covered([box], xs, ys, COUNTER, COUNTER)
    off = np.hypot(xs - (box[0] + box[2]) / 2, ys - box[3] - COUNTER / 2) / 500
    within = shapely.contains_xy(face, xs, ys)
    best = int(np.argmax(np.round(fits - off + 2 * within, 9)))
    return int(xs[best]), int(ys[best])


def _row_width(place: Place) -> int:
    """Of the code and the signs below a name."""
    cells = place.cells
    signs = len(cells["supply"].split()) + sum(
        cells[key] not in ("", "0") for key in ("capture_day", "fortress", "fortified")
    )
    return name_width(place.code, ID_SIZE) + SIGN * signs + 8


def _covered(taken: Sequence[Box], xs: np.ndarray, ys: np.ndarray, wide: float, high: float) -> np.ndarray:
    """For each point, how much of a box around it is covered by other boxes."""
    total = np.zeros(len(xs))
    for left, top, right, bottom in taken:
        across = np.minimum(xs + wide / 2, right) - np.maximum(xs - wide / 2, left)
        down = np.minimum(ys + high / 2, bottom) - np.maximum(ys - high / 2, top)
        total += np.clip(across, 0, None) * np.clip(down, 0, None)
    return total / (wide * high)


def _share(face: shapely.Geometry, xs: np.ndarray, ys: np.ndarray, wide: float, high: float, down: float) -> np.ndarray:
    """For each point, how much of a box around it lies in a face, by 6 x 4 probes."""
    total = np.zeros(len(xs))
    shapely.prepare(face)
    for i in range(6):
        for j in range(4):
            total += shapely.contains_xy(face, xs + (i / 5 - 0.5) * wide, ys + down + (j / 3 - 0.5) * high)
    return total / 24


def scattered(
    chart: Chart, faces: Mapping[str, Sequence[Units]], blocks: Mapping[str, Block]
) -> Iterator[tuple[str, str, Sequence[int]]]:
    boxes = shapely.union_all([shapely.box(*block.box) for block in blocks.values()]).buffer(10)
    rivers = shapely.union_all([shapely.LineString(page.line(points)) for points in chart.rivers.values()]).buffer(16)
    taken = boxes.union(rivers)
    for place in chart.places:
        kind = TERRAIN.get(place.cells["terrain"])
        if kind:
            free = shapely.Polygon(faces[place.code]).buffer(-20).difference(taken)
            yield kind, place.code, [value for point in _strewn(place.code, free, SPACING[kind]) for value in point]


def _strewn(code: str, face: shapely.Geometry, spacing: int) -> list[Units]:
    """A loose grid of points, the same for the same code; rows from north to south, so that nearer symbols overlap."""
    if face.is_empty:
        return []
    west, north, east, south = (int(value) for value in face.bounds)
    found = []
    for row, y in enumerate(range(north, south, spacing * 3 // 4)):
        for x in range(west + (row % 2) * spacing // 2, east, spacing):
            digest = sha256(f"{code}/{row}/{x}".encode()).digest()
            at = (x + digest[0] * spacing // 512 - spacing // 4, y + digest[1] * spacing // 512 - spacing // 4)
            if shapely.contains_xy(face, *at):
                found.append(at)
    return found


NAME_SIZE = 24


def river_names(chart: Chart, blocks: Mapping[str, Block]) -> Iterator[tuple[str, str, Sequence[int]]]:
    """Each river once, long ones several times, beside a straight reach that no label covers."""
    taken = [shapely.box(*block.box) for block in blocks.values()]
    frame = shapely.box(page.LEFT + 40, page.TOP + 40, page.RIGHT - 40, page.BOTTOM - 40)
    for name, points in chart.rivers.items():
        line = shapely.LineString([page.exact(point) for point in points])
        times = max(1, round(line.length / 1500))
        for part in range(times):
            found = _name_at(name.rstrip("*"), line, part / times, (part + 1) / times, taken, frame)
            if found:
                taken.append(found[1])
                yield "river_name", name.rstrip("*"), found[0]


def _name_at(
    name: str,
    line: shapely.LineString,
    first: float,
    last: float,
    taken: list[shapely.Geometry],
    frame: shapely.Geometry,
) -> tuple[tuple[int, int, int], shapely.Geometry] | None:
    wide = name_width(name, NAME_SIZE) * 0.95
    tree = shapely.STRtree(taken)
    best: tuple[float, tuple[int, int, int], shapely.Geometry] | None = None
    start = first * line.length + 10
    while start + wide < last * line.length:
        a, b = line.interpolate(start), line.interpolate(start + wide)
        chord = hypot(b.x - a.x, b.y - a.y)
        turn = degrees(b.x - a.x, b.y - a.y)
        turn = turn - 180 if turn > 90 else turn + 180 if turn < -90 else turn
        for side in (-1, 1):
            box, at = _text_box(a, b, chord, wide, side)
            piece = substring(line, start, start + wide)
            cover = sum(box.intersection(taken[index]).area for index in tree.query(box)) / box.area
            crossed = piece.intersection(box).length / wide
            cost = 3 * cover + 2 * crossed + (1 - min(1.0, chord / wide)) + abs(turn) / 300
            if frame.contains(box) and cover < 0.06 and crossed < 0.25 and (best is None or cost < best[0] - 1e-9):
                best = (cost, (*at, turn), box)
        start += 14
    return best[1:] if best else None


def _text_box(
    a: shapely.Point, b: shapely.Point, chord: float, wide: float, side: int
) -> tuple[shapely.Geometry, Units]:
    """A box beside the reach from a to b, and the middle of the base line of a text in it."""
    ux, uy = ((b.x - a.x) / chord, (b.y - a.y) / chord) if chord else (1.0, 0.0)
    if ux < 0 or (ux == 0 and uy < 0):
        ux, uy = -ux, -uy
    nx, ny = -uy, ux
    middle = ((a.x + b.x) / 2, (a.y + b.y) / 2)
    near, far = (12, 12 + NAME_SIZE) if side > 0 else (-12 - NAME_SIZE, -12)
    corners = [
        (middle[0] + ux * along * wide / 2 + nx * across, middle[1] + uy * along * wide / 2 + ny * across)
        for along, across in ((-1, near), (1, near), (1, far), (-1, far))
    ]
    down = far - 5 if side > 0 else -17
    return shapely.Polygon(corners), (round(middle[0] + nx * down), round(middle[1] + ny * down))
