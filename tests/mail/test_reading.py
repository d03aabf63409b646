"""Reading of mails: their structure, its limits, what is told, and that one bad mail harms no other."""

from __future__ import annotations

import base64
from pathlib import Path
from random import Random

import pytest

from pbem.errors import BadEvidence
from pbem.mail import armour, mime
from pbem.mail.reading import Found, Gathering, Note, Reading, read_text

from .letters import Letter, as_html, forwarded, mailbox_of, nested, tnef

ONE, TWO = Random(1).randbytes(200), Random(2).randbytes(200)
HEAD = b"From: anna@example.org\nMIME-Version: 1.0\n"


def multipart(*parts: bytes, kind: str = "mixed", end: str = "--cut--\n") -> bytes:
    """A mail of parts, each with its own headers."""
    head = HEAD + f'Content-Type: multipart/{kind}; boundary="cut"\n\n'.encode()
    return head + b"".join(b"--cut\n" + part + b"\n" for part in parts) + end.encode()


def text_part(payload: bytes) -> bytes:
    return b"Content-Type: text/plain\n\nHello\n" + armour.encode(payload).encode()


def attached(content: bytes, headers: str = "Content-Type: application/octet-stream") -> bytes:
    named = f'{headers}\nContent-Disposition: attachment; filename="turn.txt"\nContent-Transfer-Encoding: base64\n\n'
    return named.encode() + base64.encodebytes(content)


def payloads(data: bytes) -> list[bytes]:
    reading = read_text(data, "f")
    assert reading.damaged == ()
    return [found.payload for found in reading.payloads]


def test_a_bare_turn_file() -> None:
    assert read_text(armour.encode(ONE).encode(), "turn.txt") == Reading((Found(ONE, "turn.txt"),))


def test_places_are_named() -> None:
    inner = multipart(attached(armour.encode(TWO).encode())).replace(b"cut", b"inner")
    data = mailbox_of(b"Subject: x\n\nnothing", multipart(text_part(ONE), b"Content-Type: message/rfc822\n\n" + inner))
    assert [found.origin for found in read_text(data, "inbox.mbox").payloads] == [
        "inbox.mbox, message 2, text",
        "inbox.mbox, message 2, forwarded message, attachment",
    ]


def test_nothing_is_an_error_that_says_what_is_looked_for() -> None:
    (error,) = read_text(b"Hello Bob", "mail.txt").damaged
    assert isinstance(error, BadEvidence)
    assert str(error) == "mail.no_turn_file: expected a turn file, got none in mail.txt"
    assert error.hint == "a turn file begins with the line 'BEGIN PBEM TURN FILE VERSION 1 …'"


@pytest.mark.plan("A58")
def test_different_blocks_in_text_and_html_are_both_listed() -> None:
    html = b"Content-Type: text/html\n\n" + as_html(armour.encode(TWO)).encode()
    data = multipart(text_part(ONE), html, kind="alternative")
    assert read_text(data, "f").payloads == (Found(ONE, "f, text"), Found(TWO, "f, HTML"))


@pytest.mark.plan("A58")
def test_a_third_block_in_an_attachment_is_listed_too() -> None:
    three = attached(armour.encode(b"three", robust=True).encode())
    assert payloads(multipart(text_part(ONE), text_part(TWO), three)) == [ONE, TWO, b"three"]


def test_repair_is_noted() -> None:
    data = HEAD + b"Content-Type: text/html\n\n" + as_html(armour.encode(ONE)).encode()
    assert read_text(data, "f").notes == (Note("mail.repaired", "f, HTML", "undone to read it: HTML markup"),)
    assert str(read_text(data, "f").notes[0]) == "f, HTML: undone to read it: HTML markup"


def test_damage_in_the_text_is_a_note_when_the_attachment_is_whole() -> None:
    cut = b"Content-Type: text/plain\n\n" + armour.encode(ONE).encode()[:300]
    reading = read_text(multipart(cut, attached(armour.encode(ONE).encode())), "f")
    assert reading.payloads == (Found(ONE, "f, attachment"),)
    assert reading.damaged == ()
    assert [str(note) for note in reading.notes] == [
        "f, text: expected 267 characters that match their digest, got 178 of them and then the end of the text "
        "in f, text; another copy in this mail is whole"
    ]


def test_damage_beside_another_turn_stays_an_error() -> None:
    cut = b"Content-Type: text/plain\n\n" + armour.encode(ONE).encode()[:300]
    reading = read_text(multipart(cut, attached(armour.encode(TWO).encode())), "f")
    assert [found.payload for found in reading.payloads] == [TWO]
    assert [error.code for error in reading.damaged] == ["armour.truncated"]


@pytest.mark.plan("A56", "M28")
@pytest.mark.parametrize(
    "name",
    [
        '"../../.bashrc"', '"/etc/passwd"', '"C:\\\\CON"', "NUL", '"a\x00b"', '"x\x1b[31m\u202etxt.exe"', '""', "\"", 
        "=?x?q?y?=", '"' + "a" * 5_000 + '"',
    ],
)  # fmt: skip
def test_names_of_attachments_are_never_used(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    headers = f"Content-Type: application/octet-stream; name={name}\nContent-Disposition: attachment; filename={name}"
    data = multipart(headers.encode() + b"\n\n" + armour.encode(ONE).encode())
    assert [found.payload for found in read_text(data, "f").payloads] == [ONE]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.plan("A62")
def test_what_is_told_is_printable() -> None:
    name = 'filename="\x1b[2J\u202egpj.exe"'
    data = multipart(
        f"Content-Type: application/ms-tnef\nContent-Disposition: attachment; {name}\n\n".encode() + tnef(b"x")
    )
    reading = read_text(data, "f")
    told = [str(note) for note in reading.notes] + [str(error) + error.hint for error in reading.damaged]
    assert told
    assert all(line.isprintable() for line in told)


def nest(levels: int, inside: bytes) -> bytes:
    for level in range(levels):
        head = f'Content-Type: multipart/mixed; boundary="b{level}"\n\n--b{level}\n'.encode()
        inside = head + inside + f"\n--b{level}--\n".encode()
    return HEAD + inside


@pytest.mark.plan("A57")
def test_parts_within_the_limit_are_read() -> None:
    assert payloads(nest(mime.MAX_DEPTH, attached(armour.encode(ONE).encode()))) == [ONE]


@pytest.mark.plan("A57")
@pytest.mark.parametrize("levels", [mime.MAX_DEPTH + 1, 1_000, 5_000])
def test_parts_nested_too_deep_are_not_read_and_that_is_told(levels: int) -> None:
    reading = read_text(nest(levels, attached(armour.encode(ONE).encode())), "f")
    assert [note for note in reading.notes if note.code == "mail.too_many_parts"] == [
        Note("mail.too_many_parts", "f", "parts nested deeper than 12 were not read")
    ]


@pytest.mark.plan("A57")
def test_forwards_within_forwards_are_bounded_too() -> None:
    data = Letter(armour.encode(ONE), encoding="quoted-printable").to_bytes()
    for _ in range(200):
        data = forwarded(data)
    assert "mail.too_many_parts" in [note.code for note in read_text(data, "f").notes]


@pytest.mark.plan("A57")
def test_only_so_many_parts_are_read() -> None:
    data = multipart(*[b"Content-Type: text/plain\n\nx"] * 5_000, attached(b"x"))
    reading = read_text(data, "f")
    assert [note.text for note in reading.notes] == ["parts after the first 100 were not read"]
    assert str(reading.damaged[0]) == (
        "mail.no_turn_file: expected a turn file, got none in f; not all of it could be read "
        "(f: parts after the first 100 were not read)"
    )


@pytest.mark.plan("A57")
def test_a_part_of_50_megabytes_is_left_out_and_the_others_are_read() -> None:
    huge = b"Content-Type: video/mp4\nContent-Disposition: attachment\n\n" + b"A" * (50 * 2**20)
    mail = multipart(text_part(ONE), huge)
    reading = read_text(mail, "f")
    assert [found.payload for found in reading.payloads] == [ONE]
    assert reading.notes == (
        Note("mail.part_too_large", "f, attachment", "33,553,831 bytes are more than 8,388,608 and were not read"),
        Note("mail.too_large", "f", f"only the first 33,554,432 of {len(mail):,} bytes were read"),
    )


@pytest.mark.plan("A59", "A57")
def test_poison_between_two_good_mails() -> None:
    poison = [
        nest(3_000, b"x"),
        b"Subject: =?\xff?q?\x00?=\nContent-Type: multipart/mixed; boundary*0*=x''%ff%; boundary*9=\"\n\n--\xff\n",
        b'From: x\nContent-Type: text/plain; charset="\x00"; charset*=idna\'\n\n\xff\xfe\x00',
        b"X" * 100_000 + b": y\n\n",
        b"From: a\nContent-Type: message/rfc822\n\n" * 2_000,
        b"From: a\nContent-Transfer-Encoding: base64\n\n=====A",
        b"From: a\nContent-Type: text/html\n\n<p>&#" + b"9" * 20_000 + b";" + b"BEGIN PBEM TURN FILE VERSION 1 BASE64",
        b"From: a\nContent-Type: multipart/encrypted; boundary=\n\n",
        b"\x00" * 50_000,
    ]
    good = [Letter(armour.encode(payload)).to_bytes() for payload in (ONE, TWO)]
    reading = read_text(mailbox_of(good[0], *poison, good[1]), "f")
    assert [found.payload for found in reading.payloads] == [ONE, TWO]
    assert "mail.unreadable" not in [error.code for error in reading.damaged]


class Poison(bytes):
    """A message that breaks whatever reads it: the fault that nobody foresaw."""

    def __getitem__(self, _place: object) -> bytes:  # type: ignore[override]
        raise ZeroDivisionError


@pytest.mark.plan("A59")
def test_an_unforeseen_fault_is_one_error_and_the_next_mail_is_read() -> None:
    gathered = Gathering()
    gathered.read_message(Poison(b"x"), "inbox, message 1")
    gathered.read_message(armour.encode(ONE).encode(), "inbox, message 2")
    reading = gathered.reading("inbox")
    assert reading.payloads == (Found(ONE, "inbox, message 2"),)
    assert [(str(error), error.hint) for error in reading.damaged] == [
        (
            "mail.unreadable: expected a mail or a text, got one that cannot be read (ZeroDivisionError) in "
            "inbox, message 1",
            "save the attachment or the text with the turn file alone, and import that",
        )
    ]


@pytest.mark.plan("M30")
def test_winmail_dat_without_an_open_turn_file_says_what_to_ask_for() -> None:
    data = multipart(attached(tnef(b"\x12\x34compressed"), "Content-Type: application/ms-tnef"))
    reading = read_text(data, "f")
    assert reading.notes == (
        Note("mail.tnef", "f, attachment", "it is an Outlook container (winmail.dat), searched as it is"),
    )
    (error,) = reading.damaged
    assert str(error) == (
        "mail.no_turn_file: expected a turn file, got none in f; not all of it could be read "
        "(f, attachment: it is an Outlook container (winmail.dat), searched as it is)"
    )
    assert error.hint == (
        "ask the sender for a plain mail with the turn file in its text, or save the attachment and import that"
    )


@pytest.mark.plan("M30")
def test_winmail_dat_under_any_name_is_searched() -> None:
    assert payloads(multipart(attached(tnef(armour.encode(ONE).encode())))) == [ONE]


@pytest.mark.plan("M32")
def test_encrypted_mail_is_told() -> None:
    secret = b"Content-Type: application/octet-stream\n\n-----BEGIN PGP MESSAGE-----\n"
    (error,) = read_text(
        multipart(b"Content-Type: application/pgp-encrypted\n\nVersion: 1\n", secret, kind="encrypted"), "f"
    ).damaged
    assert str(error) == (
        "mail.no_turn_file: expected a turn file, got none in f; not all of it could be read "
        "(f, encrypted part: it is encrypted and was not opened)"
    )
    assert error.hint == "decrypt the mail, save the turn file in it and import that"


@pytest.mark.plan("M32")
@pytest.mark.parametrize(
    ("body", "note"),
    [
        (
            b"Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\n\x30\x80\x06",
            Note("mail.encrypted", "f, attachment", "it is an S/MIME container, searched as it is"),
        ),
        (
            b"Content-Type: text/plain\n\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n",
            Note("mail.encrypted", "f, text", "it is encrypted with PGP and was not opened"),
        ),
    ],
)
def test_other_encryption_is_told_too(body: bytes, note: Note) -> None:
    assert read_text(HEAD + body, "f").notes == (note,)


@pytest.mark.plan("M32")
def test_signed_mail_is_read_through() -> None:
    signature = "Content-Type: application/pkcs7-signature\nContent-Transfer-Encoding: base64\n\nMIAGCSqGSIb3DQEHAqCA"
    assert payloads(nested("signed", signature)(Letter(armour.encode(ONE)).to_bytes())) == [ONE]


@pytest.mark.plan("M24")
@pytest.mark.parametrize(
    "label", ["cp1252", "utf-16", "x-unknown", '""', "\x00", "utf-7", "punycode", "zlib", "hex", "idna", "cp037"]
)
def test_wrong_labels_do_no_harm(label: str) -> None:
    assert payloads(Letter(armour.encode(ONE) + "Łódź", label=f"; charset={label}").to_bytes()) == [ONE]


@pytest.mark.plan("M24")
@pytest.mark.parametrize("charset", ["cp037", "utf-16", "utf-16-be", "utf-32", "utf-7", "shift_jis", "iso-2022-jp"])
def test_right_labels_are_used(charset: str) -> None:
    body = base64.encodebytes(armour.encode(ONE).encode(charset))
    head = f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: base64\n\n".encode()
    assert payloads(HEAD + head + body) == [ONE]


@pytest.mark.plan("M4", "M5")
@pytest.mark.parametrize("declared", ["7bit", "base64", "quoted-printable", "x-uuencode", "", "nonsense"])
@pytest.mark.parametrize("real", ["7bit", "base64", "quoted-printable"])
def test_a_wrong_transfer_encoding_is_seen_through(declared: str, real: str) -> None:
    letter = Letter("Hello\n\n" + armour.encode(ONE, robust=True), encoding=real)
    data = letter.to_bytes().replace(f"Encoding: {real}".encode(), f"Encoding: {declared}".encode(), 1)
    assert payloads(data) == [ONE]


def test_missing_headers_and_missing_ends() -> None:
    assert payloads(multipart(text_part(ONE), attached(armour.encode(TWO).encode()), end="")) == [ONE, TWO]
    assert payloads(HEAD + b"Content-Type: multipart/mixed\n\n" + armour.encode(ONE).encode()) == [ONE]
    assert payloads(b"Subject: x\n" + armour.encode(ONE).encode()) == [ONE]


def test_a_digest_of_mails_and_a_mail_as_an_attachment() -> None:
    inner = Letter(armour.encode(ONE), encoding="base64").to_bytes()
    assert payloads(multipart(b"\n" + inner, kind="digest")) == [ONE]
    assert payloads(multipart(attached(inner))) == [ONE]
    assert payloads(
        multipart(attached(mailbox_of(inner, Letter(armour.encode(TWO), encoding="base64").to_bytes())))
    ) == [ONE, TWO]


@pytest.mark.plan("M38")
@pytest.mark.parametrize(
    ("header", "automatic"),
    [
        ("Auto-Submitted: auto-replied", True),
        ("Auto-Submitted: auto-generated; x=y", True),
        ("Auto-Submitted: no", False),
        ("Auto-Submitted: (by hand) no", False),
        ("Auto-Submitted: nothing", True),
        ("Auto-Submitted: (no) auto-notified", True),
        ("Precedence: bulk", True),
        ("Return-Path: <>", True),
        ("X-Auto-Response-Suppress: All", True),
        ("Return-Path: <anna@example.org>", False),
    ],
)
def test_automatic_mails_are_read_and_flagged(header: str, automatic: bool) -> None:
    data = header.encode() + b"\n" + Letter(armour.encode(ONE)).to_bytes()
    assert read_text(data, "f").payloads == (Found(ONE, "f, text", automatic),)


@pytest.mark.plan("M38", "A63")
def test_a_bounce_is_read_and_flagged() -> None:
    status = (
        b"Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\nAction: failed\nStatus: 5.1.1"
    )
    original = b"Content-Type: message/rfc822\n\n" + Letter(armour.encode(ONE)).to_bytes()
    data = multipart(b"Content-Type: text/plain\n\nnot delivered", status, original, kind="report")
    assert read_text(data, "f").payloads == (Found(ONE, "f, forwarded message, text", automatic=True),)


@pytest.mark.plan("M38", "M26")
def test_a_turn_that_also_came_from_a_person_is_not_automatic() -> None:
    mails = [
        Letter(armour.encode(ONE)).to_bytes(),
        b"Auto-Submitted: auto-replied\n" + Letter(armour.encode(ONE)).to_bytes(),
    ]
    assert read_text(mailbox_of(*mails), "f").payloads == (Found(ONE, "f, message 1, text"),)
    assert read_text(mailbox_of(*reversed(mails)), "f").payloads == (Found(ONE, "f, message 1, text"),)


def test_initials_before_quoted_lines_are_undone() -> None:
    text = "".join(f"AB> {line}\n" for line in armour.encode(ONE).splitlines())
    assert read_text(text.encode(), "f") == Reading(
        (Found(ONE, "f"),), (Note("mail.repaired", "f", "undone to read it: initials before quoted lines"),)
    )


@pytest.mark.plan("M4")
def test_quoted_printable_without_its_line_breaks_is_undone() -> None:
    text = "".join(f"{line[:30]}={line[30:]}=20 " for line in armour.encode(ONE).splitlines())
    assert read_text(text.encode(), "f") == Reading(
        (Found(ONE, "f"),), (Note("mail.repaired", "f", "undone to read it: quoted-printable without line breaks"),)
    )
