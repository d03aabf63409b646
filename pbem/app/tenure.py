"""Who holds the seat of a home's role, and since which step: for a home that has given it away, or not got it yet."""

from __future__ import annotations

from pbem.app.opened import OpenGame
from pbem.app.seatings import Seating, Seatings
from pbem.app.summary import holds_seat
from pbem.errors import BadRequest
from pbem.store.reading import Reader


def check_holds_seat(reader: Reader, opened: OpenGame) -> None:
    """Raise BadRequest at a home without the key that holds its role's seat: nothing is asked of it."""
    if not holds_seat(reader, opened):
        raise seat_given(opened)


def seat_given(opened: OpenGame) -> BadRequest:
    """What a home is told that would play a seat which another key holds."""
    if opened.role not in opened.campaign.roster.parties:
        return _not_appointed(opened)
    party = opened.campaign.roster.parties[opened.role]
    name = party.name or party.role
    holder = f"{name} <{party.address}>" if party.address else name
    return BadRequest(
        "game.seat_given",
        f"expected a home with the key that holds the seat of {opened.role}, got one without it: since step "
        f"{holds_since(opened)} {holder} holds it",
        f"whoever has that key plays on; `pbem log {opened.row.name}` goes on telling what happens here",
    )


def _not_appointed(opened: OpenGame) -> BadRequest:
    """What the home of a referee is told who is not appointed yet."""
    text = f"expected somebody who has a seat, got the {opened.role}, who is not appointed yet"
    return BadRequest("game.no_seat", text, f"`pbem log {opened.row.name}` goes on telling what happens here")


def holds_since(opened: OpenGame) -> int:
    """The first step of the key that holds the role's seat now."""
    key = opened.campaign.roster.parties[opened.role].key
    known = Seatings(opened)
    brought = known.of(opened.role, key) if key else None
    if brought is None:
        return 0
    if not brought.is_moved:
        return brought.by.event.step
    return brought.by.event.step + (1 if _is_carried_out_at_once(known, brought) else 2)


def _is_carried_out_at_once(known: Seatings, moved: Seating) -> bool:
    """Whether a motion was followed by the new key and not by a consent; a request is closed with its consent."""
    return moved.by.event.kind == "request" or known.needs_nobody(moved)
