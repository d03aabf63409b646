"""Handing over: a seat goes to another key by a motion or a request that needs nobody, or with a consent to it.

Disputes and the evidence of forks follow seats by it without a game's rules. Left out: when a log takes such a motion,
which is for `pbem.log.verify` to say, and what it does there, in `pbem.engine.situation`.
"""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pbem.errors import BadEvidence
from pbem.log.event import NEUTRAL, REFEREE, Change, Consent, Registration, Role, Ruling
from pbem.log.keys import check_public_key
from pbem.log.roster import Roster, is_successor, reseated, seat_message, seated_role
from pbem.log.verify import Verified


def is_own_successor(roster: Roster, moved: Verified) -> bool:
    """Whether a motion seats the key that its author had committed to, which needs nobody's consent."""
    own = seated_role(moved.event) == moved.event.role
    return own and is_successor(roster.parties[moved.event.role], bytes.fromhex(_seat(moved).key))


def agreed(roster: Roster, moved: Verified, consent: Verified) -> Roster:
    """The roster with the new key; BadEvidence `dispute.seat` unless another role agrees to the motion."""
    if not is_consent(consent, moved, roster.judge) or consent.event.role == moved.event.role:
        raise BadEvidence("dispute.seat", f"expected another role's consent to {moved.title}, got {consent.title}")
    return seated(roster, moved)


def is_consent(verified: Verified, moved: Verified, judge: Role | None = None) -> bool:
    """Whether an event agrees to a motion or a request; a ruling agrees to the motion of the step before its own.

    Without a `judge` the events are of a log, which has taken the ruling already.
    """
    body = verified.event.body
    if isinstance(body, Consent):
        return body.agree and body.motion == moved.id
    if not isinstance(body, Ruling) or not is_judge(verified.event.role, judge) or body.role == moved.event.role:
        return False
    if seated_role(moved.event) == REFEREE:
        return False
    tabled = moved.event.kind == "motion" and verified.event.step == moved.event.step + 1
    return body.agree and (body.motion == moved.id or (tabled and body.demand == "consent"))


def is_judge(role: Role, judge: Role | None) -> bool:
    """Whether a role has the referee's powers; without a `judge` the events are of a log, which has checked it."""
    return role == judge if judge else role in NEUTRAL


def _seat(moved: Verified) -> Registration:
    body = moved.event.body
    assert isinstance(body, Change)
    if body.seat is None:
        raise BadEvidence("dispute.seat", f"expected no motion but those that seat a key, got {moved.title}")
    return body.seat


def seated(roster: Roster, moved: Verified) -> Roster:
    """The roster with the new key, whose owner has signed for the seat."""
    body, role, seat = moved.event.body, seated_role(moved.event), _seat(moved)
    assert isinstance(body, Change)
    assert role is not None
    key = bytes.fromhex(seat.key)
    check_public_key(key)
    try:
        message = seat_message(roster.game, role, seat)
        Ed25519PublicKey.from_public_bytes(key).verify(bytes.fromhex(body.proof), message)
    except InvalidSignature:
        raise BadEvidence("dispute.seat", f"expected the new key to sign for the seat in {moved.title}") from None
    return reseated(roster, role, seat, body.address)
