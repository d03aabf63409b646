"""A game that is played on by rules that a home lacks, or by data of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from cli.client import Client
from cli.terminal import typed

from attacks.ruled import DATA, DATA_OF_TWO, FIRST, SECOND, finished
from attacks.sides import Done, Pair, Side, id_of, pbem
from attacks.test_motions import deciding, exchange, moved, replied
from pbem.app import catalogue
from pbem.engine.new_rules import named
from pbem.log import dispute
from pbem.log.dispute import RefusalClaim
from pbem.log.event import Consent

# ------------------------------------------------------------------------------------------ a home without them


LACKING = """
import sys
sys.path.insert(0, {toy!r})
from toy.ruleset import Toy
Toy.versions = ()
from pbem.cli.frame import run
sys.exit(run(sys.argv[1:]))
"""


def without_the_second(side: Side, *arguments: str | Path) -> Done:
    """The client where an older package of the game is installed."""
    done = subprocess.run(
        [sys.executable, "-c", LACKING.format(toy=str(DATA.parents[1])), *map(str, arguments)],
        env={**os.environ, "PBEM_HOME": str(side.folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


MISSING = (
    f"campaign.ruleset: expected version 2 of toy with data {DATA_OF_TWO}, by which the game is to go on from version "
    f"1 with data {FIRST.digest[:12]}, got version 1 with data {FIRST.digest[:12]} here\n"
    "hint: install the pbem, or the package of this game, that brings them, or pass the other side's data with --data; "
    "the log can still be read with `pbem log`\n"
)


def test_a_home_that_lacks_the_version_is_told_and_reads_the_log(toy: Pair, tmp_path: Path) -> None:
    mover, other = deciding(toy)
    moved(mover, what="ruleset", ruleset=named(SECOND))
    exchange(toy, mover)
    before = other.tables()
    agreed = without_the_second(other, "motion", "agree")
    assert (agreed.code, agreed.out, agreed.err) == (1, "", MISSING)
    assert other.tables() == before
    sheet = without_the_second(other, "orders").out.splitlines()
    assert f"#   {MISSING.splitlines()[0].removeprefix('campaign.ruleset: ')}" in sheet
    replied(other, agree=True)
    path = tmp_path / "turn.txt"
    path.write_bytes(other.export())
    before = mover.tables()
    taken = without_the_second(mover, "import", path)
    assert (taken.code, taken.err) == (1, MISSING)
    assert mover.tables() == before
    told = without_the_second(other, "log")
    assert (told.code, told.err) == (0, MISSING)
    assert f'  7  {other.role}: answer to a motion {{"motion":' in told.out
    assert without_the_second(other, "status").code == 0
    exchange(toy, other)
    finished(toy)
    archive = tmp_path / "game.pbem"
    mover("archive", "-o", archive)
    judged = without_the_second(mover, "verify", archive)
    assert (judged.code, judged.out, judged.err) == (1, "", MISSING)


def test_a_home_that_lacks_the_version_may_refuse_it(toy: Pair) -> None:
    mover, other = deciding(toy)
    moved(mover, what="ruleset", ruleset=named(SECOND))
    exchange(toy, mover)
    assert without_the_second(other, "motion", "refuse").code == 0


def test_rules_that_are_missing_accuse_nobody(toy: Pair, tmp_path: Path) -> None:
    """A consent to them is no event that the rules refuse, whoever lacks them and whatever a file claims."""
    mover, other = deciding(toy)
    moved(mover, what="ruleset", ruleset=named(SECOND))
    exchange(toy, mover)
    lines = [*mover.lines(), other.sign(other.here(Consent(motion=id_of(mover.lines()[-1]), agree=True)))]
    claim = RefusalClaim(claim="refusal", event=id_of(lines[-1]), code="campaign.ruleset")
    path = tmp_path / "d.pbem"
    path.write_bytes(dispute.write(claim, [one.identity().public_key for one in toy.sides()], lines))
    judged = without_the_second(mover, "verify", path)
    assert (judged.code, judged.out, judged.err) == (1, "", MISSING)
    assert "dispute.accepted" in mover("verify", path).err


def test_a_version_that_nobody_has_is_not_moved(toy: Pair) -> None:
    done = toy.german("motion", "ruleset", "--to", "7")
    assert (done.code, done.err) == (
        1,
        "game.version: expected a version of toy that is here (1, 2), got version 7\n"
        "hint: `pbem games` lists them; a newer package may bring others\n",
    )
    same = toy.german("motion", "ruleset", "--to", "1")
    assert (same.code, same.err) == (
        1,
        f"ruleset.same: expected other rules than the game is played by, got version 1 of toy with data "
        f"{FIRST.digest[:12]}, which it is\n"
        "hint: `pbem games` lists the versions that are here; `--to` names one, `--data` a folder of other data\n",
    )


def test_games_lists_the_versions(toy: Pair) -> None:
    assert toy.german("games", "toy").out.splitlines() == [
        "toy: The Toy Ford, version 1, 3 turns",
        "  roles: north, south; scenarios: standard, short; bots: good, random",
        "  versions that can be played: 1, 2",
        f"  data: 0 printed, 0 inferred, 11 house; digest {FIRST.digest}",
    ]
    assert orjson.loads(toy.german("games", "toy", "--json").out)[0]["versions"] == [
        {"version": 1, "digest": FIRST.digest},
        {"version": 2, "digest": SECOND.digest},
    ]


# ------------------------------------------------------------------------------------------ other data


def test_other_rules_are_signed_only_by_who_says_so(
    toy: Pair, other_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a terminal, where what differs is told first."""
    mover, _ = deciding(toy)
    before = mover.lines()
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    someone = Client(mover.folder, tmp_path)
    code, seen = typed(someone, ["motion", "ruleset", "toy", "--data", str(other_data)], ["n"])
    assert (code, mover.lines()) == (1, before)
    assert [line.partition(" [")[0] for line in seen.splitlines() if "y/N" in line] == ["Sign this motion?"]


@pytest.mark.plan("A28")
def test_a_game_goes_on_with_other_data(toy: Pair, other_data: Path, tmp_path: Path) -> None:
    mine = catalogue.ruleset("toy", other_data)
    mover, other = deciding(toy)
    unasked = mover("status", "toy").out
    strange = mover("show", "--data", other_data)
    assert (strange.code, strange.err.split(":")[0]) == (1, "campaign.ruleset")
    done = mover("motion", "ruleset", "--data", other_data)
    assert (done.code, done.err) == (0, "")
    assert f"Moved: to play on by version 1 of toy with data {mine.digest[:12]}." in done.out
    assert mover("status", "toy").out != unasked
    take(other, mover, tmp_path)
    assert "got version 1 with data" in other("motion", "agree").err
    assert other("motion", "agree", "--data", other_data).code == 0
    take(mover, other, tmp_path, "--data", other_data)
    assert "by which the game is to go on" in mover("show").err
    shown = mover("log", "--data", other_data)
    assert f"play goes on by version 1 of toy with data {mine.digest[:12]} from step 8 on" in shown.out
    path = tmp_path / "game.pbem"
    assert mover("archive", "-o", path, "--data", other_data).code == 0
    assert pbem(tmp_path / "nobody", "verify", path, "--running").code == 1
    judged = pbem(tmp_path / "nobody", "verify", path, "--running", "--data", other_data)
    told = (
        f"  rules: version 1 with data {FIRST.digest[:12]} until step 7, then version 1 with data {mine.digest[:12]}\n"
    )
    assert (judged.code, told in judged.out) == (0, True)


def take(receiver: Side, sender: Side, tmp_path: Path, *arguments: str | Path) -> None:
    """One mail through both clients, with the machine's clock."""
    written = sender("export", "-o", tmp_path / f"of-{sender.role}", "--force", *arguments)
    assert written.code == 0, written
    taken = receiver("import", tmp_path / f"of-{sender.role}", *arguments)
    assert taken.code == 0, taken


def test_data_of_several_folders_lie_in_one(toy: Pair, other_data: Path, tmp_path: Path) -> None:
    """From one player's data to another's, and on by the second version: each is found by its digest."""
    both = tmp_path / "both"
    shutil.copytree(other_data, both / "mine")
    third = both / "third"
    shutil.copytree(DATA, third)
    (third / "figures.csv").write_text((third / "figures.csv").read_text().replace("needed,8,", "needed,7,"))
    mover, other = deciding(toy)
    for data, more in ((both / "mine", []), (third, ["--present", both])):
        done = mover("motion", "ruleset", "--data", data, *more)
        assert (done.code, done.err) == (0, "")
        take(other, mover, tmp_path, "--data", both)
        assert other("motion", "agree", "--data", both).code == 0
        take(mover, other, tmp_path, "--data", both)
    assert mover("verify", "toy", "--running", "--data", both).code == 0
