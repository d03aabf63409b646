"""Position texts: what is wrong in one is named with its place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import BadRequest

from .asked import RULES, WORDS

HINTS = {
    "position.unreadable": "`pbem show GAME --position` writes a position to start from",
    "position.impossible": "a line reads 'unit PL-1 GH1'; units not named are lost",
}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("turn 7", "position.unreadable: expected a whole number from 1 to 6, got '7' in line 1, column 6"),
        (
            "turn 00000000019",
            "position.unreadable: expected a whole number from 1 to 6, got '00000000019' in line 1, column 6",
        ),
        ("card joker", "position.unreadable: expected a card with a suit, got 'joker' in line 1, column 6"),
        (
            "# one\n  drawn S2 X3",
            "position.unreadable: expected a card such as S7, H10, DA or joker, got 'X3' in line 2, column 10",
        ),
        ("unit PL-9 GH1", "position.unreadable: expected the name of a unit, got 'PL-9' in line 1, column 6"),
        ("unit PL-1", "position.unreadable: expected an area behind the unit, got 'PL-1' in line 1, column 6"),
        (
            "unit PL-1 Nowhere",
            "position.unreadable: expected the name of an area, 'east' or 'lost', got 'Nowhere' in line 1, column 11",
        ),
        (
            "unit PL-1 GH1 dead",
            "position.unreadable: expected nothing or 'weak' behind the area, got 'dead' in line 1, column 15",
        ),
        (
            "drawn S2 HA HA",
            "position.unreadable: expected a card that was not named before, got 'HA' in line 1, column 13",
        ),
        (
            "drawn HA S2\ndrawn H3 HA",
            "position.unreadable: expected a card that was not named before, got 'HA' in line 2, column 10",
        ),
        (
            "deck joker s3 S3",
            "position.unreadable: expected a card that was not named before, got 'S3' in line 1, column 15",
        ),
        (
            "unit PL-1 GH1\nunit PL-1 GH2",
            "position.unreadable: expected a unit that was not named before, got 'PL-1' in line 2, column 6",
        ),
        (
            "acted PL-1 PL-2 PL-1",
            "position.unreadable: expected a unit that acted and was not named before, got 'PL-1' in line 1, column 17",
        ),
        ("turn 2\nTURN 3", "position.unreadable: expected one line 'turn', got 'TURN' in line 2, column 1"),
        (
            "stage late",
            "position.unreadable: expected one of polish_setup, german_setup, cards, got 'late' in line 1, column 7",
        ),
        ("unit PL-1 A", "position.impossible: expected PL-1 where it may be, got it in A"),
        ("unit PL-1 Wa", "position.impossible: expected PL-1 where it may be, got it in Wa"),
        ("unit PL-1 east", "position.impossible: expected PL-1 where it may be, got it in east"),
        ("unit BB Wal", "position.impossible: expected BB where it may be, got it in Wal"),
        ("unit BB unplaced", "position.impossible: expected BB where it may be, got it in unplaced"),
        (
            "unit PL-1 Wal\nunit MAS-1 Wal",
            "position.impossible: expected units of one side in Wal, got MAS-1, PL-1",
        ),
        (
            "unit PL-1 Wal\nunit PL-2 Wal\nunit PL-3 Wal",
            "position.impossible: expected at most 2 units in Wal, got 3",
        ),
    ],
)
def test_what_is_wrong_in_a_position(text: str, reason: str) -> None:
    with pytest.raises(BadRequest) as caught:
        RULES.read_position(text)
    assert (str(caught.value), caught.value.hint) == (reason, HINTS[caught.value.code])


@pytest.mark.parametrize("line", ["refuse x", "whole 1", "cards S2", "state x", "unit_id PL-1", "__class__ x", "turn"])
def test_no_line_but_those_of_the_language(line: str) -> None:
    with pytest.raises(BadRequest) as caught:
        RULES.read_position(line)
    assert str(caught.value) == (
        "position.unreadable: expected 'turn 2', 'card S7', 'drawn S2 H3', 'unit PL-1 GH1 weak', 'suppressed GH1' or "
        f"'air used', got '{line.split()[0]}' in line 1, column 1"
    )


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(max_size=100), st.lists(WORDS, max_size=8).map(" ".join)))
def test_any_text_gives_a_position_or_a_printable_reason(text: str) -> None:
    assert position_reason(text).isprintable()


def position_reason(text: str) -> str:
    try:
        return "\n".join(RULES.position_lines(RULES.read_position(text))).replace("\n", " ")
    except BadRequest as reason:
        return reason.text
