"""Dice, cards and chits from the links that one step opened.

The key of a step is HKDF-SHA256 (RFC 5869) over the opened links in role order. A roll reads HMAC-SHA256
blocks under its own label, so the order in which rolls are worked out changes none of them. A byte is a
face or is thrown away; there is no modulo and no way out of the loop but an accepted byte.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from typing import TypeVar

from pbem.log.hashing import lp

T = TypeVar("T")
MAX_SIDES = 256
_INFO = b"pbem/dice-key/v1"


def dice_info(game: bytes) -> bytes:
    """The HKDF info of a game's dice keys."""
    return lp(_INFO, game)


def dice_key(opened_links: Sequence[bytes], closing_digest: bytes, game: bytes) -> bytes:
    """The dice key (32 bytes) of a step.

    `opened_links` are in role order; `closing_digest` is the digest of the step before, which closed the
    decisions that the roll bears on. HKDF with one output block, RFC 5869 2.2 and 2.3.
    """
    extracted = hmac.digest(closing_digest, b"".join(opened_links), "sha256")
    return hmac.digest(extracted, dice_info(game) + b"\x01", "sha256")


def block_message(label: str, block: int) -> bytes:
    """The HMAC message of block `block` (from 0) of the roll called `label`."""
    return lp(b"pbem/dice/v1", label.encode("ascii"), block.to_bytes(4, "big"))


def face_of(byte: int, sides: int) -> int | None:
    """The face (from 1) that a byte stands for, None when it stands for none: 256 // sides bytes a face."""
    face = byte // (256 // sides)
    return face + 1 if face < sides else None


def faces(key: bytes, label: str, count: int, sides: int) -> tuple[int, ...]:
    """`count` faces from 1 to `sides` (1 to 256) of the roll called `label`."""
    if not 1 <= sides <= MAX_SIDES:
        raise ValueError(f"dice have 1 to {MAX_SIDES} sides, not {sides}")
    source = stream(key, label)
    found: list[int] = []
    while len(found) < count:
        face = face_of(next(source), sides)
        if face is not None:
            found.append(face)
    return tuple(found)


def drawn(key: bytes, label: str, items: Sequence[T]) -> T:
    """One of what is left, each with the same chance: a die with as many sides as there are items."""
    return items[faces(key, label, 1, len(items))[0] - 1]


def stream(key: bytes, label: str) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(key, block_message(label, block), "sha256")
        block += 1
