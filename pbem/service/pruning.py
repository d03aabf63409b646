"""Pruning: what a service did is forgotten after a time, so that its home does not grow for ever.

Forgotten are mails that were sent, notes of letters that were handled, and deadlines that are over; never events, nor
what a person has to see. The thread of a game and the counts of a day are kept elsewhere, and a notice a day looks at
no more than that day.
"""

from __future__ import annotations

from pbem.app.desk import Desk
from pbem.log.verify import DAY

KEEP_DAYS = 90
FEWEST_DAYS = 7
"""A letter that a mailbox offers again within these is known."""
AT_ONCE = 500
"""Rows of a table in one transaction, so that nobody waits for long."""
_KEY = "serve/pruned"


def prune(desk: Desk, keep_days: int = KEEP_DAYS) -> int:
    """Once a day forget what is older than so many days; how many mails, letters and deadlines that were."""
    now, last = desk.clock(), int(desk.home.meta(_KEY) or 0)
    if last <= now < last + DAY:
        return 0
    with desk.home.queueing() as queue:
        queue.put_meta(_KEY, str(now).encode("ascii"))
    count = 0
    while found := _forget(desk, now - max(keep_days, FEWEST_DAYS) * DAY):
        count += found
    return count


def _forget(desk: Desk, when: int) -> int:
    with desk.home.queueing() as queue:
        return queue.forget_before(when, AT_ONCE)
