"""Commands by mail: which word a letter says, in its subject or in the first line of its text.

Pure; the letter is a stranger's. Left out: who may ask, and the answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pbem.mail import charsets, mime

RESEND, HISTORY = "resend", "history"
STEPPED = (RESEND, HISTORY)
"""Words behind which the number of a step may stand."""
WORDS = ("status", HISTORY, "map", "orders", "check", "who", "deadline", RESEND, "help")
MOST_WORDS = 4
"""Words of a line that may be a command: more are a sentence of somebody."""
MAX_TEXT = 200_000
_BEFORE = re.compile(r"^(?:\s|\[[^\]]*\]|(?:re|aw|fwd?|odp|wg)\s*:|pbem\b)*", re.IGNORECASE)
_OURS = re.compile(r"\.([0-9a-f]{16})@pbem\.invalid>")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a letter asks: the word (empty for none that is known), what stands behind it or in its place, the text
    below it, and how the id of the game begins whose mail it answers, if it is one of ours."""

    word: str
    rest: tuple[str, ...]
    text: str
    answers: str


def read_command(data: bytes) -> Asked:
    """The command of a letter: its subject, or else the first line of its text that is not quoted."""
    headers, _ = mime.head(data)
    text = _text(data)
    subject = _words(str(headers.get("Subject", "")))
    before = f"{headers.get('In-Reply-To', '')} {headers.get('References', '')}"
    ours = _OURS.findall(before)
    answers = ours[-1] if ours else ""
    if subject and subject[0] in WORDS:
        return Asked(_word(subject), _rest(subject), text, answers)
    lines = text.splitlines()
    first = next((at for at, line in enumerate(lines) if line.strip() and not line.lstrip().startswith(">")), None)
    words = [] if first is None else _words(lines[first])
    if first is not None and words and words[0] in WORDS:
        return Asked(_word(words), _rest(words), "\n".join(lines[first + 1 :]), answers)
    return Asked("", tuple(words or subject), text, answers)


def _words(line: str) -> list[str]:
    words = _BEFORE.sub("", line[:200]).split()
    return [words[0].casefold().strip(".,:;!?"), *words[1:]] if 0 < len(words) <= MOST_WORDS else []


def _word(words: list[str]) -> str:
    """`orders check` is `check`."""
    return "check" if words[0] == "orders" and words[1:2] and words[1].casefold() == "check" else words[0]


def _rest(words: list[str]) -> tuple[str, ...]:
    return tuple(words[2:] if _word(words) != words[0] else words[1:])


def _text(data: bytes) -> str:
    """The first text of a mail."""
    for leaf in mime.leaves(data):
        if isinstance(leaf, mime.Part) and leaf.media == "text/plain":
            return next(charsets.decodings(leaf.bodies[0][:MAX_TEXT], leaf.charset))
    return ""
