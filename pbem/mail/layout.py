"""What mail programs do to the layout of a text, undone: the likely readings of one text, likeliest first.

A reading is a guess. Nothing here decides whether it is right: the length and digest in the armour do.
Left out: MIME structure (`mime`) and character sets (`mime`), which are undone before.

Markup is stripped by regular expressions that cannot backtrack, not by `html.parser`, because the text is a
stranger's and may be megabytes of "<".
"""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

READINGS = 14
DEPTH = 3

_TRACES = ("pbem", "ｐｂｅｍ", "turn file", "turnfile", "sha256")

_TAG = re.compile(r"<[^<>]*>")
_BREAK = re.compile(r"</?(?:br|p|div|tr|li|pre|h[1-6]|blockquote)\b[^<>]*>", re.IGNORECASE)
_MARKUP = re.compile(
    r"</?(?:html|body|div|p|br|pre|span|td|font|blockquote|b|i|a)\b[^<>]*>|&(?:nbsp|amp|lt|gt|shy|zwnj|#\d+);",
    re.IGNORECASE,
)
_SOFT_BREAK = re.compile(r"=[ \t]*(?:\r\n|\r|\n)")
_ESCAPES = re.compile(r"(?:=[0-9A-Fa-f]{2})+")
_WIDE_ESCAPES = re.compile(r"(?:=[C-Fc-f][0-9A-Fa-f](?:=[89ABab][0-9A-Fa-f])+)+")
_BLANK_ESCAPES = re.compile(r"=(?:20|09|0D|0A)(?=[\s=]|$)")
_INITIALS = re.compile(r"^[ \t>|]*[A-Za-z]{1,3}[>|][ \t]?", re.MULTILINE)
_BASE64_LINE = re.compile(r"[>|\s]*([A-Za-z0-9+/]{16,}={0,2})\s*\Z")


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a text and the damage that was undone to get it, in order."""

    text: str
    undone: tuple[str, ...] = ()


def readings(text: str) -> Iterator[Reading]:
    """The text as it came and with likely damage undone, alone and combined up to DEPTH, at most READINGS.

    A text that looks like HTML is read without its markup first. Damage is combined only where the text has a
    trace of an armour, so that a mailbox full of other mail is read in passing.
    """
    first = Reading(text)
    queue = deque([first, _undo(first, "base64", without_base64)])
    if _MARKUP.search(text):
        queue.appendleft(_undo(first, "HTML markup", without_markup))
    seen: set[str] = set()
    while queue and len(seen) < READINGS:
        reading = queue.popleft()
        if reading.text in seen:
            continue
        seen.add(reading.text)
        yield reading
        if len(reading.undone) < DEPTH and _has_trace(reading.text):
            queue.extend(_undo(reading, name, undo) for name, undo in _UNDOING)


def _has_trace(text: str) -> bool:
    lowered = text.lower()
    return any(trace in lowered for trace in _TRACES)


def _undo(reading: Reading, name: str, undo: Callable[[str], str]) -> Reading:
    return Reading(undo(reading.text), (*reading.undone, name))


def without_markup(text: str) -> str:
    """HTML as text: comments and tags taken out, a new line for tags that break one, entities resolved."""
    if "<" in text:
        text = _TAG.sub("", _BREAK.sub("\n", _without_comments(text)))
    return html.unescape(text) if "&" in text else text


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
    runs: list[str] = [""]
    for line in text.splitlines():
        match = _BASE64_LINE.match(line)
        if match:
            runs[-1] += match[1]
        if (not match or match[1].endswith("=")) and runs[-1]:
            runs.append("")
    found = "\n".join(_decoded(run) for run in runs if run)
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
