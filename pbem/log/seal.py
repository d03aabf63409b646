"""Sealed answers: a commitment now, the answer later, and nothing to learn in between.

The salt (32 bytes) defeats guessing, the padding hides the size, and game, step, role and purpose in the
hash bind a commitment to one place, so that it can be neither copied nor opened elsewhere.
"""

from __future__ import annotations

from pbem.log.hashing import digest

SALT_BYTES = 32
SMALLEST = 256


def pad(payload: bytes) -> bytes:
    """Payload behind its length (four bytes), zero-filled to 256, 512, 1024 … bytes."""
    framed = len(payload).to_bytes(4, "big") + payload
    size = SMALLEST
    while size < len(framed):
        size *= 2
    return framed.ljust(size, b"\x00")


def commitment(game: bytes, step: int, role: str, purpose: str, salt: bytes, payload: bytes) -> bytes:
    """The commitment (32 bytes) to the canonical bytes `payload` of an answer of kind `purpose`."""
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt has {SALT_BYTES} bytes, not {len(salt)}")
    place = (game, step.to_bytes(8, "big"), role.encode("ascii"), purpose.encode("ascii"))
    return digest("pbem/seal/v1", *place, salt, pad(payload))
