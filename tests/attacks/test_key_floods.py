"""A seated opponent who asks for key after key."""

from __future__ import annotations

import pytest

from attacks.sides import Pair, Seeded, Side, packed, sign
from attacks.test_motions import deciding
from pbem.app.checking import MOST_KEYS, Checked
from pbem.app.routing import incoming
from pbem.keys.identity import Identity
from pbem.log.event import Motion, Request
from pbem.log.roster import seat_message


def seating(side: Side, number: int) -> tuple[Identity, bytes]:
    """A new key, and this side's request that it take the seat."""
    new = Identity.generate(Seeded(number, f"key {number}"))
    campaign = side.opened().campaign
    registration = campaign.roster.parties[side.role].registration
    assert registration is not None
    seat = registration.model_copy(update={"key": new.public_key.hex()})
    proof = new.sign(seat_message(campaign.game, side.role, seat)).hex()
    fields = {"step": 0, "days": 0, "position": "", "address": "a@example.org", "why": ""}
    return new, side.sign(side.here(Request(what="seat", seat=seat, proof=proof, **fields)))


@pytest.mark.plan("A16")
def test_of_a_flood_of_keys_a_few_are_read(played: Pair) -> None:
    decider, waiter = deciding(played)
    asked = [seating(waiter, number) for number in range(MOST_KEYS + 4)]
    draw = {"step": 0, "days": 0, "position": "", "seat": None, "proof": "", "address": "", "why": ""}
    said = [sign(new, waiter.here(Motion(what="draw", **draw), at=number)) for number, (new, _) in enumerate(asked)]
    checked = Checked(decider.opened())
    for arrived in incoming(packed([line for _, line in asked] + said), "a mail").bundles:
        checked.take(arrived)
    assert len(checked.new) == len(asked) + MOST_KEYS
    assert {error.code for error in checked.refused} == {"event.unknown_key"}
    (done,) = decider.take(packed([line for _, line in asked])).games
    assert (done.taken, len(done.refused)) == (8, 4)
