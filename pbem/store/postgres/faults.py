"""Faults of PostgreSQL in words, by its error codes (PostgreSQL manual, appendix A)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import BadDisk, BadRequest, PbemError

if TYPE_CHECKING:
    import psycopg

_Words = tuple[str, str, str]

_LOCKED: _Words = (
    "database.locked",
    "another program has held it for too long",
    "wait until the other pbem command has finished, then repeat this one",
)
_DAMAGED: _Words = (
    "database.damaged",
    "PostgreSQL finds it damaged",
    "keep a copy of it as it is, and restore the home from a backup or an archive",
)
_FULL: _Words = ("disk.full", "the server's disk is full", "free some space there; nothing was changed")
_NO_MEMORY: _Words = ("machine.no_memory", "the server has not enough memory", "ask who runs it")
_NO_RIGHT: _Words = (
    "database.no_right",
    "this user may not do so",
    "ask who runs the database for the right to make a schema, or for a schema that is yours",
)
_READ_ONLY: _Words = ("disk.read_only", "the database takes no changes", "is it a standby? name the primary server")
_REFUSED: _Words = (
    "database.refused",
    "the server did not let this user in",
    "check the user in the URL, and the password in PGPASSFILE or PGPASSWORD",
)
_TOO_MANY: _Words = ("database.too_many", "the server has too many connections", "stop a worker, or raise its limit")
_LOST: _Words = (
    "database.lost",
    "the connection to the server was lost",
    "a change that was under way is stored whole or not at all; give the command again when the server is there",
)
_UNREACHABLE: _Words = ("database.unreachable", "no server answered there", "check the URL and whether it runs")

_BY_STATE: dict[str, _Words] = {
    "55P03": _LOCKED,
    "40P01": _LOCKED,
    "40001": _LOCKED,
    "53100": _FULL,
    "53200": _NO_MEMORY,
    "53300": _TOO_MANY,
    "42501": _NO_RIGHT,
    "25006": _READ_ONLY,
    "28000": _REFUSED,
    "28P01": _REFUSED,
    "XX001": _DAMAGED,
    "XX002": _DAMAGED,
}
_LOST_CLASSES = ("08", "57P")


def fault_of(error: psycopg.Error, deed: str, place: str) -> PbemError:
    """Return the error to raise; `deed` is a verb, such as "write to"."""
    state = error.sqlstate or ""
    if not state:
        return _without_code(error, deed, place)
    if state.startswith(_LOST_CLASSES):
        return _fault(_LOST, deed, place)
    said = ("database.failed", f"PostgreSQL said: {_one_line(error)}", "ask who runs it, and give the command again")
    return _fault(_BY_STATE.get(state, said), deed, place)


def not_opened(error: psycopg.Error, place: str) -> BadDisk:
    """Return the error for a server that could not be reached, or that lets nobody in; libpq gives no code then."""
    text = _one_line(error)
    refused = "FATAL" in text or "no password supplied" in text
    code, reason, hint = _REFUSED if refused else _UNREACHABLE
    return _fault((code, f"{reason}: {text}", hint), "open", place)


def _without_code(error: psycopg.Error, deed: str, place: str) -> PbemError:
    """What the driver found by itself: a connection that is gone, or a text that PostgreSQL cannot hold."""
    if "NUL" in str(error):
        return BadRequest("database.nul", "expected text without NUL characters, got one in it", "take it out")
    return _fault(_LOST, deed, place)


def _one_line(error: psycopg.Error) -> str:
    return " ".join(str(error).split())


def _fault(words: _Words, deed: str, place: str) -> BadDisk:
    code, reason, hint = words
    return BadDisk(code, f"expected to {deed} {place!r}, but {reason}", hint)
