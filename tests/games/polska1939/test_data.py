"""The order of battle and the figures: as the rulebook prints them, sound among themselves, and a bad cell named.

`printed/` holds what the rulebook's lists say, each entry under the name that the program uses; where the rulebook
prints another, that one stands in the last column.
"""

from __future__ import annotations

import csv
import io
import tomllib
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pytest

from pbem.errors import BadRequest
from pbem.games.polska1939 import order_of_battle
from pbem.games.polska1939.kinds import AirKind, Attack, Kind, Nation, Passage, Size
from pbem.games.polska1939.order_of_battle import Placement, Reinforcement, Train, UnitType, parse_order_of_battle
from pbem.rules.names import fold

FOLDER = Path(order_of_battle.__file__).parent / "data"
FILES = {name: (FOLDER / name).read_bytes() for name in order_of_battle.NEEDED}
FORCES = parse_order_of_battle(FILES)
NAMED = {(unit.nation.value, unit.name): unit for unit in FORCES.units.values()}
PARTS_OF_9_INF = ("22/9 INF-R", "34/9 INF-R", "35/9 INF-R")


def rows_of(content: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content)))


def printed(name: str) -> list[dict[str, str]]:
    """A list of the rulebook."""
    return rows_of((Path(__file__).parent / "printed" / name).read_text(encoding="utf-8"))


def strength(row: dict[str, str]) -> int:
    """The strength in brackets, else the full one (11.1.3)."""
    return int(row["strength"] or NAMED[row["nation"], row["name"]].maximum)


# ---------------------------------------------------------------------- units


@pytest.mark.rule("polska1939:11.1.3")
def test_11_1_3_full_strengths_are_those_of_the_strength_tables() -> None:
    tracks = {(row["nation"], row["name"]): int(row["maximum"]) for row in printed("strengths.csv")}
    idle = {("SU", "15 INF"), ("SU", "92 INF"), ("SU", "156 INF")}
    parts = {("PL", name): 5 for name in PARTS_OF_9_INF}
    ours = {key: unit.maximum for key, unit in NAMED.items() if unit.type is not Kind.HQ}
    assert ours == {key: value for key, value in tracks.items() if key not in idle} | parts


@pytest.mark.rule("polska1939:2.0", "polska1939:2.0.example", "polska1939:2.0.example-2", "polska1939:2.0.example-3")
def test_2_0_units_are_called_as_in_the_examples() -> None:
    found = {unit.id: (unit.name, unit.code, unit.type, unit.size) for unit in FORCES.units.values()}
    assert [found["PL-INF-8"], found["PL-CAV-Wielkopolska"], found["PL-FD-3"]] == [
        ("8 INF", "", Kind.INF, Size.DIVISION),
        ('"Wielkopolska" CAV', "Wk", Kind.CAV, Size.BRIGADE),
        ("3 FD", "3 KOP", Kind.FD, Size.REGIMENT),
    ]


@pytest.mark.rule("polska1939:2.0")
def test_2_0_codes_in_brackets_and_types_in_names() -> None:
    listed = [row for name in ("setup.csv", "reinforcements.csv") for row in printed(name) if "code" in row]
    codes = {(row["nation"], row["name"]): row["code"] for row in listed if row.get("kind") != "train"}
    assert {key: NAMED[key].code for key in codes} == codes
    words = {key: [word.split("-")[0] for word in key[1].split()] for key in NAMED}
    kinds = {key: [word for word in found if word in Kind.__members__] for key, found in words.items()}
    assert {key: found for key, found in kinds.items() if found not in ([NAMED[key].type.value], [])} == {}


@pytest.mark.rule("polska1939:2.0")
def test_2_0_motorized_types() -> None:
    assert {unit.type for unit in FORCES.units.values() if unit.is_motorized} == {
        Kind.ARM,
        Kind.MOT,
        Kind.LARM,
        Kind.HQ,
    }


@pytest.mark.rule("polska1939:1.3")
def test_1_3_nations_of_the_scenario_and_how_many_counters_each_has() -> None:
    headquarters = Counter(unit.nation.value for unit in FORCES.units.values() if unit.type is Kind.HQ)
    assert Counter(unit.nation.value for unit in FORCES.units.values()) == {"PL": 124, "DE": 92, "SU": 92, "SK": 4}
    assert headquarters == {"PL": 16, "DE": 19, "SU": 8}


@pytest.mark.rule("polska1939:4.1.2")
def test_4_1_2_movement_in_half_points() -> None:
    assert {unit.type: unit.movement for unit in FORCES.units.values()} == {
        Kind.INF: 2,
        Kind.MINF: 2,
        Kind.ND: 2,
        Kind.FD: 2,
        Kind.CAV: 4,
        Kind.ARM: 6,
        Kind.LARM: 6,
        Kind.MOT: 6,
        Kind.HQ: 12,
    }


@pytest.mark.rule("polska1939:9.2.1", "polska1939:9.2.2")
def test_9_2_2_fuel_is_a_matter_of_german_and_soviet_motorized_units() -> None:
    fuel = {(unit.nation.value, unit.type.value): unit.fuel for unit in FORCES.units.values() if unit.is_motorized}
    assert fuel == {
        ("PL", "ARM"): 0,
        ("PL", "HQ"): 0,
        ("DE", "ARM"): 4,
        ("DE", "LARM"): 4,
        ("DE", "MOT"): 4,
        ("DE", "HQ"): 0,
        ("SU", "ARM"): 3,
        ("SU", "MOT"): 3,
        ("SU", "HQ"): 0,
        ("SK", "ARM"): 0,
    }
    assert [unit.id for unit in FORCES.units.values() if unit.uses_fuel != (unit.fuel > 0)] == []


@pytest.mark.rule("polska1939:10.1.1", "polska1939:10.1.8")
def test_10_1_1_only_headquarters_have_factors_and_some_none_for_the_attack() -> None:
    others = {(unit.attack, unit.defence) for unit in FORCES.units.values() if unit.type is not Kind.HQ}
    idle = [unit.name for unit in FORCES.units.values() if unit.type is Kind.HQ and unit.attack == 0]
    assert (others, idle) == ({(0, 0)}, ["National HQ", '"KOP" HQ', '"Lublin" HQ'])
    assert [unit.id for unit in FORCES.units.values() if unit.type is Kind.HQ and not 1 <= unit.defence <= 4] == []


@pytest.mark.rule("polska1939:scenario.9inf-rejoin")
def test_9_inf_is_the_sum_of_its_regiments() -> None:
    assert NAMED["PL", "9 INF"].maximum == sum(NAMED["PL", name].maximum for name in PARTS_OF_9_INF) == 15
    assert [row for row in FORCES.placements if row.unit == "PL-INF-9"] == []


def test_names_differ_within_a_nation_however_they_are_written() -> None:
    folded = Counter((unit.nation, fold(unit.name)) for unit in FORCES.units.values())
    assert [name for name, count in folded.items() if count > 1] == []


def test_ids_tell_nation_and_type() -> None:
    begins = {unit.id: f"{unit.nation}-{unit.type}-" for unit in FORCES.units.values()}
    assert [name for name, begin in begins.items() if not name.startswith(begin)] == []


# ---------------------------------------------------------------------- set-up and what comes and goes


@pytest.mark.rule("polska1939:11.1.5", "polska1939:scenario.soviet-setup")
def test_every_unit_is_set_up_as_printed() -> None:
    ours = [
        (unit.nation, row.day, row.area, unit.name, row.strength, row.loaded, row.fort)
        for row in FORCES.placements
        if (unit := FORCES.units[row.unit]).nation is not Nation.SLOVAKIA
    ]
    assert ours == [
        (
            row["nation"],
            int(row["day"]),
            row["area"],
            row["name"],
            strength(row),
            row["on_train"] == "1",
            0 if row["on_train"] == "1" else int(row["field_fort"] or 0),
        )
        for row in printed("setup.csv")
    ]


@pytest.mark.rule("polska1939:11.1.5.example", "polska1939:scenario.soviet-late")
def test_11_1_5_a_weak_unit_a_loaded_unit_and_a_unit_held_back() -> None:
    placed = {row.unit: row for row in FORCES.placements}
    assert [placed["PL-INF-36"], placed["PL-INF-2"], placed["SU-ARM-10"]] == [
        Placement("PL-INF-36", "P66", 3, loaded=False, fort=2, day=1, enters=1),
        Placement("PL-INF-2", "P65", 13, loaded=True, fort=0, day=1, enters=1),
        Placement("SU-ARM-10", "S24", 7, loaded=False, fort=0, day=17, enters=24),
    ]
    late, days = [row for row in FORCES.placements if row.enters != row.day], FORCES.figures.days
    assert [(row.unit, row.enters) for row in late] == [
        ("SU-ARM-38", days.soviet_late),
        ("SU-ARM-10", days.soviet_late),
    ]
    assert {(row.unit[:2], row.day) for row in FORCES.placements if row.day > 1} == {("SU", days.soviet)}


@pytest.mark.rule("polska1939:scenario.allies")
def test_slovaks_begin_in_slovakia() -> None:
    slovaks = {row.unit: row.area for row in FORCES.placements if row.unit.startswith("SK-")}
    assert sorted(slovaks) == sorted(unit.id for unit in FORCES.units.values() if unit.nation is Nation.SLOVAKIA)
    assert set(slovaks.values()) <= {f"G{number}" for number in range(45, 51)}


@pytest.mark.rule("polska1939:11.1.1", "polska1939:11.1.3")
def test_11_1_1_reinforcements_come_as_printed() -> None:
    ours = [
        (unit.nation, row.day, row.area, unit.name, row.strength, row.loaded, not row.may_enter)
        for row in FORCES.reinforcements
        if (unit := FORCES.units[row.unit])
    ]
    kobryn = {'"Polesie" HQ': "P82", "50 INF": "P82"}
    assert ours == [
        (
            row["nation"],
            int(row["day"]),
            kobryn.get(row["name"], row["area"]),
            row["name"],
            strength(row),
            row["on_train"] == "1",
            row["bracketed"] == "1",
        )
        for row in printed("reinforcements.csv")
        if row["kind"] == "unit"
    ]


@pytest.mark.rule("polska1939:11.1.5.example", "polska1939:11.1.7.example")
def test_11_1_5_reinforcements_of_the_examples() -> None:
    coming = {row.unit: row for row in FORCES.reinforcements}
    assert [coming["PL-INF-50"], coming["PL-INF-44"], coming["PL-INF-60"]] == [
        Reinforcement(9, "PL-INF-50", "P82", "", 6, loaded=False, may_enter=True),
        Reinforcement(5, "PL-INF-44", "P72", "", 3, loaded=False, may_enter=True),
        Reinforcement(22, "PL-INF-60", "", "PL-HQ-Polesie", 10, loaded=False, may_enter=True),
    ]
    assert FORCES.units["PL-INF-44"].maximum == 12


@pytest.mark.rule("polska1939:8.1.2.example")
def test_8_1_2_empty_trains_as_printed() -> None:
    assert FORCES.trains == (
        Train(3, "P62", "PL-INF-24"),
        Train(3, "P95", "PL-INF-12"),
        Train(5, "P76", "PL-INF-35"),
        Train(13, "P77", "PL-INF-Grodno"),
    )
    assert [(train.day, train.area, FORCES.units[train.unit].name) for train in FORCES.trains] == [
        (int(row["day"]), row["area"], row["name"]) for row in printed("reinforcements.csv") if row["kind"] == "train"
    ]


@pytest.mark.rule("polska1939:scenario.withdrawal")
def test_withdrawals_as_printed() -> None:
    ours = [(unit.nation, row.day, unit.name, row.destination) for row, unit in _leaving()]
    assert ours == [
        (row["nation"], int(row["day"]), row["name"], row["destination"]) for row in printed("withdrawals.csv")
    ]
    coming = {row.unit: row.day for row in (*FORCES.placements, *FORCES.reinforcements)}
    assert [row for row, _ in _leaving() if coming[row.unit] >= row.day] == []


def _leaving() -> list[tuple[order_of_battle.Withdrawal, UnitType]]:
    return [(row, FORCES.units[row.unit]) for row in FORCES.withdrawals]


def test_every_unit_comes_once_except_9_inf() -> None:
    coming = Counter(row.unit for row in (*FORCES.placements, *FORCES.reinforcements))
    assert {name: coming[name] for name in FORCES.units if coming[name] != 1} == {"PL-INF-9": 0}
    assert Counter(row.unit[:2] for row in FORCES.placements) == {"PL": 97, "DE": 74, "SU": 61, "SK": 4}
    assert Counter(row.unit[:2] for row in FORCES.reinforcements) == {"PL": 26, "DE": 18, "SU": 31}


def test_air_units_as_printed() -> None:
    ours = [(row.nation, row.kind, row.first, row.last, row.count, row.strength) for row in FORCES.air]
    assert ours == [
        (row["nation"], row["kind"], *(int(row[key]) for key in ("first", "last", "count", "strength")))
        for row in printed("air.csv")
    ]


@pytest.mark.parametrize(
    ("nation", "kind", "day", "strengths"),
    [
        ("DE", "BOM", 1, [2, 2, 2, 2, 2]),
        ("DE", "BOM", 5, [2, 2, 2, 2, 1]),
        ("DE", "OFF", 7, [3, 3, 3, 2]),
        ("DE", "OFF", 10, []),
        ("DE", "BOM", 31, []),
        ("SU", "BOM", 23, [2, 2]),
        ("SU", "BOM", 24, [2, 1]),
        ("PL", "BOM", 1, []),
        ("PL", "BOM", 3, [2]),
    ],
)
def test_air_units_of_a_day(nation: str, kind: str, day: int, strengths: list[int]) -> None:
    mine = [row for row in FORCES.air if (row.nation, row.kind) == (nation, kind) and row.first <= day <= row.last]
    assert [row.strength for row in mine for _ in range(row.count)] == strengths


def test_periods_of_one_kind_of_air_unit_do_not_overlap() -> None:
    flying = Counter(
        (row.nation, row.kind, row.strength, day) for row in FORCES.air for day in range(row.first, row.last + 1)
    )
    assert [key for key, count in flying.items() if count > 1] == []
    assert {row.strength for row in FORCES.air if row.kind is AirKind.SUPPORT} == {2, 3}


# ---------------------------------------------------------------------- figures

RULEBOOK: dict[str, dict[str, int]] = {
    "1.4": {"rounding.half": 2},
    "3.1.2.phaseI": {"air.intercept_radius": 2},
    "4.1.2": {
        "movement.foot_halves": 2,
        "movement.cavalry_halves": 4,
        "movement.motorized_halves": 6,
        "movement.headquarters_halves": 12,
    },
    "4.1.3": {"movement.free_foot_halves": 4, "movement.free_area_halves": 2},
    "4.1.6": {"retreat.river_node_loss": 1},
    "4.1.8": {"movement.enemy_region_halves": 2},
    "5.2.5": {"combat.strength_per_border": 32},
    "5.2.7": {"combat.attacks_per_turn": 1},
    "5.3.3": {"retreat.stand_modifier": -2},
    "5.3.4": {"retreat.stand_loss": 1},
    "5.3.5": {"retreat.blocked_factor": 2},
    "5.3.6": {"retreat.node_loss": 1},
    "5.3.7": {"retreat.river_loss": 1, "retreat.vistula_loss": 2},
    "5.3.8": {"retreat.armour_per_loss": 12, "retreat.armour_loss": 1},
    "5.3.9": {"retreat.armour_barred_modifier": -3},
    "6.0": {"air.unlisted_units": 0},
    "6.1.1": {"air.units_per_area": 1},
    "6.1.3": {"air.missions_per_day": 1},
    "6.1.4": {
        "air.die_sides": 6,
        "air.bomber_one_from": 3,
        "air.bomber_two_from": 5,
        "air.forest_die": -1,
        "air.field_fortification_die": -1,
        "air.fortress_die": -3,
    },
    "6.1.5": {"air.half_bomber_from": 5},
    "6.1.7": {"rail.bombings_per_region": 1},
    "6.1.9": {"air.bomber_country_radius": 9, "air.bomber_headquarters_radius": 6},
    "6.2.3": {"air.support_one_from": 4},
    "6.2.5": {"air.support_country_radius": 4, "air.support_headquarters_radius": 3},
    "6.2.6": {"combat.bombed_modifier": 1},
    "7.1.1": {"fortification.line": -3},
    "7.1.3": {"fortification.line_elsewhere": -2},
    "7.1.4": {
        "fortification.fortress_strong": -4,
        "fortification.fortress_strong_from": 13,
        "fortification.fortress_middle": -3,
        "fortification.fortress_middle_from": 5,
        "fortification.fortress_weak": -2,
    },
    "7.2.2": {"fortification.field_levels": 2},
    "7.2.3": {"fortification.field_per_level": -1},
    "8.1.1": {"rail.units_per_train": 1},
    "8.1.4": {"rail.bombing_factor": 2},
    "9.1.5": {
        "supply.poland_loss": 2,
        "supply.germany_loss": 1,
        "supply.soviet_loss": 3,
        "supply.slovakia_loss": 2,
    },
    "9.2.2": {"fuel.germany_maximum": 4, "fuel.soviet_maximum": 3},
    "9.2.3": {"fuel.move_cost": 1},
    "9.2.4": {"fuel.regained": 2},
    "10.1.3": {"combat.headquarters_per_area": 1},
    "10.1.7": {"movement.headquarters_area_halves": 2},
    "10.1.8": {"combat.headquarters_without_modifier": 2, "combat.headquarters_modifier": 1},
    "11.1.4": {"recovery.per_day": 1},
    "12.1.2": {"retreat.soviet_loss": 2},
    "scenario.allies": {"days.slovak": 9},
    "scenario.soviet-setup": {"days.soviet": 17},
    "scenario.soviet-late": {"days.soviet_late": 24},
    "scenario.victory-city": {"victory.city": 1},
    "scenario.victory-destroy": {
        "victory.destroyed_points": 10,
        "victory.destroyed_day": 26,
        "victory.destroyed_less_per_day": 1,
    },
    "scenario.victory-short": {
        "days.short_game": 8,
        "victory.german_losses_per_point": 50,
        "victory.polish_losses_per_point": 100,
        "victory.motorized_factor": 2,
    },
    "scenario.result": {
        "days.last": 35,
        "victory.minor_from": 1,
        "victory.medium_from": 4,
        "victory.major_from": 7,
        "victory.overwhelming_from": 10,
    },
}


def test_every_figure_stands_under_its_rule_and_there_is_no_other() -> None:
    found: dict[str, dict[str, int]] = {}
    for row in rows_of(FILES["constants.csv"].decode()):
        found.setdefault(row["rule"], {})[row["key"]] = int(row["value"])
    assert found == RULEBOOK


def test_figures_are_read_by_group_and_name() -> None:
    values = {
        f"{group}.{name}": value for group, ones in asdict(FORCES.figures).items() for name, value in ones.items()
    }
    assert values == {key: value for facts in RULEBOOK.values() for key, value in facts.items()}


@pytest.mark.rule("polska1939:7.1.4")
def test_7_1_4_fortress_by_strength() -> None:
    fortress = FORCES.figures.fortification.fortress
    assert [fortress(strength) for strength in (0, 4, 5, 11, 12, 13, 40)] == [-2, -2, -3, -3, -3, -4, -4]


@pytest.mark.rule("polska1939:9.1.5")
def test_9_1_5_losses_out_of_supply() -> None:
    assert [FORCES.figures.supply.loss(nation) for nation in Nation] == [2, 1, 3, 2]


@pytest.mark.rule("polska1939:scenario.victory-destroy")
def test_points_for_the_destruction_of_all_polish_units() -> None:
    by_day = [FORCES.figures.victory.destroyed_by(day) for day in range(25, 37)]
    assert by_day == [10, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]


@pytest.mark.rule("polska1939:4.2.1", "polska1939:4.2.1.example")
def test_4_2_1_terrain_effects() -> None:
    no, all_ = Passage.NO, Passage.ALL
    found = {
        name: (one.cost(Kind.INF), one.cost(Kind.CAV), one.cost(Kind.ARM), one.modifier, one.attack)
        for name, one in FORCES.terrain.items()
    }
    assert found == {
        "clear": (2, 2, 2, 0, Attack.FULL),
        "forest": (0, 0, 1, -1, Attack.FULL),
        "hills": (0, 0, 0, -1, Attack.FULL),
        "swamp": (all_, all_, all_, 0, Attack.HALF),
        "mountains": (0, 0, no, -2, Attack.FULL),
        "river": (0, 0, 2, -1, Attack.FULL),
        "vistula": (0, 2, 4, -2, Attack.FULL),
        "lake": (no, no, no, 0, Attack.NONE),
    }


@pytest.mark.rule("polska1939:4.2.2.example")
def test_4_2_2_motorized_units_pay_two_and_a_half_for_a_forest_behind_a_river() -> None:
    assert sum(int(FORCES.terrain[name].cost(Kind.MOT)) for name in ("clear", "forest", "river")) == 5


# ---------------------------------------------------------------------- a bad transcription


def changed(file: str, old: str, new: str) -> dict[str, bytes]:
    """The files with the first `old` of one of them replaced."""
    text = FILES[file].decode()
    assert old in text
    return {**FILES, file: text.replace(old, new, 1).encode()}


HINT = "correct the file and try again; `pbem tables polska1939` shows the built-in one"
CELLS = tomllib.loads((Path(__file__).parent / "bad_cells.toml").read_text(encoding="utf-8"))["cell"]


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell['file']}: {cell['new']}")
def test_a_bad_cell_is_named_by_file_line_and_column(cell: dict[str, str]) -> None:
    with pytest.raises(BadRequest) as refused:
        parse_order_of_battle(changed(cell["file"], cell["old"], cell["new"]))
    told = cell["refusal"].replace("{line}", str(line_of(cell["file"], cell.get("refused_at", cell["old"]))))
    assert (str(refused.value), refused.value.hint) == (told, HINT)


def line_of(file: str, text: str) -> int:
    """The line of a data file where a text stands first."""
    return FILES[file].decode().partition(text)[0].count("\n") + 1


AIR = FILES["air.csv"].splitlines()[0]
COLUMNS = "data.columns: expected the columns nation,kind,first,last,count,strength,source,note in air.csv, line 1, got"
BAD_FILES = [
    ("air.csv", b"", f"{COLUMNS} ''"),
    ("air.csv", b"nation,kind\n", f"{COLUMNS} 'nation,kind'"),
    ("air.csv", AIR, "data.rows: expected rows below line 1 of air.csv, got none"),
    ("air.csv", AIR + b"\nPL,BOM\n", "data.cells: expected 8 values in air.csv, line 2, got 2"),
    (
        "air.csv",
        AIR + b'\n"PL"x\n',
        "data.csv: expected comma-separated values in air.csv, line 2: ',' expected after '\"'",
    ),
    (
        "setup.csv",
        "Wał".encode("cp1250"),
        "data.encoding: expected UTF-8 text in setup.csv, got another encoding at byte 2",
    ),
]


@pytest.mark.parametrize(("file", "content", "refusal"), BAD_FILES)
def test_a_damaged_file_is_refused_by_name(file: str, content: bytes, refusal: str) -> None:
    with pytest.raises(BadRequest) as refused:
        parse_order_of_battle({**FILES, file: content})
    assert (str(refused.value), refused.value.hint) == (refusal, HINT)


@pytest.mark.parametrize("file", order_of_battle.NEEDED)
def test_a_missing_table_is_named(file: str) -> None:
    with pytest.raises(BadRequest) as refused:
        parse_order_of_battle({name: content for name, content in FILES.items() if name != file})
    assert (refused.value.code, refused.value.text) == (
        "data.missing",
        f"expected {file} among the data files, got none",
    )


@pytest.mark.parametrize(
    ("file", "begin", "code", "text"),
    [
        (
            "constants.csv",
            "days.slovak,",
            "data.constant",
            "expected a line with the key 'days.slovak' in constants.csv, got none",
        ),
        ("terrain.csv", "lake,", "data.terrain", "expected a line for 'lake' in terrain.csv, got none"),
    ],
)
def test_a_missing_line_is_named(file: str, begin: str, code: str, text: str) -> None:
    kept = [line for line in FILES[file].decode().splitlines(keepends=True) if not line.startswith(begin)]
    with pytest.raises(BadRequest) as refused:
        parse_order_of_battle({**FILES, file: "".join(kept).encode()})
    assert (refused.value.code, refused.value.text) == (code, text)


def test_a_transcription_from_a_spreadsheet_with_a_mark_and_other_line_ends_is_read() -> None:
    as_saved = {name: b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n") for name, content in FILES.items()}
    assert parse_order_of_battle(as_saved) == FORCES
