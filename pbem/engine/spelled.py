"""Results as a player spells them: faces as numbers, cards and chits by their code."""

from __future__ import annotations

from pbem.errors import BadRequest
from pbem.rules.play import Drawing, Rolling


def results(text: str) -> list[str]:
    """Results in turn, with commas between them."""
    return [one.strip() for one in text.split(",") if one.strip()]


def face_spelled(request: Rolling, text: str, code: str) -> int:
    """The face that a text is; BadRequest `code` for one that the dice of a roll do not have."""
    if text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= request.sides:
        return int(text)
    raise BadRequest(code, f"expected a face from 1 to {request.sides} for '{request.label}', got '{text}'")


def item_spelled(request: Drawing, text: str, code: str) -> int:
    """The place, from 1, of what a text names among what is left; BadRequest `code` for something else."""
    for place, item in enumerate(request.items, 1):
        if str(item).casefold() == text.casefold():
            return place
    left = ", ".join(map(str, request.items))
    if any(str(item).casefold() == text.casefold() for item in request.whole):
        reason = f"expected one of what is left for '{request.label}', got '{text}', which is drawn already"
        raise BadRequest(code, reason, f"left are {left}")
    raise BadRequest(code, f"expected one of {left} for '{request.label}', got '{text}'")
