"""Addresses of boxes, and passwords that are in none of them."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import BadRequest
from pbem.mail.post.address import MaildirAddress, Security, ServerAddress, parse
from pbem.mail.post.opening import open_inbox, open_outgoing
from pbem.mail.post.secrets import Secrets, redacted, system_keyring

TLS, STARTTLS, OPEN = Security.TLS, Security.STARTTLS, Security.OPEN
NOBODY = Secrets({}, keyring=lambda *_: None)


@pytest.mark.parametrize(
    ("text", "expected", "shown"),
    [
        ("maildir:/var/mail/a%20b", MaildirAddress(Path("/var/mail/a b")), "maildir:/var/mail/a b"),
        (" maildir:///box\n", MaildirAddress(Path("/box")), "maildir:/box"),
        (
            "imaps://anna@host",
            ServerAddress("imap", TLS, "anna", "host", 993, "INBOX"),
            "imaps://anna@host:993/INBOX",
        ),
        (
            "IMAPS://anna@example.org@host:1993/Games/2026",
            ServerAddress("imap", TLS, "anna@example.org", "host", 1993, "Games/2026"),
            "imaps://anna%40example.org@host:1993/Games/2026",
        ),
        (
            "imap://anna@host/%C5%81?starttls=yes&done=Old%20ones&aside=Odd",
            ServerAddress("imap", STARTTLS, "anna", "host", 143, "Ł", "Old ones", "Odd"),
            "imap://anna@host:143/%C5%81",
        ),
        (
            "imap://anna@[::1]:1143",
            ServerAddress("imap", OPEN, "anna", "::1", 1143, "INBOX"),
            "imap://anna@[::1]:1143/INBOX",
        ),
        ("smtps://anna@host", ServerAddress("smtp", TLS, "anna", "host", 465), "smtps://anna@host:465"),
        (
            "smtp://anna@host/?starttls=yes",
            ServerAddress("smtp", STARTTLS, "anna", "host", 587),
            "smtp://anna@host:587",
        ),
        ("smtp://localhost", ServerAddress("smtp", OPEN, "", "localhost", 25), "smtp://localhost:25"),
        ("smtp://127.8.0.1:2525", ServerAddress("smtp", OPEN, "", "127.8.0.1", 2525), "smtp://127.8.0.1:2525"),
    ],
)
def test_what_is_read(text: str, expected: object, shown: str) -> None:
    assert parse(text) == expected
    assert str(parse(text)) == shown


BOX = "post.address: expected as the address of a box"
EXAMPLES = (
    "for example maildir:/home/anna/Maildir, imaps://anna@imap.example.org/INBOX or smtps://anna@smtp.example.org"
)
NO_PASSWORD = "leave the password out of the address: set PBEM_MAIL_PASSWORD in the environment, or use a keyring"
SCHEME = f"{BOX} one that begins with maildir:, imaps://, imap://, smtps:// or smtp://, got another one"
WHOLE = f"{BOX} a whole path after maildir:, which begins with /, got another one"
PORT = f"{BOX} a port from 1 to 65535 after the host, got another one"
PLAIN = f"{BOX} one without blanks, # and letters beyond ASCII, got one with"


def private(host: str) -> str:
    return f"post.not_private: expected a private connection to '{host}', got one that anybody on the way can read"


def instead(protocol: str) -> str:
    return f"write {protocol}s://… or add ?starttls=yes; only this machine is spoken to in the open"


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        ("", SCHEME, EXAMPLES),
        ("/var/mail", SCHEME, EXAMPLES),
        ("pop3://anna@host", SCHEME, EXAMPLES),
        ("maildir:box", WHOLE, EXAMPLES),
        ("maildir:~/box", WHOLE, EXAMPLES),
        ("maildir:/b%00x", WHOLE, EXAMPLES),
        (
            "imaps://host/INBOX",
            f"{BOX} who logs in, before the host, got nobody",
            "for example imaps://anna@imap.example.org/INBOX",
        ),
        ("imaps://anna@/INBOX", f"{BOX} a host name after the double slash, got none", EXAMPLES),
        ("imaps://anna@host:0", PORT, NO_PASSWORD),
        ("imaps://anna@host:99999", PORT, NO_PASSWORD),
        ("imaps://anna@host:x", PORT, NO_PASSWORD),
        ("imaps://anna@[::1", f"{BOX} a host name after the double slash, got none that can be read", EXAMPLES),
        ("imaps://anna@host/a%0D%0Ab", f"{BOX} a folder that can be printed, got one that cannot", EXAMPLES),
        ("imaps://a%0Ab@host", f"{BOX} a user that can be printed, got one that cannot", EXAMPLES),
        ("imaps://anna@host/a\tb", PLAIN, "write them as %20, %23 …"),
        ("imaps://anna@höst", PLAIN, "write them as %20, %23 …"),
        (
            "imaps://anna@host?starttls=yes",
            f"{BOX} after the question mark done or aside, got another word",
            NO_PASSWORD,
        ),
        (
            "smtp://host?done=x&starttls=yes",
            f"{BOX} after the question mark starttls, got another word",
            NO_PASSWORD,
        ),
        ("imap://anna@host?starttls=maybe", f"{BOX} starttls=yes or starttls=no, got another value", EXAMPLES),
        ("smtps://host/INBOX", f"{BOX} nothing after the host of a mail server, got a path", EXAMPLES),
        ("imap://anna@host", private("host"), instead("imap")),
        ("smtp://anna@host", private("host"), instead("smtp")),
        ("smtp://host", private("host"), instead("smtp")),
        ("smtp://host?starttls=no", private("host"), instead("smtp")),
        ("smtp://localhost.example.org", private("localhost.example.org"), instead("smtp")),
        (
            "imaps://anna:hunter2@host",
            "post.password_in_address: expected an address without a password, got one with",
            NO_PASSWORD,
        ),
    ],
)
def test_what_is_refused(text: str, said: str, hint: str) -> None:
    with pytest.raises(BadRequest) as refused:
        parse(text)
    assert (str(refused.value), refused.value.hint) == (said, hint)


@pytest.mark.parametrize(
    "text",
    [
        "imaps://anna:hunter2@host/INBOX",
        "smtps://anna:@hunter2@host",
        "imaps://anna:hunter2/x@host",
        "imaps://anna:12/hunter2@host",
        "imaps://anna:hunter2?x@host",
        "imaps://anna:hunter2#x@host",
        "imaps://anna:12#hunter2@host",
        "imaps://anna@host?password=hunter2",
        "imaps://anna@host?hunter2=x",
        "anna:hunter2@host",
        "imap:anna:hunter2@host",
        "imaps://hunter2 x:@host",
    ],
)
def test_a_password_in_an_address_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(BadRequest) as refused:
        parse(text)
    assert "hunter2" not in str(refused.value) + refused.value.hint


@given(
    st.text(max_size=60) | st.text(st.sampled_from("imaps://:@?#[]%0Aanna.host"), max_size=40).map("imaps://".__add__)
)
def test_any_text_is_an_address_or_refused(text: str) -> None:
    try:
        address = parse(text)
    except BadRequest:
        return
    assert str(address).isprintable()


def test_a_box_and_a_way_out_are_not_the_same() -> None:
    told = []
    for deed, url in ((open_inbox, "smtps://host"), (open_outgoing, "imaps://anna@host")):
        with pytest.raises(BadRequest) as refused:
            deed(url, NOBODY)
        told.append(str(refused.value))
    assert told == [
        "post.address: expected an inbox (maildir:, imaps:// or imap://), got smtps://host:465",
        "post.address: expected a way out (maildir:, smtps:// or smtp://), got imaps://anna@host:993/INBOX",
    ]


def test_passwords_come_from_the_environment_first() -> None:
    imap, smtp = parse("imaps://anna@in.example.org"), parse("smtps://anna@out.example.org")
    assert isinstance(imap, ServerAddress)
    assert isinstance(smtp, ServerAddress)
    environment = {"PBEM_IMAP_PASSWORD": "one", "PBEM_MAIL_PASSWORD": "two"}
    kept = {("pbem", "anna@in.example.org"): "three", ("pbem", "anna@out.example.org"): "four"}

    def found(environment: dict[str, str]) -> list[str]:
        secrets = Secrets(environment, keyring=lambda *names: kept.get(names))
        return [secrets.password(address).get_secret_value() for address in (imap, smtp)]

    assert found(environment) == ["one", "two"]
    assert found({}) == found({"PBEM_MAIL_PASSWORD": ""}) == ["three", "four"]


def test_no_password_anywhere() -> None:
    with pytest.raises(BadRequest) as refused:
        open_inbox("imaps://anna@host", NOBODY)
    assert (str(refused.value), refused.value.hint) == (
        "post.no_password: expected a password for imaps://anna@host:993/INBOX, got none in PBEM_IMAP_PASSWORD, "
        "PBEM_MAIL_PASSWORD and the keyring",
        "set PBEM_MAIL_PASSWORD, or install pbem[keyring] and run: keyring set pbem anna@host",
    )


def test_no_box_and_no_way_shows_its_password() -> None:
    secrets = Secrets({"PBEM_MAIL_PASSWORD": "hunter2"})
    boxes = (open_inbox("imaps://anna@host", secrets), open_outgoing("smtps://anna@host", secrets), secrets)
    assert "hunter2" not in "".join(f"{box!r}{box}" for box in boxes)


def test_the_keyring_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert system_keyring("pbem", "anna@host") is None


def test_a_keyring_that_is_locked_holds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class KeyringError(Exception):
        pass

    def locked(service: str, account: str) -> str:
        if account == "bob@host":
            return f"of {account} for {service}"
        raise KeyringError("the keyring is locked")

    ring, errors = ModuleType("keyring"), ModuleType("keyring.errors")
    ring.get_password, errors.KeyringError = locked, KeyringError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", ring)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)
    assert system_keyring("pbem", "anna@host") is None
    assert system_keyring("pbem", "bob@host") == "of bob@host for pbem"


def test_what_a_server_says_is_shown_unless_it_may_hold_the_password() -> None:
    secret = Secrets({"PBEM_MAIL_PASSWORD": 'a"b\\c-hunter2'}).password(ServerAddress("imap", TLS, "anna", "host", 993))
    unshown = "an answer that is not shown, since it may repeat the password"
    assert redacted("550 no such user", secret) == "550 no such user"
    assert redacted("550 hunter2", None) == "550 hunter2"
    for text in (
        'NO a"b\\c-hunter2',
        'LOGIN anna "a\\"b\\\\c-hunter2"',
        "you began hunte",
        "AGFubmEAYSJiXGMtaHVudGVyMg==",
    ):
        assert redacted(text, secret) == unshown
