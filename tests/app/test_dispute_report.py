"""Reports about disputes: their words in full, and that no word of a stranger does anything in a page or a shell."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from log.builders import played

from pbem.app.dispute_report import report
from pbem.log import bundle, dice, dispute, fork
from pbem.log.dispute import RollClaim
from pbem.viewer.document import Document, Facts, as_html, as_text

FIXTURES = Path(__file__).parents[2] / "fixtures" / "log" / "good"
ROLL = """\
Roll 2:first-player of game 8a206500241d

Verdict:
  Proven: roll 2:first-player of game 8a206500241d gave 3 (1 die of 6 sides).
  FOR SHOW ONLY: its keys come from a seed; it proves nothing about people.
  Each roller signed its link behind the same step, and each link hashes down to
    the anchor that its roller had registered before play began: nobody could
    choose it.
  Not shown by this file: that the rules called for this roll, under this label,
    with these dice or items, at this step; and that play stands on that step
    still. Only the whole log shows that.
  Compare the keys in words with the players, or with that game's archive: a
    file can name any key for a seat, and any game.

The roll: 1 die of 6 sides:
  Game: 8a206500241dd6b1acd6f1be5f956bf765f543fa533693186d838cfec43c4760
  Step: 2
  Label: first-player
  Rolled by: german and polish, each with one link of its chain
  Faces: 3

Parties, as registered in this file:
  german: name German; key in words turkey south game notable earth scissors
    cabin settle
  polish: name Polish; key in words transfer become focus dry jaguar gather
    interest spare

Links opened:
  german: number 1; link
    02290e05651fdf6151c27ce22e6307e2f76a27fa356f10ffed6f66c44d3963c9; its hash,
    the link before it
    3c2a6069c68320292f83747f97bbe650582521dcc4b31b5a5c6907b65b9053af
  polish: number 1; link
    95a3420d465402c94de48565fb8864c82b7da37be578d17ba42c760ee1c464bb; its hash,
    the link before it
    046a64baa85cddbd7de7238787dc4c99c8ffe7d8b21b90e3d641bca27e25a11f
  Salt: digest of the step before, as the rollers signed it:
    874ef32b1ae6688381c7fc13103789c8d561d675a20c0b0ddd7bb03d0e4abe04

To check it without this program:
  The script needs sh, openssl 3 and sha256sum; it says of every value how it
    stands. Signatures are checked by `pbem verify FILE`.
"""
OPENING = """\
What german opened at step 5 of game 8a206500241d

Verdict:
  Proven: what german opened at step 5 of game 8a206500241d is what it had
    sealed at step 4, bit by bit.
  FOR SHOW ONLY: its keys come from a seed; it proves nothing about people.
  Not shown by this file: that the rules asked for this and accepted it, and
    that play stands on these steps still. Only the whole log shows that.
  Compare the keys in words with the players, or with that game's archive: a
    file can name any key for a seat, and any game.

The opening:
  Game: 8a206500241dd6b1acd6f1be5f956bf765f543fa533693186d838cfec43c4760
  Question: plan
  Sealed: sealed orders of german at step 4, dated 2023-11-15 02:13:20 UTC,
    event 49e406ef4da62052c729169bf32d66a94cffaf6313e960fdeb0adf903cc3fd3e
  Commitment: 5bfa156d7d6560a26e2c3a11a88adf35f991028ffaf621d4427c5786af542289
  Opened: opening of sealed orders of german at step 5, dated 2023-11-15
    03:13:20 UTC, event
    644bc5b28bce9a21a57b38c57b61268057e9acb2a9c51b893b3f341dcf1492aa
  Salt: 180c80b340a855fd138964394a545a724362b4a6ebe3e7ed8aa3360806095dfc
  Answer: {"attack":"hill"}

Parties, as registered in this file:
  german: name German; key in words turkey south game notable earth scissors
    cabin settle
  polish: name Polish; key in words transfer become focus dry jaguar gather
    interest spare

To check it without this program:
  The script needs sh and sha256sum; it hashes the answer again. Signatures are
    checked by `pbem verify FILE`.
"""
FORK = """\
Two events of german at step 3 of game 8a206500241d

Verdict:
  Proven: german signed two different events at step 3 of game 8a206500241d.
  Both events stand at one place of one log, with the same key. Not shown by
    this file: why; most such forks come from a restored backup or a second
    device.
  Compare the keys in words with the players, or with that game's archive: a
    file can name any key for a seat, and any game.

The two events:
  Game: 8a206500241dd6b1acd6f1be5f956bf765f543fa533693186d838cfec43c4760
  One: orders of german at step 3, dated 2023-11-15 01:13:20 UTC, event
    d2f5a05ff0508dcd94bc28990ffcd1ded7fb3306a98323018b60e49abf20b2c9
  It says: {"ask":"move","value":{"from":"road","to":"hill"}}
  Other: orders of german at step 3, dated 2023-11-15 01:13:20 UTC, event
    e6fdb27b02fa4ed214318b341ab393d9b05f990648d05c17eeeb1d45919bab6f
  It says: {"ask":"move","value":{"from":"road","to":"ford"}}
  german's key in words: turkey south game notable earth scissors cabin settle
  Key: 832e2624d4525121d4d7bcc94c3064b30d5d7f95910653fa1bca8062b44c986b
"""


def report_on(data: bytes) -> Document:
    found = bundle.read(data)
    return report(fork.read_evidence(found) if found.contents == "evidence" else dispute.read_slice(found))


@pytest.mark.parametrize(
    ("name", "told"), [("dispute-of-a-roll", ROLL), ("dispute-of-an-opening", OPENING), ("evidence", FORK)]
)
def test_the_report_in_words(name: str, told: str) -> None:
    """In full but for the commands, which are run by other tests."""
    text = as_text(report_on((FIXTURES / f"{name}.txt").read_bytes()))
    assert text.partition("  # ")[0] == told


@pytest.mark.parametrize("name", ["dispute-of-a-roll", "dispute-of-a-later-roll", "dispute-of-a-draw"])
def test_the_commands_work_the_roll_out(name: str) -> None:
    done = run(report_on((FIXTURES / f"{name}.txt").read_bytes()))
    assert (done.returncode, done.stderr, "NOT" in done.stdout) == (0, "", False)
    assert done.stdout.splitlines()[-2] == "result: as logged"


def test_the_commands_hash_the_opening_again() -> None:
    done = run(report_on((FIXTURES / "dispute-of-an-opening.txt").read_bytes()))
    assert (done.returncode, done.stdout, done.stderr) == (0, "commitment: as sealed\n", "")


def test_the_commands_notice_another_opening() -> None:
    text = script_of(report_on((FIXTURES / "dispute-of-an-opening.txt").read_bytes()))
    (sealed,) = re.findall(r"= ([0-9a-f]{64}) \]", text)
    done = run_script(text.replace(sealed, "0" * 64))
    assert (done.returncode, done.stdout, done.stderr) == (1, f"commitment: NOT AS SEALED: got {sealed}\n", "")
    assert text.splitlines()[0].strip() == (
        "# The SHA-256 of game, step, role, question, salt and padded answer, each behind its length."
    )


def test_a_draw_says_what_it_was_drawn_from() -> None:
    page = report_on((FIXTURES / "dispute-of-a-draw.txt").read_bytes())
    told = dict(row for block in page.sections[1].blocks if isinstance(block, Facts) for row in block.rows)
    assert (told["The item drawn"], told["Drawn from, in this order"], told["Face"]) == (
        "fog",
        "sun, rain, fog, snow, hail, wind",
        "3",
    )


def run(document: Document, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run what a reader would copy out of the text."""
    return run_script(script_of(document), folder)


def script_of(document: Document) -> str:
    return as_text(document).partition("checked by `pbem verify FILE`.\n")[2]


def run_script(script: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["sh", "-c", script], cwd=folder, capture_output=True, text=True, timeout=20, check=False)


@pytest.mark.plan("A62")
@pytest.mark.parametrize(
    "word", ["$(touch x)", "';touch x;'", "`touch x`", '"; touch x; "', "<script>alert(1)</script>"]
)
def test_a_label_or_an_item_of_a_stranger_does_nothing(word: str, tmp_path: Path) -> None:
    """A forger signs nothing new: he claims the links of a real game for a label and for items of his own."""
    game = played(3)
    (face,) = dice.faces(game.dice_key(), word, 1, 3)
    claim = RollClaim(claim="roll", step=2, label=word, sides=3, faces=[face], items=[word, word + "2", word + "3"])
    document = report_on(dispute.write(claim, game.keys, game.lines))
    done = run(document, tmp_path)
    assert (done.returncode, done.stderr, list(tmp_path.iterdir())) == (0, "", [])
    assert "<script" not in as_html(document)
