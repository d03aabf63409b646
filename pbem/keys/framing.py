"""Length-prefixed joining of byte strings, so that no two different lists give the same bytes."""

from __future__ import annotations


def length_prefixed(*items: bytes) -> bytes:
    """Return each item behind its length as four big-endian bytes, in the order given."""
    return b"".join(len(item).to_bytes(4, "big") + item for item in items)
