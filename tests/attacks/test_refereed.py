"""What is shown of a game with a referee: rulings in disputes, in mails and on the certificate, and words."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from attacks import test_referee
from attacks.sides import DAY, Pair, Seeded, Side, new_side, packed, payload_of, unpacked
from attacks.test_motions import deciding as deciding_pair
from attacks.test_motions import exchange
from attacks.test_referee import Court, begun, court, decide_once, invited, ruled, sealing  # noqa: F401 - fixtures
from attacks.test_referee import _opening_owed as opening_owed
from pbem.app.dispute import fork_file, opening_file, openings, roll_file
from pbem.app.exporting import evidence_file, export
from pbem.app.moving import move
from pbem.app.reading import whole_game
from pbem.app.ruling import annul
from pbem.app.seats import hand_over, rotate
from pbem.app.verify import verify
from pbem.errors import BadEvidence
from pbem.log import bundle, dispute
from pbem.log.dispute import ProvenOpening, ProvenRoll
from pbem.log.event import Role


def play(pair: Pair, rounds: int) -> None:
    for _ in range(rounds):
        for side in (pair.german, pair.polish):
            side.decide()
            exchange(pair, side)


def rotated(pair: Pair) -> Side:
    """The player who has to decide signs with a new key from now on, and has rolled with it."""
    side, _ = deciding_pair(pair)
    with side.desk() as desk:
        rotate(desk, side.game)
    exchange(pair, side)
    play(pair, 3)
    return side


@pytest.mark.plan("A14")
def test_a_fork_by_a_key_that_came_later_proves_itself(played: Pair, tmp_path: Path) -> None:
    mover = rotated(played)
    while deciding_pair(played)[0] is not mover:
        decider, _ = deciding_pair(played)
        decider.decide()
        exchange(played, decider)
    other = next(side for side in (played.german, played.polish) if side is not mover)
    twin = mover.copy(tmp_path / "twin")
    twin.chooser = Seeded(77, "another")
    for side in (mover, twin):
        side.decide()
        other.take(side.export(everything=True))
    with other.desk() as desk:
        proofs = [evidence_file(desk, other.game), fork_file(whole_game(desk, other.game))]
        found = [verify(proof, desk.games).fork for proof in proofs]
    assert proofs[0] == proofs[1]
    key = mover.opened().campaign.roster.parties[mover.role].key
    assert [(one.first.event.role, one.first.key) for one in found if one] == [(mover.role, key)] * 2
    assert len(bundle.read(proofs[0]).lines) == 5 - (mover.role == "german")


def test_rolls_before_and_behind_a_new_key_check_themselves(played: Pair) -> None:
    before = {roll.id for roll in played.german.opened(whole=True).campaign.rolls}
    side = rotated(played)
    behind = [roll.id for roll in side.opened(whole=True).campaign.rolls if roll.id not in before]
    for roll in (min(before), behind[0]):
        assert checked(side, roll)
        with side.desk() as desk:
            assert isinstance(verify(roll_file(whole_game(desk, side.game), roll), desk.games).dispute, ProvenRoll)


def checked(side: Side, roll: str) -> bool:
    done = side("roll", side.game, roll)
    script = subprocess.run(["sh"], input=done.out, capture_output=True, text=True, check=False)
    assert "NOT AS LOGGED" not in script.stdout, script.stdout
    return script.returncode == 0


@pytest.fixture
def ruled_roll(court: Court) -> Court:  # noqa: F811 - a fixture
    """The Pole's link was opened by the referee."""
    court.polish.decide()
    for other in (court.german, court.referee):
        other.take(court.polish.export(everything=True))
    court.german.decide()
    court.referee.take(court.german.export(everything=True))
    court.late()
    ruled(court, "silent")
    court.german.take(court.referee.export(everything=True))
    return court


@pytest.mark.plan("A43")
def test_a_roll_whose_link_the_referee_opened_checks_itself(ruled_roll: Court) -> None:
    roll = ruled_roll.german.opened(whole=True).campaign.rolls[0].id
    assert checked(ruled_roll.german, roll)
    with ruled_roll.german.desk() as desk:
        proof = verify(roll_file(whole_game(desk, "westerplatte"), roll), desk.games).dispute
    assert isinstance(proof, ProvenRoll)
    assert [(role, index) for role, index, _, _ in proof.links] == [("german", 1), ("polish", 1)]


def test_a_ruling_with_another_link_proves_no_roll(ruled_roll: Court) -> None:
    """The referee's word alone makes no link: one that hashes down to nothing is refused."""
    whole = ruled_roll.german.opened(whole=True)
    roll = whole.campaign.rolls[0]
    data = bundle.read(roll_file(whole, roll.id))
    claim = dispute.read_claim(data)
    forged = next(one for one in whole.campaign.steps[roll.step].events if one.event.kind == "ruling")
    body = forged.event.body.model_copy(update={"link": "ab" * 32})
    line = ruled_roll.referee.sign(replace(forged.event, body=body))
    lines = [line if one == forged.line else one for one in data.lines]
    with pytest.raises(BadEvidence) as told:
        dispute.read_slice(bundle.read(dispute.write(claim, data.keys, lines)))
    assert told.value.code == "dispute.link"


@pytest.mark.plan("A16", "A43")
def test_a_roll_of_ruled_links_says_their_indices_and_nobody_looks_for_them(court: Court) -> None:  # noqa: F811
    """The referee has opened both links, and no entropy event tells which links they are."""
    court.polish.decide()
    court.german.take(court.polish.export(everything=True))
    court.german.decide()
    sent = unpacked(court.german.export(everything=True))
    kept = [line for line in sent.lines if payload_of(line)["kind"] != "entropy"]
    court.referee.take(packed(kept, sent.keys))
    court.late()
    ruled(court, "silent")
    whole = court.referee.opened(whole=True)
    data = bundle.read(roll_file(whole, whole.campaign.rolls[0].id))
    claim = dispute.read_claim(data)
    assert isinstance(claim, dispute.RollClaim)
    assert claim.ruled == [1, 1]
    told = {}
    for indices in ([], [2, 1], [1], [4_000, 4_000]):
        said = {name: value for name, value in claim.model_dump().items() if name != "ruled"}
        forged = dispute.RollClaim(**said, **({"ruled": indices} if indices else {}))
        with pytest.raises(BadEvidence) as refused:
            dispute.read_slice(bundle.read(dispute.write(forged, data.keys, data.lines)))
        told[len(indices), sum(indices)] = refused.value.text[:62]
    down = "expected the link of referee's ruling of step "
    assert told.pop((1, 1)) == "expected one index for each of 2 links that were ruled on, got"
    assert all(text.startswith(down) for text in told.values())


@pytest.mark.plan("A34")
def test_an_opening_by_the_referee_is_shown_to_a_stranger(sealing: Court, tmp_path: Path) -> None:  # noqa: F811
    court = Court(*(side.copy(tmp_path / side.role) for side in sealing.sides()))  # noqa: F811
    court.polish.decide()
    opening_owed(court)
    court.late()
    ruled(court)
    court.german.take(court.referee.export(everything=True))
    with court.german.desk() as desk:
        whole = whole_game(desk, court.german.game)
        (sealed, opened), *_ = openings(whole)
        proof = verify(opening_file(whole, opened.event.step), desk.games).dispute
    assert isinstance(proof, ProvenOpening)
    assert (sealed.event.role, opened.event.role, proof.claim.role) == ("polish", "referee", "polish")
    done = court.german("dispute", court.german.game, "opening", str(opened.event.step), "--text")
    step, game = opened.event.step, court.german.opened().row.game_id[:12]
    assert done.out.splitlines()[0] == f"What the referee opened for polish at step {step} of game {game}"


def test_a_seat_by_ruling_stands_behind_a_roll(court: Court, tmp_path: Path) -> None:  # noqa: F811
    """A hand-over that the referee agreed to brings in a key whose rolls prove themselves."""
    decider, _ = court.deciding()
    taker = substituted(decider, tmp_path)
    court.exchange()
    ruled(court, agree=True)
    sides = [taker if side is decider else side for side in court.sides()]
    court = Court(*sides)
    court.exchange()
    for _ in range(3):
        for side in sides[:2]:
            side.decide()
            court.exchange(1)
    court.exchange()
    roll = court.german.opened(whole=True).campaign.rolls[0].id
    assert checked(court.german, roll)
    with court.german.desk() as desk:
        data = roll_file(whole_game(desk, "westerplatte"), roll)
        proof = verify(data, desk.games).dispute
    assert isinstance(proof, ProvenRoll)
    assert proof.roster.parties[decider.role].key == taker.identity().public_key
    assert len(bundle.read(data).lines) == 3 + 2 + 2


def substituted(leaving: Side, folder: Path) -> Side:
    """Somebody to whom a player moves to give the seat."""
    archive, offer = folder / "game.pbem", folder / "offer.json"
    assert leaving("archive", "-o", archive).code == 0
    taker = new_side(folder / "taker", leaving.role, "Carla")
    taker.now = leaving.now
    done = taker("substitute", archive, "--as", leaving.role, "--name", leaving.game, "-o", offer)
    assert done.code == 0, done
    with leaving.desk() as desk:
        hand_over(desk, leaving.game, offer.read_text())
    return taker


def test_what_a_leaving_player_has_sealed_can_still_be_opened_by_the_referee(
    sealing: Court,  # noqa: F811
    tmp_path: Path,
) -> None:
    court = Court(*(side.copy(tmp_path / side.role) for side in sealing.sides()))  # noqa: F811
    decide_once(court.polish)
    court.exchange()
    campaign = court.polish.opened(whole=True).campaign
    left = [one.secret for one in campaign.audit.left if one.role == "polish"]
    substituted(court.polish, tmp_path)
    with court.polish.desk() as desk:
        warned = hand_over(desk, court.polish.game, (tmp_path / "offer.json").read_text(), "once more").warnings
    assert left
    assert warned == [
        *(
            f"What you sealed at step {one.step} ({one.ask}) stays sealed: whoever takes the seat cannot open it."
            for one in left
        ),
        "Where play asks for it its default counts, unless the referee opens it from what was deposited; else it is "
        "told at the end as never opened.",
    ]


def test_what_crosses_an_annulment_or_a_granted_request_leaves_archives_that_hold(court: Court) -> None:  # noqa: F811
    decider, waiter = court.deciding()
    with waiter.desk() as desk:
        move(desk, waiter.game, {"what": "pause"})
    court.exchange()
    ruled(court, agree=True)
    waiter.take(court.referee.export(everything=True))
    with waiter.desk() as desk:
        move(desk, waiter.game, {"what": "draw"})
    court.referee.take(waiter.export(everything=True))
    decider.decide()
    court.exchange()
    assert [(side.verified().code, side.verified().err) for side in court.sides()] == [(0, "")] * 3


def test_a_mail_goes_to_everybody(court: Court) -> None:  # noqa: F811
    with court.german.desk() as desk:
        mail = message_from_bytes(export(desk, "westerplatte", everything=True).mail, policy=policy.default)
    assert str(mail["To"]) == '"Bruno" <bruno@example.org>, "Rita" <rita@example.org>'.replace('"', "")


def test_the_invitation_tells_each_which_seat_is_theirs(tmp_path: Path) -> None:
    court = invited(tmp_path, "westerplatte", "standard")  # noqa: F811
    with court.german.desk() as desk:
        mail = message_from_bytes(export(desk, "westerplatte", everything=True).mail, policy=policy.default)
    text = mail.get_body().get_content()  # type: ignore[union-attr]
    assert (
        "Each seat is for one of you, who says the ADDRESS that stands here:\n\n"
        "  polish: bruno@example.org\n"
        "  referee: rita@example.org\n\n"
        "It is played with pbem, a program that carries out the orders of both\n"
        "sides and proves every roll of the dice. It needs no server and no\n"
        "account, only Python 3.11 or newer. To get it and to make your keys:\n\n"
        "  pip install pbem\n"
        "  pbem init --name NAME --address ADDRESS\n"
    ) in text


def covering_text(side: Side) -> str:
    """What the mail with all that a side has says to its readers."""
    with side.desk() as desk:
        mail = message_from_bytes(export(desk, "westerplatte", everything=True).mail, policy=policy.default)
    text: str = mail.get_body().get_content()  # type: ignore[union-attr]
    return text.partition("BEGIN PBEM")[0]


def test_who_has_joined_invites_nobody_and_says_how_the_last_one_joins(tmp_path: Path) -> None:
    court = invited(tmp_path, "westerplatte", "standard")  # noqa: F811
    game = court.polish.opened().row.game_id[:12]
    assert covering_text(court.polish) == (
        f"The Battle of the Westerplatte, game {game}, proposed by Anna.\n\n"
        "Bruno takes part as polish. The game has not begun.\n"
        "Waiting for referee (Rita): to accept the proposal.\n\n"
        "Have you joined already? Then import this mail: pbem import FILE\n\n"
        "Save this mail, or its attachment alone, as a file. Then see what is\n"
        "proposed, join, and mail the answer that is written:\n\n"
        "  pbem accept FILE --show\n"
        "  pbem accept FILE -o acceptance.eml --eml\n\n"
    )


def test_a_mail_before_play_begins_is_no_invitation_once_all_have_joined(tmp_path: Path) -> None:
    court = invited(tmp_path, "westerplatte", "standard")  # noqa: F811
    court.polish.take(court.referee.export())
    opened = court.polish.opened()
    assert not opened.campaign.started
    assert covering_text(court.polish) == (
        f"The Battle of the Westerplatte, game {opened.row.game_id[:12]}, proposed by Anna.\n\n"
        "Bruno takes part as polish. The game has not begun.\n"
        "Waiting for german (Anna): what the referee is to hold (the program does that by itself).\n\n"
        "Import this mail, or the attachment alone: pbem import FILE\n"
        "Then `pbem status` says what to do.\n\n"
    )


def test_the_terms_show_the_referees_seat_while_it_is_free(tmp_path: Path) -> None:
    court = invited(tmp_path, "westerplatte", "standard")  # noqa: F811
    path = tmp_path / "invitation.txt"
    path.write_bytes(court.polish.export(everything=True))
    told = new_side(tmp_path / "new", "referee", "Rita")("accept", path, "--show").out.splitlines()
    assert "  polish has accepted in this file: Bruno" in told
    assert told[-1].startswith("Do now: to join, `pbem accept ")
    assert "  deadline: 7 days an answer, then the referee rules." in told
    assert TRUST in told
    assert (
        new_side(tmp_path / "eve", "german", "Eve")("accept", path, "--show")
        .out.splitlines()[-1]
        .startswith("Do now: nothing, it is meant for somebody else; if rita@example.org is yours too, ")
    )


def test_a_referee_whose_word_comes_late_is_named_among_the_delays(tmp_path: Path) -> None:
    court = invited(tmp_path, "westerplatte", "standard")  # noqa: F811
    for sent in (court.polish.export(), court.referee.export()):
        court.german.take(sent)
    court.polish.take(court.german.export(everything=True))
    for side in court.sides():
        side.now += 9 * DAY
    court.referee.take(court.polish.export(everything=True))
    court.exchange()
    assert court.german("log", "--delays").out == (
        "    3  referee's word for the deposits (no decision): late by 2 days\n"
        "german: 0 decisions, 0 late, 0 stood in for; without a choice: 1 answer, 0 late, 0 stood in for.\n"
        "polish: 0 decisions, 0 late, 0 stood in for; without a choice: 1 answer, 0 late, 0 stood in for.\n"
        "referee: 0 decisions, 0 late, 0 stood in for; without a choice: 1 answer, 1 late (at most by 2 days), 0 stood "
        "in for.\n"
        "These times are by the dates that each has signed, which nobody vouches for: what was signed in time may have "
        "been sent too late, and who waited for it can be on record as late.\n"
        "Do now: `pbem status westerplatte`.\n"
    )


TRUST = "  the referee holds what opens both chains: it could foresee rolls, and is trusted not to tell."


def test_a_verdict_says_that_a_referee_is_trusted(court: Court) -> None:  # noqa: F811
    told = court.german.verified().out.splitlines()
    assert "  dice by german and polish together: no player could choose or foresee them" in told
    assert TRUST.removesuffix(".") in told


def test_rulings_and_annulments_stand_on_the_certificate(ruled_roll: Court) -> None:
    court = ruled_roll  # noqa: F811
    with court.referee.desk() as desk:
        annul(desk, "westerplatte", "a wrong map")
    court.exchange()
    told = [line.strip() for line in court.german("certificate", "westerplatte").out.splitlines()]
    assert "Winner: nobody: the referee annulled the game" in told
    assert "Ruling (step 6): the referee rules on polish's share of the dice: silent." in told
    assert "Annulment (step 7): the referee annulled the game at step 7: a wrong map." in told
    assert {"Rulings of the referee: 2", "Links that hash down to what their roller had registered: 2"} <= {*told}
    assert "referee" not in court.german("luck", "westerplatte").out


def test_status_says_what_to_do_when_a_deadline_is_over(court: Court) -> None:  # noqa: F811
    """The clock of this machine is years behind the deadline."""
    assert "you are the referee of Anna (german), Bruno (polish)" in court.referee("status").out
    assert "you are german against Bruno (polish); the referee is Rita" in court.german("status").out
    assert court.referee("status").out.splitlines()[-1] == (
        "  do now: the deadline of polish is over: wait on, or rule in the place of what is owed: "
        "`pbem motion rule westerplatte`"
    )
    assert court.german("status").out.splitlines()[-1] == (
        "  do now: the deadline of polish is over: wait on, or ask the referee to rule; was yours lost? "
        "`pbem export westerplatte` writes it again"
    )


def test_status_says_that_a_game_can_be_claimed(joined: Pair) -> None:
    joined.german.take(joined.polish.export())
    _, waiter = deciding_pair(joined)
    waiter.take(deciding_pair(joined)[0].export(everything=True))
    waiter.export()
    told = waiter("status").out.splitlines()[-1]
    assert told.endswith("is over: wait on, or claim the game: `pbem motion claim westerplatte`")


@pytest.mark.plan("A35")
def test_the_referee_is_told_whose_deposit_is_garbage_and_the_way_out(tmp_path: Path) -> None:
    test_referee.test_garbage_in_a_deposit_is_not_vouched_for(tmp_path)
    told = Side(Role("referee"), tmp_path / "referee")("status").out.splitlines()[-1]
    assert told == (
        "  do now: tell both sides that the deposit of german does not open what was registered, so that play cannot "
        "go on; `pbem motion annul westerplatte --why REASON` ends the game"
    )
