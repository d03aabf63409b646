"""A home kept in order: games put aside, another passphrase, and a question at the terminal that is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from .client import Client, environment, tables
from .conftest import Players
from .terminal import typed
from .test_passphrase import ANNA, WRONG

NEW = ("new", "westerplatte", "--as", "german", "--opponent", "bruno@example.org")
ASIDE = """\
Put aside: westerplatte is no longer listed. Everything of it stays in this home.
Do now: nothing; `pbem status --all` shows it, `pbem forget westerplatte --undo` lists it again.
"""


@pytest.fixture
def proposed(new_table: Players) -> Players:
    new_table.anna.does(*NEW, "-o", "inv.eml")
    return new_table


def test_a_proposal_that_nobody_accepted_is_put_aside(proposed: Players) -> None:
    anna, before = proposed.anna, tables(proposed.anna.home)
    assert anna.does("forget", "westerplatte").out == ASIDE
    assert anna.does("status").out == (
        "No game yet (1 put aside: `pbem status --all`). "
        "Do now: `pbem new GAME …` to propose one, or `pbem accept FILE` to join one.\n"
    )
    assert anna.refused("export") == (
        "game.none: expected a game in this home, got a home without any\n"
        "hint: `pbem new GAME …` proposes one, `pbem accept FILE` joins one; "
        "`pbem status --all` shows those put aside\n"
    )
    said = anna.does("status", "--all").out.splitlines()
    assert said[2] == "  put aside: `pbem forget westerplatte --undo` lists it again"
    (one,) = anna.does("status", "--all", "--json").data
    assert (one["game"], one["aside"]) == ("westerplatte", True)
    assert anna.does("status", "westerplatte").out.splitlines() == said
    after = tables(anna.home)
    assert {name for name in after if after[name] != before[name]} == {"meta"}


def test_what_is_put_aside_is_not_meant_where_no_game_is_named(proposed: Players) -> None:
    anna = proposed.anna
    anna.does("forget", "westerplatte")
    anna.does(*NEW, "--name", "duel", "-o", "duel.eml")
    assert anna.does("export", "-o", "again.eml").last.endswith("[pbem] duel turn 0 german step 1: an invitation")
    assert anna.does("forget", "westerplatte", "--undo").out == (
        "westerplatte is listed again. Do now: `pbem status`.\n"
    )
    assert anna.refused("export").startswith("game.which: expected the name of one of 2 games, got none\n")


def test_an_acceptance_lists_a_game_again(proposed: Players) -> None:
    anna, bruno = proposed
    anna.does("forget", "westerplatte")
    bruno.does("accept", "inv.eml", "-o", "acc.eml")
    anna.does("import", "acc.eml")
    assert anna.status()["aside"] is False


def test_a_game_in_play_is_put_aside_only_if_that_is_said(joined_table: Players) -> None:
    anna = joined_table.anna
    assert anna.refused("forget", "westerplatte") == (
        "forget.in_play: expected a game that nobody accepted, that is over, or that is stopped, got westerplatte, "
        "which is in play\n"
        "hint: `pbem forget westerplatte --anyway` puts it aside; the next turn file that comes lists it again\n"
    )
    assert anna.does("forget", "westerplatte", "--anyway").out == ASIDE


def test_a_game_that_is_over_is_put_aside(shown: Client, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(0o700)
    (home / "home.sqlite").write_bytes((shown.home / "home.sqlite").read_bytes())
    client = Client(home, tmp_path)
    assert client.does("forget", "westerplatte").out == ASIDE
    assert client.does("verify", "westerplatte").last.startswith("Do now: compare the keys in words ")


# ---------------------------------------------------------------------- passphrases


@pytest.fixture
def locked(tmp_path: Path) -> Client:
    client = Client(tmp_path / "home", tmp_path, "old phrase")
    client.does("init", *ANNA)
    return client


def test_a_passphrase_is_changed(locked: Client) -> None:
    new = Client(locked.home, locked.folder, "new phrase")
    with environment({"PBEM_NEW_PASSPHRASE": "new phrase"}):
        assert new.refused("passphrase") == WRONG
        assert locked.does("passphrase").out == (
            "Changed: this home opens with the new passphrase alone.\n"
            "A lost passphrase cannot be recovered: keep a note of it in a safe place.\n"
            "Do now: nothing; a copy of this home that was made before still opens as it did then.\n"
        )
    assert locked.refused(*NEW) == WRONG
    new.does(*NEW, "-o", "inv.eml")


def test_a_passphrase_is_taken_away_and_set(locked: Client) -> None:
    assert locked.does("passphrase", "--no-passphrase").out.splitlines()[0] == (
        "Changed: this home has NO passphrase now: whoever reads this disk can sign in your name."
    )
    Client(locked.home, locked.folder).does(*NEW, "-o", "inv.eml")
    with environment({"PBEM_NEW_PASSPHRASE": "again"}):
        Client(locked.home, locked.folder).does("passphrase")
    assert locked.refused(*NEW, "--name", "second") == WRONG


def test_a_new_passphrase_is_never_guessed(locked: Client) -> None:
    assert locked.refused("passphrase") == (
        "init.passphrase: expected a new passphrase for this home, got nobody to ask\n"
        "hint: set PBEM_NEW_PASSPHRASE, or say --no-passphrase\n"
    )
    with environment({"PBEM_NEW_PASSPHRASE": ""}):
        assert locked.refused("passphrase").startswith("vault.empty_passphrase: ")


def test_a_new_passphrase_is_typed_twice(locked: Client) -> None:
    asks = Client(locked.home, locked.folder)
    code, seen = typed(asks, ["passphrase"], ["old phrase", "new phrase", "new phrase"])
    assert (code, seen.count("Passphrase of this home: "), seen.count("Repeat for confirmation: ")) == (0, 1, 1)
    Client(locked.home, locked.folder, "new phrase").does(*NEW, "-o", "inv.eml")


def test_a_home_that_is_not_made_is_told_as_that(tmp_path: Path) -> None:
    nobody = Client(tmp_path / "home", tmp_path)
    code, seen = typed(nobody, ["init", *ANNA], ["\x03"])
    assert code == 1
    assert seen.splitlines()[-2:] == [
        "interrupted: a change is whole or not made",
        "hint: there is no home yet: `pbem init` makes one",
    ]
    assert not nobody.home.exists()
