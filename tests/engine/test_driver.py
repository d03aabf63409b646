"""The driver: when dice are live, what a label is worth, what the trace holds."""

from __future__ import annotations

from typing import Any

import pytest

from engine.scripted import END, NORTH, SOUTH, Say, Script, Scripted, say
from pbem.engine.driver import Driver, Line, LiveDice, NeedsEntropy, RollRecord
from pbem.log import dice
from pbem.rules.play import (
    Asking,
    Opening,
    Outcome,
    Rules,
    Sealed,
    as_they_fall,
    ask,
    ask_together,
    checkpoint,
    draw,
    open_sealed,
    report,
    roll,
    seal,
    total,
)

KEY = bytes(range(32))
OTHER = bytes(32)


def driven(script: Script) -> Driver[Any]:
    driver: Driver[Any] = Driver(Scripted(script), "begin")
    driver.start(1)
    return driver


def two_rolls(_: Any) -> Rules[Outcome]:
    yield from roll("a", 3, 6, as_they_fall)
    yield from report("1", "between")
    yield from checkpoint("kept")
    yield from roll("b", 2, 6, as_they_fall)
    return END


def test_dice_stay_live_over_reports_and_checkpoints() -> None:
    driver = driven(two_rolls)
    driver.roll(LiveDice(KEY, 2))
    assert driver.waiting == END
    assert driver.rolls == [
        RollRecord(2, "a", 3, 6, dice.faces(KEY, "a", 3, 6)),
        RollRecord(2, "b", 2, 6, dice.faces(KEY, "b", 2, 6)),
    ]
    assert [one.id for one in driver.rolls] == ["2:a", "2:b"]


@pytest.mark.plan("A42")
@pytest.mark.parametrize("how", ["answer", "seal", "open"])
def test_dice_die_when_anything_is_asked(how: str) -> None:
    def script(_: Any) -> Rules[Outcome]:
        yield from roll("a", 1, 6, total)
        if how == "answer":
            yield from ask("asked", say())
        elif how == "seal":
            yield from seal("asked", say())
        else:
            yield from open_sealed("asked", (Sealed(NORTH, "say", 1, "00" * 32),), (say(),))
        yield from roll("a", 1, 6, total)
        return END

    driver = driven(script)
    driver.roll(LiveDice(KEY, 2))
    assert isinstance(driver.waiting, Opening if how == "open" else Asking)
    driver.supply((Say(number=4),), 3)
    assert isinstance(driver.waiting, NeedsEntropy)
    driver.roll(LiveDice(OTHER, 4))
    assert [(one.id, one.faces) for one in driver.rolls] == [
        ("2:a", dice.faces(KEY, "a", 1, 6)),
        ("4:a", dice.faces(OTHER, "a", 1, 6)),
    ]


@pytest.mark.plan("A40")
def test_a_label_used_twice_in_one_entropy_step_is_a_bug_of_the_game() -> None:
    def script(_: Any) -> Rules[Outcome]:
        yield from roll("a", 1, 6, total)
        yield from checkpoint("kept")
        yield from draw("a", (1, 2))
        return END

    driver = driven(script)
    with pytest.raises(ValueError, match=r"^the label 'a' is rolled twice at step 2$"):
        driver.roll(LiveDice(KEY, 2))


def test_labels_taken_before_a_checkpoint_stay_taken_behind_it() -> None:
    driver = driven(two_rolls)
    driver.roll(LiveDice(KEY, 2))
    state, live = driver.saved
    assert (state, live) == ("kept", LiveDice(KEY, 2, ["a"]))
    again = Driver(Scripted(two_rolls), state, live)
    with pytest.raises(ValueError, match="the label 'a' is rolled twice at step 2"):
        again.start(2)


@pytest.mark.plan("A50")
def test_the_order_of_rolls_changes_none_of_them() -> None:
    def script(labels: Any) -> Rules[Outcome]:
        for label in labels:
            yield from roll(label, 4, 10, as_they_fall)
        return END

    found = []
    for labels in ("abc", "cab"):
        driver: Driver[Any] = Driver(Scripted(script), labels)
        driver.start(1)
        driver.roll(LiveDice(KEY, 2))
        found.append({one.label: one.faces for one in driver.rolls})
    assert found[0] == found[1]


def test_a_draw_is_recorded_with_what_was_left() -> None:
    def script(_: Any) -> Rules[Outcome]:
        first = yield from draw("a", ("sun", "rain", "fog"))
        yield from report("1", "{chit}", chit=first)
        return END

    driver = driven(script)
    driver.roll(LiveDice(KEY, 2))
    (face,) = dice.faces(KEY, "a", 1, 3)
    assert driver.rolls == [RollRecord(2, "a", 1, 3, (face,), ("sun", "rain", "fog"))]
    assert driver.lines == [Line(2, "1", ("sun", "rain", "fog")[face - 1])]


def test_a_rule_is_resumed_with_its_reading() -> None:
    def script(_: Any) -> Rules[Outcome]:
        read = yield from roll("a", 2, 6, total)
        return Outcome("", "1", str(read))

    driver = driven(script)
    driver.roll(LiveDice(KEY, 2))
    assert driver.waiting == Outcome("", "1", str(sum(dice.faces(KEY, "a", 2, 6))))


def test_those_who_are_asked_together_are_sealed_first_and_opened_then() -> None:
    def script(_: Any) -> Rules[Outcome]:
        yield from ask_together("asked", say(NORTH), say(SOUTH))
        return END

    driver = driven(script)
    assert isinstance(driver.waiting, Asking)
    assert driver.waiting.sealed
    driver.supply(sealed := (Sealed(NORTH, "say", 2, "aa" * 32), Sealed(SOUTH, "say", 2, "bb" * 32)), 2)
    assert isinstance(driver.waiting, Opening)
    assert driver.waiting.sealed == sealed
    driver.supply((Say(), Say()), 3)
    assert driver.waiting == END


def told(*texts: str, kept: str = "") -> bytes:
    def script(_: Any) -> Rules[Outcome]:
        for text in texts:
            yield from report("1", "{text}", text=text)
            if text == kept:
                yield from checkpoint("begin")
        yield from ask("begin", say())
        return END

    return driven(script).state_digest()


@pytest.mark.plan("A27")
def test_two_programs_that_tell_different_things_have_different_digests() -> None:
    assert len({told(), told("a"), told("b"), told("a", "b"), told("b", "a"), told("ab")}) == 6


def test_a_checkpoint_forgets_what_was_told_before() -> None:
    assert told("a", "b", kept="b") == told() != told("a", "b", kept="a") == told("b")


@pytest.mark.plan("A27")
def test_a_roll_is_in_the_digest() -> None:
    def script(_: Any) -> Rules[Outcome]:
        yield from roll("a", 1, 6, lambda _: 0)
        yield from ask("asked", say())
        return END

    digests = set()
    for key in (KEY, OTHER, KEY):
        driver = driven(script)
        driver.roll(LiveDice(key, 2))
        digests.add(driver.state_digest())
    assert len({dice.faces(key, "a", 1, 6) for key in (KEY, OTHER)}) == len(digests) == 2


def reported(text: str, **facts: str | int) -> str:
    """The state digest after one report."""

    def script(_: Any) -> Rules[Outcome]:
        yield from report("5.1", text, **facts)
        yield from roll("a", 1, 6, total)
        return END

    return driven(script).state_digest().hex()


def test_the_words_of_a_report_are_in_no_digest_but_its_facts_are() -> None:
    assert reported("{unit} moves to {area}", unit="A", area="B") == reported(
        "unit {unit} goes to {area}", area="B", unit="A"
    )
    assert reported("{unit} moves", unit="A") != reported("{unit} moves", unit="B")
