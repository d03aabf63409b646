"""Several workers of one home in PostgreSQL: each letter, mail and deadline is handled once, whoever dies."""

from __future__ import annotations

from pathlib import Path

from postgres_server import Server

from service.court import Court, in_play
from service.pair import named, run


def hosted(folder: Path, server: Server, database: str) -> Court:
    """A court in play whose judge keeps its home in a database of that name."""
    run(server, f"CREATE DATABASE {database}")
    named(server, folder / "referee", database)
    return in_play(folder, hosted=True)
