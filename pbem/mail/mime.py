"""Takes a mail apart (RFC 5322, RFC 2045 to 2049), as far as finding turn files in it needs.

The mail is a stranger's, so the structure is walked here, with limits on depth, parts and sizes, and the
`email` package only reads one bounded block of headers at a time: its own parser recurses once for each level
and compares each line with every open boundary. File names of attachments are shown and never used.

Left out: `message/partial` and `message/external-body`, uuencode, and opening what is encrypted.
"""

from __future__ import annotations

import base64
import binascii
import email
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.message import Message
from typing import BinaryIO, TypeVar

from pbem.mail.plain import printable

MAX_MESSAGE = 32 * 2**20
MAX_PART = 8 * 2**20
MAX_DEPTH = 12
MAX_PARTS = 100
MAX_HEADERS = 64 * 2**10
MAX_HEADER = 2_000
MAX_LINE = 64 * 2**10

T = TypeVar("T")

_HEADER_LINE = re.compile(rb"[!-9;-~]+[ \t]*:")
_HEADERS = re.compile(rb"(?:[!-9;-~]+[ \t]*:[^\n]*(?:\n|\Z)(?:[ \t][^\n]*(?:\n|\Z))*)*")
"""Not possessive: Python 3.11.2 matches too much with a possessive repetition of a group."""
_MAILBOX = re.compile(rb"\s*From [^\r\n]*(?:\r\n|\r|\n)[!-9;-~]+[ \t]*:")
_KNOWN = re.compile(
    rb"(?:from|to|cc|subject|date|sender|reply-to|message-id|mime-version|received|return-path|delivered-to"
    rb"|content-[a-z-]+|x-[!-9;-~]+|arc-[a-z-]+|dkim-signature|authentication-results|auto-submitted)[ \t]*:",
    re.IGNORECASE,
)
_TNEF = b"\x78\x9f\x3e\x22"
_COMMENT = re.compile(r"\((?:[^()\\]|\\.)*\)")
_WORD = re.compile(r"\s*([A-Za-z0-9_-]*)")
_BULK = frozenset(("bulk", "junk", "list", "auto_reply"))


@dataclass(frozen=True, slots=True)
class Part:
    """A leaf of a mail. `place` says where it hangs, `bodies` what it may hold: decoded, then as it came."""

    place: str
    media: str
    charset: str
    name: str
    bodies: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Ignored:
    """A part that was not read: a code and why."""

    code: str
    place: str
    text: str


Leaf = Part | Ignored


@dataclass(slots=True)
class _Budget:
    parts: int = MAX_PARTS
    attachments: int = 0
    told: set[str] = field(default_factory=set)


def looks_like_mail(data: bytes) -> bool:
    """Whether the first lines are headers of a mail; one known name is enough."""
    lines = _unbroken(data[:4096]).lstrip(b"\n").split(b"\n")
    if not lines or not (_HEADER_LINE.match(lines[0]) or lines[0].startswith((b"From ", b">From "))):
        return False
    head = lines[: lines.index(b"")] if b"" in lines else lines
    return any(_KNOWN.match(line) for line in head[:20])


def is_mailbox(data: bytes) -> bool:
    """Whether the data begins like an mbox: a `From ` line and then a header."""
    return _MAILBOX.match(data[:4096]) is not None


def messages(stream: BinaryIO) -> Iterator[bytes]:
    """The messages of an mbox, in memory one at a time. A message begins at a `From ` line at the start or after an
    empty line; of one longer than `MAX_MESSAGE` only so much is kept that its excess shows."""
    held = bytearray()
    empty = False
    while line := stream.readline(MAX_LINE):
        if empty and held and line.startswith(b"From "):
            yield bytes(held)
            held.clear()
        if len(held) <= MAX_MESSAGE:
            held += line
        empty = not line.strip(b"\r\n")
    if held:
        yield bytes(held)


def is_automatic(data: bytes) -> bool:
    """Whether no person wrote this mail, by its headers (RFC 3834 2 and 5; bounces, lists, vacation replies)."""
    headers, _ = head(data)
    return (
        is_submitted_by_program(headers)
        or is_bulk(headers)
        or _value(headers, "Return-Path") == "<>"
        or any(name in headers for name in ("X-Autoreply", "X-Autorespond", "X-Auto-Response-Suppress"))
        or _media(headers) == "multipart/report"
    )


def is_submitted_by_program(headers: Message) -> bool:
    """Whether a mail says so: RFC 3834 5, any value but `no`, with or without comments and parameters."""
    return any(word != "no" for word in first_words(headers, "Auto-Submitted"))


def is_bulk(headers: Message) -> bool:
    """Whether a mail says that it went to many."""
    return any(word in _BULK for word in first_words(headers, "Precedence"))


def first_words(headers: Message, name: str) -> list[str]:
    """The word that each header of a name begins with, in lower case; comments, which may nest, are left out
    (RFC 5322 3.2.2). Empty for one that begins with no word."""
    return [_first_word(str(value)) for value in headers.get_all(name, [])]


def _first_word(value: str) -> str:
    found = 1
    while found:
        value, found = _COMMENT.subn(" ", value)
    word = _WORD.match(value)
    return word[1].lower() if word else ""


def head(data: bytes) -> tuple[Message, bool]:
    """The headers of a mail, each value bounded, and whether that is all of them."""
    start = _unbroken(data[: 2 * MAX_HEADERS]).lstrip(b"\n")
    headers, body = _split(start)
    return headers, len(start) - len(body) <= MAX_HEADERS


def leaves(data: bytes) -> Iterator[Leaf]:
    """Every leaf of a mail in order, forwarded mails included, and what was ignored and why."""
    yield from _walk(_unbroken(data[:MAX_MESSAGE]).lstrip(b"\n"), "", 0, _Budget())
    if len(data) > MAX_MESSAGE:
        yield Ignored("mail.too_large", "", f"only the first {MAX_MESSAGE:,} of {len(data):,} bytes were read")


def _unbroken(data: bytes) -> bytes:
    """Every line end as one line feed."""
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _walk(data: bytes, place: str, depth: int, budget: _Budget) -> Iterator[Leaf]:
    headers, body = _split(data)
    boundary = _asked(lambda: headers.get_boundary() or "", "")
    media = _media(headers)
    if depth > MAX_DEPTH or budget.parts <= 0:
        yield from _over_limit(place, depth, budget)
    elif media == "multipart/encrypted":
        yield Ignored("mail.encrypted", _joined(place, "encrypted part"), "it is encrypted and was not opened")
    elif media.startswith("multipart/") and boundary:
        for piece in _pieces(body, boundary):
            part = piece.lstrip(b"\n") if media == "multipart/digest" else piece
            yield from _walk(part, place, depth + 1, budget)
    else:
        budget.parts -= 1
        yield from _leaf(headers, media, body, place, depth, budget)


def _over_limit(place: str, depth: int, budget: _Budget) -> Iterator[Ignored]:
    limit = f"parts nested deeper than {MAX_DEPTH}" if depth > MAX_DEPTH else f"parts after the first {MAX_PARTS}"
    if limit not in budget.told:
        budget.told.add(limit)
        yield Ignored("mail.too_many_parts", place, f"{limit} were not read")


def _pieces(body: bytes, boundary: str) -> Iterator[bytes]:
    """The parts between the delimiter lines (RFC 2046 5.1.1), or all if there is none; a missing end is forgiven."""
    mark = re.escape(b"--" + boundary.encode("ascii", "replace"))
    before, *pieces = re.split(rb"(?m)^" + mark + rb"(?:--)?[ \t]*$\n?", body, maxsplit=MAX_PARTS + 1)
    for piece in pieces or [b"\n" + before]:
        if piece.strip():
            yield piece


def _leaf(headers: Message, media: str, body: bytes, place: str, depth: int, budget: _Budget) -> Iterator[Leaf]:
    bodies = _bodies(_value(headers, "Content-Transfer-Encoding").lower(), body)
    name = printable(str(_asked(lambda: headers.get_filename() or "", "")), 60)
    if media in ("message/rfc822", "message/global") or (name and looks_like_mail(bodies[0])):
        for message in messages(io.BytesIO(bodies[0])) if is_mailbox(bodies[0]) else (bodies[0],):
            inner = _unbroken(message).lstrip(b"\n")
            yield from _walk(inner, _joined(place, "forwarded message"), depth + 1, budget)
        return
    part = Part(_place(headers, media, name, place, budget), media, _charset(headers), name, bodies)
    yield from _judged(part)


def _judged(part: Part) -> Iterator[Leaf]:
    if len(part.bodies[0]) > MAX_PART:
        size = len(part.bodies[0])
        yield Ignored("mail.part_too_large", part.place, f"{size:,} bytes are more than {MAX_PART:,} and were not read")
        return
    yield part
    if is_tnef(part):
        yield Ignored("mail.tnef", part.place, "it is an Outlook container (winmail.dat), searched as it is")
    elif part.media in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
        yield Ignored("mail.encrypted", part.place, "it is an S/MIME container, searched as it is")
    elif b"-----BEGIN PGP MESSAGE-----" in part.bodies[0]:
        yield Ignored("mail.encrypted", part.place, "it is encrypted with PGP and was not opened")


def is_tnef(part: Part) -> bool:
    """Whether the part is a winmail.dat ([MS-OXTNEF] 2.1.3.1), whatever it is called."""
    return part.media in ("application/ms-tnef", "application/vnd.ms-tnef") or part.bodies[0].startswith(_TNEF)


def _split(data: bytes) -> tuple[Message, bytes]:
    """Headers, bounded, and body of a mail or part whose line ends are line feeds.

    The body begins after an empty line, or with the first line that is no header.
    """
    if data.startswith(b"\n"):
        return Message(), data[1:]
    if data.startswith((b"From ", b">From ")):
        data = data.partition(b"\n")[2]
    head = _HEADERS.match(data)
    assert head is not None, "no headers at all match too"
    return _headers(head[0][:MAX_HEADERS]), data[head.end() :].removeprefix(b"\n")


def _headers(head: bytes) -> Message:
    """Headers with every value cut at MAX_HEADER: parsing parameters costs more than linear time."""
    cut = Message()
    for name, value in email.message_from_bytes(head + b"\n\n").raw_items():
        cut.add_header(name, str(value)[:MAX_HEADER])
    return cut


def _value(headers: Message, name: str) -> str:
    return str(headers.get(name, "")).strip()


def _media(headers: Message) -> str:
    return _asked(headers.get_content_type, "text/plain")


def _charset(headers: Message) -> str:
    return _asked(lambda: headers.get_content_charset() or "", "")


def _asked(question: Callable[[], T], otherwise: T) -> T:
    """An answer of the `email` package, which raises various errors on hostile parameters."""
    try:
        return question()
    except (ValueError, LookupError, TypeError, AttributeError, AssertionError):
        return otherwise


def _place(headers: Message, media: str, name: str, place: str, budget: _Budget) -> str:
    attached = name or _value(headers, "Content-Disposition").lower().startswith("attachment")
    if not attached and media in ("text/plain", "text/html"):
        return _joined(place, "HTML" if media == "text/html" else "text")
    budget.attachments += 1
    number = f" {budget.attachments}" if budget.attachments > 1 else ""
    return _joined(place, f"attachment{number}")


def _joined(place: str, more: str) -> str:
    return f"{place}, {more}" if place else more


def _bodies(encoding: str, body: bytes) -> tuple[bytes, ...]:
    """The body decoded as its headers say, and as it came where that differs."""
    if encoding == "base64":
        decoded = _from_base64(body)
    elif encoding == "quoted-printable":
        decoded = binascii.a2b_qp(body)
    else:
        return (body,)
    return (decoded, body)


def _from_base64(body: bytes) -> bytes:
    """Base64 with whatever is not of its alphabet ignored (RFC 2045 6.8), and a cut end forgiven."""
    letters = re.sub(rb"[^A-Za-z0-9+/]+", b"", body)
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]
    return base64.b64decode(letters + b"=" * (-len(letters) % 4))
