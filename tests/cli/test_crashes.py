"""Commands that are killed or interrupted at any moment: what was said to be done is done, nothing is half done,
and play goes on."""

from __future__ import annotations

import random
import re
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from soak import soak

from .children import Ended, run_apart
from .client import Client, tables
from .conftest import Players

KILLS = 10
KNOWN = ("orders.not_asked: ", "accept.known: ")
INTERRUPTED = "interrupted: a change is whole or not made\nhint: `pbem status` says how things stand\n"


@dataclass(frozen=True, slots=True)
class Deed:
    """A command that changes something: whose it is, what it says when it is done, and the file it writes, if any."""

    name: str
    arguments: tuple[str, ...]
    report: str
    written: str = ""


SUBMIT = Deed("submit", ("orders", "--submit", "pass.txt"), "Signed:")
IMPORT = Deed("import", ("import", "turn.eml"), "westerplatte: ")
ACCEPT = Deed("accept", ("accept", "inv.txt", "-o", "acceptance.eml", "--eml"), "Accepted as game", "acceptance.eml")
EXPORT = Deed("export", ("export", "-o", "out.eml", "--eml"), "Wrote out.eml: ", "out.eml")
ARCHIVE = Deed("archive", ("archive", "-o", "all.pbem"), "Wrote all.pbem: ", "all.pbem")
Scene = tuple[Deed, Players, Client]


def table_of(deed: Deed, joined: Players, dealt: Players, made: Players, folder: Path) -> tuple[Players, Client]:
    """The table before a deed, and whose deed it is."""
    if deed is ACCEPT:
        players = made.copied(folder)
        players.bruno.write("inv.txt", joined.anna.read("inv.txt"))
        return players, players.bruno
    players = dealt.copied(folder)
    asked, other = players.asked()
    asked.write("pass.txt", "pass\n")
    if deed is IMPORT:
        asked.does("orders", "--submit", "pass.txt")
        asked.does("export", "-o", "turn.eml", "--eml")
    return players, other if deed is IMPORT else asked


@pytest.fixture(params=[SUBMIT, IMPORT, ACCEPT, EXPORT, ARCHIVE], ids=lambda deed: deed.name)
def scene(
    request: pytest.FixtureRequest, joined: Players, dealt: Players, made: Players, tmp_path: Path
) -> tuple[Deed, Players, Client]:
    players, actor = table_of(request.param, joined, dealt, made, tmp_path / "before")
    return request.param, players, actor


def events(client: Client) -> set[tuple[Any, ...]]:
    """Step, role and kind of what a home holds; ids differ from one signing to the next."""
    return {(row[1], row[2], row[3]) for row in tables(client.home)["events"]}


def rehearsed(scene: Scene, folder: Path) -> tuple[float, set[tuple[Any, ...]]]:
    """How long a deed takes when nothing stops it, and what the home holds afterwards."""
    deed, players, actor = scene
    copy = twin(players.copied(folder), actor)
    done = run_apart(copy, *deed.arguments)
    assert (done.code, done.err) == (0, "")
    return done.seconds, events(copy)


def twin(players: Players, actor: Client) -> Client:
    """The player of a copied table who has the same home."""
    return next(one for one in players if one.home.name == actor.home.name)


def stopped(scene: Scene, folder: Path, rounds: int, stop: int, judge: Callable[[Ended], None]) -> None:
    """Stop a deed at random moments; after each, the home holds what it held or what it was to hold."""
    deed, players, actor = scene
    seconds, after = rehearsed(scene, folder / "rehearsal")
    before = events(actor)
    chance = random.Random(f"{deed.name} {stop}")
    for number in range(rounds):
        table = players.copied(folder / f"table-{number}")
        client = twin(table, actor)
        ended = run_apart(client, *deed.arguments, after=chance.uniform(0, 1.1 * seconds), stop=stop)
        judge(ended)
        held = events(client)
        assert held in (before, after), (number, ended)
        if deed.report in ended.out:
            assert held == after, (number, ended)
        if deed.written:
            check_written(client, deed, ended)
        check_play_goes_on(table, client, deed, after)


def check_written(client: Client, deed: Deed, ended: Ended) -> None:
    """The file is there whole or not at all, and there when it was reported."""
    path = client.folder / deed.written
    if f"Wrote {deed.written}: " in ended.out:
        assert path.exists()
    if path.exists() and deed is ARCHIVE:
        client.does("verify", deed.written, "--running")
    elif path.exists():
        assert b"END PBEM TURN FILE" in path.read_bytes()


def check_play_goes_on(table: Players, client: Client, deed: Deed, after: set[tuple[Any, ...]]) -> None:
    """The home opens; the deed is done again, or is known to be done; the other side takes in what comes of it."""
    client.does("status")
    again = client(*deed.arguments)
    assert again.code == 0 or again.err.startswith(KNOWN), again
    assert events(client) == after
    client.does("verify", "westerplatte", "--running")
    client.does("export", "-o", "next.eml", "--eml")
    if deed in (SUBMIT, IMPORT):
        other = next(one for one in table if one is not client)
        assert other.does("import", "next.eml").last.startswith("Do now: ")


def was_killed(ended: Ended) -> None:
    assert ended.code in (0, -signal.SIGKILL), ended
    assert ended.err == "", ended


def was_interrupted(ended: Ended) -> None:
    """Done, or interrupted and said so.

    CPython drops what a signal raises while it looks up an attribute under a name that is no plain string, as
    Lark's names of rules are: then the line is not understood, and refused.
    """
    told = ended.err.lstrip("\n")
    assert (ended.code, told) in ((0, ""), (1, INTERRUPTED), (1, "")) or told.startswith("orders.kind: "), ended


@pytest.mark.plan("C1", "C7")
def test_a_killed_command_leaves_nothing_half_done(scene: Scene, tmp_path: Path) -> None:
    stopped(scene, tmp_path, KILLS, signal.SIGKILL, was_killed)


@pytest.mark.plan("C7")
def test_an_interrupted_command_leaves_nothing_half_done(scene: Scene, tmp_path: Path) -> None:
    stopped(scene, tmp_path, KILLS // 2, signal.SIGINT, was_interrupted)


@pytest.mark.soak
@pytest.mark.plan("C1", "C7")
@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT])
def test_commands_are_stopped_very_often(scene: Scene, tmp_path: Path, stop: signal.Signals) -> None:
    stopped(scene, tmp_path, soak(20), stop, was_killed if stop == signal.SIGKILL else was_interrupted)


def test_an_old_file_is_replaced_whole_or_not_at_all(dealt_table: Players) -> None:
    """The file that is there stays until the new one is complete."""
    anna, chance = dealt_table.anna, random.Random(7)
    whole = run_apart(anna, *ARCHIVE.arguments)
    new = anna.read("all.pbem")
    old = new[: new.rindex("\n", 0, -1) + 1]
    for _ in range(KILLS):
        anna.write("all.pbem", old)
        run_apart(anna, *ARCHIVE.arguments, after=chance.uniform(0, whole.seconds))
        assert anna.read("all.pbem") in (old, new)
    anna.write("all.pbem", old)
    assert run_apart(anna, *ARCHIVE.arguments).code == 0
    assert anna.read("all.pbem") == new


def test_a_killed_init_leaves_a_home_or_none(tmp_path: Path) -> None:
    words = ("init", "--name", "Anna", "--address", "anna@example.org", "--no-passphrase")
    seconds = run_apart(Client(tmp_path / "rehearsal", tmp_path), *words).seconds
    for number in range(KILLS):
        client = Client(tmp_path / f"home-{number}", tmp_path)
        run_apart(client, *words, after=seconds * number / KILLS)
        again = client(*words)
        assert again.code == 0 or again.err.startswith("home.exists: "), again
        assert client.does("status").code == 0


def test_what_a_kill_leaves_in_the_folder_is_named_as_ours(dealt_table: Players) -> None:
    """A part that was being written has a name that no command reads."""
    anna, chance = dealt_table.anna, random.Random(3)
    seconds = run_apart(anna, *ARCHIVE.arguments).seconds
    known = {path.name for path in anna.folder.iterdir()}
    for _ in range(KILLS):
        run_apart(anna, *ARCHIVE.arguments, after=chance.uniform(0, seconds))
    left = {path.name for path in anna.folder.iterdir()} - known
    assert [name for name in left if not re.fullmatch(r"\.pbem-[0-9a-f]{16}\.part", name)] == []
