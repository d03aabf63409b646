"""Keys that held a seat, hold it or never got it: what each of them can still say, and what its home is told."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from attacks.sides import Pair, Side, id_of, new_side, packed, payload_of, pbem, sign
from attacks.test_motions import deciding, exchange, heads, moved, replied
from attacks.test_referee import Court, begun, court  # noqa: F401 - fixtures
from pbem.app.archive import archive_of
from pbem.app.exporting import evidence_file
from pbem.app.moving import NOTHING
from pbem.app.seats import rotate
from pbem.log import bundle, dispute
from pbem.log.dispute import RefusalClaim
from pbem.log.event import Event, Motion
from pbem.log.fork import Fork, fork, read_evidence
from pbem.log.verify import verify_event

# ------------------------------------------------------------------------------------------ one step, two statements


@pytest.fixture
def two_faced(court: Court, tmp_path: Path) -> tuple[Court, bytes, bytes]:  # noqa: F811 - a fixture
    """The Pole sends a new key to the German, and a decision of the same step, by the old key, to the referee."""
    twin = court.polish.copy(tmp_path / "twin")
    with court.polish.desk() as desk:
        rotate(desk, court.polish.game)
    twin.decide()
    return court, court.polish.export(everything=True), twin.export(everything=True)


def stopped(side: Side) -> Fork:
    found = side.opened().fork
    assert found is not None, side.role
    return found


@pytest.mark.plan("A18", "A23")
@pytest.mark.parametrize("first", ["key", "decision"])
def test_a_new_key_and_a_decision_at_one_step_stop_every_home(
    two_faced: tuple[Court, bytes, bytes], tmp_path: Path, first: str
) -> None:
    both, key, decision = two_faced
    german, referee = both.german, both.referee
    for side, own in ((german, key), (referee, decision)) if first == "key" else ((german, decision), (referee, key)):
        side.now += 60
        side.take(own)
        assert side.opened().fork is None
    german.take(referee.export(everything=True))
    referee.take(german.export(everything=True))
    assert stopped(german) == stopped(referee)
    assert {stopped(german).first.event.kind, stopped(german).second.event.kind} == {"motion", "answer"}
    proofs = []
    for side in (german, referee):
        with side.desk() as desk:
            proofs.append(evidence_file(desk, side.game))
    assert proofs[0] == proofs[1]
    (tmp_path / "proof.pbem").write_bytes(proofs[0])
    done = pbem(tmp_path / "nobody", "verify", tmp_path / "proof.pbem")
    step = stopped(german).first.event.step
    assert done.code == 0
    assert done.out.startswith(f"Proven: polish signed two different events at step {step} of game ")


@pytest.mark.plan("A18", "A52")
def test_the_order_of_mails_does_not_matter(two_faced: tuple[Court, bytes, bytes], tmp_path: Path) -> None:
    """What the German has done behind the new key makes no difference."""
    both, key, decision = two_faced
    played = both.german.copy(tmp_path / "played")
    played.now += 60
    played.take(key)
    mails = (key, decision, played.export(everything=True))
    found = set()
    for number, order in enumerate(permutations(mails)):
        home = both.referee.copy(tmp_path / f"home-{number}")
        home.now = played.now + 60
        for mail in order:
            home.take(mail)
        found.add((stopped(home).first.id, stopped(home).second.id))
    assert len(found) == 1


# ------------------------------------------------------------------------------------------ refused


@pytest.fixture
def refused(played: Pair, tmp_path: Path) -> tuple[Side, Side, Side]:
    """Who decides has moved to give the seat to Carla, and the other side did not agree: mover, other side, Carla."""
    mover, other = deciding(played)
    archive, offer = tmp_path / "so-far.pbem", tmp_path / "offer.json"
    assert mover("archive", "-o", archive).code == 0
    carla = new_side(tmp_path / "carla", mover.role, "Carla")
    assert carla("substitute", archive, "--as", mover.role, "-o", offer).code == 0
    assert mover("motion", "hand-over", "--offer", offer).code == 0
    assert other.mail(mover.export()).code == 0
    assert other("motion", "refuse").code == 0
    assert mover.mail(other.export()).code == 0
    assert carla.mail(other.export(everything=True)).code == 0
    return mover, other, carla


def contradicting(carla: Side) -> list[bytes]:
    """Two different motions at the present place, by the key that was refused."""
    here = carla.opened().campaign.place
    texts = [Motion(**(NOTHING | {"what": "draw", "why": why})) for why in ("one", "another")]
    said = [Event(here.game, here.step, here.prev, here.state, carla.role, "motion", one, carla.now) for one in texts]
    return [sign(carla.identity(), one) for one in said]


@pytest.mark.plan("A18", "A64")
def test_a_key_that_was_refused_a_seat_stops_nothing(refused: tuple[Side, Side, Side]) -> None:
    _, other, carla = refused
    step = other.opened().campaign.place.step
    lines = contradicting(carla)
    done = other.mail(packed(lines))
    assert (done.code, other.opened().fork) == (1, None)
    assert sorted({line.split(", got ")[0] for line in done.err.splitlines()}) == [
        f"place.key: expected the key that holds {carla.role}'s seat at step {step}"
    ]


@pytest.mark.plan("A64")
@pytest.mark.parametrize("with_refusal", [False, True])
def test_a_key_that_was_refused_a_seat_proves_nothing(
    refused: tuple[Side, Side, Side], tmp_path: Path, with_refusal: bool
) -> None:
    """Two statements contradict each other, but who made them never spoke for the seat."""
    mover, other, carla = refused
    opened = other.opened(whole=True)
    one, second = (verify_event(line, opened.known) for line in contradicting(carla))
    assert fork(one, second) is not None
    joined = sorted(opened.registrations, key=lambda verified: verified.event.step)
    log = [verified for step in opened.campaign.steps for verified in step.events]
    answers = [verified for verified in log if verified.event.kind == "consent"] if with_refusal else []
    lines = [verified.line for verified in (*joined, *opened.seats, *answers, one, second)]
    (tmp_path / "proof.pbem").write_bytes(bundle.write("evidence", [verified.key for verified in joined], lines))
    done = pbem(tmp_path / "nobody", "verify", tmp_path / "proof.pbem")
    assert (done.code, done.out) == (1, "")
    (motion,) = opened.seats
    assert done.err.splitlines()[0] == (
        f"dispute.seat: expected another role's consent to {motion.title}, got {answers[0].title}"
        if with_refusal
        else f"event.unknown_key: expected a key of a party of this game, got '{one.line[:16].decode()}'"
    )
    assert mover.opened().fork is None


@pytest.mark.plan("A64")
def test_a_refusal_of_what_such_a_key_has_signed_is_no_dispute(
    refused: tuple[Side, Side, Side], tmp_path: Path
) -> None:
    _, other, carla = refused
    line = contradicting(carla)[0]
    other.mail(packed([line]))
    done = other("dispute", other.game, "refusal", id_of(line)[:16], "-o", tmp_path / "refusal.pbem")
    assert (done.code, done.err.split(":")[0]) == (1, "dispute.event")
    assert refusal_of(other, line, tmp_path).startswith("event.unknown_key: expected a key of a party of this game")


@pytest.mark.plan("A23", "A64")
def test_a_refusal_of_what_a_former_key_has_signed_is_no_dispute(played: Pair, tmp_path: Path) -> None:
    mover, other = deciding(played)
    identity = mover.identity()
    with mover.desk() as desk:
        rotate(desk, mover.game)
    exchange(played, mover)
    here = other.opened().campaign.place
    text = Motion(**(NOTHING | {"what": "draw"}))
    line = sign(identity, Event(here.game, here.step, here.prev, here.state, mover.role, "motion", text, mover.now))
    title = verify_event(line, other.opened().known).title
    assert refusal_of(other, line, tmp_path).splitlines()[0] == (
        f"dispute.seat: expected the key that holds the seat, got {title} by another one"
    )


def refusal_of(side: Side, line: bytes, folder: Path) -> str:
    """What a stranger is told of a dispute that shows that the log refuses an event of its present step."""
    log = bundle.read(archive_of(side.opened(whole=True)))
    before = [one for one in log.lines if payload_of(one)["step"] < payload_of(line)["step"]]
    claim = RefusalClaim(claim="refusal", event=id_of(line), code="place.key")
    (folder / "refusal.pbem").write_bytes(dispute.write(claim, log.keys, [*before, line]))
    done = pbem(folder / "nobody", "verify", folder / "refusal.pbem")
    assert (done.code, done.out) == (1, "")
    return done.err


@pytest.mark.plan("A18")
def test_a_fork_behind_a_seat_that_was_handed_over_proves_itself(played: Pair, tmp_path: Path) -> None:
    """The consent is in the file: a stranger sees that the key spoke for the seat."""
    mover, other = deciding(played)
    archive, offer = tmp_path / "so-far.pbem", tmp_path / "offer.json"
    mover("archive", "-o", archive)
    carla = new_side(tmp_path / "carla", mover.role, "Carla")
    carla("substitute", archive, "--as", mover.role, "-o", offer)
    mover("motion", "hand-over", "--offer", offer)
    other.mail(mover.export())
    other("motion", "agree")
    carla.mail(other.export(everything=True))
    other.mail(packed(contradicting(carla)))
    with other.desk() as desk:
        data = evidence_file(desk, other.game)
    assert read_evidence(bundle.read(data)).first.key == carla.identity().public_key
    kinds = [payload_of(line)["kind"] for line in bundle.read(data).lines]
    assert kinds == ["propose", "accept", "motion", "consent", "motion", "motion"]


@pytest.fixture
def taken_later(played: Pair, refused: tuple[Side, Side, Side], tmp_path: Path) -> tuple[Side, Side, Side, int]:
    """Carla, who was refused the seat, has got it with the same offer: mover, other side, Carla, the motion's step."""
    mover, other, carla = refused
    decider = mover  # who was refused has to decide before it moves again
    while decider is not mover or mover.opened().campaign.place.refused:
        decider.decide()
        exchange(played, decider)
        decider, _ = deciding(played)
    step = mover.opened().campaign.place.step
    assert mover("motion", "hand-over", "--offer", tmp_path / "offer.json").code == 0
    assert other.mail(mover.export()).code == 0
    assert other("motion", "agree").code == 0
    assert mover.mail(other.export()).code == 0
    assert carla.mail(other.export(everything=True)).code == 0
    return mover, other, carla, step


@pytest.mark.plan("A18")
def test_a_fork_of_a_key_that_was_refused_first_proves_itself(taken_later: tuple[Side, Side, Side, int]) -> None:
    """The motion that was agreed to is in the file, and not the one that was not."""
    _, other, carla, step = taken_later
    other.mail(packed(contradicting(carla)))
    with other.desk() as desk:
        data = evidence_file(desk, other.game)
    assert read_evidence(bundle.read(data)).first.key == carla.identity().public_key
    said = [payload_of(line) for line in bundle.read(data).lines]
    assert [one["kind"] for one in said] == ["propose", "accept", "motion", "consent", "motion", "motion"]
    assert said[2]["step"] == step


def test_a_home_names_the_step_of_the_motion_that_was_agreed_to(taken_later: tuple[Side, Side, Side, int]) -> None:
    mover, _, _, step = taken_later
    assert mover("orders").err == told(mover.role, step + 2, "Carla <carla@example.org>")


# ------------------------------------------------------------------------------------------ the home that gave a seat


@pytest.mark.parametrize("asked", [False, True])
def test_a_home_without_the_seat_is_asked_nothing(played: Pair, tmp_path: Path, asked: bool) -> None:
    """`pbem orders` names who has the seat, and since when, before and after it is taken."""
    decider, waiter = deciding(played)
    mover, other = (waiter, decider) if asked else (decider, waiter)
    archive, offer = tmp_path / "so-far.pbem", tmp_path / "offer.json"
    mover("archive", "-o", archive)
    carla = new_side(tmp_path / "carla", mover.role, "Carla")
    carla("substitute", archive, "--as", mover.role, "-o", offer)
    name = {"german": "Anna <anna@example.org>", "polish": "Bruno <bruno@example.org>"}[mover.role]
    joined = {"german": 0, "polish": 1}[mover.role]
    assert carla("orders").err == told(mover.role, joined, name)
    step = mover.opened().campaign.place.step
    mover("motion", "hand-over", "--offer", offer)
    other.mail(mover.export())
    other("motion", "agree")
    mover.mail(other.export())
    held = told(mover.role, step + 1 if asked else step + 2, "Carla <carla@example.org>")
    sheet = tmp_path / "sheet.txt"
    sheet.write_text("pass\n")
    for words in ((), ("--check", sheet), ("--submit", sheet)):
        done = mover("orders", mover.game, *words)
        assert (done.code, done.out, done.err) == (1, "", held)
    assert mover("motion", "draw").code == 1


def told(role: str, step: int, who: str) -> str:
    return (
        f"game.seat_given: expected a home with the key that holds the seat of {role}, got one without it: since step "
        f"{step} {who} holds it\n"
        "hint: whoever has that key plays on; `pbem log westerplatte` goes on telling what happens here\n"
    )


# ------------------------------------------------------------------------------------------ what would be undone


def test_a_take_back_shows_what_it_would_undo_before_and_after_it_is_moved(played: Pair) -> None:
    mover, other = deciding(played)
    campaign = mover.opened(whole=True).campaign
    first = campaign.place.step - 3
    shown = [f"would be undone: steps {first} to {first + 2}"]
    for step in campaign.steps[first:]:
        nouns = {"answer": "orders", "entropy": "share of the dice"}
        whose = " and ".join(f"{one.event.role}'s {nouns[one.event.kind]}" for one in step.events)
        shown += [f"step {step.number}: {whose}"]
        shown += [f"  > {line.text}" for line in campaign.lines if line.step == step.number]
    before = mover.tables()
    done = mover("motion", "take-back", mover.game, "--to", str(first), "--show")
    assert (done.code, mover.tables()) == (0, before)
    last = f"Nothing was moved. Do now: `pbem motion take-back westerplatte --to {first}` moves it."
    assert done.out.splitlines() == [*shown, last]
    moved(mover, what="take_back", step=first, why="a slip")
    exchange(played, mover)
    sheet = other("orders").out.splitlines()
    at = sheet.index(f"# {mover.role} moves to take play back to step {first}: a slip")
    assert sheet[at + 1 : at + 1 + len(shown)] == [f"#   {line}" for line in shown]
    replied(other, agree=True)
    exchange(played, other)
    assert heads(played)[0] == heads(played)[1]


def test_a_long_take_back_is_cut(played: Pair) -> None:
    mover, _ = deciding(played)
    campaign = mover.opened(whole=True).campaign
    steps = [one.number for one in campaign.steps if one.number >= 2]
    whole = 1 + len(steps) + len([line for line in campaign.lines if line.step in steps])
    lines = mover("motion", "take-back", mover.game, "--to", "2", "--show").out.splitlines()
    assert len(lines) == 25
    assert lines[23] == f"and {whole - 23} lines more: `pbem log --from 2`"


def test_what_was_not_played_cannot_be_shown(played: Pair) -> None:
    mover, _ = deciding(played)
    step = mover.opened().campaign.place.step
    done = mover("motion", "take-back", mover.game, "--to", "900", "--show")
    assert (done.code, done.err) == (
        1,
        f"motion.take_back: expected a step from 2 to {step - 1} to go back to, got step 900\n",
    )


@pytest.mark.plan("A18")
def test_a_fork_of_a_former_key_names_who_held_the_seat(joined: Pair, tmp_path: Path) -> None:
    """Who gave the key up can still contradict what it signed then: the role that has another key is not accused."""
    german, polish = joined.sides()
    twin = polish.copy(tmp_path / "twin")
    step = polish.opened().campaign.place.step
    polish.decide()
    exchange(joined, polish)
    while polish.opened().campaign.place.deciding != ("polish",):
        german.decide()
        exchange(joined, german)
        polish.decide() if polish.opened().campaign.place.deciding != ("polish",) else None
    with polish.desk() as desk:
        rotate(desk, polish.game)
    changed = polish.opened().campaign.place.step - 1
    polish.decide()
    exchange(joined, polish)
    exchange(joined, german)
    twin.now += 5
    twin.decide()
    german.take(twin.export(everything=True))
    assert german("status").out.splitlines()[2] == (
        f"  THE GAME IS STOPPED: a former key of polish (Bruno, who held the seat at steps 1 to {changed}) signed two "
        f"different events at step {step}"
    )
