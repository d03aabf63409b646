"""Two programs that do not play by the same rules or data find out at once, and both are named."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from attacks.sides import Done, Pair, Side, invited, new_side

DATA = Path(__file__).parents[2] / "pbem" / "games" / "westerplatte" / "data"
PATCHED = """
import sys
from pbem.games.westerplatte import s2_turn
s2_turn.DECK = s2_turn.DECK[:-1]
from pbem.cli.frame import run
sys.exit(run(sys.argv[1:]))
"""


def with_patched_rules(side: Side, *arguments: str | Path) -> Done:
    """The client with one rule altered in memory: version and data digest are the honest ones."""
    done = subprocess.run(
        [sys.executable, "-c", PATCHED, *map(str, arguments)],
        env={**os.environ, "PBEM_HOME": str(side.folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def changed_data(tmp_path: Path) -> Path:
    """The game's data with one figure changed."""
    folder = tmp_path / "data"
    shutil.copytree(DATA, folder)
    constants = folder / "constants.csv"
    text = constants.read_text("utf-8")
    constants.write_text(re.sub(r"(?m)^(stack\.limit,)\d+", r"\g<1>3", text), "utf-8")
    assert constants.read_text("utf-8") != text
    return folder


@pytest.mark.plan("A27")
def test_a_patched_rule_is_found_at_the_next_step(joined: Pair, tmp_path: Path) -> None:
    """The German's program shuffles a card less: its next event names another state."""
    polish, german = joined.polish, joined.german
    polish.decide()
    assert with_patched_rules(german, "import", _written(polish.export(), tmp_path / "turn")).code == 0
    sheet = tmp_path / "orders.txt"
    with_patched_rules(german, "orders", "-o", sheet)
    sheet.write_text("place BB in Wc\n", "utf-8")
    submitted = with_patched_rules(german, "orders", "--submit", sheet)
    assert (submitted.code, submitted.err) == (0, "")
    with_patched_rules(german, "export", "-o", tmp_path / "patched")
    done = polish("import", tmp_path / "patched")
    assert done.code == 0
    found = re.match(
        r"refused: place\.state: expected the state ([0-9a-f]{16}) before step 4, which this program computes, got "
        r"([0-9a-f]{16}) in german's entropy of step 4 \(event [0-9a-f]{12}\)\n"
        r"hint: the two programs disagree about the rules or their data: compare `pbem games --json` at both ends\n",
        done.err,
    )
    assert found is not None
    assert found[1] != found[2]
    assert polish.opened().campaign.place.state.startswith(found[1])
    assert polish.opened().campaign.place.step == 4


def _written(data: bytes, path: Path) -> Path:
    path.write_bytes(data)
    return path


@pytest.mark.plan("A28")
def test_a_proposal_is_not_accepted_with_other_data(joined: Pair, changed_data: Path, tmp_path: Path) -> None:
    german, eve = invited(joined.german, tmp_path), new_side(tmp_path / "eve", "polish", "Eve")
    path = _written(german.export(), tmp_path / "invitation")
    before = eve.tables()
    done = eve("accept", path, "--data", changed_data)
    mine = re.search(r"got version 1 with data ([0-9a-f]{12}) here", done.err)
    theirs = german.opened().campaign.ruleset.digest
    assert done.code == 1
    assert mine is not None
    assert done.err.startswith(
        f"campaign.ruleset: expected westerplatte version 1 with data {theirs[:12]}, which the game was proposed with, "
        f"got version 1 with data {mine[1]} here\nhint: "
    )
    assert not theirs.startswith(mine[1])
    assert eve.tables() == before


@pytest.mark.plan("A28")
def test_a_running_game_is_not_played_with_other_data(joined: Pair, changed_data: Path, tmp_path: Path) -> None:
    joined.polish.decide()
    path = _written(joined.polish.export(), tmp_path / "turn")
    before = joined.german.tables()
    done = joined.german("import", path, "--data", changed_data)
    assert done.code == 1
    assert done.err.startswith("campaign.ruleset: ")
    assert joined.german.tables() == before


@pytest.mark.plan("A28")
def test_the_log_can_be_read_without_its_rules(played: Pair, changed_data: Path) -> None:
    """The message that names both versions says that the log can still be read: it can."""
    assert played.german("status").code == 0
    done = played.german("log", "--data", changed_data)
    assert done.code == 0
    assert done.err.startswith("campaign.ruleset: ")
    lines = done.out.splitlines()
    assert lines[0].startswith("    0  german: proposal {")
    assert lines[2].startswith('    2  polish: orders {"ask":"polish_setup"')
    assert played.german("log", "--dsse", "--data", changed_data).code == 0


@pytest.mark.plan("A28")
def test_an_archive_is_not_verified_with_other_data(played: Pair, changed_data: Path, tmp_path: Path) -> None:
    archive = tmp_path / "game.pbem"
    played.german("archive", "-o", archive)
    done = played.german("verify", archive, "--running", "--data", changed_data)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("campaign.ruleset: ")
