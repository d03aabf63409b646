"""From what came by mail to bundles of event lines, and to the game that each belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pbem.errors import BadEvidence, PbemError
from pbem.log import bundle, envelope
from pbem.log.event import NOTHING
from pbem.mail.reading import Note, Reading, read_text

_GAME = re.compile(rb'"game":"([0-9a-f]{64})"')


@dataclass(frozen=True, slots=True)
class Incoming:
    """The lines of one bundle, nothing of them verified; `origin` says where it was found."""

    origin: str
    keys: tuple[bytes, ...]
    lines: tuple[bytes, ...]

    @property
    def game(self) -> str:
        """The game that the first line claims to belong to: a hint for routing, never believed.

        BadEvidence for a line that is no event.
        """
        if not self.lines:
            return ""
        match = _GAME.search(self.lines[0])
        if match is None:
            envelope.from_line(self.lines[0])
            raise BadEvidence("event.form", f"expected an event of a game in {self.origin}, got something else")
        claimed = match[1].decode("ascii")
        if claimed != NOTHING:
            return claimed
        return envelope.event_id(envelope.from_line(self.lines[0]).payload)


@dataclass(slots=True)
class Arrived:
    """What was found in a source, what was repaired or ignored, and what is damaged."""

    bundles: list[Incoming] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    damaged: list[PbemError] = field(default_factory=list)


def incoming(data: bytes, origin: str) -> Arrived:
    """What is in a text, a mail, a mailbox or a bare log; BadEvidence only in `damaged`."""
    if data.startswith(b"pbem-log "):
        return _collect([(data, origin)], Arrived())
    return _unpacked(read_text(data, origin))


def incoming_from(path: Path) -> Arrived:
    """What is in a file, a mailbox, a Maildir or a folder; BadRequest when there is no such file."""
    from pbem.mail.boxes import read_path
    from pbem.store.files import read_limited

    if path.is_file():
        with path.open("rb") as stream:
            bare = stream.read(9) == b"pbem-log "
        if bare:
            return incoming(read_limited(path, bundle.MAX_ARCHIVE_BYTES), path.name)
    return _unpacked(read_path(path))


def _unpacked(reading: Reading) -> Arrived:
    arrived = Arrived(notes=list(reading.notes), damaged=list(reading.damaged))
    unpacked = []
    for found in reading.payloads:
        try:
            unpacked.append((bundle.unpack(found.payload), found.origin))
        except BadEvidence as error:
            arrived.damaged.append(error)
    return _collect(unpacked, arrived)


def _collect(texts: Iterable[tuple[bytes, str]], arrived: Arrived) -> Arrived:
    for text, origin in texts:
        try:
            read = bundle.read(text)
            found = Incoming(origin, read.keys, read.lines)
            _ = found.game  # raises for what cannot be routed
            arrived.bundles.append(found)
        except BadEvidence as error:
            arrived.damaged.append(error)
    return arrived
