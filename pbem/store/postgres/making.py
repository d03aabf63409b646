"""How a home in a PostgreSQL schema comes into being, and is opened.

The whole home is made in one transaction: it is there or it is not. A schema that is there already is taken if it is
empty, for a user who may make none.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from pbem.errors import BadRequest
from pbem.store.faults import OTHER_TABLES, damaged, home_missing, home_newer
from pbem.store.folder import ADDRESS
from pbem.store.port import PATIENCE_MS
from pbem.store.postgres import schema
from pbem.store.postgres.address import Address, read_address
from pbem.store.postgres.connection import Connection
from pbem.store.tables import TABLES, VERSION

Fill = Callable[[Connection], None]
"""Writes what the home must never be without, inside the transaction that makes it."""


def make(folder: Path, fill: Fill) -> None:
    """Make a new home in the schema that the folder names; BadRequest when there is one already."""
    make_at(read_address(folder / ADDRESS), fill)


def make_at(address: Address, fill: Fill) -> None:
    """Make a new home in a schema; BadRequest when there is one already."""
    with closing(Connection(address)) as connection, connection.writing():
        if not _is_there(connection):
            connection.change(f'CREATE SCHEMA "{address.schema}"')
        if not _is_empty(connection):
            raise BadRequest(
                "home.exists",
                f"expected a schema without tables, got one with them in {address.place!r}",
                f"use it as it is, or name another schema in {ADDRESS}",
            )
        schema.create_schema(connection)
        fill(connection)


def opened(folder: Path, patience_ms: int = PATIENCE_MS) -> Connection:
    """Open the home that the folder names."""
    return opened_at(read_address(folder / ADDRESS), patience_ms)


def opened_at(address: Address, patience_ms: int = PATIENCE_MS) -> Connection:
    """Open the home in a schema; BadRequest when there is none or when it is newer, BadDisk for a damaged one."""
    connection = Connection(address, patience_ms)
    try:
        _check(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def drop(connection: Connection) -> None:
    """Take away a home's tables and all else in its schema, which stays."""
    with connection.writing():
        for name in reversed(tuple(TABLES)):
            connection.change(f"DROP TABLE {name}")
        for (function,) in connection.rows(
            "SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = current_schema()::regnamespace"
        ):
            connection.change(f"DROP FUNCTION {function}")


def is_made(connection: Connection) -> bool:
    """Say whether there is a home in the schema."""
    return connection.rows("SELECT to_regclass(?)", f'"{connection.address.schema}".meta')[0][0] is not None


def _check(connection: Connection) -> None:
    """Say what is wrong with a home before anything is read from it; bring an older one up to date."""
    if not is_made(connection):
        raise home_missing(connection.place)
    version = _version(connection)
    if version > VERSION:
        raise home_newer(connection.place, VERSION, version)
    if version < VERSION:
        with connection.writing():
            for older in range(_version(connection), VERSION):
                schema.MIGRATIONS[older](connection)
            schema.seal_schema(connection, VERSION)
    made = connection.rows("SELECT value FROM meta WHERE key = 'schema'")
    if made != [(schema.schema_digest(connection),)]:
        raise damaged(OTHER_TABLES, connection.place)


def _version(connection: Connection) -> int:
    found = connection.rows("SELECT value FROM meta WHERE key = 'version'")
    if not found or not found[0][0].isdigit():
        raise damaged("it is not marked as a home of pbem", connection.place)
    return int(found[0][0])


def _is_there(connection: Connection) -> bool:
    return bool(connection.rows("SELECT 1 FROM pg_namespace WHERE nspname = ?", connection.address.schema))


def _is_empty(connection: Connection) -> bool:
    within = "SELECT oid FROM pg_namespace WHERE nspname = ?"
    return not connection.rows(f"SELECT 1 FROM pg_class WHERE relnamespace IN ({within})", connection.address.schema)
