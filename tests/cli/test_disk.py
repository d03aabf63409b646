"""Disks that are full, read-only or rotten: one line, exit code 1, and a home that can be used afterwards."""

from __future__ import annotations

import errno
import os
import random
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.cli import frame

from .children import at_most, run_apart
from .client import Client, tables
from .conftest import Players

FLIPS = 40
NOBODY = 65534
READING = (["status"], ["log"], ["verify", "westerplatte", "--running"])


@pytest.fixture
def asked(dealt_table: Players) -> Client:
    player, _ = dealt_table.asked()
    player.write("pass.txt", "pass\n")
    return player


def said_in_one_line(err: str) -> bool:
    """A code and a sentence, then perhaps a hint, and nothing else."""
    return bool(re.fullmatch(r"[a-z_]+(\.[a-z_]+)+: \S.*\n(hint: \S.*\n)?", err))


@pytest.mark.plan("C4")
@pytest.mark.parametrize("size", [0, 100, 4096, 20_000, 60_000, 120_000])
@pytest.mark.parametrize(
    "words", [("orders", "--submit", "pass.txt"), ("export", "-o", "t.eml", "--eml"), ("archive", "-o", "a.pbem")]
)
def test_a_full_disk_is_one_line_and_leaves_the_home_as_it_was(
    asked: Client, words: tuple[str, ...], size: int
) -> None:
    before = tables(asked.home)
    ended = run_apart(asked, *words, prepare=at_most(size))
    if ended.code == 0:
        assert ended.err == ""
    else:
        assert (ended.code, said_in_one_line(ended.err)) == (1, True), ended
        assert ended.err.startswith("disk.")
        assert tables(asked.home)["events"] == before["events"]
        assert not any((asked.folder / name).exists() for name in ("t.eml", "a.pbem"))
    assert asked(*words).code == 0 or ended.code == 0
    asked.does("verify", "westerplatte", "--running")


@pytest.mark.plan("C4")
def test_a_full_disk_is_told_with_what_to_do(asked: Client) -> None:
    assert run_apart(asked, "map", "westerplatte", "-o", "map.svg", prepare=at_most(100)).err == (
        "disk.full: expected to write 'map.svg', but the file would be too large\n"
        "hint: check the limits (`ulimit -f`) and the disk's quota\n"
    )


@pytest.mark.plan("C4")
def test_a_home_can_not_be_made_on_a_full_disk(tmp_path: Path) -> None:
    client = Client(tmp_path / "home", tmp_path)
    words = ("init", "--name", "Anna", "--address", "anna@example.org", "--no-passphrase")
    ended = run_apart(client, *words, prepare=at_most(5000))
    assert (ended.code, said_in_one_line(ended.err), ended.out) == (1, True, ""), ended
    client.does(*words)


@pytest.fixture
def owned(asked: Client) -> Iterator[Client]:
    """The same table where another user can reach it, and who may not write once the rights are taken."""
    folder = Path(tempfile.mkdtemp(prefix="pbem-test-"))
    shutil.copytree(asked.folder, folder / "table")
    client = Client(folder / "table" / asked.home.name, folder / "table")
    if os.getuid() == 0:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
    yield client
    for path in (folder, *(one for one in folder.rglob("*") if one.is_dir())):
        path.chmod(0o700)
    shutil.rmtree(folder)


def become_nobody() -> None:
    """Root may write everywhere."""
    if os.getuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)


@pytest.mark.plan("C4")
def test_a_read_only_home_is_one_line(owned: Client) -> None:
    before = tables(owned.home)
    for leftover in owned.home.glob("home.sqlite-*"):
        leftover.unlink()
    (owned.home / "home.sqlite").chmod(0o400)
    owned.home.chmod(0o500)
    ended = run_apart(owned, "orders", "--submit", "pass.txt", prepare=become_nobody)
    assert (ended.code, said_in_one_line(ended.err), ended.out) == (1, True, ""), ended
    assert ended.err.startswith(("disk.no_right: ", "disk.read_only: "))
    owned.home.chmod(0o700)
    (owned.home / "home.sqlite").chmod(0o600)
    assert tables(owned.home) == before
    assert run_apart(owned, "orders", "--submit", "pass.txt", prepare=become_nobody).code == 0


@pytest.mark.plan("C4")
def test_a_folder_that_may_not_be_written_is_one_line(owned: Client) -> None:
    owned.folder.chmod(0o500)
    ended = run_apart(owned, "archive", "-o", "a.pbem", prepare=become_nobody)
    assert (ended.code, ended.err) == (
        1,
        "disk.no_right: expected to write 'a.pbem', but you have no right to do so\n"
        "hint: check who owns the file and its folder\n",
    )


def test_a_file_in_a_folder_that_is_not_there_is_one_line(asked: Client) -> None:
    assert asked.refused("archive", "-o", "no/such/a.pbem") == (
        "disk.missing: expected to write 'no/such/a.pbem', but it does not exist\n"
        "hint: check the path; the folder must be there\n"
    )
    assert asked.refused("archive", "-o", "anna") == (
        "disk.is_a_folder: expected to write 'anna', but it is a folder\nhint: name a file\n"
    )


def test_a_name_that_no_disk_takes_is_one_line(asked: Client) -> None:
    name = "x" * 300
    for command in (("verify",), ("import",), ("orders", "--submit")):
        assert asked.refused(*command, name) == (
            f"disk.name_too_long: expected to read '{name}', but its name is longer than the system allows\n"
            "hint: check the name, or choose a shorter one\n"
        )


def test_a_home_under_a_name_that_no_disk_takes_is_one_line(asked: Client) -> None:
    folder = asked.folder / ("x" * 300)
    assert replace(asked, home=folder)("status").err == (
        f"disk.name_too_long: expected to open '{folder}/database.toml', but its name is longer than "
        "the system allows\n"
        "hint: check the name, or choose a shorter one\n"
    )


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="this system shows no such file")
@pytest.mark.parametrize("command", [("verify",), ("import",), ("orders", "--submit")])
def test_a_file_that_is_none_of_a_disk_is_one_line(asked: Client, command: Sequence[str]) -> None:
    assert asked.refused(*command, "/proc/self/mem") == (
        "file.device: expected a file, got a device or a file of the system, which cannot be read as one, "
        "at '/proc/self/mem'\nhint: check the path\n"
    )


def test_a_folder_for_a_file_is_one_line(asked: Client) -> None:
    assert asked.refused("orders", "--submit", "anna") == (
        "file.missing: expected a file, got a folder at 'anna'\nhint: check the path\n"
    )


def test_what_the_machine_refuses_without_a_name_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert frame._refused_by_the_disk(OSError(errno.EIO, "Input/output error")) == 1
    assert capsys.readouterr().err == (
        "disk.error: expected to read and write files, got Input/output error\n"
        "hint: check the disk and your rights there\n"
    )


def flipped(path: Path, place: int, bit: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 1 << bit
    path.write_bytes(data)


@pytest.mark.plan("C11")
def test_a_rotten_home_is_never_read_as_something_else(dealt_table: Players, tmp_path: Path) -> None:
    """One bit anywhere: every command says what it said before, or what is damaged."""
    anna = dealt_table.anna
    expected = [anna.does(*words) for words in READING]
    whole = (anna.home / "home.sqlite").read_bytes()
    chance, noticed = random.Random(11), 0
    for number in range(FLIPS):
        home = tmp_path / f"home-{number}"
        home.mkdir(0o700)
        (home / "home.sqlite").write_bytes(whole)
        flipped(home / "home.sqlite", chance.randrange(len(whole)), chance.randrange(8))
        rotten = Client(home, anna.folder)
        for words, before in zip(READING, expected, strict=True):
            found = rotten(*words)
            assert found == before or (found.code == 1 and said_in_one_line(found.err)), (number, words, found)
            noticed += found != before
    assert noticed > FLIPS // 8


@pytest.mark.plan("C11")
def test_a_rotten_event_is_named(dealt_table: Players) -> None:
    """The bit is flipped inside the stored line of one event, whose id the message must give."""
    anna = dealt_table.anna
    rows = {row[6]: row[9] for row in tables(anna.home)["events"]}
    path = anna.home / "home.sqlite"
    whole, named = path.read_bytes(), 0
    (game,) = (row[0] for row in tables(anna.home)["games"])
    for event, line in rows.items():
        place = whole.find(line[:200])
        if place < 0:
            continue
        flipped(path, place + 120, 0)
        for words in (["log"], ["verify", "westerplatte", "--running"], ["export"], ["orders"]):
            done = anna(*words)
            assert (done.code, done.out) == (1, ""), words
            assert event[:12] in done.err, (words, done.err)
        assert anna.refused("verify", "westerplatte", "--running") == (
            f"database.damaged: expected an undamaged database '{anna.home}', but a row of 'events' is not what was "
            f"written: event '{event}', game '{game}'\n"
            "hint: keep a copy of it as it is, and restore the home from a backup or an archive\n"
        )
        path.write_bytes(whole)
        named += 1
    assert named >= 2


@pytest.mark.plan("C11")
@pytest.mark.parametrize("content", [b"", b"not a database at all", b"SQLite format 3\0" + bytes(4096)])
def test_a_home_that_is_no_home_is_named(asked: Client, content: bytes) -> None:
    (asked.home / "home.sqlite").write_bytes(content)
    for words in (["status"], ["orders"], ["export"]):
        done = asked(*words)
        assert (done.code, done.out, said_in_one_line(done.err)) == (1, "", True), done


@pytest.mark.plan("C11")
def test_a_rotten_archive_is_refused(dealt_table: Players, tmp_path: Path) -> None:
    anna, chance = dealt_table.anna, random.Random(5)
    anna.does("archive", "-o", "a.pbem")
    size = (anna.folder / "a.pbem").stat().st_size
    for number in range(FLIPS):
        copy = tmp_path / f"a-{number}.pbem"
        shutil.copy(anna.folder / "a.pbem", copy)
        flipped(copy, chance.randrange(size), chance.randrange(8))
        done = anna("verify", str(copy), "--running")
        assert (done.code, said_in_one_line(done.err)) == (1, True), (number, done)
