"""Silence and the remedies against it: claims after the deadline, claims that lie about the time, late answers."""

from __future__ import annotations

import pytest

from pbem.log.event import Entropy, Lapse
from attacks.conftest import Copied
from attacks.sides import BEGIN, DAY, DEADLINE_DAYS, LATER, Pair, Side, packed


@pytest.fixture
def silent(joined: Pair) -> Pair:
    """The Pole owes the set-up; both homes know."""
    return joined


def _rolling(pair: Pair) -> Pair:
    """The German has opened its link for the first card; the Pole holds it, and has not answered."""
    polish, german = pair.polish, pair.german
    polish.decide()
    german.take(polish.export())
    german.decide()
    return pair


@pytest.mark.plan("A43")
def test_status_names_the_link_that_the_last_roller_withholds(joined: Pair) -> None:
    pair = _rolling(joined)
    assert pair.german("status").out == (
        "westerplatte: The Battle of the Westerplatte, you are german against Bruno (polish)\n"
        "  turn 1, step 4, game a801383a3e07\n"
        "  waiting for polish: its share of the dice, until 2023-11-21 22:13 UTC\n"
        "  do now: send your turn file: `pbem export westerplatte -o turn.eml --eml`\n"
    )


@pytest.mark.plan("A43")
def test_a_claim_before_the_deadline_is_refused(joined: Pair) -> None:
    pair = _rolling(joined)
    before = pair.german.tables()
    with pair.german.desk() as desk, pytest.raises(Exception, match="expected the deadline to be over") as told:
        from pbem.app.deciding import claim_lapse

        claim_lapse(desk, "westerplatte")
    assert str(told.value) == "lapse.too_early: expected the deadline to be over, got 168 hours left"
    assert pair.german.tables() == before


@pytest.mark.plan("A43", "A34")
def test_a_claim_after_the_deadline_is_on_the_record(joined: Pair) -> None:
    pair = _rolling(joined)
    done = pair.german("motion", "claim")
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "Claimed; the log says whose silence it was.\n"
        "Do now: send your turn file: `pbem export westerplatte -o turn.eml --eml`\n"
    )
    assert pair.german("log").out.splitlines()[-1] == (
        "    4  german claims the game: polish has owed its entropy of step 4 (remedy)"
    )


def claimed(pair: Pair) -> bytes:
    """The German claims; the turn file that says so."""
    pair.german.now = LATER + DAY
    assert pair.german("motion", "claim").code == 0
    return pair.german.export()


@pytest.mark.plan("A43")
def test_a_late_link_voids_the_claim_at_both_homes(joined: Pair) -> None:
    pair = _rolling(joined)
    first = pair.german.export()
    claim = claimed(pair)
    pair.polish.now = LATER + 2 * DAY
    pair.polish.take(first)
    pair.german.take(pair.polish.export())
    pair.polish.take(claim)
    heads = [side.opened().campaign.steps[-1].digest for side in pair.sides()]
    assert heads[0] == heads[1]
    assert [side.opened().campaign.outcome for side in pair.sides()] == [None, None]
    pair.play(8)
    assert all(side.opened().campaign.place.step >= 8 for side in pair.sides())
    for side in pair.sides():
        archive = side.folder / "a.pbem"
        assert side("archive", "-o", archive).code == 0
        assert side("verify", archive, "--running").err == ""


@pytest.mark.plan("A43")
def test_a_claim_that_both_have_closed_stands(joined: Pair) -> None:
    pair = _rolling(joined)
    claim = claimed(pair)
    pair.polish.now = LATER + 2 * DAY
    pair.polish.take(claim)
    assert [side.opened().campaign.finished for side in pair.sides()] == [False, True]
    pair.german.take(pair.polish.export())
    assert pair.german.opened().campaign.finished


@pytest.mark.parametrize("at", [LATER, LATER + 3650 * DAY])
def test_a_claim_dated_in_the_future_is_not_believed(joined: Pair, at: int) -> None:
    """The claimant dates its claim behind the deadline and sends it at once."""
    pair = joined
    forged = packed([pair.german.sign(pair.german.here(Lapse(role=pair.polish.role, demand="answer"), at=at))])
    pair.polish.take(forged)
    campaign = pair.polish.opened().campaign
    assert (campaign.place.step, campaign.outcome) == (2, None)
    pair.polish.decide()
    assert pair.polish.opened().campaign.place.step == 3
