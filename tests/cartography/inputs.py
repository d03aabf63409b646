"""The inputs of the map as values in the plane: places, rivers, frontiers and hand-made lists."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.cartography.plane import Point, project

FOLDER = Path(__file__).parent / "inputs"


@dataclass(frozen=True)
class Place:
    """An area to be: where its town lies (`at`), from where it grows (`seed`), and what its row says."""

    code: str
    at: Point
    seed: Point
    cells: dict[str, str]

    @property
    def country(self) -> str:
        return self.cells["country"]


@dataclass(frozen=True)
class Reach:
    """A river from source to mouth; `important` counts the points up to which it is an ordinary river."""

    name: str
    points: tuple[Point, ...]
    important: bool


def rows(name: str) -> Iterator[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def places() -> list[Place]:
    """In the order of the file, which is the order of the areas."""
    found = []
    for row in rows("places.csv"):
        at = project(float(row["lat"]), float(row["lon"]))
        seed = project(float(row["grow_lat"]), float(row["grow_lon"])) if row["grow_lat"] else at
        found.append(Place(row["code"], at, seed, row))
    return found


def reaches() -> list[Reach]:
    """Every river; the Vistula in two parts, of which the lower is the important river."""
    found: dict[tuple[str, bool], list[Point]] = {}
    previous: tuple[str, bool, Point] | None = None
    for row in rows("rivers.csv"):
        name, important, at = row["river"], row["important_river"] == "1", project(float(row["lat"]), float(row["lon"]))
        part = found.setdefault((name, important), [])
        if previous and previous[0] == name and previous[1] != important:
            part.append(previous[2])
        part.append(at)
        previous = (name, important, at)
    return [Reach(name, tuple(points), important) for (name, important), points in found.items()]


def lines(name: str = "frontiers.csv") -> dict[str, tuple[Point, ...]]:
    """Coasts and frontiers of 1939, by name."""
    return {
        row["line"]: tuple(project(*map(float, pair.split())) for pair in row["points"].split(";"))
        for row in rows(name)
    }
