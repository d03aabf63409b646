"""Figures of a service: turn mails a second, durable, by one worker and by several; what many open games cost; and how
long it takes to find what is due.

A mail counts when its events are committed with synchronous writes, the letter is marked, and the receipt lies in the
outbox and was handed over to a way out that is none. Workers are processes of their own.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import postgres_server
from crew import Crew, Waits, handled
from hosted import Hosted, hosted, put_to_sleep, with_deadlines

from pbem.store.database import Home
from pbem.store.moving import move

GAMES = 48
FEW, MANY = 100, 10_000
"""Sleeping games."""
DEADLINES = 100_000
COMMITS = 100

Pair = Callable[..., tuple[float, float, float]]
Seconds = Callable[[Callable[[], Any]], float]


def service_figures(seconds: Seconds, pair: Pair) -> None:
    """All figures of a service, on SQLite and, where there is a server, on PostgreSQL."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        started = time.perf_counter()
        begun = hosted(folder / "made", GAMES)
        each = (time.perf_counter() - started) / GAMES
        print(f"a service on {os.cpu_count()} processors, {GAMES} games under way, one turn mail of each:")
        print(f"  {each:.2f} s to begin a real game at three homes, so that sleeping games are copies of one")
        mail_figures("SQLite", copied(begun, folder / "sqlite"), begun, seconds)
        open_game_figures(begun, folder)
        deadline_figures("SQLite", copied(begun, folder / "many"), copied(begun, folder / "few"), pair)
        if why := postgres_server.missing():
            print(f"nothing about PostgreSQL: {why}")
            return
        with postgres_server.running() as server:
            url = server.url
            crew = mail_figures("PostgreSQL", moved(begun, folder / "one", url), begun, seconds)
            for workers in (2, 3):
                worker_figures(moved(begun, folder / f"workers-{workers}", url), begun, workers, url, crew)
            large, small = (moved(begun, folder / name, url) for name in ("much", "little"))
            deadline_figures("PostgreSQL", large, small, pair)


def mail_figures(database: str, home: Path, begun: Hosted, seconds: Seconds) -> Crew:
    """Turn mails a second by one worker, against bare commits to the same database in the same run."""
    bare = seconds(partial(commits, home)) / COMMITS
    crew = handled(home, begun)
    print(
        f"{database}, 1 worker: {crew.rate:.1f} turn mails a second, {crew.processor / crew.letters * 1000:.0f} ms of "
        f"processor a mail; a bare commit takes {bare * 1000:.1f} ms"
    )
    print(f"  ratio a turn mail / a bare commit: {1 / crew.rate / bare:.0f} (aim: under 30)")
    return crew


def worker_figures(home: Path, begun: Hosted, workers: int, url: str, one: Crew) -> None:
    """Turn mails a second by several workers at one home and one mailbox, and how long they wait for each other."""
    waits = Waits(url)
    crew = handled(home, begun, workers, watch=waits)
    most = min(workers, os.cpu_count() or 1)
    print(
        f"PostgreSQL, {workers} workers: {crew.rate:.1f} turn mails a second, {crew.rate / workers:.1f} by each, "
        f"{crew.processor / crew.letters * 1000:.0f} ms of processor a mail"
    )
    print(f"  ratio {workers} workers / 1: {crew.rate / one.rate:.2f} (at most {most} on this machine, if it is idle)")
    print(f"  part of their time that they wait for each other's locks: {waits.share:.3f} (aim: under 0.05)")


def open_game_figures(begun: Hosted, folder: Path) -> None:
    """What sleeping games cost a service: time of a round in which nothing happens, memory, and a mail among them."""
    found = {}
    for count in (FEW, MANY):
        home = copied(begun, folder / f"open-{count}")
        put_to_sleep(home, count)
        found[count] = one = handled(home, begun, rounds=5)
        print(
            f"{count + GAMES} open games: {one.peak / 1024:.0f} MiB at most, {one.idle * 1000:.1f} ms for a round in "
            f"which nothing happens, {one.rate:.1f} turn mails a second"
        )
    few, many = found[FEW], found[MANY]
    print(f"  ratio of memory, {MANY} / {FEW} sleeping games: {many.peak / few.peak:.2f} (aim: under 1.1)")
    print(f"  ratio of processor time of a mail: {many.processor / few.processor:.2f} (aim: under 1.2)")


def deadline_figures(database: str, large: Path, small: Path, pair: Pair) -> None:
    """Finding what is due among many deadlines and among few, by a service that takes it."""
    for folder, count in ((large, DEADLINES), (small, FEW)):
        with Home.open(folder) as home:
            with_deadlines(home, count)
    with Home.open(large) as many, Home.open(small) as few:
        long, short, ratio = pair(partial(due, many), partial(due, few), runs=101)
    times = f"{long * 1e6:.0f} us among {DEADLINES} deadlines, in {short * 1e6:.0f} us among {FEW}"
    print(f"{database}: what is due is found in {times}")
    print(f"  ratio {DEADLINES} / {FEW}: {ratio:.2f} (aim: under 1.5)")


def due(home: Home) -> None:
    """What a round asks when nothing is due yet."""
    with home.queueing() as queue:
        assert queue.lease_due("bench", 1, 60, 100) == ()


def commits(folder: Path) -> None:
    """Bare durable commits, one small row each."""
    with Home.open(folder) as home:
        for number in range(COMMITS):
            with home.queueing() as queue:
                queue.put_meta("bench", b"%d" % number)


def copied(begun: Hosted, folder: Path) -> Path:
    """The home of the service once more, in SQLite."""
    shutil.copytree(begun.folder, folder)
    return folder


def moved(begun: Hosted, folder: Path, url: str) -> Path:
    """The home of the service once more, in a schema of PostgreSQL."""
    move(copied(begun, folder), url, folder.name.replace("-", "_"))
    return folder
