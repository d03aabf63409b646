"""The whole way of a mail: out through SMTP, through Postfix, into Dovecot, and in through IMAP."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.mail.message import compose
from pbem.mail.post.manners import replying_to, why_not_answered
from pbem.mail.post.opening import open_inbox, open_outgoing
from pbem.mail.post.secrets import Secrets
from pbem.mail.reading import Found, read_text

from .conftest import Daemons
from .post_servers import PASSWORD, USER, Certificate, SmtpServer
from .test_message import TURN

SECRETS = Secrets({"PBEM_MAIL_PASSWORD": PASSWORD}, keyring=lambda *_: None)


@pytest.mark.plan("A54", "C9")
def test_a_turn_goes_all_the_way_and_is_handled_once(dovecot: Daemons, postfix: SmtpServer, files: Certificate) -> None:
    dovecot.imap.empty()
    url = f"imaps://{USER}@localhost:{dovecot.imap.tls_port}"
    inbox = open_inbox(url, SECRETS, tls=files.trusting())
    way = open_outgoing(postfix.url(user=USER, options="?starttls=yes"), SECRETS, tls=files.trusting())
    turns = (TURN, replace(TURN, automatic=True, in_reply_to=TURN.message_id, references=(TURN.message_id,)))
    for turn, sender, reason in (
        (turns[0], "anna@example.org", ""),
        (turns[1], "", "it says that it was sent automatically (Auto-Submitted)"),
    ):
        assert list(inbox.letters(10)) == []
        way.send(compose(turn), sender, ["bob@example.org"])
        inbox.wait(60)
        (letter,) = inbox.letters(10)
        assert read_text(letter.data, "letter").payloads == (
            Found(TURN.payload, "letter, text", automatic=turn.automatic),
        )
        assert why_not_answered(letter.data, ["bob@example.org"]) == reason
        assert replying_to(letter.data).message_id == TURN.message_id
        assert letter.data.startswith(f"Return-Path: <{sender}>\r\n".encode())
        inbox.done(letter)
    inbox.close()
    assert list(inbox.letters(10)) == []
    inbox.close()
    way.close()
