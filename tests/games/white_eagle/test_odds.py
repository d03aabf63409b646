"""Exact chances of a combat: by hand, and against all dice there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from pbem.engine.chances import distribution
from pbem.games.white_eagle.odds import experiments
from pbem.games.white_eagle.state import State
from pbem.rules.play import Rolling
from pbem.rules.refusal import Refused
from pbem.rules.ruleset import Experiment
from white_eagle.combat_ground import GROUND, attack
from white_eagle.positions import position, unit

FIELD = position(
    unit("GER-4th-1", "Alfa"),
    unit("GER-4th-3", "Alfa"),
    unit("GER-10th-1", "Bern"),
    unit("GER-3rd-1", "Fort"),
    unit("POL-Lodz-1", "Mitte"),
    unit("POL-Lodz-2", "Mitte"),
    unit("POL-Narew-1", "Fort"),
    forts={"Fort": 2},
)
WITH_CAVALRY = "attack Mitte with II Corps"
WITH_PANZERS = "attack Mitte with XIX Panzer, stuka support IV Corps against train"
SIEGE = "attack Fort with I Corps, XIX Panzer"
SORTIE = "sortie Fort"


def of(text: str, state: State = FIELD) -> Experiment:
    (experiment,) = experiments(GROUND, state, text)
    return experiment


def chances(experiment: Experiment) -> dict[str, Fraction]:
    return distribution(experiment.rule, experiment.result)


def means(experiment: Experiment) -> dict[str, Fraction]:
    """The mean of every measure, each counted by itself."""
    found = {}
    for measure in experiment.measures:
        values = distribution(experiment.rule, measure.value)
        found[measure.name] = sum((value * chance for value, chance in values.items()), Fraction(0))
    return found


# ---------------------------------------------------------------------- by hand


def test_one_corps_against_a_reduced_unit_by_hand() -> None:
    """The corps hits on 4 to 6, the unit on a 6; a hit eliminates it, and without one the corps goes back."""
    state = position(unit("GER-4th-1", "Alfa"), unit("POL-Lodz-1", "Mitte", reduced=True))
    experiment = of(WITH_CAVALRY, state)
    assert experiment.title == "German attack on Mitte: II Corps against Lodz INF"
    assert chances(experiment) == {
        "hits: 1 on the Polish side, 0 on the German one; Lodz INF eliminated; box taken": Fraction(15, 36),
        "hits: 1 on the Polish side, 1 on the German one; II Corps reduced; Lodz INF eliminated; box taken": Fraction(
            3, 36
        ),
        "hits: 0 on the Polish side, 0 on the German one; II Corps back to Alfa": Fraction(15, 36),
        "hits: 0 on the Polish side, 1 on the German one; II Corps reduced and back to Alfa": Fraction(3, 36),
    }
    assert means(experiment) == {
        "box taken": Fraction(1, 2),
        "hits on the Polish side": Fraction(1, 2),
        "hits on the German side": Fraction(1, 6),
    }


@pytest.mark.rule("white_eagle:8.3.b1")
def test_cavalry_first_by_hand() -> None:
    """Its hit, 1 in 3, lets the corps hit on 5 and 6 instead of 4 to 6; the infantry hits on 5 and 6 anyhow."""
    assert means(of(WITH_CAVALRY))["hits on the Polish side"] == Fraction(1, 3) * Fraction(1, 3) + Fraction(
        2, 3
    ) * Fraction(1, 2)


# ---------------------------------------------------------------------- against all dice


def every_roll(experiment: Experiment, most: int) -> dict[str, Fraction]:
    """The chances, counted over all faces of `most` dice; a combat that needs fewer leaves the last ones alone."""
    counted = Counter(experiment.result(rolled(experiment, dice)) for dice in product(range(1, 7), repeat=most))
    return {name: Fraction(ways, 6**most) for name, ways in counted.items()}


def rolled(experiment: Experiment, dice: Sequence[int]) -> Any:
    running, faces, response = experiment.rule(), list(dice), None
    try:
        while True:
            request = running.send(response)
            response = None
            if isinstance(request, Rolling):
                response = request.read(tuple(faces.pop(0) for _ in range(request.count)))
    except StopIteration as end:
        return end.value


@pytest.mark.rule("white_eagle:8.3.b1", "white_eagle:8.3.b2", "white_eagle:9.0.b3")
@pytest.mark.parametrize(
    ("text", "dice"),
    [(WITH_CAVALRY, 3), (WITH_PANZERS, 5), ("attack Mitte with XIX Panzer", 4), (SIEGE, 5), (SORTIE, 4)],
)
def test_chances_agree_with_all_dice(text: str, dice: int) -> None:
    """Cavalry, panzers with their doubles, supporting units and events, a siege from both sides."""
    experiment = of(text)
    assert chances(experiment) == every_roll(experiment, dice)


# ---------------------------------------------------------------------- which experiments


def test_titles_name_both_sides_with_events_and_support() -> None:
    assert of(WITH_PANZERS).title == (
        "German attack on Mitte: XIX Panzer, in support IV Corps with Ju 87 Stuka"
        " against Lodz INF, Lodz CAV with Armored Train"
    )
    assert of(SORTIE).title == "Polish sortie from Fort: the fort of Fort, Narew INF against I Corps"
    assert of("fire from Fort").title == "Polish sortie from Fort: the fort of Fort against I Corps"
    assert of("Mitte with II Corps").title == "German attack on Mitte: II Corps against Lodz INF, Lodz CAV"


@pytest.mark.rule("white_eagle:7.3.b3")
def test_who_may_not_enter_does_not_attack() -> None:
    state = position(unit("SOV-3rd-2", "Alfa"), unit("POL-Lodz-1", "Mitte"), soviets=True)
    with pytest.raises(Refused) as caught:
        experiments(GROUND, state, "attack Mitte with 3rd ARM")
    assert [(one.sentence(), one.hint) for one in caught.value.refusals] == [
        (
            "march.line: expected a box east of the German/Soviet Line for 3rd ARM, got Mitte in line 1, column 1 "
            "(7.3.b3)",
            "Soviet units never move west of that line",
        )
    ]


def test_one_experiment_for_each_line() -> None:
    assert len(experiments(GROUND, FIELD, f"{WITH_CAVALRY}\n# a comment\n{SORTIE}")) == 2


def test_units_that_stand_in_the_box_already_need_no_name() -> None:
    state = attack("GER-4th-1 Alfa", against=["POL-Lodz-1"])
    assert of("attack Mitte", state).title == "German attack on Mitte: II Corps against Lodz INF"


def test_a_breakdown_counts_when_its_command_is_activated() -> None:
    state = position(unit("GER-4th-1", "Alfa"), unit("POL-Lodz-1", "Mitte", reduced=True))
    slow = attack(against=["POL-Lodz-1*", "GER-4th-1 Alfa"], breakdown=True)
    assert means(of(WITH_CAVALRY, state))["box taken"] == Fraction(1, 2)
    assert means(of(WITH_CAVALRY, slow))["box taken"] == Fraction(1, 3)


def test_in_a_siege_the_question_is_whether_it_is_lifted() -> None:
    assert next(iter(means(of(SORTIE)))) == "siege lifted"
    assert any("siege lifted" in result for result in chances(of(SORTIE)))
    assert any("fort reduced" in result for result in chances(of("attack Fort with I Corps, XIX Panzer, II Corps")))


@pytest.mark.parametrize(
    ("text", "refusals"),
    [
        (
            "attack Mitte",
            [
                "odds.units: expected units that attack Mitte, got none in line 1, column 1 (8.0.p1)",
                "write 'with' and units; beside it stand II Corps, XIX Panzer, IV Corps",
            ],
        ),
        (
            "attack Warta",
            [
                "odds.units: expected units that attack Warta, got none in line 1, column 1 (8.0.p1)",
                "no unit that could attack stands beside it",
            ],
        ),
        (
            "launch the kraken",
            ["orders.unknown: expected the name of a box, got 'launch the kraken' in line 1, column 1"],
        ),
        (
            "recover II Corps",
            [
                "orders.kind: expected one order such as attack Łódź with stuka losses IV Corps advance Piotrków, "
                "got 'recover II Corps' in line 1, column 1"
            ],
        ),
        (
            "attack Alfa with XIX Panzer",
            [
                "battle.nobody: expected a box where units of German North can fight, got Alfa "
                "in line 1, column 1 (8.0.p1)",
                "possible are: attack Fort",
            ],
        ),
        (
            "# nothing",
            ["odds.empty: expected a combat such as attack Łódź with stuka losses IV Corps advance Piotrków, got none"],
        ),
        (
            "attack Warta with II Corps",
            [
                "odds.far: expected units in Warta or beside it, got II Corps in Alfa in line 1, column 1 (8.0.p1)",
                "beside it are Dom, Ende, Tor",
            ],
        ),
        ("sortie Mitte", ["odds.fort: expected a fort for a sortie, got Mitte in line 1, column 1 (9.0.p2)"]),
        (
            "attack Mitte with II Corps against sabotage",
            [
                "battle.event: expected an event that can be used in this combat in Mitte, got Sabotage"
                " in line 1, column 1 (5.1.b5)",
                "it is used before German movement, not in combat",
            ],
        ),
        (
            "attack Mitte with II Corps, IV Corps, I Corps",
            [
                "odds.far: expected units in Mitte or beside it, got I Corps in Fort in line 1, column 1 (8.0.p1)",
                "beside it are Alfa, Bern, Cham, Dom, Ende",
                "stack.type: expected at most 2 infantry in Mitte, got 3 in line 1, column 1 (7.1.b2)",
                "1 of II Corps, IV Corps, I Corps must go elsewhere",
            ],
        ),
        (
            "attack Fort with II Corps, Narew INF",
            ["orders.unknown: expected the name of a unit, got 'Narew INF' in line 1, column 28"],
        ),
        (
            "attack Mitte with III Corps",
            ["odds.unit: expected units on the map, got III Corps in line 1, column 1"],
        ),
    ],
)
def test_what_nobody_could_order_is_refused(text: str, refusals: list[str]) -> None:
    with pytest.raises(Refused) as caught:
        experiments(GROUND, FIELD, text)
    found = [part for one in caught.value.refusals for part in (one.sentence(), one.hint) if part]
    assert found == refusals
