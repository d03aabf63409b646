"""What is drawn: the shapes file, one row a shape, in the order in which a picture needs them.

Kinds: `page`, `scale`; `abroad`, `lake` (faces); an area's outline under its terrain's name; `river`, `vistula`;
`border`, `region`, `state`, `shore`, `lake_border`, `line` (the fortified side on the left), `demarcation`; `tree`,
`hill`, `peak`, `marsh`, `pass`, `node`; `label`, `stack` of an area; `river_name`, `caption` with an angle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise

import shapely

from tests.cartography import inputs, labels, page, shaping, sides, states
from tests.cartography.arcs import Arc
from tests.cartography.chart import Border, Chart
from tests.cartography.courses import blob
from tests.cartography.growth import NOWHERE
from tests.cartography.page import Units
from tests.cartography.plane import Point, project

Row = tuple[str, str, Sequence[int]]
ON_RIVER_KM = 0.45
SYMBOLS = {"forest": "tree", "hills": "hill", "mountains": "peak", "swamp": "marsh"}


def rows(chart: Chart, marks: Mapping[tuple[str, str], Mapping[str, str]]) -> Iterator[Row]:
    faces = {place.code: page.line(shaping.ring_of(i, chart.net.arcs)) for i, place in enumerate(chart.places)}
    yield "page", "", (page.WIDTH, page.HEIGHT)
    yield "map", "", (page.LEFT, page.TOP, page.RIGHT, page.BOTTOM)
    yield "scale", "100 km", (round(100 * page.UNITS_PER_KM),)
    yield from _abroad(chart)
    for place in chart.places:
        yield "area", place.code, _flat(faces[place.code])
    for row in inputs.rows("lakes.csv"):
        yield "lake", row["name"], _flat(page.line(_lake(row)))
    blocks = labels.placed(chart, faces)
    yield from labels.scattered(chart, faces, blocks)
    for name, points in chart.rivers.items():
        yield "vistula" if name.endswith("*") else "river", name.rstrip("*"), _flat(page.line(points))
    yield from _borders(chart, marks)
    yield from _points(chart, marks)
    for code, block in blocks.items():
        yield "label", code, (*block.at, block.size)
        yield "stack", code, block.stack
    yield from labels.river_names(chart, blocks)
    for row in inputs.rows("captions.csv"):
        at = page.units(project(float(row["lat"]), float(row["lon"])))
        yield "caption", row["text"], (*at, int(row["size"]), int(row["turn"]))


def _flat(points: Sequence[Units]) -> list[int]:
    return [value for point in points for value in point]


def _abroad(chart: Chart) -> Iterator[Row]:
    """The land of other states and what lies too far off, under everything else."""
    land = shapely.Polygon()
    for state, ring in states.painted(chart.lines):
        face = shapely.Polygon(ring).buffer(0)
        land = land.union(face) if state else land.difference(face)
    frame = shapely.box(-430, -470, 445, 455)
    for face in getattr(land.intersection(frame), "geoms", [land.intersection(frame)]):
        if face.area > 1:
            yield "abroad", "", _flat(page.line(face.exterior.coords[:-1]))
    for name, points in chart.lines.items():
        if name.startswith("coast"):
            yield "shallows", name, _flat(page.line(points))
    for name in ("haff_vistula", "haff_curonian"):
        yield "lagoon", "", _flat(page.line(chart.lines[name]))


def _lake(row: Mapping[str, str]) -> list[Point]:
    middle = project(float(row["lat"]), float(row["lon"]))
    return blob(row["name"], middle, float(row["wide_km"]), float(row["high_km"]), float(row["turn"]))


def _borders(chart: Chart, marks: Mapping[tuple[str, str], Mapping[str, str]]) -> Iterator[Row]:
    for border in chart.borders:
        yield from _border(chart, border, marks.get((border.a.code, border.b.code), {}))
    for border in chart.borders:
        guarded = marks.get((border.a.code, border.b.code), {}).get("line", "")
        for arc in border.arcs if guarded else ():
            yield "line", guarded, _flat(page.line(_guarded(chart, arc, guarded)))
    yield from (_edge(arc) for arc in chart.net.arcs if arc.sides[0] == NOWHERE)
    for arc in chart.net.arcs:
        if _is_demarcation(chart, arc):
            yield "demarcation", "", _flat(page.line(arc.points))


def _border(chart: Chart, border: Border, mark: Mapping[str, str]) -> Iterator[Row]:
    kind = _kind(border, mark)
    for arc in border.arcs:
        for on_river, points in _reaches(chart, arc, kind):
            yield kind + "_on_river" * on_river, f"{border.a.code} {border.b.code}", _flat(page.line(points))


def _edge(arc: Arc) -> Row:
    return "shore" if arc.line.startswith(("coast", "haff")) else "edge", "", _flat(page.line(arc.points))


def _reaches(chart: Chart, arc: Arc, kind: str) -> Iterator[tuple[bool, list[Point]]]:
    """An arc in pieces that run on a river and pieces that do not."""
    if kind not in ("border", "region") or not arc.line[:1].isupper():
        yield False, arc.points
        return
    reach = shapely.LineString(chart.rivers[arc.line]).buffer(ON_RIVER_KM)
    for on_river, run in groupby(pairwise(arc.points), lambda pair: reach.contains(shapely.LineString(pair).centroid)):
        found = list(run)
        yield on_river, [found[0][0], *(end for _, end in found)]


def _kind(border: Border, mark: Mapping[str, str]) -> str:
    if "lake" in mark.get("add", ""):
        return "lake_border"
    if border.a.country != border.b.country:
        return "state"
    return "border" if border.a.cells["region"] == border.b.cells["region"] else "region"


def _guarded(chart: Chart, arc: Arc, code: str) -> list[Point]:
    """The arc with the guarded area on its left as one walks along it."""
    index = next(number for number, place in enumerate(chart.places) if place.code == code)
    ring = shaping.ring_of(index, chart.net.arcs)
    middle = shapely.LineString(arc.points).interpolate(0.5, normalized=True)
    near = shapely.LineString(arc.points).interpolate(0.55, normalized=True)
    dx, dy = near.x - middle.x, near.y - middle.y
    far = (dx * dx + dy * dy) ** 0.5 or 1.0
    left = shapely.Point(middle.x + dy / far, middle.y - dx / far)
    return arc.points if shapely.Polygon(ring).buffer(0).contains(left) else arc.points[::-1]


def _is_demarcation(chart: Chart, arc: Arc) -> bool:
    if arc.sides[0] == NOWHERE:
        return False
    a, b = (chart.places[index] for index in arc.sides)
    west = [sides.is_west_of_line(place.code, place.country, place.at) for place in (a, b)]
    return a.country == b.country == "PL" and west[0] != west[1]


def _points(chart: Chart, marks: Mapping[tuple[str, str], Mapping[str, str]]) -> Iterator[Row]:
    for number, node in enumerate(chart.nodes, 1):
        yield "node", f"N{number:02}", page.units(node.at)
    for border in chart.borders:
        mark = marks.get((border.a.code, border.b.code), {})
        if "pass" in mark.get("add", ""):
            arc = max(border.arcs, key=lambda each: each.length)
            line = shapely.LineString([page.exact(point) for point in arc.points])
            middle, near = line.interpolate(0.5, normalized=True), line.interpolate(0.52, normalized=True)
            yield (
                "pass",
                mark["reason"],
                (*map(round, (middle.x, middle.y)), labels.degrees(near.x - middle.x, near.y - middle.y)),
            )
