"""An archived campaign of each game's ruleset: it must verify, and replay to the same digests at every step, for ever.

`campaign-1.pbem` of version 1 is a whole game between two good programs, signed with keys for show; beside it,
`campaign-1.digests.txt` holds its ruleset, each step with the digests of the log and of the state and what is waited
for there, and its outcome.
The wording of the narrative is free to change and not in it; the outcome is, since all parties sign it.

Once version 1 is released neither file is ever written anew: whatever makes a test here fail is then a new version of
the ruleset, with a campaign of its own beside this one. Only before the release do they follow the data and the rules:

    PBEM_REGENERATE_CAMPAIGN=1 pytest tests/test_archived_campaigns.py
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from play import Match, begun, read_archive, replayed, replayed_elsewhere

from pbem.app import catalogue
from pbem.app.verify import Verdict, verify
from pbem.errors import BadEvidence
from pbem.log.event import Propose

FOLDER = Path(__file__).parents[1] / "fixtures" / "games"
VERSION = 1
SEEDS = {"polska1939": 3, "westerplatte": 75, "white_eagle": 2}
"""Polska 1939: all 35 days. Westerplatte: the Germans win in the last turn; both markers, recoveries, early jokers.
White Eagle Defiant: all ten turns, with the Soviets."""
OTHER_RULES = {
    "polska1939": ("combat_losses.csv", b"\n13-16,13,16,1,1,1,1,1,1,", b"\n13-16,13,16,2,2,2,2,2,2,"),
    "westerplatte": ("areas.csv", b",guardhouse,1,", b",guardhouse,2,"),
    "white_eagle": ("constants.csv", b"\nfort.factor,5,", b"\nfort.factor,6,"),
}
"""A file, and figures in it that are changed behind the digest."""
every_game = pytest.mark.parametrize("game", SEEDS)

pytestmark = pytest.mark.plan("C14")


@pytest.fixture(scope="module", autouse=True)
def _regenerated() -> None:
    if os.environ.get("PBEM_REGENERATE_CAMPAIGN"):
        for game, seed in SEEDS.items():
            match = Match(catalogue.ruleset(game), seed, bots=("good", "good")).play()
            path(game).write_bytes(match.archive())
            lines = [ruleset(game), *steps(match.traces), outcome(verdict(game))]
            digests(game).write_text("\n".join(lines) + "\n", encoding="utf-8")


def path(game: str) -> Path:
    return FOLDER / game / f"campaign-{VERSION}.pbem"


def digests(game: str) -> Path:
    return FOLDER / game / f"campaign-{VERSION}.digests.txt"


@cache
def archive(game: str) -> bytes:
    return path(game).read_bytes()


@cache
def verdict(game: str) -> Verdict:
    return verify(archive(game), catalogue.for_proposal())


def recorded(game: str) -> list[str]:
    return digests(game).read_text(encoding="utf-8").splitlines()


def ruleset(game: str) -> str:
    """The ruleset that the archive names."""
    proposal = read_archive(archive(game))[0].event.body
    assert isinstance(proposal, Propose)
    return f"{proposal.ruleset.name} version {proposal.ruleset.version} {proposal.ruleset.digest}"


def steps(traces: Iterable[str]) -> list[str]:
    """Traces without the digests of options and narrative."""
    return [f"{trace.rpartition('] ')[0]}]" for trace in traces]


def outcome(found: Verdict) -> str:
    return f"{found.result['winner']}: {found.result['text']}"


def test_every_game_that_is_ours_has_an_archived_campaign() -> None:
    assert sorted(SEEDS) == sorted(catalogue.OURS)


@every_game
def test_the_campaign_names_its_ruleset(game: str) -> None:
    assert (ruleset(game), f" version {VERSION} " in ruleset(game)) == (recorded(game)[0], True)


@every_game
def test_the_campaign_verifies_as_finished(game: str) -> None:
    found = verdict(game)
    assert (found.finished, found.show_only, found.forks, found.waiting) == (True, True, [], "")
    assert (found.steps, outcome(found)) == (len(recorded(game)) - 2, recorded(game)[-1])


@every_game
def test_the_campaign_replays_to_the_same_digests(game: str) -> None:
    assert steps(replayed(read_archive(archive(game)))) == recorded(game)[1:-1]


@every_game
@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_the_campaign_replays_to_the_same_digests_elsewhere(game: str, hash_seed: str, tmp_path: Path) -> None:
    shutil.copy(path(game), tmp_path)
    assert steps(replayed_elsewhere(tmp_path, hash_seed)[path(game).name]) == recorded(game)[1:-1]


@every_game
def test_other_rules_under_the_same_name_are_found_out(game: str) -> None:
    """Figures are changed behind an unchanged digest: the first event after the first differing result is refused."""
    ours = catalogue.ruleset(game)
    file, old, new = OTHER_RULES[game]
    changed = type(ours)({**ours.files, file: ours.files[file].replace(old, new)})
    assert changed.files != ours.files
    changed.digest = begun(read_archive(archive(game))[0]).ruleset.digest
    with pytest.raises(BadEvidence, match=r"^place\.state: expected the state [0-9a-f]{16} before step \d+, which"):
        verify(archive(game), lambda _: changed)
