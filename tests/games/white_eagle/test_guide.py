"""The rules in short: every rule of the rulebook and every ruling once, in order, with the figures of the data."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from pbem.games.white_eagle import data_files
from pbem.games.white_eagle.guide import guide
from pbem.rules.ruleset import GuideLine
from white_eagle.positions import DATA

PACKAGE = Path(data_files.__file__).parent
LINES = guide()
RULES = [line for line in LINES if not line.rule.startswith("ruling")]
COUNTS = {
    "1.0": 2, "2.0": 1, "2.1": 7, "2.2": 15, "2.3": 11, "3.0": 6, "3.1": 23, "3.2": 3, "4.0": 1, "4.1": 1, "4.2": 4,
    "4.3": 5, "5.0": 1, "5.1": 7, "5.2": 1, "5.3": 1, "6.0": 1, "6.1": 5, "6.2": 1, "6.3": 1, "7.0": 7, "7.1": 7,
    "7.2": 3, "7.3": 6, "8.0": 2, "8.1": 1, "8.2": 1, "8.3": 3, "8.4": 1, "8.5": 24, "8.6": 6, "9.0": 10, "10.0": 7,
}  # fmt: skip
"""How many sentences and points of the rulebook's sections say something; headings do not."""


def section(rule: str) -> str:
    """`5.1` for 5.1.b3."""
    return rule.rsplit(".", 1)[0]


def rulings() -> list[tuple[str, str]]:
    """Number and question of every ruling that is written."""
    text = (PACKAGE / "RULINGS.md").read_text(encoding="utf-8")
    return re.findall(r"^\| (\d+-\d+) \| [^|]+ \| ([^|]+) \|", text, re.MULTILINE)


def cited(line: GuideLine) -> list[str]:
    """The rulings that a line names."""
    return [number for words in re.findall(r"\(rulings? ([\d, -]+)\)", line.text) for number in words.split(", ")]


def text_of(rule: str) -> str:
    """What the guide says of a rule."""
    (line,) = [line for line in LINES if line.rule == rule]
    return line.text


def test_the_guide_has_the_rules_of_every_section() -> None:
    found = [section(line.rule) for line in RULES]
    assert {name: found.count(name) for name in dict.fromkeys(found)} == COUNTS
    assert len(RULES) == len({line.rule for line in RULES})


def test_paragraphs_and_points_of_a_section_are_in_order() -> None:
    """Sections follow each other; in each of them the paragraphs do, and so do the points of its lists."""
    numbers = [[int(part) for part in section(line.rule).split(".")] for line in RULES]
    assert numbers == sorted(numbers)
    for name in COUNTS:
        for kind in "pb":
            found = [int(line.rule.rsplit(kind, 1)[1]) for line in RULES if line.rule.startswith(f"{name}.{kind}")]
            assert found == sorted(found), name


def test_every_ruling_is_there_with_its_question() -> None:
    found = [line for line in LINES if line.rule.startswith("ruling")]
    assert len(found) > 50
    assert [line.rule for line in found] == [f"ruling.{number}" for number, _ in rulings()]
    assert [line.rule for line, (_, question) in zip(found, rulings(), strict=True) if question not in line.text] == []


def test_every_ruling_is_named_where_it_applies() -> None:
    assert {number for line in LINES for number in cited(line)} == {number for number, _ in rulings()}


def test_a_ruling_is_named_once_in_a_line_and_in_order() -> None:
    numbers = [[tuple(map(int, number.split("-"))) for number in cited(line)] for line in LINES]
    assert [found for found in numbers if found != sorted(set(found))] == []


def test_a_line_of_the_guide_is_one_short_line() -> None:
    assert [line for line in LINES if not line.text.isprintable() or not 10 < len(line.text) < 240] == []


def test_every_rule_that_the_code_names_is_in_the_guide() -> None:
    """Refusals and reports name rules; `pbem rules white_eagle RULE` has to know them."""
    rule = re.compile(r'"(\d+\.\d+\.[pb]\d+)"')
    named = {found for path in PACKAGE.glob("[a-z]*.py") for found in rule.findall(path.read_text(encoding="utf-8"))}
    assert len(named) > 60
    assert named - {line.rule for line in LINES} == set()


# ---------------------------------------------------------------------- figures

AS_PEOPLE_SAY_IT = {
    "cup.end_chits": "fourth",
    "turns.last": "10 October|10",
    "combat.advance_ratio": "three",
    "breakdown.lost_at": "fifth",
}
"""Figures that the guide gives in another form."""


def figures() -> Iterator[tuple[str, str, int]]:
    """Rule, key and value of the figures that are not small."""
    with (PACKAGE / "data" / "constants.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            value = abs(int(row["value"]))
            if value > 1:
                yield row["rule"], row["key"], value


@pytest.mark.parametrize(("rule", "key", "value"), [*figures()], ids=lambda part: str(part))
def test_figures_are_those_of_the_data(rule: str, key: str, value: int) -> None:
    text = re.sub(r"\(rulings? [^)]*\)", "", text_of(rule))
    words = {2: "2|two|second"}
    assert re.search(rf"\b({AS_PEOPLE_SAY_IT.get(key, words.get(value, str(value)))})\b", text), text


ARMIES = (
    *("GER-3rd", "GER-4th", "GER-AGN", "GER-8th", "GER-10th", "GER-14th", "GER-AGS", "Belorussian", "Ukrainian"),
    *("SLO-Bernolak", "POL-Pomorze", "POL-Modlin", "POL-Narew", "POL-Wyszkow", "POL-Poznan", "POL-Lodz", "POL-Prusy"),
    *("POL-Polesie", "POL-Warszawa", "POL-Krakow", "POL-Karpaty"),
)
"""What the points of 3.1 are about: armies by the beginning of their units' ids, Soviet fronts by their command."""


@pytest.mark.parametrize(("point", "army"), [*enumerate(ARMIES, start=1)])
def test_armies_are_those_of_the_data(point: int, army: str) -> None:
    """Number of units, box, command and side of the counters."""
    rows = [row for row in DATA.forces.placements if army in row.unit or DATA.unit(row.unit).command.endswith(army)]
    ((box, command, reduced),) = {(row.box, DATA.unit(row.unit).command, row.reduced) for row in rows}
    text = text_of(f"3.1.b{point}")
    assert re.search(rf": {len(rows)} (?:reserve |reduced |Slovak )?units?\b", text), text
    assert DATA.box_name(box) in text
    assert "reduced" in text if reduced else "reduced" not in text
    assert army[:3] not in ("GER", "POL") or text.endswith(f", of {command.full_name}.")


def test_the_headings_follow_each_other_once() -> None:
    headings = [line.heading for line in LINES]
    assert list(dict.fromkeys(headings)) == [
        "1 Introduction",
        "2.1 Map",
        "2.2 Units",
        "2.3 Markers and chits",
        "3.0 Set-up",
        "3.1 Forces",
        "3.2 The cup",
        "4 Sequence of play",
        "5 Chits",
        "6 Victory points",
        "7 Movement",
        "8.0 Combat",
        "8.3 Dice",
        "8.4 Hits",
        "8.5 Retreat",
        "8.5 Advance",
        "8.6 Support",
        "9 Sieges",
        "10 End of the game",
        "Rulings: how the program reads what the rulebook leaves open",
    ]
    assert len([now for before, now in pairwise(headings) if now != before]) == 19


def test_a_rule_and_a_ruling_read_in_full() -> None:
    assert text_of("9.0.b3") == "A fort throws 2 dice, a reduced one 1 die, and hits with 5 or more. (ruling 9-5)"
    assert text_of("ruling.9-8") == (
        "Does the chit of a relief activate the fort? No: the unit must have been in the fort before the movement."
    )
