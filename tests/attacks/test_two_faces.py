"""An adjudicator with two faces: to one player it gives a receipt, and to the other it rules in its place."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from attacks.hosting import GRACE, Table
from attacks.sides import DAY, DEADLINE_DAYS, Side, packed
from pbem.log.event import Receipt, Ruling


@dataclass(frozen=True, slots=True)
class Faces:
    """Who has decided, who waited, and what the adjudicator has signed: the receipt, and the ruling."""

    decider: Side
    waiting: Side
    decision: bytes
    receipt: bytes
    ruling: bytes


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
    return Faces(decider, waiting, decision.line, receipt, host.sign(host.here(body)))


@pytest.mark.plan("A34")
def test_nobody_is_told_to_give_way_where_a_receipt_says_that_it_came(faces: Faces) -> None:
    """The other one has played on from the ruling; what has its receipt cannot give way, whoever says so."""
    decider, waiting = faces.decider, faces.waiting
    decider.take(packed([faces.receipt]))
    waiting.take(packed([faces.ruling]))
    waiting.decide()
    done = decider.mail(waiting.export(everything=True))
    step = decider.opened().campaign.place.step - 1
    assert "yield" not in done.out + done.err + decider("status").out
    assert (
        "import.overtaken: expected an event that follows this log, got adjudicator's ruling of step "
        f"{step}, which follows another one\n"
        "hint: it changes nothing here; if the other side goes on from it, compare what `pbem log` tells at both homes"
    ) in done.err
    assert decider("motion", "yield", decider.game).err.splitlines()[0] == (
        "yield.none: expected a claim or a ruling in the place of what you have signed, got none"
    )
