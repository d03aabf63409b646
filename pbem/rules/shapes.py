"""Drawings of maps as rows of numbers: one row a shape, tenths of a millimetre with y downwards.

Left out: which kinds of rows a game has, and what each names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeAlias, TypeVar

from pbem.errors import BadRequest
from pbem.rules.csv_file import Row

K = TypeVar("K", bound=StrEnum)
Point: TypeAlias = tuple[int, int]
LARGEST_NUMBER = 9999
LEAVE_OUT = "correct the file, or leave it out and use the text map"
"""What the reader of a wrong drawing is told."""


@dataclass(frozen=True, slots=True)
class MapShape(Generic[K]):
    """One row."""

    kind: K
    name: str
    numbers: tuple[int, ...]

    @property
    def points(self) -> tuple[Point, ...]:
        """The numbers in pairs."""
        return tuple(zip(self.numbers[::2], self.numbers[1::2], strict=False))


@dataclass(frozen=True, slots=True)
class ShapeRows(Generic[K]):
    """All rows in their order."""

    rows: tuple[MapShape[K], ...]

    def of(self, *kinds: K) -> tuple[MapShape[K], ...]:
        """The rows of these kinds, in the order of the file."""
        return tuple(row for row in self.rows if row.kind in kinds)

    def numbers(self, kind: K) -> tuple[int, ...]:
        """The numbers of the one row of a kind such as `page`."""
        return next(row.numbers for row in self.rows if row.kind is kind)


def read_shape(row: Row, kinds: type[K], counts: Mapping[K, int]) -> MapShape[K]:
    """One row, with as many numbers as its kind has by `counts`, or any even count.

    Raises `BadRequest` with file, line and column for a row that does not hold what it should.
    """
    kind = row.choice("kind", kinds)
    words = row.text("numbers").split()
    count = counts.get(kind)
    if not all(_is_number(word) for word in words):
        row.refuse("numbers", f"whole numbers up to {LARGEST_NUMBER}")
    if count is not None and len(words) != count:
        row.refuse("numbers", f"{count} numbers")
    if count is None and len(words) % 2:
        row.refuse("numbers", "points of two numbers each")
    return MapShape(kind, row.text("name"), tuple(int(word) for word in words))


def _is_number(word: str) -> bool:
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= len(str(LARGEST_NUMBER))


def refuse_missing(shapes: Iterable[MapShape[K]], once: Collection[K], file: str, hint: str) -> None:
    """Raise `BadRequest` unless each kind of `once` has exactly one row."""
    kinds = [shape.kind for shape in shapes]
    missing = [kind for kind in once if kinds.count(kind) != 1]
    if missing:
        got = kinds.count(missing[0]) or "none"
        raise BadRequest("data.shapes", f"expected one row {missing[0].value!r} in {file}, got {got}", hint)
