"""Figures of a service: turn mails a second, durable, by one worker and by several; what many open games cost; and how
long it takes to find what is due.

A mail counts when its events are committed with synchronous writes, the letter is marked, the receipt lies in the
outbox and has been handed over to a way out that is none. Workers are processes of their own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import postgres_server
from hosted import Hosted, hosted, put_to_sleep, with_deadlines

from pbem.mail.post.maildir import deliver, prepare
from pbem.store.database import Home
from pbem.store.moving import move

GAMES = 48
FEW, MANY = 100, 10_000
"""Sleeping games."""
DEADLINES = 100_000
COMMITS = 100
WORKERS = (1, 2, 3)
WORKER = Path(__file__).with_name("worker.py")

Pair = Callable[..., tuple[float, float, float]]
Seconds = Callable[[Callable[[], Any]], float]


@dataclass(frozen=True, slots=True)
class Crew:
    """What some workers did together: letters in the box, seconds to the last, and processor seconds of all."""

    letters: int
    seconds: float
    processor: float
    idle: float
    peak: float


def service_figures(seconds: Seconds, pair: Pair) -> None:
    """All figures of a service, on SQLite and, where there is a server, on PostgreSQL."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        begun = hosted(folder / "made", GAMES)
        print(f"a service on {os.cpu_count()} processors, {GAMES} games under way, one turn mail of each:")
        mail_figures("SQLite", begun, seconds, lambda: copied(begun, folder / "sqlite"), (1,))
        open_game_figures(begun, folder)
        deadline_figures("SQLite", copied(begun, folder / "due"), copied(begun, folder / "little"), pair)
        if why := postgres_server.missing():
            print(f"nothing about PostgreSQL: {why}")
            return
        with server() as url:
            schemas = iter(f"bench_{number}" for number in range(100))
            there = lambda: moved(begun, folder / "postgres", url, next(schemas))  # noqa: E731
            mail_figures("PostgreSQL", begun, seconds, there, WORKERS)
            deadline_figures("PostgreSQL", there(), moved(begun, folder / "other", url, next(schemas)), pair)


def mail_figures(
    name: str, begun: Hosted, seconds: Seconds, home: Callable[[], Path], workers: tuple[int, ...]
) -> None:
    """Turn mails a second, against bare commits of the same database in the same run."""
    alone = 0.0
    for number in workers:
        folder = home()
        bare = seconds(partial(commits, folder)) / COMMITS
        crew = handled(folder, begun, number)
        rate = crew.letters / crew.seconds
        alone = alone or rate
        each = f", {rate / number:.1f} for each worker" if number > 1 else ""
        print(
            f"{name}, {number} worker{'s' if number > 1 else ''}: {rate:.1f} turn mails a second{each}; "
            f"{crew.processor / crew.letters * 1000:.0f} ms of processor a mail; a bare commit {bare * 1000:.1f} ms"
        )
        print(f"  ratio a mail / a bare commit: {1 / rate / bare:.0f} (aim: under 40)")
        if number > 1:
            aim = 0.8 * min(number, os.cpu_count() or 1)
            print(
                f"  ratio {number} workers / one: {rate / alone:.2f} (aim: over {aim:.1f}, with the processors alone)"
            )


def open_game_figures(begun: Hosted, folder: Path) -> None:
    """What sleeping games cost a service: time of a round in which nothing happens, memory, and a mail among them."""
    found = {}
    for count in (FEW, MANY):
        home = copied(begun, folder / f"open-{count}")
        put_to_sleep(home, count)
        found[count] = handled(home, begun, 1, rounds=5)
        one = found[count]
        print(
            f"{count + GAMES} open games: {one.peak / 1024:.0f} MiB at most, {one.idle * 1000:.1f} ms for a round in "
            f"which nothing happens, {one.letters / one.seconds:.1f} turn mails a second"
        )
    few, many = found[FEW], found[MANY]
    print(f"  ratio of memory, {MANY} / {FEW} sleeping games: {many.peak / few.peak:.2f} (aim: under 1.1)")
    print(f"  ratio of processor time of a mail: {many.processor / few.processor:.2f} (aim: under 1.2)")


def deadline_figures(name: str, large: Path, small: Path, pair: Pair) -> None:
    """Finding what is due among many deadlines and among few, by a service that takes it."""
    for folder, count in ((large, DEADLINES), (small, FEW)):
        with Home.open(folder) as home:
            with_deadlines(home, count)
    with Home.open(large) as many, Home.open(small) as few:
        long, short, ratio = pair(lambda: due(many), lambda: due(few), runs=101)
    print(
        f"{name}: what is due is found in {long * 1e6:.0f} us of {DEADLINES} deadlines, in {short * 1e6:.0f} of {FEW}"
    )
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
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(begun.folder, folder)
    return folder


def moved(begun: Hosted, folder: Path, url: str, schema: str) -> Path:
    """The home of the service once more, in PostgreSQL."""
    move(copied(begun, folder), url, schema)
    return folder


@contextmanager
def server() -> Iterator[str]:
    """The URL of a PostgreSQL server that keeps its promises."""
    with postgres_server.running() as found:
        yield found.url


def handled(home: Path, begun: Hosted, workers: int, rounds: int = 1) -> Crew:
    """Let so many workers, which begin at once, handle all mails of a home."""
    with tempfile.TemporaryDirectory(dir=home.parent) as box:
        prepare(Path(box) / "in")
        for mail in begun.mails:
            deliver(Path(box) / "in", mail)
        command = [sys.executable, str(WORKER), str(home), str(Path(box) / "in"), str(begun.now + 60), str(rounds)]
        crew = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(workers)
        ]
        for one in crew:
            assert one.stdout is not None
            one.stdout.readline()
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
