"""The tables of a home in SQLite, their triggers, and the number of the schema.

`sqlite-utils` is imported only here, and only to create: it takes longer to import than most commands take.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from functools import partial
from typing import Any

from pbem.store.agenda import fill_agenda
from pbem.store.tables import TABLES, VERSION, Table

APPLICATION_ID = 0x7062656D
"""Marks the file as a home of pbem (`PRAGMA application_id`, the letters "pbem")."""


def create_schema(connection: sqlite3.Connection, version: int = VERSION) -> None:
    """Create every table, index and trigger of a version; the caller holds the transaction."""
    for since in range(1, version + 1):
        add_tables(connection, since)
    for statement in _append_only_triggers():
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    seal_schema(connection, version)


def add_tables(connection: sqlite3.Connection, since: int) -> None:
    """Create the tables that one version brought, with their indexes."""
    from sqlite_utils import Database

    database = Database(connection, recursive_triggers=False, execute_plugins=False)
    for name, table in TABLES.items():
        if table.since == since:
            _add_table(database.table(name), table)


def _add_agenda(connection: sqlite3.Connection) -> None:
    """Create the tables of version 3, and have every game looked at."""
    add_tables(connection, 3)
    fill_agenda(
        lambda query, *values: connection.execute(query, values).fetchall(),
        lambda statement, *values: connection.execute(statement, values),
    )


MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {1: partial(add_tables, since=2), 2: _add_agenda}
"""For each older version, what brings a database of it to the next one."""


def seal_schema(connection: sqlite3.Connection, version: int) -> None:
    """Note the version and the digest of the schema as it is now."""
    connection.execute(f"PRAGMA user_version = {version}")
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('schema', ?)", (schema_digest(connection),))


def schema_digest(connection: sqlite3.Connection) -> bytes:
    """Return SHA-256 over the text of all tables, indexes and triggers in their order."""
    statements = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid")
    return hashlib.sha256(repr(statements.fetchall()).encode()).digest()


def migrate(
    connection: sqlite3.Connection,
    target: int = VERSION,
    migrations: dict[int, Callable[[sqlite3.Connection], None]] = MIGRATIONS,
) -> None:
    """Bring the database to `target`, version by version; the caller holds the transaction."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    for older in range(version, target):
        migrations[older](connection)
    seal_schema(connection, target)


def _add_table(made: Any, table: Table) -> None:
    made.create(
        dict(table.columns),
        pk=table.key[0] if len(table.key) == 1 else table.key,
        not_null=set(table.columns),
        foreign_keys=[("game_id", "games", "game_id")] if table.of_game else [],
        strict=True,
    )
    for key in table.unique:
        made.create_index(key, unique=True)
    for key in table.sought:
        made.create_index(key)


def _append_only_triggers() -> list[str]:
    """Forbid to change and delete, and to replace: `INSERT OR REPLACE` deletes without telling a trigger."""
    same_keys = {
        "games": "game_id = NEW.game_id OR name = NEW.name",
        "events": "game_id = NEW.game_id AND (event_id = NEW.event_id OR (step = NEW.step AND role = NEW.role"
        " AND kind_class = NEW.kind_class AND place = NEW.place))",
        "refused": "game_id = NEW.game_id AND event_id = NEW.event_id",
    }
    statements = []
    for table, same in same_keys.items():
        refuse = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        statements += [
            f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} {refuse}",
            f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {refuse}",
            f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table}"
            f" WHEN EXISTS (SELECT 1 FROM {table} WHERE rowid = NEW.rowid OR {same}) {refuse}",
        ]
    return statements
