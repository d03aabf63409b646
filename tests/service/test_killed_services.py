"""A service that is killed anywhere: its successor loses nothing, and rules on nothing twice."""

from __future__ import annotations

import os
import subprocess
import sys
from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.mail.post.maildir import deliver, prepare
from service.court import DAY, Court, in_play, strangers

ROOT = Path(__file__).parent.parent.parent
KILLED = -9
LEASE = 61
"""Seconds after which what a killed worker had is free."""


def serve(court: Court, where: str = "never") -> int:
    """One round of the referee's service in a process; its exit code."""
    court.later(LEASE)
    home = court.judge.side.folder
    prepare(home.parent / "in")
    for letter in court.judge.box.waiting:
        deliver(home.parent / "in", letter.data)
    court.judge.box.waiting = []
    command = [sys.executable, str(Path(__file__).parent / "killed.py"), str(home), str(court.office.now), where]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests")))}
    done = subprocess.run(command, check=False, env=environment, capture_output=True, text=True)
    assert done.returncode in (0, KILLED), done.stderr
    return done.returncode


def sent(court: Court) -> list[str]:
    """The Message-IDs of what the service has sent, in any order."""
    files = (court.judge.side.folder.parent / "out" / "new").iterdir()
    return sorted(str(message_from_bytes(path.read_bytes())["Message-ID"]) for path in files)


def unread(court: Court) -> int:
    folder = court.judge.side.folder.parent / "in"
    return len(list((folder / "new").iterdir()))


@pytest.mark.plan("C9")
def test_killed_between_commit_and_marking_a_proposal(tmp_path: Path) -> None:
    court = strangers(tmp_path)
    court.judge.allow("anna@example.org")
    court.propose()
    assert serve(court, "marking") == KILLED
    assert len(court.judge.side.tables()["games"]) == 1
    assert serve(court) == 0
    assert (len(court.judge.side.tables()["games"]), unread(court)) == (1, 0)
    assert len(sent(court)) == 1


@pytest.mark.plan("C9")
def test_killed_between_commit_and_marking_a_command(tmp_path: Path) -> None:
    court = in_play(tmp_path)
    court.judge.write("Subject: status\n\n")
    assert serve(court, "marking") == KILLED
    assert serve(court) == 0
    assert serve(court) == 0
    assert len([one for one in sent(court) if one.startswith("<answer.")]) == 1
    assert unread(court) == 0


@pytest.mark.plan("C10")
def test_killed_between_sending_and_noting_it(tmp_path: Path) -> None:
    """The mail goes once more under the same id: lost it never is."""
    court = in_play(tmp_path)
    court.judge.write("Subject: status\n\n")
    assert serve(court, "noting") == KILLED
    assert serve(court) == 0
    assert serve(court) == 0
    answers = [one for one in sent(court) if one.startswith("<answer.")]
    assert (len(answers), len(set(answers))) == (2, 1)


@pytest.mark.plan("C12")
@pytest.mark.parametrize("where", ["ruling", "posting"])
def test_killed_around_a_ruling(tmp_path: Path, where: str) -> None:
    court = in_play(tmp_path)
    court.later(7 * DAY)
    assert serve(court) == 0
    court.later(2 * DAY)
    step = court.judge.side.opened().campaign.place.step
    assert serve(court, where) == KILLED
    assert court.judge.side.opened().campaign.place.step == step + (where == "posting")
    assert serve(court) == 0
    assert serve(court) == 0
    kinds = [one.event.kind for found in court.judge.side.opened(whole=True).campaign.steps for one in found.events]
    assert kinds.count("ruling") == 1
    (fired,) = [one for one in court.judge.deadlines("fired") if one.what.startswith("rule/")]
    assert fired.step == step
    reminders = [one for one in sent(court) if one.startswith("<late-")]
    assert len(reminders) == 1
    assert len([one for one in sent(court) if one.startswith(f"<turn-{step + 1}.")]) == 1


@pytest.mark.plan("C12")
def test_killed_around_a_reminder(tmp_path: Path) -> None:
    court = in_play(tmp_path)
    court.later(7 * DAY)
    assert serve(court, "posting") == KILLED
    assert serve(court, "noting") == KILLED
    assert serve(court) == 0
    reminders = [one for one in sent(court) if one.startswith("<late-")]
    assert (len(reminders), len(set(reminders))) == (2, 1)
