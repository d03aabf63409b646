"""The Maildir as a box and as a way out, beside the standard library's, and with processes that die."""

from __future__ import annotations

import mailbox
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from pbem.errors import BadRequest
from pbem.mail.post.maildir import ASIDE, MaildirInbox, MaildirOutgoing, deliver, prepare
from pbem.mail.post.opening import open_inbox, open_outgoing
from pbem.mail.post.port import PostFault, Undeliverable
from pbem.mail.post.secrets import Secrets
from pbem.mail.reading import Note

from .post_child import BODY

LETTERS = [f"From: bob@example.org\nSubject: {n}\n\nletter {n}\n".encode() for n in range(4)]
SECRETS = Secrets({}, keyring=lambda *_: None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    prepare(tmp_path / "box")
    return tmp_path / "box"


def put(folder: Path, *mails: bytes) -> None:
    """Delivers by the standard library, a second apart by the clock of the files."""
    box = mailbox.Maildir(folder)
    for mail in mails:
        path = folder / "new" / box.add(mail)
        second = 1_772_366_400 + len(box)
        os.utime(path, (second, second))


def bodies(inbox: MaildirInbox, at_most: int = 10) -> list[bytes]:
    return [letter.data for letter in inbox.letters(at_most)]


def names(folder: Path) -> list[str]:
    """The files of a Maildir by where they lie, with their flags."""
    found = [path for part in ("cur", "new", "tmp") for path in (folder / part).iterdir()]
    return sorted(f"{path.parent.name}{path.name.partition(':')[2]}" for path in found)


def test_letters_come_oldest_first_with_their_bytes_and_time(folder: Path) -> None:
    put(folder, *LETTERS)
    letters = list(MaildirInbox(folder).letters(3))
    assert [letter.data for letter in letters] == LETTERS[:3]
    assert [letter.arrived for letter in letters] == [1_772_366_401, 1_772_366_402, 1_772_366_403]
    assert names(folder) == ["new"] * 4


@pytest.mark.plan("C8")
def test_what_was_not_marked_when_its_reader_died_is_offered_again(folder: Path) -> None:
    put(folder, *LETTERS[:2])
    letters = MaildirInbox(folder).letters(10)
    first = next(letters)
    next(letters)
    inbox = MaildirInbox(folder)
    inbox.done(first)
    inbox.done(first)
    assert names(folder) == ["cur2,S", "new"]
    assert bodies(inbox) == bodies(MaildirInbox(folder)) == [LETTERS[1]]
    assert {mail.get_flags() for mail in mailbox.Maildir(folder)} == {"", "S"}


def test_set_aside_is_kept_where_a_mail_program_shows_it(folder: Path) -> None:
    put(folder, *LETTERS[:2])
    inbox = MaildirInbox(folder)
    inbox.set_aside(next(inbox.letters(1)))
    assert bodies(MaildirInbox(folder)) == [LETTERS[1]]
    (kept,) = mailbox.Maildir(folder).get_folder(ASIDE.removeprefix("."))
    assert (kept.as_bytes(), kept.get_flags()) == (LETTERS[0], "")


def test_a_letter_that_is_left_stays_unread(folder: Path) -> None:
    put(folder, LETTERS[0])
    inbox = MaildirInbox(folder)
    inbox.leave(next(inbox.letters(1)))
    assert names(folder) == ["cur2,P"]
    assert bodies(MaildirInbox(folder)) == []


def test_a_letter_that_was_left_is_offered_again(folder: Path) -> None:
    put(folder, LETTERS[0])
    inbox = MaildirInbox(folder)
    letter = next(inbox.letters(1))
    inbox.leave(letter)
    inbox.offer(letter.handle)
    inbox.offer("gone")
    assert (names(folder), bodies(MaildirInbox(folder))) == (["cur2,"], [LETTERS[0]])


@pytest.mark.plan("C8")
def test_a_letter_that_a_mail_program_listed_first_is_not_lost(folder: Path) -> None:
    put(folder, *LETTERS[:2])
    inbox = MaildirInbox(folder)
    first, _ = inbox.letters(2)
    for path in list((folder / "new").iterdir()):
        path.rename(folder / "cur" / f"{path.name}:2,F")
    inbox.done(first)
    assert names(folder) == ["cur2,F", "cur2,FS"]
    assert bodies(inbox) == [LETTERS[1]]


def test_letters_that_were_offered_in_vain_come_last(folder: Path) -> None:
    put(folder, *LETTERS)
    inbox = MaildirInbox(folder)
    assert [bodies(inbox, 1)[0] for _ in range(6)] == [*LETTERS, *LETTERS[:2]]


def test_a_letter_that_is_deleted_meanwhile_is_passed_over(folder: Path) -> None:
    put(folder, *LETTERS)
    inbox = MaildirInbox(folder)
    letters = inbox.letters(10)
    first = next(letters)
    for path in sorted((folder / "new").iterdir(), key=lambda path: path.stat().st_mtime)[:2]:
        path.unlink()
    inbox.done(first)
    inbox.set_aside(first)
    assert [letter.data for letter in letters] == LETTERS[2:]


def test_what_is_no_letter_is_not_offered_and_does_not_hide_the_next(folder: Path) -> None:
    """A pipe would block who opens it; a link would let a stranger's name read another file."""
    os.mkfifo(folder / "new" / "1.pipe")
    (folder / "new" / "2.link").symlink_to("/etc/passwd")
    (folder / "new" / ".hidden").write_bytes(b"x")
    (folder / "new" / "3.folder").mkdir()
    (folder / "tmp" / "half").write_bytes(b"half a mail")
    put(folder, LETTERS[0])
    assert bodies(MaildirInbox(folder)) == [LETTERS[0]]


def test_too_large_a_letter_is_set_aside(folder: Path) -> None:
    put(folder, LETTERS[0] + b"x" * 1000, LETTERS[1])
    (name,) = [path.name for path in (folder / "new").iterdir() if path.stat().st_size > 1000]
    told: list[Note] = []
    inbox = MaildirInbox(folder, told.append, limit=1000)
    assert bodies(inbox, 1) == [LETTERS[1]]
    size = len(LETTERS[0]) + 1000
    assert told == [Note("post.too_large", name, f"set aside: {size:,} bytes are more than 1,000")]
    assert names(folder / ASIDE) == ["cur2,"]


def test_waiting_ends_with_a_new_letter(folder: Path) -> None:
    put(folder, LETTERS[0])
    inbox = MaildirInbox(folder)
    assert bodies(inbox) == [LETTERS[0]]
    paused: list[float] = []

    def pause(seconds: float) -> None:
        paused.append(seconds)
        if len(paused) == 3:
            put(folder, LETTERS[1])

    inbox.pause = pause
    inbox.wait(3600)
    assert paused == [0.5] * 3
    inbox.wait(3600)
    assert len(paused) == 3


def test_waiting_ends_in_time(folder: Path) -> None:
    started = time.monotonic()
    MaildirInbox(folder).wait(0.05)
    assert 0.05 <= time.monotonic() - started < 5


def test_a_folder_that_is_away_is_waited_for(folder: Path) -> None:
    inbox = MaildirInbox(folder)
    away = folder.with_name("away")
    folder.rename(away)
    paused: list[float] = []

    def pause(seconds: float) -> None:
        paused.append(seconds)
        if len(paused) == 2:
            away.rename(folder)
            put(folder, LETTERS[0])

    inbox.pause = pause
    inbox.wait(3600)
    assert paused == [0.5] * 2
    assert bodies(inbox) == [LETTERS[0]]


def test_one_folder_is_a_complete_set_up(tmp_path: Path) -> None:
    way = open_outgoing(f"maildir:{tmp_path}/post", SECRETS, make=True)
    inbox = open_inbox(f"maildir:{tmp_path}/post", SECRETS)
    waiting = Thread(target=lambda: inbox.wait(60))
    waiting.start()
    way.send(LETTERS[0], "anna@example.org", ["bob@example.org"])
    waiting.join(20)
    way.send(LETTERS[1], "", ["bob@example.org"])
    assert sorted(letter.data for letter in inbox.letters(10)) == [
        b"Return-Path: <>\n" + LETTERS[1],
        b"Return-Path: <anna@example.org>\n" + LETTERS[0],
    ]
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "post" / "new").iterdir()} == {0o600}


def test_the_standard_library_reads_what_we_deliver(folder: Path) -> None:
    for mail in LETTERS:
        deliver(folder, mail)
    assert sorted(mail.as_bytes() for mail in mailbox.Maildir(folder)) == LETTERS


@pytest.mark.plan("A53")
@pytest.mark.parametrize("bad", ["", "bob", "bob@example.org>\nBcc: <eve@example.org", "../../x@y/z"])
def test_an_envelope_that_is_none_is_not_delivered(folder: Path, bad: str) -> None:
    with pytest.raises(Undeliverable) as failed:
        MaildirOutgoing(folder).send(LETTERS[0], "anna@example.org", [bad])
    assert (failed.value.code, failed.value.refused, names(folder)) == ("post.address", (bad,), [])


def test_an_existing_empty_folder_becomes_a_maildir(tmp_path: Path) -> None:
    (tmp_path / "box").mkdir()
    prepare(tmp_path / "box")
    assert bodies(MaildirInbox(tmp_path / "box")) == []


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear aunt")
    with pytest.raises(BadRequest) as refused:
        open_inbox(f"maildir:{tmp_path}", SECRETS)
    assert (str(refused.value), refused.value.hint) == (
        f"post.not_a_maildir: expected a Maildir or an empty folder, got one with other files at '{tmp_path}'",
        "a Maildir has the folders tmp, new and cur",
    )
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_folder_that_goes_away_is_a_fault_until_it_is_back(folder: Path) -> None:
    shutil.rmtree(folder)
    with pytest.raises(PostFault) as failed:
        bodies(MaildirInbox(folder))
    assert (str(failed.value), failed.value.hint) == (
        f"post.disk: expected a Maildir to use at '{folder}', got 'No such file or directory'",
        "look at the free space, and at the rights of the folder and of new, cur and tmp in it",
    )
    with pytest.raises(PostFault) as failed:
        MaildirOutgoing(folder).send(LETTERS[0], "", ["bob@example.org"])
    assert failed.value.postponed == ("bob@example.org",)
    prepare(folder)
    assert bodies(MaildirInbox(folder)) == []


def test_what_a_crash_left_is_cleared_after_36_hours(folder: Path) -> None:
    for name, age in (("old", 37 * 3600), ("young", 35 * 3600)):
        (folder / "tmp" / name).write_bytes(b"half")
        os.utime(folder / "tmp" / name, (time.time() - age,) * 2)
    prepare(folder)
    assert [path.name for path in (folder / "tmp").iterdir()] == ["young"]


def can_trace() -> bool:
    strace = shutil.which("strace")
    return strace is not None and subprocess.run([strace, "-qq", "true"], capture_output=True).returncode == 0


needs_strace = pytest.mark.skipif(not can_trace(), reason="strace is missing or not permitted here")
CHILD = (sys.executable, "-m", "tests.mail.post_child")


def injected(fault: str, folder: Path, count: int) -> subprocess.CompletedProcess[str]:
    """Deliver so many mails in a child, with a fault such as `fsync:signal=KILL:when=2`."""
    call = fault.partition(":")[0]
    tracing = ["strace", "-qq", "-f", "-o", os.devnull, "-e", f"trace={call}", "-e", f"inject={fault}"]
    command = [*tracing, *CHILD, str(folder), str(count)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=Path(__file__).parents[2])


def kills(call: str, folder: Path) -> Iterator[int]:
    """Kill a child that delivers one mail at its first, second … call, and yield how many it said to be delivered."""
    for number in range(1, 100):
        done = injected(f"{call}:signal=KILL:when={number}", folder, 1)
        yield done.stdout.count("done")
        if done.returncode == 0:
            assert number > 1, f"the child never calls {call}"
            return


@needs_strace
@pytest.mark.plan("C8")
@pytest.mark.parametrize("call", ["write", "fsync", "rename"])
def test_a_delivery_that_is_killed_at_any_step_leaves_a_whole_mail_or_none(folder: Path, call: str) -> None:
    told = sum(kills(call, folder))
    found = bodies(MaildirInbox(folder), 1000)
    assert set(found) == {BODY}
    assert len(found) >= told >= 1


@pytest.mark.plan("C8")
def test_deliveries_that_are_killed_at_random_leave_whole_mails(folder: Path) -> None:
    chance, told = random.Random(8), 0
    for _ in range(8):
        with subprocess.Popen(
            [*CHILD, str(folder), "10000"], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
        ) as child:
            assert child.stdout is not None
            for _ in range(chance.randrange(1, 12)):
                told += child.stdout.readline().startswith("done")
            child.kill()
            told += child.stdout.read().count("done")
    found = bodies(MaildirInbox(folder), 10_000)
    assert set(found) == {BODY}
    assert len(found) >= told >= 8


@needs_strace
@pytest.mark.plan("C4")
@pytest.mark.parametrize("fault", ["write:error=ENOSPC:when=1", "fsync:error=EIO:when=1", "rename:error=EDQUOT:when=1"])
def test_a_disk_that_fails_leaves_nothing(folder: Path, fault: str) -> None:
    done = injected(fault, folder, 2)
    assert done.stdout.startswith("post.disk: expected a Maildir to use at ")
    assert done.stdout.splitlines()[1:] == ["done 1"]
    assert bodies(MaildirInbox(folder)) == [BODY]
    assert names(folder) == ["new"]


def test_two_readers_mark_each_letter_once(folder: Path) -> None:
    put(folder, *LETTERS)
    one, other = MaildirInbox(folder), MaildirInbox(folder)
    for mine, theirs in zip(one.letters(10), other.letters(10), strict=False):
        one.done(mine)
        other.done(theirs)
    assert names(folder) == ["cur2,S"] * 4
