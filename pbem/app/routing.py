"""From what came by mail to bundles of event lines, and to the game that each belongs to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from pbem.errors import BadEvidence, BadRequest, PbemError
from pbem.log import bundle, envelope
from pbem.log.event import NOTHING, REFEREE
from pbem.mail.plain import printable
from pbem.mail.reading import Note, Reading, read_text

MAX_UNPACKED = 64 * 2**20
"""Bytes that the turn files of one import may unpack to, together."""

LONGEST_SHEET = 200_000
"""Bytes in which an order sheet is looked for."""

LONGEST_OFFER = 20_000
"""Bytes in which an offer to take a seat is looked for."""

_SHEET = re.compile(rb"^[>| \t]*orders[ \t]+\S+[ \t]+step[ \t]+\d{1,9}[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_OFFER = re.compile(rb'"registration"\s*:\s*\{.*"role"\s*:\s*"([a-z_0-9-]{1,40})"', re.DOTALL)
_GAME = re.compile(rb'"game":"([0-9a-f]{64})"')


@dataclass(frozen=True, slots=True)
class Incoming:
    """The lines of one bundle, nothing of them verified; `origin` says where it was found, `contents` what it is."""

    origin: str
    keys: tuple[bytes, ...]
    lines: tuple[bytes, ...]
    contents: bundle.Contents = "turn"

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
        return _collect(data, origin, Arrived())
    return _unpacked(read_text(data, origin), data, origin)


def incoming_from(path: Path) -> Arrived:
    """What is in a file, a mailbox, a Maildir or a folder; BadRequest when there is none."""
    from pbem.mail.boxes import read_path
    from pbem.store.files import is_file, read_head, read_limited

    head = b""
    if is_file(path):
        head = read_head(path, LONGEST_SHEET)
        if head.startswith(b"pbem-log "):
            return incoming(read_limited(path, bundle.MAX_ARCHIVE_BYTES), path.name)
    return _unpacked(read_path(path), head, path.name)


def _unpacked(reading: Reading, head: bytes, origin: str) -> Arrived:
    """One turn file after another, so that many small ones that unpack to much are not held at once.

    `head` is the beginning of what was read, in which an order sheet may be found instead.
    """
    arrived = Arrived(notes=list(reading.notes), damaged=list(reading.damaged))
    if [error.code for error in arrived.damaged] == ["mail.no_turn_file"]:
        arrived.damaged = [_other_file(head, origin) or arrived.damaged[0]]
    left = MAX_UNPACKED
    for found in reading.payloads:
        try:
            text = bundle.unpack(found.payload)
            left -= len(text)
            if left < 0:
                raise _too_much(found.origin)
            _collect(text, found.origin, arrived)
        except BadEvidence as error:
            arrived.damaged.append(error)
            if left < 0:
                break
    return arrived


def _other_file(head: bytes, origin: str) -> BadRequest | None:
    """What to do with another file of this program than a turn file."""
    if _SHEET.search(head):
        return _sheet(origin)
    offer = _OFFER.search(head[:LONGEST_OFFER])
    return _offer(origin, offer[1].decode("ascii")) if offer else None


def _offer(origin: str, role: str) -> BadRequest:
    text = f"expected a turn file, got an offer to take the seat of {role} in {printable(origin)}"
    appoint = "`pbem motion appoint GAME --offer FILE` moves that whoever made it becomes the referee"
    give = f"`pbem motion hand-over GAME --offer FILE` moves that whoever made it takes the seat, at the home of {role}"
    return BadRequest("import.offer", text, appoint if role == REFEREE else give)


def _sheet(origin: str) -> BadRequest:
    text = f"expected a turn file, got an order sheet in {printable(origin)}"
    return BadRequest("import.sheet", text, "`pbem orders --submit FILE` signs the orders in it")


def _too_much(origin: str) -> BadEvidence:
    return BadEvidence(
        "import.too_much",
        f"expected turn files that unpack to at most {MAX_UNPACKED >> 20} MiB in all, got more, from {origin} on",
        "what came before it was taken in; import the rest in smaller portions",
    )


def _collect(text: bytes, origin: str, arrived: Arrived) -> Arrived:
    try:
        read = bundle.read(text)
        found = Incoming(origin, read.keys, read.lines, read.contents)
        _ = found.game  # raises for what cannot be routed
        arrived.bundles.append(found)
    except BadEvidence as error:
        arrived.damaged.append(error)
    return arrived
