"""Order sheets: the frame that every game's orders stand in, and the words that all order languages share.

A sheet begins with `orders GAME step N` and ends with `end`; what stands before and after is ignored, so a
whole sheet, or a whole mail with one in it, can be sent back. Text without that frame is taken as orders.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeVar

from lark import Lark, Token, Transformer, UnexpectedInput, UnexpectedToken
from lark.exceptions import VisitError

from pbem.log.enumeration import counted
from pbem.rules.names import Names
from pbem.rules.refusal import Refusal, Refused, shown

T = TypeVar("T")
MAX_TEXT = 200_000
MAX_LINES = 2_000
TAKE_A_MARK = "take the mark '#' away from a line of the sheet"
TAKE_A_MARK_OR_PASS = f"{TAKE_A_MARK}, or write 'pass'"
PASS_ALWAYS = "# pass always                    # whatever no other line answers: pass, or the default"
NONE_AT_ALL = "# A text with nothing in it takes all of them back."
"""The last lines of what can be said beforehand."""

_QUOTES = re.compile(r"^(?:[ \t]*[>|])+ ?")
_BEGIN = re.compile(r"^\s*orders\s+(\S+)\s+step\s+(\d{1,9})\s*$", re.IGNORECASE)
_END = re.compile(r"^\s*end\s*$", re.IGNORECASE)
_COMMENT = re.compile(r"#.*$")
_SPACES = str.maketrans({"\u00a0": " ", "\u2007": " ", "\u202f": " ", "\t": " ", "\u200b": "", "\ufeff": ""})
_QUOTE_MARKS = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "–": "-", "—": "-"})
_ROWS = re.compile(r"\r\n|\n|\r")

SHARED_GRAMMAR = r"""
name: WORD+ | QUOTED
WORD: /(?:(?!->)[^\s,"#>→])+/
QUOTED: /"[^"]+"/
TO.5: /(to|in|at)(?![\w-])|->|→/i
OR.5: /or(?![\w-])/i
%ignore / +/
"""


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One order as written: its line number from 1, the column where it begins, and its text."""

    number: int
    indent: int
    text: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """The orders in a text; `game` and `step` are those of its frame, empty and -1 without one."""

    lines: tuple[SheetLine, ...]
    game: str = ""
    step: int = -1


def read_sheet(text: str) -> Sheet:
    """The order lines of a text, without comments, quote marks and what stands outside the frame."""
    rows = _ROWS.split(text)
    if len(text) > MAX_TEXT or len(rows) > MAX_LINES:
        limit = f"expected at most {MAX_LINES} lines and {MAX_TEXT} characters"
        raise Refused(
            (
                Refusal(
                    "orders.too_long",
                    f"{limit}, got {counted(len(rows), 'line')} and {counted(len(text), 'character')}",
                ),
            )
        )
    plain = [row.translate(_SPACES) for row in rows]
    begins = [i for i, row in enumerate(plain) if _BEGIN.match(_QUOTES.sub("", row))]
    if not begins:
        _refuse_end(plain)
        return Sheet(_lines(plain, 0, len(plain)))
    if len(begins) > 1:
        text = f"expected one order sheet in the text, got {len(begins)}"
        raise Refused((Refusal("orders.two_sheets", text, hint="take out the ones that you do not mean"),))
    first = begins[0] + 1
    ends = (i for i in range(first, len(plain)) if _END.match(_QUOTES.sub("", plain[i])))
    last = next(ends, None)
    if last is None:
        hint = "the sheet may have been cut off: send it whole, with its last line"
        raise Refused((Refusal("orders.no_end", "expected a line 'end' after the orders, got none", hint=hint),))
    match = _BEGIN.match(_QUOTES.sub("", plain[begins[0]]))
    assert match is not None
    return Sheet(_lines(plain, first, last), match[1], int(match[2]))


def _refuse_end(rows: Sequence[str]) -> None:
    """Refused for the last line of a sheet without its first: orders may be missing."""
    ends = [number for number, row in enumerate(rows, start=1) if _END.match(_QUOTES.sub("", row))]
    if ends:
        text = "expected a line 'orders GAME step N' before the line 'end', got none"
        hint = "the sheet may have been cut off: send it whole, with its first line"
        raise Refused((Refusal("orders.no_begin", text, "", hint, ends[0], 1),))


def frame(game: str, step: int, lines: Sequence[str]) -> str:
    """A sheet around its lines."""
    return "\n".join([f"orders {game} step {step}", *lines, "end", ""])


def _lines(rows: Sequence[str], first: int, last: int) -> tuple[SheetLine, ...]:
    found = []
    for number in range(first, last):
        quote = _QUOTES.match(rows[number])
        start = quote.end() if quote and _begins_quoted(rows[number]) else 0
        text = _COMMENT.sub("", rows[number][start:]).translate(_QUOTE_MARKS).rstrip()
        if text.strip():
            indent = start + len(text) - len(text.lstrip())
            found.append(SheetLine(number + 1, indent, text.strip()))
    return tuple(found)


def _begins_quoted(row: str) -> bool:
    return row.lstrip().startswith((">", "|"))


@cache
def parser(grammar: str) -> Lark:
    """The parser of one game's order lines; its grammar's start rule is `order`."""
    return Lark(grammar + SHARED_GRAMMAR, start="order", parser="lalr", propagate_positions=True)


def parse_line(grammar: str, line: SheetLine, transformer: Transformer[Token, T], forms: Sequence[str]) -> T:
    """What one line says; Refused with line and column when it says nothing the grammar knows."""
    try:
        tree = parser(grammar).parse(line.text)
    except UnexpectedInput as error:
        at_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
        column = len(line.text) + 1 if at_end else max(1, error.column)
        got = line.text[column - 1 :].split(" ")[0] or "the end of the line"
        text = f"expected an order such as {' / '.join(forms)}, got '{shown(got)}'"
        raise Refused((Refusal("orders.unreadable", text, "", "", line.number, line.indent + column),)) from None
    try:
        return transformer.transform(tree)
    except VisitError as error:
        if isinstance(error.orig_exc, Refused):
            raise error.orig_exc from None
        raise


def read_each(lines: Sequence[SheetLine], read: Callable[[SheetLine], Iterable[T]]) -> list[tuple[SheetLine, T]]:
    """What every line says, each item with its line; Refused with the reasons of all lines that say nothing."""
    found: list[tuple[SheetLine, T]] = []
    refusals: list[Refusal] = []
    for line in lines:
        try:
            found += [(line, item) for item in read(line)]
        except Refused as refused:
            refusals.extend(refused.refusals)
    if refusals:
        raise Refused(refusals)
    return found


def refuse_without_orders(text: str, example: str) -> None:
    """Refused for standing orders of which no line is one; blank text is right: it takes them back."""
    if text.strip() and not read_sheet(text).lines:
        reason = f"expected a standing order such as {example}, got a text without one"
        hint = "take the mark '#' away from a line; a text with nothing in it takes standing orders back"
        raise Refused((Refusal("orders.standing_empty", reason, "", hint),))


def at_line(refusal: Refusal, lines: Sequence[SheetLine]) -> Refusal:
    """A refusal of a check, which counts orders, as a player reads it, who counts lines."""
    return replace(refusal, line=lines[refusal.line - 1].number) if 0 < refusal.line <= len(lines) else refusal


def resolver(line: SheetLine, what: str, names: Names) -> Callable[[str, int], str]:
    """A function from a name and its column to its id; Refused when the name is unknown or ambiguous."""

    def resolve(text: str, column: int) -> str:
        found = names.find(text)
        if found.id:
            return found.id
        if found.candidates:
            code, reason, hint = "orders.ambiguous", f", which may be {', '.join(found.candidates)}", ""
        else:
            code, reason = "orders.unknown", ""
            hint = f"did you mean {' or '.join(found.nearest)}?" if found.nearest else ""
        text = f"expected the name of {what}, got '{shown(text)}'{reason}"
        raise Refused((Refusal(code, text, "", hint, line.number, line.indent + column),))

    return resolve


def name_of(tokens: Sequence[Any]) -> tuple[str, int]:
    """The text of a `name` and the column (from 1) where it stands."""
    text = " ".join(str(token) for token in tokens).strip('"')
    return text, tokens[0].column


def each_once(
    line: SheetLine, what: str, found: Sequence[tuple[str, int]], shown_as: Callable[[str], str], rule: str
) -> tuple[str, ...]:
    """The ids of a list in which each says something once, with their columns; Refused for one that comes again.

    Only what is written is held to it: a log may have a list that says a thing twice, which changes nothing.
    """
    ids = [one for one, _ in found]
    again = [(one, column) for place, (one, column) in enumerate(found) if one in ids[:place]]
    if again:
        text = f"expected each {what} once in a list, got {shown_as(again[0][0])} again"
        raise Refused((Refusal("orders.again", text, rule, "", line.number, line.indent + again[0][1]),))
    return tuple(ids)
