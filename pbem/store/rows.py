"""The rows of the database as values, and the digest that is stored beside each of them.

A digest covers every column of its row, not the line alone: a bit that flips in a step number is found as surely
as one that flips in the line.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Literal

KindClass = Literal["log", "aside"]
"""`log`: a link of the chain; `aside`: a statement beside it, such as the resolution of a fork."""


class Appended(Enum):
    """What an append came to."""

    NEW = "new"
    DUPLICATE = "duplicate"
    """The event was there already; nothing was written."""
    CONFLICT = "conflict"
    """Another event of this role stands at this step; both are kept now."""


@dataclass(frozen=True, slots=True)
class Row:
    """What all rows have: a table, columns in the order of the fields, a digest."""

    TABLE: ClassVar[str]

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """Return the names of the columns, without the digest."""
        slots: tuple[str, ...] = cls.__slots__
        return slots

    def values(self) -> tuple[object, ...]:
        """Return the values of the columns, without the digest."""
        return tuple([getattr(self, column) for column in self.columns()])

    def digest(self) -> bytes:
        """Return SHA-256 over the table's name and every value as ASCII literals: types and ends are in that.

        Not `repr`: what that escapes depends on the Unicode tables of the Python at hand.
        """
        written = ascii((self.TABLE, *self.values()))
        return hashlib.sha256(written.encode("ascii")).digest()


@dataclass(frozen=True, slots=True)
class StoredGame(Row):
    """A game of this home; `name` is the home's own word for it, `created` is in Unix seconds."""

    TABLE: ClassVar[str] = "games"
    game_id: str
    name: str
    ruleset: str
    role: str
    created: int


@dataclass(frozen=True, slots=True)
class StoredEvent(Row):
    """An event as it came in.

    `place` is 0 for the first event seen of its role at its step, 1, 2, … for later different ones; `arrived` is
    in Unix seconds; `line` is the bytes that travel.
    """

    TABLE: ClassVar[str] = "events"
    game_id: str
    step: int
    role: str
    kind: str
    kind_class: KindClass
    place: int
    event_id: str
    arrived: int
    line: bytes


@dataclass(frozen=True, slots=True)
class StoredRefusal(Row):
    """An event that the rules refused, with the reason; it is no part of the log."""

    TABLE: ClassVar[str] = "refused"
    game_id: str
    event_id: str
    code: str
    text: str
    arrived: int
    line: bytes


@dataclass(frozen=True, slots=True)
class Snapshot(Row):
    """A cached state; `key` says what it depends on besides the log: the version of the program and the ruleset."""

    TABLE: ClassVar[str] = "snapshots"
    game_id: str
    step: int
    key: str
    state: bytes


@dataclass(frozen=True, slots=True)
class Status(Row):
    """A cached summary of a game at the step whose digest is `head`."""

    TABLE: ClassVar[str] = "status"
    game_id: str
    head: str
    json: bytes


@dataclass(frozen=True, slots=True)
class Draft(Row):
    """Orders that are not submitted yet, or standing orders."""

    TABLE: ClassVar[str] = "drafts"
    game_id: str
    name: str
    text: str


Look = Literal["post", "watch"]
"""What a service looks at a game for: `post`, whether it has something to send; `watch`, what is due in it when."""
Standing = Literal["", "presided", "running"]
"""Whether a home has the powers of a referee in a game, and whether that is in play."""
NEVER = 1 << 62
"""A time at which nothing happens any more."""


@dataclass(frozen=True, slots=True)
class Agenda(Row):
    """When a service has to look at a game next, in Unix seconds: 0 at once, `NEVER` only when it has changed.

    `changes` counts the changes of the game, so that nobody takes for seen what changed while he looked.
    """

    TABLE: ClassVar[str] = "agenda"
    game_id: str
    changes: int = 0
    post_at: int = 0
    watch_at: int = 0
    standing: Standing = ""


@dataclass(frozen=True, slots=True)
class SeatAt(Row):
    """At which address, with case folded, another party of a game is."""

    TABLE: ClassVar[str] = "seats"
    game_id: str
    role: str
    address: str


LetterOutcome = Literal["taken", "known", "answered", "ignored", "set_aside"]
MailState = Literal["pending", "sending", "sent", "failed"]
DeadlineState = Literal["waiting", "fired", "cancelled"]


@dataclass(frozen=True, slots=True)
class StoredLetter(Row):
    """A mail that came and was handled; times in Unix seconds.

    `mail_digest` is the SHA-256 of the raw mail in hexadecimal digits; `sender` and `game_id` may be empty.
    """

    TABLE: ClassVar[str] = "letters"
    mail_digest: str
    arrived: int
    handled: int
    outcome: LetterOutcome
    sender: str
    game_id: str


@dataclass(frozen=True, slots=True)
class StoredMail(Row):
    """A mail to send, or that was sent; times in Unix seconds, 0 for none.

    `receivers` is a JSON list of addresses; `lease` names the worker that sends it, until `lease_until`; `reason` is
    why it was deferred or failed.
    """

    TABLE: ClassVar[str] = "outbox"
    message_id: str
    game_id: str
    receivers: str
    sender: str
    mail: bytes
    created: int
    not_before: int = 0
    state: MailState = "pending"
    tries: int = 0
    sent: int = 0
    lease: str = ""
    lease_until: int = 0
    reason: str = ""

    @property
    def addresses(self) -> tuple[str, ...]:
        """To whom it goes."""
        return tuple(json.loads(self.receivers))


@dataclass(frozen=True, slots=True)
class Deadline(Row):
    """What happens in a game at a time, unless it was cancelled before; times in Unix seconds, 0 for none."""

    TABLE: ClassVar[str] = "deadlines"
    game_id: str
    step: int
    what: str
    due: int
    state: DeadlineState = "waiting"
    fired: int = 0
    lease: str = ""
    lease_until: int = 0


@dataclass(frozen=True, slots=True)
class Lease(Row):
    """What one worker has for itself until a time, in Unix seconds, or until it gives it back."""

    TABLE: ClassVar[str] = "leases"
    name: str
    worker: str
    until: int
