"""Random games of every game of the catalogue: none is a dead end, and each replays elsewhere to the same digests.

The long run plays four hundred games of each, fewer of a campaign of many turns; with PBEM_SOAK=3 they are more than a
thousand. `PBEM_PYTHONS` names more interpreters, separated as in PATH, that have the packages; `python3.12` and
`python3.13` are used where they do.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from play import Match, replayed_elsewhere
from soak import soak

from pbem.app import catalogue

GAMES = catalogue.names()
FEW = 12
BATCH = 50
OFTEN = 400
MANY = {"polska1939": 80, "white_eagle": 200}
"""Games that the soak plays, where they are not so many."""
HASH_SEEDS = ("0", "1", "4711")


@cache
def usable(python: str) -> bool:
    """Whether an interpreter is there with the packages that a replay needs."""
    command = [python, "-c", "import cryptography, lark, orjson, pydantic, sqlite_utils, pbem.app.catalogue"]
    return shutil.which(python) is not None and subprocess.run(command, capture_output=True).returncode == 0


def others() -> list[str]:
    named = os.environ.get("PBEM_PYTHONS", "").split(os.pathsep)
    return [python for python in (*named, "python3.12", "python3.13") if python and usable(python)]


def play_batch(folder: Path, games: Sequence[str], seeds: range) -> dict[str, list[str]]:
    """Play games with these seeds, one of `games` after the other, and keep their archives in a folder."""
    traces = {}
    for seed in seeds:
        game = games[seed % len(games)]
        match = Match(catalogue.ruleset(game), seed).play()
        name = f"{game}-{seed}.pbem"
        (folder / name).write_bytes(match.archive())
        traces[name] = match.traces
    return traces


def assert_replayed(folder: Path, games: Sequence[str], number: int, *pythons: str) -> None:
    """Play `number` games; replay each batch in other processes, each batch under another hash seed."""
    for first in range(0, number, BATCH):
        batch = folder / str(first)
        batch.mkdir()
        here = play_batch(batch, games, range(first, min(first + BATCH, number)))
        for python in (sys.executable, *pythons):
            there = replayed_elsewhere(batch, str(first + 1), python)
            assert [name for name in here if here[name] != there[name]] == [], f"games that differ, kept in {batch}"
        shutil.rmtree(batch)


@pytest.mark.plan("C14")
def test_random_games_end_and_replay_elsewhere(tmp_path: Path) -> None:
    assert_replayed(tmp_path, GAMES, FEW)


@pytest.mark.soak
@pytest.mark.plan("C14")
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("game", GAMES)
def test_many_random_games_end_and_replay_elsewhere(game: str, tmp_path: Path) -> None:
    assert_replayed(tmp_path, [game], soak(MANY.get(game, OFTEN)), *others())


@pytest.mark.plan("C14")
@pytest.mark.parametrize("python", [sys.executable, *others()])
def test_games_replay_to_the_same_digests_under_other_pythons(python: str, tmp_path: Path) -> None:
    here = play_batch(tmp_path, GAMES, range(len(GAMES)))
    assert [replayed_elsewhere(tmp_path, hash_seed, python) for hash_seed in HASH_SEEDS] == [here] * len(HASH_SEEDS)
