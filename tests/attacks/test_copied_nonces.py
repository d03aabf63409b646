"""A second game with the nonce of the first, in which somebody is to open, or to hold, the dice of the first.

A proposal is public to its parties, and so is every anchor and every deposit in the log: an opponent can propose as many
games with the same nonce as it likes, and bring the same people into them.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from attacks.conftest import joined_at
from attacks.sides import BEGIN, Done, Pair, Side, new_side


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
