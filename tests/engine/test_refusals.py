"""A refusal changes nothing: bad places, foreign events and bad answers, offered to every game wherever it waits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play import Match, played, trace, waiting_for

from pbem.app import catalogue
from pbem.engine.admission import accepted
from pbem.engine.campaign import Campaign
from pbem.errors import PbemError
from pbem.log.event import Answer, Body, Close, Entropy, Lapse, Open, Role, Seal
from pbem.rules.refusal import Refused

GAMES = catalogue.names()
every_game = pytest.mark.parametrize("game", GAMES)


def places() -> list[Any]:
    """Every game with every kind of event that it waits for."""
    kinds = {(game, verified.event.kind) for game in GAMES for verified in played(game).events}
    return [pytest.param(*one, id="-".join(one)) for one in sorted(kinds) if one[1] not in ("propose", "accept")]


def fingerprint(campaign: Campaign[Any]) -> tuple[Any, ...]:
    """Everything that an event can change."""
    driver = campaign.driver
    return (
        trace(campaign),
        campaign.place,
        campaign.pending(),
        campaign.roster,
        campaign.head,
        campaign.snapshot,
        campaign.outcome,
        len(campaign.steps),
        len(campaign.lines),
        len(campaign.rolls),
        campaign.ruleset.encode(campaign.state),
        driver.trace,
        repr(driver.dice),
    )


def assert_refused(match: Match, role: Role, body: Body, **changes: Any) -> PbemError:
    """Offer a signed event that does not fit; nothing may have changed after its refusal."""
    before = fingerprint(match.campaign)
    verified = match.signed(role, body, **changes)
    with pytest.raises(PbemError) as caught:
        match.campaign.offer(verified)
    assert fingerprint(match.campaign) == before
    return caught.value


def fitting(match: Match) -> tuple[Role, Body]:
    """What the first role that is waited for could say now."""
    role = sorted(match.campaign.awaited())[0]
    return role, match.body(role)


@pytest.mark.parametrize(("game", "kind"), places())
@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("step", 0, "place.step"),
        ("step", 999_999, "place.step"),
        ("prev", "ab" * 32, "place.prev"),
        ("state", "cd" * 32, "place.state"),
    ],
)
def test_a_wrong_place_is_refused_and_changes_nothing(game: str, kind: str, field: str, value: Any, code: str) -> None:
    match = waiting_for(game, kind)
    assert assert_refused(match, *fitting(match), **{field: value}).code == code


FOREIGN: dict[str, Body] = {
    "answer": Answer(ask="nothing", value={}),
    "seal": Seal(ask="nothing", commitment="ef" * 32, escrow=""),
    "open": Open(ask="nothing", salt="ef" * 32, value={}),
    "entropy": Entropy(index=1, link="ef" * 32),
    "close": Close(result={"winner": "me"}, head="ef" * 32),
    "lapse": Lapse(role=Role("nobody"), demand="answer", dice=[]),
}


@pytest.mark.parametrize(("game", "kind"), places())
@pytest.mark.parametrize("body", FOREIGN.values(), ids=FOREIGN)
def test_an_event_that_is_not_waited_for_is_refused_and_changes_nothing(game: str, kind: str, body: Body) -> None:
    match = waiting_for(game, kind)
    for role in match.ruleset.roles:
        assert assert_refused(match, role, body).code.startswith(("place.", "chain."))


@every_game
def test_an_answer_out_of_turn_is_refused_and_changes_nothing(game: str) -> None:
    match = waiting_for(game, "answer")
    role, body = fitting(match)
    other = next(one for one in match.ruleset.roles if one != role)
    assert assert_refused(match, other, body).code == "place.role"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["do", "unit", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@st.composite
def values(draw: st.DrawFn, like: Mapping[str, Any]) -> dict[str, Any]:
    """A legal answer with something in it changed, left out or added, or anything at all."""
    if draw(st.integers(0, 3)) == 0:
        return draw(st.dictionaries(st.sampled_from(["do", *like, "more"]), JSON, max_size=4))
    value = dict(like)
    name = draw(st.sampled_from([*like, "more"]))
    if name in value and draw(st.booleans()):
        del value[name]
    else:
        value[name] = draw(JSON)
    return value


@every_game
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_bad_answer_is_refused_and_changes_nothing(game: str, data: st.DataObject) -> None:
    match = waiting_for(game, "answer")
    role = sorted(match.campaign.awaited())[0]
    question = match.campaign.question(role)
    assert question is not None
    good = data.draw(st.sampled_from(question.legal())).model_dump(mode="json")
    value = data.draw(values(good))
    try:
        answer = accepted(question, value)
    except Refused:
        assert assert_refused(match, role, Answer(ask=question.kind, value=value)).code != ""
    else:
        assert list(question.check(answer)) == []
