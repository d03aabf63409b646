"""Disputes: the least slice of a log that shows one roll, one opening or one refusal to somebody with nothing else.

A dispute is a bundle with a claim. For a roll it holds the registrations and the entropy events of one step; for an
opening the registrations, the seal and what opened it, which can be a closing; for a refusal the log up to a step and
the event that the rules refuse there. A ruling of the judge stands for the entropy event, the opening or the consent of
a role. The claim carries a digest of the file, so that a change anywhere is noticed; it proves nothing else.

Left out: a refusal is judged by the rules of the game, in `pbem.app.dispute_proof`; forks are `pbem.log.fork`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    model_serializer,
)

from pbem.errors import BadEvidence
from pbem.log import bundle, canonical, chain, dice, seal
from pbem.log.bundle import Bundle
from pbem.log.enumeration import counted, enumerated
from pbem.log.event import (
    Accept,
    Body,
    Change,
    Close,
    Count,
    Entropy,
    Hex64,
    Open,
    Role,
    RoleName,
    Ruling,
    Seal,
)
from pbem.log.forms import first_problem
from pbem.log.handover import agreed, is_judge, is_own_successor, seated
from pbem.log.hashing import digest
from pbem.log.receipt import dice_salt
from pbem.log.roster import (
    Roster,
    from_proposal,
    registered,
    registration_of,
)
from pbem.log.step import GENESIS, step_digest
from pbem.log.verify import Verified, verify_event

MAX_SLICE = 64
"""Events of a roll or an opening but registrations and what gives a seat to another key, which happens without end."""
MAX_FACES = 256
FIRST_PLAY = 2

Label = Annotated[str, StringConstraints(pattern=r"^[ -~]{1,200}\z")]
Item = Annotated[str, StringConstraints(pattern=r"^[ -~\u00a1-\u024f]{1,60}\z")]
Code = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_.]{1,80}\z")]
Index = Annotated[int, Field(ge=1, le=65_536)]
Face = Annotated[int, Field(ge=1, le=dice.MAX_SIDES)]


class RollClaim(Body):
    """A roll gave these faces; `items` names what was drawn from, in order, and is empty for dice.

    `ruled` are the indices of the links that rulings open, which they do not say themselves. There is no such field
    where each of these indices is that of another link of the roll.
    """

    claim: Literal["roll"]
    step: Count
    label: Label
    sides: Face
    faces: Annotated[list[Face], Field(min_length=1, max_length=MAX_FACES)]
    items: Annotated[list[Item], Field(max_length=dice.MAX_SIDES)]
    ruled: Annotated[list[Index], Field(min_length=1, max_length=8)] = Field(default_factory=list)

    @model_serializer(mode="wrap")
    def _without_what_is_said(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        written: dict[str, Any] = handler(self)
        return written if self.ruled else {name: value for name, value in written.items() if name != "ruled"}


class OpeningClaim(Body):
    """A role opened at this step what it had sealed before."""

    claim: Literal["opening"]
    step: Count
    role: RoleName


class RefusalClaim(Body):
    """The rules refuse this event, for this reason, at its place of the log."""

    claim: Literal["refusal"]
    event: Hex64
    code: Code


Claim: TypeAlias = RollClaim | OpeningClaim | RefusalClaim
_CLAIMS: TypeAdapter[Claim] = TypeAdapter(Annotated[Claim, Field(discriminator="claim")])


@dataclass(frozen=True, slots=True)
class ProvenRoll:
    """A roll that follows from signed links: of each roller its role, index, opened link and the link before it.

    `closing` is the salt: the digest of the step before, as all rollers signed it, in a hosted game of what others
    than the adjudicator said there.
    """

    claim: RollClaim
    roster: Roster
    closing: bytes
    links: tuple[tuple[str, int, bytes, bytes], ...]


@dataclass(frozen=True, slots=True)
class ProvenOpening:
    """An opening, by its role or by a ruling of the referee, that fits the commitment that the role had signed.

    `salt` (hex) and `value` are what it opened of that seal: a closing can open many.
    """

    claim: OpeningClaim
    roster: Roster
    sealed: Verified
    opened: Verified
    salt: str
    value: dict[str, Any]


def write(claim: Claim, keys: Iterable[bytes], lines: Sequence[bytes]) -> bytes:
    """The bundle of a dispute."""
    said, named = canonical.encode(claim.model_dump()), sorted(set(keys))
    mark = _digest(said, named, lines).hex().encode("ascii")
    return bundle.write("dispute", named, lines, mark + b" " + said)


def read_claim(data: Bundle) -> Claim:
    """What a dispute claims; BadEvidence `dispute.…` unless it is a dispute that is whole as it was written."""
    if data.contents != "dispute":
        raise BadEvidence("dispute.form", f"expected a dispute, got a bundle of {data.contents}")
    mark, _, said = data.claim.partition(b" ")
    if _digest(said, data.keys, data.lines).hex().encode("ascii") != mark:
        raise BadEvidence(
            "dispute.digest",
            "expected the digest in the claim to be that of the file, got another one",
            "the file was changed after it was written: get it again from where it came, as an attachment",
        )
    try:
        return _CLAIMS.validate_python(canonical.decode(said))
    except ValidationError as error:
        field, wrong = first_problem(error)
        text = f"expected a claim of this version, got a wrong {(field or 'claim')[:80]!a} ({wrong})"
        raise BadEvidence("dispute.claim", text) from None


def read_slice(data: Bundle) -> ProvenRoll | ProvenOpening:
    """What a dispute about a roll or an opening proves; BadEvidence when it proves nothing."""
    claim = read_claim(data)
    roster, head, rest = _registrations(data)
    roster, events = _followed(roster, head, rest)
    if isinstance(claim, RollClaim):
        closing, links = _salted(claim, roster, events, data) if roster.is_hosted else (None, events)
        return _roll(claim, roster, links, closing)
    if isinstance(claim, OpeningClaim):
        return _opening(claim, roster, events)
    raise BadEvidence("dispute.form", "expected a roll or an opening, got a refusal")


def _digest(said: bytes, keys: Iterable[bytes], lines: Iterable[bytes]) -> bytes:
    return digest("pbem/dispute/v1", said, *keys, *lines)


def _registrations(data: Bundle) -> tuple[Roster, bytes, Sequence[bytes]]:
    """The roster of steps 0 and 1, all of whose events stand here, the digest of step 1, and the lines behind."""
    if not data.lines:
        raise BadEvidence("dispute.events", "expected a proposal first, got no event")
    proposal = verify_event(data.lines[0], None, data.keys)
    roster, head = from_proposal(proposal.id, proposal.event), step_digest(GENESIS, [proposal.id])
    joining = data.lines[1 : len(roster.parties)]
    accepted = [verify_event(line, roster, data.keys) for line in joining]
    for one in accepted:
        registration = registration_of(one.event)
        if registration is None or not isinstance(one.event.body, Accept):
            raise BadEvidence("dispute.events", f"expected every seat's acceptance first, got {one.title}")
        if (one.event.step, one.event.prev) != (1, head.hex()):
            raise BadEvidence("dispute.place", f"expected an acceptance behind the proposal, got {one.title}")
        roster = registered(roster, one.event.role, registration)
    if roster.absent():
        raise BadEvidence("dispute.events", f"expected every seat's acceptance, got none of {roster.absent()[0]}")
    ids = [one.id for one in sorted(accepted, key=lambda one: one.event.role)]
    if set(data.keys) != set(roster.held.values()):
        raise BadEvidence("dispute.keys", "expected exactly the keys that are registered here, got others")
    return roster, step_digest(head, ids) if ids else head, data.lines[len(roster.parties) :]


def _followed(roster: Roster, head: bytes, lines: Sequence[bytes]) -> tuple[Roster, list[Verified]]:
    """The roster when the last of these events was signed, and those that change no seat, by steps."""
    events: list[Verified] = []
    moved: Verified | None = None
    step = FIRST_PLAY
    for line in lines:
        verified = verify_event(line, roster)
        _check_behind(verified, head, step)
        _check_holder(verified, roster)
        step = verified.event.step
        if moved is not None:
            roster, moved = agreed(roster, moved, verified), None
        elif isinstance(verified.event.body, Change) and not (roster.is_hosted and verified.event.body.seat is None):
            moved = verified
            if is_own_successor(roster, verified):
                roster, moved = seated(roster, verified), None
        elif len(events) < MAX_SLICE:
            events.append(verified)
        else:
            text = f"expected at most {MAX_SLICE} events that change no seat, got {verified.title} behind them"
            raise BadEvidence("dispute.events", text)
    if moved is not None:
        raise BadEvidence("dispute.seat", f"expected a consent behind {moved.title}, got none")
    return roster, events


def _check_behind(verified: Verified, head: bytes, step: int) -> None:
    """Events are in the order of steps; at the first step of play they name the digest that the registrations give."""
    place = verified.event
    if place.step < step or (place.step == FIRST_PLAY and place.prev != head.hex()):
        raise BadEvidence(
            "dispute.place", f"expected an event of step {step} or later, behind the acceptances, got {verified.title}"
        )


def _check_holder(verified: Verified, roster: Roster) -> None:
    if roster.held.get(verified.event.role) != verified.key:
        raise BadEvidence(
            "dispute.seat", f"expected the key that holds the seat, got {verified.title}, signed by a former one"
        )


def ruled_role(verified: Verified, demand: str, judge: Role | None = None) -> Role:
    """Whose `demand` an event answers: its author's, or that of the role which the judge rules on."""
    body = verified.event.body
    is_ruling = isinstance(body, Ruling) and is_judge(verified.event.role, judge) and body.demand == demand
    return body.role if is_ruling and isinstance(body, Ruling) else verified.event.role


def _salted(
    claim: RollClaim, roster: Roster, events: Sequence[Verified], data: Bundle
) -> tuple[bytes, Sequence[Verified]]:
    """The salt of a roll in a hosted game, and the events of its step: those of the step before stand in front."""
    links = [one for one in events if one.event.step == claim.step]
    before, previous = [one for one in events if one.event.step < claim.step], step_digest(GENESIS, [roster.game])
    if claim.step == FIRST_PLAY:
        before = [verify_event(line, roster, data.keys) for line in data.lines[1 : len(roster.parties)]]
    elif before:
        previous = bytes.fromhex(before[0].event.prev)
    ordered = sorted(before, key=lambda one: (one.event.role, one.event.kind))
    followed = step_digest(previous, [one.id for one in ordered]).hex()
    if any(one.event.prev != followed for one in links):
        raise BadEvidence("dispute.place", f"expected the events of step {claim.step - 1} before the links, got others")
    return dice_salt(bytes.fromhex(roster.game), claim.step - 1, ordered), links


def _roll(claim: RollClaim, roster: Roster, events: Sequence[Verified], salt: bytes | None) -> ProvenRoll:
    rollers = sorted(roster.proposal.rollers)
    opened = [ruled_role(one, "entropy", roster.judge) for one in events]
    if opened != rollers or {one.event.step for one in events} != {claim.step}:
        names = enumerated(rollers)
        raise BadEvidence("dispute.events", f"expected one link of {names} each at step {claim.step}, got others")
    if len({(one.event.prev, one.event.state) for one in events}) != 1:
        raise BadEvidence("dispute.place", "expected links behind one step and one state, got some behind another")
    links = tuple(_link(one, roster, indices) for one, indices in zip(events, _indices(claim, events), strict=True))
    closing, game = salt or bytes.fromhex(events[0].event.prev), bytes.fromhex(roster.game)
    key = dice.dice_key([link for _, _, link, _ in links], closing, game)
    rolled = dice.faces(key, claim.label, len(claim.faces), claim.sides)
    if list(rolled) != claim.faces:
        told = ", ".join(map(str, rolled))
        raise BadEvidence("dispute.faces", f"expected the faces {told}, which these links give, got others")
    if claim.items and (len(claim.items), len(claim.faces)) != (claim.sides, 1):
        raise BadEvidence("dispute.faces", f"expected one of {counted(claim.sides, 'item')}, got {len(claim.items)}")
    return ProvenRoll(claim, roster, closing, links)


def _indices(claim: RollClaim, events: Sequence[Verified]) -> list[Sequence[int]]:
    """Of each link the indices that it may have: its own, or for a ruling what the claim says or another link has.

    An index is a part of every hash below it, so that each one that is tried takes a way of its own to the anchor.
    """
    said = sorted({one.event.body.index for one in events if isinstance(one.event.body, Entropy)})
    rulings = [one.id for one in events if isinstance(one.event.body, Ruling)]
    if claim.ruled and len(claim.ruled) != len(rulings):
        text = (
            f"expected one index for each of {counted(len(rulings), 'link')} that were ruled on, got {len(claim.ruled)}"
        )
        raise BadEvidence("dispute.link", text)
    ruled = {name: [index] for name, index in zip(rulings, claim.ruled, strict=False)}
    return [
        [one.event.body.index] if isinstance(one.event.body, Entropy) else ruled.get(one.id, said) for one in events
    ]


def _link(verified: Verified, roster: Roster, indices: Sequence[int]) -> tuple[str, int, bytes, bytes]:
    """The link of an entropy event or a ruling with the one before it, hashed down to the anchor that its role
    registered from one of these indices."""
    role, body = ruled_role(verified, "entropy", roster.judge), verified.event.body
    if not isinstance(body, Entropy | Ruling):
        raise BadEvidence("dispute.events", f"expected an entropy event, got {verified.title}")
    tip, opened = roster.tips()[role], bytes.fromhex(body.link)
    title = f"link {body.index}" if isinstance(body, Entropy) else f"the link of {verified.title}"
    within = [index for index in indices if tip.index < index <= tip.length]
    if isinstance(body, Entropy) and not within:
        raise BadEvidence("dispute.link", f"expected one of {counted(tip.length, 'link')} of {role}, got {title}")
    for index in within:
        if _anchored(tip, index, opened):
            return role, index, opened, chain.previous_link(tip.nonce, role, index - 1, opened)
    raise BadEvidence("dispute.link", f"expected {title} to hash down to the anchor that {role} registered")


def _anchored(tip: chain.Tip, index: int, link: bytes) -> bool:
    for before in range(index - 1, tip.index - 1, -1):
        link = chain.previous_link(tip.nonce, tip.role, before, link)
    return link == tip.link


def _opening(claim: OpeningClaim, roster: Roster, events: Sequence[Verified]) -> ProvenOpening:
    if len(events) != 2 or [events[0].event.role, ruled_role(events[1], "open", roster.judge)] != [claim.role] * 2:
        raise BadEvidence("dispute.events", f"expected a seal and an opening of {claim.role}, got others")
    sealed, opened = events
    if not isinstance(sealed.event.body, Seal) or not (said := said_of(sealed, opened)):
        raise BadEvidence("dispute.events", f"expected a seal and its opening, got {sealed.title} and {opened.title}")
    if not sealed.event.step < opened.event.step == claim.step:
        raise BadEvidence("dispute.place", f"expected an opening at step {claim.step}, got {opened.title}")
    if not is_opened(roster.game, sealed, claim.role, *said):
        raise BadEvidence("dispute.opening", f"expected {opened.title} to open what {claim.role} had sealed")
    return ProvenOpening(claim, roster, sealed, opened, *said)


def said_of(sealed: Verified, opened: Verified) -> tuple[str, dict[str, Any]] | None:
    """The salt (hex) and the value that an event gives for a seal, right or not; None where it opens nothing of it.

    A ruling names no question; a closing names step and question of each seal that it opens, and of what is lost.
    """
    was, now = sealed.event.body, opened.event.body
    if not isinstance(was, Seal):
        return None
    if isinstance(now, Close):
        found = (one for one in now.openings if (one.step, one.ask) == (sealed.event.step, was.ask))
        return next(((one.salt, one.value) for one in found if one.value is not None), None)
    fits = isinstance(now, Ruling) or (isinstance(now, Open) and now.ask == was.ask)
    return (now.salt, now.value) if fits and isinstance(now, Open | Ruling) and now.value is not None else None


def is_opened(game: str, sealed: Verified, role: Role, salt: str, value: dict[str, Any]) -> bool:
    """Whether salt and value give the commitment of a seal of `role`."""
    was = sealed.event.body
    assert isinstance(was, Seal)
    place = (bytes.fromhex(game), sealed.event.step, role, was.ask)
    return seal.commitment(*place, bytes.fromhex(salt), canonical.encode(value)).hex() == was.commitment
