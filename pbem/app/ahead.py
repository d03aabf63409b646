"""Checking signatures ahead, in a second process, while this one replays: they are the largest part of the work.

The child inherits the lines, writes one byte for each, and ends. Whatever it does not vouch for, because the
signature fails or the child does, is checked here; so a verdict never depends on a second process being had.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TypeVar

from pbem.errors import PbemError

T = TypeVar("T")
WORTH_IT = 200
"""Fewer lines are done before a process has begun."""
AT_ONCE = 4
"""Lines for which the child writes together: the parent waits for the first of them."""
_YES, _NO = b"\x01", b"\x00"


@contextmanager
def checked_ahead(lines: Sequence[bytes], check: Callable[[bytes], object]) -> Iterator[Callable[[], bool]]:
    """Gives a function that says for one line after another whether `check` is known to pass (False: not known)."""
    if len(lines) < WORTH_IT or not hasattr(os, "fork") or (os.cpu_count() or 1) < 2:
        yield lambda: False
        return
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _check_all(lines, check, reading, writing)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb", buffering=64) as results:
            yield lambda: results.read(1) == _YES
    finally:
        os.waitpid(child, 0)


def _check_all(lines: Sequence[bytes], check: Callable[[bytes], object], reading: int, writing: int) -> None:
    """What the child does; it never returns, and a reader that is gone ends it."""
    with suppress(BaseException):
        os.close(reading)
        for first in range(0, len(lines), AT_ONCE):
            os.write(writing, b"".join(_passes(line, check) for line in lines[first : first + AT_ONCE]))
    os._exit(0)


def _passes(line: bytes, check: Callable[[bytes], object]) -> bytes:
    try:
        check(line)
    except PbemError:
        return _NO
    return _YES
