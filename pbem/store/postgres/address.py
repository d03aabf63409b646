"""The file in a home's folder that names its database: `database.toml`.

    url = "postgresql://host.example/pbem"
    schema = "home_of_anna"

The URL is libpq's; `schema` may be left out and is "pbem" then. Several homes may share a database, each in a schema of
its own, and workers on several machines may share a home, each with a folder that holds the same file. A password never
stands in the file: libpq takes it from PGPASSFILE, PGPASSWORD or a service file. A pooler between must give a session
to one client for as long as that is connected.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem.errors import BadRequest
from pbem.store.faults import disk_spoken

SCHEMA = "pbem"
_SCHEMA_NAME = re.compile(r"(?!pg_|public$|information_schema$)[a-z_][a-z0-9_]{0,62}")
_URL = re.compile(r"postgres(ql)?://[\x21-\x7e]*")
_MAX_FILE = 10_000
_EXAMPLE = 'such as `url = "postgresql:///pbem"`'


@dataclass(frozen=True, slots=True)
class Address:
    """Where a home lies: a database and a schema in it."""

    url: str
    schema: str = SCHEMA

    @property
    def place(self) -> str:
        """The same in one word, for messages."""
        return f"{self.url}#{self.schema}"

    def written(self) -> str:
        """What the file holds."""
        return f'url = "{self.url}"\nschema = "{self.schema}"\n'


def read_address(path: Path) -> Address:
    """Read the file; BadRequest for one that names no database, or holds a password."""
    with disk_spoken("read", path), path.open("rb") as file:
        data = file.read(_MAX_FILE)
    try:
        found: dict[str, Any] = tomllib.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        raise _no_address(path, "something else") from None
    unknown = sorted(set(found) - {"url", "schema"})
    if unknown:
        raise _no_address(path, f"{unknown[0]!r}")
    url, schema = found.get("url"), found.get("schema", SCHEMA)
    if not isinstance(url, str) or not isinstance(schema, str):
        raise _no_address(path, "none")
    return checked(url, schema)


def checked(url: str, schema: str) -> Address:
    """Return the address; BadRequest for a URL that is none or holds a password, or a name that is no schema's."""
    conninfo = _driver().conninfo
    try:
        parts = conninfo.conninfo_to_dict(url) if _URL.fullmatch(url) and '"' not in url and "\\" not in url else None
    except _driver().Error:
        parts = None
    if parts is None:
        raise BadRequest(
            "database.url",
            "expected the URL of a PostgreSQL database, got something else",
            "for example postgresql:///pbem",
        )
    if {"password", "sslpassword"} & parts.keys():
        raise BadRequest(
            "database.password",
            "expected a URL without a password, got one with it",
            "put it into the file that PGPASSFILE names (~/.pgpass), or into PGPASSWORD, and take it out of the URL",
        )
    if not _SCHEMA_NAME.fullmatch(schema):
        raise BadRequest(
            "database.schema",
            f"expected a schema's name of at most 63 lower-case letters, digits and underscores, got {schema!r}",
            "each home has a schema of its own; not 'public', and none that begins with 'pg_'",
        )
    return Address(url, schema)


def _driver() -> Any:
    from pbem.store.postgres.connection import driver

    return driver()


def _no_address(path: Path, found: str) -> BadRequest:
    text = f"expected a `url` and perhaps a `schema` in {str(path)!r}, got {found}"
    return BadRequest("database.address", text, f"name the database, {_EXAMPLE}")
