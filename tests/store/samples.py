"""Events for the tests of the store, and for the processes that they start."""

from __future__ import annotations

import hashlib
from typing import Any

GAME = "ab" * 32
SECOND = "cd" * 32


def event(step: int, role: str = "german", note: str = "", **other: Any) -> dict[str, Any]:
    """The arguments of an append; another `note` makes another event."""
    line = f"line {step} {role} {note} ".encode() * 8
    event_id = hashlib.sha256(line).hexdigest()
    common = {"game_id": GAME, "step": step, "role": role, "kind": "orders", "arrived": 1000 + step}
    return common | {"event_id": event_id, "line": line} | other
