"""Bits that flip in the database and in its write-ahead log: what is read is what was written, or an error.

A flip in the last transaction of the log may go back to the state before it, as after a power cut.
"""

from __future__ import annotations

import random
import re
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from samples import GAME, event
from soak import soak

from pbem.errors import BadDisk, PbemError
from pbem.store import Draft, Home, Snapshot, Status, StoredRefusal
from pbem.store.faults import LOCKED, fault
from pbem.store.reading import Reader
from pbem.store.sqlite.connection import Connection
from pbem.store.sqlite.write_ahead_log import is_damaged

LONG = (pytest.mark.soak, pytest.mark.timeout(3600))
ROUNDS = [300, pytest.param(soak(5_000), marks=LONG)]
LOG_ROUNDS = [200, pytest.param(soak(500), marks=LONG)]

DIE_WITH_A_LOG = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from samples import event
from pbem.store import Home
home = Home.open(Path(sys.argv[1]))
for step in range(25):
    with home.writing() as writer:
        writer.append(**event(step))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def full(folder: Path) -> Path:
    """A closed home with something in every table."""
    with Home.open(folder) as home, home.writing() as writer:
        for step in range(40):
            writer.append(**event(step))
        writer.refuse(StoredRefusal(GAME, "e", "combat.out_of_range", "too far", 5, b"line"))
        writer.put_draft(Draft(GAME, "orders", "move"))
        writer.put_snapshot(Snapshot(GAME, 9, "head", b"state"))
        writer.put_status(Status(GAME, "head", b"{}"))
    return folder


@pytest.fixture
def killed(folder: Path) -> Path:
    """A home whose writer was killed after 25 transactions, all of them in the write-ahead log."""
    subprocess.run([sys.executable, "-c", DIE_WITH_A_LOG, str(folder), str(Path(__file__).parent)])
    return folder


def flip(path: Path, data: bytes, bit: int) -> None:
    damaged = bytearray(data)
    damaged[bit // 8] ^= 1 << bit % 8
    path.write_bytes(damaged)


def record(home: Home) -> tuple[Any, ...]:
    return home.games(), home.events(GAME), home.refusals(GAME), home.drafts(GAME)


def read_damaged(folder: Path) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    with Home.open(folder) as home:
        return record(home), (*home.snapshots(GAME), home.status(GAME))


@pytest.mark.plan("C11")
@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_flipped_bit_of_the_database_is_never_read_as_something_else(full: Path, rounds: int) -> None:
    path, chance, outcomes = full / "home.sqlite", random.Random(rounds), Counter[str]()
    data = path.read_bytes()
    with Home.open(full) as home:
        written, caches = record(home), (*home.snapshots(GAME), home.status(GAME), None)
    for _ in range(rounds):
        flip(path, data, chance.randrange(len(data) * 8))
        try:
            read, cached = read_damaged(full)
        except PbemError as error:
            outcomes[error.code] += 1
        else:
            outcomes["harmless"] += 1
            assert read == written
            assert set(cached) <= set(caches)
        for leftover in full.glob("home.sqlite-*"):
            leftover.unlink()
    assert outcomes["database.damaged"] > rounds // 20
    assert set(outcomes) <= {
        "harmless",
        "database.damaged",
        "database.failed",
        "home.newer",
        "disk.read_only",
        "disk.not_opened",
        "disk.input_output",
    }


@pytest.mark.plan("C11")
def test_a_flipped_bit_in_a_line_names_the_event(full: Path) -> None:
    path, seventh = full / "home.sqlite", event(7)
    data = path.read_bytes()
    flip(path, data, data.index(seventh["line"]) * 8 + 3)
    with Home.open(full) as home:
        with pytest.raises(BadDisk) as caught:
            home.events(GAME)
        assert (caught.value.code, caught.value.text, caught.value.hint) == (
            "database.damaged",
            f"expected an undamaged database {str(path)!r}, but a row of 'events' is not what was written: "
            f"event '{seventh['event_id']}', game '{GAME}'",
            "keep a copy of it as it is, and restore the home from a backup or an archive",
        )
        assert home.event(GAME, event(8)["event_id"]) is not None
        assert [text for text in home.damages() if seventh["event_id"] in text] != []


@pytest.mark.plan("C11")
@pytest.mark.parametrize(
    ("loss", "written", "there"),
    [
        ("DELETE FROM events WHERE step = 39", 40, 39),
        ("DELETE FROM events", 40, 0),
        ("DELETE FROM tallies", 0, 40),
        ("UPDATE events SET rowid = 1000 WHERE step = 3", 40, 40),
    ],
)
def test_a_row_that_is_missing_or_moved_is_noticed(full: Path, loss: str, written: int, there: int) -> None:
    with Home.open(full) as home:
        for trigger in ("events_no_delete", "events_no_update"):
            home._connection.run(f"DROP TRIGGER {trigger}")
        home._connection.run(loss)
        with pytest.raises(BadDisk) as caught:
            home.events(GAME)
    assert caught.value.text == (
        f"expected an undamaged database {str(full / 'home.sqlite')!r}, but {written} rows were written for "
        f"'events {GAME}' and {there} are there, or in another order"
    )


@pytest.mark.plan("C11")
def test_an_event_whose_game_is_gone_is_reported(full: Path) -> None:
    with Home.open(full) as home:
        for change in ("PRAGMA foreign_keys = OFF", "DROP TRIGGER games_no_delete", "DELETE FROM games"):
            home._connection.run(change)
        *orphans, games = home.damages()
    tables = ("agenda", "drafts", "events", "refused", "snapshots", "status")
    assert set(orphans) == {f"a row of {table} belongs to no game" for table in tables}
    assert games == "1 row was written for 'games' and 0 are there, or in another order"


@pytest.mark.plan("C11")
def test_an_event_that_is_not_there_when_it_was_stored_is_no_stored_event(full: Path) -> None:
    """Another program lets SQLite leave out what is added, which it does without a word."""
    with Home.open(full) as home, closing(sqlite3.connect(full / "home.sqlite")) as other:
        other.execute("CREATE TRIGGER swallow BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END")
        with pytest.raises(BadDisk) as caught, home.writing() as writer:
            writer.append(**event(40))
    assert caught.value.text == (
        f"expected an undamaged database {str(full / 'home.sqlite')!r}, but event '{event(40)['event_id']}' is read "
        "back as something else"
    )


@pytest.mark.plan("C11")
def test_a_flipped_bit_in_a_row_or_in_its_index_is_reported(full: Path) -> None:
    path, sought = full / "home.sqlite", event(7)["event_id"].encode()
    data = path.read_bytes()
    places = [found.start() for found in re.finditer(sought, data)]
    assert len(places) == 2
    for place in places:
        flip(path, data, place * 8 + 8 * 5 + 1)
        with Home.open(full) as home:
            assert home.damages() != ()


@pytest.mark.plan("A29", "C11")
def test_a_damaged_cache_is_left_out_and_reported(full: Path) -> None:
    with Home.open(full) as home:
        home._connection.run("UPDATE snapshots SET state = x'00'")
        home._connection.run("UPDATE status SET json = x'00'")
        assert (home.snapshots(GAME), home.status(GAME), home.damages()) == (
            (),
            None,
            (
                f"a row of 'snapshots' is not what was written: game '{GAME}'",
                f"a row of 'status' is not what was written: game '{GAME}'",
            ),
        )


@pytest.mark.plan("C11")
@pytest.mark.parametrize("rounds", LOG_ROUNDS)
def test_a_flipped_bit_of_the_log_is_noticed_before_sqlite_drops_what_follows(killed: Path, rounds: int) -> None:
    saved, log = killed.with_name("saved"), killed / "home.sqlite-wal"
    shutil.copytree(killed, saved)
    data, chance, outcomes = log.read_bytes(), random.Random(rounds), Counter[object]()
    for _ in range(rounds):
        flip(log, data, chance.randrange(len(data) * 8))
        try:
            with Home.open(killed, patience_ms=0) as home:
                stored = home.events(GAME)
            outcomes[len(stored)] += 1
            assert [one.line for one in stored] == [event(step)["line"] for step in range(len(stored))]
        except PbemError as error:
            outcomes[error.code] += 1
        for path in saved.iterdir():
            shutil.copyfile(path, killed / path.name)
    assert set(outcomes) <= {"database.damaged", 24, 25}
    assert outcomes["database.damaged"] > rounds // 2


@pytest.mark.plan("C11")
def test_a_damaged_log_is_named_and_left_as_it_is(killed: Path) -> None:
    log = killed / "home.sqlite-wal"
    flip(log, log.read_bytes(), 8 * 5000)
    before = log.read_bytes()
    with pytest.raises(BadDisk) as caught:
        Home.open(killed)
    assert (caught.value.text, log.read_bytes() == before) == (
        f"expected an undamaged database {str(log)!r}, but its write-ahead log does not hold, and later transactions "
        "would be lost",
        True,
    )


@pytest.mark.plan("C11")
def test_a_log_that_ends_early_is_no_damage_but_a_crash(killed: Path) -> None:
    log = (killed / "home.sqlite-wal").read_bytes()
    assert [cut for cut in (0, 31, 32, 40, 5000, -1, -3000, None) if is_damaged(log[:cut])] == []


@pytest.mark.plan("C11")
def test_no_bit_of_the_head_of_a_log_may_change(killed: Path) -> None:
    path = killed / "home.sqlite-wal"
    log, unnoticed = path.read_bytes(), []
    for bit in range(32 * 8):
        flip(path, log, bit)
        unnoticed += [] if is_damaged(path.read_bytes()) else [bit]
    assert unnoticed == []


class Held(Connection):
    """A database of which another program holds what is asked for a little later."""

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        if "FROM drafts" in statement:
            raise fault(LOCKED, "read", self.path)
        return super().rows(statement, *values)


@pytest.mark.plan("C11")
def test_what_another_program_holds_is_no_damage(full: Path) -> None:
    """Nobody is to restore a home from a backup because another command takes its time."""
    path = full / "home.sqlite"
    with closing(Held(path)) as held, pytest.raises(BadDisk) as caught:
        Reader(held).damages()
    assert (caught.value.code, caught.value.text) == (
        "database.locked",
        f"expected to read '{path}', but another program has held it for too long",
    )
