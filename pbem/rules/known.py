"""What is made of a game's data once: the same object for the same data, of which the latest few are remembered.

Data are compared by what they are, not by what they say: they are large, and each game in play has one object of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

D = TypeVar("D")
M = TypeVar("M")


class Known(Generic[D, M]):
    """A function of data that remembers what it has made of the `most` latest ones."""

    def __init__(self, make: Callable[[D], M], most: int) -> None:
        self._make, self._most = make, most
        self._known: list[tuple[D, M]] = []

    def __call__(self, data: D) -> M:
        """What was made of these data."""
        for of, known in self._known:
            if of is data:
                return known
        made = self._make(data)
        self._known[:] = [(data, made), *self._known[: self._most - 1]]
        return made
