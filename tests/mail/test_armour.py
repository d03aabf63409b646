"""The armour itself: its bytes, its limits, and what it says of damage."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import BadRequest
from pbem.mail import armour

FIXTURES = Path(__file__).parents[2] / "fixtures" / "mail"
HELLO = """\
BEGIN PBEM TURN FILE VERSION 1 BASE64 12 BYTES SHA256
7509e5bda0c762d2bac7f90d758b5b2263fa01ccbc542ab5e3df163be08e6ca9
aGVsbG8gd29ybGQh
END PBEM TURN FILE
"""
HELLO_ROBUST = """\
BEGIN PBEM TURN FILE VERSION 1 BASE32 12 BYTES SHA256
7509e5bda0c762d2bac7f90d758b5b2263fa01ccbc542ab5e3df163be08e6ca9
NBSWY3DPEB3W64TMMQQQ
END PBEM TURN FILE
"""
PAYLOAD = Random(7).randbytes(600)
both_armours = pytest.mark.parametrize("robust", [False, True], ids=["base64", "base32"])


def told(findings: armour.Findings) -> list[str]:
    return [str(error) for error in findings.damaged]


def test_the_armour_of_twelve_bytes() -> None:
    assert armour.encode(b"hello world!") == HELLO
    assert armour.__doc__ is not None
    assert HELLO in re.sub(r"(?m)^    ", "", armour.__doc__)


def test_the_robust_armour_of_twelve_bytes() -> None:
    assert armour.encode(b"hello world!", robust=True) == HELLO_ROBUST


@pytest.mark.parametrize("name", ["turn.txt", "turn-robust.txt"])
def test_armours_of_earlier_releases_are_read_and_written_as_they_were(name: str) -> None:
    payload = (FIXTURES / "payload.bin").read_bytes()
    text = (FIXTURES / name).read_text()
    assert armour.find(text) == armour.Findings((payload,))
    assert armour.encode(payload, robust="robust" in name) == text


def reader_from_the_description(text: str) -> bytes:
    """Written from the docstring alone."""
    chars = "".join(c for c in text if c.isascii() and (c.isalnum() or c in "+/"))
    start = re.search("BEGINPBEMTURNFILEVERSION1(BASE64|BASE32)([0-9]+)BYTESSHA256([0-9a-f]{64})", chars, re.IGNORECASE)
    assert start is not None
    bits = 6 if start[1] == "BASE64" else 5
    body = chars[start.end() :][: -(-8 * int(start[2]) // bits)]
    pad = "=" * (-len(body) % (4 if bits == 6 else 8))
    payload = base64.b64decode(body + pad) if bits == 6 else base64.b32decode(body.upper() + pad)
    assert hashlib.sha256(payload).hexdigest() == start[3].lower()
    return payload


@both_armours
@given(payload=st.binary(max_size=2_000))
def test_a_payload_comes_back(payload: bytes, robust: bool) -> None:
    text = armour.encode(payload, robust=robust)
    assert armour.find(text) == armour.find(text.encode()) == armour.Findings((payload,))
    assert reader_from_the_description(text) == payload


@both_armours
def test_lines_are_short_and_hold_nothing_that_mail_programs_change(robust: bool) -> None:
    text = armour.encode(PAYLOAD, robust=robust)
    assert max(map(len, text.splitlines())) == 64
    assert set(text) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/ \n")


@both_armours
def test_the_largest_payload(robust: bool) -> None:
    payload = Random(1).randbytes(armour.MAX_PAYLOAD)
    assert armour.find(armour.encode(payload, robust=robust)).payloads == (payload,)


def test_more_than_the_largest_payload_is_refused() -> None:
    with pytest.raises(BadRequest) as refused:
        armour.encode(bytes(armour.MAX_PAYLOAD + 1))
    assert str(refused.value) == "armour.too_large: expected a turn of at most 1,048,576 bytes, got 1,048,577"
    assert refused.value.hint == "send an archive instead"


def test_a_claim_of_more_is_refused_before_it_is_decoded() -> None:
    claim = HELLO.replace(" 12 ", " 1048577 ")
    (error,) = armour.find(claim, "big.txt").damaged
    assert (str(error), error.hint) == (
        "armour.too_large: expected a turn of at most 1,048,576 bytes, got one that claims 1,048,577 in big.txt",
        "ask the sender for an archive of the game instead, which can be imported too",
    )


def test_text_around_and_two_armours() -> None:
    text = f"Hi Bob,\n{HELLO}\nregards\n{armour.encode(b'second')}-- \nAnna"
    assert armour.find(text) == armour.Findings((b"hello world!", b"second"))


def test_the_same_armour_twice_is_one_payload() -> None:
    assert armour.find(HELLO + HELLO_ROBUST + HELLO) == armour.Findings((b"hello world!",))


@pytest.mark.plan("M34")
def test_truncated_says_how_much_came() -> None:
    text = armour.encode(PAYLOAD)
    cut = text[: text.index("\n", 500)]
    assert told(armour.find(cut, "inbox, message 3")) == [
        "armour.truncated: expected 800 characters that match their digest, "
        "got 384 of them and then the end of the text in inbox, message 3"
    ]
    assert armour.find(cut).damaged[0].hint == "ask the sender to send this turn again, as an attachment"


@pytest.mark.plan("M34")
def test_a_text_that_ends_in_the_header_says_so() -> None:
    assert told(armour.find(HELLO[:90], "inbox, message 3")) == [
        "armour.truncated: expected a whole turn file, got a text that ends in its first two lines in inbox, message 3"
    ]


@pytest.mark.plan("M22")
def test_text_inside_is_named() -> None:
    lines = armour.encode(PAYLOAD).splitlines()
    text = "\n".join([*lines[:8], "Wargamers mailing list", *lines[8:]])
    assert told(armour.find(text, "digest.eml")) == [
        "armour.inserted: expected 800 characters that match their digest, "
        "got 20 more: something was put inside ('Wargamers mailing list') in digest.eml"
    ]


@pytest.mark.plan("M35")
def test_lower_case_is_named_and_the_robust_armour_survives_it() -> None:
    (error,) = armour.find(armour.encode(PAYLOAD).lower(), "a.txt").damaged
    assert str(error) == (
        "armour.case: expected 800 characters that match their digest, got all letters in one case in a.txt"
    )
    assert error.hint == (
        "the way of this mail changes letters: ask the sender to send this turn again as an attachment, "
        "or to export it with --robust"
    )
    assert armour.find(armour.encode(PAYLOAD, robust=True).lower()).payloads == (PAYLOAD,)


@pytest.mark.plan("M35")
def test_lost_plus_signs_are_counted_and_the_robust_armour_has_none() -> None:
    (error,) = armour.find(armour.encode(PAYLOAD).replace("+", " "), "a.txt").damaged
    assert str(error) == (
        "armour.lost: expected 800 characters that match their digest, "
        "got 10 too few between beginning and end in a.txt"
    )
    assert error.hint == (
        "the way of this mail changes letters: ask the sender to send this turn again as an attachment, "
        "or to export it with --robust"
    )
    assert "+" not in armour.encode(PAYLOAD, robust=True)


def test_an_altered_letter_is_found() -> None:
    assert told(armour.find(HELLO.replace("aGVs", "aGVt"), "a.txt")) == [
        "armour.altered: expected 16 characters that match their digest, got some that are altered in a.txt"
    ]


def test_unused_bits_must_be_zero() -> None:
    text = armour.encode(b"hello world")
    assert text.splitlines()[2] == "aGVsbG8gd29ybGQ"
    assert base64.b64decode("aGVsbG8gd29ybGR=") == b"hello world"  # what a lenient reader makes of it
    assert told(armour.find(text.replace("ybGQ", "ybGR"), "a.txt")) == [
        "armour.altered: expected 15 characters that match their digest, got some that are altered in a.txt"
    ]


def test_a_size_with_leading_zeros_is_not_the_one_way_to_write_it() -> None:
    assert told(armour.find(HELLO.replace(" 12 ", " 012 "), "a.txt")) == [
        "armour.header: expected a whole turn file, got two first lines that are altered in a.txt"
    ]


def test_another_size_than_the_body_has_is_refused() -> None:
    assert [error.code for error in armour.find(HELLO.replace(" 12 ", " 11 ")).damaged] == ["armour.inserted"]


def test_a_size_that_is_too_large_is_refused_though_the_digest_matches() -> None:
    claim = HELLO.replace(" 12 ", " 13 ").replace("END PBEM TURN FILE\n", "")
    assert told(armour.find(claim, "a.txt")) == [
        "armour.truncated: expected 18 characters that match their digest, "
        "got 16 of them and then the end of the text in a.txt"
    ]


def test_a_later_version_is_named_with_what_to_do() -> None:
    (error,) = armour.find("BEGIN PBEM TURN FILE VERSION 2 BASE91 ...", "a.txt").damaged
    assert str(error) == (
        "armour.version: expected a turn file of version 1, which this program reads, got version 2 in a.txt"
    )
    assert error.hint == "update pbem, or ask the sender for a turn file of your version"


def test_an_end_alone_is_told() -> None:
    assert told(armour.find(HELLO[80:], "a.txt")) == [
        "armour.no_beginning: expected a turn file from its first line, got only the end of one in a.txt"
    ]


def test_a_lost_last_line_does_no_harm() -> None:
    assert armour.find(HELLO.replace("END PBEM TURN FILE\n", "")) == armour.Findings((b"hello world!",))


@both_armours
def test_every_prefix_is_the_payload_or_truncated_or_nothing(robust: bool) -> None:
    text = armour.encode(PAYLOAD[:90], robust=robust)
    mark = len("BEGIN PBEM TURN FILE VERSION")
    for size in range(len(text)):
        findings = armour.find(text[:size])
        whole = findings == armour.Findings((PAYLOAD[:90],))
        assert whole or [error.code for error in findings.damaged] == ["armour.truncated"] * (size >= mark)


@both_armours
def test_no_single_letter_can_change_unnoticed(robust: bool) -> None:
    text = armour.encode(PAYLOAD[:90], robust=robust)
    for place in range(len(text)):
        for new in "Aa0/ ~":
            findings = armour.find(text[:place] + new + text[place + 1 :])
            assert findings.payloads in ((), (PAYLOAD[:90],))
            assert findings.payloads or findings.damaged


def test_the_number_of_armours_in_one_text_is_bounded() -> None:
    findings = armour.find(HELLO[:60] * (armour.MAX_ARMOURS + 50))
    assert len(findings.damaged) == armour.MAX_ARMOURS


@settings(max_examples=60)
@given(st.lists(st.binary(min_size=1, max_size=60), min_size=1, max_size=6, unique=True), st.booleans())
def test_many_armours_come_in_order(payloads: list[bytes], robust: bool) -> None:
    text = "and\n".join(armour.encode(payload, robust=robust) for payload in payloads)
    assert armour.find(text) == armour.Findings(tuple(payloads))
