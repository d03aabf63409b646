"""What every way out does to a mail: its line ends, its envelope, and a look at the addresses."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.errors import BadRequest
from pbem.mail.message import check_address

_LINE_END = re.compile(rb"\r\n|\r|\n")


def on_the_wire(mail: bytes) -> bytes:
    """Every line end as CR LF (RFC 5321 2.3.8): one that stands alone can smuggle in a second mail."""
    return _LINE_END.sub(b"\r\n", mail)


def envelope(mail: bytes, sender: str) -> bytes:
    """A mail as it lies in a box, with who sent it in front (RFC 5321 4.4)."""
    return b"Return-Path: <" + sender.encode("ascii") + b">\n" + mail


def unsendable(sender: str, receivers: Sequence[str]) -> str:
    """What is wrong with the addresses of an envelope; empty when nothing is."""
    if not receivers:
        return "expected a receiver, got none"
    try:
        for receiver in receivers:
            check_address(receiver, "the receiver's")
        if sender:
            check_address(sender, "the sender's")
    except BadRequest as refusal:
        return refusal.text
    return ""
