"""Every row of the plan on what e-mail does to a turn file: alone, in all ordered pairs, in random triples.

The outcome is always the exact payload, or a typed error that says what is damaged; never another payload.
"""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from soak import soak

from pbem.errors import BadEvidence
from pbem.mail import armour
from pbem.mail.reading import Reading, read_text

from .damage import DETECTED, OLD, ROWS, SURVIVED
from .letters import Letter, mailbox_of

GOOD = Random(1939).randbytes(600)
TRIES = 12
TRIPLES = 1_500
both_armours = pytest.mark.parametrize("robust", [False, True], ids=["base64", "base32"])


def damaged_letter(rows: tuple[str, ...], seed: int, robust: bool) -> bytes:
    random = Random(f"{rows} {seed}")
    letter = Letter(f"Hi Bob, here is my turn.\n\n{armour.encode(GOOD, robust=robust)}\nAnna\n")
    for row in rows:
        letter = ROWS[row](letter, random)
    return letter.to_bytes()


def outcome(rows: tuple[str, ...], seed: int, robust: bool) -> str:
    """`whole`, or the code of the first error or, where another turn was found, of the note on a closed part."""
    reading = read_text(damaged_letter(rows, seed, robust), "f")
    assert {found.payload for found in reading.payloads} <= {GOOD, OLD}, (rows, seed)
    if any(found.payload == GOOD for found in reading.payloads):
        return "whole"
    assert_told(reading)
    told = [error.code for error in reading.damaged]
    told += [note.code for note in reading.notes if note.code == "mail.encrypted"]
    if not told and {"M34", "M35"} & set(rows) and {"M27", "M36"} & set(rows):
        return (
            "gone"  # cut before its first line, or that in letters which an encoding then hid; the older turn is there
        )
    assert told, (rows, seed)
    return told[0]


def assert_told(reading: Reading) -> None:
    for error in reading.damaged:
        assert isinstance(error, BadEvidence)
        assert error.code.startswith(("armour.", "mail."))
        assert error.code != "mail.unreadable"
        assert error.text.startswith("expected ")
        assert error.hint


@both_armours
@pytest.mark.plan(
    "M1",
    "M2",
    "M3",
    "M4",
    "M5",
    "M6",
    "M7",
    "M8",
    "M9",
    "M10",
    "M11",
    "M12",
    "M14",
    "M15",
    "M16",
    "M17",
    "M18",
    "M19",
    "M20",
    "M21",
    "M23",
    "M24",
    "M26",
    "M27",
    "M28",
    "M29",
    "M30",
    "M32",
    "M33",
    "M36",
    "M38",
    "M40",
)
@pytest.mark.parametrize("row", SURVIVED)
def test_alone_it_survives(row: str, robust: bool) -> None:
    assert [outcome((row,), seed, robust) for seed in range(TRIES)] == ["whole"] * TRIES


@both_armours
@pytest.mark.parametrize(
    ("row", "codes"),
    [
        pytest.param("M22", {"armour.inserted"}, marks=pytest.mark.plan("M22")),
        pytest.param("M32 encrypted", {"mail.no_turn_file"}, marks=pytest.mark.plan("M32")),
        pytest.param("M34", {"armour.truncated"}, marks=pytest.mark.plan("M34")),
    ],
)
def test_alone_it_is_detected(row: str, codes: set[str], robust: bool) -> None:
    assert {outcome((row,), seed, robust) for seed in range(TRIES)} == codes


@pytest.mark.plan("M35")
def test_changed_letters_are_detected_and_the_robust_armour_survives_them() -> None:
    assert {outcome(("M35",), seed, False) for seed in range(4 * TRIES)} == {"armour.case", "armour.lost", "whole"}
    assert {outcome(("M35",), seed, True) for seed in range(4 * TRIES)} == {"whole"}


def test_each_row_does_something() -> None:
    plain = damaged_letter((), 0, False)
    untouched = {row for row in ROWS if all(damaged_letter((row,), seed, False) == plain for seed in range(TRIES))}
    assert untouched == {"M3", "M16", "M19", "M33"}  # they find nothing to change in a plain letter: that is the point


@both_armours
@pytest.mark.parametrize("first", ROWS)
def test_all_ordered_pairs(first: str, robust: bool) -> None:
    for second in ROWS:
        outcomes = {outcome((first, second), seed, robust) for seed in range(3)}
        if first in SURVIVED and second in SURVIVED:
            assert outcomes == {"whole"}, second


@both_armours
def test_random_triples(robust: bool) -> None:
    random = Random(3)
    lost = []
    for seed in range(TRIPLES):
        rows = tuple(random.choices(list(ROWS), k=3))
        if outcome(rows, seed, robust) != "whole" and not set(rows) & set(DETECTED):
            lost.append((rows, seed))
    assert lost == []


@pytest.mark.soak
@both_armours
def test_many_random_sequences(robust: bool) -> None:
    random = Random(soak(1))
    for seed in range(soak(5_000)):
        outcome(tuple(random.choices(list(ROWS), k=random.randint(3, 6))), seed, robust)


@pytest.mark.plan("M36")
def test_of_two_blocks_both_come_in_order() -> None:
    text = f"{armour.encode(GOOD)}\n> " + armour.encode(OLD).replace("\n", "\n> ")
    assert [found.payload for found in read_text(text.encode(), "f").payloads] == [GOOD, OLD]


@pytest.mark.plan("M34")
@both_armours
def test_a_large_turn_cut_at_102_kilobytes(robust: bool) -> None:
    text = armour.encode(Random(2).randbytes(90_000), robust=robust)[:102_000]
    (error,) = read_text(text.encode(), "f").damaged
    assert error.code == "armour.truncated"


@pytest.mark.plan("M37")
def test_mails_lost_or_out_of_order_give_what_came() -> None:
    turns = [b"turn %d" % number for number in range(6)]
    mails = [Letter(armour.encode(turn)) for turn in turns]
    for order in permutations(range(6), 4):
        reading = read_text(mailbox_of(*(mails[number].to_bytes() for number in order)), "f")
        assert [found.payload for found in reading.payloads] == [turns[number] for number in order]
        assert reading.damaged == ()
