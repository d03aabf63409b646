"""Lapses: what silence beyond the deadline does, and when it is none."""

from __future__ import annotations

from typing import Any

import pytest
from play import Match

from engine.scripted import NORTH, SOUTH, playing, waits
from pbem.errors import BadEvidence
from pbem.log.event import Lapse, Role
from pbem.log.verify import DAY, Verified
from pbem.rules.play import Outcome

LATE = 10 * DAY


def late(match: Match, role: Role, owing: Role, kind: Any) -> Verified:
    """A claim, when everything is long overdue."""
    return match.signed(role, Lapse(role=owing, demand=kind, dice=[]), at=match.clock + LATE)


@pytest.mark.plan("A34")
def test_a_seal_that_is_not_opened_in_time_becomes_the_default() -> None:
    match = playing("open", deadline_days=7)
    match.offer(match.signed(SOUTH, match.body(SOUTH)))
    assert match.offer(late(match, SOUTH, NORTH, "open")) is True
    assert [line.text for line in match.campaign.lines][-3:-1] == [
        "north did not open its plan: the default stands",
        "north: hold with 0",
    ]
    assert (waits(match), match.campaign.outcome) == ("north answer bet", None)


@pytest.mark.parametrize("kind", ["answer", "entropy", "seal"])
@pytest.mark.plan("A43")
def test_any_other_silence_is_a_claim_of_the_game(kind: str) -> None:
    match = playing(kind, deadline_days=7)
    step = match.campaign.place.step
    if kind != "answer":
        match.offer(match.signed(SOUTH, match.body(SOUTH)))
    assert match.offer(late(match, SOUTH, NORTH, kind)) is True
    text = f"south claimed the game at step {step}, where north's {kind} did not come"
    assert match.campaign.outcome == Outcome("south", "remedy", text)
    assert match.campaign.lines[-1].text == text
    assert waits(match) == "north close and south close"
    match.play()
    assert match.campaign.finished


def test_a_claim_waits_for_what_the_claimant_owes_itself() -> None:
    match = playing("entropy", deadline_days=7)
    assert match.offer(late(match, SOUTH, NORTH, "entropy")) is False
    assert list(match.campaign.awaited()) == [NORTH, SOUTH]
    assert match.offer(match.signed(SOUTH, match.body(SOUTH))) is True
    assert match.campaign.outcome is not None


def test_an_answer_that_comes_before_the_step_closes_wins_over_the_lapse() -> None:
    match = playing("entropy", deadline_days=7)
    match.offer(late(match, SOUTH, NORTH, "entropy"))
    match.offer(match.signed(NORTH, match.body(NORTH)))
    match.offer(match.signed(SOUTH, match.body(SOUTH)))
    assert [one.event.kind for one in match.campaign.steps[-1].events] == ["entropy", "entropy"]
    assert match.campaign.outcome is None


@pytest.mark.parametrize(
    ("role", "owing", "kind", "at", "text"),
    [
        (SOUTH, NORTH, "answer", DAY, "expected a lapse no earlier than 7 days after the step before"),
        (SOUTH, NORTH, "open", LATE, "expected a lapse of what another role owes at step"),
        (SOUTH, SOUTH, "answer", LATE, "expected a lapse of what another role owes at step"),
        (NORTH, NORTH, "answer", LATE, "expected a lapse of what another role owes at step"),
    ],
)
def test_a_lapse_that_is_none_is_refused(role: Role, owing: Role, kind: Any, at: int, text: str) -> None:
    match = playing("answer", deadline_days=7)
    with pytest.raises(BadEvidence) as caught:
        match.offer(match.signed(role, Lapse(role=owing, demand=kind, dice=[]), at=match.clock + at))
    assert (caught.value.code, caught.value.text[: len(text)]) == ("place.lapse", text)


def test_a_game_without_a_deadline_knows_no_lapse() -> None:
    match = playing("answer")
    with pytest.raises(BadEvidence, match=r"^place\.lapse: expected no lapse in a game without a deadline$"):
        match.offer(late(match, SOUTH, NORTH, "answer"))


def test_where_each_claims_what_the_other_owes_nobody_has_won() -> None:
    match = playing("entropy", deadline_days=7)
    step = match.campaign.place.step
    match.offer(late(match, SOUTH, NORTH, "entropy"))
    match.offer(late(match, NORTH, SOUTH, "entropy"))
    text = f"north and south claimed the game at step {step}, where south's entropy and north's entropy did not come"
    assert match.campaign.outcome == Outcome("", "remedy", text)
