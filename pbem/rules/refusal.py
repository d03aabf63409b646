"""Refusals: why an answer is not accepted, as values, so that all of them can be told at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.errors import BadRequest, PbemError

LONGEST_SHOWN = 60


def shown(text: str) -> str:
    """Input as a message may quote it: cut after 60 characters, what is not printable as U+FFFD."""
    cut = text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"
    return "".join(char if char.isprintable() else "\ufffd" for char in cut)


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason. `rule` is the rule's number, `line` and `column` (from 1, 0 = none) stand in an order sheet."""

    code: str
    text: str
    rule: str = ""
    hint: str = ""
    line: int = 0
    column: int = 0

    def sentence(self) -> str:
        """`code: text in line L, column C (rule)`."""
        where = f" in line {self.line}" if self.line else ""
        where += f", column {self.column}" if self.column else ""
        cited = f" ({self.rule})" if self.rule else ""
        return f"{self.code}: {self.text}{where}{cited}"


class Refused(BadRequest):
    """An answer that the rules do not accept, with every reason."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        self.refusals = tuple(refusals)
        first = self.refusals[0]
        text = first.sentence().removeprefix(f"{first.code}: ")
        super().__init__(first.code, text, first.hint)


def reasons(error: PbemError) -> tuple[tuple[str, str], ...]:
    """Every reason that an error has: `code: sentence` as a person reads it, and its hint, which may be empty."""
    if isinstance(error, Refused):
        return tuple((one.sentence(), one.hint) for one in error.refusals)
    return ((str(error), error.hint),)
