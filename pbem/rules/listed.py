"""Lists on order sheets: names in a row, wrapped into comment lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


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
