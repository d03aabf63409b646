"""Terms: what motions have changed of how a game goes on, besides its board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pbem.log.event import Registration, Role
from pbem.log.verify import Verified

Seated: TypeAlias = tuple[Role, Registration, str]
"""Whose key took which seat by a motion: role, registration, address."""


@dataclass(frozen=True, slots=True)
class Terms:
    """`moved` is the motion that waits for consent, `extra_days`, `refused` and `rotated` hold until the next decision.

    `days` is the deadline that was agreed later than with the proposal, `paused` says that none runs, `seated` the keys
    that took a seat, in their order; for the deposits of the `unvouched` nobody has given its word, and the `rotated`
    sign with the successor of the key that made their last decision.
    """

    moved: Verified | None = None
    extra_days: int = 0
    refused: bool = False
    rotated: frozenset[Role] = frozenset()
    paused: bool = False
    unvouched: frozenset[Role] = frozenset()
    days: int = 0
    seated: tuple[Seated, ...] = ()
