"""What is secret in a home, and how it could be spelled in what leaves it."""

from __future__ import annotations

import base64

from pbem.app.desk import Desk
from pbem.app.opened import OpenGame
from pbem.app.secrets import chain_name, links
from pbem.log import chain
from pbem.log.event import Role


def vault_of(desk: Desk, opened: OpenGame, role: Role) -> dict[str, bytes]:
    """The keys of a home, the seed of its chain in a game, and links that it has not opened yet."""
    roster = opened.campaign.roster
    nonce, joined = roster.proposal.nonce, roster.parties[role].registration
    assert joined is not None
    seed = desk.secret(desk.home, chain_name(nonce, roster.game, role, joined.anchor))
    assert seed is not None
    identity = desk.identity()
    chained = links(seed, bytes.fromhex(nonce), role, chain.LENGTH)
    return {
        "seed": seed,
        "signing key": identity.signing_seed,
        "successor key": identity.successor_seed,
        "escrow key": identity.escrow_seed,
        "next link": chained[opened.campaign.tips[role].index + 1],
        "last link": chained[chain.LENGTH],
    }


def spellings(secret: bytes) -> list[bytes]:
    """Raw, in hexadecimal, and in both alphabets of base64 without the end, which depends on what follows."""
    return [secret, secret.hex().encode(), base64.b64encode(secret)[:-2], base64.urlsafe_b64encode(secret)[:-2]]
