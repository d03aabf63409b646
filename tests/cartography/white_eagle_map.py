"""Make the drawing of White Eagle Defiant: `python -m tests.cartography.white_eagle_map [FOLDER]`.

Writes `shapes.csv`, and in `boxes.csv` the columns x and y; everything else there stays. Coasts, frontiers, rivers and
lakes are those of the map of Polska 1939; woods, marshes and mountains are lists of this map. All comes from `inputs/`
and is the same on every run.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from math import cos, radians, sin
from pathlib import Path

import shapely

from pbem.games.white_eagle.board import BOXES, COLUMNS, LINES
from pbem.games.white_eagle.shapes_file import COLUMNS as SHAPE_COLUMNS
from pbem.games.white_eagle.shapes_file import SHAPES
from tests.cartography import inputs, labels
from tests.cartography.courses import blob
from tests.cartography.files import table
from tests.cartography.plane import project
from tests.cartography.white_eagle_lands import COASTS, FRONTIERS, LAGOONS, RIVERS, SLOVAK_WEST, Lands
from tests.cartography.white_eagle_page import (
    BOTTOM,
    FRAME,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    UNITS_PER_KM,
    WIDTH,
    Units,
    line,
    units,
)

DATA = Path(__file__).parents[2] / "pbem" / "games" / "white_eagle" / "data"
PLACES, GROUNDS = "white_eagle_places.csv", "white_eagle_grounds.csv"
CAPTIONS, RIVER_NAMES = "white_eagle_captions.csv", "white_eagle_river_names.csv"
BOX_WIDE, BOX_HIGH, SIEGE = 210, 232, 150
"""A box with its name, and the siege space beside it."""
SIDES: Mapping[str, Units] = {"east": (1, 0), "west": (-1, 0), "north": (0, -1), "south": (0, 1)}
SPACING = {"tree": 46, "hill": 64, "peak": 62, "marsh": 66}
NAME_SIZE, NAME_STEP = 34, 15
WINDOW = shapely.box(LEFT + 10, TOP + 10, RIGHT - 10, BOTTOM - 10)
Numbers = tuple[int, int, int]
Row = tuple[str, str, Sequence[int]]


def main(folder: Path = DATA) -> None:
    boxes = placed(folder)
    (folder / BOXES).write_text(table(COLUMNS[BOXES], boxes), encoding="utf-8")
    at = {str(row[0]): (int(row[6]), int(row[7])) for row in boxes}
    with (folder / LINES).open(encoding="utf-8", newline="") as file:
        links = [(row["a"], row["b"]) for row in csv.DictReader(file)]
    drawn = [[kind, name, " ".join(map(str, numbers))] for kind, name, numbers in rows(at, links)]
    (folder / SHAPES).write_text(table(SHAPE_COLUMNS, drawn), encoding="utf-8")


def placed(folder: Path) -> list[list[str | int]]:
    """The rows of boxes.csv with x and y of the towns, put aside by hand where boxes would touch."""
    at: dict[str, Units] = {}
    for row in inputs.rows(PLACES):
        x, y = units(project(float(row["lat"]), float(row["lon"])))
        at[row["box"]] = (x + int(row["right"] or 0), y + int(row["down"] or 0))
    with (folder / BOXES).open(encoding="utf-8", newline="") as file:
        return [[*list(row.values())[:6], *at[row["id"]], row["source"], row["note"]] for row in csv.DictReader(file)]


def rows(at: Mapping[str, Units], links: Sequence[tuple[str, str]]) -> Iterator[Row]:
    lands = Lands()
    yield "page", "", (WIDTH, HEIGHT)
    yield "map", "", (LEFT, TOP, RIGHT, BOTTOM)
    yield "scale", "100 km", (100 * UNITS_PER_KM,)
    yield from _lands(lands)
    yield from _waters(lands)
    yield from _frontiers(lands)
    sieges = dict(_sieges(at))
    taken = _taken(at, links, sieges)
    yield from _strewn(lands, taken)
    for box, siege in sieges.items():
        yield "siege", box, siege
    yield from _river_names(lands, taken)
    for row in inputs.rows(CAPTIONS):
        yield "caption", row["text"], (*units(_at(row)), int(row["size"]), int(row["turn"]))


def _at(row: Mapping[str, str]) -> tuple[float, float]:
    return project(float(row["lat"]), float(row["lon"]))


def _lands(lands: Lands) -> Iterator[Row]:
    for name in COASTS:
        for part in lands.within(lands.lines[name]):
            yield "shallows", name, line(part)
    for name, ring in lands.polygons():
        yield "land", name, line(ring)
    for name in LAGOONS:
        for part in lands.within([*lands.lines[name], lands.lines[name][0]]):
            yield "lagoon", name, line(part)
    for name in COASTS:
        for part in lands.within(lands.lines[name]):
            yield "shore", name, line(part)


def _waters(lands: Lands) -> Iterator[Row]:
    for row in inputs.rows("lakes.csv"):
        ring = blob(row["name"], _at(row), float(row["wide_km"]), float(row["high_km"]), float(row["turn"]))
        if FRAME.contains(shapely.Polygon(ring)):
            yield "lake", row["name"], line(ring[::2])
    for name in (*RIVERS, "Wisła"):
        for part in lands.within(lands.rivers[name]):
            yield "vistula" if name == "Wisła" else "river", name, line(part)


def _frontiers(lands: Lands) -> Iterator[Row]:
    for name in FRONTIERS:
        for part in lands.within(lands.lines[name]):
            yield "state", name, line(part)
    yield "state", "danzig_east", line(lands.danzig_east)
    for part in lands.within([lands.lines["slovakia_moravia"][-1], project(*SLOVAK_WEST)]):
        yield "state", "slovak_west", line(part)
    for part in lands.within(lands.german_soviet_line()):
        yield "german_soviet", "", line(part)


def _river_names(lands: Lands, taken: shapely.Geometry) -> Iterator[Row]:
    """Along the course, as near as there is room to so many hundredths of it as the list says."""
    for row in inputs.rows(RIVER_NAMES):
        course = shapely.LineString(_points(line(lands.rivers[row["river"]])))
        wanted = course.length * int(row["share"]) / 100
        tries = sorted(range(NAME_STEP, round(course.length), NAME_STEP), key=lambda far: abs(far - wanted))
        found = next(filter(None, (_name_at(row, course, far, taken) for far in tries)), None)
        if found:
            yield "river_name", row["river"], found


def _name_at(row: Mapping[str, str], course: shapely.LineString, far: float, taken: shapely.Geometry) -> Numbers | None:
    """Middle of the base line and turn of a name above its river, or None where something is in the way."""
    half = len(row["river"]) * NAME_SIZE * 3 // 10
    a, b = course.interpolate(far - half), course.interpolate(far + half)
    turn = labels.degrees(b.x - a.x, b.y - a.y)
    turn = turn - 180 if turn > 90 else turn + 180 if turn <= -90 else turn
    up = int(row["up"])
    x, y = (a.x + b.x) / 2 + up * sin(radians(turn)), (a.y + b.y) / 2 - up * cos(radians(turn))
    right, down = half * cos(radians(turn)), half * sin(radians(turn))
    text = shapely.LineString(((x - right, y - down), (x + right, y + down))).buffer(NAME_SIZE)
    fits = a.distance(b) > 1.8 * half and WINDOW.contains(text) and not text.intersects(taken)
    return (round(x), round(y), turn) if fits else None


def _sieges(at: Mapping[str, Units]) -> Iterator[tuple[str, Units]]:
    for row in inputs.rows(PLACES):
        if row["siege"]:
            (x, y), (right, down) = at[row["box"]], SIDES[row["siege"]]
            yield row["box"], (x + right * (BOX_WIDE + SIEGE) // 2, y + down * (BOX_HIGH + SIEGE) // 2)


# ---------------------------------------------------------------------- symbols


def _taken(at: Mapping[str, Units], links: Sequence[tuple[str, str]], sieges: Mapping[str, Units]) -> shapely.Geometry:
    """What boxes, siege spaces and movement lines cover."""
    return shapely.union_all(
        [
            *(shapely.LineString((at[a], at[b])).buffer(24) for a, b in links),
            *(_around(point, BOX_WIDE // 2 + 14, BOX_HIGH // 2 + 14) for point in at.values()),
            *(_around(point, SIEGE // 2 + 14, SIEGE // 2 + 14) for point in sieges.values()),
        ]
    )


def _strewn(lands: Lands, taken: shapely.Geometry) -> Iterator[Row]:
    """Trees, marshes, hills and peaks, away from boxes, lines and rivers."""
    near = [shapely.LineString(_points(line(lands.rivers[name]))).buffer(16) for name in RIVERS]
    near.append(shapely.LineString(_points(line(lands.rivers["Wisła"]))).buffer(34))
    near.append(shapely.LineString(_points(line(lands.german_soviet_line()))).buffer(30))
    near += [shapely.LineString(_points(line(lands.lines[name]))).buffer(22) for name in FRONTIERS]
    free = WINDOW.intersection(_on_page(lands)).difference(shapely.union_all([taken, *near]))
    for row in inputs.rows(GROUNDS):
        ring = blob(row["name"], _at(row), float(row["wide_km"]), float(row["high_km"]), float(row["turn"]))
        found = _grid(row["name"], shapely.Polygon([units(point) for point in ring]), free, row["kind"])
        if found:
            yield row["kind"], row["name"], [value for point in found for value in point]


def _on_page(lands: Lands) -> shapely.Geometry:
    return shapely.union_all([shapely.Polygon(_points(line(ring))).buffer(0) for _, ring in lands.polygons()])


def _grid(name: str, wood: shapely.Polygon, free: shapely.Geometry, kind: str) -> list[Units]:
    """A loose grid of points, the same for the same name; rows from north to south, so that nearer ones overlap."""
    face, spacing = wood.buffer(0).intersection(free), SPACING[kind]
    west, north, east, south = (round(value) for value in wood.bounds)
    found = []
    for row, y in enumerate(range(north, south, spacing * 3 // 4)):
        for x in range(west + (row % 2) * spacing // 2, east, spacing):
            digest = sha256(f"{name}/{row}/{x}".encode()).digest()
            at = (x + digest[0] * spacing // 512 - spacing // 4, y + digest[1] * spacing // 512 - spacing // 4)
            if shapely.contains_xy(face, *at):
                found.append(at)
    return found


def _around(point: Units, wide: int, high: int) -> shapely.Geometry:
    return shapely.box(point[0] - wide, point[1] - high, point[0] + wide, point[1] + high)


def _points(numbers: Sequence[int]) -> list[Units]:
    return list(zip(numbers[::2], numbers[1::2], strict=True))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
