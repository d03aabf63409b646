"""Every command that the program tells a person to give can be given: it exists, and so do its options.

Read in the sources, wherever one stands in backticks or alone on a line, whether in a hint, a mail, a page or a
docstring. What is put in at run time counts as a word that fits; `…` stands for the rest of a command.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import pbem
from pbem.cli.frame import pbem as root

SOURCES = Path(pbem.__file__).parent
TOLD = re.compile(r"`(pbem [^`]+)`|^(?:.*: | *)(pbem [a-z][^`\n]*)$", re.MULTILINE)
"""In backticks, or alone at the end of a line, as in a mail and in the examples of the help."""
BEHIND = re.compile(r"  .*| [|>] .*", re.DOTALL)
"""A remark behind an example, and the part of a pipe that is not ours."""
GAP, REST = "\0", "…"
PLACEHOLDER = re.compile(rf"[A-Z]+(?:\.[A-Z]+)?|.*{GAP}.*")
"""A word in the place of a value, as in the help."""


def told(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of each command in the texts of a module."""
    tree = ast.parse(path.read_text())
    parts = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr) and node not in parts:
            for found in TOLD.finditer(_text(node)):
                yield node.lineno, " ".join(BEHIND.sub("", found[1] or found[2]).split())


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(value) for value in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else GAP


def wrong(text: str) -> str:
    """Why a command cannot be given, empty where it can."""
    words = shlex.split(text)[1:]
    command: click.Command = root
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(click.Context(command), words[0])
        if found is None:
            return "" if GAP in words[0] or words[0] in ("COMMAND", REST) else f"no command '{words[0]}'"
        command, words = found, words[1:]
    try:
        return _misused(command, words)
    except click.ClickException as error:
        return error.format_message()


def _misused(command: click.Command, words: list[str]) -> str:
    context = click.Context(command, info_name=command.name, **root.context_settings)
    given, extra, _ = command.make_parser(context).parse_args([word for word in words if word != REST])
    if extra:
        return f"extra words {extra}"
    for parameter in command.get_params(context):
        value = given.get(parameter.name)
        if parameter.required and value is None and words and REST not in words and "--help" not in words:
            return f"no {parameter.human_readable_name}"
        if isinstance(value, str) and not PLACEHOLDER.fullmatch(value):
            parameter.type.convert(value, parameter, context)
    return ""


@pytest.mark.parametrize("path", sorted(SOURCES.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCES)))
def test_a_command_that_is_told_can_be_given(path: Path) -> None:
    assert [f"line {line}: `{text}`: {why}" for line, text in told(path) if (why := wrong(text))] == []


def test_commands_are_found_in_the_sources() -> None:
    found = {text for path in SOURCES.rglob("*.py") for _, text in told(path)}
    assert len(found) > 200
    assert {"pbem init", "pbem import FILE", f"pbem export {GAP}", "pbem new GAME …"} <= found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("pbem verifyy", "no command 'verifyy'"),
        ("pbem motion claims GAME", "no command 'claims'"),
        ("pbem verify FILE --finished", "No such option '--finished'."),
        ("pbem orders GAME FILE", "extra words ['FILE']"),
        ("pbem motion annul GAME", "no why"),
        (
            "pbem new GAME --as german --opponent ADDRESS --remedy best",
            "Invalid value for '--remedy': 'best' is not one of 'claim', 'worst'.",
        ),
        ("pbem motion annul", ""),
        ("pbem motion annul …", ""),
        (f"pbem orders {GAP} --submit {GAP}", ""),
    ],
)
def test_what_cannot_be_given_is_noticed(text: str, why: str) -> None:
    assert wrong(text) == why
