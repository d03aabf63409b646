"""Moving a home between SQLite and PostgreSQL: both have it for a while, and never may both sign.

1. The new one is made whole, marked as arriving: nobody opens it. No writer is at the old one meanwhile.
2. All rows of both are compared, and the new one is read as a whole, with all digests and tallies.
3. The old one is marked as moved, and nobody opens it any more; whoever has it open already is told when writing.
4. The mark of the new one goes, and the folder names it.

A move that is cut off before step 3 leaves the old home in use, and the next one begins anew; one that is cut off later
leaves none in use, and the next one ends it. Nothing else of the old one is changed, and nothing of it is deleted.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pbem.errors import BadRequest
from pbem.store.copying import check_same, copy_rows
from pbem.store.database import opened
from pbem.store.faults import damaged
from pbem.store.folder import ARRIVING, MOVED, mark, names_database, not_in_use, set_mark
from pbem.store.port import Connection
from pbem.store.reading import Reader


@dataclass(frozen=True, slots=True)
class Moved:
    """How many rows were compared, of how many games, and between which places."""

    rows: int
    games: int
    old: str
    new: str


class Target(Protocol):
    """Where a home moves to."""

    @property
    def place(self) -> str:
        """Its name in the mark of the old one."""

    def clear(self, source: str) -> None:
        """Take away what a move from `source` that was cut off has left; BadRequest for anything else in the way."""

    def make(self, fill: Callable[[Connection], None]) -> None:
        """Make it whole, with what `fill` writes, or not at all."""

    def open(self) -> Connection:
        """Open it."""

    def name(self) -> None:
        """Let the folder name it, and no other."""


def move(folder: Path, url: str = "", schema: str = "", now: int = 0) -> Moved:
    """Move the home in `folder` to the PostgreSQL database of that URL, or to SQLite when none is given.

    With `now` (seconds since 1970) nothing is moved under somebody who works there.

    BadRequest when it is kept so already or something is in the way, BadDisk when it is damaged, or the machine or the
    server refuses; see above for what is in use then.
    """
    folder = folder.absolute()
    _check_way(folder, to_postgres=bool(url))
    return move_to(folder, _target(folder, url, schema), now)


def move_to(folder: Path, target: Target, now: int = 0) -> Moved:
    """Move the home in `folder`, an absolute path, to a target: the steps above, or those that are left of them."""
    with closing(opened(folder)) as source:
        moved = mark(source, MOVED)
        if not moved:
            _copy(source, target, now)
        elif moved != target.place:
            raise not_in_use(source.place, MOVED, moved)
        with closing(target.open()) as there:
            done = Moved(check_same(source, there), len(Reader(there).games()), source.place, target.place)
            with there.writing():
                there.change("DELETE FROM meta WHERE key = ?", ARRIVING)
        target.name()
        return done


def _copy(source: Connection, target: Target, now: int) -> None:
    """Steps 1 to 3."""

    def fill(connection: Connection) -> None:
        copy_rows(source, connection)
        set_mark(connection, ARRIVING, source.place)

    with source.writing():
        _check_idle(source, now)
        _check_whole(source)
        target.clear(source.place)
        target.make(fill)
        with closing(target.open()) as there:
            check_same(source, there)
            _check_whole(there)
        set_mark(source, MOVED, target.place)


def _check_idle(connection: Connection, now: int) -> None:
    """BadRequest while a worker lives at a home; one that was killed has nothing any more when its lease has ended."""
    leases = Reader(connection).leases(now) if now else ()
    if leases:
        raise BadRequest(
            "migrate.at_work",
            f"expected a home at which nobody works, got one with {leases[0].worker!r} at work",
            "stop `pbem serve` and `pbem agent` first; one that was killed counts as gone after a minute",
        )


def _check_whole(connection: Connection) -> None:
    for damage in Reader(connection).damages():
        raise damaged(damage, connection.place)


def _check_way(folder: Path, *, to_postgres: bool) -> None:
    if names_database(folder) == to_postgres:
        kept = "PostgreSQL" if to_postgres else "SQLite"
        text = f"expected a home that is not kept in {kept}, got one that is, in {str(folder)!r}"
        raise BadRequest("migrate.there", text, "it is there already: `pbem status` says what to do now")


def _target(folder: Path, url: str, schema: str) -> Target:
    if url:
        from pbem.store.postgres.moving import ToPostgres

        return ToPostgres.at(folder, url, schema)
    from pbem.store.sqlite.moving import ToSqlite

    return ToSqlite(folder)
