"""A schema of a PostgreSQL database as the target of a home that moves (`pbem.store.moving`)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from pbem.store.files import write_atomically
from pbem.store.folder import ADDRESS, ARRIVING, mark
from pbem.store.port import Connection
from pbem.store.postgres import making
from pbem.store.postgres.address import SCHEMA, Address, checked
from pbem.store.postgres.connection import Connection as PostgresConnection


@dataclass(frozen=True, slots=True)
class ToPostgres:
    """A schema, and the folder that will name it."""

    folder: Path
    address: Address

    @classmethod
    def at(cls, folder: Path, url: str, schema: str) -> ToPostgres:
        """BadRequest for a URL that is none or holds a password, or for a name that is no schema's."""
        return cls(folder, checked(url, schema or SCHEMA))

    @property
    def place(self) -> str:
        """Its URL and its name."""
        return self.address.place

    def clear(self, source: str) -> None:
        """Take away a home that did not arrive; another one in the way is refused when this one is made."""
        with closing(PostgresConnection(self.address)) as there:
            if making.is_made(there) and mark(there, ARRIVING) == source:
                making.drop(there)

    def make(self, fill: Callable[[Connection], None]) -> None:
        """Make the schema, or fill an empty one."""
        making.make_at(self.address, fill)

    def open(self) -> Connection:
        """Connect."""
        return making.opened_at(self.address)

    def name(self) -> None:
        """Write the file that names it."""
        write_atomically(self.folder / ADDRESS, self.address.written().encode())
