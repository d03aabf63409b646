"""What stays of a motion when steps go by: held time, pauses, rotations; and what a campaign is behind a refusal."""

from __future__ import annotations

import pytest
from play import begun

from engine.restless import Faltering, Moving
from engine.scripted import TOY
from engine.seated import Seated
from engine.tabling import at
from pbem.app import catalogue
from pbem.engine import snapshot
from pbem.engine.campaign import Campaign
from pbem.engine.ledger import Ledger
from pbem.engine.run import TooEarly
from pbem.log.event import REFEREE, Annul


def test_a_campaign_that_would_go_back_too_far_is_unchanged() -> None:
    match = at(12)
    kept = match.snapshots[-1]
    later = [one for one in match.events if one.event.step > kept.step]
    campaign = Campaign.resume(TOY, match.registrations, kept)
    for one in later:
        campaign.offer(one)
    match.move("take_back", step=kept.step)
    campaign.offer(match.events[-1])
    moved, place, head, steps = campaign.moved, campaign.place, campaign.head, len(campaign.steps)
    match.agree()
    for _ in range(2):
        with pytest.raises(TooEarly):
            campaign.offer(match.events[-1])
    assert (campaign.moved, campaign.place, campaign.head, len(campaign.steps)) == (moved, place, head, steps)
    assert campaign.pending() == ()


def test_a_game_that_is_resumed_lets_through_the_rotations_that_a_whole_one_does() -> None:
    """Behind a checkpoint at which somebody with a rotated key is asked at once: nothing else has closed a step."""
    ruleset = catalogue.ruleset("westerplatte")
    game = Seated(ruleset, 1, deadline_days=7)
    game.till_one_decides().rotate()
    role, first = game.decider, game.campaign.place.step
    game.step()
    game.play(
        lambda campaign: (
            campaign.snapshot is not None
            and first < campaign.snapshot.step == campaign.place.step - 1
            and campaign.place.deciding == (role,)
        )
    )
    kept = game.campaign.snapshot
    assert kept is not None
    resumed = Campaign.resume(ruleset, game.registrations, snapshot.read(snapshot.write(kept)))
    count = len(game.events)
    game.rotate()
    for one in game.events[count:]:
        resumed.offer(one)
    assert resumed.place == game.campaign.place


def test_a_request_to_resume_ends_with_its_step() -> None:
    match = at(2)
    match.carry("pause")
    match.till_one_decides()
    match.ask("resume")
    assert match.campaign.place.resuming != {}
    match.step()
    assert match.campaign.place.resuming == {}


def test_a_paused_game_in_which_somebody_was_late_goes_on() -> None:
    match = Faltering(TOY, 1, deadline_days=7, remedy="worst")
    match.motions = match.lapses = 0
    match.till_one_decides(2)
    match.carry("pause")
    match.till_one_decides()
    assert match.campaign.place.paused
    match.ask("resume")
    owing = match.decider
    before = len(match.campaign.lines)
    match.claim(owing)
    assert not match.campaign.place.paused
    assert match.campaign.lines[before].text == "the game is resumed: no deadline stands still any more"
    other = begun(match.events[0])
    for one in match.events[1:]:
        other.offer(one)
    assert other.place == match.campaign.place


def test_a_game_that_is_annulled_while_a_new_seat_owes_its_deposit_waits_for_its_end() -> None:
    game = Seated(TOY, 1, deadline_days=7)
    game.till_one_decides().appoint("Rita", days=7)
    game.till_one_decides()
    role = game.decider
    holder = game.held(role)
    seated = game._holder(role, holder.identity.rotated(), holder.name)
    game.carry("seat", **game._seat(seated))
    assert {demand.kind for demand in game.campaign.place.demands.values()} == {"deposit"}
    game._given(REFEREE, Annul(why=""))
    assert {demand.kind for demand in game.campaign.place.demands.values()} == {"close"}


def test_time_that_was_held_for_a_new_key_is_forgotten_with_the_next_decision() -> None:
    """Or a deadline that begins much later would be counted from before the rotation."""
    held, free = (Seated(TOY, 1, deadline_days=7) for _ in range(2))
    held.till_one_decides().rotate()
    for game in (held, free):
        game.till_one_decides()
        game.step()
        game.clock += 30 * 24 * 3600
        game.till_one_decides()
        game.appoint("Rita", days=7)
        assert game.clock - game.campaign.place.since < 24 * 3600


def test_time_never_goes_back_in_a_hosted_game() -> None:
    match = Moving(TOY, 1)
    events = match.campaign.steps[0].events
    ledger = Ledger(match.campaign.game, events[0].event.at + 500)
    ledger.close(events, hosted=True)
    assert ledger.since == events[0].event.at + 500
    ledger.close(events, hosted=False)
    assert ledger.since == events[0].event.at
