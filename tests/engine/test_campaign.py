"""The campaign: what it waits for, what closes a step, what a lapse does, how it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from play import Match, proposal
from toy.state import Bet, Plan, Reserve

from engine.scripted import END, NORTH, SOUTH, TOY, Say, Scripted, playing, say, waits
from pbem.engine.campaign import Campaign
from pbem.errors import BadEvidence
from pbem.log.event import Answer, Close, Entropy, Open, Role, Seal
from pbem.log.verify import Demand
from pbem.rules.play import Outcome, Rules, ask, ask_together, open_sealed, roll, seal, total
from pbem.rules.refusal import Refused

# ---------------------------------------------------------------------- what is waited for


def test_a_short_game_waits_for_every_kind_of_event_in_turn() -> None:
    match = Match(TOY, 5, scenario="short")
    found = ["south accept"]
    while not match.campaign.finished:
        found.append(waits(match))
        match.step()
    assert found == [
        "south accept",
        "north seal reserve and south seal reserve",
        "north entropy and south entropy",
        "north seal plan and south seal plan",
        "north open plan and south open plan",
        "north answer bet",
        "north entropy and south entropy",
        "north open reserve",
        "south open reserve",
        "north close and south close",
    ]


def test_before_every_party_has_accepted_nobody_is_asked_anything() -> None:
    campaign = Campaign(TOY, proposal(TOY, "short", {}, 0, 1))
    assert (campaign.started, campaign.awaited()) == (False, {SOUTH: Demand("accept")})
    assert [campaign.question(role) for role in TOY.roles] == [None, None]


def test_a_question_is_put_to_whom_it_concerns_until_it_is_answered() -> None:
    match = playing("answer")
    question = match.campaign.question(NORTH)
    assert question is not None
    assert (question.kind, match.campaign.question(SOUTH)) == ("bet", None)
    match.offer(match.signed(NORTH, match.body_of(NORTH, Bet())))
    assert match.campaign.question(NORTH) is None


def test_those_who_decide_together_are_waited_for_one_by_one() -> None:
    match = playing("seal")
    first = match.signed(NORTH, match.body(NORTH))
    assert match.offer(first) is False
    assert (list(match.campaign.awaited()), match.campaign.pending()) == ([SOUTH], (first,))
    assert match.offer(match.signed(SOUTH, match.body(SOUTH))) is True
    assert match.campaign.pending() == ()


def test_a_step_is_the_same_whoever_comes_first() -> None:
    heads = set()
    for order in ((NORTH, SOUTH), (SOUTH, NORTH)):
        match = playing("entropy")
        events = {role: match.signed(role, match.body(role), at=5) for role in order}
        for role in order:
            match.offer(events[role])
        heads.add((match.campaign.head, match.campaign.place.state))
        assert [one.event.role for one in match.campaign.steps[-1].events] == [NORTH, SOUTH]
    assert len(heads) == 1


def test_an_enumeration_of_sides_is_plain_text_in_the_log() -> None:
    from enum import StrEnum

    class Side(StrEnum):
        NORTH = "north"

    def script(_: Any) -> Rules[Outcome]:
        yield from ask("asked", say(Role(Side.NORTH)))
        return END

    match = Match(Scripted(script))
    assert [type(role) for role in match.campaign.awaited()] == [str]


# ---------------------------------------------------------------------- what is refused


def test_the_same_event_twice_is_one_event() -> None:
    match = playing("seal")
    event = match.signed(NORTH, match.body(NORTH))
    assert [match.campaign.offer(event) for _ in range(3)] == [False, False, False]
    assert match.campaign.pending() == (event,)


def test_a_second_event_of_a_role_at_a_step_is_refused() -> None:
    match = playing("seal")
    first = match.signed(NORTH, match.body_of(NORTH, Reserve(strength=1)))
    match.offer(first)
    second = match.signed(NORTH, Seal(ask="reserve", commitment="ab" * 32, escrow=""))
    with pytest.raises(BadEvidence) as caught:
        match.campaign.offer(second)
    assert str(caught.value) == (
        "campaign.answered: expected one event of a role at a step, got also north's seal of step 2 "
        f"(event {second.id[:12]})"
    )
    assert match.campaign.pending() == (first,)


def test_an_illegal_answer_is_refused_with_the_reason_of_the_rules() -> None:
    match = playing("answer")
    supply = match.campaign.state.north.supply
    with pytest.raises(Refused) as caught:
        match.offer(match.signed(NORTH, Answer(ask="bet", value={"supply": 99})))
    assert str(caught.value) == f"toy.supply: expected at most {min(2, supply)} supply, got 99 (2.3)"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"supply": "1"}, "expected an answer to 'bet', got a wrong 'supply' (it is no whole number)"),
        ({"supply": True}, "expected an answer to 'bet', got a wrong 'supply' (it is no whole number)"),
        ({"supply": 1, "x": 1}, "expected an answer to 'bet', got a wrong 'x' (there is no such field)"),
        (
            {"supply": -1},
            "expected an answer to 'bet', got a wrong 'supply' (it is less than 0)",
        ),
    ],
)
def test_an_answer_that_is_none_is_refused(value: dict[str, Any], text: str) -> None:
    match = playing("answer")
    with pytest.raises(Refused) as caught:
        match.offer(match.signed(NORTH, Answer(ask="bet", value=value)))
    assert (caught.value.code, caught.value.text) == ("answer.form", text)


@pytest.mark.plan("A31")
def test_a_copied_commitment_is_refused() -> None:
    match = playing("seal")
    match.step()
    seals = [one.event.body for one in match.campaign.steps[-1].events]
    match.play(lambda campaign: campaign.place.step == 4)
    assert isinstance(seals[0], Seal)
    with pytest.raises(BadEvidence, match=r"^place\.commitment: "):
        match.offer(match.signed(SOUTH, Seal(ask="plan", commitment=seals[0].commitment, escrow="")))


def test_a_campaign_begins_with_a_proposal() -> None:
    match = playing("seal")
    with pytest.raises(BadEvidence) as caught:
        Campaign(TOY, match.events[1])
    assert (str(caught.value), caught.value.hint) == (
        f"campaign.proposal: expected a proposal at step 0, got {match.events[1].title}",
        "",
    )


class Newer(type(TOY)):  # type: ignore[misc]
    version = 2


class Crowded(type(TOY)):  # type: ignore[misc]
    roles = (*TOY.roles, Role("east"))


@pytest.mark.plan("A28")
def test_other_rules_are_refused_by_name() -> None:
    newer = Newer(TOY.files)
    with pytest.raises(BadEvidence) as caught:
        Campaign(newer, proposal(TOY, "short", {}, 0, 1))
    assert caught.value.text == (
        f"expected toy version 1 with data {TOY.digest[:12]}, which the game was proposed with, "
        f"got version 2 with data {newer.digest[:12]} here"
    )


def test_every_role_of_the_game_has_a_seat() -> None:
    with pytest.raises(BadEvidence, match=r"^campaign\.roles: expected seats for north, south, east$"):
        Campaign(Crowded(TOY.files), proposal(TOY, "short", {}, 0, 1))


# ---------------------------------------------------------------------- seals


def sealed_plans(answer: Callable[[Role], Any]) -> Match:
    """A short game just after its plans were opened."""
    match = Match(TOY, 5, scenario="short")
    match.play(lambda campaign: "plan" in {demand.ask for demand in campaign.place.demands.values()})
    for role in TOY.roles:
        match.offer(match.signed(role, match.body_of(role, answer(role))))
    match.step()
    return match


@pytest.mark.plan("A38")
def test_an_illegal_sealed_answer_becomes_the_default_and_is_told() -> None:
    match = sealed_plans(lambda role: Plan(do="assault", stake=9 if role == NORTH else 1))
    assert [line.text for line in match.campaign.lines][-3:] == [
        "north sealed an illegal plan (toy.supply: expected at most 3 supply, got 9 (2.2)): the default stands",
        "north: hold with 0",
        "south: assault with 1",
    ]


@pytest.mark.plan("A38")
def test_a_sealed_answer_of_no_form_becomes_the_default_and_is_told() -> None:
    match = sealed_plans(lambda role: Plan.model_construct(do="sing" if role == SOUTH else "hold", stake=1))  # type: ignore[arg-type]
    assert [line.text for line in match.campaign.lines][-3] == (
        "south sealed an illegal plan (answer.form: expected an answer to 'plan', got a wrong 'do' "
        "(it can be: 'assault', 'hold')): the default stands"
    )
    assert match.campaign.state.south.supply == 3


@pytest.mark.plan("A32")
def test_another_answer_than_the_sealed_one_opens_nothing() -> None:
    match = playing("open")
    ((salt, value),) = (match.players[NORTH].vault[_opens(match, NORTH)],)
    other = {**value, "stake": value["stake"] + 1}
    with pytest.raises(BadEvidence) as caught:
        match.offer(match.signed(NORTH, Open(ask="plan", salt=salt.hex(), value=other)))
    assert caught.value.text == "expected the answer that north sealed at step 4, got another one"


def _opens(match: Match, role: Role) -> bytes:
    opens = match.campaign.place.demands[role].opens
    assert opens is not None
    return opens[0]


def test_a_seal_can_rest_in_the_state_over_many_steps() -> None:
    match = Match(TOY, 5).play()
    kept = match.campaign.steps[2].events[0].event.body
    opened = [one.event for step in match.campaign.steps[-3:-1] for one in step.events]
    assert isinstance(kept, Seal)
    assert kept.ask == "reserve"
    assert [(one.step, one.role, one.kind) for one in opened] == [(16, NORTH, "open"), (17, SOUTH, "open")]


# ---------------------------------------------------------------------- the end


def test_a_game_is_finished_when_every_party_has_signed_its_result() -> None:
    match = playing("close")
    outcome = match.campaign.outcome
    assert outcome is not None
    assert match.campaign.place.demands == dict.fromkeys((NORTH, SOUTH), Demand("close", result=outcome.as_result()))
    match.step()
    assert (match.campaign.finished, match.campaign.place.demands, match.campaign.awaited()) == (True, {}, {})


@pytest.mark.parametrize("wrong", ["result", "head"])
def test_a_closing_that_says_something_else_is_refused(wrong: str) -> None:
    match = playing("close")
    good = match.body(NORTH)
    assert isinstance(good, Close)
    bad = {"result": {**good.result, "winner": "east"}, "head": "ab" * 32}[wrong]
    with pytest.raises(BadEvidence, match=r"^place\.result: expected the closing to say "):
        match.offer(match.signed(NORTH, good.model_copy(update={wrong: bad})))


def test_nothing_follows_the_closing() -> None:
    match = playing("close")
    match.step()
    with pytest.raises(BadEvidence, match=r"^place\.role: expected an event of nobody at step 11, got north's entropy"):
        match.offer(match.signed(NORTH, Entropy(index=3, link="ab" * 32)))


def test_a_draw_has_no_winner() -> None:
    def script(_: Any) -> Rules[Outcome]:
        yield from ask("asked", say(NORTH, 2))
        return Outcome("", "9", "nobody has it")

    match = Match(Scripted(script)).play()
    closing = match.campaign.steps[-1].events[0].event.body
    assert isinstance(closing, Close)
    assert closing.result == {"winner": "", "rule": "9", "text": "nobody has it"}


def test_a_game_that_ends_at_once_is_closed_at_once() -> None:
    def script(_: Any) -> Rules[Outcome]:
        return END
        yield

    assert waits(Match(Scripted(script))) == "north close and south close"


# ---------------------------------------------------------------------- dice


@pytest.mark.plan("A42")
@pytest.mark.plan("A45")
def test_the_dice_of_a_step_come_from_both_links_and_the_decisions_before_them() -> None:
    def script(_: Any) -> Rules[Outcome]:
        yield from ask("asked", say(NORTH, 2, 4))
        yield from roll("a", 20, 6, total)
        return END

    faces = set()
    for number in (2, 4):
        match = Match(Scripted(script))
        match.clock = 5
        match.offer(match.signed(NORTH, match.body_of(NORTH, Say(number=number))))
        match.step()
        faces.add(match.campaign.rolls[0].faces)
    assert len(faces) == 2


def test_links_are_opened_one_for_each_step_that_rolls() -> None:
    def script(_: Any) -> Rules[Outcome]:
        for number in range(3):
            yield from roll(f"{number}/a", 1, 6, total)
            yield from roll(f"{number}/b", 1, 6, total)
            yield from ask_together("asked", say(NORTH), say(SOUTH))
        return END

    match = Match(Scripted(script))
    match.players[NORTH].decide = match.players[SOUTH].decide = lambda *_: Say()
    match.play()
    assert [tip.index for tip in match.campaign.tips.values()] == [3, 3]
    assert [one.id for one in match.campaign.rolls] == ["2:0/a", "2:0/b", "5:1/a", "5:1/b", "8:2/a", "8:2/b"]


def test_one_role_alone_can_be_asked_in_secret() -> None:
    def script(_: Any) -> Rules[Outcome]:
        found = yield from seal("asked", say(SOUTH))
        (said,) = yield from open_sealed("asked", found, (say(SOUTH),))
        return replace(END, text=str(said))

    match = Match(Scripted(script))
    match.players[SOUTH].decide = lambda *_: Say(number=6)
    match.play()
    assert match.campaign.outcome == Outcome("north", "9", "number=6")
