"""Every golden text is compared by a test: a file that no call of `golden` names any more is left over.

A call names its file by a path that is read from the sources, as in `golden(TEXTS / f"roll-{name}.txt", said)`. What is
put into the path must stand as a literal in the same test, as its parameters do, in a constant of its module, or be the
name of a game. Left out are the golden games (`tests/test_golden_games.py` has a list of them).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from pbem.app import catalogue

TESTS = Path(__file__).parent
GAMES = TESTS.parent / "fixtures" / "games"
FILLED = r"([^/]+)"


def files() -> set[Path]:
    kept = {path for folder in TESTS.rglob("texts") for path in folder.iterdir()}
    return kept | set(GAMES.glob("*/sheets/*")) | set(GAMES.glob("*/standing.txt"))


def compared(module: Path, among: set[Path]) -> set[Path]:
    """Those of the files that the calls of `golden` in a module can name."""
    text = module.read_text(encoding="utf-8")
    tree = ast.parse(text if "golden(" in text else "")
    folders = _folders(tree, module)
    shared = {text for node in tree.body if not isinstance(node, ast.FunctionDef) for text in _literals(node)}
    found = set()
    for test in tree.body:
        literals = shared.union(_literals(test), catalogue.OURS)
        for pattern in {_pattern(named, folders) for named in _named(test)}:
            matches = {path: re.fullmatch(pattern, path.as_posix()) for path in among}
            found |= {path for path, match in matches.items() if match and literals.issuperset(match.groups())}
    return found


def _folders(tree: ast.Module, module: Path) -> Mapping[str, Path]:
    """The constants of a module that are paths."""
    known: dict[str, object] = {"Path": Path, "__file__": str(module)}
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _names(value) == {"Path", "__file__"}:
                known[name] = eval(compile(ast.Expression(value), str(module), "eval"), known)
    return {name: value for name, value in known.items() if isinstance(value, Path)}


def _names(value: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}


def _literals(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value.strip("-")


def _named(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="golden"), args=[path, _]):
                yield path


def _pattern(path: ast.AST, folders: Mapping[str, Path]) -> str:
    """A path as a regular expression with a group for each thing that is put into it."""
    match path:
        case ast.BinOp(left=folder, op=ast.Div(), right=name):
            return f"{_pattern(folder, folders)}/{_pattern(name, folders)}"
        case ast.JoinedStr(values=values):
            return "".join(_pattern(value, folders) for value in values)
        case ast.Constant(value=str() as text):
            return re.escape(text)
        case ast.Name(id=name) if name in folders:
            return re.escape(folders[name].as_posix())
    return FILLED


def test_every_golden_text_is_compared_by_a_test() -> None:
    kept = files()
    named = {path for module in TESTS.rglob("test_*.py") for path in compared(module, kept)}
    assert sorted(path.relative_to(TESTS.parent).as_posix() for path in kept - named) == []


def test_a_text_that_no_test_names_is_left_over(tmp_path: Path) -> None:
    """What the test above would let pass: a text that is no parameter any more, or of another folder."""
    module = tmp_path / "test_some.py"
    module.write_text(
        "TEXTS = Path(__file__).parent / 'texts'\n"
        "@parametrize('name', ['--card', 'dice'])\n"
        "def test(name: str) -> None:\n"
        "    assert said == golden(TEXTS / f'roll-{name}.txt', said)\n"
        "def test_coin() -> None:\n"
        "    assert said == 'coin'\n"
    )
    here, there = tmp_path / "texts", tmp_path / "other"
    kept = {folder / f"roll-{name}.txt" for folder in (here, there) for name in ("card", "dice", "coin")}
    assert compared(module, kept) == {here / "roll-card.txt", here / "roll-dice.txt"}
