"""Motions: what two sides agree to beyond the rules of their game, through their clients and in the archive."""

from __future__ import annotations

from pathlib import Path

import pytest

from attacks.sides import DAY, LATER, Pair, Side, claimed_when_sent, id_of, new_side, packed, sign
from pbem.app.demo import Seeded
from pbem.app.moving import NOTHING, move, reply
from pbem.app.propose import registration
from pbem.app.seats import rotate
from pbem.engine.ledger import Step
from pbem.errors import BadRequest
from pbem.keys.identity import Identity
from pbem.keys.words import fingerprint_words
from pbem.log.event import Event, Motion, Request
from pbem.log.roster import is_successor, seat_message


def exchange(pair: Pair, sender: Side) -> None:
    """One mail from `sender` to the other side, and the program's own answer to it."""
    other = pair.polish if sender is pair.german else pair.german
    sender.now = other.now = max(sender.now, other.now) + 60
    other.take(sender.export())


def deciding(pair: Pair) -> tuple[Side, Side]:
    """Who has to decide something, and who waits; both have heard of everything."""
    for _ in range(6):
        for side, other in ((pair.german, pair.polish), (pair.polish, pair.german)):
            place = side.opened().campaign.place
            if place.deciding == (side.role,) and other.opened().campaign.place.prev == place.prev:
                return side, other
        for side in pair.sides():
            exchange(pair, side)
    raise AssertionError("nobody has to decide anything")


def heads(pair: Pair) -> tuple[list[str], list[str]]:
    """The log at both homes, when every program has answered what needs nobody."""
    for side in (*pair.sides(), *pair.sides()):
        exchange(pair, side)
    return pair.german.heads(), pair.polish.heads()


def moved(side: Side, **matter: object) -> list[str]:
    with side.desk() as desk:
        return move(desk, side.game, dict(matter)).told


def replied(side: Side, *, agree: bool) -> list[str]:
    with side.desk() as desk:
        return reply(desk, side.game, agree=agree).told


def both_see(pair: Pair, mover: Side, other: Side, *, agree: bool = True, **matter: object) -> None:
    """A motion, its answer, and both mails."""
    moved(mover, **matter)
    exchange(pair, mover)
    replied(other, agree=agree)
    exchange(pair, other)
    assert heads(pair)[0] == heads(pair)[1]


def test_a_play_is_taken_back_and_asked_again_with_new_dice(played: Pair) -> None:
    mover, other = deciding(played)
    step = mover.opened().campaign.place.step
    before = mover.opened(whole=True).campaign
    asked = next(one.number for one in before.steps if one.number > 3 and one.events[0].event.kind == "answer")
    both_see(played, mover, other, what="take_back", step=asked, why="a wrong unit")
    campaign = mover.opened(whole=True).campaign
    assert campaign.place.step == step + 2
    assert [line.text for line in campaign.lines][-1] == f"play is taken back to step {asked}"
    assert [*campaign.place.demands] == [event.event.role for event in before.steps[asked].events]
    rolled = {(roll.label, roll.step) for roll in campaign.rolls}
    played.play(step + 12)
    again = mover.opened(whole=True).campaign
    assert {(roll.label, roll.step) for roll in again.rolls} > rolled
    assert len({link for step in again.steps for link in _links(step.events)}) == sum(
        len(_links(step.events)) for step in again.steps
    )
    assert mover.verified().code == 0


def _links(events: object) -> list[str]:
    return [one.event.body.link for one in events if one.event.kind == "entropy"]  # type: ignore[attr-defined]


def test_a_refused_motion_changes_nothing_and_is_told(played: Pair) -> None:
    mover, other = deciding(played)
    state = mover.opened().campaign.state
    both_see(played, mover, other, agree=False, what="draw", why="")
    campaign = mover.opened(whole=True).campaign
    assert campaign.state == state
    assert campaign.question(mover.role) is not None
    assert campaign.lines[-1].text == f"{mover.role}'s motion to end the game as a draw is not agreed to"


def test_while_a_motion_waits_nothing_can_be_decided(played: Pair) -> None:
    mover, _ = deciding(played)
    moved(mover, what="draw")
    done = mover("orders")
    assert (done.code, done.err.splitlines()[0]) == (
        1,
        f"orders.not_asked: expected a question to {mover.role}, got none: the game waits for {_other(mover)} "
        "(to agree to a motion or to refuse it)",
    )


def _other(side: Side) -> str:
    return "polish" if side.role == "german" else "german"


def test_a_draw_ends_the_game_and_both_close_it(played: Pair) -> None:
    mover, other = deciding(played)
    step = mover.opened().campaign.place.step
    both_see(played, mover, other, what="draw")
    for side in (mover, other, mover):
        exchange(played, side)
    assert mover.opened().campaign.finished
    done = mover.verified(running=False)
    assert (done.code, f"a draw was agreed at step {step + 1}" in done.out) == (0, True)


def test_who_waits_asks_and_who_decides_agrees(played: Pair) -> None:
    decider, waiter = deciding(played)
    moved(waiter, what="pause", why="holidays")
    exchange(played, waiter)
    assert "  german asks to pause the game: holidays".replace("german", waiter.role) in decider("status").out
    assert replied(decider, agree=True) == ["the game is paused: no deadline runs"]
    exchange(played, decider)
    assert waiter.opened().campaign.place.paused
    assert heads(played)[0] == heads(played)[1]
    waiter.now = decider.now = LATER + 30 * DAY
    with waiter.desk() as desk, pytest.raises(BadRequest) as told:
        claimed_when_sent(desk, waiter.game)
    assert str(told.value).startswith("lapse.paused: expected a game whose clock runs, got one that is paused")
    assert waiter.verified().code == 0


def test_a_decision_refuses_what_was_asked_for(played: Pair) -> None:
    decider, waiter = deciding(played)
    moved(waiter, what="draw")
    exchange(played, waiter)
    decider.decide()
    exchange(played, decider)
    assert heads(played)[0] == heads(played)[1]
    assert not waiter.opened().campaign.requests
    assert [side.verified().code for side in (decider, waiter)] == [0, 0]


def test_a_flood_of_requests_is_not_kept(played: Pair) -> None:
    decider, waiter = deciding(played)
    place = waiter.opened().campaign.place
    bodies = [Request(**(NOTHING | {"what": "draw", "why": str(number)})) for number in range(20)]
    lines = [waiter.sign(waiter.here(body)) for body in bodies]
    done = decider.mail(packed(lines))
    assert len(decider.opened().campaign.requests) == 8
    assert done.err.splitlines()[:2] == [
        f"refused: import.requests: expected at most 8 requests of {waiter.role} at step {place.step}, got another one",
        "hint: decide, or agree to one of the others",
    ]


def test_a_request_and_a_decision_cross(played: Pair) -> None:
    decider, waiter = deciding(played)
    moved(waiter, what="draw")
    decider.decide()
    decision, request = decider.export(), waiter.export()
    waiter.take(decision)
    decider.take(request)
    exchange(played, decider)
    exchange(played, waiter)
    assert heads(played)[0] == heads(played)[1]
    assert [side.verified().code for side in (decider, waiter)] == [0, 0]


def test_conceding_needs_no_consent(played: Pair) -> None:
    decider, waiter = deciding(played)
    assert moved(decider, what="concede") == [f"{decider.role} conceded at step {waiter.opened().campaign.place.step}"]
    exchange(played, decider)
    outcome = waiter.opened().campaign.outcome
    assert outcome is not None
    assert outcome.winner == waiter.role


def test_who_waits_concedes_and_the_other_program_takes_it(played: Pair) -> None:
    decider, waiter = deciding(played)
    moved(waiter, what="concede")
    exchange(played, waiter)
    outcome = decider.opened().campaign.outcome
    assert outcome is not None
    assert outcome.winner == decider.role


def test_a_position_is_adjusted_and_shown_as_a_difference(played: Pair, tmp_path: Path) -> None:
    mover, other = deciding(played)
    campaign = mover.opened().campaign
    lines = list(campaign.ruleset.position_lines(campaign.state))
    at = next(i for i, line in enumerate(lines) if line.startswith("unit PL") and len(line.split()) == 3)
    lines[at] += " weak"
    path = tmp_path / "position.txt"
    path.write_text("\n".join(lines) + "\n")
    done = mover("motion", "adjust", "--position", path, "--why", "forgotten")
    assert done.code == 0, done
    assert f"  +{lines[at]}" in done.out.splitlines()
    other.mail(mover.export())
    assert f"#   +{lines[at]}" in other("orders").out.splitlines()
    assert other("motion", "agree").code == 0
    mover.mail(other.export())
    assert mover.heads() == other.heads()
    assert lines[at] in mover("show", "--position").out.splitlines()
    assert mover.verified().code == 0


def test_the_deadline_is_extended(played: Pair) -> None:
    mover, other = deciding(played)
    both_see(played, mover, other, what="extend", days=10)
    assert mover.opened().campaign.place.deadline_days == 17


# ---------------------------------------------------------------------- keys and seats


def rotated(side: Side) -> None:
    with side.desk() as desk:
        rotate(desk, side.game)


def test_a_key_is_rotated_without_consent_and_play_goes_on(played: Pair) -> None:
    decider, waiter = deciding(played)
    before = decider.opened().campaign.roster.parties[decider.role]
    rotated(decider)
    after = decider.opened().campaign.roster.parties[decider.role]
    assert is_successor(before, bytes.fromhex(after.registration.key if after.registration else ""))
    exchange(played, decider)
    assert waiter.opened().campaign.roster.parties[decider.role].key == after.key
    played.play(decider.opened().campaign.place.step + 14)
    assert heads(played)[0] == heads(played)[1]
    rotated(decider if deciding(played)[0] is decider else deciding(played)[0])
    for _ in range(2):
        played.play(decider.opened().campaign.place.step + 8)
    assert heads(played)[0] == heads(played)[1]
    assert [side.verified().code for side in played.sides()] == [0, 0]


def test_who_waits_rotates_and_the_other_program_agrees(played: Pair) -> None:
    decider, waiter = deciding(played)
    rotated(waiter)
    exchange(played, waiter)
    exchange(played, decider)
    key = waiter.opened().campaign.roster.parties[waiter.role].key
    assert decider.opened().campaign.roster.parties[waiter.role].key == key
    played.play(decider.opened().campaign.place.step + 14)
    assert heads(played)[0] == heads(played)[1]


@pytest.mark.plan("A25")
def test_a_thief_of_the_key_cannot_rotate_to_one_of_his_own(played: Pair) -> None:
    """He can sign a motion; but his key is not the one that was committed to, and the other side must agree."""
    decider, waiter = deciding(played)
    roster, thief = decider.opened().campaign.roster, Identity.generate(Seeded(9, "thief"))
    seat = registration(thief, "Anna", bytes(32), bytes.fromhex(roster.proposal.nonce), decider.role)
    proof = thief.sign(seat_message(roster.game, decider.role, seat)).hex()
    fields = NOTHING | {"what": "seat", "seat": seat, "proof": proof, "address": "a@example.org"}
    decider.give(Motion(**fields))
    exchange(played, decider)
    assert waiter.opened().campaign.roster.parties[decider.role].key == roster.parties[decider.role].key
    told = f"  {decider.role} moves to give its seat to a new key of Anna <a@example.org>; the new key in words is"
    words = " ".join(fingerprint_words(thief.public_key))
    assert f"{told} '{words}' (compare them by telephone)" in waiter("status").out.splitlines()
    replied(waiter, agree=False)
    exchange(played, waiter)
    assert waiter.opened().campaign.roster.parties[decider.role].key == roster.parties[decider.role].key


@pytest.mark.plan("A23")
def test_a_former_key_says_nothing_new_whatever_its_date(played: Pair) -> None:
    decider, waiter = deciding(played)
    identity, before = decider.identity(), waiter.heads()
    rotated(decider)
    exchange(played, decider)
    earlier = next(
        one for one in waiter.opened(whole=True).campaign.steps if one.number > 3 and _by(one) != decider.role
    )
    told = earlier.events[0].event
    backdated = sign(
        identity, Event(told.game, told.step, told.prev, told.state, decider.role, "motion", _draw(), told.at)
    )
    done = waiter.mail(packed([backdated]))
    assert (done.code, done.err) == (
        1,
        f"import.former_key: expected the key that holds {decider.role}'s seat now, got {decider.role}'s motion "
        f"of step {told.step} by a former one\nhint: it changes nothing, whatever its date says\n",
    )
    assert (waiter.heads()[: len(before)], waiter.opened().fork) == (before, None)
    now = waiter.opened().campaign.place
    late = sign(identity, Event(now.game, now.step, now.prev, now.state, decider.role, "motion", _draw(), decider.now))
    assert waiter.mail(packed([late])).err.splitlines()[0] == (
        f"place.key: expected the key that holds {decider.role}'s seat at step {now.step}, got {decider.role}'s "
        f"motion of step {now.step} (event {id_of(late)[:12]}), signed by another one"
    )


def _by(step: Step) -> str:
    """Who alone has decided at a step, empty for any other one."""
    return step.events[0].event.role if [one.event.kind for one in step.events] == ["answer"] else ""


def _draw() -> Motion:
    return Motion(**(NOTHING | {"what": "draw"}))


def test_a_substitute_takes_a_seat_and_plays_on(played: Pair, tmp_path: Path) -> None:
    decider, waiter = deciding(played)
    played_so_far, offer = tmp_path / "so-far.pbem", tmp_path / "offer.json"
    assert decider("archive", "-o", played_so_far).code == 0
    third = new_side(tmp_path / "third", decider.role, "Carla")
    done = third("substitute", played_so_far, "--as", decider.role, "-o", offer)
    assert (done.code, done.err) == (0, ""), done
    assert third("status").out.splitlines()[-1] == (
        f"  do now: send your offer to whoever is {decider.role} now, and wait until that side has moved it and the "
        f"other agreed; `pbem substitute FILE --as {decider.role} -o offer.json` writes it again"
    )
    refused = third("motion", "draw")
    assert (refused.code, refused.err.splitlines()[0].split(":")[0]) == (1, "game.seat_given")
    done = decider("motion", "hand-over", "--offer", offer, "--why", "no time")
    assert done.code == 0, done
    assert waiter.mail(decider.export()).code == 0
    assert waiter("motion", "agree").code == 0
    assert decider.mail(waiter.export()).code == 0
    done = third.mail(waiter.export(everything=True))
    assert done.code == 0, done
    again = Pair(third, waiter) if decider.role == "german" else Pair(waiter, third)
    assert third.heads() == waiter.heads()
    again.play(waiter.opened().campaign.place.step + 16)
    assert heads(again)[0] == heads(again)[1]
    party = waiter.opened().campaign.roster.parties[decider.role]
    assert (party.name, party.address) == ("Carla", "carla@example.org")
    assert [side.verified().code for side in (third, waiter)] == [0, 0]
    assert decider("status").out.splitlines()[-1] == (
        f"  do now: nothing: another key holds the seat of {decider.role}; `pbem log westerplatte` goes on telling "
        "what happens"
    )
