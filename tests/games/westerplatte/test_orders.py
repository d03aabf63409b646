"""The order language: what it forgives, and that what is written reads back the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.games.westerplatte.answers import Activation, Bombard, Fire, Move, Recover, Suppress
from pbem.games.westerplatte.state import State
from pbem.rules.play import Asking, Checkpoint, Drawing, Question
from pbem.rules.refusal import Refused
from pbem.rules.sheet import frame, read_sheet

from .asked import RULES, SEVEN, STATE, WORDS, refused

TO_LAZIENKI = Activation(orders=(Move(unit="MAS-1", to="Lazienki"),))


def read(text: str) -> Any:
    return RULES.read_orders(SEVEN, STATE, text)


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
