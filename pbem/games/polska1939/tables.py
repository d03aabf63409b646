"""The game's tables as data, each row with its source: the data files, cell by cell, as their readers took them.

Left out: checks of the cells (`board.py`, `order_of_battle.py`), which come first.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.polska1939.kinds import HINT
from pbem.rules.csv_file import NUMBER, read_lines
from pbem.rules.tables import Source, Table

TITLES: Mapping[str, str] = {
    "combat_result": "Combat results by attacker minus defender and the total of two dice",
    "combat_losses": "Combat losses by strength and the total of two dice",
    "terrain": "Terrain: what it adds to movement, in half points, and to the shift of an attack",
    "constants": "Figures of the rules",
    "units": "Units: strength points, and the factors of headquarters",
    "setup": "Set-up",
    "reinforcements": "Reinforcements and empty trains",
    "withdrawals": "Units that leave",
    "air": "Air units by day",
    "areas": "Areas of the house map",
    "borders": "Borders of the house map",
    "nodes": "Nodes of the house map",
    "regions": "Regions of the house map",
}
"""Every file with a column `source`; its name without `.csv` is the name of the table."""


def all_tables(files: Mapping[str, bytes]) -> tuple[Table, ...]:
    """The tables of those files that are there, in the order of `TITLES`.

    Days are counted from 1 IX, so 35 is 5 X; a column whose cells are all numbers or empty holds integers.
    """
    return tuple(_table(name, files[f"{name}.csv"]) for name in TITLES if f"{name}.csv" in files)


def _table(name: str, content: bytes) -> Table:
    header, *lines = (cells for _, cells in read_lines(f"{name}.csv", content, HINT))
    columns = [_typed(tuple(line[number] for line in lines)) for number in range(len(header))]
    shown = [number for number, title in enumerate(header) if title != "source"]
    return Table(
        name=name,
        title=TITLES[name],
        columns=tuple(header[number] for number in shown),
        rows=tuple(zip(*(columns[number] for number in shown), strict=True)),
        sources=tuple(Source(str(source)) for source in columns[header.index("source")]),
    )


def _typed(cells: tuple[str, ...]) -> tuple[str | int, ...]:
    if all(not cell or NUMBER.fullmatch(cell) for cell in cells):
        return tuple(int(cell) if cell else cell for cell in cells)
    return cells
