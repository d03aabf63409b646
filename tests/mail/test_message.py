"""The mail that is sent: its bytes, and that no field of it can add a header."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import BadRequest
from pbem.mail.message import Mailbox, OutgoingTurn, _check, attachment_name, compose, slug
from pbem.mail.reading import Found, Reading, read_text

FIXTURES = Path(__file__).parents[2] / "fixtures" / "mail"
TURN = OutgoingTurn(
    sender=Mailbox("Anna Żółkiewska", "anna@example.org"),
    receivers=(Mailbox("Bob", "bob@example.org"),),
    game="Westerplatte: wiosna",
    turn=3,
    side="polish",
    step=42,
    summary=("Turn 3, Polish side: fire on Łazienki.", "You are asked for: German losses, until 2026-03-04 18:00 UTC."),
    payload=Random(42).randbytes(150),
    message_id="<pbem-42-polish@example.org>",
    date=datetime(2026, 3, 1, 12, 0, tzinfo=UTC),
)
NAMES = ["From", "To", "Subject", "Date", "Message-ID", "Content-Type", "MIME-Version"]


def header_names(mail: bytes) -> list[str]:
    """Read by another policy than the one that wrote it, and by hand."""
    head = mail.partition(b"\n\n")[0].decode("ascii")
    by_hand = [line.partition(":")[0] for line in head.split("\n") if not line.startswith((" ", "\t"))]
    assert by_hand == message_from_bytes(mail, policy=policy.compat32).keys()
    return by_hand


def test_the_whole_mail() -> None:
    assert compose(TURN) == (FIXTURES / "turn.eml").read_bytes()


def test_it_is_read_back_once_from_its_text() -> None:
    assert read_text(compose(TURN), "turn.eml") == Reading((Found(TURN.payload, "turn.eml, text"),))


def test_the_attachment_alone_is_enough() -> None:
    mail = message_from_bytes(compose(TURN), policy=policy.default)
    (attachment,) = mail.iter_attachments()
    assert attachment.get_filename() == "westerplatte-wiosna-step-42.txt" == attachment_name(TURN)
    assert read_text(attachment.get_content().encode(), "a").payloads == (Found(TURN.payload, "a"),)
    assert " BASE32 " in attachment.get_content()


def test_lines_end_with_line_feeds_and_are_short() -> None:
    mail = compose(replace(TURN, summary=("ż" * 400,)))
    assert b"\r" not in mail
    assert max(map(len, mail.split(b"\n"))) <= 78


def test_the_same_turn_is_the_same_mail() -> None:
    assert compose(TURN) == compose(replace(TURN))


def test_an_automatic_mail_says_so() -> None:
    mail = compose(replace(TURN, automatic=True))
    assert message_from_bytes(mail)["Auto-Submitted"] == "auto-generated"
    assert [found.automatic for found in read_text(mail, "f").payloads] == [True]


@pytest.mark.plan("A53")
def test_a_mail_that_reads_back_with_another_header_is_not_sent() -> None:
    """No name that we know of leads there: the finished mail is looked at all the same."""
    mail = compose(TURN)
    people, kinds = (TURN.sender, *TURN.receivers), ["multipart/mixed", "text/plain", "text/plain"]
    structure = ("MIME-Version", "Content-Type", "Content-Transfer-Encoding")
    headers = [(name, value) for name, value in message_from_bytes(mail).items() if name not in structure]
    _check(mail, headers, people, kinds)
    for other in (b"Bcc: mallory@example.org\n" + mail, mail.replace(b"text/plain", b"text/html")):
        with pytest.raises(BadRequest) as refused:
            _check(other, headers, people, kinds)
        assert (str(refused.value), refused.value.hint) == (
            "mail.headers: expected a mail that reads back with the headers it was given, got other ones",
            "change the names of the players or of the game",
        )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Łódź 1939", "lodz-1939"),
        ("../../etc/passwd", "etc-passwd"),
        ("x\r\nBcc: mallory@example.org", "x-bcc-mallory-example-or"),
        ("=?utf-8?q?a=0ABcc:_x?=", "utf-8-q-a-0abcc-x"),
        ("作戦", "game"),
        ("a" * 90, "a" * 24),
        ("CON", "con"),
    ],
)
@pytest.mark.plan("A53", "A56")
def test_slug(name: str, expected: str) -> None:
    assert slug(name) == expected


INJECTIONS = [
    "x\r\nBcc: mallory@example.org",
    "x\nBcc: mallory@example.org\n\nbody",
    "=?utf-8?q?x=0D=0ABcc:_mallory@example.org?=",
    "=?utf-8?b?eA0KQmNjOiBtYWxsb3J5QGV4YW1wbGUub3Jn?=",
    "x\u2028Bcc: mallory@example.org",
    "x\x85Bcc: mallory@example.org",
    "x\x0bBcc:\x0c y\x00\x1b[31m",
    '"x" <mallory@example.org>, y',
    "a" * 2_000,
    "\u202etxt.exe",
    "",
]


@pytest.mark.plan("A53")
@pytest.mark.parametrize("text", INJECTIONS)
def test_no_name_adds_a_header_or_a_receiver(text: str) -> None:
    hostile = replace(
        TURN,
        game=text,
        side=text,
        sender=Mailbox(text, "anna@example.org"),
        receivers=(Mailbox(text, "bob@example.org"), Mailbox(text, "eve@example.org")),
    )
    mail = message_from_bytes(compose(hostile), policy=policy.default)
    assert sorted(header_names(compose(hostile))) == sorted(NAMES)
    assert [address.addr_spec for address in mail["To"].addresses] == ["bob@example.org", "eve@example.org"]
    assert [address.addr_spec for address in mail["From"].addresses] == ["anna@example.org"]


@pytest.mark.plan("A53")
@pytest.mark.parametrize(
    "text", [*INJECTIONS, "bob@example.org\nBcc: x@example.org", "bob@", "a b@example.org", "a@b@c"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(BadRequest) as refused:
        compose(replace(TURN, receivers=(Mailbox("Bob", text),)))
    assert refused.value.code == "mail.address"


def test_the_text_of_a_refused_address() -> None:
    with pytest.raises(BadRequest) as refused:
        compose(replace(TURN, receivers=(Mailbox("Bob", "bob\n@example.org"),)))
    assert str(refused.value) == (
        "mail.address: expected the receiver's e-mail address such as anna@example.org, got 'bob\\\\n@example.org'"
    )


@pytest.mark.plan("A53")
@pytest.mark.parametrize(
    "given_id", ["", "step-42@example.org", "<a@b>\nBcc: x@example.org", "<a b@c>", "<>", "<@>", "<"]
)
def test_what_is_no_message_id_is_refused(given_id: str) -> None:
    with pytest.raises(BadRequest) as refused:
        compose(replace(TURN, message_id=given_id))
    shown = given_id.replace("\n", "\\\\n")
    assert str(refused.value) == (f"mail.message_id: expected a Message-ID such as <step-4@example.org>, got '{shown}'")


def test_a_date_without_time_zone_is_refused() -> None:
    with pytest.raises(BadRequest) as refused:
        compose(replace(TURN, date=datetime(2026, 3, 1)))
    assert str(refused.value) == "mail.date: expected a date with a time zone, got one without"


@pytest.mark.plan("A62")
def test_the_summary_is_printable_and_cannot_forge_a_part() -> None:
    mail = compose(replace(TURN, summary=("\x1b[2Jhi\u202e", "--pbem-0\nContent-Type: text/html\n\n<b>")))
    body = message_from_bytes(mail, policy=policy.default).get_body()
    assert body is not None
    assert body.get_content().splitlines()[:2] == ["\\x1b[2Jhi\\u202e", "--pbem-0\\nContent-Type: text/html\\n\\n<b>"]


@pytest.mark.plan("A53")
@settings(max_examples=150, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=80), st.text(max_size=80))
def test_any_text_in_any_name_gives_these_headers_and_this_payload(game: str, side: str, name: str, line: str) -> None:
    mail = compose(replace(TURN, game=game, side=side, sender=Mailbox(name, "anna@example.org"), summary=(line,)))
    assert sorted(header_names(mail)) == sorted(NAMES)
    assert [found.payload for found in read_text(mail, "f").payloads] == [TURN.payload]


@pytest.mark.plan("A53")
@settings(max_examples=200, deadline=None)
@given(
    st.text(st.sampled_from("ab.@-\n\r<>\"',;: ="), max_size=12), st.text(st.sampled_from("<>ab.@-\n "), max_size=12)
)
def test_addresses_and_message_ids_are_refused_or_stand_alone(address: str, message_id: str) -> None:
    for hostile in (
        replace(TURN, receivers=(Mailbox("", address),)),
        replace(TURN, message_id=message_id),
    ):
        try:
            mail = compose(hostile)
        except BadRequest:
            continue
        assert sorted(header_names(mail)) == sorted(NAMES)
