"""COMBAT RESULT and COMBAT LOSSES: rows by strength, a column for each total of two dice (5.2.1, 5.4.1)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NoReturn, TypeVar

from pbem.rules.csv_file import Row

TOTALS = range(2, 13)
"""What two dice can show."""
BANDS = ("row", "lowest", "highest", *(str(total) for total in TOTALS), "source", "note")
RESULT = re.compile(r"(?:D([0-9])(?:\(-([0-9])\))?(R)?)?(?:A(?:\(-([0-9])\))?(R)?)?")
Cell = TypeVar("Cell")


@dataclass(frozen=True, slots=True)
class CombatResult:
    """A cell of the result table: `D1(-2)R` is retreat 1, loss 2 and reorganization, all of the defender.

    `retreat` is in areas, losses are in strength points; `D1AR` lets the attacker reorganize.
    """

    text: str
    retreat: int
    defender_loss: int
    defender_reorganizes: bool
    attacker_loss: int
    attacker_reorganizes: bool


@dataclass(frozen=True, slots=True)
class BandedTable(Generic[Cell]):
    """Rows from the highest values to the lowest, and a column for each total of two dice.

    `lowest` holds the lowest value of each row; beyond the ends the first and the last row go on.
    """

    labels: tuple[str, ...]
    lowest: tuple[int, ...]
    cells: tuple[tuple[Cell, ...], ...]

    def row_of(self, value: int) -> int:
        """The row of a difference or a strength, from 0 at the top."""
        return next((row for row, low in enumerate(self.lowest) if value >= low), len(self.lowest) - 1)

    def cell(self, row: int, total: int) -> Cell:
        """The cell for a total of two dice; a row shifted past an end is the row at that end."""
        return self.cells[min(max(row, 0), len(self.cells) - 1)][TOTALS.index(total)]


class ResultTable(BandedTable[CombatResult]):
    """Rows by attacker minus defender (5.2.1)."""

    __slots__ = ()


class LossTable(BandedTable[int]):
    """Rows by strength; cells are the strength points that the other side loses (5.4.1)."""

    __slots__ = ()


def read_bands(
    rows: tuple[Row, ...], read: Callable[[Row, str], Cell]
) -> tuple[tuple[str, ...], tuple[int, ...], tuple[tuple[Cell, ...], ...]]:
    """Labels, lowest values and cells of rows that follow each other without a gap."""
    lowest: list[int] = []
    for row in rows:
        if row.cells["highest"] != (str(lowest[-1] - 1) if lowest else ""):
            row.refuse("highest", str(lowest[-1] - 1) if lowest else "nothing in the first row")
        if lowest and row is rows[-1] and not row.cells["lowest"]:
            lowest.append(lowest[-1] - 1)
        else:
            lowest.append(row.number("lowest", -999, lowest[-1] - 1 if lowest else 999))
    cells = tuple(tuple(read(row, str(total)) for total in TOTALS) for row in rows)
    return tuple(row.name("row") for row in rows), tuple(lowest), cells


def read_result(row: Row, column: str) -> CombatResult:
    text = row.cells[column]
    found = RESULT.fullmatch("" if text == "-" else text or "?")
    if found is None:
        _no_result(row, column)
    retreat, defender, defender_again, attacker, attacker_again = found.groups()
    if "A" in text and not (attacker or attacker_again):
        _no_result(row, column)
    return CombatResult(
        text=text,
        retreat=int(retreat or 0),
        defender_loss=int(defender or 0),
        defender_reorganizes=defender_again is not None,
        attacker_loss=int(attacker or 0),
        attacker_reorganizes=attacker_again is not None,
    )


def _no_result(row: Row, column: str) -> NoReturn:
    row.refuse(column, "a result such as D1(-2)R, D1AR, A(-1)R or -")
