"""A mail that is ready to send: a human's summary, the turn file in its text, and the same as an attachment.

The mail is given as an `.eml` file with bare line feeds: it is opened, edited and read on disk, and every program
that sends it puts the line ends of RFC 5321 itself. Names that an opponent chose go into headers only as ASCII
slugs or encoded words, and the finished mail is read back and its headers compared, so that no field can add one.
Left out: HTML, and sending (`post`).
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.utils import format_datetime
from typing import Literal

from pbem.errors import BadRequest
from pbem.log.address import FORM, MAX_ADDRESS, is_address
from pbem.mail import armour
from pbem.mail.plain import printable

MAX_NAME = 45
MAX_ID = 254
MAX_SLUG = 24
MAX_ABOUT = 60
MAX_LINES = 200
MAX_LINE = 500

HOW = ("Import this mail, or the attachment alone: pbem import FILE",)
"""What the receiver of a turn does with it."""

_STRUCTURE = ("MIME-Version", "Content-Type", "Content-Transfer-Encoding")
_OWN_ID = re.compile(f"<{FORM}>")
"""The form of a Message-ID that our own programs make."""
FOREIGN_ID = re.compile(r"<(?:(?!=\?)[!-;=?-~]){1,250}>")
"""What passes as the Message-ID of somebody else's mail: visible ASCII without `<`, `>` and the start of an encoded
word."""


@dataclass(frozen=True, slots=True)
class Mailbox:
    """Who sends or receives: a name as anybody may have chosen it, and an address."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class OutgoingTurn:
    """What to mail. `date` has a time zone, `message_id` its angle brackets; `automatic` marks a mail that no person
    sends, so that nothing answers it (RFC 3834 5); `how` says what the receiver does with it, `about`, in a few words
    of ASCII for the subject, what is in it or asked. `in_reply_to` and `references` put it into a conversation (RFC
    5322 3.6.4), each with angle brackets, the oldest first."""

    sender: Mailbox
    receivers: tuple[Mailbox, ...]
    game: str
    turn: int
    side: str
    step: int
    summary: tuple[str, ...]
    payload: bytes
    message_id: str
    date: datetime
    robust: bool = False
    automatic: bool = False
    how: tuple[str, ...] = HOW
    about: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()


def compose(turn: OutgoingTurn) -> bytes:
    """The mail, the same bytes for the same turn, with line feeds.

    BadRequest `mail.address`, `mail.message_id` or `mail.date` for a field that cannot stand in a header,
    `armour.too_large` for too much payload.
    """
    headers = _headers(turn)
    mail = EmailMessage(policy=policy.default.clone(linesep="\n"))
    mail.set_content(_text(turn), cte="quoted-printable")
    mail.add_attachment(
        armour.encode(turn.payload, robust=True).encode("ascii"),
        maintype="text",
        subtype="plain",
        cte="base64",
        filename=attachment_name(turn),
    )
    mail.set_boundary(_boundary(turn.payload))
    data = "".join(f"{name}: {value}\n" for name, value in headers).encode("ascii") + mail.as_bytes()
    _check(data, headers, (turn.sender, *turn.receivers), ["multipart/mixed", "text/plain", "text/plain"])
    return data


@dataclass(frozen=True, slots=True)
class Notice:
    """An automatic mail in words, without a turn file; `date` in seconds since 1970, `thread` of the mail that it
    answers, and `submitted` says whether it answers one (RFC 3834 5). `drawing` is an SVG of that `drawn` game that
    goes with it, empty for none."""

    sender: Mailbox
    receiver: Mailbox
    subject: str
    lines: tuple[str, ...]
    message_id: str
    date: int
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    submitted: Literal["auto-replied", "auto-generated"] = "auto-replied"
    drawing: str = ""
    drawn: str = ""


def compose_notice(notice: Notice) -> bytes:
    """The mail, the same bytes for the same notice, marked as automatic (RFC 3834 5)."""
    headers = [
        ("From", _mailbox(notice.sender, "sender")),
        ("To", _mailbox(notice.receiver, "receiver")),
        ("Subject", f"[pbem] {printable(notice.subject, MAX_SLUG * 3)}"),
        ("Date", _date(datetime.fromtimestamp(notice.date, UTC))),
        ("Message-ID", _message_id(notice.message_id)),
        *_threading(notice.in_reply_to, notice.references),
        ("Auto-Submitted", notice.submitted),
    ]
    mail = EmailMessage(policy=policy.default.clone(linesep="\n"))
    mail.set_content("\n".join(printable(line, MAX_LINE) for line in notice.lines), cte="quoted-printable")
    kinds = ["text/plain"]
    if notice.drawing:
        kinds = ["multipart/mixed", "text/plain", "image/svg+xml"]
        _attach(mail, notice.drawing.encode(), f"{slug(notice.drawn)}.svg")
    data = "".join(f"{name}: {value}\n" for name, value in headers).encode("ascii") + mail.as_bytes()
    _check(data, headers, (notice.sender, notice.receiver), kinds)
    return data


def _attach(mail: EmailMessage, drawing: bytes, name: str) -> None:
    mail.add_attachment(drawing, maintype="image", subtype="svg+xml", cte="base64", filename=name)
    mail.set_boundary(_boundary(drawing))


def is_as_written(data: bytes, payload: bytes) -> bool:
    """Whether a file is a turn file of that payload as this program writes it, and not a mail or mailbox that came."""
    texts = (armour.encode(payload, robust=robust).encode("ascii") for robust in (False, True))
    end = f"--{_boundary(payload)}--".encode("ascii")
    return data in texts or (data.startswith(b"From: ") and data.rstrip().endswith(end))


def _boundary(payload: bytes) -> str:
    return f"pbem-{hashlib.sha256(payload).hexdigest()[:32]}"


def attachment_name(turn: OutgoingTurn) -> str:
    """The file name of the attachment, also for a turn file on disk."""
    return f"{slug(turn.game)}-step-{turn.step}.txt"


def slug(name: str) -> str:
    """A name as lower-case ASCII letters, digits and single hyphens, at most MAX_SLUG long: `Łódź 1939` is
    `lodz-1939`, a name without any letter is `game`."""
    plain = unicodedata.normalize("NFKD", name[: 4 * MAX_SLUG].translate(_STROKES)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:MAX_SLUG].rstrip("-") or "game"


_STROKES = str.maketrans({"ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ø": "o", "Ø": "O", "ß": "ss", "æ": "ae", "Æ": "AE"})


def _headers(turn: OutgoingTurn) -> list[tuple[str, str]]:
    """Every header that is ours, in order, as it is written: the library's folding of addresses alters long names."""
    headers = [
        ("From", _mailbox(turn.sender, "sender")),
        ("To", ",\n ".join(_mailbox(receiver, "receiver") for receiver in turn.receivers)),
        ("Subject", _subject(turn)),
        ("Date", _date(turn.date)),
        ("Message-ID", _message_id(turn.message_id)),
    ]
    headers += _threading(turn.in_reply_to, turn.references)
    return [*headers, ("Auto-Submitted", "auto-generated")] if turn.automatic else headers


def _subject(turn: OutgoingTurn) -> str:
    about = f": {' '.join(printable(turn.about, MAX_ABOUT).split())}" if turn.about else ""
    return f"[pbem] {slug(turn.game)} turn {turn.turn} {slug(turn.side)} step {turn.step}{about}"


def _threading(in_reply_to: str, references: tuple[str, ...]) -> list[tuple[str, str]]:
    headers = []
    if in_reply_to:
        headers.append(("In-Reply-To", _foreign_id(in_reply_to)))
    if references:
        headers.append(("References", "\n ".join(_foreign_id(one) for one in references)))
    return headers


def check_address(address: str, whose: str) -> None:
    """Raise BadRequest for what no mail can be addressed to, or is too long for a proposal."""
    if not is_address(address):
        bare = "type the bare address, without a name or angle brackets"
        raise BadRequest(
            "mail.address",
            f"expected {whose} e-mail address such as anna@example.org, got {printable(address)!r}",
            bare if len(address) <= MAX_ADDRESS else f"an address has at most {MAX_ADDRESS} characters",
        )


def _mailbox(mailbox: Mailbox, whose: str) -> str:
    """RFC 5322 3.4: a quoted name, or one encoded word of at most 75 characters (RFC 2047 2), and the address."""
    check_address(mailbox.address, f"the {whose}'s")
    name = _visible(mailbox.name)
    if not name:
        return mailbox.address
    if name.isascii():
        return '"' + re.sub(r'(["\\])', r"\\\1", name) + f'" <{mailbox.address}>'
    return f"=?utf-8?b?{base64.b64encode(name.encode()).decode()}?= <{mailbox.address}>"


def _visible(text: str) -> str:
    """A name without control and direction characters, and without what a reader would take for an encoded word
    (RFC 2047), in which a line break can hide; at most MAX_NAME bytes of UTF-8."""
    kept = (character if unicodedata.category(character)[0] not in "CZ" else " " for character in text)
    name = " ".join("".join(kept).replace("=?", "= ?").split())
    return name.encode()[:MAX_NAME].decode("utf-8", "ignore").strip()


def _date(date: datetime) -> str:
    if date.tzinfo is None:
        raise BadRequest("mail.date", "expected a date with a time zone, got one without")
    return format_datetime(date)


def _message_id(given: str) -> str:
    if len(given) > MAX_ID or not _OWN_ID.fullmatch(given):
        raise BadRequest(
            "mail.message_id", f"expected a Message-ID such as <step-4@example.org>, got {printable(given)!r}"
        )
    return given


def _foreign_id(given: str) -> str:
    """An id that another program made: any, if it can stand in a header and hides no encoded word (RFC 2047)."""
    if not FOREIGN_ID.fullmatch(given):
        raise BadRequest("mail.message_id", f"expected a Message-ID in angle brackets, got {printable(given)!r}")
    return given


def _text(turn: OutgoingTurn) -> str:
    """What a person reads, then the turn file."""
    lines = [printable(line, MAX_LINE) for line in turn.summary[:MAX_LINES]]
    return "\n".join(
        (
            *lines,
            "",
            *(printable(line, MAX_LINE) for line in turn.how),
            "",
            armour.encode(turn.payload, robust=turn.robust),
        )
    )


def _check(data: bytes, headers: list[tuple[str, str]], people: Sequence[Mailbox], kinds: list[str]) -> None:
    """Reads the finished mail back: it has these headers, no other, these addresses and these parts."""
    raw = BytesHeaderParser().parsebytes(data).items()
    mail = message_from_bytes(data, policy=policy.default)
    found = [(person.display_name, person.addr_spec) for name in ("From", "To") for person in mail[name].addresses]
    meant = [(_visible(mailbox.name), mailbox.address) for mailbox in people]
    if (
        [(name, value) for name, value in raw if name not in _STRUCTURE] != headers
        or found != meant
        or [part.get_content_type() for part in mail.walk()] != kinds
    ):
        raise BadRequest(
            "mail.headers",
            "expected a mail that reads back with the headers it was given, got other ones",
            "change the names of the players or of the game",
        )
