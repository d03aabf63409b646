"""The tables of a home in PostgreSQL, their triggers, and the number of the schema.

A row's number (`rowid`) is given by a trigger: one more than the highest of its game, which is locked; two rows of one
game can never have the same. Texts are compared byte by byte, as SQLite does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator

from pbem.store.agenda import fill_agenda
from pbem.store.postgres.connection import Connection
from pbem.store.tables import TABLES, VERSION, Table

_TYPES = {str: 'text COLLATE "C"', int: "bigint", bytes: "bytea"}


def add_agenda(connection: Connection) -> None:
    """Create the tables of version 3, and have every game looked at."""
    for name, table in TABLES.items():
        if table.since == 3:
            for statement in _statements(name, table):
                connection.change(statement)
    fill_agenda(connection.rows, connection.change)


MIGRATIONS: dict[int, Callable[[Connection], None]] = {2: add_agenda}
"""For each older version, what brings a database of it to the next one; homes in PostgreSQL begin with version 2."""

_APPEND_ONLY = """
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$"""


def create_schema(connection: Connection) -> None:
    """Create every table, index and trigger in the schema that is there; the caller holds the transaction."""
    connection.change(_APPEND_ONLY)
    for name, table in TABLES.items():
        for statement in _statements(name, table):
            connection.change(statement)
    seal_schema(connection, VERSION)


def seal_schema(connection: Connection, version: int) -> None:
    """Note the version and the digest of the schema as it is now."""
    for key, value in (("version", str(version).encode()), ("schema", schema_digest(connection))):
        connection.change(
            "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            key,
            value,
        )


def schema_digest(connection: Connection) -> bytes:
    """Return SHA-256 over tables, columns, indexes, triggers and functions, in words that are every server's."""
    mine = "current_schema()::regnamespace"
    found = [
        connection.rows(query)
        for query in (
            "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull FROM pg_class c"
            f" JOIN pg_attribute a ON a.attrelid = c.oid WHERE c.relnamespace = {mine} AND c.relkind = 'r'"
            " AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attname",
            "SELECT t.relname, c.relname, i.indisunique, i.indisvalid, i.indkey::text FROM pg_index i"
            " JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid"
            f" WHERE t.relnamespace = {mine} AND t.relkind = 'r' ORDER BY t.relname, c.relname",
            "SELECT c.relname, t.tgname, t.tgenabled::text, t.tgtype, p.proname FROM pg_trigger t"
            " JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid"
            f" WHERE c.relnamespace = {mine} AND NOT t.tgisinternal ORDER BY c.relname, t.tgname",
            f"SELECT proname, prosrc FROM pg_proc WHERE pronamespace = {mine} ORDER BY proname",
        )
    ]
    return hashlib.sha256(ascii(found).encode("ascii")).digest()


def _statements(name: str, table: Table) -> Iterator[str]:
    columns = [f"{column} {_TYPES[kind]} NOT NULL" for column, kind in table.columns.items()]
    if table.ordered:
        columns.append("rowid bigint NOT NULL")
    columns.append(f"PRIMARY KEY ({', '.join(table.key)})")
    if table.of_game:
        columns.append("FOREIGN KEY (game_id) REFERENCES games (game_id)")
    columns += [f"UNIQUE ({', '.join(key)})" for key in table.unique]
    numbered = ", ".join((*table.scope(), "rowid"))
    if table.ordered and not table.loose:
        columns.append(f"UNIQUE ({numbered})")
    yield f"CREATE TABLE {name} ({', '.join(columns)})"
    if table.loose:
        yield f"CREATE INDEX {name}_order ON {name} ({numbered})"
    for key in table.sought:
        yield f"CREATE INDEX {name}_{'_'.join(key)} ON {name} ({', '.join(key)})"
    if table.ordered:
        yield from _numbering(name, table)
    if table.append_only:
        yield (
            f"CREATE TRIGGER {name}_no_change BEFORE UPDATE OR DELETE ON {name}"
            " FOR EACH ROW EXECUTE FUNCTION refuse_change()"
        )
        yield (
            f"CREATE TRIGGER {name}_no_truncate BEFORE TRUNCATE ON {name}"
            " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )


def _numbering(name: str, table: Table) -> Iterator[str]:
    within = " AND ".join(f"{column} = NEW.{column}" for column in table.scope()) or "true"
    yield f"""
CREATE FUNCTION number_{name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.rowid := (SELECT coalesce(max(rowid), 0) + 1 FROM {name} WHERE {within});
    RETURN NEW;
END $$"""
    yield f"CREATE TRIGGER {name}_number BEFORE INSERT ON {name} FOR EACH ROW EXECUTE FUNCTION number_{name}()"
