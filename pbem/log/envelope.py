"""The envelope: DSSE over Ed25519, written as one line of text.

DSSE (dsse spec, protocol.md) signs PAE(type, payload); any serialisation of the three parts is allowed. Ours
is `keyid signature payload`, one event a line, because a line of canonical JSON is what people can read,
compare and keep for decades. `to_dsse` gives the JSON form for other tools.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass

from pbem.errors import BadEvidence
from pbem.log import canonical
from pbem.log.hashing import digest

PAYLOAD_TYPE = "application/vnd.pbem.event.v1+json"
MAX_LINE = canonical.MAX_BYTES + 128

_HEAD = re.compile(rb"([0-9a-f]{16}) ([A-Za-z0-9_-]{85}[AQgw]) ")  # four of the last digit's six bits are surplus


@dataclass(frozen=True, slots=True)
class Envelope:
    """One signed payload: nothing in it is trusted before `pbem.log.verify` has seen it."""

    key_id: str
    signature: bytes
    payload: bytes


def pae(payload_type: str, payload: bytes) -> bytes:
    """DSSE pre-authentication encoding: the bytes that are signed; lengths count bytes, not characters."""
    kind = payload_type.encode("utf-8")
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def event_id(payload: bytes) -> str:
    """The id of an event (64 hex digits): no signature is in it, so no malleable signature changes it."""
    return digest("pbem/event/v1", pae(PAYLOAD_TYPE, payload)).hex()


def to_line(envelope: Envelope) -> bytes:
    """The one line (without its newline) that travels and is stored."""
    signature = base64.urlsafe_b64encode(envelope.signature).rstrip(b"=")
    return b"%b %b %b" % (envelope.key_id.encode("ascii"), signature, envelope.payload)


def from_line(line: bytes) -> Envelope:
    """The envelope of a line; BadEvidence `envelope.…` unless it writes back to the same bytes."""
    if len(line) > MAX_LINE:
        raise BadEvidence("envelope.too_long", f"expected at most {MAX_LINE} bytes in a line, got {len(line)}")
    head = _HEAD.match(line)
    if head is None:
        start = ascii(line[:24].decode("latin-1"))
        raise BadEvidence("envelope.form", f"expected 'keyid signature payload', got {start}")
    signature = base64.urlsafe_b64decode(head[2] + b"==")
    return Envelope(head[1].decode("ascii"), signature, line[head.end() :])


def to_dsse(envelope: Envelope) -> bytes:
    """The JSON form of the DSSE specification, for tools that read only that."""
    encoded = base64.b64encode
    return canonical.encode(
        {
            "payload": encoded(envelope.payload).decode(),
            "payloadType": PAYLOAD_TYPE,
            "signatures": [{"keyid": envelope.key_id, "sig": encoded(envelope.signature).decode()}],
        }
    )
