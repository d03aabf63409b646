"""The roster: which key speaks for which role. Proposal and acceptances begin it, agreed motions change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pbem.errors import BadEvidence
from pbem.log import canonical
from pbem.log.chain import Tip
from pbem.log.claims import Claims
from pbem.log.event import ADJUDICATOR, NEUTRAL, REFEREE, Accept, Change, Event, Propose, Registration, Role
from pbem.log.hashing import digest
from pbem.log.keys import check_escrow_key, key_id, successor_digest

PARTIES = 2
"""In a game with the remedy `worst`: with more, one would dictate dice to others than the silent one."""


@dataclass(frozen=True, slots=True)
class Party:
    """Who holds a role: `key` is the raw Ed25519 key, None until the role has accepted.

    `name` is what the party calls itself; until it has accepted, what the proposer calls it.
    """

    role: Role
    name: str
    address: str
    registration: Registration | None = None
    key: bytes | None = None


@dataclass(frozen=True, slots=True)
class Roster:
    """The parties of one game by role, and its proposal.

    `claims` are other keys whose events are read: those that held a role before, and those that a motion wants to seat.
    Which key holds a role at a step is for the place of the log to say.
    """

    game: str
    proposal: Propose
    proposer: Role
    parties: Mapping[Role, Party]
    claims: Claims = field(default_factory=Claims)
    held: Mapping[Role, bytes] = field(init=False)
    """The keys that hold the seats now; a role that has not accepted has none."""

    def __post_init__(self) -> None:
        held = {role: party.key for role, party in self.parties.items() if party.key}
        object.__setattr__(self, "held", held)

    @property
    def players(self) -> tuple[Role, ...]:
        """The roles that play, in role order: all but the referee and the adjudicator."""
        return tuple(sorted(role for role in self.parties if role not in NEUTRAL))

    @property
    def is_hosted(self) -> bool:
        """Whether the proposal names an adjudicator, whose receipts close the steps of play."""
        return ADJUDICATOR in self.parties

    @property
    def judge(self) -> Role | None:
        """Who has the referee's powers: the referee, else the adjudicator, else nobody."""
        return next((role for role in (REFEREE, ADJUDICATOR) if role in self.parties), None)

    def absent(self) -> tuple[Role, ...]:
        """The roles that have not accepted, in role order."""
        return tuple(sorted(role for role, party in self.parties.items() if party.registration is None))

    def tips(self) -> dict[Role, Tip]:
        """Every roller's chain at its anchor; only meaningful when nobody is absent."""
        nonce = bytes.fromhex(self.proposal.nonce)
        found = {}
        for role in sorted(self.proposal.rollers):
            registration = self.parties[role].registration
            if registration is not None:
                found[role] = anchored(role, nonce, registration)
        return found


def anchored(role: Role, nonce: bytes, registration: Registration) -> Tip:
    """A chain of which nothing is open but its anchor."""
    return Tip(role, nonce, registration.links, 0, bytes.fromhex(registration.anchor))


def from_proposal(game: str, event: Event) -> Roster:
    """The roster after step 0; BadEvidence `roster.…` when the proposal contradicts itself."""
    proposal = event.body
    assert isinstance(proposal, Propose)
    roles = [seat.role for seat in proposal.seats]
    if len(set(roles)) != len(roles):
        raise BadEvidence("roster.roles", "expected every role once in the proposal, got one twice")
    if event.role not in roles:
        raise BadEvidence("roster.proposer", f"expected the proposer among the seats, got '{event.role}'")
    if REFEREE in (event.role, *proposal.rollers):
        raise BadEvidence("roster.referee", "expected a referee who neither proposes nor rolls, got one who does")
    if REFEREE in roles and not proposal.deadline_days:
        text = "expected a deadline in a game with a referee, who rules when it is over, got none"
        raise BadEvidence("roster.referee", text)
    if event.role == ADJUDICATOR:
        raise BadEvidence("roster.adjudicator", "expected an adjudicator who does not propose, got one who does")
    if len(set(proposal.rollers)) != len(proposal.rollers) or not set(proposal.rollers) <= set(roles):
        raise BadEvidence("roster.rollers", "expected rollers to be different roles of the game")
    if proposal.remedy == "worst" and (REFEREE in roles or len(roles) != PARTIES or not proposal.deadline_days):
        text = "expected the remedy 'worst' in a game of two with a deadline and without a referee, got another game"
        raise BadEvidence("roster.remedy", text)
    parties = {seat.role: Party(seat.role, seat.name, seat.address) for seat in proposal.seats}
    roster = Roster(game, proposal, event.role, parties)
    return registered(roster, event.role, proposal.registration)


def registered(roster: Roster, role: Role, registration: Registration) -> Roster:
    """The roster with one more key; BadEvidence `roster.…` for a stranger, a role that has a key, or a taken key.

    Two keys of one name count as one: an envelope names its key by that name alone.
    """
    party = roster.parties.get(role)
    if party is None:
        raise BadEvidence("roster.stranger", f"expected one of {', '.join(sorted(roster.parties))}, got '{role}'")
    if party.registration is not None:
        raise BadEvidence("roster.seated", f"expected the first key of {role}, got another one")
    key = bytes.fromhex(registration.key)
    if key_id(key) in map(key_id, roster.held.values()):
        raise _registered_already(role)
    check_escrow_key(bytes.fromhex(registration.escrow))
    joined = Party(role, registration.name or party.name, party.address, registration, key)
    return replace(roster, parties={**roster.parties, role: joined})


def claimed(roster: Roster, role: Role, key: bytes) -> Roster:
    """The roster with a key whose events are read, whether or not it will hold the role."""
    known = (role, key) in roster.claims or roster.held.get(role) == key
    return roster if known else replace(roster, claims=roster.claims.including(role, key))


def reseated(roster: Roster, role: Role, registration: Registration, address: str) -> Roster:
    """The roster with another key and address in the seat of a role, or the first ones in that of a referee.

    BadEvidence `roster.key_twice` for a key that holds a seat.
    """
    party, key = roster.parties.get(role, Party(role, "", "")), bytes.fromhex(registration.key)
    name = key_id(key)
    former = [one for one in roster.claims.named(name) if one != key]
    if former or name in map(key_id, roster.held.values()):
        raise _registered_already(role)
    seated = Party(role, registration.name or party.name, address, registration, key)
    claims = roster.claims.including(role, party.key) if party.key else roster.claims
    return replace(roster, claims=claims, parties={**roster.parties, role: seated})


def seated_role(event: Event) -> Role | None:
    """The role whose seat a motion or a request brings a key for: its author's, or the referee's; None for all else."""
    body = event.body
    if not isinstance(body, Change) or body.seat is None:
        return None
    return REFEREE if body.what == "appoint" else event.role


def claiming_roster(roster: Roster, event: Event) -> Roster:
    """The roster with the key that a motion wants to seat, the same one for every other event."""
    role, keys = seated_role(event), keys_named(event)
    return roster if role is None or keys is None else claimed(roster, role, bytes.fromhex(keys.key))


def seat_message(game: str, role: Role, registration: Registration) -> bytes:
    """What the owner of a new key signs to show that it is theirs and that they want this seat (32 bytes)."""
    keys = canonical.encode(registration.model_dump())
    return digest("pbem/seat/v1", bytes.fromhex(game), role.encode("ascii"), keys)


def is_successor(party: Party, key: bytes) -> bool:
    """Whether a key is the one that the party committed to when it registered its present one."""
    return party.registration is not None and commits_to(party.registration, key)


def commits_to(registration: Registration, key: bytes) -> bool:
    """Whether a key is the successor that a registration names by its digest."""
    return successor_digest(key) == registration.successor


def registration_of(event: Event) -> Registration | None:
    """The keys that an event brings in, None for every kind but `propose` and `accept`."""
    body = event.body
    return body.registration if isinstance(body, Propose | Accept) else None


def keys_named(event: Event) -> Registration | None:
    """The keys that an event names for a seat: those that it brings in, or would as a motion or a request."""
    return event.body.seat if isinstance(event.body, Change) else registration_of(event)


def _registered_already(role: str) -> BadEvidence:
    return BadEvidence("roster.key_twice", f"expected a key of {role}'s own, got one that is registered already")
