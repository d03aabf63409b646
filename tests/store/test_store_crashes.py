"""Processes that die, disks that fail, and processes that compete; each in a child of its own.

Faults are injected at the n-th call of the system with `strace`; without it those tests are skipped.
"""

from __future__ import annotations

import ctypes
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from samples import GAME, event
from soak import soak

from pbem.errors import BadDisk
from pbem.store import Appended, Home
from pbem.store.files import write_atomically

CHILDREN = str(Path(__file__).parent / "children.py")
LONG = (pytest.mark.soak, pytest.mark.timeout(3600))
FILE_CALLS = ("openat", "write", "fsync", "rename")


def can_trace() -> bool:
    strace = shutil.which("strace")
    return strace is not None and subprocess.run([strace, "-qq", "true"], capture_output=True).returncode == 0


needs_strace = pytest.mark.skipif(not can_trace(), reason="strace is missing or not permitted here")


def command(deed: str, folder: Path, *arguments: str) -> list[str]:
    return [sys.executable, CHILDREN, deed, str(folder), *arguments]


def injected(fault: str, *child: str, only: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a child under strace with a fault such as `fsync:signal=KILL:when=2`, on one path only if given.

    The faster way to trace delivers no signals, so only errors take it.
    """
    call = fault.split(":")[0]
    fast = ["--seccomp-bpf"] if ":error=" in fault else []
    paths = ["-P", str(only)] if only else []
    strace = [
        "strace",
        "-qq",
        "-f",
        *fast,
        "-o",
        os.devnull,
        *paths,
        "-e",
        f"trace={call}",
        "-e",
        f"inject={fault}",
    ]
    return subprocess.run([*strace, *child], capture_output=True, text=True, timeout=60)


def kills(call: str, child: list[str], only: Path | None = None, stride: int = 1) -> Iterator[list[str]]:
    """Kill the child at its first, second … `call`, and yield what it had said, until it survives."""
    for number in range(1, 400, stride):
        done = injected(f"{call}:signal=KILL:when={number}", *child, only=only)
        yield done.stdout.split()
        if done.returncode == 0:
            assert number > 1, f"the child never calls {call}"
            return


def steps(home: Home) -> list[int]:
    return [one.step for one in home.events(GAME)]


def restored(saved: Path, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(saved, folder)


@pytest.mark.plan("C1")
@pytest.mark.parametrize("rounds", [6, pytest.param(soak(200), marks=LONG)])
def test_nothing_acknowledged_is_lost_when_the_process_is_killed(kept: Path, rounds: int) -> None:
    chance, acknowledged = random.Random(rounds), []
    for _ in range(rounds):
        child = subprocess.Popen(command("append_on", kept), stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        acknowledged.append(child.stdout.readline().strip())
        time.sleep(chance.uniform(0, 0.12))
        child.kill()
        rest = child.communicate()[0]
        acknowledged += rest[: rest.rfind("\n") + 1].split()
        with Home.open(kept) as home:
            stored = home.events(GAME)
            assert home.damages() == ()
        assert [one.event_id for one in stored[: len(acknowledged)]] == acknowledged
        assert [one.step for one in stored] == list(range(len(stored)))
        assert len(stored) - len(acknowledged) <= 1
        acknowledged = [one.event_id for one in stored]


@needs_strace
@pytest.mark.plan("C2")
@pytest.mark.parametrize(
    ("call", "stride"),
    [
        ("pwrite64", 3),
        ("fdatasync", 1),
        ("ftruncate", 1),
        ("unlink", 1),
        pytest.param("pwrite64", 1, marks=LONG),
    ],
)
def test_a_transaction_is_whole_or_absent_wherever_the_process_dies(
    folder: Path, tmp_path: Path, call: str, stride: int
) -> None:
    saved, seen = tmp_path / "saved", set()
    shutil.copytree(folder, saved)
    for said in kills(call, command("append_two", folder, ""), stride=stride):
        with Home.open(folder) as home:
            assert (steps(home) in ([], [50, 51]), home.damages()) == (True, ())
            assert steps(home) == [50, 51] or said == []
            seen.add(len(steps(home)))
            with home.writing() as writer:
                writer.append(**event(52))
        restored(saved, folder)
    assert 2 in seen


@needs_strace
@pytest.mark.plan("C2")
@pytest.mark.parametrize(
    ("call", "stride"),
    [
        ("pwrite64", 11),
        ("fdatasync", 2),
        ("fsync", 1),
        ("link", 1),
        ("unlink", 3),
        pytest.param("pwrite64", 1, marks=LONG),
    ],
)
def test_a_home_comes_into_being_whole_wherever_the_process_dies(tmp_path: Path, call: str, stride: int) -> None:
    folder = tmp_path / "home"
    for said in kills(call, command("create", folder), stride=stride):
        if not (folder / "home.sqlite").exists():
            assert said == []
            Home.create(folder, lambda writer: writer.put_meta("vault", b"header")).close()
        with Home.open(folder) as home:
            assert (home.meta("vault"), home.games(), home.damages()) == (b"header", (), ())
        assert [path.name for path in folder.iterdir()] == ["home.sqlite"]
        shutil.rmtree(folder)


@needs_strace
@pytest.mark.plan("C7")
@pytest.mark.parametrize("call", FILE_CALLS)
def test_a_file_is_the_old_or_the_new_one_wherever_the_process_dies(tmp_path: Path, call: str) -> None:
    place, new, seen = tmp_path / "turn.txt", b"new" * 5000, set()
    only = tmp_path if call == "openat" else None
    for said in kills(call, command("write_file", tmp_path), only=only):
        content = place.read_bytes() if place.exists() else b"old"
        assert content == new or (content == b"old" and said == [])
        seen.add(content)
        place.write_bytes(b"old")
        write_atomically(place, b"old")
    assert new in seen


@needs_strace
@pytest.mark.plan("C4", "C7")
@pytest.mark.parametrize(
    ("fault", "code", "reason"),
    [
        ("fsync:error=ENOSPC:when=1", "disk.full", "the disk is full"),
        (
            "fsync:error=EIO:when=1",
            "disk.input_output",
            "the disk reported an input or output error, or a size limit was reached",
        ),
        ("rename:error=EROFS:when=1", "disk.read_only", "the disk or the file is read-only"),
        ("rename:error=EACCES:when=1", "disk.no_right", "you have no right to do so"),
        ("rename:error=EXDEV:when=1", "disk.failed", "the system said: invalid cross-device link"),
    ],
)
def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, fault: str, code: str, reason: str) -> None:
    (tmp_path / "turn.txt").write_bytes(b"old")
    said = injected(fault, *command("write_file", tmp_path)).stdout.splitlines()
    assert said == [code, f"expected to write {str(tmp_path / 'turn.txt')!r}, but {reason}"]
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("turn.txt", b"old")]


@needs_strace
@pytest.mark.plan("C4")
@pytest.mark.parametrize(
    ("call", "error", "code", "numbers"),
    [
        ("pwrite64", "ENOSPC", "disk.full", range(9, 32, 4)),
        ("pwrite64", "EIO", "disk.input_output", range(10, 32, 4)),
        ("fdatasync", "EIO", "disk.input_output", range(1, 7)),
        pytest.param("pwrite64", "ENOSPC", "disk.full", range(1, 32), marks=LONG),
        pytest.param("pwrite64", "EIO", "disk.input_output", range(1, 32), marks=LONG),
    ],
)
def test_a_failing_disk_is_named_and_the_same_home_goes_on(
    folder: Path, tmp_path: Path, call: str, error: str, code: str, numbers: range
) -> None:
    saved, seen = tmp_path / "saved", set()
    shutil.copytree(folder, saved)
    for number in numbers:
        done = injected(f"{call}:error={error}:when={number}", *command("append_two", folder, ""))
        assert "Traceback" not in done.stderr or "StoreFault: " in done.stderr
        with Home.open(folder) as home:
            assert (steps(home) in ([], [50, 51]), home.damages()) == (True, ())
            assert steps(home) == [50, 51] or "stored" not in done.stdout
        seen.add(tuple(done.stdout.split()))
        restored(saved, folder)
    assert {(code, "stored"), ("stored",)} <= seen <= {(code, "stored"), ("stored",), ()}


def limited(limit: int, value: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(limit, (value, value))


@pytest.mark.plan("C4")
def test_a_size_limit_is_named_and_changes_nothing(folder: Path) -> None:
    size, long = limited(resource.RLIMIT_FSIZE, 120_000), "x" * 20_000
    child = subprocess.run(command("append_two", folder, long), capture_output=True, text=True, preexec_fn=size)
    with Home.open(folder) as home:
        assert (child.stdout.split(), steps(home), home.damages()) == (["disk.input_output"] * 2, [], ())


@pytest.mark.plan("C4")
def test_a_file_over_a_size_limit_leaves_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "turn.txt").write_bytes(b"old")
    size = limited(resource.RLIMIT_FSIZE, 10_000)
    child = subprocess.run(command("write_file", tmp_path), capture_output=True, text=True, preexec_fn=size)
    assert child.stdout.split()[0] == "disk.full"
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("turn.txt", b"old")]


def open_until_refused(opened: list[int]) -> None:
    while True:
        try:
            opened.append(os.open(os.devnull, os.O_RDONLY))
        except OSError:
            return


def append_until_refused(home: Home, stored: list[int], line: bytes) -> None:
    for step in range(100):
        with home.writing() as writer:
            writer.append(**event(step, line=line))
        stored.append(step)


@pytest.mark.plan("C4")
def test_too_many_open_files_are_named_and_the_home_is_usable_afterwards(folder: Path) -> None:
    opened: list[int] = []
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, before[1]))
    try:
        open_until_refused(opened)
        with pytest.raises(BadDisk) as home_error:
            Home.open(folder)
        with pytest.raises(BadDisk) as file_error:
            write_atomically(folder / "turn.txt", b"new")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
        for descriptor in opened:
            os.close(descriptor)
    assert [caught.value.code for caught in (home_error, file_error)] == ["disk.too_many_files"] * 2
    assert home_error.value.text.endswith("but too many files are open")
    with Home.open(folder) as home, home.writing() as writer:
        assert writer.append(**event(0)) is Appended.NEW


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 320 KiB, where the machine lets us have one."""
    disk, libc = tmp_path / "disk", ctypes.CDLL(None, use_errno=True)
    disk.mkdir()
    if libc.mount(b"tmpfs", bytes(disk), b"tmpfs", 0, b"size=320k") != 0:
        pytest.skip("mounting is not permitted here")
    yield disk
    libc.umount2(bytes(disk), 2)


def remount(disk: Path, read_only: bool) -> None:
    flags = 32 | (1 if read_only else 0)
    assert ctypes.CDLL(None).mount(b"tmpfs", bytes(disk), b"tmpfs", flags, b"size=320k") == 0


@pytest.mark.plan("C4")
def test_a_disk_that_fills_up_is_named_and_the_home_goes_on_when_there_is_space(folder: Path, tiny_disk: Path) -> None:
    place = tiny_disk / "home"
    shutil.copytree(folder, place)
    (tiny_disk / "ballast").write_bytes(bytes(40_000))
    stored: list[int] = []
    line = b"x" * 9000
    with Home.open(place) as home:
        with pytest.raises(BadDisk) as caught:
            append_until_refused(home, stored, line)
        assert (caught.value.code, steps(home) == stored, len(stored) > 0) == ("disk.full", True, True)
        (tiny_disk / "ballast").unlink()
        with home.writing() as writer:
            writer.append(**event(100, line=line))
    with Home.open(place) as home:
        assert (steps(home), home.damages()) == ([*stored, 100], ())


@pytest.mark.plan("C4")
def test_a_full_disk_gets_no_new_home(tiny_disk: Path) -> None:
    (tiny_disk / "ballast").write_bytes(bytes(265_000))
    with pytest.raises(BadDisk) as caught:
        Home.create(tiny_disk / "home")
    assert (caught.value.code, list((tiny_disk / "home").iterdir())) == ("disk.full", [])


@pytest.mark.plan("C4")
def test_a_read_only_disk_is_named(folder: Path, tiny_disk: Path) -> None:
    place = tiny_disk / "home"
    shutil.copytree(folder, place)
    remount(tiny_disk, read_only=True)
    with pytest.raises(BadDisk) as opening, Home.open(place) as home, home.writing() as writer:
        writer.append(**event(0))
    with pytest.raises(BadDisk) as writing:
        write_atomically(place / "turn.txt", b"new")
    assert [caught.value.code for caught in (opening, writing)] == ["disk.read_only"] * 2
    remount(tiny_disk, read_only=False)
    with Home.open(place) as home, home.writing() as writer:
        assert writer.append(**event(0)) is Appended.NEW


@needs_strace
@pytest.mark.plan("C3")
@pytest.mark.parametrize(("synchronous", "kept"), [("FULL", [0]), ("NORMAL", [])])
def test_what_was_not_synced_is_lost_and_nothing_acknowledged_is_among_it(
    folder: Path, tmp_path: Path, synchronous: str, kept: list[int]
) -> None:
    """A power cut: the log is cut back to what had been synced when the child said that it had stored."""
    trace, log = tmp_path / "trace", folder / "home.sqlite-wal"
    calls = ["-e", "trace=pwrite64,fdatasync,write", "-P", str(log), "-y", "-o", str(trace), "-qq"]
    done = subprocess.run(
        ["strace", *calls, *command("append_carelessly", folder, synchronous)], capture_output=True, text=True
    )
    with log.open("r+b") as file:
        file.truncate(synced_length(trace.read_text()))
    with Home.open(folder) as home:
        assert (done.stdout.split(), steps(home), home.damages()) == (["stored"], kept, ())


def synced_length(trace: str) -> int:
    """The length that the traced file had at its last sync."""
    written = synced = 0
    for line in trace.splitlines():
        if found := re.search(r"^pwrite64\(.*, (\d+), (\d+)\) = \d+", line):
            written = max(written, int(found[1]) + int(found[2]))
        elif line.startswith("fdatasync("):
            synced = written
    return synced


@pytest.mark.plan("C5")
@pytest.mark.timeout(60)
def test_of_eight_processes_exactly_one_gets_the_place(kept: Path) -> None:
    children = [
        subprocess.Popen(
            command("compete", kept, str(number // 2)),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(8)
    ]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    (kept / "whistle").touch()
    said = sorted(child.communicate()[0].strip() for child in children)
    assert ([child.returncode for child in children], said) == (
        [0] * 8,
        ["conflict"] * 3 + ["duplicate"] * 4 + ["new"],
    )
    with Home.open(kept) as home:
        competing = [one for one in home.events(GAME) if one.role == "german"]
        assert ([one.place for one in competing], len(home.events(GAME))) == ([0, 1, 2, 3], 4 + 4 * 20)
        assert home.damages() == ()
