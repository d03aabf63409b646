"""Motions and requests that are withdrawn: one answer counts, whichever mail comes first."""

from __future__ import annotations

import pytest

from attacks.sides import Done, Pair, Side
from attacks.test_forged_motions import same_log
from attacks.test_motions import exchange


def say(side: Side, *words: str) -> str:
    done = side("motion", *words)
    assert done.code == 0, done
    return done.out.splitlines()[0]


def refusal(done: Done) -> str:
    assert done.code == 1, done
    return done.err.splitlines()[0]


def test_a_motion_that_is_withdrawn_is_refused_by_itself(joined: Pair) -> None:
    german, polish = joined.sides()
    step = polish.opened().campaign.place.step
    say(polish, "draw")
    assert say(polish, "withdraw") == (
        "Withdrawn: to end the game as a draw. What the other side has answered already counts all the same."
    )
    assert "polish moves to end the game as a draw (withdrawn)" in polish("status").out
    assert german.mail(polish.export()).out.splitlines() == [
        "westerplatte: 2 new events, 2 known already.",
        "  polish's motion to end the game as a draw is not agreed to",
        "  answered by itself, step 3: the refusal of a motion that was withdrawn",
        "Do now: send your turn file: `pbem export westerplatte -o turn.eml --eml`",
    ]
    assert german.opened().campaign.place.step == step + 2
    polish.mail(german.export())
    assert same_log(joined)
    assert [line.split("  ")[-1] for line in polish("log").out.splitlines() if "motion" in line][-2:] == [
        "polish's motion to end the game as a draw is not agreed to (motion)",
        "polish withdraws its motion to end the game as a draw (withdraw)",
    ]
    polish.decide()
    exchange(joined, polish)
    assert [side.verified().code for side in joined.sides()] == [0, 0]


@pytest.mark.parametrize("first", ["agreement", "withdrawal"])
def test_a_withdrawal_of_a_motion_crosses_with_the_agreement(joined: Pair, first: str) -> None:
    """The other side's one signed answer counts, at both homes, in whatever order the two come."""
    german, polish = joined.sides()
    say(polish, "draw")
    german.mail(polish.export())
    say(german, "agree")
    say(polish, "withdraw")
    agreement, withdrawal = german.export(), polish.export()
    for side, mail in (
        ((polish, agreement), (german, withdrawal))
        if first == "agreement"
        else (
            (german, withdrawal),
            (polish, agreement),
        )
    ):
        side.mail(mail)
    german.mail(polish.export())
    polish.mail(german.export())
    assert same_log(joined)
    outcomes = [side.opened().campaign.outcome for side in joined.sides()]
    assert [outcome.text.split(" at ")[0] for outcome in outcomes if outcome] == ["a draw was agreed"] * 2
    assert [side.verified().code for side in joined.sides()] == [0, 0]


def test_a_request_that_is_withdrawn_is_not_agreed_to_any_more(joined: Pair) -> None:
    german, polish = joined.sides()
    say(german, "draw")
    say(german, "pause")
    (first, words), (second, others) = (
        (one.id[:16], {"draw": "end the game as a draw", "pause": "pause the game"}[one.event.body.what])
        for one in german.opened().campaign.requests
    )
    assert german("motion", "withdraw").err == (
        f"motion.which: expected one of 2 requests of yours, got none named: {first}: {words}; {second}: {others}\n"
        f"hint: for example `pbem motion withdraw westerplatte --event {first}`\n"
    )
    asked = {one.event.body.what: one.id for one in german.opened().campaign.requests}
    say(german, "withdraw", "--event", asked["draw"][:12])
    polish.mail(german.export())
    assert "pause the game" in polish("status").out
    assert "draw" not in polish("status").out
    say(german, "withdraw")
    assert refusal(german("motion", "withdraw")) == (
        "motion.none: expected a motion or a request of yours that waits for its answer, got none"
    )
    polish.mail(german.export())
    assert refusal(polish("motion", "agree")) == (
        "motion.withdrawn: expected a request of the other side that waits for you, got one that it has withdrawn"
    )
    polish.decide()
    exchange(joined, polish)
    assert same_log(joined)
    assert "german withdraws its request to pause the game" in german("log").out
    assert [side.verified().code for side in joined.sides()] == [0, 0]


@pytest.mark.parametrize("first", ["agreement", "withdrawal"])
def test_a_withdrawal_of_a_request_crosses_with_the_agreement(joined: Pair, first: str) -> None:
    german, polish = joined.sides()
    say(german, "pause")
    polish.mail(german.export())
    say(polish, "agree")
    say(german, "withdraw")
    agreement, withdrawal = polish.export(), german.export()
    both = [(german, agreement), (polish, withdrawal)]
    for side, mail in both if first == "agreement" else both[::-1]:
        side.mail(mail)
    assert same_log(joined)
    assert [side.opened().campaign.place.paused for side in joined.sides()] == [True, True]
    polish.decide()
    exchange(joined, polish)
    assert [side.verified().code for side in joined.sides()] == [0, 0]


def test_only_its_author_withdraws_a_motion(joined: Pair) -> None:
    german, polish = joined.sides()
    say(polish, "draw")
    german.mail(polish.export())
    assert refusal(german("motion", "withdraw")).startswith("motion.none: expected a motion or a request of yours")
