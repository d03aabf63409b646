"""Taking back: where play stands then, which dice and seals are void, and what a snapshot knows of it."""

from __future__ import annotations

from typing import Any

import pytest
from play import Match, begun, replayed

from engine.scripted import TOY, waits
from engine.tabling import at, code_of, richer
from pbem.app.undone import undone_lines
from pbem.engine import snapshot
from pbem.engine.campaign import Campaign
from pbem.engine.run import TooEarly
from pbem.log.event import Seal

NORTHS_BET, SOUTHS_BET = 7, 12
"""The steps of the first two turns at which one side alone decides, when it does not rain and nobody moves anything."""


def twin(match: Match, step: int) -> Match:
    """The same log up to (not including) a step, as somebody else replays it."""
    other = Match.__new__(Match)
    other.campaign = begun(match.events[0])
    for one in match.events[1:]:
        if one.event.step < step:
            other.campaign.offer(one)
    return other


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
