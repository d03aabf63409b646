"""`pbem rules`: the rules of a game in short, in the program's own words."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from pbem.cli.frame import as_json, data_option, json_option, say
from pbem.cli.rulebook import ruleset_of
from pbem.errors import BadRequest

if TYPE_CHECKING:
    from pbem.rules.ruleset import GuideLine

COLUMNS = 110
MOST_NEAREST = 4


@click.command()
@click.argument("game")
@click.argument("rule", required=False)
@json_option
@data_option
def rules(game: str, rule: str | None, in_json: bool, data: Path | None) -> None:
    """The rules in short, and what the words of sheets and boards mean: `2/1`, `+0`, `oba`, `face`, `or`.

    RULE is a rule's number, as the log and every refusal name it, or the section or chapter that it begins with.

    \b
    pbem rules westerplatte
    pbem rules westerplatte combat
    pbem rules westerplatte combat.8
    """
    ruleset = ruleset_of(game, data)
    lines = ruleset.guide()
    chosen = lines if rule is None else _chosen(lines, rule)
    if in_json:
        as_json([{"rule": line.rule, "heading": line.heading, "text": line.text} for line in chosen])
        return
    if rule is None:
        say(f"{ruleset.title}: the rules in short. They explain; what counts is what the program does.")
    for heading, group in groupby(chosen, lambda line: line.heading):
        say(heading)
        _print_lines(list(group))


def _print_lines(lines: Sequence[GuideLine]) -> None:
    """Each with its number before it, the text in a column of its own."""
    width = max(len(line.rule) for line in lines) + 2
    for line in lines:
        first = f"  {line.rule:{width}}"
        for row in wrap(line.text, COLUMNS, initial_indent=first, subsequent_indent=" " * len(first)):
            say(row)


def _chosen(lines: Sequence[GuideLine], wanted: str) -> list[GuideLine]:
    """The rule of a number, or all of a section or chapter; BadRequest that names the nearest."""
    sought = wanted.casefold().rstrip(".")
    found = [line for line in lines if _is_of(line, sought)]
    if not found:
        nearest = _nearest(sought, lines)
        near = f"the nearest {'is' if len(nearest) == 1 else 'are'} {', '.join(nearest)}; " if nearest else ""
        hint = f"{near}`pbem rules GAME` shows every rule"
        raise BadRequest("rules.unknown", f"expected the number of a rule, got '{wanted}'", hint)
    return found


def _is_of(line: GuideLine, sought: str) -> bool:
    """Whether a rule is the one that is sought, or below it: `5.3.4` is of `5.3` and of `5`."""
    rule = line.rule.casefold()
    return rule == sought or rule.startswith(f"{sought}.") or line.heading.casefold() == sought


def _chapter(line: GuideLine) -> str:
    return line.rule.partition(".")[0].casefold()


def _nearest(sought: str, lines: Sequence[GuideLine]) -> list[str]:
    """The chapter that is spelt most alike, and the rules in it whose numbers are nearest."""
    spelt, _, number = sought.partition(".")
    chapter = difflib.get_close_matches(spelt, [*dict.fromkeys(map(_chapter, lines))], n=1)
    if not chapter or not re.fullmatch(r"[0-9]{1,9}", number):
        return chapter
    within = [line.rule for line in lines if _chapter(line) == chapter[0]]
    return sorted(within, key=lambda rule: abs(_number(rule) - int(number)))[:MOST_NEAREST]


def _number(rule: str) -> int:
    """The last number of a rule, 0 where it has none."""
    found = re.search(r"[0-9]{1,9}$", rule)
    return int(found[0]) if found else 0


COMMANDS = {"rules": rules}
