"""The data files as text, in whole numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from pbem.games.polska1939.board import AREAS, BORDERS, COLUMNS, NODES, REGIONS
from pbem.games.polska1939.shapes_file import COLUMNS as SHAPE_COLUMNS
from pbem.games.polska1939.shapes_file import SHAPES
from tests.cartography import drawing, inputs, page, sides
from tests.cartography.chart import Border, Chart
from tests.cartography.inputs import Place

DAY_PRINTED = "P47"
"""Częstochowa, the only city whose day of capture the rulebook names (13.0 A)."""


def contents(chart: Chart) -> dict[str, str]:
    """File name to text."""
    marks = marks_of(chart)
    return {
        AREAS: table(COLUMNS[AREAS], (area_row(place) for place in chart.places)),
        BORDERS: table(COLUMNS[BORDERS], (border_row(border, marks) for border in chart.borders)),
        NODES: table(COLUMNS[NODES], node_rows(chart)),
        REGIONS: table(COLUMNS[REGIONS], region_rows(chart)),
        SHAPES: table(SHAPE_COLUMNS, shape_rows(chart, marks)),
    }


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def area_row(place: Place) -> list[object]:
    cells = place.cells
    x, y = page.units(place.at)
    return [
        *(cells[key] for key in COLUMNS[AREAS][:10]),
        int(sides.is_west_of_line(place.code, place.country, place.at)),
        int(sides.is_west_of_vistula(place.country, place.seed)),
        x,
        y,
        "house",
        "; ".join(filter(None, (_printed(place), cells["note"]))),
    ]


def _printed(place: Place) -> str:
    """What of an area stands in the rulebook."""
    if place.code.startswith("H"):
        return ""
    return "code, name and day printed" if place.code == DAY_PRINTED else "code and name printed"


def marks_of(chart: Chart) -> dict[tuple[str, str], dict[str, str]]:
    """Hand-made marks of borders, by both codes; a mark for a border that does not exist is a mistake."""
    known = {(border.a.code, border.b.code) for border in chart.borders}
    found = {}
    for row in inputs.rows("border_marks.csv"):
        key = (row["a"], row["b"]) if (row["a"], row["b"]) in known else (row["b"], row["a"])
        if key not in known:
            raise ValueError(f"border_marks.csv: {row['a']} and {row['b']} do not border on each other")
        found[key] = row
    return found


def border_row(border: Border, marks: dict[tuple[str, str], dict[str, str]]) -> list[object]:
    mark = marks.get((border.a.code, border.b.code), {})
    features = {*natural(border), *mark.get("add", "").split()} - set(mark.get("remove", "").split())
    order = ["vistula", "river", "lake", "swamp", "mountain", "pass", "state"]
    return [
        border.a.code,
        border.b.code,
        " ".join(sorted(features, key=order.index)),
        mark.get("line", ""),
        round(border.km),
        "house",
        mark.get("reason", ""),
    ]


FRONTIER_RIVERS = {"dniester": "river"}


def natural(border: Border) -> set[str]:
    """What the course of a border says by itself."""
    found = set()
    if border.a.country != border.b.country:
        found.add("state")
    for line in border.lines:
        if line.endswith("*"):
            found.add("vistula")
        elif line and line[0].isupper():
            found.add("river")
    if "vistula" in found:
        found.discard("river")
    if "carpathians" in border.lines and "SK" in (border.a.country, border.b.country):
        found.add("mountain")
    return found


def node_rows(chart: Chart) -> list[list[object]]:
    return [
        [f"N{number:02}", " ".join(place.code for place in node.places), int(bool(node.rivers)), "house", ""]
        for number, node in enumerate(chart.nodes, 1)
    ]


def region_rows(chart: Chart) -> list[list[object]]:
    found: dict[tuple[str, str], list[str]] = {}
    for place in chart.places:
        found.setdefault((place.cells["region"], place.country), []).append(place.code)
    return [[region, country, " ".join(codes), "house", ""] for (region, country), codes in sorted(found.items())]


def shape_rows(chart: Chart, marks: dict[tuple[str, str], dict[str, str]]) -> list[list[object]]:
    return [[kind, name, " ".join(map(str, numbers))] for kind, name, numbers in drawing.rows(chart, marks)]
