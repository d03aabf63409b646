"""Tables as data: every figure with where it comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Source(StrEnum):
    """Where a figure comes from: the rulebook, a reading of it, or this house."""

    PRINTED = "printed"
    INFERRED = "inferred"
    HOUSE = "house"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text and integers under columns; each row ends with the source that its last column names."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int, ...], ...]
    sources: tuple[Source, ...]

    def as_data(self) -> dict[str, object]:
        """The table for `--json`."""
        rows = [
            {**dict(zip(self.columns, row, strict=True)), "source": source}
            for row, source in zip(self.rows, self.sources, strict=True)
        ]
        return {"name": self.name, "title": self.title, "rows": rows}


def count_sources(tables: Iterable[Table]) -> dict[Source, int]:
    """How many rows are printed, inferred and house."""
    counted = Counter(source for table in tables for source in table.sources)
    return {source: counted[source] for source in Source}
