"""The file that names the database of a home, which no server is asked about (`pbem.store.postgres.address`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.errors import BadRequest
from pbem.store import Home
from pbem.store.postgres.address import checked, read_address

pytest.importorskip("psycopg")

NO_ADDRESS = "database.address: expected a `url` and perhaps a `schema` in '{}', got "
NO_URL = "database.url: expected the URL of a PostgreSQL database, got something else"
NO_SCHEMA = "database.schema: expected a schema's name of at most 63 lower-case letters, digits and underscores, got "


@pytest.mark.parametrize(
    "text",
    [
        'url = "postgresql://anna:hush-hush@db.example.org/pbem"',
        'url = "postgresql://db.example.org/pbem?password=hush-hush"',
        'url = "postgresql://db.example.org/pbem?sslpassword=hush-hush"',
    ],
)
def test_a_password_in_the_file_is_refused_and_not_repeated(tmp_path: Path, text: str) -> None:
    (tmp_path / "database.toml").write_text(text)
    with pytest.raises(BadRequest) as caught:
        Home.open(tmp_path)
    assert (caught.value.code, caught.value.text, caught.value.hint) == (
        "database.password",
        "expected a URL without a password, got one with it",
        "put it into the file that PGPASSFILE names (~/.pgpass), or into PGPASSWORD, and take it out of the URL",
    )


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("url = ", f"{NO_ADDRESS}something else"),
        ("\x00", f"{NO_ADDRESS}something else"),
        ('schema = "anna"', f"{NO_ADDRESS}none"),
        ("url = 5", f"{NO_ADDRESS}none"),
        ('url = "postgresql:///pbem"\npassword = "hush-hush"', f"{NO_ADDRESS}'password'"),
        ('url = "mysql://db.example.org/pbem"', NO_URL),
        ('url = "postgresql://db.example.org/pbem?hush-hush=1"', NO_URL),
        ('url = "dbname=pbem"', NO_URL),
        ('url = "postgresql:///pbem"\nschema = "public"', f"{NO_SCHEMA}'public'"),
        ('url = "postgresql:///pbem"\nschema = "a; DROP"', f"{NO_SCHEMA}'a; DROP'"),
    ],
)
def test_a_file_that_names_no_database_is_refused(tmp_path: Path, text: str, refusal: str) -> None:
    (tmp_path / "database.toml").write_text(text)
    with pytest.raises(BadRequest) as caught:
        Home.open(tmp_path)
    hints = {
        "database.address": 'name the database, such as `url = "postgresql:///pbem"`',
        "database.url": "for example postgresql:///pbem",
        "database.schema": "each home has a schema of its own; not 'public', and none that begins with 'pg_'",
    }
    expected = refusal.format(str(tmp_path / "database.toml"))
    assert (str(caught.value), caught.value.hint) == (expected, hints[caught.value.code])


def test_the_file_that_is_written_is_read_as_the_same(tmp_path: Path) -> None:
    address = checked("postgresql://anna@db.example.org:5433/pbem?sslmode=verify-full", "anna")
    (tmp_path / "database.toml").write_text(address.written())
    assert read_address(tmp_path / "database.toml") == address
