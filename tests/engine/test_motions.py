"""Motions in a campaign: what each one does, and who has to agree."""

from __future__ import annotations

from typing import Any

import pytest
from log.builders import new_game, player
from log.show_motions import changing
from play import Match, begun, replayed

from engine.restless import LATE, Moving
from engine.scripted import NORTH, SOUTH, TOY, waits
from engine.tabling import at, code_of, richer
from pbem.engine.assembly import assemble
from pbem.engine.motions import check_change
from pbem.errors import BadEvidence
from pbem.log.event import Consent, Lapse, Motion, Request
from pbem.rules.play import Outcome
from pbem.rules.refusal import Refused


def last(match: Match) -> str:
    return match.campaign.lines[-1].text


# ------------------------------------------------------------------------------------------ each matter


MATTERS: dict[str, tuple[dict[str, Any], str]] = {
    "take_back": ({"step": 3}, "play is taken back to step 3"),
    "adjust": ({}, "the position is adjusted"),
    "extend": ({"days": 3}, "the deadline is extended by 3 days"),
    "pause": ({}, "the game is paused: no deadline runs"),
    "draw": ({}, "a draw was agreed at step {step}"),
}
WAITING = {"take_back": "north entropy and south entropy", "draw": "north close and south close"}
every_matter = pytest.mark.parametrize("what", MATTERS)


def fields_of(match: Moving, what: str) -> dict[str, Any]:
    return {"position": richer(match)} if what == "adjust" else MATTERS[what][0]


@every_matter
def test_a_motion_is_carried_out_when_the_other_side_agrees(what: str) -> None:
    match = at(2)
    decision = waits(match)
    match.move(what, **fields_of(match, what))
    assert waits(match) == f"{match.other(match.campaign.moved.event.role)} consent"  # type: ignore[union-attr]
    match.agree()
    assert last(match) == MATTERS[what][1].format(step=match.campaign.place.step - 1)
    assert waits(match) == WAITING.get(what, decision)
    assert match.play().campaign.finished


@every_matter
def test_a_motion_does_nothing_when_the_other_side_does_not_agree(what: str) -> None:
    match = at(2)
    decision, state = waits(match), match.campaign.state
    match.move(what, **fields_of(match, what))
    match.refuse()
    assert last(match).endswith(" is not agreed to")
    assert (waits(match), match.campaign.state, match.campaign.place.paused) == (decision, state, False)
    assert match.campaign.place.deadline_days == 7


@every_matter
def test_a_request_is_carried_out_when_the_other_side_agrees(what: str) -> None:
    match = at(2)
    decision, step = waits(match), match.campaign.place.step
    match.agree(match.ask(what, **fields_of(match, what)))
    assert last(match) == MATTERS[what][1].format(step=step)
    assert waits(match) == WAITING.get(what, decision)
    assert match.campaign.place.step == step + 1


@every_matter
def test_a_request_is_overtaken_by_a_decision(what: str) -> None:
    match, same = at(2), at(2)
    match.ask(what, **fields_of(match, what))
    match.step()
    same.clock += 60
    same.step()
    assert match.campaign.head == same.campaign.head
    assert (match.campaign.requests, dict(match.campaign.place.requests)) == ((), {})


def test_what_was_agreed_to_is_a_line_of_the_story_and_of_the_trace() -> None:
    match = at(2)
    before = match.campaign.place.state
    match.move("pause")
    assert match.campaign.place.state == before
    match.refuse()
    assert last(match) == "north's motion to pause the game is not agreed to"
    assert match.campaign.place.state != before


@pytest.mark.parametrize("asked", [False, True])
def test_conceding_needs_nobody(asked: bool) -> None:
    match = at(2)
    step, role = match.campaign.place.step, match.waiter if asked else match.decider
    winner = match.other(role)
    if asked:
        match.agree(match.ask("concede"))
    else:
        match.move("concede")
    assert match.campaign.outcome == Outcome(winner, "motion", f"{role} conceded at step {step}")
    match.play()
    assert match.campaign.finished


def test_a_program_agrees_by_itself_to_what_needs_nobody() -> None:
    match = at(2)
    request = match.ask("concede")
    assert match.body(match.decider) == Consent(motion=request.id, agree=True)


def test_pausing_and_resuming() -> None:
    match = at(2)
    assert code_of(match, match.move, "resume") == "place.pause"
    match.carry("pause")
    assert code_of(match, match.move, "pause") == "place.pause"
    lapse = Lapse(role=match.decider, demand="answer", dice=[])
    late = match.signed(match.waiter, lapse, at=match.clock + LATE)
    assert code_of(match, match.offer, late) == "place.lapse"
    match.move("resume")
    assert last(match) == "the game is resumed"
    assert match.offer(match.signed(match.waiter, lapse, at=match.clock + LATE)) is True


@pytest.mark.parametrize("order", [1, -1])
def test_whoever_asks_twice_for_a_resumption_has_waited_since_the_first_time(order: int) -> None:
    """By their dates, whichever a home gets first."""
    match = at(2).carry("pause")
    begun_at = match.clock
    asked = [match.signed(match.waiter, changing(Request, "resume"), at=begun_at + later) for later in (100, 900)]
    for one in asked[::order]:
        match.offer(one)
    assert match.campaign.place.resuming == {match.waiter: begun_at + 100}


def test_an_extension_is_for_the_next_decision_alone() -> None:
    match = at(2).carry("extend", days=10)
    assert match.campaign.place.deadline_days == 17
    early = match.signed(
        match.waiter, Lapse(role=match.decider, demand="answer", dice=[]), at=match.clock + 16 * 86_400
    )
    assert code_of(match, match.offer, early) == "place.lapse"
    match.step()
    assert match.campaign.place.deadline_days == 7


def test_a_game_without_a_deadline_has_none_to_be_extended() -> None:
    match = Moving(TOY, 1).till_one_decides().carry("extend", days=10)
    assert match.campaign.place.deadline_days == 0


# ------------------------------------------------------------------------------------------ who may, and when


def test_a_refused_motion_is_followed_by_the_decision() -> None:
    """Who could move again and again would have a new deadline each time."""
    match = at(2)
    match.move("draw")
    match.refuse()
    assert {code_of(match, match.move, what) for what in ("draw", "pause")} == {"place.motion"}
    assert code_of(match, match.move, "take_back", step=2) == "place.motion"
    match.step()
    match.till_one_decides(match.campaign.place.step)
    match.move("draw")
    assert match.campaign.moved is not None


def test_behind_a_refused_motion_one_may_concede_and_the_other_side_may_ask() -> None:
    match = at(2)
    match.move("draw")
    match.refuse()
    match.agree(match.ask("extend", days=2))
    assert match.campaign.place.deadline_days == 9
    match.move("concede")
    assert match.campaign.outcome is not None


def test_where_both_decide_nobody_moves_or_asks() -> None:
    """Two who ask each other there and both agree would have two logs."""
    match = Match(TOY, 1).play(lambda campaign: len(campaign.place.deciding) == 2)
    for role in (NORTH, SOUTH):
        assert code_of(match, match.offer, match.signed(role, changing(Motion, "draw"))) == "place.motion"
        assert code_of(match, match.offer, match.signed(role, changing(Request, "draw"))) == "place.request"


@pytest.mark.parametrize("kind", ["entropy", "open", "close"])
def test_where_nobody_decides_nothing_can_be_moved(kind: str) -> None:
    match = Match(TOY, 1).play(lambda campaign: kind in {one.kind for one in campaign.place.demands.values()})
    for role in (NORTH, SOUTH):
        assert code_of(match, match.offer, match.signed(role, changing(Motion, "concede"))) == "place.motion"
        assert code_of(match, match.offer, match.signed(role, changing(Request, "concede"))) == "place.request"


def test_who_waits_for_a_consent_can_do_nothing_else() -> None:
    match = at(2)
    mover, other = match.decider, match.waiter
    match.move("draw")
    assert match.campaign.question(mover) is None
    for role in (mover, other):
        assert code_of(match, match.offer, match.signed(role, changing(Motion, "draw"))) == "place.motion"
        assert code_of(match, match.offer, match.signed(role, changing(Request, "draw"))) == "place.request"
    moved = match.campaign.moved
    assert moved is not None
    own = match.signed(mover, Consent(motion=moved.id, agree=True))
    assert code_of(match, match.offer, own) == "place.consent"


def test_several_requests_may_be_made_and_one_is_agreed_to() -> None:
    match = at(2)
    match.ask("draw")
    wanted = match.ask("pause")
    match.ask("extend", days=1)
    assert len(match.campaign.requests) == 3
    match.agree(wanted)
    assert (last(match), match.campaign.place.deadline_days) == ("the game is paused: no deadline runs", 7)


def test_a_request_is_agreed_to_or_decided_upon_and_never_refused() -> None:
    match = at(2)
    request = match.ask("draw")
    assert code_of(match, match.agree, request, agree=False) == "place.consent"


def test_motions_are_for_two() -> None:
    three = new_game(player("german"), player("polish"), player("swedish"))
    with pytest.raises(BadEvidence) as caught:
        check_change(TOY, three.roster, NORTH, changing(Motion, "draw"))
    assert str(caught.value) == "motion.parties: expected a game of two parties, got one of 3"


# ------------------------------------------------------------------------------------------ adjusting


def test_play_goes_on_from_an_adjusted_position() -> None:
    match = at(2)
    match.carry("adjust", position=richer(match))
    assert match.campaign.state.north.supply == 9
    assert match.play().campaign.finished
    assert replayed(match.events) == match.traces


@pytest.mark.parametrize("asked", [False, True])
def test_a_position_that_cannot_be_read_is_refused(asked: bool) -> None:
    match = at(2)
    with pytest.raises(Refused) as caught:
        (match.ask if asked else match.move)("adjust", position="north supply many points 0")
    assert [one.sentence() for one in caught.value.refusals] == [
        "motion.position: expected a fact of a position, got 'north supply many points 0' in line 1, column 1"
    ]


def test_a_position_in_which_the_game_is_over_ends_it() -> None:
    match = at(12)

    def over(line: str) -> str:
        return "stage opening" if line.startswith("stage") else "" if " reserve sealed " in line else line

    match.carry("adjust", position=match.position(over))
    assert match.campaign.outcome is not None
    assert match.campaign.outcome.rule == "3"
    match.play()
    assert match.campaign.finished


# ------------------------------------------------------------------------------------------ silence


def test_silence_about_a_motion_is_no_consent() -> None:
    match = at(2)
    decision = waits(match)
    match.move("draw")
    match.silent()
    assert (last(match), waits(match)) == ("north's motion to end the game as a draw is not agreed to", decision)
    assert match.campaign.outcome is None
    assert match.play().campaign.finished


def test_a_consent_that_comes_with_the_claim_counts() -> None:
    match = at(2)
    moved, place = match.move("draw"), match.campaign.place
    consent = match.signed(match.other(moved.event.role), Consent(motion=moved.id, agree=True))
    claim = match.signed(
        moved.event.role, Lapse(role=consent.event.role, demand="consent", dice=[]), at=match.clock + LATE
    )
    for order in ([claim, consent], [consent, claim]):
        campaign = begun(match.events[0])
        found = assemble(campaign, [*match.events[1:], *order])
        assert (campaign.outcome is not None, found.overtaken, found.fork) == (True, [claim], None)
        assert campaign.place.step == place.step + 1
