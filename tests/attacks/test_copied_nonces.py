"""A second game with the nonce of the first, in which somebody is to open, or to hold, the dice of the first.

All parties know the proposal, and every anchor and deposit in the log: an opponent can propose as many games with the
same nonce as it likes, and bring the same people into them.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from attacks.conftest import joined_at
from attacks.sides import BEGIN, DAY, Done, Pair, Side, new_side, packed, sign
from attacks.test_referee import Court, begun, court  # noqa: F401 - fixtures
from pbem.app import catalogue
from pbem.app.demo import Seeded
from pbem.app.moving import NOTHING
from pbem.app.propose import Terms, propose, registration
from pbem.app.ruling import rule
from pbem.app.seats import read_offer
from pbem.keys.identity import Identity
from pbem.log.event import Accept, Answer, Body, Deposit, Motion, Role


@dataclass(frozen=True, slots=True)
class Twins:
    """Two games of other ids with one nonce, and Carl, who is in neither."""

    real: Pair
    fake: Pair
    carl: Side
    folder: Path


@pytest.fixture
def twins(tmp_path: Path) -> Twins:
    real, fake = joined_at(tmp_path / "real", BEGIN), joined_at(tmp_path / "fake", BEGIN + 1000)
    (one, other) = (pair.german.opened().campaign.roster for pair in (real, fake))
    assert (one.proposal.nonce == other.proposal.nonce, one.game == other.game) == (True, False)
    return Twins(real, fake, new_side(tmp_path / "carl", "polish", "Carl"), tmp_path)


def offers(side: Side, pair: Pair, role: str, name: str, folder: Path) -> tuple[Done, Path]:
    """Somebody takes a pair's game in under a name, and offers to take a seat in it."""
    archive, offer = folder / f"{name}.pbem", folder / f"{name}.json"
    assert pair.german("archive", "-o", archive, "--force").code == 0
    return side("substitute", archive, "--as", role, "--name", name, "-o", offer), offer


def given(pair: Pair, offer: Path, side: Side) -> None:
    """The Pole hands its seat over to whoever made an offer, and the German agrees."""
    moved = pair.polish("motion", "hand-over", "--offer", offer)
    assert moved.code == 0, moved
    pair.german.now = int(time.time()) + 5
    pair.german.take(pair.polish.export())
    assert pair.german("motion", "agree").code == 0
    assert side.mail(pair.german.export(everything=True)).code == 0


@pytest.mark.plan("A42")
@pytest.mark.parametrize("role", ["polish", "referee"])
def test_no_seat_is_taken_in_a_second_game_with_the_nonce_of_the_first(twins: Twins, role: str) -> None:
    assert offers(twins.carl, twins.real, "polish", "real", twins.folder)[0].code == 0
    before = twins.carl.tables()
    done, offer = offers(twins.carl, twins.fake, role, "fake", twins.folder)
    assert (done.code, done.err) == (
        1,
        "seat.nonce: expected a game with a nonce of its own, got the nonce of another game of this home\n"
        "hint: no honest program makes such a game: take no seat in it\n",
    )
    assert (twins.carl.tables(), offer.exists()) == (before, False)


@pytest.mark.plan("A42")
def test_a_game_with_the_nonce_of_one_in_which_a_seat_is_held_is_not_joined(twins: Twins) -> None:
    assert offers(twins.real.polish, twins.fake, "polish", "fake", twins.folder)[0].err.startswith("seat.nonce: ")


@pytest.mark.plan("A42")
def test_one_identity_has_another_chain_in_every_game_whatever_its_nonce(twins: Twins) -> None:
    """Two devices of Carl, which know nothing of each other: what one opens is no link of the other."""
    device = twins.carl.copy(twins.folder / "device")
    registered = []
    for side, pair, name in ((twins.carl, twins.real, "real"), (device, twins.fake, "fake")):
        done, offer = offers(side, pair, "polish", name, twins.folder)
        assert done.code == 0, done
        side.game = name
        given(pair, offer, side)
        registered.append(side.opened().campaign.roster.parties[side.role].registration)
    one, other = registered
    assert one is not None
    assert other is not None
    assert (one.key == other.key, one.anchor == other.anchor) == (True, False)


@dataclass(frozen=True, slots=True)
class Mallory:
    """Both sides of a game against nobody: the German has a home, the Pole is an identity that says what it likes."""

    german: Side
    pole: Identity

    def says(self, body: Body) -> None:
        """The Pole signs something at the present place of the German's log."""
        line = sign(self.pole, self.german.here(body, role=Role("polish")))
        (taken,) = self.german.take(packed([line], [self.pole.public_key])).games
        assert not taken.refused, taken


def copied_anchor(folder: Path, nonce: str, anchor: str) -> Mallory:
    """A game with the nonce of another one, in which the Pole has registered the anchor of another one."""
    made = Mallory(new_side(folder, "german", "Mallory"), Identity.generate(Seeded(7, "Mallet")))
    made.german.now = BEGIN + 1000
    terms = Terms(catalogue.ruleset("westerplatte"), "standard", Role("german"), {Role("polish"): ("M", "m@a.org")}, 1)
    with made.german.desk() as desk:
        propose(desk, terms)
    assert made.german.opened().campaign.roster.proposal.nonce == nonce
    seat = registration(made.pole, "Mallet", bytes(32), bytes.fromhex(nonce), "polish")
    made.says(Accept(registration=seat.model_copy(update={"anchor": anchor})))
    return made


@pytest.mark.plan("A36", "A42")
def test_a_referee_opens_no_link_from_a_deposit_that_was_copied(court: Court, tmp_path: Path) -> None:  # noqa: F811
    """Anchor and deposit are the victim's, out of a game with the same referee, who rules on a silence elsewhere. Her
    other device does not know the first game, and so does not see that the nonce is its."""
    campaign = court.referee.opened(whole=True).campaign
    victim = campaign.roster.parties[Role("polish")].registration
    assert victim is not None
    mallory = copied_anchor(tmp_path / "mallory", campaign.roster.proposal.nonce, victim.anchor)
    rita, archive = new_side(tmp_path / "rita", "referee", "Rita"), tmp_path / "fake.pbem"
    assert (rita.identity(), mallory.german("archive", "-o", archive).code) == (court.referee.identity(), 0)
    assert rita("substitute", archive, "--as", "referee", "-o", tmp_path / "offer.json").code == 0
    offer = read_offer((tmp_path / "offer.json").read_text())
    seat = {"seat": offer.registration, "proof": offer.proof, "address": offer.address}
    mallory.says(Motion(**(NOTHING | {"what": "appoint", **seat})))
    assert mallory.german("motion", "agree").code == 0
    mallory.german.now = int(time.time()) + 5
    mallory.says(Deposit(chain=campaign.deposits[Role("polish")]))
    question = mallory.german.opened().campaign.question(Role("polish"))
    assert question is not None
    mallory.says(Answer(ask=question.kind, value=question.default.model_dump(mode="json")))
    mallory.german.decide()
    rita.now = mallory.german.now
    rita.take(mallory.german.export(everything=True))
    assert rita.opened().campaign.awaited()[Role("polish")].kind == "entropy"
    rita.now += 3 * DAY
    with rita.desk() as desk:
        rule(desk, rita.game)
    (step,) = [step for step in rita.opened(whole=True).campaign.steps if step.events[-1].event.kind == "ruling"]
    (link,) = [one.event.body.link for one in step.events if one.event.kind == "ruling"]  # type: ignore[union-attr]
    outcome = rita.opened().campaign.outcome
    assert outcome is not None
    text = f"polish withheld a share of the dice at step {step.number}, and its deposit does not give it"
    assert (link, outcome.winner, outcome.text) == ("", "german", text)
