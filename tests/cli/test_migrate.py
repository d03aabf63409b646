"""`pbem migrate`: a player's home goes to PostgreSQL and back, and every command works in both."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from postgres_server import Server

from cli.client import Client
from pbem.store import Home

SCHEMA = "home_of_anna"


@pytest.fixture
def anna(tmp_path: Path) -> Client:
    """Anna has proposed a game."""
    client = Client(tmp_path / "anna", tmp_path, "a phrase")
    client.does("init", "--name", "Anna", "--address", "anna@example.org")
    client.does("new", "westerplatte", "--as", "german", "--opponent", "bruno@example.org", "-o", "invitation.eml")
    return client


def test_a_game_goes_on_in_postgres_and_back_in_sqlite(anna: Client, tmp_path: Path, server: Server) -> None:
    before = anna.does("status", "--json").data
    done = anna.does("migrate", "--to", server.url, "--schema", SCHEMA)
    here, there = anna.home / "home.sqlite", f"{server.url}#{SCHEMA}"
    rows = done.out.split(": ")[1].split()[0]
    assert done.out.splitlines() == [
        f"Moved 1 game from {here} to {there}: {rows} rows, all the same in both.",
        "The old home is as it was, and is marked: no command plays on from it, so that you never sign in two places.",
        "Do now: `pbem backup -o FILE`; when you have that, the old one may be deleted.",
    ]
    assert (anna.home / "database.toml").read_text() == f'url = "{server.url}"\nschema = "{SCHEMA}"\n'
    assert anna.does("status", "--json").data == before
    bruno = Client(tmp_path / "bruno", tmp_path, "another phrase")
    bruno.does("init", "--name", "Bruno", "--address", "bruno@example.org")
    bruno.does("accept", "invitation.eml", "-o", "acceptance.eml", "--eml")
    anna.does("import", "acceptance.eml")
    anna.does("backup", "-o", "home.backup")
    restored = Client(tmp_path / "restored", tmp_path, "a phrase")
    restored.does("restore", "home.backup", "--home", "restored")
    assert [one["step"] for one in restored.does("status", "--json").data] == [2]
    anna.does("migrate", "--to-sqlite")
    assert [one["step"] for one in anna.does("status", "--json").data] == [2]


def test_a_home_can_be_made_in_postgres_at_once(tmp_path: Path, server: Server) -> None:
    client = Client(tmp_path / "home", tmp_path, "a phrase")
    client.home.mkdir()
    (client.home / "database.toml").write_text(f'url = "{server.url}"\nschema = "made_at_once"\n')
    client.does("init", "--name", "Anna", "--address", "anna@example.org")
    assert client.does("status").last.startswith("No game yet.")
    assert client.refused("init", "--name", "Anna", "--address", "anna@example.org").startswith("home.exists: ")


def test_a_password_on_the_command_line_is_refused_and_not_repeated(anna: Client) -> None:
    said = anna.refused("migrate", "--to", "postgresql://anna:hush-hush@db.example.org/pbem")
    assert said == (
        "database.password: expected a URL without a password, got one with it\n"
        "hint: put it into the file that PGPASSFILE names (~/.pgpass), or into PGPASSWORD, and take it out of the URL\n"
    )


@pytest.mark.parametrize("words", [(), ("--to", "postgresql:///x", "--to-sqlite"), ("--to-sqlite", "--schema", "x")])
def test_where_to_move_is_said_once(anna: Client, words: tuple[str, ...]) -> None:
    done = anna("migrate", *words)
    assert (done.code, done.err.splitlines()[0]) == (
        2,
        "usage: one of --to URL (with or without --schema) and --to-sqlite is needed",
    )


def test_nothing_is_moved_under_a_worker(anna: Client, server: Server) -> None:
    with Home.open(anna.home) as home, home.queueing() as queue:
        queue.take_lease("agent", "one", 2**40, 60)
    assert anna.refused("migrate", "--to", server.url, "--schema", SCHEMA) == (
        "migrate.at_work: expected a home at which nobody works, got one with 'one' at work\n"
        "hint: stop `pbem serve` and `pbem agent` first; one that was killed counts as gone after a minute\n"
    )
    with Home.open(anna.home) as home, home.queueing() as queue:
        queue.release_lease("agent", "one")
    anna.does("migrate", "--to", server.url, "--schema", "nobody_works")


def test_a_database_that_is_not_there_is_named(anna: Client, server: Server) -> None:
    nowhere = re.sub(r"/[^/?]*(\?|$)", r"/no_such_database\1", server.url, count=1) if "?" in server.url else ""
    nowhere = nowhere or server.url.rpartition("/")[0] + "/no_such_database"
    said = anna.refused("migrate", "--to", nowhere)
    assert said.startswith(f"database.none: expected to open '{nowhere}#pbem', but the server has no database of")
