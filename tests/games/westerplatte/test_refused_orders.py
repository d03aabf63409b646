"""The order language: what it says about what it does not take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pbem.engine.lab import Lab
from pbem.games.westerplatte.answers import FaceCard
from pbem.rules.play import Question
from pbem.rules.refusal import Refused

from .asked import RULES, STATE, UNITS, asked, refused

FORMS = "move MAS-1 to A / fire MAS-1, MAS-2 at PL-1 / recover MAS-1 / oba at PL-1 / air suppress GH1 / pass"
POLISH_FORMS = "move PL-1 to GH1 / fire PL-1, PL-2 at MAS-1 / recover PL-1 / pass"


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "move MAS to A",
            [
                "orders.ambiguous: expected the name of a unit, got 'MAS', which may be "
                "MAS-1, MAS-2, MAS-3, MAS-4, MAS-5, MAS-6 in line 1, column 6"
            ],
        ),
        (
            "move MAS-1 to Lazinki",
            [
                "orders.unknown: expected the name of an area, got 'Lazinki' in line 1, column 15",
                "did you mean Lazienki?",
            ],
        ),
        (
            "> > \tfire  MAS-1 at PL-7",
            ["orders.unknown: expected the name of a unit, got 'PL-7' in line 1, column 21", "did you mean PL-3?"],
        ),
        (
            "move MAS-1 → Qqqq",
            ["orders.unknown: expected the name of an area, got 'Qqqq' in line 1, column 14"],
        ),
        (
            "pass\n\n  hello",
            [f"orders.unreadable: expected an order such as {FORMS}, got 'hello' in line 3, column 3"],
        ),
        (
            "move MAS-1",
            [
                "orders.unreadable: expected an order such as move MAS-1 to A, got nothing behind 'MAS-1' "
                "in line 1, column 11"
            ],
        ),
        (
            "move MAS-1 to Lazienki\nmove MAS-2 to Foo\nbar",
            [
                "orders.unknown: expected the name of an area, got 'Foo' in line 2, column 15",
                f"orders.unreadable: expected an order such as {FORMS}, got 'bar' in line 3, column 1",
            ],
        ),
        (
            "place BB in Wa",
            [f"orders.kind: expected an order such as {FORMS}, got 'place BB in Wa' in line 1, column 1"],
        ),
        (
            "then ask\nmove MAS-1 to Lazienki\nif blocked ask\n  move MAS-2 to A",
            [
                "orders.after_ask: expected no order behind 'then ask', got 'move MAS-1 to Lazienki' "
                "in line 2, column 1",
                "move 'then ask' to the end, or order this when you are asked again",
                "orders.after_ask: expected no order behind 'then ask', got 'move MAS-2 to A' in line 4, column 3",
                "move 'then ask' to the end, or order this when you are asked again",
            ],
        ),
        (
            "move MAS-1 to Lazienki\nthen end\npass",
            [
                "orders.after_ask: expected no order behind 'then end', got 'pass' in line 3, column 1",
                "move 'then end' to the end, or order this when you are asked again",
            ],
        ),
        (
            "> # cut off above\n> move MAS-1 to Lazienki\n> end",
            [
                "orders.no_begin: expected a line 'orders GAME step N' before the line 'end', got none "
                "in line 3, column 1",
                "the sheet may have been cut off: send it whole, with its first line",
            ],
        ),
        (
            "move MAS-1 and MAS-2 to A",
            ["orders.unreadable: expected an order such as move MAS-1 to A, got 'and' in line 1, column 12"],
        ),
        ("redraw", [f"orders.kind: expected an order such as {FORMS}, got 'redraw' in line 1, column 1"]),
        ("pass\nmove MAS-1 to Wal", ["orders.pass: expected orders or a pass, got both (turn.3)"]),
        (
            "# pass\nthen ask",
            [
                f"orders.empty: expected an order such as {FORMS}, got none",
                "take the mark '#' away from a line of the sheet, or write 'pass'",
            ],
        ),
        (
            "pass\nthen ask\nthen end",
            ["orders.contradiction: expected 'then' with one plan, got ask and end in line 3, column 1"],
        ),
        ("then skip", ["orders.plan: expected 'then' with end or ask, got 'skip' in line 1, column 6"]),
        (
            "fire MAS-1 at PL-1 face end",
            ["orders.plan: expected 'face' with redraw or miss or ask, got 'end' in line 1, column 25"],
        ),
        (
            "orders westerplatte step 3\nmove MAS-1 to Lazienki",
            [
                "orders.no_end: expected a line 'end' after the orders, got none",
                "the sheet may have been cut off: send it whole, with its last line",
            ],
        ),
        (
            "orders a step 1\npass\nend\n> orders a step 2\n> pass\n> end",
            [
                "orders.two_sheets: expected one order sheet in the text, got 2",
                "take out the ones that you do not mean",
            ],
        ),
        (
            "fire MAS-1 at PL-1 or PL-2 or pl1",
            ["orders.again: expected each target once in a list, got PL-1 again in line 1, column 31 (combat.6)"],
        ),
        (
            "fire MAS-1 at " + " or ".join(["PL-1"] * 9),
            [
                "combat.too_many_targets: expected at most 8 targets to choose from, got 9 "
                "in line 1, column 1 (combat.6)"
            ],
        ),
        ("pass\n" * 33, ["orders.too_many: expected at most 32 lines, got 33"]),
        (
            "\n# one\nmove MAS-1 to Wal\nif blocked ask\n  move MAS-2 to Wa\nthen ask",
            [
                "move.enemy: expected an area without enemies for MAS-1, got Wal with PL-1 in line 3 (turn.7)",
                "fire at every unit there earlier in the sheet, or wait",
                "move.reach: expected MAS-2 in B to move to A, Prom, Wal, got Wa in line 5 (turn.8)",
            ],
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, sentences: list[str]) -> None:
    assert refused(text) == sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("move MAS-1 in", ["such as move MAS-1 to A, got nothing behind 'in' in line 1, column 14"]),
        ("attack BB with FG", ["such as fire MAS-1, MAS-2 at PL-1, got 'with' in line 1, column 11"]),
        ("fire MAS-1 on PL-1", ["such as fire MAS-1, MAS-2 at PL-1, got 'on' in line 1, column 12"]),
        ("air hinder GH1", ["such as air suppress GH1, got 'hinder' in line 1, column 5"]),
        ("recover", ["such as recover MAS-1, got nothing behind 'recover' in line 1, column 8"]),
        ("then wait", ["such as then ask, got 'wait' in line 1, column 6"]),
        ("mvoe MAS-1 to A", [f"such as {FORMS}, got 'mvoe' in line 1, column 1", "did you mean 'move'?"]),
        (
            "MAS-1, MAS-2 at PL-1",
            [f"such as {FORMS}, got 'MAS-1,' in line 1, column 1", "an attack begins with 'fire': "
             "'fire MAS-1, MAS-2 at PL-1'"],
        ),
        (",", [f"such as {FORMS}, got ',' in line 1, column 1"]),
    ],
)  # fmt: skip
def test_the_word_that_is_wrong_is_named_with_the_form_of_its_order(text: str, sentences: list[str]) -> None:
    assert refused(text) == [f"orders.unreadable: expected an order {sentences[0]}", *sentences[1:]]


@pytest.mark.parametrize("text", ["pass always", "Pass at most 2", "recover MAS-1, BB", "recover MAS-1 and BB"])
def test_a_standing_order_in_a_sheet_is_named_as_one(text: str) -> None:
    assert refused(text) == [
        f"orders.unreadable: expected an order for what is asked now, got '{text}', which is a standing order "
        "in line 1, column 1",
        "write it into a file of its own, for `pbem orders GAME --standing FILE`; here one order a line counts",
    ]


def test_the_pole_is_shown_polish_units() -> None:
    polish, state = asked(f"card H7\n{UNITS}")
    with pytest.raises(Refused) as caught:
        RULES.read_orders(polish, state, "hello")
    assert [one.sentence() for one in caught.value.refusals] == [
        f"orders.unreadable: expected an order such as {POLISH_FORMS}, got 'hello' in line 1, column 1"
    ]


def test_an_empty_sheet_says_what_to_do() -> None:
    hints = []
    for question in asked_at_the_beginning():
        with pytest.raises(Refused) as caught:
            RULES.read_orders(question, STATE, "# nothing\n")
        (refusal,) = caught.value.refusals
        hints.append((refusal.sentence(), refusal.hint))
    assert hints == [
        (
            "orders.empty: expected an order such as place PL-1 in GH1, got none",
            "write a line for each unit, as the sheet of `pbem orders` has them",
        ),
        (
            "orders.empty: expected an order such as place BB in Wa, got none",
            "take the mark '#' away from the line of the sheet that you choose",
        ),
    ]


def asked_at_the_beginning() -> Iterator[Question[Any]]:
    """The questions of the two set-ups."""
    first = Lab(RULES, RULES.begin("standard", {}), (), ()).run()
    assert first.question is not None
    yield first.question
    sheet = RULES.write_orders(first.question.default)
    second = Lab(RULES, RULES.begin("standard", {}), (sheet,), ()).run()
    assert second.question is not None
    yield second.question


def test_what_is_not_alone_is_not_blamed_for_the_card_too() -> None:
    """An ace of spades does offer air (support.2)."""
    question, state = asked(f"card SA\n{UNITS}")
    with pytest.raises(Refused) as caught:
        RULES.read_orders(question, state, "move MAS-1 to Lazienki\nair at PL-1")
    assert [one.sentence() for one in caught.value.refusals] == [
        "activation.alone: expected 'air at PL-1' to be the only order of the card, got others with it in line 2 "
        "(support.2)"
    ]


def test_a_face_card_is_answered_with_redraw_or_miss() -> None:
    question, state = asked(f"card S7\n{UNITS}", ("fire MAS-1 at PL-1 face ask",), ("SK",))
    assert RULES.read_orders(question, state, "FACE redraw") == FaceCard(face="redraw")
    assert RULES.read_orders(question, state, "# as I said\nRedraw") == FaceCard(face="redraw")
    assert RULES.read_orders(question, state, "> miss # this time") == FaceCard(face="miss")
    assert RULES.question_text(question, state) == (
        "the king of spades is drawn for MAS-1 at PL-1 in Wal, a card of 3 or less hits (12 of the 51 cards left): "
        "redraw, or take it as a miss"
    )
    assert refused("face ask", question) == ["orders.plan: expected 'face' with redraw or miss, got 'ask' (combat.15)"]
    assert refused("face miss\nface redraw", question) == [
        "orders.contradiction: expected 'face' with one plan, got miss and redraw in line 2, column 1"
    ]
    assert refused("pass", question) == [
        "orders.kind: expected an order such as face redraw / face miss, got 'pass' in line 1, column 1"
    ]
