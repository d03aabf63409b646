"""Sealing bytes to one receiver: HPKE base mode (RFC 9180) with X25519, HKDF-SHA256, ChaCha20-Poly1305.

The sealed form is the encapsulated key (32 bytes) and the ciphertext with its tag (16 bytes). `info` names the
use, the game and the role: sealed bytes that are moved to another game do not open. Base mode does not say who
sealed; the signed event that carries the bytes does.
"""

from __future__ import annotations

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

from pbem.errors import BadEvidence

OVERHEAD_BYTES = 48
_SUITE = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)


def seal_to(public_key: bytes, info: bytes, plaintext: bytes) -> bytes:
    """Seal `plaintext` to the raw X25519 `public_key` (32 bytes); the result is 48 bytes longer.

    BadEvidence when the key is not 32 bytes or is of small order (RFC 9180, 7.1.4).
    """
    try:
        receiver = X25519PublicKey.from_public_bytes(public_key)
        return _SUITE.encrypt(plaintext, receiver, info)
    except ValueError:
        raise BadEvidence(
            "escrow.bad_key",
            f"expected an X25519 public key of full order, got {len(public_key)} bytes, {public_key[:32].hex()!r}",
            "ask its owner for a new escrow key",
        ) from None


def unseal(seed: bytes, info: bytes, sealed: bytes) -> bytes:
    """Open what `seal_to` sealed to the key of `seed` (32 bytes) with the same `info`.

    BadEvidence when it was damaged, sealed to another key, or sealed for another use.
    """
    receiver = X25519PrivateKey.from_private_bytes(seed)
    try:
        return _SUITE.decrypt(sealed, receiver, info)
    except (InvalidTag, ValueError):
        raise BadEvidence(
            "escrow.not_opened",
            f"expected {len(sealed)} bytes sealed to this key for this use, got bytes that it does not open",
            "they were damaged, sealed to another key, or taken from another game",
        ) from None
