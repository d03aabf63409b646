"""Pages for people in words: headings with text, facts, tables and commands; as plain text, and as one HTML page.

Whatever a stranger wrote is made harmless here: no control or direction character reaches a terminal, no markup a page.
The HTML page needs no script and no other file. Left out: pictures, which are `pbem.viewer.svg`'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any, TypeAlias, assert_never

from pbem.viewer.xml_text import safe, tag

COLUMNS = 80
INDENT = "  "
_STYLE = """body{font:16px/1.5 Georgia,serif;color:#23211c;background:#fbf8ef}
body{max-width:60em;margin:2em auto;padding:0 1em}
h1{font-size:1.5em}h2{font-size:1.15em;margin:1.5em 0 .3em}
table{border-collapse:collapse}th,td{border:1px solid #a9a59a;padding:.2em .6em;text-align:left;vertical-align:top}
td,dd,pre{overflow-wrap:anywhere}dt{font-weight:bold}dd{margin:0 0 .4em 1.5em}
pre{white-space:pre-wrap;border:1px solid #a9a59a;padding:.6em;font-size:.85em}
@media print{body{margin:0;max-width:none;background:#fff}}"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Facts:
    """Names with their values, one a line."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows under columns; the first cell of a row says what the row is about."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Commands:
    """Lines to be copied as they are."""

    text: str


Block: TypeAlias = Words | Facts | Grid | Commands


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands under it."""

    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A page: its title and its sections."""

    title: str
    sections: tuple[Section, ...]


def as_text(document: Document) -> str:
    """Plain text of at most 80 columns, but for commands and for words that are longer."""
    lines = _wrapped(document.title)
    for section in document.sections:
        lines += ["", *_wrapped(section.heading + ":")]
        for block in section.blocks:
            lines += _text_of(block)
    return "\n".join(lines) + "\n"


def _text_of(block: Block) -> list[str]:
    match block:
        case Words(text=text):
            return _wrapped(text, INDENT)
        case Facts(rows=rows):
            return [line for name, value in rows for line in _wrapped(f"{name}: {value}", INDENT)]
        case Grid(columns=columns, rows=rows):
            return [line for row in rows for line in _wrapped(_row_in_words(columns, row), INDENT)]
        case Commands(text=text):
            return [INDENT + _clean(line) if line else "" for line in text.splitlines()]
        case _:
            assert_never(block)


def _row_in_words(columns: Sequence[str], row: Sequence[str]) -> str:
    """`german: dice 40; total 131`: a row reads well without its table."""
    rest = "; ".join(f"{name} {cell}" for name, cell in zip(columns[1:], row[1:], strict=True) if cell)
    return f"{row[0]}: {rest}" if rest else row[0]


def _wrapped(text: str, indent: str = "") -> list[str]:
    return wrap(
        _clean(text),
        COLUMNS,
        initial_indent=indent,
        subsequent_indent=indent and indent + INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _clean(text: str) -> str:
    """No control or direction character reaches a terminal."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


def as_html(document: Document) -> str:
    """One page of HTML that opens offline."""
    title = tag("title", safe(document.title))
    policy = f'<meta http-equiv="Content-Security-Policy" content="{safe(_POLICY)}">'
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    head = f'<meta charset="utf-8">{policy}{view}{title}<style>{_STYLE}</style>'
    body = "\n".join([tag("h1", safe(document.title)), *map(_section, document.sections)])
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'


def as_data(document: Document) -> dict[str, Any]:
    """The page for programs: each section's facts by name, the rows of its tables by column, its words."""
    return {"title": document.title, "sections": [_data_of(section) for section in document.sections]}


def _data_of(section: Section) -> dict[str, Any]:
    found: dict[str, Any] = {"heading": section.heading, "facts": {}, "rows": [], "words": []}
    for block in section.blocks:
        match block:
            case Facts(rows=rows):
                found["facts"].update(rows)
            case Grid(columns=columns, rows=rows):
                found["rows"] += [dict(zip(columns, row, strict=True)) for row in rows]
            case Words(text=text) | Commands(text=text):
                found["words"].append(text)
            case _:
                assert_never(block)
    return found


def is_same_page(old: bytes, new: bytes) -> bool:
    """Whether the page `old` has the form and the title of `new`, so that it may be written anew."""
    end = b"</title>" if new.startswith(b"<!DOCTYPE html>") else b"\n\n"
    return end in new and old.startswith(new.partition(end)[0] + end)


def _section(section: Section) -> str:
    return tag("section", tag("h2", safe(section.heading)), *map(_html_of, section.blocks))


def _html_of(block: Block) -> str:
    match block:
        case Words(text=text):
            return tag("p", safe(text))
        case Facts(rows=rows):
            return tag("dl", *(part for name, value in rows for part in _fact(name, value)))
        case Grid(columns=columns, rows=rows):
            return tag("table", tag("thead", _cells("th", columns)), tag("tbody", *(_cells("td", row) for row in rows)))
        case Commands(text=text):
            return tag("pre", "\n".join(map(safe, text.splitlines())))
        case _:
            assert_never(block)


def _fact(name: str, value: str) -> Iterator[str]:
    yield tag("dt", safe(name))
    yield tag("dd", safe(value))


def _cells(kind: str, row: Sequence[str]) -> str:
    return tag("tr", *(tag(kind, safe(cell)) if cell else f"<{kind}></{kind}>" for cell in row))
