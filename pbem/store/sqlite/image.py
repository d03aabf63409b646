"""A whole database as the bytes of one file: taken by SQLite's online backup, looked at before it is trusted.

Left out: encryption, and the form of a backup file (`pbem.app.backup`); making a home of an image
(`pbem.store.sqlite.making`).
"""

from __future__ import annotations

import sqlite3
from contextlib import closing

from pbem.errors import BadRequest
from pbem.store.faults import damaged
from pbem.store.reading import Reader
from pbem.store.sqlite import schema
from pbem.store.sqlite.connection import Connection

MAX_IMAGE = 1 << 29
"""Bytes of a database that is backed up or restored: 512 MiB, since it is held in memory."""
_FORMAT = slice(18, 20)
"""Write and read version in the header of a database (https://www.sqlite.org/fileformat2.html, section 1.3.3)."""
_ROLLBACK = b"\x01\x01"
"""One that needs no write-ahead log beside it, so that it can be opened in memory too."""

_KEYS = {"games": "game_id", "events": "event_id", "refused": "event_id", "secrets": "name"}
"""What is only ever added to a home: once it is in no copy any more, it is lost."""


def image_of(connection: Connection) -> bytes:
    """Return the database of a connection as it is at one moment, whatever other processes write meanwhile."""
    pages, size = connection.rows("PRAGMA page_count")[0][0], connection.rows("PRAGMA page_size")[0][0]
    if pages * size > MAX_IMAGE:
        raise too_large(pages * size, f"copy the file {str(connection.path)!r} while no pbem command runs")
    with connection.spoken("copy"), closing(sqlite3.connect(":memory:")) as copy:
        connection.raw.backup(copy)
        image = bytearray(copy.serialize())
    image[_FORMAT] = _ROLLBACK
    return bytes(image)


def too_large(size: int, hint: str) -> BadRequest:
    """Return the error for a home of `size` bytes, which no image is made of."""
    text = f"expected a home of at most {MAX_IMAGE >> 20} MiB, got {size >> 20} MiB"
    return BadRequest("backup.too_large", text, hint)


def holds_more(image: bytes, reader: Reader) -> bool:
    """Say whether an image has a game, an event or a secret that a home has not, or is no image that can be read."""
    try:
        with closing(sqlite3.connect(":memory:")) as old:
            old.deserialize(image)
            return any(
                not {one for (one,) in old.execute(f"SELECT {key} FROM {table}")} <= reader.keys(table, key)
                for table, key in _KEYS.items()
            )
    except (sqlite3.Error, UnicodeDecodeError):
        return True


def check_made_here(connection: Connection) -> None:
    """Raise BadDisk unless tables, indexes and triggers are those that this program makes, and no others.

    A database from outside may hold a trigger or a view of somebody's own, which would run with every later change.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        schema.create_schema(made)
        expected = _parts(made)
    with connection.spoken("read"):
        found = _parts(connection.raw)
    if found != expected:
        names = sorted(name for _, name, _, _ in found ^ expected)
        raise damaged(f"its tables or triggers are not those of a home: {', '.join(names[:3])}", connection.path)


def _parts(connection: sqlite3.Connection) -> set[tuple[str, str, str, str]]:
    """Type, name and table of every part of a schema; of what is no table or index, the statement that made it too.

    The statements of tables are left out, since their blanks are those of the library that wrote them.
    """
    found = connection.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema").fetchall()
    return {(kind, name, table, "" if kind in ("table", "index") else sql) for kind, name, table, sql in found}
