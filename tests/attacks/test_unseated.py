"""Keys that nobody has given a seat, deposits that are no good, and clocks that are stopped: what they cannot do."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from service.office import two_players

from attacks.sides import DAY, DEADLINE_DAYS, LATER, Pair, Side, claimed_when_sent, new_side, packed, sign
from attacks.test_appointed import court_of, current, offered  # noqa: F401 - a fixture
from attacks.test_motions import deciding as deciding_pair
from attacks.test_motions import exchange
from attacks.test_motions import heads as both_heads
from attacks.test_referee import Court, begun, court  # noqa: F401 - fixtures
from pbem.app import seats
from pbem.app.moving import NOTHING, move, reply
from pbem.app.opened import open_game
from pbem.app.resolving import resolve_fork
from pbem.app.ruling import rule
from pbem.app.seats import appoint, read_offer, rotate
from pbem.app.signing import finish, give, identity_at
from pbem.errors import BadEvidence, BadRequest
from pbem.keys.identity import Identity
from pbem.log.event import Answer, Deposit, Event, Lapse, Motion, Request, Resolve, Role
from pbem.mail.post.port import Letter

REFEREE = Role("referee")


def puppet_of(asker: Side, folder: Path) -> tuple[Identity, Request]:
    """Somebody whom a player asks to make the referee, and whom nobody has agreed to."""
    referee, path = offered(asker, folder, "Carla")
    offer = read_offer(path.read_text())
    seat = {"seat": offer.registration, "proof": offer.proof, "address": offer.address, "days": 7}
    return referee.identity(), Request(**(NOTHING | {"what": "appoint"} | seat))


def forged(asker: Side, puppet: Identity, body: Lapse | Resolve, at: int) -> bytes:
    return packed([sign(puppet, asker.here(body, role=REFEREE, at=at))])


@pytest.mark.plan("A26")
def test_who_was_only_asked_for_claims_nothing(played: Pair, tmp_path: Path) -> None:
    """Its key is read, since it could become the referee's; it holds no seat, and says nothing."""
    decider, waiter = deciding_pair(played)
    puppet, asked = puppet_of(waiter, tmp_path)
    waiter.give(asked)
    decider.take(waiter.export())
    decider.now = waiter.now = LATER + 40 * DAY
    lapse = forged(waiter, puppet, Lapse(role=decider.role, demand="answer", dice=[]), waiter.now - 1)
    (game,) = waiter.take(lapse).games
    assert [reason.code for reason in game.refused] == ["place.key"]
    assert waiter.opened().campaign.outcome is None
    assert waiter.verified().code == 0


@pytest.mark.plan("A26")
def test_who_was_only_asked_for_settles_no_fork(played: Pair, tmp_path: Path) -> None:
    decider, waiter = deciding_pair(played)
    puppet, asked = puppet_of(waiter, tmp_path)
    waiter.give(asked)
    decider.take(waiter.export())
    twin = decider.copy(tmp_path / "twin")
    twin.chooser = type(twin.chooser)(77, "another")
    for side in (decider, twin):
        side.decide()
        waiter.take(side.export(everything=True))
    fork = waiter.opened().fork
    assert fork is not None
    step = fork.first.event.step
    body = Resolve(role=decider.role, keep=fork.first.id, drop=fork.second.id)
    line = sign(puppet, replace(fork.first.event, role=REFEREE, kind="resolve", body=body, step=step))
    (game,) = waiter.take(packed([line])).games
    assert [str(reason) for reason in game.refused] == [
        f"resolve.no_party: expected a settlement by a party of this game, got referee's settlement of step {step}"
    ]
    assert waiter.opened().fork is not None


@pytest.mark.plan("A59")
def test_one_hostile_letter_stops_no_agent(tmp_path: Path) -> None:
    """A request that is refused, and a claim by the key that it names: nothing of it is stored, and all games go on."""
    german, polish = two_players(tmp_path)
    for _ in range(6):
        for player in (polish, german):
            player.office.now += 60
            player.side.now = player.office.now
            player.round()
        if german.side.opened().campaign.place.deciding == ("german",):
            break
        polish.side.decide()
    puppet, asked = puppet_of(german.side, tmp_path)
    german.office.now += 8 * DAY
    polish.side.now = german.side.now = german.office.now
    lapse = Lapse(role=german.side.role, demand="answer", dice=[])
    lines = [
        german.side.sign(german.side.here(asked)),
        sign(puppet, polish.side.here(lapse, role=REFEREE, at=polish.side.now - 1)),
    ]
    head = b"From: Anna <anna@example.org>\nMessage-ID: <a@b.example>\n\n"
    polish.box.waiting.append(Letter("evil", head + packed(lines), german.office.now))
    polish.round()
    assert "broken" not in polish.words()
    assert polish.side("log").code == polish.side("archive", "-o", tmp_path / "whole.pbem").code == 0
    german.side.decide()
    german.round()
    assert polish.round().letters == 1


def test_an_early_event_by_a_key_that_loses_its_seat_again_deafens_nobody(joined: Pair, tmp_path: Path) -> None:
    pole, german = joined.polish, joined.german
    old = pole.identity()
    twin = pole.copy(tmp_path / "twin")
    with pole.desk() as desk:
        rotate(desk, pole.game)
    place = pole.opened().campaign.place
    nonsense = Answer(ask="x", value={})
    ahead = Event(place.game, place.step + 1, "ab" * 32, "cd" * 32, pole.role, "answer", nonsense, pole.now)
    german.take(pole.export(everything=True))
    german.take(packed([sign(old.rotated(), ahead)]))
    twin.decide()
    german.take(twin.export(everything=True))
    fork = german.opened().fork
    assert fork is not None
    kept = next(one for one in (fork.first, fork.second) if one.event.kind == "answer")
    german.now += 60
    with german.desk() as desk:
        resolve_fork(desk, german.game, kept.id)
    both = Pair(german, twin)
    twin.now = german.now
    twin.take(german.export(everything=True))
    both.play(german.opened().campaign.place.step + 6)
    heads = both_heads(both)
    assert heads[0] == heads[1]


def test_new_keys_put_nothing_off(court: Court) -> None:  # noqa: F811
    """In a game with a referee a deposit follows: the deadline of the decision goes on to be counted behind it."""
    decider, _ = court.deciding()
    since = decider.opened().campaign.place.since
    for side in court.sides():
        side.now += 6 * DAY
    with decider.desk() as desk:
        rotate(desk, decider.game)
    court.exchange()
    place = court.referee.opened().campaign.place
    assert (place.deciding, place.since) == ((decider.role,), since)
    with decider.desk() as desk, pytest.raises(BadEvidence, match=r"^motion\.rotated: "):
        rotate(desk, decider.game)
    for side in court.sides():
        side.now += DEADLINE_DAYS * DAY
    with court.referee.desk() as desk:
        assert rule(desk, court.referee.game).words == [f"{decider.role}'s orders"]


def test_a_deposit_that_is_no_good_loses_when_it_is_needed(court: Court) -> None:  # noqa: F811
    """A new key deposits rubbish and withholds its first link: it has lost, and nobody else."""
    decider, other = court.deciding()
    _rotate_with_rubbish(decider)
    court.exchange()
    decider.decide()
    for side in (other, court.referee):
        side.take(decider.export(everything=True))
    other.decide()
    court.referee.take(other.export(everything=True))
    owed = court.referee.opened().campaign.awaited()
    assert {role: one.kind for role, one in owed.items()} == {decider.role: "entropy"}
    court.late()
    with court.referee.desk() as desk:
        rule(desk, court.referee.game, "rubbish")
    outcome = court.referee.opened().campaign.outcome
    step = court.referee.opened().campaign.place.step - 1
    assert outcome is not None
    assert (outcome.winner, outcome.text) == (
        other.role,
        f"{decider.role} withheld a share of the dice at step {step}, and its deposit does not give it",
    )


def _rotate_with_rubbish(side: Side) -> None:
    with side.desk() as desk, desk.home.writing() as writer:
        opened = open_game(writer, side.game, desk.games)
        rotated = identity_at(desk, writer, opened).rotated()
        fields = seats._seated(desk, writer, opened.campaign.roster, opened.role, rotated)
        give(desk, writer, opened, Motion(**(NOTHING | {"what": "seat", **_as_change(fields)})))
        give(desk, writer, opened, Deposit(chain="5a" * 80))
        finish(writer, opened)


def _as_change(fields: dict[str, object]) -> dict[str, object]:
    return {"seat": fields["registration"], "proof": fields["proof"], "address": fields["address"]}


def test_who_does_not_let_a_paused_game_go_on_is_late_all_the_same(played: Pair) -> None:
    """A resumption needs nobody's consent, but the program of who has to decide must say so: one that is never started
    again stops no clock for ever."""
    decider, waiter = deciding_pair(played)
    with decider.desk() as desk:
        move(desk, decider.game, {"what": "pause"})
    exchange(played, decider)
    with waiter.desk() as desk:
        reply(desk, waiter.game, agree=True)
    exchange(played, waiter)
    waiter.now += 30 * DAY
    with pytest.raises(BadRequest) as told, waiter.desk() as desk:
        claimed_when_sent(desk, waiter.game)
    assert told.value.code == "lapse.paused"
    with waiter.desk() as desk:
        move(desk, waiter.game, {"what": "resume"})
    waiter.now += 6 * DAY
    with pytest.raises(BadRequest) as early, waiter.desk() as desk:
        claimed_when_sent(desk, waiter.game)
    assert early.value.code == "lapse.too_early"
    waiter.now += 2 * DAY
    with waiter.desk() as desk:
        claimed_when_sent(desk, waiter.game)
    outcome = waiter.opened().campaign.outcome
    assert outcome is not None
    assert outcome.winner == waiter.role
    assert waiter.verified().code == 0


def asked_behind_a_held_share(pair: Pair) -> tuple[Side, Side]:
    """Who is asked next by the share that the other one has made and not sent, and that other one."""
    for _ in range(60):
        decider, waiter = deciding_pair(pair)
        decider.decide()
        waiter.take(decider.export())
        there, here = waiter.opened().campaign, decider.opened().campaign
        owed = there.awaited().get(decider.role)
        if owed is not None and owed.kind == "answer" and here.place.step < there.place.step:
            return decider, waiter
        for side in (waiter, decider, waiter):
            exchange(pair, side)
    raise AssertionError("nobody is asked by the other side's share")


def test_a_share_and_a_claim_in_one_mail_are_not_believed(current: Pair) -> None:  # noqa: F811
    """Who holds a mail back and then claims what nobody could know to be owed gets nothing, in whatever order."""
    decider, waiter = asked_behind_a_held_share(current)
    waiter.now += 8 * DAY
    with waiter.desk() as desk:
        claimed_when_sent(desk, waiter.game)
    decider.now = waiter.now
    decider.take(waiter.export())
    assert decider.opened().campaign.outcome is None
    assert decider.opened().campaign.place.deciding == (decider.role,)


def test_a_successor_who_waits_for_a_seat_is_late_for_nothing(court: Court, tmp_path: Path) -> None:  # noqa: F811
    """The ruling is about whoever holds the seat: the home that has taken the game in follows the log."""
    silent, other = court.deciding()
    archive, offer = tmp_path / "so-far.pbem", tmp_path / "offer.json"
    assert other("archive", "-o", archive).code == 0
    taker = new_side(tmp_path / "taker", silent.role, "Carla")
    taker.game = silent.game
    assert taker("substitute", archive, "--as", silent.role, "--name", silent.game, "-o", offer).code == 0
    court.late()
    with court.referee.desk() as desk:
        rule(desk, court.referee.game)
    taker.now = max(int(time.time()), court.referee.now)
    taker.take(court.referee.export(everything=True))
    assert taker.heads() == court.referee.heads()


def test_an_appointment_is_made_by_those_who_hold_the_seats(current: Pair, tmp_path: Path) -> None:  # noqa: F811
    mover, other = deciding_pair(current)
    referee, offer = offered(mover, tmp_path)
    with mover.desk() as desk:
        appoint(desk, mover.game, offer.read_text(), 7)
    exchange(current, mover)
    assert other("motion", "agree").code == 0
    found = court_of(current, referee)
    found.exchange()
    kinds = [{one.event.kind for one in step.events} for step in mover.opened(whole=True).campaign.steps[-2:]]
    assert kinds == [{"consent"}, {"deposit"}]
