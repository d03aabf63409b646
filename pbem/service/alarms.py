"""Alarms: what a person must look at. Each is told in the log and kept in the home, once a day for each cause."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import orjson

from pbem.app.desk import Desk
from pbem.service.record import Tell
from pbem.store.reading import Reader

DAY = 86_400
MOST = 50
"""Alarms that are kept, the newest ones."""
_KEY = "serve/alarms"


@dataclass(frozen=True, slots=True)
class Alarm:
    """What is wrong since when (seconds since 1970), in which game if in one."""

    at: int
    code: str
    text: str
    game: str = ""


def alarms(reader: Reader) -> list[Alarm]:
    """The alarms that are kept, the oldest first."""
    return [Alarm(**one) for one in orjson.loads(reader.meta(_KEY) or b"[]")]


def raise_alarm(desk: Desk, tell: Tell, code: str, text: str, game: str = "") -> None:
    """Tell of something that a person must look at, unless the same was told within a day."""
    now = desk.clock()
    with desk.home.queueing() as queue:
        queue.alone(_KEY)
        kept = alarms(queue)
        if any((one.code, one.game) == (code, game) and 0 <= now - one.at < DAY for one in kept):
            return
        kept = [*kept, Alarm(now, code, text, game)][-MOST:]
        queue.put_meta(_KEY, orjson.dumps([asdict(one) for one in kept]))
    tell("alarm", code=code, text=text, **({"game": game} if game else {}))
