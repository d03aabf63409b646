"""A home with one game that nobody can follow here: its rules break, or its data are not at hand. All others go on."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import orjson
import pytest
from attacks.sides import Done, pbem
from toy.ruleset import Toy

from pbem.app.kept import LATEST
from pbem.cli.frame import TRACEBACK
from pbem.games import westerplatte
from pbem.store.database import Home
from pbem.store.rows import Status

DATA = Path(westerplatte.__file__).parent / "data"
BROKEN = (
    "expected the rules of game second to follow what is stored of it, got ZeroDivisionError (a rule divides by zero)"
)


@dataclass(frozen=True, slots=True)
class Kept:
    """A home whose second game cannot be followed after a restore, its backup, and what is said of that game."""

    folder: Path
    said: str
    hint: str
    data: Path | None = None

    @property
    def backup(self) -> Path:
        return self.folder / "home.backup"

    def restored(self) -> Path:
        home = self.folder / "new"
        done = pbem(self.folder, "restore", self.backup, "--home", home)
        assert (done.code, done.err) == (0, ""), done
        assert "Games: first, second.\n" in done.out
        return home


def does(home: Path, *arguments: str | Path) -> Done:
    done = pbem(home, *arguments)
    assert (done.code, done.err) == (0, ""), done
    return done


def begun(folder: Path, rules: str, role: str, *data: str | Path) -> Path:
    """A home with a first game of ours, and a second one."""
    home = folder / "old"
    does(home, "init", "--name", "Anna", "--address", "anna@example.org", "--no-passphrase")
    new = ("--opponent", "bruno@example.org", "-o")
    does(home, "new", "westerplatte", "--as", "german", *new, folder / "first.eml", "--name", "first")
    does(home, "new", rules, "--as", role, *new, folder / "second.eml", "--name", "second", *data)
    does(home, "backup", "-o", folder / "home.backup", "--plain")
    return home


@pytest.fixture
def breaking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    """The rules of the second game break from now on."""
    begun(tmp_path, "toy", "north")

    def begin(*_: object) -> None:
        raise ZeroDivisionError("a rule divides by zero")

    monkeypatch.setattr(Toy, "begin", begin)
    hint = "nothing of it was changed; this is a fault of the program or of the game's data: report it"
    return Kept(tmp_path, f"second: game.broken: {BROKEN}", hint)


@pytest.fixture
def own_data(tmp_path: Path) -> Kept:
    """The second game is played with data of its players."""
    data = tmp_path / "data"
    shutil.copytree(DATA, data)
    changed = min(path for path in data.iterdir() if path.is_file())
    changed.write_bytes(changed.read_bytes() + b"\n")
    begun(tmp_path, "westerplatte", "german", "--data", data)
    hint = (
        "install the pbem that the proposer has, or pass the proposer's data with --data; the log can still be read "
        "with `pbem log`"
    )
    return Kept(tmp_path, "second: campaign.ruleset: expected westerplatte version ", hint, data)


@pytest.fixture(params=["breaking", "own_data"])
def kept(request: pytest.FixtureRequest) -> Kept:
    found: Kept = request.getfixturevalue(request.param)
    return found


def assert_told_of_both(kept: Kept, done: Done) -> None:
    """The first game whole, and one line with its hint for the second one."""
    assert (done.code, done.out.splitlines()[0]) == (
        1,
        "first: The Battle of the Westerplatte, you are german against bruno@example.org (polish)",
    )
    said, hint = done.err.splitlines()
    assert said.startswith(kept.said)
    assert hint == f"hint: {kept.hint}"


def test_the_status_tells_of_every_other_game(kept: Kept) -> None:
    home = kept.restored()
    assert_told_of_both(kept, pbem(home, "status"))
    assert_told_of_both(kept, pbem(home, "status", "--all"))
    assert does(home, "status", "first").out.startswith("first: ")
    alone = pbem(home, "status", "second")
    assert (alone.code, alone.out, alone.err.splitlines()[0]) == (1, "", pbem(home, "status").err.splitlines()[0][8:])
    first, second = orjson.loads(pbem(home, "status", "--json").out)
    assert (first["game"], second["game"], sorted(second["error"])) == ("first", "second", ["code", "hint", "text"])


def test_what_goes_over_all_games_goes_on(kept: Kept) -> None:
    """An agent, a referee's service, a copy of the home: each does its work for the first game."""
    home, way = kept.restored(), f"maildir:{kept.folder}"
    for command in ("agent", "serve"):
        done = pbem(home, command, "--in", f"{way}/in", "--out", f"{way}/out-{command}", "--make", "--once")
        assert (done.code, done.out) == (0, ""), done
        (line,) = {line.partition(" ")[2] for line in done.err.splitlines()}
        assert line.startswith("broken game=second code=")
    does(home, "import", kept.folder / "first.eml")
    does(home, "backup", "-o", kept.folder / "again.backup", "--plain")
    does(home, "log", "first")


def test_an_older_program_has_kept_the_summary(breaking: Kept) -> None:
    """The first game is summarised anew, the second one cannot be."""
    old = breaking.folder / "old"
    with Home.open(old) as home:
        for game in home.games():
            status = home.status(game.game_id)
            assert status is not None
            fields = {name: value for name, value in orjson.loads(status.json).items() if name != LATEST}
            with home.writing(game.game_id) as writer:
                writer.put_status(Status(game.game_id, status.head, orjson.dumps(fields)))
    assert_told_of_both(breaking, pbem(old, "status"))


def test_data_that_are_named_once_are_enough_for_the_status(own_data: Kept) -> None:
    home, data = own_data.restored(), own_data.data
    assert data is not None
    told = does(home, "status", "--data", data).out
    assert [line for line in told.splitlines() if line.startswith("second: ")] == [
        "second: The Battle of the Westerplatte, you are german against bruno@example.org (polish)"
    ]
    assert does(home, "status").out == told, "it is kept"


def test_an_agent_with_data_lives_on_games_without_them(own_data: Kept) -> None:
    home, way = own_data.restored(), f"maildir:{own_data.folder}"
    assert own_data.data is not None
    does(home, "agent", "--in", f"{way}/in", "--out", f"{way}/out", "--make", "--once", "--data", own_data.data)
    mails = [path.read_text() for path in (own_data.folder / "out" / "new").iterdir()]
    assert len(mails) == 2


def test_a_fault_of_the_program_is_one_line(breaking: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a traceback for whoever asks for one, as all tests do."""
    home = breaking.restored()
    with pytest.raises(ZeroDivisionError):
        pbem(home, "show", "second")
    monkeypatch.delenv(TRACEBACK)
    done = pbem(home, "show", "second")
    said, hint = done.err.splitlines()
    assert (done.code, done.out) == (1, "")
    assert said.startswith(
        "program.fault: expected a program and rules without faults, got ZeroDivisionError in test_broken_games.py, "
    )
    assert hint == (
        "hint: a change is whole or not made; `PBEM_TRACEBACK=1` before the command shows where it comes from: report "
        "that"
    )
