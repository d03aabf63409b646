"""Games whose seats change hands: a referee is appointed, rules and is replaced, a key is rotated, a side handed over.

`Seated(ruleset, seed)` is a `Moving` whose players hold identities that can be changed. Every key can be derived: for
show only. Deposits are sealed with a key of the moment, so that two games of one seed differ in them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from typing import Any

from play import NONCE, Player, identity_of

from engine.restless import LATE, Moving
from pbem.app.demo import Seeded
from pbem.app.signing import signed
from pbem.errors import BadEvidence
from pbem.keys.escrow import seal_to, unseal
from pbem.keys.identity import Identity
from pbem.log import chain
from pbem.log.escrow import chain_info
from pbem.log.event import REFEREE, Body, Event, Registration, Role, Ruling
from pbem.log.keys import successor_digest
from pbem.log.roster import Roster, seat_message
from pbem.log.verify import Verified, verify_event


@cache
def chain_of(seed: bytes, role: str) -> tuple[bytes, ...]:
    return chain.links(seed, NONCE, role)


@dataclass(slots=True)
class Holder(Player):
    """Who holds a role now: the keys, and the seed of the chain; `roster` is that of the game."""

    roster: Callable[[], Roster] = field(kw_only=True)
    identity: Identity = field(default_factory=lambda: identity_of("nobody"))
    seed: bytes = b""
    name: str = ""

    def link(self, index: int) -> bytes:
        return chain_of(self.seed, self.role)[index]

    def deposit(self, referee: bytes) -> bytes:
        return seal_to(referee, self._info(self.role), self.seed)

    def opens(self, role: Role, deposit: bytes) -> bool:
        seed, seat = self.opened(role, deposit), self.roster().parties[role].registration
        return seed is not None and seat is not None and chain_of(seed, role)[0].hex() == seat.anchor

    def opened(self, role: Role, deposit: bytes) -> bytes | None:
        """The seed that a player deposited, None for what does not open."""
        try:
            return unseal(self.identity.escrow_seed, self._info(role), deposit)
        except BadEvidence:
            return None

    def _info(self, role: Role) -> bytes:
        """Where a deposit belongs: to a role, and to who holds it now."""
        return chain_info(bytes.fromhex(self.roster().game), role, self.roster().held[role])

    def registration(self) -> Registration:
        return Registration(
            name=self.name or self.role.title(),
            key=self.identity.public_key.hex(),
            successor=successor_digest(self.identity.successor_public_key),
            escrow=self.identity.escrow_public_key.hex(),
            anchor=chain_of(self.seed, self.role)[0].hex(),
            links=chain.LENGTH,
        )


class Seated(Moving):
    """A match in which seats are given to other keys, and a referee can be appointed."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.holders: dict[str, Holder] = {}
        super().__init__(*arguments, **options)

    def roster(self) -> Roster:
        """Who holds the seats now."""
        return self.campaign.roster

    def held(self, role: Role) -> Holder:
        """Who holds a role, as it was registered at first unless it was given away."""
        if role not in self.holders:
            player = self.players.get(role)
            decide = player.decide if player else _never
            seed = sha256(f"pbem show-only chain {role}".encode()).digest()
            vault: dict[bytes, tuple[bytes, Mapping[str, Any]]] = player.vault if player else {}
            secrets = {"identity": identity_of(role), "seed": seed}
            holder = Holder(role, Seeded(0, role), decide, vault, roster=self.roster, **secrets)
            self.holders[role] = holder
            self.players[role] = holder
        return self.holders[role]

    def body(self, role: Role) -> Body:
        self.held(role)
        return super().body(role)

    def sealed_by(self, role: Role, statement: Event) -> Verified:
        identity = self.held(role).identity
        return verify_event(signed(identity, statement), self.campaign.roster, (identity.public_key,))

    def other(self, role: Role) -> Role:
        return next(one for one in self.campaign.roster.players if one != role)

    # ------------------------------------------------------------------ seats

    def rotate(self) -> None:
        """Who decides signs with its successor key from now on."""
        before = self.held(self.decider)
        self._give(self.decider, before.identity.rotated(), before.name)

    def hand_over(self, name: str) -> None:
        """Who decides gives its side to somebody else, and the other one agrees."""
        role = self.decider
        self._give(role, Identity.generate(Seeded(0, f"identity {name}")), name)
        self.held(role).vault = {}

    def appoint(self, name: str, days: int = 0) -> None:
        """Somebody becomes the referee, and holds what opens the dice of both."""
        referee = self._holder(REFEREE, Identity.generate(Seeded(0, f"identity {name}")), name)
        self.carry("appoint", days=days, **self._seat(referee))
        self.holders[REFEREE] = self.players[REFEREE] = referee
        while any(demand.kind in ("deposit", "vouch") for demand in self.campaign.place.demands.values()):
            self.step()

    def _give(self, role: Role, identity: Identity, name: str) -> None:
        holder = self._holder(role, identity, name)
        self.carry("seat", **self._seat(holder))
        self.holders[role] = self.players[role] = holder
        while any(demand.kind in ("deposit", "vouch") for demand in self.campaign.place.demands.values()):
            self.step()

    def _holder(self, role: Role, identity: Identity, name: str) -> Holder:
        before = self.players.get(role)
        decide, vault = (before.decide, before.vault) if before else (_never, {})
        seed = identity.chain_seed(bytes.fromhex(self.campaign.game), role)
        secrets = {"identity": identity, "seed": seed}
        return Holder(role, Seeded(0, name), decide, vault, roster=self.roster, name=name, **secrets)

    def _seat(self, holder: Holder) -> dict[str, Any]:
        seat = holder.registration()
        proof = holder.identity.sign(seat_message(self.campaign.game, holder.role, seat)).hex()
        return {"seat": seat, "proof": proof, "address": f"{(holder.name or holder.role).lower()}@example.org"}

    # ------------------------------------------------------------------ rulings

    def rule(self, role: Role, **fields: Any) -> Verified:
        """The referee rules on what a role owes, long after the deadline."""
        self.clock += LATE
        owed = self.campaign.place.demands[role].kind
        nothing = {"link": "", "salt": "", "value": None, "agree": False, "motion": "", "why": ""}
        return self._given(REFEREE, Ruling(**{**nothing, "role": role, "demand": owed, **fields}))

    def rule_link(self, role: Role) -> Verified:
        """The referee opens the next link of a silent roller, from what was deposited with it."""
        seed = self.held(REFEREE).opened(role, bytes.fromhex(self.campaign.deposits[role]))
        assert seed is not None
        return self.rule(role, link=chain_of(seed, role)[self.campaign.tips[role].index + 1].hex())


def _never(*_: Any) -> Any:
    raise AssertionError("a referee decides nothing of the game")
