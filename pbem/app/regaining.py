"""Regaining: the key and the chain of a seat, kept when they are made, and made again by a home that lost them.

The keys that a home rotates to follow from its first ones (`pbem.keys.identity`), and so do the chains that come with
them: a backup made before a rotation holds what is needed.
"""

from __future__ import annotations

from pbem.app.desk import Desk
from pbem.app.opened import OpenGame
from pbem.app.secrets import chain_name, links, seat_name
from pbem.app.summary import holds_seat
from pbem.keys.identity import Identity
from pbem.store.writing import Writer


def keep_seat(desk: Desk, writer: Writer, identity: Identity, chain: str, seed: bytes) -> None:
    """Store the secrets of a seat: who signs, and the seed of the chain."""
    desk.keep_secret(writer, chain, seed)
    desk.keep_secret(writer, seat_name(identity.public_key), identity.to_bytes())


def regain(desk: Desk, writer: Writer, opened: OpenGame) -> None:
    """Make the key and the chain again with which this home has signed since a rotation that it does not remember.

    A home that was restored from a backup made before the rotation learns of it from the mails of the other side.
    """
    party, identity = opened.campaign.roster.parties.get(opened.role), desk.identity()
    if party is None or party.registration is None or holds_seat(writer, opened):
        return
    roster, found = opened.campaign.roster, party.registration
    nonce, game = roster.proposal.nonce, bytes.fromhex(roster.game)
    for _ in roster.claims:  # one for each key that gave its seat away
        identity = identity.rotated()
        seed = identity.chain_seed(game, opened.role)
        first = links(seed, bytes.fromhex(nonce), opened.role, found.links)[0].hex()
        if identity.public_key == party.key and first == found.anchor:
            keep_seat(desk, writer, identity, chain_name(nonce, roster.game, opened.role, found.anchor), seed)
            return
