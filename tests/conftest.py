"""What all tests have: the toy game where `importlib.metadata` finds it, as somebody else's, and a PostgreSQL."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres_server import Server, running

from pbem.cli.frame import TRACEBACK

TOY = Path(__file__).parent / "toy"
sys.path.insert(0, str(TOY))
os.environ[TRACEBACK] = "1"  # a fault of the program is one of the test


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A PostgreSQL for all tests, started when the first one asks for it; each home has a schema of its own in it."""
    with running() as server:
        yield server
