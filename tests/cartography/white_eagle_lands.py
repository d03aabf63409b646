"""The lands of 1939 on the map of White Eagle Defiant: faces by country, coasts, frontiers, the German/Soviet Line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

import shapely
from shapely.ops import substring

from tests.cartography import inputs, states
from tests.cartography.courses import winding
from tests.cartography.plane import Point, project
from tests.cartography.white_eagle_page import FRAME

LINE_SWAY = 0.07
LINE_KM, RIVER_KM = 0.5, 0.6
"""How far a drawn line may leave its course."""
SMALLEST_KM2 = 12
FRONTIERS = (
    *("corridor_west", "wielkopolska_west", "carpathians", "hungary", "romania", "dniester", "soviet_south", "latvia"),
    *("lithuania", "lithuania_prussia", "prussia_south", "vistula_danzig", "slovakia_moravia", "slovakia_hungary"),
    *("romania_east", "latvia_soviet"),
)
COASTS = ("coast_west", "coast_corridor", "coast_danzig", "coast_prussia", "coast_lithuania")
LAGOONS = ("haff_vistula", "haff_curonian")
RIVERS = (
    *("San", "Dunajec", "Wisłoka", "Wieprz", "Pilica", "Bzura", "Warta", "Prosna", "Noteć", "Brda", "Drwęca"),
    *("Narew", "Bug", "Biebrza", "Niemen", "Szczara", "Prypeć", "Styr", "Horyń", "Słucz", "Zbrucz", "Dniestr"),
    *("Odra", "Wkra", "Pisa", "Liwiec", "Jasiołda", "Wilia", "Seret", "Strypa", "Nogat", "Łyna", "Pregoła"),
    *("Wag", "Poprad", "Berezyna", "Nida", "Stryj", "Muchawiec", "Mereczanka", "Świsłocz", "Wisłok", "Barycz"),
    *("Prut", "Mała Panew", "Hornad", "Gwda", "Ptycz", "Węgorapa", "Stochód", "Turia"),
)
DANZIG_EAST = ((54.385, 19.45), (54.33, 19.36), (54.25, 19.30))
"""From the coast across the lagoon to the mouth of the Nogat, which the frontier follows."""
UZSOK = (48.99, 22.86)
"""The pass above the source of the San."""
ASIDE_KM = -3.4
"""The line runs beside the rivers, so that both are seen; negative is east."""
SLOVAK_WEST = (47.9, 17.9)
SOUTH_WEST = shapely.box(-600, 200, -290, 600)
"""Moravia and Austria, so far as the map shows them."""
EAST_PRUSSIA = shapely.box(-260, -400, 60, -100)


class Lands:
    """Everything in kilometres of the plane."""

    @cached_property
    def lines(self) -> Mapping[str, Sequence[Point]]:
        """Coasts and frontiers, drawn with as few points as LINE_KM allows."""
        return {name: _few(winding(name, points, LINE_SWAY), LINE_KM) for name, points in inputs.lines().items()}

    @cached_property
    def rivers(self) -> Mapping[str, Sequence[Point]]:
        """Whole rivers; the Vistula in one, from source to mouth."""
        found: dict[str, list[Point]] = {}
        for reach in inputs.reaches():
            course = found.setdefault(reach.name, [])
            course += reach.points[1:] if course else reach.points
        return {name: _few(winding(name, points), RIVER_KM) for name, points in found.items()}

    @cached_property
    def danzig_east(self) -> list[Point]:
        """The frontier of the Free City with East Prussia, from the sea to the Vistula."""
        return [*(project(*pair) for pair in DANZIG_EAST), *reversed(self.rivers["Nogat"]), project(53.95, 18.86)]

    @cached_property
    def faces(self) -> Mapping[str, shapely.Geometry]:
        """Land by country; `abroad` is what has no part in the game."""
        found: dict[str, shapely.Geometry] = {}
        for state, ring in states.painted(self.lines):
            face = shapely.Polygon(ring).buffer(0)
            found = {name: land.difference(face) for name, land in found.items()}
            if state:
                found[state] = shapely.union_all([found.get(state, shapely.Polygon()), face])
        found["DE"] = found["DE"].union(found["off"].intersection(SOUTH_WEST))
        found["abroad"] = found.pop("off").difference(SOUTH_WEST)
        north = found["DE"].intersection(EAST_PRUSSIA)
        found["DZ"] = north.intersection(self._free_city)
        found["EP"] = north.difference(self._free_city)
        found["DE"] = found["DE"].difference(EAST_PRUSSIA)
        return {name: land.intersection(FRAME) for name, land in found.items()}

    @property
    def _free_city(self) -> shapely.Geometry:
        west = [*reversed(self.lines["vistula_danzig"]), *(project(*pair) for pair in ((53.64, 18.9), (53.95, 18.86)))]
        ring = [project(54.6, 18.4), *west, *reversed(self.danzig_east), project(54.6, 19.45)]
        return shapely.Polygon(ring).buffer(0)

    def polygons(self) -> Iterator[tuple[str, Sequence[Point]]]:
        """Country and outline of each piece of land that is large enough to be seen."""
        for name, land in self.faces.items():
            for face in getattr(land, "geoms", (land,)):
                if face.area > SMALLEST_KM2:
                    yield name, face.exterior.coords[:-1]

    def within(self, points: Sequence[Point]) -> Iterator[Sequence[Point]]:
        """The parts of a line that the map shows."""
        seen = shapely.LineString(points).intersection(FRAME)
        for part in getattr(seen, "geoms", (seen,)):
            if part.length > 1:
                yield part.coords

    def german_soviet_line(self) -> Sequence[Point]:
        """East of Pisa, Narew, Vistula and San, from the frontier of East Prussia to that of Hungary."""
        pisa = _from_crossing(self.rivers["Pisa"], self.lines["prussia_south"])
        narew = _between(self.rivers["Narew"], pisa[-1], self.rivers["Narew"][-1])
        vistula = _between(self.rivers["Wisła"], narew[-1], self.rivers["San"][-1])
        course = shapely.LineString([*pisa, *narew, *vistula, *reversed(self.rivers["San"]), project(*UZSOK)])
        return [(x, y) for x, y in course.simplify(1).offset_curve(ASIDE_KM).simplify(0.3).coords]


def _few(points: Sequence[Point], far: float) -> list[Point]:
    return [(x, y) for x, y in shapely.LineString(points).simplify(far).coords]


def _from_crossing(river: Sequence[Point], frontier: Sequence[Point]) -> list[Point]:
    """A river from where it crosses a frontier to its mouth."""
    edge = shapely.LineString(frontier)
    for number, pair in enumerate(pairwise(river)):
        met = shapely.LineString(pair).intersection(edge)
        if not met.is_empty:
            return [(met.x, met.y), *river[number + 1 :]]
    raise ValueError("the river does not cross the frontier")


def _between(river: Sequence[Point], a: Point, b: Point) -> list[Point]:
    """A river between the points nearest to two others, in the order from `a` to `b`."""
    course = shapely.LineString(river)
    start, end = (course.project(shapely.Point(point)) for point in (a, b))
    return [(x, y) for x, y in substring(course, start, end).coords]
