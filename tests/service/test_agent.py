"""The agent: homes on mailboxes, with a post office that loses and refuses; `test_bad_post` has a worse one."""

from __future__ import annotations

import itertools
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from attacks.sides import new_side

from pbem.app.desk import Desk
from pbem.errors import BadRequest
from pbem.mail.post.port import Letter
from pbem.service.agent import Agent
from pbem.service.posting import MOST_TRIES
from pbem.service.sending import FIRST_WAIT, LONGEST_WAIT, send_all
from pbem.service.shift import BEAT
from pbem.store.database import Home
from service.office import Office, Post, play, two_players

DAY = 86_400


@pytest.fixture
def players(tmp_path: Path) -> tuple[Post, Post]:
    return two_players(tmp_path)


def handed(player: Post, data: bytes) -> Letter:
    letter = Letter(f"made-{len(player.box.waiting)}", data, player.office.now)
    player.box.waiting.append(letter)
    return letter


def mails(player: Post) -> list[bytes]:
    return [mail for _, _, mail in player.office.sent]


@pytest.mark.soak
def test_two_agents_play_a_game_to_its_end(players: tuple[Post, Post]) -> None:
    play(players, 400)
    german, polish = players
    assert german.side.heads() == polish.side.heads()
    assert [player.side.verified(running=False).code for player in players] == [0, 0]
    assert german.box.waiting == polish.box.waiting == []
    assert {what for player in players for what in player.words()} == {"taken", "answered", "posted", "sent"}


def test_mails_thread_and_say_that_a_program_sent_them(players: tuple[Post, Post]) -> None:
    german, polish = players
    for player in (polish, german, polish, german, polish, german):
        player.side.decide()
        player.round()
    read = [message_from_bytes(mail, policy=policy.default) for mail in mails(german)]
    first, second = read[0], next(one for one in read if one["Auto-Submitted"])
    assert (first["To"], first["In-Reply-To"]) == ("Anna <anna@example.org>", None)
    answered = read[read.index(second) - 1]
    assert second["In-Reply-To"] == answered["Message-ID"]
    assert second["References"].split()[-1] == answered["Message-ID"]
    assert first["Auto-Submitted"] is None  # a decision of a person is in it
    assert second["Auto-Submitted"] == "auto-generated"


@pytest.mark.plan("A52")
def test_a_mail_that_comes_a_thousand_times_is_taken_once(players: tuple[Post, Post]) -> None:
    german, polish = players
    polish.side.decide()
    polish.round()
    german.round()
    sent, events = len(german.office.sent), german.side.tables("letters")
    (mail, *_) = mails(german)
    for number in range(1000):
        german.box.waiting.append(Letter(f"again-{number}", mail, german.office.now))
    while german.box.waiting:
        assert german.round().posted == 0
    assert (len(german.office.sent), german.side.tables("letters", "leases")["events"]) == (sent, events["events"])


@pytest.mark.plan("A59")
def test_a_poisonous_letter_hides_no_other_one(players: tuple[Post, Post]) -> None:
    german, polish = players
    polish.side.decide()
    polish.round()
    (good,) = german.box.waiting
    german.box.waiting = []
    bad = [
        handed(german, b"\xff\xfe\x00" * 1000),
        handed(german, b"Subject: =?utf-8?b?////?=\nContent-Type: multipart/mixed; boundary=\n\n"),
        handed(german, b"Hello Anna,\n\nhow are you?\n"),
    ]
    german.box.waiting.append(good)
    assert german.round().letters == 4
    assert german.box.done_with == [good.handle]
    assert sorted(german.box.left + german.box.aside) == sorted(letter.handle for letter in bad)
    assert ("taken" in german.words(), german.box.waiting) == (True, [])


@pytest.mark.plan("A55")
def test_a_stranger_is_never_written_to(players: tuple[Post, Post]) -> None:
    german, _ = players
    damaged = german.side.export(everything=True).replace(b"e", b"f", 40)
    german.round()
    before = len(german.office.sent)
    handed(german, b"From: victim@example.com\nMessage-ID: <1@example.com>\n\n" + damaged)
    german.round()
    assert len(german.office.sent) == before
    assert "unreadable" in german.words()


def test_a_party_learns_once_a_day_what_could_not_be_read(players: tuple[Post, Post]) -> None:
    german, _ = players
    damaged = german.side.export(everything=True).replace(b"e", b"f", 40)
    german.round()
    before = len(german.office.sent)
    for number in range(3):
        head = f"From: Bruno <bruno@example.org>\nMessage-ID: <{number}@example.org>\n\n".encode()
        handed(german, head + damaged)
    german.round()
    ((sender, receivers, mail),) = german.office.sent[before:]
    assert (sender, receivers) == ("", ("bruno@example.org",))
    notice = message_from_bytes(mail, policy=policy.default)
    assert (notice["Subject"], notice["Auto-Submitted"]) == ("[pbem] a turn file could not be read", "auto-replied")
    assert notice["In-Reply-To"] == "<0@example.org>"
    found = notice.get_content().splitlines()
    assert found[0] == "The turn file in your mail could not be read, so that it changed nothing:"
    game = german.side.opened().row.game_id[:12]
    again = f"Please send it again: `pbem export {game} -o turn.eml --eml --robust` survives most mail programs."
    assert found[2:] == [again]
    german.office.now += DAY + 1
    handed(german, b"From: bruno@example.org\nMessage-ID: <9@example.org>\n\n" + damaged)
    german.round()
    assert [to for sender, to, _ in german.office.sent[before:] if not sender] == [("bruno@example.org",)] * 2


@pytest.mark.plan("A54")
@pytest.mark.parametrize(
    "header",
    ["Auto-Submitted: auto-replied", "Return-Path: <>", "Precedence: bulk", "List-Id: <a.example.org>"],
)
def test_no_automatic_mail_is_answered(players: tuple[Post, Post], header: str) -> None:
    german, _ = players
    damaged = german.side.export(everything=True).replace(b"e", b"f", 40)
    german.round()
    before = len(german.office.sent)
    handed(german, f"From: bruno@example.org\nMessage-ID: <1@example.org>\n{header}\n\n".encode() + damaged)
    german.round()
    assert len(german.office.sent) == before


def test_what_is_not_acknowledged_goes_again_more_and_more_seldom(players: tuple[Post, Post]) -> None:
    german, polish = players
    polish.side.decide()
    polish.office.lost = set(range(100))
    polish.round()
    gone = [polish.office.now]
    for _ in range(2 ** (MOST_TRIES + 1)):
        polish.office.now += 3600
        if polish.round().posted:
            gone.append(polish.office.now)
    hours = [(later - before) // 3600 for before, later in itertools.pairwise(gone)]
    assert hours == [2**number for number in range(MOST_TRIES)]
    ids = [message_from_bytes(mail)["Message-ID"] for mail in mails(german)]
    assert len(set(ids)) == len(ids) == MOST_TRIES + 1


def test_a_way_out_that_is_closed_keeps_everything(players: tuple[Post, Post]) -> None:
    german, polish = players
    polish.side.decide()
    polish.office.closed = True
    assert (polish.round().posted, polish.round().posted) == (1, 0)
    assert polish.words()[-1] == "postponed"
    polish.office.closed = False
    polish.office.now += 120
    assert polish.round().sent == 1
    assert german.round().letters == 1


def test_a_box_that_is_out_of_reach_does_not_stop_what_goes_out(players: tuple[Post, Post]) -> None:
    _, polish = players
    polish.side.decide()
    polish.box.closed = True
    assert polish.round().sent == 1
    assert "closed" in polish.words()


def test_a_box_that_is_out_of_reach_is_not_asked_without_a_pause(players: tuple[Post, Post]) -> None:
    _, polish = players
    polish.box.closed = True
    naps: list[float] = []
    with polish.side.desk() as desk:
        agent = Agent(desk, polish.box, polish.office, "one", polish.tell, sleep=naps.append)
        agent.begin()
        agent.run(lambda: len(naps) == 2, 10**6)
    assert (naps, polish.words().count("closed")) == ([BEAT, BEAT], 2)


def test_a_receiver_who_does_not_exist_is_told_of(players: tuple[Post, Post]) -> None:
    _, polish = players
    polish.side.decide()
    polish.office.refuses = "anna@example.org"
    polish.round()
    assert polish.words()[-1] == "undeliverable"
    shown = polish.side("agent", "--show")
    assert "outbox: 1 failed" in shown.out
    assert "  failed: to anna@example.org, tried 1 time, post.refused" in shown.out


@pytest.mark.plan("C13")
def test_a_second_agent_does_not_begin(players: tuple[Post, Post]) -> None:
    german, _ = players
    with german.side.desk() as desk, desk.home.queueing() as queue:
        assert queue.take_lease("agent", "another", german.office.now, 600)
    with pytest.raises(BadRequest) as told:
        german.round()
    assert str(told.value) == ("agent.running: expected a home on which no agent works, got one that another agent has")
    german.office.now += 601
    german.round()


def test_a_proposal_waits_for_a_person(players: tuple[Post, Post], tmp_path: Path) -> None:
    german, _ = players
    stranger, _ = two_players(tmp_path / "other", begin=12_345)
    letter = handed(german, b"From: carla@example.org\n\n" + stranger.side.export(everything=True))
    german.round()
    assert german.box.left == [letter.handle]
    assert len(german.side.tables()["games"]) == 1


def test_the_command_does_one_round(players: tuple[Post, Post], tmp_path: Path) -> None:
    """Through the client, with two folders as a complete set-up; the addresses are remembered."""
    german, polish = players
    polish.side.decide()
    missing = polish.side("agent", "--once")
    assert missing.err == (
        "agent.address: expected to know the mailbox of this home, got no --in now or earlier\n"
        "hint: for example --in maildir:/home/anna/Mail/pbem --out maildir:/home/anna/Mail/outgoing\n"
    )
    assert polish.side("agent", "--show").out.splitlines()[0] == (
        "mails come in at (not said yet) and go out at (not said yet)"
    )
    folders = {name: f"maildir:{tmp_path / name}" for name in ("anna", "bruno")}
    done = polish.side("agent", "--in", folders["bruno"], "--out", folders["anna"], "--once", "--make", "--verbose")
    assert done.out == "0 letters came in, 1 turn file was made, 1 mail went out.\n", done
    done = german.side("agent", "--in", folders["anna"], "--out", folders["bruno"], "--once", "--verbose")
    assert done.out == "1 letter came in, 0 turn files were made, 0 mails went out.\n", done
    german.side.decide()
    done = german.side("agent", "--once", "--verbose")
    assert done.out == "0 letters came in, 1 turn file was made, 1 mail went out.\n"
    done = polish.side("agent", "--once", "--log-json")
    assert done.out.startswith("1 letter came in"), done
    assert '"what":"taken"' in done.err


def test_a_mail_that_one_receiver_puts_off_goes_to_nobody_else_again_and_holds_none_up(tmp_path: Path) -> None:
    office, told = Office(later="b@example.org"), list[str]()
    side = new_side(tmp_path / "german", "german", "Anna")
    with Home.open(side.folder) as home:
        desk = Desk(home, lambda: office.now, side.random)

        def post(number: int) -> None:
            with home.queueing() as queue:
                queue.post(
                    message_id=f"<{number}@example.org>",
                    game_id="aa" * 32,
                    receivers=["a@example.org", "b@example.org"],
                    sender="",
                    mail=b"%d" % number,
                    created=office.now,
                )

        def send() -> int:
            return send_all(desk, office, "w", lambda what, /, **_: told.append(what))

        post(1)
        assert send() == 0
        office.now += FIRST_WAIT
        post(2)
        assert send() == 0
        assert [(to, mail) for _, to, mail in office.sent] == [(("a@example.org",), b"1"), (("a@example.org",), b"2")]
        office.later = ""
        office.now += LONGEST_WAIT
        assert send() == 2
        assert sorted((to, mail) for _, to, mail in office.sent[2:]) == [
            (("b@example.org",), b"1"),
            (("b@example.org",), b"2"),
        ]
    assert told == ["postponed", "postponed", "postponed", "sent", "sent"]
