"""Motions in a campaign: what each one does, who has to agree, and that everything replays to the same digests."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from log.builders import new_game, player
from log.show_motions import changing
from play import Match, begun, replayed, replayed_elsewhere
from soak import soak

from engine.restless import LATE, Moving, Restless
from engine.scripted import NORTH, SOUTH, TOY, waits
from pbem.app import catalogue
from pbem.app.undone import undone_lines
from pbem.engine import snapshot
from pbem.engine.assembly import assemble
from pbem.engine.campaign import Campaign
from pbem.engine.motions import check_change
from pbem.engine.run import TooEarly
from pbem.errors import BadEvidence
from pbem.log.event import Consent, Lapse, Motion, Request, Seal
from pbem.rules.play import Outcome
from pbem.rules.refusal import Refused

NORTHS_BET, SOUTHS_BET = 7, 12
"""The steps of the first two turns at which one side alone decides, when it does not rain and nobody moves anything."""
RICHER = "north supply 9 points 0"


def at(step: int, seed: int = 1, **options: Any) -> Moving:
    """A toy game in which one side alone decides at this step or later."""
    return Moving(TOY, seed, deadline_days=7, **options).till_one_decides(step)


def last(match: Match) -> str:
    return match.campaign.lines[-1].text


def code_of(match: Match, *words: Any, **fields: Any) -> str:
    """With which code a word of a match is refused; nothing has changed then."""
    word, *rest = words
    before, place = len(match.events), match.campaign.place
    with pytest.raises((BadEvidence, Refused)) as caught:
        word(*rest, **fields)
    assert (len(match.events), match.campaign.place) == (before, place)
    return caught.value.refusals[0].code if isinstance(caught.value, Refused) else caught.value.code


def richer(match: Moving) -> str:
    return match.position(lambda line: RICHER if line.startswith("north supply") else line)


def twin(match: Match, step: int) -> Match:
    """The same log up to (not including) a step, as somebody else replays it."""
    other = Match.__new__(Match)
    other.campaign = begun(match.events[0])
    for one in match.events[1:]:
        if one.event.step < step:
            other.campaign.offer(one)
    return other


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


# ------------------------------------------------------------------------------------------ taking back


def test_play_stands_where_it_stood() -> None:
    match = at(12)
    target = next(one.number for one in match.campaign.steps if one.number > 2 and _kinds(one) == {"answer"})
    then = twin(match, target)
    match.carry("take_back", step=target)
    assert match.campaign.state == then.campaign.state
    assert waits(match) == waits(then)
    question, asked = (one.campaign.question(match.decider) for one in (match, then))
    assert question is not None
    assert asked is not None
    assert question.legal() == asked.legal()


def _kinds(step: Any) -> set[str]:
    return {one.event.kind for one in step.events}


@pytest.mark.parametrize("target", range(2, 12))
def test_play_can_go_back_to_any_step(target: int) -> None:
    match = at(12)
    then = twin(match, target)
    match.carry("take_back", step=target)
    assert (match.campaign.state, waits(match)) == (then.campaign.state, waits(then))
    assert match.play().campaign.finished
    assert replayed(match.events) == match.traces


def test_play_can_go_back_into_the_branch_that_was_undone() -> None:
    match = at(12)
    undone = match.campaign.place.step - 2
    then = twin(match, undone)
    match.carry("take_back", step=3).till_one_decides()
    match.carry("take_back", step=undone)
    assert (match.campaign.state, waits(match)) == (then.campaign.state, waits(then))
    assert match.play().campaign.finished
    assert replayed(match.events) == match.traces


def test_play_can_go_back_to_a_step_of_the_second_branch() -> None:
    match = at(12)
    match.carry("take_back", step=3)
    second = match.campaign.place.step
    match.till_one_decides()
    then = twin(match, second + 1)
    match.carry("take_back", step=second + 1)
    assert (match.campaign.state, waits(match)) == (then.campaign.state, waits(then))


def test_play_can_go_back_behind_an_adjustment() -> None:
    match = at(2)
    before = match.campaign.state
    step = match.campaign.place.step
    match.carry("adjust", position=richer(match))
    assert match.campaign.state != before
    match.carry("take_back", step=step)
    assert match.campaign.state == before
    assert match.play().campaign.finished
    assert replayed(match.events) == match.traces


def test_play_can_go_back_to_where_a_motion_waited_and_to_what_was_refused() -> None:
    match = at(2)
    moved = match.campaign.place.step
    match.move("draw")
    match.refuse()
    state = match.campaign.state
    match.step()
    match.till_one_decides()
    for target in (moved, moved + 1, moved + 2):
        match.carry("take_back", step=target)
        assert (match.campaign.state, waits(match)) == (state, "north answer bet")


def test_a_pause_is_not_undone() -> None:
    match = at(2)
    step = match.campaign.place.step
    match.carry("pause").carry("take_back", step=step)
    assert match.campaign.place.paused


def test_new_dice_come_from_new_links_and_old_rolls_stay() -> None:
    match = at(12)
    rolled, tips = list(match.campaign.rolls), dict(match.campaign.tips)
    match.carry("take_back", step=3)
    assert (match.campaign.tips, list(match.campaign.rolls)) == (tips, rolled)
    match.till_one_decides()
    new = match.campaign.rolls[len(rolled) :]
    assert (new[0].label, new[0].step != rolled[0].step) == (rolled[0].label, True)
    links = [one.event.body.link for one in match.events if one.event.kind == "entropy"]  # type: ignore[attr-defined]
    assert len(set(links)) == len(links)


def test_lines_of_undone_steps_stay_readable() -> None:
    match = at(12)
    told = [line.text for line in match.campaign.lines]
    match.carry("take_back", step=3)
    assert [line.text for line in match.campaign.lines] == [*told, "play is taken back to step 3"]


def test_an_answer_that_was_sealed_before_the_target_is_opened_at_the_end() -> None:
    match = at(12)
    sealed = [one.id for one in match.campaign.steps[2].events]
    match.carry("take_back", step=4).play()
    assert [one.event.kind for one in match.events if one.id in sealed] == ["seal", "seal"]
    assert [line.text for line in match.campaign.lines if "opens a reserve" in line.text] != []
    assert not [line for line in match.campaign.lines if line.rule == "breach"]


def test_an_answer_that_was_sealed_behind_the_target_is_void_and_cannot_be_sealed_again() -> None:
    match = at(12)
    plans = next(one for one in match.campaign.steps if one.number > 2 and _kinds(one) == {"seal"})
    match.carry("take_back", step=plans.number)
    for one in plans.events:
        again = match.signed(one.event.role, one.event.body)
        assert code_of(match, match.offer, again) == "place.commitment"
    match.step()
    made = {one.event.body.commitment for one in match.events if isinstance(one.event.body, Seal)}
    assert len(made) == sum(one.event.kind == "seal" for one in match.events)
    assert match.play().campaign.finished


def test_nobody_can_go_back_to_the_acceptance_or_to_what_has_not_been() -> None:
    match = at(2)
    for step in (1, match.campaign.place.step, match.campaign.place.step + 5):
        assert code_of(match, match.move, "take_back", step=step) == "place.take_back"
        assert code_of(match, match.ask, "take_back", step=step) == "place.take_back"


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


# ------------------------------------------------------------------------------------------ snapshots


def test_a_pause_survives_a_snapshot() -> None:
    match = at(2, resume=True).carry("pause")
    match.till_one_decides(SOUTHS_BET)
    assert match.snapshots[-1].paused
    assert snapshot.read(snapshot.write(match.snapshots[-1])).paused
    assert match.campaign.place.paused


def test_a_motion_that_goes_back_behind_a_snapshot_says_so() -> None:
    match = at(SOUTHS_BET)
    kept = match.snapshots[-1]
    later = [one for one in match.events if one.event.step > kept.step]
    campaign: Campaign[Any] = Campaign.resume(TOY, match.registrations, kept)
    for one in later:
        campaign.offer(one)
    match.move("take_back", step=kept.step)
    campaign.offer(match.events[-1])
    assert undone_lines(campaign, 2) == ["would be undone: steps 2 to 13, which `pbem log --from 2` tells"]
    match.agree()
    with pytest.raises(TooEarly):
        campaign.offer(match.events[-1])


def test_a_motion_that_goes_back_to_what_follows_a_snapshot_is_carried_out_from_there() -> None:
    match = at(SOUTHS_BET)
    kept = match.snapshots[-1]
    match.carry("take_back", step=kept.step + 1)
    campaign: Campaign[Any] = Campaign.resume(TOY, match.registrations, kept)
    for one in match.events:
        if one.event.step > kept.step:
            campaign.offer(one)
    assert campaign.place == match.campaign.place


@pytest.mark.parametrize("what", ["take_back", "adjust"])
def test_behind_a_new_run_there_is_no_snapshot_before_the_next_checkpoint(what: str) -> None:
    match = at(SOUTHS_BET)
    assert match.campaign.snapshot is not None
    match.carry(what, **({"position": richer(match)} if what == "adjust" else {"step": NORTHS_BET}))
    assert match.campaign.snapshot is None
    match.play(lambda campaign: campaign.snapshot is not None)
    again = Campaign.resume(TOY, match.registrations, snapshot.read(snapshot.write(match.snapshots[-1])))
    assert again.place == match.campaign.place


# ------------------------------------------------------------------------------------------ random motions


@given(seed=st.integers(0, 2**31))
@settings(max_examples=25, deadline=None)
def test_random_motions_replay_to_the_same_digests(seed: int) -> None:
    whole = Restless(TOY, seed, deadline_days=7).play()
    assert replayed(whole.events) == whole.traces
    resumed = Restless(TOY, seed, deadline_days=7, resume=True).play()
    assert (resumed.archive(), _places(resumed)) == (whole.archive(), _places(whole))


def _places(match: Match) -> list[str]:
    """Traces without what was told: a campaign that was resumed has no older lines."""
    return [trace.rpartition(" ")[0] for trace in match.traces]


@pytest.mark.parametrize("game", catalogue.names())
def test_random_motions_in_every_game_replay_to_the_same_digests(game: str) -> None:
    match = Restless(catalogue.ruleset(game), 7, deadline_days=7).play()
    assert {"motion", "request"} & {one.event.kind for one in match.events}
    assert replayed(match.events) == match.traces


@given(seed=st.integers(0, 2**31), data=st.data())
@settings(max_examples=10, deadline=None)
def test_random_motions_in_any_order_of_mails_make_the_same_log(seed: int, data: st.DataObject) -> None:
    match = Restless(TOY, seed, deadline_days=7).play()
    events = data.draw(st.permutations(match.events[1:]))
    campaign = begun(match.events[0])
    found = assemble(campaign, [*events, *events])
    assert (campaign.head, found.refused, found.fork) == (match.campaign.head, [], None)


@pytest.mark.plan("C14")
@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_random_motions_replay_elsewhere(hash_seed: str, tmp_path: Path) -> None:
    assert_replayed_elsewhere(tmp_path, range(4), hash_seed)


@pytest.mark.soak
@pytest.mark.plan("C14")
@pytest.mark.timeout(7200)
def test_many_random_motions_replay_elsewhere(tmp_path: Path) -> None:
    for first in range(0, soak(500), 50):
        assert_replayed_elsewhere(tmp_path / str(first), range(first, first + 50), str(first))


def assert_replayed_elsewhere(folder: Path, seeds: range, hash_seed: str) -> None:
    folder.mkdir(exist_ok=True)
    here = {}
    for seed in seeds:
        match = Restless(TOY, seed, deadline_days=7).play()
        (folder / f"{seed}.pbem").write_bytes(match.archive())
        here[f"{seed}.pbem"] = match.traces
    assert replayed_elsewhere(folder, hash_seed) == here
    shutil.rmtree(folder)
