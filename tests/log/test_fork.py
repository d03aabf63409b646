"""Equivocation and its proof; and what looks like one and accuses nobody (`pbem.log.fork`)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.errors import BadEvidence, PbemError
from pbem.log import bundle, event, fork
from pbem.log.event import Accept, Answer, Lapse, Resolve
from pbem.log.fork import Fork
from pbem.log.verify import Verified, verify_event

from .builders import GERMAN, POLISH, Game, new_game, played, player, secret
from .make_logs import DEADLINE


def answer(game: Game, to: str) -> Verified:
    return game.verified(game.line(GERMAN, Answer(ask="move", value={"from": "road", "to": to})))


def forked() -> tuple[Game, Fork]:
    game = played(3)
    found = fork.fork(answer(game, "hill"), answer(game, "ford"))
    assert found is not None
    return game, found


def code_of(data: bytes) -> str:
    with pytest.raises(PbemError) as caught:
        fork.read_evidence(bundle.read(data))
    return caught.value.code


@pytest.mark.plan("A18")
def test_two_answers_at_one_place_are_a_fork_whichever_comes_first() -> None:
    game = played(3)
    one, other = answer(game, "hill"), answer(game, "ford")
    assert fork.fork(one, other) == fork.fork(other, one) == Fork(*sorted((one, other), key=lambda each: each.id))


@pytest.mark.plan("A18")
def test_evidence_proves_the_fork_to_somebody_who_has_nothing_else() -> None:
    game, found = forked()
    assert fork.read_evidence(bundle.read(fork.evidence(game.registrations, found))) == found


@pytest.mark.parametrize(("contents", "number"), [("evidence", 2), ("archive", 3)])
def test_what_is_no_evidence_by_its_form_is_named(contents: bundle.Contents, number: int) -> None:
    game, found = forked()
    lines = bundle.read(fork.evidence(game.registrations, found)).lines[:number]
    with pytest.raises(BadEvidence) as caught:
        fork.read_evidence(bundle.read(bundle.write(contents, game.keys, lines)))
    assert str(caught.value) == f"evidence.form: expected evidence of 3 or more events, got {contents} of {number}"


@pytest.mark.plan("A18")
def test_evidence_against_the_second_party_brings_its_registration() -> None:
    game = played(2)
    one = game.verified(game.line(POLISH, game.entropy(POLISH)))
    other = game.verified(game.line(POLISH, game.entropy(POLISH), at=0))
    found = fork.fork(one, other)
    assert found is not None
    data = fork.evidence(game.registrations, found)
    assert (fork.read_evidence(bundle.read(data)), len(bundle.read(data).lines)) == (found, 4)


@pytest.mark.plan("A8", "A18")
def test_a_duplicate_is_no_fork_even_when_it_is_signed_again() -> None:
    game = played(3)
    one = answer(game, "hill")
    again = game.verified(player(GERMAN).signed_again(one.line))
    assert (fork.fork(one, one), fork.fork(one, again)) == (None, None)


@pytest.mark.plan("A64")
def test_a_duplicate_is_no_evidence() -> None:
    game, found = forked()
    again = player(GERMAN).signed_again(found.first.line)
    lines = [game.lines[0], found.first.line, again]
    with pytest.raises(BadEvidence) as caught:
        fork.read_evidence(bundle.read(bundle.write("evidence", game.keys, lines)))
    assert str(caught.value) == (
        "evidence.none: expected two different events of one role at one place, got no contradiction"
    )


@pytest.mark.plan("A64")
def test_no_byte_of_evidence_can_be_changed() -> None:
    """Every flipped byte leads to a refusal; to none but those of the protocol."""
    game, found = forked()
    data = fork.evidence(game.registrations, found)
    for at in range(0, len(data), 7):
        changed = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        with pytest.raises(BadEvidence):
            fork.read_evidence(bundle.read(changed))


@pytest.mark.plan("A64")
def test_evidence_signed_by_the_accuser_is_none() -> None:
    game, found = forked()
    false = player(POLISH).signed(event.write(found.second.event))
    assert code_of(bundle.write("evidence", game.keys, [*game.lines[:2], found.first.line, false])) == "event.author"


@pytest.mark.plan("A64")
@pytest.mark.parametrize("other", ["role", "step", "head", "game"])
def test_events_of_two_places_are_no_fork(other: str) -> None:
    game = played(2)
    one = game.verified(game.line(GERMAN, game.entropy(GERMAN)))
    second = new_game(nonce=secret("second nonce"))
    elsewhere = {
        "role": game.verified(game.line(POLISH, game.entropy(POLISH))),
        "step": game.verified(game.line(GERMAN, game.entropy(GERMAN), step=6)),
        "head": game.verified(game.line(GERMAN, game.entropy(GERMAN), prev=secret("other head").hex())),
        "game": second.verified(second.line(GERMAN, second.entropy(GERMAN))),
    }[other]
    assert fork.fork(one, elsewhere) is None


@pytest.mark.plan("A64")
def test_who_proposes_two_games_with_one_key_contradicts_nobody() -> None:
    one, other = (new_game(nonce=secret(nonce)).steps[0][0] for nonce in ("first nonce", "second nonce"))
    assert fork.fork(one, other) is None


@pytest.mark.plan("A24", "A64")
def test_a_stranger_who_accepts_in_a_players_name_does_not_make_him_an_equivocator() -> None:
    game, stranger = Game(played(2).lines[0], [player(GERMAN), player(POLISH)]), player(POLISH, "stranger")
    own = game.verified(game.line(POLISH, Accept(registration=player(POLISH).registration())))
    false = stranger.signed(event.write(replace(own.event, body=Accept(registration=stranger.registration()))))
    claimed = verify_event(false, game.roster, [stranger.key])
    assert fork.fork(own, claimed) is None


@pytest.mark.plan("A64")
def test_a_role_that_registers_twice_in_evidence_is_refused() -> None:
    game, found = forked()
    second = player(POLISH, "second")
    again = replace(game.steps[1][0].event, body=Accept(registration=second.registration()))
    lines = [*game.lines[:2], second.signed(event.write(again)), found.first.line, found.second.line]
    assert code_of(bundle.write("evidence", [*game.keys, second.key], lines)) == "roster.seated"


# ---------------------------------------------------------------------------------- statements about others


def test_an_answer_and_a_lapse_of_one_role_are_no_fork() -> None:
    game = played(2)
    lapse = Lapse(role=POLISH, demand="entropy", dice=[])
    own, other = game.line(GERMAN, game.entropy(GERMAN)), game.line(GERMAN, lapse, at=game.since + DEADLINE)
    assert fork.fork(game.verified(own), game.verified(other)) is None


def test_lapses_of_two_roles_are_no_fork() -> None:
    game = new_game(player("swedish"), player(GERMAN), player(POLISH))
    stated = [
        game.verified(game.line("swedish", Lapse(role=role, demand="answer", dice=[]))) for role in (GERMAN, POLISH)
    ]
    assert fork.fork(*stated) is None


@pytest.mark.plan("A19")
def test_resolutions_contradict_each_other_only_over_the_same_two_events() -> None:
    game = played(3)
    first, second, third = (secret(name).hex() for name in ("first", "second", "third"))

    def resolved(keep: str, drop: str) -> Verified:
        return game.verified(game.line(POLISH, Resolve(role=GERMAN, keep=keep, drop=drop)))

    assert fork.fork(resolved(first, second), resolved(first, third)) is None
    assert fork.fork(resolved(first, second), resolved(second, first)) is not None
