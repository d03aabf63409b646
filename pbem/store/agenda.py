"""Which games a service has to look at, and who sits at them: kept with every change of a game, in its transaction.

A service with many games reads none of them without a reason; this is where the reasons are. What a summary of a game
says (`Status.json`) is the one thing that the store reads in it: its fields `role`, `judge`, `given`, `turn`, `result`
and `finished` for the standing, `opponents` for the seats. A summary without them is one of a game of no standing.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pbem.store.port import Connection
from pbem.store.queue import Queue
from pbem.store.rows import NEVER, Agenda, Look, Row, SeatAt, Standing, Status


class Agendas(Queue):
    """What can be written about the looks at games, inside a transaction that holds the lock of the game."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._agendas: dict[str, Agenda] = {}

    def agenda(self, game_id: str) -> Agenda | None:
        """As `Reader.agenda`; whoever holds the lock of a game reads it once, since nobody else changes it."""
        if game_id not in self._agendas and (found := super().agenda(game_id)) is not None:
            self._agendas[game_id] = found
        return self._agendas.get(game_id)

    def look_at(self, game_id: str, status: Status | None = None, known: Status | None = None) -> None:
        """Have a game looked at, since it has changed; `status` is its summary, where there is a new one in the place
        of the `known` one."""
        found = self.agenda(game_id)
        changed = replace(found or Agenda(game_id), post_at=0, watch_at=0)
        changed = replace(changed, changes=changed.changes + 1)
        if status is not None:
            standing, addresses = facts_of(status.json)
            changed = replace(changed, standing=standing)
            if known is None or facts_of(known.json)[1] != addresses:
                self._seat(game_id, addresses)
        self._set(found, changed)

    def looked_at(self, seen: Agenda, what: Look, again: int = NEVER) -> bool:
        """Note that a game was looked at as it was `seen`, and when it has to be again; False if it has changed."""
        found = self.agenda(seen.game_id)
        if found is None or found.changes != seen.changes:
            return False
        self._set(found, _until(found, what, again))
        return True

    def look_at_all(self, what: Look) -> None:
        """Have every game looked at; only by a writer of the whole home."""
        for found in self._verified(Agenda, f"WHERE {what}_at <> 0 ORDER BY game_id"):
            self._set(found, _until(found, what, 0))

    def _set(self, found: Agenda | None, changed: Agenda) -> None:
        self._agendas[changed.game_id] = changed
        if found is None:
            self._add(changed)
        elif found != changed:
            names = ("changes", "post_at", "watch_at", "standing")
            self._replace(found, **{name: getattr(changed, name) for name in names})

    def _seat(self, game_id: str, addresses: dict[str, str]) -> None:
        seats = self._verified(SeatAt, "WHERE game_id = ? ORDER BY role", game_id)
        if {seat.role: seat.address for seat in seats} == addresses:
            return
        self._connection.put("DELETE FROM seats WHERE game_id = ?", game_id)
        for role, address in sorted(addresses.items()):
            self._add(SeatAt(game_id, role, address))


def _until(found: Agenda, what: Look, at: int) -> Agenda:
    return replace(found, post_at=at) if what == "post" else replace(found, watch_at=at)


def facts_of(summary: bytes) -> tuple[Standing, dict[str, str]]:
    """The standing of a home in a game, and the addresses of the other parties by role, with case folded."""
    try:
        found = json.loads(summary)
        seats = {one["role"]: one["address"].casefold() for one in found["opponents"]}
        if found["role"] != found["judge"] or found["given"]:
            return "", seats
        return ("running" if found["turn"] and not found["result"] and not found["finished"] else "presided"), seats
    except (ValueError, KeyError, TypeError):
        return "", {}


def fill_agenda(rows: Callable[..., list[tuple[Any, ...]]], change: Callable[..., object]) -> None:
    """Have every game of an older home looked at: what brings a home of version 2 to the next one."""
    for (game_id,) in rows("SELECT game_id FROM games ORDER BY game_id"):
        stored = rows("SELECT json FROM status WHERE game_id = ?", game_id)
        standing, addresses = facts_of(stored[0][0] if stored else b"")
        _insert(change, Agenda(game_id, standing=standing))
        for role, address in sorted(addresses.items()):
            _insert(change, SeatAt(game_id, role, address))


def _insert(change: Callable[..., object], row: Row) -> None:
    columns = (*row.columns(), "digest")
    marks = ", ".join("?" * len(columns))
    change(f"INSERT INTO {row.TABLE} ({', '.join(columns)}) VALUES ({marks})", *row.values(), row.digest())
