"""Exact chances of an attack: by hand, and against all dice there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from combat_ground import GROUND, field, unit

from pbem.engine.chances import distribution
from pbem.games.polska1939.odds import experiments
from pbem.games.polska1939.state import State
from pbem.rules.play import Rolling, Rules
from pbem.rules.refusal import Refused
from pbem.rules.ruleset import Experiment

MLAWA = field(
    unit("PL-INF-20", "P20", 15),
    unit("DE-INF-11", "G13", 15),
    unit("DE-INF-61", "G13", 15),
    unit("DE-ARM-Kempf", "G13", 12),
)
"""The worked example of 5.1.1: rows 4-6, 13-16 for the Poles, 29-32 for the Germans."""
PAIR = (unit("DE-INF-1", "G16", 16), unit("DE-INF-11", "G16", 16))
OPEN = field(unit("PL-INF-20", "P40", 2), unit("PL-HQ-Lublin", "P40"), *PAIR)


def chances(experiment: Experiment) -> dict[str, Fraction]:
    return distribution(experiment.rule, experiment.result)


def means(experiment: Experiment) -> dict[str, Fraction]:
    """The mean of every measure, each counted by itself."""
    found = {}
    for measure in experiment.measures:
        values = distribution(experiment.rule, measure.value)
        found[measure.name] = sum((value * chance for value, chance in values.items()), Fraction(0))
    return found


def titles(state: State, text: str) -> list[str]:
    return [one.title for one in experiments(GROUND, state, text)]


# ---------------------------------------------------------------------- by hand


@pytest.mark.rule("polska1939:5.1.1.example", "polska1939:5.4.2")
def test_the_worked_example_by_hand() -> None:
    """D1R on a 2, D1 on 3 to 6, AR on a 12; 21 of 36 cost the Poles 1 SP, 2 cost the Germans 2, a 12 nothing."""
    retreats, stays = (chances(one) for one in experiments(GROUND, MLAWA, "attack P20 with 11 INF, 61 INF, Kempf"))
    results = {"D1R": 1, "D1": 2 + 3 + 4 + 5, "no effect": 6 + 5 + 4 + 3 + 2, "AR": 1}
    german, polish = {2: 1, 1: 34, 0: 1}, {1: 21, 0: 15}
    expected = {
        f"{result}: attacker loses {own} SP, defender {lost} SP{', area taken' if 'D1' in result else ''}": Fraction(
            results[result] * german[own] * polish[lost], 36**3
        )
        for result, own, lost in product(results, german, polish)
    }
    assert retreats == expected
    staying: Counter[str] = Counter()
    for result, own, lost in product(results, german, polish):
        price = lost + 1 if "D1" in result else lost
        ways = results[result] * german[own] * polish[lost]
        staying[f"{result}: attacker loses {own} SP, defender {price} SP"] += ways
    assert stays == {name: Fraction(ways, 36**3) for name, ways in staying.items()}


# ---------------------------------------------------------------------- against all dice


def every_roll(experiment: Experiment) -> dict[str, Fraction]:
    """The chances, counted over all faces of all six dice."""
    pairs = list(product(range(1, 7), repeat=2))
    counted = Counter(experiment.result(rolled(experiment.rule, dice)) for dice in product(pairs, repeat=3))
    return {name: Fraction(ways, 36**3) for name, ways in counted.items()}


def rolled(rule: Callable[[], Rules[Any]], dice: tuple[tuple[int, ...], ...]) -> Any:
    running, faces, response = rule(), iter(dice), None
    try:
        while True:
            request = running.send(response)
            response = request.read(next(faces)) if isinstance(request, Rolling) else None
    except StopIteration as end:
        return end.value


@pytest.mark.parametrize(
    ("state", "text"), [(MLAWA, "attack P20 with 11 INF, 61 INF, Kempf"), (OPEN, "attack P40 with 1 INF, 11 INF")]
)
def test_chances_agree_with_all_dice(state: State, text: str) -> None:
    """36 x 36 x 36 rolls, fed to the rule one by one."""
    experiment = experiments(GROUND, state, text)[-1]
    assert chances(experiment) == every_roll(experiment)


def test_the_means_of_the_worked_example_by_hand() -> None:
    """Taken on a D1: 15 of 36; the Germans lose 1 SP in 34 of 36 rolls and 2 in one; the Poles 1 in 21 of 36."""
    (experiment, staying) = experiments(GROUND, MLAWA, "attack P20 with 11 INF, 61 INF, Kempf")
    assert means(experiment) == {
        "area taken": Fraction(15, 36),
        "attacker loses": Fraction(36, 36),
        "defender loses": Fraction(21, 36),
    }
    assert means(staying) == {
        "area taken": Fraction(0),
        "attacker loses": Fraction(36, 36),
        "defender loses": Fraction(21 + 15, 36),
    }


# ---------------------------------------------------------------------- which experiments


def test_a_sensible_defence_is_an_experiment() -> None:
    assert titles(MLAWA, "attack P20 with 11 INF, 61 INF, Kempf") == [
        "German attack on AreaP20 (P20): 32 against 15 SP, modifier -4, row 4-6; the defender retreats",
        "German attack on AreaP20 (P20): 32 against 15 SP, modifier -4, row 4-6; the defender stays",
    ]
    assert titles(OPEN, "attack P40 with 1 INF, 11 INF") == [
        "German attack on AreaP40 (P40): 32 against 3 SP, modifier 0, row 23-30"
    ]


def test_the_verb_of_an_attack_may_be_left_out() -> None:
    for text in ("P40 with 1 INF, 11 INF", "  AreaP40 with 1 INF, 11 INF", "attack P40 with 1 INF, 11 INF"):
        assert titles(OPEN, text) == ["German attack on AreaP40 (P40): 32 against 3 SP, modifier 0, row 23-30"]


@pytest.mark.rule("polska1939:12.1.1")
def test_12_1_1_soviets_have_no_choice() -> None:
    state = field(unit("SU-INF-2", "P40"), unit("PL-INF-8", "P41"), day=20, phase=5, forts={"P40": 2})
    assert len(titles(state, "attack P40 with 8 INF")) == 1


def test_who_cannot_retreat_has_no_choice() -> None:
    state = field(unit("PL-INF-20", "P70"), *PAIR, unit("DE-INF-12", "G17"), forts={"P70": 2})
    assert len(titles(state, "attack P70 with 1 INF")) == 1


@pytest.mark.parametrize(
    ("phase", "text", "side"),
    [
        (1, "attack P44 with 1 INF", "German"),
        (2, "attack P44 with 1 INF", "German"),
        (3, "attack G16 with 27 INF", "Polish"),
        (5, "attack G16 with 27 INF", "Polish"),
        (6, "attack P44 with 1 INF", "German"),
    ],
)
def test_out_of_the_attack_phases_the_units_say_who_attacks(phase: int, text: str, side: str) -> None:
    """Both sides have a 1 INF; the Polish one could not attack Poles."""
    units = (unit("PL-INF-27", "P44", 14), unit("PL-INF-1", "P41", 13), unit("DE-INF-1", "G16", 12))
    (found,) = titles(field(*units, phase=phase), text)
    assert found.startswith(f"{side} attack on ")


def test_in_an_attack_phase_only_its_side_attacks() -> None:
    state = field(unit("PL-INF-27", "P44", 14), unit("DE-INF-1", "G16", 12))
    with pytest.raises(Refused):
        experiments(GROUND, state, "attack G16 with 27 INF")


def test_several_attacks_are_each_told_of() -> None:
    state = field(unit("PL-INF-20", "P40", 2), unit("PL-INF-8", "P44", 12), *PAIR)
    found = titles(state, "# two\nattack P40 with 1 INF\nattack P44 with 11 INF\n")
    assert [title.split(":")[0] for title in found] == [
        "German attack on AreaP40 (P40)",
        "German attack on AreaP44 (P44)",
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "",
            'odds.empty: expected an attack such as attack Mława with 11 INF, "Kempf" ARM support HQ I air 1, got none',
        ),
        (
            "\n  attack P44 with 1 INF",
            "attack.target: expected an area with enemy units, got AreaP44 (P44) in line 2, column 3 (5.2.3)",
        ),
        (
            "attack P40 with Kempf",
            'attack.unit: expected a German unit on the map, got "Kempf" ARM in line 1, column 1 (5.1.1)',
        ),
        (
            "  P40 with the kraken",
            "orders.unknown: expected the name of a unit, got 'the kraken' in line 1, column 12",
        ),
        (
            "atack P40 with 1 INF",
            'orders.unreadable: expected an order such as attack Mława with 11 INF, "Kempf" ARM support HQ I air 1, '
            "got 'atack' in line 1, column 1",
        ),
    ],
)
def test_what_has_no_odds(text: str, sentence: str) -> None:
    with pytest.raises(Refused) as caught:
        experiments(GROUND, OPEN, text)
    assert [refusal.sentence() for refusal in caught.value.refusals] == [sentence]


def test_an_order_of_another_kind_has_no_odds() -> None:
    with pytest.raises(Refused) as caught:
        experiments(GROUND, OPEN, "move 1 INF to P44")
    assert [refusal.sentence() for refusal in caught.value.refusals] == [
        'orders.kind: expected one order such as attack Mława with 11 INF, "Kempf" ARM support HQ I air 1, '
        "got 'move 1 INF to P44' in line 1, column 1"
    ]
