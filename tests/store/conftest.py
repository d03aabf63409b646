"""Homes and events for the tests of the store."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.store import Home, StoredGame

GAME = "ab" * 32


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A home with one game and no events."""
    folder = tmp_path / "home"
    home = Home.create(folder)
    with home.writing() as writer:
        writer.add_game(StoredGame(GAME, "Fall", "westerplatte/1", "german", 100))
    home.close()
    return folder


@pytest.fixture
def home(folder: Path) -> Iterator[Home]:
    with Home.open(folder) as home:
        yield home


def event(step: int, role: str = "german", note: str = "", **other: Any) -> dict[str, Any]:
    """The arguments of an append; another `note` makes another event."""
    line = f"line {step} {role} {note} ".encode() * 8
    event_id = hashlib.sha256(line).hexdigest()
    common = {"game_id": GAME, "step": step, "role": role, "kind": "orders", "arrived": 1000 + step}
    return common | {"event_id": event_id, "line": line} | other
