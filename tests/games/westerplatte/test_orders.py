"""The order language: what it forgives, what it says about the rest, and that what is written reads back the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.engine.lab import Lab
from pbem.errors import BadRequest
from pbem.games.westerplatte import data_files
from pbem.games.westerplatte.answers import Activation, Bombard, FaceCard, Fire, Move, Recover, Suppress
from pbem.games.westerplatte.ruleset import Westerplatte
from pbem.games.westerplatte.state import State
from pbem.log.event import Role
from pbem.rules.play import Asking, Checkpoint, Drawing, Question
from pbem.rules.refusal import Refused
from pbem.rules.sheet import frame, read_sheet

FOLDER = Path(data_files.__file__).parent / "data"
RULES = Westerplatte({path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())})
UNITS = "unit PL-1 Wal\nunit PL-2 Przystan\nunit MAS-1 A\nunit MAS-2 B\nunit MAS-3 east\nunit BB Wa\n"
FORMS = "move MAS-1 to A / fire MAS-1, MAS-2 at PL-1 / recover MAS-1 / oba at PL-1 / air suppress GH1 / pass"
POLISH_FORMS = "move PL-1 to GH1 / fire PL-1, PL-2 at MAS-1 / recover PL-1 / pass"
TO_LAZIENKI = Activation(orders=(Move(unit="MAS-1", to="Lazienki"),))


def asked(position: str, sheets: tuple[str, ...] = (), dice: tuple[str, ...] = ()) -> tuple[Question[Any], State]:
    """The question at the end of what sheets and dice make of a position."""
    result = Lab(RULES, RULES.read_position(position), sheets, dice).run()
    assert result.question is not None
    return result.question, result.state


SEVEN, STATE = asked(f"card S7\n{UNITS}")


def read(text: str) -> Any:
    return RULES.read_orders(SEVEN, STATE, text)


def refused(text: str, question: Question[Any] = SEVEN) -> list[str]:
    """The whole sentence of every reason, each hint behind it."""
    with pytest.raises(Refused) as caught:
        RULES.read_orders(question, STATE, text)
    return [part for one in caught.value.refusals for part in (one.sentence(), one.hint) if part]


# ---------------------------------------------------------------------- what is forgiven


@pytest.mark.parametrize(
    "text",
    [
        "move MAS-1 to Lazienki",
        "MOVE mas-1 To LAZIENKI",
        "  move   MAS 1   to   lazienki  ",
        "move MAS1 to Łazienki",
        "move mas-1 to łaz",
        "enter MAS-1 at Lazienki",
        "move MAS-1 -> Lazienki",
        "move MAS-1->Lazienki",
        "move MAS-1 → Łazienki",
        'move "MAS 1" to "Łazienki"',
        "move „MAS 1” to «Łazienki»",
        "move MAS–1 to Lazienki",
        "move MAS-1\u00a0to\tLazienki",
        "\ufeffmove MAS-1 to Laz\u200bienki",
        "move MAS-1 to Lazienki # over the beach",
        "# move MAS-2 to Wal\n\nmove MAS-1 to Lazienki\n#",
        "> move MAS-1 to Lazienki",
        "> > move MAS-1 to Lazienki",
        "| move MAS-1 to Lazienki",
        "move MAS-1 to Lazienki\r\n",
        "orders westerplatte step 7\nmove MAS-1 to Lazienki\nend\n",
        "> Orders  westerplatte  STEP 7\r\n> # a comment\r\n> move MAS-1 to Lazienki\r\n> END\r\n",
    ],
)
def test_one_order_in_many_hands(text: str) -> None:
    assert read(text) == TO_LAZIENKI


def test_a_whole_mail_round_a_sheet() -> None:
    sheet = frame("westerplatte", 12, ["# You are asked:", "move MAS-1 to Lazienki"])
    quoted = "".join(f"> {line}\n" for line in sheet.splitlines())
    mail = f"From: a@b.example\nSubject: Re: your move\n\nHello,\nmove on, here they are:\n{quoted}-- \nmove along\n"
    assert read(mail) == TO_LAZIENKI
    assert (read_sheet(mail).game, read_sheet(mail).step) == ("westerplatte", 12)


def test_every_kind_of_order() -> None:
    fires = "fire mas 1, mas 2 at pl1 face miss\nattack BB at PL-1 face ask"
    assert read(f"{fires}\nmove MAS-3 to a\nthen ask\nif  blocked ask") == Activation(
        orders=(
            Fire(units=("MAS-1", "MAS-2"), targets=("PL-1",), face="miss"),
            Fire(units=("BB",), targets=("PL-1",), face="ask"),
            Move(unit="MAS-3", to="A"),
        ),
        then="ask",
        blocked="ask",
    )


def test_two_units_that_fire_together_are_joined_by_a_comma_or_by_and() -> None:
    both = (Fire(units=("MAS-1", "MAS-2"), targets=("PL-1",)),)
    for text in ("fire MAS-1, MAS-2 at PL-1", "fire mas 1 AND mas 2 at PL-1", "fire MAS-1 and MAS-2 at PL-1 # both"):
        assert read(text).orders == both
    assert refused("fire MAS-1 and MAS-2, MAS-3 at PL-1") == [
        "combat.too_many: expected one or two firing units, got 3 in line 1, column 1 (combat.6)"
    ]


def test_if_blocked_stands_anywhere_and_then_stands_last() -> None:
    wanted = Activation(orders=TO_LAZIENKI.orders, then="ask", blocked="ask")
    for text in (
        "if blocked ask\nmove MAS-1 to Lazienki\nthen ask",
        "move MAS-1 to Lazienki\nif blocked ask\nthen ask",
        "move MAS-1 to Lazienki\nthen ask\nif blocked ask\nthen ask",
    ):
        assert read(text) == wanted


def test_orders_that_stand_alone() -> None:
    assert read("air suppress przystan").orders == (Suppress(area="Przystan"),)
    assert read("air at PL-1 face redraw").orders == (Bombard(marker="air", target="PL-1"),)
    assert read("pass") == read("Pass\npass") == Activation()


def test_names_by_full_name_and_by_word() -> None:
    assert read("move schleswig holstein to wb").orders == (Move(unit="BB", to="Wb"),)
    assert read("move Schleswig to Zakręt").orders == (Move(unit="BB", to="Wb"),)


# ---------------------------------------------------------------------- what is not


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


# ---------------------------------------------------------------------- hostile text


def test_a_text_over_the_limits_is_refused_unread() -> None:
    assert refused("pass " * 60_000) == [
        "orders.too_long: expected at most 2000 lines and 200000 characters, got 1 line and 300000 characters"
    ]
    assert refused("pass\n" * 2_500) == [
        "orders.too_long: expected at most 2000 lines and 200000 characters, got 2501 lines and 12500 characters"
    ]


def test_a_message_quotes_no_control_character_and_no_endless_word() -> None:
    assert refused("move \x1b[31mMAS\u202e-1 to A") == [
        "orders.unknown: expected the name of a unit, got '\ufffd[31mMAS\ufffd-1' in line 1, column 6",
        "did you mean MAS-1?",
    ]
    assert refused(f"move {'Z' * 5_000} to A") == [
        f"orders.unknown: expected the name of a unit, got '{'Z' * 60}…' in line 1, column 6"
    ]


LANGUAGE = (
    'move fire at to in or -> → , > | # " MAS-1 PL-1 A Wal air oba suppress recover place pass then ask if blocked '
    "face miss end orders westerplatte step 3 \x00 \x1b[0m \u202e \x0b \x85 \u2028 \n"
)
WORDS = st.sampled_from(LANGUAGE.split(" "))


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=12).map(" ".join)))
@example("\x0c\x1c\x85\u2028")
@example('"' * 50)
def test_any_text_gives_an_answer_or_printable_reasons(text: str) -> None:
    assert [one for one in reasons_or_none(text) if not one.isprintable() or len(one) > 600] == []


def reasons_or_none(text: str) -> list[str]:
    """The sentences and hints of what is refused; nothing for an answer that the check accepts as well."""
    try:
        answer = RULES.read_orders(SEVEN, STATE, text)
    except Refused as reasons:
        return [part for one in reasons.refusals for part in (one.sentence(), one.hint)]
    return [one.sentence() for one in SEVEN.check(answer)]


# ---------------------------------------------------------------------- there and back


def random_game(seed: int) -> Iterator[tuple[Question[Any] | None, State]]:
    """Every question and checkpoint of a game that is played at random."""
    source = random.Random(seed)
    bot = RULES.bots()["random"]
    rules = RULES.play(RULES.begin("standard", {}))
    response: Any = None
    try:
        while True:
            request = rules.send(response)
            response = None
            if isinstance(request, Asking):
                yield request.questions[0], request.state
                response = (bot(request.questions[0], request.state, source.randrange),)
            elif isinstance(request, Drawing):
                response = source.choice(request.items)
            elif isinstance(request, Checkpoint):
                yield None, request.state
    except StopIteration:
        return


@cache
def random_positions() -> list[tuple[Question[Any] | None, State]]:
    return [found for seed in range(5) for found in random_game(seed)]


def test_a_position_as_text_reads_back_the_same() -> None:
    for _, state in random_positions():
        assert RULES.read_position("\n".join(RULES.position_lines(state))) == state


def test_every_option_as_orders_reads_back_the_same() -> None:
    for question, state in random_positions()[::7]:
        for answer in question.legal() if question else ():
            sheet = frame("westerplatte", 3, RULES.write_orders(answer).splitlines())
            assert RULES.read_orders(question, state, sheet) == answer


def test_every_order_sheet_as_it_is_given_out_can_be_sent_back() -> None:
    for question, state in random_positions()[::29]:
        if question is None:
            continue
        choices = [line.removeprefix("# ") for line in RULES.order_sheet(question, state)]
        for line in choices:
            if line.split(" ")[0] in ("move", "fire", "recover", "air", "oba", "pass", "face"):
                assert not question.check(RULES.read_orders(question, state, line))


UNIT_IDS = st.sampled_from(sorted(RULES.data.units))
AREA_IDS = st.sampled_from(sorted(RULES.data.areas))
FACES = st.sampled_from(("redraw", "miss", "ask"))
ORDERS = st.one_of(
    st.builds(Move, unit=UNIT_IDS, to=AREA_IDS),
    st.builds(
        Fire,
        units=st.lists(UNIT_IDS, min_size=1, max_size=2).map(tuple),
        targets=st.lists(UNIT_IDS, min_size=1, max_size=8, unique=True).map(tuple),
        face=FACES,
    ),
    st.builds(Recover, unit=UNIT_IDS),
    st.builds(Bombard, marker=st.sampled_from(("air", "oba")), target=UNIT_IDS, face=FACES),
    st.builds(Suppress, area=AREA_IDS),
)
ANSWERS = st.builds(
    Activation,
    orders=st.lists(ORDERS, max_size=6).map(tuple),
    then=st.sampled_from(("end", "ask")),
    blocked=st.sampled_from(("skip", "ask")),
)
UNCHECKED = Question(role=SEVEN.role, model=Activation, default=Activation())


@settings(max_examples=200, deadline=None)
@given(ANSWERS)
def test_any_answer_as_orders_reads_back_the_same(answer: Activation) -> None:
    assert RULES.read_orders(UNCHECKED, STATE, RULES.write_orders(answer)) == answer


# ---------------------------------------------------------------------- positions

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
