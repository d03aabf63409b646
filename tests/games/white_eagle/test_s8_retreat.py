"""Retreats: every priority, displacement and direction, each a row of `retreats.csv`; and attackers who go back (8.5).

A row has the lines of a small board, units that retreat `from` a box (a star: reduced), others, and facts: `launched`,
`wanted`, `forts`, `held`, `turn`, `came`; `idle` and `after` say who fights no more and which cities are German then.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.s8_retreat import Flight, open_retreats, retreat, returned
from pbem.games.white_eagle.state import State
from white_eagle.combat_ground import drive, places
from white_eagle.positions import position, small_board, unit

FILE = Path(__file__).parents[3] / "fixtures/games/white_eagle/retreats.csv"
BOXES = {
    **dict.fromkeys(("Hub", "Dom", "Most"), "PL"),
    **dict.fromkeys(("Alfa", "Bern", "Cham"), "DE"),
    **dict.fromkeys(("Ost", "Brest"), "PL east"),
    "Ende": "PL victory=1",
    "Warta": "PL victory=3",
    "Fort": "PL fort=POL-North",
    "Burg": "EP fort=GER-North",
    "Dorf": "EP",
    "Danzig": "DZ victory=1",
    "Presov": "SK",
    "Minsk": "SU east",
}


def rows() -> list[dict[str, str]]:
    with FILE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def board(lines: str) -> GameData:
    """A board of these lines."""
    pairs = [line.split("-") for line in lines.split()]
    boxes = dict.fromkeys(box for pair in pairs for box in pair)
    return small_board("\n".join(f"{box} {BOXES[box]}" for box in boxes), "\n".join(map(" ".join, pairs)))


def units_of(text: str, box: str = "") -> list[Any]:
    """Units `POL-Lodz-1* Dom`, or without a box in `box`."""
    found = []
    for part in filter(None, text.split(", ")):
        name, *place = part.split()
        found.append(unit(name.rstrip("*"), place[0] if place else box, reduced=name.endswith("*")))
    return found


def facts_of(text: str) -> dict[str, str]:
    return dict(part.split("=") for part in text.split())


def listed(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split(",")))


def pairs_of(text: str) -> dict[str, str]:
    return dict(pair.split(":") for pair in listed(text))


def position_of(row: dict[str, str], facts: dict[str, str]) -> State:
    going = units_of(row["units"], row["from"])
    side = "GER-North" if row["units"].startswith("POL") else "POL-North"
    return position(
        *going,
        *units_of(row["others"]),
        command=side,
        turn=int(facts.get("turn", 2)),
        held=listed(facts.get("held", "")),
        forts={box: int(steps) for box, steps in pairs_of(facts.get("forts", "")).items()},
        came=pairs_of(facts.get("came", "")),
    )


@pytest.mark.rule(
    "white_eagle:8.5.b2",
    "white_eagle:8.5.b3",
    "white_eagle:8.5.b4",
    "white_eagle:8.5.b5",
    "white_eagle:8.5.b6",
    "white_eagle:8.5.b7",
    "white_eagle:8.5.b8",
    "white_eagle:8.5.b9",
    "white_eagle:8.5.p2",
    "white_eagle:8.5.b10",
    "white_eagle:8.5.b11",
    "white_eagle:8.5.b12",
    "white_eagle:8.5.p3",
)
@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row['rule']} {row['case']}")
def test_8_5_retreats(row: dict[str, str]) -> None:
    facts = facts_of(row["facts"])
    state = position_of(row, facts)
    flight = Flight(
        launched=tuple(map(BoxId, listed(facts.get("launched", "")))),
        wanted=tuple(map(BoxId, listed(facts.get("wanted", "")))),
        lost=BoxId(row["from"]),
    )
    names = [one.id for one in units_of(row["units"], row["from"])]
    after: State = drive(retreat(board(row["lines"]), state, names, flight)).result
    watched = [place.split() for place in row["expected"].split(", ")]
    assert {name: places(after).get(UnitId(name), "gone") for name, _ in watched} == dict(map(tuple, watched))
    assert after.activation is not None
    assert after.activation.idle == listed(facts.get("idle", ""))
    assert after.held == listed(facts.get("after", facts.get("held", "")))


def test_the_table_has_a_row_for_every_rule() -> None:
    wanted = {"b2", "b3", "b4", "b6", "b7", "b8", "b9", "p2", "b10", "b11", "b12", "p3"}
    assert {row["rule"].removeprefix("8.5.") for row in rows()} == wanted


def told(row_lines: str, *others: str, going: str = "POL-Lodz-1 Hub", **facts: Any) -> list[str]:
    """The reports of a retreat from the hub."""
    units = units_of(going)
    state = position(*units, *(one for text in others for one in units_of(text)), command="GER-North", **facts)
    return drive(retreat(board(row_lines), state, [one.id for one in units], Flight(lost=BoxId("Hub")))).told


# ---------------------------------------------------------------------- how it is told


@pytest.mark.rule("white_eagle:8.5.b10", "white_eagle:8.5.b11", "white_eagle:8.5.b12", "white_eagle:8.5.p3")
def test_8_5_a_retreat_through_enemies_is_told() -> None:
    going = "POL-Lodz-1 Hub, POL-Lodz-2* Hub"
    assert told("Hub-Dom Dom-Most", "GER-4th-1 Hub", "GER-4th-2 Dom", going=going) == [
        "8.5.b6: retreat through Dom, which is to be avoided (only enemies are there): Lodz INF, Lodz CAV",
        "8.5.b11: Lodz INF is reduced",
        "8.5.b11: Lodz CAV is eliminated",
        "8.5.b12: retreat to Most: Lodz INF",
    ]
    assert told("Hub-Alfa", "GER-4th-1 Hub", turn=1) == ["8.5.p3: no way to retreat from Hub: Lodz INF eliminated"]


@pytest.mark.rule("white_eagle:8.5.b7", "white_eagle:6.1.p3")
def test_8_5_a_city_that_is_passed_changes_hands() -> None:
    assert told("Hub-Ende Ende-Most", "GER-4th-1 Hub", held=("Ende",)) == [
        "8.5.b7: retreat through Ende, which is to be avoided (the enemy's victory city): Lodz INF",
        "6.1.p3: Ende is liberated: 0 VP",
        "8.5.b11: Lodz INF is reduced",
        "8.5.b12: retreat to Most: Lodz INF",
    ]


@pytest.mark.rule("white_eagle:8.5.b8")
def test_8_5_a_retreat_through_a_fort_is_told() -> None:
    assert told("Hub-Burg Burg-Most", "GER-4th-1 Hub", forts={"Burg": 1}) == [
        "8.5.b8: retreat through Burg, which is to be avoided (the enemy's fort): Lodz INF",
        "8.5.b11: Lodz INF is reduced",
        "8.5.b12: retreat to Most: Lodz INF",
    ]


@pytest.mark.rule("white_eagle:8.5.b4")
def test_8_5_displacement_is_told() -> None:
    assert told("Hub-Dom Dom-Most", "GER-4th-1 Hub", "POL-Prusy-2 Dom", going="POL-Lodz-2 Hub") == [
        "8.5.b2: retreat to Dom: Lodz CAV",
        "8.5.b4: displaced from Dom: Prusy CAV",
        "8.5.b4: retreat to Most: Prusy CAV",
    ]


# ---------------------------------------------------------------------- where to, for sheets


@pytest.mark.rule("white_eagle:8.5.b2")
def test_8_5_open_retreats_the_best_first() -> None:
    data = board("Hub-Dom Hub-Most Hub-Ende Dom-Warta Most-Alfa")
    state = position(*units_of("POL-Lodz-1 Hub, GER-4th-1 Hub, GER-4th-2 Alfa"), command="GER-North", held=("Ende",))
    assert open_retreats(data, state, units_of("POL-Lodz-1 Hub"), Flight(lost=BoxId("Hub"))) == ("Dom", "Most")


# ---------------------------------------------------------------------- attackers who go back

BACK = "Alfa-Hub Bern-Hub Alfa-Bern Alfa-Cham Bern-Cham"


def went_back(*others: str, going: str, came: str, lines: str = BACK, wanted: str = "", **facts: Any) -> Any:
    units = units_of(going)
    state = position(
        *units,
        *(one for text in others for one in units_of(text)),
        **{"command": "GER-North", "came": pairs_of(came), **facts},
    )
    flight = Flight(wanted=tuple(map(BoxId, listed(wanted))), lost=BoxId("Hub"))
    return drive(returned(board(lines), state, [one.id for one in units], flight))


@pytest.mark.rule("white_eagle:8.5.b1")
def test_8_5_attackers_go_back_each_to_its_box() -> None:
    going, came = "GER-4th-1 Hub, GER-4th-2* Hub, GER-4th-3 Hub", "GER-4th-1:Alfa,GER-4th-2:Bern,GER-4th-3:Alfa"
    found = went_back("POL-Lodz-1 Hub", going=going, came=came)
    expected = {"GER-4th-1": "Alfa", "GER-4th-2": "Bern*", "GER-4th-3": "Alfa", "POL-Lodz-1": "Hub"}
    assert places(found.result) == expected
    assert found.told == ["8.5.b1: back to Alfa: II Corps, XIX Panzer", "8.5.b1: back to Bern: III Corps"]
    assert found.result.activation.idle == ("GER-4th-1", "GER-4th-2", "GER-4th-3")
    assert found.result.activation.came == {}


@pytest.mark.rule("white_eagle:8.5.b4")
def test_8_5_attackers_displace_who_came_behind_them() -> None:
    found = went_back(
        "POL-Lodz-1 Hub", "GER-3rd-3 Alfa", "GER-4th-3 Alfa", going="GER-10th-4 Hub", came="GER-10th-4:Alfa"
    )
    assert places(found.result) == {"GER-10th-4": "Alfa", "GER-3rd-3": "Alfa", "GER-4th-3": "Cham", "POL-Lodz-1": "Hub"}
    assert found.result.activation.idle == ("GER-10th-4", "GER-4th-3")


def test_ruling_8_7_a_box_that_holds_enemies_is_no_way_back() -> None:
    found = went_back("POL-Lodz-1 Hub", "POL-Lodz-2 Alfa", going="GER-4th-1 Hub", came="GER-4th-1:Alfa")
    assert places(found.result)["GER-4th-1"] == "Bern"
    fort = went_back(
        "POL-Lodz-1 Hub", lines="Fort-Hub Hub-Alfa", going="GER-4th-1 Hub", came="GER-4th-1:Fort", forts={"Fort": 1}
    )
    assert places(fort.result)["GER-4th-1"] == "Alfa"


def test_ruling_8_7_a_siege_that_comrades_keep_up_is_a_way_back() -> None:
    facts = {"lines": "Fort-Hub Hub-Alfa", "going": "GER-4th-1 Hub", "came": "GER-4th-1:Fort", "forts": {"Fort": 1}}
    found = went_back("POL-Lodz-1 Hub", "GER-4th-2 Fort", **facts)
    assert places(found.result)["GER-4th-1"] == "Fort"


def test_ruling_9_9_who_attacked_from_where_he_stood_retreats_as_a_defender() -> None:
    found = went_back("POL-Lodz-1 Hub", going="GER-4th-1 Hub", came="", wanted="Bern")
    assert places(found.result)["GER-4th-1"] == "Bern"
    assert found.told == ["8.5.b1: retreat to Bern: II Corps"]
