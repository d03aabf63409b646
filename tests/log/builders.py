"""Builders of small signed games on the log alone. Every key here is derived from its role: for show only.

`new_game()` is proposed and accepted; `game.line(role, body)` signs an event at the present step, `game.add(…)` closes
a step, `game.place()` is the present place. `SCRIPT` is what the games of the fixtures wait for, one thing after the
other, and `follow` verifies a bundle of such a game as a program that knows its rules would. Motions are carried out
by `show_motions`: the show game has no position, so an adjusted one changes nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from pbem.errors import BadEvidence
from pbem.log import bundle, canonical, chain, dice, event, keys, seal
from pbem.log.chain import Tip
from pbem.log.envelope import PAYLOAD_TYPE, Envelope, from_line, pae, to_line
from pbem.log.event import (
    ADJUDICATOR,
    NOTHING,
    Accept,
    Body,
    Close,
    Consent,
    Entropy,
    Event,
    Kind,
    Lapse,
    Open,
    Propose,
    Receipt,
    Registration,
    Role,
    RulesetName,
    Seal,
    Seat,
)
from pbem.log.hashing import ZERO, digest
from pbem.log.receipt import check_named, dice_salt, receipt_of
from pbem.log.roster import Roster, anchored, from_proposal, registered, registration_of, reseated
from pbem.log.step import GENESIS, step_digest
from pbem.log.verify import Demand, Place, Verified, slot, verify_event, verify_place

from .show_motions import Motions

GERMAN, POLISH, REFEREE = Role("german"), Role("polish"), Role("referee")
BEGIN = 1_700_000_000
HOUR = 3_600
ORDER = 2**252 + 27742317777372353535851937790883648493
"""Of the base point of Ed25519 (RFC 8032 5.1)."""


def secret(name: str) -> bytes:
    """32 bytes that everybody can derive: never a key of a real game."""
    return hashlib.sha256(f"pbem show-only {name}".encode()).digest()


NONCE = secret("nonce")


@cache
def links_of(role: str, nonce: bytes) -> tuple[bytes, ...]:
    """The chain that a role opens in a game with this nonce."""
    return chain.links(secret(f"chain {role}"), nonce, role)


@dataclass(frozen=True, slots=True)
class Player:
    """A role with its show-only keys; `name` chooses another set of keys for the same role."""

    role: Role
    name: str

    @property
    def signing(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(secret(f"signing {self.name}"))

    @property
    def key(self) -> bytes:
        return self.signing.public_key().public_bytes_raw()

    def registration(self, nonce: bytes = NONCE) -> Registration:
        successor = Ed25519PrivateKey.from_private_bytes(secret(f"successor {self.name}")).public_key()
        escrow = X25519PrivateKey.from_private_bytes(secret(f"escrow {self.name}")).public_key()
        return Registration(
            name=self.role.title(),
            key=self.key.hex(),
            successor=keys.successor_digest(successor.public_bytes_raw()),
            escrow=escrow.public_bytes_raw().hex(),
            anchor=links_of(self.role, nonce)[0].hex(),
            links=chain.LENGTH,
        )

    def signed(self, payload: bytes) -> bytes:
        """The line of a payload, whatever it says."""
        signature = self.signing.sign(pae(PAYLOAD_TYPE, payload))
        return to_line(Envelope(keys.key_id(self.key), signature, payload))

    def signed_again(self, line: bytes) -> bytes:
        """The same payload with another signature that holds: RFC 8032 5.1.6 with a nonce of our own."""
        found, nonce = from_line(line), Ed25519PrivateKey.from_private_bytes(secret("another nonce"))
        point = nonce.public_key().public_bytes_raw()
        challenge = hashlib.sha512(point + self.key + pae(PAYLOAD_TYPE, found.payload)).digest()
        s = (_scalar(nonce) + int.from_bytes(challenge, "little") * _scalar(self.signing)) % ORDER
        return to_line(replace(found, signature=point + s.to_bytes(32, "little")))


def _scalar(key: Ed25519PrivateKey) -> int:
    digits = bytearray(hashlib.sha512(key.private_bytes_raw()).digest()[:32])
    digits[0] &= 248
    digits[31] = digits[31] & 127 | 64
    return int.from_bytes(digits, "little")


def player(role: str, name: str = "") -> Player:
    return Player(Role(role), name or role)


def propose(players: Sequence[Player], nonce: bytes = NONCE, **changes: Any) -> Propose:
    """The proposal of the first player to all of them."""
    body = Propose(
        nonce=nonce.hex(),
        ruleset=RulesetName(name="show", version=1, digest=secret("ruleset").hex()),
        scenario="duel",
        options={"rounds": 3},
        seats=[Seat(role=one.role, name=one.role.title(), address=f"{one.role}@example.org") for one in players],
        rollers=[one.role for one in players],
        deadline_days=7,
        remedy="claim",
        show_only=True,
        registration=players[0].registration(nonce),
    )
    return body.model_copy(update=changes)


def state_of(step: int) -> str:
    """What the show game's programs compute before a step; the proposal names no state."""
    return digest("pbem/state/v1", canonical.encode({"step": step}), ZERO).hex() if step else NOTHING


def statement(step: int, prev: bytes, role: str, body: Body, game: str) -> Event:
    kind = next(kind for kind, model in event.BODIES.items() if type(body) is model)
    return Event(game, step, prev.hex(), state_of(step), Role(role), kind, body, BEGIN + step * HOUR)


class Game:
    """The log of a show game, from the line of its proposal on."""

    def __init__(self, proposal: bytes, players: Sequence[Player] = (), offered: Iterable[bytes] = ()) -> None:
        proposed = verify_event(proposal, None, [*offered, *(one.key for one in players)])
        self.players = {one.role: one for one in players}
        self.roster: Roster = from_proposal(proposed.id, proposed.event)
        self.game = proposed.id
        self.step, self.head, self.since = 0, GENESIS, BEGIN
        self.steps: list[tuple[Verified, ...]] = []
        self.beside: list[Verified] = []
        self.tips: dict[Role, Tip] = {}
        self.commitments: dict[str, tuple[bytes, int]] = {}
        self.committed: frozenset[str] = frozenset()
        self.motions = Motions(RESULT, CLOSING)
        self._sealed: list[dict[str, tuple[bytes, int]]] = []
        self.close((proposed,))

    @property
    def at(self) -> int:
        """How far in the script the game is; the number of the step, as long as nobody has moved anything."""
        return self.motions.at

    @property
    def lines(self) -> tuple[bytes, ...]:
        return tuple(one.line for step in self.steps for one in step)

    @property
    def registrations(self) -> tuple[Verified, ...]:
        return tuple(one for step in self.steps[:2] for one in step if registration_of(one.event))

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The keys that a bundle offers: those that registrations of the log bring in."""
        return tuple(one.key for one in self.registrations)

    def event(self, role: str, body: Body, **changes: Any) -> Event:
        """A statement at the present step, or with some fields changed."""
        return replace(statement(self.step, self.head, role, body, self.game), **changes)

    def line(self, role: str, body: Body, signer: Player | None = None, **changes: Any) -> bytes:
        """A signed statement at the present step."""
        return (signer or self.players[Role(role)]).signed(event.write(self.event(role, body, **changes)))

    def entropy(self, role: str) -> Entropy:
        tip = self.tips[Role(role)]
        return Entropy(index=tip.next, link=links_of(role, tip.nonce)[tip.next].hex())

    def sealed(self, role: str, ask: str, value: Mapping[str, Any]) -> Seal:
        made = seal.commitment(*self.opening_of(role, ask, value, self.step))
        return Seal(ask=ask, commitment=made.hex(), escrow="")

    def opening(self, role: str, ask: str, value: Mapping[str, Any]) -> Open:
        step = self.commitments[role][1]
        return Open(ask=ask, salt=salt_of(role, step).hex(), value=dict(value))

    def opening_of(
        self, role: str, ask: str, value: Mapping[str, Any], step: int
    ) -> tuple[bytes, int, str, str, bytes, bytes]:
        return bytes.fromhex(self.game), step, role, ask, salt_of(role, step), canonical.encode(value)

    def place(self, demands: Mapping[Role, Demand] | None = None) -> Place:
        """The present place, by default waiting for what the script says."""
        return Place(
            game=self.game,
            step=self.step,
            prev=self.head.hex(),
            state=state_of(self.step),
            demands=demanded(self) if demands is None else demands,
            tips=self.tips,
            commitments=self.committed,
            since=self.since,
            deadline_days=days + self.motions.extra_days if (days := self.roster.proposal.deadline_days) else 0,
            paused=self.motions.paused,
            refused=self.motions.refused,
            keys={role: party.key for role, party in self.roster.parties.items() if party.key},
            worst=self.roster.proposal.remedy == "worst",
            judge=self.roster.judge,
            receipted=self.roster.is_hosted and bool(self.tips),
        )

    def verified(self, line: bytes) -> Verified:
        return verify_event(line, self.roster, [one.key for one in self.players.values()])

    def add(self, *lines: bytes, place: Place | None = None) -> None:
        """Verify the events of the present step and close it."""
        here = place or self.place()
        events = [self.verified(line) for line in lines]
        verify_step(events, here)
        chosen = closing(events)
        self.beside += [one for one in events if one not in chosen]
        self.close(chosen)

    def receipt(self, *lines: bytes, by: str = ADJUDICATOR, arrived: int = 0, **changes: Any) -> bytes:
        """The receipt for some lines, which arrived some seconds after the step had begun."""
        named = {self.verified(line).id: self.since + arrived for line in lines}
        return self.line(by, Receipt(arrived=named), **{"at": self.since + HOUR, **changes})

    def archive(self, contents: bundle.Contents = "archive") -> bytes:
        """The events of the log, and what stands beside it, in the order of an archive."""
        events = [*(one for step in self.steps for one in step), *self.beside]
        events.sort(key=lambda one: (one.event.step, slot(one.event.kind), one.event.role, one.id))
        return bundle.write(contents, self.keys, [one.line for one in events])

    def dice_key(self) -> bytes:
        """The dice key of the last closed step, which opened the links that the tips show."""
        before = GENESIS
        for step in self.steps[:-1]:
            before = step_digest(before, (one.id for one in step))
        if self.roster.is_hosted:
            before = dice_salt(bytes.fromhex(self.game), self.step - 2, self.steps[-2])
        opened = [self.tips[role].link for role in sorted(self.tips)]
        return dice.dice_key(opened, before, bytes.fromhex(self.game))

    def close(self, events: tuple[Verified, ...]) -> None:
        """Close the present step with events that fit it."""
        self._sealed.append(dict(self.commitments))
        for verified in events:
            self._take(verified)
        back_to = self.motions.close(self.step, events)
        if back_to is not None:
            self.commitments = dict(self._sealed[back_to])
        if self.motions.seated is not None:
            role, seat, address = self.motions.seated
            self.roster, self.motions.seated = reseated(self.roster, role, seat, address), None
            self.tips[role] = anchored(role, NONCE, seat)
        self.head = step_digest(self.head, (one.id for one in events))
        last = receipt_of(events)
        self.since = last.event.at if last else max(one.event.at for one in events)
        self.steps.append(events)
        self.step += 1
        if not self.tips and not self.roster.absent():
            self.tips = self.roster.tips()

    def _take(self, verified: Verified) -> None:
        role, body = verified.event.role, verified.event.body
        registration = registration_of(verified.event)
        if isinstance(body, Accept) and registration is not None:
            self.roster = registered(self.roster, role, registration)
        elif isinstance(body, Entropy):
            self.tips[role] = self.tips[role].opened(body.index, bytes.fromhex(body.link))
        elif isinstance(body, Lapse) and body.dice:
            self.tips[body.role] = replace(self.tips[body.role], withheld=self.tips[body.role].withheld + 1)
        elif isinstance(body, Seal):
            self.commitments[role] = (bytes.fromhex(body.commitment), self.step)
            self.committed |= {body.commitment}


def new_game(*players: Player, nonce: bytes = NONCE, **proposal: Any) -> Game:
    """A game that the first player proposed and the others accepted; german and polish by default."""
    seats = players or (player(GERMAN), player(POLISH))
    said = statement(0, GENESIS, seats[0].role, propose(seats, nonce, **proposal), NOTHING)
    game = Game(seats[0].signed(event.write(said)), seats)
    accepting = [game.line(one.role, Accept(registration=one.registration(nonce))) for one in seats[1:]]
    if accepting:
        game.add(*accepting)
    return game


def salt_of(role: str, step: int) -> bytes:
    return secret(f"salt {role} {step}")


def verify_step(events: Sequence[Verified], here: Place) -> None:
    """Verify events of one step in their places, requests first."""
    for verified in sorted(events, key=lambda one: one.event.kind != "request"):
        verify_place(verified, here)
        if verified.event.kind == "request":
            here = replace(here, requests={**here.requests, verified.id: verified.event.role})
    last = receipt_of(events)
    if last is not None:
        check_named(last, [one for one in closing(events) if one is not last], here.step)


def closing(events: Iterable[Verified]) -> tuple[Verified, ...]:
    """The events that close a step: a request with the consent to it, or all but the requests."""
    known = sorted(events, key=lambda one: (one.event.role, one.event.kind))
    consents = {one.event.body.motion: one for one in known if isinstance(one.event.body, Consent)}
    granted = [(one, consents[one.id]) for one in known if one.id in consents]
    if granted:
        return tuple(one for one in known if one in granted[0])
    return tuple(one for one in known if slot(one.event.kind) != "request")


RESULT = {"winner": "german", "rule": "4", "text": "the german holds the hill"}
SCRIPT: dict[int, tuple[tuple[Role, ...], Kind, str]] = {
    1: ((POLISH,), "accept", ""),
    2: ((GERMAN, POLISH), "entropy", ""),
    3: ((GERMAN,), "answer", "move"),
    4: ((GERMAN, POLISH), "seal", "plan"),
    5: ((GERMAN, POLISH), "open", "plan"),
    6: ((GERMAN, POLISH), "entropy", ""),
    7: ((GERMAN, POLISH), "seal", "plan"),
    8: ((GERMAN, POLISH), "open", "plan"),
    9: ((GERMAN, POLISH), "close", ""),
}
REFEREED: dict[int, tuple[tuple[Role, ...], Kind]] = {2: ((GERMAN, POLISH), "deposit"), 3: ((REFEREE,), "vouch")}
"""What a show game with a referee waits for before anything else; it is not played beyond."""
CLOSING = 9
END = 10
"""What the show game waits for: from whom, which kind, which question."""


def demanded(game: Game) -> dict[Role, Demand]:
    if moved := game.motions.moved:
        others = (role for role in (GERMAN, POLISH) if role != moved.event.role)
        return {role: Demand("consent", motion=moved.id) for role in others}
    if REFEREE in game.roster.parties and game.at in REFEREED:
        roles, kind = REFEREED[game.at]
        return {role: Demand(kind, roles=(GERMAN, POLISH) if kind == "vouch" else ()) for role in roles}
    roles, kind, ask = SCRIPT.get(game.at, ((), "answer", ""))
    result = game.motions.result if kind == "close" else {}
    return {
        role: Demand(kind, ask, game.commitments[role] if kind == "open" else None, result)
        for role in {"accept": game.roster.absent(), "entropy": tuple(sorted(game.tips))}.get(kind, roles)
    }


PLANS: dict[str, dict[str, Any]] = {"german": {"attack": "hill"}, "polish": {"hold": "hill"}}


def body_of(game: Game, role: str) -> Body:
    """What a role of the show game says at the present step."""
    kind = SCRIPT[game.at][1]
    if kind == "entropy":
        return game.entropy(role)
    if kind == "answer":
        return event.Answer(ask="move", value={"from": "road", "to": "hill"})
    if kind == "seal":
        return game.sealed(role, "plan", PLANS[role])
    if kind == "open":
        return game.opening(role, "plan", PLANS[role])
    return Close(result=dict(game.motions.result), head=game.head.hex())


def played(until: int) -> Game:
    """The show game up to (not including) step `until`, at most `END`."""
    game = new_game()
    return play_on(game, until)


def play_on(game: Game, until: int) -> Game:
    """The same game, whose rules' own events are added up to (not including) step `until`."""
    while game.step < until:
        lines = [game.line(role, body_of(game, role)) for role in demanded(game)]
        theirs = [game.line(role, body_of(game, role)) for role in demanded(game) if role != ADJUDICATOR]
        game.add(*lines, *([game.receipt(*theirs)] if game.place().receipted and theirs else []))
    return game


def follow(data: bytes) -> Game:
    """The show game that a bundle holds, every line verified in its place; BadEvidence as soon as one is not.

    A last step that lacks events stays open.
    """
    text = bundle.read(data)
    if not text.lines:
        raise BadEvidence("show.empty", "expected a proposal, got no event")
    game = Game(text.lines[0], offered=text.keys)
    waiting = list(text.lines[1:])
    while waiting:
        here = game.place()
        step = [verify_event(line, game.roster, text.keys) for line in waiting[: _length(waiting, here)]]
        verify_step(step, here)
        waiting = waiting[len(step) :]
        if len(closing(step)) >= len(here.demands) + _receipts(step, here):
            game.close(closing(step))
    return game


def _length(lines: Sequence[bytes], here: Place) -> int:
    """How many lines belong to the next step: as many as it waits for, a receipt, and every request behind them."""
    length, end = max(1, len(here.demands)), f'"step":{here.step},"v":1}}'.encode()
    beside = b'"kind":"request"', b'"kind":"receipt"'
    while length < len(lines) and any(one in lines[length] for one in beside) and lines[length].endswith(end):
        length += 1
    return length


def _receipts(step: Iterable[Verified], here: Place) -> int:
    """How many receipts a step needs besides what is demanded."""
    return int(here.receipted and any(one.event.role != ADJUDICATOR for one in step))
