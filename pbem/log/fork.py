"""Equivocation: two different valid events of one key at one place of the log, and the proof of it.

A place is game, step, head before it, role, slot, and for statements about others what they speak of. What is
no equivocation: two proposals (each begins a game of its own), events after different heads (a fork of somebody
else can lead there), and two keys that both claim one seat (nobody contradicts himself then).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.errors import BadEvidence
from pbem.log import bundle
from pbem.log.bundle import Bundle
from pbem.log.event import Change, Lapse, Request, Resolve, Ruling
from pbem.log.roster import Roster, claiming_roster, from_proposal, registered, registration_of
from pbem.log.verify import Verified, slot, verify_event

MAX_EVIDENCE_LINES = 64
"""Eight seats can register, a seat can go from key to key, then come the two events."""


@dataclass(frozen=True, slots=True)
class Fork:
    """Both events, the one with the smaller id first."""

    first: Verified
    second: Verified


def fork(one: Verified, other: Verified) -> Fork | None:
    """The fork that two verified events make, None when they are the same event or of different places."""
    if one.id == other.id or _place(one) != _place(other):
        return None
    return Fork(*sorted((one, other), key=lambda verified: verified.id))


def evidence(registrations: Sequence[Verified], found: Fork) -> bytes:
    """A bundle that proves a fork to a stranger: the registrations of the keys, and both events.

    `registrations` are the proposal, the acceptances and the motions that brought keys in, in their order.
    """
    roles = {found.first.event.role, *(r.event.role for r in registrations if registration_of(r.event) is None)}
    chosen = [r for r in registrations if r.event.kind == "propose" or r.event.role in roles]
    lines = [r.line for r in chosen] + [found.first.line, found.second.line]
    return bundle.write("evidence", [r.key for r in chosen if registration_of(r.event)], lines)


def read_evidence(data: Bundle) -> Fork:
    """The fork that an evidence bundle proves; BadEvidence `evidence.…` when it proves none.

    It proves that the key which the bundle registers for the role contradicts itself. Whether that key is the
    one that sits in a given game is for the reader to compare with that game's log.
    """
    if data.contents != "evidence" or not 3 <= len(data.lines) <= MAX_EVIDENCE_LINES:
        raise BadEvidence(
            "evidence.form",
            f"expected evidence of 3 to {MAX_EVIDENCE_LINES} events, got {data.contents} of {len(data.lines)}",
        )
    roster: Roster | None = None
    for line in data.lines[:-2]:
        roster = _joined(roster, verify_event(line, roster, data.keys))
    found = fork(*(verify_event(line, roster, data.keys) for line in data.lines[-2:]))
    if found is None:
        raise BadEvidence(
            "evidence.none", "expected two different events of one role at one place, got no contradiction"
        )
    return found


def _joined(roster: Roster | None, verified: Verified) -> Roster:
    registration, body = registration_of(verified.event), verified.event.body
    if roster is None:
        return from_proposal(verified.id, verified.event)
    if isinstance(body, Change) and body.seat is not None:
        return claiming_roster(roster, verified.event)
    if registration is None or verified.event.kind == "propose":
        raise BadEvidence("evidence.form", f"expected an acceptance before the two events, got {verified.title}")
    return registered(roster, verified.event.role, registration)


def _place(verified: Verified) -> tuple[object, ...]:
    event = verified.event
    game = verified.id if event.kind == "propose" else event.game
    return (game, event.step, event.prev, event.role, verified.key, slot(event.kind), _subject(verified))


def _subject(verified: Verified) -> tuple[str, ...]:
    """What a statement about others speaks of: two about different things do not contradict each other."""
    match verified.event.body:
        case Lapse(role=role) | Ruling(role=role):
            return (role,)
        case Resolve(keep=keep, drop=drop):
            return tuple(sorted((keep, drop)))
        case Request():
            return (verified.id,)
        case _:
            return ()
