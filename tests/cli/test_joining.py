"""From two empty machines to the first question: homes, a proposal, an acceptance, and every wrong turn on the way."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .client import Client
from .conftest import Players

TERMS = """\
Proposal of westerplatte version 1, scenario standard, data {data}, game {game}.
  german: Anna <anna@example.org>, who proposes
  polish: (no name given) <bruno@example.org>
  dice by german and polish together: no player could choose or foresee them.
  no deadline.
  the proposer's key in words: {words}
  Compare these words with the proposer by telephone: a mail provider could have put in a key of its own.
"""


def words(text: str) -> str:
    """The eight words of a key."""
    return re.findall(r"key in words: ((?:[a-z]+ ){7}[a-z]+)$", text, re.MULTILINE)[0]


def begun(text: str) -> str:
    """The beginning of a game's id, as a command shows it."""
    return re.findall(r"\b[0-9a-f]{12}\b", text)[-1]


def test_without_a_home_every_command_says_how_to_make_one(tmp_path: Path) -> None:
    nobody = Client(tmp_path / "home", tmp_path)
    expected = (
        f"home.missing: expected a home in '{tmp_path / 'home'}', got none\n"
        "hint: make one with `pbem init`, or set PBEM_HOME\n"
    )
    for words in (["status"], ["orders"], ["export"], ["log"], ["import", "-"], ["verify", "westerplatte"]):
        assert nobody.refused(*words) == expected


def test_init_says_what_was_made_and_what_to_do(tmp_path: Path) -> None:
    anna = Client(tmp_path / "home", tmp_path, "a long phrase")
    done = anna.does("init", "--name", "Anna", "--address", "anna@example.org")
    assert done.out == (
        f"Made a home for Anna <anna@example.org> in {tmp_path / 'home'}.\n"
        "A lost passphrase cannot be recovered: keep a note of it in a safe place.\n"
        f"Your key in words: {words(done.out)}\n"
        "Do now: `pbem new GAME --as ROLE --opponent ADDRESS` to propose a game, or `pbem accept FILE` to join one.\n"
    )


def test_a_second_home_in_the_same_place_is_refused(new_table: Players) -> None:
    anna = new_table.anna
    assert anna.refused("init", "--name", "Eve", "--address", "eve@example.org", "--no-passphrase") == (
        f"home.exists: expected a folder without a home, got one in '{anna.home}'\n"
        "hint: use it as it is, or set PBEM_HOME to another folder\n"
    )


def test_a_home_without_games_says_how_to_begin(new_table: Players) -> None:
    anna = new_table.anna
    assert anna.does("status").out == (
        "No game yet. Do now: `pbem new GAME …` to propose one, or `pbem accept FILE` to join one.\n"
    )
    expected = (
        "game.none: expected a game in this home, got a home without any\n"
        "hint: `pbem new GAME …` proposes one, `pbem accept FILE` joins one\n"
    )
    for command in ("export", "orders", "log", "show"):
        assert anna.refused(command) == expected
    assert anna.refused("archive", "-o", "a.pbem") == expected
    assert anna.refused("export", "westerplatte") == (
        "game.unknown: expected the name or the id of a game of this home, got 'westerplatte'\n"
        "hint: there is none yet; see `pbem new` and `pbem accept`\n"
    )


@pytest.mark.parametrize(
    "address", ["bruno", "Bruno <bruno@example.org>", "bruno@example.org\nBcc: all@example.org", "", "bruno@łódź.pl"]
)
def test_a_proposal_to_no_address_is_refused(new_table: Players, address: str) -> None:
    shown = address.replace("\n", "\\n")
    got = repr(shown)
    said = new_table.anna.refused("new", "westerplatte", "--as", "german", "--opponent", address)
    assert said == (
        f"mail.address: expected the opponent's e-mail address such as anna@example.org, got {got}\n"
        "hint: type the bare address, without a name or angle brackets\n"
    )


def test_a_proposal_of_what_is_not_there_names_what_is(new_table: Players) -> None:
    def said(*arguments: str) -> str:
        return new_table.anna.refused("new", *arguments, "--opponent", "bruno@example.org")

    there = ", ".join(game["name"] for game in new_table.anna.does("games", "--json").data)
    assert said("chess", "--as", "white") == (
        f"game.ruleset: expected one of {there}, got 'chess'\nhint: see `pbem games`\n"
    )
    assert said("westerplatte", "--as", "French") == "new.role: expected one of german, polish, got 'French'\n"
    assert said("westerplatte", "--as", "german", "--scenario", "moon") == (
        "game.scenario: expected one of standard, got 'moon'\n"
    )


def test_a_game_is_proposed_read_and_joined(new_table: Players) -> None:
    anna, bruno = new_table
    proposed = anna.does(
        "new", "westerplatte", "--as", "german", "--opponent", "bruno@example.org", "-o", "inv.eml", "--eml"
    ).out
    game = begun(proposed.splitlines()[0])
    size = re.findall(r", (\d+) bytes", proposed)[0]
    assert proposed == (
        f"Proposed The Battle of the Westerplatte as game westerplatte ({game}); you are german.\n"
        f"Your key in words: {words(proposed)}\n"
        f"Wrote inv.eml: 1 event, {size} bytes compressed.\n"
        "Do now: send inv.eml as a mail to <bruno@example.org>, with the subject: "
        "[pbem] westerplatte turn 0 german step 1: an invitation\n"
    )
    assert bruno.does("import", "inv.eml").out == (
        f"A proposal by german (game {game}). Do now: `pbem accept inv.eml --show`\n"
    )
    shown = bruno.does("accept", "inv.eml", "--show").out
    data = re.findall(r", data ([0-9a-f]{12}),", shown)[0]
    terms = TERMS.format(data=data, game=game, words=words(proposed))
    assert shown == terms + "Do now: to join, `pbem accept inv.eml -o acceptance.eml --eml`; else nothing.\n"
    joined = bruno.does("accept", "inv.eml", "-o", "acc.eml", "--eml").out
    size = re.findall(r", (\d+) bytes", joined)[0]
    assert joined == terms + (
        "Accepted as game westerplatte; you are polish.\n"
        f"Your key in words: {words(joined.removeprefix(terms))}\n"
        f"Wrote acc.eml: 2 events, {size} bytes compressed.\n"
        "Note: you still owe a decision (place every Polish unit on a land area, at most 2 in one); this file holds no "
        "move of yours, only your acceptance. To decide: `pbem orders westerplatte -o orders.txt`, edit it, then "
        "`pbem orders westerplatte --submit orders.txt`.\n"
        "Do now: send acc.eml as a mail to Anna <anna@example.org>, with the subject: "
        "[pbem] westerplatte turn 1 polish step 2\n"
    )
    assert anna.does("import", "acc.eml").out == (
        "westerplatte: 1 new event, 1 known already.\n"
        f"  polish has accepted; its key in words: {words(joined.removeprefix(terms))}\n"
        "  Compare these words by telephone: somebody else could have taken the seat.\n"
        "Do now: wait for polish's turn file, then `pbem import FILE`; was yours lost? "
        "`pbem export westerplatte` writes it again\n"
    )


def test_the_terms_name_deadline_and_a_stranger(new_table: Players) -> None:
    anna, _ = new_table
    words = ("--as", "polish", "--opponent", "eve@example.org", "--deadline-days", "7", "-o", "i.txt")
    key = anna.does("new", "westerplatte", *words).out.splitlines()[1].partition(": ")[2]
    said = new_table.bruno.does("accept", "i.txt", "--show").out.splitlines()
    assert said[3:] == [
        "  dice by german and polish together: no player could choose or foresee them.",
        "  deadline: 7 days an answer, then the other side may claim the game.",
        f"  the proposer's key in words: {key}",
        "  Compare these words with the proposer by telephone: a mail provider could have put in a key of its own.",
        "  note: your address bruno@example.org is not among the seats.",
        "Do now: nothing, it is meant for somebody else; if eve@example.org is yours too, `pbem accept i.txt "
        "--as-address eve@example.org -o acceptance.eml --eml` joins.",
    ]


def test_an_own_proposal_is_not_accepted(joined_table: Players) -> None:
    assert joined_table.anna.refused("accept", "inv.txt") == (
        "accept.known: expected a proposal that is new to this home, got your own, game westerplatte\n"
        "hint: the other side accepts it: `pbem export westerplatte` writes it again; "
        "did a turn file come? `pbem import FILE` takes it in\n"
    )


@pytest.mark.parametrize("file", ["inv.txt", "acc.txt"])
def test_a_proposal_is_joined_once(joined_table: Players, file: str) -> None:
    assert joined_table.bruno.refused("accept", file) == (
        "accept.known: expected a proposal that is new to this home, got that of game westerplatte, which you have "
        "joined\nhint: see `pbem status westerplatte`; did a turn file come? `pbem import FILE` takes it in\n"
    )


def test_one_home_has_one_seat_of_a_game(joined_table: Players) -> None:
    anna, bruno = joined_table
    for client, mine, wanted in ((anna, "german", "polish"), (bruno, "polish", "referee")):
        assert client.refused("accept", "inv.txt", "--as", wanted) == (
            "accept.second_seat: expected a game in which this home has no seat, got game westerplatte, in which you "
            f"are {mine}: one home has one seat of a game\n"
            f"hint: whoever is {wanted} joins with a home and an address of its own (PBEM_HOME)\n"
        )


@pytest.mark.parametrize("other", [("--referee", "--deadline-days"), ("--adjudicator", "--deadline-days")])
def test_each_seat_has_an_address_of_its_own(new_table: Players, other: tuple[str, str]) -> None:
    words = ("--as", "german", "--opponent", "bruno@example.org", other[0], "Bruno@Example.org", other[1], "7")
    assert new_table.anna.refused("new", "westerplatte", *words) == (
        "new.same_address: expected an e-mail address of its own for each seat, got Bruno@Example.org for two\n"
        "hint: each seat is played by a person with a home and an address: name somebody else for one of them\n"
    )


def test_what_is_no_proposal_is_not_accepted(dealt_table: Players) -> None:
    anna, bruno = dealt_table
    assert anna.refused("accept", "german.eml") == (
        "accept.no_proposal: expected a proposal, got an event of a game under way\n"
        "hint: import it with `pbem import`, or ask for the file that `pbem new` wrote\n"
    )
    assert bruno.refused("accept", "polish.txt") == (
        "import.sheet: expected a turn file, got an order sheet in polish.txt\n"
        "hint: `pbem orders --submit FILE` signs the orders in it\n"
    )
    assert bruno.refused("accept", bruno.write("letter.txt", "Dear Bruno,\n")) == (
        "mail.no_turn_file: expected a turn file, got none in letter.txt\n"
        "hint: a turn file begins with the line 'BEGIN PBEM TURN FILE VERSION 1 …'\n"
    )
    assert bruno.refused("accept", "nothing.txt") == (
        "mail.no_such_file: expected a file or a folder, got 'nothing.txt', which does not exist\n"
        "hint: give a turn file, a saved mail (.eml), an mbox, a Maildir, a folder of these, or - for standard input\n"
    )


def test_a_stranger_can_not_take_a_role_that_is_taken(joined_table: Players, tmp_path: Path) -> None:
    eve = Client(tmp_path / "eve", joined_table.anna.folder)
    eve.does("init", "--name", "Eve", "--address", "eve@example.org", "--no-passphrase")
    said = eve.refused("accept", "inv.txt", "--as", "german")
    assert said == "accept.role: expected a free role, got 'german'\nhint: free: polish\n"


def test_whom_a_proposal_names_no_seat_for_is_told_whose_they_are(new_table: Players, tmp_path: Path) -> None:
    anna, _ = new_table
    people = ("--opponent", "bruno@example.org", "--adjudicator", "hugo@example.org")
    anna.does("new", "westerplatte", "--as", "german", *people, "-o", "i.txt")
    eve = Client(tmp_path / "eve", anna.folder)
    eve.does("init", "--name", "Eve", "--address", "eve@example.org", "--no-passphrase")
    assert eve.refused("accept", "i.txt") == (
        "accept.other_address: expected a proposal to eve@example.org, got one with no seat for that address: "
        "adjudicator for hugo@example.org, polish for bruno@example.org\n"
        "hint: none is free to anybody, and every turn would be mailed to those addresses: ask the proposer for a "
        "proposal to your own; if one of these is yours too, say --as-address with it\n"
    )
    said = eve.does("accept", "i.txt", "--as-address", "hugo@example.org", "-o", "a.txt").out
    assert "Accepted as game westerplatte; you are adjudicator.\n" in said


@pytest.mark.parametrize("own", ["anna@example.org", "Anna@Example.ORG"])
def test_a_proposal_to_oneself_is_refused(new_table: Players, own: str) -> None:
    assert new_table.anna.refused("new", "westerplatte", "--as", "german", "--opponent", own) == (
        "new.own_address: expected the other player's e-mail address, got your own, anna@example.org\n"
        "hint: to play both sides yourself make a second home (PBEM_HOME) with an address of its own\n"
    )


def test_roles_are_read_without_regard_to_case(new_table: Players) -> None:
    anna, bruno = new_table
    said = anna.does("new", "westerplatte", "--as", "German", "--opponent", "bruno@example.org", "-o", "i.txt").out
    assert said.splitlines()[0].endswith("; you are german.")
    assert "Accepted as game westerplatte; you are polish.\n" in bruno.does("accept", "i.txt", "--as", "POLISH").out


def test_the_turn_file_of_another_game_is_named(dealt_table: Players, tmp_path: Path) -> None:
    eve = Client(tmp_path / "eve", dealt_table.anna.folder)
    eve.does("init", "--name", "Eve", "--address", "eve@example.org", "--no-passphrase")
    game = dealt_table.anna.status()["id"][:12]
    assert eve.refused("import", "german.eml") == (
        f"import.foreign: expected a turn file of a game of this home, got one of game {game} in german.eml, text\n"
        "hint: accept its proposal first, or use the home that plays it (PBEM_HOME)\n"
    )


def test_two_proposals_at_once_are_not_accepted(new_table: Players) -> None:
    anna, bruno = new_table
    (anna.folder / "mails").mkdir()
    for number in "12":
        anna.does(
            "new", "westerplatte", "--as", "german", "--opponent", "bruno@example.org", "-o", f"mails/{number}.txt"
        )
    assert bruno.refused("accept", "mails") == (
        "accept.several: expected one proposal, got 2\nhint: accept each from its own file\n"
    )
    assert anna.refused("export") == (
        "game.which: expected the name of one of 2 games, got none\nhint: say which: westerplatte, westerplatte-2\n"
    )


def test_an_archive_before_anybody_has_joined_says_so(new_table: Players) -> None:
    anna = new_table.anna
    anna.does("new", "westerplatte", "--as", "german", "--opponent", "bruno@example.org", "-o", "i.txt")
    said = anna.does("verify", "westerplatte", "--running").out.splitlines()
    assert said[2] == "  polish: (no name), key in words: (has not accepted)"


def test_a_referee_without_a_name_is_called_by_the_address(new_table: Players) -> None:
    anna = new_table.anna
    referee = ("--referee", "rita@example.org", "--deadline-days", "7")
    anna.does("new", "westerplatte", "--as", "german", "--opponent", "bruno@example.org", *referee, "-o", "i.txt")
    assert anna.refused("motion", "rule") == (
        "rule.referee: expected the referee's home, got that of german\n"
        "hint: ask whoever that is <rita@example.org>, who is the referee; `pbem status westerplatte` says what to do "
        "now\n"
    )
