"""From the set-up over three cards, by hand-like commands, with every wrong turn that a beginner takes."""

from __future__ import annotations

import re

import pytest

from .client import Client
from .conftest import Players

SETUP = """\
orders westerplatte step 2
place PL-1 in Koszary
place PL-2 in Fort
place PL-3 in GH1
place MTR in GH2
place FG in GH3
place ATG in GH4
end
"""
UNDERSTOOD = """\
Understood, and legal as things stand:
  place PL-1 in Koszary
  place PL-2 in Fort
  place PL-3 in GH1
  place MTR in GH2
  place FG in GH3
  place ATG in GH4
Nothing was changed. Do now: `pbem orders westerplatte --submit setup.txt`.
"""
NO_TURN_FILE = "hint: a turn file begins with the line 'BEGIN PBEM TURN FILE VERSION 1 …'\n"
OLD = "hint: write a new one with `pbem orders westerplatte -o orders.txt`\n"


def wrong_areas() -> str:
    return "".join(f"place PL-{number} in Nowhere\n" for number in range(1, 20))


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        (
            "place PL-1 in Koszry\n",
            "orders.unknown: expected the name of an area, got 'Koszry' in line 1, column 15\n"
            "hint: did you mean Koszary?\n",
        ),
        (
            "place PL in Fort\n",
            "orders.ambiguous: expected the name of a unit, got 'PL', which may be PL-1, PL-2, PL-3 in line 1, "
            "column 7\n",
        ),
        (
            SETUP.replace("PL-2 in Fort", "PL-2 in Koszary").replace("PL-3 in GH1", "PL-3 in Koszary"),
            "setup.stack: expected at most 2 units in Koszary, got 3 (setup.5)\n",
        ),
        (
            SETUP.replace("place ATG in GH4\n", ""),
            "setup.missing: expected a place for ATG, got none (setup.1)\nhint: such as 'place ATG in Cypel'\n",
        ),
        (
            SETUP.removesuffix("end\n"),
            "orders.no_end: expected a line 'end' after the orders, got none\n"
            "hint: the sheet may have been cut off: send it whole, with its last line\n",
        ),
        (
            SETUP + SETUP,
            "orders.two_sheets: expected one order sheet in the text, got 2\n"
            "hint: take out the ones that you do not mean\n",
        ),
        (
            SETUP.replace("step 2", "step 7"),
            "orders.old_sheet: expected a sheet for game westerplatte, step 2, got one for westerplatte, step 7\n"
            + OLD,
        ),
        (
            SETUP.replace("orders westerplatte", "orders monte"),
            "orders.old_sheet: expected a sheet for game westerplatte, step 2, got one for monte, step 2\n" + OLD,
        ),
        (
            "Dear Anna,\n",
            "orders.unreadable: expected an order such as place PL-1 in GH1, got 'Dear' in line 1, column 1\n",
        ),
    ],
    ids=["typo", "ambiguous", "stack", "missing", "cut off", "twice", "old", "other game", "letter"],
)
@pytest.mark.parametrize("how", ["--check", "--submit"])
def test_a_wrong_sheet_is_refused_with_what_to_do(joined_table: Players, how: str, sheet: str, expected: str) -> None:
    assert joined_table.bruno.refused("orders", how, joined_table.bruno.write("sheet.txt", sheet)) == expected


def test_a_sheet_without_orders_is_refused(joined_table: Players) -> None:
    bruno = joined_table.bruno
    expected = (
        "orders.empty: expected an order such as place PL-1 in GH1, got none\n"
        "hint: write a line for each unit, as the sheet of `pbem orders` has them\n"
    )
    assert bruno.refused("orders", "--submit", bruno.write("empty.txt", "")) == expected
    assert bruno.refused("orders", "--submit", "-", stdin=b"# nothing but a comment\n") == expected


def test_a_sheet_full_of_errors_is_answered_with_a_few_of_them(joined_table: Players) -> None:
    said = joined_table.bruno.refused("orders", "--check", "-", stdin=wrong_areas().encode()).splitlines()
    assert len([line for line in said if line.startswith("orders.unknown: ")]) == 8
    assert re.fullmatch(r"and \d+ more like these", said[-1])


def test_what_is_no_sheet_at_all_is_named(joined_table: Players) -> None:
    bruno = joined_table.bruno
    assert bruno.refused("orders", "--submit", "acc.txt") == (
        "orders.turn_file: expected an order sheet, got a turn file\n"
        "hint: take it in with `pbem import FILE`; `pbem orders westerplatte -o orders.txt` writes a sheet\n"
    )
    expected = "text.encoding: expected UTF-8 text in {}, got something else\nhint: save it as UTF-8 text\n"
    for name, content in (("photo.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF"), ("blind.txt", SETUP.encode("utf-16-le"))):
        assert bruno.refused("orders", "--check", bruno.write(name, content)) == expected.format(name)
    assert bruno.refused("orders", "--check", "nothing.txt") == (
        "file.missing: expected a file, got nothing at 'nothing.txt'\nhint: check the path\n"
    )
    assert bruno.refused("orders", "--check", "anna") == (
        "file.missing: expected a file, got a folder at 'anna'\nhint: check the path\n"
    )


@pytest.mark.parametrize(
    "content",
    [
        SETUP.encode(),
        SETUP.encode("utf-8-sig"),
        SETUP.encode("utf-16"),
        SETUP.replace("\n", "\r\n").encode(),
        SETUP.upper().encode(),
        ("Hello Anna,\nmy set-up:\n" + SETUP + "Regards,\nBruno\n").encode(),
        "".join(f"> > {line}\r\n" for line in SETUP.splitlines()).encode(),
        SETUP.replace(" ", "\u00a0").encode(),
    ],
    ids=["plain", "bom", "utf-16", "crlf", "upper", "mail", "quoted", "nbsp"],
)
@pytest.mark.plan("M40")
def test_a_sheet_is_understood_however_it_was_saved_and_sent(joined_table: Players, content: bytes) -> None:
    bruno = joined_table.bruno
    before = bruno.status()
    assert bruno.does("orders", "--check", bruno.write("setup.txt", content)).out == UNDERSTOOD
    assert bruno.status() == before


def test_orders_out_of_turn_say_whom_the_game_waits_for(joined_table: Players) -> None:
    expected = (
        "orders.not_asked: expected a question to german, got none: the game waits for polish (a decision)\n"
        "hint: `pbem status westerplatte` says what to do now\n"
    )
    anna = joined_table.anna
    anna.write("setup.txt", SETUP)
    for arguments in (["orders"], ["orders", "--submit", "setup.txt"], ["orders", "--check", "setup.txt"]):
        assert anna.refused(*arguments) == expected


def test_where_nothing_has_happened_the_log_says_so(joined_table: Players) -> None:
    assert joined_table.anna.does("log").out == (
        "Nothing has happened on the board in these steps.\nDo now: `pbem status westerplatte`.\n"
    )


def test_signed_orders_say_what_was_signed_and_what_to_do(joined_table: Players) -> None:
    bruno = joined_table.bruno
    assert bruno.does("orders", "--submit", bruno.write("setup.txt", SETUP)).out == (
        "Signed:\n"
        "  place PL-1 in Koszary\n"
        "  place PL-2 in Fort\n"
        "  place PL-3 in GH1\n"
        "  place MTR in GH2\n"
        "  place FG in GH3\n"
        "  place ATG in GH4\n"
        "  > the Poles set up: PL-1 in Koszary, PL-2 in Fort, PL-3 in GH1, MTR in GH2, FG in GH3, ATG in GH4\n"
        "Do now: send your turn file: `pbem export westerplatte -o turn.eml --eml`\n"
    )
    assert bruno.refused("orders", "--submit", "setup.txt") == (
        "orders.answered: expected orders for a step without any, got a sheet for step 2, where yours are signed\n"
        "hint: signed orders stay; `pbem status westerplatte` says what to do now\n"
    )


def test_the_own_turn_file_is_nothing_new(dealt_table: Players) -> None:
    said = dealt_table.anna.does("import", "german.eml").out
    counts, nothing, to_do = said.splitlines()
    assert re.fullmatch(r"westerplatte: 0 new events, \d known already\.", counts)
    assert nothing == "  Nothing in it is new: it came before, or it is your own file."
    assert to_do.startswith("Do now: ")


@pytest.mark.parametrize(
    ("name", "content"),
    [("empty", b""), ("letter.txt", b"Dear Anna,\n"), ("photo.jpg", b"\xff\xd8\xff\xe0" + bytes(range(256)))],
)
def test_what_holds_no_turn_file_is_refused(joined_table: Players, name: str, content: bytes) -> None:
    anna = joined_table.anna
    expected = f"mail.no_turn_file: expected a turn file, got none in {name}\n{NO_TURN_FILE}"
    assert anna.refused("import", anna.write(name, content)) == expected
    assert anna.refused("import", "nothing.eml").startswith("mail.no_such_file: expected a file or a folder, got ")


@pytest.mark.parametrize("content", [SETUP, SETUP.replace("\n", "\r\n"), "Here:\n> " + SETUP.replace("\n", "\n> ")])
def test_an_order_sheet_that_is_imported_is_named_as_one(joined_table: Players, content: str) -> None:
    anna = joined_table.anna
    expected = "import.sheet: expected a turn file, got an order sheet in {}\n"
    hint = "hint: `pbem orders --submit FILE` signs the orders in it\n"
    assert anna.refused("import", anna.write("sheet.txt", content)) == expected.format("sheet.txt") + hint
    assert anna.refused("import", "-", stdin=content.encode()) == expected.format("the standard input") + hint


@pytest.mark.plan("M34")
def test_half_a_turn_file_says_what_is_missing(joined_table: Players) -> None:
    anna, bruno = joined_table
    whole = bruno.read("acc.txt")
    said = anna.refused("import", anna.write("half.txt", whole[: len(whole) // 2]))
    assert re.fullmatch(
        r"armour\.truncated: expected \d,?\d* characters .+, got .+ in half\.txt\n"
        r"hint: ask the sender to send this turn again, as an attachment\n",
        said,
    )


@pytest.mark.plan("M37")
def test_a_later_turn_file_is_kept_until_the_earlier_one_comes(joined_table: Players) -> None:
    anna, bruno = joined_table
    bruno.does("orders", "--submit", bruno.write("setup.txt", SETUP))
    bruno.does("export", "-o", "polish.eml", "--eml")
    anna.does("import", "polish.eml")
    anna.does("orders", "--submit", "-", stdin=b"place BB in Wa\n")
    anna.does("export", "-o", "german.eml", "--eml")
    told = bruno.does("import", "german.eml").out
    assert "  turn 1: the deck of 53 cards is shuffled\n" in told
    assert bruno.does("import", "polish.eml").out.startswith("westerplatte: 0 new events, 3 known already.\n")


def test_everything_in_a_folder_is_taken_in_at_once(joined_table: Players) -> None:
    (joined_table.anna.folder / "downloads").mkdir()
    for name in ("inv.txt", "acc.txt"):
        (joined_table.anna.folder / "downloads" / name).write_text(joined_table.anna.read(name))
    (joined_table.anna.folder / "downloads" / "photo.jpg").write_bytes(b"\xff\xd8\0\0")
    said = joined_table.anna.does("import", "downloads").out
    assert said.splitlines()[:2] == [
        "note: downloads: ignored, because not text and without a turn file: 1",
        "westerplatte: 0 new events, 2 known already.",
    ]


WRONG_FILES = {
    "unpacked": (
        "verify.turn_file: expected an archive, got the contents of a turn file\nhint: write one with `pbem archive`\n"
    ),
    "turn.eml": (
        "verify.turn_file: expected an archive, got a turn file in 'turn.eml'\n"
        "hint: `pbem import` takes it in, which verifies it; `pbem archive GAME -o FILE` writes an archive\n"
    ),
    "photo.jpg": (
        "verify.form: expected an archive, which begins with 'pbem-log', got something else in 'photo.jpg'\n"
        "hint: check that it is the file you mean, and that it was sent as it is\n"
    ),
    "empty": (
        "verify.form: expected an archive, which begins with 'pbem-log', got an empty file in 'empty'\n"
        "hint: check that it is the file you mean, and that it was sent as it is\n"
    ),
    "anna": (
        "verify.file: expected an archive file or a game of this home, got 'anna', which is a folder\n"
        "hint: `pbem archive GAME -o FILE` writes an archive\n"
    ),
    "no.pbem": (
        "verify.file: expected an archive file or a game of this home, got 'no.pbem', which does not exist\n"
        "hint: look at the name of the file and at the folder that you are in; `pbem status` names the games of this "
        "home\n"
    ),
    "nothing": (
        "game.unknown: expected the name or the id of a game of this home, got 'nothing'\n"
        "hint: there are: westerplatte\n"
    ),
}


@pytest.mark.parametrize("target", list(WRONG_FILES))
def test_verify_of_the_wrong_file_says_what_it_is(dealt_table: Players, target: str) -> None:
    anna = dealt_table.anna
    anna.write("photo.jpg", b"\xff\xd8\xff\xe0")
    anna.write("unpacked", "pbem-log 1 turn\n")
    anna.write("empty", b"")
    anna.write("turn.eml", anna.read("german.eml"))
    assert anna.refused("verify", target) == WRONG_FILES[target]


def test_a_running_game_is_verified_as_far_as_it_goes(dealt_table: Players) -> None:
    anna = dealt_table.anna
    told = anna.does("archive", "-o", "so-far.pbem").out
    size = len(anna.read("so-far.pbem"))
    assert told == (
        f"Wrote so-far.pbem: {size} bytes. Do now: give it to anybody, who checks it with `pbem verify so-far.pbem`.\n"
    )
    assert anna.refused("current", "--confirm", "--json", code=2) == (
        "usage: --json goes without --confirm\nhint: `pbem current --help` shows how\n"
    )
    asked, _ = dealt_table.asked()
    role = asked.status()["role"]
    done = anna("verify", "so-far.pbem")
    assert done.code == 1
    assert done.err == (
        "verify.unfinished: expected a game closed by every party, got one that ends before step 5, "
        f"which waits for {role}'s orders\n"
        "hint: a running game? say --running; a finished one? its end has been cut off\n"
    )
    verified = anna.does("verify", "so-far.pbem", "--running").out.splitlines()
    assert verified[3:] == [
        "  dice by german and polish together: no player could choose or foresee them",
        "6 events, 5 steps, 1 roll: every signature, link, roll, decision and state holds.",
        "Valid so far, unfinished before step 5.",
        f"Head {anna.status()['head']}",
        "Do now: compare the keys in words with the players, and the head with theirs; verify again when the game is "
        "closed by every party.",
    ]
    assert anna.does("verify", "westerplatte", "--running").last == (
        "Do now: play on; verify again when the game is closed by every party."
    )
    assert anna.does("import", "so-far.pbem").out.startswith("westerplatte: 0 new events, 6 known already.\n")


def test_a_roll_of_a_game_without_any(joined_table: Players) -> None:
    assert joined_table.anna.refused("roll", "westerplatte", "99") == (
        "roll.unknown: expected the id of one roll such as 4:turn.2/turn-1/card-1, got '99'\n"
        "hint: this game has no roll yet\n"
    )


NAMED_BY = (
    "each is named by its step, a colon and its label, or by its step alone where that has one roll; `pbem roll GAME` "
    "lists all"
)


def test_what_is_not_there_is_answered_with_what_is(dealt_table: Players) -> None:
    anna = dealt_table.anna
    assert anna.refused("roll", "westerplatte", "99") == (
        "roll.unknown: expected the id of one roll such as 4:turn.2/turn-1/card-1, got '99'\n"
        f"hint: no roll is of step '99'; the last ones: 4:turn.2/turn-1/card-1; {NAMED_BY}\n"
    )
    assert anna.refused("roll", "westerplatte", "4:nothing") == (
        "roll.unknown: expected the id of one roll such as 4:turn.2/turn-1/card-1, got '4:nothing'\n"
        f"hint: rolls of step 4: 4:turn.2/turn-1/card-1; {NAMED_BY}\n"
    )
    assert anna.refused("show", "--at", "99") == "show.step: expected a step from 0 to 4, got 99\n"
    assert anna.refused("export", "--evidence", "-o", "proof.pbem") == (
        "evidence.none: expected a game that is stopped by a fork, got westerplatte, which is not\n"
        "hint: `pbem dispute westerplatte fork STEP -o fork.pbem` proves one that is settled\n"
    )
    assert anna.refused("motion", "resolve", "--keep", "12345678") == (
        "resolve.none: expected a game that is stopped by a fork, got westerplatte, which is not\n"
        "hint: `pbem status westerplatte` says what to do now\n"
    )
    assert anna.refused("log", "--from", "99") == "log.step: expected a step from 0 to 4, got 99\n"
    assert anna.refused("log", "--from", "4", "--to", "2") == "log.step: expected a last step from 4 on, got 2\n"


def play_a_card(players: Players, number: int) -> None:
    """Whoever is asked passes, after orders that are refused; then both know."""
    player, other = players.asked()
    step = player.status()["step"]
    assert other.refused("orders").startswith("orders.not_asked: ")
    assert player.refused("orders", "--submit", "-", stdin=b"move Nobody to Nowhere\n").startswith("orders.unknown: ")
    sheet, turn = f"orders-{number}.txt", f"turn-{number}.eml"
    player.does("orders", "-o", sheet)
    player.write(sheet, player.read(sheet).replace("# pass\n", "pass\n"))
    assert player.does("orders", "--check", sheet).out.startswith("Understood, and legal as things stand:\n")
    assert player.status()["step"] == step
    player.does("orders", "--submit", sheet)
    assert player.refused("orders", "--submit", sheet).startswith("orders.answered: ")
    player.does("export", "-o", turn, "--eml")
    assert other.does("import", turn).last.startswith("Do now: ")
    other.does("export", "-o", f"dice-{number}.eml", "--eml")
    assert player.does("import", f"dice-{number}.eml").last.startswith("Do now: ")
    assert "Nothing in it is new" in other.does("import", turn).out


def settle(client: Client) -> str:
    """What both sides must agree on."""
    return client.does("show", "--position").out


def test_three_cards_are_played_with_a_wrong_turn_at_every_step(dealt_table: Players) -> None:
    for number in range(3):
        play_a_card(dealt_table, number)
        assert settle(dealt_table.anna) == settle(dealt_table.bruno)
    heads = {player.status()["head"] for player in dealt_table}
    assert len(heads) == 1
    assert dealt_table.anna.does("verify", "westerplatte", "--running").code == 0
    archives = set()
    for player in dealt_table:
        player.does("archive", "-o", "a.pbem")
        archives.add(player.read("a.pbem"))
    assert len(archives) == 1
    assert dealt_table.bruno.refused("import", "nothing").startswith("mail.no_such_file: ")
