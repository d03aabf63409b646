"""The two combat tables, as printed and as the rulebook's examples read them; and all tables as data."""

from __future__ import annotations

import csv
import io
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from pbem.games.polska1939 import order_of_battle
from pbem.games.polska1939.combat_tables import TOTALS, CombatResult
from pbem.games.polska1939.order_of_battle import parse_order_of_battle
from pbem.games.polska1939.tables import TITLES, all_tables
from pbem.rules.tables import Source, count_sources

FOLDER = Path(order_of_battle.__file__).parent / "data"
FILES = {name: (FOLDER / name).read_bytes() for name in order_of_battle.NEEDED}
FORCES = parse_order_of_battle(FILES)
RESULTS, LOSSES = FORCES.results, FORCES.losses
TABLES = {table.name: table for table in all_tables(FILES)}
BEST_FIRST = ("D1(-2)R", "D1(-2)", "D1(-1)R", "D1(-1)", "D1R", "D1", "D1AR", "-", "AR", "A(-1)R", "A(-2)R")
"""Results from the attacker's best to his worst."""
WAYS = {total: 6 - abs(7 - total) for total in TOTALS}
"""How many throws of two dice give a total, out of 36."""


def printed(name: str) -> list[list[str]]:
    """The rows of a table of the rulebook, label first."""
    text = (Path(__file__).parent / "printed" / name).read_text(encoding="utf-8")
    return list(csv.reader(io.StringIO(text)))[1:]


def label_of(text: str) -> str:
    """`-29 and less` is printed as `Less than -29` (1.2)."""
    return "Less than -29" if text == "-29 and less" else text


@pytest.mark.rule("polska1939:5.2.1")
def test_5_2_1_combat_results_as_printed() -> None:
    cells = [[result.text for result in row] for row in RESULTS.cells]
    assert [[label_of(label), *row] for label, row in zip(RESULTS.labels, cells, strict=True)] == printed(
        "combat_result.csv"
    )


@pytest.mark.rule("polska1939:5.4.1")
def test_5_4_1_combat_losses_as_printed() -> None:
    ours = [[label, *row] for label, row in zip(LOSSES.labels, LOSSES.cells, strict=True)]
    assert ours == [
        [label, *(int(cell) if cell != "-" else 0 for cell in row)] for label, *row in printed("combat_losses.csv")
    ]


@pytest.mark.rule("polska1939:5.3.1", "polska1939:5.5.1")
@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("D1(-2)R", (1, 2, True, 0, False)),
        ("D1(-2)", (1, 2, False, 0, False)),
        ("D1(-1)R", (1, 1, True, 0, False)),
        ("D1(-1)", (1, 1, False, 0, False)),
        ("D1R", (1, 0, True, 0, False)),
        ("D1", (1, 0, False, 0, False)),
        ("D1AR", (1, 0, False, 0, True)),
        ("-", (0, 0, False, 0, False)),
        ("AR", (0, 0, False, 0, True)),
        ("A(-1)R", (0, 0, False, 1, True)),
        ("A(-2)R", (0, 0, False, 2, True)),
    ],
)
def test_5_3_1_what_a_result_means(text: str, meaning: tuple[int, int, bool, int, bool]) -> None:
    found = {result for row in RESULTS.cells for result in row if result.text == text}
    assert found == {CombatResult(text, *meaning)}


def test_no_result_is_left_out_above() -> None:
    assert {result.text for row in RESULTS.cells for result in row} == set(BEST_FIRST)


def test_results_never_get_better_along_the_rolls_or_down_the_rows() -> None:
    ranks = [[BEST_FIRST.index(result.text) for result in row] for row in RESULTS.cells]
    lines = [*ranks, *zip(*ranks, strict=True)]
    assert [line for line in lines if list(line) != sorted(line)] == []


def test_losses_never_rise_down_the_rows_and_rise_again_along_five_of_them() -> None:
    columns = list(zip(*LOSSES.cells, strict=True))
    assert [column for column in columns if list(column) != sorted(column, reverse=True)] == []
    rising = [label for label, row in zip(LOSSES.labels, LOSSES.cells, strict=True) if _rises(row)]
    assert rising == ["61-75", "50-60", "46-49", "41-45", "37-40"]


def _rises(row: tuple[int, ...]) -> bool:
    return any(later > earlier for earlier, later in pairwise(row))


def test_expected_losses_in_thirty_sixths_grow_with_every_row() -> None:
    expected = [sum(WAYS[total] * LOSSES.cell(row, total) for total in TOTALS) for row in range(len(LOSSES.cells))]
    assert (sum(WAYS.values()), expected) == (
        36,
        [86, 71, 60, 50, 43, 40, 38, 36, 34, 31, 27, 21, 15, 10, 6, 3, 1],
    )


@pytest.mark.parametrize(
    ("difference", "label"),
    [
        (99, "65+"),
        (65, "65+"),
        (64, "52-64"),
        (22, "19-22"),
        (17, "16-18"),
        (1, "1-3"),
        (0, "0 to -5"),
        (-5, "0 to -5"),
        (-6, "-6 to -16"),
        (-28, "-17 to -28"),
        (-29, "-29 and less"),
        (-99, "-29 and less"),
    ],
)
def test_the_row_of_a_difference(difference: int, label: str) -> None:
    assert RESULTS.labels[RESULTS.row_of(difference)] == label


@pytest.mark.parametrize(
    ("strength", "label"),
    [(200, "76+"), (76, "76+"), (75, "61-75"), (32, "29-32"), (8, "5-8"), (2, "2"), (1, "1"), (0, "1")],
)
def test_the_row_of_a_strength(strength: int, label: str) -> None:
    assert LOSSES.labels[LOSSES.row_of(strength)] == label


def test_every_value_is_in_the_row_that_its_label_names() -> None:
    for table, values in ((RESULTS, range(-60, 100)), (LOSSES, range(1, 120))):
        rows = [table.row_of(value) for value in values]
        assert rows == sorted(rows, reverse=True)
        assert Counter(rows).keys() == set(range(len(table.labels)))


@pytest.mark.rule("polska1939:1.2")
def test_1_2_a_shift_past_an_end_stays_in_the_last_row() -> None:
    ends = [(RESULTS.cell(row, 2).text, LOSSES.cell(row, 2)) for row in (-5, 0, 16, 99)]
    assert ends == [("D1(-2)R", 3), ("D1(-2)R", 3), ("D1R", 1), ("D1R", 1)]


@pytest.mark.rule("polska1939:1.2.example")
def test_1_2_example_b_thirty_against_eight_through_a_fortified_line() -> None:
    shift = -FORCES.figures.fortification.line
    rows = (RESULTS.row_of(30 - 8) + shift, LOSSES.row_of(8) - shift, LOSSES.row_of(30) + shift)
    assert (RESULTS.labels[rows[0]], LOSSES.labels[rows[1]], LOSSES.labels[rows[2]]) == ("10-12", "17-20", "17-20")


@pytest.mark.rule("polska1939:5.1.1.example")
def test_5_1_1_example_against_mlawa() -> None:
    figures = FORCES.figures
    attacker = min(42, figures.combat.strength_per_border)
    shift = -(figures.fortification.line + FORCES.terrain["forest"].modifier)
    row = RESULTS.row_of(attacker - 15) + shift
    assert (attacker, shift, RESULTS.labels[row], RESULTS.cell(row, 6).text) == (32, 4, "4-6", "D1")
    polish, german = LOSSES.row_of(15), LOSSES.row_of(attacker)
    assert (LOSSES.labels[polish], LOSSES.labels[german]) == ("13-16", "29-32")
    assert [LOSSES.cell(polish, total) for total in (7, 8)] == [1, 0]
    assert [LOSSES.cell(german, total) for total in (2, 11, 12)] == [2, 1, 0]


@pytest.mark.rule("polska1939:5.4.3", "polska1939:5.4.3.example")
def test_5_4_3_example_a_forest_with_one_level_of_fortification() -> None:
    shift = -(FORCES.terrain["forest"].modifier + FORCES.figures.fortification.field_per_level)
    labels = [LOSSES.labels[row] for row in (LOSSES.row_of(10) - shift, LOSSES.row_of(35) + shift)]
    assert (shift, labels) == (2, ["17-20", "25-28"])


# ---------------------------------------------------------------------- the tables as data


def test_there_is_a_table_for_every_file_and_a_source_for_every_row() -> None:
    lines = {name: len(FILES[f"{name}.csv"].decode().splitlines()) - 1 for name in TABLES}
    assert {name: (len(table.rows), len(table.sources)) for name, table in TABLES.items()} == {
        name: (count, count) for name, count in lines.items()
    }
    assert sorted(f"{name}.csv" for name in TABLES) == sorted(FILES)
    assert [name for name in TITLES if name in TABLES] == list(TABLES)
    assert TABLES["air"].columns == ("nation", "kind", "first", "last", "count", "strength", "note")


def test_a_row_as_data() -> None:
    assert TABLES["combat_losses"].as_data()["rows"][-1] == {
        "row": "1",
        "lowest": 1,
        "highest": 1,
        **{str(total): int(total == 2) for total in TOTALS},
        "note": "",
        "source": "printed",
    }
    assert TABLES["units"].as_data()["rows"][0] == {
        "id": "PL-HQ-National",
        "nation": "PL",
        "name": "National HQ",
        "code": "",
        "type": "HQ",
        "size": "headquarters",
        "maximum": 0,
        "attack": 0,
        "defence": 4,
        "front": "National",
        "note": "both factors house: they stand on the counter alone",
        "source": "house",
    }


def test_printed_rows_are_marked_printed_and_the_others_are_not() -> None:
    sources = {name: {source: table.sources.count(source) for source in Source} for name, table in TABLES.items()}
    assert sources == SOURCE_COUNTS
    assert count_sources(TABLES.values()) == {
        source: sum(counts[source] for counts in SOURCE_COUNTS.values()) for source in Source
    }


def test_every_headquarters_is_house() -> None:
    units = TABLES["units"]
    kind = units.columns.index("type")
    assert {source for row, source in zip(units.rows, units.sources, strict=True) if row[kind] == "HQ"} == {"house"}


def test_a_file_with_a_header_alone_gives_a_table_without_rows() -> None:
    header = FILES["air.csv"].splitlines()[0]
    (air,) = all_tables({"air.csv": header})
    assert (air.columns[:2], air.rows, air.sources) == (("nation", "kind"), (), ())


def counts(printed: int, inferred: int, house: int) -> dict[str, int]:
    return {"printed": printed, "inferred": inferred, "house": house}


SOURCE_COUNTS = {
    "combat_result": counts(15, 1, 0),
    "combat_losses": counts(17, 0, 0),
    "terrain": counts(8, 0, 0),
    "constants": counts(76, 3, 0),
    "units": counts(257, 4, 51),
    "setup": counts(221, 11, 4),
    "reinforcements": counts(77, 2, 0),
    "withdrawals": counts(22, 0, 0),
    "air": counts(34, 0, 0),
}
