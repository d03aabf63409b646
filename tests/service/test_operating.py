"""Operating a service: through the client, with folders as mailboxes."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.mail.post.maildir import deliver, prepare
from pbem.service.alarms import raise_alarm
from pbem.service.condition import last_round, why_unwell
from pbem.service.doctor import Check, examine
from pbem.service.record import in_json, silent, sparing
from service.court import Court, in_play, strangers


@pytest.fixture
def court(tmp_path: Path) -> Court:
    return strangers(tmp_path)


def folders(tmp_path: Path) -> tuple[str, ...]:
    return "--in", f"maildir:{tmp_path / 'in'}", "--out", f"maildir:{tmp_path / 'out'}", "--make"


def test_the_command_does_one_round(court: Court, tmp_path: Path) -> None:
    rita = court.judge.side
    missing = rita("serve", "--once")
    assert missing.err.splitlines()[0] == (
        "agent.address: expected to know the mailbox of this home, got no --in now or earlier"
    )
    done = rita("serve", *folders(tmp_path), "--once", "--verbose", "--for", "anna@example.org")
    assert (done.code, done.out) == (0, "0 letters came in, 0 turn files were made, 0 mails went out.\n"), done
    court.propose()
    (tmp_path / "in" / "new" / "1").write_bytes(court.judge.box.waiting[0].data)
    done = rita("serve", "--once", "--log-json")
    assert done.out == "1 letter came in, 1 turn file was made, 1 mail went out.\n"
    assert [json.loads(line)["what"] for line in done.err.splitlines()] == ["joined", "taken", "posted", "sent"]
    assert rita("status", "--json").code == 0


def test_a_round_from_cron_says_what_a_person_has_to_see(court: Court, tmp_path: Path) -> None:
    rita = court.judge.side
    done = rita("serve", *folders(tmp_path), "--once", "--for", "anna@example.org")
    assert (done.code, done.out, done.err) == (0, "", ""), "a quiet round"
    court.propose()
    (tmp_path / "in" / "new" / "1").write_bytes(court.judge.box.waiting[0].data)
    (tmp_path / "in" / "new" / "2").write_bytes(b"From: a@example.com\nSubject: hello\n\nHow are you?\n")
    done = rita("serve", "--once")
    assert (done.out, done.err) == ("westerplatte: joined as referee, as anna@example.org proposed\n", "")
    assert rita("serve", "--once").out == ""
    shutil.rmtree(tmp_path / "in" / "new")
    done = rita("serve", "--once")
    assert (done.code, done.out) == (0, ""), done
    assert rita("serve", "--once", "--verbose").out == "0 letters came in, 0 turn files were made, 0 mails went out.\n"


def test_a_round_says_how_many_deadlines_were_attended_to(tmp_path: Path) -> None:
    """By this machine's clock the deadline is over for years."""
    rita = in_play(tmp_path).judge.side
    done = rita("serve", *folders(tmp_path), "--once", "--verbose")
    assert done.out == ("0 letters came in, 1 turn file was made, 2 mails went out, 1 deadline was attended to.\n"), (
        done
    )


@pytest.mark.parametrize(
    ("what", "facts", "out", "err"),
    [
        ("alarm", {"code": "clock.back", "text": "look here"}, "ALARM clock.back: look here\n", ""),
        ("left", {"why": "x", "text": "no\ncommand in it"}, "a letter is left for you: no\\ncommand in it\n", ""),
        ("left", {"why": "no turn file in it", "text": "x"}, "", ""),
        ("left", {"game": "w", "why": "a motion"}, "w: left to you: a motion\n", ""),
        (
            *("ruled", {"game": "w", "step": 7, "text": "polish's orders"}),
            *("w: ruled in the place of polish's orders at step 7\n", ""),
        ),
        ("stopped", {"game": "w", "text": "two answers"}, "w is stopped: two answers\n", ""),
        (
            *("undecided", {"game": "w", "bot": "good", "code": "bot.asked", "text": "expected nothing, got a motion"}),
            *("w: the bot left a decision to you: expected nothing, got a motion\n", ""),
        ),
        ("owed", {"text": "w:\n\x1b[2Jdecide"}, "w:\\n\\x1b[2Jdecide\n", ""),
        ("taken", {"game": "w", "events": 3}, "", ""),
        ("closed", {"code": "post.disk", "text": "a b"}, "", '1970-01-01T00:00:09Z closed code=post.disk text="a b"\n'),
    ],
)
def test_a_sparing_record(what: str, facts: dict[str, str | int], out: str, err: str) -> None:
    said, failed = io.StringIO(), io.StringIO()
    sparing(lambda: 9, said, failed)(what, **facts)
    assert (said.getvalue(), failed.getvalue()) == (out, err)


def test_a_mistyped_folder_is_no_mailbox(court: Court, tmp_path: Path) -> None:
    rita, (_, inbox, _, outgoing, make) = court.judge.side, folders(tmp_path)
    for found in ("none", "an empty folder"):
        done = rita("serve", "--in", inbox, "--out", outgoing, "--once")
        assert (done.code, done.err) == (
            1,
            f"post.no_maildir: expected a Maildir at '{tmp_path / 'in'}', got {found}\n"
            "hint: look for a slip in the name; --make makes a Maildir there\n",
        )
        (tmp_path / "in").mkdir(exist_ok=True)
    assert not (tmp_path / "out").exists()
    assert rita("serve", "--in", inbox, "--out", outgoing, "--once", make).code == 0
    assert rita("serve", "--once").code == 0
    (tmp_path / "out").rename(tmp_path / "other")
    done = rita("serve", "--once")
    assert done.err.splitlines()[0] == f"post.no_maildir: expected a Maildir at '{tmp_path / 'out'}', got none"
    assert doctor(court)[1]["way out"] == f"NOT WELL: expected a Maildir at '{tmp_path / 'out'}', got none"
    assert not (tmp_path / "out").exists()


def test_what_the_status_shows(court: Court, tmp_path: Path) -> None:
    rita = court.judge.side
    assert rita("serve", "--status").out == (
        "service: does not work now\noutbox: empty\ngames: 0, of which 0 run; proposals of nobody are accepted\n"
    )
    rita("serve", *folders(tmp_path), "--once", "--for", "any")
    shown = rita("serve", "--status")
    lines = shown.out.splitlines()
    assert re.fullmatch(r"last round: .* UTC, 0 letters, 0 turn files, 0 mails, 0 deadlines", lines[1])
    assert lines[2:] == ["outbox: empty", "games: 0, of which 0 run; proposals of any are accepted"]
    found = json.loads(rita("serve", "--status", "--json").out)
    assert (found["games"], found["allowed"], found["alarms"]) == ({"all": 0, "running": 0}, ["any"], [])


def test_the_status_names_what_is_due_next(tmp_path: Path) -> None:
    court = in_play(tmp_path)
    assert court.judge.side("serve", "--status").out.splitlines()[-4:] == [
        "  due 2023-11-18 10:19 UTC: half in westerplatte, step 4",
        "  due 2023-11-20 22:19 UTC: day in westerplatte, step 4",
        "  due 2023-11-21 22:19 UTC: late in westerplatte, step 4",
        "  due 2023-11-22 22:19 UTC: rule in westerplatte, step 4",
    ]


def test_health_is_an_exit_code(court: Court, tmp_path: Path) -> None:
    rita = court.judge.side
    done = rita("serve", "--health")
    assert (done.code, done.err) == (1, "no round was ever made\n")
    rita("serve", *folders(tmp_path), "--once")
    done = rita("serve", "--health")
    assert (done.code, done.out) == (0, "well\n")
    with court.judge.desk() as desk:
        late = last_round(desk.home)["at"] + 61
        desk.clock = lambda: late
        raise_alarm(desk, silent, "safety.stop", "look here")
        raise_alarm(desk, silent, "safety.stop", "look here")
        assert why_unwell(desk, 60) == ["the last round was 61 seconds ago", "safety.stop: look here"]


def test_a_box_out_of_reach_shows(court: Court) -> None:
    court.judge.round()
    court.judge.box.closed = True
    for _ in range(3):
        court.later(600)
        court.judge.round()
    with court.judge.desk() as desk:
        assert why_unwell(desk, 900) == [
            "the mailbox is out of reach since 1200 seconds",
            "mails do not come in: expected a way in, got a box that is out of reach",
        ]


def test_one_rule_says_whether_mails_were_kept_from_coming_or_going(tmp_path: Path) -> None:
    """What makes one round fail makes the health bad, and the doctor names it."""
    court = in_play(tmp_path)
    rita, told = court.judge.side, "1 mail does not go out: post.disk"
    assert rita("serve", *folders(tmp_path), "--once").code == 0
    court.judge.write("Subject: who\n\n")
    deliver(tmp_path / "in", court.judge.box.waiting[0].data)
    shutil.rmtree(tmp_path / "out" / "new")
    (tmp_path / "out" / "new").symlink_to("/proc")  # where nobody can write
    for _ in range(2):
        done = rita("serve", "--once")
        assert (done.code, done.err.splitlines()[-1]) == (1, told), done
    done = rita("serve", "--health")
    assert (done.code, done.err) == (1, f"{told}\n")
    assert doctor(court)[1]["outbox"] == f"NOT WELL: {told}: `pbem agent --show` names them"
    (tmp_path / "in").rename(tmp_path / "gone")
    gone = f"expected a Maildir at '{tmp_path / 'in'}', got none"
    assert rita("serve", "--once").code == 1
    done = rita("serve", "--health")
    assert (done.code, done.err) == (1, f"{told}\n{gone}\n")
    assert doctor(court)[1]["mailbox"] == f"NOT WELL: {gone}"


def test_bad_options_are_refused(court: Court, tmp_path: Path) -> None:
    for given, told in (
        (
            ("--zone", "anna@example.org=Mars/Olympus"),
            "zone.unknown: expected a time zone such as Europe/Warsaw, got 'Mars/Olympus'",
        ),
        (("--zone", "Europe/Warsaw"), "serve.zone: expected ADDRESS=ZONE, got 'Europe/Warsaw'"),
        (("--for", "Anna"), "mail.address: expected a proposer's e-mail address such as anna@example.org, got 'Anna'"),
        (
            ("--for", "any", "--for", "nobody"),
            "serve.for: expected nobody, or addresses, or any, got nobody beside others",
        ),
    ):
        done = court.judge.side("serve", *folders(tmp_path), "--once", *given)
        assert (done.code, done.err.splitlines()[0]) == (1, told), done


@pytest.mark.plan("C13")
def test_a_second_service_does_not_begin(court: Court, tmp_path: Path) -> None:
    rita = court.judge.side
    rita("serve", *folders(tmp_path), "--once")
    with court.judge.desk() as desk, desk.home.queueing() as queue:
        queue.take_lease("agent", "another", 2**40, 600)
    done = rita("serve", "--once")
    assert (done.code, done.err.splitlines()[0]) == (
        1,
        "agent.running: expected a home on which no agent works, got one that another agent has",
    )


def test_the_service_works_until_it_is_stopped(tmp_path: Path) -> None:
    """A process of its own, with its clock, that answers what lies in its mailbox and ends when it is told to."""
    court = in_play(tmp_path)
    court.judge.write("Subject: who\n\n")
    inbox, outgoing = tmp_path / "in", tmp_path / "out"
    prepare(inbox)
    deliver(inbox, court.judge.box.waiting[0].data)
    command = [sys.executable, "-m", "pbem", "serve", *folders(tmp_path), "--pause", "1", "--log-json"]
    environment = {**os.environ, "PBEM_HOME": str(court.judge.side.folder)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        seen = []
        for line in process.stderr:
            seen.append(json.loads(line)["what"])
            if seen.count("sent") == 1 and seen[-1] == "sent":
                process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    assert (seen[0], seen[-1]) == ("begun", "ended")
    mails = [path.read_bytes() for path in (outgoing / "new").iterdir()]
    assert [mail for mail in mails if b"[pbem] who " in mail]


# ---------------------------------------------------------------------- the doctor


def doctor(court: Court) -> tuple[int, dict[str, str]]:
    done = court.judge.side("doctor")
    lines = [line.split("  ", 1) for line in done.out.splitlines()]
    return done.code, {rest.split(": ", 1)[0]: f"{well}: {rest.split(': ', 1)[1]}" for well, rest in lines}


def test_the_doctor_finds_all_well(court: Court, tmp_path: Path) -> None:
    court.judge.side("serve", *folders(tmp_path), "--once")
    code, found = doctor(court)
    clock = found.pop("clock")
    assert re.fullmatch(r"well: \w+ \d+ \w+ \d{4}, \d\d:\d\d UTC", clock)
    assert (code, found) == (
        0,
        {
            "mailbox": "well: it is open and empty",
            "way out": "well: it is open",
            "database": "well: its settings are right, all rows hold, schema 3",
            "permissions": "well: the home is its owner's alone",
            "keys": "well: the vault opens, and holds the key of this home",
            "outbox": "well: 0 mails wait, none has failed",
            "workers": "well: 0 at work; a home in SQLite has one at most",
            "letters": "well: none was left to a person",
        },
    )


def test_the_doctor_names_what_is_wrong(court: Court, tmp_path: Path) -> None:
    rita = court.judge.side
    rita("serve", *folders(tmp_path), "--once")
    shutil.rmtree(tmp_path / "in")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "letter").touch()
    shutil.rmtree(tmp_path / "out")
    (tmp_path / "out").touch()
    rita.folder.chmod(0o755)
    with court.judge.desk() as desk:
        with desk.home.writing() as writer:
            writer.put_meta("serve/clock", str(2**40).encode())
            writer.post(message_id="<1@a>", game_id="", receivers=["a@b"], sender="", mail=b"x", created=1)
            assert writer.lease_mail("w", 1, 1) is not None
        with desk.home.queueing() as queue:
            queue.mail_failed("<1@a>", "w", "post.refused")
    code, found = doctor(court)
    assert code == 1
    behind = re.sub(r"\d+", "SO MANY", found.pop("clock"))
    assert behind == "NOT WELL: it stands SO MANY seconds before what it has shown: `pbem serve --clock-is-right`"
    assert {name: told for name, told in found.items() if told.startswith("NOT WELL")} == {
        "mailbox": f"NOT WELL: expected a Maildir or an empty folder, got one with other files at '{tmp_path / 'in'}'",
        "way out": f"NOT WELL: expected a Maildir to use at '{tmp_path / 'out'}', got 'Not a directory'",
        "permissions": f"NOT WELL: others on this machine may use referee: `chmod -R go= {rita.folder}`",
        "outbox": "NOT WELL: 1 mail could not be sent (post.refused): `pbem agent --show` names them",
    }
    rita("serve", *folders(tmp_path / "new"), "--once", "--clock-is-right")
    assert doctor(court)[1]["clock"].startswith("well")


def test_the_doctor_names_what_nobody_has_said(court: Court) -> None:
    found = doctor(court)[1]
    assert (found["mailbox"], found["way out"]) == (
        "NOT WELL: no address is known: `pbem serve --in ADDRESS` or `pbem agent --in ADDRESS` says it",
        "NOT WELL: no address is known: `pbem serve --out ADDRESS` or `pbem agent --out ADDRESS` says it",
    )


def test_what_waits_is_no_fault(court: Court, tmp_path: Path) -> None:
    court.judge.side("serve", *folders(tmp_path), "--once")
    deliver(tmp_path / "in", b"Subject: hello\n\n")
    with court.judge.desk() as desk, desk.home.writing() as writer:
        writer.post(message_id="<1@a>", game_id="", receivers=["a@b"], sender="", mail=b"x", created=1)
    found = doctor(court)[1]
    assert (found["mailbox"], found["outbox"]) == ("well: letters wait in it", "well: 1 mail waits, none has failed")


def test_a_clock_from_long_ago_is_not_well(court: Court) -> None:
    assert court.office.now == 1_700_000_000
    with court.judge.desk() as desk:
        found = [check for check in examine(desk, lambda: None, lambda: None) if check.name == "clock"]
    assert found == [Check("clock", False, "it shows 1700000000 seconds since 1970, which is long ago")]


def test_a_profile_of_another_home_is_not_well(court: Court) -> None:
    with court.german.side.desk() as desk:
        profile = desk.home.meta("profile")
    assert profile is not None
    with court.judge.desk() as desk, desk.home.writing() as writer:
        writer.put_meta("profile", profile)
    assert doctor(court)[1]["keys"] == ("NOT WELL: the key in the vault is not that of the profile: restore a backup")


def test_the_doctor_opens_the_keys(court: Court) -> None:
    with court.judge.desk() as desk:
        desk.change_passphrase("secret phrase")
    before = os.environ.get("PBEM_PASSPHRASE")
    os.environ["PBEM_PASSPHRASE"] = "another phrase"
    try:
        found = doctor(court)[1]
    finally:
        os.environ.pop("PBEM_PASSPHRASE") if before is None else os.environ.update(PBEM_PASSPHRASE=before)
    assert found["keys"] == "NOT WELL: expected the passphrase of this home, got another one"


def test_the_log_has_no_secret(tmp_path: Path) -> None:
    """Neither what a player asks about, nor a key, a seed or a link of the home; each line is one JSON object."""
    court = in_play(tmp_path)
    court.judge.write("Subject: check\n\nPL-1 in Koszary by night, tell nobody\n")
    court.judge.round()
    stream = io.StringIO()
    tell = in_json(lambda: court.office.now, stream)
    for what, facts in court.judge.told:
        tell(what, **facts)
    assert [json.loads(line)["what"] for line in stream.getvalue().splitlines()] == court.judge.words()
    assert "tell nobody" not in stream.getvalue()
    secrets = [row[1].hex() for row in court.judge.side.tables()["secrets"]]
    assert not re.search(r"[0-9a-f]{65}", stream.getvalue())
    assert not any(secret[:32] in stream.getvalue() for secret in secrets)
