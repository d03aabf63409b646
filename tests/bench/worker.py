"""One worker of a service as a process of its own: `python worker.py HOME BOX NOW ROUNDS`.

It begins, opens a game so that its rules are imported, waits for a line on its standard input, takes in what lies in
the Maildir BOX until nothing comes any more and ROUNDS rounds were idle, and prints as JSON what it did: letters,
seconds until the last one, processor seconds, seconds of an idle round (the median), and the most memory it had, in
KiB. What it sends goes nowhere.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from pbem.app.desk import Desk
from pbem.app.opened import open_game
from pbem.mail.post.maildir import MaildirInbox
from pbem.service.agent import Agent
from pbem.service.overdue import Policy
from pbem.service.record import silent
from pbem.service.referee import Docket, reception
from pbem.store.database import Home


class Nowhere:
    """A way out on which every mail is gone at once."""

    def send(self, mail: bytes, sender: str, receivers: Sequence[str]) -> None: ...

    def reach(self) -> None: ...

    def close(self) -> None: ...


def work(home: Home, box: Path, now: int, rounds: int) -> dict[str, float]:
    """Let a service work on a home that is open."""
    desk, worker = Desk(home, lambda: now), f"worker-{os.getpid()}"
    docket = Docket(desk, Policy(), worker, silent)
    agent = Agent(desk, MaildirInbox(box), Nowhere(), worker, silent, visitors=reception(desk, silent), duties=docket)
    agent.begin()
    open_game(home, home.games()[0].game_id, desk.games)  # the rules are imported
    print("ready", flush=True)
    sys.stdin.readline()
    letters, idle, busy, spent = 0, [], 0.0, 0.0
    started, before = time.perf_counter(), time.process_time()
    while len(idle) < rounds:
        began = time.perf_counter()
        done = agent.round()
        if done.letters or done.posted or done.sent:
            letters += done.letters
            busy, spent = time.perf_counter() - started, time.process_time() - before
        else:
            idle.append(time.perf_counter() - began)
    agent.end()
    return {"letters": letters, "seconds": busy, "processor": spent, "idle": statistics.median(idle), "peak": peak()}


def peak() -> int:
    """The most memory that this program had, in KiB; what the one had that started it counts in getrusage, not here."""
    told = Path("/proc/self/status").read_text()
    return int(told.partition("VmHWM:")[2].split()[0])


if __name__ == "__main__":
    with Home.open(Path(sys.argv[1])) as home:
        print(json.dumps(work(home, Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))))
