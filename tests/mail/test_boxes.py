"""Files, mailboxes and folders as other programs write them."""

from __future__ import annotations

import mailbox
import os
from email.message import EmailMessage
from pathlib import Path
from random import Random

import pytest

from pbem.errors import BadDisk, BadRequest
from pbem.mail import armour, boxes, reading
from pbem.mail.boxes import read_path
from pbem.mail.reading import Found, Note, Reading

from .damage import FOOTER
from .letters import Letter

TURNS = [Random(number).randbytes(80 + number) for number in range(5)]


def mail(payload: bytes, **headers: str) -> EmailMessage:
    message = EmailMessage()
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message["From"] = "anna@example.org"
    message.set_content(f"Hi\n\nFrom here on, my turn:\n\n{armour.encode(payload)}\n")
    return message


def found(path: Path) -> list[bytes]:
    reading = read_path(path)
    assert reading.damaged == ()
    return [item.payload for item in reading.payloads]


@pytest.mark.plan("M40")
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1250"])
def test_a_text_file_in_any_encoding(tmp_path: Path, codec: str) -> None:
    path = tmp_path / "turn.txt"
    path.write_bytes(f"Cześć!\r\n{armour.encode(TURNS[0])}".encode(codec))
    assert read_path(path) == Reading((Found(TURNS[0], "turn.txt"),))


@pytest.mark.plan("M40")
def test_a_whole_mail_saved_as_utf_16(tmp_path: Path) -> None:
    path = tmp_path / "turn.eml"
    path.write_bytes(Letter(armour.encode(TURNS[0]), encoding="base64").to_bytes().decode().encode("utf-16"))
    assert found(path) == [TURNS[0]]


@pytest.mark.plan("M9", "M26")
def test_a_real_mbox(tmp_path: Path) -> None:
    path = tmp_path / "inbox.mbox"
    box = mailbox.mbox(path)
    for payload in (*TURNS[:3], TURNS[1]):
        box.add(mail(payload))
    box.close()
    assert b"\n>From here on" in path.read_bytes()
    assert [item.origin for item in read_path(path).payloads] == [f"inbox.mbox, message {n}, text" for n in (1, 2, 3)]
    assert found(path) == TURNS[:3]


@pytest.mark.plan("M26", "M27")
def test_copies_are_one_and_another_body_under_one_message_id_is_two(tmp_path: Path) -> None:
    path = tmp_path / "inbox"
    box = mailbox.mbox(path)
    for received, payload in (("a", TURNS[0]), ("b", TURNS[0]), ("c", TURNS[1])):
        message = mail(payload, Received=f"from {received}.example.org", Message_ID="<same@example.org>")
        message.set_content(message.get_content() + FOOTER)
        box.add(message)
    box.close()
    assert found(path) == TURNS[:2]


@pytest.mark.plan("M37")
def test_a_real_maildir_gives_what_came_and_leaves_it_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "Maildir"
    box = mailbox.Maildir(folder)
    keys = [box.add(mail(payload)) for payload in TURNS]
    seen = box.get_message(keys[2])
    seen.set_subdir("cur")
    box[keys[2]] = seen
    (folder / "tmp" / "half").write_bytes(armour.encode(b"still being written").encode())
    before = sorted((path, path.stat().st_mtime_ns) for path in folder.rglob("*"))
    assert sorted(found(folder)) == sorted(TURNS)
    assert sorted((path, path.stat().st_mtime_ns) for path in folder.rglob("*")) == before
    box.remove(keys[0])
    assert sorted(found(folder)) == sorted(TURNS[1:])


@pytest.mark.plan("M37")
def test_mails_of_a_maildir_come_in_the_order_of_delivery(tmp_path: Path) -> None:
    for part in ("cur", "new", "tmp"):
        (tmp_path / part).mkdir()
    for number, payload in enumerate(TURNS):
        part = "cur" if number % 2 else "new"
        (tmp_path / part / f"17000000{number:02}.M1.host:2,S").write_bytes(mail(payload).as_bytes())
    assert found(tmp_path) == TURNS


def test_a_download_folder(tmp_path: Path) -> None:
    folder = tmp_path / "Downloads"
    (folder / "more" / "deep").mkdir(parents=True)
    (folder / "a.eml").write_bytes(mail(TURNS[0]).as_bytes())
    (folder / "b.txt").write_text(armour.encode(TURNS[1], robust=True))
    (folder / "more" / "deep" / "c.txt").write_text(armour.encode(TURNS[2]))
    (folder / "photo.jpg").write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + bytes(500))
    (folder / "letter.txt").write_text("Dear aunt")
    (folder / ".hidden").write_text(armour.encode(b"hidden"))
    assert read_path(folder) == Reading(
        (
            Found(TURNS[0], "Downloads/a.eml, text"),
            Found(TURNS[1], "Downloads/b.txt"),
            Found(TURNS[2], "Downloads/more/deep/c.txt"),
        ),
        (Note("mail.not_text", "Downloads", "ignored, because not text and without a turn file: 1"),),
    )


def test_only_so_many_files_and_messages_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits stand too high for a test: they are lowered."""
    monkeypatch.setattr(boxes, "MAX_FILES", 2)
    monkeypatch.setattr(reading, "MAX_MESSAGES", 1)
    folder = tmp_path / "mails"
    folder.mkdir()
    for number, payload in enumerate(TURNS[:3]):
        (folder / f"{number}.txt").write_text(armour.encode(payload))
    assert read_path(folder).notes == (Note("mail.too_many_files", "mails", "files after the first 2 were not read"),)
    path = tmp_path / "inbox.mbox"
    box = mailbox.mbox(path)
    for payload in TURNS[:2]:
        box.add(mail(payload))
    box.close()
    assert read_path(path).notes == (
        Note("mail.too_many_messages", "inbox.mbox", "messages after the first 1 were not read"),
    )


def test_a_folder_is_entered_so_deep_and_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*"abc")
    deep.mkdir(parents=True)
    assert boxes.FOLDER_DEPTH == 2
    (deep / "turn.txt").write_text(armour.encode(TURNS[0]))
    (tmp_path / "a" / "turn.txt").write_text(armour.encode(TURNS[1]))
    (tmp_path / "loop").symlink_to(tmp_path)
    assert found(tmp_path) == [TURNS[1]]


def test_damage_in_one_file_of_a_folder_is_told_beside_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(armour.encode(TURNS[0])[:150])
    (tmp_path / "b.txt").write_text(armour.encode(TURNS[1]))
    told = read_path(tmp_path)
    assert [item.payload for item in told.payloads] == [TURNS[1]]
    assert [str(error) for error in told.damaged] == [
        "armour.truncated: expected 107 characters that match their digest, got 31 of them and then the end of the "
        f"text in {tmp_path.name}/a.txt"
    ]


def test_an_empty_folder(tmp_path: Path) -> None:
    (error,) = read_path(tmp_path).damaged
    assert str(error) == f"mail.no_turn_file: expected a turn file, got none in {tmp_path.name}"


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(BadRequest) as refused:
        read_path(tmp_path / "turn\x1b.txt")
    assert refused.value.text == (
        f"expected a file or a folder, got '{tmp_path}/turn\\\\x1b.txt', which does not exist"
    )


def test_what_the_machine_cannot_read_is_its_fault() -> None:
    with pytest.raises(BadDisk) as failed:
        read_path(Path("/proc/self/mem"))
    assert (str(failed.value), failed.value.hint) == (
        "mail.cannot_read: expected to read '/proc/self/mem', got 'Input/output error'",
        "look at the rights of the file and its folder",
    )


@pytest.mark.plan("A62")
def test_file_names_are_told_printable(tmp_path: Path) -> None:
    folder = tmp_path / "mails"
    folder.mkdir()
    (folder / "\x1b[31m\u202eturn.txt").write_text(armour.encode(TURNS[0])[:150])
    (error,) = read_path(folder).damaged
    assert error.text == (
        "expected 107 characters that match their digest, got 31 of them and then the end of the text in "
        "mails/\\x1b[31m\\u202eturn.txt"
    )


def test_standard_input_that_is_a_pipe() -> None:
    reader, writer = os.pipe()
    os.write(writer, armour.encode(TURNS[0]).encode())
    os.close(writer)
    assert [item.payload for item in read_path(Path(f"/dev/fd/{reader}")).payloads] == [TURNS[0]]
    os.close(reader)
