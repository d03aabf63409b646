"""What two players read of silence: who is late, what may be claimed then, and what a claim has led to."""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.hosting import Table
from attacks.sides import Pair, Side, invited
from attacks.test_referee import Court, begun, court  # noqa: F401 - fixtures
from attacks.test_referee import invited as proposed
from pbem.app.moving import move, reply

OVER = "2023-11-21 22:13 UTC"
DECIDE = (
    "decide and send at once: `pbem orders westerplatte -o orders.txt`, edit it, then `pbem orders westerplatte "
    "--submit orders.txt`"
)


def to_do(side: Side) -> str:
    """The last line of the status."""
    done = side("status", side.game)
    assert done.code == 0, done
    return done.out.splitlines()[-1].removeprefix("  do now: ")


# ------------------------------------------------------------------------------------------ who is late himself


@pytest.mark.plan("A43")
def test_who_is_late_is_told_so_and_what_may_follow(joined: Pair) -> None:
    assert to_do(joined.polish) == f"your deadline is over since {OVER}, and german may claim the game now; {DECIDE}"


def until(side: Side) -> str:
    """Until when the status says that something may come."""
    return side("status", side.game).out.split(", until ")[1].splitlines()[0]


def test_who_is_late_in_a_game_with_a_referee_is_told_so(court: Court) -> None:  # noqa: F811
    told = f"your deadline is over since {until(court.polish)}, and the referee may rule in your place now; {DECIDE}"
    assert to_do(court.polish) == told


def test_who_is_late_in_a_hosted_game_is_told_so(table: Table) -> None:
    late = table.deciding()[0]
    told = f"your deadline is over since {until(late)}, and the adjudicator may rule in your place now; {DECIDE}"
    assert to_do(late) == told


# ------------------------------------------------------------------------------------------ claims that are refused


def exported(side: Side) -> None:
    assert side("export", side.game, "-o", side.folder.parent / "turn.txt", "--force").code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["concede"], "concede the game"),
        (["pause"], "pause the game"),
        (["extend", "--days", "10"], "extend the deadline by 10 days"),
    ],
)
def test_nobody_claims_who_has_asked_for_the_contrary(joined: Pair, arguments: list[str], words: str) -> None:
    german = joined.german
    assert german("motion", *arguments).code == 0
    exported(german)
    assert to_do(german) == (
        f"the deadline of polish is over, but you have asked to {words}: wait on, or withdraw that before you claim "
        "anything: `pbem motion withdraw westerplatte`"
    )
    before = german.tables()
    assert german("motion", "claim").err == (
        "lapse.asked: expected a claim that goes with what you have asked for at this step, got one beside your "
        f"request to {words}\n"
        "hint: wait for polish, or withdraw that first: `pbem motion withdraw westerplatte`\n"
    )
    assert german.tables() == before
    assert german("motion", "withdraw").code == 0
    exported(german)
    assert to_do(german) == (
        "the deadline of polish is over: wait on, or claim the game: `pbem motion claim westerplatte`"
    )
    assert german("motion", "claim").code == 0


def test_a_draw_may_be_asked_for_and_the_game_claimed(joined: Pair) -> None:
    assert joined.german("motion", "draw").code == 0
    exported(joined.german)
    assert joined.german("motion", "claim").code == 0


def test_nothing_is_claimed_before_what_was_signed_is_sent(joined: Pair) -> None:
    german, polish = joined.sides()
    polish.decide()
    german.take(polish.export())
    german.decide()
    before = german.tables()
    assert to_do(german) == "send your turn file: `pbem export westerplatte -o turn.eml --eml`"
    assert german("motion", "claim").err == (
        "lapse.unsent: expected a claim behind all that you have signed, got something of yours that is in no turn "
        "file yet\n"
        "hint: send your turn file first, `pbem export westerplatte -o turn.eml --eml`, and give it time to come\n"
    )
    assert german.tables() == before
    exported(german)
    assert german("motion", "claim").code == 0


# ------------------------------------------------------------------------------------------ pauses


def moved(side: Side, what: str) -> None:
    """Move it, or ask for it, at the side's own time."""
    with side.desk() as desk:
        move(desk, side.game, {"what": what})


def test_a_paused_game_says_one_thing_about_its_deadline(joined: Pair) -> None:
    german, polish = joined.sides()
    moved(german, "pause")
    polish.take(german.export())
    with polish.desk() as desk:
        reply(desk, "westerplatte", agree=True)
    german.take(polish.export())
    waiting = german("status").out.splitlines()[2]
    assert german("status").out.splitlines()[3] == (
        "  paused: no deadline runs; `pbem motion resume westerplatte` lets it run again"
    )
    german.now += 1000
    moved(german, "resume")
    assert german("status").out.splitlines()[2:5] == [
        waiting,
        "  paused; you have asked on 2023-11-14 22:30 UTC that the deadline run again: from 2023-11-21 22:30 UTC on "
        "polish can be claimed against",
        "  do now: send your turn file: `pbem export westerplatte -o turn.eml --eml`",
    ]
    exported(german)
    assert to_do(german) == (
        "the deadline of polish is over: wait on, or claim the game: `pbem motion claim westerplatte`"
    )
    assert polish.mail(german.export()).code == 0
    assert "paused" not in polish("status").out


# ------------------------------------------------------------------------------------------ claims that came first

SENDING = (
    "send all you have, `pbem export westerplatte --all`: yours is not too late, and the game goes on; to give it up "
    "instead, `pbem motion yield westerplatte --anyway` lets the claim stand"
)


@pytest.fixture
def claimed(joined: Pair) -> Pair:
    """The Pole's program has given its share of the dice, which was not sent before the German claimed the game."""
    german, polish = joined.sides()
    polish.decide()
    german.take(polish.export())
    german.decide()
    polish.take(german.export())
    assert german("motion", "claim").code == 0
    return joined


@pytest.mark.plan("A43")
def test_who_has_answered_before_a_claim_came_is_told_of_it_and_plays_on(claimed: Pair) -> None:
    german, polish = claimed.sides()
    done = polish.mail(german.export())
    assert done.err.splitlines() == [
        "refused: import.overtaken: expected an event that follows this log, got german's closing of the game of step "
        "5, which came with german's claim of step 4",
        "hint: it is taken in if you let that stand",
        "refused: import.claimed: expected what you have signed at step 4 to count, got german's claim of step 4 in "
        "its place",
        f"hint: {SENDING}",
    ]
    assert polish("status").out.splitlines()[-2:] == [
        f"  what you signed at step 4 is said not to have come in time: {SENDING}",
        "  do now: send all you have: `pbem export westerplatte --all -o turn.eml --eml`: it is not too late; or let "
        "the claim stand: `pbem motion yield westerplatte --anyway`",
    ]
    late = polish.folder.parent / "all.txt"
    assert polish("export", "--all", "-o", late).code == 0
    assert polish("status").out.splitlines()[-2] == (
        "  what you signed at step 4 is said not to have come in time: a turn file was written here since then, and "
        "`pbem export westerplatte --all` sends all of it again; `pbem motion yield westerplatte --anyway` lets the "
        "claim stand"
    )
    assert to_do(polish).endswith(DECIDE)
    assert german.mail(late.read_bytes()).out.splitlines()[:2] == [
        "westerplatte: 1 new event, 5 known already.",
        "  your claim of step 4 is void: polish's share of the dice came after all",
    ]
    assert german.opened().campaign.outcome is None
    polish.decide()
    assert german.mail(polish.export()).code == 0
    german.decide()
    polish.mail(german.export())
    assert "is said not" not in polish("status").out
    assert german.heads() == polish.heads()


def test_who_has_answered_before_a_claim_came_may_let_it_stand(claimed: Pair) -> None:
    german, polish = claimed.sides()
    polish.mail(german.export())
    assert polish("motion", "yield", "--anyway").out.splitlines()[:2] == [
        "Given way: the claim stands, what you had signed there stays readable in the archive.",
        "  > german claimed the game at step 4, where polish's entropy did not come",
    ]
    german.mail(polish.export())
    assert german.heads() == polish.heads()
    assert [side.opened().campaign.finished for side in claimed.sides()] == [True, True]
    assert german.verified(running=False).code == 0


# ------------------------------------------------------------------------------------------ before play, and behind it


def test_nothing_is_claimed_before_play_has_begun(joined: Pair, tmp_path: Path) -> None:
    side = invited(joined.german, tmp_path)
    exported(side)
    assert to_do(side) == (
        "the deadline of polish is over, and before play has begun nothing can be claimed and nothing is lost: wait "
        "on, or `pbem new` proposes a new game without polish, and `pbem forget second` puts this one aside"
    )
    assert side("forget", "second").code == 0


def test_a_referee_that_is_silent_before_play_costs_nobody_anything(tmp_path: Path) -> None:
    trio = proposed(tmp_path, "westerplatte", "standard")
    german, polish = trio.german, trio.polish
    german.take(polish.export())
    german.take(trio.referee.export())
    polish.take(german.export(everything=True))
    german.take(polish.export())
    exported(german)
    assert to_do(german) == (
        "the deadline of referee is over, and before play has begun nothing can be claimed and nothing is lost: wait "
        "on, or `pbem new` proposes a new game without referee, and `pbem forget westerplatte` puts this one aside"
    )


@pytest.mark.plan("A43")
def test_a_game_that_the_loser_does_not_close_needs_no_claim(joined: Pair) -> None:
    german = joined.german
    assert german("motion", "claim").code == 0
    exported(german)
    assert german("status").out.splitlines()[-2:] == [
        "  result: german claimed the game at step 2, where polish's answer did not come (remedy); polish has not "
        "closed it",
        "  do now: wait for polish's turn file, which closes the game, then `pbem import FILE`; the result stands "
        "without it, and `pbem archive westerplatte -o westerplatte.pbem` keeps it; was yours lost? `pbem export "
        "westerplatte` writes it again",
    ]
    assert german("motion", "claim").err == (
        "lapse.decided: expected something without which nobody knows who has won, got a closing of polish: the "
        "result stands\n"
        "hint: `pbem archive westerplatte -o westerplatte.pbem` keeps it, and `pbem verify westerplatte.pbem "
        "--running` shows it\n"
    )
    done = german.verified()
    assert done.code == 0
    assert (
        "Result: german claimed the game at step 2, where polish's answer did not come (remedy); polish has not "
        "closed it."
    ) in done.out.splitlines()
