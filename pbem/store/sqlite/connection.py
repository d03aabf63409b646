"""One connection to the database: settings that are read back, transactions, and errors in words.

Every statement of the store goes through `rows` or `run`, so that no other file meets an error of SQLite.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pbem.errors import BadDisk
from pbem.store.faults import database_fault
from pbem.store.port import PATIENCE_MS

Settings = tuple[tuple[str, int], ...]

SETTINGS: Settings = (
    ("foreign_keys", 1),
    ("synchronous", 2),
    ("trusted_schema", 0),
    ("recursive_triggers", 1),
    ("secure_delete", 1),
    ("cell_size_check", 1),
    ("fullfsync", 1),
    ("wal_autocheckpoint", 200),
    ("journal_size_limit", 1 << 20),
)
"""`synchronous` 2 is FULL; a short write-ahead log is soon checked at the next opening."""


class Connection:
    """A connection in autocommit mode; transactions are opened by name."""

    shared = False
    held = claimed = ""

    def __init__(
        self, path: Path, patience_ms: int = PATIENCE_MS, vfs: str = "", settings: Settings = SETTINGS
    ) -> None:
        """Open an existing file; `vfs` names another file layer of SQLite, `settings` are pragmas.

        BadDisk when it cannot be opened or a setting is refused.
        """
        self.path = path
        address = f"{path.absolute().as_uri()}?mode=rw" + (f"&vfs={vfs}" if vfs else "")
        with self.spoken("open"):
            self.raw = sqlite3.connect(address, timeout=patience_ms / 1000, isolation_level=None, uri=True)
        try:
            self._settle(settings)
        except BaseException:
            self.raw.close()
            raise

    @classmethod
    def in_memory(cls) -> Connection:
        """An empty database that is never on a disk."""
        made = cls.__new__(cls)
        made.path, made.raw = Path(":memory:"), sqlite3.connect(":memory:", isolation_level=None)
        return made

    @property
    def place(self) -> str:
        """The path of the file."""
        return str(self.path)

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Run a query and return all its rows."""
        with self.spoken("read"):
            return self.raw.execute(statement, values).fetchall()

    def run(self, statement: str, *values: object) -> int:
        """Run a statement without rows; how many rows it changed."""
        with self.spoken("write to"):
            return self.raw.execute(statement, values).rowcount

    def change(self, statement: str, *values: object) -> int:
        """Run a statement that changes content; RuntimeError outside `writing()`."""
        if not self.raw.in_transaction:
            raise RuntimeError("a writer is used after its transaction")
        return self.run(statement, *values)

    def put(self, statement: str, *values: object) -> None:
        """The same; nothing is gained by waiting."""
        self.change(statement, *values)

    def ahead(self, statement: str, *values: object) -> None:
        """Nothing: no question is long on its way."""

    def noted(self, rows: list[tuple[Any, ...]], statement: str, *values: object) -> None:
        """Nothing: what was put is read back quickly."""

    @contextmanager
    def reading(self) -> Iterator[None]:
        """See one state throughout the block, whatever others write meanwhile."""
        if self.raw.in_transaction:
            yield
            return
        self.run("BEGIN")
        try:
            yield
        finally:
            self.roll_back()

    @contextmanager
    def writing(self, *, shared: bool = False, game: str = "") -> Iterator[None]:  # noqa: ARG002 - one writer at a time
        """Hold the write lock; commit at the end, roll back on any exception.

        The lock is taken at once: a transaction that begins as a reader may fail when it first writes, whatever
        its patience.
        """
        if self.raw.in_transaction:
            raise RuntimeError("a transaction is open already")
        try:
            self.run("BEGIN IMMEDIATE")
            yield
            self.run("COMMIT")
        except BaseException:
            self.roll_back()
            raise

    def roll_back(self) -> None:
        """End the open transaction, if SQLite has not ended it by itself."""
        if self.raw.in_transaction:
            self.run("ROLLBACK")

    def lock(self, name: str) -> None:
        """Nothing: whoever writes has the whole database to himself."""

    def faults(self) -> list[str]:
        """What SQLite finds wrong: pages, indexes, and rows that refer to nothing."""
        found = [str(row[0]) for row in self.rows("PRAGMA integrity_check") if row[0] != "ok"]
        return found + [f"a row of {row[0]} belongs to no game" for row in self.rows("PRAGMA foreign_key_check")]

    def image(self) -> bytes:
        """The database as it is at one moment, whatever other processes write meanwhile."""
        from pbem.store.sqlite.image import image_of

        return image_of(self)

    def use_write_ahead_log(self) -> None:
        """Switch to WAL, and read back that it was done: a refusal is silent otherwise."""
        mode = self.rows("PRAGMA journal_mode = WAL")[0][0]
        if mode != "wal":
            raise BadDisk(
                "database.no_wal",
                f"expected {str(self.path)!r} to be kept with a write-ahead log, but the file system left it in mode "
                f"{mode!r}",
                "put the home on a local disk (PBEM_HOME); network folders do not keep a database safe",
            )

    def close(self) -> None:
        """Close; the last to leave moves the write-ahead log into the database."""
        with self.spoken("close"):
            self.raw.close()

    def _settle(self, settings: Settings) -> None:
        for name, value in settings:
            self.rows(f"PRAGMA {name} = {value}")
            found = self.rows(f"PRAGMA {name}")
            if found != [(value,)]:
                raise BadDisk(
                    "database.setting_refused",
                    f"expected SQLite to take `PRAGMA {name} = {value}`, got {found!r} from SQLite "
                    f"{sqlite3.sqlite_version}",
                    "use a Python with SQLite 3.37 or later",
                )

    @contextmanager
    def spoken(self, deed: str) -> Iterator[None]:
        """Put errors of SQLite into words; a broken constraint or a wrong call is a bug and passes.

        A message or a text of a damaged file may be no UTF-8, which Python reports as an error of its own.
        """
        try:
            yield
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.InterfaceError):
            raise
        except (sqlite3.Error, UnicodeDecodeError, MemoryError) as error:
            raise database_fault(error, deed, self.path) from error
