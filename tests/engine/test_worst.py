"""The worst for who is silent: defaults and dictated dice in the engine, replayed, resumed, and taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play import Match, begun, replayed

from engine.restless import LATE, Faltering, dictated, places
from engine.scripted import NORTH, SOUTH, TOY, waits
from pbem.app import catalogue
from pbem.app.catalogue import for_proposal
from pbem.app.verify import verify
from pbem.engine import snapshot
from pbem.engine.assembly import assemble
from pbem.engine.automatic import Automatic, automatic
from pbem.engine.campaign import Campaign
from pbem.engine.dictation import spelled_rolls
from pbem.errors import BadEvidence, BadRequest
from pbem.log.event import Dictated, Entropy, Lapse, Open
from pbem.log.nouns import NOUNS
from pbem.log.verify import Verified


def lowest(_: int) -> int:
    """Every die shows 1, of what is left the first is drawn."""
    return 0


def till(kind: str, step: int = 0, **options: Any) -> Faltering:
    """A toy game with the remedy `worst` that waits for a kind of event, at this step or later."""
    match = Faltering(TOY, 1, deadline_days=7, remedy="worst", **options)
    match.motions = match.lapses = 0
    match.play(
        lambda campaign: (
            campaign.place.step >= step and kind in {demand.kind for demand in campaign.place.demands.values()}
        )
    )
    return match


def rolling(**options: Any) -> Faltering:
    """A game in which north's bet is decided: assaults, rain and the next weather are to be rolled with one key."""
    return till("entropy", till("answer", **options).campaign.place.step, **options)


def texts(match: Match, before: int) -> list[str]:
    return [line.text for line in match.campaign.lines[before:]]


# ------------------------------------------------------------------------------------------ what stands instead


@pytest.mark.plan("A43", "A34")
@pytest.mark.parametrize("kind", ["seal", "open"])
def test_where_both_are_silent_each_claims_what_the_other_owes_and_both_have_defaults(kind: str) -> None:
    match = till(kind)
    before = len(match.campaign.lines)
    match.claim(NORTH)
    match.claim(SOUTH)
    told = [f"{role}'s {NOUNS[kind]} did not come, as {other} states: the default stands" for role, other in PAIRS]
    assert texts(match, before)[:2] == told
    assert match.campaign.outcome is None
    assert match.play().campaign.finished


PAIRS = ((SOUTH, NORTH), (NORTH, SOUTH))


@pytest.mark.plan("A43")
def test_the_default_of_a_decision_is_as_if_it_had_been_given() -> None:
    match = till("answer")
    (owing,) = match.campaign.place.demands
    question = match.campaign.question(owing)
    assert question is not None
    given = till("answer")
    given.offer(given.signed(owing, given.body_of(owing, question.default)))
    match.claim(owing)
    assert (match.campaign.state, waits(match)) == (given.campaign.state, waits(given))


def test_a_default_that_stands_for_what_was_not_sealed_is_opened_by_itself() -> None:
    match = till("seal", 4)
    match.claim(SOUTH)
    match.offer(match.signed(NORTH, match.body(NORTH)))
    opening = Open(ask="plan", salt="00" * 32, value={"do": "hold", "stake": 0})
    assert automatic(match.campaign, SOUTH, match.players[SOUTH]) == Automatic(opening, "the opening of a default")


def test_results_that_are_left_over_are_named() -> None:
    trial, command = rolling().campaign.trial(), "pbem motion claim toy"
    with pytest.raises(BadRequest) as told:
        spelled_rolls(trial, ["1", "1", "1", "1", "1", "sun", "6"], command)
    assert str(told.value) == "lapse.dice: expected 6 results, got 7: '6' is left over"
    assert told.value.hint == "for example `pbem motion claim toy --dice 1,1,1,1,1,sun`"


def test_every_roll_is_what_was_dictated_and_the_next_one_is_not() -> None:
    match = rolling()
    step = match.campaign.place.step
    match.offer(match.signed(NORTH, match.body(NORTH)))
    match.claim(SOUTH, lowest)
    rolls = [one for one in match.campaign.rolls if one.step == step]
    assert len(rolls) > 1
    assert {(one.dictated, *one.faces) for one in rolls} <= {(NORTH, 1), (NORTH, 1, 1), (NORTH, 1, 1, 1)}
    match.play()
    assert {one.dictated for one in match.campaign.rolls if one.step > step} == {""}
    assert verify(match.archive(), for_proposal()).dictated == len(rolls)


@pytest.mark.plan("A43")
def test_neither_the_link_that_is_open_nor_the_one_that_is_not_serves_another_roll() -> None:
    match = rolling()
    index = {role: tip.next for role, tip in match.campaign.tips.items()}
    match.offer(match.signed(NORTH, match.body(NORTH)))
    match.claim(SOUTH)
    tips = match.campaign.tips
    assert {role: (tip.index, tip.next) for role, tip in tips.items()} == {
        NORTH: (index[NORTH], index[NORTH] + 1),
        SOUTH: (index[SOUTH] - 1, index[SOUTH] + 1),
    }
    match.play(lambda campaign: campaign.tips[SOUTH].withheld == 0)
    assert match.campaign.tips[SOUTH].index == index[SOUTH] + 1


def test_a_link_that_was_withheld_is_refused_afterwards() -> None:
    match = rolling()
    withheld = match.signed(SOUTH, match.body(SOUTH)).event.body
    match.offer(match.signed(NORTH, match.body(NORTH)))
    match.claim(SOUTH)
    match.play(lambda campaign: any(one.kind == "entropy" for one in campaign.place.demands.values()))
    assert isinstance(withheld, Entropy)
    with pytest.raises(BadEvidence) as told:
        match.offer(match.signed(SOUTH, withheld))
    expected = withheld.index + 1
    assert str(told.value) == (f"chain.index: expected link {expected} of south's chain, got link {withheld.index}")


# ------------------------------------------------------------------------------------------ refusals


def claim_of(match: Faltering, change: Callable[[list[Dictated]], list[Dictated]]) -> Verified:
    dice = change(dictated(match.campaign, lowest))
    return match.signed(NORTH, Lapse(role=SOUTH, demand="entropy", dice=dice), at=match.clock + LATE)


REFUSED: dict[str, Callable[[list[Dictated]], list[Dictated]]] = {
    "expected 2 dice of 6 sides for '2.4/turn-1/south' dictated too, got 1 roll": lambda dice: dice[:1],
    "expected 2 dice of 6 sides for '2.4/turn-1/south' dictated as roll 2, got '2.1/turn-2/weather'": (
        lambda dice: [dice[0], dice[2]]
    ),
    "expected 2 dice of 6 sides for '2.4/turn-1/north', got 7 1": (
        lambda dice: [Dictated(label=dice[0].label, faces=[7, 1]), *dice[1:]]
    ),
    "expected 2 dice of 6 sides for '2.4/turn-1/north', got 1": (
        lambda dice: [Dictated(label=dice[0].label, faces=[1]), *dice[1:]]
    ),
    "expected 3 dictated rolls, got 4": lambda dice: [*dice, dice[-1]],
}


@pytest.mark.plan("A17")
@pytest.mark.parametrize("told", REFUSED)
def test_dice_that_the_rules_do_not_roll_are_refused_and_change_nothing(told: str) -> None:
    match = assaults()
    before, lines = match.campaign.place, list(match.campaign.lines)
    with pytest.raises(BadEvidence) as caught:
        match.offer(claim_of(match, REFUSED[told]))
    assert str(caught.value) == f"campaign.dictated: {told}"
    assert (match.campaign.place, list(match.campaign.lines)) == (before, lines)
    assert match.offer(claim_of(match, list)) is True


def assaults() -> Faltering:
    """A game in which both sides assault, the weather comes behind that, and north's link is open."""
    for seed in range(100):
        match = Faltering(TOY, seed, deadline_days=7, remedy="worst")
        match.motions = match.lapses = 0
        match.play(lambda campaign: campaign.place.step == ROLLS)
        match.offer(match.signed(NORTH, match.body(NORTH)))
        if [one.label for one in dictated(match.campaign, lowest)] == LABELS:
            return match
    raise AssertionError("no such game")


ROLLS = 7
LABELS = ["2.4/turn-1/north", "2.4/turn-1/south", "2.1/turn-2/weather"]


@pytest.mark.plan("A17")
def test_who_has_not_opened_its_own_link_dictates_nothing() -> None:
    match = rolling()
    before = match.campaign.place
    with pytest.raises(BadEvidence) as told:
        match.claim(SOUTH)
    assert str(told.value) == (
        f"campaign.dictated: expected north to open its own link before it dictates the rolls of step {before.step}"
    )
    assert match.campaign.place == before


# ------------------------------------------------------------------------------------------ snapshots, taking back


def test_a_checkpoint_behind_dictated_dice_is_resumed_with_them() -> None:
    """The weather of the next turn is dictated with the assaults, behind the checkpoint between them."""
    match = assaults()
    match.offer(claim_of(match, list))
    kept = match.snapshots[-1]
    assert kept.step == ROLLS
    again = Campaign.resume(TOY, match.registrations, snapshot.read(snapshot.write(kept)))
    assert (again.place, again.driver.dice) == (match.campaign.place, match.campaign.driver.dice)
    assert [(one.label, one.dictated) for one in again.rolls] == [(LABELS[-1], NORTH)]


def test_a_dictated_roll_that_is_taken_back_is_rolled_with_new_links() -> None:
    match = rolling()
    step = match.campaign.place.step
    match.offer(match.signed(NORTH, match.body(NORTH)))
    match.claim(SOUTH)
    match.till_one_decides().carry("take_back", step=step)
    match.step()
    assert not match.campaign.rolls[-1].dictated
    assert match.campaign.tips[SOUTH].withheld == 0
    assert replayed(match.events) == match.traces


# ------------------------------------------------------------------------------------------ random play


def links(match: Match) -> list[str]:
    return [one.event.body.link for one in match.events if isinstance(one.event.body, Entropy)]


@pytest.mark.plan("A43", "C14")
@given(seed=st.integers(0, 2**31))
@settings(max_examples=25, deadline=None)
def test_random_silence_replays_and_resumes_to_the_same_digests(seed: int) -> None:
    whole = Faltering(TOY, seed, deadline_days=7, remedy="worst").play()
    assert replayed(whole.events) == whole.traces
    resumed = Faltering(TOY, seed, deadline_days=7, remedy="worst", resume=True).play()
    assert (resumed.archive(), places(resumed)) == (whole.archive(), places(whole))
    assert len(set(links(whole))) == len(links(whole))


@given(seed=st.integers(0, 2**31), data=st.data())
@settings(max_examples=10, deadline=None)
def test_random_silence_in_any_order_of_mails_makes_the_same_log(seed: int, data: st.DataObject) -> None:
    match = Faltering(TOY, seed, deadline_days=7, remedy="worst").play()
    campaign = begun(match.events[0])
    found = assemble(campaign, data.draw(st.permutations(match.events[1:])))
    assert (campaign.head, found.refused, found.fork) == (match.campaign.head, [], None)


@pytest.mark.parametrize("game", catalogue.names())
def test_random_silence_in_every_game_verifies(game: str) -> None:
    match = Faltering(catalogue.ruleset(game), 7, deadline_days=7, remedy="worst").play()
    assert replayed(match.events) == match.traces
    assert verify(match.archive(), for_proposal()).finished
