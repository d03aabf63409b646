"""The rules in short: every rule of the rulebook and every ruling once, in order, with the figures of the data."""

from __future__ import annotations

import csv
import re
from itertools import pairwise
from pathlib import Path

import pytest

from pbem.games.polska1939 import data_files
from pbem.games.polska1939.guide import guide
from pbem.rules.ruleset import GuideLine

PACKAGE = Path(data_files.__file__).parent
LINES = guide()
COUNTS = {
    "1": 4, "2": 1, "3.1": 8, "4.1": 14, "4.2": 6, "5.1": 1, "5.2": 10, "5.3": 10, "5.4": 3, "5.5": 5, "6.1": 9,
    "6.2": 6, "7.1": 6, "7.2": 5, "8.1": 5, "9.1": 5, "9.2": 7, "10.1": 8, "11.1": 7, "12.1": 2, "13": 1,
    "scenario": 13,
}  # fmt: skip
"""How many rules a section of the rulebook has, exceptions and phases counted, examples not."""


def section(rule: str) -> str:
    """`5.3` for 5.3.10; the sections with one part count by their chapter."""
    return re.sub(r"^((?:1|2|13)(?=\.)|\d+\.\d+|scenario|ruling).*", r"\1", rule)


def rulings() -> list[tuple[str, str]]:
    """Number and question of every ruling that is written."""
    text = (PACKAGE / "RULINGS.md").read_text(encoding="utf-8")
    return re.findall(r"^\| (\d+-\d+) \| [^|]+ \| ([^|]+) \|", text, re.MULTILINE)


def cited(line: GuideLine) -> list[str]:
    """The rulings that a line names."""
    return [number for words in re.findall(r"\(rulings? ([\d, -]+)\)", line.text) for number in words.split(", ")]


def test_the_guide_has_the_rules_of_every_section() -> None:
    found = [section(line.rule) for line in LINES if not line.rule.startswith("ruling")]
    assert {name: found.count(name) for name in dict.fromkeys(found)} == COUNTS


def test_rules_stand_once_and_in_the_order_of_the_rulebook() -> None:
    numbered = [line.rule for line in LINES if re.match(r"\d", line.rule)]
    assert len(numbered) == len(set(numbered))
    order = [[int(part) if part.isdigit() else 99 for part in rule.split(".")[:3]] for rule in numbered]
    assert order == sorted(order)
    assert [rule for rule in numbered if ".phase" in rule] == [
        f"3.1.2.phase{number}" for number in ("I", "II", "III", "IV", "V", "VI")
    ]


def test_every_ruling_is_there_with_its_question() -> None:
    found = [line for line in LINES if line.rule.startswith("ruling")]
    assert len(found) > 100
    assert [line.rule for line in found] == [f"ruling.{number}" for number, _ in rulings()]
    assert [line.rule for line, (_, question) in zip(found, rulings(), strict=True) if question not in line.text] == []


def test_every_ruling_is_named_where_it_applies() -> None:
    assert {number for line in LINES for number in cited(line)} == {number for number, _ in rulings()}


def test_a_ruling_is_named_once_in_a_line_and_in_order() -> None:
    ordered = [[tuple(map(int, number.split("-"))) for number in cited(line)] for line in LINES]
    assert [found for found in ordered if len(found) != len(set(found))] == []


def test_a_line_of_the_guide_is_one_short_line() -> None:
    assert [line for line in LINES if not line.text.isprintable() or not 15 < len(line.text) < 220] == []


def test_every_rule_that_the_code_names_is_in_the_guide() -> None:
    """Refusals and reports name rules; `pbem rules polska1939 RULE` has to know them."""
    rule = re.compile(r'"((?:\d+\.\d+(?:\.\d+)?|13\.A|scenario\.[a-z0-9-]+)(?:\.(?:exception|phase[IV]+))?)"')
    named = {found for path in PACKAGE.glob("[a-z]*.py") for found in rule.findall(path.read_text(encoding="utf-8"))}
    assert len(named) > 90
    assert named - {line.rule for line in LINES} == set()


def figures() -> list[tuple[str, str, int]]:
    """Rule, key and value of the figures that people would say as they stand: no small ones, no halves of points."""
    with (PACKAGE / "data" / "constants.csv").open(encoding="utf-8", newline="") as lines:
        rows = [(row["rule"], row["key"], abs(int(row["value"]))) for row in csv.DictReader(lines)]
    return [
        (rule, key, value // 2 if key.endswith("_halves") else value)
        for rule, key, value in rows
        if value > 2 and rule in {line.rule for line in LINES}
    ]


AS_PEOPLE_SAY_IT = {"days.last": "5 October", "fortification.fortress_strong_from": "12", "air.die_sides": "6"}
"""Figures that the guide gives in another form: a date, more than 12."""


@pytest.mark.parametrize(("rule", "key", "value"), figures(), ids=lambda part: str(part))
def test_figures_are_those_of_the_data(rule: str, key: str, value: int) -> None:
    text = " ".join(line.text for line in LINES if line.rule == rule)
    text = re.sub(r"\(rulings? [^)]*\)", "", text)
    assert re.search(rf"\b{AS_PEOPLE_SAY_IT.get(key, str(value))}\b", text), text


def test_the_headings_follow_each_other_once() -> None:
    headings = [line.heading for line in LINES]
    assert list(dict.fromkeys(headings)) == [
        "1 Basics",
        "2 Units",
        "3 Turns and phases",
        "4.1 Movement",
        "4.2 Terrain",
        "5.1 Combat",
        "5.2 Who fights whom",
        "5.3 Retreat",
        "5.4 Losses",
        "5.5 Reorganization",
        "6.1 Bombers",
        "6.2 Offensive air support",
        "7.1 Fortresses and fortified lines",
        "7.2 Field fortifications",
        "8 Trains",
        "9.1 Supply",
        "9.2 Fuel",
        "10 Headquarters",
        "11 Reinforcements",
        "12 Soviets",
        "13 Cities",
        "Scenario: September 1st",
        "Rulings: how the program reads what the rulebook leaves open",
    ]
    assert len([now for before, now in pairwise(headings) if now != before]) == 22


def test_a_rule_and_a_ruling_read_in_full() -> None:
    texts = {line.rule: line.text for line in LINES}
    assert texts["7.1.4"] == (
        "A fortress: -4 with more than 12 SP in it, -3 with 5 to 12 SP, -2 with fewer. (rulings 7-11, 7-12, 7-13)"
    )
    assert texts["ruling.5-12"] == (
        "Are both prices of holding paid? The greater one: 1 SP a counter, or 1 SP for each full 12 SP of armour."
    )
