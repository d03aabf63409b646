"""The archived campaign of ruleset version 1: it must verify, and replay to the same digests at every step, for ever.

`campaign-1.pbem` is a whole game between two good programs, signed with keys for show; `campaign-1.digests.txt` holds
its ruleset, each step with the digests of the log and of the state and what is waited for there, and its outcome.
The wording of the narrative is free to change and not in it; the outcome is, since all parties sign it.

Once version 1 is released neither file is ever written anew: whatever makes a test here fail is then a new version of
the ruleset, with a campaign of its own beside this one. Only before the release do they follow the data and the rules:

    PBEM_REGENERATE_CAMPAIGN=1 pytest tests/games/westerplatte/test_campaign.py
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
from pbem.games.westerplatte.ruleset import Westerplatte
from pbem.log.event import Propose

FOLDER = Path(__file__).parents[3] / "fixtures" / "games" / "westerplatte"
VERSION = 1
ARCHIVE = FOLDER / f"campaign-{VERSION}.pbem"
DIGESTS = FOLDER / f"campaign-{VERSION}.digests.txt"
SEED = 75
"""A long game: the Germans win in the last turn, and both markers, recoveries and early jokers occur."""

pytestmark = pytest.mark.plan("C14")


@pytest.fixture(scope="module", autouse=True)
def _regenerated() -> None:
    if os.environ.get("PBEM_REGENERATE_CAMPAIGN"):
        match = Match(catalogue.ruleset("westerplatte"), SEED, bots=("good", "good")).play()
        ARCHIVE.write_bytes(match.archive())
        DIGESTS.write_text("\n".join([ruleset(), *steps(match.traces), outcome(verdict())]) + "\n", encoding="ascii")


@cache
def archive() -> bytes:
    return ARCHIVE.read_bytes()


@cache
def verdict() -> Verdict:
    return verify(archive(), catalogue.for_proposal())


def recorded() -> list[str]:
    return DIGESTS.read_text(encoding="ascii").splitlines()


def ruleset() -> str:
    """The ruleset that the archive names."""
    proposal = read_archive(archive())[0].event.body
    assert isinstance(proposal, Propose)
    return f"{proposal.ruleset.name} version {proposal.ruleset.version} {proposal.ruleset.digest}"


def steps(traces: Iterable[str]) -> list[str]:
    """Traces without the digests of options and narrative."""
    return [f"{trace.rpartition('] ')[0]}]" for trace in traces]


def outcome(found: Verdict) -> str:
    return f"{found.result['winner']}: {found.result['text']}"


def test_the_campaign_names_its_ruleset() -> None:
    assert (ruleset(), f" version {VERSION} " in ruleset()) == (recorded()[0], True)


def test_the_campaign_verifies_as_finished() -> None:
    found = verdict()
    assert (found.finished, found.show_only, found.forks, found.waiting) == (True, True, [], "")
    assert (found.steps, outcome(found)) == (len(recorded()) - 2, recorded()[-1])


def test_the_campaign_replays_to_the_same_digests() -> None:
    assert steps(replayed(read_archive(archive()))) == recorded()[1:-1]


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_the_campaign_replays_to_the_same_digests_elsewhere(hash_seed: str, tmp_path: Path) -> None:
    shutil.copy(ARCHIVE, tmp_path)
    assert steps(replayed_elsewhere(tmp_path, hash_seed)[ARCHIVE.name]) == recorded()[1:-1]


def test_other_rules_under_the_same_name_are_found_out() -> None:
    """Bonuses are changed behind an unchanged digest: the first event after the first differing result is refused."""
    files = catalogue.ruleset("westerplatte").files
    changed = Westerplatte({**files, "areas.csv": files["areas.csv"].replace(b",guardhouse,1,", b",guardhouse,2,")})
    assert changed.files != files
    changed.digest = begun(read_archive(archive())[0]).ruleset.digest
    with pytest.raises(BadEvidence, match=r"^place\.state: expected the state [0-9a-f]{16} before step \d+, which"):
        verify(archive(), lambda _: changed)
