"""Pages in words: the same content as text and as HTML, and nothing of a stranger that is markup or a control."""

from __future__ import annotations

from html import unescape
from html.parser import HTMLParser

import pytest

from pbem.viewer.document import (
    Commands,
    Document,
    Facts,
    Grid,
    Section,
    Words,
    as_data,
    as_html,
    as_text,
    is_same_page,
)

PAGE = Document(
    "A roll",
    (
        Section(
            "What",
            (Words("One die. " * 12), Facts((("Step", "2"), ("Label", "first")))),
        ),
        Section("Who", (Grid(("Role", "name", "key"), (("german", "Anna", "ab cd"), ("polish", "", "ef"))),)),
        Section("How", (Commands("printf '%s' x\n\nexit $wrong  # and   blanks"),)),
    ),
)
IN_WORDS = """\
A roll

What:
  One die. One die. One die. One die. One die. One die. One die. One die. One
    die. One die. One die. One die.
  Step: 2
  Label: first

Who:
  german: name Anna; key ab cd
  polish: key ef

How:
  printf '%s' x

  exit $wrong  # and   blanks
"""
HOSTILE = "</p><script>alert(1)</script>\x1b[2J\u202e\u0000'\"&\ud800"


class Reader(HTMLParser):
    """What a browser would make of a page: elements that are open, those that were seen, all attributes, all text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.attributes: list[str] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes += [name for name, _ in attrs]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_text_of_a_page() -> None:
    assert as_text(PAGE) == IN_WORDS


def test_a_page_of_one_sentence_in_html() -> None:
    page = unescape(as_html(Document("Who", (Section("Why", (Words("So."),)),))))
    style = page.partition("<style>")[2].partition("</style>")[0]
    allowed = "default-src 'none'; style-src 'unsafe-inline'"
    policy = f'<meta http-equiv="Content-Security-Policy" content="{allowed}">'
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    head = f'<meta charset="utf-8">{policy}{view}<title>Who</title><style>{style}</style>'
    body = "<h1>Who</h1>\n<section><h2>Why</h2><p>So.</p></section>"
    assert page == f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'


def test_the_page_is_whole_and_needs_nothing_else() -> None:
    read = Reader(as_html(PAGE))
    assert read.open == []
    assert {"script", "link", "img", "iframe", "object", "form"} & set(read.seen) == set()
    assert set(read.attributes) == {"lang", "charset", "http-equiv", "content", "name"}
    assert "url(" not in as_html(PAGE)
    assert "printf '%s' x\n\nexit $wrong  # and   blanks" in read.texts
    assert [text for text in ("Anna", "Label", "first", "ef") if text not in read.texts] == []


def test_the_page_for_programs() -> None:
    what, who, how = as_data(PAGE)["sections"]
    assert (as_data(PAGE)["title"], what["facts"]) == ("A roll", {"Step": "2", "Label": "first"})
    assert who["rows"][1] == {"Role": "polish", "name": "", "key": "ef"}
    assert (how["heading"], how["words"]) == ("How", ["printf '%s' x\n\nexit $wrong  # and   blanks"])


@pytest.mark.plan("A62")
@pytest.mark.parametrize("block", [
    Words(HOSTILE),
    Facts(((HOSTILE, HOSTILE),)),
    Grid((HOSTILE, HOSTILE), ((HOSTILE, HOSTILE),)),
    Commands(HOSTILE),
])  # fmt: skip
def test_nothing_of_a_stranger_is_markup_or_a_control(block: Words | Facts | Grid | Commands) -> None:
    page = Document(HOSTILE, (Section(HOSTILE, (block,)),))
    html, text = as_html(page), as_text(page)
    assert set(Reader(html).seen) == set(Reader(as_html(PAGE)).seen) & set(Reader(html).seen)
    assert "script" not in Reader(html).seen
    for written in (html, text):
        assert "".join(written.split("\n")).isprintable()
        written.encode("utf-8")


def test_a_page_may_be_written_over_by_one_of_the_same_title_alone() -> None:
    other = Document("A roll of another game", PAGE.sections)
    changed = Document("A roll", PAGE.sections[:1])
    for write in (as_html, as_text):
        old = write(PAGE).encode()
        assert is_same_page(old, write(changed).encode())
        assert not is_same_page(old, write(other).encode())
        assert not is_same_page(b"my notes", write(PAGE).encode())
    assert not is_same_page(as_text(PAGE).encode(), as_html(PAGE).encode())
