"""A worker's shift at a home: how it is known to live, and what it has for itself meanwhile.

A home in PostgreSQL has any number of workers, which take letters, mails and deadlines one by one; a home in SQLite,
which has one writer anyhow, has one worker. Whatever a worker has ends by itself a minute after it has died, and is
kept for as long as it lives: `Pulse` says so from a thread of its own, however long a piece of work takes. Times are
those of the machine's clock, so that workers on several machines need clocks that agree to some seconds.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from pbem.app.desk import Desk
from pbem.errors import BadDisk, BadRequest, PbemError
from pbem.store.database import Home
from pbem.store.queue import Queue
from pbem.store.reading import Reader

LEASE = 60
"""Seconds after which a worker that was killed counts as gone."""
BEAT = LEASE / 4
"""Seconds between two signs of life."""
ALONE, WORKER, LETTER = "agent", "worker/", "letter/"
LOCKED = "database.locked"
TRIES = 3
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Shift:
    """What a worker, whose name no other one has, takes and gives back at a home; `trade` is the command that it is."""

    desk: Desk
    worker: str
    trade: str = "agent"

    def begin(self) -> None:
        """Take the home, or a place at it; BadRequest where another worker has it for itself, or has another trade."""
        with self.desk.home.queueing() as queue:
            queue.drop_ended(self.desk.clock())
            self._check_trade(queue)
            self._keep(queue)

    def begin_anew(self) -> None:
        """Give back whatever this worker has, and begin."""
        with self.desk.home.queueing() as queue:
            queue.let_go(self.worker)
        self.begin()

    def keep(self) -> None:
        """Say that the worker lives, and keep what it has; BadRequest when another one has taken the home since."""
        with self.desk.home.queueing() as queue:
            self._keep(queue)

    def takes(self, name: str, instead: str = "") -> bool:
        """Take what that name stands for, and give back what was taken before; False when another worker has it."""
        if not self.desk.home.shared:
            return True
        with self.desk.home.queueing() as queue:
            if instead:
                queue.release_lease(instead, self.worker)
            return queue.take_lease(name, self.worker, self.desk.clock(), LEASE)

    def gives(self, name: str) -> None:
        """Give back what was taken."""
        if self.desk.home.shared:
            with self.desk.home.queueing() as queue:
                queue.release_lease(name, self.worker)

    def end(self) -> None:
        """Let go of the home."""
        with self.desk.home.queueing() as queue:
            queue.release_lease(self._place, self.worker)

    @property
    def _place(self) -> str:
        return f"{WORKER}{self.trade}/{self.worker}" if self.desk.home.shared else ALONE

    def _check_trade(self, queue: Queue) -> None:
        """An agent leaves to a person what a service deals with: beside each other it would depend on luck."""
        leases = queue.leases(self.desk.clock())
        places = [one.name.removeprefix(WORKER) for one in leases if one.name.startswith(WORKER)]
        others = sorted({place.partition("/")[0] for place in places} - {self.trade})
        if others:
            raise BadRequest(
                "agent.other_trade",
                f"expected a home where nothing but `pbem {self.trade}` works, got one with `pbem {others[0]}`",
                "stop that one, or start more of its kind; one that was killed counts as gone after a minute",
            )

    def _keep(self, queue: Queue) -> None:
        now = self.desk.clock()
        if not queue.take_lease(self._place, self.worker, now, LEASE):
            raise BadRequest(
                "agent.running",
                "expected a home on which no agent works, got one that another agent has",
                "stop that one, or wait a minute if it was killed; a home in PostgreSQL may have several",
            )
        queue.keep_leases(self.worker, now, LEASE)


class Pulse:
    """Keeps what a worker has while its process lives: for `with`, around the work; `every` is in seconds."""

    def __init__(self, folder: Path, clock: Callable[[], int], worker: str, every: float = BEAT) -> None:
        self._folder, self._clock, self._worker, self._every = folder, clock, worker, every
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True, name="pulse")

    def __enter__(self) -> Pulse:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _beat(self) -> None:
        """What cannot be kept now is kept the next time; what has ended meanwhile the worker's rounds take anew."""
        while not self._ended.wait(self._every):
            try:
                with Home.open(self._folder) as home, home.queueing() as queue:
                    queue.keep_leases(self._worker, self._clock(), LEASE)
            except PbemError:
                continue


def workers(reader: Reader, now: int) -> dict[str, list[str]]:
    """The workers that live, by name, each with the letters and the mails that it has in hand."""
    leases = reader.leases(now)
    found: dict[str, list[str]] = {one.worker: [] for one in leases if one.name == ALONE or one.name.startswith(WORKER)}
    held = [
        (one.worker, f"letter {one.name.removeprefix(LETTER)[:16]}") for one in leases if one.name.startswith(LETTER)
    ]
    mails = [(one.lease, f"mail {one.message_id}") for one in reader.mails("sending") if one.lease_until > now]
    for worker, what in (*held, *mails):
        if worker in found:
            found[worker].append(what)
    return dict(sorted(found.items()))


def patiently(work: Callable[[], T]) -> T:
    """What a piece of work comes to; it is done again when others held what it needs, or were stopped in favour of it.

    The work is whole transactions, of which those that failed have left nothing.
    """
    for _ in range(TRIES - 1):
        try:
            return work()
        except BadDisk as error:
            if not is_locked(error):
                raise
    return work()


def is_locked(error: Exception) -> bool:
    """Whether it says that others held what was needed for too long."""
    return isinstance(error, BadDisk) and error.code == LOCKED
