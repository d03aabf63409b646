"""Equivocation: two different valid events of one key at one place of the log, and the proof of it.

A place is game, step, head before it, role, slot, and for statements about others what they speak of. A judge has
three slots by which it closes a step: its annulment contradicts its ruling and its receipt there, and its ruling on a
role its receipt that names what this role has given. What is no equivocation: two rulings on two roles, two proposals
(each begins a game of its own), events after different heads (a fork of somebody else can lead there), and two keys
that both claim one seat (nobody contradicts himself then).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from types import MappingProxyType

from pbem.errors import BadEvidence
from pbem.log import bundle
from pbem.log.bundle import Bundle
from pbem.log.event import Change, Kind, Lapse, Receipt, Request, Resolve, Ruling, Withdraw
from pbem.log.handover import agreed, is_own_successor, seated
from pbem.log.roster import Roster, from_proposal, registered, registration_of, seated_role
from pbem.log.verify import Verified, slot, verify_event

_NOTHING: Mapping[str, Verified] = MappingProxyType({})
JUDGING: frozenset[Kind] = frozenset({"annul", "receipt", "ruling"})
"""Kinds by which a judge closes a step, each of a slot of its own."""
LEAST_EVIDENCE = 3
"""The proposal and the two events. At most a bundle's bytes: a seat goes from key to key as often as a log allows."""


@dataclass(frozen=True, slots=True)
class Fork:
    """Both events, the one with the smaller id first."""

    first: Verified
    second: Verified
    shown_by: Verified | None = None
    """What a receipt names of the role in whose place the same judge has ruled: it makes these two a contradiction."""


def fork(one: Verified, other: Verified, at_hand: Mapping[str, Verified] = _NOTHING) -> Fork | None:
    """The fork that two verified events make, None when they are the same event or of different places.

    `at_hand` are events by id, among them what a receipt names: whose that is, it does not say itself.
    """
    if one.event.role != other.event.role or one.id == other.id:
        return None
    first, second = sorted((one, other), key=lambda verified: verified.id)
    if place_of(one) == place_of(other):
        return Fork(first, second)
    kinds = {one.event.kind, other.event.kind}
    if not kinds <= JUDGING or len(kinds) == 1 or _judged_at(one) != _judged_at(other):
        return None
    if "annul" in kinds:
        return Fork(first, second)
    shown = _ruled_on_and_named(first, second, at_hand)
    return Fork(first, second, shown) if shown else None


def _judged_at(verified: Verified) -> tuple[object, ...]:
    event = verified.event
    return event.game, event.step, event.prev, verified.key


def _ruled_on_and_named(one: Verified, other: Verified, at_hand: Mapping[str, Verified]) -> Verified | None:
    """What the receipt among two events names of the role that the ruling is on, where it is at hand."""
    ruling, receipt = (one, other) if isinstance(one.event.body, Ruling) else (other, one)
    assert isinstance(ruling.event.body, Ruling)
    for named in named_by(receipt, at_hand):
        here = (named.event.game, named.event.step, named.event.prev)
        owed = named.event.role == ruling.event.body.role and slot(named.event.kind) == "move"
        if owed and here == _judged_at(ruling)[:3]:
            return named
    return None


def named_by(receipt: Verified, at_hand: Mapping[str, Verified]) -> list[Verified]:
    """The events at hand that a receipt names, in the order of their ids; none for any other event."""
    body = receipt.event.body
    return [at_hand[one] for one in sorted(body.arrived) if one in at_hand] if isinstance(body, Receipt) else []


def first_fork(events: Sequence[Verified], beside: Iterable[Verified] = ()) -> Fork | None:
    """The first pair of these events, in their order, that makes a fork; None where no two do.

    `beside` are others of their step, which a receipt among them may name.
    """
    places: dict[object, Verified] = {}
    firsts: dict[str, int] = {}
    found: list[tuple[int, Fork]] = []
    for number, one in enumerate(events):
        known = places.setdefault(place_of(one), one)
        firsts.setdefault(known.id, number)
        if contradiction := fork(known, one):
            found.append((firsts[known.id], contradiction))
    return min(found, key=lambda pair: pair[0])[1] if found else _first_of_judge(events, beside)


def _first_of_judge(events: Sequence[Verified], beside: Iterable[Verified]) -> Fork | None:
    """The first pair that closes a step in two ways, among events of which no two are of one place."""
    judging = [one for one in events if one.event.kind in JUDGING]
    at_hand = {one.id: one for one in (*events, *beside)} if len(judging) > 1 else {}
    return next(filter(None, (fork(one, other, at_hand) for one, other in combinations(judging, 2))), None)


def evidence(registrations: Sequence[Verified], found: Fork) -> bytes:
    """A bundle that proves a fork to a stranger: the registrations of the keys, and both events.

    `registrations` are the proposal, the acceptances and the motions that brought keys in, each with the consent that
    it needed, in their order.
    """
    shown = [found.shown_by] if found.shown_by else []
    roles = {
        found.first.event.role,
        *(one.event.role for one in shown),
        *(one.event.role for one in registrations if registration_of(one.event) is None),
    }
    chosen = [one for one in registrations if one.event.kind == "propose" or one.event.role in roles]
    lines = [one.line for one in (*chosen, *shown, found.first, found.second)]
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
    before = _Seating()
    for line in data.lines[:-3]:
        before = _joined(before, verify_event(line, before.known, data.keys))
    last = verify_event(data.lines[-3], before.known, data.keys)
    found = _shown_by(last, before, data)
    shown, seating = ([last], before) if found else ([], _joined(before, last))
    one, other = (verify_event(line, seating.known, data.keys) for line in data.lines[-2:])
    found = found or fork(one, other)
    if found is None:
        raise BadEvidence(
            "evidence.none", "expected two different events of one role at one place, got no contradiction"
        )
    for each in (found.first, *shown):
        if seating.moved is not None or each.event.step < seating.since.get(each.key, 0):
            raise BadEvidence("evidence.seat", f"expected a key that holds its seat, got {each.title}")
    return found


def _shown_by(last: Verified, seating: _Seating, data: Bundle) -> Fork | None:
    """The fork of the last two events if it is one because of the event before them, which then seats nobody."""
    if seating.known is None or seating.moved is not None or slot(last.event.kind) != "move":
        return None
    try:
        one, other = (verify_event(line, seating.known, data.keys) for line in data.lines[-2:])
    except BadEvidence:
        return None  # the key of these two is brought in by the event before them
    found = fork(one, other, {last.id: last})
    return found if found and found.shown_by else None


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
