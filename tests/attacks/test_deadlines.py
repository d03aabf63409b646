"""Silence and the remedies against it: claims after the deadline, claims that lie about the time, late answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.sides import BEGIN, DAY, LATER, Pair, Side, claimed_when_sent, id_of, invited, packed
from pbem.errors import BadEvidence, BadRequest
from pbem.log.event import Close, Lapse


@pytest.fixture
def rolling(joined: Pair) -> Pair:
    """The German has opened its link for the first card; the Pole has not even got it."""
    joined.polish.decide()
    joined.german.take(joined.polish.export())
    joined.german.decide()
    return joined


def claim(side: Side, now: int = LATER) -> bytes:
    """Claim at that time; the turn file that says so."""
    side.now = now
    with side.desk() as desk:
        claimed_when_sent(desk, side.game)
    return side.export()


@pytest.mark.plan("A43", "A22")
def test_status_names_the_link_that_the_last_roller_withholds(rolling: Pair) -> None:
    rolling.german("export", "-o", rolling.german.folder / "turn.txt")
    game = rolling.german.opened().row.game_id[:12]
    assert rolling.german("status").out.splitlines()[:3] == [
        "westerplatte: The Battle of the Westerplatte, you are german against Bruno (polish)",
        f"  turn 1, step 4, game {game}",
        "  waiting for polish: its share of the dice, since 2023-11-14 22:13 UTC, until 2023-11-21 22:13 UTC",
    ]


@pytest.mark.plan("A43")
def test_a_claim_before_the_deadline_is_refused(rolling: Pair) -> None:
    rolling.german.export()
    before = rolling.german.tables("meta", "status")
    with pytest.raises(BadRequest) as told:
        claim(rolling.german, BEGIN + DAY)
    assert str(told.value).startswith("lapse.too_early: expected the deadline to be over, got 144 hours left")
    assert rolling.german.tables("meta", "status") == before


@pytest.mark.plan("A43", "A34")
def test_a_claim_after_the_deadline_is_on_the_record(rolling: Pair) -> None:
    rolling.german.export()
    done = rolling.german("motion", "claim")
    assert done.out.splitlines()[0] == "Claimed; the log says whose silence it was."
    assert (
        "    4  german claimed the game at step 4, where polish's entropy did not come (remedy)"
        in rolling.german("log").out.splitlines()
    )


@pytest.mark.plan("A43")
def test_a_late_link_voids_the_claim_at_both_homes_and_play_goes_on(rolling: Pair) -> None:
    turn, lapse = rolling.german.export(), claim(rolling.german)
    rolling.german.now = rolling.polish.now = LATER + 2 * DAY
    rolling.polish.take(turn)
    rolling.german.take(rolling.polish.export())
    rolling.polish.take(lapse)
    assert rolling.german.heads() == rolling.polish.heads()
    assert [side.opened().campaign.outcome for side in rolling.sides()] == [None, None]
    rolling.play(8)
    assert rolling.polish.opened().campaign.place.step >= 8


@pytest.mark.plan("A43")
def test_the_archive_of_a_void_claim_holds_and_tells_of_it(rolling: Pair) -> None:
    turn, lapse = rolling.german.export(), claim(rolling.german)
    rolling.polish.take(turn)
    rolling.german.take(rolling.polish.export())
    rolling.play(8)
    done = rolling.german.verified()
    assert (done.code, done.err) == (0, "")
    told = [line for line in done.out.splitlines() if "void" in line or "cut off" in line or "fork" in line]
    assert [line.split(" (event")[0] for line in told] == [
        "  german's lapse of step 4",
        "  1 event behind that, signed in good faith by anybody, cut off with it",
    ]
    assert lapse


@pytest.mark.plan("A43")
def test_the_link_and_the_claim_in_one_mail_in_either_order_give_one_log(rolling: Pair) -> None:
    """A claim and what it says is missing cross in the mail: the answer counts, whichever is read first."""
    claim(rolling.german)
    whole = rolling.german.export(everything=True)
    rolling.polish.now = LATER
    rolling.polish.take(whole)
    assert rolling.polish.opened().campaign.outcome is None
    rolling.german.take(rolling.polish.export())
    assert rolling.german.heads() == rolling.polish.heads()


@pytest.mark.plan("A43")
def test_a_claim_that_is_true_by_both_clocks_ends_the_game(joined: Pair) -> None:
    lapse = claim(joined.german)
    assert joined.polish.mail(lapse).code == 0
    assert joined.polish.opened().campaign.finished
    joined.german.mail(joined.polish.export())
    done = joined.german.verified()
    assert done.code == 0
    assert [line for line in done.out.splitlines() if line.startswith(("Result", "Complete"))] == [
        "Result: german claimed the game at step 2, where polish's answer did not come (remedy).",
        "Complete: closed by every party.",
    ]


@pytest.mark.plan("A43")
def test_an_answer_after_both_have_closed_a_claimed_game_changes_nothing(joined: Pair) -> None:
    late = joined.polish.folder.parent / "late"
    spare = joined.polish.copy(late)
    spare.decide()
    joined.polish.mail(claim(joined.german))
    joined.german.mail(joined.polish.export())
    before = joined.german.tables("refused", "tallies")
    assert joined.german.mail(packed(spare.lines()[-1:])).code == 1
    assert joined.german.tables("refused", "tallies") == before


def test_what_came_behind_the_end_is_no_refusal_that_could_be_shown(joined: Pair) -> None:
    """Nothing is wrong with the answer itself: it came too late."""
    german, polish = joined.sides()
    spare = polish.copy(polish.folder.parent / "late")
    spare.decide()
    (line,) = spare.lines()[-1:]
    polish.mail(claim(german))
    german.mail(polish.export())
    polish.mail(german.export())
    german.mail(packed([line]))
    assert german("dispute", "westerplatte", "refusal").out.splitlines()[1] == (
        "  cannot be shown: expected an event that this log and its rules refuse at its place, got polish's answer of "
        f"step 2 (event {id_of(line)[:12]}), which they accept"
    )


@pytest.mark.parametrize("at", [LATER, LATER + 3650 * DAY])
def test_a_claim_dated_in_the_future_is_not_believed(joined: Pair, at: int) -> None:
    """The claimant dates its claim behind the deadline and mails it at once."""
    lapse = joined.german.sign(joined.german.here(Lapse(role=joined.polish.role, demand="answer", dice=[]), at=at))
    (told,) = joined.polish.take(packed([lapse])).games
    assert told.missing == (
        f"german's claim of step 2 is dated {(at - BEGIN) // DAY + 1} days after this machine's clock and waits until "
        "then: compare the clocks of both machines"
    )
    assert joined.polish.opened().campaign.outcome is None
    joined.polish.decide()
    assert joined.polish.opened().campaign.place.step == 3


def test_a_claim_behind_a_backdated_step_is_not_believed(joined: Pair) -> None:
    """The claimant dates its own step a week back, so that the deadline seems to be over, and claims at once."""
    polish, german = joined.polish, joined.german
    polish.decide()
    german.take(polish.export())
    german.now = BEGIN - 8 * DAY
    german.decide()
    lapse = german.sign(german.here(Lapse(role=polish.role, demand="entropy", dice=[]), at=BEGIN + DAY // 2))
    polish.now = BEGIN + DAY // 2
    (told,) = polish.take(packed([*german.lines()[3:], *german.pending(), lapse])).games
    assert told.missing == "german's claim of step 4 is not believed: you have not had the 7 days; answer now"
    assert polish.opened().campaign.outcome is None


def test_a_claim_before_the_days_have_gone_by_at_this_home_is_not_believed(joined: Pair) -> None:
    lapse = Lapse(role=joined.polish.role, demand="answer", dice=[])
    joined.polish.now = BEGIN + 6 * DAY
    line = joined.german.sign(joined.german.here(lapse, at=joined.polish.now))
    (told,) = joined.polish.take(packed([line])).games
    assert told.missing == (
        "german's claim of step 2 is not believed: by this machine's clock you have had less than 7 days; answer now"
    )
    assert joined.polish.opened().campaign.outcome is None


def test_an_event_dated_far_ahead_does_not_put_off_the_deadline(joined: Pair) -> None:
    """A player who dates its answer centuries ahead would never be late again."""
    joined.polish.now = BEGIN + 200 * 365 * DAY
    joined.polish.decide()
    done = joined.german.mail(joined.polish.export())
    assert done.code == 0
    assert "compare the clocks of both machines" in done.out
    assert joined.german.opened().campaign.place.step == 2
    assert joined.german("motion", "claim").code == 0


def test_nobody_closes_a_game_for_two(joined: Pair) -> None:
    """One party alone can sign a claim, a closing and a claim of the other's closing: that is its word, no proof."""
    german = joined.german
    claim(german, LATER)
    german.now += 8 * DAY
    german.give(Lapse(role=joined.polish.role, demand="close", dice=[]))
    assert german.opened().campaign.finished
    done = german.verified(running=False)
    assert done.code == 1
    assert "Complete" not in done.out
    assert done.err.splitlines()[0] == (
        "verify.unfinished: expected a game closed by every party, got one that ends before step 3, which waits for "
        "polish's closing of the game: it is decided, and not closed yet"
    )


@pytest.mark.plan("A17")
@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            Lapse(role="german", demand="answer", dice=[]),
            "place.lapse: expected a lapse of what another role owes at step 2, got german's lapse of step 2",
        ),
        (
            Lapse(role="polish", demand="entropy", dice=[]),
            "place.lapse: expected a lapse of what another role owes at step 2, got german's lapse of step 2",
        ),
        (
            Close(result={"winner": "german"}, head="00" * 32),
            "place.role: expected an event of polish at step 2, got german's close of step 2",
        ),
    ],
)
def test_a_claim_of_what_nobody_owes_is_refused(joined: Pair, body: Lapse | Close, reason: str) -> None:
    before = joined.polish.tables("refused", "tallies")
    done = joined.polish.mail(packed([joined.german.sign(joined.german.here(body, at=LATER))]))
    assert done.code == 1
    assert done.err.startswith(reason)
    assert joined.polish.tables("refused", "tallies") == before


def test_an_acceptance_cannot_lapse(joined: Pair, tmp_path: Path) -> None:
    """Nobody wins a game that has not begun."""
    side = invited(joined.german, tmp_path)
    done = side("motion", "claim", "second")
    assert (done.code, done.err) == (
        1,
        "lapse.not_begun: expected a game in which play has begun, got one that waits for polish: nothing can be "
        "claimed, and nothing is lost\n"
        "hint: `pbem new` proposes a new game, and `pbem forget second` puts this one aside\n",
    )
    side.now = LATER
    with pytest.raises(BadEvidence) as told:
        side.give(Lapse(role=joined.polish.role, demand="accept", dice=[]))
    assert str(told.value) == "place.lapse: expected no lapse of an acceptance: the game has not begun"
