"""A game's tables as data, each row with its source: the data files, cell by cell, as their readers took them.

Left out: checks of the cells, which a game's own readers make first.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.rules.csv_file import NUMBER, read_lines
from pbem.rules.tables import Source, Table


def csv_tables(files: Mapping[str, bytes], titles: Mapping[str, str], hint: str) -> tuple[Table, ...]:
    """The tables of those files that are there, in the order of `titles`, whose keys are names without `.csv`.

    Each file has a column `source`. A column whose cells are all numbers or empty holds integers.
    """
    found = [(name, title) for name, title in titles.items() if f"{name}.csv" in files]
    return tuple(_table(name, title, read_lines(f"{name}.csv", files[f"{name}.csv"], hint)) for name, title in found)


def _table(name: str, title: str, lines: list[tuple[int, list[str]]]) -> Table:
    (_, header), *rest = lines
    columns = [_typed(tuple(line[number] for _, line in rest)) for number in range(len(header))]
    shown = [number for number, heading in enumerate(header) if heading != "source"]
    return Table(
        name=name,
        title=title,
        columns=tuple(header[number] for number in shown),
        rows=tuple(zip(*(columns[number] for number in shown), strict=True)),
        sources=tuple(Source(str(source)) for source in columns[header.index("source")]),
    )


def _typed(cells: tuple[str, ...]) -> tuple[str | int, ...]:
    if all(not cell or NUMBER.fullmatch(cell) for cell in cells):
        return tuple(int(cell) if cell else cell for cell in cells)
    return cells
