"""The fine grid under the map: which state each cell belongs to, and where rivers run between cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely

from tests.cartography.plane import Point

CELL_KM = 1.5
WEST, EAST, NORTH, SOUTH = -420.0, 432.0, -455.0, 440.0
"""The frame of the map in the plane, in kilometres; y runs to the south."""
COLUMNS = int((EAST - WEST) / CELL_KM)
ROWS = int((SOUTH - NORTH) / CELL_KM)
SEA = 0
STATES = ("", "PL", "DE", "SK", "SU", "off")
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
Cell = tuple[int, int]


@dataclass(frozen=True)
class Ground:
    """`state` holds the index in STATES of each cell; `dear` the cost of a step that crosses a river."""

    state: np.ndarray
    dear: Mapping[tuple[Cell, Cell], float]


def middle(cell: Cell) -> Point:
    return WEST + (cell[1] + 0.5) * CELL_KM, NORTH + (cell[0] + 0.5) * CELL_KM


def cell_of(point: Point) -> Cell:
    return int((point[1] - NORTH) / CELL_KM), int((point[0] - WEST) / CELL_KM)


def paint(areas: Iterable[tuple[str, Sequence[Point]]]) -> np.ndarray:
    """Each cell's state; later polygons paint over earlier ones."""
    xs = WEST + (np.arange(COLUMNS) + 0.5) * CELL_KM
    ys = NORTH + (np.arange(ROWS) + 0.5) * CELL_KM
    grid_x, grid_y = np.meshgrid(xs, ys)
    state = np.zeros((ROWS, COLUMNS), dtype=np.int8)
    for name, ring in areas:
        face = shapely.Polygon(ring).buffer(0)
        state[shapely.contains_xy(face, grid_x, grid_y)] = STATES.index(name)
    return state


def crossings(points: Sequence[Point], cost: float, dear: dict[tuple[Cell, Cell], float]) -> None:
    """Make every step dear that crosses a line."""
    for a, b in pairwise(points):
        top, left = cell_of((min(a[0], b[0]), min(a[1], b[1])))
        bottom, right = cell_of((max(a[0], b[0]), max(a[1], b[1])))
        for row in range(top - 2, bottom + 3):
            for column in range(left - 2, right + 3):
                _steps_across((row, column), a, b, cost, dear)


def _steps_across(cell: Cell, a: Point, b: Point, cost: float, dear: dict[tuple[Cell, Cell], float]) -> None:
    for down, along in STEPS:
        other = (cell[0] + down, cell[1] + along)
        if _cross(middle(cell), middle(other), a, b):
            for key in ((cell, other), (other, cell)):
                dear[key] = max(cost, dear.get(key, 0.0))


def _side(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _cross(p: Point, q: Point, a: Point, b: Point) -> bool:
    return (_side(a, b, p) >= 0) != (_side(a, b, q) >= 0) and (_side(p, q, a) >= 0) != (_side(p, q, b) >= 0)


def cut(state: np.ndarray, near: shapely.Geometry) -> np.ndarray:
    """Only what lies near enough is played on; East Prussia is."""
    xs = WEST + (np.arange(COLUMNS) + 0.5) * CELL_KM
    ys = NORTH + (np.arange(ROWS) + 0.5) * CELL_KM
    grid_x, grid_y = np.meshgrid(xs, ys)
    prussia = (state == STATES.index("DE")) & (grid_x > -250) & (grid_y < -100)
    state = state.copy()
    state[~shapely.contains_xy(near, grid_x, grid_y) & ~prussia & (state != 0)] = STATES.index("off")
    return state
