"""Assembly: whatever order, repetition and loss the mails bring, the same events make the same log."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play import Match, trace
from toy.state import Bet, Reserve

from engine.scripted import NORTH, SOUTH
from pbem.app import catalogue
from pbem.engine.assembly import Assembled, assemble
from pbem.engine.campaign import Campaign
from pbem.log.event import Lapse, Resolve, Role
from pbem.log.verify import DAY, Verified

TOY = catalogue.ruleset("toy")


@cache
def whole_game() -> Match:
    return Match(TOY, 2).play()


def fresh(match: Match) -> Campaign[Any]:
    return Campaign(TOY, match.events[0])


def ids(events: Sequence[Verified]) -> list[str]:
    return sorted(event.id for event in events)


class Inbox:
    """A home as far as assembly goes: what came too early is kept and offered again."""

    def __init__(self, match: Match) -> None:
        self.campaign = fresh(match)
        self.early: dict[str, Verified] = {}
        self.refused: list[Verified] = []

    def take(self, events: Sequence[Verified]) -> Assembled:
        result = assemble(self.campaign, [*events, *self.early.values()])
        self.early = {event.id: event for event in result.early}
        self.refused += [event for event, _ in result.refused]
        return result


@st.composite
def mails(draw: st.DrawFn, lossless: bool = True) -> list[list[Verified]]:
    """The events of a game in any order, some of them twice, cut into mails anywhere; some may be lost."""
    events = whole_game().events[1:]
    order = draw(st.permutations(range(len(events))))
    order += draw(st.lists(st.sampled_from(range(len(events))), max_size=20))
    if not lossless:
        lost = draw(st.sets(st.sampled_from(range(len(events))), min_size=1, max_size=6))
        order = [number for number in order if number not in lost]
    cuts = sorted(draw(st.sets(st.integers(0, len(order)), max_size=8)))
    edges = [0, *cuts, len(order)]
    return [[events[number] for number in order[a:b]] for a, b in pairwise(edges)]


@pytest.mark.plan("M37")
@settings(max_examples=150, deadline=None)
@given(mails())
def test_any_order_repetition_and_cutting_makes_the_same_log(arriving: list[list[Verified]]) -> None:
    inbox = Inbox(whole_game())
    for mail in arriving:
        inbox.take(mail)
    assert (inbox.campaign.head, inbox.campaign.finished) == (whole_game().campaign.head, True)
    assert (inbox.early, inbox.refused) == ({}, [])
    assert trace(inbox.campaign) == trace(whole_game().campaign)
    assert list(inbox.campaign.lines) == list(whole_game().campaign.lines)


@pytest.mark.plan("M37")
@settings(max_examples=100, deadline=None)
@given(mails(lossless=False))
def test_what_is_lost_is_waited_for_and_the_rest_is_kept(arriving: list[list[Verified]]) -> None:
    inbox = Inbox(whole_game())
    for mail in arriving:
        inbox.take(mail)
    came = {event.id for mail in arriving for event in mail}
    lost = [event for event in whole_game().events[1:] if event.id not in came]
    first = min(event.event.step for event in lost)
    assert inbox.campaign.place.step == first
    assert set(inbox.campaign.awaited()) == {event.event.role for event in lost if event.event.step == first}
    assert ids(list(inbox.early.values())) == ids([one for one in whole_game().events if _later(one, first, came)])
    inbox.take(lost)
    assert inbox.campaign.head == whole_game().campaign.head


def _later(event: Verified, step: int, came: set[str]) -> bool:
    return event.event.step > step and event.id in came


def test_everything_again_is_overtaken_and_changes_nothing() -> None:
    inbox = Inbox(whole_game())
    inbox.take(whole_game().events)
    before = trace(inbox.campaign)
    result = inbox.take(whole_game().events)
    assert (ids(result.overtaken), result.accepted, result.early, result.refused) == (
        ids(whole_game().events),
        [],
        [],
        [],
    )
    assert trace(inbox.campaign) == before


# ---------------------------------------------------------------------- forks


def forked() -> tuple[Match, Verified, Verified, list[Verified]]:
    """A game at a bet of north, two different bets, and what follows the first one."""
    match = Match(TOY, 2).play(lambda campaign: "bet" in {demand.ask for demand in campaign.place.demands.values()})
    rivals = [match.signed(NORTH, match.body_of(NORTH, Bet(supply=supply))) for supply in (0, 1)]
    match.offer(rivals[0])
    match.step()
    later = [event for event in match.events if event.event.step > rivals[0].event.step]
    return match, rivals[0], rivals[1], later


def resolution(match: Match, by: Role, keep: Verified, drop: Verified, **changes: Any) -> Verified:
    step = keep.event.step
    body = Resolve(role=keep.event.role, keep=keep.id, drop=drop.id)
    return match.signed(by, body, **{"step": step, "prev": keep.event.prev, "state": keep.event.state} | changes)


def before(match: Match, rival: Verified) -> list[Verified]:
    return [event for event in match.events if event.event.step < rival.event.step]


@pytest.mark.plan("A18")
def test_two_events_at_one_place_stop_the_game_in_whatever_order_they_come() -> None:
    match, kept, other, later = forked()
    events = [*before(match, kept), kept, other, *later]
    for order in (events, events[::-1]):
        campaign = fresh(match)
        result = assemble(campaign, order)
        assert result.fork is not None
        assert {result.fork.first.id, result.fork.second.id} == {kept.id, other.id}
        assert result.fork.first.id < result.fork.second.id
        assert (campaign.place.step, campaign.pending()) == (kept.event.step, ())
        assert ids(result.early) == ids(later)
        assert other not in result.overtaken


@pytest.mark.plan("A19")
@pytest.mark.parametrize("survivor", [0, 1])
def test_the_other_side_names_the_event_that_stands(survivor: int) -> None:
    match, *rivals, later = forked()
    keep, drop = rivals[survivor], rivals[1 - survivor]
    settled = resolution(match, SOUTH, keep, drop)
    campaign = fresh(match)
    result = assemble(campaign, [*before(match, keep), drop, *later, keep], [settled])
    assert result.fork is None
    assert keep in campaign.steps[keep.event.step].events
    assert ids(result.overtaken) == ids([match.events[0], drop, *(later if survivor else [])])
    assert campaign.place.step == (match.campaign.place.step if survivor == 0 else keep.event.step + 1)


@pytest.mark.parametrize("who", ["itself", "elsewhere", "both ways"])
def test_a_resolution_that_settles_nothing_leaves_the_fork(who: str) -> None:
    match, one, other, _ = forked()
    settled = {
        "itself": [resolution(match, NORTH, one, other)],
        "elsewhere": [resolution(match, SOUTH, one, other, step=one.event.step + 1)],
        "both ways": [resolution(match, SOUTH, one, other), resolution(match, SOUTH, other, one)],
    }
    result = assemble(fresh(match), [*before(match, one), one, other], settled[who])
    assert result.fork is not None


def test_three_rivals_need_two_to_be_dropped() -> None:
    match, one, other, _ = forked()
    match = Match(TOY, 2).play(lambda campaign: campaign.place.step == one.event.step)
    third = match.signed(NORTH, match.body_of(NORTH, Bet(supply=1)), at=99)
    first, second = resolution(match, SOUTH, one, other), resolution(match, SOUTH, one, third)
    events = [*before(match, one), one, other, third]
    assert assemble(fresh(match), events, [first]).fork is not None
    assert assemble(fresh(match), events, [first, second]).fork is None


def test_a_resolution_is_no_candidate_itself() -> None:
    match, one, other, _ = forked()
    settled = resolution(match, SOUTH, one, other)
    result = assemble(fresh(match), [*match.events, settled])
    assert settled not in (*result.accepted, *result.early, *result.overtaken)


# ---------------------------------------------------------------------- early, overtaken, refused


def test_what_follows_another_log_is_overtaken() -> None:
    match, one, other, later = forked()
    campaign = fresh(match)
    result = assemble(campaign, [*before(match, one), other, *later])
    assert ids(result.overtaken) == ids([match.events[0], *(e for e in later if e.event.prev != campaign.place.prev)])
    assert other in campaign.steps[other.event.step].events


def test_an_event_that_the_rules_refuse_is_kept_apart_and_the_others_count() -> None:
    match = Match(TOY, 2).play(lambda campaign: "bet" in {demand.ask for demand in campaign.place.demands.values()})
    bad = match.signed(NORTH, match.body_of(NORTH, Bet(supply=99)))
    campaign = fresh(match)
    result = assemble(campaign, [*match.events, bad])
    ((refused, reason),) = result.refused
    assert (refused, reason.code, campaign.place) == (bad, "toy.supply", match.campaign.place)


def test_an_answer_wins_over_a_lapse_in_whatever_order_they_come() -> None:
    match = Match(TOY, 2, deadline_days=7)
    match.play(lambda campaign: "bet" in {demand.ask for demand in campaign.place.demands.values()})
    answer = match.signed(NORTH, match.body_of(NORTH, Bet(supply=0)))
    lapse = match.signed(SOUTH, Lapse(role=NORTH, demand="answer", dice=[]), at=match.clock + 10 * DAY)
    for order in ([answer, lapse], [lapse, answer]):
        campaign = fresh(match)
        result = assemble(campaign, [*match.events, *order])
        assert campaign.steps[-1].events == (answer,)
        assert ids(result.overtaken) == ids([match.events[0], lapse])
        assert campaign.outcome is None


def test_resolutions_that_contradict_each_other_leave_the_fork_where_others_act_too() -> None:
    match = Match(TOY, 2)
    one, other = (match.signed(NORTH, match.body_of(NORTH, Reserve()), at=at) for at in (8, 9))
    south = match.signed(SOUTH, match.body(SOUTH))
    settled = [resolution(match, SOUTH, one, other), resolution(match, SOUTH, other, one)]
    for order in ([one, other, south], [south, other, one]):
        campaign = fresh(match)
        result = assemble(campaign, [*match.events, *order], settled)
        assert result.fork is not None
        assert campaign.awaited().keys() == {NORTH, SOUTH}


def test_a_resolution_is_no_veto_against_a_single_event() -> None:
    match = Match(TOY, 2)
    north, south = (match.signed(role, match.body(role)) for role in (NORTH, SOUTH))
    vetoed = match.signed(SOUTH, Resolve(role=NORTH, keep="ab" * 32, drop=north.id))
    campaign = fresh(match)
    assemble(campaign, [*match.events, north, south], [vetoed])
    assert campaign.steps[-1].events == (north, south)
