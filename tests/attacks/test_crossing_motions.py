"""Motions that mails bring late, twice or past each other and past claims, and motions that are made to gain time."""

from __future__ import annotations

import shutil
from itertools import permutations
from pathlib import Path

import pytest
from log.show_motions import changing

from attacks.sides import DAY, LATER, Pair, claimed_when_sent, id_of, packed
from attacks.test_deadlines import claim
from attacks.test_forged_motions import refused_code, same_log, second_life
from attacks.test_motions import exchange, moved, replied
from pbem.app.seats import rotate
from pbem.errors import BadEvidence, BadRequest
from pbem.log.event import Lapse, Motion, Request


@pytest.mark.plan("A52")
def test_mails_with_motions_come_in_any_order_and_twice(joined: Pair, tmp_path: Path) -> None:
    """The whole conversation of one side, mail by mail, reaches a home that has nothing of it."""
    german, polish = joined.sides()
    fresh = german.copy(tmp_path / "fresh")
    mails = []
    moved(german, what="draw")
    polish.take(german.export())
    for what in ("pause", "resume"):
        moved(polish, what=what)
        mails.append(polish.export())
        german.take(mails[-1])
        if german.opened().campaign.moved:
            replied(german, agree=True)
            mails.append(german.export(everything=True))
            polish.take(mails[-1])
    polish.decide()
    mails.append(polish.export())
    german.take(mails[-1])
    for number, order in enumerate(permutations(mails)):
        home = fresh.copy(tmp_path / f"home-{number}")
        home.now = german.now
        for mail in (*order, *order):
            home.take(mail)
        assert home.heads() == german.heads(), order
        shutil.rmtree(home.folder)


@pytest.mark.plan("A43")
def test_a_request_crosses_with_a_claim(joined: Pair) -> None:
    """Who waits asks, and claims later; the request does not answer for the other side."""
    german, polish = joined.sides()
    moved(german, what="draw")
    polish.now = LATER
    polish.take(claim(german))
    outcome = polish.opened().campaign.outcome
    assert outcome is not None
    assert outcome.winner == "german"
    assert same_log(joined)


@pytest.mark.plan("A43")
@pytest.mark.parametrize("first", ["claim", "consent"])
def test_a_consent_to_a_request_crosses_with_a_claim(joined: Pair, first: str) -> None:
    """The other side's own event counts: it has agreed to what was asked for, late, before the claim was final.

    The client claims nothing beside such a request.
    """
    german, polish = joined.sides()
    moved(german, what="extend", days=3)
    exchange(joined, german)
    polish.now = LATER
    replied(polish, agree=True)
    german.now = LATER
    german.give(Lapse(role=polish.role, demand="answer", dice=[]))
    consent, lapse = polish.export(), german.export()
    if first == "claim":
        polish.take(lapse)
        german.take(consent)
    else:
        german.take(consent)
        polish.take(lapse)
    assert [side.opened().campaign.outcome for side in joined.sides()] == [None, None]
    assert same_log(joined)
    assert [side.verified().err for side in joined.sides()] == ["", ""]


@pytest.mark.plan("A43")
def test_a_motion_crosses_with_a_claim(joined: Pair) -> None:
    """A motion is a move of who had to decide: it makes the claim void."""
    german, polish = joined.sides()
    polish.now = LATER
    moved(polish, what="pause")
    motion, lapse = polish.export(), claim(german)
    german.take(motion)
    polish.take(lapse)
    assert german.opened().campaign.moved is not None
    assert same_log(joined)
    assert [side.verified().code for side in joined.sides()] == [0, 0]


@pytest.mark.plan("A43")
def test_silence_about_a_motion_is_claimed_and_nothing_is_won(joined: Pair) -> None:
    german, polish = joined.sides()
    moved(polish, what="draw")
    german.now = LATER + DAY
    german.take(polish.export())
    polish.now = LATER + DAY
    with polish.desk() as desk:
        claimed_when_sent(desk, polish.game)
    campaign = polish.opened().campaign
    assert (campaign.outcome, campaign.place.deciding) == (None, ("polish",))
    assert campaign.lines[-1].text == "polish's motion to end the game as a draw is not agreed to"
    german.now += 8 * DAY
    german.take(polish.export())
    assert same_log(joined)


@pytest.mark.plan("A43")
@pytest.mark.parametrize("agree", [True, False])
def test_a_late_consent_makes_the_claim_void_before_anything_else_has_come(joined: Pair, agree: bool) -> None:
    german, polish = joined.sides()
    moved(polish, what="pause")
    german.take(polish.export())
    german.now = polish.now = LATER + DAY
    replied(german, agree=agree)
    late = german.export()
    with polish.desk() as desk:
        claimed_when_sent(desk, polish.game)
    polish.take(late)
    assert polish.opened().campaign.place.paused is agree
    german.take(polish.export())
    assert same_log(joined)
    assert [side.verified().code for side in joined.sides()] == [0, 0]


@pytest.mark.plan("A43")
def test_a_late_consent_changes_nothing_once_links_are_open_behind_the_claim(joined: Pair, tmp_path: Path) -> None:
    """Who is asked for a take-back cannot wait for the dice and agree then."""
    german, polish = joined.sides()
    polish.decide()
    german.take(polish.export())
    moved(german, what="take_back", step=2)
    polish.take(german.export())
    waiting = second_life(polish, tmp_path)
    german.now = polish.now = waiting.now = LATER + DAY
    with german.desk() as desk:
        claimed_when_sent(desk, german.game)
    german.decide()
    polish.now = german.now = LATER + 9 * DAY
    polish.take(german.export())
    german.take(polish.export())
    assert german.opened(whole=True).campaign.rolls
    before = german.heads()
    waiting.now = german.now
    replied(waiting, agree=True)
    german.take(waiting.export())
    assert german.heads() == before


# ------------------------------------------------------------------------------------------ stalling


@pytest.mark.plan("A43")
def test_nobody_is_kept_waiting_by_motion_after_motion(joined: Pair) -> None:
    """Each step that a motion closes begins the deadline anew: so there is one, and then the decision."""
    german, polish = joined.sides()
    moved(polish, what="draw")
    exchange(joined, polish)
    replied(german, agree=False)
    exchange(joined, german)
    for what, fields in (("draw", {}), ("pause", {}), ("take_back", {"step": 2}), ("extend", {"days": 9})):
        with pytest.raises(BadRequest, match=r"^motion\.refused: "):
            moved(polish, what=what, **fields)
        assert refused_code(german, polish.sign(polish.here(changing(Motion, what, **fields)))) == "place.motion"
    with pytest.raises(BadRequest, match=r"^motion\.not_paused: "):
        moved(polish, what="resume")
    assert refused_code(german, polish.sign(polish.here(changing(Motion, "resume")))) == "place.pause"
    german.now = polish.now + 8 * DAY
    with german.desk() as desk:
        claimed_when_sent(desk, german.game)
    assert german.opened().campaign.outcome is not None


@pytest.mark.plan("A43")
def test_nobody_is_kept_waiting_by_key_after_key(joined: Pair) -> None:
    """A key that was committed to needs nobody's consent, and gives no time either."""
    german, polish = joined.sides()
    polish.now += 6 * DAY
    with polish.desk() as desk:
        rotate(desk, polish.game)
    with polish.desk() as desk, pytest.raises(BadEvidence, match=r"^motion\.rotated: "):
        rotate(desk, polish.game)
    german.now = polish.now
    german.take(polish.export())
    german.now += 2 * DAY
    with german.desk() as desk:
        claimed_when_sent(desk, german.game)
    assert german.opened().campaign.outcome is not None


def test_a_mailbox_full_of_requests_is_bounded(joined: Pair) -> None:
    """A home that is asked for a thousand things decides as before."""
    german, polish = joined.sides()
    lines = [german.sign(german.here(changing(Request, "draw", why=str(number)))) for number in range(300)]
    polish.take(packed(lines))
    polish.decide()
    german.take(polish.export())
    assert polish.opened().campaign.place.step == 3
    assert id_of(lines[0]) not in {one.id for one in polish.opened().campaign.pending()}
