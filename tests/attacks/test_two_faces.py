"""A judge with two faces: one player gets a receipt or a ruling, the other a ruling in its place or an annulment."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from attacks.hosting import GRACE, Table
from attacks.sides import DAY, DEADLINE_DAYS, Side, id_of, new_side, packed, payload_of, unpacked
from attacks.test_referee import Court, begun, court  # noqa: F401 - fixtures
from pbem.log import bundle
from pbem.log.event import Annul, Receipt, Role, Ruling
from pbem.log.fork import fork
from pbem.log.verify import verify_event


@dataclass(frozen=True, slots=True)
class Faces:
    """Who has decided, who waited, and what the adjudicator has signed: the receipt, the ruling, an annulment."""

    decider: Side
    waiting: Side
    decision: bytes
    receipt: bytes
    ruling: bytes
    annulment: bytes

    def given(self, names: str) -> list[bytes]:
        """What these letters stand for; what has a receipt comes with it."""
        lines = {"R": [self.decision, self.receipt], "U": [self.ruling], "N": [self.annulment]}
        return [line for name in names for line in lines[name]]


@pytest.fixture
def faces(table: Table) -> Faces:
    """Both players know the game up to a decision that was made in time."""
    decider, waiting = table.deciding()
    place = decider.opened().campaign.place
    kind, role = place.demands[decider.role].kind, decider.role
    for side in table.sides():
        side.now = place.since + DEADLINE_DAYS * DAY + GRACE + 60
    decider.decide()
    (decision,) = decider.opened().campaign.pending()
    host = table.host
    receipt = host.sign(host.here(Receipt(arrived={decision.id: place.since + 60})))
    body = Ruling(role=role, demand=kind, link="", salt="", value=None, agree=False, motion="", why="")
    ruling, annulment = host.sign(host.here(body)), host.sign(host.here(Annul(why="a storm")))
    return Faces(decider, waiting, decision.line, receipt, ruling, annulment)


@pytest.mark.plan("A34")
def test_nobody_is_told_to_give_way_where_a_receipt_says_that_it_came(faces: Faces, table: Table) -> None:
    """The ruling is one that could never stand; what has its receipt gives way to none, whoever says so."""
    decider, waiting, step = faces.decider, faces.waiting, faces.waiting.opened().campaign.place.step
    body = Ruling(**{**payload_of(faces.ruling)["body"], "why": "too early"})
    too_early = table.host.sign(table.host.here(body, at=table.host.now - DAY))
    decider.take(packed([faces.receipt]))
    waiting.take(packed([faces.decision, faces.receipt]))
    waiting.decide()
    done = decider.mail(packed([*unpacked(waiting.export(everything=True)).lines, too_early]))
    assert (
        "import.overtaken: expected an event that follows this log, got adjudicator's ruling of step "
        f"{step}, which follows another one\n"
        "hint: it changes nothing here; if the other side goes on from it, compare what `pbem log` tells at both homes"
    ) in done.err
    assert "yield" not in done.out + done.err + decider("status").out
    assert decider("motion", "yield", decider.game).err.splitlines()[0] == (
        "yield.none: expected a claim or a ruling in the place of what you have signed, got none"
    )


# ------------------------------------------------------------------------------------------ both faces at one home

WORDS = {"R": "receipt", "U": "ruling", "N": "annulment"}
ORDERS = ["R U", "U R", "RU", "UR", "R N", "N R", "NR", "U N", "N U", "UN"]


def is_shown(side: Side, role: str, step: int, events: int) -> None:
    """The game is stopped, and whoever has nothing else is shown why."""
    stopped, *_, to_do = side("status").out.splitlines()[-4:]
    assert stopped == (
        f"  THE GAME IS STOPPED: {role} signed two different events at step {step}, perhaps from a backup or a second "
        "device"
    )
    assert to_do.startswith("  do now: settle which one stands: `pbem motion resolve")
    files = [side.folder.parent / f"{side.folder.name}-{number}.pbem" for number in range(2)]
    assert side("export", side.game, "--evidence", "-o", files[0]).code == 0
    assert side("dispute", side.game, "fork", "-o", files[1]).code == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    stranger = new_side(side.folder.parent / f"{side.folder.name}-stranger", "german", "Sara")
    done = stranger("verify", files[0])
    assert (done.code, f"Proven: {role} signed two different events at step {step} of game" in done.out) == (0, True)
    lines = unpacked_file(files[0])
    assert len(lines) == events
    (files[1]).write_bytes(b"\n".join(line for line in files[0].read_bytes().split(b"\n") if line != lines[-3]))
    assert stranger("verify", files[1]).code == 1


def unpacked_file(path: Path) -> list[bytes]:
    return list(bundle.read(path.read_bytes()).lines)


@pytest.mark.plan("A34", "A16")
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("pending", [False, True])
def test_two_faces_of_an_adjudicator_are_a_fork_in_whatever_order_they_come(
    faces: Faces, order: str, pending: bool, tmp_path: Path
) -> None:
    reader = faces.waiting.copy(tmp_path / "reader")
    if pending:
        reader.take(packed([faces.decision]))
    step = reader.opened().campaign.place.step
    for mail in order.split():
        (done,) = reader.take(packed(faces.given(mail))).games
    assert (done.refused, bool(done.fork)) == ([], True)
    is_shown(reader, "adjudicator", step, 4 if "N" in order else 6)


@pytest.mark.plan("A34", "A16")
@pytest.mark.parametrize("kept", ["R", "U", "N"])
@pytest.mark.parametrize("order", ["RU", "UR", "RN", "NR", "UN", "NU"])
def test_a_player_settles_which_face_counts_and_the_other_follows(faces: Faces, order: str, kept: str) -> None:
    if kept not in order:
        return
    decider, waiting = faces.decider, faces.waiting
    decider.take(packed(faces.given(order[0])))
    waiting.take(packed(faces.given(order[1])))
    decider.take(packed(faces.given(order[1])))
    (other,) = set(order) - {kept}
    done = decider("motion", "resolve", decider.game, "--keep", id_of(faces.given(kept)[-1]))
    step = decider.opened(whole=True).resolutions[0].event.step
    assert done.code == 0, done
    assert (
        f"settled by you: adjudicator's {WORDS[kept]} of step {step} stands, the {WORDS[other]} is overruled"
        in done.out
    )
    told = waiting.mail(decider.export(everything=True)).out
    by = f"settled by {decider.role}"
    assert f"{by}: adjudicator's {WORDS[kept]} of step {step} stands, the {WORDS[other]} is overruled" in told
    assert decider.heads() == waiting.heads()
    both = " and ".join(sorted((WORDS[kept], WORDS[other])))
    assert f"adjudicator signed {both}; {by}: '{WORDS[kept]}' stands" in waiting("log", waiting.game).out
    for side in (decider, waiting):
        verdict = side.verified()
        assert (verdict.code, "was overruled by" in verdict.out) == (0, True)


@pytest.mark.plan("A34", "A16")
@pytest.mark.parametrize("kept", ["R", "U"])
def test_dice_behind_the_face_that_counts_are_no_dice_behind_the_other(faces: Faces, table: Table, kept: str) -> None:
    """The adjudicator of this game rolls alone, and its own home follows the settlement like the players'."""
    for side in table.sides():
        side.take(packed(faces.given("RU")))
    done = faces.waiting("motion", "resolve", table.host.game, "--keep", id_of(faces.given(kept)[-1]))
    assert done.code == 0, done
    sent = faces.waiting.export(everything=True)
    for side in (faces.decider, table.host):
        assert side.take(sent).games[0].refused == []
    for _ in range(6):
        for player in table.players():
            player.decide()
        table.exchange()
    assert len(table.heads()) == 1
    assert faces.waiting.opened(whole=True).campaign.rolls
    assert [side.verified().code for side in table.sides()] == [0, 0, 0]


@pytest.mark.plan("A34", "A16")
@pytest.mark.parametrize("order", ["U N", "N U", "UN"])
def test_two_faces_of_a_referee_are_a_fork(court: Court, order: str, tmp_path: Path) -> None:  # noqa: F811 - a fixture
    silent, waiting = court.deciding()
    court.late()
    place, referee = court.referee.opened().campaign.place, court.referee
    kind = place.demands[silent.role].kind
    body = Ruling(role=silent.role, demand=kind, link="", salt="", value=None, agree=False, motion="", why="")
    lines = {"U": referee.sign(referee.here(body)), "N": referee.sign(referee.here(Annul(why="a storm")))}
    reader = waiting.copy(tmp_path / "reader")
    reader.now += 60
    for mail in order.split():
        (done,) = reader.take(packed([lines[name] for name in mail])).games
    assert (done.refused, bool(done.fork)) == ([], True)
    is_shown(reader, "referee", place.step, 4)


def test_a_ruling_on_one_role_beside_the_receipt_of_another_is_no_fork(faces: Faces, table: Table) -> None:
    host, roster = table.host, table.host.opened().campaign.roster
    place = faces.waiting.opened().campaign.place
    other = Ruling(
        role=Role(faces.waiting.role), demand="answer", link="", salt="", value=None, agree=False, motion="", why=""
    )
    beside = verify_event(host.sign(host.here(other)), roster)
    ruling, receipt, decision = (verify_event(line, roster) for line in (faces.ruling, faces.receipt, faces.decision))
    at_hand = {decision.id: decision}
    assert (beside.event.prev, receipt.event.prev) == (place.prev, place.prev)
    assert [fork(beside, ruling, at_hand), fork(beside, receipt, at_hand), fork(ruling, receipt)] == [None] * 3
    assert fork(ruling, receipt, at_hand) == fork(receipt, ruling, at_hand)
    assert fork(ruling, receipt, at_hand) is not None
