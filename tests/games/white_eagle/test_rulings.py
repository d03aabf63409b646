"""Rulings: each is written once, shown by a test or a fixture that names it, and cited only where it is written."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from pbem.games.white_eagle import data_files
from pbem.games.white_eagle.guide import guide

PACKAGE = Path(data_files.__file__).parent
FOLDER = Path(__file__).parents[3] / "fixtures" / "games" / "white_eagle" / "rules"
RULINGS = (PACKAGE / "RULINGS.md").read_text(encoding="utf-8")
TESTS = "\n".join(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py")))
FIXTURES = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.toml"))}

ROW = re.compile(r"^\| (\d+-\d+) \| ([^|]+) \| ([^|]+\?) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
"""Number, rules, question, reading, why, shown by."""


def rows() -> list[tuple[str, ...]]:
    return ROW.findall(RULINGS)


def numbers() -> list[str]:
    return [row[0] for row in rows()]


def in_order(found: Iterable[str]) -> list[str]:
    return sorted(found, key=lambda number: tuple(map(int, number.split("-"))))


def cited_rulings(text: str) -> set[str]:
    """The numbers behind `ruling` or `rulings`: a row of them, and both ends of `6-11 to 6-13` with all between."""
    found: set[str] = set()
    for words in re.findall(r"[Rr]ulings? (\d+-\d+(?:(?:, (?:and )?| and | to )\d+-\d+)*)", text):
        for section, first, last in re.findall(r"(\d+)-(\d+)(?: to \d+-(\d+))?", words):
            found |= {f"{section}-{number}" for number in range(int(first), int(last or first) + 1)}
    return found


def test_every_row_of_the_tables_is_whole() -> None:
    lines = [line for line in RULINGS.splitlines() if re.match(r"\| \d", line)]
    assert len(lines) > 50
    assert [line for line in lines if not ROW.match(line)] == []


def test_rulings_are_numbered_by_section_and_in_order() -> None:
    assert numbers() == in_order(set(numbers()))
    headings = set(re.findall(r"^## (\d+) ", RULINGS, re.MULTILINE))
    assert {number.split("-")[0] for number in numbers()} == headings


def test_rulings_name_rules_that_there_are() -> None:
    rules = {line.rule for line in guide()}
    assert {rule for row in rows() for rule in row[1].split(", ")} - rules == set()


def test_every_ruling_has_a_test_or_a_fixture_that_names_it() -> None:
    shown = {f"{section}-{number}" for section, number in re.findall(r"def test_ruling_(\d+)_(\d+)_", TESTS)}
    shown |= {str(fixture["ruling"]) for fixture in FIXTURES.values() if "ruling" in fixture}
    assert in_order(shown) == numbers()


def test_every_test_that_a_ruling_names_is_there_and_shows_it() -> None:
    functions = set(re.findall(r"def (test_ruling_\w+)", TESTS))
    for number, *_, shown in rows():
        names = re.findall(r"`([^`]+)`", shown)
        fixtures = [name for name in names if not name.startswith("test_")]
        mine = f"test_ruling_{number.replace('-', '_')}_"
        assert [name for name in names if name.startswith("test_") and name not in functions] == []
        assert [name for name in names if name.startswith("test_") and not name.startswith(mine)] == []
        assert [name for name in fixtures if FIXTURES.get(name, {}).get("ruling") != number] == []
        assert names, number


def test_a_ruling_names_every_test_that_shows_it() -> None:
    named = set(re.findall(r"`([^`]+)`", "\n".join(row[5] for row in rows())))
    there = set(re.findall(r"def (test_ruling_\w+)", TESTS)) | {s for s, f in FIXTURES.items() if "ruling" in f}
    assert there - named == set()


def test_the_code_cites_no_ruling_that_is_not_written() -> None:
    assert cited_rulings("Rulings 6-11 to 6-13, and ruling 5-3; rulings 8-4, 8-5") == {
        "6-11", "6-12", "6-13", "5-3", "8-4", "8-5",
    }  # fmt: skip
    cited = {n for path in sorted(PACKAGE.glob("*.py")) for n in cited_rulings(path.read_text(encoding="utf-8"))}
    assert len(cited) > 40
    assert cited - set(numbers()) == set()
