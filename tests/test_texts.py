"""Every code and every sentence that the program can tell a person stands in some test, whole.

A code is any literal of the sources that reads as one (`armour.truncated`), wherever it goes: to an error, to a
refusal, through a table or a variable. It counts as told when a test, or a text beside the fixtures, has the code with
a sentence behind it, as one text (`code: sentence`) or side by side, and asks for more than how that begins.

A sentence is any literal of the sources with three words or more, whatever is put into it. It counts as told when one
text of a test, or beside the fixtures, has all of it; what is put in is a part of a line, of at most 70 characters.

Of a test nothing counts that is compared with nothing: its docstrings, and the errors that it makes itself. Of the
sources are left out the help of options (`tests/test_docs.py` reads it), statements for the database and patterns, what
only a fault of the program says, and the modules in `SILENT`.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pbem
from pbem.app import catalogue

SOURCES = Path(pbem.__file__).parent
TESTS = Path(__file__).parent
FIXTURES = TESTS.parent / "fixtures"

CODE = re.compile(r"[a-z][a-z0-9]*\.[a-z][a-z0-9_]*")
TOLD = re.compile(rf"(?<![\w.])({CODE.pattern}): \S")
FILES = {"csv", "eml", "games", "json", "md", "pbem", "sqlite", "toml", "txt"}
RAISED_BY = {"BadDisk", "BadEvidence", "BadRequest", "Note", "PostFault", "Refusal", "Undeliverable"}
PROGRAMS = {"bench", "cartography", "toy"}
"""Folders beside the tests that compare nothing."""
IN_PART = {"startswith", "endswith", "match", "search", "partition"}

SILENT = {
    "games/polska1939/guide.py": "the rules in short, which explain and refuse nothing",
    "games/polska1939/guide_rulings.py": "the same",
    "games/westerplatte/guide.py": "the same",
    "games/white_eagle/guide.py": "the same",
    "games/white_eagle/guide_combat.py": "the same",
    "games/white_eagle/guide_rulings.py": "the same",
    "games/polska1939/picture_legend.py": "the legend of a map, drawn",
    "games/white_eagle/picture_legend.py": "the same",
    "games/polska1939/grammar.py": "what the parser reads",
    "games/white_eagle/grammar.py": "the same",
}
BUGS = {"AssertionError", "KeyError", "NotImplementedError", "RuntimeError", "TypeError"}
MACHINE = re.compile(
    r"\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|WHERE|AND|CONFLICT|NULL|REFERENCES|ISOLATION)\b"
    r"|%ignore|\(\?[:!=P]|\.\*|COLLATE|FATAL: \+|no password supplied|openssl mac|^body\{"
)
"""Statements for a database or a shell, words of PostgreSQL, grammars, patterns and a style sheet."""
WORD = re.compile(r"\W*[^\W\d_]+(?:['-][^\W\d_]+)*\W*")
WORDS = 3
"""So many make a sentence."""
GAP = "…"
GAPPED = r"[^\0\n]{1,70}?"
TEXTS = {".html", ".md", ".toml", ".txt"}


@cache
def raised() -> frozenset[str]:
    """What reads as a code in the sources, without names of files, of figures and of rules."""
    literals = {text for path in SOURCES.rglob("*.py") for text in _literals(ast.parse(path.read_text()))}
    codes = {text for text in literals if CODE.fullmatch(text) and text.partition(".")[2] not in FILES}
    return frozenset(codes - _figures() - _rules())


def _literals(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _figures() -> set[str]:
    """Keys of the tables of constants, which the rules look up."""
    rows = (row for path in (SOURCES / "games").rglob("*.csv") for row in path.read_text().splitlines())
    return {row.partition(",")[0] for row in rows}


def _rules() -> set[str]:
    """Numbers of rules that are words."""
    return {line.rule for name in catalogue.names() for line in catalogue.ruleset(name).guide()}


@cache
def told() -> frozenset[str]:
    """Codes that stand with their sentence in a test or in a text beside the fixtures."""
    found = {code for tree in _tests() for code in _told_by(tree)}
    for folder in (TESTS, FIXTURES):
        found |= {code for path in folder.rglob("*.toml") for code in TOLD.findall(path.read_text())}
    texts = json.loads((FIXTURES / "log" / "bad" / "texts.json").read_text(encoding="ascii"))
    codes = json.loads((FIXTURES / "log" / "bad" / "expected.json").read_text(encoding="ascii"))
    return frozenset(found | {codes[name] for name in texts})


@cache
def _tests() -> tuple[ast.AST, ...]:
    """The modules of tests, without those that are programs of their own."""
    paths = (path for path in sorted(TESTS.rglob("*.py")) if path.relative_to(TESTS).parts[0] not in PROGRAMS)
    return tuple(Asking().visit(ast.parse(path.read_text())) for path in paths)


class Asking(ast.NodeTransformer):
    """Takes out of a test what is compared with nothing: its docstrings, and the errors that it makes itself.

    An error in an `assert`, or in the parameters of a test, is one that is expected.
    """

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        return self.generic_visit(node) if _text(node.value) is None else ast.Pass()

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.body = [self.visit(one) for one in node.body]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        return ast.Constant(None) if _name(node.func) in RAISED_BY else self.generic_visit(node)


def _told_by(node: ast.AST) -> Iterator[str]:
    text = _text(node)
    if text is not None:
        yield from TOLD.findall(text)
    elif not _asks_in_part(node):
        yield from _side_by_side(node)
        for child in ast.iter_child_nodes(node):
            yield from _told_by(child)


def _text(node: ast.AST) -> str | None:
    """The literal, `…` standing for what is put into it."""
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(value) or GAP for value in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _asks_in_part(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare):
        return isinstance(node.ops[0], ast.In | ast.NotIn) and _text(node.left) is not None
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in IN_PART


def _side_by_side(node: ast.AST) -> Iterator[str]:
    """A code before a sentence, as arguments of one call, in one tuple or as values of one table."""
    beside: list[ast.expr] = []
    if isinstance(node, ast.Call):
        beside = node.args
    elif isinstance(node, ast.Tuple | ast.List):
        beside = node.elts
    elif isinstance(node, ast.Dict):
        beside = node.values
    texts = [_text(one) or "" for one in beside]
    for number, code in enumerate(texts):
        if CODE.fullmatch(code) and any(" " in text for text in texts[number + 1 :]):
            yield code


# -------------------------------------------------------------------------------------------------- sentences


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of each sentence of a module, `…` standing for what is put into it."""
    if path.relative_to(SOURCES).as_posix() in SILENT:
        return
    tree = ast.parse(path.read_text())
    silent = set(_silent(tree))
    for node in ast.walk(tree):
        text = None if node in silent else _text(node)
        if text is not None and isinstance(node, ast.expr) and not MACHINE.search(text):
            text = re.sub(r"\{[a-z_]*\}", GAP, text)
            if sum(1 for word in text.split() if GAP not in word and WORD.fullmatch(word)) >= WORDS:
                yield node.lineno, text.strip(f" \n{GAP}")


def _silent(tree: ast.AST) -> Iterator[ast.AST]:
    """Nodes that nobody is shown: docstrings, help, faults of the program, and parts of a text that is taken whole."""
    for node in ast.walk(tree):
        hidden: Sequence[ast.AST]
        match node:
            case ast.JoinedStr(values=values):
                hidden = [value for value in values if isinstance(value, ast.Constant)]
            case ast.Expr(value=ast.Constant() as docstring):
                hidden = [docstring]
            case ast.keyword(arg="help" | "description", value=value):
                hidden = [value]
            case ast.Assert(msg=ast.expr() as message):
                hidden = [message]
            case ast.Call(func=called, args=args) if _name(called) in {*BUGS, "compile"}:
                hidden = args
            case _:
                hidden = []
        for one in hidden:
            yield from ast.walk(one)


@cache
def texts() -> str:
    """Everything that the tests and the texts beside the fixtures say, one behind the other."""
    found = {text for tree in _tests() for text in _asked_for(tree)}
    for folder in (TESTS, FIXTURES):
        found |= {path.read_text() for path in folder.rglob("*") if path.suffix in TEXTS}
        found |= {text for path in folder.rglob("*.json") for text in _strings(json.loads(path.read_text()))}
    return "\0".join(sorted(found))


def _strings(read: object) -> Iterator[str]:
    """Every text in what a JSON file holds."""
    if isinstance(read, str):
        yield read
    elif isinstance(read, list | dict):
        for one in read.values() if isinstance(read, dict) else read:
            yield from _strings(one)


def _asked_for(node: ast.AST) -> Iterator[str]:
    text = _text(node)
    if text is not None:
        yield text
    elif not _asks_in_part(node):
        for child in ast.iter_child_nodes(node):
            yield from _asked_for(child)


def is_told(sentence: str, among: str) -> bool:
    """Whether one of the texts has all of it, with something in each gap."""
    whole = GAPPED.join(re.escape(piece) for piece in sentence.split(GAP))
    return re.search(whole, among) is not None


def test_every_sentence_is_told_in_full_somewhere() -> None:
    untold = [
        f"{path.relative_to(SOURCES)}:{line}: {sentence}"
        for path in sorted(SOURCES.rglob("*.py"))
        for line, sentence in sentences(path)
        if not is_told(sentence, texts())
    ]
    assert untold == []


def test_a_sentence_in_part_is_not_told() -> None:
    assert is_told("expected a, got … in …", "expected a, got 'b' in 'c'")
    assert not is_told("expected a, got … in line …", "expected a, got 'b'\0 in line 2")
    assert not is_told("expected a, got …, which is none", "expected a, got 'b'")


def test_a_gap_is_a_part_of_a_line() -> None:
    assert is_told("expected a, got …", f"expected a, got {'b' * 70}")
    assert is_told("expected … here", f"expected {'b' * 70} here")
    assert not is_told("expected … here", f"expected {'b' * 71} here")
    assert not is_told("expected … here", "expected one\nthen another here")


ASKING = """
'''A docstring of a module.'''
NEVER = Refusal("a.b", "an error of the module")

@parametrize("note", [Note("c.d", "an error that is expected")])
def test(note):
    '''A docstring of a test.'''
    def office():
        raise PostFault("e.f", "an error that the test makes")
    assert read() == (Refusal("g.h", "an error in an assert"), "a text")
    assert read().startswith("a text in part")
"""


def test_what_is_compared_with_nothing_does_not_count() -> None:
    tree = Asking().visit(ast.parse(ASKING))
    assert [text for text in _asked_for(tree) if " " in text] == [
        "an error in an assert",
        "a text",
        "an error that is expected",
    ]
    assert list(_told_by(tree)) == ["g.h", "c.d"]


def test_a_json_file_is_its_texts() -> None:
    assert list(_strings({"a": ["one", {"b": "two"}], "c": 3})) == ["one", "two"]


def test_what_is_silent_is_there() -> None:
    assert [path for path in SILENT if not (SOURCES / path).is_file()] == []


# ------------------------------------------------------------------------------------------------------ codes


def test_every_code_is_told_in_full_somewhere() -> None:
    assert sorted(raised() - told()) == []


def test_no_code_is_put_together() -> None:
    """One that is made of parts would be looked for in vain."""
    made = [
        (path.name, node.lineno)
        for path in SOURCES.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and _name(node.func) in RAISED_BY
        and node.args
        and isinstance(node.args[0], ast.JoinedStr)
        and re.fullmatch(r"[a-z…]+\.[a-z_…]+", _text(node.args[0]) or "")
    ]
    assert made == []


def _name(called: ast.AST) -> str:
    return str(getattr(called, "id", getattr(called, "attr", "")))


def test_a_code_alone_or_in_part_is_not_told() -> None:
    """What the test above would let pass."""
    alone = ast.parse(
        "assert error.code == 'a.b'\nassert 'a.b: one two' in said\nassert said.startswith('a.b: one two')"
    )
    assert list(_told_by(alone)) == []
    whole = ast.parse("assert said == f'c.d: one {two} three\\n'\nassert told == ('e.f', 'one two', '')")
    assert list(_told_by(whole)) == ["c.d", "e.f"]
