"""What a reminder says, to whoever is silent in a game and to whoever keeps one from beginning."""

from __future__ import annotations

from email import message_from_bytes, policy
from pathlib import Path

import pytest

from pbem.service.overdue import Policy
from service.court import ALL, DAY, HOUR, Court, done, in_play, strangers, wait

BRUNO = "bruno@example.org"


@pytest.fixture
def court(tmp_path: Path) -> Court:
    found = in_play(tmp_path)
    found.judge.again = 1000 * DAY
    return found


def test_reminders_rise_to_the_ruling(court: Court) -> None:
    assert court.silent() == "polish"
    wait(court, 9 * DAY)
    assert done(court) == ALL
    step = court.judge.side.opened().campaign.place.step
    assert (step, court.silent()) == (5, "german")
    assert court.judge.side("log").out.splitlines()[0] == (
        "    4  the referee rules on polish's orders: silence beyond the deadline (ruling)"
    )
    subjects = [message_from_bytes(mail)["Subject"] for mail in court.mails_to(BRUNO)]
    game = court.judge.side.opened().row.game_id[:12]
    assert subjects == [
        f"[pbem] {game} (westerplatte): half of your time is over",
        f"[pbem] {game} (westerplatte): 1 day is left to you",
        f"[pbem] {game} (westerplatte): your time is over",
    ]
    assert court.mails_to("anna@example.org") == []
    court.german.round()
    assert court.german.side.heads() == court.judge.side.heads()


def test_a_reminder_says_what_by_when_and_what_then(court: Court) -> None:
    court.judge.zone(BRUNO, "Pacific/Auckland")
    wait(court, 7 * DAY, HOUR)
    mail = message_from_bytes(court.mails_to(BRUNO)[-1], policy=policy.default)
    assert (mail["To"], mail["Auto-Submitted"]) == ("Bruno <bruno@example.org>", "auto-generated")
    assert mail.get_content() == reminder(
        court,
        "Your time was over on Tuesday 21 November 2023, 22:19 UTC (Wednesday 22 November, 11:19 in Pacific/Auckland, "
        "UTC+1300), 1 hour ago.\n"
        "Answer at once: I decide in your place as of Wednesday 22 November 2023, 22:25 UTC (Thursday 23 November, "
        "11:25 in Pacific/Auckland, UTC+1300), in 1 day.\n",
    )


def reminder(court: Court, until: str) -> str:
    """What a reminder says, around by when."""
    game = court.judge.side.opened().row.game_id[:12]
    return (
        f"The Battle of the Westerplatte, game {game}, step 4: polish is awaited.\n"
        "What is owed: place every Polish unit on a land area, at most 2 in one\n"
        "\n"
        f"{until}"
        "\n"
        "`pbem status` says what to do now. Have you answered already? Then your mail was lost: `pbem export` writes "
        "it again.\n"
        "Answer this mail with the word help, and I tell what I can be asked;\n"
        f"in another mail name the game by its id, for example `status {game}`.\n"
    )


def test_each_reminder_says_how_much_time_is_left(court: Court) -> None:
    court.judge.policy = Policy(by_hand=True)
    wait(court, 9 * DAY)
    assert [text_of(mail)[1] for mail in court.mails_to(BRUNO)] == [
        reminder(
            court,
            "Half of your time is over.\nPlease answer by Tuesday 21 November 2023, 22:19 UTC, in 3 days 12 hours.\n",
        ),
        reminder(
            court,
            "Little time is left.\nAnswer by Tuesday 21 November 2023, 22:19 UTC, in 1 day; after that somebody may "
            "have to decide in your place.\n",
        ),
        reminder(
            court,
            "Your time was over on Tuesday 21 November 2023, 22:19 UTC, 1 hour ago.\n"
            "Answer at once: a person may decide in your place as of Wednesday 22 November 2023, 22:25 UTC, in 1 "
            "day.\n",
        ),
    ]


def test_a_last_day_that_is_told_late_says_how_much_is_left(court: Court) -> None:
    """As after a time when the machine was off: by the same figure above and in the mail."""
    court.later(7 * DAY - 2 * HOUR)
    court.judge.round()
    mail = message_from_bytes(court.mails_to(BRUNO)[-1], policy=policy.default)
    game = court.judge.side.opened().row.game_id[:12]
    assert mail["Subject"] == f"[pbem] {game} (westerplatte): 2 hours are left to you"
    assert mail.get_content() == reminder(
        court,
        "Little time is left.\nAnswer by Tuesday 21 November 2023, 22:19 UTC, in 2 hours; after that somebody may have "
        "to decide in your place.\n",
    )


# ---------------------------------------------------------------------- before play begins


def proposed(tmp_path: Path) -> Court:
    """A game that Anna has proposed and the referee has joined, with the others' mails lost."""
    court = strangers(tmp_path)
    court.judge.again = 1000 * DAY
    court.judge.allow("anna@example.org")
    court.judge.zone(BRUNO, "Europe/Warsaw")
    court.propose()
    court.judge.round()
    return court


def joined(court: Court) -> None:
    """Bruno joins at last, and then reads what else has come."""
    court.polish.box.waiting, later = court.polish.box.waiting[:1], court.polish.box.waiting[1:]
    court.bruno_joins()
    court.polish.box.waiting = later


def text_of(mail: bytes) -> tuple[str, str]:
    read = message_from_bytes(mail, policy=policy.default)
    return read["Subject"], read.get_content()


def test_who_does_not_join_is_reminded(tmp_path: Path) -> None:
    """Three times; and nobody rules."""
    court = proposed(tmp_path)
    wait(court, 30 * DAY)
    assert done(court) == ALL[:3]
    assert court.mails_to("anna@example.org") == []
    game = court.judge.side.opened().row.game_id[:12]
    assert text_of(court.mails_to(BRUNO)[0]) == (
        f"[pbem] {game} (westerplatte): do you join?",
        f"The Battle of the Westerplatte, game {game}, has not begun: it waits for you, the polish side.\n"
        "It has waited since Tuesday 14 November 2023, 22:13 UTC (23:13 in Europe/Warsaw, UTC+0100), 3 days 12 hours "
        "ago.\n"
        "\n"
        "Anna <anna@example.org> has proposed it to you, in a mail to save as FILE.\n"
        "`pbem accept FILE --as polish --show` shows what is proposed.\n"
        "`pbem accept FILE --as polish -o acceptance.eml --eml` joins, and writes your answer.\n"
        "You do not want to play? Then do nothing: without you the game never begins.\n"
        "\n"
        "Have you answered already? Then your mail was lost: `pbem export` writes it again.\n",
    )


def test_who_never_joined_anything_is_reminded_three_times_in_all(tmp_path: Path) -> None:
    """Whose address anybody may name, in as many games as he likes."""
    court = proposed(tmp_path)
    court.propose(begin=60)
    court.judge.round()
    wait(court, 30 * DAY)
    assert len(court.mails_to(BRUNO)) == 3
    joined(court)
    court.rounds(2)
    court.propose(begin=60)
    court.judge.round()
    wait(court, 30 * DAY)
    subjects = [text_of(mail)[0] for mail in court.mails_to(BRUNO)]
    assert len([one for one in subjects if one.endswith(" (westerplatte-3): do you join?")]) == 3


def test_whose_deposit_is_missing_is_reminded(tmp_path: Path) -> None:
    court = proposed(tmp_path)
    joined(court)
    for _ in range(2):
        court.polish.round()
        court.judge.round()
    court.german.box.waiting = []
    assert court.judge.side.opened().campaign.place.step == 2
    wait(court, 4 * DAY)
    assert [(facts["role"], facts["what"]) for facts in court.judge.facts("reminded")] == [("german", "half")]
    game = court.judge.side.opened().row.game_id[:12]
    assert text_of(court.mails_to("anna@example.org")[-1]) == (
        f"[pbem] {game} (westerplatte): your part is missing",
        f"The Battle of the Westerplatte, game {game}, has not begun: it waits for you, the german side.\n"
        "It has waited since Tuesday 14 November 2023, 22:13 UTC, 3 days 12 hours ago.\n"
        "\n"
        "What is missing is what the referee is to hold: your program adds that by itself.\n"
        f"`pbem import` what came last, then `pbem export {game} -o turn.eml --eml`, and send that.\n"
        "\n"
        "Have you answered already? Then your mail was lost: `pbem export` writes it again.\n",
    )
    court.judge.write("Subject: deadline\n\n")
    court.judge.round()
    assert text_of(court.mails_to(BRUNO)[-1])[1].splitlines()[2:] == [
        "The game has not begun: it waits for german (what the referee is to hold), in whose place nobody rules."
    ]


def test_who_joins_in_time_is_not_reminded(tmp_path: Path) -> None:
    court = proposed(tmp_path)
    wait(court, 2 * DAY)
    joined(court)
    court.rounds()
    assert court.judge.side.opened().campaign.started
    assert {one.step for one in court.judge.deadlines()} == {4}
    assert done(court) == []
