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


def told(done: Done) -> list[str]:
    """What an import says between its count and what to do now; nothing is wrong with it."""
    assert (done.code, done.err) == (0, ""), done
    return [line.strip() for line in done.out.splitlines()[1:-1]]


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
    said = "  polish moves to end the game as a draw (withdrawn)"
    why = "it needs an answer all the same, which the other side's program gives by itself: it refuses"
    lines = polish("status").out.splitlines()
    assert lines[lines.index(said) + 1] == f"    mail it: {why}"
    polish("export", "-o", polish.folder.parent / "unsent.eml")
    lines = polish("status").out.splitlines()
    assert lines[lines.index(said) + 1] == f"    {why}"
    assert german.mail(polish.export()).out.splitlines() == [
        "westerplatte: 2 new events, 2 known already.",
        "  polish withdraws its motion to end the game as a draw",
        "  polish's motion to end the game as a draw is not agreed to",
        "  answered by itself, step 3: the refusal of a motion that was withdrawn",
        "Do now: send your turn file: `pbem export westerplatte -o turn.eml --eml`",
    ]
    assert german.opened().campaign.place.step == step + 2
    polish.mail(german.export())
    assert same_log(joined)
    told = [line[7:] for line in polish("log").out.splitlines() if "draw" in line]
    assert told == [
        "polish withdraws its motion to end the game as a draw (withdraw)",
        "polish's motion to end the game as a draw is not agreed to (motion)",
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
    both = [(polish, agreement), (german, withdrawal)]
    done = {side.role: side.mail(mail) for side, mail in (both if first == "agreement" else both[::-1])}
    assert told(done["german"]) == [
        "polish's withdrawal came too late, behind the answer of step 3; that answer counts"
    ]
    with german.desk() as desk:
        (kept,) = desk.home.refusals(desk.home.game(german.game).game_id)
    assert f"{kept.code}: {kept.text}" == (
        "import.late_withdrawal: polish's withdrawal came too late, behind the answer of step 3"
    )
    assert told(done["polish"])[0] == (
        "your withdrawal came too late: the other side had agreed to end the game as a draw, and that counts"
    )
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
    assert told(polish.mail(german.export())) == [
        "german withdraws its request to end the game as a draw",
        "german asks to pause the game",
    ]
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


def test_a_request_that_a_decision_came_instead_of_is_in_the_log(joined: Pair) -> None:
    german, polish = joined.sides()
    step = polish.opened().campaign.place.step
    say(german, "pause")
    polish.mail(german.export())
    assert "is not agreed to" not in polish("log").out
    polish.decide()
    exchange(joined, polish)
    for side in joined.sides():
        told = [line for line in side("log").out.splitlines() if "pause" in line]
        assert told == [f"{step:5}  german's request to pause the game is not agreed to (request)"]


@pytest.mark.parametrize("first", ["agreement", "withdrawal"])
def test_a_withdrawal_of_a_request_crosses_with_the_agreement(joined: Pair, first: str) -> None:
    german, polish = joined.sides()
    say(german, "pause")
    polish.mail(german.export())
    say(polish, "agree")
    say(german, "withdraw")
    agreement, withdrawal = polish.export(), german.export()
    both = [(german, agreement), (polish, withdrawal)]
    done = {side.role: side.mail(mail) for side, mail in (both if first == "agreement" else both[::-1])}
    assert told(done["polish"]) == [
        "german's withdrawal came too late, behind the answer of step 2; that answer counts"
    ]
    assert told(done["german"])[0] == (
        "your withdrawal came too late: the other side had agreed to pause the game, and that counts"
    )
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
