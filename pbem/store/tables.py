"""The tables of a home as data: columns, keys, order, and what is append-only; each database makes them its own way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

VERSION = 3
"""The schema that this program writes and reads: 1 the games, 2 the mailbox and the deadlines of a service too, 3 which
games a service has to look at, and who sits at them."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table; no column may be null.

    `ordered`: its rows have an order of arrival (`loose`: those of no game have none); `of_game`: each belongs to a
    game of the table `games`; `unique` and `sought` are further keys, and columns that rows are found by; `since` is
    the version that brought it.
    """

    columns: Mapping[str, type]
    key: tuple[str, ...]
    unique: tuple[tuple[str, ...], ...] = ()
    sought: tuple[tuple[str, ...], ...] = ()
    ordered: bool = False
    loose: bool = False
    of_game: bool = False
    append_only: bool = False
    since: int = 1

    def scope(self) -> tuple[str, ...]:
        """The columns within which rows are numbered."""
        return ("game_id",) if "game_id" in self.columns and self.key != ("game_id",) else ()


TABLES: Mapping[str, Table] = {
    "meta": Table({"key": str, "value": bytes}, ("key",)),
    "games": Table(
        {"game_id": str, "name": str, "ruleset": str, "role": str, "created": int, "digest": bytes},
        ("game_id",),
        unique=(("name",),),
        ordered=True,
        append_only=True,
    ),
    "events": Table(
        {
            "game_id": str,
            "step": int,
            "role": str,
            "kind": str,
            "kind_class": str,
            "place": int,
            "event_id": str,
            "arrived": int,
            "digest": bytes,
            "line": bytes,
        },
        ("game_id", "event_id"),
        unique=(("game_id", "step", "role", "kind_class", "place"),),
        ordered=True,
        of_game=True,
        append_only=True,
    ),
    "refused": Table(
        {
            "game_id": str,
            "event_id": str,
            "code": str,
            "text": str,
            "arrived": int,
            "digest": bytes,
            "line": bytes,
        },
        ("game_id", "event_id"),
        ordered=True,
        of_game=True,
        append_only=True,
    ),
    "tallies": Table({"scope": str, "rows": int, "digest": bytes}, ("scope",)),
    "secrets": Table({"name": str, "ciphertext": bytes}, ("name",)),
    "snapshots": Table(
        {"game_id": str, "step": int, "key": str, "digest": bytes, "state": bytes},
        ("game_id", "step", "key"),
        ordered=True,
        of_game=True,
    ),
    "status": Table({"game_id": str, "head": str, "digest": bytes, "json": bytes}, ("game_id",), of_game=True),
    "drafts": Table(
        {"game_id": str, "name": str, "digest": bytes, "text": str},
        ("game_id", "name"),
        ordered=True,
        of_game=True,
    ),
    "letters": Table(
        {
            "mail_digest": str,
            "arrived": int,
            "handled": int,
            "outcome": str,
            "sender": str,
            "game_id": str,
            "digest": bytes,
        },
        ("mail_digest",),
        sought=(("sender", "handled"),),
        since=2,
    ),
    "outbox": Table(
        {
            "message_id": str,
            "game_id": str,
            "receivers": str,
            "sender": str,
            "mail": bytes,
            "state": str,
            "tries": int,
            "not_before": int,
            "created": int,
            "sent": int,
            "lease": str,
            "lease_until": int,
            "reason": str,
            "digest": bytes,
        },
        ("message_id",),
        sought=(("state", "created"), ("game_id", "state")),
        ordered=True,
        loose=True,
        since=2,
    ),
    "deadlines": Table(
        {
            "game_id": str,
            "step": int,
            "what": str,
            "due": int,
            "state": str,
            "fired": int,
            "lease": str,
            "lease_until": int,
            "digest": bytes,
        },
        ("game_id", "step", "what"),
        sought=(("state", "due"),),
        of_game=True,
        since=2,
    ),
    "leases": Table({"name": str, "worker": str, "until": int, "digest": bytes}, ("name",), since=2),
    "agenda": Table(
        {"game_id": str, "changes": int, "post_at": int, "watch_at": int, "standing": str, "digest": bytes},
        ("game_id",),
        sought=(("post_at",), ("watch_at",)),
        of_game=True,
        since=3,
    ),
    "seats": Table(
        {"game_id": str, "role": str, "address": str, "digest": bytes},
        ("game_id", "role"),
        sought=(("address",),),
        of_game=True,
        since=3,
    ),
}
"""Parents stand before what refers to them."""
