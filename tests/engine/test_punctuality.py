"""Who was late: by the dates in the log, with what nobody decides counted apart."""

from __future__ import annotations

from typing import Any

import pytest
from play import Match

from engine.restless import Moving
from engine.scripted import END, NORTH, TOY, Scripted, playing, say
from pbem.app.delays import delays_of, lines_of, sentence, span
from pbem.engine.campaign import Campaign
from pbem.engine.punctuality import Met, Record, demands_met, record
from pbem.log.event import Lapse
from pbem.log.verify import DAY
from pbem.rules.play import Outcome, Rules, ask

HOUR = 3_600


def delays(match: Match) -> list[Met]:
    return [one for one in demands_met(match.campaign)[0] if one.late or one.stood_in]


def at(kind: str) -> Moving:
    """A toy game that waits for a kind of event, and for a decision only where there is a choice."""
    return Moving(TOY, 2, deadline_days=7).play(lambda campaign: waits_for(campaign, kind))  # type: ignore[return-value]


def waits_for(campaign: Campaign[Any], kind: str) -> bool:
    asked = {role for role, demand in campaign.place.demands.items() if demand.kind == kind}
    questions = [question for role in asked if (question := campaign.question(role))]
    return bool(asked) and all(question.forced() is None for question in questions)


def delayed(match: Match, by: int) -> Met:
    """What is found when everything that is owed comes that much beyond the deadline."""
    match.clock = match.campaign.place.since + 7 * DAY + by - 60
    match.step()
    found = delays(match)
    assert len({one.step for one in found}) == 1
    return found[0]


@pytest.mark.parametrize(
    ("kind", "decides"),
    [("answer", True), ("seal", True), ("entropy", False), ("open", False), ("close", False)],
)
def test_every_kind_of_answer_can_be_late_and_only_decisions_were_missed(kind: str, decides: bool) -> None:
    match = at(kind)
    step, role = match.campaign.place.step, min(match.campaign.place.demands)
    found = delayed(match, 5 * HOUR)
    assert (found.step, found.kind, found.decides, found.stood_in) == (step, kind, decides, "")
    assert found.late in (5 * HOUR, 5 * HOUR + 60)
    assert role in {one.role for one in delays(match)}
    counted = record(demands_met(match.campaign)[0], found.role, decides=decides)
    assert (counted.late, counted.longest, counted.stood_in) == (1, found.late, 0)
    assert record(demands_met(match.campaign)[0], found.role, decides=not decides).late == 0


def test_a_consent_is_a_decision() -> None:
    match = at("answer")
    match.move("draw")
    match.clock += 8 * DAY
    match.refuse()
    assert [(one.kind, one.decides, one.role) for one in delays(match)] == [("consent", True, match.waiter)]


def test_nothing_is_late_to_the_second() -> None:
    match = at("answer")
    match.clock = match.campaign.place.since + 7 * DAY - 60
    match.step()
    assert delays(match) == []


def one_option(state: Any) -> Rules[Outcome]:
    yield from ask(state, say(NORTH, 4))
    yield from ask(state, say(NORTH, 2, 4))
    return END


def test_a_question_with_one_legal_answer_is_no_decision() -> None:
    class Answering(Scripted):
        def bots(self) -> Any:
            return {"random": lambda question, _, __: question.default}

    match = Match(Answering(one_option), 1, deadline_days=7)
    for _ in range(2):
        match.clock += 9 * DAY
        match.step()
    assert [(one.step, one.role, one.decides) for one in delays(match)] == [(2, NORTH, False), (3, NORTH, True)]


def lapsed(kind: Any) -> Match:
    """The first role that owes something is silent."""
    match = at(kind)
    role = min(match.campaign.awaited())
    other = match.other(role)
    if other in match.campaign.awaited():
        match.offer(match.signed(other, match.body(other)))
    match.offer(match.signed(other, Lapse(role=role, demand=kind, dice=[]), at=match.clock + 8 * DAY))
    return match


@pytest.mark.parametrize(
    ("kind", "decides"), [("answer", True), ("seal", True), ("entropy", False), ("open", False), ("close", False)]
)
def test_what_was_claimed_stood_in_the_place_of_what_was_owed(kind: str, decides: bool) -> None:
    match = lapsed(kind)
    (found,) = (one for one in delays(match) if one.stood_in)
    assert (found.kind, found.decides, found.stood_in) == (kind, decides, "lapse")


def test_no_deadline_runs_in_a_pause_and_an_extended_one_runs_longer() -> None:
    paused = at("answer")
    paused.carry("pause")
    paused.clock += 90 * DAY
    paused.play()
    assert delays(paused) == []
    extended = at("answer")
    extended.carry("extend", days=10)
    assert delayed(extended, 11 * DAY).late == DAY


def test_nobody_is_late_without_a_deadline() -> None:
    match = playing("answer")
    match.clock += 900 * DAY
    match.play()
    assert delays(match) == []


def test_what_was_late_in_words() -> None:
    match = at("answer")
    decider = match.decider
    delayed(match, DAY + 5 * HOUR)
    found = delays_of(match.campaign)
    step = match.campaign.place.step - 1
    assert lines_of(found.found) == [f"{step:5}  {decider}'s orders: late by 1 day 5 hours"]
    assert sentence(found.decisions[decider], found.others[decider]) == (
        "3 decisions, 1 late (at most by 1 day 5 hours), 0 stood in for; "
        "without a choice: 2 answers, 0 late, 0 stood in for"
    )
    assert lines_of(delays_of(lapsed("open").campaign).found)[-1].endswith(
        "  north's opening of sealed orders (no decision): it was claimed"
    )
    assert found.data()["roles"][decider]["decisions"] == {
        "number": 3,
        "late": 1,
        "longest": DAY + 5 * HOUR,
        "stood_in": 0,
    }
    assert Record() == record([], NORTH, decides=True)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1, "1 hour"),
        (HOUR, "1 hour"),
        (HOUR + 1, "1 hour"),
        (3 * HOUR // 2, "2 hours"),
        (DAY, "1 day"),
        (50 * HOUR, "2 days 2 hours"),
    ],
)
def test_a_time_in_words(seconds: int, words: str) -> None:
    assert span(seconds) == words
