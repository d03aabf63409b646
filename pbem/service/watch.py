"""The clock watched: deadlines wait while the machine's clock stands before a time that it has shown already.

Times are seconds since 1970 in UTC, so that no change of a zone's hour moves anything. A clock that goes back raises
an alarm; nothing fires until it has caught up, or a person has said that it is right now.
"""

from __future__ import annotations

from pbem.app.desk import Desk
from pbem.log.enumeration import counted
from pbem.service.alarms import raise_alarm
from pbem.service.record import Tell
from pbem.store.reading import Reader

TOLERANCE = 5
"""Seconds that a clock may be put back, as a time server does."""
_KEY = "serve/clock"


def latest(reader: Reader) -> int:
    """The latest time that a service of this home has seen, 0 before the first one."""
    return int(reader.meta(_KEY) or 0)


def holds(desk: Desk, tell: Tell) -> bool:
    """Note what the clock shows; False, with an alarm, while that is before what it has shown."""
    now, seen = desk.clock(), latest(desk.home)
    if now < seen - TOLERANCE:
        back = f"the clock of this machine went back by {counted(seen - now, 'second')}"
        text = f"{back}: no deadline fires until it has caught up"
        raise_alarm(desk, tell, "clock.back", text)
        return False
    if now > seen:
        put_right(desk, now)
    return True


def put_right(desk: Desk, now: int) -> None:
    """Believe the clock as it is, whatever it has shown before."""
    with desk.home.queueing() as queue:
        queue.put_meta(_KEY, str(now).encode("ascii"))
