"""The roster: which key speaks for which role. It is built from the proposal and the acceptances alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.errors import BadEvidence
from pbem.log.chain import Tip
from pbem.log.event import Accept, Event, Propose, Registration, Role
from pbem.log.keys import key_id


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
    """The parties of one game by role, and its proposal."""

    game: str
    proposal: Propose
    proposer: Role
    parties: Mapping[Role, Party]

    def keys(self) -> dict[bytes, Role]:
        """The registered keys and their roles."""
        return {party.key: party.role for party in self.parties.values() if party.key}

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
                anchor = bytes.fromhex(registration.anchor)
                found[role] = Tip(role, nonce, registration.links, 0, anchor)
        return found


def from_proposal(game: str, event: Event) -> Roster:
    """The roster after step 0; BadEvidence `roster.…` when the proposal contradicts itself."""
    proposal = event.body
    assert isinstance(proposal, Propose)
    roles = [seat.role for seat in proposal.seats]
    if len(set(roles)) != len(roles):
        raise BadEvidence("roster.roles", "expected every role once in the proposal, got one twice")
    if event.role not in roles:
        raise BadEvidence("roster.proposer", f"expected the proposer among the seats, got '{event.role}'")
    if len(set(proposal.rollers)) != len(proposal.rollers) or not set(proposal.rollers) <= set(roles):
        raise BadEvidence("roster.rollers", "expected rollers to be different roles of the game")
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
    if key_id(key) in map(key_id, roster.keys()):
        raise BadEvidence("roster.key_twice", f"expected a key of {role}'s own, got one that is registered already")
    joined = Party(role, registration.name or party.name, party.address, registration, key)
    return Roster(roster.game, roster.proposal, roster.proposer, {**roster.parties, role: joined})


def registration_of(event: Event) -> Registration | None:
    """The keys that an event brings in, None for every kind but `propose` and `accept`."""
    body = event.body
    return body.registration if isinstance(body, Propose | Accept) else None
