"""What to say of a line that is no order: which word is misspelt, or what is missing behind the verb.

Nothing here decides what is read; only the words of a refusal are chosen.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from pbem.rules.refusal import Refusal, Refused, shown
from pbem.rules.sheet import SheetLine, read_each

T = TypeVar("T")
SHORTEST_MISSPELT = 4
"""A shorter word is like too many others."""


@dataclass(frozen=True, slots=True)
class Verbs:
    """The first words of a game's orders, as a player may misspell them.

    `needed` is what an order must have behind its verb, and what to say where it has not; `alone` are verbs that say
    enough by themselves.
    """

    words: tuple[str, ...]
    needed: Mapping[str, tuple[re.Pattern[str], str]] = field(default_factory=dict)
    synonyms: Mapping[str, str] = field(default_factory=dict)
    alone: tuple[str, ...] = ("pass",)

    def explained(self, line: SheetLine, was: Refusal, forms: Sequence[str]) -> Refusal:
        """The refusal of a line that the grammar did not take, with a hint where a word is misspelt or missing."""
        if was.code != "orders.unreadable" or was.hint:
            return was
        return replace(was, hint=self._hint(line, forms))

    def read_each(
        self, lines: Sequence[SheetLine], forms: Sequence[str], read: Callable[[SheetLine], Iterable[T]]
    ) -> list[tuple[SheetLine, T]]:
        """What every line says, each item with its line; Refused with the reasons of all lines, explained."""

        def explained(line: SheetLine) -> Iterable[T]:
            try:
                return read(line)
            except Refused as refused:
                raise Refused([self.explained(line, refusal, forms) for refusal in refused.refusals]) from None

        return read_each(lines, explained)

    def _hint(self, line: SheetLine, forms: Sequence[str]) -> str:
        first, *others = line.text.split()
        verb = self.synonyms.get(first.lower(), first.lower())
        if verb not in self.words:
            near = difflib.get_close_matches(verb, self.words, n=1) if len(verb) >= SHORTEST_MISSPELT else []
            return f"did you mean '{near[0]}'?" if near else ""
        if not others and verb not in self.alone:
            return f"'{shown(first)}' alone says nothing{_example(verb, forms)}"
        wanted, missing = self.needed.get(verb, (None, ""))
        return f"{missing}{_example(verb, forms)}" if wanted and not wanted.search(line.text) else ""

    def begins(self, text: str, misspelt: str) -> bool:
        """Whether the first word of a line is that of an order, or one verb misspelt."""
        first = text.split()[0].lower()
        return first in self.words or bool(difflib.get_close_matches(first, [misspelt]))


def _example(verb: str, forms: Sequence[str]) -> str:
    form = next((form for form in forms if form.split()[0] == verb), "")
    return f": write, for instance, '{form}'" if form else ""
