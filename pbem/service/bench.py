"""Who sits where: the games over which this home presides, and the games of the party that has an address.

What a summary of a game says is enough, so that no game is opened for a look at whose turn it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from pbem.app.aside import listed
from pbem.app.desk import Desk
from pbem.app.opened import open_game
from pbem.app.summary import summarise
from pbem.log.event import ADJUDICATOR, REFEREE, Role
from pbem.mail.message import Mailbox
from pbem.service.commands import Asked
from pbem.store.rows import StoredGame

BENCH = (REFEREE, ADJUDICATOR)
"""The seats that a service takes by itself, the first that is meant for its address."""


def presides(summary: Mapping[str, Any]) -> bool:
    """Whether this home has the powers of a referee in a game, and the key that signs for them."""
    return bool(summary["role"] == summary["judge"] and not summary["given"])


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of another party in a game of this home, with the address of the roster."""

    game: StoredGame
    summary: Mapping[str, Any]
    role: Role
    mailbox: Mailbox


def summary_of(desk: Desk, row: StoredGame) -> dict[str, Any]:
    """The summary that the last change of a game left, or a fresh one where that is damaged."""
    stored = desk.home.status(row.game_id)
    if stored is None:
        stored = summarise(desk.home, open_game(desk.home, row.game_id, desk.games))
    found: dict[str, Any] = orjson.loads(stored.json)
    return found


def presided(desk: Desk) -> Iterator[tuple[StoredGame, dict[str, Any]]]:
    """The listed games over which this home presides, each with its summary."""
    for row in listed(desk.home):
        summary = summary_of(desk, row)
        if presides(summary):
            yield row, summary


def is_running(summary: Mapping[str, Any]) -> bool:
    """Whether a game is in play, neither decided nor closed."""
    return bool(summary["turn"]) and not summary["result"] and not summary["finished"]


def seats_at(desk: Desk, address: str) -> list[Seat]:
    """The seats of an address in the games of this home, as the rosters have it; none for an empty one."""
    return [] if not address else list(_seats(desk, address.casefold()))


def _seats(desk: Desk, wanted: str) -> Iterator[Seat]:
    for row in desk.home.games():
        summary = summary_of(desk, row)
        for one in summary["opponents"]:
            if one["address"].casefold() == wanted:
                yield Seat(row, summary, Role(one["role"]), Mailbox(one["name"], one["address"]))


def seat_meant(seats: Sequence[Seat], asked: Asked) -> Seat | None:
    """The seat that is meant: the one named, else that of the mail which is answered, else the only one."""
    wanted = asked.rest[0].casefold() if asked.rest else ""
    found = [seat for seat in seats if wanted and is_named(seat, wanted)]
    if not found and asked.answers:
        found = [seat for seat in seats if seat.game.game_id.startswith(asked.answers)]
    found = found or list(seats)
    return found[0] if len(found) == 1 else None


def is_named(seat: Seat, wanted: str) -> bool:
    """Whether a word in lower case is the game's name here, or the beginning of its id."""
    return seat.game.name.casefold() == wanted or (len(wanted) > 3 and seat.game.game_id.startswith(wanted))
