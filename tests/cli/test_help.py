"""What a person reads first: help, wrong usage, misspelt commands; and that output is plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from golden import golden

from pbem.cli.frame import COMMANDS, pbem

from .client import Client, environment
from .conftest import Players

ESCAPE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")

TEXTS = Path(__file__).parent / "texts"


@pytest.fixture
def nobody(tmp_path: Path) -> Client:
    return Client(tmp_path / "home", tmp_path)


def every_command() -> Iterator[list[str]]:
    """The words of each command and sub-command."""
    context = click.Context(pbem)
    for name in pbem.list_commands(context):
        command = pbem.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from ([name, sub] for sub in command.commands)
        else:
            yield [name]


@pytest.mark.parametrize("words", list(every_command()), ids=" ".join)
def test_the_help_of_every_command_has_an_example(nobody: Client, words: list[str]) -> None:
    done = nobody.does(*words, "--help")
    assert re.search(rf"^\s+(\S.* \| )?pbem {' '.join(words)}( |$)", done.out, re.MULTILINE), done.out
    assert done.out == nobody.does(*words, "-h").out


@pytest.mark.parametrize("words", list(every_command()), ids=" ".join)
def test_every_option_has_a_text(words: list[str]) -> None:
    context = click.Context(pbem)
    command: click.Command | None = pbem
    for word in words:
        assert isinstance(command, click.Group)
        command = command.get_command(context, word)
    assert command is not None
    assert [one.name for one in command.params if isinstance(one, click.Option) and not one.help] == []


def test_the_first_help_names_every_command(nobody: Client) -> None:
    with environment({"COLUMNS": "120"}):
        out = nobody.does("--help").out
    assert out == golden(TEXTS / "help.txt", out)
    assert [name for name in COMMANDS if not re.search(rf"^  {name}  +\S", out, re.MULTILINE)] == []


def test_without_arguments_the_help_is_shown_and_the_usage_is_wrong(nobody: Client) -> None:
    assert nobody.refused(code=2) == nobody.does("--help").out
    assert nobody.refused("motion", code=2) == nobody.does("motion", "--help").out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["stauts"], "usage: no such command 'stauts'; did you mean 'status'?\nhint: `pbem --help` shows how\n"),
        (["improt", "f"], "usage: no such command 'improt'; did you mean 'import'?\nhint: `pbem --help` shows how\n"),
        (["xyzzy"], "usage: no such command 'xyzzy'\nhint: `pbem --help` shows how\n"),
        (["import"], "usage: missing argument 'SOURCE'\nhint: `pbem import --help` shows how\n"),
        (["archive", "g"], "usage: missing option '-o' / '--output'\nhint: `pbem archive --help` shows how\n"),
        (["demo", "--turns", "0"], "usage: invalid value for '--turns': 0 is not in the range x>=1\n"
         "hint: `pbem demo --help` shows how\n"),
        (["motion", "revenge"], "usage: no such command 'revenge'\nhint: `pbem motion --help` shows how\n"),
        (["show", "--at", "then"], "usage: invalid value for '--at': 'then' is not a valid integer\n"
         "hint: `pbem show --help` shows how\n"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_wrong_usage_is_one_line_and_exit_code_2(nobody: Client, words: list[str], expected: str) -> None:
    assert nobody.refused(*words, code=2) == expected


def test_an_option_that_is_not_there_is_named(nobody: Client) -> None:
    said = nobody.refused("status", "--halp", code=2).splitlines()
    assert said[0].startswith("usage: no such option")
    assert "--halp" in said[0]
    assert said[1:] == ["hint: `pbem status --help` shows how"]


def test_options_that_exclude_each_other_are_named(dealt_table: Players) -> None:
    anna = dealt_table.anna
    assert anna.refused("orders", "--check", "a", "--submit", "b", code=2) == (
        "usage: --check, --submit and --standing exclude each other\nhint: `pbem orders --help` shows how\n"
    )
    assert anna.refused("orders", "--submit", "a", "--json", code=2) == (
        "usage: --json goes with --check, or with nothing for the sheet on stdout\n"
        "hint: `pbem orders --help` shows how\n"
    )
    assert anna.refused("accept", "inv.txt", "--json", code=2) == (
        "usage: --json goes with --show\nhint: `pbem accept --help` shows how\n"
    )


READING = [
    ["status"],
    ["games", "westerplatte"],
    ["tables", "westerplatte"],
    ["map", "westerplatte"],
    ["rules", "westerplatte"],
    ["show", "westerplatte"],
    ["log", "westerplatte"],
    ["roll", "westerplatte"],
    ["roll", "westerplatte", "4"],
    ["verify", "westerplatte", "--running"],
]


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_output_is_plain_text_with_and_without_colours(dealt: Players, words: list[str]) -> None:
    plain = dealt.anna.does(*words).out
    assert not ESCAPE.search(plain.replace("\n", ""))
    assert dealt.anna.outside(*words, NO_COLOR="1").stdout.decode() == plain


def test_a_hostile_name_reaches_no_terminal(new_table: Players) -> None:
    anna, bruno = new_table
    hostile = "\x1b[31mred\u202egnp.exe\nnext line"
    words = ("new", "westerplatte", "--as", "german", "--opponent", "bruno@example.org")
    assert not ESCAPE.search(anna.refused(*words, "--name", hostile).replace("\n", ""))
    anna.does(*words, "--opponent-name", hostile, "-o", "i.txt")
    for out in (anna.does("status").out, bruno.does("accept", "i.txt", "--show").out):
        assert not ESCAPE.search(out.replace("\n", ""))
        assert "\\x1b[31mred\\u202egnp.exe\\nnext line" in out


ENDS = [
    ["status"],
    ["log"],
    ["show"],
    ["roll", "westerplatte"],
    ["export", "-o", "t.eml", "--eml"],
    ["archive", "-o", "a.pbem"],
    ["import", "german.eml"],
    ["verify", "westerplatte", "--running"],
]


@pytest.mark.parametrize("words", ENDS, ids=" ".join)
def test_the_last_line_says_what_to_do_next(dealt_table: Players, words: list[str]) -> None:
    assert re.search(r"\b[Dd]o now: \S", dealt_table.anna.does(*words).last)
