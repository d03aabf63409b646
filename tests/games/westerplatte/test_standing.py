"""Standing orders: what they answer, and those that never would."""

from __future__ import annotations

import pytest

from pbem.games.westerplatte.answers import Activation, Recover
from pbem.log.event import Role
from pbem.rules.refusal import Refused

from .asked import RULES, SEVEN, STATE, UNITS, asked


def test_standing_orders() -> None:
    flipped, state = asked(f"card SQ\n{UNITS.replace('MAS-1 A', 'MAS-1 A weak')}")
    ace, ace_state = asked(f"card SA\n{UNITS}")
    assert RULES.standing_answer(SEVEN, STATE, "pass always") == Activation()
    assert RULES.standing_answer(SEVEN, STATE, "pass at most 3") is None
    assert RULES.standing_answer(ace, ace_state, "# my rule\npass at most 1") == Activation()
    assert RULES.standing_answer(flipped, state, "recover BB, mas 1") == Activation(orders=(Recover(unit="MAS-1"),))
    assert RULES.standing_answer(flipped, state, "recover BB and mas 1") == Activation(orders=(Recover(unit="MAS-1"),))
    assert RULES.standing_answer(flipped, state, "pass at most 99") is None
    with pytest.raises(Refused) as caught:
        RULES.standing_answer(SEVEN, STATE, "pass sometimes")
    assert caught.value.refusals[0].sentence() == (
        "orders.standing: expected a standing order such as pass always / pass at most 1 / recover MAS-1, BB, "
        "got 'pass sometimes' in line 1, column 1"
    )


def standing_refused(role: str, text: str) -> list[str]:
    with pytest.raises(Refused) as caught:
        RULES.check_standing(Role(role), text)
    return [part for one in caught.value.refusals for part in (one.sentence(), one.hint) if part]


def test_standing_orders_that_would_answer_nothing_are_refused() -> None:
    assert standing_refused("polish", "# pass always\n") == [
        "orders.standing_empty: expected a standing order such as pass always / pass at most 1 / recover PL-1, MTR, "
        "got a text without one",
        "take the mark '#' away from a line; a text with nothing in it takes standing orders back",
    ]
    assert standing_refused("polish", "pass sometimes") == [
        "orders.standing: expected a standing order such as pass always / pass at most 1 / recover PL-1, MTR, "
        "got 'pass sometimes' in line 1, column 1"
    ]
    assert standing_refused("german", "recover BB, PL-1") == [
        "orders.standing_unit: expected a German unit to recover, got 'PL-1' in line 1, column 1 (turn.4)"
    ]
    assert standing_refused("polish", "recover FG, Qqqq") == [
        "orders.unknown: expected the name of a unit, got 'Qqqq' in line 1, column 13"
    ]
    assert standing_refused("polish", "pass at most 0") == [
        "orders.standing_never: expected a number of units from 1, got 0 in line 1, column 1 (turn.3)"
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("pass always\nrecover FG", "recover FG"),
        ("pass always\npass at most 1", "pass at most 1"),
        ("recover FG, MTR\n# a comment\nrecover MTR", "recover MTR"),
        ("pass at most 2\npass at most 2", "pass at most 2"),
    ],
)
def test_a_standing_order_behind_one_that_answers_everything_is_refused(text: str, line: str) -> None:
    number = len(text.splitlines())
    assert standing_refused("polish", text) == [
        f"orders.standing_never: expected a line that can still apply, got '{line}' behind lines that answer it "
        f"in line {number}, column 1"
    ]


def test_standing_orders_that_are_right_and_that_take_all_back() -> None:
    for text in ("", " \n\n", "pass at most 1\nrecover FG\npass at most 3\nrecover FG, MTR\npass always"):
        RULES.check_standing(Role("polish"), text)


def test_each_form_of_a_standing_order_is_one_when_its_mark_is_taken_away() -> None:
    forms = [line.removeprefix("# ") for line in RULES.standing_forms()[1:-1]]
    assert [form.split("   ")[0] for form in forms] == ["pass always", "pass at most 2", "recover MAS-1, BB"]
    for form in forms:
        RULES.check_standing(Role("german"), form)
    assert standing_refused("german", "\n".join(RULES.standing_forms()))[0].startswith("orders.standing_empty: ")
