"""Passphrases: asked for on a terminal, given by the environment, wrong, missing; and nothing secret is ever shown."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from pbem.app.desk import IDENTITY, Desk
from pbem.store.database import Home

from .client import Client, tables
from .conftest import Players
from .terminal import typed

PHRASE = "eleven grey herons"
ANNA = ("--name", "Anna", "--address", "anna@example.org")
WRONG = (
    "vault.wrong_passphrase: expected the passphrase of this home, got another one\n"
    "hint: give the command again with the right one; mind capitals and the keyboard layout\n"
)
MISSING = (
    "vault.passphrase_needed: expected the passphrase of this home, got none\n"
    "hint: type it when asked, or give it in PBEM_PASSPHRASE\n"
)
NEW = ("new", "westerplatte", "--as", "german", "--opponent", "bruno@example.org", "-o", "inv.txt")


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Client:
    """A home behind a passphrase, made without a terminal."""
    folder = tmp_path_factory.mktemp("locked")
    client = Client(folder / "home", folder, PHRASE)
    client.does("init", *ANNA)
    return client


def test_a_new_passphrase_is_asked_for_twice_and_not_shown(tmp_path: Path) -> None:
    nobody = Client(tmp_path / "home", tmp_path)
    code, seen = typed(nobody, ["init", *ANNA], [PHRASE, PHRASE])
    assert code == 0
    assert [line.strip() for line in seen.splitlines() if line.endswith(": ")] == [
        "Choose a passphrase:",
        "Repeat for confirmation:",
    ]
    assert PHRASE not in seen
    assert Client(nobody.home, tmp_path, PHRASE).does(*NEW).code == 0


def test_who_makes_a_home_is_asked_for_name_and_address(tmp_path: Path) -> None:
    nobody = Client(tmp_path / "home", tmp_path)
    code, seen = typed(nobody, ["init", "--no-passphrase"], ["Anna", "anna@example.org"])
    asked = [line for line in seen.splitlines() if line.endswith(": ")]
    assert (code, asked) == (0, ["Your name, as other players see it: ", "Your e-mail address: "])
    assert f"Made a home for Anna <anna@example.org> in {nobody.home}." in seen.splitlines()


def test_the_passphrase_is_asked_for_when_it_is_needed(locked: Client) -> None:
    asks = Client(locked.home, locked.folder)
    code, seen = typed(asks, ["new", "westerplatte", "--as", "polish", "--opponent", "b@example.org"], ["wrong"])
    assert code == 1
    assert "Passphrase of this home: " in seen
    assert WRONG in seen.replace("\r\n", "\n")
    code, seen = typed(asks, ["status"], [])
    assert (code, seen.count("Passphrase")) == (0, 0)


def test_a_question_for_a_passphrase_can_be_left(locked: Client) -> None:
    before = tables(locked.home)
    code, seen = typed(Client(locked.home, locked.folder), list(NEW), ["\x03"])
    assert code == 1
    assert "interrupted: a change is whole or not made\r\n" in seen
    assert "Traceback" not in seen
    assert tables(locked.home) == before


def test_a_wrong_or_missing_passphrase_changes_nothing(locked: Client) -> None:
    for phrase, expected in (("wrong", WRONG), ("", WRONG), (None, MISSING)):
        assert Client(locked.home, locked.folder, phrase).refused(*NEW) == expected


def test_a_home_is_not_made_without_a_word_about_the_passphrase(tmp_path: Path) -> None:
    nobody = Client(tmp_path / "home", tmp_path)
    assert nobody.refused("init", *ANNA) == (
        "init.passphrase: expected a passphrase for the new home, got nobody to ask\n"
        "hint: set PBEM_PASSPHRASE, or say --no-passphrase\n"
    )
    assert Client(tmp_path / "home", tmp_path, "").refused("init", *ANNA) == (
        "vault.empty_passphrase: expected a passphrase of at least one character, got an empty one\n"
        "hint: choose a passphrase, or say plainly that there is to be none\n"
    )
    assert not (tmp_path / "home").exists() or not any((tmp_path / "home").iterdir())


def test_a_home_without_a_passphrase_is_made_out_loud(tmp_path: Path) -> None:
    said = Client(tmp_path / "home", tmp_path).does("init", *ANNA, "--no-passphrase").out
    assert "WITHOUT a passphrase: whoever reads this disk can sign in your name and read your secrets.\n" in said


def secrets_of(client: Client) -> list[bytes]:
    """Every secret of a home in clear."""
    with Home.open(client.home) as home:
        desk = Desk(home)
        names = [name for (name,) in sqlite3.connect(client.home / "home.sqlite").execute("SELECT name FROM secrets")]
        found = [desk.secret(home, name) or b"" for name in names]
        identity = desk.secret(home, IDENTITY) or b""
    parts = [identity[at : at + 32] for at in range(0, len(identity) - 31)]
    return [secret for secret in (*found, *parts) if len(set(secret)) > 8]


def test_no_secret_of_a_home_is_in_any_output_or_file(dealt_table: Players) -> None:
    """The secrets of a home are read by the test, then looked for in all that the client prints and writes."""
    player, _ = dealt_table.asked()
    secrets = secrets_of(player)
    assert len(secrets) > 3
    player.does("orders", "--submit", "-", stdin=b"pass\n")
    player.does("export", "--all", "-o", "all.eml", "--eml")
    player.does("archive", "-o", "all.pbem")
    printed = [
        player.does(*words).out
        for words in (
            ["status", "--json"],
            ["log", "--json"],
            ["log", "--dsse"],
            ["show", "--json"],
            ["roll", "westerplatte", "4"],
            ["verify", "westerplatte", "--running", "--json"],
            ["export", "--all", "--robust"],
        )
    ]
    everything = "".join(printed).encode() + b"".join(path.read_bytes() for path in player.folder.glob("all.*"))
    assert [secret for secret in secrets if secret in everything or secret.hex().encode() in everything] == []


def test_secrets_lie_encrypted_in_a_private_file(locked: Client) -> None:
    path = locked.home / "home.sqlite"
    assert path.stat().st_mode & 0o077 == 0
    assert PHRASE.encode() not in path.read_bytes()
    assert [name for name, rows in tables(locked.home).items() if PHRASE in repr(rows)] == []
