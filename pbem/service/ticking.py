"""APScheduler as a clock and nothing more: it says when to look at what is due, and never what.

One job that runs once at a time, makes up for any number of missed times with one, and knows no zone but UTC.
"""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from types import TracebackType

from apscheduler.schedulers.background import BackgroundScheduler


class Ticks:
    """True once after each tick, the first at once: for `with`, which lets the clock run."""

    def __init__(self, seconds: float) -> None:
        self._due = threading.Event()
        self.scheduler = BackgroundScheduler(timezone=UTC)
        self.scheduler.add_job(
            self._due.set,
            "interval",
            seconds=seconds,
            id="tick",
            next_run_time=datetime.now(UTC),
            coalesce=True,
            max_instances=1,
            misfire_grace_time=None,
        )

    def __call__(self) -> bool:
        due = self._due.is_set()
        self._due.clear()
        return due

    def wait(self, seconds: float) -> bool:
        """Whether there is a tick within so many seconds; it is still due afterwards."""
        return self._due.wait(seconds)

    def __enter__(self) -> Ticks:
        self.scheduler.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.scheduler.shutdown(wait=True)
