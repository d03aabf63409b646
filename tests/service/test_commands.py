"""Commands by mail: what a party may ask, and that nothing else is answered and nothing at all is changed."""

from __future__ import annotations

from email import message_from_bytes, policy
from pathlib import Path

import pytest

from pbem.app.board import board_text
from pbem.app.moving import move, reply
from pbem.service.commands import Asked, read_command
from pbem.viewer import svg
from service.court import DAY, Court, in_play, strangers

BRUNO = "bruno@example.org"
HELP = """\
Write one of these words as the subject of a mail or as its first line; behind it the game, if there are several:
by the first digits of its id, six or more, as they stand below. Your own name for a game is not known here.
  status     what the game waits for
  history    the last lines of the story; `history GAME 12` tells it from step 12 on
  map        the board in words, and drawn in a file
  orders     a sheet for your side, as `pbem orders` writes it
  check      with a sheet below it: what would be understood of it; this machine reads what you write there
  who        the parties of the game
  deadline   what is owed, by when, and what happens then
  resend     a turn file that was lost, once more; `resend GAME 12` has everything from step 12 on
  help       this
No command changes a game: what counts comes in a turn file, which `pbem export` writes.

Your games here:
"""


@pytest.fixture
def court(tmp_path: Path) -> Court:
    found = in_play(tmp_path)
    assert found.silent() == "polish"
    return found


def asked(court: Court, text: str, **more: str) -> str:
    """What Bruno is answered; empty when he is not."""
    before = len(court.office.sent)
    court.judge.write(text, **more)
    court.judge.round()
    sent = [one for one in court.office.sent[before:] if not one[0]]
    assert {to for _, to, _ in sent} <= {(BRUNO,)}
    assert len(sent) <= 1
    body = message_from_bytes(sent[0][2], policy=policy.default).get_body() if sent else None
    return body.get_content() if body else ""


@pytest.mark.parametrize(
    ("letter", "found"),
    [
        ("Subject: status\n\n", ("status", ())),
        ("Subject: Re: [pbem] Status westerplatte\n\n> old", ("status", ("westerplatte",))),
        ("Subject: Re: [pbem] westerplatte turn 3 german step 9\n\n> quoted\n\nhistory 4\n", ("history", ("4",))),
        ("Subject: =?utf-8?q?who=3F?=\n\nwho?\n", ("who", ())),
        ("Subject: orders check\n\n", ("check", ())),
        ("Subject: pbem deadline\n\n", ("deadline", ())),
        ("Subject: Re: [pbem] resend 0123456789ab 17\n\n", ("resend", ("0123456789ab", "17"))),
        ("\n> hello\n\nresend 0123456789ab 17\n", ("resend", ("0123456789ab", "17"))),
        ("\nmap\n", ("map", ())),
        ("Subject: x\n\nplease tell me who plays what now\n", ("", ("x",))),
        ("Subject: statsu\n\n", ("", ("statsu",))),
        ("Subject: x\n\nstatos\n", ("", ("statos",))),
        ("Content-Type: text/html\n\n<p>status</p>", ("", ())),
    ],
)
def test_a_command_stands_in_the_subject_or_in_the_first_line(letter: str, found: tuple[str, tuple[str, ...]]) -> None:
    read = read_command(letter.encode())
    assert (read.word, read.rest) == found


def digits(court: Court, number: int = 0) -> str:
    return str(court.judge.side.tables()["games"][number][0][:12])


def test_a_command_knows_the_mail_that_it_answers() -> None:
    head = "In-Reply-To: <late-4.polish.0123.89abcdef01234567@pbem.invalid>\nSubject: status\n\n"
    assert read_command(head.encode()) == Asked("status", (), "", "89abcdef01234567")


def titled(court: Court) -> str:
    return f"The Battle of the Westerplatte, game {digits(court)} (here: westerplatte)\n\n"


WAITING = "Turn 1, step {}.\nWaiting for polish: place every Polish unit on a land area, at most 2 in one\n"


def test_what_can_be_asked(court: Court) -> None:
    mine = f"  {digits(court)} (here: westerplatte), as polish\n"
    assert asked(court, "Subject: help\n\n") == HELP + mine


def test_a_game_without_a_deadline_says_why(court: Court) -> None:
    with court.polish.side.desk() as desk:
        move(desk, "westerplatte", {"what": "pause"})
    court.rounds(2)
    with court.german.side.desk() as desk:
        reply(desk, "westerplatte", agree=True)
    court.rounds(2)
    paused = "The game is paused: no deadline runs.\n"
    assert asked(court, "Subject: deadline\n\n") == titled(court) + paused
    assert asked(court, "Subject: status\n\n") == f"{titled(court)}{WAITING.format(6)}{paused}"


def test_a_game_that_is_over_has_no_deadline(court: Court) -> None:
    with court.polish.side.desk() as desk:
        move(desk, "westerplatte", {"what": "concede"})
    court.rounds(3)
    assert asked(court, "Subject: deadline\n\n") == f"{titled(court)}No deadline runs now.\n"
    assert asked(court, "Subject: status\n\n") == (
        f"{titled(court)}Turn 1, step 6.\nResult: polish conceded at step 4 (motion)\nNo deadline runs now.\n"
    )


def test_a_game_that_a_fork_has_stopped_says_so(court: Court, tmp_path: Path) -> None:
    for side in court.polish.side.twice(tmp_path / "twin"):
        court.judge.write(side.export(everything=True))
        court.judge.round()
    assert asked(court, "Subject: status\n\n") == (
        f"{titled(court)}Turn 1, step 4.\nThe game is stopped: somebody has signed twice at one place.\n"
        "Waiting for polish: place every Polish unit on a land area, at most 2 in one\nNo deadline runs now.\n"
    )


def test_who_has_not_joined_is_named(tmp_path: Path) -> None:
    court = strangers(tmp_path)
    court.judge.allow("any")
    court.propose()
    court.judge.round()
    court.judge.write("Subject: who\n\n", sender="anna@example.org")
    court.judge.round()
    assert message_from_bytes(court.office.sent[-1][2], policy=policy.default).get_content() == titled(court) + (
        "german: Anna <anna@example.org>\npolish: Bruno <bruno@example.org> (has not joined yet)\n"
        "referee: Rita <rita@example.org>\n"
    )


def test_a_deadline_is_told_without_a_zone_too(court: Court) -> None:
    assert asked(court, "Subject: deadline\n\n") == titled(court) + (
        "polish is to answer by Tuesday 21 November 2023, 22:19 UTC, in 7 days.\n"
        "After that somebody may rule in the place of what is owed, from Wednesday 22 November 2023, 22:19 UTC, in 8 "
        "days.\n"
    )


def test_what_a_party_is_told(court: Court) -> None:
    court.judge.zone(BRUNO, "Europe/Warsaw")
    title = titled(court)
    until = (
        "polish is to answer by Tuesday 21 November 2023, 22:19 UTC (23:19 in Europe/Warsaw, UTC+0100), in 7 days.\n"
        "After that somebody may rule in the place of what is owed, from Wednesday 22 November 2023, 22:19 UTC (23:19 "
        "in Europe/Warsaw, UTC+0100), in 8 days.\n"
    )
    assert asked(court, "Subject: deadline\n\n") == title + until
    assert asked(court, "Subject: status\n\n") == f"{title}{WAITING.format(4)}{until}"
    assert asked(court, "Subject: who\n\n") == title + (
        "german: Anna <anna@example.org>\npolish: Bruno <bruno@example.org>\nreferee: Rita <rita@example.org>\n"
    )
    assert asked(court, "Subject: history\n\n") == f"{title}Nothing has happened on the board yet.\n"
    assert "polish ATG: strength 2, 37 mm, anti tank gun" in asked(court, "Subject: map\n\n")


@pytest.mark.parametrize("game", ["westerplatte", "polska1939", "white_eagle"])
def test_the_map_comes_in_words_and_drawn(tmp_path: Path, game: str) -> None:
    court = in_play(tmp_path, game=game)
    told = asked(court, "Subject: map\n\n")
    (drawing,) = message_from_bytes(court.office.sent[-1][2], policy=policy.default).iter_attachments()
    campaign = court.judge.side.opened().campaign
    assert told == (
        f"{campaign.ruleset.title}, game {campaign.game[:12]} (here: {game})\n\n{board_text(campaign)}\n"
        "The attached drawing shows the same on the whole map: open it in a browser.\n"
    )
    assert (drawing.get_content_type(), drawing.get_filename()) == ("image/svg+xml", f"{game.replace('_', '-')}.svg")
    assert drawing.get_content().decode() == svg.draw(campaign.ruleset.picture(campaign.state))


@pytest.mark.plan("A55")
def test_a_drawing_goes_four_times_a_day(court: Court) -> None:
    for _ in range(4):
        asked(court, "Subject: map\n\n")
        court.later(1)
    said = "The drawing is left out, since you have had it often enough for one day."
    assert asked(court, "Subject: map\n\n").splitlines()[-1] == said
    court.later(DAY)
    asked(court, "Subject: map\n\n")
    assert message_from_bytes(court.office.sent[-1][2]).is_multipart()


def test_a_sheet_is_checked_and_changes_nothing(court: Court) -> None:
    with court.polish.side.desk() as desk:
        from pbem.app.sheets import order_sheet

        own = order_sheet(desk, "westerplatte")
    assert asked(court, "Subject: orders\n\n") == titled(court) + own
    before = court.judge.side.tables("letters", "outbox", "meta", "leases")
    for letter in (
        f"Subject: check\n\n{own.replace('orders westerplatte', 'orders duel-of-mine')}",
        f"Subject: Re: hello\n\ncheck\n{own}",
    ):
        assert asked(court, letter) == (
            f"{titled(court)}Understood, and legal as things stand:\n  place PL-1 in Koszary\n  place PL-2 in Fort\n"
            "  place PL-3 in Elektr\n  place MTR in GH1\n  place FG in GH2\n  place ATG in GH3\nNothing was changed.\n"
        )
    assert asked(court, f"Subject: check\n\n{own.replace('step 4', 'step 3')}").splitlines()[2:] == [
        "orders.old_sheet: expected a sheet for game westerplatte, step 4, got one for westerplatte, step 3",
        "Hint: write a new one with `pbem orders westerplatte -o orders.txt`",
    ]
    assert court.judge.side.tables("letters", "outbox", "meta", "leases") == before


def test_legal_orders_are_understood(court: Court) -> None:
    opened = court.polish.side.opened()
    question = opened.campaign.question(court.polish.side.role)
    answer = opened.campaign.ruleset.bots()["random"](question, opened.campaign.state, court.polish.side.chooser.choose)
    orders = opened.campaign.ruleset.write_orders(answer)
    told = asked(court, f"Subject: check\n\n{orders}")
    lines = "".join(f"  {line}\n" for line in orders.splitlines())
    assert told == f"{titled(court)}Understood, and legal as things stand:\n{lines}Nothing was changed.\n"


def test_a_reply_to_a_motion_is_checked_too(court: Court) -> None:
    with court.polish.side.desk() as desk:
        move(desk, "westerplatte", {"what": "pause"})
    court.rounds(2)
    court.judge.write("Subject: check\n\nagree\n", sender="anna@example.org")
    court.judge.round()
    told = message_from_bytes(court.office.sent[-1][2], policy=policy.default).get_content()
    assert told == f"{titled(court)}Understood: agree to pause the game.\nNothing was changed.\n"
    assert court.judge.side.opened().campaign.place.paused is False


def test_the_other_side_has_no_sheet(court: Court) -> None:
    court.judge.write("Subject: orders\n\n", sender="anna@example.org")
    court.judge.round()
    _, to, mail = court.office.sent[-1]
    told = message_from_bytes(mail, policy=policy.default).get_content()
    assert to == ("anna@example.org",)
    assert told == (
        f"{titled(court)}orders.not_asked: expected a question to german, got none: the game waits for polish "
        "(a decision)\n"
        "Hint: `pbem status westerplatte` says what to do now\n"
    )


def test_an_unknown_word_is_answered_with_help_once_a_day(court: Court) -> None:
    told = asked(court, "Subject: statos\n\n")
    assert told == f"Not understood: statos\n\n{HELP}  {digits(court)} (here: westerplatte), as polish\n"
    assert asked(court, "Subject: statos\n\n") == ""
    assert asked(court, "Dear Rita,\n\nhow are you?\n") == ""
    assert len(court.judge.box.left) == 3, "a person sees what was no command"
    assert [facts["text"] for facts in court.judge.facts("left")[1:]] == [
        "no command in it, said to be from bruno@example.org, subject 'statos': read it in the mailbox",
        "no command in it, said to be from bruno@example.org: read it in the mailbox",
    ]
    court.later(DAY)
    assert asked(court, "Subject: statos\n\n") != ""


@pytest.mark.plan("A51")
@pytest.mark.parametrize(
    "more",
    [
        {"extra": "Reply-To: mallory@example.com\n"},
        {"extra": "Sender: mallory@example.com\n"},
        {"sender": '"mallory@example.com" <bruno@example.org>'},
    ],
)
def test_an_answer_goes_to_the_address_of_the_roster(court: Court, more: dict[str, str]) -> None:
    """And to no other one that a forged mail names; the mail itself has no authority over the game."""
    before = court.judge.side.heads()
    assert asked(court, "Subject: status\n\nI concede. Annul the game.\n", **more) != ""
    assert court.judge.side.heads() == before


@pytest.mark.plan("A51", "A55")
@pytest.mark.parametrize("sender", ["mallory@example.com", "rita@example.org", "", "bruno@example.org, m@example.com"])
def test_nobody_else_is_answered(court: Court, sender: str) -> None:
    assert asked(court, "Subject: status\n\n", sender=sender) == ""


@pytest.mark.plan("A54")
@pytest.mark.parametrize(
    "extra", ["Auto-Submitted: auto-replied\n", "Return-Path: <>\n", "List-Id: <a.example.org>\n", "Precedence: bulk\n"]
)
def test_no_automatic_mail_is_answered(court: Court, extra: str) -> None:
    assert asked(court, "Subject: help\n\n", extra=extra) == ""


@pytest.mark.plan("A54")
def test_our_own_mails_end_where_they_come_back(court: Court) -> None:
    asked(court, "Subject: help\n\n")
    mail = court.office.sent[-1][2]
    court.judge.write(mail, sender="Bruno <bruno@example.org>")
    before = len(court.office.sent)
    court.judge.round()
    assert len(court.office.sent) == before


@pytest.mark.plan("A54")
def test_a_flood_is_answered_so_often_a_day(court: Court) -> None:
    before = len(court.office.sent)
    for number in range(50):
        court.judge.write(f"Subject: status\n\n{number}\n")
        court.later(1)
    court.judge.round()
    assert len(court.office.sent) - before == 20
    assert court.judge.words().count("flooded") == 30
    court.later(DAY)
    assert asked(court, "Subject: status\n\n") != ""


@pytest.mark.plan("A59")
def test_a_poisonous_command_hides_no_other_one(court: Court) -> None:
    for bad in (
        "Subject: =?utf-8?b?////?=\nContent-Type: multipart/mixed; boundary=\n\ncheck\n",
        "Subject: check\nContent-Type: text/plain; charset=no-such\n\n" + "\x00\x1b[2J" * 1000,
        "Subject: history 99999999999999999999\n\n",
        f"Subject: check\n\n{'(' * 50_000}\n",
        "Subject: map " + "x" * 5000 + "\n\n",
    ):
        court.judge.write(bad)
    court.judge.write("Subject: who\n\n")
    court.judge.round()
    read = message_from_bytes(court.office.sent[-1][2], policy=policy.default)
    assert (read["Subject"], court.judge.box.waiting) == (f"[pbem] who {digits(court)} (westerplatte)", [])
    assert "poison" not in court.judge.words()


def test_who_is_in_several_games_says_which(tmp_path: Path) -> None:
    court = strangers(tmp_path)
    court.judge.allow("any")
    for _ in range(2):
        court.propose(begin=60)
    court.bruno_joins()
    for post in (court.polish, court.judge):
        post.round()
    told = asked(court, "Subject: status\n\n")
    with court.judge.desk() as desk:
        first, second = (desk.home.game(name).game_id for name in ("westerplatte", "westerplatte-2"))
    games = sorted((first, second))
    mine = (
        f"Your games here:\n  {first[:12]} (here: westerplatte), as polish\n"
        f"  {second[:12]} (here: westerplatte-2), as polish\n"
    )
    assert told == (
        f"Say which game you mean, by the first digits of its id: for example `status {first[:12]}`.\n{mine}"
    )
    assert f"game {second[:12]} (here: westerplatte-2)" in asked(court, "Subject: status westerplatte-2\n\n")
    answering = f"In-Reply-To: <half-4.polish.00.{games[0][:16]}@pbem.invalid>\n"
    assert f"game {games[0][:12]} (" in asked(court, "Subject: Re: x\n\nstatus\n", extra=answering)
    for wanted in (second[:6], f"{second[:12].upper()} (westerplatte)"):
        assert f"game {second[:12]} (" in asked(court, f"Subject: who {wanted}\n\n")


def test_a_name_that_fits_no_game_of_the_sender_is_unknown(court: Court) -> None:
    mine = f"Your games here:\n  {digits(court)} (here: westerplatte), as polish\n"
    for command in ("who duel", f"status {digits(court)[:5]}", "resend duel 4", "history duel", "map 12"):
        word, wanted = command.split()[:2]
        told = asked(court, f"Subject: {command}\n\n")
        assert told == (
            f"Unknown: '{wanted}' is no game of yours here. Your own name for a game is not known here:\n"
            f"write the first digits of its id, for example `{word} {digits(court)}`.\n{mine}"
        )
    told = asked(court, f"Subject: resend {digits(court)} please\n\n").splitlines()
    assert told[2:] == [f"Write `resend {digits(court)} STEP`, with the number of a step."]
    assert court.judge.box.left == []


@pytest.mark.plan("A54")
@pytest.mark.parametrize("letter", ["Subject: map\n\n", "Subject: resend\n\n"])
def test_a_seat_that_nobody_has_signed_for_is_nobodys(letter: str, tmp_path: Path) -> None:
    """A proposal may name a stranger, and anybody may write in his name."""
    court = strangers(tmp_path)
    court.judge.allow("any")
    court.propose()
    for post in (court.german, court.judge, court.german):
        post.round()
    before = len(court.office.sent)
    for post in (court.judge, court.german):
        post.box.waiting = [court.judge.write(letter)]
        post.round()
    assert court.office.sent[before:] == []
    court.polish.box.waiting = court.polish.box.waiting[:1]
    court.bruno_joins()
    court.rounds(3)
    before = len(court.office.sent)
    court.judge.write(letter)
    court.judge.round()
    assert [to for _, to, _ in court.office.sent[before:]] == [(BRUNO,)]
