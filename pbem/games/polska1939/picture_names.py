"""How long a name is on the map, and how it is broken into lines; whole numbers, about right for any plain type."""

from __future__ import annotations

LONGEST_LINE = 11
WIDE, NARROW = "MWmw", "fijlltrI.'- "


def name_lines(name: str) -> tuple[str, ...]:
    """A long name of two words in two lines."""
    return tuple(name.split(" ", 1)) if len(name) > LONGEST_LINE else (name,)


def name_width(text: str, size: int, *, bold: bool = False) -> int:
    """Width of a line in the units of `size`."""
    total = sum(90 if each in WIDE else 36 if each in NARROW else 68 if each.isupper() else 58 for each in text)
    return total * size * (110 if bold else 100) // 10000
