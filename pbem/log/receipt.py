"""Receipts: what arrived when in a game that an adjudicator hosts, and the salt of its dice.

A receipt is the last word at a step, by somebody who may know every link: nothing that the adjudicator signs is in the
salt, or it could try one second after another until it likes the dice that follow. That a receipt names exactly the
events that close its step takes all of them: `pbem.engine.closing` has them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from pbem.errors import BadEvidence
from pbem.log import canonical
from pbem.log.enumeration import counted
from pbem.log.event import ADJUDICATOR, Receipt
from pbem.log.hashing import digest

if TYPE_CHECKING:
    from pbem.log.verify import Verified


def check_receipt(verified: Verified, since: int, *, demanded: bool) -> None:
    """Raise BadEvidence `place.receipt` unless a receipt is the adjudicator's, is demanded at its step, and says of
    every event that it arrived between the beginning of the step, `since`, and the date of the receipt."""
    statement, body = verified.event, verified.event.body
    assert isinstance(body, Receipt)
    if statement.role != ADJUDICATOR or not demanded:
        text = f"expected a receipt of the adjudicator in a step of play, got {verified.title}"
        raise BadEvidence("place.receipt", text)
    early, late = min(body.arrived.values()), max(body.arrived.values())
    if early < since:
        got = f"{counted(since - early, 'second')} before in {verified.title}"
        text = f"expected nothing to arrive before step {statement.step} began, got {got}"
        raise BadEvidence("place.receipt", text)
    if late > statement.at:
        text = f"expected nothing to arrive after its receipt, got {counted(late - statement.at, 'second')} after"
        raise BadEvidence("place.receipt", f"{text} in {verified.title}")


def check_named(receipt: Verified, closing: Collection[Verified], step: int) -> None:
    """Raise BadEvidence `place.receipt` unless a receipt names exactly the events of others that close its step."""
    body, named = receipt.event.body, sorted(one.title for one in closing if one.event.role != ADJUDICATOR)
    assert isinstance(body, Receipt)
    if {one.id for one in closing if one.event.role != ADJUDICATOR} != set(body.arrived):
        text = f"expected a receipt for what closes step {step} ({', '.join(named) or 'nothing of others'})"
        raise BadEvidence(
            "place.receipt", f"{text}, got {receipt.title} for {counted(len(body.arrived), 'event')}, not the same"
        )


def dice_salt(game: bytes, step: int, events: Iterable[Verified]) -> bytes:
    """The salt (32 bytes) of dice behind a step of a hosted game: what others than the adjudicator said there.

    `game` is the game's id, `events` are those of the step in their order. Dates and digests of earlier steps have no
    part in it: receipts are in those.
    """
    said: list[bytes] = []
    for one in (verified.event for verified in events if verified.event.role != ADJUDICATOR):
        said += [one.role.encode("ascii"), one.kind.encode("ascii"), canonical.encode(one.body.model_dump())]
    return digest("pbem/salt/v1", game, step.to_bytes(8, "big"), *said)


def receipt_of(events: Iterable[Verified]) -> Verified | None:
    """The receipt among the events of a step, None without one."""
    return next((one for one in events if one.event.kind == "receipt"), None)
