"""Areas grow from their towns until they meet: shortest paths on the grid in which a river is dear to cross."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator, Sequence
from math import hypot

import numpy as np

from tests.cartography.ground import CELL_KM, COLUMNS, ROWS, STATES, Cell, Ground, cell_of
from tests.cartography.inputs import Place

NOWHERE = -1
AROUND = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))


def grow(ground: Ground, places: Sequence[Place]) -> np.ndarray:
    """The index in `places` of each cell's area, or NOWHERE."""
    owner = np.full((ROWS, COLUMNS), NOWHERE, dtype=np.int32)
    cost = np.full((ROWS, COLUMNS), np.inf)
    heap = [(0.0, index, *_start(ground, place)) for index, place in enumerate(places)]
    while heap:
        far, index, row, column = heapq.heappop(heap)
        if owner[row, column] != NOWHERE:
            continue
        owner[row, column] = index
        for to, step in _steps(ground, (row, column)):
            if owner[to] == NOWHERE and far + step < cost[to]:
                cost[to] = far + step
                heapq.heappush(heap, (far + step, index, *to))
    return whole(owner)


def _start(ground: Ground, place: Place) -> Cell:
    cell = cell_of(place.seed)
    found = STATES[ground.state[cell]]
    if found != place.country:
        raise ValueError(f"expected {place.code} {place.cells['name']} in {place.country}, it lies in {found!r}")
    return cell


def _steps(ground: Ground, cell: Cell) -> Iterator[tuple[Cell, float]]:
    """Cells beside in the same state, and what the step costs."""
    for down, along in AROUND:
        to = (cell[0] + down, cell[1] + along)
        if 0 <= to[0] < ROWS and 0 <= to[1] < COLUMNS and ground.state[to] == ground.state[cell]:
            yield to, CELL_KM * hypot(down, along) + ground.dear.get((cell, to), 0.0)


def whole(owner: np.ndarray) -> np.ndarray:
    """Give bits of an area that hang on it by a corner only, or not at all, to their neighbours."""
    for _ in range(6):
        bits = _bits(owner)
        if not bits:
            return owner
        for cells in bits:
            _give_away(owner, cells)
    return owner


def _bits(owner: np.ndarray) -> list[list[Cell]]:
    seen = np.zeros(owner.shape, dtype=bool)
    pieces: dict[int, list[list[Cell]]] = {}
    for row in range(ROWS):
        for column in range(COLUMNS):
            if not seen[row, column] and owner[row, column] != NOWHERE:
                piece = _piece(owner, seen, (row, column))
                pieces.setdefault(int(owner[row, column]), []).append(piece)
    return [piece for found in pieces.values() for piece in sorted(found, key=len)[:-1]]


def _piece(owner: np.ndarray, seen: np.ndarray, start: Cell) -> list[Cell]:
    value, queue, found = owner[start], deque([start]), []
    seen[start] = True
    while queue:
        row, column = queue.popleft()
        found.append((row, column))
        for down, along in AROUND[:4]:
            to = (row + down, column + along)
            if 0 <= to[0] < ROWS and 0 <= to[1] < COLUMNS and not seen[to] and owner[to] == value:
                seen[to] = True
                queue.append(to)
    return found


def _give_away(owner: np.ndarray, cells: list[Cell]) -> None:
    mine = owner[cells[0]]
    near: dict[int, int] = {}
    for row, column in cells:
        for down, along in AROUND[:4]:
            to = (row + down, column + along)
            if 0 <= to[0] < ROWS and 0 <= to[1] < COLUMNS and owner[to] not in (mine, NOWHERE):
                near[int(owner[to])] = near.get(int(owner[to]), 0) + 1
    taker = max(sorted(near), key=lambda index: near[index]) if near else NOWHERE
    for cell in cells:
        owner[cell] = taker
