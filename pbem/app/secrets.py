"""What one role alone knows in one game: its chain and its sealed answers, read from the vault."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pbem.app.desk import Desk
from pbem.engine.campaign import Campaign
from pbem.engine.supply import sealed_default
from pbem.errors import BadEvidence, BadRequest
from pbem.keys.escrow import seal_to, unseal
from pbem.log import canonical, chain
from pbem.log.escrow import SEED_BYTES, chain_info, read_seal_deposit, seal_info
from pbem.log.event import Registration, Role
from pbem.log.roster import Roster
from pbem.log.verify import Demand
from pbem.rules.play import Opening
from pbem.store.reading import Reader
from pbem.store.writing import Writer

links = lru_cache(maxsize=16)(chain.links)


def chain_name(nonce: str, game: str, role: str, anchor: str) -> str:
    """The vault entry of the seed of one chain: a role has another one with every key that takes its seat."""
    return f"chain/{nonce}/{game}/{role}/{anchor}"


def is_nonce_of_another(reader: Reader, game: str, nonce: str) -> bool:
    """Whether a game of this home other than that one has its nonce, which no honest program makes."""
    chains = [name.split("/") for name in reader.secret_names() if name.startswith(f"chain/{nonce}/")]
    return any(other != game for _, _, other, *_ in chains)


def seat_name(key: bytes) -> str:
    """The vault entry of an identity that signs in one game, by its public key."""
    return f"identity/{key.hex()}"


def seal_name(commitment: bytes) -> str:
    """The vault entry of a sealed answer: salt, then its canonical bytes."""
    return f"seal/{commitment.hex()}"


@dataclass(frozen=True, slots=True)
class HomeSecrets:
    """The secrets of the present holder of `role` in the game with that roster."""

    desk: Desk
    reader: Reader
    roster: Roster
    role: Role

    def link(self, index: int) -> bytes:
        """A link of the role's chain; BadRequest when this home does not hold the chain."""
        return links(self._seed(), bytes.fromhex(self.roster.proposal.nonce), self.role, self._seat.links)[index]

    @property
    def _seat(self) -> Registration:
        seat = self.roster.parties[self.role].registration
        assert seat is not None
        return seat

    def _seed(self) -> bytes:
        name = chain_name(self.roster.proposal.nonce, self.roster.game, self.role, self._seat.anchor)
        seed = self.desk.secret(self.reader, name)
        if seed is None:
            raise BadRequest(
                "home.no_chain",
                f"expected the chain of {self.role} in this home, got none",
                "this home did not join the game in this role: use the home that did, or a backup of it",
            )
        return seed

    def deposit(self, referee: bytes) -> bytes:
        """The seed of the role's chain, sealed to the referee's key."""
        info = chain_info(bytes.fromhex(self.roster.game), self.role, bytes.fromhex(self._seat.key))
        return seal_to(referee, info, self._seed())

    def opens(self, role: Role, deposit: bytes) -> bool:
        """Whether a deposit of `role` opens with this home's key and gives the chain that its holder registered."""
        return deposited_chain(self.desk, self.roster, role, deposit) is not None

    def sealed(self, commitment: bytes) -> tuple[bytes, Mapping[str, Any]] | None:
        """Salt and answer behind a commitment."""
        kept = self.desk.secret(self.reader, seal_name(commitment))
        return None if kept is None else (kept[:32], canonical.decode(kept[32:]))


def lost_seal(reader: Reader, demand: Demand | None, campaign: Campaign[Any] | None = None) -> int:
    """The step at which an answer was sealed that is to be opened and is not in this home, 0 when it is, or none is.

    What a ruling has sealed in a player's place, in that `campaign`, is known to everybody.
    """
    if demand is None or demand.opens is None or reader.secret(seal_name(demand.opens[0])) is not None:
        return 0
    return 0 if campaign is not None and _is_default(campaign, *demand.opens) else demand.opens[1]


def _is_default(campaign: Campaign[Any], commitment: bytes, step: int) -> bool:
    waiting = campaign.driver.waiting
    questions = waiting.questions if isinstance(waiting, Opening) else ()
    return any(sealed_default(campaign.game, question, step) == commitment for question in questions)


def deposited_chain(desk: Desk, roster: Roster, role: Role, deposit: bytes) -> tuple[bytes, ...] | None:
    """All links of the chain that the holder of `role` has registered, link 0 first, from its deposit with this home as
    the judge; None for a deposit that does not open or gives another chain."""
    seat = roster.parties[role].registration
    assert seat is not None
    info = chain_info(bytes.fromhex(roster.game), role, bytes.fromhex(seat.key))
    try:
        seed = unseal(desk.identity().escrow_seed, info, deposit)
    except BadEvidence:
        return None
    if len(seed) != SEED_BYTES:
        return None
    found = links(seed, bytes.fromhex(roster.proposal.nonce), role, seat.links)
    return found if found[0].hex() == seat.anchor else None


def bad_deposits_key(game: str) -> str:
    """Where a judge's home notes whose deposits are no good."""
    return f"bad_deposits/{game}"


def bad_deposits(desk: Desk, campaign: Campaign[Any]) -> list[Role]:
    """Whose deposits this home, the judge's, cannot vouch for; empty while it is not asked to."""
    roster, deposits = campaign.roster, campaign.deposits
    demand = campaign.awaited().get(roster.judge) if roster.judge else None
    asked = demand.roles if demand is not None and demand.kind == "vouch" else ()
    return [role for role in asked if deposited_chain(desk, roster, role, bytes.fromhex(deposits[role])) is None]


def deposited_answer(
    desk: Desk, place: tuple[str, int, str, str], deposit: bytes
) -> tuple[bytes, Mapping[str, Any]] | None:
    """Salt and answer that were deposited; `place` is game, step, role, question. None for what does not open."""
    game, step, role, ask = place
    try:
        plain = unseal(desk.identity().escrow_seed, seal_info(bytes.fromhex(game), step, role, ask), deposit)
        salt, payload = read_seal_deposit(plain)
        value = canonical.decode(payload)
    except BadEvidence:
        return None
    return (salt, value) if isinstance(value, dict) else None


def keep_sealed(desk: Desk, writer: Writer, commitment: bytes, salt: bytes, payload: bytes) -> None:
    """Store what will open a commitment."""
    desk.keep_secret(writer, seal_name(commitment), salt + payload)
