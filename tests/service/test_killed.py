"""An agent that is killed with `kill -9` loses nothing, be it between a letter and its mark or a mail and its note."""

from __future__ import annotations

import mailbox
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pbem.mail.post.maildir import MaildirOutgoing, deliver, prepare
from pbem.service.record import silent
from pbem.service.sending import send_all
from pbem.service.shift import LEASE
from service.office import Post, two_players

CHILD = Path(__file__).with_name("dying.py")


@pytest.fixture
def players(tmp_path: Path) -> tuple[Post, Post]:
    """A game in which the Pole has set up, and its mail lies in the German's box."""
    german, polish = two_players(tmp_path)
    for player in (german, polish):
        player.office.now = player.side.now = int(time.time())
        prepare(tmp_path / "mail" / player.side.role)
    polish.side.decide()
    polish.round()
    (_, _, mail) = polish.office.sent[-1]
    deliver(tmp_path / "mail" / "german", mail)
    return german, polish


def killed(player: Post, folder: Path, where: str) -> None:
    other = "polish" if player.side.role == "german" else "german"
    boxes = [str(folder / "mail" / player.side.role), str(folder / "mail" / other)]
    done = subprocess.run([sys.executable, str(CHILD), str(player.side.folder), *boxes, where], timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL


def _release(player: Post) -> None:
    """As if its time were over."""
    with player.side.desk() as desk, desk.home.queueing() as queue:
        found = desk.home.lease("agent")
        if found is not None:
            queue.release_lease("agent", found.worker)


def once(player: Post, folder: Path) -> str:
    """A round through the client, when the lease of the one that was killed is over."""
    other = "polish" if player.side.role == "german" else "german"
    _release(player)
    ways = ["--in", f"maildir:{folder / 'mail' / player.side.role}", "--out", f"maildir:{folder / 'mail' / other}"]
    done = player.side("agent", *ways, "--once", "--verbose")
    assert done.code == 0, done
    return done.out


@pytest.mark.plan("C8")
def test_a_letter_whose_mark_was_lost_is_taken_once(players: tuple[Post, Post], tmp_path: Path) -> None:
    german, _ = players
    killed(german, tmp_path, "taken")
    taken = german.side.tables()["events"]
    assert german.side.opened().campaign.place.step > 2
    assert once(german, tmp_path).startswith("1 letter came in")
    assert german.side.tables()["events"] == taken
    assert once(german, tmp_path).startswith("0 letters came in")


@pytest.mark.plan("C10")
@pytest.mark.parametrize(("where", "copies"), [("posted", 1), ("sent", 2)])
def test_a_mail_whose_note_was_lost_goes_again_under_its_id(
    players: tuple[Post, Post], tmp_path: Path, where: str, copies: int
) -> None:
    """Twice rather than never; mail programs and `pbem` know it by its Message-ID and its events."""
    german, polish = players
    once(german, tmp_path)
    german.side.now = int(time.time())
    german.side.decide()
    killed(german, tmp_path, where)
    found = german.side("agent", "--show", "--json").out
    assert '"sending": 1' in found
    with german.side.desk() as desk:
        (sending,) = desk.home.mails("sending")
    german.side.now = sending.lease_until + 1
    with german.side.desk() as desk:
        assert send_all(desk, MaildirOutgoing(tmp_path / "mail" / "polish"), "another", silent) == 1
    letters = list(mailbox.Maildir(tmp_path / "mail" / "polish"))
    assert len(letters) == copies
    assert len({letter["Message-ID"] for letter in letters}) == 1
    events = len(polish.side.tables()["events"])
    once(polish, tmp_path)
    taken = len(polish.side.tables()["events"])
    assert taken > events
    assert set(german.side.heads()) <= set(polish.side.heads())


def test_the_lease_of_an_agent_that_was_killed_ends(players: tuple[Post, Post], tmp_path: Path) -> None:
    german, _ = players
    killed(german, tmp_path, "taken")
    ways = ["--in", f"maildir:{tmp_path / 'mail' / 'german'}", "--out", f"maildir:{tmp_path / 'mail' / 'polish'}"]
    refused = german.side("agent", *ways, "--once")
    assert refused.err.splitlines() == [
        "agent.running: expected a home on which no agent works, got one that another agent has",
        "hint: stop that one, or wait a minute if it was killed; a home in PostgreSQL may have several",
    ]
    german.office.now = int(time.time()) + LEASE + 1
    german.round()


@pytest.mark.soak
def test_agents_that_are_killed_at_random_finish_their_game(tmp_path: Path) -> None:
    """`kill -9` after a random time, again and again: no event is lost, and both logs are the same."""
    players = two_players(tmp_path)
    source = random.Random(1)
    boxes = {player.side.role: tmp_path / "mail" / player.side.role for player in players}
    for box in boxes.values():
        prepare(box)
    kills = 0
    for _ in range(200):
        for player in players:
            player.side.now = int(time.time())
            player.side.decide()
            _release(player)
            kills += _cut_short(player, boxes, source.uniform(0.15, 1.2))
        if all(player.side.opened().campaign.finished for player in players):
            break
    assert kills > 10
    for _ in range(400):  # what is left is played without a killer
        for player in players:
            player.side.now = int(time.time())
            player.side.decide()
            _release(player)
            once(player, tmp_path)
        if all(player.side.opened().campaign.finished for player in players):
            break
    assert players[0].side.heads() == players[1].side.heads()
    assert [player.side.verified(running=False).code for player in players] == [0, 0]


def _cut_short(player: Post, boxes: dict[str, Path], seconds: float) -> bool:
    """An agent that is killed after so long; whether it was still there."""
    other = "polish" if player.side.role == "german" else "german"
    ways = ["--in", f"maildir:{boxes[player.side.role]}", "--out", f"maildir:{boxes[other]}", "--again", "0.01"]
    command = [sys.executable, "-m", "pbem", "agent", *ways, "--pause", "1"]
    with subprocess.Popen(command, env={"PBEM_HOME": str(player.side.folder)}, stderr=subprocess.DEVNULL) as agent:
        try:
            agent.wait(seconds)
        except subprocess.TimeoutExpired:
            agent.kill()
            return True
    return False
