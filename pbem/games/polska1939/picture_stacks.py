"""Where counters find room: as near to their area as possible, over no name and no other counter.

Left out: what they show. Whole numbers only; the same position gives the same places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pbem.rules.picture import Stack
from pbem.rules.shapes import Point

Box = tuple[int, int, int, int]
SIZES = ((1, 1, 80), (2, 2, 76), (4, 2, 68), (6, 3, 60), (9, 3, 56), (99, 4, 52))
"""Up to how many counters, how many in a row, how wide."""
GAP, LINE = 8, 26
AROUND = ((0, -8), (4, -7), (7, -4), (8, 0), (7, 4), (4, 7), (0, 8), (-4, 7), (-7, 4), (-8, 0), (-7, -4), (-4, -7))
"""Twelve directions, 8 long."""
RINGS = (*range(16, 113, 16), *range(136, 337, 24))
FAR = 500
"""What lies farther away is never covered."""
NEAR = 40
"""How far from its place a stack may be without a line that leads to it."""
OVER_STACK, OFF_MAP = 150, 200
"""What a hundredth of a stack over another one, or off the map, costs, in tenths of a millimetre of distance."""
OVER_NAME, OVER_OWN_NAME = 1100, 1400
"""What it costs to hide a whole name."""
TOO_FAR = 130
"""Twice as dear as its length is a way of so many tenths of a millimetre."""


def placed_stacks(
    stacks: Sequence[Stack], homes: Mapping[str, Point], names: Mapping[str, Box], window: Box
) -> tuple[Stack, ...]:
    """Each stack at its best place; the largest choose first. The order of the stacks stays."""
    taken: list[Box] = []
    found: dict[str, Stack] = {}
    for stack in sorted(stacks, key=lambda each: (-len(each.counters), each.place)):
        columns, width = next((columns, width) for most, columns, width in SIZES if len(stack.counters) <= most)
        home = homes[stack.place]
        near = {place: box for place, box in names.items() if _is_near(box, home)}
        beside = [box for box in taken if _is_near(box, home)]
        best = min(_tries(home), key=lambda at: _cost(stack, at, home, (columns, width), near, beside, window))
        taken.append(_box(stack, best, columns, width))
        far = abs(best[0] - home[0]) + abs(best[1] - home[1])
        found[stack.place] = replace(stack, at=best, is_apart=far > NEAR, columns=columns, counter_size=width)
    return tuple(found[stack.place] for stack in stacks)


def _tries(home: Point) -> Iterator[Point]:
    yield home
    for ring in RINGS:
        yield from ((home[0] + dx * ring // 8, home[1] + dy * ring // 8) for dx, dy in AROUND)


def _is_near(box: Box, at: Point) -> bool:
    return box[0] - FAR < at[0] < box[2] + FAR and box[1] - FAR < at[1] < box[3] + FAR


def _box(stack: Stack, at: Point, columns: int, width: int) -> Box:
    count = len(stack.counters)
    rows, across = -(-count // columns), min(count, columns)
    wide, high = max(across * (width + GAP), 9 * len(stack.line)), rows * (width + GAP)
    below = LINE if stack.line else 0
    return at[0] - wide // 2, at[1] - high // 2, at[0] + wide // 2, at[1] + high // 2 + below


def _cost(
    stack: Stack,
    at: Point,
    home: Point,
    look: tuple[int, int],
    names: Mapping[str, Box],
    taken: Sequence[Box],
    window: Box,
) -> int:
    """Distance from home, and how much of what is covered."""
    box = _box(stack, at, *look)
    whole = _area(box)
    covered = sum(_common(box, other) for other in taken) * OVER_STACK
    covered += (whole - _common(box, window)) * OFF_MAP
    hidden = sum(
        _common(box, other) * (OVER_OWN_NAME if place == stack.place else OVER_NAME) // _area(other)
        for place, other in names.items()
    )
    far = abs(at[0] - home[0]) + abs(at[1] - home[1])
    return covered * 100 // whole + hidden + far + far * far // TOO_FAR


def _area(box: Box) -> int:
    return max(1, (box[2] - box[0]) * (box[3] - box[1]))


def _common(a: Box, b: Box) -> int:
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return wide * high if wide > 0 and high > 0 else 0
