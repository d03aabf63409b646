"""Files that commands write: what counts as sent, what is never written over, what a first turn file says."""

from __future__ import annotations

import re
import sys
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from pbem.cli.files import _progress

from .client import Client, tables
from .conftest import Players

NEW = ("new", "westerplatte", "--as", "german", "--opponent", "bruno@example.org")
FULL = Path("/dev/full")
MISSING = (
    "disk.missing: expected to write 'no/such/turn.eml', but it does not exist\n"
    "hint: check the path; the folder must be there\n"
)
NO_SPACE = "disk.full: expected to write '/dev/full', but the disk is full\n"
HINT = "hint: name another file with -o; --force writes over this one\n"
needs_full = pytest.mark.skipif(not FULL.is_char_device(), reason="/dev/full is missing here")


def exists(found: str, path: str) -> str:
    return f"file.exists: expected a new file, or one that nothing is lost with, got {found} in '{path}'\n{HINT}"


def test_long_work_says_on_a_terminal_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _progress() is None
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    told = _progress()
    for done, whole in ((1, 1999), (1999, 1999), (499, 2000), (500, 2000), (2000, 2000)):
        told(done, whole)
    assert capsys.readouterr().err == "\rverified 500 of 2000 events\rverified 2000 of 2000 events\n"


def to_do(client: Client) -> str:
    return client.does("status").last.removeprefix("  do now: ")


@pytest.fixture
def decided(joined_table: Players) -> Client:
    """Bruno, whose set-up is signed and not sent."""
    bruno = joined_table.bruno
    assert bruno.does("orders", "-o", "orders.txt").out == (
        "Wrote orders.txt. Do now: edit it, then `pbem orders westerplatte --submit orders.txt`.\n"
    )
    bruno.does("orders", "--submit", "orders.txt")
    return bruno


# ---------------------------------------------------------------------- what counts as sent


def test_a_turn_file_in_a_folder_that_is_not_there_is_not_sent(decided: Client) -> None:
    send = "send your turn file: `pbem export westerplatte -o turn.eml --eml`"
    assert to_do(decided) == send
    assert decided.refused("export", "-o", "no/such/turn.eml") == MISSING
    assert to_do(decided) == send
    said = decided.does("export", "-o", "turn.eml").out
    assert "Note: nothing in it is new" not in said
    assert to_do(decided).startswith("wait for german's turn file")
    assert decided.does("export").out.splitlines()[-3:] == [
        "Note: nothing in it is new: your last turn file held the same, or the other side has it all.",
        "Note: not acknowledged yet: your acceptance of step 1 and your orders of step 2; the next turn file of the "
        "other side shows that it came. Has it lost more than that? `pbem export westerplatte --all` sends the whole "
        "log.",
        "Do now: mail the text above to Anna <anna@example.org>, with the subject: "
        "[pbem] westerplatte turn 1 polish step 3: german to decide",
    ]


@needs_full
def test_a_turn_file_on_a_full_disk_is_not_sent(decided: Client) -> None:
    assert decided.refused("export", "-o", str(FULL)) == (
        NO_SPACE + "hint: free some space and repeat the command; nothing was changed\n"
    )
    assert to_do(decided).startswith("send your turn file: ")
    with FULL.open("w") as full:
        done = decided.piped("export", "westerplatte", stdout=full)
    assert done.returncode == 1
    assert done.stderr.decode() == (
        "disk.full: expected to write to 'the standard output', but the disk is full\n"
        "hint: free some space and repeat the command; nothing was changed\n"
    )
    assert to_do(decided).startswith("send your turn file: ")


def test_all_of_the_log_is_no_repetition(decided: Client) -> None:
    decided.does("export", "-o", "turn.eml")
    assert "Note:" not in decided.does("export", "--all", "-o", "all.eml").out


def test_an_export_while_a_decision_is_owed_says_that_it_holds_older_ones_alone(dealt_table: Players) -> None:
    player, _ = dealt_table.asked()
    note = player.does("export", "--all", "-o", "all.eml").out.splitlines()[1]
    owed = note.partition("(")[2].partition("); this")[0]
    assert owed in player.does("orders").out
    assert note == (
        f"Note: you still owe a decision ({owed}); this file does not hold it. To decide: "
        "`pbem orders westerplatte -o orders.txt`, edit it, then `pbem orders westerplatte --submit orders.txt`."
    )


def test_a_game_is_not_made_where_its_file_could_not_be_written(new_table: Players, joined: Players) -> None:
    anna, bruno = new_table
    assert anna.refused(*NEW, "-o", "no/such/turn.eml") == MISSING
    bruno.write("inv.txt", joined.anna.read("inv.txt"))
    assert bruno.refused("accept", "inv.txt", "-o", "no/such/turn.eml") == MISSING
    assert bruno.refused("accept", "inv.txt", "-o", "anna") == (
        "disk.is_a_folder: expected to write 'anna', but it is a folder\nhint: name a file\n"
    )


@needs_full
def test_a_game_that_was_made_without_its_file_says_how_to_get_that(new_table: Players) -> None:
    anna, bruno = new_table
    done = anna(*NEW, "-o", str(FULL), "--eml")
    assert (done.code, done.out.splitlines()[0].startswith("Proposed The Battle")) == (1, True)
    assert done.err == NO_SPACE + (
        "hint: the game is proposed as westerplatte all the same: do not repeat this, "
        "`pbem export westerplatte -o full --eml` writes its file\n"
    )
    anna.does("export", "westerplatte", "-o", "inv.eml")
    done = bruno("accept", "inv.eml", "-o", str(FULL))
    assert done.code == 1
    assert done.err == NO_SPACE + (
        "hint: the game is joined as westerplatte all the same: do not repeat this, "
        "`pbem export westerplatte -o full` writes its file\n"
    )
    bruno.does("export", "westerplatte", "-o", "acc.eml")
    assert anna.does("import", "acc.eml").out.startswith("westerplatte: 1 new event, 1 known already.\n")


# ---------------------------------------------------------------------- what is not written over


def test_a_sheet_that_was_edited_is_not_written_over(joined_table: Players) -> None:
    bruno = joined_table.bruno
    bruno.does("orders", "-o", "orders.txt")
    bruno.does("orders", "-o", "orders.txt")
    bruno.write("orders.txt", bruno.read("orders.txt").replace("Koszary", "Fort"))
    expected = exists("a sheet for this step that was edited", "orders.txt")
    assert bruno.refused("orders", "-o", "orders.txt") == expected
    assert "Fort" in bruno.read("orders.txt")
    bruno.does("orders", "-o", "orders.txt", "--force")
    assert "Koszary" in bruno.read("orders.txt")


def test_a_sheet_of_a_step_gone_by_makes_room(dealt_table: Players) -> None:
    player, _ = dealt_table.asked()
    player.write("orders.txt", "orders westerplatte step 2\nplace PL-1 in Fort\nend\n")
    player.does("orders", "-o", "orders.txt")
    assert "orders westerplatte step 5\n" in player.read("orders.txt")
    player.write("orders.txt", "orders duel step 2\nplace PL-1 in Fort\nend\n")
    assert player.refused("orders", "-o", "orders.txt") == exists("a sheet of another game", "orders.txt")


DIARY = "Dear diary,\n"


@pytest.mark.parametrize(
    "words",
    [
        ("orders",),
        ("export",),
        ("export", "--eml"),
        ("archive",),
        ("map", "westerplatte"),
        ("new", *NEW[1:], "--name", "second"),
    ],
    ids=" ".join,
)
def test_what_is_not_ours_is_not_written_over(joined_table: Players, words: tuple[str, ...]) -> None:
    bruno = joined_table.bruno
    words = tuple(word.replace("bruno@", "anna@") for word in words)
    bruno.write("diary.txt", DIARY)
    found = "a file that is there already" if words[0] == "new" else "something else"
    assert bruno.refused(*words, "-o", "diary.txt") == exists(found, "diary.txt")
    bruno.does(*words, "-o", "diary.txt", "--force")
    assert bruno.read("diary.txt") != DIARY


def test_a_board_is_not_drawn_over_what_is_not_ours(dealt_table: Players) -> None:
    anna = dealt_table.anna
    anna.write("board.svg", "<svg>mine</svg>")
    assert anna.refused("show", "--svg", "board.svg") == exists("something else", "board.svg")
    anna.does("show", "--svg", "board.svg", "--force")
    anna.does("show", "--svg", "board.svg", "--at", "2")


@pytest.mark.parametrize(
    "words", [("export",), ("export", "--eml"), ("export", "--robust"), ("archive",)], ids=" ".join
)
def test_an_older_file_of_the_same_game_is_written_over(joined_table: Players, words: tuple[str, ...]) -> None:
    bruno = joined_table.bruno
    bruno.does(*words, "-o", "file")
    before = bruno.read("file")
    bruno.does("orders", "-o", "orders.txt")
    bruno.does("orders", "--submit", "orders.txt")
    bruno.does(*words, "-o", "file")
    assert bruno.read("file") != before


def test_a_drawing_of_the_same_map_is_written_over(joined_table: Players) -> None:
    for _ in range(2):
        assert joined_table.anna.does("map", "westerplatte", "-o", "map.svg").out == "Wrote map.svg.\n"


def test_a_mail_that_came_and_a_file_of_another_game_are_kept(decided: Client, joined_table: Players) -> None:
    anna = joined_table.anna
    decided.does("export", "-o", "turn.eml")
    assert anna.refused("export", "-o", "turn.eml") == exists(
        "a turn file with events that this home does not have", "turn.eml"
    )
    came = b"Return-Path: <bruno@example.org>\n" + (anna.folder / "turn.eml").read_bytes()
    anna.does("import", "turn.eml")
    anna.write("came.eml", came)
    assert anna.refused("export", "-o", "came.eml") == exists("something else", "came.eml")
    anna.does(*NEW, "--name", "second", "-o", "second.eml")
    assert anna.refused("export", "westerplatte", "-o", "second.eml") == exists(
        "a turn file of another game", "second.eml"
    )
    decided.does("archive", "-o", "a.pbem")
    assert anna.refused("export", "second", "-o", "a.pbem") == exists("something else", "a.pbem")
    anna.does("archive", "second", "-o", "second.pbem")
    assert anna.refused("archive", "westerplatte", "-o", "second.pbem") == exists(
        "one of another game, or with events that this home does not have", "second.pbem"
    )


@pytest.mark.parametrize("name", ["home.sqlite", "home.sqlite-wal", "turn.eml"])
@pytest.mark.parametrize("force", [(), ("--force",)])
def test_nothing_is_written_into_a_home(decided: Client, name: str, force: tuple[str, ...]) -> None:
    before = tables(decided.home)
    for words in (("export",), ("archive",), ("map", "westerplatte"), NEW):
        assert decided.refused(*words, "-o", f"anna/{name}", *force) == (
            f"file.in_home: expected a file outside of a home, got 'anna/{name}', which lies in the home "
            f"'{decided.folder / 'anna'}'\n"
            "hint: a home holds keys and the only copy of games: name a file in another folder\n"
        )
    assert tables(decided.home) == before


def test_a_link_into_a_home_leads_nowhere(decided: Client) -> None:
    (decided.folder / "turn.eml").symlink_to(decided.home / "home.sqlite")
    assert decided.refused("export", "-o", "turn.eml", "--force").startswith("file.in_home: ")


def test_an_answer_goes_into_another_file_than_the_proposal(new_table: Players) -> None:
    anna, bruno = new_table
    anna.does(*NEW, "-o", "acceptance.eml")
    assert bruno.does("accept", "acceptance.eml", "--show").last == (
        "Do now: to join, `pbem accept acceptance.eml -o acceptance-2.eml --eml`; else nothing."
    )
    for path in ("acceptance.eml", "anna/../acceptance.eml"):
        assert bruno.refused("accept", "acceptance.eml", "-o", path, "--force") == (
            f"accept.same_file: expected another file for the answer than the proposal is in, got '{path}' for both\n"
            "hint: name another one, such as -o acceptance-2.eml\n"
        )


# ---------------------------------------------------------------------- what is written


def test_a_file_named_like_a_mail_is_one(decided: Client) -> None:
    assert decided.does("export", "-o", "turn.EML").last.startswith("Do now: send turn.EML as a mail to Anna ")
    assert decided.read("turn.EML").startswith('From: "Bruno" <bruno@example.org>\nTo: "Anna" <anna@example.org>\n')
    decided.does("export", "-o", "turn.txt")
    assert decided.read("turn.txt").startswith("BEGIN PBEM TURN FILE VERSION 1 ")


INVITATION = """\
Anna invites you to a game by e-mail:
The Battle of the Westerplatte, game {game}.

It is played with pbem, a program that carries out the orders of both
sides and proves every roll of the dice. It needs no server and no
account, only Python 3.11 or newer. To get it and to make your keys:

  pip install pbem
  pbem init --name NAME --address bruno@example.org

Save this mail, or its attachment alone, as a file. Then see what is
proposed, join, and mail the answer that is written:

  pbem accept FILE --show
  pbem accept FILE -o acceptance.eml --eml

"""


def test_an_invitation_says_what_it_is_about(new_table: Players) -> None:
    anna = new_table.anna
    said = anna.does(*NEW, "-o", "inv.eml").out
    game = re.findall(r"\(([0-9a-f]{12})\)", said)[0]
    body = message_from_bytes((anna.folder / "inv.eml").read_bytes(), policy=policy.default).get_body()
    assert body is not None
    assert body.get_content().partition("BEGIN PBEM")[0] == INVITATION.format(game=game)
