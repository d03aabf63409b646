"""A number that may be one stands in no sentence with a noun for several: `counted` puts both into words.

Looked for where the number of some things, `len(…)`, stands before a word in the plural. Not noticed are numbers under
a name of their own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pbem

SOURCES = Path(pbem.__file__).parent
PLURAL = re.compile(r" (?:more |[a-z]+ )?(?!is |was |as |has |bytes|headquarters)[a-z]+s\b(?!, most of)")
"""Left out: bytes, of which there are many in whatever is read, and what is told only where there are several."""


def miscounted(tree: ast.AST) -> Iterator[int]:
    """Lines in which a number of things stands before a plural."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            for number, noun in zip(node.values, node.values[1:], strict=False):
                if isinstance(noun, ast.Constant) and PLURAL.match(str(noun.value)) and _is_length(number):
                    yield node.lineno


def _is_length(node: ast.expr) -> bool:
    value = node.value if isinstance(node, ast.FormattedValue) else None
    while isinstance(value, ast.BinOp):
        value = value.left
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "len"


def test_one_thing_is_told_as_one() -> None:
    found = [
        f"{path.relative_to(SOURCES)}:{line}"
        for path in sorted(SOURCES.rglob("*.py"))
        for line in miscounted(ast.parse(path.read_text()))
    ]
    assert found == []


def test_a_plural_behind_a_number_is_noticed() -> None:
    source = (
        'f"got {len(lines)} lines"',
        'f"and {len(told) - MOST + 1} more events of yours"',
        "f\"{counted(len(lines), 'line')} left\"",
        'f"{len(found)} is too much"',
    )
    assert list(miscounted(ast.parse("\n".join(source)))) == [1, 2]
