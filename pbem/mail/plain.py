"""Text of strangers made safe to print: no control, direction or invisible character reaches a terminal."""

from __future__ import annotations

import unicodedata

LIMIT = 120


def printable(text: str, limit: int = LIMIT) -> str:
    """`text` on one line, with control, format, surrogate and unassigned characters written as escapes.

    At most `limit` characters of the text are kept; an ellipsis tells that it was longer.
    """
    kept = "".join(_shown(character) for character in text[:limit])
    return kept if len(text) <= limit else kept + "…"


def _shown(character: str) -> str:
    if character == " " or unicodedata.category(character)[0] not in "CZ":
        return character
    return character.encode("unicode_escape").decode("ascii")
