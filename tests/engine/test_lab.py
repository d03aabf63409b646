"""The laboratory: a position, sheets and given dice, adjudicated by the rules that play uses."""

from __future__ import annotations

import pytest

from pbem.app import catalogue
from pbem.engine.lab import Lab, LabResult
from pbem.errors import BadRequest
from pbem.rules.play import Outcome
from pbem.rules.refusal import Refused

TOY = catalogue.ruleset("toy")
BETS = """
stage bets
turn 1 of 1
weather rain
bag sun sun rain fog
north supply 2 points 0
north assault with 1
south supply 3 points 0
south assault with 0
"""
RESERVE = "north reserve sealed at step 2 as " + "ab" * 32


def lab(position: str, sheets: list[str], dice: str) -> LabResult[object]:
    return Lab(TOY, TOY.read_position(position), sheets, dice.split()).run()


def told(result: LabResult[object]) -> list[str]:
    return [f"{report.sentence()} ({report.rule})" for report in result.reports]


def test_a_turn_is_played_with_given_dice() -> None:
    result = lab(BETS, ["bet 2"], "3 2 6 1 5 6 1")
    assert told(result) == [
        "north bets 2 (2.3)",
        "north rolls 5 and crosses the ford (2.4)",
        "south rolls 7 and is thrown back (2.4)",
        "the flood takes 2 supply of each side (2.5)",
    ]
    assert result.outcome == Outcome("north", "3", "north has 1 points, south 0")
    assert TOY.position_lines(result.state) == (
        "stage opening",
        "turn 1 of 1",
        "bag sun sun rain fog",
        "north supply 0 points 1",
        "south supply 1 points 0",
    )
    assert (result.question, result.unused_dice, result.unused_sheets) == (None, (), 0)


def test_without_a_sheet_it_says_what_is_asked() -> None:
    result = lab(BETS, [], "3 2")
    assert result.question is not None
    assert (result.question.role, result.question.kind) == ("north", "bet")
    assert (result.outcome, result.unused_dice, told(result)) == (None, ("3", "2"), [])


def test_it_stops_where_the_dice_run_out() -> None:
    result = lab(BETS, ["bet 2"], "3 2 6")
    assert told(result)[-1] == "north rolls 5 and crosses the ford (2.4)"
    assert (result.question, result.outcome) == (None, None)


def test_what_is_left_over_is_said() -> None:
    result = lab(BETS, ["bet 2", "bet 1"], "3 2 6 1 5 6 1 4")
    assert (result.unused_dice, result.unused_sheets) == (("4",), 1)


def test_a_chit_is_named() -> None:
    position = BETS.replace("stage bets", "stage weather").replace("weather rain\n", "")
    result = lab(position, [], "FOG")
    assert (told(result), result.question and result.question.kind) == (["turn 1: fog (2.1)"], "plan")
    with pytest.raises(BadRequest) as caught:
        lab(position, [], "snow")
    assert str(caught.value) == "lab.dice: expected one of sun, sun, rain, fog for '2.1/turn-1/weather', got 'snow'"


@pytest.mark.parametrize("face", ["0", "7", "-1", "x", "٣", "1.0", "9999999999999"])
def test_a_face_that_no_die_has_is_refused(face: str) -> None:
    with pytest.raises(BadRequest) as caught:
        lab(BETS, ["bet 2"], f"3 {face}")
    assert str(caught.value) == f"lab.dice: expected a face from 1 to 6 for '2.4/turn-1/north', got '{face}'"


def test_a_sheet_that_is_not_legal_is_refused() -> None:
    with pytest.raises(Refused) as caught:
        lab(BETS, ["# mine\nbet 3"], "")
    assert caught.value.refusals[0].sentence() == (
        "toy.supply: expected at most 2 supply, got 3 in line 2, column 1 (2.3)"
    )


def test_what_is_sealed_in_the_laboratory_is_opened_there() -> None:
    position = BETS.replace("stage bets", "stage plans")
    result = lab(position, ["assault with 1", "hold with 0", "bet 1"], "")
    assert told(result) == ["north: assault with 1 (2.2)", "south: hold with 0 (2.2)", "north bets 1 (2.3)"]


def test_a_seal_of_the_position_cannot_be_opened_in_a_laboratory() -> None:
    position = BETS.replace("stage bets", "stage opening") + RESERVE
    with pytest.raises(BadRequest) as caught:
        lab(position, [], "")
    assert str(caught.value) == "lab.sealed: expected a position without sealed answers, got one of north (reserve)"
    assert caught.value.hint == "begin at a position before it was sealed"
