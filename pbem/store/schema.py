"""The tables of a home, their triggers, and the number of the schema.

`sqlite-utils` is imported only here, and only to create: it takes longer to import than most commands take.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from typing import Any

VERSION = 1
"""The schema that this program writes and reads (`PRAGMA user_version`)."""
APPLICATION_ID = 0x7062656D
"""Marks the file as a home of pbem (`PRAGMA application_id`, the letters "pbem")."""

MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {}
"""For each older version, what brings a database of it to the next one."""

_GAME = ("game_id", "games", "game_id")

_TABLES: dict[str, dict[str, Any]] = {
    "meta": {"columns": {"key": str, "value": bytes}, "pk": "key"},
    "games": {
        "columns": {"game_id": str, "name": str, "ruleset": str, "role": str, "created": int, "digest": bytes},
        "pk": "game_id",
    },
    "events": {
        "columns": {
            "game_id": str,
            "step": int,
            "role": str,
            "kind": str,
            "kind_class": str,
            "place": int,
            "event_id": str,
            "arrived": int,
            "digest": bytes,
            "line": bytes,
        },
        "pk": ("game_id", "event_id"),
        "foreign_keys": [_GAME],
    },
    "refused": {
        "columns": {
            "game_id": str,
            "event_id": str,
            "code": str,
            "text": str,
            "arrived": int,
            "digest": bytes,
            "line": bytes,
        },
        "pk": ("game_id", "event_id"),
        "foreign_keys": [_GAME],
    },
    "tallies": {"columns": {"scope": str, "rows": int, "digest": bytes}, "pk": "scope"},
    "secrets": {"columns": {"name": str, "ciphertext": bytes}, "pk": "name"},
    "snapshots": {
        "columns": {"game_id": str, "step": int, "key": str, "digest": bytes, "state": bytes},
        "pk": ("game_id", "step", "key"),
        "foreign_keys": [_GAME],
    },
    "status": {
        "columns": {"game_id": str, "head": str, "digest": bytes, "json": bytes},
        "pk": "game_id",
        "foreign_keys": [_GAME],
    },
    "drafts": {
        "columns": {"game_id": str, "name": str, "digest": bytes, "text": str},
        "pk": ("game_id", "name"),
        "foreign_keys": [_GAME],
    },
}

_UNIQUE: dict[str, tuple[str, ...]] = {
    "games": ("name",),
    "events": ("game_id", "step", "role", "kind_class", "place"),
}


def create_schema(connection: sqlite3.Connection) -> None:
    """Create every table, index and trigger; the caller holds the transaction."""
    from sqlite_utils import Database

    database = Database(connection, recursive_triggers=False, execute_plugins=False)
    for name, table in _TABLES.items():
        database.create_table(name, not_null=set(table["columns"]), strict=True, **table)
    for name, key in _UNIQUE.items():
        database.table(name).create_index(key, unique=True)
    for statement in _append_only_triggers():
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    seal_schema(connection, VERSION)


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
