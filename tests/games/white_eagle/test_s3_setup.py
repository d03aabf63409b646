"""Set-up (3.0 to 3.2): the position in which the first command begins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.games.white_eagle.kinds import Side
from pbem.games.white_eagle.s3_setup import is_unmobilised
from pbem.games.white_eagle.s6_victory import victory_points
from pbem.games.white_eagle.state import Activation, Stage, State
from white_eagle.positions import DATA, OPENING, unit


@pytest.mark.rule("white_eagle:3.0.p1", "white_eagle:3.0.b1", "white_eagle:3.0.b2", "white_eagle:3.0.b3")
def test_3_0_markers_before_the_first_activation() -> None:
    bare = replace(OPENING, units={}, forts={}, held=(), cup=(), pulled=())
    assert bare == State(
        scenario="campaign",
        turn=1,
        units={},
        forts={},
        held=(),
        cup=(),
        stage=Stage.PULL,
        breakdowns=0,
        recovered=(),
        activation=Activation("GER-North", asked=True),
    )
    assert DATA.date(OPENING.turn) == "1 September to 4 September"


@pytest.mark.rule("white_eagle:3.0.b4", "white_eagle:6.0.p1")
def test_3_0_one_control_marker_in_danzig_and_eleven_on_the_track() -> None:
    assert OPENING.held == ("Danzig",)
    assert victory_points(DATA, OPENING) == 1
    assert sum(box.victory for box in DATA.board.boxes.values()) - 1 == 11


@pytest.mark.rule("white_eagle:3.0.b5")
def test_3_0_every_fort_at_full_strength() -> None:
    assert OPENING.forts == dict.fromkeys(DATA.board.forts, 2)
    assert {"Gdynia", "Konigsberg", "Lotzen"} < set(OPENING.forts)


@pytest.mark.parametrize(
    ("command", "army", "count", "box"),
    [
        pytest.param("GER-North", "3rd", 3, "Allenstein", marks=pytest.mark.rule("white_eagle:3.1.b1")),
        pytest.param("GER-North", "4th", 3, "Neustettin", marks=pytest.mark.rule("white_eagle:3.1.b2")),
        pytest.param("GER-North", "AGN", 2, "Neustettin", marks=pytest.mark.rule("white_eagle:3.1.b3")),
        pytest.param("GER-South", "8th", 1, "Breslau", marks=pytest.mark.rule("white_eagle:3.1.b4")),
        pytest.param("GER-South", "10th", 4, "Neisse", marks=pytest.mark.rule("white_eagle:3.1.b5")),
        pytest.param("GER-South", "14th", 3, "Neutitschein", marks=pytest.mark.rule("white_eagle:3.1.b6")),
        pytest.param("GER-South", "AGS", 2, "Neisse", marks=pytest.mark.rule("white_eagle:3.1.b7")),
        pytest.param("SOV-Belorussian", "", 10, "Minsk", marks=pytest.mark.rule("white_eagle:3.1.b8")),
        pytest.param("SOV-Ukrainian", "", 6, "Proskurov", marks=pytest.mark.rule("white_eagle:3.1.b9")),
        pytest.param("GER-South", "Bernolak", 1, "Presov", marks=pytest.mark.rule("white_eagle:3.1.b10")),
        pytest.param("POL-North", "Pomorze", 2, "Grudziadz", marks=pytest.mark.rule("white_eagle:3.1.b11")),
        pytest.param("POL-North", "Modlin", 2, "Mlawa", marks=pytest.mark.rule("white_eagle:3.1.b12")),
        pytest.param("POL-North", "Narew", 2, "Lomza", marks=pytest.mark.rule("white_eagle:3.1.b13")),
        pytest.param("POL-North", "Wyszkow", 1, "Wilno", marks=pytest.mark.rule("white_eagle:3.1.b14")),
        pytest.param("POL-Central", "Poznan", 2, "Poznan", marks=pytest.mark.rule("white_eagle:3.1.b15")),
        pytest.param("POL-Central", "Lodz", 2, "Lodz", marks=pytest.mark.rule("white_eagle:3.1.b16")),
        pytest.param("POL-Central", "Prusy", 2, "Radom", marks=pytest.mark.rule("white_eagle:3.1.b17")),
        pytest.param("POL-Central", "Polesie", 1, "Pinsk", marks=pytest.mark.rule("white_eagle:3.1.b18")),
        pytest.param("POL-Central", "Warszawa", 2, "Warszawa", marks=pytest.mark.rule("white_eagle:3.1.b19")),
        pytest.param("POL-South", "Krakow", 3, "Krakow", marks=pytest.mark.rule("white_eagle:3.1.b20")),
        pytest.param("POL-South", "Karpaty", 1, "Przemysl", marks=pytest.mark.rule("white_eagle:3.1.b21")),
    ],
)
def test_3_1_armies(command: str, army: str, count: int, box: str) -> None:
    names = [kind.id for kind in DATA.forces.units.values() if kind.command == command]
    units = [OPENING.units[name] for name in names if not army or DATA.unit(name).army == army]
    assert [one.box for one in units] == [box] * count


def test_3_1_fifty_five_units_in_all() -> None:
    sides = [kind.side for kind in DATA.forces.units.values()]
    assert (len(OPENING.units), sides.count(Side.GERMAN), sides.count(Side.POLISH)) == (55, 35, 20)


@pytest.mark.rule("white_eagle:3.1.p4")
def test_3_1_the_reserves_of_the_army_groups_move_from_turn_2_on() -> None:
    late = {row.unit: row.moves_from for row in DATA.forces.placements if row.moves_from > 1}
    assert late == dict.fromkeys(("GER-AGN-1", "GER-AGN-2", "GER-AGS-1", "GER-AGS-2"), 2)


@pytest.mark.rule("white_eagle:3.1.p11")
def test_3_1_five_polish_units_begin_reduced_and_know_their_turn() -> None:
    reduced = {one.id: DATA.unit(one.id).flips_on for one in OPENING.units.values() if one.reduced}
    assert sorted(reduced) == ["POL-Karpaty-1", "POL-Polesie-1", "POL-Warszawa-1", "POL-Warszawa-2", "POL-Wyszkow-1"]
    assert all(turn > 1 for turn in reduced.values())
    assert all(DATA.unit(name).flips_on == 0 for name in OPENING.units if name not in reduced)


@pytest.mark.rule("white_eagle:3.1.p11", "white_eagle:7.3.b5")
@pytest.mark.parametrize(
    ("name", "reduced", "expected"),
    [
        ("POL-Wyszkow-1", True, True),
        ("POL-Polesie-1", True, True),
        ("POL-Wyszkow-1", False, False),
        ("POL-Warszawa-1", True, False),
        ("GER-3rd-1", True, False),
    ],
)
def test_ruling_7_7_units_of_one_step_are_unmobilised_while_reduced(name: str, reduced: bool, expected: bool) -> None:
    assert is_unmobilised(DATA, unit(name, "Warszawa", reduced=reduced)) is expected


@pytest.mark.rule("white_eagle:3.2.b1")
def test_3_2_the_german_north_chit_is_drawn_already() -> None:
    assert OPENING.pulled == ("GER-North",)


@pytest.mark.rule("white_eagle:3.2.b2", "white_eagle:3.2.p2")
def test_3_2_the_cup_has_all_chits_but_german_north_and_the_soviet_ones() -> None:
    assert OPENING.cup == (
        *("GER-South", "POL-North", "POL-Central", "POL-South"),
        *("Luftwaffe", "Blitzkrieg", "Stuka", "Train", "Sabotage", "P11"),
        *("End-1", "End-2", "End-3", "End-4"),
    )
