"""Exact chances: from the very rules, weighted by counting."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import pytest

from engine.scripted import say
from pbem.app import catalogue
from pbem.engine import chances
from pbem.engine.chances import distribution
from pbem.engine.lab import Lab
from pbem.errors import BadRequest
from pbem.rules.play import Outcome, Rules, ask, checkpoint, draw, report, roll, total

ONE_CASE = "`pbem lab` adjudicates one case with the dice and answers that you give"
TOY = catalogue.ruleset("toy")
POSITION = """
stage bets
turn 1 of 1
weather fog
bag sun sun rain rain
north supply 2 points 0
north assault with 1
south supply 3 points 0
south hold with 0
"""


def same(value: object) -> object:
    return value


def test_two_dice() -> None:
    def rule() -> Rules[int]:
        return (yield from roll("a", 2, 6, total))

    counted = Counter(map(sum, product(range(1, 7), repeat=2)))
    assert distribution(rule, same) == {number: Fraction(ways, 36) for number, ways in counted.items()}


def test_readings_that_are_equal_are_one_branch() -> None:
    runs = []

    def rule() -> Rules[int]:
        first = yield from roll("a", 2, 6, total)
        runs.append(first)
        return first

    distribution(rule, same)
    assert sorted(runs) == list(range(2, 13))


def test_readings_that_cannot_be_hashed_are_branches_of_their_own() -> None:
    def rule() -> Rules[int]:
        faces, _ = yield from roll("a", 2, 6, lambda rolled: (list(rolled), "kept"))
        return sum(faces)

    assert distribution(rule, same)[7] == Fraction(6, 36)


def test_draws_without_replacement() -> None:
    chits = ("sun", "sun", "rain", "fog")

    def rule() -> Rules[tuple[str, ...]]:
        first = yield from draw("a", chits)
        left = list(chits)
        left.remove(first)
        second = yield from draw("b", left)
        yield from report("1", "both are drawn")
        yield from checkpoint("kept")
        return (first, second)

    counted = Counter((first, second) for first, second in permutations(chits, 2))
    assert distribution(rule, same) == {pair: Fraction(ways, 12) for pair, ways in counted.items()}


def test_items_that_mean_the_same_are_one_branch() -> None:
    seen = []

    def rule() -> Rules[str]:
        card = yield from draw("a", ("S2", "S3", "H2"), alike=lambda name: name[0])
        seen.append(card)
        return card[0]

    assert distribution(rule, same) == {"S": Fraction(2, 3), "H": Fraction(1, 3)}
    assert len(seen) == 2


def test_a_roll_can_decide_what_is_rolled_next() -> None:
    def rule() -> Rules[bool]:
        first = yield from roll("a", 1, 6, total)
        if first < 6:
            return False
        return (yield from roll("b", 1, 4, total)) == 4

    assert distribution(rule, same) == {True: Fraction(1, 24), False: Fraction(23, 24)}


def test_what_is_certain_is_certain() -> None:
    def rule() -> Rules[str]:
        yield from report("1", "nothing is rolled")
        return "done"

    assert distribution(rule, same) == {"done": Fraction(1)}


def test_a_question_cannot_be_weighed() -> None:
    def rule() -> Rules[str]:
        yield from ask("asked", say())
        return "done"

    with pytest.raises(BadRequest) as told:
        distribution(rule, same)
    assert (str(told.value), told.value.hint) == (
        "odds.question: expected orders that leave no question open, got some that do",
        ONE_CASE,
    )


def test_chances_without_an_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit stands too high for a test: it is lowered."""
    monkeypatch.setattr(chances, "MAX_BRANCHES", 1000)

    def rule() -> Rules[str]:
        while True:
            yield from roll("a", 1, 6, total)

    with pytest.raises(BadRequest) as told:
        distribution(rule, same)
    assert (str(told.value), told.value.hint) == (
        "odds.too_many: expected at most 1000 ways to fall, got more",
        ONE_CASE,
    )


@pytest.mark.parametrize(("stake", "across"), [(0, Fraction(10, 36)), (1, Fraction(15, 36)), (3, Fraction(26, 36))])
def test_the_chances_of_an_assault(stake: int, across: Fraction) -> None:
    """In fog a total of 9 is needed, less what is staked (2.4)."""
    (experiment,) = TOY.experiments(TOY.read_position(POSITION), f"north assault with {stake}")
    assert experiment.title == f"north assault with {stake}"
    assert distribution(experiment.rule, experiment.result) == {"across": across, "thrown back": 1 - across}


def test_the_laboratory_finds_what_the_chances_say() -> None:
    state = TOY.read_position(POSITION)
    (experiment,) = TOY.experiments(state, "north assault with 1")
    counted = Counter(_points(f"{one},{other}") for one, other in product(range(1, 7), repeat=2))
    chances = distribution(experiment.rule, experiment.result)
    assert chances == {"across": Fraction(counted[1], 36), "thrown back": Fraction(counted[0], 36)}


def _points(dice: str) -> int:
    result = Lab(TOY, TOY.read_position(POSITION), ["bet 0"], dice.split(",")).run()
    assert isinstance(result.outcome, Outcome)
    return int(result.outcome.text.split()[2])
