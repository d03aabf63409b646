"""Steps: the links of the log. A step is a set of events, ordered by role and never by arrival."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.log.hashing import ZERO, digest

GENESIS = ZERO
"""What the proposal names as the digest of the step before it."""


def step_digest(previous: bytes, event_ids: Iterable[str]) -> bytes:
    """Digest (32 bytes) of a step from the digest of the step before and its event ids in role order."""
    return digest("pbem/step/v1", previous, *(bytes.fromhex(event) for event in event_ids))
