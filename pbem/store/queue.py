"""What the workers of a service hand to each other: mails that came, mails to send, deadlines and leases.

A worker takes a thing for some seconds (a lease), does it, and says so; what it had when it was killed is taken by
another one when the lease has ended. Times are Unix seconds, and "now" is always the caller's. No name of a worker may
be used by two. These rows change all the time and have digests but no tallies. Left out: sending, and what a deadline
brings about (`pbem.service`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pbem.store.folder import ARRIVING, MOVED
from pbem.store.port import game_lock
from pbem.store.reading import META_VALUE, Reader
from pbem.store.rows import Agenda, Deadline, Lease, Row, StoredLetter, StoredMail
from pbem.store.tables import TABLES

Q = TypeVar("Q", StoredMail, Deadline, Lease, Agenda)
OWN_META = ("schema", "version", MOVED, ARRIVING)
"""The store's own: what it is, and whether it is in use here."""

_DUE_MAIL = """
WHERE state IN ('pending', 'sending') AND not_before <= ? AND (state = 'pending' OR lease_until <= ?)
AND NOT EXISTS (SELECT 1 FROM outbox AS earlier WHERE earlier.game_id = outbox.game_id AND outbox.game_id <> ''
AND earlier.state IN ('pending', 'sending') AND earlier.rowid < outbox.rowid)
ORDER BY created, rowid LIMIT 1"""
_FREE: Mapping[str, Any] = {"lease": "", "lease_until": 0}
_WAITS: Mapping[str, Any] = {**_FREE, "state": "waiting"}
DUE_DEADLINES = "WHERE state = 'waiting' AND due <= ? AND lease_until <= ? ORDER BY due LIMIT ?"


class Queue(Reader):
    """What can be written about a service's work, inside a transaction."""

    def put_meta(self, key: str, value: bytes) -> None:
        """Set a value that concerns the whole home; the key `schema` is the store's own."""
        self.put_metas({key: value})

    def put_metas(self, values: Mapping[str, bytes]) -> None:
        """Set several at once."""
        for key in values.keys() & set(OWN_META):
            raise ValueError(f"the key {key!r} is the store's own")
        marks = ", ".join(["(?, ?)"] * len(values))
        pairs = [one for pair in values.items() for one in pair]
        self._connection.put(f"INSERT INTO meta (key, value) VALUES {marks} {replaces('meta', 'value')}", *pairs)
        for key, value in values.items():
            self._connection.noted([(value,)], META_VALUE, key)

    def alone(self, name: str) -> None:
        """Be the only one at what that name stands for, such as a count, until the transaction ends."""
        self._connection.lock(f"alone {name}")

    def note_letter(self, letter: StoredLetter) -> bool:
        """Note that a mail was handled; False when it was already, and then nothing is changed.

        Of several workers with the same mail at once only one is told True, if that one stores its transaction.
        """
        return self._added(letter, " ON CONFLICT (mail_digest) DO NOTHING")

    def may_answer(self, sender: str, since: int) -> bool:
        """Say whether no mail of a sender was answered at that time or later; no other worker hears yes meanwhile."""
        self._connection.lock(f"sender {sender}")
        where = "WHERE sender = ? AND handled >= ? AND outcome = 'answered' LIMIT 1"
        return not self._verified(StoredLetter, where, sender, since)

    def post(
        self,
        *,
        message_id: str,
        game_id: str,
        receivers: Sequence[str],
        sender: str,
        mail: bytes,
        created: int,
        not_before: int = 0,
    ) -> bool:
        """Put a mail into the outbox, behind all others of its game; False when one of this id was put there before.

        A mail without a game (`game_id` empty) is in nobody's order, and so is one that was put off.
        """
        if game_id:
            self._connection.lock(game_lock(game_id))
        addresses = json.dumps(list(receivers))
        row = StoredMail(message_id, game_id, addresses, sender, mail, created, not_before)
        return self._added(row, " ON CONFLICT (message_id) DO NOTHING")

    def lease_mail(self, worker: str, now: int, seconds: int) -> StoredMail | None:
        """Take the oldest mail that is due for `seconds`, or None when there is none.

        Due is one that waits, or whose worker's lease has ended; of each game only the first that is neither sent nor
        failed.
        """
        found = self._verified(StoredMail, _DUE_MAIL + self._connection.claimed, now, now)
        if not found:
            return None
        taken = {"state": "sending", "lease": worker, "lease_until": now + seconds, "tries": found[0].tries + 1}
        return self._replace(found[0], **taken)

    def mail_sent(self, message_id: str, now: int) -> None:
        """Note that a mail has gone, whoever has it leased by now: it is gone."""
        mail = self._held(StoredMail, "WHERE message_id = ?", message_id)
        if mail is not None and mail.state != "sent":
            self._replace(mail, state="sent", sent=now, lease="", lease_until=0, reason="")

    def mail_deferred(self, message_id: str, worker: str, not_before: int, reason: str = "") -> bool:
        """Give a mail back, to be tried again from then on; False when the worker has no longer got it."""
        return self._give_back(message_id, worker, state="pending", not_before=not_before, reason=reason)

    def mail_put_off(
        self, message_id: str, worker: str, not_before: int, reason: str, receivers: Sequence[str]
    ) -> bool:
        """Give a mail back that these of its receivers are to be offered later, and that the next one of its game has
        not to wait for; False when the worker has no longer got it."""
        rest = json.dumps(list(receivers))
        changes = {"state": "pending", "not_before": not_before, "reason": reason}
        return self._give_back(message_id, worker, **changes, receivers=rest, game_id="")

    def mail_failed(self, message_id: str, worker: str, reason: str) -> bool:
        """Give a mail up; the next one of its game may go. False when the worker has no longer got it."""
        return self._give_back(message_id, worker, state="failed", reason=reason)

    def set_deadline(self, game_id: str, step: int, what: str, due: int) -> bool:
        """Set when something is due, or change it; False for what is over: a deadline comes once."""
        return self.set_deadlines(game_id, step, {what: due}) == 1

    def set_deadlines(self, game_id: str, step: int, dues: Mapping[str, int]) -> int:
        """The same for all that is due at a step; how much of it is not over."""
        self._connection.lock(game_lock(game_id))
        marks = ", ".join("?" * len(dues))
        where = f"WHERE game_id = ? AND step = ? AND what IN ({marks}) ORDER BY what{self._connection.held}"
        known = {one.what: one for one in self._verified(Deadline, where, game_id, step, *dues)}
        fired = {what for what, one in known.items() if one.state == "fired"}
        changed = []
        for what, due in dues.items():
            found = known.get(what)
            if what not in fired and (found is None or (found.state, found.due) != ("waiting", due)):
                changed.append(replace(found or Deadline(game_id, step, what, due), **_WAITS, due=due))
        self._put_all(changed)
        return len(dues) - len(fired)

    def cancel_deadlines(self, game_id: str, before: int) -> int:
        """Cancel what waits in a game for the steps before that one; how many that were."""
        waiting = self._verified(
            Deadline,
            f"WHERE game_id = ? AND step < ? AND state = 'waiting' ORDER BY step, what{self._connection.held}",
            game_id,
            before,
        )
        self._put_all([replace(one, **_FREE, state="cancelled") for one in waiting])
        return len(waiting)

    def lease_due(self, worker: str, now: int, seconds: int, at_most: int) -> tuple[Deadline, ...]:
        """Take what is due and nobody has for `seconds`, the earliest first."""
        due = self._verified(Deadline, DUE_DEADLINES + self._connection.claimed, now, now, at_most)
        return tuple(self._replace(one, lease=worker, lease_until=now + seconds) for one in due)

    def deadline_fired(self, deadline: Deadline, worker: str, now: int) -> bool:
        """Note that what was leased is done, in the transaction that does it; False when it is not to be done.

        That is so when another worker has it by now, when it is over or cancelled, or when it is due at another time.
        """
        key = (deadline.game_id, deadline.step, deadline.what)
        found = self._held(Deadline, "WHERE game_id = ? AND step = ? AND what = ?", *key)
        if found is None or (found.state, found.lease, found.due) != ("waiting", worker, deadline.due):
            return False
        self._replace(found, state="fired", fired=now, lease="", lease_until=0)
        return True

    def take_lease(self, name: str, worker: str, now: int, seconds: int) -> bool:
        """Take what that name stands for, or keep it longer; False when another worker has it."""
        return self._added(
            Lease(name, worker, now + seconds),
            " ON CONFLICT (name) DO UPDATE SET worker = excluded.worker, until = excluded.until,"
            " digest = excluded.digest WHERE leases.worker = excluded.worker OR leases.until <= ?",
            now,
        )

    def release_lease(self, name: str, worker: str) -> None:
        """Give a lease back before its end, if the worker has it."""
        self._connection.put("DELETE FROM leases WHERE name = ? AND worker = ?", name, worker)

    def keep_leases(self, worker: str, now: int, seconds: int) -> None:
        """Keep everything longer that a worker has and that has not ended: its leases, and the mail that it sends."""
        held, until = self._connection.held, now + seconds
        for lease in self._verified(Lease, f"WHERE worker = ? AND until > ? ORDER BY name{held}", worker, now):
            self._replace(lease, until=until)
        mails = self._verified(StoredMail, f"WHERE state = 'sending' AND lease = ?{held}", worker)
        for mail in mails:
            self._replace(mail, lease_until=until)

    def let_go(self, worker: str) -> None:
        """Give back everything that a worker has, which knows of none of it any more: its leases, and mails that it has
        not sent."""
        self._connection.put("DELETE FROM leases WHERE worker = ?", worker)
        for mail in self._verified(StoredMail, f"WHERE state = 'sending' AND lease = ?{self._connection.held}", worker):
            self._replace(mail, state="pending", lease="", lease_until=0)

    def drop_ended(self, now: int) -> None:
        """Forget the leases that have ended; those that somebody else is at are left to him."""
        for lease in self._verified(Lease, f"WHERE until <= ?{self._connection.claimed}", now):
            self._connection.put("DELETE FROM leases WHERE name = ?", lease.name)

    def forget_before(self, when: int, at_most: int) -> int:
        """Forget up to so many mails that were sent before a time, letters that were handled before it, and deadlines
        that were over before it; how many that were.

        What failed is kept for a person. The deadlines of the latest step of a game are kept: each comes once.
        """
        old = {
            "outbox": "state = 'sent' AND created < ? AND sent < ?",
            "letters": "arrived < ? AND handled < ?",
            "deadlines": "state <> 'waiting' AND due < ? AND fired < ? AND step <"
            " (SELECT max(step) FROM deadlines AS later WHERE later.game_id = deadlines.game_id)",
        }
        count = 0
        for table, where in old.items():
            key = ", ".join(TABLES[table].key)
            found = f"SELECT {key} FROM {table} WHERE {where} LIMIT ?{self._connection.claimed}"
            count += self._connection.change(f"DELETE FROM {table} WHERE ({key}) IN ({found})", when, when, at_most)
        return count

    def _give_back(self, message_id: str, worker: str, **changes: object) -> bool:
        mail = self._held(StoredMail, "WHERE message_id = ?", message_id)
        if mail is None or (mail.state, mail.lease) != ("sending", worker):
            return False
        self._replace(mail, lease="", lease_until=0, **changes)
        return True

    def _held(self, row_class: type[Q], where: str, *values: object) -> Q | None:
        """Return the row of a key, as it is and stays until the transaction ends."""
        found = self._verified(row_class, where + self._connection.held, *values)
        return found[0] if found else None

    def _replace(self, row: Q, **changes: Any) -> Q:
        """Change some columns of a row that is held."""
        changed = replace(row, **changes)
        key = TABLES[row.TABLE].key
        columns = ", ".join(f"{column} = ?" for column in (*changes, "digest"))
        where = " AND ".join(f"{column} = ?" for column in key)
        self._connection.put(
            f"UPDATE {row.TABLE} SET {columns} WHERE {where}",
            *changes.values(),
            changed.digest(),
            *(getattr(row, column) for column in key),
        )
        return changed

    def _add(self, row: Row, conflict: str = "") -> None:
        """Add a row; `conflict` says what happens when there is one of its key, else that is a bug of the caller."""
        self._connection.put(_insert(row, conflict), *row.values(), row.digest())

    def _put_all(self, rows: Sequence[Row]) -> None:
        """Add rows of one table, or replace those of the same keys, at once."""
        if rows:
            table, columns = rows[0].TABLE, (*rows[0].columns(), "digest")
            marks = ", ".join([f"({', '.join('?' * len(columns))})"] * len(rows))
            instead = replaces(table, *(one for one in columns if one not in TABLES[table].key))
            values = [value for row in rows for value in (*row.values(), row.digest())]
            self._connection.put(f"INSERT INTO {table} ({', '.join(columns)}) VALUES {marks} {instead}", *values)

    def _added(self, row: Row, conflict: str, *values: object) -> bool:
        """The same; whether a row was added or changed."""
        return self._connection.change(_insert(row, conflict), *row.values(), row.digest(), *values) > 0


def _insert(row: Row, conflict: str) -> str:
    columns = (*row.columns(), "digest")
    return f"INSERT INTO {row.TABLE} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))}){conflict}"


def replaces(table: str, *columns: str) -> str:
    """The end of an INSERT that takes the place of the row of the same key."""
    changes = ", ".join(f"{column} = excluded.{column}" for column in columns)
    return f"ON CONFLICT ({', '.join(TABLES[table].key)}) DO UPDATE SET {changes}"
