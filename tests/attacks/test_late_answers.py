"""What the homes are told when an answer comes that a ruling, or a claim, says did not come."""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.sides import Side
from attacks.test_referee import Court, begun, court, ruled  # noqa: F401 - fixtures
from pbem.app.demo import Seeded

BEHIND = 8
"""The step at which the Pole has opened a link behind its late answer of step 6."""
GIVE_WAY = (
    "give way to the ruling: `pbem motion yield westerplatte --anyway`, and `pbem motion rotate westerplatte` before "
    "your next decision, since your link of step 8 may be known"
)
ADVICE = (
    "send all you have, `pbem export westerplatte --all`: yours counts where it comes before the ruling; if the others "
    "go on from that, `pbem motion yield westerplatte --anyway` lets the ruling stand, and as your link of step 8 may "
    "be known, `pbem motion rotate westerplatte` is for your next decision"
)
REFUSED = [
    "refused: import.overtaken: expected an event that follows this log, got polish's orders of step 7, which follows "
    "polish's share of the dice of step 6",
    "hint: it changes nothing here, since that came too late",
    "refused: import.late_answer: expected polish's share of the dice of step 6 before play had gone on from the "
    "ruling that it did not come, got it too late",
    "hint: it changes nothing here; polish can let the ruling stand with `pbem motion yield`",
]


def sent(side: Side) -> bytes:
    """All that a side has, as its player sends it."""
    path = side.folder.parent / f"{side.role}.txt"
    assert side("export", side.game, "--all", "-o", path, "--force").code == 0
    return path.read_bytes()


@pytest.fixture
def late(court: Court, tmp_path: Path) -> Court:  # noqa: F811
    """The Pole has answered in time and played on; none of it came, and the referee has opened its share of the dice.

    Behind that the Pole has to decide again, which depends on the cards.
    """
    for number in range(40):
        tried = Court(*(side.copy(tmp_path / f"{side.role}-{number}") for side in court.sides()))
        tried.polish.chooser = Seeded(number, "chooser")
        german, polish, referee = tried.sides()
        polish.decide()
        tried.exchange(1)
        german.decide()
        polish.take(german.export(everything=True))
        if polish.opened().campaign.question(polish.role) is None:
            continue
        polish.decide()
        if polish.opened().campaign.place.step == BEHIND:
            referee.take(german.export(everything=True))
            tried.late()
            ruled(tried, "no answer for a week")
            german.take(referee.export(everything=True))
            return tried
    raise AssertionError("the Pole is never asked behind the first cards")


@pytest.mark.plan("A43", "A34")
def test_a_share_of_the_dice_that_comes_behind_a_ruling(late: Court) -> None:
    german, polish, referee = late.sides()
    assert polish.mail(referee.export(everything=True)).err.splitlines()[-1] == f"hint: {ADVICE}"
    assert polish("status").out.splitlines()[-2:] == [
        f"  what you signed at step 6 was ruled not to have come in time: {ADVICE}",
        "  do now: send all you have: `pbem export westerplatte --all -o turn.eml --eml`; where it comes too late, "
        f"{GIVE_WAY}",
    ]
    mail = sent(polish)
    for side in (german, referee):
        done = side.mail(mail)
        assert done.out.splitlines()[1] == (
            "  no mail is missing: events of step 8 and later follow polish's share of the dice of step 6, which came "
            "too late: polish has not given way yet, as `pbem motion yield` does there"
        )
        assert done.err.splitlines() == REFUSED
        assert side("status", "--json").out.count('"lacks": 0') == 1
    assert polish("status").out.splitlines()[-2:] == [
        "  what you signed at step 6 was ruled not to have come in time: a turn file was written here since then, and "
        "`pbem export westerplatte --all` sends all of it again",
        "  do now: wait for the next turn file, then `pbem import FILE`; where the others go on from the ruling all "
        f"the same, {GIVE_WAY}",
    ]
    assert polish("motion", "yield").code == 1
    assert polish("motion", "yield", "--anyway").code == 0
    for side in (german, referee):
        assert side.mail(sent(polish)).code == 0
    assert late.heads() == [german.heads()] * 3
    assert polish("motion", "rotate").code == 0
    assert "--anyway" not in polish("status").out


def test_everybody_is_told_of_a_ruling_that_is_void(court: Court) -> None:  # noqa: F811
    """The German had gone on from the answer that the referee had not got."""
    german, polish, referee = court.sides()
    polish.decide()
    german.take(polish.export())
    german.decide()
    court.late()
    ruled(court)
    assert referee.mail(sent(german)).out.splitlines()[1] == (
        "  your ruling of step 4 is void: polish's orders came after all"
    )
