"""A letter that carries an armour, as the rows of the test plan damage it: text first, mail and file later."""

from __future__ import annotations

import base64
import html
import quopri
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

HEADERS = (
    ("From", "Anna <anna@example.org>"),
    ("To", "Bob <bob@example.org>"),
    ("Subject", "[pbem] westerplatte turn 3 german step 42"),
    ("Message-ID", "<step-42@example.org>"),
)


@dataclass(frozen=True)
class Letter:
    """`text` in one part; `wraps` act on the bytes of the finished mail, in order; `boxes` then make messages of one
    mbox of it; `codec` makes it a bare file instead of a mail."""

    text: str
    media: str = "text/plain"
    label: str = "; charset=utf-8"
    encoding: str = "8bit"
    width: int = 76
    disposition: str = ""
    headers: tuple[tuple[str, str], ...] = HEADERS
    container: Callable[[bytes], bytes] = bytes
    wraps: tuple[Callable[[bytes], bytes], ...] = ()
    boxes: tuple[Callable[[bytes], tuple[bytes, ...]], ...] = ()
    codec: str = ""

    def edited(self, edit: Callable[[str], str]) -> Letter:
        return replace(self, text=edit(self.text))

    def wrapped(self, wrap: Callable[[bytes], bytes]) -> Letter:
        return replace(self, wraps=(*self.wraps, wrap))

    def boxed(self, box: Callable[[bytes], tuple[bytes, ...]]) -> Letter:
        return replace(self, boxes=(*self.boxes, box))

    def to_bytes(self) -> bytes:
        if self.codec:
            return self.text.encode(self.codec)
        data = self._mail()
        for wrap in self.wraps:
            data = wrap(data)
        messages: tuple[bytes, ...] = (data,)
        for box in self.boxes:
            messages = tuple(message for before in messages for message in box(before))
        return mailbox_of(*messages) if self.boxes else data

    def _mail(self) -> bytes:
        lines = [f"{name}: {value}" for name, value in self.headers]
        lines += ["MIME-Version: 1.0", f"Content-Type: {self.media}{self.label}"]
        lines += [f"Content-Transfer-Encoding: {self.encoding}", *([self.disposition] if self.disposition else [])]
        return "\n".join((*lines, "", "")).encode() + self._encoded(self.container(self.text.encode()))

    def _encoded(self, body: bytes) -> bytes:
        if self.encoding == "base64":
            return textwrap.fill(base64.b64encode(body).decode(), self.width).encode() + b"\n"
        return quopri.encodestring(body) if self.encoding == "quoted-printable" else body


def nested(subtype: str, *others: str, parameters: str = "") -> Callable[[bytes], bytes]:
    """Puts a mail as the first part under a multipart of `subtype`, with other parts after it."""

    def wrap(data: bytes) -> bytes:
        kind = f'multipart/{subtype}; boundary="=_cut"{parameters}'
        head = f"From: x@example.org\nMIME-Version: 1.0\nContent-Type: {kind}\n\n"
        parts = (b"--=_cut\n" + part + b"\n" for part in (_as_part(data), *(other.encode() for other in others)))
        return head.encode() + b"".join(parts) + b"--=_cut--\n"

    return wrap


def _as_part(data: bytes) -> bytes:
    """A mail's content headers and body, as a part; what is no mail goes in as text."""
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    head, _, body = data.partition(b"\n\n")
    if not head.startswith((b"From: ", b"From ")) or b"Content-Type" not in head:
        return b"Content-Type: text/plain; charset=utf-8\n\n" + data
    kept = [line for line in head.replace(b"\n ", b" ").split(b"\n") if line.lower().startswith(b"content-")]
    return b"\n".join(kept) + b"\n\n" + body


def forwarded(data: bytes) -> bytes:
    head = b'From: x@example.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="fwd"\n\n'
    note = b"--fwd\nContent-Type: text/plain\n\nsee below\n"
    return head + note + b"--fwd\nContent-Type: message/rfc822\n\n" + data + b"\n--fwd--\n"


def as_html(text: str) -> str:
    body = html.escape(text).replace("\n", "<br>\n").replace("  ", "&nbsp; ")
    return f'<html><head><meta charset="utf-8"></head><body><div>{body}</div></body></html>'


def tnef(data: bytes) -> bytes:
    """A winmail.dat with `data` as the content of one attachment ([MS-OXTNEF] 2.1.3)."""
    out = bytearray((0x223E9F78).to_bytes(4, "little") + (1).to_bytes(2, "little"))
    for level, attribute, value in (
        (1, 0x00089006, (0x00010000).to_bytes(4, "little")),  # attTnefVersion
        (2, 0x00069002, bytes(14)),  # attAttachRendData
        (2, 0x00018010, b"turn.txt\0"),  # attAttachTitle
        (2, 0x0006800F, data),  # attAttachData
    ):
        out += bytes((level,)) + attribute.to_bytes(4, "little") + len(value).to_bytes(4, "little") + value
        out += (sum(value) % 65536).to_bytes(2, "little")
    return bytes(out)


def mailbox_of(*messages: bytes) -> bytes:
    """An mboxrd, by hand, so that no file is needed."""
    return b"".join(
        b"From MAILER-DAEMON Thu Jan  1 00:00:00 2026\n" + re.sub(rb"(?m)^(>*From )", rb">\1", message) + b"\n\n"
        for message in messages
    )


def scattered(text: str, strange: str, random: Random) -> str:
    """One strange character after about 2 % of the characters."""
    return "".join(c + (random.choice(strange) if random.random() < 0.02 else "") for c in text)
