"""What is never answered, and how an answer threads, whatever a mail says."""

from __future__ import annotations

import time
from dataclasses import replace
from email import message_from_bytes, policy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import BadRequest
from pbem.mail import mime
from pbem.mail.message import Mailbox, compose
from pbem.mail.post.manners import MAX_REFERENCES, Thread, replying_to, subject_of, why_not_answered
from pbem.mail.reading import read_text

from .test_message import INJECTIONS, NAMES, TURN, header_names

OWN = ("referee@example.org",)
PLAIN = {"From": "Bob <bob@example.org>", "To": OWN[0], "Message-ID": "<1@example.org>", "Subject": "my turn"}


def mail(body: str = "hi\n", **headers: str | list[str]) -> bytes:
    """A mail with these headers over plain ones; a list makes several of one name, an empty text none."""
    lines = []
    for name, value in {**PLAIN, **{name.replace("_", "-"): value for name, value in headers.items()}}.items():
        lines += [f"{name}: {one}" for one in ([value] if isinstance(value, str) else value) if value]
    return "\n".join((*lines, "", body)).encode()


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Auto_Submitted": "no"},
        {"Auto_Submitted": " No (a person); x=y"},
        {"Return_Path": "<bob@example.org>"},
        {"Precedence": "first-class"},
        {"From": "bob@example.org"},
        {"From": '"Postmaster, retired" <bob@example.org> (at home)'},
        {"From": "=?utf-8?q?Bo=C5=BC?= <bob@example.org>"},
        {"From": "nora@example.org"},
        {"Subject": "Undelivered Mail Returned to Sender"},
    ],
)
def test_a_person_may_be_answered(headers: dict[str, str]) -> None:
    assert why_not_answered(mail(**headers), OWN) == ""


AUTOMATIC = "it says that it was sent automatically (Auto-Submitted)"
NULL = "nobody wants an answer to it (an empty Return-Path)"
MANY = "it went to many (Precedence)"
LIST = "it comes from a mailing list"
REPORT = "it reports on the delivery or reading of another mail"
ROBOT = "another program says that it sent it"
NO_SENDER = "it does not say from which one address it comes"
MACHINE = "it comes from an address behind which nobody reads"
OURS = "it comes from an address of our own"


@pytest.mark.plan("A54")
@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ({"Auto_Submitted": "auto-replied"}, AUTOMATIC),
        ({"Auto_Submitted": "auto-generated; owner-email=x@example.org"}, AUTOMATIC),
        ({"Auto_Submitted": "(no) auto-notified"}, AUTOMATIC),
        ({"Auto_Submitted": "nope"}, AUTOMATIC),
        ({"Auto_Submitted": "(no (not no)) (\\) no) auto-replied"}, AUTOMATIC),
        ({"Auto_Submitted": "(no"}, AUTOMATIC),
        ({"Auto_Submitted": ["no", "auto-replied"]}, AUTOMATIC),
        ({"Auto_Submitted": "\n auto-replied"}, AUTOMATIC),
        ({"aUTO_sUBMITTED": "AUTO-REPLIED"}, AUTOMATIC),
        ({"Return_Path": "<>"}, NULL),
        ({"Return_Path": " < > "}, NULL),
        ({"Return_Path": ["<bob@example.org>", "<>"]}, NULL),
        ({"Precedence": "bulk"}, MANY),
        ({"Precedence": "List"}, MANY),
        ({"Precedence": "junk (vacation)"}, MANY),
        ({"List_Id": "<war.example.org>"}, LIST),
        ({"List_Unsubscribe": "<mailto:x@example.org>"}, LIST),
        ({"Mailing_List": "war@example.org"}, LIST),
        ({"Content_Type": 'multipart/report; report-type=delivery-status; boundary="x"'}, REPORT),
        ({"Content_Type": "Multipart/Report; report-type=disposition-notification"}, REPORT),
        ({"Content_Type": "message/delivery-status"}, REPORT),
        ({"X_Autoreply": "yes"}, ROBOT),
        ({"X_Auto_Response_Suppress": "All"}, ROBOT),
        ({"X_Failed_Recipients": "x@example.org"}, ROBOT),
        ({"From": ""}, NO_SENDER),
        ({"From": ["bob@example.org", "eve@example.org"]}, NO_SENDER),
        ({"From": "bob@example.org, eve@example.org"}, NO_SENDER),
        ({"From": "Bob <bob@example.org>, Eve <eve@example.org>"}, NO_SENDER),
        ({"From": "eve@example.org <bob@example.org>"}, NO_SENDER),
        ({"From": "war: bob@example.org;"}, NO_SENDER),
        ({"From": "<>"}, NO_SENDER),
        ({"From": "MAILER-DAEMON@example.org (Mail Delivery System)"}, MACHINE),
        ({"From": "Postmaster <postmaster@example.org>"}, MACHINE),
        ({"From": "no-reply@example.org"}, MACHINE),
        ({"From": "noreply+12@example.org"}, MACHINE),
        ({"From": "DoNotReply@example.org"}, MACHINE),
        ({"From": "owner-war@example.org"}, MACHINE),
        ({"From": "war-request@example.org"}, MACHINE),
        ({"Return_Path": "<bounces+bob=example.org@example.net>"}, MACHINE),
        ({"Sender": "listserv@example.org"}, MACHINE),
        ({"From": "Bob <Referee@Example.org>"}, OURS),
        ({"Sender": "referee@example.org"}, OURS),
        ({"Return_Path": "<referee@example.org>"}, OURS),
    ],
)
def test_what_no_person_sent_is_not_answered(headers: dict[str, str | list[str]], reason: str) -> None:
    assert why_not_answered(mail(**headers), OWN) == reason
    crlf = mail(**headers).replace(b"\n", b"\r\n")
    assert why_not_answered(crlf, OWN) == reason


@pytest.mark.plan("A54")
@pytest.mark.parametrize(
    "said", ["no", "NO", " no ; x=y", "(by hand) no", "(by (her own) hand) no", "no (auto-replied)", "(\\)) no"]
)
def test_what_says_that_a_person_sent_it_is_answered_and_not_flagged(said: str) -> None:
    """RFC 3834 5 lets comments stand around the word, and RFC 5322 3.2.2 lets them nest."""
    data = mail(Auto_Submitted=said)
    assert (why_not_answered(data, OWN), mime.is_automatic(data)) == ("", False)


@pytest.mark.plan("A54")
def test_our_own_automatic_mails_are_not_answered_and_those_of_a_person_are() -> None:
    assert why_not_answered(compose(replace(TURN, automatic=True)), OWN) == AUTOMATIC
    assert why_not_answered(compose(TURN), OWN) == ""
    assert why_not_answered(compose(TURN), ("anna@example.org",)) == OURS


DSN = """Content-Type: multipart/report; report-type=delivery-status; boundary="cut"
From: Mail Delivery System <MAILER-DAEMON@mx.example.org>
To: referee@example.org
Return-Path: <>
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
In-Reply-To: <step-42@example.org>

--cut
Content-Type: text/plain

I'm sorry to have to inform you that bob@example.org is unknown.

--cut
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; bob@example.org
Action: failed
Status: 5.1.1

--cut--
"""


@pytest.mark.plan("A63", "M38")
def test_a_bounce_that_an_attacker_made_is_an_ignored_mail_and_nothing_else() -> None:
    """It holds no turn file, is not answered, and each of its marks alone is enough."""
    assert why_not_answered(DSN.encode(), OWN) == AUTOMATIC
    reading = read_text(DSN.encode(), "bounce")
    assert (reading.payloads, [error.code for error in reading.damaged]) == ((), ["mail.no_turn_file"])
    marks = ("Content-Type: multipart", "Return-Path", "Auto-Submitted", "From: Mail Delivery")
    lines = DSN.splitlines()
    for mark in marks:
        alone = [line for line in lines if line.startswith(mark) or not line.startswith(marks)]
        assert why_not_answered("\n".join(alone).encode(), OWN) != ""


@pytest.mark.plan("A54")
def test_headers_that_are_too_long_to_read_are_not_answered() -> None:
    """The mark of an automatic mail could stand behind 100 kB of others."""
    long = mail(X_Filler="x" * 100_000, Auto_Submitted="auto-replied")
    assert why_not_answered(long, OWN) == "its headers are longer than 65,536 bytes"
    assert why_not_answered(mail(To=[f"{n}@example.org" for n in range(5000)]), OWN) != ""
    assert why_not_answered(b"no mail at all", OWN) == NO_SENDER


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300) | st.text(st.sampled_from('From: <>@a,"()=?\n\r\t -;no'), max_size=200).map(str.encode))
def test_no_bytes_make_it_raise_and_automatic_mails_are_never_answered(data: bytes) -> None:
    reason = why_not_answered(data, OWN)
    assert reason or not mime.is_automatic(data)
    thread = replying_to(data)
    assert reason or thread.sender


def test_an_answer_threads() -> None:
    first = mail()
    assert replying_to(first) == Thread("bob@example.org", "<1@example.org>", ("<1@example.org>",))
    later = mail(Message_ID=" <3@example.org> ", References="<1@example.org>\n <2@[10.0.0.1]>", In_Reply_To="<2@x>")
    assert replying_to(later) == Thread(
        "bob@example.org", "<3@example.org>", ("<1@example.org>", "<2@[10.0.0.1]>", "<3@example.org>")
    )
    without = mail(In_Reply_To="<2@example.org> <9@example.org>")
    assert replying_to(without).references == ("<2@example.org>", "<1@example.org>")


def test_a_long_thread_keeps_its_first_and_its_last() -> None:
    ids = [f"<{n}@x.org>" for n in range(60)]
    kept = replying_to(mail(References=" ".join(ids), Message_ID="<now@x.org>")).references
    assert kept == (ids[0], *ids[62 - MAX_REFERENCES :], "<now@x.org>")
    assert len(kept) == MAX_REFERENCES


@pytest.mark.plan("A53")
@pytest.mark.parametrize(
    "given_id",
    [
        "<a@b> <c@d>",
        "a@b",
        "<a b@c>",
        "<=?utf-8?q?x=0D=0ABcc:_mallory@example.org?=@x>",
        "<a@b\n Bcc: mallory@example.org>",
        "<a@b>\n\tBcc: mallory@example.org",
        "<a@b\x00>",
        "<a@b\u2028>",
        "<" + "a" * 300 + "@b>",
        "",
    ],
)
def test_an_id_that_is_none_is_no_id(given_id: str) -> None:
    assert replying_to(mail(Message_ID=given_id)).message_id == ""


@pytest.mark.plan("A53")
def test_several_headers_of_one_name_are_none() -> None:
    twice = mail(
        From=["bob@example.org", "eve@example.org"], Message_ID=["<1@x>", "<2@x>"], References=["<3@x>", "<4@x>"]
    )
    assert replying_to(twice) == Thread("", "", ())


@pytest.mark.plan("A53")
@pytest.mark.parametrize("text", INJECTIONS)
def test_nothing_of_a_hostile_mail_adds_a_header_to_its_answer(text: str) -> None:
    hostile = mail(
        Subject=text,
        From=f'"{text}" <bob@example.org>',
        Message_ID=f"<{text}@x>",
        References=f"<{text}@y> {text} <0@x>",
        In_Reply_To=text,
    )
    thread = replying_to(hostile)
    answer = compose(replace(TURN, in_reply_to=thread.message_id, references=thread.references, automatic=True))
    known = {*NAMES, "Auto-Submitted", "In-Reply-To", "References"}
    assert set(header_names(answer)) <= known
    assert len(header_names(answer)) == len(set(header_names(answer)))
    read = message_from_bytes(answer, policy=policy.default)
    assert [one.addr_spec for name in ("From", "To") for one in read[name].addresses] == [
        "anna@example.org",
        "bob@example.org",
    ]


@pytest.mark.plan("A53")
@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60), st.lists(st.text(st.sampled_from("<>=?ab@. \n\r"), max_size=12), max_size=4))
def test_whatever_threads_reads_back_or_is_refused(message_id: str, references: list[str]) -> None:
    hostile = replace(TURN, in_reply_to=message_id, references=tuple(references))
    try:
        answer = compose(hostile)
    except BadRequest:
        return
    read = message_from_bytes(answer, policy=policy.default)
    assert str(read.get("In-Reply-To", "")) == message_id
    assert str(read.get("References", "")).split() == references


@pytest.mark.plan("A53")
def test_hostile_headers_cost_little() -> None:
    texts = [
        "(" * 50_000,
        '"' * 50_000,
        '"\\' * 25_000,
        "<" * 50_000,
        "<a" * 25_000,
        " " * 50_000,
        "a@" * 25_000,
        "=?" * 9_000,
    ]
    started = time.process_time()
    for text in texts:
        data = mail(From=text, Message_ID=text, References=text, Auto_Submitted=text)
        assert why_not_answered(data, OWN) != ""
        replying_to(mail(From=text, Message_ID=text, References=text))
    assert time.process_time() - started < 5


def test_an_answer_as_a_whole() -> None:
    thread = replying_to(mail(References="<0@example.org>"))
    turn = replace(TURN, receivers=(Mailbox("Bob", thread.sender),))
    answer = compose(replace(turn, in_reply_to=thread.message_id, references=thread.references))
    plain = compose(turn)
    added = b"In-Reply-To: <1@example.org>\nReferences: <0@example.org>\n <1@example.org>\n"
    assert answer == plain.replace(
        b"Message-ID: <pbem-42-polish@example.org>\n", b"Message-ID: <pbem-42-polish@example.org>\n" + added
    )


def test_the_text_of_a_refused_id() -> None:
    with pytest.raises(BadRequest) as refused:
        compose(replace(TURN, references=("<a@b>\nBcc: x@example.org",)))
    assert str(refused.value) == (
        "mail.message_id: expected a Message-ID in angle brackets, got '<a@b>\\\\nBcc: x@example.org'"
    )


def test_a_subject_is_read_or_stands_as_it_is() -> None:
    for header, read in (
        ("=?utf-8?q?Caf=C3=A9?=", "Café"),
        ("=?no-such?b?AAAA?=", "=?no-such?b?AAAA?="),
        ("a\n b", "a b"),
    ):
        assert subject_of(f"Subject: {header}\n\n".encode()) == read
    assert subject_of(b"Subject: a\nSubject: b\n\n") == subject_of(b"\n") == ""
