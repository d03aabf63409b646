"""Sheets that answer a motion: what agrees, what refuses, and what does neither."""

from __future__ import annotations

import re

import pytest

from .conftest import Players
from .motions import mailed, text_of

ANSWER = (
    "hint: answer the motion: `pbem motion agree westerplatte` or `pbem motion refuse westerplatte`; orders come after "
    "it\n"
)


@pytest.mark.parametrize(("word", "result"), [("agree", "play is taken back to step 2"), ("refuse", "not agreed to")])
def test_a_sheet_answers_a_motion(placed_table: Players, word: str, result: str) -> None:
    anna, bruno = placed_table
    anna.does("motion", "take-back", "--to", "2")
    mailed(anna, bruno)
    bruno.does("orders", "-o", "sheet.txt")
    bruno.write("sheet.txt", bruno.read("sheet.txt").replace(f"# {word}\n", f"{word}\n"))
    assert bruno.does("orders", "--check", "sheet.txt").out == (
        f"Understood: {word} to take play back to step 2.\n"
        "Nothing was changed. Do now: `pbem orders westerplatte --submit sheet.txt`.\n"
    )
    assert bruno.does("orders", "--check", "sheet.txt", "--json").data == {"orders": [word], "remarks": []}
    assert result in bruno.does("orders", "--submit", "sheet.txt").out.splitlines()[0]


@pytest.mark.parametrize("quote", ["> ", ">> ", "| "])
def test_a_sheet_quoted_in_a_mail_answers_a_motion(placed_table: Players, quote: str) -> None:
    anna, bruno = placed_table
    anna.does("motion", "draw")
    mailed(anna, bruno)
    sheet = bruno.does("orders").out.replace("# agree", "AGREE")
    mail = "Fine with me!\n\nAm Montag schrieb Anna:\n" + "".join(f"{quote}{line}\n" for line in sheet.splitlines())
    assert bruno.does("orders", "--submit", bruno.write("reply.txt", mail)).out.splitlines()[0] == (
        "  > a draw was agreed at step 4"
    )


def test_a_word_alone_agrees_to_what_was_asked_for(placed_table: Players) -> None:
    anna, bruno = placed_table
    bruno.does("motion", "draw")
    mailed(bruno, anna)
    assert anna.does("orders").out.splitlines()[:4] == [
        "orders westerplatte step 3",
        "# polish asks to end the game as a draw",
        "# To agree, write `agree` and nothing else. Your decision below refuses it.",
        "",
    ]
    assert anna.does("orders", "--submit", "-", stdin=b"agree\n").out.startswith("  > a draw was agreed at step 3\n")


def test_each_of_several_requests_is_agreed_to_by_its_id(placed_table: Players) -> None:
    anna, bruno = placed_table
    bruno.does("motion", "draw")
    bruno.does("motion", "pause", "--why", "holidays")
    mailed(bruno, anna)
    first, second = anna.status()["proposed"]
    sheet = anna.does("orders").out
    assert sheet.splitlines()[:7] == [
        "orders westerplatte step 3",
        f"# {first['text']}",
        f"# agree {first['event'][:16]}",
        f"# {second['text']}",
        f"# agree {second['event'][:16]}",
        "# To agree to one, write its `agree` line and nothing else. Your decision below refuses them.",
        "",
    ]
    pause = next(one["event"][:16] for one in (first, second) if "pause" in one["text"])
    assert anna.refused("orders", "--submit", "-", stdin=b"agree\n").startswith(
        "motion.which: expected one of 2 requests"
    )
    assert anna.refused("orders", "--check", "-", stdin=f"refuse {pause}\n".encode()) == (
        "motion.by_deciding: expected your decision, which refuses what was asked for, got a refusal alone\n"
        "hint: go on: `pbem orders westerplatte -o orders.txt`\n"
    )
    anna.write("sheet.txt", sheet.replace(f"# agree {pause}", f"agree {pause}"))
    assert anna.does("orders", "--check", "sheet.txt").out.splitlines()[0] == "Understood: agree to pause the game."
    assert anna.does("orders", "--submit", "sheet.txt").out.splitlines()[0] == (
        "  > the game is paused: no deadline runs"
    )


def test_an_id_of_something_else_agrees_to_no_motion(placed_table: Players) -> None:
    anna, bruno = placed_table
    anna.does("motion", "draw")
    mailed(anna, bruno)
    done = bruno.refused("orders", "--submit", "-", stdin=b"agree xy\n")
    assert done.startswith("motion.which: expected nothing or the id of the only motion, which is ")
    assert done.endswith(": end the game as a draw, got 'xy'\nhint: `pbem motion agree westerplatte` agrees to it\n")


def test_a_sheet_that_both_agrees_and_refuses_does_neither(placed_table: Players) -> None:
    anna, bruno = placed_table
    anna.does("motion", "draw")
    mailed(anna, bruno)
    for said in (b"agree\nrefuse\n", b"agree\nplace BB in Wa\n", b"perhaps\n", b""):
        assert bruno.refused("orders", "--submit", "-", stdin=said) == (
            "orders.not_asked: expected a question to polish, got none: the game waits for polish "
            "(to agree to a motion or to refuse it)\n" + ANSWER
        )


def test_a_sheet_of_another_step_agrees_to_nothing(placed_table: Players) -> None:
    anna, bruno = placed_table
    anna.does("motion", "draw")
    mailed(anna, bruno)
    for step, why in ((3, ", where the other side has moved something"), (5, "")):
        sheet = f"orders westerplatte step {step}\nagree\nend\n".encode()
        assert bruno.refused("orders", "--submit", "-", stdin=sheet) == (
            "orders.old_sheet: expected a sheet for game westerplatte, step 4, got one for westerplatte, step "
            f"{step}{why}\nhint: write a new one with `pbem orders westerplatte -o orders.txt`\n"
        )


@pytest.mark.parametrize(
    ("asks", "why"),
    [
        (True, ", where you have answered what the other side moved or asked for"),
        (False, ", where you have asked for something and the other side had to decide"),
    ],
)
def test_an_old_sheet_says_what_was_there_instead_of_orders(placed_table: Players, asks: bool, why: str) -> None:
    """At step 3 Bruno asks for a pause and Anna agrees: neither has given orders there."""
    anna, bruno = placed_table
    bruno.does("motion", "pause")
    mailed(bruno, anna)
    anna.does("motion", "agree")
    mailed(anna, bruno)
    sheet = b"orders westerplatte step 3\nplace BB in Wa\nend\n"
    if not asks:
        anna.does("motion", "draw")
        mailed(anna, bruno)
        sheet = b"orders westerplatte step 3\nagree\nend\n"
    assert (anna if asks else bruno).refused("orders", "--submit", "-", stdin=sheet) == (
        f"orders.old_sheet: expected a sheet for game westerplatte, step {4 if asks else 5}, got one for westerplatte, "
        f"step 3{why}\nhint: write a new one with `pbem orders westerplatte -o orders.txt`\n"
    )


@pytest.mark.plan("A62")
@pytest.mark.parametrize("why", ["x\nagree", "x\ragree", "x\u2028agree", "x\x1b[2Kagree", "x\u202eeerga"])
def test_a_reason_is_one_line_of_the_sheet_and_no_answer(placed_table: Players, why: str) -> None:
    """An unedited sheet says nothing, whatever the other side's reason is."""
    anna, bruno = placed_table
    anna.does("motion", "draw", "--why", why)
    mailed(anna, bruno)
    assert "# german moves to end the game as a draw: x\\" in bruno.does("orders").out
    for out in (bruno.does("orders").out, bruno.does("status").out, bruno.does("log").out, text_of(anna)):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e]", out)
    sheet = bruno.does("orders").out.encode()
    assert bruno.refused("orders", "--submit", "-", stdin=sheet).startswith("orders.not_asked: ")
