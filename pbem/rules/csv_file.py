"""Tables in CSV files: read row by row, and a wrong cell named by file, line and column.

Left out: what the rows mean, and that they agree with each other; each game's readers know that.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn, TypeVar

from pbem.errors import BadRequest
from pbem.log.enumeration import counted

Choice = TypeVar("Choice", bound=StrEnum)
NUMBER = re.compile(r"-?[0-9]{1,4}")
LONGEST_ID = 16


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table, where it stands, and what to do when a cell of it is wrong."""

    file: str
    line: int
    cells: Mapping[str, str]
    hint: str

    def refuse(self, column: str, expected: str) -> NoReturn:
        """Raise BadRequest that says what a cell should have held."""
        where = f"{self.file}, line {self.line}, column {column!r}"
        raise BadRequest("data.value", f"expected {expected} in {where}, got {short(self.cells[column])}", self.hint)

    def text(self, column: str) -> str:
        """Printable text, which may be empty."""
        value = self.cells[column]
        return value if value.isprintable() else self.refuse(column, "printable text")

    def name(self, column: str) -> str:
        """Printable text that is not empty."""
        return self.text(column) or self.refuse(column, "a name")

    def id(self, column: str, longest: int = LONGEST_ID) -> str:
        """Letters, digits, hyphens and underscores of ASCII."""
        value = self.cells[column]
        plain = value.isascii() and value.replace("-", "").replace("_", "").isalnum() and len(value) <= longest
        return value if plain else self.refuse(column, f"1 to {longest} letters, digits and hyphens without accents")

    def number(self, column: str, least: int, most: int) -> int:
        """A whole number of at most four digits, from `least` to `most`."""
        value = self.cells[column]
        if NUMBER.fullmatch(value) and least <= int(value) <= most:
            return int(value)
        return self.refuse(column, f"a whole number from {least} to {most}")

    def flag(self, column: str) -> bool:
        """0 or 1."""
        return self.number(column, 0, 1) == 1

    def choice(self, column: str, options: type[Choice]) -> Choice:
        """One of the values of an enumeration."""
        try:
            return options(self.cells[column])
        except ValueError:
            self.refuse(column, "one of " + ", ".join(options))

    def unused(self, column: str, value: str, taken: Collection[str], what: str) -> str:
        """`value`, unless another line has it, in whatever case."""
        if value.casefold() in {known.casefold() for known in taken}:
            self.refuse(column, f"{what} that no other line has")
        return value


def read_rows(file: str, content: bytes, columns: tuple[str, ...], hint: str) -> tuple[Row, ...]:
    """The lines of a CSV file whose first line names exactly `columns`; BadRequest for any other file."""
    lines = read_lines(file, content, hint)
    if not lines or tuple(lines[0][1]) != columns:
        got = ",".join(lines[0][1]) if lines else ""
        text = f"expected the columns {','.join(columns)} in {file}, line 1, got {short(got)}"
        raise BadRequest("data.columns", text, hint)
    for number, cells in lines[1:]:
        if len(cells) != len(columns):
            where = f"{file}, line {number}"
            raise BadRequest(
                "data.cells", f"expected {counted(len(columns), 'value')} in {where}, got {len(cells)}", hint
            )
    return tuple(Row(file, number, dict(zip(columns, cells, strict=True)), hint) for number, cells in lines[1:])


def read_lines(file: str, content: bytes, hint: str) -> list[tuple[int, list[str]]]:
    """The lines that are not blank, heading and all, each with its number from 1."""
    lines = (f"{line}\n" for line in decoded(file, content, hint).split("\n"))
    reader = csv.reader(lines, strict=True)
    try:
        return [(reader.line_num, cells) for cells in reader if cells]
    except csv.Error as error:
        where = f"{file}, line {reader.line_num}"
        raise BadRequest("data.csv", f"expected comma-separated values in {where}: {error}", hint) from error


def decoded(file: str, content: bytes, hint: str) -> str:
    """UTF-8 text, with or without the mark that spreadsheets put before it."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = f"expected UTF-8 text in {file}, got another encoding at byte {error.start}"
        raise BadRequest("data.encoding", text, hint) from error


def short(value: object) -> str:
    """A value as quoted in a refusal, at most 60 characters."""
    return repr(value)[:60]
