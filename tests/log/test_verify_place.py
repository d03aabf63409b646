"""Steps 9 to 15: events that are rightly signed and stand in the wrong place (`pbem.log.verify.verify_place`)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.errors import BadEvidence
from pbem.log import chain, event
from pbem.log.chain import Tip
from pbem.log.event import Accept, Answer, Close, Entropy, Lapse, Open, Ruling, Seal
from pbem.log.seal import commitment
from pbem.log.step import step_digest
from pbem.log.verify import Demand, Place, Verified, verify_place

from .builders import (
    ADJUDICATOR,
    END,
    GERMAN,
    HOUR,
    NONCE,
    PLANS,
    POLISH,
    REFEREE,
    RESULT,
    SCRIPT,
    Game,
    body_of,
    follow,
    links_of,
    new_game,
    played,
    player,
    salt_of,
    secret,
)
from .make_logs import DEADLINE

MOVE = Answer(ask="move", value={"from": "road", "to": "hill"})


def placed(game: Game, line: bytes, place: Place | None = None) -> str:
    """The code with which a rightly signed event is refused at its place; empty when it fits."""
    try:
        verify_place(game.verified(line), place or game.place())
    except BadEvidence as error:
        return error.code
    return ""


def rows(game: Game) -> tuple[bytes, list[bytes]]:
    """The head of an archive with its keys, and its event lines."""
    found = game.archive().split(b"\n")
    first = 1 + len(game.keys)
    return b"\n".join(found[:first]) + b"\n", found[first:-1]


def follow_code(head: bytes, lines: list[bytes]) -> str:
    with pytest.raises(BadEvidence) as caught:
        follow(head + b"".join(line + b"\n" for line in lines))
    return caught.value.code


# ---------------------------------------------------------------------------------- A17: the chain of steps


@pytest.mark.plan("A17")
@pytest.mark.parametrize("dropped", range(2, 8))
def test_a_dropped_step_is_noticed(dropped: int) -> None:
    game = played(END)
    head, lines = rows(game)
    before = sum(len(step) for step in game.steps[:dropped])
    left = lines[:before] + lines[before + len(game.steps[dropped]) :]
    assert follow_code(head, left) == "place.step"


@pytest.mark.plan("A17")
def test_a_dropped_event_is_noticed() -> None:
    head, lines = rows(played(END))
    codes = {follow_code(head, lines[:at] + lines[at + 1 :]) for at in range(1, len(lines) - 2)}
    assert codes <= {"place.step", "place.role", "event.author"}


@pytest.mark.plan("A17")
def test_reordered_steps_are_noticed() -> None:
    head, lines = rows(played(END))
    assert follow_code(head, [*lines[:4], *lines[5:7], lines[4], *lines[7:]]) == "place.step"


@pytest.mark.plan("A17")
def test_an_inserted_event_changes_the_head_that_all_later_ones_name() -> None:
    """The german answers step 3 once more, after the log has gone on from its first answer."""
    game = played(5)
    other = played(3)
    swapped = other.line(GERMAN, Answer(ask="move", value={"from": "road", "to": "ford"}))
    head, lines = rows(game)
    assert follow_code(head, [*lines[:4], swapped, *lines[5:]]) == "place.prev"


@pytest.mark.plan("A17")
def test_a_step_moved_to_another_number_is_noticed() -> None:
    game = played(3)
    assert placed(game, game.line(GERMAN, MOVE, step=4)) == "place.step"


@pytest.mark.plan("A17")
def test_events_of_one_step_may_come_in_any_order() -> None:
    game = played(2)
    lines = [game.line(role, game.entropy(role)) for role in (GERMAN, POLISH)]
    heads = []
    for order in (lines, lines[::-1]):
        again = played(2)
        again.add(*order)
        heads.append(again.head)
    assert heads[0] == heads[1]


@pytest.mark.plan("A17")
def test_a_step_digest_depends_on_every_event_and_their_order() -> None:
    ids = [one.id for one in played(3).steps[2]]
    digests = {step_digest(bytes(32), chosen) for chosen in (ids, ids[::-1], ids[:1], [*ids, ids[0]], [])}
    assert len(digests) == 5


# ---------------------------------------------------------------------------------- 10, 11: state, role, kind, question


def test_another_state_is_told_with_both_digests() -> None:
    game = played(3)
    other = secret("another state").hex()
    verified = game.verified(game.line(GERMAN, MOVE, state=other))
    with pytest.raises(BadEvidence) as caught:
        verify_place(verified, game.place())
    assert (str(caught.value), caught.value.hint) == (
        f"place.state: expected the state {game.place().state[:16]} before step 3, which this program computes, "
        f"got {other[:16]} in german's answer of step 3 (event {verified.id[:12]})",
        "the two programs disagree about the rules or their data: compare `pbem games --json` at both ends",
    )


def test_who_is_not_asked_has_nothing_to_say() -> None:
    game = played(3)
    verified = game.verified(game.line(POLISH, MOVE))
    with pytest.raises(BadEvidence) as caught:
        verify_place(verified, game.place())
    assert str(caught.value) == (
        f"place.role: expected an event of german at step 3, got polish's answer of step 3 (event {verified.id[:12]})"
    )


@pytest.mark.plan("A41")
def test_a_question_is_answered_once_and_by_its_name() -> None:
    """In this design a roll has no index that could be asked for twice: its place is step and label."""
    game = played(3)
    assert placed(game, game.line(GERMAN, Answer(ask="plan", value={}))) == "place.ask"
    game.add(game.line(GERMAN, MOVE))
    late = played(3).line(GERMAN, MOVE)
    assert placed(game, late) == "place.step"


# ---------------------------------------------------------------------------------- A45, A46: chains


@pytest.mark.plan("A46")
@pytest.mark.parametrize(("index", "link"), [(0, 0), (2, 2), (3, 3), (4096, 4096)])
def test_links_are_opened_one_after_the_other(index: int, link: int) -> None:
    game = played(2)
    body = Entropy(index=index, link=links_of(GERMAN, NONCE)[link].hex())
    assert placed(game, game.line(GERMAN, body)) == "chain.index"


@pytest.mark.plan("A41", "A46")
def test_a_link_is_opened_once() -> None:
    game = played(6)
    assert placed(game, game.line(GERMAN, Entropy(index=1, link=links_of(GERMAN, NONCE)[1].hex()))) == "chain.index"
    assert placed(game, game.line(GERMAN, Entropy(index=2, link=links_of(GERMAN, NONCE)[1].hex()))) == "chain.link"


@pytest.mark.plan("A46")
@pytest.mark.parametrize("whose", ["other role", "other game", "other seed", "next link"])
def test_links_of_another_chain_do_not_fit(whose: str) -> None:
    game = played(2)
    link = {
        "other role": links_of(POLISH, NONCE)[1],
        "other game": links_of(GERMAN, secret("second nonce"))[1],
        "other seed": chain.links(secret("another seed"), NONCE, GERMAN)[1],
        "next link": links_of(GERMAN, NONCE)[2],
    }[whose]
    assert placed(game, game.line(GERMAN, Entropy(index=1, link=link.hex()))) == "chain.link"


@pytest.mark.plan("A46")
def test_the_refusal_of_a_wrong_link_names_both_links() -> None:
    tip = Tip("german", NONCE, 4096, 0, links_of(GERMAN, NONCE)[0])
    with pytest.raises(BadEvidence) as caught:
        tip.opened(1, bytes(32))
    assert str(caught.value) == "chain.link: expected link 1 of german's chain to hash to link 0"


def test_a_chain_has_an_end() -> None:
    links = chain.links(secret("short"), NONCE, "german", 2)
    tip = Tip("german", NONCE, 2, 0, links[0]).opened(1, links[1]).opened(2, links[2])
    with pytest.raises(BadEvidence) as caught:
        tip.opened(3, bytes(32))
    assert str(caught.value) == "chain.exhausted: expected one of 2 links, got link 3"


@pytest.mark.plan("A45")
def test_every_anchor_is_fixed_before_the_first_decision() -> None:
    """Anchors stand in propose and accept, steps 0 and 1; nobody is asked before all have accepted."""
    game = new_game()
    anchors = {role: tip.link for role, tip in game.tips.items()}
    assert anchors == {role: links_of(role, NONCE)[0] for role in (GERMAN, POLISH)}
    assert Game(game.lines[0], [player(GERMAN)]).tips == {}


@pytest.mark.plan("A45")
def test_copying_the_anchor_of_the_proposer_gives_a_chain_that_nobody_can_open() -> None:
    """The acceptor has seen the proposer's anchor; index and role are inside, so even its very links do not fit."""
    game = Game(played(2).lines[0], [player(GERMAN), player(POLISH)])
    copied = player(POLISH).registration().model_copy(update={"anchor": links_of(GERMAN, NONCE)[0].hex()})
    game.add(game.line(POLISH, Accept(registration=copied)))
    echo = Entropy(index=1, link=links_of(GERMAN, NONCE)[1].hex())
    assert placed(game, game.line(POLISH, echo)) == "chain.link"


@pytest.mark.plan("A45")
def test_anchors_cannot_be_changed_later() -> None:
    game = played(3)
    again = player(POLISH).registration().model_copy(update={"anchor": secret("anchor").hex()})
    assert placed(game, game.line(POLISH, Accept(registration=again))) == "place.role"


# ---------------------------------------------------------------------------------- A31, A33: seals in their place


@pytest.mark.plan("A31")
def test_a_commitment_of_an_earlier_step_cannot_be_made_again() -> None:
    game = played(7)
    made = game.steps[4][0].event.body
    assert isinstance(made, Seal)
    verified = game.verified(game.line(POLISH, made))
    with pytest.raises(BadEvidence) as caught:
        verify_place(verified, game.place())
    assert str(caught.value) == (
        "place.commitment: expected a commitment of polish's own, got a copy of an earlier one"
    )


@pytest.mark.plan("A31")
def test_a_commitment_copied_within_a_step_cannot_be_opened() -> None:
    """Which of two events of one step came first is nobody's business, so the copy itself stands; it is worthless."""
    game = played(4)
    german = game.sealed(GERMAN, "plan", PLANS["german"])
    game.add(game.line(GERMAN, german), game.line(POLISH, german))
    opened = Open(ask="plan", salt=salt_of(GERMAN, 4).hex(), value=PLANS["german"])
    assert placed(game, game.line(GERMAN, opened)) == ""
    assert placed(game, game.line(POLISH, opened)) == "place.opening"


@pytest.mark.plan("A33")
@pytest.mark.parametrize("moved", ["step", "role", "purpose", "game", "salt"])
def test_an_opening_opens_in_its_own_place_only(moved: str) -> None:
    """The same salt and answer, committed to in another place."""
    game = played(4)
    place = {
        "game": bytes.fromhex(game.game),
        "step": 4,
        "role": "german",
        "purpose": "plan",
        "salt": salt_of(GERMAN, 4),
    }
    other = {"game": secret("game"), "step": 7, "role": "polish", "purpose": "move", "salt": secret("salt")}
    made = commitment(**{**place, moved: other[moved]}, payload=b'{"attack":"hill"}')  # type: ignore[arg-type]
    demand = {GERMAN: Demand("open", "plan", (made, 4))}
    opening = Open(ask="plan", salt=salt_of(GERMAN, 4).hex(), value=PLANS["german"])
    assert placed(game, game.line(GERMAN, opening), game.place(demand)) == "place.opening"


@pytest.mark.plan("A32")
def test_another_plan_does_not_open_the_seal() -> None:
    game = played(5)
    other = game.opening(GERMAN, "plan", {"attack": "ford"})
    verified = game.verified(game.line(GERMAN, other))
    with pytest.raises(BadEvidence) as caught:
        verify_place(verified, game.place())
    assert str(caught.value) == ("place.opening: expected the answer that german sealed at step 4, got another one")


# ---------------------------------------------------------------------------------- 14, 15: lapse and close


def lapse(game: Game, after: int, role: str = POLISH, demand: event.Kind = "entropy", by: str = GERMAN) -> bytes:
    return game.line(by, Lapse(role=event.Role(role), demand=demand, dice=[]), at=game.since + after)


def test_a_lapse_after_the_deadline_fits() -> None:
    game = played(2)
    assert (placed(game, lapse(game, DEADLINE)), placed(game, lapse(game, DEADLINE - 1))) == ("", "place.lapse")


def test_the_refusal_of_an_early_lapse_counts_the_seconds() -> None:
    game = played(2)
    with pytest.raises(BadEvidence) as caught:
        verify_place(game.verified(lapse(game, DEADLINE - HOUR)), game.place())
    assert str(caught.value) == (
        "place.lapse: expected a lapse no earlier than 7 days after the step before, got one 3600 seconds too early"
    )


@pytest.mark.parametrize(("role", "demand"), [(GERMAN, "entropy"), (POLISH, "answer"), (REFEREE, "entropy")])
def test_a_lapse_is_of_what_another_role_owes(role: str, demand: event.Kind) -> None:
    game = played(2)
    assert placed(game, lapse(game, DEADLINE, role, demand)) == "place.lapse"


def test_a_party_that_is_not_asked_may_state_a_lapse() -> None:
    game = played(3)
    assert placed(game, lapse(game, DEADLINE, GERMAN, "answer", by=POLISH)) == ""


def test_no_lapse_before_the_game_has_begun() -> None:
    game = Game(played(2).lines[0], [player(GERMAN)])
    assert placed(game, lapse(game, DEADLINE, POLISH, "accept")) == "place.lapse"


def test_no_lapse_without_a_deadline() -> None:
    game = new_game(deadline_days=0)
    assert placed(game, lapse(game, 10 * DEADLINE)) == "place.lapse"


def test_no_ruling_without_a_deadline() -> None:
    """An adjudicator may host a game without a deadline, and has then nothing to rule behind."""
    seats = (player(GERMAN), player(POLISH), player(ADJUDICATOR))
    game = new_game(*seats, rollers=[GERMAN, POLISH], deadline_days=0)
    body = Ruling(role=GERMAN, demand="answer", link="", salt="", value=None, agree=False, motion="", why="")
    verified = game.verified(game.line(ADJUDICATOR, body, at=game.since + 10 * DEADLINE))
    with pytest.raises(BadEvidence) as caught:
        verify_place(verified, game.place({GERMAN: Demand("answer", "move")}))
    assert str(caught.value) == ("place.ruling: expected a deadline that runs behind a ruling, got a game without one")


def test_a_closing_says_what_everybody_computes() -> None:
    game = played(9)
    bodies = (
        body_of(game, GERMAN),
        Close(result={**RESULT, "winner": "polish"}, head=game.head.hex()),
        Close(result=RESULT, head=secret("another head").hex()),
    )
    assert [placed(game, game.line(GERMAN, body)) for body in bodies] == ["", "place.result", "place.result"]


def test_a_whole_game_fits_its_places_step_by_step() -> None:
    game = played(END)
    assert [len(step) for step in game.steps] == [1, *(len(roles) for roles, _, _ in SCRIPT.values())]


@pytest.mark.plan("A12")
def test_what_was_verified_cannot_be_exchanged() -> None:
    verified = played(3).steps[2][0]
    with pytest.raises(AttributeError):
        verified.event = replace(verified.event, at=0)  # type: ignore[misc]
    assert isinstance(verified, Verified)
