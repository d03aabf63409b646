"""Counts and lists in a text for players: one thing is one, and a list is cut before it cannot be read any more."""

from __future__ import annotations

from collections.abc import Sequence

MOST_LISTED = 8
"""Things that a sentence names one by one."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 event`, `2 events`; the plural where it is not the noun with an `s`: `1 die`, `2 dice`."""
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"


def enumerated(items: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`; empty for none."""
    return f" {last} ".join((", ".join(items[:-1]), items[-1])) if items[1:] else "".join(items)


def cut(items: Sequence[str], most: int = MOST_LISTED) -> str:
    """`a, b, c`, and of more than `most` the first: `a, b and 3 more`."""
    named, more = ", ".join(items[:most]), len(items) - most
    return f"{named} and {more} more" if more > 0 else named
