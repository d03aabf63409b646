"""Who sits where: the games over which this home presides, and the games of the party that has an address.

What a summary of a game says is enough, so that no game is opened for a look at whose turn it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pbem.app import kept
from pbem.app.aside import ASIDE, is_aside
from pbem.app.desk import Desk
from pbem.errors import PbemError
from pbem.log.event import ADJUDICATOR, REFEREE, Role
from pbem.mail.message import Mailbox
from pbem.service.commands import STEPPED, Asked
from pbem.store.reading import Reader
from pbem.store.rows import Agenda, Look, Standing, StoredGame

BENCH = (REFEREE, ADJUDICATOR)
"""The seats that a service takes by itself, the first that is meant for its address."""
FEWEST_DIGITS, DIGITS = 6, 12
"""Of a game's id: how many name it at least, and with how many it is named to others."""
MOST_DIGITS = 6
"""Of the number of a step."""
AROUND = "()`'\"<>.,:;!?"
"""What may stand around the name of a game in a letter."""


def presides(summary: Mapping[str, Any]) -> bool:
    """Whether this home has the powers of a referee in a game, and the key that signs for them."""
    return bool(summary["role"] == summary["judge"] and not summary["given"])


def standing_of(reader: Reader, game_id: str) -> Standing:
    """The standing of this home in a game; none in one that is put aside."""
    found = reader.agenda(game_id)
    return "" if found is None or is_aside(reader, game_id) else found.standing


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of another party in a game of this home, with the address of the roster."""

    game: StoredGame
    summary: Mapping[str, Any]
    role: Role
    mailbox: Mailbox


def summary_of(desk: Desk, row: StoredGame) -> dict[str, Any]:
    """The summary that the last change of a game left, or a fresh one; PbemError, and nothing else, for a game that
    cannot be summarised here."""
    return kept.summary_of(desk.home, row, desk.games)


def to_look_at(desk: Desk, what: Look, worker: str) -> list[Agenda]:
    """The games that have to be looked at now.

    Each worker of a home that several share has an order of its own, so that no two go from game to game waiting for
    each other.
    """
    found = list(desk.home.to_look_at(what, desk.clock()))
    if desk.home.shared:
        found.sort(key=lambda one: sha256(f"{worker}/{one.game_id}".encode()).digest())
    return found


def look_anew(desk: Desk, what: Look, key: str, seconds: int) -> None:
    """Look at every game once when the time under that key, by which its next look is reckoned, is not what it was."""
    now = str(seconds).encode("ascii")
    if desk.home.meta(key) != now:
        with desk.home.writing() as writer:
            writer.put_meta(key, now)
            writer.look_at_all(what)


def changed(desk: Desk, worker: str) -> Iterator[tuple[Agenda, StoredGame, dict[str, Any]]]:
    """The listed games over which this home presides and that have changed since they were looked at, with their
    summaries; of the others it is noted that there is nothing to look at."""
    for seen in to_look_at(desk, "watch", worker):
        row = desk.home.game(seen.game_id)
        try:
            summary = summary_of(desk, row)
        except PbemError:  # what posts its turn files tells of that; it is looked at again
            continue
        if presides(summary) and not is_aside(desk.home, row.game_id):
            yield seen, row, summary
        else:
            with desk.home.writing(row.game_id) as writer:
                writer.looked_at(seen, "watch")


def count_games(reader: Reader) -> tuple[int, int]:
    """How many listed games this home presides over, and how many of these are in play, neither decided nor closed."""
    counted = reader.standings(ASIDE)
    running = counted.get("running", 0)
    return running + counted.get("presided", 0), running


def seats_at(desk: Desk, address: str, *, joined: bool = True) -> list[Seat]:
    """The seats of an address in the games of this home, as the rosters have it; none for an empty one.

    Where they must have `joined`, a seat that nobody has signed for is none: its address is the proposer's claim, and
    perhaps a stranger's.
    """
    found = [] if not address else list(_seats(desk, address.casefold()))
    return [one for one in found if not joined or _has_joined(one)]


def _seats(desk: Desk, wanted: str) -> Iterator[Seat]:
    for row in desk.home.games_with(wanted):
        try:
            summary = summary_of(desk, row)
        except PbemError:  # one game that cannot be summarised does not hide the others
            continue
        for one in summary["opponents"]:
            if one["address"].casefold() == wanted:
                yield Seat(row, summary, Role(one["role"]), Mailbox(one["name"], one["address"]))


def _has_joined(seat: Seat) -> bool:
    return all((one["role"], one["kind"]) != (seat.role, "accept") for one in seat.summary["waiting"])


def seat_meant(seats: Sequence[Seat], asked: Asked) -> Seat | None:
    """The seat that is meant: in the game that is named, else in that of the mail which is answered, else the only one.

    None where that is none or more than one: a party has names of its own for its games, and is never answered for
    another one than it means.
    """
    if wanted := named(seats, asked):
        found = [seat for seat in seats if is_named(seat, wanted)]
    elif asked.answers:
        found = [seat for seat in seats if seat.game.game_id.startswith(asked.answers)]
    else:
        found = list(seats)
    return found[0] if len(found) == 1 else None


def named(seats: Sequence[Seat], asked: Asked) -> str:
    """How a letter names a game, in lower case; empty where it names none, as where the number of a step stands."""
    wanted = asked.rest[0].casefold().strip(AROUND) if asked.rest else ""
    step = asked.word in STEPPED and wanted.isdecimal() and len(wanted) <= MOST_DIGITS
    return "" if step and not any(is_named(seat, wanted) for seat in seats) else wanted


def is_named(seat: Seat, wanted: str) -> bool:
    """Whether a word in lower case is the beginning of the game's id, or its name here."""
    begins = len(wanted) >= FEWEST_DIGITS and seat.game.game_id.startswith(wanted)
    return begins or seat.game.name.casefold() == wanted
