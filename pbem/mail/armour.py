"""Armour: the payload of a turn file as text that survives e-mail. Example, with 12 bytes of payload:

    BEGIN PBEM TURN FILE VERSION 1 BASE64 12 BYTES SHA256
    7509e5bda0c762d2bac7f90d758b5b2263fa01ccbc542ab5e3df163be08e6ca9
    aGVsbG8gd29ybGQh
    END PBEM TURN FILE

Writing, version 1:

1. Line 1 as above: the form (BASE64, or BASE32 for the robust armour) and the payload's size in bytes, decimal,
   without leading zeros, at most 1,048,576.
2. Line 2: SHA-256 of the payload, 64 lower-case hexadecimal digits.
3. The payload in the standard base64 or base32 alphabet (RFC 4648, 4 and 6), without padding, in lines of 64.
4. The last line as above. Every line ends with one newline.

Reading:

1. Of the text only A-Z, a-z, 0-9, `+` and `/` count; full-width forms count as these, Turkish dotless and dotted
   i as i. All else (blanks, breaks, quoting marks, invisible characters, dots, dashes) is nothing, anywhere.
2. An armour begins at BEGINPBEMTURNFILEVERSION, digits and a letter (or the end of the text), without regard
   to case, and reaches to the next such beginning or the end of the text. The digits are the version; what follows
   belongs to that version.
3. Version 1: `BASE64` or `BASE32`, the size, `BYTESSHA256`, 64 digits, all without regard to case. Then the body:
   ceil(8 * size / 6) characters of base64, or ceil(8 * size / 5) of base32, the latter without regard to case.
4. The body decodes, its size and SHA-256 are as told, and encoding the result again gives the same body
   (unused bits are zero); else the armour is damaged. ENDPBEMTURNFILE only serves to tell what is damaged.

A later version keeps rule 2, so that this one can name it. Base64url, padding and lines of dashes were tried and
did not survive smart punctuation and undecoded quoted-printable. The digest finds damage; it proves nothing about
who sent the payload, because whoever alters one can alter the other. Reading is linear in the text.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice, pairwise

from pbem.errors import BadEvidence, BadRequest
from pbem.mail import layout
from pbem.mail.plain import printable

VERSION = 1
MAX_PAYLOAD = 2**20
MAX_ARMOURS = 1_000
MAX_TEXT = 16 * 2**20
LINE = 64

_RESEND = "ask the sender to send this turn again, as an attachment"
_RESEND_ROBUST = (
    "the way of this mail changes letters: ask the sender to send this turn again as an attachment, "
    "or to export it with --robust"
)

_FOREIGN = bytes(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
_TO_FOLD = re.compile("[\uff01-\uff5eıİ]")
_BEGIN = re.compile(rb"beginpbemturnfileversion(?=[0-9]{1,6}[a-z]|[0-9]{0,6}\Z)")
_START = re.compile(rb"beginpbemturnfileversion([0-9]{0,6})")
_HEADER = re.compile(rb"(base64|base32)(0|[1-9][0-9]{0,8})bytessha256([0-9a-f]{64})")
_END = b"endpbemturnfile"
_HEADER_ROOM = 160


@dataclass(frozen=True, slots=True)
class _Form:
    name: str
    bits: int
    encode: Callable[[bytes], bytes]
    decode: Callable[[bytes], bytes]
    caseless: bool

    def length(self, size: int) -> int:
        """Characters of a body of `size` bytes."""
        return -(-8 * size // self.bits)


_FORMS = {
    b"base64": _Form("BASE64", 6, base64.b64encode, base64.b64decode, False),
    b"base32": _Form("BASE32", 5, base64.b32encode, base64.b32decode, True),
}


class DamagedArmour(BadEvidence):
    """An armour that cannot be read, and where. `digest` is the SHA-256 that it names, empty where that is lost."""

    def __init__(self, code: str, text: str, hint: str, *, origin: str, digest: str = "") -> None:
        super().__init__(code, f"{text} in {origin}", hint)
        self.origin = origin
        self.digest = digest


@dataclass(frozen=True, slots=True)
class Findings:
    """Distinct payloads in order of appearance, what was undone to read them, and what could not be read."""

    payloads: tuple[bytes, ...] = ()
    undone: tuple[str, ...] = ()
    damaged: tuple[DamagedArmour, ...] = ()


def encode(payload: bytes, *, robust: bool = False) -> str:
    """The armour of `payload`, lines of at most 64 characters, each with a newline.

    `robust` takes base32, which is a fifth longer and survives a change of case. BadRequest for more than
    MAX_PAYLOAD bytes.
    """
    if len(payload) > MAX_PAYLOAD:
        raise BadRequest(
            "armour.too_large",
            f"expected a turn of at most {MAX_PAYLOAD:,} bytes, got {len(payload):,}",
            "send an archive instead",
        )
    form = _FORMS[b"base32" if robust else b"base64"]
    body = _body(form, payload).decode("ascii")
    lines = [
        f"BEGIN PBEM TURN FILE VERSION {VERSION} {form.name} {len(payload)} BYTES SHA256",
        hashlib.sha256(payload).hexdigest(),
        *(body[start : start + LINE] for start in range(0, len(body), LINE)),
        "END PBEM TURN FILE",
    ]
    return "".join(line + "\n" for line in lines)


def find(text: str | bytes, origin: str = "the text") -> Findings:
    """Every armour in `text`, whatever surrounds it; bytes are read as UTF-8, and what is not is ignored.

    Never raises for what the text holds; `origin` is where the text came from, for the errors.
    """
    return find_in((text.decode("utf-8", "replace") if isinstance(text, bytes) else text,), origin)


def find_in(candidates: Iterable[str], origin: str, *, as_is: bool = False) -> Findings:
    """The same for a text of which several decodings are possible, likeliest first; later ones are read only
    while an armour is missing or damaged in the earlier ones. `as_is` undoes no layout (for binary data)."""
    tally = _Tally()
    for candidate in candidates:
        text = candidate[:MAX_TEXT]
        for reading in (layout.Reading(text),) if as_is else layout.readings(text):
            tally.add(tuple(_scan(reading.text, origin)), reading.undone)
            if tally.settled:
                return tally.findings()
    return tally.findings()


@dataclass(slots=True)
class _Tally:
    """What all readings of one text together show. Damage is told as the first reading that met it saw it."""

    payloads: dict[str, bytes] = field(default_factory=dict)
    undone: list[str] = field(default_factory=list)
    damaged: tuple[DamagedArmour, ...] = ()
    most: int = 0

    def add(self, seen: tuple[bytes | DamagedArmour, ...], undone: tuple[str, ...]) -> None:
        whole = {hashlib.sha256(item).hexdigest(): item for item in seen if isinstance(item, bytes)}
        damaged = tuple(item for item in seen if isinstance(item, DamagedArmour))
        if whole.keys() - self.payloads.keys():
            self.undone.extend(name for name in undone if name not in self.undone)
        self.payloads |= whole
        if whole and not damaged and len(seen) >= self.most:
            self.damaged = ()
        elif not self.most:
            self.damaged = damaged
        self.damaged = tuple(error for error in self.damaged if error.digest not in self.payloads)
        self.most = max(self.most, len(seen))

    @property
    def settled(self) -> bool:
        return bool(self.payloads) and not self.damaged

    def findings(self) -> Findings:
        return Findings(tuple(self.payloads.values()), tuple(self.undone), self.damaged)


def _significant(text: str) -> bytes:
    """The characters that count (rule 1 of reading)."""
    if not text.isascii():
        text = _TO_FOLD.sub(_folded, text)
    return text.encode("ascii", "ignore").translate(None, _FOREIGN)


def _folded(wide: re.Match[str]) -> str:
    if wide[0] in "ıİ":
        return "i"
    return chr(ord(wide[0]) - 0xFEE0)


def _scan(text: str, origin: str) -> Iterator[bytes | DamagedArmour]:
    """Every armour of one reading, in order: its payload, or what is wrong with it."""
    marked = _significant(text)
    folded = marked.lower()
    begins = [match.start() for match in islice(_BEGIN.finditer(folded), MAX_ARMOURS)]
    bounds = [*begins, len(marked)]
    if _END in folded[: bounds[0]] or any(folded.count(_END, *stretch) > 1 for stretch in pairwise(bounds)):
        yield DamagedArmour(
            "armour.no_beginning",
            "expected a turn file from its first line, got only the end of one",
            _RESEND,
            origin=origin,
        )
    alone = text if len(begins) == 1 else ""
    for start, stop in pairwise(bounds):
        yield _Armour(marked[start:stop], folded[start:stop], alone, origin).read()


@dataclass(frozen=True, slots=True)
class _Armour:
    """One armour from its beginning to the next one, as the characters that count; `text` is all around it, empty if
    there are others, so that telling what is wrong with many costs no more than with one."""

    marked: bytes
    folded: bytes
    text: str
    origin: str

    def read(self) -> bytes | DamagedArmour:
        start = _START.match(self.folded)
        assert start is not None, "an armour begins where _BEGIN matched"
        if self.folded[start.end() :] and int(start[1]) != VERSION:
            return self._of_version(int(start[1]))
        header = _HEADER.match(self.folded[start.end() : start.end() + _HEADER_ROOM])
        if header is None:
            return self._without_header()
        form, size, digest = _FORMS[header[1]], int(header[2]), header[3].decode("ascii")
        if size > MAX_PAYLOAD:
            return self._too_large(size)
        rest = start.end() + header.end()
        body = self.marked[rest : rest + form.length(size)]
        payload = _unarmoured(form, body, digest)
        if payload is not None and len(payload) == size:
            return payload
        return self._damage(form, form.length(size), rest, digest)

    def _of_version(self, version: int) -> DamagedArmour:
        return DamagedArmour(
            "armour.version",
            f"expected a turn file of version {VERSION}, which this program reads, got version {version}",
            "update pbem, or ask the sender for a turn file of your version",
            origin=self.origin,
        )

    def _without_header(self) -> DamagedArmour:
        cut = _END not in self.folded and len(self.folded) < _HEADER_ROOM
        what = "a text that ends in its first two lines" if cut else "two first lines that are altered"
        code = "armour.truncated" if cut else "armour.header"
        return DamagedArmour(code, f"expected a whole turn file, got {what}", _RESEND, origin=self.origin)

    def _too_large(self, size: int) -> DamagedArmour:
        return DamagedArmour(
            "armour.too_large",
            f"expected a turn of at most {MAX_PAYLOAD:,} bytes, got one that claims {size:,}",
            "ask the sender for an archive of the game instead, which can be imported too",
            origin=self.origin,
        )

    def _damage(self, form: _Form, expected: int, start: int, digest: str) -> DamagedArmour:
        """Says what is wrong with a body that does not hold."""
        end = self.folded.find(_END, start)
        body = self.marked[start:] if end < 0 else self.marked[start:end]
        code, came, hint = _diagnosis(form, expected, body, end >= 0)
        if code == "armour.inserted":
            came += _strange_line(self.text)
        text = f"expected {expected:,} characters that match their digest, got {came}"
        return DamagedArmour(code, text, hint, origin=self.origin, digest=digest)


def _diagnosis(form: _Form, expected: int, body: bytes, ended: bool) -> tuple[str, str, str]:
    """Code, what came, and hint."""
    came = len(body)
    if came < expected and not ended:
        return "armour.truncated", f"{came:,} of them and then the end of the text", _RESEND
    if came < expected:
        missing = expected - came
        lost_plus = b"+" not in body and came > 200 and form.name == "BASE64"
        return "armour.lost", f"{missing:,} too few between beginning and end", _RESEND_ROBUST if lost_plus else _RESEND
    if came > expected and ended:
        return "armour.inserted", f"{came - expected:,} more: something was put inside", _RESEND
    if not form.caseless and came > 16 and body[:expected] in (body[:expected].lower(), body[:expected].upper()):
        return "armour.case", "all letters in one case", _RESEND_ROBUST
    return "armour.altered", "some that are altered", _RESEND


def _strange_line(text: str) -> str:
    """Names the first line after a beginning that looks like prose, where there is one."""
    _, _, inside = text.partition("SHA256")
    for line in inside.splitlines()[1:]:
        words = line.strip(" \t>|").split()
        if len(words) > 1 and not line.strip(" \t>|").upper().startswith("END PBEM"):
            return f" ({printable(line.strip(), 60)!r})"
    return ""


def _unarmoured(form: _Form, body: bytes, digest: str) -> bytes | None:
    """The payload of a body, or None unless it matches the digest and encodes to the very same body."""
    canonical = body.upper() if form.caseless else body
    try:
        payload = form.decode(canonical + b"=" * _padding(form, len(body)))
    except binascii.Error:
        return None
    if hashlib.sha256(payload).hexdigest() != digest or _body(form, payload) != canonical:
        return None
    return payload


def _padding(form: _Form, length: int) -> int:
    return -length % 4 if form.bits == 6 else -length % 8


def _body(form: _Form, payload: bytes) -> bytes:
    return form.encode(payload).rstrip(b"=")
