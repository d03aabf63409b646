"""Snapshots: where play can be resumed without replaying the war.

A snapshot is a cache: it holds nothing secret, and whoever keeps one keys it by the program and the ruleset
that made it. `pbem verify` never uses one.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any, TypeAlias

import orjson

from pbem.engine.audit import KeptSecret
from pbem.engine.dictation import Faces
from pbem.engine.terms import Seated
from pbem.errors import BadDisk
from pbem.log.event import Registration, Role, RulesetName

VERSION = 6
RESTORE = "the home is damaged: restore a backup with `pbem restore`"

SavedDice: TypeAlias = tuple[str, int, tuple[str, ...], str, Faces]
"""Key in hex, step, used labels, who has dictated, and what."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The campaign just after the checkpoint that step `step` led to; digests and links in hex.

    `tips` are (role, index, last opened link, links withheld behind it), `seated` the keys that took a seat by a
    motion, in their order; `dice` is the key that was live, its step and used labels, and who has dictated which rolls
    instead; `days` a deadline that was agreed later, `first` the first step of play. `ruled` says from which step on
    the game was played by which rules, where a motion has changed them; the state is of the last ones. `secrets` are
    the sealed answers that nothing has opened. `salt` is that of the next dice in a hosted game, empty in others, where
    it is the head.
    """

    step: int
    head: str
    since: int
    state: bytes
    tips: tuple[tuple[str, int, str, int], ...]
    commitments: tuple[str, ...]
    dice: SavedDice | None
    paused: bool = False
    seated: tuple[Seated, ...] = ()
    days: int = 0
    first: int = 0
    ruled: tuple[tuple[int, RulesetName], ...] = ()
    secrets: tuple[KeptSecret, ...] = ()
    salt: str = ""


def write(snapshot: Snapshot) -> bytes:
    """The snapshot's bytes."""
    fields = {
        "v": VERSION,
        "step": snapshot.step,
        "head": snapshot.head,
        "since": snapshot.since,
        "state": base64.b64encode(snapshot.state).decode(),
        "tips": snapshot.tips,
        "commitments": snapshot.commitments,
        "dice": snapshot.dice,
        "paused": snapshot.paused,
        "days": snapshot.days,
        "first": snapshot.first,
        "seated": [(role, seat.model_dump(), address) for role, seat, address in snapshot.seated],
        "ruled": [(step, name.model_dump()) for step, name in snapshot.ruled],
        "secrets": snapshot.secrets,
        "salt": snapshot.salt,
    }
    return orjson.dumps(fields)


def read(data: bytes) -> Snapshot:
    """The snapshot of `write`; BadDisk for anything else."""
    try:
        fields = orjson.loads(data)
        if fields["v"] != VERSION:
            raise ValueError("another version")
        return Snapshot(
            fields["step"],
            fields["head"],
            fields["since"],
            base64.b64decode(fields["state"]),
            tuple((role, index, link, withheld) for role, index, link, withheld in fields["tips"]),
            tuple(fields["commitments"]),
            _dice(fields["dice"]),
            fields["paused"],
            tuple((Role(role), Registration(**seat), address) for role, seat, address in fields["seated"]),
            fields["days"],
            fields["first"],
            tuple((step, RulesetName(**name)) for step, name in fields["ruled"]),
            tuple((role, step, ask, made, owed) for role, step, ask, made, owed in fields["secrets"]),
            fields["salt"],
        )
    except (ValueError, KeyError, TypeError):
        raise BadDisk(
            "snapshot.form",
            "expected a snapshot of this program, got something else",
            RESTORE,
        ) from None


def _dice(fields: Any) -> SavedDice | None:
    if not fields:
        return None
    key, step, used, author, rolls = fields
    return key, step, tuple(used), author, tuple((label, tuple(faces)) for label, faces in rolls)
