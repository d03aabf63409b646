"""What lies in the folder of a home: the database itself, or a file that names it; and marks of a home on the move."""

from __future__ import annotations

from pathlib import Path

from pbem.errors import BadRequest
from pbem.store.faults import disk_spoken
from pbem.store.port import Connection

DATABASE = "home.sqlite"
ADDRESS = "database.toml"
"""The file that names a PostgreSQL database (`pbem.store.postgres.address`)."""
MOVED, ARRIVING = "moved", "arriving"
"""A home with one of these in its table `meta` is not in use: it is somewhere else by now, or is not whole yet."""
IN_USE = (MOVED, ARRIVING)
MARKS = f"SELECT key, value FROM meta WHERE key IN ('{MOVED}', '{ARRIVING}')"
_ASIDE = ".moved"


def names_database(folder: Path) -> bool:
    """Say whether a folder names a PostgreSQL database."""
    with disk_spoken("open", folder / ADDRESS):
        return (folder / ADDRESS).exists()


def holds_home(folder: Path) -> bool:
    """Say whether there is a home in a folder."""
    return any((folder / name).exists() for name in (DATABASE, ADDRESS))


def aside(path: Path) -> Path:
    """Return a name beside a file that nothing has."""
    names = (path.with_name(f"{path.name}{_ASIDE}{number or ''}") for number in range(1000))
    return next(name for name in names if not name.exists())


def mark(connection: Connection, key: str) -> str:
    """Return the place that a mark names, empty when the home has no such mark."""
    found = connection.rows("SELECT value FROM meta WHERE key = ?", key)
    return found[0][0].decode() if found else ""


def set_mark(connection: Connection, key: str, place: str) -> None:
    """Mark a home that has no such mark."""
    connection.change("INSERT INTO meta (key, value) VALUES (?, ?)", key, place.encode())


def check_in_use(connection: Connection) -> None:
    """Raise BadRequest where the home is kept somewhere else by now, or not here yet: two homes must not sign."""
    for key, value in connection.rows(MARKS):
        raise not_in_use(connection.place, key, value.decode())


def not_in_use(place: str, key: str, other: str) -> BadRequest:
    """Return the error for a home with a mark."""
    if key == MOVED:
        return BadRequest(
            "home.moved",
            f"expected a home that is in use, got {place!r}, which was moved to {other!r}",
            "the home goes on there and must not be used in two places; `pbem migrate` ends a move that was cut off",
        )
    return BadRequest(
        "home.arriving",
        f"expected a home that is in use, got {place!r}, to which {other!r} was being moved",
        "that was cut off: give the same `pbem migrate` again",
    )
