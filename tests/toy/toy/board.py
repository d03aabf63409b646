"""The toy's picture and tables."""

from __future__ import annotations

from pbem.rules.picture import Counter, Picture, Place, Shape, Stack
from pbem.rules.tables import Table
from toy.state import SIDES, Army, Data, State

_BANKS = (("north", 0), ("ford", 600), ("south", 1200))


def picture(title: str, state: State | None) -> Picture:
    """Two banks and the ford between them, with a counter a side."""
    shapes = tuple(
        Shape(
            "water" if name == "ford" else "land",
            ((0, y), (1000, y), (1000, y + 600), (0, y + 600)),
            place=name,
        )
        for name, y in _BANKS
    )
    places = tuple(
        Place(
            name,
            f"{name} bank" if name != "ford" else "the ford",
            "area",
            "open",
            (500, y + 100),
            (500, y + 350),
        )
        for name, y in _BANKS
    )
    stacks = tuple(Stack(role, (_counter(state.army(role)),)) for role in SIDES) if state else ()
    subtitle = f"turn {state.turn} of {state.turns}" if state else ""
    return Picture(title, subtitle, 1000, 1800, shapes, places, counters=stacks)


def _counter(army: Army) -> Counter:
    return Counter(army.role, army.role.title(), army.role, "infantry", str(army.supply), note=f"{army.points} points")


def tables(data: Data) -> tuple[Table, ...]:
    """Every data file as a table."""
    return tuple(_table(name.removesuffix(".csv"), rows) for name, rows in data.rows.items())


def _table(name: str, rows: tuple[dict[str, str], ...]) -> Table:
    columns = tuple(column for column in rows[0] if column != "source")
    cells = tuple(tuple(_cell(row[column]) for column in columns) for row in rows)
    return Table(name, name.title(), columns, cells, tuple("house" for _ in rows))


def _cell(text: str) -> str | int:
    return int(text) if text.isdigit() else text
