"""Rulings that no section's own tests show: commands, copies of chits, turns of counters, fights after a retreat."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.games.white_eagle.kinds import ChitKind, Command
from pbem.games.white_eagle.s9_siege import activated
from white_eagle.combat_ground import attack, fought, places, resolved
from white_eagle.positions import DATA

NORTH, CENTRAL, SOUTH = Command.POLISH_NORTH, Command.POLISH_CENTRAL, Command.POLISH_SOUTH


@pytest.mark.rule("white_eagle:3.1.b10")
def test_ruling_2_1_the_slovak_is_activated_with_german_south() -> None:
    (slovak,) = [unit for unit in DATA.forces.units.values() if unit.id.startswith("SLO")]
    assert slovak.command is Command.GERMAN_SOUTH
    assert all(chit.command is None or "SLO" not in chit.command for chit in DATA.forces.chits.values())


@pytest.mark.rule("white_eagle:9.0.p2")
def test_ruling_2_2_a_fort_is_of_the_command_of_its_region() -> None:
    assert {box: Command(DATA.board.boxes[box].fort) for box in DATA.board.forts} == {
        **dict.fromkeys(("Konigsberg", "Lotzen"), Command.GERMAN_NORTH),
        **dict.fromkeys(("Gdynia", "Torun", "Modlin", "Lomza"), NORTH),
        "Brzesc-Litewski": CENTRAL,
        **dict.fromkeys(("Katowice", "Przemysl"), SOUTH),
    }


@pytest.mark.rule("white_eagle:5.1.p1")
def test_ruling_2_3_one_chit_of_each_event() -> None:
    events = [chit.event for chit in DATA.forces.chits.values() if chit.kind is ChitKind.EVENT]
    assert set(Counter(events).values()) == {1}
    assert len(events) == 6


@pytest.mark.rule("white_eagle:3.1.p11", "white_eagle:4.3.b4")
def test_ruling_3_1_the_turns_on_which_reduced_poles_are_turned_over() -> None:
    reduced = [row.unit for row in DATA.forces.placements if row.reduced]
    assert {unit: DATA.unit(unit).flips_on for unit in reduced} == {
        "POL-Wyszkow-1": 2,
        "POL-Karpaty-1": 2,
        "POL-Polesie-1": 3,
        "POL-Warszawa-1": 3,
        "POL-Warszawa-2": 3,
    }


@pytest.mark.rule("white_eagle:8.5.b1")
def test_ruling_8_14_attackers_who_went_back_attack_no_more_and_defenders_defend_again() -> None:
    beaten = resolved(fought(attack("GER-4th-1 Alfa", against=["POL-Lodz-1"]), 1, 1)).state
    assert (activated(beaten).idle, places(beaten)["GER-4th-1"]) == (("GER-4th-1",), "Alfa")
    won = resolved(fought(attack("GER-4th-1 Alfa", against=["POL-Lodz-1"]), 4, 1)).state
    assert (activated(won).idle, places(won)["POL-Lodz-1"]) == (("GER-4th-1",), "Dom*")
