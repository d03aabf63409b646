"""Counts of what somebody did within a day, which survive a restart; who floods a service meets its end in them."""

from __future__ import annotations

import orjson

from pbem.store.reading import Reader
from pbem.store.writing import Writer

DAY = 86_400


def within_a_day(reader: Reader, what: str, who: str, now: int) -> int:
    """How often somebody did something since the day began that is counted now."""
    begun, count = _kept(reader, _key(what, who), now)
    return count if begun else 0


def count_one(writer: Writer, what: str, who: str, now: int) -> None:
    """Count once more; a day begins with the first time after the last day."""
    key = _key(what, who)
    begun, count = _kept(writer, key, now)
    writer.put_meta(key, orjson.dumps([begun or now, count + 1]))


def _kept(reader: Reader, key: str, now: int) -> tuple[int, int]:
    begun, count = orjson.loads(reader.meta(key) or b"[0,0]")
    return (begun, count) if begun and now < begun + DAY else (0, 0)


def _key(what: str, who: str) -> str:
    return f"daily/{what}/{who.casefold()}"
