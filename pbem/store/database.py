"""A home: one folder, one database, one owner.

The database is a SQLite file in the folder, or, where the folder holds a file that names it, a schema of a PostgreSQL
database. Left out: which folder is the home (`PBEM_HOME`, XDG), which the command line decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

from pbem.errors import BadDisk, BadRequest
from pbem.store.faults import disk_spoken
from pbem.store.files import make_private
from pbem.store.folder import check_in_use, holds_home, names_database
from pbem.store.port import PATIENCE_MS, Connection, game_lock
from pbem.store.queue import Queue
from pbem.store.reading import Reader
from pbem.store.sqlite import making as sqlite
from pbem.store.writing import Writer

WHOLE_ID = re.compile(r"[0-9a-f]{64}")
"""The id of a game, and no part of one."""


class Home(Reader):
    """An open home: reads at any time, writes inside `writing()`."""

    def __init__(self, folder: Path, connection: Connection, patience_ms: int = PATIENCE_MS) -> None:
        super().__init__(connection)
        self.folder, self._patience_ms = folder, patience_ms

    @classmethod
    def create(cls, folder: Path, fill: Callable[[Writer], None] | None = None) -> Home:
        """Make a new home in `folder` and open it; `fill` writes what it must never be without.

        Where the folder names a PostgreSQL database, the home is made there. BadRequest when there is a home already,
        BadDisk when the machine refuses; then there is no home.
        """
        with disk_spoken("make a home in", folder):
            make_private(folder)
        _make(folder, lambda connection: None if fill is None else fill(Writer(connection)))
        return cls.open(folder)

    @classmethod
    def restore(cls, folder: Path, image: Iterable[bytes], fill: Callable[[Writer], None], origin: str) -> Home:
        """Make a home of an image in `folder`, which is empty or missing, and open it; `fill` writes before it counts.

        `origin` is where the image was kept.

        The image may come from anybody: its tables and triggers must be those of this program, and all its rows hold.
        BadRequest when something is there already or the image is of a newer schema, BadDisk when it does not hold or
        the machine refuses; then everything is as it was before. An `image` that raises passes that on.
        """
        check_vacant(folder)
        sqlite.restore(folder, image, lambda connection: fill(Writer(connection)), origin)
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path, patience_ms: int = PATIENCE_MS) -> Home:
        """Open the home in `folder`; `patience_ms` is how long to wait for other processes.

        BadRequest when there is none, when it is of a newer schema or was moved elsewhere, BadDisk when the machine
        refuses.
        """
        return cls(folder, _opened_in_use(folder, patience_ms), patience_ms)

    def connect_anew(self) -> None:
        """Open its database once more, in the place of a connection that was lost; errors as of `open`."""
        with suppress(BadDisk):
            self.close()
        self._connection = _opened_in_use(self.folder, self._patience_ms)

    @property
    def shared(self) -> bool:
        """Whether several workers can write at once, each at something else: in PostgreSQL, and not in SQLite."""
        return self._connection.shared

    @contextmanager
    def writing(self, game: str = "") -> Iterator[Writer]:
        """Give a writer that holds the write lock; all is stored at the end of the block, or nothing.

        With a `game` (as `Reader.game` takes it) only that one can be written to, and on PostgreSQL only that one is
        locked: workers at different games do not wait for each other. BadRequest when there is no such game.
        """
        game_id = game if WHOLE_ID.fullmatch(game) else self.game(game).game_id if game else ""
        with self._connection.writing(shared=bool(game), game=game_id):
            check_in_use(self._connection)
            if game:
                self.expect_all_of(game_id)
                if (there := self.game(game_id).game_id) != game_id:  # its name looks like an id
                    self._connection.lock(game_lock(game_id := there))
            yield Writer(self._connection, game_id)

    @contextmanager
    def queueing(self) -> Iterator[Queue]:
        """Give what hands mails, deadlines and leases from worker to worker; all is stored at the end, or nothing.

        On PostgreSQL no worker waits here for another one, unless it posts a mail of a game that the other one is at,
        or sets a deadline in it.
        """
        with self._connection.writing(shared=True):
            check_in_use(self._connection)
            yield Queue(self._connection)

    def image(self) -> bytes:
        """Return all of it as the bytes of a SQLite file, as it is at one moment; BadRequest for a huge one."""
        return self._connection.image()

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    def __enter__(self) -> Home:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def opened(folder: Path, patience_ms: int = PATIENCE_MS) -> Connection:
    """Open the database of the home in `folder`, in use or not."""
    if names_database(folder):
        from pbem.store.postgres.making import opened as opened_there

        return opened_there(folder, patience_ms)
    return sqlite.opened(folder, patience_ms)


def _opened_in_use(folder: Path, patience_ms: int) -> Connection:
    connection = opened(folder, patience_ms)
    try:
        check_in_use(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _make(folder: Path, fill: Callable[[Connection], None]) -> None:
    if names_database(folder):
        from pbem.store.postgres.making import make as make_there

        make_there(folder, fill)
    else:
        sqlite.make(folder, fill)


def check_vacant(folder: Path) -> None:
    """Raise BadRequest unless a home can be restored into `folder`: it is missing, or nothing lies in it."""
    with disk_spoken("look into", folder):
        if not folder.exists():
            return
        there = sorted(one.name for one in folder.iterdir() if not sqlite.is_leftover(one)) if folder.is_dir() else []
    if folder.is_dir() and not there:
        return
    found = "a file" if not there else "a home" if holds_home(folder) else f"one with {there[0]!r} in it"
    raise BadRequest(
        "restore.folder",
        f"expected an empty or missing folder to restore into, got {found} at {str(folder)!r}",
        "name another one with --home; a home that is there is never written over",
    )
