"""What a service tells about its work: one line for each thing that happened, for a person or for a program.

`in_words` and `in_json` tell everything; `sparing` only what a person has to see and what went wrong, so that cron has
nothing to mail after a quiet round. No passphrase, key, seed, sealed answer or password is a fact of any line; texts of
strangers are made printable.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TextIO, TypeAlias

import orjson

from pbem.mail.plain import printable

Fact: TypeAlias = str | int
Tell: TypeAlias = Callable[..., None]
"""Called with what happened, in one word, and facts by name."""
MOST = 500
"""Characters of one fact."""
MOST_OF_SENTENCE = 2000
NOT_OURS = "no turn file in it"
"""Why a letter is left that is none of this program's business: of that nobody is told but by the whole record."""
FAULTS = frozenset(
    ("away", "broken", "closed", "failed", "flooded", "poison", "postponed", "refused", "undeliverable", "unreadable")
)
"""What went wrong, or may have."""
SENTENCES = {
    "alarm": "ALARM {code}: {text}",
    "joined": "{game}: joined as {role}, as {proposer} proposed",
    "left": "a letter is left for you: {text}",
    "left to you": "{game}: left to you: {why}",
    "owed": "{text}",
    "ruled": "{game}: ruled in the place of {text} at step {step}",
    "stopped": "{game} is stopped: {text}",
    "undecided": "{game}: the bot left a decision to you: {text}",
}
"""What a person has to see."""


def silent(_: str, /, **__: Fact) -> None:
    """For a service that nobody listens to."""


def in_words(clock: Callable[[], int], stream: TextIO | None = None) -> Tell:
    """Lines such as `2026-05-01T10:00:00Z taken game=westerplatte events=3`."""

    def tell(what: str, /, **facts: Fact) -> None:
        told = "".join(f" {name}={_shown(value)}" for name, value in facts.items())
        print(f"{_time(clock())} {what}{told}", file=stream or sys.stderr, flush=True)

    return tell


def in_json(clock: Callable[[], int], stream: TextIO | None = None) -> Tell:
    """The same as one JSON object a line."""

    def tell(what: str, /, **facts: Fact) -> None:
        line = {"at": _time(clock()), "what": what, **facts}
        print(orjson.dumps(line).decode(), file=stream or sys.stderr, flush=True)

    return tell


def sparing(clock: Callable[[], int], out: TextIO | None = None, errors: TextIO | None = None) -> Tell:
    """Sentences on stdout for what a person has to see, lines as `in_words` on stderr for faults, and nothing else."""
    fault = in_words(clock, errors)

    def tell(what: str, /, **facts: Fact) -> None:
        if what in FAULTS:
            fault(what, **facts)
        elif what in SENTENCES and facts.get("why") != NOT_OURS:
            shown = {name: printable(str(value), MOST_OF_SENTENCE) for name, value in facts.items()}
            sentence = SENTENCES["left to you" if what == "left" and "game" in facts else what]
            print(sentence.format_map(shown), file=out or sys.stdout, flush=True)

    return tell


def _shown(value: Fact) -> str:
    text = printable(str(value), MOST)
    return f'"{text}"' if " " in text or not text else text


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
