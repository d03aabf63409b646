"""What a service tells about its work: one line for each thing that happened, for a person or for a program.

No passphrase, key, seed, sealed answer or password is a fact of any line; texts of strangers are made printable.
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


def _shown(value: Fact) -> str:
    text = printable(str(value), MOST)
    return f'"{text}"' if " " in text or not text else text


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
