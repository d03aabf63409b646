"""The game's tables: its data files."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.white_eagle.kinds import HINT
from pbem.rules.csv_tables import csv_tables
from pbem.rules.tables import Table

TITLES: Mapping[str, str] = {
    "units": "Units: steps, lowest numbers that hit, dice, and the turn that turns a reduced one over",
    "setup": "Set-up",
    "chits": "Chits, and where they are before the first draw",
    "turns": "Turn track",
    "constants": "Figures of the rules",
    "boxes": "Boxes of the house map: victory markers, forts, side of the German/Soviet Line",
    "lines": "Movement lines of the house map",
}
"""Every file with a column `source`; its name without `.csv` is the name of the table."""


def all_tables(files: Mapping[str, bytes]) -> tuple[Table, ...]:
    """The tables of the files in the order of `TITLES`."""
    return csv_tables(files, TITLES, HINT)
