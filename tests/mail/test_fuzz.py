"""C16 for mail: whatever bytes come, nothing is raised, nothing but a good payload comes out, and memory is bounded.

`soak.py` says how long the long runs are.
"""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import soak

from pbem.errors import BadEvidence
from pbem.mail import armour, mime
from pbem.mail.plain import printable
from pbem.mail.reading import read_text

from .damage import OLD
from .letters import Letter, as_html, forwarded, mailbox_of, nested, tnef

pytestmark = pytest.mark.plan("C16")

GOOD = Random(5).randbytes(120)

PIECES = [
    b"BEGIN PBEM TURN FILE VERSION ",
    b"1 BASE64 120 BYTES SHA256\n",
    b"1 BASE32 ",
    b"2 X",
    b"END PBEM TURN FILE\n",
    b"\n\n",
    b"Content-Type: multipart/mixed; boundary=a\n",
    b"--a\n",
    b"--a--\n",
    b"Content-Type: message/rfc822\n\n",
    b"From x\n",
    b"Content-Transfer-Encoding: base64\n",
    b"Content-Transfer-Encoding: quoted-printable\n",
    b"From: a@b\n",
    b"Subject: ",
    b"Content-Type: text/html; charset=",
    b"Content-Disposition: attachment; filename*0*=x''%ff",
    b"=?utf-8?q?=0D=0A?=",
    b"<p>",
    b"&#x110000;",
    b"&#" + b"7" * 5_000 + b";",
    b"=3D",
    b"=\n",
    b"<!--",
    b"-->",
    b"\xff\xfe",
    b"\x78\x9f\x3e\x22",
    b"\x00",
    b"\r",
    b"-----BEGIN PGP MESSAGE-----",
    armour.encode(GOOD).encode(),
    armour.encode(GOOD, robust=True).lower().encode(),
]
SEEDS = [
    armour.encode(GOOD).encode(),
    armour.encode(GOOD, robust=True).encode(),
    Letter(armour.encode(GOOD), encoding="base64").to_bytes(),
    Letter(as_html(armour.encode(GOOD)), media="text/html", encoding="quoted-printable").to_bytes(),
    forwarded(nested("signed", "Content-Type: application/pgp-signature\n\nx")(Letter(armour.encode(GOOD)).to_bytes())),
    Letter(armour.encode(GOOD), media="application/ms-tnef", container=tnef, encoding="base64").to_bytes(),
    mailbox_of(Letter(armour.encode(OLD)).to_bytes(), Letter(armour.encode(GOOD)).to_bytes()),
    armour.encode(GOOD).encode("utf-16"),
]


def check(data: bytes) -> None:
    reading = read_text(data, "f")
    assert reading.payloads or reading.damaged
    for error in reading.damaged:
        assert isinstance(error, BadEvidence)
        assert error.code != "mail.unreadable"
        assert (error.text + error.hint).isprintable()
    for note in reading.notes:
        assert str(note).isprintable()
    assert {found.payload for found in reading.payloads} <= {GOOD, OLD}


@settings(max_examples=400, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.binary(max_size=30)), max_size=25).map(b"".join))
def test_pieces_of_mails_in_any_order(data: bytes) -> None:
    check(data)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    check(data)
    list(mime.leaves(data))
    mime.is_automatic(data)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=300))
def test_any_text(text: str) -> None:
    assert armour.find(text).payloads == ()


def mutated(data: bytes, random: Random) -> bytes:
    for _ in range(random.randint(1, 6)):
        start = random.randrange(len(data) + 1)
        stop = start + random.choice((0, 1, 1, 5, 80))
        other = random.choice(SEEDS)
        at = random.randrange(len(other))
        new = random.choice(
            (b"", random.randbytes(1), random.randbytes(4), random.choice(PIECES), other[at : at + 200])
        )
        data = data[:start] + new + data[stop:]
    return data


def test_mutated_mails() -> None:
    random = Random(16)
    for number in range(3_000):
        check(mutated(SEEDS[number % len(SEEDS)], random))


@pytest.mark.soak
def test_many_mutated_mails() -> None:
    random = Random(soak(1))
    for number in range(soak(5_000)):
        check(mutated(SEEDS[number % len(SEEDS)], random))


@pytest.mark.plan("A62")
@given(st.text())
def test_printable_text_is_printable(text: str) -> None:
    assert printable(text).isprintable()
    assert printable("\x1b[2Jż\u202e\n\t\xa0\ud800") == "\\x1b[2Jż\\u202e\\n\\t\\xa0\\ud800"


HOSTILE = {
    "tags": "b'pbem<p>' + b'<' * size",
    "escapes": "b'pbem' + b'=20' * (size // 3)",
    "entities": "b'pbem&#1;' * (size // 8)",
    "comments": "b'pbem<p><!--' * (size // 11)",
    "empty lines": "b'\\n' * size",
    "beginnings": "b'BEGIN PBEM TURN FILE VERSION 1 BASE64 9 BYTES SHA256' * (size // 52)",
    "headers": "b'From: a\\n' * (size // 8)",
    "parameters": "b'Content-Type: multipart/mixed; ' + b'a=b;' * (size // 4)",
    "delimiters": "b'From: x\\nContent-Type: multipart/mixed; boundary=a\\n\\n' + b'--a\\n\\nx\\n' * (size // 7)",
    "forwards": "b'From: x\\n' + b'Content-Type: message/rfc822\\n\\n' * (size // 30)",
    "messages": "b'From x\\nFrom: b\\n\\n' * (size // 400)",
    "nulls": "b'\\0' * size",
}


@pytest.mark.plan("A57")
@pytest.mark.parametrize("shape", HOSTILE)
def test_memory_and_time_are_bounded(shape: str) -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (500 * 2**20,) * 2); "
        "resource.setrlimit(resource.RLIMIT_CPU, (20, 20)); "
        f"size = 4 * 2**20; from pbem.mail.reading import read_text; data = {HOSTILE[shape]}; "
        "codes = {error.code for error in read_text(data, 'f').damaged}; "
        "assert codes <= {'mail.no_turn_file', 'armour.header', 'armour.truncated'}, codes"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
