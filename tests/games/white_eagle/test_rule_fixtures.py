"""The rule fixtures of White Eagle Defiant, and that no section, rule or refusal is left without one or a test."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import rule_fixtures

from pbem.games.white_eagle import data_files
from pbem.games.white_eagle.guide import guide
from pbem.games.white_eagle.ruleset import WhiteEagle
from white_eagle.positions import FILES

PACKAGE = Path(data_files.__file__).parent
RULES = WhiteEagle({name: FILES[name] for name in WhiteEagle.data_names})
FOLDER = Path(__file__).parents[3] / "fixtures" / "games" / "white_eagle" / "rules"
FIXTURES = sorted(FOLDER.glob("*.toml"))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_rule_fixture(path: Path) -> None:
    rule_fixtures.check(RULES, path)


# ---------------------------------------------------------------------- that nothing is left out

TESTS = {path: path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("*.py"))}
KINDS = "battle|defence|march|orders|recover|stack|support"
PRINTED = {"6.0.p1": 1, "6.2.p1": 3, "7.1.b3": 3, "8.3.p1": 2, "8.3.b2": 4, "10.0.b3": 1, "10.0.b4": 2, "10.0.p3": 1}
"""Rules with worked examples, and how many fixtures show one."""


def rules_of(path: Path) -> list[str]:
    """The rules that a fixture shows."""
    fixture = rule_fixtures.read(path)
    return [fixture["rule"]] if "rule" in fixture else list(fixture["rules"])


def section(rule: str) -> str:
    """`5.1` of 5.1.b3."""
    return rule.rsplit(".", 1)[0]


def test_each_fixture_is_named_for_a_rule_that_it_shows() -> None:
    assert [
        path.stem for path in FIXTURES if not any(re.match(padded(rule), path.stem) for rule in rules_of(path))
    ] == []


def padded(rule: str) -> str:
    """How the name of a fixture begins: `05.1.b1-`, or `05.1.b1.example-`."""
    return re.escape(rule.zfill(len(rule) + (rule[1] == "."))) + r"(\.example)?-"


def test_fixtures_name_rules_that_there_are() -> None:
    known = {line.rule for line in guide()}
    assert {rule for path in FIXTURES for rule in rules_of(path)} - known == set()


def test_every_section_from_the_set_up_to_the_end_has_a_fixture() -> None:
    written = {section(line.rule) for line in guide() if not line.rule.startswith("ruling")}
    shown = {section(rule) for path in FIXTURES for rule in rules_of(path)}
    assert written - shown == {"2.0", "2.1", "2.2", "2.3"}


def test_every_worked_example_has_its_fixtures() -> None:
    named = [path.stem.split(".example-")[0].removeprefix("0") for path in FIXTURES if ".example-" in path.stem]
    assert {rule: named.count(rule) for rule in dict.fromkeys(named)} == PRINTED


def test_every_rule_is_shown_by_a_test_or_a_fixture() -> None:
    marked = {rule for text in TESTS.values() for rule in re.findall(r'"white_eagle:([^"]+)"', text)}
    shown = marked | {rule for path in FIXTURES for rule in rules_of(path)}
    rules = {line.rule for line in guide() if re.match(r"[3-9]|10", line.rule)}
    assert rules - shown == set()


def test_every_refusal_of_the_rules_is_shown() -> None:
    shown = "\n".join([*TESTS.values(), *(path.read_text(encoding="utf-8") for path in FIXTURES)])
    codes = refusal_codes()
    assert len(codes) > 45
    assert [code for code in codes if f"{code}: " not in shown] == []


def refusal_codes() -> list[str]:
    """The codes of every refusal that the game itself can give, out of its source."""
    words = {
        node.args[0].value
        for path in sorted(PACKAGE.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)
    }
    return sorted(word for word in words if isinstance(word, str) and re.fullmatch(rf"(?:{KINDS})\.[a-z_]+", word))
