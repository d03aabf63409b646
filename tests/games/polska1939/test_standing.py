"""Standing orders: what they answer in the enemy's phases and in the own ones, and which texts are none."""

from __future__ import annotations

from typing import Any

import pytest
from asked import MLAWA, RULES, asked

from pbem.games.polska1939.answers import (
    AirMissions,
    Answer,
    Attacks,
    BombLosses,
    Defence,
    LossOrder,
    Moves,
    SlovakSetup,
    Stand,
)
from pbem.games.polska1939.standing import FORMS
from pbem.games.polska1939.state import State
from pbem.log.event import Role
from pbem.rules.play import Question
from pbem.rules.refusal import Refused

POLISH, GERMAN = Role("polish"), Role("german")
BESIDE = "unit PL-INF-1 P20 13\n"
DEFENDING, DEFENDED = asked(f"phase II\n{MLAWA}{BESIDE}", ["attack Mława with all"])
BOMBS, BOMBED = asked(
    f"phase I\n{MLAWA}{BESIDE}", ["bomb Mława with BOM 1\nbomb Płońsk with BOM 2\nbomb Modlin with BOM 3\nno attacks"]
)


def answer(question: Question[Any], state: State, text: str) -> Answer | None:
    found = RULES.standing_answer(question, state, text)
    assert found is None or list(question.check(found)) == []
    return found


# ---------------------------------------------------------------------- in the enemy's phases


@pytest.mark.rule("polska1939:5.3.3")
@pytest.mark.parametrize(
    ("text", "stand"),
    [
        ("stand everywhere", Stand(area="P20", stay=True)),
        ("stand at Modlin, mlawa", Stand(area="P20", stay=True)),
        ("retreat everywhere", Stand(area="P20")),
        ("stand at Modlin\nretreat everywhere", Stand(area="P20")),
        ("stand everywhere\nlosses weakest", Stand(area="P20", stay=True, losses=("PL-INF-1", "PL-INF-20"))),
        ("stand everywhere\nlosses first 20 INF, 8 INF", Stand(area="P20", stay=True, losses=("PL-INF-20",))),
        ("stand everywhere\nlosses strongest\nlosses first 1 INF", Stand(area="P20", stay=True, losses=("PL-INF-1",))),
    ],
)
def test_an_attacked_area(text: str, stand: Stand) -> None:
    assert answer(DEFENDING, DEFENDED, text) == Defence(stands=(stand,))


@pytest.mark.rule("polska1939:5.3.1")
def test_a_retreat_goes_to_the_area_nearest_to_the_goal() -> None:
    found = answer(DEFENDING, DEFENDED, "retreat toward Warszawa")
    assert isinstance(found, Defence)
    distances = [RULES.data.board.distance(area, "P24") for area in found.stands[0].to]
    assert distances == sorted(distances)
    assert len(distances) > 1


def test_who_cannot_stay_retreats() -> None:
    open_field, state = asked("phase II\nunit DE-INF-11 P19 16\nunit PL-INF-8 P22 12\n", ["attack P22 with all"])
    assert answer(open_field, state, "stand everywhere") == Defence(stands=(Stand(area="P22"),))


def test_an_area_that_no_line_names_is_asked() -> None:
    assert answer(DEFENDING, DEFENDED, "stand at Modlin") is None
    assert answer(DEFENDING, DEFENDED, "losses strongest") is None
    assert answer(DEFENDING, DEFENDED, "stand at Modlin\npass always") == Defence()


@pytest.mark.rule("polska1939:6.1.4")
@pytest.mark.parametrize(
    ("text", "areas"),
    [
        ("losses strongest", ()),
        ("losses weakest", (LossOrder(area="P20", first=("PL-INF-1", "PL-INF-20")),)),
        ("losses first 1 INF", (LossOrder(area="P20", first=("PL-INF-1",)),)),
        ("losses first 8 INF", ()),
    ],
)
def test_losses_under_bombs(text: str, areas: tuple[LossOrder, ...]) -> None:
    assert answer(BOMBS, BOMBED, text) == BombLosses(areas=areas)


@pytest.mark.rule("polska1939:4.1.11")
def test_4_1_11_all_units_of_a_side_may_stand_in_a_bombed_area() -> None:
    units = RULES.data.forces.units.values()
    poles = [kind for kind in units if kind.nation == "PL" and kind.maximum]
    lines = "".join(f"unit {kind.id} P20 {kind.maximum}\n" for kind in poles)
    bombs, bombed = asked(f"phase I\n{lines}unit DE-HQ-I G13 0\n", ["bomb Mława with BOM 1"])
    found = answer(bombs, bombed, "losses weakest")
    assert len(poles) > 90
    assert isinstance(found, BombLosses)
    assert len(found.areas[0].first) == len(poles)


def test_losses_under_bombs_are_asked_without_a_line_about_losses() -> None:
    assert answer(BOMBS, BOMBED, "stand everywhere") is None


# ---------------------------------------------------------------------- in own phases


@pytest.mark.parametrize(
    ("phase", "text", "expected"),
    [
        ("I", "no bombs", AirMissions()),
        ("I", "bomb never", AirMissions()),
        ("I", "no attacks", None),
        ("II", "no attacks", Attacks()),
        ("II", "attack never", Attacks()),
        ("II", "hold", None),
        ("III", "hold", Moves()),
        ("III", "no moves", Moves()),
        ("III", "stand everywhere", None),
        ("III", "pass always", Moves()),
    ],
)
def test_own_phases_are_passed(phase: str, text: str, expected: Answer | None) -> None:
    question, state = asked(f"phase {phase}\n{MLAWA}")
    assert answer(question, state, text) == expected


def test_pass_always_places_the_slovaks_where_the_set_up_says() -> None:
    question, state = asked("phase setup\n")
    found = answer(question, state, "pass always")
    assert isinstance(found, SlovakSetup)
    assert found == question.default


# ---------------------------------------------------------------------- texts


def refusals(role: Role, text: str) -> list[str]:
    with pytest.raises(Refused) as caught:
        RULES.check_standing(role, text)
    return [part for one in caught.value.refusals for part in (one.sentence(), one.hint) if part]


def test_every_form_is_a_standing_order() -> None:
    lines = [line.removeprefix("# ").split("   ")[0] for line in FORMS if "   # " in line]
    assert len(lines) == 11
    for line in lines:
        RULES.check_standing(POLISH, line)
    for text in (
        "",
        "  \n",
        "STAND  everywhere",
        "> stand at mlawa and modlin",
        "stand everywhere\nretreat toward Lwów",
    ):
        RULES.check_standing(POLISH, text)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "launch the kraken",
            [
                "orders.standing: expected a standing order such as stand everywhere / retreat toward Warszawa / "
                "losses strongest / no attacks / hold / pass always, "
                "got 'launch the kraken' in line 1, column 1"
            ],
        ),
        (
            "# nothing",
            [
                "orders.standing_empty: expected a standing order such as stand everywhere / retreat toward Warszawa / "
                "losses strongest / no attacks / hold / pass always, got a text without one",
                "take the mark '#' away from a line; a text with nothing in it takes standing orders back",
            ],
        ),
        (
            "stand at Mlwa",
            [
                "orders.unknown: expected the name of an area, got 'Mlwa' in line 1, column 10",
                "did you mean Mława or Oława?",
            ],
        ),
        (
            "losses first 8 INF, 99 INF",
            [
                "orders.unknown: expected the name of a unit, got '99 INF' in line 1, column 21",
                "did you mean 9 INF or 39 INF or 29 INF?",
            ],
        ),
        (
            "hold\nstand everywhere\nretreat everywhere",
            [
                "orders.standing_twice: expected lines that agree with 'stand everywhere', "
                "got 'retreat everywhere' in line 3, column 1"
            ],
        ),
        (
            "losses weakest\nlosses strongest",
            [
                "orders.standing_twice: expected lines that agree with 'losses weakest', "
                "got 'losses strongest' in line 2, column 1"
            ],
        ),
        (
            "stand at Modlin\nstand everywhere",
            [
                "orders.standing_twice: expected lines that agree with 'stand at Modlin', "
                "got 'stand everywhere' in line 2, column 1"
            ],
        ),
        (
            "hold\nno moves",
            ["orders.standing_twice: expected lines that agree with 'hold', got 'no moves' in line 2, column 1"],
        ),
        (
            "intercept Warszawa",
            [
                "orders.standing_sealed: expected a standing order about something that is answered in the open, "
                "got 'intercept Warszawa' in line 1, column 1",
                "intercepts are sealed, and what is sealed is always asked",
            ],
        ),
        (
            "no raids",
            [
                "orders.standing_sealed: expected a standing order about something that is answered in the open, "
                "got 'no raids' in line 1, column 1",
                "raids are sealed, and what is sealed is always asked",
            ],
        ),
    ],
)
def test_what_is_no_standing_order(text: str, sentences: list[str]) -> None:
    assert refusals(POLISH, text) == sentences


def test_units_are_those_of_the_side_that_orders() -> None:
    RULES.check_standing(GERMAN, "losses first Kempf, 4 ARM SU")
    assert refusals(POLISH, "losses first Kempf") == [
        "orders.unknown: expected the name of a unit, got 'Kempf' in line 1, column 14"
    ]


@pytest.mark.parametrize(
    ("role", "text"),
    [
        (GERMAN, "stand everywhere\nlosses strongest\n"),
        (POLISH, "stand everywhere\nretreat toward Warszawa\nlosses strongest\n"),
    ],
)
def test_what_is_routine_is_never_asked_in_the_enemys_phases(role: Role, text: str) -> None:
    assert RULES.routine(role) == text
    RULES.check_standing(role, text)
    assert (answer(DEFENDING, DEFENDED, text), answer(BOMBS, BOMBED, text)) != (None, None)
