"""Readers of a home: every row that comes back is compared with its digest, every log with its tally.

A tally is the number of rows of a table (for one game) and a hash over their digests in the order of arrival; it
shows that a row is missing, which no digest of a row can. Vault entries have none: they bear their own proof, and one
that is missing is noticed when it is needed. Caches that do not hold are left out.
"""

from __future__ import annotations

import hashlib
from typing import TypeVar

from pbem.errors import BadDisk, BadRequest
from pbem.log.enumeration import counted, cut
from pbem.store.faults import damage_in, damaged
from pbem.store.port import Connection
from pbem.store.rows import (
    Agenda,
    Deadline,
    Draft,
    Lease,
    Look,
    MailState,
    Row,
    SeatAt,
    Snapshot,
    Status,
    StoredEvent,
    StoredGame,
    StoredLetter,
    StoredMail,
    StoredRefusal,
)

R = TypeVar("R", bound=Row)
Tally = tuple[int, bytes]
EMPTY_TALLY: Tally = (0, bytes(32))
_OF_GAME, _LATEST_FIRST = "WHERE game_id = ?", "WHERE game_id = ? ORDER BY step DESC, rowid DESC"
_OF_A_GAME: tuple[tuple[type[Row], str], ...] = (
    (StoredEvent, f"{_OF_GAME} ORDER BY rowid"),
    (Snapshot, _LATEST_FIRST),
    (Status, _OF_GAME),
    (Agenda, _OF_GAME),
)
TALLY = "SELECT rows, digest FROM tallies WHERE scope = ?"
META_VALUE = "SELECT value FROM meta WHERE key = ?"
SHORTEST_PREFIX = 4
"""Fewer digits of a game's id do not name it."""


class Reader:
    """What can be read, inside a transaction or outside."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def games(self) -> tuple[StoredGame, ...]:
        """Return all games, oldest first."""
        games = self._tallied(StoredGame, "games", "")
        return tuple(sorted(games, key=lambda game: (game.created, game.name)))

    def game(self, wanted: str) -> StoredGame:
        """Return the game of that name, that id, or whose id begins so (four digits at least).

        BadRequest when there is none or more than one.
        """
        for column in ("game_id", "name"):  # so that a service with many games does not read them all for each mail
            if known := self._verified(StoredGame, f"WHERE {column} = ?", wanted):
                return known[0]
        games = self.games()
        for game in games:
            if wanted.casefold() == game.name.casefold():
                return game
        begun = [game for game in games if _begins(game, wanted)]
        if len(begun) == 1:
            return begun[0]
        raise _ambiguous(wanted, begun) if begun else _unknown(wanted, games)

    def known(self, game_id: str) -> StoredGame | None:
        """Return the game of exactly that id, or None."""
        found = self._verified(StoredGame, "WHERE game_id = ?", game_id)
        return found[0] if found else None

    def expect_all_of(self, game_id: str) -> None:
        """Say that what nearly every use of a game begins with will be read."""
        for row_class, where in _OF_A_GAME:
            self._connection.ahead(_select(row_class, where), game_id)
        self._connection.ahead(TALLY, f"events {game_id}")

    def to_look_at(self, what: Look, now: int) -> tuple[Agenda, ...]:
        """Return the games that have to be looked at by now, those that wait longest first."""
        return tuple(self._verified(Agenda, f"WHERE {what}_at <= ? ORDER BY {what}_at, game_id", now))

    def agenda(self, game_id: str) -> Agenda | None:
        """Return when a game has to be looked at, or None when there is no such game."""
        found = self._verified(Agenda, "WHERE game_id = ?", game_id)
        return found[0] if found else None

    def standings(self, but: str = "") -> dict[str, int]:
        """How many games are of which standing, without those of whose id, with `but` before it, a value is kept."""
        counted = self._connection.rows(
            "SELECT standing, count(*) FROM agenda WHERE NOT EXISTS (SELECT 1 FROM meta WHERE key = ? || game_id"
            " AND length(value) > 0) GROUP BY standing ORDER BY standing",
            but,
        )
        return {standing: int(count) for standing, count in counted}

    def games_with(self, address: str) -> tuple[StoredGame, ...]:
        """Return the games at which somebody else with that address sits, case folded, the oldest first."""
        seats = self._verified(SeatAt, "WHERE address = ?", address)
        games = [self.known(game_id) for game_id in {seat.game_id for seat in seats}]
        return tuple(sorted((game for game in games if game), key=lambda game: (game.created, game.name)))

    def events(self, game_id: str) -> tuple[StoredEvent, ...]:
        """Return all events of a game by step, role and place, the chain before what stands beside it.

        BadDisk, with the event's id, when one is not what was stored; BadDisk when one is missing.
        """
        events = self._tallied(StoredEvent, f"events {game_id}", "WHERE game_id = ?", game_id)
        return tuple(sorted(events, key=_log_order))

    def event(self, game_id: str, event_id: str) -> StoredEvent | None:
        """Return one event, or None when the game has none of that id."""
        found = self._verified(StoredEvent, "WHERE game_id = ? AND event_id = ?", game_id, event_id)
        return found[0] if found else None

    def refusals(self, game_id: str) -> tuple[StoredRefusal, ...]:
        """Return what the rules refused in a game, in the order of arrival."""
        return tuple(self._tallied(StoredRefusal, f"refused {game_id}", "WHERE game_id = ?", game_id))

    def meta(self, key: str) -> bytes | None:
        """Return a value that concerns the whole home, or None."""
        return self._single(META_VALUE, key)

    def meta_under(self, prefix: str) -> dict[str, bytes]:
        """Return the values whose keys begin so, by the rest of the key."""
        found = self._connection.rows(
            "SELECT key, value FROM meta WHERE key >= ? AND key < ? ORDER BY key", prefix, prefix + "\U0010ffff"
        )
        return {key.removeprefix(prefix): value for key, value in found}

    def secret(self, name: str) -> bytes | None:
        """Return the ciphertext of a vault entry, or None."""
        return self._single("SELECT ciphertext FROM secrets WHERE name = ?", name)

    def secret_names(self) -> tuple[str, ...]:
        """Return the names of all vault entries, sorted."""
        return tuple(row[0] for row in self._connection.rows("SELECT name FROM secrets ORDER BY name"))

    def keys(self, table: str, column: str) -> set[str]:
        """Return one column of a whole table, none of it compared with its digest."""
        return {row[0] for row in self._connection.rows(f"SELECT {column} FROM {table}")}

    def snapshots(self, game_id: str) -> tuple[Snapshot, ...]:
        """Return the snapshots of a game that hold, the latest step first."""
        return tuple(self._holding(Snapshot, _LATEST_FIRST, game_id))

    def status(self, game_id: str) -> Status | None:
        """Return the cached summary of a game, or None when there is none that holds."""
        found = self._holding(Status, _OF_GAME, game_id)
        return found[0] if found else None

    def _note_status(self, status: Status) -> None:
        """Say that a summary is kept from now on."""
        self._connection.noted([(*status.values(), status.digest())], _select(Status, _OF_GAME), status.game_id)

    def drafts(self, game_id: str) -> tuple[Draft, ...]:
        """Return the drafts of a game by name; BadDisk when one is missing or is not what was stored."""
        drafts = self._tallied(Draft, f"drafts {game_id}", "WHERE game_id = ?", game_id)
        return tuple(sorted(drafts, key=lambda draft: draft.name))

    def draft(self, game_id: str, name: str) -> str | None:
        """Return the text of a draft, or None; BadDisk when a draft of the game is damaged."""
        return next((draft.text for draft in self.drafts(game_id) if draft.name == name), None)

    def letter(self, mail_digest: str) -> StoredLetter | None:
        """Return what became of the mail with that SHA-256 (hexadecimal), or None when it was not handled yet."""
        found = self._verified(StoredLetter, "WHERE mail_digest = ?", mail_digest)
        return found[0] if found else None

    def mail(self, message_id: str) -> StoredMail | None:
        """Return a mail of the outbox, or None."""
        found = self._verified(StoredMail, "WHERE message_id = ?", message_id)
        return found[0] if found else None

    def mails(self, state: MailState) -> tuple[StoredMail, ...]:
        """Return all mails of the outbox in that state, in the order of creation."""
        return tuple(self._verified(StoredMail, "WHERE state = ? ORDER BY created, rowid", state))

    def mail_count(self) -> dict[str, int]:
        """How many mails of the outbox are in which state; a state without any is left out."""
        counted = self._connection.rows("SELECT state, count(*) FROM outbox GROUP BY state ORDER BY state")
        return {state: int(count) for state, count in counted}

    def held_mails(self) -> dict[str, int]:
        """How many mails of the outbox wait after an attempt to send them, by the code of what was in the way."""
        found = self._connection.rows(
            "SELECT reason, count(*) FROM outbox WHERE state = 'pending' AND reason <> '' GROUP BY reason"
            " ORDER BY reason"
        )
        return {str(reason): int(count) for reason, count in found}

    def deadlines(self, game_id: str) -> tuple[Deadline, ...]:
        """Return all deadlines of a game, those that are over too, by step and time."""
        return tuple(self._verified(Deadline, "WHERE game_id = ? ORDER BY step, due, what", game_id))

    def due_by(self, what: str, due: int) -> tuple[Deadline, ...]:
        """Return what waits, is due by then, and whose `what` begins so."""
        where = "WHERE state = 'waiting' AND due <= ? AND substr(what, 1, ?) = ? ORDER BY due, game_id"
        return tuple(self._verified(Deadline, where, due, len(what), what))

    def next_deadlines(self, at_most: int, but: str) -> tuple[Deadline, ...]:
        """Return what is due next in games over which this home presides, without those of which, with `but` before
        the id, a value is kept."""
        where = (
            "WHERE state = 'waiting'"
            " AND EXISTS (SELECT 1 FROM agenda WHERE agenda.game_id = deadlines.game_id AND standing <> '')"
            " AND NOT EXISTS (SELECT 1 FROM meta WHERE key = ? || deadlines.game_id AND length(value) > 0)"
            " ORDER BY due, game_id, what LIMIT ?"
        )
        return tuple(self._verified(Deadline, where, but, at_most))

    def lease(self, name: str) -> Lease | None:
        """Return who has a lease and until when; it may have ended. None when nobody has it."""
        found = self._verified(Lease, "WHERE name = ?", name)
        return found[0] if found else None

    def leases(self, now: int) -> tuple[Lease, ...]:
        """Return the leases that have not ended, by name."""
        return tuple(self._verified(Lease, "WHERE until > ? ORDER BY name", now))

    def damages(self) -> tuple[str, ...]:
        """Read everything and return what does not hold, each in words for `damaged`; empty when all is well.

        BadDisk for what keeps from reading and is no damage: another program that holds the database, a full disk.
        """
        with self._connection.reading():
            found = self._connection.faults()
            try:
                for game in self.games():
                    found += self._damages_of(game.game_id)
            except BadDisk as error:
                found.append(damage_in(error))
            for row_class in (StoredLetter, StoredMail, Deadline, Lease, Agenda, SeatAt):
                found += self._mismatches(row_class, "")
        return tuple(found)

    def _damages_of(self, game_id: str) -> list[str]:
        found = []
        for read in (self.events, self.refusals, self.drafts):
            try:
                read(game_id)
            except BadDisk as error:
                found.append(damage_in(error))
        for cache in (Snapshot, Status):
            found += self._mismatches(cache, "WHERE game_id = ?", game_id)
        return found

    def _mismatches(self, row_class: type[Row], where: str, *values: object) -> list[str]:
        return [_mismatch(row) for row, digest in self._stored(row_class, where, *values) if row.digest() != digest]

    def _tallied(self, row_class: type[R], scope: str, where: str, *values: object) -> list[R]:
        """Return rows in the order of arrival, after comparing them with their digests and their tally."""
        with self._connection.reading():
            self._connection.ahead(TALLY, scope)
            stored = self._stored(row_class, f"{where} ORDER BY rowid", *values)
            noted = self._tally(scope)
        rows, reached = [], EMPTY_TALLY
        for row, digest in stored:
            rows.append(self._compared(row, digest))
            reached = next_tally(reached, digest)
        if reached != noted:
            raise damaged(
                f"{counted(noted[0], 'row was', 'rows were')} written for {scope!r} and "
                f"{counted(len(rows), 'is there', 'are there')}, or in another order",
                self._connection.place,
            )
        return rows

    def _tally(self, scope: str) -> Tally:
        found = self._connection.rows(TALLY, scope)
        return found[0] if found else EMPTY_TALLY

    def _verified(self, row_class: type[R], where: str, *values: object) -> list[R]:
        return [self._compared(row, digest) for row, digest in self._stored(row_class, where, *values)]

    def _compared(self, row: R, digest: bytes) -> R:
        if row.digest() != digest:
            raise damaged(_mismatch(row), self._connection.place)
        return row

    def _holding(self, row_class: type[R], where: str, *values: object) -> list[R]:
        return [row for row, digest in self._stored(row_class, where, *values) if row.digest() == digest]

    def _stored(self, row_class: type[R], where: str, *values: object) -> list[tuple[R, bytes]]:
        found = self._connection.rows(_select(row_class, where), *values)
        return [(row_class(*row[:-1]), row[-1]) for row in found]

    def _single(self, statement: str, *values: object) -> bytes | None:
        found = self._connection.rows(statement, *values)
        return found[0][0] if found else None


def _select(row_class: type[Row], where: str) -> str:
    return f"SELECT {', '.join(row_class.columns())}, digest FROM {row_class.TABLE} {where}"


def next_tally(tally: Tally, digest: bytes) -> Tally:
    """Return the tally after one more row."""
    rows, reached = tally
    return rows + 1, hashlib.sha256(reached + digest).digest()


def _log_order(event: StoredEvent) -> tuple[int, str, bool, int]:
    return event.step, event.role, event.kind_class == "aside", event.place


def _begins(game: StoredGame, wanted: str) -> bool:
    return len(wanted) >= SHORTEST_PREFIX and game.game_id.startswith(wanted.lower())


def _mismatch(row: Row) -> str:
    names = {"event_id": "event", "message_id": "mail", "mail_digest": "mail", "name": "name", "game_id": "game"}
    which = ", ".join(f"{word} {getattr(row, column)!r}" for column, word in names.items() if hasattr(row, column))
    return f"a row of {row.TABLE!r} is not what was written: {which}"


def _unknown(wanted: str, games: tuple[StoredGame, ...]) -> BadRequest:
    from difflib import get_close_matches

    names = [game.name for game in games]
    near = get_close_matches(wanted, names, n=1)
    if near:
        hint = f"did you mean {near[0]!r}?"
    else:
        hint = f"there are: {cut(names)}" if names else "there is none yet; see `pbem new` and `pbem accept`"
    return BadRequest("game.unknown", f"expected the name or the id of a game of this home, got {wanted!r}", hint)


def _ambiguous(wanted: str, begun: list[StoredGame]) -> BadRequest:
    candidates = ", ".join(f"{game.name} ({game.game_id[:12]})" for game in begun)
    return BadRequest(
        "game.ambiguous",
        f"expected the id of one game, got {wanted!r}, with which {len(begun)} begin",
        f"give its name or more digits: {candidates}",
    )
