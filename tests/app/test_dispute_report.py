"""Reports about disputes: their words in full, and that no word of a stranger does anything in a page or a shell."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from golden import golden, unstyled
from log.builders import played

from pbem.app.dispute_report import report
from pbem.log import bundle, dice, dispute, fork
from pbem.log.dispute import RollClaim
from pbem.viewer.document import Document, Facts, as_html, as_text

FIXTURES = Path(__file__).parents[2] / "fixtures" / "log" / "good"
TEXTS = Path(__file__).parent / "texts"


def report_on(data: bytes) -> Document:
    found = bundle.read(data)
    return report(fork.read_evidence(found) if found.contents == "evidence" else dispute.read_slice(found))


@pytest.mark.parametrize(
    "name", ["dispute-of-a-roll", "dispute-of-a-draw", "hosted-roll", "dispute-of-an-opening", "evidence"]
)
def test_the_report_in_words(name: str) -> None:
    """In full, with the commands."""
    text = as_text(report_on((FIXTURES / f"{name}.txt").read_bytes()))
    assert text == golden(TEXTS / f"report-{name}.txt", text)


@pytest.mark.parametrize("name", ["hosted-roll", "evidence"])
def test_the_report_as_a_page(name: str) -> None:
    page = unstyled(as_html(report_on((FIXTURES / f"{name}.txt").read_bytes())))
    assert page == golden(TEXTS / f"report-{name}.html", page)


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
