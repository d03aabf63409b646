"""Faults of the machine in words: what was to be done, where, why it failed, and what to do about it."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from pbem.errors import BadDisk, BadRequest

Words: TypeAlias = tuple[str, str, str]
"""Of a fault: its code, why it is one, and what to do about it."""

_FULL: Words = ("disk.full", "the disk is full", "free some space and repeat the command; nothing was changed")
_READ_ONLY: Words = (
    "disk.read_only",
    "the disk or the file is read-only",
    "make it writable, or choose another place",
)
_NO_RIGHT: Words = ("disk.no_right", "you have no right to do so", "check who owns the file and its folder")
_TOO_MANY: Words = ("disk.too_many_files", "too many files are open", "close other programs, or raise `ulimit -n`")
_MISSING: Words = ("disk.missing", "it does not exist", "check the path; the folder must be there")
_LONG: Words = (
    "disk.name_too_long",
    "its name is longer than the system allows",
    "check the name, or choose a shorter one",
)
_FOLDER: Words = ("disk.is_a_folder", "it is a folder", "name a file")
_BROKEN: Words = (
    "disk.input_output",
    "the disk reported an input or output error, or a size limit was reached",
    "check the disk and the limits (`ulimit -f`), then repeat the command",
)

KEEP_A_COPY = "keep a copy of it as it is, and restore the home from a backup or an archive"
OTHER_TABLES = "its tables or triggers are not those that were made"
_BUSY = "look at the disk and at what else uses the file, then repeat the command"

_BY_ERRNO: dict[int, Words] = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: ("disk.full", "the file would be too large", "check the limits (`ulimit -f`) and the disk's quota"),
    errno.EROFS: _READ_ONLY,
    errno.EACCES: _NO_RIGHT,
    errno.EPERM: _NO_RIGHT,
    errno.EMFILE: _TOO_MANY,
    errno.ENFILE: _TOO_MANY,
    errno.ENOENT: _MISSING,
    errno.ENOTDIR: _MISSING,
    errno.EISDIR: _FOLDER,
    errno.ENAMETOOLONG: _LONG,
    errno.EEXIST: ("disk.in_the_way", "a file of that name is in the way", "choose another place"),
    errno.EIO: _BROKEN,
}

LOCKED: Words = (
    "database.locked",
    "another program has held it for too long",
    "wait until the other pbem command has finished, then repeat this one",
)
LOST, UNREACHABLE = "database.lost", "database.unreachable"
_DAMAGED: Words = (
    "database.damaged",
    "it is damaged or is no pbem database",
    KEEP_A_COPY,
)

_FAILED = "database.failed"

_BY_SQLITE: dict[int, Words] = {
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_PROTOCOL: LOCKED,
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_PERM: _NO_RIGHT,
    sqlite3.SQLITE_IOERR: _BROKEN,
    sqlite3.SQLITE_NOMEM: ("machine.no_memory", "there is not enough memory", "close other programs"),
}


class StoreFault(BadDisk):
    """A fault in the words of this module; `reason` says why it is one, without what was to be done and where."""

    def __init__(self, code: str, attempt: str, reason: str, hint: str) -> None:
        super().__init__(code, f"{attempt}, but {reason}", hint)
        self.reason = reason


def disk_fault(error: OSError, deed: str, where: Path) -> BadDisk:
    """Return the error to raise for `error`; `deed` is a verb, such as "write"."""
    reason = (error.strerror or str(error)).lower()
    unknown = ("disk.failed", f"the system said: {reason}", _BUSY)
    return fault(_BY_ERRNO.get(error.errno or 0, unknown), deed, where)


def database_fault(error: Exception, deed: str, where: Path) -> BadDisk:
    """Return the error to raise for an error of SQLite; what has no other name is damage.

    SQLite does not say why a file could not be opened, so the system is asked once more.
    """
    unsaid = sqlite3.SQLITE_NOMEM if isinstance(error, MemoryError) else sqlite3.SQLITE_CORRUPT
    primary = getattr(error, "sqlite_errorcode", unsaid) & 0xFF
    if primary == sqlite3.SQLITE_CANTOPEN:
        return _not_opened(deed, where)
    if primary == sqlite3.SQLITE_ERROR:
        return fault((_FAILED, f"SQLite said: {error}", _DAMAGED[2]), deed, where)
    return fault(_BY_SQLITE.get(primary, _DAMAGED), deed, where)


def is_away(error: BaseException) -> bool:
    """Whether an error says that the server of a database is out of reach, which ends by itself."""
    return isinstance(error, BadDisk) and error.code in (LOST, UNREACHABLE)


@contextmanager
def disk_spoken(deed: str, where: Path) -> Iterator[None]:
    """Turn an OSError of the block into BadDisk."""
    try:
        yield
    except OSError as error:
        raise disk_fault(error, deed, where) from error


def damaged(found: str, where: Path | str) -> BadDisk:
    """Return the error for content that is not what was written; `found` says what does not hold."""
    return StoreFault(_DAMAGED[0], f"expected an undamaged database {str(where)!r}", found, _DAMAGED[2])


def damage_in(error: BadDisk) -> str:
    """What an error of `fault` or of `damaged` found, without what was to be done and where; the error itself is
    raised again where it found no damage, but could not look."""
    if error.code not in (_DAMAGED[0], _FAILED):
        raise error
    return error.reason if isinstance(error, StoreFault) else error.text


def home_exists(folder: Path | str) -> BadRequest:
    """Return the error for a place where a home is already."""
    return BadRequest(
        "home.exists",
        f"expected a folder without a home, got one in {str(folder)!r}",
        "use it as it is, or set PBEM_HOME to another folder",
    )


def home_newer(place: str, known: int, version: int) -> BadRequest:
    """Return the error for a home of a schema that this program does not know yet."""
    return BadRequest(
        "home.newer",
        f"expected a home of schema {known} or older, got schema {version} in {place!r}",
        "this home was used with a newer pbem: install that (`pip install --upgrade pbem`)",
    )


def home_missing(folder: Path | str) -> BadRequest:
    """Return the error for a place without a home."""
    return BadRequest(
        "home.missing",
        f"expected a home in {str(folder)!r}, got none",
        "make one with `pbem init`, or set PBEM_HOME",
    )


def _not_opened(deed: str, where: Path) -> BadDisk:
    try:
        os.close(os.open(where, os.O_RDWR))
        os.close(os.open(where.parent, os.O_RDONLY))
    except OSError as error:
        return disk_fault(error, deed, where)
    return fault(("disk.not_opened", "a file beside it could not be opened", _NO_RIGHT[2]), deed, where)


def fault(words: Words, deed: str, where: Path | str) -> BadDisk:
    """Return the error for a fault in words; `deed` is a verb, such as "write"."""
    code, reason, hint = words
    return StoreFault(code, f"expected to {deed} {str(where)!r}", reason, hint)
