"""What the store says when the machine, the disk or a database fails: each sentence, with what to do about it."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from samples import GAME

from pbem.errors import BadRequest, PbemError
from pbem.store import Draft, Home
from pbem.store.faults import database_fault, disk_fault
from pbem.store.folder import ARRIVING, set_mark
from pbem.store.sqlite import image

WHERE = Path("/home/anna/home.sqlite")
FREE = "free some space and repeat the command; nothing was changed"
RIGHTS = "check who owns the file and its folder"
LIMITS = "check the disk and the limits (`ulimit -f`), then repeat the command"
LOCKED = "another program has held it for too long"
WAIT = "wait until the other pbem command has finished, then repeat this one"
KEEP = "keep a copy of it as it is, and restore the home from a backup or an archive"
BROKEN = "the disk reported an input or output error, or a size limit was reached"
READ_ONLY = "the disk or the file is read-only"
WRITABLE = "make it writable, or choose another place"


def said(error: PbemError) -> tuple[str, str, str]:
    return error.code, error.text, error.hint


def to_write(reason: str) -> str:
    return f"expected to write '{WHERE}', but {reason}"


@pytest.mark.parametrize(
    ("number", "code", "reason", "hint"),
    [
        (errno.ENOSPC, "disk.full", "the disk is full", FREE),
        (errno.EDQUOT, "disk.full", "the disk is full", FREE),
        (
            errno.EFBIG,
            "disk.full",
            "the file would be too large",
            "check the limits (`ulimit -f`) and the disk's quota",
        ),
        (errno.EROFS, "disk.read_only", READ_ONLY, WRITABLE),
        (errno.EACCES, "disk.no_right", "you have no right to do so", RIGHTS),
        (errno.EPERM, "disk.no_right", "you have no right to do so", RIGHTS),
        (
            errno.EMFILE,
            "disk.too_many_files",
            "too many files are open",
            "close other programs, or raise `ulimit -n`",
        ),
        (errno.ENOENT, "disk.missing", "it does not exist", "check the path; the folder must be there"),
        (errno.ENOTDIR, "disk.missing", "it does not exist", "check the path; the folder must be there"),
        (errno.EISDIR, "disk.is_a_folder", "it is a folder", "name a file"),
        (errno.EEXIST, "disk.in_the_way", "a file of that name is in the way", "choose another place"),
        (errno.EIO, "disk.input_output", BROKEN, LIMITS),
        (
            errno.ETXTBSY,
            "disk.failed",
            "the system said: text file busy",
            "look at the disk and at what else uses the file, then repeat the command",
        ),
    ],
)
def test_what_a_disk_does(number: int, code: str, reason: str, hint: str) -> None:
    assert said(disk_fault(_refused(number), "write", WHERE)) == (code, to_write(reason), hint)


def _refused(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def failed(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("what SQLite says")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("error", "code", "reason", "hint"),
    [
        (failed(sqlite3.SQLITE_BUSY), "database.locked", LOCKED, WAIT),
        (failed(sqlite3.SQLITE_FULL), "disk.full", "the disk is full", FREE),
        (failed(sqlite3.SQLITE_READONLY_DBMOVED), "disk.read_only", READ_ONLY, WRITABLE),
        (failed(sqlite3.SQLITE_PERM), "disk.no_right", "you have no right to do so", RIGHTS),
        (failed(sqlite3.SQLITE_IOERR_WRITE), "disk.input_output", BROKEN, LIMITS),
        (failed(sqlite3.SQLITE_NOMEM), "machine.no_memory", "there is not enough memory", "close other programs"),
        (MemoryError(), "machine.no_memory", "there is not enough memory", "close other programs"),
        (failed(sqlite3.SQLITE_ERROR), "database.failed", "SQLite said: what SQLite says", KEEP),
        (failed(sqlite3.SQLITE_CORRUPT), "database.damaged", "it is damaged or is no pbem database", KEEP),
        (failed(sqlite3.SQLITE_NOTADB), "database.damaged", "it is damaged or is no pbem database", KEEP),
    ],
)
def test_what_sqlite_does(error: Exception, code: str, reason: str, hint: str) -> None:
    assert said(database_fault(error, "write", WHERE)) == (code, to_write(reason), hint)


def test_a_file_that_sqlite_cannot_open_though_it_is_there(folder: Path) -> None:
    """The system lets us open it; so it is what SQLite keeps beside it."""
    path = folder / "home.sqlite"
    (folder / "home.sqlite-wal").mkdir()
    with closing(sqlite3.connect(path)) as connection, pytest.raises(sqlite3.OperationalError) as raised:
        connection.execute("SELECT * FROM games")
    assert said(database_fault(raised.value, "read", path)) == (
        "disk.not_opened",
        f"expected to read {str(path)!r}, but a file beside it could not be opened",
        RIGHTS,
    )


@pytest.mark.parametrize(
    ("state", "code", "reason", "hint"),
    [
        ("55P03", "database.locked", LOCKED, WAIT),
        ("40P01", "database.locked", LOCKED, WAIT),
        (
            "XX001",
            "database.damaged",
            "PostgreSQL finds it damaged",
            "keep a copy of it as it is, and restore the home from a backup or an archive",
        ),
        ("53100", "disk.full", "the server's disk is full", "free some space there; nothing was changed"),
        ("53200", "machine.no_memory", "the server has not enough memory", "ask who runs it"),
        (
            "53300",
            "database.too_many",
            "the server has too many connections",
            "stop a worker, or raise its limit",
        ),
        (
            "42501",
            "database.no_right",
            "this user may not do so",
            "ask who runs the database for the right to make a schema, or for a schema that is yours",
        ),
        (
            "25006",
            "disk.read_only",
            "the database takes no changes",
            "is it a standby? name the primary server",
        ),
        (
            "3D000",
            "database.none",
            "the server has no database of that name",
            "look for a slip in the URL, or make it first: `createdb NAME`",
        ),
        (
            "28P01",
            "database.refused",
            "the server did not let this user in",
            "check the user in the URL, and the password in PGPASSFILE or PGPASSWORD",
        ),
        (
            "57P01",
            "database.lost",
            "the connection to the server was lost",
            "a change that was under way is stored whole or not at all; give the command again when the "
            "server is there",
        ),
        (
            "42601",
            "database.failed",
            "PostgreSQL said: what the server says",
            "ask who runs it, and give the command again",
        ),
    ],
)
def test_what_postgres_does(state: str, code: str, reason: str, hint: str) -> None:
    psycopg = pytest.importorskip("psycopg")
    from pbem.store.postgres.faults import fault_of

    error = psycopg.errors.lookup(state)("what the\nserver says")
    place = "postgresql:///pbem#anna"
    assert said(fault_of(error, "write", place)) == (code, f"expected to write '{place}', but {reason}", hint)


@pytest.mark.parametrize(
    ("answer", "code", "text", "hint"),
    [
        (
            "connection failed: FATAL:  role does not exist",
            "database.refused",
            "expected to open 'postgresql:///pbem#anna', but the server did not let this user in: connection failed: "
            "FATAL: role does not exist",
            "check the user in the URL, and the password in PGPASSFILE or PGPASSWORD",
        ),
        (
            'connection failed: FATAL:  database "pbem" does not exist',
            "database.none",
            "expected to open 'postgresql:///pbem#anna', but the server has no database of that name: connection "
            'failed: FATAL: database "pbem" does not exist',
            "look for a slip in the URL, or make it first: `createdb NAME`",
        ),
        (
            "connection failed: FATAL:  the database system is starting up",
            "database.unreachable",
            "expected to open 'postgresql:///pbem#anna', but no server answered there: connection failed: FATAL: the "
            "database system is starting up",
            "check the URL and whether it runs",
        ),
        (
            "connection failed:\nConnection refused",
            "database.unreachable",
            "expected to open 'postgresql:///pbem#anna', but no server answered there: connection failed: "
            "Connection refused",
            "check the URL and whether it runs",
        ),
    ],
)
def test_a_server_that_is_not_reached(answer: str, code: str, text: str, hint: str) -> None:
    psycopg = pytest.importorskip("psycopg")
    from pbem.store.postgres.faults import not_opened

    assert said(not_opened(psycopg.OperationalError(answer), "postgresql:///pbem#anna")) == (code, text, hint)


def test_a_home_to_which_another_was_being_moved(folder: Path) -> None:
    with Home.open(folder) as home, home._connection.writing():
        set_mark(home._connection, ARRIVING, "postgresql:///pbem#anna")
    with pytest.raises(BadRequest) as caught:
        Home.open(folder)
    assert said(caught.value) == (
        "home.arriving",
        f"expected a home that is in use, got '{folder / 'home.sqlite'}', to which 'postgresql:///pbem#anna' was being "
        "moved",
        "that was cut off: give the same `pbem migrate` again",
    )


@pytest.mark.parametrize(
    ("kept", "size", "hint"),
    [
        ("folder", 2, "copy the file '{}' while no pbem command runs"),
        ("there", 3, "back it up with the means of PostgreSQL (`pg_dump --schema`)"),
    ],
)
def test_a_home_that_is_too_large_for_a_backup(
    kept: str, size: int, hint: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit stands too high for a test: it is lowered."""
    monkeypatch.setattr(image, "MAX_IMAGE", 1 << 20)
    place: Path = request.getfixturevalue(kept)
    with Home.open(place) as home:
        with home.writing() as writer:
            writer.put_draft(Draft(GAME, "orders", Random(1).randbytes(5 << 18).hex()))
        with pytest.raises(BadRequest) as caught:
            home.image()
    assert said(caught.value) == (
        "backup.too_large",
        f"expected a home of at most 1 MiB, got {size} MiB",
        hint.format(place / "home.sqlite"),
    )
