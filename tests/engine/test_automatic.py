"""What is answered without a human, and what never is."""

from __future__ import annotations

from typing import Any

import pytest
from play import Match, links_of

from engine.restless import Moving
from engine.scripted import END, NORTH, SOUTH, Say, Scripted, say
from pbem.app import catalogue
from pbem.engine.automatic import Automatic, automatic
from pbem.log.event import Answer, Close, Disclosure, Entropy, Open
from pbem.rules.play import Outcome, Rules, ask, open_sealed, roll, seal, total


def asked(*questions: Any, sealed: bool = False) -> Match:
    def script(_: Any) -> Rules[Outcome]:
        if sealed:
            found = yield from seal("asked", *questions)
            yield from open_sealed("asked", found, questions)
        else:
            yield from ask("asked", *questions)
        return END

    return Match(Scripted(script))


def rolled() -> Match:
    def script(_: Any) -> Rules[Outcome]:
        yield from roll("a", 1, 6, total)
        return END

    return Match(Scripted(script))


def by_itself(match: Match, role: Any = NORTH, standing: Any = None) -> Automatic | None:
    more = (standing,) if standing else ()
    return automatic(match.campaign, role, match.players[role], *more)


def test_entropy_opens_the_next_link() -> None:
    expected = Automatic(Entropy(index=1, link=links_of("north")[1].hex()), "its share of the dice")
    assert by_itself(rolled()) == expected


def test_nothing_is_answered_twice_or_for_somebody_else() -> None:
    match = rolled()
    match.offer(match.signed(NORTH, match.body(NORTH)))
    assert by_itself(match) is None
    assert by_itself(asked(say(NORTH, 2)), SOUTH) is None


def test_the_only_legal_answer_is_given() -> None:
    assert by_itself(asked(say(NORTH, 4))) == Automatic(Answer(ask="say", value={"number": 4}), "the only legal answer")


@pytest.mark.parametrize("options", [(), (2, 4)])
def test_a_choice_is_left_to_a_human(options: tuple[int, ...]) -> None:
    assert by_itself(asked(say(NORTH, *options))) is None


def test_standing_orders_answer_a_question() -> None:
    found = by_itself(asked(say(NORTH, 2, 4)), standing=lambda _: Say(number=4))
    assert found == Automatic(Answer(ask="say", value={"number": 4}), "standing orders")


def test_standing_orders_that_are_not_legal_now_leave_it_to_a_human() -> None:
    assert by_itself(asked(say(NORTH, 2, 4)), standing=lambda _: Say(number=3)) is None


@pytest.mark.plan("A37")
def test_a_sealed_answer_is_never_given_by_itself() -> None:
    """Its absence would tell that there was a choice."""
    assert by_itself(asked(say(NORTH, 2), sealed=True), standing=lambda _: Say(number=2)) is None


def test_a_seal_is_opened_with_what_the_vault_holds() -> None:
    match = asked(say(NORTH), sealed=True)
    match.offer(match.signed(NORTH, match.body_of(NORTH, Say(number=8))))
    ((salt, _),) = match.players[NORTH].vault.values()
    expected = Automatic(Open(ask="say", salt=salt.hex(), value={"number": 8}), "the opening of a sealed answer")
    assert by_itself(match) == expected


def test_what_the_vault_has_lost_is_not_opened() -> None:
    match = asked(say(NORTH), sealed=True)
    match.offer(match.signed(NORTH, match.body_of(NORTH, Say(number=8))))
    match.players[NORTH].vault.clear()
    assert by_itself(match) is None


def test_the_end_is_signed() -> None:
    match = rolled()
    match.step()
    closing = Close(result={"winner": "north", "rule": "9", "text": "north has it"}, head=match.campaign.head.hex())
    assert by_itself(match) == Automatic(closing, "the closing of the game")
    match.step()
    assert (match.campaign.finished, by_itself(match)) == (True, None)


def given_up() -> Moving:
    """North has conceded while its reserve and that of south are still sealed."""
    match = Moving(catalogue.ruleset("toy"), 1).till_one_decides(6).carry("concede")
    match.play(lambda campaign: any(one.secrets for one in campaign.place.demands.values()))
    return match


def test_what_was_left_sealed_is_opened_at_the_end() -> None:
    match = given_up()
    found = by_itself(match)
    assert found is not None
    assert isinstance(found.body, Close)
    salt, value = next(iter(match.players[NORTH].vault.values()))
    assert found.body.openings == [Disclosure(step=2, ask="reserve", salt=salt.hex(), value=dict(value))]
    assert found.why == "the opening of what was left sealed"


def test_what_the_vault_has_lost_is_told_at_the_end() -> None:
    match = given_up()
    match.players[NORTH].vault.clear()
    found = by_itself(match)
    assert found is not None
    assert isinstance(found.body, Close)
    assert found.body.openings == [Disclosure(step=2, ask="reserve", salt="", value=None)]
    assert found.why == "the opening of what was left sealed, of which that of step 2 is lost here"


def test_standing_orders_of_the_toy_play_its_bets() -> None:
    toy = catalogue.ruleset("toy")
    match = Match(toy, 3)
    for player in match.players.values():
        player.standing = lambda question: toy.standing_answer(question, match.campaign.state, "bet always 1")
    match.play()
    assert {one.question.kind for one in match.asked} == {"reserve", "plan"}
