"""Closing a step: which of the events that are at hand close it. Pure: nothing is changed here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from pbem.log.event import Annul, Consent, Kind, Lapse, Role, Ruling
from pbem.log.verify import Place, Verified, slot

Pending: TypeAlias = Mapping[tuple[Role, str], Verified]
"""Events of the present step by role and slot (`pending_slot`)."""

CLAIMING: frozenset[Kind] = frozenset({"lapse", "ruling"})
"""Kinds that stand in the place of what another role owes."""


def pending_slot(verified: Verified) -> str:
    """Which of its author's slots at a step an event fills.

    Answers, motions and consents exclude each other; a role may make several requests, a referee rule on each role.
    """
    kind, body = slot(verified.event.kind), verified.event.body
    if isinstance(body, Ruling):
        return f"ruling {body.role}"
    return f"request {verified.id}" if kind == "request" else kind


def closing_events(pending: Pending, place: Place) -> tuple[Verified, ...] | None:
    """The events that close the step, in role order; None when some are missing.

    They are answers where there are any, else rulings or lapses; or an annulment; or a request with the consent of one
    who had to decide.
    """
    special = [one for (_, kind), one in pending.items() if kind != "move" or one.event.kind == "consent"]
    if special and (granted := _granted(special, pending, place)):
        return in_role_order(granted)
    chosen = {}
    for role in place.demands:
        event = pending.get((role, "move")) or _stand_in(special, role)
        if event is None:
            return None
        chosen[event.id] = event
    return in_role_order(chosen.values())


def in_role_order(events: Iterable[Verified]) -> tuple[Verified, ...]:
    """The events of a step as its digest takes them."""
    return tuple(sorted(events, key=lambda one: (one.event.role, one.event.kind)))


def _granted(special: Iterable[Verified], pending: Pending, place: Place) -> tuple[Verified, ...] | None:
    """What closes the step whatever is owed: an annulment, or a request with who has granted it."""
    for one in special:
        body = one.event.body
        if isinstance(body, Annul):
            return (one,)
        wanted = body.motion if isinstance(body, Consent | Ruling) else ""
        if wanted in place.requests:
            return next(asked for asked in pending.values() if asked.id == wanted), one
    return None


def _stand_in(special: Iterable[Verified], role: Role) -> Verified | None:
    """A ruling, or else a lapse, in the place of what a role owes."""
    found = [one for one in special if isinstance(one.event.body, Ruling | Lapse) and one.event.body.role == role]
    return min(found, key=lambda one: (one.event.kind != "ruling", one.event.role), default=None)
