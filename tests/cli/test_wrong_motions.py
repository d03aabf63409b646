"""`pbem motion` where it cannot be: nothing to answer, wrong words, positions that are none."""

from __future__ import annotations

import pytest

from .conftest import Players
from .motions import STATUS, mailed


def test_there_is_nothing_to_answer(table: Players) -> None:
    for client in table:
        for word in ("agree", "refuse"):
            assert client.refused("motion", word) == (
                "motion.none: expected a motion of the other side that waits for you, got none\n" + STATUS
            )


def test_ones_own_motion_is_not_answered(table: Players) -> None:
    table.bruno.does("motion", "draw")
    table.anna.does("motion", "draw")
    for client in table:
        assert client.refused("motion", "agree").startswith("motion.none: ")


def test_while_a_motion_waits_nothing_else_is_moved(placed_table: Players) -> None:
    anna, bruno = placed_table
    anna.does("motion", "draw", "--why", "even")
    mailed(anna, bruno)
    for client in placed_table:
        assert client.refused("motion", "pause") == (
            "motion.waiting: expected a game without a motion that waits for its answer, got one where german moves to "
            "end the game as a draw: even\nhint: `pbem status westerplatte` says what it waits for\n"
        )


def test_where_the_program_answers_nothing_is_moved(placed_table: Players) -> None:
    anna, _ = placed_table
    anna.does("orders", "--submit", "-", stdin=b"place BB in Wa\n")
    assert anna.refused("motion", "draw") == (
        "motion.not_now: expected a game in which somebody has to decide something now, got one that waits for "
        "polish (its share of the dice)\n"
        "hint: nothing is moved while dice, an opening or a receipt are awaited: wait for the next decision; when the "
        "deadline is over, `pbem motion claim westerplatte` claims\n"
    )


def test_before_play_nothing_is_moved(new_table: Players) -> None:
    new_table.anna.does("new", "westerplatte", "--as", "german", "--opponent", "bruno@example.org", "-o", "inv.txt")
    assert new_table.anna.refused("motion", "draw") == (
        "motion.not_now: expected a game in which somebody has to decide something now, got one that waits for "
        "polish (to accept the proposal)\n"
        "hint: nothing is moved before play begins: `pbem status westerplatte` says what it waits for\n"
    )


def test_without_a_deadline_nothing_is_claimed_behind_the_dice(joined_table: Players) -> None:
    anna, bruno = joined_table
    bruno.does("orders", "--submit", bruno.write("polish.txt", bruno.does("orders").out))
    mailed(bruno, anna)
    anna.does("orders", "--submit", "-", stdin=b"place BB in Wa\n")
    assert anna.refused("motion", "draw").endswith(
        "hint: nothing is moved while dice, an opening or a receipt are awaited: wait for the next decision\n"
    )


def test_before_the_first_decision_there_is_nothing_to_take_back(table: Players) -> None:
    for client in table:
        for show in ((), ("--show",)):
            assert client.refused("motion", "take-back", "--to", "2", *show) == (
                "motion.take_back: expected a game in which something was decided that can be taken back, got one "
                "before its first decision\nhint: there is nothing to go back to\n"
            )


def test_the_only_request_needs_no_id(table: Players) -> None:
    anna, bruno = table
    anna.does("motion", "draw")
    (asked,) = anna.status()["proposed"]
    only = f"{asked['event'][:16]}: end the game as a draw"
    assert anna.refused("motion", "withdraw", "--event", "66") == (
        f"motion.which: expected nothing or the id of your only request, which is {only}, got '66'\n"
        "hint: `pbem motion withdraw westerplatte` withdraws it\n"
    )
    mailed(anna, bruno)
    assert bruno.refused("motion", "agree", "--event", "66") == (
        f"motion.which: expected nothing or the id of the only request, which is {only}, got '66'\n"
        "hint: `pbem motion agree westerplatte` agrees to it\n"
    )


def test_the_same_is_not_asked_twice(table: Players) -> None:
    anna = table.anna
    anna.does("motion", "draw")
    assert anna.refused("motion", "draw") == (
        "motion.asked: expected something that you have not asked for yet, got a request to end the game as a draw "
        "once more\nhint: it waits: `pbem export westerplatte` sends it again\n"
    )
    anna.does("motion", "pause")


@pytest.mark.parametrize("step", [3, 4, 999_999])
def test_only_what_has_been_is_taken_back(placed_table: Players, step: int) -> None:
    assert placed_table.anna.refused("motion", "take-back", "--to", str(step)) == (
        f"motion.take_back: expected a step from 2 to 2 to go back to, got step {step}\n"
    )


def test_a_game_without_a_deadline_has_none_to_be_extended(joined_table: Players) -> None:
    assert joined_table.anna.refused("motion", "extend", "--days", "3") == (
        "motion.no_deadline: expected a game with a deadline, got one that was agreed without\n" + STATUS
    )


WRONG = [
    (("take-back",), "usage: missing option '--to'\nhint: `pbem motion take-back --help` shows how\n"),
    (("take-back", "--to", "1"), "usage: invalid value for '--to': 1 is not in the range x>=2\n"
     "hint: `pbem motion take-back --help` shows how\n"),
    (("take-back", "--to", "now"), "usage: invalid value for '--to': 'now' is not a valid integer range\n"
     "hint: `pbem motion take-back --help` shows how\n"),
    (("extend", "--days", "0"), "usage: invalid value for '--days': 0 is not in the range 1<=x<=3650\n"
     "hint: `pbem motion extend --help` shows how\n"),
    (("extend", "--days", "3651"), "usage: invalid value for '--days': 3651 is not in the range 1<=x<=3650\n"
     "hint: `pbem motion extend --help` shows how\n"),
    (("adjust",), "usage: missing option '--position'\nhint: `pbem motion adjust --help` shows how\n"),
    (("rule", "--agree", "--refuse"), "usage: expected --agree or --refuse, got both\n"
     "hint: `pbem motion rule --help` shows how\n"),
    (("rule", "--refuse", "--agree"), "usage: expected --agree or --refuse, got both\n"
     "hint: `pbem motion rule --help` shows how\n"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "expected"), WRONG, ids=lambda value: " ".join(value) if type(value) is tuple else ""
)
def test_wrong_usage(table: Players, words: tuple[str, ...], expected: str) -> None:
    assert table.anna.refused("motion", *words, code=2) == expected


@pytest.mark.parametrize("what", ["agree", "refuse", "draw", "concede", "pause", "resume", "claim", "resolve"])
def test_a_game_that_is_not_here(table: Players, what: str) -> None:
    assert table.anna.refused("motion", what, "nowhere") == (
        "game.unknown: expected the name or the id of a game of this home, got 'nowhere'\n"
        "hint: there are: westerplatte\n"
    )


def test_a_home_without_a_game(new_table: Players) -> None:
    assert new_table.anna.refused("motion", "draw") == (
        "game.none: expected a game in this home, got a home without any\n"
        "hint: `pbem new GAME …` proposes one, `pbem accept FILE` joins one\n"
    )


def test_a_long_reason(table: Players) -> None:
    assert table.anna.refused("motion", "draw", "--why", "x" * 201) == (
        "motion.why: expected a reason of at most 200 characters, got one of 201\n"
    )


POSITIONS = {
    "empty": (b"", "motion.position: expected a position, got an empty text\n"
              "hint: `pbem show GAME --position` prints the present one\n"),
    "blank": (b"\n \n", "motion.position: expected a position, got an empty text\n"
              "hint: `pbem show GAME --position` prints the present one\n"),
    "long": (b"x" * 60_001, "motion.position: expected a position of at most 60000 characters, got one of 60001\n"),
    "not text": (b"\xff\xff\x00", "text.encoding: expected UTF-8 text in -, got something else\n"
                 "hint: save it as UTF-8 text\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", POSITIONS)
def test_a_position_that_is_none(table: Players, name: str) -> None:
    data, expected = POSITIONS[name]
    assert table.anna.refused("motion", "adjust", "--position", "-", stdin=data) == expected


def test_a_position_file_that_is_not_there(table: Players) -> None:
    assert table.anna.refused("motion", "adjust", "--position", "nowhere.txt") == (
        "file.missing: expected a file, got nothing at 'nowhere.txt'\nhint: check the path\n"
    )


def test_a_position_of_another_game(table: Players) -> None:
    other = b"stage bets\nturn 1 of 3\nnorth supply 3 points 0\n"
    assert table.anna.refused("motion", "adjust", "--position", "-", stdin=other) == (
        "position.unreadable: expected one of polish_setup, german_setup, cards, got 'bets' in line 1, column 7\n"
        "hint: `pbem show GAME --position` writes a position to start from\n"
    )


def test_a_reason_that_is_no_text(table: Players) -> None:
    done = table.anna.outside("motion", "draw", "--why", "x\udc80")
    assert (done.returncode, done.stderr.decode()) == (
        1,
        "motion.form: expected a motion that can be sent, got one whose reason is none\n"
        "hint: `pbem motion --help` lists the motions, and the help of each says what it takes\n",
    )
