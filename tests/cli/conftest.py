"""Players and games for the tests of the client. Games are played once and copied, since playing takes longer."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from .client import Client
from .motions import mailed


class Players(NamedTuple):
    """Anna plays the Germans, Bruno the Poles; they work in one folder, where the mails lie."""

    anna: Client
    bruno: Client

    def copied(self, folder: Path) -> Players:
        """The same two homes in another folder, with every file that lies beside them."""
        shutil.copytree(self.anna.folder, folder)
        return Players(*(Client(folder / one.home.name, folder) for one in self))

    def asked(self) -> tuple[Client, Client]:
        """Who is to decide, and the other one."""
        return (self.anna, self.bruno) if self.anna.asked() else (self.bruno, self.anna)


def new_players(folder: Path) -> Players:
    folder.mkdir()
    anna, bruno = Client(folder / "anna", folder), Client(folder / "bruno", folder)
    anna.does("init", "--name", "Anna", "--address", "anna@example.org", "--no-passphrase")
    bruno.does("init", "--name", "Bruno", "--address", "bruno@example.org", "--no-passphrase")
    return Players(anna, bruno)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Players:
    """Two homes without a game."""
    return new_players(tmp_path_factory.mktemp("made") / "table")


@pytest.fixture(scope="session")
def joined(made: Players, tmp_path_factory: pytest.TempPathFactory) -> Players:
    """Anna has proposed, Bruno has joined, Anna knows; Bruno is asked for his set-up."""
    players = made.copied(tmp_path_factory.mktemp("joined") / "table")
    players.anna.does("new", "westerplatte", "--as", "german", "--opponent", "bruno@example.org", "-o", "inv.txt")
    players.bruno.does("accept", "inv.txt", "-o", "acc.txt")
    players.anna.does("import", "acc.txt")
    return players


@pytest.fixture(scope="session")
def dealt(joined: Players, tmp_path_factory: pytest.TempPathFactory) -> Players:
    """Both have set up, the first card lies open on both sides, and one of them is asked for orders.

    A joker that comes first is set aside for a second card of the same step; then the ship is placed elsewhere, and
    other dice come.
    """
    tables = (dealt_with(joined, area, tmp_path_factory.mktemp("dealt")) for area in ("Wa", "Wb", "Wc", "Wd"))
    return next(table for table in tables if len(table.anna.does("roll", "westerplatte", "--json").data) == 1)


def dealt_with(joined: Players, area: str, folder: Path) -> Players:
    """The same, with the ship in one of its areas."""
    players = joined.copied(folder / "table")
    anna, bruno = players
    bruno.does("orders", "-o", "polish.txt")
    bruno.does("orders", "--submit", "polish.txt")
    bruno.does("export", "-o", "polish.eml", "--eml")
    anna.does("import", "polish.eml")
    anna.does("orders", "--submit", anna.write("german.txt", f"place BB in {area}\n"))
    anna.does("export", "-o", "german.eml", "--eml")
    bruno.does("import", "german.eml")
    bruno.does("export", "-o", "dice.eml", "--eml")
    anna.does("import", "dice.eml")
    return players


@pytest.fixture(scope="session")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Client:
    """The German home of a whole game that the demo played from a seed; its folder holds `westerplatte.pbem`, and what
    was said of the game as `said.txt`."""
    folder = tmp_path_factory.mktemp("shown")
    said = Client(folder, folder).does("demo", "--seed", "1", "--quiet", "--out", "demo").out
    (folder / "demo" / "said.txt").write_text(said)
    return Client(folder / "demo" / "home-german", folder / "demo")


@pytest.fixture
def new_table(made: Players, tmp_path: Path) -> Players:
    return made.copied(tmp_path / "table")


@pytest.fixture
def joined_table(joined: Players, tmp_path: Path) -> Players:
    return joined.copied(tmp_path / "table")


@pytest.fixture
def dealt_table(dealt: Players, tmp_path: Path) -> Players:
    return dealt.copied(tmp_path / "table")


@pytest.fixture(scope="module")
def agreed(made: Players, tmp_path_factory: pytest.TempPathFactory) -> Players:
    """A game with a deadline: Bruno has to place his units, Anna waits."""
    players = made.copied(tmp_path_factory.mktemp("agreed") / "table")
    anna, bruno = players
    words = ("--as", "german", "--opponent", "bruno@example.org", "--deadline-days", "7")
    anna.does("new", "westerplatte", *words, "-o", "inv.txt")
    bruno.does("accept", "inv.txt", "-o", "acc.txt")
    anna.does("import", "acc.txt")
    return players


@pytest.fixture(scope="module")
def placed(agreed: Players, tmp_path_factory: pytest.TempPathFactory) -> Players:
    """Bruno has placed his units at step 2, and Anna has to place hers at step 3."""
    players = agreed.copied(tmp_path_factory.mktemp("placed") / "table")
    sheet = players.bruno.does("orders").out
    players.bruno.does("orders", "--submit", players.bruno.write("polish.txt", sheet))
    mailed(players.bruno, players.anna)
    return players


@pytest.fixture
def table(agreed: Players, tmp_path_factory: pytest.TempPathFactory) -> Players:
    return agreed.copied(tmp_path_factory.mktemp("motions") / "table")


@pytest.fixture
def placed_table(placed: Players, tmp_path_factory: pytest.TempPathFactory) -> Players:
    return placed.copied(tmp_path_factory.mktemp("motions") / "table")
