"""Counts of what somebody did, within a day or in all, which survive a restart; who floods a service meets its end in
them."""

from __future__ import annotations

import orjson

from pbem.store.queue import Queue
from pbem.store.reading import Reader

DAY = 86_400


def within_a_day(reader: Reader, what: str, who: str, now: int) -> int:
    """How often somebody did something since the day began that is counted now."""
    begun, count = _kept(reader, _key(what, who), now)
    return count if begun else 0


def count_below(queue: Queue, what: str, who: str, now: int, most: int) -> bool:
    """Count once more, unless it was `most` times already; a day begins with the first time after the last day.

    Others who count the same wait until the transaction ends.
    """
    key = _key(what, who)
    queue.alone(key)
    begun, count = _kept(queue, key, now)
    if count >= most:
        return False
    queue.put_meta(key, orjson.dumps([begun or now, count + 1]))
    return True


def count_in_all(queue: Queue, what: str, who: str, most: int) -> bool:
    """Count once more, unless it was `most` times already, however long ago."""
    key = f"in-all/{what}/{who.casefold()}"
    queue.alone(key)
    count = int(queue.meta(key) or 0)
    if count < most:
        queue.put_meta(key, str(count + 1).encode("ascii"))
    return count < most


def _kept(reader: Reader, key: str, now: int) -> tuple[int, int]:
    begun, count = orjson.loads(reader.meta(key) or b"[0,0]")
    return (begun, count) if begun and now < begun + DAY else (0, 0)


def _key(what: str, who: str) -> str:
    return f"daily/{what}/{who.casefold()}"
