"""Decisions that cannot be taken back: what a player is told before he signs, and what standing orders leave to him."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from golden import golden

from pbem.app import catalogue

from .client import Client
from .conftest import Players

FIXTURES = Path(__file__).parents[2] / "fixtures"
SETUP = """\
place PL-1 in Koszary
place PL-2 in Fort
place PL-3 in Fort
place MTR in GH1
place FG in GH3
place ATG in GH5
"""
NO_CARD = {"german": "fire BB at PL-1", "polish": "fire ATG at BB"}
"""With the ship in Wc: 4 against 1 for the distance and 3 for the barracks; 2 against 1 for the distance and 1 more."""


@pytest.fixture(scope="module")
def distant(joined: Players, tmp_path_factory: pytest.TempPathFactory) -> Players:
    """A card lies open, and whoever is asked has a target that no card could hit."""
    players = joined.copied(tmp_path_factory.mktemp("distant") / "table")
    anna, bruno = players
    bruno.does("orders", "--submit", bruno.write("polish.txt", SETUP))
    bruno.does("export", "-o", "polish.eml")
    anna.does("import", "polish.eml")
    anna.does("orders", "--submit", anna.write("german.txt", "place BB in Wc\n"))
    anna.does("export", "-o", "german.eml")
    bruno.does("import", "german.eml")
    bruno.does("export", "-o", "dice.eml")
    anna.does("import", "dice.eml")
    return players


@pytest.fixture
def asked(distant: Players, tmp_path_factory: pytest.TempPathFactory) -> tuple[Client, str]:
    """Who is asked, and the attack that cannot succeed."""
    player, _ = distant.copied(tmp_path_factory.mktemp("asked") / "table").asked()
    return player, NO_CARD[player.status()["role"]]


# ---------------------------------------------------------------------- orders in vain


def test_an_attack_that_no_card_can_make_hit_is_told_by_the_check(asked: tuple[Client, str]) -> None:
    player, attack = asked
    player.write("orders.txt", f"{attack}\n")
    assert player.does("orders", "--check", "orders.txt").out == (
        "Understood, and legal as things stand:\n"
        f"  {attack}   # no card hits\n"
        f"Note: '{attack}' cannot succeed as things stand.\n"
        "Nothing was changed. Do now: change the sheet, or sign it as it is: "
        "`pbem orders westerplatte --submit orders.txt --anyway`.\n"
    )
    assert player.does("orders", "--check", "orders.txt", "--json").data == {
        "orders": [attack],
        "remarks": [{"order": attack, "text": "no card hits", "vain": True}],
    }


def test_an_attack_that_no_card_can_make_hit_is_signed_only_if_that_is_said(asked: tuple[Client, str]) -> None:
    player, attack = asked
    player.write("orders.txt", f"{attack}\n")
    assert player.refused("orders", "--submit", "orders.txt") == (
        f"orders.vain: expected an order that can succeed, got '{attack}': no card hits\n"
        "hint: change the sheet, or sign it as it is: `pbem orders westerplatte --submit FILE --anyway`\n"
    )
    assert player.does("orders", "--submit", "orders.txt", "--anyway").out.startswith(f"Signed:\n  {attack}\n")


def test_what_goes_with_what_is_said(asked: tuple[Client, str]) -> None:
    player, _ = asked
    for words in (("--check", "a", "--anyway"), ("--now",), ("--standing", "--now")):
        assert player.refused("orders", *words, code=2) == (
            "usage: --anyway goes with --submit, --now with --standing FILE\nhint: `pbem orders --help` shows how\n"
        )


def test_odds_say_what_could_not_be_ordered_now(asked: tuple[Client, str], distant: Players) -> None:
    player, attack = asked
    other = "german" if player.status()["role"] == "polish" else "polish"
    assert player.does("odds", "westerplatte", attack).out.splitlines()[1:] == ["  100.00 %  miss (1)"]
    foreign = NO_CARD[other]
    who, unit, rule = other.capitalize(), foreign.split()[1], "turn.5" if other == "german" else "turn.3"
    said = player.does("odds", "westerplatte", foreign).out.splitlines()
    asked_side = "Polish" if other == "german" else "German"
    assert who != asked_side
    assert said[-1] == (
        f"  note: it could not be ordered now: expected a {asked_side} unit to act, got '{unit}' ({rule})"
    )
    (data,) = distant.anna.does("odds", "westerplatte", foreign, "--json").data
    assert data["not now"] == f"expected a {asked_side} unit to act, got '{unit}' ({rule})"


# ---------------------------------------------------------------------- standing orders


def test_standing_orders_leave_the_open_question_to_the_player(asked: tuple[Client, str]) -> None:
    player, _ = asked
    player.write("standing.txt", "pass always\n")
    step = player.status()["step"]
    decide = (
        "Do now: decide: `pbem orders westerplatte -o orders.txt`, edit it, then "
        "`pbem orders westerplatte --submit orders.txt`\n"
    )
    assert player.does("orders", "--standing", "standing.txt").out == (
        "Standing orders kept:\n"
        "  pass always\n"
        "Note: the question that is open now is not answered by them; "
        "`pbem orders westerplatte --standing standing.txt --now` would answer it: pass\n" + decide
    )
    for file in ("dice.eml", "german.eml"):
        assert "answered by itself" not in player.does("import", file).out
    assert player.status()["step"] == step
    said = player.does("orders", "--standing", "standing.txt", "--now").out
    assert said.splitlines()[:3] == [
        "Standing orders kept:",
        "  pass always",
        f"  answered by itself, step {step}: standing orders",
    ]
    assert said.splitlines()[-1] == "Do now: send your turn file: `pbem export westerplatte -o turn.eml --eml`"


def test_standing_orders_answer_the_next_question(distant: Players, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The open question is answered by hand; those that come later are answered as they come."""
    players = distant.copied(tmp_path_factory.mktemp("later") / "table")
    for player in players:
        player.does("orders", "--standing", player.write("standing.txt", "pass always\n"))
    first, _ = players.asked()
    first.does("orders", "--submit", first.write("orders.txt", "pass\n"))
    for number in range(4):
        for sender, receiver in (players, players[::-1]):
            sender.does("export", "-o", f"{number}.eml", "--force")
            receiver.does("import", f"{number}.eml")
    answered = [row for row in players.anna.does("log", "--json").data if row["text"].endswith("side passes")]
    assert len(answered) > 2


def test_standing_orders_that_do_not_fit_the_open_question_say_nothing_of_it(asked: tuple[Client, str]) -> None:
    player, _ = asked
    unit = "BB" if player.status()["role"] == "german" else "FG"
    player.write("standing.txt", f"recover {unit}\n")
    assert player.does("orders", "--standing", "standing.txt").out.splitlines()[1:2] == [f"  recover {unit}"]
    assert "Note: " not in player.does("orders", "--standing", "standing.txt").out
    assert player.does("orders", "--standing", player.write("none.txt", "")).out.splitlines()[0] == (
        "Standing orders forgotten."
    )


@pytest.mark.parametrize("game", catalogue.OURS)
def test_what_can_be_said_beforehand_is_shown_with_what_is_in_force(new_table: Players, game: str) -> None:
    anna = new_table.anna
    side = catalogue.ruleset(game).roles[0]
    anna.does("new", game, "--as", side, "--opponent", "bruno@example.org", "-o", "i.txt")
    anna.does("orders", "--standing", anna.write("standing.txt", "pass always\n"))
    said = anna.does("orders", "--standing").out
    assert said == golden(FIXTURES / "games" / game / "standing.txt", said)


# ---------------------------------------------------------------------- which game, which file


def test_a_sheet_says_itself_which_game_it_is_for(asked: tuple[Client, str]) -> None:
    player, _ = asked
    player.does("new", "westerplatte", "--as", "german", "--opponent", "eve@example.org", "--name", "xx", "-o", "i")
    player.does("orders", "westerplatte", "-o", "orders.txt")
    player.write("orders.txt", player.read("orders.txt").replace("# pass\n", "pass\n"))
    assert player.does("orders", "--check", "orders.txt").last == (
        "Nothing was changed. Do now: `pbem orders westerplatte --submit orders.txt`."
    )
    which = "game.which: expected the name of one of 2 games, got none\nhint: say which: westerplatte, xx\n"
    assert player.refused("orders", "--submit", "-", stdin=b"pass\n") == which
    assert player.refused("orders", "--submit", "-", stdin=b"orders third step 5\npass\nend\n") == which
    assert player.does("orders", "--submit", "orders.txt").out.startswith("Signed:\n  pass\n")


def test_a_text_that_is_no_sheet_is_one_line(asked: tuple[Client, str]) -> None:
    player, _ = asked
    chance = random.Random(1)
    lines = ["".join(chance.choice("abcdefghij ") for _ in range(40)).strip() for _ in range(60)]
    player.write("README.md", "# pbem\n\n" + "\n".join([*lines, "pass"]))
    expected = (
        "orders.no_sheet: expected an order sheet, got a text of 61 lines, most of which are no orders\n"
        "hint: `pbem orders westerplatte -o orders.txt` writes a sheet to edit\n"
    )
    for how in ("--check", "--submit"):
        assert player.refused("orders", how, "README.md") == expected
    few = player.refused("orders", "--check", "-", stdin=b"one\ntwo\npass\n")
    assert few.count("orders.unreadable: ") == 2


def test_a_game_that_is_stopped_says_so_instead_of_a_sheet(asked: tuple[Client, str], distant: Players) -> None:
    """The asked player signs on two devices, and the other one gets both."""
    player, _ = asked
    twin = next(one for one in distant.copied(player.folder / "twin") if one.home.name == player.home.name)
    other = Client(player.folder / ("bruno" if player.home.name == "anna" else "anna"), player.folder)
    player.does("orders", "--submit", "-", stdin=b"pass\n")
    player.does("export", "-o", "one.txt")
    twin.does("orders", "--submit", "-", "--anyway", stdin=f"{NO_CARD[player.status()['role']]}\n".encode())
    (player.folder / "two.txt").write_text(twin.does("export").out.partition("Do now: ")[0])
    other.does("import", "one.txt")
    assert other.does("import", "two.txt").out.startswith("THE GAME IS STOPPED: ")
    role = player.status()["role"]
    stopped = (
        f"game.forked: expected one event of {role} at step 5, got two: the game is stopped\n"
        "hint: settle it first: `pbem status westerplatte` says how\n"
    )
    for words in (("orders", "-o", "sheet.txt"), ("orders",), ("orders", "--check", "polish.txt")):
        assert other.refused(*words) == stopped
    settled = other.does("motion", "resolve").out.splitlines()
    assert settled[:2] == [
        "Settled: the event behind which dice are known stands, the other one stays readable in the archive.",
        f"settled by you: of {role}'s orders of step 5 'pass' stands, the other one is overruled",
    ]


def test_a_fork_without_dice_behind_it_is_settled_by_naming_one(
    joined_table: Players, tmp_path_factory: pytest.TempPathFactory
) -> None:
    anna, bruno = joined_table
    twin = joined_table.copied(tmp_path_factory.mktemp("twin") / "table").bruno
    for number, (client, area) in enumerate(((bruno, "Koszary"), (twin, "GH3"))):
        client.does("orders", "--submit", "-", stdin=SETUP.replace("Koszary", area).encode())
        (anna.folder / f"{number}.txt").write_text(client.does("export").out.partition("Do now: ")[0])
        anna("import", f"{number}.txt")
    said = anna.refused("motion", "resolve").splitlines()
    assert said[0].startswith(
        "resolve.event: expected the first digits (8 or more) of one of two events, got none: polish signed two "
        "different events at step 2, perhaps from a backup or a second device; came first here: place PL-1 in Koszary"
    )
    first = said[1].removeprefix("hint: for example `pbem motion resolve westerplatte --keep ").removesuffix("`")
    assert anna.does("motion", "resolve", "--keep", first).out.startswith(f"Settled: event {first} stands, ")


def test_a_claim_says_how_a_deadline_is_agreed_on(asked: tuple[Client, str], distant: Players) -> None:
    player, _ = asked
    (other,) = (one for one in distant if one.home.name != player.home.name)
    assert other.refused("motion", "claim") == (
        "lapse.no_deadline: expected a game with a deadline, got one that was agreed without\n"
        "hint: a deadline is agreed on when a game is proposed: `pbem new … --deadline-days 7`; "
        "`pbem forget westerplatte --anyway` puts this game aside\n"
    )
    assert player.refused("motion", "claim") == (
        "lapse.nobody: expected somebody else to owe something, got nobody\n"
        "hint: `pbem status westerplatte` says what to do now\n"
    )
