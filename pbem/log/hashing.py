"""Length-prefixed hashing: every digest of the protocol is SHA-256 over LP(tag, items…)."""

from __future__ import annotations

import hashlib

ZERO = bytes(32)
"""Stands where a digest cannot exist yet: the game and the step before the proposal."""


def lp(*items: bytes) -> bytes:
    """Each item behind its length as four bytes, big-endian, so that no two lists give the same bytes."""
    return b"".join([len(item).to_bytes(4, "big") + item for item in items])


def digest(tag: str, *items: bytes) -> bytes:
    """SHA-256 (32 bytes) over LP(tag, items…); `tag` is versioned ASCII such as `pbem/seal/v1`."""
    return hashlib.sha256(lp(tag.encode("ascii"), *items)).digest()
