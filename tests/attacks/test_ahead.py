"""Signatures that are checked ahead in a second process: it can only save work, never vouch for what does not hold."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from play import played

from pbem.app import ahead
from pbem.app.ahead import checked_ahead
from pbem.app.catalogue import for_proposal
from pbem.app.verify import verify
from pbem.errors import BadEvidence
from pbem.log import bundle

LINES = [b"good", b"bad", b"good", b"good"] * 20


@pytest.fixture(autouse=True)
def _always_worth_it() -> Iterator[None]:
    """A second process for every archive, however short."""
    kept, ahead.WORTH_IT = ahead.WORTH_IT, 1
    yield
    ahead.WORTH_IT = kept


def check(line: bytes) -> None:
    if line == b"bad":
        raise BadEvidence("bad", "a bad line")


def vouched(lines: list[bytes], checker: object = check) -> list[bool]:
    with checked_ahead(lines, checker) as known:  # type: ignore[arg-type]
        return [known() for _ in lines]


def test_only_what_passed_is_vouched_for() -> None:
    assert vouched(LINES) == [line == b"good" for line in LINES]


@pytest.mark.parametrize("dies_at", [0, 1, 17, 79])
def test_a_child_that_dies_vouches_for_nothing_more(dies_at: int) -> None:
    parent, seen = os.getpid(), []

    def dying(_: bytes) -> None:
        seen.append(1)
        if os.getpid() != parent and len(seen) > dies_at:
            os._exit(0)

    known = vouched([b"good"] * 80, dying)
    assert not any(known[dies_at:])


def test_a_child_that_fails_otherwise_vouches_for_nothing_more() -> None:
    def failing(_: bytes) -> None:
        raise MemoryError

    assert not any(vouched(LINES, failing))


def test_a_reader_that_goes_away_leaves_no_child_behind() -> None:
    with checked_ahead(LINES * 100, check) as known:
        known()
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


@pytest.mark.plan("A1")
def test_a_forged_signature_in_any_line_is_found_with_a_second_process() -> None:
    data = played("westerplatte", 1).archive()
    lines = bundle.read(data).lines
    games = for_proposal()
    assert verify(data, games).finished
    for number in (0, 1, 2, len(lines) // 2, len(lines) - 1):
        line = lines[number]
        forged = line[:20] + (b"A" if line[20:21] != b"A" else b"B") + line[21:]
        with pytest.raises(BadEvidence) as caught:
            verify(data.replace(line, forged), games)
        assert caught.value.code == "event.signature"
