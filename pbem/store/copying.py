"""All rows of a home from one database into another, and whether they are the same in both.

Rows are copied as they are, with their digests and tallies, so that whoever reads them there finds what is wrong.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import closing

from pbem.log.enumeration import counted
from pbem.store.faults import damaged
from pbem.store.port import Connection
from pbem.store.queue import OWN_META
from pbem.store.tables import TABLES, Table


def copy_rows(source: Connection, target: Connection) -> None:
    """Add every row of `source` to `target`, which has empty tables; the caller holds the transactions."""
    for name, table in TABLES.items():
        columns = tuple(table.columns)
        marks = ", ".join("?" * len(columns))
        add = f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({marks})"
        for row in _rows(source, name, table):
            target.change(add, *row)


def check_same(source: Connection, target: Connection) -> int:
    """Return how many rows both have; BadDisk when a row of one is not in the other, or in another order."""
    total = 0
    for name, table in TABLES.items():
        (rows, here), (copied, there) = _fingerprint(source, name, table), _fingerprint(target, name, table)
        if (rows, here) != (copied, there):
            sent = counted(rows, f"row of {name!r} was copied", f"rows of {name!r} were copied")
            raise damaged(f"{sent} and {counted(copied, 'is there', 'are there')}, or others", target.place)
        total += rows
    return total


def image_of(connection: Connection, size: int) -> bytes:
    """Return a SQLite database with the rows of another one, of about `size` bytes; BadRequest for a huge one."""
    from pbem.store.sqlite.connection import Connection as SqliteConnection
    from pbem.store.sqlite.image import MAX_IMAGE, image_of, too_large
    from pbem.store.sqlite.schema import create_schema

    if size > MAX_IMAGE:
        raise too_large(size, "back it up with the means of PostgreSQL (`pg_dump --schema`)")
    with closing(SqliteConnection.in_memory()) as copy:
        with copy.writing(), connection.reading():
            create_schema(copy.raw)
            copy_rows(connection, copy)
        return image_of(copy)


def _fingerprint(connection: Connection, name: str, table: Table) -> tuple[int, bytes]:
    """How many rows a table has, and a hash over them in their order."""
    count, reached = 0, hashlib.sha256()
    for row in _rows(connection, name, table):
        count += 1
        reached.update(ascii(row).encode("ascii"))
    return count, reached.digest()


def _order(table: Table) -> tuple[str, ...]:
    """The columns that give the rows of a table the same order in both; numbers are those of a game."""
    if table.loose:
        return (*table.scope(), "rowid", *table.key)
    return ("rowid",) if table.ordered else table.key


def _rows(connection: Connection, name: str, table: Table) -> Iterator[tuple[object, ...]]:
    """The rows of a table in their order, of one game after the other; what a database says of itself is left out."""
    query = f"SELECT {', '.join(table.columns)} FROM {name}"
    order = " ORDER BY " + ", ".join(_order(table))
    if name == "meta":
        yield from (row for row in connection.rows(query + order) if row[0] not in OWN_META)
    elif table.of_game:
        for (game_id,) in connection.rows("SELECT game_id FROM games ORDER BY game_id"):
            yield from connection.rows(f"{query} WHERE game_id = ?{order}", game_id)
    else:
        yield from connection.rows(query + order)
