"""Homes and events for the tests of the store: what is not about files runs with SQLite and with PostgreSQL."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres_server import Server
from samples import GAME

from pbem.store import Home, StoredGame

_numbers = itertools.count(1)


def name_database(folder: Path, server: Server, schema: str = "") -> Path:
    """A folder that names a schema of that server, a fresh one if none is given."""
    folder.mkdir(0o700, exist_ok=True)
    text = f'url = "{server.url}"\nschema = "{schema or f"home_{next(_numbers)}"}"\n'
    (folder / "database.toml").write_text(text)
    return folder


def fill(folder: Path) -> Path:
    """Make a home with one game and no events."""
    with Home.create(folder) as home, home.writing() as writer:
        writer.add_game(StoredGame(GAME, "Fall", "westerplatte/1", "german", 100))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A home in SQLite with one game and no events."""
    return fill(tmp_path / "home")


@pytest.fixture
def there(tmp_path: Path, server: Server) -> Path:
    """A home in PostgreSQL with one game and no events."""
    return fill(name_database(tmp_path / "there", server))


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder for a home in either database."""
    folder = tmp_path / "kept"
    if request.param == "postgres":
        name_database(folder, request.getfixturevalue("server"))
    return folder


@pytest.fixture
def kept(place: Path) -> Path:
    """A home in either database with one game and no events."""
    return fill(place)


@pytest.fixture
def home(kept: Path) -> Iterator[Home]:
    with Home.open(kept) as home:
        yield home


def integrity_errors() -> tuple[type[Exception], ...]:
    """What the drivers raise for a broken constraint, which is a bug of the caller."""
    import sqlite3

    import psycopg

    return sqlite3.IntegrityError, psycopg.IntegrityError
