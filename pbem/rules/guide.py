"""The rules of a game in short, of chapters and of rulings that are written as question and answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from pbem.rules.ruleset import GuideLine

Chapter: TypeAlias = tuple[str, tuple[tuple[str, str], ...]]
"""A heading, and the rules under it by number with what they say."""
_OF_RULINGS: Final = "Rulings: how the program reads what the rulebook leaves open"


def guide_of(chapters: Sequence[Chapter], rulings: str) -> tuple[GuideLine, ...]:
    """Every rule by its number, then every ruling, as `ruling.5-3` with its question.

    `rulings` has two lines for each: number and question, then the answer.
    """
    rules = [GuideLine(rule, heading, text) for heading, lines in chapters for rule, text in lines]
    return (*rules, *_rulings(rulings))


def _rulings(text: str) -> Iterator[GuideLine]:
    lines = text.strip().splitlines()
    for asked, answer in zip(lines[::2], lines[1::2], strict=True):
        number, question = asked.split(" ", 1)
        yield GuideLine(f"ruling.{number}", _OF_RULINGS, f"{question} {answer.strip()}")
