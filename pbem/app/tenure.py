"""Who holds the seat of a home's role, and since which step: for a home that has given it away, or not got it yet."""

from __future__ import annotations

from pbem.app.opened import OpenGame
from pbem.app.seatings import holds_since
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
