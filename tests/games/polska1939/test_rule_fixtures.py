"""The rule fixtures of Polska 1939, and that no section, rule or refusal is left without one or a test."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import rule_fixtures

from pbem.games.polska1939 import data_files
from pbem.games.polska1939.guide import guide
from pbem.games.polska1939.ruleset import Polska1939

PACKAGE = Path(data_files.__file__).parent
RULES = Polska1939({path.name: path.read_bytes() for path in sorted((PACKAGE / "data").iterdir())})
FOLDER = Path(__file__).parents[3] / "fixtures" / "games" / "polska1939" / "rules"
FIXTURES = sorted(FOLDER.glob("*.toml"))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_rule_fixture(path: Path) -> None:
    rule_fixtures.check(RULES, path)


# ---------------------------------------------------------------------- that nothing is left out

TESTS = {path: path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("*.py"))}
SHEETS = Path(__file__).parent / "refused_sheets.toml"
KINDS = "air|attack|defence|intercept|join|load|losses|move|odds|orders|raid|rail|setup"
EXAMPLES = ("13.B", "13.C")
"""Examples that are no part of a rule."""


def rules_of(path: Path) -> list[str]:
    """The rules that a fixture shows."""
    fixture = rule_fixtures.read(path)
    return [fixture["rule"]] if "rule" in fixture else list(fixture["rules"])


def sections(rules: list[str]) -> set[str]:
    """`5.3` of 5.3.10 and 5.3.10.example, `scenario` of its notes; 1, 2 and 13 have no sections."""
    return {re.sub(r"^((?:1|2|13)(?=\.)|\d+\.\d+|scenario).*", r"\1", rule) for rule in rules}


def test_each_fixture_is_named_for_a_rule_that_it_shows() -> None:
    assert [
        path.stem for path in FIXTURES if not any(path.stem.startswith(padded(rule)) for rule in rules_of(path))
    ] == []


def padded(rule: str) -> str:
    """How the name of a fixture begins: `05.1.1-`."""
    return f"0{rule}-" if rule[1:2] == "." else f"{rule}-"


def test_fixtures_name_rules_that_there_are() -> None:
    known = {line.rule for line in guide()} | set(EXAMPLES)
    named = {rule for path in FIXTURES for rule in rules_of(path)}
    assert {rule for rule in named if re.sub(r"\.example(-\d)?$", "", rule) not in known} == set()


def test_every_section_has_a_fixture() -> None:
    written = sections([line.rule for line in guide() if not line.rule.startswith("ruling")])
    assert written - sections([rule for path in FIXTURES for rule in rules_of(path)]) == set()


def test_every_rule_is_shown_by_a_test_or_a_fixture() -> None:
    marked = {rule for text in TESTS.values() for rule in re.findall(r'"polska1939:([^"]+)"', text)}
    shown = marked | {rule for path in FIXTURES for rule in rules_of(path)}
    rules = {line.rule for line in guide() if not line.rule.startswith("ruling")}
    assert rules - shown == set()


def test_every_refusal_of_the_rules_is_shown() -> None:
    texts = [*TESTS.values(), *(path.read_text(encoding="utf-8") for path in (SHEETS, *FIXTURES))]
    shown = "\n".join(texts)
    codes = refusal_codes()
    assert len(codes) > 70
    assert [code for code in codes if f"{code}: " not in shown] == []


def refusal_codes() -> list[str]:
    """The codes of every refusal that the game itself can give, out of its source; not those of sheets."""
    words = {
        node.args[0].value
        for path in sorted(PACKAGE.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)
    }
    return sorted(word for word in words if isinstance(word, str) and re.fullmatch(rf"(?:{KINDS})\.[a-z_]+", word))
