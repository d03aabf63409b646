"""The order language: what it says about what it does not take."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from asked import MLAWA, OPENING, RULES, asked, refused
from ordered import ATTACKING, MOVING, TO_ATTACK, TO_MOVE, question

from pbem.games.polska1939.answers import (
    AirMissions,
    AttackOrder,
    Attacks,
    BombLosses,
    Defence,
    Destinations,
    Intercepts,
    Moves,
    RailRaids,
    SlovakSetup,
)
from pbem.rules.phrases import made
from pbem.rules.play import Answer
from pbem.rules.refusal import Refused
from pbem.rules.sheet import SheetLine

REFUSED = tuple(Path(__file__).parent / name for name in ("refused_sheets.toml", "refused_kinds.toml"))
KINDS: dict[str, type[Answer]] = {
    model.kind: model
    for model in (AirMissions, Attacks, BombLosses, Defence, Destinations, Intercepts, Moves, RailRaids, SlovakSetup)
}


def sheets() -> list[dict[str, Any]]:
    """The fixtures of the files in `REFUSED`."""
    return [sheet for path in REFUSED for sheet in tomllib.loads(path.read_text(encoding="utf-8"))["sheet"]]


@pytest.mark.parametrize("sheet", sheets(), ids=lambda sheet: f"{sheet['kind']}: {sheet['orders'][:40]}")
def test_a_bad_sheet(sheet: dict[str, Any]) -> None:
    if sheet["position"] == "mlawa":
        assert refused(TO_ATTACK, ATTACKING, sheet["orders"]) == sheet["refusals"]
    else:
        assert refused(question(KINDS[sheet["kind"]], sheet["role"]), OPENING, sheet["orders"]) == sheet["refusals"]


def test_what_no_order_can_hold_is_refused_where_the_language_lets_it_pass() -> None:
    """No sheet that we know of leads there: the parts of an answer have bounds of their own."""
    line = SheetLine(3, 2, "attack Mława")
    told = []
    for bad in ({"air": 12}, {"units": ("DE-INF-11",) * 500}):
        with pytest.raises(Refused) as caught:
            made(AttackOrder, line, **{"target": "P20", "units": ("DE-INF-11",), **bad})
        told += [one.sentence() for one in caught.value.refusals]
    assert told == [
        "orders.form: expected other air, got: it is more than 9 in line 3, column 3",
        "orders.too_many: expected at most 400 units, got more in line 3, column 3",
    ]


def test_a_fault_that_two_lines_have_together_is_told_once() -> None:
    """One that a third line has by itself is told too."""
    state = RULES.read_position(f"phase I\nday 4\n{MLAWA}")
    missions, before = asked("\n".join(RULES.position_lines(state)), ["pass"])
    text = "bomb Mława with BOM 1\nbomb Mława with BOM 2\nbomb Warszawa with BOM 2"
    assert refused(missions, before, text) == [
        "air.crowded: expected one bomber in an area, got 2 in Mława (P20) in line 2 (6.1.1)",
        "a bomber and a support unit may go to one area",
        "air.target: expected an area with enemy units or trains for BOM 2, got Warszawa (P24) in line 3 (6.1.2)",
        "it can bomb Modlin (P23), Płońsk (P22), Mława (P20)",
        "air.twice: expected one mission of an air unit, got 2 of BOM 2 in line 3 (6.1.3)",
        "keep one of them",
    ]


def test_every_unreadable_line_is_named() -> None:
    text = "attack Mława with 11 INF\n# a comment\nattack Mlwa with all\nattack Mława with 98 INF"
    assert refused(TO_ATTACK, ATTACKING, text) == [
        "orders.unknown: expected the name of an area, got 'Mlwa' in line 3, column 8",
        "did you mean Mława or Oława?",
        "orders.unknown: expected the name of a unit, got '98 INF' in line 4, column 19",
        "did you mean 11 INF or 1 INF DE?",
    ]


def test_reasons_of_the_rules_name_the_line_of_the_order() -> None:
    text = "# what I want\nmove 27 INF to P48\n\nload Modlin ND\nmove Modlin HQ to Modlin"
    assert refused(TO_MOVE, MOVING, f"{text}, P61\n") == [
        "orders.unreadable: expected an order such as move 27 INF to P48 / load 24 INF / train 2 INF to Warszawa / "
        "join 9 INF at Koronowo / pass, got ',' in line 5, column 25"
    ]
    assert refused(TO_MOVE, MOVING, text) == [
        'load.train: expected a unit for which a train waits in its area, got "Modlin" ND in Modlin (P23) '
        "in line 4 (8.1.2)",
        "no train waits now",
        'move.here: expected another area for "Modlin" HQ, got Modlin (P23), where it stands in line 5 (4.1.1)',
        "leave the order out: units without one stay",
    ]


def test_reasons_against_attacks_behind_missions_name_their_line() -> None:
    here, state = asked(f"phase I\n{MLAWA}")
    bombs = "bomb Mława with BOM 1\nbomb Modlin with BOM 2\n"
    text = f"{bombs}attack Mława with 11 INF\nattack Mława with 61 INF\nbomb Lwów with BOM 3"
    assert refused(here, state, text) == [
        "attack.target_again: expected one attack on Mława (P20), got another in line 4 (5.2.7)",
        "air.target: expected an area with enemy units or trains for BOM 3, got Lwów (P97) in line 5 (6.1.2)",
        "it can bomb Modlin (P23), Płońsk (P22), Mława (P20)",
    ]


@pytest.mark.rule("polska1939:scenario.allies")
def test_slovaks_are_placed_once_and_all_of_them() -> None:
    question, state = asked("phase setup\n")
    text = "place 1 INF SK in Koszyce\nplace 1 INF SK, 2 INF SK in Trzciana"
    assert refused(question, state, text) == [
        "setup.slovak_unit: expected each Slovak unit once, got 1 INF SK in line 1 (scenario.allies)",
        "setup.slovak_unit: expected each Slovak unit once, got 1 INF SK in line 2 (scenario.allies)",
        "setup.slovak_missing: expected a place for each Slovak unit, got none for ARM-BR SK, 3 INF SK "
        "(scenario.allies)",
    ]


@pytest.mark.parametrize(
    ("model", "form"), [(SlovakSetup, "place 1 INF in G47"), (Destinations, "destination 24 INF Tarnów")]
)
def test_what_cannot_be_passed_is_not_passed(model: type[Answer], form: str) -> None:
    assert refused(question(model), OPENING, "pass") == [
        f"orders.kind: expected an order such as {form}, got 'pass' in line 1, column 1"
    ]
    assert refused(question(model), OPENING, "") == [
        f"orders.empty: expected an order such as {form}, got none",
        "take the mark '#' away from a line of the sheet",
    ]
