"""Closing a step: which of the events that are at hand close it. Pure: nothing is changed here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from pbem.log.event import ADJUDICATOR, Annul, Consent, Kind, Lapse, Receipt, Role, Ruling
from pbem.log.receipt import check_named
from pbem.log.verify import Place, Verified, slot

Pending: TypeAlias = Mapping[tuple[Role, str], Verified]
"""Events of the present step by role and slot (`pending_slot`)."""

CLAIMING: frozenset[Kind] = frozenset({"lapse", "ruling"})
"""Kinds that stand in the place of what another role owes."""
NO_MOVE: frozenset[Kind] = CLAIMING | {"receipt"}
"""Kinds that are not what their author owes at a step."""


def pending_slot(verified: Verified) -> str:
    """Which of its author's slots at a step an event fills.

    Answers, motions and consents exclude each other; a role may make several requests, a referee rule on each role.
    """
    kind, body = slot(verified.event.kind), verified.event.body
    if isinstance(body, Ruling):
        return f"ruling {body.role}"
    return f"{kind} {verified.id}" if kind in ("request", "withdraw") else kind


def closing_events(pending: Pending, place: Place) -> tuple[Verified, ...] | None:
    """The events that close the step, in role order; None when some are missing.

    They are answers where there are any, else rulings or lapses; or an annulment; or a request with the consent of one
    who had to decide.
    """
    if place.receipted:
        return _receipted(pending, place)
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


def to_be_receipted(pending: Pending, place: Place) -> tuple[str, ...]:
    """The ids that the adjudicator's receipt has to name now: nothing else is missing. Empty while something is, where
    there is a receipt already, and where the adjudicator's own events close the step."""
    if not place.receipted or (ADJUDICATOR, "receipt") in pending:
        return ()
    return tuple(sorted(_of_others(_chosen(pending, place, frozenset()) or ())))


def _receipted(pending: Pending, place: Place) -> tuple[Verified, ...] | None:
    """The events that close a step of a hosted game: those that the receipt names, with the adjudicator's own.

    BadEvidence for a receipt that leaves out what closes the step with the rest, or names something else.
    """
    receipt = pending.get((ADJUDICATOR, "receipt"))
    named = frozenset(receipt.event.body.arrived if receipt and isinstance(receipt.event.body, Receipt) else ())
    chosen = _chosen(pending, place, named)
    if receipt is None:
        return in_role_order(chosen) if chosen and not _of_others(chosen) else None
    check_named(receipt, chosen or (), place.step)
    return in_role_order((*(chosen or ()), receipt))


def _of_others(chosen: Iterable[Verified]) -> frozenset[str]:
    return frozenset(one.id for one in chosen if one.event.role != ADJUDICATOR)


def _chosen(pending: Pending, place: Place, named: frozenset[str]) -> tuple[Verified, ...] | None:
    """What closes a step but the receipt: what it names counts before a ruling, a ruling before all else."""
    special = [one for (_, kind), one in pending.items() if kind != "move" or one.event.kind == "consent"]
    if granted := _granted([one for one in special if not named or _may_grant(one, named)], pending, place):
        return granted
    chosen = []
    for role in place.demands:
        own = pending.get((role, "move"))
        event = own if own and (own.id in named or role == ADJUDICATOR) else _stand_in(special, role) or own
        if event is None:
            return None
        chosen.append(event)
    return tuple(chosen)


def _may_grant(one: Verified, named: frozenset[str]) -> bool:
    return one.id in named or one.event.role == ADJUDICATOR


def named_by_receipt(fitting: Iterable[Verified]) -> tuple[frozenset[str], Verified | None]:
    """The ids that the only receipt among events of one step names, and that receipt."""
    receipts = [one for one in fitting if one.event.kind == "receipt"]
    if len(receipts) != 1 or not isinstance(receipts[0].event.body, Receipt):
        return frozenset(), None
    return frozenset(receipts[0].event.body.arrived), receipts[0]


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
