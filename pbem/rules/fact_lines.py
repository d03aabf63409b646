"""Position texts word by word: one fact a line, and a wrong word named by line and column.

Left out: which facts there are, and what they say; each game's reader knows that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import ClassVar, NoReturn, TypeVar

from pbem.errors import BadRequest
from pbem.rules.names import fold
from pbem.rules.refusal import Refused, shown

T = TypeVar("T")
HINT = "`pbem show GAME --position` writes a position to start from"
_COMMENT = re.compile(r"#.*$")
_NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a line, with its column from 1."""

    text: str
    column: int


class FactReader:
    """Reads a text line by line: the first word of a line names the fact, whose reader takes the others."""

    facts: ClassVar[str]
    """Examples of facts, for what is none."""
    words: ClassVar[re.Pattern[str]] = re.compile(r'"[^"]*"|\S+')
    single: ClassVar[frozenset[str]] = frozenset()
    """Facts that have one line: a second one would take the place of the first."""

    def __init__(self, readers: Mapping[str, Callable[[], None]]) -> None:
        self._readers = readers
        self._words: list[Word] = []
        self._row, self._number = "", 0
        self._named: set[tuple[str, object]] = set()

    def read_text(self, text: str) -> None:
        """Every line; BadRequest with line and column for what is no fact."""
        for number, row in enumerate(text.splitlines(), start=1):
            if fact := _COMMENT.sub("", row).rstrip():
                self._read(number, fact)

    def _read(self, number: int, row: str) -> None:
        self._row, self._number = row, number
        self._words = [Word(match[0].strip('"'), match.start() + 1) for match in self.words.finditer(row)]
        first = self.next_word(self.facts)
        reading = self._readers.get(first.text.casefold())
        if reading is None:
            self.refuse(self.facts, first)
        reading()
        if self._words:
            self.refuse("nothing more in this line", self._words[0])
        if first.text.casefold() in self.single:
            self._new(f"one line '{first.text.casefold()}'", first.text.casefold(), first)

    @property
    def line(self) -> int:
        """The number of the line that is read, from 1."""
        return self._number

    @property
    def words_left(self) -> list[Word]:
        """The words of the line that nobody has read."""
        return self._words

    def next_word(self, expected: str) -> Word:
        """The next word of the line."""
        if not self._words:
            self.refuse(expected, Word("", len(self._row) + 1))
        return self._words.pop(0)

    def rest_of_line(self, expected: str) -> Word:
        """All that is left of the line, as one word."""
        column = self.next_word(expected).column
        self._words = []
        return Word(self._row[column - 1 :], column)

    def keyword(self, text: str) -> None:
        """A word that must stand there."""
        word = self.next_word(f"'{text}'")
        if word.text.casefold() != text:
            self.refuse(f"'{text}'", word)

    def count(self, least: int, most: int) -> int:
        """A whole number between two others."""
        word = self.next_word(f"a whole number from {least} to {most}")
        if not _NUMBER.fullmatch(word.text) or not least <= int(word.text) <= most:
            self.refuse(f"a whole number from {least} to {most}", word)
        return int(word.text)

    def one_of(self, options: Mapping[str, T], expected: str) -> T:
        """What a word stands for, whatever its case."""
        word = self.next_word(expected)
        known = {name.casefold(): value for name, value in options.items()}
        return known[word.text.casefold()] if word.text.casefold() in known else self.refuse(expected, word)

    def known(self, ids: Container[str], names: Mapping[str, str], expected: str) -> str:
        """An id, or the id of a whole name."""
        word = self.next_word(expected)
        if word.text in ids:
            return word.text
        return names.get(fold(word.text)) or self.refuse(expected, word)

    def rest(self, read: Callable[[], T]) -> tuple[T, ...]:
        """What is left of the line, at least one of it."""
        found = [read()]
        while self._words:
            found.append(read())
        return tuple(found)

    def once(self, kind: str, read: Callable[[], T]) -> T:
        """What `read` takes from the line, of which `kind` is named for the first time: `a unit on the map`."""
        word = self._words[0] if self._words else Word("", len(self._row) + 1)
        value = read()
        self._new(f"{kind} that was not named before", value, word)
        return value

    def _new(self, expected: str, value: object, word: Word) -> None:
        if (expected, value) in self._named:
            self.refuse(expected, word)
        self._named.add((expected, value))

    def refuse_order(self, refused: Refused, line: Word, number: int) -> NoReturn:
        """Raise BadRequest for an order that stands in a fact, `line` of the line `number`, by its first reason."""
        first = refused.refusals[0]
        at = Word(line.text, line.column + max(0, first.column - 1))
        self.refuse(first.text.removeprefix("expected ").split(", got ")[0], at, number)

    def refuse(self, expected: str, word: Word, line: int = 0) -> NoReturn:
        """Raise BadRequest for a word, of the line that is read where no other is named."""
        got = f"'{shown(word.text)}'" if word.text else "the end of the line"
        where = f"in line {line or self._number}, column {word.column}"
        raise BadRequest("position.unreadable", f"expected {expected}, got {got} {where}", HINT)
