"""A SQLite file as the target of a home that moves (`pbem.store.moving`)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from pbem.store.faults import disk_spoken, home_exists
from pbem.store.files import sync_folder
from pbem.store.folder import ADDRESS, ARRIVING, DATABASE, MOVED, aside, mark
from pbem.store.port import Connection
from pbem.store.sqlite import making


@dataclass(frozen=True, slots=True)
class ToSqlite:
    """The file in the folder; one from which the home was moved before is put aside, and so is the database's name."""

    folder: Path

    @property
    def place(self) -> str:
        """Its path."""
        return str(self.folder / DATABASE)

    def clear(self, source: str) -> None:
        """Take away a home that did not arrive, and put aside one that was moved; BadRequest for one in use."""
        path = self.folder / DATABASE
        if not path.exists():
            return
        with closing(making.opened(self.folder)) as there:
            unfinished, moved = mark(there, ARRIVING) == source, mark(there, MOVED)
        if not (unfinished or moved):
            raise home_exists(self.folder)
        with disk_spoken("put aside", path):
            if unfinished:
                path.unlink()
            else:
                path.replace(aside(path))
            sync_folder(self.folder)

    def make(self, fill: Callable[[Connection], None]) -> None:
        """Make the file."""
        making.make(self.folder, fill)

    def open(self) -> Connection:
        """Open the file."""
        return making.opened(self.folder)

    def name(self) -> None:
        """Put the file aside that names another database."""
        path = self.folder / ADDRESS
        with disk_spoken("put aside", path):
            path.replace(aside(path))
            sync_folder(self.folder)
