"""Rulings that no section's own tests show: names and places of the set-up, what is open, what the tables decide."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from asked import RULES, asked
from combat_ground import GROUND, battle, faces, field, places, strengths, unit
from driven import drive
from positions import DATA, position, run

from pbem.engine.lab import Lab
from pbem.games.polska1939.answers import Moves, Stand
from pbem.games.polska1939.combat_tables import CombatResult
from pbem.games.polska1939.kinds import Kind
from pbem.games.polska1939.names import namer
from pbem.games.polska1939.s3_turns import one_phase
from pbem.games.polska1939.s4_movement import allowance
from pbem.games.polska1939.s5_combat import fight
from pbem.games.polska1939.s7_fixed import fortification
from pbem.games.polska1939.s12_scenario import opening_state
from pbem.games.polska1939.state import AreaId, Side, State
from pbem.rules.play import Asking

OPENING = opening_state(DATA, "campaign")


def named(unit: str) -> tuple[str, str, int]:
    """Name, type and maximum of a counter."""
    kind = DATA.unit(unit)
    return kind.name, kind.type.value, kind.maximum


def placed(unit: str) -> tuple[str, int]:
    """Where the set-up has a unit, and on which day."""
    (row,) = [row for row in DATA.forces.placements if row.unit == unit]
    return row.area, row.day


# ---------------------------------------------------------------------- basics, names and places


@pytest.mark.rule("polska1939:1.3")
def test_ruling_1_1_four_nations_have_units_and_areas() -> None:
    nations = {"PL", "DE", "SU", "SK"}
    assert {kind.nation.value for kind in DATA.forces.units.values()} == nations
    assert {area.country.value for area in DATA.board.areas.values()} == nations


POSITION = """
day 3
unit PL-INF-20 P20 17
unit PL-INF-3 P22 10 train came
unit PL-INF-24 P62 13
unit DE-INF-11 G13 16
train P62 PL-INF-24
"""


def test_ruling_1_2_units_are_open_and_three_things_are_secret() -> None:
    """A day on which both sides have secrets: what is asked in it in secret, and what openly."""
    german = ("pass", "no bombs\nattack Mława with 11 INF", "pass", "defend Mława stay", "pass")
    polish = ("pass", "no bombs\nno attacks", "load 24 INF", "destination 24 INF Tarnów")
    lab = Listening(RULES, RULES.read_position(POSITION), (*german, *polish), ["6"] * 6)
    lab.run()
    assert {kind for kind, secret in lab.kinds if secret} == {"intercepts", "rail_raids", "destinations"}
    assert {kind for kind, secret in lab.kinds if not secret} == {"air_missions", "defence", "moves"}
    question, state = asked(POSITION.replace("day 3\n", "day 3\nphase II\n"))
    assert any("20 INF" in line and "17" in line for line in RULES.order_sheet(question, state))


class Listening(Lab[State]):
    """A lab that notes every kind of question, and whether it is sealed."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.kinds: list[tuple[str, bool]] = []

    def _answer(self, request: Asking) -> Any:
        self.kinds += [(question.kind, request.sealed) for question in request.questions]
        return super()._answer(request)


@pytest.mark.rule("polska1939:2.0")
def test_ruling_2_1_the_brigade_in_skierniewice_is_wilenska() -> None:
    assert (named("PL-CAV-Wilenska"), DATA.unit("PL-CAV-Wilenska").code) == (('"Wileńska" CAV', "CAV", 4), "Wi")
    assert placed("PL-CAV-Wilenska") == ("P70", 1)
    assert placed("PL-CAV-Wolynska") == ("P46", 1)


@pytest.mark.rule("polska1939:2.0")
def test_ruling_2_2_the_brigades_viii_and_xiii_are_one() -> None:
    reserves = [row for row in DATA.forces.reinforcements if row.unit == "PL-INF-XIII-BR"]
    assert (named("PL-INF-XIII-BR"), len(reserves)) == (('"XIII" INF-BR', "INF", 5), 1)
    assert "PL-INF-VIII-BR" not in DATA.forces.units


@pytest.mark.rule("polska1939:2.0")
def test_ruling_2_3_dzisna_is_frontier_defence() -> None:
    assert (named("PL-FD-Dzisna"), placed("PL-FD-Dzisna")) == (('"Dzisna" FD', "FD", 2), ("P73", 1))


@pytest.mark.rule("polska1939:2.0")
def test_ruling_2_4_the_soviet_20_is_motorized_infantry_with_3_sp() -> None:
    assert [named(name) for name in ("SU-MOT-20", "SU-MOT-1")] == [("20 MOT", "MOT", 3), ("1 MOT", "MOT", 3)]
    assert [name for name in DATA.forces.units if name.startswith("SU") and named(name)[0] == "20 ARM"] == []


def test_ruling_2_5_codes_are_those_of_the_set_up_table() -> None:
    names = {code: DATA.board.areas[code].name for code in ("P10", "P38", "S02")}
    assert names == {"P10": "Bysław", "P38": "Gniezno", "S02": "Krajsk"}
    assert (placed("PL-HQ-Poznan"), placed("SU-ARM-22")) == (("P38", 1), ("S02", 17))


@pytest.mark.parametrize(("name", "codes"), [("Zasław", ["S04", "S21"]), ("Wołczyska", ["P94", "S24"])])
def test_ruling_2_6_two_areas_of_one_name_are_told_apart_by_code(name: str, codes: list[str]) -> None:
    names = namer(DATA, OPENING, Side.POLISH)
    assert [one.id for one in names.area(name).found] == codes
    assert [names.area(code).id for code in codes] == codes


@pytest.mark.rule("polska1939:scenario.allies")
def test_ruling_2_7_the_letter_of_an_area_is_its_country_but_for_slovakia() -> None:
    slovak = [f"G{number}" for number in range(45, 51)]
    country = {code: area.country.value for code, area in DATA.board.areas.items() if code[0] in "PGS"}
    assert [code for code in country if country[code] == "SK"] == slovak
    letters = {"P": "PL", "G": "DE", "S": "SU"}
    assert [code for code in country if code not in slovak and country[code] != letters[code[0]]] == []


def test_ruling_2_8_nobody_begins_in_areas_that_are_named_without_a_unit() -> None:
    assert {DATA.board.areas[code].name for code in ("P60", "P69", "P80")} == {"Stryj", "Garwolin", "Bielsk Podlaski"}
    assert [unit.id for unit in OPENING.units.values() if unit.area in ("P60", "P69", "P80")] == []


# ---------------------------------------------------------------------- what happens by itself


@pytest.mark.rule("polska1939:7.2.1", "polska1939:9.2.4", "polska1939:5.5.5", "polska1939:11.1.4")
def test_ruling_3_1_what_nobody_would_refuse_needs_no_order() -> None:
    tank = unit("DE-ARM-1", "G13", fuel=1, disorganized=True)
    _, told = run(one_phase(DATA, position(tank, unit("PL-INF-8", "P39"), day=27, phase=3)), [Moves()])
    assert [line for line in told if not line.startswith("13.A")] == [
        "5.5.5: 1 ARM is reorganized",
        "7.2.1: field fortifications of level 1 in Nidzica (G13)",
        "9.2.4: fuel rises: 1 ARM (3)",
    ]


@pytest.mark.rule("polska1939:4.1.2")
@pytest.mark.parametrize(
    ("kind", "like"), [(Kind.LARM, Kind.ARM), (Kind.MINF, Kind.INF), (Kind.ND, Kind.INF), (Kind.FD, Kind.INF)]
)
def test_ruling_4_12_types_without_a_limit_move_like_their_class(kind: Kind, like: Kind) -> None:
    assert [allowance(DATA, kind, free) for free in (False, True)] == [
        allowance(DATA, like, free) for free in (False, True)
    ]


# ---------------------------------------------------------------------- tables


@pytest.mark.rule("polska1939:5.1.1.example")
def test_ruling_5_22_a_two_takes_two_points_in_row_29_to_32() -> None:
    row = DATA.losses.row_of(30)
    assert (DATA.losses.labels[row], [DATA.losses.cell(row, dice) for dice in (2, 3, 11, 12)]) == (
        "29-32",
        [2, 1, 1, 0],
    )
    assert [DATA.unit(name).maximum for name in ("DE-INF-11", "DE-INF-61", "DE-ARM-Kempf", "PL-INF-20")] == [
        16, 15, 13, 18,
    ]  # fmt: skip


@pytest.mark.rule("polska1939:5.3.1", "polska1939:5.3.4")
@pytest.mark.parametrize(("stay", "left", "goal"), [(False, 10, "P22"), (True, 8, "P23")])
def test_ruling_5_23_two_areas_back_or_two_points_for_holding(stay: bool, left: int, goal: str) -> None:
    far = CombatResult("D2", 2, 0, False, 0, False)
    results = replace(GROUND.results, cells=tuple(tuple(far for _ in row) for row in GROUND.results.cells))
    data = replace(GROUND, forces=replace(GROUND.forces, results=results))
    state = field(unit("PL-INF-20", "P23", 10), unit("DE-INF-1", "G13", 16))
    plan = Stand(area="P23", stay=stay, to=("P24", "P22"))
    found = drive(fight(data, state, battle(state, "P23", plan)), dice=faces(7, 12, 12)).result.state
    assert (strengths(found)["PL-INF-20"], places(found)["PL-INF-20"]) == (left, goal)


@pytest.mark.rule("polska1939:7.1.4")
@pytest.mark.parametrize(("strength", "shift"), [(11, -3), (12, -3), (13, -4)])
def test_ruling_7_13_a_fortress_with_12_sp_is_worth_3(strength: int, shift: int) -> None:
    found = fortification(DATA, position(), AreaId("P23"), strength, through_line=False)
    assert found is not None
    assert found.shift == shift


@pytest.mark.rule("polska1939:7.2.3")
def test_ruling_7_14_the_level_belongs_to_the_area() -> None:
    levels = {code: OPENING.forts.get(AreaId(code), 0) for code in ("P38", "P61", "P13", "P65", "P97")}
    aboard = {unit.area for unit in OPENING.units.values() if unit.loaded}
    afoot = {unit.area for unit in OPENING.units.values() if not unit.loaded}
    assert aboard >= {"P13", "P65", "P97", "P61"}
    assert [code for code in aboard - afoot if code in OPENING.forts] == []
    assert all(levels[code] == (2 if code in afoot else 0) for code in levels)


@pytest.mark.rule("polska1939:10.1.1", "polska1939:10.1.8")
def test_ruling_10_4_factors_of_headquarters_are_house_values() -> None:
    (table,) = [table for table in RULES.tables() if table.name == "units"]
    kind = table.columns.index("type")
    sources = {source for row, source in zip(table.rows, table.sources, strict=True) if row[kind] == "HQ"}
    factors = [DATA.unit(name).attack for name in DATA.forces.units if "-HQ-" in name]
    assert (sources, min(factors), 3 in factors) == ({"house"}, 0, True)
