"""Faults of PostgreSQL in words, by its error codes (PostgreSQL manual, appendix A)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pbem.errors import BadDisk, BadRequest, PbemError
from pbem.store.faults import LOCKED, LOST, UNREACHABLE, Words, fault

if TYPE_CHECKING:
    import psycopg

_DAMAGED: Words = (
    "database.damaged",
    "PostgreSQL finds it damaged",
    "keep a copy of it as it is, and restore the home from a backup or an archive",
)
_FULL: Words = ("disk.full", "the server's disk is full", "free some space there; nothing was changed")
_NO_MEMORY: Words = ("machine.no_memory", "the server has not enough memory", "ask who runs it")
_NO_RIGHT: Words = (
    "database.no_right",
    "this user may not do so",
    "ask who runs the database for the right to make a schema, or for a schema that is yours",
)
_READ_ONLY: Words = ("disk.read_only", "the database takes no changes", "is it a standby? name the primary server")
_REFUSED: Words = (
    "database.refused",
    "the server did not let this user in",
    "check the user in the URL, and the password in PGPASSFILE or PGPASSWORD",
)
_NO_DATABASE: Words = (
    "database.none",
    "the server has no database of that name",
    "look for a slip in the URL, or make it first: `createdb NAME`",
)
_TOO_MANY: Words = ("database.too_many", "the server has too many connections", "stop a worker, or raise its limit")
_LOST: Words = (
    LOST,
    "the connection to the server was lost",
    "a change that was under way is stored whole or not at all; give the command again when the server is there",
)
_UNREACHABLE: Words = (UNREACHABLE, "no server answered there", "check the URL and whether it runs")

_BY_STATE: dict[str, Words] = {
    "55P03": LOCKED,
    "40P01": LOCKED,
    "40001": LOCKED,
    "53100": _FULL,
    "53200": _NO_MEMORY,
    "53300": _TOO_MANY,
    "42501": _NO_RIGHT,
    "3D000": _NO_DATABASE,
    "25006": _READ_ONLY,
    "28000": _REFUSED,
    "28P01": _REFUSED,
    "XX001": _DAMAGED,
    "XX002": _DAMAGED,
}
_NAMES_NONE = re.compile(r'FATAL: +database ".*" does not exist')
_NOT_READY = re.compile(r"FATAL: +the database system is ")
"""It starts, stops, or recovers (PostgreSQL's `postmaster.c`)."""
_LOST_CLASSES = ("08", "57P")


def lost(deed: str, place: str) -> BadDisk:
    """Return the error for a connection that is gone."""
    return fault(_LOST, deed, place)


def fault_of(error: psycopg.Error, deed: str, place: str) -> PbemError:
    """Return the error to raise; `deed` is a verb, such as "write to"."""
    state = error.sqlstate or ""
    if not state:
        return _without_code(error, deed, place)
    if state.startswith(_LOST_CLASSES):
        return lost(deed, place)
    said = ("database.failed", f"PostgreSQL said: {_one_line(error)}", "ask who runs it, and give the command again")
    return fault(_BY_STATE.get(state, said), deed, place)


def not_opened(error: psycopg.Error, place: str) -> BadDisk:
    """Return the error for a server that could not be reached, lets nobody in, or has no such database.

    libpq gives no code then; the sentence of a server that speaks another language is shown with the second reason.
    """
    text = _one_line(error)
    refused = ("FATAL" in text and not _NOT_READY.search(text)) or "no password supplied" in text
    words = _NO_DATABASE if _NAMES_NONE.search(text) else _REFUSED if refused else _UNREACHABLE
    code, reason, hint = words
    return fault((code, f"{reason}: {text}", hint), "open", place)


def _without_code(error: psycopg.Error, deed: str, place: str) -> PbemError:
    """What the driver found by itself: a connection that is gone, or a text that PostgreSQL cannot hold."""
    if "NUL" in str(error):
        return BadRequest("database.nul", "expected text without NUL characters, got one in it", "take it out")
    return lost(deed, place)


def _one_line(error: psycopg.Error) -> str:
    return " ".join(str(error).split())
