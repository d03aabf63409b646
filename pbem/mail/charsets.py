"""Bytes of a stranger's text as characters: by what they are first, by what their label says last.

The armour is ASCII, and every common character set holds ASCII as itself, so that UTF-8 with errors replaced
reads almost all of them. Only the others need their label, which is used for names on a list alone: Python
knows codecs that take more than linear time.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

_SAMPLE = 8_192
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LABEL = re.compile(r"(?:utf|ucs|cp|windows|iso|shift|sjis|euc|gb|big5|koi8|mac)[a-z0-9_-]{0,20}", re.IGNORECASE)
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1a\x1b"))


def decodings(data: bytes, label: str = "") -> Iterator[str]:
    """The characters that `data` may stand for, likeliest first; `label` is a charset name that came with it."""
    marked = _marked(data)
    if marked:
        yield data.decode(marked, "replace")
    wide = _wide(data)
    if wide and not marked:
        yield data.decode(wide, "replace")
    yield data.decode("utf-8", "replace")
    if _LABEL.fullmatch(label):
        try:
            yield data.decode(label, "replace")
        except (LookupError, ValueError):
            return


def is_binary(data: bytes) -> bool:
    """Whether the beginning of `data` has more control characters than any text, and is no UTF-16 or UTF-32."""
    sample = data[:_SAMPLE]
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    return controls * 50 > len(sample) and not _marked(data) and not _wide(data)


def _marked(data: bytes) -> str:
    """The character set of a byte order mark."""
    return next((name for mark, name in _BOMS if data.startswith(mark)), "")


def _wide(data: bytes) -> str:
    """UTF-16 without a mark, by where its zeros are: in every second place, hardly ever elsewhere."""
    sample = data[: min(len(data) // 2 * 2, _SAMPLE)]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if max(even, odd) * 50 < len(sample) or min(even, odd) * 8 > max(even, odd):
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"
