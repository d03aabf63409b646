"""A database that is away: its server was started anew, or the network to it is gone.

What was under way is stored whole or not at all, and a worker goes on as another one goes on with what a killed one
had. It knows more than that one: which mails have gone that could not be noted (`sending`). Left out: a home in
SQLite, whose file is never away.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from pbem.errors import BadDisk
from pbem.service.record import Tell
from pbem.service.sending import wait_after
from pbem.store.database import Home
from pbem.store.faults import is_away

FIRST_PAUSE, LONGEST_PAUSE = 1, 60
"""Seconds until a database that is away is looked for again: doubled each time, and never more than the second."""
NOT_YET = frozenset(("database.locked", "database.refused", "database.too_many"))
"""What a server answers that has just begun, or to which everybody comes back at once."""


@dataclass(slots=True)
class Absence:
    """How often the database of a home was looked for since the last round that it lasted for."""

    home: Home
    tell: Tell
    sleep: Callable[[float], None]
    tries: int = 0

    def ends(self, lost: BadDisk, stop: Callable[[], bool]) -> bool:
        """Connect anew as soon as that can be done; False when the worker was told to stop before.

        It is told once that the database is away, and that it is there again. BadRequest where there is no such home
        any more, BadDisk where it is damaged.
        """
        begun = time.monotonic()
        self.tell("away", code=lost.code, text=lost.text)
        while not stop():
            self._pause(stop)
            self.tries += 1
            if self._connected():
                self.tell("back", seconds=int(time.monotonic() - begun))
                return True
        return False

    def _connected(self) -> bool:
        try:
            self.home.connect_anew()
        except BadDisk as error:
            if is_away(error) or error.code in NOT_YET:
                return False
            raise
        return True

    def _pause(self, stop: Callable[[], bool]) -> None:
        """Sleep second by second, so that a worker that was told to end does so soon; not before the first try."""
        for _ in range(wait_after(self.tries, FIRST_PAUSE, LONGEST_PAUSE) if self.tries else 0):
            if stop():
                return
            self.sleep(1)
