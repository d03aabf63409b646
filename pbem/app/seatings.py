"""Seatings: which events named the key of a seat, which of them needed nobody, and what agreed to the others.

Left out: whether a motion was carried out, which is for the log to say, and whose key may sign at a step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pbem.app.opened import OpenGame
from pbem.log.event import Registration, Role
from pbem.log.handover import is_consent
from pbem.log.roster import commits_to, keys_named, seated_role
from pbem.log.verify import Verified, verify_event

AGREEING = ("consent", "ruling")
"""Kinds that can agree to a motion or a request."""


@dataclass(frozen=True, slots=True)
class Seating:
    """An event that names keys for a seat: a proposal, an acceptance, a motion or a request."""

    by: Verified
    role: Role
    keys: Registration

    @property
    def key(self) -> bytes:
        """The key that is to sign for the role."""
        return bytes.fromhex(self.keys.key)

    @property
    def is_moved(self) -> bool:
        """Whether another key signs the event, the one that gives the seat away."""
        return seated_role(self.by.event) is not None


def seating(verified: Verified) -> Seating | None:
    """An event as one that names keys, None for every other one."""
    keys = keys_named(verified.event)
    if keys is None:
        return None
    return Seating(verified, seated_role(verified.event) or verified.event.role, keys)


class Seatings:
    """The seatings of a game by role and key.

    Where a key was named several times for a role, the first that took effect counts: one that was not agreed to can be
    moved again.
    """

    def __init__(self, opened: OpenGame) -> None:
        self._opened = opened
        moved = sorted((*opened.seats, *opened.fresh), key=lambda one: (one.event.step, one.id))
        self._by_key: dict[tuple[Role, bytes], Seating] = {}
        for one in filter(None, map(seating, (*opened.registrations, *moved))):
            earlier = self._by_key.setdefault((one.role, one.key), one)
            if earlier is not one and not self.took_effect(earlier):
                self._by_key[one.role, one.key] = one

    def of(self, role: Role, key: bytes) -> Seating | None:
        """What named a key for a role."""
        return self._by_key.get((role, key))

    def name_of(self, key: bytes) -> str:
        """What the owner of a key calls himself, the latest name if there are several; empty for an unknown key."""
        return next((one.keys.name for one in reversed(self._by_key.values()) if one.key == key), "")

    def needs_nobody(self, moved: Seating) -> bool:
        """Whether a motion or a request seats the key to which its author had committed with the one that signs it."""
        author = moved.by.event.role
        before = self.of(author, moved.by.key)
        return moved.role == author and before is not None and commits_to(before.keys, moved.key)

    def took_effect(self, one: Seating) -> bool:
        """Whether keys got their seat, as far as it is stored: at once, or with the consent that they needed."""
        return not one.is_moved or self.needs_nobody(one) or bool(self.consents(one))

    def has_seated(self, key: bytes) -> bool:
        """Whether a key has held any seat."""
        return any(one.key == key and self.took_effect(one) for one in self._by_key.values())

    def consents(self, moved: Seating) -> list[Verified]:
        """What agreed to a motion or a request, as far as it is stored, this transaction included."""
        opened, step = self._opened, moved.by.event.step
        rows = [row for row in opened.rows if row.kind in AGREEING and row.step >= step]
        stored = (verify_event(row.line, opened.known) for row in rows)
        return agreeing(moved, (*stored, *opened.fresh))

    def way_to(self, role: Role, key: bytes) -> list[Seating]:
        """The motions and requests by which a seat went from the key that was registered to this one."""
        way: list[Seating] = []
        while (moved := self._by_key[role, key]).is_moved:
            way[:0] = [moved]
            role, key = moved.by.event.role, moved.by.key
        return way


def agreeing(moved: Seating, log: Iterable[Verified]) -> list[Verified]:
    """The events that agree to a motion or a request."""
    return [one for one in log if is_consent(one, moved.by)]


def holds_since(opened: OpenGame) -> int:
    """The first step of the key that holds the role's seat now."""
    return _since(opened, Seatings(opened), opened.campaign.roster.parties[opened.role].key)


def held_until(opened: OpenGame, is_own: Callable[[bytes], bool]) -> int:
    """The last step for which a key of this home held its role's seat, 0 where none has given it away."""
    known, key = Seatings(opened), opened.campaign.roster.parties[opened.role].key
    given = [one for one in known.way_to(opened.role, key) if is_own(one.by.key)] if key else []
    return _since(opened, known, given[-1].key) - 1 if given else 0


def _since(opened: OpenGame, known: Seatings, key: bytes | None) -> int:
    brought = known.of(opened.role, key) if key else None
    if brought is None:
        return 0
    if not brought.is_moved:
        return brought.by.event.step
    return brought.by.event.step + (1 if _is_carried_out_at_once(known, brought) else 2)


def _is_carried_out_at_once(known: Seatings, moved: Seating) -> bool:
    """Whether a motion was followed by the new key and not by a consent; a request is closed with its consent."""
    return moved.by.event.kind == "request" or known.needs_nobody(moved)
