"""A referee whom both sides appoint while their game goes on, and every way to appoint one without one of them."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from attacks.sides import DAY, DEADLINE_DAYS, LATER, Pair, Side, new_side, packed, pbem, sign
from attacks.test_motions import deciding as deciding_pair
from attacks.test_motions import exchange, replied
from attacks.test_referee import Court, begun, court  # noqa: F401 - fixtures
from pbem.app import catalogue
from pbem.app.dispute import roll_file
from pbem.app.exporting import evidence_file
from pbem.app.moving import NOTHING
from pbem.app.propose import Terms, accept, propose, single_proposal
from pbem.app.reading import whole_game
from pbem.app.routing import incoming
from pbem.app.ruling import rule
from pbem.app.seats import appoint, read_offer
from pbem.app.verify import verify
from pbem.errors import BadEvidence, BadRequest
from pbem.keys.words import fingerprint_words
from pbem.log.dispute import ProvenRoll
from pbem.log.event import Annul, Consent, Motion, Registration, Request, Role
from pbem.log.roster import seat_message


def offered(player: Side, folder: Path, name: str = "Rita") -> tuple[Side, Path]:
    """Somebody who has taken the game in and offers to be its referee."""
    archive, offer = folder / f"{name}.pbem", folder / f"{name}.json"
    assert player("archive", player.game, "-o", archive, "--force").code == 0
    referee = replace(new_side(folder / name, "referee", name), game=player.game, now=player.now)
    done = referee("substitute", archive, "--as", "referee", "--name", player.game, "-o", offer)
    assert (done.code, done.err) == (0, ""), done
    return referee, offer


def court_of(pair: Pair, referee: Side) -> Court:
    return Court(pair.german, pair.polish, referee)


def appointed(pair: Pair, folder: Path) -> Court:
    """A game with a referee whom the player who had to decide moved and the other one agreed to."""
    mover, other = deciding_pair(pair)
    referee, offer = offered(mover, folder)
    with mover.desk() as desk:
        appoint(desk, mover.game, offer.read_text(), 7)
    exchange(pair, mover)
    assert other("motion", "agree").code == 0
    found = court_of(pair, referee)
    found.exchange()
    return found


@pytest.fixture
def current(played: Pair) -> Pair:
    """A game whose clocks are the machine's: the clients of both sides agree with them."""
    played.german.now = played.polish.now = int(time.time())
    return played


@pytest.fixture
def joining(current: Pair, tmp_path: Path) -> Court:
    return appointed(current, tmp_path)


def test_both_sides_appoint_a_referee_and_play_on(current: Pair, tmp_path: Path) -> None:
    mover, other = deciding_pair(current)
    referee, offer = offered(mover, tmp_path)
    assert referee("status").out.splitlines()[-1] == (
        "  do now: wait until both players have agreed that you are the referee: one moves your offer, the other agrees"
    )
    done = mover("motion", "appoint", "--offer", offer, "--deadline-days", "7", "--why", "he is slow")
    words = f"'{' '.join(fingerprint_words(referee.identity().public_key))}' (compare them by telephone)"
    rita = "make Rita <rita@example.org> the referee, with a deadline of 7 days"
    assert done.out.splitlines()[0] == f"Moved: to {rita}; the new key in words is {words}."
    asked = other.mail(mover.export())
    assert asked.code == 0
    assert f"  {mover.role} moves to {rita}; the new key in words is {words}: he is slow\n" in other("status").out
    assert other("motion", "agree").out.splitlines()[0] == (
        f"  > Rita <rita@example.org> is appointed as the referee from step {other.opened().campaign.place.step} on, "
        "with a deadline of 7 days"
    )
    court = court_of(current, referee)  # noqa: F811
    court.exchange()
    assert len({tuple(heads) for heads in court.heads()}) == 1
    assert f"against {'Bruno' if mover.role == 'german' else 'Anna'}" in mover("status").out
    assert "; the referee is Rita" in mover("status").out.splitlines()[0]
    place = referee.opened().campaign.place
    assert (place.refereed, place.deadline_days, place.deciding) == (True, 7, (mover.role,))
    assert [side.verified().code for side in court.sides()] == [0, 0, 0]
    for _ in range(6):
        for side in (court.german, court.polish):
            side.decide()
            court.exchange(1)
    court.exchange()
    assert len({tuple(heads) for heads in court.heads()}) == 1


def test_the_new_referee_rules_on_silence(joining: Court) -> None:
    silent, waiting = joining.deciding()
    joining.late()
    refused = waiting("motion", "claim")
    assert refused.code == 1
    with joining.referee.desk() as desk:
        assert rule(desk, joining.referee.game, "silent").words == [f"{silent.role}'s orders"]
    joining.exchange()
    assert len({tuple(heads) for heads in joining.heads()}) == 1


@pytest.mark.plan("A43")
def test_the_new_referee_opens_a_link_that_was_withheld(joining: Court) -> None:
    """The deposits came behind the appointment, and open the chains that both have used since the game began."""
    for _ in range(40):
        decider, other = joining.deciding()
        decider.decide()
        joining.referee.take(decider.export(everything=True))
        owed = joining.referee.opened().campaign.awaited()
        if other.role in owed and owed[other.role].kind == "entropy":
            break
        joining.exchange(1)
    joining.late()
    with joining.referee.desk() as desk:
        assert f"{other.role}'s share of the dice" in rule(desk, joining.referee.game).words
    opened = joining.referee.opened(whole=True)
    roll = next(roll for roll in opened.campaign.rolls if roll.step == max(opened.campaign.opened))
    with joining.referee.desk() as desk:
        whole = whole_game(desk, joining.referee.game)
        assert isinstance(verify(roll_file(whole, roll.id), desk.games).dispute, ProvenRoll)


@pytest.mark.plan("A26")
def test_nobody_appoints_a_referee_alone(joining: Court, tmp_path: Path) -> None:
    """A player's motion is nothing before the other one agrees; until then the former referee rules."""
    mover, _ = joining.deciding()
    crony, offer = offered(mover, tmp_path, "Carla")
    with mover.desk() as desk:
        appoint(desk, mover.game, offer.read_text())
    joining.exchange(1)
    crony.take(mover.export(everything=True))
    assert crony.opened().campaign.roster.parties[Role("referee")].name == "Rita"
    with pytest.raises(BadRequest) as told, crony.desk() as desk:
        rule(desk, crony.game, agree=True)
    assert told.value.code == "game.seat_given"


@pytest.mark.plan("A26")
def test_a_referee_does_not_help_one_player_to_another_referee(joining: Court, tmp_path: Path) -> None:
    mover, _ = joining.deciding()
    _, offer = offered(mover, tmp_path, "Carla")
    with mover.desk() as desk:
        appoint(desk, mover.game, offer.read_text())
    joining.referee.take(mover.export(everything=True))
    with pytest.raises(BadEvidence) as told, joining.referee.desk() as desk:
        rule(desk, joining.referee.game, agree=True)
    assert str(told.value) == "campaign.appoint: expected both players to agree on a referee, got a ruling for one"
    with joining.referee.desk() as desk:
        rule(desk, joining.referee.game, agree=False)
    joining.exchange()
    assert len({tuple(heads) for heads in joining.heads()}) == 1
    assert mover.opened().campaign.roster.parties[Role("referee")].name == "Rita"


@pytest.mark.plan("A26")
def test_a_referee_does_not_hand_its_seat_over(joining: Court, tmp_path: Path) -> None:
    """It moves nothing itself: neither its own seat to a friend nor a friend to the seat."""
    mover, _ = joining.deciding()
    crony, path = offered(mover, tmp_path, "Carla")
    offer = read_offer(path.read_text())
    for what in ("seat", "appoint"):
        seat = {"seat": offer.registration, "proof": offer.proof, "address": offer.address}
        for kind in (Motion, Request):
            with pytest.raises(BadEvidence) as told:
                joining.referee.give(kind(**(NOTHING | {"what": what} | seat)))
            assert told.value.code == "place.motion"
    assert crony.opened().campaign.roster.parties[Role("referee")].name == "Rita"


@pytest.mark.plan("A26")
def test_a_forged_appointment_is_refused(joining: Court, tmp_path: Path) -> None:
    """Somebody who signs a consent for the other player with a key of his own is nobody."""
    mover, other = joining.deciding()
    _crony, path = offered(mover, tmp_path, "Carla")
    with mover.desk() as desk:
        appoint(desk, mover.game, path.read_text())
    moved = mover.opened().campaign.moved
    assert moved is not None
    consent = replace(mover.here(Consent(motion=moved.id, agree=True)), role=other.role)
    before = joining.referee.tables()
    done = joining.referee.mail(packed([*mover.lines(), sign(mover.identity(), consent)]))
    assert done.code in (0, 1)
    assert "expected an event signed by the" in done.err + done.out
    assert joining.referee.opened().campaign.roster.parties[Role("referee")].name == "Rita"
    assert before != {}


def test_a_former_referee_rules_no_more(joining: Court, tmp_path: Path) -> None:
    """Both have agreed on another one: what the first one signs from then on is refused, whatever its date says."""
    mover, other = joining.deciding()
    second, offer = offered(mover, tmp_path, "Carla")
    with mover.desk() as desk:
        appoint(desk, mover.game, offer.read_text())
    other.take(mover.export())
    assert other("motion", "agree").code == 0
    mover.take(other.export())
    stale = joining.referee
    statement = mover.here(Annul(why="out of spite"), role=Role("referee"))
    forged = packed([*mover.lines(), sign(stale.identity(), replace(statement, at=mover.now))])
    done = mover.mail(forged)
    assert done.code == 1
    assert done.err.startswith("refused: place.key: expected the key that holds referee's seat at step ")
    assert done.err.splitlines()[0].endswith(", signed by another one")
    now = Court(joining.german, joining.polish, second)
    now.exchange()
    assert len({tuple(heads) for heads in now.heads()}) == 1
    assert mover.opened().campaign.roster.parties[Role("referee")].name == "Carla"
    stale.take(mover.export(everything=True))
    assert "another key holds the seat of referee" in stale("status").out
    now.late()
    with second.desk() as desk:
        assert rule(desk, second.game).words


def test_a_request_appoints_one_too(current: Pair, tmp_path: Path) -> None:
    """Who waits asks, and who has to decide agrees instead of deciding."""
    decider, waiter = deciding_pair(current)
    referee, offer = offered(waiter, tmp_path)
    done = waiter("motion", "appoint", "--offer", offer, "--deadline-days", "5")
    assert done.out.splitlines()[0].startswith(
        "Asked: to make Rita <rita@example.org> the referee, with a deadline of 5 days; the new key in words is '"
    )
    exchange(current, waiter)
    assert decider("motion", "agree").code == 0
    court = court_of(current, referee)  # noqa: F811
    court.exchange()
    assert len({tuple(heads) for heads in court.heads()}) == 1
    assert court.deciding()[0] is decider


def test_withheld_deposits_lose(current: Pair, tmp_path: Path) -> None:
    """Who has agreed to a referee and gives it nothing to hold has lost, when the referee says so."""
    mover, other = deciding_pair(current)
    referee, offer = offered(mover, tmp_path)
    with mover.desk() as desk:
        appoint(desk, mover.game, offer.read_text(), 7)
    exchange(current, mover)
    assert other("motion", "agree").code == 0
    referee.take(other.export(everything=True))
    owed = referee.opened().campaign.awaited()
    assert {role: one.kind for role, one in owed.items()} == {mover.role: "deposit"}
    assert referee("status").out.splitlines()[-1] == (
        f"  do now: wait for {mover.role}'s turn file, then `pbem import FILE`; behind the deadline you may rule in "
        "the place of what is owed: `pbem motion rule westerplatte`, which ends the game: whoever withholds a deposit "
        "has lost"
    )
    referee.now = max(referee.now, LATER) + DEADLINE_DAYS * DAY + 1
    (silent,) = owed
    with referee.desk() as desk:
        told = rule(desk, referee.game).told
    step = referee.opened().campaign.place.step - 1
    assert f"the referee rules on {silent}'s deposit with the referee" in told[0]
    result = referee.opened().campaign.outcome
    assert result is not None
    assert (result.winner != silent, result.text) == (True, f"{silent} withheld its deposit at step {step}")


def test_the_client_says_how_a_ruling_on_a_deposit_ends_the_game(played: Pair, tmp_path: Path) -> None:
    """Everything is dated long ago, so that the deadline is over for the client of the referee."""
    mover, other = deciding_pair(played)
    referee, offer = offered(mover, tmp_path)
    with mover.desk() as desk:
        appoint(desk, mover.game, offer.read_text(), 7)
    exchange(played, mover)
    replied(other, agree=True)
    referee.take(other.export(everything=True))
    assert referee("status").out.splitlines()[-1] == (
        f"  do now: the deadline of {mover.role} is over: wait on, or rule in the place of what is owed: "
        "`pbem motion rule westerplatte`, which ends the game: whoever withholds a deposit has lost"
    )
    assert other("status").out.splitlines()[-1] == (
        f"  do now: the deadline of {mover.role} is over: wait on, or ask the referee to rule; was yours lost? `pbem "
        "export westerplatte` writes it again"
    )
    step, done = referee.opened().campaign.place.step, referee("motion", "rule", "--why", "silent")
    assert (done.code, done.out.splitlines()[0]) == (0, f"Ruled on {mover.role}'s deposit with the referee.")
    assert f"\nResult: {mover.role} withheld its deposit at step {step}; {other.role} has won.\n" in done.out


def test_a_fork_of_an_appointed_referee_proves_itself(joining: Court, tmp_path: Path) -> None:
    """Two rulings at one place: the evidence holds the motion that brought in the key, signed by a player."""
    silent, waiting = joining.deciding()
    joining.late()
    twin = joining.referee.copy(tmp_path / "twin")
    for side, why in ((joining.referee, "one"), (twin, "two")):
        with side.desk() as desk:
            rule(desk, side.game, why)
        waiting.take(side.export(everything=True))
    assert waiting.opened().fork is not None
    with waiting.desk() as desk:
        fork = verify(evidence_file(desk, waiting.game), desk.games).fork
    assert fork is not None
    assert (fork.first.event.role, fork.first.key) == ("referee", joining.referee.identity().public_key)
    assert silent.role == fork.first.event.body.role  # type: ignore[attr-defined]


@pytest.mark.plan("A21")
def test_a_referee_who_shows_each_player_another_log_is_caught(joining: Court, tmp_path: Path) -> None:
    """It rules one thing to one side and another to the other; their next mails to each other show it."""
    silent, waiting = joining.deciding()
    joining.late()
    twin = joining.referee.copy(tmp_path / "twin")
    with joining.referee.desk() as desk:
        rule(desk, joining.referee.game, "the German is silent")
    with twin.desk() as desk:
        rule(desk, twin.game, "the Pole is silent")
    waiting.take(joining.referee.export(everything=True))
    silent.take(twin.export(everything=True))
    assert waiting.heads() != silent.heads()
    for side, other in ((waiting, silent), (silent, waiting)):
        other.take(side.export(everything=True))
    assert [side.opened().fork is not None for side in (waiting, silent)] == [True, True]
    told = waiting("status").out
    assert "THE GAME IS STOPPED: referee signed two different events" in told
    with waiting.desk() as desk, silent.desk() as elsewhere:
        proofs = {evidence_file(desk, waiting.game), evidence_file(elsewhere, silent.game)}
        fork = verify(proofs.pop(), desk.games).fork
    assert not proofs
    assert fork is not None
    assert fork.first.event.role == "referee"


def test_what_cannot_be_appointed(current: Pair, tmp_path: Path) -> None:
    """Each refusal in full: another seat's offer, no deadline to rule behind, a player's own key, a stolen proof."""
    mover, other = deciding_pair(current)
    referee, path = offered(mover, tmp_path)
    offer = read_offer(path.read_text())
    wrong = tmp_path / "wrong.json"
    wrong.write_text(offer.model_copy(update={"role": other.role}).text())
    done = mover("motion", "appoint", "--offer", wrong)
    game = mover.opened().row.game_id[:12]
    assert done.err == (
        f"seat.other_offer: expected an offer for the seat of referee in game {game}, got one for {other.role} in "
        f"game {game}\nhint: `pbem motion hand-over westerplatte --offer FILE` is for that seat\n"
    )
    assert mover("motion", "hand-over", "--offer", path).err == (
        f"seat.other_offer: expected an offer for the seat of {mover.role} in game {game}, got one for referee in "
        f"game {game}\nhint: `pbem motion appoint westerplatte --offer FILE` is for that seat\n"
    )
    wrong.write_text(offer.model_copy(update={"game": "ab" * 32}).text())
    assert mover("motion", "appoint", "--offer", wrong).err == (
        f"seat.other_offer: expected an offer for the seat of referee in game {game}, got one for referee in game "
        "abababababab\nhint: whoever would take the seat makes an offer with `pbem substitute FILE --as referee "
        "-o offer.json`, from this game's archive\n"
    )
    stolen = tmp_path / "stolen.json"
    stolen.write_text(offer.model_copy(update={"proof": "ab" * 64}).text())
    done = mover("motion", "appoint", "--offer", stolen)
    assert done.err.splitlines() == [
        "place.seat: expected a new key of referee to sign for its seat, got a proof of another",
        "hint: the offer is not as `pbem substitute` wrote it: ask for it again, as an attachment",
    ]
    own = mover.opened().campaign.roster.parties[mover.role].registration
    assert isinstance(own, Registration)
    proof = mover.identity().sign(seat_message(mover.opened().row.game_id, Role("referee"), own)).hex()
    seat = {"seat": own, "proof": proof, "address": "a@b.example"}
    with pytest.raises(BadEvidence) as told:
        mover.give(Motion(**(NOTHING | {"what": "appoint"} | seat)))
    assert str(told.value) == ("roster.key_twice: expected a key of referee's own, got one that is registered already")
    assert referee("export").err == (
        "export.no_seat: expected a game in which this home has a seat, got one in which referee is not appointed yet\n"
        "hint: send the offer to a player, who moves it with `pbem motion appoint`\n"
    )
    assert referee("orders").err == (
        "game.no_seat: expected somebody who has a seat, got the referee, who is not appointed yet\nhint: `pbem log "
        "westerplatte` goes on telling what happens here\n"
    )


def pair_with(days: int, folder: Path) -> Pair:
    """Two who have joined a game whose proposal has this deadline."""
    german, polish = new_side(folder / "german", "german", "Anna"), new_side(folder / "polish", "polish", "Bruno")
    opponents = {Role("polish"): ("Bruno", "bruno@example.org")}
    with german.desk() as desk:
        propose(desk, Terms(catalogue.ruleset("westerplatte"), "standard", german.role, opponents, days))
    with polish.desk() as desk:
        accept(desk, single_proposal(incoming(german.export(), "invitation")))
    german.take(polish.export())
    return Pair(german, polish)


@pytest.mark.parametrize(
    ("proposed", "set_days", "before", "found"),
    [(0, 7, "none", "1 day"), (7, 1, "7 days for each step", "7 days")],
)
def test_the_deadline_of_an_appointment_is_that_of_every_delay(
    tmp_path: Path, proposed: int, set_days: int, before: str, found: str
) -> None:
    """The log, the certificate and the file for programs find the same delays by the same deadline."""
    pair = pair_with(proposed, tmp_path)
    mover, other = deciding_pair(pair)
    referee, offer = offered(mover, tmp_path)
    with mover.desk() as desk:
        appoint(desk, mover.game, offer.read_text(), set_days)
    exchange(pair, mover)
    replied(other, agree=True)
    court_of(pair, referee).exchange()
    step = mover.opened().campaign.place.step
    for side in (mover, other, referee):
        side.now += 8 * DAY
    mover.decide()
    lines = mover("log", "--delays").out.splitlines()
    day = "" if set_days == 1 else "s"
    deadline = f"{before} until step {step - 2}, then {set_days} day{day} for each step"
    assert lines[0] == f"{step:5}  {mover.role}'s orders: late by {found}"
    assert f"Deadline: {deadline}." in lines
    assert lines[-2].startswith("These times are by the dates that each has signed, which nobody vouches for")
    told = json.loads(mover("log", "--delays", "--json").out)
    assert (told["deadline_days"], told["deadlines"]) == (
        set_days,
        [{"first": 1, "days": proposed}, {"first": step - 1, "days": set_days}],
    )
    archive = tmp_path / "game.pbem"
    assert mover("archive", "-o", archive).code == 0
    page = " ".join(pbem(tmp_path / "nobody", "certificate", archive).out.split())
    assert (
        f" Delays: Deadline: {deadline}, by the dates that each has signed, which nobody vouches for {lines[1][:-1]} "
        in page
    )


def test_an_appointment_needs_a_deadline(tmp_path: Path) -> None:
    _, polish = pair_with(0, tmp_path).sides()
    _, offer = offered(polish, tmp_path)
    done = polish("motion", "appoint", "--offer", offer)
    assert done.err.splitlines() == [
        "appoint.deadline: expected a deadline for a referee to rule behind, got a game without one",
        "hint: say --deadline-days, for example 7",
    ]
    assert polish("motion", "appoint", "--offer", offer, "--deadline-days", "7").code == 0
