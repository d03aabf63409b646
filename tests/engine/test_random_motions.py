"""Random motions: everything replays to the same digests, in any order of mails and in another process."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play import Match, begun, replayed, replayed_elsewhere
from soak import soak

from engine.restless import Restless
from engine.scripted import TOY
from pbem.app import catalogue
from pbem.engine.assembly import assemble


@given(seed=st.integers(0, 2**31))
@settings(max_examples=25, deadline=None)
def test_random_motions_replay_to_the_same_digests(seed: int) -> None:
    whole = Restless(TOY, seed, deadline_days=7).play()
    assert replayed(whole.events) == whole.traces
    resumed = Restless(TOY, seed, deadline_days=7, resume=True).play()
    assert (resumed.archive(), _places(resumed)) == (whole.archive(), _places(whole))


def _places(match: Match) -> list[str]:
    """Traces without what was told: a campaign that was resumed has no older lines."""
    return [trace.rpartition(" ")[0] for trace in match.traces]


@pytest.mark.parametrize("game", catalogue.names())
def test_random_motions_in_every_game_replay_to_the_same_digests(game: str) -> None:
    match = Restless(catalogue.ruleset(game), 7, deadline_days=7).play()
    assert {"motion", "request"} & {one.event.kind for one in match.events}
    assert replayed(match.events) == match.traces


@given(seed=st.integers(0, 2**31), data=st.data())
@settings(max_examples=10, deadline=None)
def test_random_motions_in_any_order_of_mails_make_the_same_log(seed: int, data: st.DataObject) -> None:
    match = Restless(TOY, seed, deadline_days=7).play()
    events = data.draw(st.permutations(match.events[1:]))
    campaign = begun(match.events[0])
    found = assemble(campaign, [*events, *events])
    assert (campaign.head, found.refused, found.fork) == (match.campaign.head, [], None)


@pytest.mark.plan("C14")
@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_random_motions_replay_elsewhere(hash_seed: str, tmp_path: Path) -> None:
    assert_replayed_elsewhere(tmp_path, range(4), hash_seed)


@pytest.mark.soak
@pytest.mark.plan("C14")
@pytest.mark.timeout(7200)
def test_many_random_motions_replay_elsewhere(tmp_path: Path) -> None:
    for first in range(0, soak(500), 50):
        assert_replayed_elsewhere(tmp_path / str(first), range(first, first + 50), str(first))


def assert_replayed_elsewhere(folder: Path, seeds: range, hash_seed: str) -> None:
    folder.mkdir(exist_ok=True)
    here = {}
    for seed in seeds:
        match = Restless(TOY, seed, deadline_days=7).play()
        (folder / f"{seed}.pbem").write_bytes(match.archive())
        here[f"{seed}.pbem"] = match.traces
    assert replayed_elsewhere(folder, hash_seed) == here
    shutil.rmtree(folder)
