"""Workers of a service at one home, as processes, and how long they wait for each other in PostgreSQL."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from hosted import Hosted

from pbem.mail.post.maildir import deliver, prepare

WORKER = Path(__file__).with_name("worker.py")


@dataclass(frozen=True, slots=True)
class Crew:
    """What some workers did together: letters in the box, seconds to the last, processor seconds of all, the seconds of
    a round in which nothing happened, and the most memory of one, in KiB."""

    letters: int
    seconds: float
    processor: float
    idle: float
    peak: float

    @property
    def rate(self) -> float:
        """Turn mails a second."""
        return self.letters / self.seconds


def handled(
    home: Path, begun: Hosted, workers: int = 1, rounds: int = 1, watch: AbstractContextManager[object] | None = None
) -> Crew:
    """Let so many workers, which begin at once, handle all mails of a home; `watch` lasts while they do."""
    with tempfile.TemporaryDirectory(dir=home.parent) as name:
        box = Path(name) / "in"
        prepare(box)
        for mail in begun.mails:
            deliver(box, mail)
        command = [sys.executable, str(WORKER), str(home), str(box), str(begun.now + 60), str(rounds)]
        crew = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(workers)
        ]
        for one in crew:
            assert one.stdout is not None
            one.stdout.readline()
        with watch or nullcontext():
            for one in crew:
                assert one.stdin is not None
                one.stdin.write("\n")
                one.stdin.flush()
            told = [json.loads(one.communicate()[0]) for one in crew]
    return Crew(
        len(begun.mails),
        max(one["seconds"] for one in told),
        sum(one["processor"] for one in told),
        max(one["idle"] for one in told),
        max(one["peak"] for one in told),
    )


@dataclass(slots=True)
class Waits:
    """How often a worker with a transaction or a statement was seen, and how often waiting for another one's lock."""

    url: str
    seen: int = 0
    locked: int = 0
    _ended: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Waits:
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    @property
    def share(self) -> float:
        """The part of the looks that found somebody waiting."""
        return self.locked / max(self.seen, 1)

    def _watch(self) -> None:
        import psycopg

        query = "SELECT wait_event_type FROM pg_stat_activity WHERE application_name = 'pbem' AND state <> 'idle'"
        with psycopg.connect(self.url, autocommit=True) as connection:
            while not self._ended.wait(0.01):
                found = [kind for (kind,) in connection.execute(query)]
                self.seen, self.locked = self.seen + len(found), self.locked + found.count("Lock")
