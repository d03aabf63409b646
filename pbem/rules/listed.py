"""Lists on order sheets: names in a row, cut where they are too many, or wrapped into comment lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def cut(names: Sequence[str], most: int) -> str:
    """Names in a row, the first `most` of them."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def wrapped(start: str, names: Sequence[str], width: int) -> Iterator[str]:
    """A long list as comment lines of about `width` characters."""
    line = f"# {start}"
    for number, name in enumerate(names):
        part = name + ("," if number < len(names) - 1 else "")
        if len(line) + len(part) + 1 > width:
            yield line
            line = "#  "
        line += f" {part}"
    yield line
