"""Public keys: their short name, and the checks before a key is registered.

`cryptography` loads Ed25519 keys of small order, for which one signature fits many messages. RFC 8032 5.1.3
defines the encoding; the fourteen bad encodings are those of the eight points of small order, written
canonically or not.
"""

from __future__ import annotations

from functools import lru_cache

from pbem.errors import BadEvidence
from pbem.log.hashing import digest

P = 2**255 - 19
_D = -121665 * pow(121666, P - 2, P) % P
_SQRT_MINUS_ONE = pow(2, (P - 1) // 4, P)

Point = tuple[int, int]


@lru_cache(maxsize=256)
def key_id(public_key: bytes) -> str:
    """Sixteen hex digits that narrow the search for a key; the roster decides, never this name."""
    return digest("pbem/key/v1", public_key)[:8].hex()


def successor_digest(public_key: bytes) -> str:
    """What a party commits to today about the key that it may rotate to later (64 hex digits)."""
    return digest("pbem/successor/v1", public_key).hex()


@lru_cache(maxsize=256)
def check_public_key(public_key: bytes) -> None:
    """Raise BadEvidence `key.…` unless this is a canonical point of Ed25519 that is not of small order."""
    if len(public_key) != 32:
        raise BadEvidence("key.length", f"expected a public key of 32 bytes, got {len(public_key)}")
    point = _decompress(public_key)
    if point is None:
        raise BadEvidence("key.not_canonical", f"expected a canonical Ed25519 key, got {public_key.hex()}")
    if _times_eight(point) == (0, 1):
        raise BadEvidence("key.small_order", f"expected an Ed25519 key of full order, got {public_key.hex()}")


@lru_cache(maxsize=256)
def check_escrow_key(public_key: bytes) -> None:
    """Raise BadEvidence `key.escrow` for an X25519 key of small order, to which nobody seals (RFC 7748 6.1)."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

    try:
        X25519PrivateKey.from_private_bytes(_PROBE).exchange(X25519PublicKey.from_public_bytes(public_key))
    except ValueError:
        raise BadEvidence("key.escrow", f"expected an X25519 key of full order, got {public_key.hex()}") from None


_PROBE = bytes(range(32))
"""Any private key: with one of small order all of them agree on zero."""


def _decompress(public_key: bytes) -> Point | None:
    """RFC 8032 5.1.3, refusing y >= p and a sign bit on x = 0."""
    number = int.from_bytes(public_key, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= P:
        return None
    x_squared = (y * y - 1) * pow(_D * y * y + 1, P - 2, P) % P
    x = pow(x_squared, (P + 3) // 8, P)
    if x * x % P != x_squared:
        x = x * _SQRT_MINUS_ONE % P
    if x * x % P != x_squared or (x == 0 and sign):
        return None
    return (x if x & 1 == sign else P - x, y)


def _times_eight(point: Point) -> Point:
    for _ in range(3):
        point = _add(point, point)
    return point


def _add(first: Point, second: Point) -> Point:
    """Affine addition on the twisted Edwards curve (RFC 8032 5.1.4)."""
    (x1, y1), (x2, y2) = first, second
    product = _D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + product, P - 2, P) % P
    y = (y1 * y2 + x1 * x2) * pow(1 - product, P - 2, P) % P
    return (x, y)
