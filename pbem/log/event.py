"""Events: the signed statements of one role, and the bodies that each kind carries.

An event says `{v, game, step, prev, state, role, kind, body, at}`. Ids and digests are lower-case hex;
`at` is the author's clock in seconds since 1970, informative only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, NewType

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    StringConstraints,
    ValidationError,
    model_serializer,
    model_validator,
)

from pbem.errors import BadEvidence, BadRequest
from pbem.log import canonical
from pbem.log.address import FORM, MAX_ADDRESS
from pbem.log.forms import first_problem
from pbem.log.hashing import ZERO

Role = NewType("Role", str)
GameId = NewType("GameId", str)
EventId = NewType("EventId", str)

VERSION = 1
REFEREE = Role("referee")
"""The seat of who decides what the parties cannot: it plays no side, and no game has a side of that name."""
ADJUDICATOR = Role("adjudicator")
"""The seat of who hosts a game: it says what arrived when, may roll, and has the referee's powers without a referee."""
NEUTRAL: frozenset[Role] = frozenset({REFEREE, ADJUDICATOR})
"""The seats that play no side."""
NOTHING = ZERO.hex()
"""Stands for the game, the step before and the state where the proposal cannot name them."""

Hex64 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}\z")]
Identifier = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_.-]{0,39}\z")]
RoleName = Annotated[Role, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,19}\z")]
Text = Annotated[str, StringConstraints(max_length=200)]
Sentence = Annotated[str, StringConstraints(max_length=500)]
Count = Annotated[int, Field(ge=0, le=2**31)]
Position = Annotated[str, StringConstraints(max_length=60_000)]
Kind = Literal[
    "propose",
    "accept",
    "answer",
    "seal",
    "open",
    "entropy",
    "close",
    "lapse",
    "resolve",
    "motion",
    "request",
    "consent",
    "deposit",
    "vouch",
    "ruling",
    "annul",
    "receipt",
    "withdraw",
]
Address = Annotated[str, StringConstraints(max_length=MAX_ADDRESS, pattern=rf"^{FORM}\z")]
Signature = Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{128})?\z")]
Remedy = Literal["claim", "worst"]
"""What silence beyond the deadline leads to without a referee: who waits claims the game, or the worst goes on."""
Label = Annotated[str, StringConstraints(pattern=r"^[\x20-\x7e]{1,200}\z")]
Matter = Literal["take_back", "adjust", "extend", "pause", "resume", "draw", "concede", "seat", "appoint", "ruleset"]

SEATING: frozenset[str] = frozenset({"seat", "appoint"})
"""Matters that bring in a key: for the author's own seat, or for the referee's."""
UNILATERAL: frozenset[str] = frozenset({"resume", "concede"})
"""Matters that need nobody's consent."""

MOST_CLOSING = 16
"""Events of other roles that a receipt can name: of each seat what it owes, and what was asked for."""

OUT_OF_STEP: frozenset[str] = frozenset({"resolve"})
"""Kinds that stand beside the chain: a step digest never contains them."""


BRINGING_KEYS: frozenset[str] = frozenset({"propose", "accept", "motion", "request"})
"""Kinds that can name a key whose events are read from then on."""


class Body(BaseModel):
    """What one kind of event says; unknown and missing fields are refused."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class RulesetName(Body):
    """The rules that a proposal binds: name, version, and the digest of their data."""

    name: Identifier
    version: Count
    digest: Hex64


class Seat(Body):
    """Whom a proposal invites to a role."""

    role: RoleName
    name: Text
    address: Text


class Registration(Body):
    """What a party calls itself, and the keys that it brings into a game; its event is signed with `key`."""

    name: Text
    key: Hex64
    successor: Hex64
    escrow: Hex64
    anchor: Hex64
    links: Annotated[int, Field(ge=4096, le=65_536)]


class Propose(Body):
    """Step 0: everything that the parties agree to before the first decision."""

    nonce: Hex64
    ruleset: RulesetName
    scenario: Identifier
    options: Annotated[dict[Identifier, int | Text | bool], Field(max_length=32)]
    seats: Annotated[list[Seat], Field(min_length=1, max_length=8)]
    rollers: Annotated[list[RoleName], Field(min_length=1, max_length=8)]
    deadline_days: Annotated[int, Field(ge=0, le=3650)]
    remedy: Remedy
    show_only: bool
    registration: Registration


class Accept(Body):
    """Step 1: the other parties join, having seen the proposal that `prev` names."""

    registration: Registration


class Answer(Body):
    """A decision in the open."""

    ask: Identifier
    value: dict[str, Any]


class Seal(Body):
    """A decision as a commitment; `escrow` is the referee's deposit in hex, empty without a referee."""

    ask: Identifier
    commitment: Hex64
    escrow: Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{2}){0,16384}\z")]


class Open(Body):
    """The opening of a commitment: its salt and the answer."""

    ask: Identifier
    salt: Hex64
    value: dict[str, Any]


class Entropy(Body):
    """One link of the author's chain, and nothing else."""

    index: Count
    link: Hex64


class Disclosure(Body):
    """What the author had sealed at a step and nobody has opened; no salt and no value for what is lost."""

    step: Count
    ask: Identifier
    salt: Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{64})?\z")]
    value: dict[str, Any] | None

    @model_validator(mode="after")
    def _both_or_neither(self) -> Disclosure:
        if bool(self.salt) is not (self.value is not None):
            raise ValueError("what was sealed is opened with salt and value, or lost without both")
        return self


class Close(Body):
    """The end of a game: its result and the digest of the step before.

    `openings` are demanded in a step of its own, behind the one in which all have closed; a body without any has no
    such field.
    """

    result: Annotated[dict[Identifier, Sentence], Field(max_length=8)]
    head: Hex64
    openings: Annotated[list[Disclosure], Field(min_length=1, max_length=1024)] = Field(default_factory=list)

    @model_serializer(mode="wrap")
    def _without_nothing(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        written: dict[str, Any] = handler(self)
        return written if self.openings else {name: value for name, value in written.items() if name != "openings"}


class Dictated(Body):
    """One roll as the author of a lapse dictates it: its label, and each face from 1."""

    label: Label
    faces: Annotated[list[Annotated[int, Field(ge=1, le=256)]], Field(max_length=256)]


class Lapse(Body):
    """The author states that `role` has owed its `demand` at this step beyond the agreed deadline.

    `dice` are all rolls of the step where the remedy is the worst and a link is owed, empty for every other lapse.
    """

    role: RoleName
    demand: Kind
    dice: Annotated[list[Dictated], Field(max_length=1000)]


class Resolve(Body):
    """The author names which of two events of another role at one place of this step survives."""

    role: RoleName
    keep: Hex64
    drop: Hex64


class Change(Body):
    """Something that the rules of the game do not know, and whose party gives a reason (`why`).

    `step` is where a `take_back` goes back to, `days` by how much an `extend` moves the deadline, `position` the text
    of an `adjust`, `seat` the keys that hold the author's role from then on, or the referee's with an `appoint`, with
    the `proof` that their owner signs and the `address` for its mails; `days` of an `appoint` is the deadline from then
    on, 0 for none but what there is. Each is 0, empty or nothing for every other matter. `ruleset` names the rules by
    which play goes on; for every other matter it is nothing, and no field of the payload.
    """

    what: Matter
    step: Count
    days: Annotated[int, Field(ge=0, le=3650)]
    position: Position
    seat: Registration | None
    proof: Signature
    address: Address | Literal[""]
    why: Text
    ruleset: RulesetName | None = None

    @model_serializer(mode="wrap")
    def _without_what_it_has_not(self, written: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = written(self)
        return fields if self.ruleset else {name: said for name, said in fields.items() if name != "ruleset"}

    @model_validator(mode="after")
    def _only_what_it_needs(self) -> Change:
        seats, rules = self.what in SEATING, self.what == "ruleset"
        fits = (
            bool(self.step) is (self.what == "take_back")
            and (bool(self.days) is (self.what == "extend") or self.what == "appoint")
            and bool(self.position) is (self.what == "adjust")
            and [self.seat is not None, bool(self.proof), bool(self.address)] == [seats] * 3
            and [self.ruleset is not None, "ruleset" in self.model_fields_set] == [rules] * 2
        )
        if not fits:
            raise ValueError("a change has the value that its matter needs, and no other")
        return self


class Motion(Change):
    """The author, who has to decide and is the only one, moves a change instead."""


class Request(Change):
    """A change that the author asks of a role that has to decide."""


class Consent(Body):
    """Whether the author agrees to a motion or a request, by its event id."""

    motion: Hex64
    agree: bool


class Deposit(Body):
    """The seed of the author's chain, sealed to the referee, or to the adjudicator without one."""

    chain: Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{2}){1,512}\z")]


class Vouch(Body):
    """The referee has opened the deposits of these roles, and they give the registered anchors (`escrow-ok`)."""

    roles: Annotated[list[RoleName], Field(min_length=1, max_length=8)]


class Ruling(Body):
    """The referee's, in the place of what `role` owes.

    `link` opens a roller's next link; where one is owed and missing, its deposit is no good and it has lost. `salt` and
    `value` open what was sealed; without them the question's default applies. `agree` answers a motion. `motion` names
    a request that is granted although `role` has not agreed.
    """

    role: RoleName
    demand: Kind
    link: Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{64})?\z")]
    salt: Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{64})?\z")]
    value: dict[str, Any] | None
    agree: bool
    motion: Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{64})?\z")]
    why: Text

    @model_validator(mode="after")
    def _only_what_it_needs(self) -> Ruling:
        fits = (
            (not self.link or (self.demand == "entropy" and not self.motion))
            and bool(self.salt) is (self.value is not None)
            and (self.value is None or self.demand == "open")
            and (not self.agree or self.demand == "consent" or bool(self.motion))
            and (not self.motion or self.agree)
        )
        if not fits:
            raise ValueError("a ruling has what stands for the demand, and nothing else")
        return self


class Annul(Body):
    """The referee ends the game without a result, and says why."""

    why: Text


class Receipt(Body):
    """The adjudicator's: the events of the other roles that close the step, by id, with the second each arrived."""

    arrived: Annotated[dict[Hex64, Annotated[int, Field(ge=0, le=2**40)]], Field(min_length=1, max_length=MOST_CLOSING)]


class Withdraw(Body):
    """The author does not want any more what it has moved, or asked for, with the event of that id.

    It closes nothing: the answer of who was asked counts, whenever it was given.
    """

    motion: Hex64


BODIES: dict[str, type[Body]] = {
    "propose": Propose,
    "accept": Accept,
    "answer": Answer,
    "seal": Seal,
    "open": Open,
    "entropy": Entropy,
    "close": Close,
    "lapse": Lapse,
    "resolve": Resolve,
    "motion": Motion,
    "request": Request,
    "consent": Consent,
    "deposit": Deposit,
    "vouch": Vouch,
    "ruling": Ruling,
    "annul": Annul,
    "receipt": Receipt,
    "withdraw": Withdraw,
}


class Statement(Body):
    """The payload of an event as it travels."""

    v: Literal[1]
    game: Hex64
    step: Count
    prev: Hex64
    state: Hex64
    role: RoleName
    kind: Kind
    body: dict[str, Any]
    at: Annotated[int, Field(ge=0, le=2**40)]


@dataclass(frozen=True, slots=True)
class Event:
    """A payload that has been read: every field has its type, `body` is the model of its `kind`."""

    game: str
    step: int
    prev: str
    state: str
    role: Role
    kind: str
    body: Body
    at: int


def write(event: Event) -> bytes:
    """The canonical payload of an event: the bytes that are signed and travel.

    BadRequest `event.too_long` when nobody could read it; ValueError for a body without a canonical form.
    """
    payload = canonical.encode(
        {
            "v": VERSION,
            "game": event.game,
            "step": event.step,
            "prev": event.prev,
            "state": event.state,
            "role": event.role,
            "kind": event.kind,
            "body": event.body.model_dump(),
            "at": event.at,
        }
    )
    if len(payload) > canonical.MAX_BYTES:
        raise BadRequest(
            "event.too_long",
            f"expected an event of at most {canonical.MAX_BYTES} bytes, got one of {len(payload)}",
            "say less in it",
        )
    return payload


def read(payload: bytes) -> Event:
    """The event of a canonical payload; BadEvidence `canonical.…`, `event.version` or `event.form`."""
    value = canonical.decode(payload)
    version = value.get("v") if type(value) is dict else None
    if type(version) is not int:
        raise BadEvidence("event.form", "expected an event, an object with a version 'v', got something else")
    if version > VERSION:
        raise BadEvidence(
            "event.version",
            f"expected an event of version {VERSION}, which this program reads, got version {version}",
            "ask for a newer pbem: the log itself is not damaged",
        )
    try:
        statement = Statement.model_validate(value)
        body = BODIES[statement.kind].model_validate(statement.body)
    except ValidationError as error:
        field, wrong = first_problem(error)
        text = f"expected an event of version {VERSION}, got a wrong {(field or 'payload')[:80]!a} ({wrong})"
        raise BadEvidence("event.form", text) from None
    return Event(
        statement.game,
        statement.step,
        statement.prev,
        statement.state,
        statement.role,
        statement.kind,
        body,
        statement.at,
    )
