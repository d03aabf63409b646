"""Escrow: what a roller or a planner deposits with the referee, readable with the referee's key alone.

HPKE base mode (RFC 9180; X25519, HKDF-SHA256, ChaCha20-Poly1305) with `info` from here, so that a deposit
opens only in its own game, for its own role and purpose, and that of a chain for its own author alone.
Encrypting needs randomness and is done in `pbem.keys`; the format is here.
"""

from __future__ import annotations

from pbem.errors import BadEvidence
from pbem.log.hashing import lp
from pbem.log.seal import SALT_BYTES, pad

SEED_BYTES = 32


def chain_info(game: bytes, role: str, key: bytes) -> bytes:
    """HPKE info of a chain seed that the holder of `role` deposits, which signs with `key` (raw, 32 bytes).

    Anybody can copy an anchor and a deposit into a log of its own: the judge opens them only for who sealed them.
    """
    return lp(b"pbem/escrow-chain/v1", game, role.encode("ascii"), key)


def seal_info(game: bytes, step: int, role: str, purpose: str) -> bytes:
    """HPKE info of a deposited sealed answer."""
    place = (game, step.to_bytes(8, "big"), role.encode("ascii"), purpose.encode("ascii"))
    return lp(b"pbem/escrow-seal/v1", *place)


def seal_deposit(salt: bytes, payload: bytes) -> bytes:
    """The plaintext deposited with a sealed answer: salt and padded payload."""
    return salt + pad(payload)


def read_seal_deposit(deposit: bytes) -> tuple[bytes, bytes]:
    """Salt and payload of a deposit; BadEvidence `escrow.form` unless it was made by `seal_deposit`."""
    salt, framed = deposit[:SALT_BYTES], deposit[SALT_BYTES:]
    payload = framed[4 : 4 + int.from_bytes(framed[:4], "big")]
    if seal_deposit(salt, payload) != deposit:
        raise BadEvidence("escrow.form", "expected salt and padded answer, got something else")
    return salt, payload
