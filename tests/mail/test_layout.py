"""Each way of undoing damage alone: position, call, whole text."""

from __future__ import annotations

import pytest

from pbem.mail import layout


@pytest.mark.plan("M11")
@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("a<br>b<BR/>c</p><p class=x>d", "a\nb\nc\n\nd"),
        ("QU&nbsp;JD<wbr>&shy;&#82;&#x53;", "QU\xa0JD\xadRS"),
        ("a<!-- x <b> -->b<!--[if mso]>c<![endif]-->d", "abd"),
        ("a<!-- never closed", "a<!-- never closed"),
        ('Q<a href="https://example.org/?x=1">U</a>J', "QUJ"),
        ("1 < 2", "1 < 2"),
        ("a&#" + "9" * 5_000 + ";b", "ab"),
    ],
)
def test_markup(markup: str, text: str) -> None:
    assert layout.without_markup(markup) == text


@pytest.mark.plan("M4")
@pytest.mark.parametrize(
    ("escaped", "text"),
    [
        ("QU=\nJD=\r\nRA= \nz", "QUJDRAz"),
        ("=C5=81=C3=B3d=C5=BA=20=3D", "Łódź ="),
        ("=ff", "\ufffd"),
        ("a=", "a="),
    ],
)
def test_quoted_printable(escaped: str, text: str) -> None:
    assert layout.without_quoted_printable(escaped) == text


@pytest.mark.plan("M4", "M14", "M17")
def test_quoted_printable_whose_line_breaks_are_gone() -> None:
    joined = "QU=DEJ=E2=80=8BD=20 =FF"
    assert layout.without_equals(joined) == "QUDEJ\u200bD  FF"


@pytest.mark.plan("M7")
def test_initials() -> None:
    assert layout.without_initials("AB> QUJD\n > ab> QUJD\nABCD> x") == "QUJD\nQUJD\nABCD> x"


@pytest.mark.plan("M5")
def test_base64_that_nobody_decoded() -> None:
    wrapped = "Hello\n\n> " + "QUJD" * 19 + "\n> " + "QUJD" * 3 + "QQ==\nregards\n"
    assert layout.without_base64(wrapped) == "ABC" * 22 + "A"
    assert layout.without_base64("no such line") == "no such line"


def test_readings_are_distinct_and_bounded() -> None:
    text = "pbem <p>a&amp;=3D=\nAB> x" + "=20" * 9
    readings = list(layout.readings(text))
    assert 5 < len(readings) <= layout.READINGS
    assert len({reading.text for reading in readings}) == len(readings)
    assert max(len(reading.undone) for reading in readings) <= layout.DEPTH


def test_a_text_without_a_trace_is_read_in_passing() -> None:
    assert len(list(layout.readings("<p>news&nbsp;letter =3D =20"))) == 2
