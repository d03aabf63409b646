"""Verification of one event, in numbered steps; each step's number stands beside its check.

 1. The line is an envelope that writes back to the same bytes, within its size.
 2. The key that its keyid narrows to is known: in the roster, or offered with the file for a registration.
 3. An offered key is canonical and not of small order.
 4. The signature holds over PAE(type, payload). Nothing of the payload has been read before this.
 5. The payload is the canonical form of its value, within its limits.
 6. It has exactly the fields of an event of this version, and of its kind.
 7. The signing key is the one that speaks for its role (in a registration: the key it registers).
 8. It belongs to this game; a proposal belongs to none and stands at its beginning.
 9. It stands at this step, and names the digest of the step before.
10. Its author computed the same state of the game.
11. The game waits for this role, and for this kind of event.
12. An entropy event opens the next link of its author's chain.
13. A commitment is new to the log; an opening opens the commitment that was made, a closing at the end all that were
    left.
14. A lapse is claimed by another role, for what is owed since the game began, after the deadline; it dictates rolls
    where a link is owed and the remedy is the worst, and nowhere else.
15. A closing names the result and the head that everybody computes.
16. A motion is moved by the only role that has to decide, once before it does; a request is made to such a role by
    another, up to 18 at a step (of which a home takes in 8, and what a consent names or what needs none); a play that
    is taken back has taken place, a game that is resumed was paused; a consent is given to the motion that waits for
    it, or to a request at this step; who has moved or asked for something may withdraw it.
17. The signing key holds its role's seat at this step; one that a motion wants to seat signs for that itself.
18. A ruling is the referee's: on a motion, or in the place of what another role owes after the deadline, and what it
    opens is the next link or the sealed answer; it vouches for the deposits that were made, and annuls a game that all
    have joined; where there is a referee nobody claims a lapse.
19. A receipt is the adjudicator's, at a step of play; what it names arrived behind the beginning of the step and not
    behind its own date.

Steps 1 to 8 are `verify_event`, 9 to 19 `verify_place`. Whether an answer obeys the rules of the game is
asked afterwards (`pbem.engine.campaign`); that a step is complete, and which of two forked events stands,
is settled in `pbem.engine.assembly`. The referee's powers are the adjudicator's in a game without a referee.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pbem.errors import BadEvidence
from pbem.log import canonical, envelope, event, keys, seal
from pbem.log.chain import Tip
from pbem.log.disclosure import Secret, another_answer, check_openings
from pbem.log.enumeration import counted, enumerated
from pbem.log.envelope import Envelope
from pbem.log.event import (
    ADJUDICATOR,
    NEUTRAL,
    Annul,
    Change,
    Close,
    Consent,
    Entropy,
    Event,
    Kind,
    Lapse,
    Open,
    Registration,
    Role,
    Ruling,
    Seal,
    Vouch,
    Withdraw,
)
from pbem.log.receipt import check_receipt
from pbem.log.roster import Roster, registration_of, seat_message, seated_role

DAY = 86_400
GRACE = DAY // 2
"""Behind a deadline, before the adjudicator may rule: a mail that was sent in time may be under way."""
WAIT_FOR_ONE = "wait for the decision, or for the agreement to one of the others"
"""What is told to who has asked for as much as others take in."""
_CLOCK = {True: "paused", False: "not paused"}
FIRST_DECISION = 2
"""The first step behind proposal and acceptances."""
DECISIONS: frozenset[str] = frozenset({"answer", "seal"})
"""What is demanded of a role that has to decide."""
MOST_REQUESTS = 8
"""Of one role at one step: whoever asks for more means to keep others busy. A home signs and takes in no more, but for
those to which a consent is at hand: what one home was asked must not keep it from following another one."""
MOST_REQUESTS_IN_LOG = 2 * MOST_REQUESTS + len(event.UNILATERAL)
"""Those that a home has taken in, whichever came first; besides as many that were agreed to, and one of each matter
that needs nobody's consent."""
OWN_SLOTS: frozenset[Kind] = frozenset({"lapse", "resolve", "request", "ruling", "annul", "receipt", "withdraw"})
"""Kinds that stand beside what their author owes at a step; all others are one in place of another."""
_BEFORE_EVERYTHING = (event.NOTHING, 0, event.NOTHING, event.NOTHING)


@dataclass(frozen=True, slots=True)
class Signed:
    """A line that has passed steps 1 to 4: somebody known signed it, and nothing of its payload has been read."""

    line: bytes
    envelope: Envelope
    key: bytes


@dataclass(frozen=True, slots=True)
class Verified:
    """An event that has passed steps 1 to 8. Only `read_signed` makes one; nothing else is ever applied."""

    event: Event
    id: str
    line: bytes
    key: bytes

    @property
    def title(self) -> str:
        """How messages name the event."""
        return f"{self.event.role}'s {self.event.kind} of step {self.event.step} (event {self.id[:12]})"


@dataclass(frozen=True, slots=True)
class Demand:
    """What the log waits for from one role; `opens` is the commitment and step of a seal to be opened.

    A consent is demanded to the motion of that event id, a vouch for the deposits of `roles`, and behind the step in
    which all have closed a closing that opens the `secrets`.
    """

    kind: Kind
    ask: str = ""
    opens: tuple[bytes, int] | None = None
    result: Mapping[str, str] = field(default_factory=dict)
    motion: str = ""
    roles: tuple[Role, ...] = ()
    secrets: tuple[Secret, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """One place of the log: everything that an event there must fit. Digests are hex; `since` is in seconds.

    `keys` are those that hold the seats here, `first` is the first step of play, `requests` are the authors of those
    made at this step, by event id. The `judge` has the referee's powers. Where it is `receipted` the adjudicator's
    receipt closes the step with what others sign. Behind a motion that was not agreed to, `refused` is true until the
    decision comes: who could move for ever would never be late. `worst` says that the remedy is no claim of the game,
    `resuming` who has asked since when that a paused game go on; `unvouched` are roles whose deposits may be no good.
    """

    game: str
    step: int
    prev: str
    state: str
    demands: Mapping[Role, Demand]
    tips: Mapping[Role, Tip]
    commitments: frozenset[str] = frozenset()
    since: int = 0
    deadline_days: int = 0
    paused: bool = False
    refused: bool = False
    requests: Mapping[str, Role] = field(default_factory=dict)
    keys: Mapping[Role, bytes] = field(default_factory=dict)
    judge: Role | None = None
    receipted: bool = False
    unvouched: frozenset[Role] = frozenset()
    resuming: Mapping[Role, int] = field(default_factory=dict)
    first: int = FIRST_DECISION
    worst: bool = False

    @property
    def runs_since(self) -> int | None:
        """From when the deadline is counted: from the step before, in a paused game from the first request that it go
        on; None while none runs."""
        if not self.deadline_days or (self.paused and not self.resuming):
            return None
        return max(self.since, min(self.resuming.values())) if self.paused else self.since

    @property
    def refereed(self) -> bool:
        """Whether somebody has the referee's powers."""
        return self.judge is not None

    @property
    def due(self) -> int:
        """From when on what is owed is late enough for a claim or a ruling, where there is a deadline that runs."""
        grace = GRACE if self.judge == ADJUDICATOR else 0
        return (self.runs_since or self.since) + self.deadline_days * DAY + grace

    @property
    def deciding(self) -> tuple[Role, ...]:
        """The roles that have to decide something, in role order."""
        return tuple(sorted(role for role, demand in self.demands.items() if demand.kind in DECISIONS))


def verify_event(line: bytes, roster: Roster | None, offered: Iterable[bytes] = ()) -> Verified:
    """The event of a line, or BadEvidence. `offered` keys serve only to check the event that registers them."""
    return read_signed(check_signed(line, roster, offered), roster)


def check_signed(line: bytes, roster: Roster | None, offered: Iterable[bytes] = (), *, known: bool = False) -> Signed:
    """Steps 1 to 4, which need nothing of other events and may be done ahead of the rest.

    `known` says that the caller has had this very check made with this roster, and step 4 is not made again.
    """
    found = envelope.from_line(line)  # 1
    key = _signing_key(found, roster, offered)  # 2, 3
    if not known:
        _check_signature(found, key)  # 4
    return Signed(line, found, key)


def check_signature(line: bytes, key: bytes) -> None:
    """Step 4 alone, for a line and the key that steps 1 to 3 have found; BadEvidence where the signature does not hold.

    Nothing but these bytes goes into it, so that its outcome may be kept with them.
    """
    _check_signature(envelope.from_line(line), key)  # 4


def read_signed(signed: Signed, roster: Roster | None) -> Verified:
    """Steps 5 to 8 for a line whose signature holds."""
    payload = signed.envelope.payload
    statement = event.read(payload)  # 5, 6
    _check_author(statement, signed.key, roster)  # 7
    _check_game(statement, roster)  # 8
    return Verified(statement, envelope.event_id(payload), signed.line, signed.key)


def verify_place(verified: Verified, place: Place) -> None:
    """Raise BadEvidence unless the event fits its place in the log."""
    statement = verified.event
    _check_position(verified, place)  # 9
    _check_holder(verified, place)  # 17
    if statement.state != place.state:  # 10
        raise BadEvidence(
            "place.state",
            f"expected the state {place.state[:16]} before step {place.step}, which this program computes, "
            f"got {statement.state[:16]} in {verified.title}",
            "the two programs disagree about the rules or their data: compare `pbem games --json` at both ends",
        )
    demand = place.demands.get(statement.role)
    match statement.body:
        case Lapse() as body:
            _check_lapse(verified, body, place)  # 14
        case Ruling() | Annul() as body:
            _check_ruling(verified, body, place)  # 18
        case Change() as body:
            _check_change(verified, body, place)  # 16
        case Consent() | Withdraw() as body:
            _check_about_motion(verified, body, demand, place)  # 16
        case _ if statement.kind == "receipt":
            check_receipt(verified, place.since, demanded=place.receipted)  # 19
        case _:
            _check_body(verified, _demanded(verified, demand, place), place)  # 11, 12, 13, 15


def _signing_key(found: Envelope, roster: Roster | None, offered: Iterable[bytes]) -> bytes:
    for party in roster.parties.values() if roster else ():
        if party.key is not None and keys.key_id(party.key) == found.key_id:
            return party.key
    if roster is not None and (claiming := roster.claims.named(found.key_id)):
        return claiming[0]
    for key in offered:
        if keys.key_id(key) == found.key_id:
            keys.check_public_key(key)  # 3
            return key
    raise BadEvidence("event.unknown_key", f"expected a key of a party of this game, got '{found.key_id}'")


def _check_signature(found: Envelope, key: bytes) -> None:
    signed = envelope.pae(envelope.PAYLOAD_TYPE, found.payload)
    try:
        _loaded(key).verify(found.signature, signed)
    except InvalidSignature:
        raise BadEvidence(
            "event.signature",
            f"expected a signature by key {found.key_id} over these bytes, got one that does not hold",
        ) from None


@lru_cache(maxsize=256)
def _loaded(key: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(key)


def _check_author(statement: Event, key: bytes, roster: Roster | None) -> None:
    registration = registration_of(statement)
    if registration is not None:
        if bytes.fromhex(registration.key) != key:
            raise BadEvidence("event.possession", "expected a registration signed with the key it registers")
        return
    if roster is None or (roster.held.get(statement.role) != key and (statement.role, key) not in roster.claims):
        raise BadEvidence(
            "event.author", f"expected an event signed by the {statement.role} party, got another party's key"
        )


def _check_game(statement: Event, roster: Roster | None) -> None:
    if statement.kind == "propose":
        if (statement.game, statement.step, statement.prev, statement.state) != _BEFORE_EVERYTHING:
            raise BadEvidence("event.game", "expected a proposal to stand at step 0 of no game, after nothing")
        return
    if roster is None:
        raise BadEvidence("event.game", f"expected the proposal of a game first, got its '{statement.kind}'")
    if statement.game != roster.game:
        raise BadEvidence(
            "event.game", f"expected an event of game {roster.game[:12]}, got one of game {statement.game[:12]}"
        )


def _check_position(verified: Verified, place: Place) -> None:
    statement = verified.event
    if statement.step != place.step:
        raise BadEvidence("place.step", f"expected an event of step {place.step}, got {verified.title}")
    if statement.prev != place.prev:
        raise BadEvidence(
            "place.prev",
            f"expected step {place.step} to follow {place.prev[:16]}, got {statement.prev[:16]} in {verified.title}",
        )


def _check_holder(verified: Verified, place: Place) -> None:
    role, demand = verified.event.role, place.demands.get(verified.event.role)
    if role not in place.keys and demand is not None and demand.kind == "accept":
        return
    if place.keys.get(role) != verified.key:
        raise BadEvidence(
            "place.key",
            f"expected the key that holds {role}'s seat at step {place.step}, got {verified.title}, "
            "signed by another one",
        )


def _demanded(verified: Verified, demand: Demand | None, place: Place) -> Demand:
    statement = verified.event
    if demand is None:
        waited = ", ".join(place.demands) or "nobody"
        raise BadEvidence("place.role", f"expected an event of {waited} at step {place.step}, got {verified.title}")
    if statement.kind != demand.kind:
        raise BadEvidence(
            "place.kind",
            f"expected {statement.role}'s {demand.kind} at step {place.step}, got {verified.title}",
        )
    asked = getattr(statement.body, "ask", "")
    if asked != demand.ask:
        raise BadEvidence(
            "place.ask", f"expected an answer to '{demand.ask}' at step {place.step}, got one to '{asked}'"
        )
    return demand


def _check_body(verified: Verified, demand: Demand, place: Place) -> None:
    body = verified.event.body
    if isinstance(body, Entropy):
        place.tips[verified.event.role].opened(body.index, bytes.fromhex(body.link))  # 12
    elif isinstance(body, Seal):
        _check_new(verified, body, place)  # 13
    elif isinstance(body, Open):
        _check_opening(verified.event.role, body, demand, place)  # 13
    elif isinstance(body, Vouch) and tuple(body.roles) != demand.roles:  # 18
        text = f"expected the deposits of {', '.join(demand.roles)} to be vouched for"
        raise BadEvidence("place.vouch", f"{text}, got those of {', '.join(body.roles)}")
    elif isinstance(body, Close):
        if dict(demand.result) != body.result or body.head != place.prev:  # 15
            raise BadEvidence("place.result", f"expected the closing to say {dict(demand.result)}, got {body.result}")
        check_openings(place.game, verified.event.role, body.openings, demand.secrets)  # 13


def _check_new(verified: Verified, body: Seal, place: Place) -> None:
    if body.commitment in place.commitments:
        raise BadEvidence(
            "place.commitment", f"expected a commitment of {verified.event.role}'s own, got a copy of an earlier one"
        )


def _check_opening(role: Role, body: Open, demand: Demand, place: Place) -> None:
    assert demand.opens is not None
    commitment, step = demand.opens
    payload = canonical.encode(body.value)
    made = seal.commitment(bytes.fromhex(place.game), step, role, body.ask, bytes.fromhex(body.salt), payload)
    if made != commitment:
        raise BadEvidence("place.opening", another_answer(role, step))


def _check_lapse(verified: Verified, body: Lapse, place: Place) -> None:
    owed = place.demands.get(body.role)
    if owed is None or owed.kind != body.demand or body.role == verified.event.role:
        raise BadEvidence(
            "place.lapse",
            f"expected a lapse of what another role owes at step {place.step}, got {verified.title}",
        )
    if place.refereed:  # 18
        raise BadEvidence("place.lapse", f"expected a ruling of the {place.judge}, got a claim of a party")
    if place.deadline_days == 0:
        raise BadEvidence("place.lapse", "expected no lapse in a game without a deadline")
    if place.runs_since is None:
        raise BadEvidence("place.lapse", "expected no lapse while the game is paused")
    if owed.kind == "accept":
        raise BadEvidence("place.lapse", "expected no lapse of an acceptance: the game has not begun")
    _check_late(verified, place, "place.lapse")
    if bool(body.dice) is not (place.worst and owed.kind == "entropy"):
        wanted = "dictated rolls where a link is owed and the remedy is the worst, and nowhere else"
        raise BadEvidence("place.lapse", f"expected {wanted}, got {verified.title}")


def _check_late(verified: Verified, place: Place, code: str) -> None:
    if verified.event.at < place.due:
        grace = f" and {GRACE // 3600} hours" if place.judge == ADJUDICATOR else ""
        what = code.removeprefix("place.")
        raise BadEvidence(
            code,
            f"expected a {what} no earlier than {counted(place.deadline_days, 'day')}{grace} after the step before, "
            f"got one {counted(place.due - verified.event.at, 'second')} too early",
        )


def _check_ruling(verified: Verified, body: Ruling | Annul, place: Place) -> None:
    if verified.event.role != place.judge:
        raise BadEvidence("place.ruling", f"expected a ruling of the {place.judge or 'referee'}, got {verified.title}")
    if isinstance(body, Annul):
        if any(owed.kind in ("accept", "close") for owed in place.demands.values()):
            text = f"expected a game that all have joined and that goes on, got {verified.title}"
            raise BadEvidence("place.ruling", text)
        return
    owed = place.demands.get(body.role)
    if owed is None or owed.kind != body.demand or not _can_be_ruled_on(body.role, owed, place):
        raise BadEvidence(
            "place.ruling", f"expected a ruling on what a player owes at step {place.step}, got {verified.title}"
        )
    if body.motion:
        _check_granted(verified, body, place)
    elif owed.kind != "consent":
        if place.runs_since is None:
            found = "a paused game" if place.paused else "a game without one"
            raise BadEvidence("place.ruling", f"expected a deadline that runs behind a ruling, got {found}")
        _check_late(verified, place, "place.ruling")
    _check_opened(verified, body, owed, place)


def _can_be_ruled_on(role: Role, owed: Demand, place: Place) -> bool:
    """Not what keeps a game from beginning, nor that it is closed: only what it opens at the end."""
    early = owed.kind == "accept" or (owed.kind == "deposit" and place.step < place.first)
    return role != place.judge and not early and (owed.kind != "close" or bool(owed.secrets))


def _check_granted(verified: Verified, body: Ruling, place: Place) -> None:
    if body.demand not in DECISIONS or place.requests.get(body.motion, body.role) == body.role:
        raise BadEvidence("place.ruling", f"expected a request made to {body.role} to be granted, got {verified.title}")


def _check_opened(verified: Verified, body: Ruling, owed: Demand, place: Place) -> None:
    """What is opened is of the kind that is owed: step 6 has compared it with the demand that the ruling names."""
    if body.link:
        tip = place.tips[body.role]
        tip.opened(tip.next, bytes.fromhex(body.link))
    elif owed.kind == "entropy" and body.role not in place.unvouched:
        raise BadEvidence("place.ruling", f"expected {body.role}'s next link in {verified.title}, got none")
    elif body.value is not None:
        opening = Open(ask=owed.ask, salt=body.salt, value=body.value)
        _check_opening(body.role, opening, owed, place)


def _check_change(verified: Verified, body: Change, place: Place) -> None:
    _check_mover(verified, body, place)
    if body.what in ("pause", "resume") and place.paused is (body.what == "pause"):
        raise BadEvidence(
            "place.pause",
            f"expected a game that is {_CLOCK[not place.paused]}, got {verified.title}, to {body.what} it",
        )
    if body.what == "take_back" and not place.first <= body.step < place.step:
        raise BadEvidence("place.take_back", not_to_go_back_to(body.step, place.first, place.step))
    if body.seat is not None:
        _check_seat(verified, body.seat, body.proof, place)  # 17


def _check_mover(verified: Verified, body: Change, place: Place) -> None:
    """A motion is moved by who alone has to decide, a request made by who waits."""
    statement = verified.event
    if statement.role in NEUTRAL:
        raise BadEvidence("place.motion", f"expected a motion of a party, got {verified.title}")
    if statement.kind == "motion" and place.deciding != (statement.role,):
        decides = enumerated(place.deciding) or "nobody"
        raise BadEvidence(
            "place.motion",
            f"expected a motion of the only role that has to decide at step {place.step}, which is {decides}, "
            f"got {verified.title}",
        )
    if statement.kind == "motion" and place.refused and body.what not in event.UNILATERAL:
        raise BadEvidence(
            "place.motion",
            f"expected {statement.role}'s decision behind a motion that was not agreed to, got {verified.title}",
        )
    if statement.kind == "request" and (not place.deciding or statement.role in place.deciding):
        raise BadEvidence(
            "place.request",
            f"expected a request to another role that alone has to decide at step {place.step}, got {verified.title}",
        )
    made = [one for one, author in place.requests.items() if author == statement.role and one != verified.id]
    if statement.kind == "request" and len(made) >= MOST_REQUESTS_IN_LOG:
        most = f"expected at most {MOST_REQUESTS_IN_LOG} requests of {statement.role} at a step"
        raise BadEvidence("place.requests", f"{most}, got {verified.title} besides", WAIT_FOR_ONE)


def not_to_go_back_to(step: int, first: int, present: int) -> str:
    """What is told of a take-back to a step that has not been played."""
    return f"expected a step from {first} to {present - 1} to go back to, got step {step}"


def _check_seat(verified: Verified, seat: Registration, proof: str, place: Place) -> None:
    key, role = bytes.fromhex(seat.key), seated_role(verified.event)
    assert role is not None
    keys.check_public_key(key)
    keys.check_escrow_key(bytes.fromhex(seat.escrow))
    try:
        _loaded(key).verify(bytes.fromhex(proof), seat_message(place.game, role, seat))
    except InvalidSignature:
        raise BadEvidence(
            "place.seat", f"expected a new key of {role} to sign for its seat, got a proof of another"
        ) from None


def _check_about_motion(verified: Verified, body: Consent | Withdraw, demand: Demand | None, place: Place) -> None:
    role = verified.event.role
    if isinstance(body, Withdraw):
        _check_withdrawal(verified, body, place)
        return
    if demand is not None and demand.kind == "consent" and body.motion == demand.motion:
        return
    decides = demand is not None and demand.kind in DECISIONS
    if decides and body.agree and place.requests.get(body.motion, role) != role:
        return
    raise BadEvidence(
        "place.consent",
        f"expected a consent to a motion or a request of another role at step {place.step}, got {verified.title}",
    )


def _check_withdrawal(verified: Verified, body: Withdraw, place: Place) -> None:
    role = verified.event.role
    waiting = [owed for asked, owed in place.demands.items() if owed.kind == "consent" and asked != role]
    if place.requests.get(body.motion) != role and body.motion not in {owed.motion for owed in waiting}:
        text = f"expected {role} to withdraw a motion or a request of its own that waits at step {place.step}"
        raise BadEvidence("place.withdraw", f"{text}, got {verified.title}")


def slot(kind: str) -> str:
    """Which of a role's slots at one step a kind fills; two different events in one slot are a fork."""
    return kind if kind in OWN_SLOTS else "move"
