"""`pbem verify` for somebody who got a file: what it says when the way it came changed it, or its end is missing."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from .client import Client

AS_ATTACHMENT = "have it sent as an attachment, or in a zip file\n"
AGAIN = "hint: do not trust this file: get it again from where it came, as an attachment, or in a zip file\n"


@pytest.fixture
def reader(shown: Client, tmp_path: Path) -> Client:
    """Somebody without a home, and a whole archive."""
    client = Client(tmp_path / "home", tmp_path)
    client.write("whole.pbem", (shown.folder / "westerplatte.pbem").read_bytes())
    return client


@pytest.mark.plan("M34")
def test_line_ends_that_were_changed_are_named(reader: Client) -> None:
    reader.write("crlf.pbem", (reader.folder / "whole.pbem").read_bytes().replace(b"\n", b"\r\n"))
    expected = (
        "bundle.form: expected lines that end with a line feed alone, got carriage returns before them\n"
        f"hint: its line ends were changed by the way it came: {AS_ATTACHMENT}"
    )
    assert reader.refused("verify", "crlf.pbem") == expected


def wrapped(text: str, width: int) -> str:
    return "\n".join(part for line in text.splitlines() for part in textwrap.wrap(line, width)) + "\n"


@pytest.mark.parametrize(("width", "said"), [
    (76, "bundle.form: expected an event in every line, got lines that are too short for one\n"
         f"hint: its lines were broken by the way it came: {AS_ATTACHMENT}"),
    (998, "event.signature: expected a signature by key "),
])  # fmt: skip
def test_lines_that_were_broken_are_named(reader: Client, width: int, said: str) -> None:
    reader.write("wrapped.pbem", wrapped(reader.read("whole.pbem"), width))
    refused = reader.refused("verify", "wrapped.pbem")
    assert refused.startswith(said)
    assert refused.endswith(f" by the way it came: {AS_ATTACHMENT}")


def test_a_short_archive_with_broken_lines_is_named(reader: Client) -> None:
    short = "".join(reader.read("whole.pbem").splitlines(keepends=True)[:8])
    reader.write("wrapped.pbem", wrapped(short, 76))
    said = reader.refused("verify", "wrapped.pbem").splitlines()
    broken = reader.read("wrapped.pbem").splitlines()[3]
    assert said[0] == f"envelope.form: expected 'keyid signature payload', got '{broken[:24]}' (line 4)"
    assert said[1] == (
        "hint: its lines were broken or changed by the way it came: have it sent as an attachment, or in a zip file"
    )


def test_an_archive_that_was_altered_is_not_to_be_trusted(reader: Client) -> None:
    whole = reader.read("whole.pbem")
    reader.write("altered.pbem", whole.replace('"step":9', '"step":8', 1))
    said = reader.refused("verify", "altered.pbem")
    assert said.startswith("event.signature: expected a signature by key ")
    assert said.endswith(f")\n{AGAIN}")


def test_a_game_that_is_decided_names_who_has_not_closed_it(reader: Client) -> None:
    lines = reader.read("whole.pbem").splitlines(keepends=True)
    closing = [line for line in lines if '"kind":"close"' in line]
    step = closing[0].partition('"step":')[2].partition(",")[0]
    assert lines[-2:] == closing
    reader.write("cut.pbem", "".join(lines[:-1]))
    assert reader.refused("verify", "cut.pbem") == (
        f"verify.unfinished: expected a game closed by every party, got one that ends before step {step}, "
        "which waits for polish's closing of the game: it is decided, and not closed yet\n"
        "hint: whoever wrote it lacks the last turn file of polish: import that there, and write the archive again; "
        "--running is content with it as it is\n"
    )
    reader.does("verify", "cut.pbem", "--running")
    reader.write("cut.pbem", "".join(lines[:-2]))
    assert (
        "which waits for german's closing of the game and polish's closing of the game: it is decided"
        in reader.refused("verify", "cut.pbem")
    )
    reader.write("cut.pbem", "".join(lines[:-3]))
    assert reader.refused("verify", "cut.pbem").splitlines()[1] == (
        "hint: a running game? say --running; a finished one? its end has been cut off"
    )
