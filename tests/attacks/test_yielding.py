"""Giving way to a ruling: a player who had answered, and was not heard of, goes on from where the others are."""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.sides import DAY, LATER, Side, packed, payload_of, unpacked
from attacks.test_referee import Court, begun, court, ruled  # noqa: F401 - fixtures
from attacks.test_worst import Reached, claimed, originals, owed  # noqa: F401 - fixtures
from attacks.worst import GAME, NORTH, SOUTH, Duel
from pbem.app import yielding
from pbem.app.yielding import give_way


def crossed(court: Court) -> None:  # noqa: F811 - a fixture
    """The Pole has decided in time, nobody got it; the referee has ruled, and the German has played on from that."""
    court.polish.decide()
    court.late()
    ruled(court, "no answer for a week")
    court.german.take(court.referee.export(everything=True))
    court.german.decide()


@pytest.mark.plan("A43", "A34")
def test_who_gives_way_to_a_ruling_goes_on_with_the_others(court: Court) -> None:  # noqa: F811
    crossed(court)
    court.polish.take(court.german.export(everything=True))
    assert court.polish.heads() != court.german.heads()
    with court.polish.desk() as desk:
        told = give_way(desk, "westerplatte", anyway=True).opened.news
    assert told[0] == "  > the referee rules on polish's orders: no answer for a week"
    court.exchange()
    assert court.heads()[0] == court.heads()[1] == court.heads()[2]
    done = court.polish.verified()
    assert (done.code, "gave way to a claim or a ruling" in done.out) == (0, True)


def test_nobody_gives_way_for_somebody_else(court: Court, tmp_path: Path) -> None:  # noqa: F811
    """The German cannot say that the Pole's answer gives way; what it says of it settles no fork either."""
    court.polish.decide()
    late = court.polish.copy(tmp_path / "late")
    court.late()
    ruled(court)
    court.german.take(court.referee.export(everything=True))
    done = court.german("motion", "yield", "westerplatte")
    assert done.err.splitlines()[0] == (
        "yield.none: expected a claim or a ruling in the place of what you have signed, got none"
    )
    heads = court.german.heads()
    court.german.take(late.export(everything=True))
    assert court.german.heads() == heads


# ------------------------------------------------------------------ where what was signed had come in time after all

FOG = {"entropy": ["fog"]}


def heard_after_all(duel: Duel, kind: str) -> None:
    """North claims; what south has signed comes before anything stands behind the claim, and south gets the claim."""
    north, south = duel.sides()
    south.take(north.export())
    south.decide()
    late = south.export(everything=True)
    claimed(north, *FOG.get(kind, []))
    claim = north.export(everything=True)
    north.take(late)
    south.now = north.now
    south.take(claim)


def gives_way(side: Side) -> None:
    done = side("motion", "yield", side.game, "--anyway")
    assert (done.code, done.err) == (0, "")


@pytest.mark.plan("A43")
@pytest.mark.parametrize("decided", [False, True])
def test_who_gives_way_to_a_void_claim_takes_the_other_side_along(decided: bool, owed: Reached) -> None:  # noqa: F811
    """North decides again where it had decided already behind what gives way."""
    duel, north, south = owed("entropy")
    heard_after_all(duel, "entropy")
    assert duel.heads_agree()
    assert south("status").out.splitlines()[-2] == (
        "  what you signed at step 7 is said not to have come in time: send all you have, `pbem export toy --all`: "
        "yours counts where nothing has been signed behind the claim; if play has gone on from it, `pbem motion "
        "yield toy` lets the claim stand"
    )
    assert south("motion", "yield", GAME).err == (
        "yield.not_played_on: expected something that was signed behind north's claim of step 7, got nothing: "
        "what you have signed there counts, if it comes before that\n"
        "hint: send all you have, `pbem export toy --all`, and import what comes back; to give way at once: `pbem "
        "motion yield toy --anyway`\n"
    )
    if decided:
        north.decide()
    gives_way(south)
    assert not duel.heads_agree()
    told = north.mail(south.export())
    assert told.out.splitlines()[:2] == [
        "toy: 1 new event, 3 known already.",
        "  south gives way to the claim of step 7: what south had signed there counts no more",
    ]
    assert duel.heads_agree()
    assert north.opened().campaign.awaited()[NORTH].kind == "seal"
    duel.play()
    for side in duel.sides():
        done = duel.verified(side, running=False)
        assert (done.code, "gave way to a claim or a ruling" in done.out) == (0, True)


@pytest.mark.plan("A43")
def test_who_gives_way_where_dice_are_known_comes_back(owed: Reached) -> None:  # noqa: F811
    """North's program has opened its link behind what south signed, which south does not know when it gives way."""
    duel, north, south = owed("open")
    heard_after_all(duel, "open")
    gives_way(south)
    heads = north.heads()
    told = north.mail(south.export())
    assert told.err == (
        "refused: resolve.yield: expected no dice behind south's opening of sealed orders of step 9, got a share of "
        "another role: it stands, although south gives way to the claim\n"
        "hint: send all you have, `pbem export toy --all`: then it stands at both homes\n"
    )
    assert north.heads() == heads
    told = south.mail(north.export())
    assert told.out.splitlines()[:2] == [
        "toy: 1 new event, 1 known already.",
        "  dice are known behind what you have signed at step 9: it counts again, and gives way to nothing",
    ]
    assert duel.heads_agree()
    assert "is said" not in south("status").out
    duel.play()
    for side in duel.sides():
        done = duel.verified(side, running=False)
        assert (done.code, "gave way" in done.out) == (0, False)


def test_what_the_other_side_has_gone_on_from_stays_given_way(owed: Reached, tmp_path: Path) -> None:  # noqa: F811
    """A link that a second device of the other side shows behind what gave way brings nothing back then."""
    duel, north, south = owed("open")
    before = north.copy(tmp_path / "before")
    heard_after_all(duel, "open")
    known = north.export(everything=True)
    claimed(before)
    gives_way(south)
    before.now = south.now
    south.decide()
    before.take(south.export(everything=True))
    assert south("status").out.splitlines()[-1] == (
        "  do now: wait until the other side has gone on from what you gave way to, then `pbem import FILE`: your "
        "share of the dice is opened then; was yours lost? `pbem export toy` writes it again"
    )
    south.take(before.export(everything=True))
    before.take(south.export())
    assert before.heads() == south.heads()
    heads = south.heads()
    south.take(known)
    assert south.heads() == heads


@pytest.mark.plan("A43")
def test_the_claims_that_count_are_those_against_the_present_log(owed: Reached) -> None:  # noqa: F811
    """The first claim was void, as both knew when they played on; the second one is what is to be given way to."""
    duel, north, south = owed("entropy")
    heard_after_all(duel, "entropy")
    duel.exchange(1)
    north.decide()
    south.take(north.export())
    assert "is said" not in south("status").out
    duel.till_owed("answer", SOUTH)
    assert duel.heads_agree()
    south.take(north.export())
    south.decide()
    step = next(row.step for row in reversed(south.opened().rows) if row.kind == "answer")
    claimed(north, now=north.now + 8 * DAY)
    north.decide()
    south.now = north.now
    south.take(north.export(everything=True))
    assert f"  what you signed at step {step} is said not to have come in time" in south("status").out
    gives_way(south)
    duel.exchange(1)
    assert duel.heads_agree()


def test_who_answered_a_claim_that_is_not_believed_is_told_how_to_give_way(owed: Reached) -> None:  # noqa: F811
    """South got the mail late: by its clock no deadline is over, and it has answered, but north has played on."""
    duel, north, south = owed("entropy")
    south.now = LATER + 2 * DAY
    south.take(north.export())
    south.decide()
    claimed(north, "fog")
    north.decide()
    late = north.take(south.export(everything=True)).games[0].refused
    assert [one.code for one in late] == ["import.overtaken", "import.late_answer"][-len(late) :]
    south.take(north.export(everything=True))
    assert south("status").out.splitlines()[-2:] == [
        "  what you signed at step 7 is said not to have come in time: play has gone on from the claim, and yours "
        "comes too late for that; if you agree, `pbem motion yield toy` lets the claim stand",
        "  do now: give way to the claim: `pbem motion yield toy`",
    ]
    assert south("motion", "yield", GAME).code == 0
    duel.exchange(1)
    assert duel.heads_agree()


def test_who_claimed_is_told_that_the_dictated_dice_do_not_count(owed: Reached) -> None:  # noqa: F811
    _, north, south = owed("entropy")
    south.take(north.export())
    mail = south.export()
    claimed(north, "fog")
    assert north.mail(mail).out.splitlines()[1] == (
        "  your claim of step 7 is void: south's share of the dice came after all; the dictated dice do not count"
    )
    assert "fog" not in north("log", GAME).out


# ------------------------------------------------------------------------------------------ rulings


@pytest.mark.plan("A43", "A34")
def test_who_was_ruled_on_is_told_what_to_do(court: Court) -> None:  # noqa: F811
    crossed(court)
    done = court.polish.mail(court.german.export(everything=True))
    assert done.out.splitlines()[1:] == [
        "  no mail is missing: play has gone on from the ruling of step 4, in the place of what you have signed there; "
        "if you agree that it stands, `pbem motion yield westerplatte`",
        "Do now: give way to the ruling: `pbem motion yield westerplatte`",
    ]
    assert done.err.splitlines() == [
        "refused: import.overtaken: expected an event that follows this log, got german's orders of step 5, which came "
        "with referee's ruling of step 4",
        "hint: it is taken in if you let that stand",
        "refused: import.claimed: expected what you have signed at step 4 to count, got referee's ruling of step 4 in "
        "its place",
        "hint: play has gone on from the ruling, and yours comes too late for that; if you agree, `pbem motion yield "
        "westerplatte` lets the ruling stand",
    ]
    assert court.polish("status").out.splitlines()[-2:] == [
        "  what you signed at step 4 was ruled not to have come in time: play has gone on from the ruling, and yours "
        "comes too late for that; if you agree, `pbem motion yield westerplatte` lets the ruling stand",
        "  do now: give way to the ruling: `pbem motion yield westerplatte`",
    ]
    late = court.german.mail(court.polish.export(everything=True)).err.splitlines()
    assert late[:2] == [
        "refused: import.late_answer: expected polish's orders of step 4 before play had gone on from the ruling that "
        "it did not come, got it too late",
        "hint: it changes nothing here; polish can let the ruling stand with `pbem motion yield`",
    ]
    assert court.polish("motion", "yield", "westerplatte").out.splitlines()[0] == (
        "Given way: the ruling stands, what you had signed there stays readable in the archive."
    )


def test_a_whole_log_that_leads_elsewhere_is_not_asked_for_again(court: Court) -> None:  # noqa: F811
    """The ruling itself was taken out of it."""
    crossed(court)
    found = unpacked(court.german.export(everything=True))
    lines = [line for line in found.lines if payload_of(line)["kind"] != "ruling"]
    assert court.polish.mail(packed(lines, found.keys)).out.splitlines()[1] == (
        "  events of step 6 and later follow others than those of this log, although that file is all that its sender "
        "has: compare what `pbem log` tells at both homes"
    )


@pytest.mark.plan("A43", "A34")
@pytest.mark.parametrize("played_on", [False, True])
def test_who_gives_way_to_a_ruling_that_the_other_player_has_no_use_for(
    played_on: bool,
    court: Court,  # noqa: F811
) -> None:
    """The German had got the answer before the ruling; where dice are known behind it, it stands at all homes."""
    court.polish.decide()
    court.german.take(court.polish.export(everything=True))
    court.late()
    ruled(court)
    if played_on:
        court.german.decide()
    court.polish.take(court.referee.export(everything=True))
    said, to_do = court.polish("status").out.splitlines()[-2:]
    assert said == (
        "  what you signed at step 4 was ruled not to have come in time: send all you have, `pbem export westerplatte "
        "--all`: yours counts where it comes before the ruling; if the others go on from that, `pbem motion yield "
        "westerplatte` lets the ruling stand"
    )
    assert to_do == (
        "  do now: send all you have: `pbem export westerplatte --all -o turn.eml --eml`; where it comes too late, "
        "give way to the ruling: `pbem motion yield westerplatte`"
    )
    assert court.polish("motion", "yield", "westerplatte").code == 0
    court.exchange()
    assert court.heads()[0] == court.heads()[1] == court.heads()[2]
    for side in court.sides():
        kinds = [one.event.kind for one in side.opened(whole=True).campaign.steps[4].events]
        assert (side.verified().code, kinds) == (0, ["answer" if played_on else "ruling"])


def test_nothing_is_replayed_for_a_way_that_was_given_for_good(owed: Reached, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    duel, north, south = owed("entropy")
    heard_after_all(duel, "entropy")
    gives_way(south)
    north.mail(south.export())
    replayed: list[object] = []
    real = yielding.open_game
    monkeypatch.setattr(yielding, "open_game", lambda *asked, **how: replayed.append(how) or real(*asked, **how))
    for side in duel.sides() * 5:
        duel.later(0)
        side.decide()
        other = duel.other(side)
        other.take(side.export())
    assert north.opened().campaign.place.step > 12
    assert replayed == []
