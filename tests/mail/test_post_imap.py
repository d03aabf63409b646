"""The box on an IMAP server: one in this process, and Dovecot where it is installed."""

from __future__ import annotations

import base64
import logging
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from threading import Thread

import pytest

from pbem.mail.post import imap as box
from pbem.mail.post.imap import ImapInbox
from pbem.mail.post.opening import open_inbox
from pbem.mail.post.port import Letter, PostFault
from pbem.mail.post.secrets import Secrets
from pbem.mail.reading import Note

from .post_servers import PASSWORD, USER, Certificate, ImapServer, Relay, pymap_server

LETTERS = [f"From: bob@example.org\r\nSubject: {n}\r\n\r\nletter {n}\r\n".encode() for n in range(4)]
SECRETS = Secrets({"PBEM_MAIL_PASSWORD": PASSWORD}, keyring=lambda *_: None)
ARRIVED = 1_772_366_400
"""2026-03-01 12:00 UTC, as `ImapServer.put` says."""


@dataclass
class Table:
    """A server, and boxes opened on it; `told` collects their remarks."""

    server: ImapServer
    told: list[Note] = field(default_factory=list)
    boxes: list[ImapInbox] = field(default_factory=list)

    def open(self, port: int = 0, folder: str = "INBOX", options: str = "", scheme: str = "imap") -> ImapInbox:
        url = self.server.url(port, folder, options).replace("imap", scheme, 1)
        inbox = open_inbox(url, SECRETS, tell=self.told.append)
        assert isinstance(inbox, ImapInbox)
        self.boxes.append(inbox)
        return inbox


@pytest.fixture
def table(imap: ImapServer) -> Iterator[Table]:
    table = Table(imap)
    yield table
    for inbox in table.boxes:
        inbox.close()


def bodies(inbox: ImapInbox, at_most: int = 10) -> list[bytes]:
    return [letter.data for letter in inbox.letters(at_most)]


def fault(deed: Callable[[], object]) -> PostFault:
    with pytest.raises(PostFault) as failed:
        deed()
    return failed.value


def test_letters_come_oldest_first_with_their_bytes_and_time(table: Table) -> None:
    table.server.put(*LETTERS)
    letters = list(table.open().letters(3))
    assert [letter.data for letter in letters] == LETTERS[:3]
    assert {letter.arrived for letter in letters} == {ARRIVED}
    assert table.server.flags() == [set()] * 4
    assert "letter 0" not in repr(letters)


def test_done_is_seen_and_marked_as_handled(table: Table) -> None:
    table.server.put(*LETTERS[:2])
    inbox = table.open()
    for letter in inbox.letters(1):
        inbox.done(letter)
    marks = {box.SEEN, box.DONE} if table.server.keywords else {box.SEEN}
    assert table.server.flags() == [marks, set()]
    assert bodies(inbox) == bodies(table.open()) == [LETTERS[1]]


@pytest.mark.plan("C9")
def test_what_was_not_marked_when_its_reader_died_is_offered_again(table: Table) -> None:
    table.server.put(*LETTERS[:2])
    dying = table.open()
    letters = dying.letters(10)
    dying.done(next(letters))
    next(letters)
    assert dying._session is not None
    dying._session.drop()
    assert bodies(table.open()) == [LETTERS[1]]


@pytest.mark.plan("C9")
def test_a_letter_read_by_a_person_first_is_not_lost(table: Table) -> None:
    table.server.put(LETTERS[0])
    with table.server.person() as person:
        person.add_flags(person.search(), [box.SEEN])
    assert bodies(table.open()) == ([LETTERS[0]] if table.server.keywords else [])


def test_set_aside_is_kept_and_shown_to_a_person(table: Table) -> None:
    table.server.put(*LETTERS[:2])
    inbox = table.open()
    inbox.set_aside(next(inbox.letters(1)))
    marks = {box.ASIDE} if table.server.keywords else {box.SEEN, box.FLAGGED}
    assert table.server.flags() == [marks, set()]
    assert bodies(inbox) == bodies(table.open()) == [LETTERS[1]]


def test_a_letter_that_is_left_stays_unread(table: Table) -> None:
    table.server.put(*LETTERS[:2])
    inbox = table.open()
    inbox.leave(next(inbox.letters(1)))
    assert table.server.flags() == [{box.LEFT} if table.server.keywords else set(), set()]
    assert bodies(inbox) == [LETTERS[1]]
    assert bodies(table.open()) == (LETTERS[1:2] if table.server.keywords else LETTERS[:2])


def test_a_letter_that_was_left_is_offered_again(table: Table) -> None:
    table.server.put(*LETTERS[:2])
    inbox = table.open()
    letter = next(inbox.letters(1))
    inbox.leave(letter)
    inbox.offer(letter.handle)
    inbox.offer("1/999999")
    assert table.server.flags() == [set(), set()]
    assert sorted(bodies(inbox)) == sorted(bodies(table.open())) == sorted(LETTERS[:2])


def test_letters_that_were_offered_in_vain_come_last(table: Table) -> None:
    table.server.put(*LETTERS)
    inbox = table.open()
    assert [bodies(inbox, 1)[0] for _ in range(6)] == [*LETTERS, *LETTERS[:2]]


@pytest.mark.plan("C9")
def test_a_letter_that_is_expunged_meanwhile_is_passed_over(table: Table) -> None:
    table.server.put(*LETTERS)
    inbox = table.open()
    letters = inbox.letters(10)
    first = next(letters)
    with table.server.person() as person:
        person.delete_messages(person.search()[:2])
        person.expunge()
    inbox.done(first)
    assert [letter.data for letter in letters] == LETTERS[2:]
    inbox.set_aside(first)
    assert table.server.flags() == [set(), set()]


@pytest.mark.plan("C9")
def test_after_a_change_of_uidvalidity_no_other_letter_is_marked(table: Table) -> None:
    table.server.put(*LETTERS[:2], folder="Games")
    inbox = table.open(folder="Games")
    old = list(inbox.letters(10))
    with table.server.person() as person:
        person.delete_folder("Games")
    table.server.put(*LETTERS[2:], folder="Games")
    inbox.close()
    inbox.done(old[0])
    inbox.set_aside(old[1])
    inbox.leave(old[1])
    assert table.server.flags("Games") == [set(), set()]
    new = list(inbox.letters(10))
    assert [letter.data for letter in new] == LETTERS[2:]
    assert {letter.handle for letter in new}.isdisjoint(letter.handle for letter in old)
    assert table.told == [
        Note("post.renumbered", str(inbox.address), "its letters have new numbers and are offered anew")
    ]


def test_too_large_a_letter_is_set_aside_before_its_body_is_fetched(table: Table) -> None:
    table.server.put(LETTERS[0], LETTERS[1] + b"x" * 1000, LETTERS[2])
    with Relay(table.server.port) as relay:
        inbox = table.open(relay.port)
        inbox.limit = 1000
        assert bodies(inbox, 2) == [LETTERS[0], LETTERS[2]]
        assert relay.heard.count(b"BODY.PEEK[]<0.1001>") == 2
    size = len(LETTERS[1]) + 1000
    assert [(note.code, note.text) for note in table.told] == [
        ("post.too_large", f"set aside: {size:,} bytes are more than 1,000")
    ]
    assert table.server.flags()[1] == ({box.ASIDE} if table.server.keywords else {box.SEEN, box.FLAGGED})


def test_a_size_that_is_told_too_small_does_not_make_us_read_more(table: Table) -> None:
    table.server.put(LETTERS[1] + b"x" * 100_000)
    with Relay(table.server.port, to_client=lambda data: data.replace(b"RFC822.SIZE 1000", b"RFC822.SIZE 1")) as relay:
        inbox = table.open(relay.port)
        inbox.limit = 1000
        assert bodies(inbox) == []
    assert [note.text for note in table.told] == ["set aside: 1,001 bytes are more than 1,000"]


def test_a_letter_that_cannot_be_fetched_does_not_hide_the_next(table: Table) -> None:
    table.server.put(*LETTERS[:3])
    with table.server.person() as person:
        poison = person.search()[1]
    spoilt = f"UID FETCH {poison} (BODY.PEEK[]".encode()
    with Relay(
        table.server.port, to_server=lambda data: data.replace(spoilt, b"UID FETCH %d (NONSENSE[]" % poison)
    ) as relay:
        inbox = table.open(relay.port)
        assert bodies(inbox) == [LETTERS[0], LETTERS[2]]
    (note,) = table.told
    assert (note.code, note.origin) == ("post.cannot_read", f"{inbox.address}, letter {poison}")
    assert table.server.keywords or note.text == (  # each server has words of its own
        f"expected {inbox.address} to do as asked, got \"FETCH command error: BAD [b'UID FETCH: Invalid arguments.']\""
    )
    assert table.server.flags() == [set()] * 3


@pytest.mark.plan("C9")
def test_a_lost_connection_is_opened_again_in_the_middle(table: Table) -> None:
    table.server.put(*LETTERS)
    with Relay(table.server.port) as relay:
        inbox = table.open(relay.port)
        given = []
        for letter in inbox.letters(10):
            given.append(letter.data)
            relay.cut()
            inbox.done(letter)
            relay.cut()
        assert given == LETTERS
    assert bodies(table.open()) == []
    assert table.told == []


def test_a_server_that_is_away_is_a_fault_until_it_is_back(table: Table) -> None:
    table.server.put(LETTERS[0])
    with Relay(table.server.port, closed=True) as relay:
        inbox = table.open(relay.port)
        assert fault(lambda: bodies(inbox)).code == "post.unreachable"
        relay.closed = False
        (letter,) = inbox.letters(10)
        relay.closed = True
        relay.cut()
        assert fault(lambda: inbox.done(letter)).code == "post.unreachable"
        relay.closed = False
        inbox.done(letter)
        assert bodies(inbox) == []


def test_the_whole_text_of_an_unreachable_server(pymap: ImapServer) -> None:
    with Relay(pymap.port) as relay:
        pass
    inbox = Table(pymap).open(relay.port)
    told = fault(lambda: bodies(inbox))
    assert (str(told), told.hint) == (
        f"post.unreachable: expected to reach imap://anna@localhost:{relay.port}/INBOX, "
        "got '[Errno 111] Connection refused'",
        "check the host, the port and the network",
    )


def test_idle_ends_with_a_new_letter(table: Table) -> None:
    with Relay(table.server.port) as relay:
        inbox = table.open(relay.port)
        waiting = Thread(target=lambda: inbox.wait(60))
        waiting.start()
        relay.wait_for(b" IDLE\r\n")
        table.server.put(LETTERS[0])
        waiting.join(20)
        assert not waiting.is_alive()
        assert bodies(inbox) == [LETTERS[0]]


def test_a_connection_that_is_lost_while_idle_is_opened_again(table: Table) -> None:
    with Relay(table.server.port) as relay:
        inbox = table.open(relay.port)
        waiting = Thread(target=lambda: inbox.wait(60))
        waiting.start()
        relay.wait_for(b" IDLE\r\n")
        table.server.put(LETTERS[0])
        relay.cut()
        waiting.join(20)
        assert not waiting.is_alive()
        assert bodies(inbox) == [LETTERS[0]]


def test_waiting_ends_at_once_for_a_letter_never_offered_and_in_time_for_others(table: Table) -> None:
    table.server.put(*LETTERS[:2])
    inbox = table.open()
    assert bodies(inbox, 1) == [LETTERS[0]]
    inbox.wait(60)
    assert bodies(inbox, 1) == [LETTERS[1]]
    inbox.wait(0.1)


def test_a_letter_that_comes_while_we_search_is_not_slept_over(table: Table) -> None:
    """The server tells of it at the end of the search, and need not tell again when we wait for news."""

    def late(data: bytes) -> bytes:
        if b"* SEARCH" not in data or b" IDLE" in relay.heard or relay.heard.count(b" SEARCH ") > 1:
            return data
        table.server.put(LETTERS[0])
        return data.replace(b"\r\n", b"\r\n* 1 EXISTS\r\n", 1)

    with Relay(table.server.port, to_client=late) as relay:
        inbox = table.open(relay.port)
        inbox.wait(60)
        assert b" IDLE" not in relay.heard
        assert bodies(inbox) == [LETTERS[0]]


def test_news_that_come_with_the_consent_to_idle_are_heard(table: Table) -> None:
    def together(data: bytes) -> bytes:
        if b" IDLE\r\n" not in relay.heard or b"DONE" in relay.heard:
            return data
        if data.startswith(b"+"):
            table.server.put(LETTERS[0])
            return data.partition(b"\r\n")[0] + b"\r\n* 1 EXISTS\r\n"
        return b"" if b"EXISTS" in data else data

    with Relay(table.server.port, to_client=together) as relay:
        inbox = table.open(relay.port)
        waiting = Thread(target=lambda: inbox.wait(60), daemon=True)
        waiting.start()
        waiting.join(20)
        assert not waiting.is_alive()
        assert bodies(inbox) == [LETTERS[0]]


def test_a_server_without_idle_is_asked_from_time_to_time(table: Table) -> None:
    def pause(seconds: float) -> None:
        paused.append(seconds)
        table.server.put(LETTERS[0])

    paused: list[float] = []
    with Relay(table.server.port, to_client=lambda data: data.replace(b" IDLE", b"")) as relay:
        inbox = table.open(relay.port)
        inbox.pause = pause
        inbox.wait(600)
        assert bodies(inbox) == [LETTERS[0]]
    assert paused == [box.POLL_SECONDS]


def test_a_server_that_is_away_is_waited_for(table: Table) -> None:
    """An agent waits in a loop: it must not knock as fast as it can."""
    with Relay(table.server.port, closed=True) as relay:
        inbox = table.open(relay.port)
        paused: list[float] = []

        def pause(seconds: float) -> None:
            paused.append(seconds)
            if len(paused) == 3:
                relay.closed = False
                table.server.put(LETTERS[0])

        inbox.pause = pause
        inbox.wait(600)
        assert paused == [box.POLL_SECONDS] * 3
        assert bodies(inbox) == [LETTERS[0]]


@pytest.mark.parametrize("hidden", [b"", b" MOVE"])
def test_letters_are_moved_where_the_address_says(table: Table, hidden: bytes) -> None:
    table.server.put(*LETTERS[:3])
    with Relay(table.server.port, to_client=lambda data: data.replace(hidden, b"") if hidden else data) as relay:
        inbox = table.open(relay.port, options="?done=Played&aside=Odd%20ones")
        first, second, _ = inbox.letters(3)
        inbox.done(first)
        inbox.set_aside(second)
        assert bodies(inbox) == [LETTERS[2]]
    assert (len(table.server.flags()), len(table.server.flags("Played")), len(table.server.flags("Odd ones"))) == (
        1,
        1,
        1,
    )
    assert bodies(table.open()) == [LETTERS[2]]


def test_no_such_folder(table: Table) -> None:
    told = fault(lambda: bodies(table.open(folder="Nowhere")))
    assert (told.code, told.hint) == ("post.answer", "check the name of the folder")
    assert table.server.keywords or str(told) == (
        f"post.answer: expected imap://anna@localhost:{table.server.port}/Nowhere to open, "
        "got 'select failed: [NONEXISTENT] Mailbox does not exist.'"
    )


def test_a_folder_that_takes_no_marks(table: Table) -> None:
    """As one that somebody else shares, who lets us read alone."""

    def read_only(data: bytes) -> bytes:
        return data.replace(b"[READ-WRITE]", b"[READ-ONLY]")

    with Relay(table.server.port, to_client=read_only) as relay:
        told = fault(lambda: bodies(table.open(relay.port)))
    assert (str(told), told.hint) == (
        f"post.read_only: expected imap://anna@localhost:{relay.port}/INBOX to let letters be marked, got a read-only "
        "folder",
        "",
    )


def test_another_password_is_refused_and_never_told(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secret = "hunter2-wrong"
    inbox = open_inbox(table.server.url(), Secrets({"PBEM_IMAP_PASSWORD": secret}))
    told = fault(lambda: list(inbox.letters(1)))
    assert (str(told), told.hint) == (
        f"post.login: expected imap://anna@localhost:{table.server.port}/INBOX to take the login, got a refusal",
        "check the user and the password; many providers want one that is made for this program (app password)",
    )
    assert secret not in everything(told) + logged(caplog) + repr(inbox)


def test_a_server_that_takes_no_password_beyond_ascii(pymap: ImapServer) -> None:
    """As one without SASL PLAIN."""
    with Relay(pymap.port, to_client=lambda data: data.replace(b"AUTH=PLAIN", b"AUTH=OTHER")) as relay:
        told = fault(lambda: bodies(Table(pymap).open(relay.port)))
    assert (str(told), told.hint) == (
        f"post.login: expected imap://anna@localhost:{relay.port}/INBOX to take the login, got a server that takes no "
        "password beyond ASCII",
        "check the user and the password; many providers want one that is made for this program (app password)",
    )
    assert PASSWORD not in everything(told)


@pytest.mark.parametrize("spelling", [PASSWORD.encode(), base64.b64encode(f"\0{USER}\0{PASSWORD}".encode())])
def test_a_server_that_repeats_the_password_is_not_repeated(
    table: Table, spelling: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    def repeating(data: bytes) -> bytes:
        return b"* BYE you said " + spelling + b"\r\n" if b"* SEARCH" in data else data

    with Relay(table.server.port, to_client=repeating) as relay:
        told = fault(lambda: bodies(table.open(relay.port)))
    assert str(told) == (
        f"post.lost: expected imap://anna@localhost:{relay.port}/INBOX to stay connected, got 'an answer that is not "
        "shown, since it may repeat the password'"
    )
    assert PASSWORD not in everything(told) + logged(caplog)
    assert spelling.decode() not in everything(told) + logged(caplog)


def logged(caplog: pytest.LogCaptureFixture) -> str:
    """What was logged, but for the server in this process, which tells all."""
    return "\n".join(record.getMessage() for record in caplog.records if not record.name.startswith("pymap"))


def everything(error: BaseException) -> str:
    """All that an error carries, with what led to it and the values on the way that it prints."""
    found = "".join(traceback.TracebackException.from_exception(error, capture_locals=False).format())
    assert error.__context__ is None
    assert error.__cause__ is None
    return found + repr(error) + repr(vars(error))


def test_tls_with_a_certificate_that_is_trusted(table: Table, files: Certificate) -> None:
    table.server.put(LETTERS[0])
    with Relay(table.server.port, tls=files.serving()) as relay:
        url = f"imaps://{USER}@localhost:{relay.port}"
        inbox = open_inbox(url, SECRETS, tls=files.trusting())
        assert [letter.data for letter in inbox.letters(1)] == [LETTERS[0]]
        inbox.wait(0.05)
        inbox.close()
        stranger = open_inbox(url, SECRETS)
        told = fault(lambda: list(stranger.letters(1)))
        assert (str(told), told.hint) == (
            f"post.certificate: expected imaps://anna@localhost:{relay.port}/INBOX to show a certificate of its name "
            "that this machine trusts, got 'self-signed certificate'",
            "SSL_CERT_FILE in the environment can name a file with the authority of your own server",
        )
        elsewhere = open_inbox(url.replace("localhost", "127.0.0.1"), SECRETS, tls=files.trusting())
        assert fault(lambda: list(elsewhere.letters(1))).code == "post.certificate"


def test_starttls(files: Certificate) -> None:
    with pymap_server(files, tls=True) as server, Relay(server.port) as relay:
        url = server.url(relay.port, options="?starttls=yes")
        inbox = open_inbox(url, SECRETS, tls=files.trusting())
        assert list(inbox.letters(1)) == []
        inbox.close()
        assert b"STARTTLS" in relay.heard
        assert b"AUTHENTICATE" not in relay.heard
        assert fault(lambda: list(open_inbox(url, SECRETS).letters(1))).code == "post.certificate"


def test_a_server_that_hides_starttls_gets_no_password(files: Certificate) -> None:
    with (
        pymap_server(files, tls=True) as server,
        Relay(server.port, to_client=lambda data: data.replace(b" STARTTLS", b"")) as relay,
    ):
        inbox = open_inbox(server.url(relay.port, options="?starttls=yes"), SECRETS, tls=files.trusting())
        told = fault(lambda: list(inbox.letters(1)))
        assert told.text == (
            f"expected imap://anna@localhost:{relay.port}/INBOX to offer STARTTLS, got a server without"
        )
        assert b"AUTHENTICATE" not in relay.heard
        assert b"LOGIN" not in relay.heard


def test_closing_twice_and_using_it_again(table: Table) -> None:
    inbox = table.open()
    inbox.close()
    table.server.put(LETTERS[0])
    assert bodies(inbox) == [LETTERS[0]]
    inbox.close()
    inbox.close()
    assert bodies(inbox) == [LETTERS[0]]


def test_a_letter_is_known_by_its_handle_alone(table: Table) -> None:
    """Who committed a letter and died can mark it later with the handle that was committed."""
    table.server.put(LETTERS[0])
    (letter,) = table.open().letters(1)
    table.open().done(Letter(letter.handle, b"", 0))
    assert bodies(table.open()) == []
