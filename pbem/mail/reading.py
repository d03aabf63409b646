"""Reads turn files out of bytes: plain text in any character set, a mail, or a mailbox of many.

Every place that can hold a turn file is searched, and everything distinct that is found is told: which of two
different blocks is genuine is for the signatures to say. One bad message never stops the next ones.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from pbem.errors import BadEvidence, PbemError
from pbem.mail import armour, charsets, layout, mime

MAX_TEXT = armour.MAX_TEXT
MAX_MESSAGES = 100_000

_PLAINLY = "ask the sender for a plain mail with the turn file in its text, or save the attachment and import that"
_CLOSED = {
    "mail.encrypted": "decrypt the mail, save the turn file in it and import that",
    "mail.tnef": _PLAINLY,
    "mail.too_many_parts": _PLAINLY,
    "mail.part_too_large": _PLAINLY,
    "mail.too_large": _PLAINLY,
}


@dataclass(frozen=True, slots=True)
class Found:
    """One payload, where it was found first, and whether that mail was automatic (RFC 3834)."""

    payload: bytes
    origin: str
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """What was repaired or ignored, and why, in one line that is safe to print."""

    code: str
    origin: str
    text: str

    def __str__(self) -> str:
        return f"{self.origin}: {self.text}"


@dataclass(frozen=True, slots=True)
class Reading:
    """Distinct payloads in order of appearance, remarks, and one error for each place that is damaged.

    A reading that found no payload has at least one error.
    """

    payloads: tuple[Found, ...] = ()
    notes: tuple[Note, ...] = ()
    damaged: tuple[PbemError, ...] = ()


def read_text(data: bytes, origin: str) -> Reading:
    """Every turn file in `data`: text, a mail or a mailbox. `origin` names it in errors and must be printable.

    Never raises for what the data holds.
    """
    gathered = Gathering()
    gathered.read(data, origin)
    return gathered.reading(origin)


@dataclass(slots=True)
class Gathering:
    """What has been found so far, over many messages or files."""

    found: dict[bytes, Found] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    damaged: list[PbemError] = field(default_factory=list)

    def read(self, data: bytes, origin: str) -> None:
        """Adds all of `data`: a mailbox, a mail, or a text."""
        if mime.is_mailbox(data):
            self.read_mailbox(io.BytesIO(data), origin)
        else:
            self.read_message(data, origin)

    def read_mailbox(self, stream: BinaryIO, origin: str) -> None:
        """Adds every message of an mbox (RFC 4155), one at a time."""
        for number, message in enumerate(mime.messages(stream), 1):
            if number > MAX_MESSAGES:
                self.note("mail.too_many_messages", origin, f"messages after the first {MAX_MESSAGES:,} were not read")
                return
            self.read_message(message, f"{origin}, message {number}")

    def read_message(self, data: bytes, origin: str) -> None:
        """Adds one mail or text. Whatever goes wrong inside becomes one error, so that the next one is read."""
        try:
            if mime.looks_like_mail(data):
                self._read_mail(data, origin)
            else:
                self._read_plain(data, origin)
        except Exception as problem:  # a poison message is set aside, whatever it hits
            self.damaged.append(_unreadable(origin, problem))

    def note(self, code: str, origin: str, text: str) -> None:
        self.notes.append(Note(code, origin, text))

    def reading(self, origin: str) -> Reading:
        """All of it; with an error that says so if there is neither a turn file nor a damaged one."""
        damaged = list(self.damaged)
        if not self.found and not damaged:
            damaged.append(_nothing(origin, self.notes))
        return Reading(tuple(self.found.values()), tuple(self.notes), tuple(damaged))

    def _read_plain(self, data: bytes, origin: str) -> None:
        if len(data) > MAX_TEXT:
            self.note("mail.too_large", origin, f"only the first {MAX_TEXT:,} of {len(data):,} bytes were read")
        self._add(_search((data[:MAX_TEXT],), "", origin), origin, automatic=False)

    def _read_mail(self, data: bytes, origin: str) -> None:
        automatic = mime.is_automatic(data)
        before = len(self.damaged)
        whole: set[bytes] = set()
        for leaf in mime.leaves(data):
            place = f"{origin}, {leaf.place}" if leaf.place else origin
            if isinstance(leaf, mime.Ignored):
                self.note(leaf.code, place, leaf.text)
            else:
                findings = _search(leaf.bodies, leaf.charset, place)
                whole.update(findings.payloads)
                self._add(findings, place, automatic)
        if not whole:
            findings = _search((data[:MAX_TEXT],), "", origin)
            whole.update(findings.payloads)
            if whole or before == len(self.damaged):
                self._add(findings, origin, automatic)
        self._forgive(before, whole)

    def _add(self, findings: armour.Findings, origin: str, automatic: bool) -> None:
        for payload in findings.payloads:
            known = self.found.get(payload, Found(payload, origin, automatic))
            self.found[payload] = replace(known, automatic=known.automatic and automatic)
        if findings.undone:
            self.note("mail.repaired", origin, f"undone to read it: {', '.join(findings.undone)}")
        self.damaged.extend(findings.damaged)

    def _forgive(self, since: int, whole: set[bytes]) -> None:
        """Turns damage of a turn file that is whole elsewhere in the same mail into a note."""
        digests = {hashlib.sha256(payload).hexdigest() for payload in whole}
        for error in self.damaged[since:]:
            if isinstance(error, armour.DamagedArmour) and error.digest in digests:
                self.damaged.remove(error)
                self.note(error.code, error.origin, f"{error.text}; another copy in this mail is whole")


def _search(bodies: Iterable[bytes], charset: str, origin: str) -> armour.Findings:
    """The armours of a text that came in one or another encoding; of binary data without a trace of one, what lies
    in it open and unbroken, which is how containers of mail programs hold it."""
    first, *others = bodies
    if charsets.is_binary(first) and not layout.has_trace(first.decode("latin-1")):
        return armour.find_in((first.decode("latin-1"),), origin, as_is=True)
    return armour.find_in((text for body in (first, *others) for text in charsets.decodings(body, charset)), origin)


def _unreadable(origin: str, problem: Exception) -> BadEvidence:
    return BadEvidence(
        "mail.unreadable",
        f"expected a mail or a text, got one that cannot be read ({type(problem).__name__}) in {origin}",
        "save the attachment or the text with the turn file alone, and import that",
    )


def _nothing(origin: str, notes: Iterable[Note]) -> BadEvidence:
    """The error of a reading that found nothing, with what was not opened, if anything."""
    closed = next((note for note in notes if note.code in _CLOSED), None)
    if closed is None:
        return BadEvidence(
            "mail.no_turn_file",
            f"expected a turn file, got none in {origin}",
            "a turn file begins with the line 'BEGIN PBEM TURN FILE VERSION 1 …'",
        )
    return BadEvidence(
        "mail.no_turn_file",
        f"expected a turn file, got none in {origin}; not all of it could be read ({closed})",
        _CLOSED[closed.code],
    )
