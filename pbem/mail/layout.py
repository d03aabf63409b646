"""What mail programs do to the layout of a text, undone: the likely readings of one text, likeliest first.

A reading is a guess. Nothing here decides whether it is right: the length and digest in the armour do.
Left out: MIME structure (`mime`) and character sets (`mime`), which are undone before.

Markup is stripped by regular expressions that cannot backtrack, not by `html.parser`, because the text is a
stranger's and may be megabytes of "<".
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import html
import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

READINGS = 14
DEPTH = 3
MAX_COMBINED = 4 * 2**20

_TRACES = ("pbem", "ｐｂｅｍ", "turn file", "turnfile", "sha256")

_TAG = re.compile(r"<[^<>]*>")
_BREAK = re.compile(r"</?(?:br|p|div|tr|li|pre|h[1-6]|blockquote)\b[^<>]*>", re.IGNORECASE)
_MARKUP = re.compile(
    r"</?(?:html|body|div|p|br|pre|span|td|font|blockquote|b|i|a)\b[^<>]*>|&(?:nbsp|amp|lt|gt|shy|zwnj|#\d+);",
    re.IGNORECASE,
)
_HUGE = re.compile(r"&#[0-9]{9,};?")  # no character has such a number, and Python refuses to read very long ones
_SOFT_BREAK = re.compile(r"=[ \t]*(?:\r\n|\r|\n)")
_ESCAPES = re.compile(r"(?:=[0-9A-Fa-f]{2})+")
_ESCAPED = re.compile(r"=[C-Fc-f][0-9A-Fa-f]=[89ABab][0-9A-Fa-f]")
_WIDE_ESCAPES = re.compile(r"(?:=[C-Fc-f][0-9A-Fa-f](?:=[89ABab][0-9A-Fa-f])+)+")
_BLANK_ESCAPES = re.compile(r"=(?:20|09|0D|0A)(?=[\s=]|$)")
_INITIALS = re.compile(r"^[ \t>|]*[A-Za-z]{1,3}[>|][ \t]?", re.MULTILINE)
_BASE64_LINE = re.compile(r"^[>| \t]*([A-Za-z0-9+/]{2,}={0,2})[ \t]*$", re.MULTILINE)
_SHORTEST = 80


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a text and the damage that was undone to get it, in order."""

    text: str
    undone: tuple[str, ...] = ()


_Next = tuple[Reading, str, Callable[[str], str]]


def readings(text: str) -> Iterator[Reading]:
    """The text as it came and with likely damage undone, alone and combined up to DEPTH, at most READINGS.

    A text that looks like HTML, or like quoted-printable, is read without that first. Damage is combined only where
    the text has a trace of an armour, so that a mailbox full of other mail is read in passing, and where it is no
    longer than MAX_COMBINED.
    """
    first = Reading(text)
    queue: deque[_Next] = deque([(_likeliest(first), "", str), (first, "", str), (first, "base64", without_base64)])
    seen: set[bytes] = set()
    deepest = DEPTH if len(text) <= MAX_COMBINED else 1
    while queue and len(seen) < READINGS:
        reading = _undone(*queue.popleft())
        key = _key(reading.text)
        if key in seen:
            continue
        seen.add(key)
        yield reading
        if len(reading.undone) < deepest and has_trace(reading.text):
            queue.extend((reading, name, undo) for name, undo in _UNDOING)


def _likeliest(reading: Reading) -> Reading:
    """Without what the text shows to be there. If it were left, one whole armour could hide another's beginning."""
    if _ESCAPED.search(reading.text):
        reading = _undone(reading, "quoted-printable", without_quoted_printable)
    if _MARKUP.search(reading.text):
        reading = _undone(reading, "HTML markup", without_markup)
    return reading


def _undone(reading: Reading, name: str, undo: Callable[[str], str]) -> Reading:
    return Reading(undo(reading.text), (*reading.undone, name) if name else reading.undone)


def _key(text: str) -> bytes:
    """Stands for a text among the readings, which may be too long to keep them all."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def has_trace(text: str) -> bool:
    """Whether a word of an armour's first line stands in the text, so that one may be there, damaged."""
    lowered = text.lower()
    return any(trace in lowered for trace in _TRACES)


def without_markup(text: str) -> str:
    """HTML as text: comments and tags taken out, a new line for tags that break one, entities resolved."""
    if "<" in text:
        text = _TAG.sub("", _BREAK.sub("\n", _without_comments(text)))
    return html.unescape(_HUGE.sub("", text)) if "&" in text else text


def _without_comments(text: str) -> str:
    kept: list[str] = []
    start = 0
    while (opening := text.find("<!--", start)) >= 0:
        closing = text.find("-->", opening)
        if closing < 0:
            break
        kept.append(text[start:opening])
        start = closing + 3
    return "".join((*kept, text[start:]))


def without_quoted_printable(text: str) -> str:
    """Quoted-printable (RFC 2045 6.7) that nobody decoded: soft breaks joined, escapes resolved as UTF-8."""
    if "=" not in text:
        return text
    return _ESCAPES.sub(_unescaped, _SOFT_BREAK.sub("", text))


def without_equals(text: str) -> str:
    """The same where the line breaks are gone too, so that a soft break looks like the start of an escape.

    Only escapes that cannot be a soft break before two characters of base64 are resolved, as far as one can tell.
    """
    if "=" not in text:
        return text
    text = _BLANK_ESCAPES.sub(" ", _WIDE_ESCAPES.sub(_unescaped, text))
    return text.replace("=", "")


def _unescaped(escapes: re.Match[str]) -> str:
    return bytes.fromhex(escapes[0].replace("=", "")).decode("utf-8", "replace")


def without_initials(text: str) -> str:
    """Quoting with the initials of who is quoted (`AB> `)."""
    return _INITIALS.sub("", text) if ">" in text or "|" in text else text


def without_base64(text: str) -> str:
    """Base64 (RFC 2045 6.8) that nobody decoded: its lines decoded, every other line left out.

    A text with no such line stays as it is.
    """
    runs: list[list[str]] = []
    end = -2
    for line in _BASE64_LINE.finditer(text.replace("\r\n", "\n").replace("\r", "\n")):
        if line.start() != end + 1 or runs[-1][-1].endswith("="):
            runs.append([])
        runs[-1].append(line[1])
        end = line.end()
    found = "\n".join(_decoded("".join(run)) for run in runs if sum(map(len, run)) > _SHORTEST)
    return found or text


def _decoded(run: str) -> str:
    whole = run.rstrip("=")
    whole = whole[: len(whole) - (len(whole) % 4 == 1)]
    try:
        return base64.b64decode(whole + "=" * (-len(whole) % 4)).decode("utf-8", "replace")
    except binascii.Error:
        return ""


_UNDOING: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("quoted-printable", without_quoted_printable),
    ("HTML markup", without_markup),
    ("quoted-printable without line breaks", without_equals),
    ("initials before quoted lines", without_initials),
)
