"""The way out through an SMTP server: one in this process, and Postfix where it is installed."""

from __future__ import annotations

import base64
import logging
import ssl
from collections.abc import Callable, Iterator, Sequence

import pytest

from pbem.mail.post.opening import open_outgoing
from pbem.mail.post.port import Outgoing, PostFault, Undeliverable
from pbem.mail.post.secrets import Secrets

from .post_servers import PASSWORD, USER, Certificate, Postman, Relay, SmtpServer, smtp_server
from .test_post_imap import everything, logged

MAIL = b"""From: anna@example.org
To: bob@example.org
Date: Sun, 01 Mar 2026 12:00:00 +0000
Message-ID: <hi@example.org>

first
.
..dots
"""
WIRE = MAIL.replace(b"\n", b"\r\n")
SECRETS = Secrets({"PBEM_SMTP_PASSWORD": PASSWORD}, keyring=lambda *_: None)
STARTTLS = "?starttls=yes"


WAYS: list[Outgoing] = []


def opened(url: str, secrets: Secrets, tls: ssl.SSLContext | None = None) -> Outgoing:
    """A way out that is closed after the test, however it ends."""
    WAYS.append(open_outgoing(url, secrets, tls=tls))
    return WAYS[-1]


@pytest.fixture(autouse=True)
def closing() -> Iterator[None]:
    yield
    while WAYS:
        WAYS.pop().close()


def fault(deed: Callable[[], object]) -> PostFault:
    with pytest.raises(PostFault) as failed:
        deed()
    return failed.value


def sending(way: Outgoing, *receivers: str, sender: str = "anna@example.org") -> Callable[[], None]:
    return lambda: way.send(MAIL, sender, [f"{name}@example.org" for name in receivers])


def fates(error: PostFault | Undeliverable) -> dict[str, Sequence[str]]:
    """Whom it says to have the mail, never to get it, and to be tried again."""
    found = {"delivered": error.delivered, "refused": error.refused, "postponed": getattr(error, "postponed", ())}
    return {fate: [one.partition("@")[0] for one in people] for fate, people in found.items() if people}


@pytest.fixture
def postman() -> Postman:
    return Postman()


def test_a_mail_arrives_as_it_is(smtp: SmtpServer) -> None:
    way = opened(smtp.url(), SECRETS)
    way.send(MAIL, "anna@example.org", ["bob@example.org"])
    assert smtp.received(1) == [("anna@example.org", ("bob@example.org",), WIRE)]


def test_an_automatic_reply_has_the_null_return_path(smtp: SmtpServer) -> None:
    way = opened(smtp.url(), SECRETS)
    way.send(MAIL, "", ["bob@example.org"])
    assert smtp.received(1) == [("", ("bob@example.org",), WIRE)]


@pytest.mark.plan("A53")
def test_a_lone_line_end_does_not_end_the_mail(smtp: SmtpServer) -> None:
    """SMTP smuggling: a dot between lone line feeds or carriage returns, and a second mail behind it."""
    hidden = b"\n.\nMAIL FROM:<x@example.org>\n\r.\rRCPT TO:<eve@example.org>\r\r\n.\rDATA\n"
    way = opened(smtp.url(), SECRETS)
    way.send(MAIL + hidden, "anna@example.org", ["bob@example.org"])
    ((_, receivers, data),) = smtp.received(1)
    assert receivers == ("bob@example.org",)
    tail = b"\r\n.\r\nMAIL FROM:<x@example.org>\r\n\r\n.\r\nRCPT TO:<eve@example.org>\r\n\r\n.\r\nDATA\r\n"
    assert data == WIRE + tail


@pytest.mark.parametrize(
    ("receivers", "error", "expected"),
    [
        (["never"], Undeliverable, {"refused": ["never"]}),
        (["later"], PostFault, {"postponed": ["later"]}),
        (["many"], PostFault, {"postponed": ["many"]}),
        (["login"], PostFault, {"postponed": ["login"]}),
        (["never", "later"], PostFault, {"refused": ["never"], "postponed": ["later"]}),
    ],
)
def test_nobody_takes_it(
    smtp: SmtpServer, receivers: list[str], error: type[Exception], expected: dict[str, list[str]]
) -> None:
    with pytest.raises((PostFault, Undeliverable)) as failed:
        sending(opened(smtp.url(), SECRETS), *receivers)()
    assert type(failed.value) is error
    assert fates(failed.value) == expected
    assert smtp.received(0) == []


@pytest.mark.parametrize(
    ("receivers", "error", "expected"),
    [
        (["bob", "never"], Undeliverable, {"delivered": ["bob"], "refused": ["never"]}),
        (["later", "bob"], PostFault, {"delivered": ["bob"], "postponed": ["later"]}),
        (["bob", "later", "never"], PostFault, {"delivered": ["bob"], "refused": ["never"], "postponed": ["later"]}),
    ],
)
def test_some_take_it(
    smtp: SmtpServer, receivers: list[str], error: type[Exception], expected: dict[str, list[str]]
) -> None:
    with pytest.raises((PostFault, Undeliverable)) as failed:
        sending(opened(smtp.url(), SECRETS), *receivers)()
    assert type(failed.value) is error
    assert fates(failed.value) == expected
    assert [mail[1] for mail in smtp.received(1)] == [("bob@example.org",)]


@pytest.mark.parametrize(
    ("receiver", "said"),
    [
        (
            "never",
            "post.refused: expected smtp://localhost:{} to take the mail for never@example.org, "
            "got '550 5.1.1 nobody of that name'",
        ),
        (
            "later",
            "post.postponed: expected smtp://localhost:{} to take the mail for later@example.org, "
            "got '450 4.2.0 try again later'",
        ),
    ],
)
def test_the_whole_text_of_a_refusal(postman: Postman, receiver: str, said: str) -> None:
    with smtp_server(postman) as server, pytest.raises((PostFault, Undeliverable)) as failed:
        sending(opened(server.url(), SECRETS), receiver)()
    assert (str(failed.value), failed.value.hint) == (said.format(server.port), "")


@pytest.mark.parametrize(
    ("verdict", "error"),
    [("554 5.6.0 no", Undeliverable), ("451 4.3.0 busy", PostFault), ("530 5.7.0 log in", PostFault)],
)
def test_the_mail_as_such_is_refused(postman: Postman, verdict: str, error: type[Exception]) -> None:
    postman.verdict = verdict
    with smtp_server(postman) as server:
        way = opened(server.url(), SECRETS)
        with pytest.raises((PostFault, Undeliverable)) as failed:
            sending(way, "bob", "eve")()
        assert type(failed.value) is error
        assert list(fates(failed.value).values()) == [["bob", "eve"]]
        postman.verdict = "250 OK"
        sending(way, "bob")()
    assert len(postman.mails) == 1


def test_too_large_a_mail_is_refused_for_ever(postman: Postman) -> None:
    with smtp_server(postman, data_size_limit=1000) as server, pytest.raises(Undeliverable) as failed:
        opened(server.url(), SECRETS).send(MAIL * 100, "anna@example.org", ["bob@example.org"])
    assert fates(failed.value) == {"refused": ["bob"]}


@pytest.mark.plan("A53")
@pytest.mark.parametrize(
    ("sender", "receivers", "said"),
    [
        (
            "anna@example.org",
            ["bob@example.org>\r\nRCPT TO:<eve@example.org"],
            "post.address: expected the receiver's e-mail address such as anna@example.org, got "
            "'bob@example.org>\\\\r\\\\nRCPT TO:<eve@example.org'",
        ),
        (
            "anna@example.org> BODY=8BITMIME\r\nRCPT TO:<eve@example.org",
            ["bob@example.org"],
            "post.address: expected the sender's e-mail address such as anna@example.org, got "
            "'anna@example.org> BODY=8BITMIME\\\\r\\\\nRCPT TO:<eve@example.org'",
        ),
        (
            "anna@example.org",
            ["bob@example.org", ""],
            "post.address: expected the receiver's e-mail address such as anna@example.org, got ''",
        ),
        ("anna@example.org", [], "post.address: expected a receiver, got none"),
    ],
)
def test_an_envelope_that_is_none_reaches_no_server(sender: str, receivers: list[str], said: str) -> None:
    way = opened("smtp://localhost:1", SECRETS)
    with pytest.raises(Undeliverable) as failed:
        way.send(MAIL, sender, receivers)
    assert str(failed.value) == said


def test_a_server_that_is_away(postman: Postman) -> None:
    with smtp_server(postman) as server, Relay(server.port, closed=True) as relay:
        way = opened(server.url(relay.port), SECRETS)
        told = fault(sending(way, "bob"))
        assert (told.code, fates(told)) == ("post.unreachable", {"postponed": ["bob"]})
        relay.closed = False
        sending(way, "bob")()
    assert len(postman.mails) == 1


def test_the_connection_is_kept_and_opened_again_when_it_was_lost(smtp: SmtpServer) -> None:
    with Relay(smtp.port) as relay:
        way = opened(smtp.url(relay.port), SECRETS)
        sending(way, "bob")()
        sending(way, "bob")()
        assert relay.opened == 1
        relay.cut()
        sending(way, "bob")()
        assert relay.opened == 2
    assert len(smtp.received(3)) == 3


@pytest.mark.plan("C10")
def test_an_answer_that_is_lost_after_the_mail_is_tried_again(smtp: SmtpServer) -> None:
    """The mail may be there twice, and is never lost."""

    def deaf(data: bytes) -> bytes:
        if b"\r\n.\r\n" in relay.heard:
            relay.cut()
        return data

    with Relay(smtp.port, to_client=deaf) as relay:
        way = opened(smtp.url(relay.port), SECRETS)
        told = fault(sending(way, "bob"))
        assert (str(told), fates(told)) == (
            f"post.lost: expected smtp://localhost:{relay.port} to stay connected, "
            "got 'Connection unexpectedly closed'",
            {"postponed": ["bob"]},
        )
        relay.heard.clear()
        relay.to_client = bytes
        sending(way, "bob")()
    assert len(smtp.received(2)) == 2


def test_starttls_and_a_login(smtp: SmtpServer, files: Certificate) -> None:
    with Relay(smtp.port) as relay:
        way = opened(smtp.url(relay.port, USER, STARTTLS), SECRETS, tls=files.trusting())
        sending(way, "bob")()
        assert b"STARTTLS" in relay.heard
        assert b"AUTH" not in relay.heard
    assert len(smtp.received(1)) == 1


def test_tls_from_the_first_byte(smtp: SmtpServer, files: Certificate) -> None:
    with Relay(smtp.port, tls=files.serving()) as relay:
        way = opened(f"smtps://localhost:{relay.port}", SECRETS, tls=files.trusting())
        sending(way, "bob")()
    assert len(smtp.received(1)) == 1


@pytest.mark.parametrize("options", ["", STARTTLS])
def test_a_certificate_that_is_not_trusted(smtp: SmtpServer, files: Certificate, options: str) -> None:
    with Relay(smtp.port, tls=None if options else files.serving()) as relay:
        url = smtp.url(relay.port, USER, options) if options else f"smtps://{USER}@localhost:{relay.port}"
        told = fault(sending(opened(url, SECRETS), "bob"))
        assert (str(told), told.hint) == (
            f"post.certificate: expected {url.removesuffix(STARTTLS)} to show a certificate of its name that this "
            "machine trusts, got 'self-signed certificate'",
            "SSL_CERT_FILE in the environment can name a file with the authority of your own server",
        )
        assert b"AUTH" not in relay.heard
    assert smtp.received(0) == []


def test_a_server_that_hides_starttls_gets_no_password(smtp: SmtpServer, files: Certificate) -> None:
    with Relay(smtp.port, to_client=lambda data: data.replace(b"STARTTLS", b"XXXXXXXX")) as relay:
        told = fault(sending(opened(smtp.url(relay.port, USER, STARTTLS), SECRETS, tls=files.trusting()), "bob"))
        assert str(told) == (
            f"post.starttls: expected smtp://anna@localhost:{relay.port} to offer STARTTLS, got a server without"
        )
        assert b"AUTH" not in relay.heard


def test_another_password_is_refused_and_never_told(
    smtp: SmtpServer, files: Certificate, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    secret = "hunter2-wrong"
    way = opened(smtp.url(user=USER, options=STARTTLS), Secrets({"PBEM_MAIL_PASSWORD": secret}), tls=files.trusting())
    told = fault(sending(way, "bob"))
    assert (str(told), told.hint) == (
        f"post.login: expected smtp://anna@localhost:{smtp.port} to take the login, got a refusal 535",
        "check the user and the password; many providers want one that is made for this program (app password)",
    )
    assert fates(told) == {"postponed": ["bob"]}
    assert secret not in everything(told) + logged(caplog) + repr(way)


@pytest.mark.parametrize("encoded", [False, True])
def test_a_server_that_repeats_the_password_is_not_repeated(
    postman: Postman, files: Certificate, encoded: bool
) -> None:
    """Here it repeats what it heard at the login when it refuses the mail."""
    spelt = base64.b64encode(f"\0{USER}\0{PASSWORD}".encode()).decode() if encoded else "Ł-5ecret for anna"
    postman.verdict = f"554 I know you, {spelt}"
    with smtp_server(postman, files.serving(), enable_SMTPUTF8=True) as server:
        way = opened(server.url(user=USER, options=STARTTLS), SECRETS, tls=files.trusting())
        with pytest.raises(Undeliverable) as failed:
            sending(way, "bob")()
    assert str(failed.value) == (
        f"post.refused: expected smtp://anna@localhost:{server.port} to take the mail for bob@example.org, got '554 an "
        "answer that is not shown, since it may repeat the password'"
    )
    assert "5ecret" not in everything(failed.value)
    assert spelt not in everything(failed.value)
