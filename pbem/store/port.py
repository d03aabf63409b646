"""The port between the store and a database: what SQLite and PostgreSQL each do in their own way.

Everything that is kept, and every statement that is the same in both, is written once, over this port: `Reader`,
`Queue`, `Writer` and `Home`. Statements are in the words that both understand (`?` marks a value, `ON CONFLICT`
replaces a row). A table whose rows have an order has it in the column `rowid`: SQLite's own, and in PostgreSQL a
number within the game, given under the game's lock and unique there, never one from a sequence of the whole database:
that would be handed out before it is known whose transaction is stored first. Left out: how a home comes into being,
which each of them does in a module `making`.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol

PATIENCE_MS = 5000
"""How long a statement waits for another process, in milliseconds."""


class Connection(Protocol):
    """A connection to the database of one home, in autocommit mode; errors of the machine are raised as BadDisk.

    A broken constraint is a bug of the caller and raises the IntegrityError of the database's own driver.
    """

    @property
    def place(self) -> str:
        """Where the home lies, for messages; never with a password."""

    @property
    def shared(self) -> bool:
        """Whether several writers can be at work at once, each at something else."""

    @property
    def held(self) -> str:
        """What a SELECT ends with whose rows nobody else may change before the transaction ends."""

    @property
    def claimed(self) -> str:
        """What a SELECT ends with that holds its rows and passes over those that somebody else holds."""

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Run a query and return all its rows."""

    def change(self, statement: str, *values: object) -> int:
        """Run a statement that changes content, and return of how many rows; RuntimeError outside `writing()`."""

    def put(self, statement: str, *values: object) -> None:
        """Do the same before whatever is read or changed next; where it fails, that or the end of `writing()` does."""

    def ahead(self, statement: str, *values: object) -> None:
        """Say what will be read within `writing()`, so that it may be fetched together with what is read next."""

    def noted(self, rows: list[tuple[Any, ...]], statement: str, *values: object) -> None:
        """Say which rows a query finds behind what was just put, so that nobody has to ask within `writing()`."""

    def reading(self) -> AbstractContextManager[None]:
        """See one state throughout the block, whatever others write meanwhile."""

    def writing(self, *, shared: bool = False, game: str = "") -> AbstractContextManager[None]:
        """Commit at the end of the block, roll back on any exception; RuntimeError inside another one.

        The home is locked against all other writers; `shared` admits those that are shared too, where the database
        can do that, and then what must not happen at once is kept apart by `lock`; that of a `game` is had from the
        beginning on.
        """

    def lock(self, name: str) -> None:
        """Hold the lock of that name until the transaction ends; a database with one writer needs none."""

    def faults(self) -> list[str]:
        """What the database itself finds wrong with its files, one sentence each."""

    def image(self) -> bytes:
        """The whole database as the bytes of a SQLite file, at one moment; BadRequest for a huge one."""

    def close(self) -> None:
        """Close it."""


def game_lock(game_id: str) -> str:
    """The name of the lock under which a game is written to."""
    return f"game {game_id}"
