"""What a game is: its rules in short, its tables and map by the name of the rules or of a game; odds, lab."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from .client import Client
from .conftest import Players

POSITION = """\
stage cards
turn 1
reshuffles 0
german could act
drawn S5
card S5
left 3
unit MAS-1 A
unit MAS-2 A
unit BB Wa
unit PL-1 Wal
"""
FORDS = """\
stage bets
turn 1 of 1
weather rain
bag sun sun rain fog
north supply 2 points 0
north assault with 1
south supply 3 points 0
south assault with 0
"""


@pytest.fixture
def nobody(tmp_path: Path) -> Client:
    client = Client(tmp_path / "home", tmp_path)
    client.write("position.txt", POSITION)
    return client


@pytest.fixture
def named(new_table: Players) -> Client:
    """Anna, with a game called duel."""
    words = ("--as", "german", "--opponent", "bruno@example.org", "--name", "Duel", "-o", "i.txt")
    new_table.anna.does("new", "westerplatte", *words)
    return new_table.anna


def test_a_rule_is_told_under_its_heading(nobody: Client) -> None:
    (line,) = nobody.does("rules", "westerplatte", "combat.8", "--json").data
    assert (line["rule"], line["heading"]) == ("combat.8", "Combat")
    said = nobody.does("rules", "westerplatte", "Combat.8").out.splitlines()
    assert said[0] == "Combat"
    assert said[1].startswith("  combat.8  ")
    assert " ".join(" ".join(said[1:]).split()) == f"combat.8 {line['text']}"


def test_all_rules_are_told_under_their_headings_in_lines_that_fit(nobody: Client) -> None:
    data = nobody.does("rules", "westerplatte", "--json").data
    said = nobody.does("rules", "westerplatte").out
    rows = said.splitlines()
    assert rows[0] == (
        "The Battle of the Westerplatte: the rules in short. They explain; what counts is what the program does."
    )
    assert [row for row in rows[1:] if not row.startswith(" ")] == list(dict.fromkeys(one["heading"] for one in data))
    assert [row.split()[0] for row in rows if row.startswith("  ") and row[2] != " "] == [one["rule"] for one in data]
    assert max(map(len, rows)) <= 110


@pytest.mark.parametrize("word", ["'2/1'", "'+0'", "'oba'", "'or'", "'face redraw'"])
def test_the_rules_explain_the_words_of_sheets_and_boards(nobody: Client, word: str) -> None:
    assert word in " ".join(nobody.does("rules", "westerplatte").out.split())


def test_a_chapter_is_named_by_its_number_or_its_heading(nobody: Client) -> None:
    chapter = nobody.does("rules", "westerplatte", "setup").out
    assert chapter == nobody.does("rules", "westerplatte", "Set-up").out
    assert [row.split()[0] for row in chapter.splitlines() if row[:3].strip()] == [
        "Set-up", "setup.1", "setup.2", "setup.3", "setup.4", "setup.5",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("wanted", "hint"),
    [
        ("combat.99", "the nearest are combat.16, combat.15, combat.14, combat.13; `pbem rules GAME` shows every rule"),
        ("combat.0", "the nearest are combat.1, combat.2, combat.3, combat.4; `pbem rules GAME` shows every rule"),
        ("trun", "the nearest is turn; `pbem rules GAME` shows every rule"),
        ("trun.3", "the nearest are turn.3, turn.2, turn.4, turn.1; `pbem rules GAME` shows every rule"),
        ("xyz", "`pbem rules GAME` shows every rule"),
    ],
)
def test_a_rule_that_is_not_there_names_the_nearest(nobody: Client, wanted: str, hint: str) -> None:
    said = nobody.refused("rules", "westerplatte", wanted)
    assert said == f"rules.unknown: expected the number of a rule, got '{wanted}'\nhint: {hint}\n"


@pytest.mark.parametrize(("wanted", "first", "last"), [("5.3", "5.3.1", "5.3.10"), ("8", "8.1.1", "8.1.5")])
def test_a_section_shows_its_rules(nobody: Client, wanted: str, first: str, last: str) -> None:
    said = json.loads(nobody.does("rules", "polska1939", wanted, "--json").out)
    assert (said[0]["rule"], said[-1]["rule"]) == (first, last)


@pytest.mark.parametrize(
    ("wanted", "hint"),
    [
        (
            "Wartownia",
            "did you mean Wartownia nr 3 (GH3) or Wartownia nr 4 (GH4) or Wartownia nr 5 (GH5) or Wartownia nr 2 (GH2) "
            "or Wartownia nr 1 (GH1)?",
        ),
        ("Xyzzyx", "without --area the whole map is listed"),
    ],
)
def test_an_area_that_there_is_not(nobody: Client, wanted: str, hint: str) -> None:
    said = nobody.refused("map", "westerplatte", "--area", wanted)
    assert said == f"map.area: expected an area, got '{wanted}'\nhint: {hint}\n"


@pytest.mark.parametrize("words", [["rules"], ["tables"], ["map"], ["games"], ["map", "--area", "GH1"]], ids=" ".join)
def test_a_game_stands_for_its_rules(named: Client, nobody: Client, words: list[str]) -> None:
    assert named.does(*words, "duel").out == nobody.does(*words, "westerplatte").out


def test_what_is_neither_names_both(named: Client, nobody: Client) -> None:
    there = ", ".join(game["name"] for game in nobody.does("games", "--json").data)
    assert nobody.refused("map", "chess") == (
        f"game.ruleset: expected one of {there}, got 'chess'\nhint: see `pbem games` and `pbem status`\n"
    )
    assert named.refused("rules", "chess") == (
        f"game.ruleset: expected one of {there} or a game of this home (Duel), got 'chess'\n"
        "hint: see `pbem games` and `pbem status`\n"
    )


def test_every_help_says_what_game_is(nobody: Client) -> None:
    def said(*words: str) -> str:
        return " ".join(nobody.does(*words, "--help").out.split("\n\n")[-1].split())

    rules_too = (
        "GAME is a game of this home (`pbem status`) or the name of a game's rules (`pbem games`), for which no home "
        "is needed."
    )
    only = "GAME is a game of this home (`pbem status`); it may be left out while this home has only one."
    assert {said(name) for name in ("games", "lab", "map", "odds", "rules", "tables")} == {rules_too}
    assert {said(name) for name in ("archive", "export", "log", "orders", "show")} == {only}
    assert {said("motion", name) for name in ("claim", "resolve")} == {only}
    assert said("status") == "GAME is a game of this home (`pbem status`); without it, all of them."
    assert said("roll") == "GAME is a game of this home (`pbem status`)."
    assert "RULESET is the name of a game's rules, as `pbem games` lists them." in nobody.does("new", "--help").out


def test_odds_of_several_attacks_are_told_one_by_one(nobody: Client) -> None:
    attacks = ("fire MAS-1, MAS-2 at PL-1", "oba at PL-1")
    several = nobody.does("odds", "westerplatte", *attacks, "--position", "position.txt").out
    alone = [nobody.does("odds", "westerplatte", one, "--position", "position.txt").out for one in attacks]
    assert several == "".join(alone)
    bare = nobody.does("odds", "westerplatte", *attacks[1].split(), "--position", "position.txt").out
    assert bare == alone[1]


def test_odds_of_a_game_with_many_results_are_summed_up(nobody: Client) -> None:
    """The means first; what is below 0.01 % is told one by one only if it is wanted."""
    units = "unit DE-INF-11 H23 16\nunit DE-ARM-1 H23 12 fuel 4\nunit PL-INF-20 P22 16\nunit PL-INF-8 P22 12\n"
    nobody.write("poland.txt", f"phase II\n{units}")
    ask = ("odds", "polska1939", "Płońsk with all", "--position", "poland.txt")
    said, whole = (nobody.does(*ask, *more).out.splitlines() for more in ((), ("--all",)))
    assert said[:2] == [
        "German attack on Płońsk (P22): 28 against 28 SP, modifier -1, row -6 to -16",
        "  on average: area taken 8.33 %, attacker loses 1.19 SP, defender loses 0.86 SP",
    ]
    assert said[-1] == "    0.03 %  8 more results below 0.01 % each (1/2916); --all lists them"
    assert (len(whole), whole[: len(said) - 1]) == (len(said) + 7, said[:-1])
    assert whole[-1] == "    0.00 %  D1R: attacker loses 2 SP, defender 2 SP, area taken (1/46656)"
    (found,) = nobody.does(*ask, "--json").data
    assert len(found["chances"]) == len(whole) - 2
    taken = sum(Fraction(chance) for name, chance in found["chances"].items() if name.endswith(", area taken"))
    assert found["means"] == {"area taken": str(taken), "attacker loses": "43/36", "defender loses": "31/36"}


def test_odds_take_the_only_game_of_these_rules(named: Client) -> None:
    off_map = "support.target: expected a Polish unit on the map, got PL-1 in line 1, column 1 (support.4)\n"
    for name in ("duel", "westerplatte"):
        assert named.refused("odds", name, "oba at PL-1") == off_map
    named.does("new", "westerplatte", "--as", "german", "--opponent", "eve@example.org", "--name", "b", "-o", "j.txt")
    assert named.refused("odds", "westerplatte", "oba at PL-1") == (
        "odds.which: expected a game of this home, got 2 games of westerplatte\nhint: say which: Duel, b\n"
    )


def test_odds_of_rules_alone_need_a_position(new_table: Players) -> None:
    assert new_table.anna.refused("odds", "westerplatte", "oba at PL-1") == (
        "odds.which: expected a game of this home, got the rules of westerplatte, which no game of this home is played "
        "by\nhint: give a position with --position FILE\n"
    )


def test_odds_without_a_home_ask_for_a_position(nobody: Client) -> None:
    assert nobody.refused("odds", "westerplatte", "oba at PL-1") == (
        "odds.position: expected a position or a game of this home, got neither: there is no home\n"
        "hint: give a position with --position FILE; `pbem init` makes a home\n"
    )


def test_odds_of_an_attack_without_its_verb_say_which(nobody: Client) -> None:
    assert nobody.refused("odds", "westerplatte", "FG, ATG at BB", "--position", "position.txt") == (
        "orders.unreadable: expected an order such as fire MAS-1, MAS-2 at PL-1 / oba at PL-1 / "
        "air at PL-1 face miss, got 'FG,' in line 1, column 1\n"
        "hint: an attack begins with 'fire': 'fire FG, ATG at BB'\n"
    )


def test_the_lab_says_who_is_asked_next(nobody: Client) -> None:
    nobody.write("attack.txt", "phase II\nunit DE-INF-11 G13 16\nunit PL-INF-20 P20 18\n")
    assert nobody.does("lab", "polska1939", "--position", "attack.txt").last == (
        "Asked next: german: 1 September, phase II: what you attack. Give an answer with one more --orders to go on."
    )


def test_the_lab_says_why_it_stopped(nobody: Client) -> None:
    lab = ("lab", "westerplatte", "--position", "position.txt")
    nobody.write("pass.txt", "pass\n")
    assert nobody.does(*lab).last == (
        "Asked next: german: the 5 of spades: order up to 3 units; the air marker may be used instead. "
        "Give an answer with one more --orders to go on."
    )
    assert nobody.does(*lab, "--orders", "pass.txt").last == (
        "The next card or roll would come here: give more --dice to go on."
    )
    said = nobody.does(*lab, "--orders", "pass.txt", "--orders", "pass.txt", "--dice", "S7,S8,S9").out.splitlines()
    assert said[-2] == "note: dice left over: S9"
    said = nobody.does(*lab, "--orders", "pass.txt", "--orders", "pass.txt").out.splitlines()
    assert said[-2] == "note: order sheets left over: 1"


def test_the_lab_says_that_a_game_ends(nobody: Client) -> None:
    nobody.write("fords.txt", FORDS)
    nobody.write("bet.txt", "bet 2\n")
    lab = ("lab", "toy", "--position", "fords.txt", "--orders", "bet.txt", "--dice", "3,2,6,1,5,6,1")
    assert nobody.does(*lab).out.splitlines() == [
        "north bets 2 (2.3)",
        "north rolls 5 and crosses the ford (2.4)",
        "south rolls 7 and is thrown back (2.4)",
        "the flood takes 2 supply of each side (2.5)",
        "",
        "stage opening",
        "turn 1 of 1",
        "bag sun sun rain fog",
        "north supply 0 points 1",
        "south supply 1 points 0",
        "The game is over.",
    ]


def test_the_board_ends_with_a_sketch(dealt: Players) -> None:
    said = dealt.anna.does("show", "--map").out
    assert "\nSketch, north is up; a figure after a colon counts the units there:\n" in said
    assert said.index("\nSketch") > said.index("\nOff map, east:\n")


def test_the_board_is_where_the_units_are(dealt: Players) -> None:
    """The units in a few lines; with --map the empty areas behind them, what each borders on, and the sketch."""
    said = dealt.anna.does("show").out.splitlines()
    whole = dealt.anna.does("show", "--map").out.splitlines()
    units = [line for line in said if line.startswith("  * ")]
    assert len(units) == 15
    assert [line for line in whole if line.startswith("  * ")] == units
    assert not [line for line in said if "borders" in line or line.startswith("Sketch")]
    assert len(said) < len(whole) // 2
    assert whole.index(units[-1]) < whole.index("A, Przesmyk, 'neck', entry, open")
    assert said[-1] == "Before step 5. `pbem show westerplatte --map` adds the map. Do now: `pbem status westerplatte`."
    assert whole[-1] == "Before step 5. Do now: `pbem status westerplatte`."


def test_standing_orders_without_a_file_are_shown(dealt_table: Players) -> None:
    player, other = dealt_table.asked()
    said = other.does("orders", "--standing").out.splitlines()
    forms = other.does("orders", "--standing", "--json").data["forms"]
    assert said == [
        "No standing orders are in force.",
        "What can be said:",
        *(f"  {form}" for form in forms),
        "Do now: to change them, write such lines into a file, then `pbem orders westerplatte --standing FILE`.",
    ]
    assert [form for form in forms if form.startswith("# pass always  ")]
    other.write("standing.txt", "pass at most 1\n")
    other.does("orders", "--standing", "standing.txt")
    assert other.does("orders", "westerplatte", "--standing").out.splitlines()[:3] == [
        "Standing orders in force:",
        "  pass at most 1",
        "What can be said:",
    ]
    shown = other.does("orders", "--standing", "--json").data
    assert shown == {"game": "westerplatte", "standing": ["pass at most 1"], "forms": forms}
    assert player.does("orders", "--standing", "--json").data["standing"] == []
