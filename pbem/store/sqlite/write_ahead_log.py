"""A look at the write-ahead log before SQLite opens it (https://www.sqlite.org/fileformat2.html, section 4).

SQLite ends the log at the first frame whose checksum fails and drops the rest without a word: right for a write
that a power cut tore, wrong for a bit that flipped. Each commit is on the disk before the next one begins, so a torn
write lies in the last transaction; a bad frame before it is damage. Left out: damage in the last transaction itself
cannot be told from a torn write, and goes back to the state before it.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Iterator
from pathlib import Path

from pbem.store.faults import damaged, disk_spoken

_HEADER, _FRAME_HEADER = 32, 24
_MAGIC, _BIG_ENDIAN = 0x377F0682, 1
_WORD = 0xFFFFFFFF
_LOOKS = 3

Sums = tuple[int, int]


def check_write_ahead_log(database: Path, pause_ms: int) -> None:
    """Raise BadDisk when the log beside `database` is damaged before its last transaction.

    Another process may be writing to it: what looks bad is looked at again after a pause, twice.
    """
    log = database.with_name(database.name + "-wal")
    for look in range(_LOOKS):
        if not is_damaged(_read(log)):
            return
        if look + 1 < _LOOKS:
            time.sleep(pause_ms / 1000)
    raise damaged("its write-ahead log does not hold, and later transactions would be lost", log)


def is_damaged(log: bytes) -> bool:
    """Say whether more than one whole transaction stands behind the first byte that does not hold."""
    if len(log) <= _HEADER:
        return False
    magic, _, page, _, *salts = struct.unpack_from(">6I", log)
    sums = _summed(log[: _HEADER - 8], (0, 0), magic & _BIG_ENDIAN)
    if magic & ~_BIG_ENDIAN != _MAGIC or sums != struct.unpack_from(">2I", log, _HEADER - 8):
        return _header_belongs(log, salts)
    frames = list(_frames(log, page))
    for number, frame in enumerate(frames):
        sums = _summed(frame[:8] + frame[_FRAME_HEADER:], sums, magic & _BIG_ENDIAN)
        if struct.unpack_from(">4I", frame, 8) != (*salts, *sums):
            return _commits(frames[number:], salts) > 1
    return False


def _read(log: Path) -> bytes:
    """Return the log, empty if there is none: the last process to close the database deletes it."""
    with disk_spoken("read", log):
        try:
            return log.read_bytes()
        except FileNotFoundError:
            return b""


def _frames(log: bytes, page: int) -> Iterator[bytes]:
    length = _FRAME_HEADER + page
    for start in range(_HEADER, len(log) - length + 1, length):
        yield log[start : start + length]


def _commits(frames: list[bytes], salts: list[int]) -> int:
    """Count frames that end a transaction of this log; one flipped bit spoils one of the two salts only."""
    heads = [struct.unpack_from(">4I", frame) for frame in frames]
    return sum(pages > 0 and (first == salts[0] or second == salts[1]) for _, pages, first, second in heads)


def _header_belongs(log: bytes, salts: list[int]) -> bool:
    """Say whether a bad header is that of the frames behind it; a torn one has new salts, and they are done with."""
    if len(log) < _HEADER + _FRAME_HEADER:
        return False
    first, second = struct.unpack_from(">2I", log, _HEADER + 8)
    return bool(first == salts[0] or second == salts[1])


def _summed(data: bytes, sums: Sums, big_endian: int) -> Sums:
    """Continue the checksum over `data`, whose length is a multiple of eight bytes."""
    words = struct.unpack(f"{'>' if big_endian else '<'}{len(data) // 4}I", data)
    first, second = sums
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & _WORD
        second = (second + odd + first) & _WORD
    return first, second
