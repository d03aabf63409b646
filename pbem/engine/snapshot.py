"""Snapshots: where play can be resumed without replaying the war.

A snapshot is a cache: it holds nothing secret, and whoever keeps one keys it by the program and the ruleset
that made it. `pbem verify` never uses one.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

import orjson

from pbem.errors import BadDisk

VERSION = 1


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The campaign just after the checkpoint that step `step` led to; digests and links in hex.

    `tips` are (role, index, last opened link); `dice` is the key that was live, its step and used labels.
    """

    step: int
    head: str
    since: int
    state: bytes
    tips: tuple[tuple[str, int, str], ...]
    commitments: tuple[str, ...]
    dice: tuple[str, int, tuple[str, ...]] | None


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
            tuple((role, index, link) for role, index, link in fields["tips"]),
            tuple(fields["commitments"]),
            _dice(fields["dice"]),
        )
    except (ValueError, KeyError, TypeError):
        raise BadDisk("snapshot.form", "expected a snapshot of this program, got something else") from None


def _dice(fields: Any) -> tuple[str, int, tuple[str, ...]] | None:
    return (fields[0], fields[1], tuple(fields[2])) if fields else None
