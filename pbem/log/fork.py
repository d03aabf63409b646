"""Equivocation: two different valid events of one key at one place of the log, and the proof of it.

A place is game, step, head before it, role, slot, and for statements about others what they speak of. What is
no equivocation: two proposals (each begins a game of its own), events after different heads (a fork of somebody
else can lead there), and two keys that both claim one seat (nobody contradicts himself then).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pbem.errors import BadEvidence
from pbem.log import bundle
from pbem.log.bundle import Bundle
from pbem.log.event import Change, Lapse, Request, Resolve, Ruling, Withdraw
from pbem.log.handover import agreed, is_own_successor, seated
from pbem.log.roster import Roster, from_proposal, registered, registration_of, seated_role
from pbem.log.verify import Verified, slot, verify_event

LEAST_EVIDENCE = 3
"""The proposal and the two events. At most a bundle's bytes: a seat goes from key to key as often as a log allows."""


@dataclass(frozen=True, slots=True)
class Fork:
    """Both events, the one with the smaller id first."""

    first: Verified
    second: Verified


def fork(one: Verified, other: Verified) -> Fork | None:
    """The fork that two verified events make, None when they are the same event or of different places."""
    if one.event.role != other.event.role or one.id == other.id:
        return None
    if place_of(one) != place_of(other):
        return None
    return Fork(*sorted((one, other), key=lambda verified: verified.id))


def first_fork(events: Sequence[Verified]) -> Fork | None:
    """The first pair of these events, in their order, that makes a fork; None where no two do."""
    places: dict[object, Verified] = {}
    firsts: dict[str, int] = {}
    found: list[tuple[int, Fork]] = []
    for number, one in enumerate(events):
        known = places.setdefault(place_of(one), one)
        firsts.setdefault(known.id, number)
        if contradiction := fork(known, one):
            found.append((firsts[known.id], contradiction))
    return min(found, key=lambda pair: pair[0])[1] if found else None


def evidence(registrations: Sequence[Verified], found: Fork) -> bytes:
    """A bundle that proves a fork to a stranger: the registrations of the keys, and both events.

    `registrations` are the proposal, the acceptances and the motions that brought keys in, each with the consent that
    it needed, in their order.
    """
    roles = {found.first.event.role, *(one.event.role for one in registrations if registration_of(one.event) is None)}
    chosen = [one for one in registrations if one.event.kind == "propose" or one.event.role in roles]
    lines = [r.line for r in chosen] + [found.first.line, found.second.line]
    return bundle.write("evidence", [r.key for r in chosen if registration_of(r.event)], lines)


def read_evidence(data: Bundle) -> Fork:
    """The fork that an evidence bundle proves; BadEvidence `evidence.…` when it proves none.

    It proves that the key which the bundle registers for the role contradicts itself. Whether that key is the
    one that sits in a given game is for the reader to compare with that game's log. A key that was offered a seat and
    did not get it, or had it not yet, contradicts nobody.
    """
    if data.contents != "evidence" or len(data.lines) < LEAST_EVIDENCE:
        raise BadEvidence(
            "evidence.form",
            f"expected evidence of {LEAST_EVIDENCE} or more events, got {data.contents} of {len(data.lines)}",
        )
    seating = _Seating()
    for line in data.lines[:-2]:
        seating = _joined(seating, verify_event(line, seating.known, data.keys))
    found = fork(*(verify_event(line, seating.known, data.keys) for line in data.lines[-2:]))
    if found is None:
        raise BadEvidence(
            "evidence.none", "expected two different events of one role at one place, got no contradiction"
        )
    if seating.moved is not None or found.first.event.step < seating.since.get(found.first.key, 0):
        raise BadEvidence("evidence.seat", f"expected a key that holds its seat, got {found.first.title}")
    return found


@dataclass(frozen=True, slots=True)
class _Seating:
    """Who is known to hold which seat: a motion that waits for its consent, and each new key's first step."""

    known: Roster | None = None
    moved: Verified | None = None
    since: dict[bytes, int] = field(default_factory=dict)


def _joined(seating: _Seating, verified: Verified) -> _Seating:
    registration, body, roster = registration_of(verified.event), verified.event.body, seating.known
    if roster is None:
        return _Seating(from_proposal(verified.id, verified.event))
    moved = seating.moved
    if moved is not None:
        return _taken(seating, agreed(roster, moved, verified), moved, verified)
    if isinstance(body, Change) and body.seat is not None:
        if is_own_successor(roster, verified):
            return _taken(seating, seated(roster, verified), verified, verified)
        return replace(seating, moved=verified)
    if registration is None or verified.event.kind == "propose":
        raise BadEvidence("evidence.form", f"expected an acceptance before the two events, got {verified.title}")
    return replace(seating, known=registered(roster, verified.event.role, registration))


def _taken(seating: _Seating, roster: Roster, moved: Verified, last: Verified) -> _Seating:
    key = roster.held[seated_role(moved.event) or moved.event.role]
    seating.since[key] = last.event.step + 1  # one table for the whole proof, or long ones would be copied at each key
    return _Seating(roster, None, seating.since)


def place_of(verified: Verified) -> tuple[object, ...]:
    """What two events that contradict each other have in common."""
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
        case Request() | Withdraw():
            return (verified.id,)
        case _:
            return ()
