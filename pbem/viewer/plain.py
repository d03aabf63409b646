"""Words without their accents, to see whether a name says more than its code."""

from __future__ import annotations

import unicodedata

STROKES = str.maketrans({"ł": "l", "Ł": "L"})


def plain(text: str) -> str:
    """Lower case, no accents: `Wał` and `Wal` are the same word."""
    apart = unicodedata.normalize("NFKD", text.translate(STROKES))
    return "".join(each for each in apart if not unicodedata.combining(each)).casefold()


def is_same_word(a: str, b: str) -> bool:
    return plain(a) == plain(b)
