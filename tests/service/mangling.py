"""What a bad post does to a mail of this program: a table of damages by name, from a finished mail to what comes of it.

The rows of the plan (`mail.damage`) are done to each of the two copies that a mail holds, with the other one lost; what
lies in the mail as a whole, in its headers, its parts and its wrappings, is done here. The outcome is never looked at:
what can be read is read, and what cannot is sent again.
"""

from __future__ import annotations

import base64
import gzip
import io
import quopri
import re
import zipfile
from binascii import b2a_uu
from collections.abc import Callable
from dataclasses import dataclass, replace
from email import message_from_bytes
from random import Random
from typing import TypeAlias

from mail.damage import FOOTER, ROWS, Row, m7, m11
from mail.letters import Letter, as_html, forwarded, mailbox_of, nested, tnef

Damage: TypeAlias = Callable[["Mail", Random], bytes]


@dataclass(frozen=True)
class Mail:
    """A mail as it was sent, taken apart: `text` and `file` both hold the turn file; `older` is an earlier mail."""

    data: bytes
    headers: tuple[tuple[str, str], ...]
    text: str
    file: str
    name: str
    older: bytes

    def but(self, **headers: str) -> Mail:
        """The same with other headers, their names written with underlines; without one whose value is empty."""
        new = {name.replace("_", "-"): value for name, value in headers.items()}
        kept = tuple(one for one in self.headers if one[0] not in new)
        return replace(self, headers=(*kept, *((name, value) for name, value in new.items() if value)))

    def of(self, *parts: bytes, kind: str = "mixed", end: bytes = b"--=_bad--\n") -> bytes:
        """A mail with these headers and parts."""
        body = b"".join(b"--=_bad\n" + part + b"\n" for part in parts)
        return self.head(f'multipart/{kind}; boundary="=_bad"') + b"\n" + body + end

    def head(self, media: str, encoding: str = "") -> bytes:
        lines = [f"{name}: {value}" for name, value in self.headers]
        lines += ["MIME-Version: 1.0", f"Content-Type: {media}"]
        lines += [f"Content-Transfer-Encoding: {encoding}"] if encoding else []
        return "\n".join((*lines, "")).encode()

    def again(self) -> bytes:
        """The whole mail, with these headers."""
        return self.of(text(self.text), file(self.file, self.name))


def taken_apart(data: bytes, older: bytes = b"") -> Mail | None:
    """A mail with a turn file; None for any other one."""
    message = message_from_bytes(data)
    parts = message.get_payload()
    if not isinstance(parts, list):
        return None
    words, attached = (part.get_payload(decode=True).decode() for part in parts)
    kept = tuple((name, value) for name, value in message.items() if not name.startswith(("Content-", "MIME-")))
    return Mail(data, kept, words, attached, parts[1].get_filename() or "", older)


def text(words: str, media: str = "text/plain; charset=utf-8") -> bytes:
    head = f"Content-Type: {media}\nContent-Transfer-Encoding: quoted-printable\n\n"
    return head.encode() + quopri.encodestring(words.encode())


def file(body: str | bytes, name: str, media: str = "text/plain") -> bytes:
    return attached(base64.encodebytes(body.encode() if isinstance(body, str) else body), name, media, "base64")


def attached(encoded: bytes, name: str, media: str, encoding: str) -> bytes:
    place = f'Content-Disposition: attachment; filename="{name}"\n' if name else ""
    return f"Content-Type: {media}\n{place}Content-Transfer-Encoding: {encoding}\n\n".encode() + encoded


NOTICE = text("The text of this mail was removed by your administrator.")


def of_text(row: Row) -> Damage:
    """A row of the plan done to the text; the attachment is lost."""
    return lambda mail, random: row(Letter(mail.text, headers=mail.headers), random).to_bytes()


def of_file(row: Row) -> Damage:
    """A row of the plan done to the attachment; the text is lost."""

    def damaged(mail: Mail, random: Random) -> bytes:
        place = f'Content-Disposition: attachment; filename="{mail.name}"'
        return row(Letter(mail.file, headers=mail.headers, disposition=place), random).to_bytes()

    return damaged


def both(edit: Callable[[str, Random], str]) -> Damage:
    """The same kind of damage to both copies."""
    return lambda mail, random: mail.of(text(edit(mail.text, random)), file(edit(mail.file, random), mail.name))


def file_alone(edit: Callable[[Mail], bytes]) -> Damage:
    """The attachment made anew; the text is lost."""
    return lambda mail, _: mail.of(NOTICE, edit(mail))


def header(**headers: tuple[str, ...]) -> Damage:
    """One of several values for each of these headers."""
    return lambda mail, random: mail.but(**{name: random.choice(values) for name, values in headers.items()}).again()


def raw(edit: Callable[[bytes], bytes]) -> Damage:
    """An edit of the bytes as they travelled."""
    return lambda mail, _: edit(mail.data)


# ---------------------------------------------------------------------- the parts of a mail


def half(words: str, _: Random) -> str:
    return words[: len(words) // 2]


def tenth(words: str, _: Random) -> str:
    return words[: len(words) // 10]


def line_lost(words: str, random: Random) -> str:
    lines = words.split("\n")
    del lines[-random.randint(4, 6)]
    return "\n".join(lines)


def lines_swapped(words: str, random: Random) -> str:
    lines, at = words.split("\n"), -random.randint(5, 6)
    lines[at], lines[at - 1] = lines[at - 1], lines[at]
    return "\n".join(lines)


def letter_changed(words: str, random: Random) -> str:
    at = words.rfind("\n", 0, -100) + random.randint(1, 20)
    return f"{words[:at]}{'A' if words[at] != 'A' else 'B'}{words[at + 1 :]}"


def lowered(words: str, _: Random) -> str:
    return words.lower()


def spaced(words: str, random: Random) -> str:
    return re.sub(r"([^\n]{20})", rf"\1{' ' * random.randint(1, 3)}", words)


def zipped(mail: Mail) -> bytes:
    with zipfile.ZipFile(kept := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(mail.name, mail.file)
    return file(kept.getvalue(), "turn.zip", "application/zip")


def uuencoded(mail: Mail) -> bytes:
    data = mail.file.encode()
    lines = [b2a_uu(data[at : at + 45]) for at in range(0, len(data), 45)]
    body = f"begin 644 {mail.name}\n".encode() + b"".join(lines) + b"`\nend\n"
    return attached(body, mail.name, "application/octet-stream", "x-uuencode")


def in_one_line(mail: Mail) -> bytes:
    return attached(base64.b64encode(mail.file.encode()) + b"\n", mail.name, "text/plain", "base64")


def quoted_file(mail: Mail) -> bytes:
    return attached(quopri.encodestring(mail.file.encode()), mail.name, "text/plain", "quoted-printable")


def as_alternative(mail: Mail, random: Random) -> bytes:
    """The plain text is broken, the HTML whole."""
    return mail.of(text(half(mail.text, random)), text(as_html(mail.text), "text/html"), kind="alternative")


def html_and_footer(mail: Mail, random: Random) -> bytes:
    return mail.of(text(m11(Letter(mail.text), random).text, "text/html; charset=utf-8"), text(FOOTER))


def opaque(mail: Mail, _: Random) -> bytes:
    """Signed with S/MIME as one opaque part (RFC 8551 3.5.2): the mail lies open in binary."""
    inner = b"\x30\x82\x01\x00\x06\x09*\x86H\x86\xf7" + mail.data + b"\x00\x30\x00"
    return mail.head("application/pkcs7-mime; smime-type=signed-data", "base64") + b"\n" + base64.encodebytes(inner)


def encrypted(mail: Mail, _: Random) -> bytes:
    hidden = (
        b"Content-Type: application/octet-stream\n\n-----BEGIN PGP MESSAGE-----\nhQEMA\n-----END PGP MESSAGE-----\n"
    )
    return mail.of(b"Content-Type: application/pgp-encrypted\n\nVersion: 1\n", hidden, kind="encrypted")


def forwarded_twice(mail: Mail, _: Random) -> bytes:
    return forwarded(forwarded(mail.data))


def forwarded_in_line(mail: Mail, random: Random) -> bytes:
    """Forwarded as text, and that once more, each time quoted (Outlook, Thunderbird)."""
    words = mail.text
    for mark in ("-----Original Message-----\nFrom: Anna", "-------- Forwarded Message --------\nSubject: x"):
        words = f"FYI\n\n{mark}\n\n" + m7(Letter(words), random).text
    return mail.of(text(words))


def digest_of_a_list(mail: Mail, _: Random) -> bytes:
    other = b"\nFrom: carla@example.com\nSubject: hello\n\nHow do you do?\n"
    return mail.of(other, b"\n" + mail.data, other, kind="digest")


def answered_below(mail: Mail, _: Random) -> bytes:
    """An earlier mail of the game quoted below the new one."""
    before = taken_apart(mail.older)
    quoted = "".join(f"> {line}\n" for line in (before.text if before else mail.text).splitlines())
    return mail.of(text(f"{mail.text}\n\nOn Monday you wrote:\n{quoted}"))


def among_others(mail: Mail, _: Random) -> bytes:
    """In a mailbox with an earlier mail before it and once more behind it."""
    return mailbox_of(mail.older or mail.data, mail.data, mail.older or mail.data)


def received_often(mail: Mail, _: Random) -> bytes:
    trace = b"Received: from relay.example.net by mx.example.org with ESMTPS id 7;\n\tMon, 2 Jan 2023 10:00:00 +0000\n"
    return trace * 60 + mail.data


def shouted(mail: Mail, _: Random) -> bytes:
    return replace(mail, headers=tuple((name.upper(), value) for name, value in mail.headers)).again()


def reversed_headers(mail: Mail, _: Random) -> bytes:
    return replace(mail, headers=mail.headers[::-1]).again()


def unfolded(mail: Mail, _: Random) -> bytes:
    headers = tuple((name, re.sub(r"\n\s+", " ", value)) for name, value in mail.headers)
    return replace(mail, headers=(*headers, ("X-Spam-Report", "a" * 3000))).again()


def without(name: bytes) -> Damage:
    """The lines of a header gone from the mail and its parts."""
    return raw(lambda data: re.sub(rb"(?im)^" + name + rb":.*\n(?:[ \t].*\n)*", b"", data))


def cut(percent: int) -> Damage:
    return raw(lambda data: data[: len(data) * percent // 100])


def converted(data: bytes, codec: str) -> bytes:
    return data.decode("utf-8", "replace").encode(codec, "replace")


WHOLE: dict[str, Damage] = {
    # headers
    "date wrong": header(Date=("", "Thu, 1 Jan 1970 00:00:00 +0000", "Fri, 31 Dec 2099 23:59:59 -1200", "yesterday")),
    "sender rewritten by a list": header(
        From=("Anna via Wargames <wargames@lists.example.net>",), List_Id=("<wargames.example.net>",)
    ),
    "sender lost": header(From=("", "undisclosed", "=?utf-8?q?Anna?= <>")),
    "subject rewritten": header(Subject=("", "[SPAM] AW: WG: Re: turn", "=?utf-8?b?////?=")),
    "message id replaced": header(Message_ID=("", "<>", "<ATT@outlook.example>", "no brackets")),
    "thread cut": header(In_Reply_To=("",), References=("", "<a> <b", "<x@example.net>")),
    "marked as automatic": header(Auto_Submitted=("auto-replied",), Precedence=("bulk",)),
    "null return path": header(Return_Path=("<>",)),
    "headers in capitals": shouted,
    "headers in another order": reversed_headers,
    "headers unfolded": unfolded,
    "received by sixty relays": received_often,
    "headers lost": raw(lambda data: data.partition(b"\n\n")[2]),
    "content types lost": without(b"Content-Type"),
    "encodings lost": without(b"Content-Transfer-Encoding"),
    "encodings mislabelled": raw(lambda data: re.sub(rb"(?m)^(Content-Transfer-Encoding:).*", rb"\1 7bit", data)),
    "dispositions lost": without(b"Content-Disposition"),
    "boundary mislabelled": raw(lambda data: data.replace(b'boundary="pbem-', b'boundary="xyz-', 1)),
    "last boundary lost": raw(lambda data: data.rstrip()[: data.rstrip().rfind(b"\n")]),
    # bytes
    "line ends CRLF": raw(lambda data: data.replace(b"\n", b"\r\n")),
    "line ends CR": raw(lambda data: data.replace(b"\n", b"\r")),
    "line ends lost": raw(lambda data: data.replace(b"\n", b" ")),
    "cut to a half": cut(50),
    "cut to four fifths": cut(80),
    "cut to a tenth": cut(10),
    "empty": cut(0),
    "quoted with its headers": raw(lambda data: re.sub(rb"(?m)^", b"> ", data)),
    "wrapped at 60 with its headers": raw(lambda data: re.sub(rb"([^\n]{60})(?=[^\n])", rb"\1\n", data)),
    "zero bytes in it": raw(lambda data: data.replace(b" ", b" \x00")),
    "as UTF-16": raw(lambda data: converted(data, "utf-16")),
    "as EBCDIC": raw(lambda data: converted(data, "cp500")),
    # both copies
    "both cut to a half": both(half),
    "both cut to a tenth": both(tenth),
    "both with a line lost": both(line_lost),
    "both with lines swapped": both(lines_swapped),
    "both with a letter changed": both(letter_changed),
    "both in small letters": both(lowered),
    "both with blanks": both(spaced),
    "text cut, file whole": lambda mail, random: mail.of(text(half(mail.text, random)), file(mail.file, mail.name)),
    "file cut, text whole": lambda mail, random: mail.of(text(mail.text), file(half(mail.file, random), mail.name)),
    "text changed, file whole": lambda mail, random: mail.of(
        text(letter_changed(mail.text, random)), file(mail.file, mail.name)
    ),
    # parts
    "attachment lost": lambda mail, _: mail.of(text(mail.text)),
    "text lost": file_alone(lambda mail: file(mail.file, mail.name)),
    "attachment first": lambda mail, _: mail.of(file(mail.file, mail.name), text(mail.text)),
    "attachment twice": lambda mail, _: mail.of(NOTICE, *[file(mail.file, mail.name)] * 2),
    "attachment renamed": file_alone(lambda mail: file(mail.file, "ATT00001.bin", "application/octet-stream")),
    "attachment without a name": file_alone(lambda mail: file(mail.file, "", "application/octet-stream")),
    "attachment in UTF-16": file_alone(lambda mail: file(mail.file.encode("utf-16"), mail.name)),
    "attachment in one line": file_alone(in_one_line),
    "attachment quoted-printable": file_alone(quoted_file),
    "attachment uuencoded": file_alone(uuencoded),
    "attachment zipped": file_alone(zipped),
    "attachment gzipped": file_alone(lambda mail: file(gzip.compress(mail.file.encode()), "turn.gz")),
    "attachment in winmail.dat": file_alone(
        lambda mail: file(tnef(mail.file.encode()), "winmail.dat", "application/ms-tnef")
    ),
    "HTML with a footer part": html_and_footer,
    "plain text cut beside HTML": as_alternative,
    # wrappings
    "forwarded": raw(forwarded),
    "forwarded twice": forwarded_twice,
    "forwarded in line twice": forwarded_in_line,
    "in a digest": digest_of_a_list,
    "bounced": raw(nested("report", "Content-Type: message/delivery-status\n\nAction: failed\nStatus: 5.1.1")),
    "in a mailbox with older ones": among_others,
    "with an older one quoted": answered_below,
    "signed, opaque": opaque,
    "encrypted": encrypted,
}
DAMAGES: dict[str, Damage] = {
    **{f"{name}, of the text alone": of_text(row) for name, row in ROWS.items()},
    **{f"{name}, of the file alone": of_file(row) for name, row in ROWS.items()},
    **WHOLE,
}
