"""Writers of a home, for use inside one transaction.

Games, events and refusals are only added; vault entries, caches and drafts are replaced. Left out: whether an event
may enter the log at all (`pbem.log`, `pbem.engine`).
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.errors import BadRequest
from pbem.store.agenda import Agendas
from pbem.store.faults import damaged
from pbem.store.port import Connection
from pbem.store.queue import replaces
from pbem.store.reading import EMPTY_TALLY, TALLY, Tally, next_tally
from pbem.store.rows import (
    Appended,
    Draft,
    KindClass,
    Row,
    Snapshot,
    Status,
    StoredEvent,
    StoredGame,
    StoredRefusal,
)
from pbem.store.tables import TABLES

SNAPSHOTS_KEPT = 3


class Writer(Agendas):
    """What can be written, and read back before anybody else sees it; in the game of that id only, if one is given."""

    def __init__(self, connection: Connection, game_id: str = "") -> None:
        super().__init__(connection)
        self._game_id = game_id

    def add_game(self, game: StoredGame) -> None:
        """Add a game; BadRequest when its name or its id is taken, RuntimeError for a writer of one game."""
        if self._game_id:
            raise RuntimeError("a game is added by a writer of the whole home")
        if (other := self.known(game.game_id)) is not None:
            raise BadRequest(
                "game.exists",
                f"expected a new game, got {game.game_id[:12]}, which this home has as {other.name!r}",
                f"see `pbem status {other.name}`",
            )
        taken = {name.casefold(): name for name in self.keys("games", "name")}
        if (name := taken.get(game.name.casefold())) is not None:
            raise BadRequest(
                "game.name_taken",
                f"expected a new name for the game, got {game.name!r}, which is game {self.game(name).game_id[:12]}",
                "choose another name",
            )
        self._add(game)
        self._count("games", game)
        self.look_at(game.game_id)

    def append(
        self,
        *,
        game_id: str,
        step: int,
        role: str,
        kind: str,
        event_id: str,
        line: bytes,
        arrived: int,
        kind_class: KindClass = "log",
    ) -> Appended:
        """Store an event in the next free place of its role at its step, and read it back.

        DUPLICATE when an event of this id is there (a second signature on it is not kept). CONFLICT when the
        event is a link of the chain and its role has another one at this step: both are kept. Statements beside
        the chain do not conflict. BadDisk when what is read back is not what was written.
        """
        self._connection.ahead(TALLY, f"events {game_id}")
        known, place = self._known_and_place(game_id, event_id, step, role, kind_class)
        if known and self.event(game_id, event_id) is not None:
            return Appended.DUPLICATE
        event = StoredEvent(game_id, step, role, kind, kind_class, place, event_id, arrived, line)
        self._add(event)
        if self.event(game_id, event_id) != event:
            raise damaged(f"event {event_id!r} is read back as something else", self._connection.place)
        self._count(f"events {game_id}", event)
        return Appended.CONFLICT if place and kind_class == "log" else Appended.NEW

    def refuse(self, refusal: StoredRefusal) -> Appended:
        """Keep an event that the rules refused; DUPLICATE when it was refused before."""
        known = "WHERE game_id = ? AND event_id = ?"
        if self._verified(StoredRefusal, known, refusal.game_id, refusal.event_id):
            return Appended.DUPLICATE
        self._add(refusal)
        self._count(f"refused {refusal.game_id}", refusal)
        return Appended.NEW

    def put_secret(self, name: str, ciphertext: bytes) -> None:
        """Set a vault entry; the store never sees its plaintext."""
        self._connection.put(
            f"INSERT INTO secrets (name, ciphertext) VALUES (?, ?) {replaces('secrets', 'ciphertext')}",
            name,
            ciphertext,
        )

    def put_snapshot(self, snapshot: Snapshot) -> None:
        """Set a snapshot and forget all but the latest three of its game; nothing is done where it is the latest."""
        if self.snapshots(snapshot.game_id)[:1] == (snapshot,):
            return
        self._connection.put(
            "DELETE FROM snapshots WHERE game_id = ? AND step = ? AND key = ?",
            snapshot.game_id,
            snapshot.step,
            snapshot.key,
        )
        self._add(snapshot)
        self._connection.put(
            "DELETE FROM snapshots WHERE game_id = ? AND rowid NOT IN (SELECT rowid FROM snapshots"
            " WHERE game_id = ? ORDER BY step DESC, rowid DESC LIMIT ?)",
            snapshot.game_id,
            snapshot.game_id,
            SNAPSHOTS_KEPT,
        )

    def drop_snapshots(self, game_id: str) -> None:
        """Forget all snapshots and the status of a game: they are made anew from the events."""
        self._check_game(game_id)
        self._connection.put("DELETE FROM snapshots WHERE game_id = ?", game_id)
        self._connection.put("DELETE FROM status WHERE game_id = ?", game_id)
        self.look_at(game_id)

    def put_status(self, status: Status) -> None:
        """Set the cached summary of a game, and have the game looked at where it is another one than before."""
        known = self.status(status.game_id)
        self._put(status)
        self._note_status(status)
        if known != status:
            self.look_at(status.game_id, status, known)

    def put_draft(self, draft: Draft) -> None:
        """Set a draft."""
        self._put(draft)
        self._recount_drafts(draft.game_id)

    def drop_draft(self, game_id: str, name: str) -> None:
        """Forget a draft, if it is there."""
        self._check_game(game_id)
        self._connection.put("DELETE FROM drafts WHERE game_id = ? AND name = ?", game_id, name)
        self._recount_drafts(game_id)

    def _put(self, row: Row) -> None:
        """Add a row, or replace the one of the same key."""
        key = TABLES[row.TABLE].key
        self._add(row, " " + replaces(row.TABLE, *(one for one in (*row.columns(), "digest") if one not in key)))

    def _add(self, row: Row, conflict: str = "") -> None:
        self._check_game(getattr(row, "game_id", ""))
        super()._add(row, conflict)

    def _put_all(self, rows: Sequence[Row]) -> None:
        for row in rows:
            self._check_game(getattr(row, "game_id", ""))
        super()._put_all(rows)

    def _added(self, row: Row, conflict: str, *values: object) -> bool:
        self._check_game(getattr(row, "game_id", ""))
        return super()._added(row, conflict, *values)

    def _check_game(self, game_id: str) -> None:
        if self._game_id and game_id not in ("", self._game_id):
            raise RuntimeError(f"a writer of game {self._game_id!r} writes to {game_id!r}")

    def _count(self, scope: str, row: Row) -> None:
        self._note(scope, next_tally(self._tally(scope), row.digest()))

    def _recount_drafts(self, game_id: str) -> None:
        """Drafts are few and are replaced, so that their tally is made anew."""
        tally = EMPTY_TALLY
        for _, digest in self._stored(Draft, "WHERE game_id = ? ORDER BY rowid", game_id):
            tally = next_tally(tally, digest)
        self._note(f"drafts {game_id}", tally)

    def _note(self, scope: str, tally: Tally) -> None:
        instead = replaces("tallies", "rows", "digest")
        self._connection.put(f"INSERT INTO tallies (scope, rows, digest) VALUES (?, ?, ?) {instead}", scope, *tally)

    def _known_and_place(self, game_id: str, event_id: str, step: int, role: str, kind_class: str) -> tuple[bool, int]:
        """Whether an event is there, and the next free place at its step."""
        found = self._connection.rows(
            "SELECT (SELECT count(*) FROM events WHERE game_id = ? AND event_id = ?),"
            " (SELECT coalesce(max(place) + 1, 0) FROM events"
            " WHERE game_id = ? AND step = ? AND role = ? AND kind_class = ?)",
            *(game_id, event_id, game_id, step, role, kind_class),
        )
        return bool(found[0][0]), int(found[0][1])
