"""The rules in short: every rule that the fixtures know, every ruling, in words of our own."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from pbem.games.westerplatte import data_files
from pbem.games.westerplatte.ruleset import Westerplatte

PACKAGE = Path(data_files.__file__).parent
ROOT = Path(__file__).parents[3]
RULES = Westerplatte({path.name: path.read_bytes() for path in sorted((PACKAGE / "data").iterdir())})
CHAPTERS = {"setup": 5, "turn": 12, "combat": 16, "support": 6, "end": 4, "units": 8}
"""How many rules a chapter of the card has."""


def numbered_rulings() -> list[int]:
    text = (PACKAGE / "RULINGS.md").read_text(encoding="utf-8")
    return [int(number) for number in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)]


def test_the_guide_has_every_rule_and_every_ruling_once_and_in_order() -> None:
    rules = [f"{chapter}.{number + 1}" for chapter, count in CHAPTERS.items() for number in range(count)]
    assert [line.rule for line in RULES.guide()] == rules + [f"ruling.{number}" for number in numbered_rulings()]


def test_every_rule_that_a_fixture_shows_is_in_the_guide() -> None:
    rules = {line.rule for line in RULES.guide()}
    folder = ROOT / "fixtures" / "games" / "westerplatte" / "rules"
    shown = {
        rule
        for path in folder.glob("*.toml")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("rule")
        for rule in re.findall(r'"([a-z]+\.\d+)"', line)
    }
    assert len(shown) > 40
    assert shown <= rules


def test_a_line_of_the_guide_is_one_short_line() -> None:
    assert [line for line in RULES.guide() if not line.text.isprintable() or not 15 < len(line.text) < 180] == []


def test_every_ruling_is_named_where_it_applies() -> None:
    cited = {
        int(number)
        for line in RULES.guide()
        for words in re.findall(r"\(rulings? ([\d, ]+)\)", line.text)
        for number in words.split(", ")
    }
    assert cited == set(numbered_rulings())


def test_the_headings_follow_each_other_once() -> None:
    headings = [line.heading for line in RULES.guide()]
    assert list(dict.fromkeys(headings)) == [
        "Set-up",
        "Turn",
        "Combat",
        "Air and artillery",
        "End of the game",
        "Counters",
        "Rulings: how the program reads what the rules leave open",
    ]
    assert len([now for before, now in pairwise(headings) if now != before]) == 6
