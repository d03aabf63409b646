"""The rule fixtures of the Westerplatte, and that no rule, ruling or refusal is left without one."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest
import rule_fixtures

from pbem.games.westerplatte import data_files
from pbem.games.westerplatte.ruleset import Westerplatte

PACKAGE = Path(data_files.__file__).parent
RULES = Westerplatte({path.name: path.read_bytes() for path in sorted((PACKAGE / "data").iterdir())})
FOLDER = Path(__file__).parents[3] / "fixtures" / "games" / "westerplatte" / "rules"
FIXTURES = sorted(FOLDER.glob("*.toml"))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_rule_fixture(path: Path) -> None:
    rule_fixtures.check(RULES, path)


# ---------------------------------------------------------------------- that nothing is left out

KINDS = "activation|combat|move|odds|orders|recover|setup|support"
TESTS = {path: path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py"))}
RULINGS = (PACKAGE / "RULINGS.md").read_text(encoding="utf-8")


def test_each_fixture_is_named_for_its_first_rule() -> None:
    named = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in FIXTURES}
    first = {stem: fixture.get("rule") or fixture["rules"][0] for stem, fixture in named.items()}
    assert {stem: re.sub(r"\.0(\d)-.*|-.*", r".\1", stem).rstrip(".") for stem in first} == first


def test_every_ruling_has_the_test_that_it_names() -> None:
    shown = set(re.findall(r"def test_ruling_(\d+)_", "\n".join(TESTS.values())))
    for path in FIXTURES:
        shown |= set(re.findall(r"^ruling = (\d+)$", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert {int(number) for number in shown} == set(numbered_rulings())


def test_every_test_that_a_ruling_names_is_there() -> None:
    files = set(re.findall(r"`((?:setup|turn|combat|support|end)\.\d\d-[a-z0-9-]+)`", RULINGS))
    functions = set(re.findall(r"`(test_ruling_\d+_\w+)`", RULINGS))
    assert files <= {path.stem for path in FIXTURES}
    assert functions <= set(re.findall(r"def (test_ruling_\d+_\w+)", "\n".join(TESTS.values())))


def test_the_code_cites_no_ruling_that_is_not_written() -> None:
    assert cited_rulings("rulings 1 to 3, 8 and 15; Ruling 20") == {1, 2, 3, 8, 15, 20}
    cited = {n for path in PACKAGE.glob("*.py") for n in cited_rulings(path.read_text(encoding="utf-8"))}
    assert cited <= set(numbered_rulings())


def numbered_rulings() -> list[int]:
    return [int(number) for number in re.findall(r"^\| (\d+) \|", RULINGS, re.MULTILINE)]


def cited_rulings(text: str) -> set[int]:
    found: set[int] = set()
    for words in re.findall(r"[Rr]ulings? (\d+(?:(?:, | and | to )\d+)*)", text):
        for first, last in re.findall(r"(\d+)(?: to (\d+))?", words):
            found |= set(range(int(first), int(last or first) + 1))
    return found


def test_every_refusal_of_the_rules_is_shown() -> None:
    shown = "\n".join([*TESTS.values(), *(path.read_text(encoding="utf-8") for path in FIXTURES)])
    assert [code for code in refusal_codes() if f"{code}: " not in shown] == []


def refusal_codes() -> list[str]:
    """The codes of every refusal that the rules of the game can give, out of their source."""
    sources = [
        PACKAGE / name for name in ("activation.py", "movement.py", "odds.py", "orders.py", "sheets.py", "standing.py")
    ]
    sources += [*sorted(PACKAGE.glob("s[1-5]_*.py")), PACKAGE.parents[1] / "rules" / "sheet.py"]
    words = {
        node.value
        for path in sources
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    codes = {word for word in words if re.fullmatch(rf"(?:{KINDS})\.[a-z_]+", word)}
    return sorted(codes - set(RULES.data.constants))
