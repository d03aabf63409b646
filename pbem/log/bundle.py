"""Bundles: many event lines as one text. A turn file carries one compressed, an archive is one as it is.

The first line is `pbem-log 1 KIND` (turn, archive, evidence, dispute), then `key HEX` for each public key that a
registration among the events needs, then in a dispute `claim …`, which `pbem.log.dispute` reads, then one event a
line. Every line ends with a newline.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pbem.errors import BadEvidence

VERSION = 1
MAX_TURN_BYTES = 4 * 2**20
MAX_ARCHIVE_BYTES = 256 * 2**20
MAX_KEYS = 64
SHORTEST_LINE = 104
"""Key id and signature with their blanks: lines without number would cost more memory than they bring."""
MAX_LINES = 2**20
MAX_CLAIM_LINE = 2**15

Contents = Literal["turn", "archive", "evidence", "dispute"]
KINDS: tuple[Contents, ...] = ("turn", "archive", "evidence", "dispute")
_FIRST = re.compile(rb"pbem-log ([1-9][0-9]{0,5}) ([a-z]{1,16})\Z")
_KEY = re.compile(rb"key ([0-9a-f]{64})\Z")
_CLAIM = b"claim "


@dataclass(frozen=True, slots=True)
class Bundle:
    """Event lines with the keys that their registrations need; `first_line` is the line number of lines[0].

    `claim` is what the claim line of a dispute says, and empty in every other bundle.
    """

    contents: Contents
    keys: tuple[bytes, ...]
    lines: tuple[bytes, ...]
    claim: bytes = b""

    @property
    def first_line(self) -> int:
        return 2 + len(self.keys) + bool(self.claim)


def write(contents: Contents, keys: Iterable[bytes], lines: Iterable[bytes], claim: bytes = b"") -> bytes:
    """The text of a bundle; keys are sorted, lines stay in the order given."""
    head = [b"pbem-log %d %b" % (VERSION, contents.encode("ascii"))]
    named = [b"key " + key.hex().encode("ascii") for key in sorted(set(keys))]
    claimed = [_CLAIM + claim] if claim else []
    return b"".join(line + b"\n" for line in (*head, *named, *claimed, *lines))


def read(data: bytes) -> Bundle:
    """The bundle of a text; BadEvidence `bundle.…` for another format, a newer one, or one cut in a line."""
    if len(data) > MAX_ARCHIVE_BYTES:
        raise BadEvidence("bundle.too_long", f"expected at most {MAX_ARCHIVE_BYTES} bytes, got {len(data)}")
    if data.count(b"\n") > MAX_LINES:
        raise BadEvidence("bundle.too_long", f"expected at most {MAX_LINES} lines, got {data.count(bytes([10]))}")
    contents = _contents(data[:64].split(b"\n")[0])
    if data.count(b"\n") > len(data) // SHORTEST_LINE + MAX_KEYS + 1:
        raise BadEvidence(
            "bundle.form",
            "expected an event in every line, got lines that are too short for one",
            "its lines were broken by the way it came: have it sent as an attachment, or in a zip file",
        )
    rows = data.split(b"\n")
    if rows[-1]:
        raise BadEvidence(
            "bundle.cut",
            f"expected a newline after the last line, got a file that is cut in line {len(rows)}",
            "get the file again from where it came: its end is missing",
        )
    keys = _keys(rows[1:-1])
    first = 1 + len(keys)
    if contents != "dispute":
        return Bundle(contents, keys, tuple(rows[first:-1]))
    return Bundle(contents, keys, tuple(rows[first + 1 : -1]), _claim(rows[first:-1]))


def _contents(first: bytes) -> Contents:
    match = _FIRST.match(first)
    if match is None and first.endswith(b"\r") and _FIRST.match(first[:-1]):
        raise BadEvidence(
            "bundle.form",
            "expected lines that end with a line feed alone, got carriage returns before them",
            "its line ends were changed by the way it came: have it sent as an attachment, or in a zip file",
        )
    if match is None:
        raise BadEvidence("bundle.form", "expected a file that begins with 'pbem-log', got something else")
    if int(match[1]) != VERSION:
        raise BadEvidence(
            "bundle.version",
            f"expected a log of format {VERSION}, which this program reads, got format {int(match[1])}",
            "install the pbem that wrote it, or a newer one",
        )
    contents = match[2].decode("ascii")
    for known in KINDS:
        if contents == known:
            return known
    raise BadEvidence("bundle.form", f"expected a turn, an archive, evidence or a dispute, got '{contents}'")


def _keys(rows: Sequence[bytes]) -> tuple[bytes, ...]:
    found: list[bytes] = []
    for row in rows:
        match = _KEY.match(row)
        if match is None:
            break
        found.append(bytes.fromhex(match[1].decode("ascii")))
    if len(found) > MAX_KEYS or found != sorted(set(found)):
        raise BadEvidence("bundle.keys", f"expected at most {MAX_KEYS} keys, each once and in order")
    return tuple(found)


def _claim(rows: Sequence[bytes]) -> bytes:
    if not rows or not rows[0].startswith(_CLAIM) or not len(_CLAIM) < len(rows[0]) <= MAX_CLAIM_LINE:
        raise BadEvidence("bundle.claim", f"expected a dispute to say in at most {MAX_CLAIM_LINE} bytes what it claims")
    return rows[0].removeprefix(_CLAIM)


def pack(bundle: bytes) -> bytes:
    """The compressed form that a turn file carries (zlib, RFC 1950)."""
    return zlib.compress(bundle, 9)


def unpack(payload: bytes) -> bytes:
    """The bundle text of a turn file's payload; never expands to more than MAX_TURN_BYTES."""
    inflater = zlib.decompressobj()
    try:
        data = inflater.decompress(payload, MAX_TURN_BYTES)
    except zlib.error:
        raise BadEvidence("bundle.packing", "expected a compressed log, got something else") from None
    if inflater.unconsumed_tail or not inflater.eof or inflater.unused_data:
        raise BadEvidence(
            "bundle.packing",
            f"expected one compressed log of at most {MAX_TURN_BYTES} bytes, got more, or one cut off",
        )
    return data
