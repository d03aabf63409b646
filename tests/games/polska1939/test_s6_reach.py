"""Which air units fly on a day, and how far they reach."""

from __future__ import annotations

import pytest
from positions import DATA, position, unit

from pbem.games.polska1939.kinds import AirKind, Nation
from pbem.games.polska1939.s6_reach import AirDay, aircraft
from pbem.games.polska1939.state import AreaId, Side, Train, UnitId

BOM, OFF = AirKind.BOMBER, AirKind.SUPPORT
AREAS = DATA.board.areas


def listed(side: Side, day: int, kind: AirKind) -> str:
    return " ".join(f"{p.number}:{p.nation}{p.strength}" for p in aircraft(DATA, side, day, kind))


def test_ruling_6_1_air_units_are_numbered_from_the_strongest_and_germans_before_soviets() -> None:
    assert listed(Side.GERMAN, 1, BOM) == "1:DE2 2:DE2 3:DE2 4:DE2 5:DE2"
    assert listed(Side.GERMAN, 4, BOM) == "1:DE2 2:DE2 3:DE2 4:DE2 5:DE1"
    assert listed(Side.GERMAN, 17, BOM) == "1:DE2 2:SU2 3:SU2 4:DE1 5:DE1 6:DE1"
    assert listed(Side.GERMAN, 35, BOM) == "1:SU2 2:SU1"
    assert listed(Side.GERMAN, 7, OFF) == "1:DE3 2:DE3 3:DE3 4:DE2"
    assert [listed(Side.POLISH, day, BOM) for day in (2, 3, 5, 8, 9)] == ["", "1:PL2", "1:PL1", "1:PL1", ""]
    assert listed(Side.POLISH, 3, OFF) == ""


def near(countries: tuple[str, ...], areas: tuple[str, ...], from_country: int, from_area: int) -> set[str]:
    """Areas in reach, measured from every source alone."""
    home = [code for code, area in AREAS.items() if area.country in countries]
    found = {code for start in home for code in AREAS if DATA.board.distance(start, code) <= from_country}
    return found | {code for start in areas for code in AREAS if DATA.board.distance(start, code) <= from_area}


@pytest.mark.rule("polska1939:6.1.9", "polska1939:6.2.5")
def test_6_1_9_reach_from_the_country_alone() -> None:
    day = AirDay.of(DATA, position(unit("PL-INF-8", "P22"), day=17), Side.GERMAN)
    assert day.reach[Nation.GERMANY, BOM] == near(("DE", "SK"), (), 9, 0)
    assert day.reach[Nation.GERMANY, OFF] == near(("DE", "SK"), (), 4, 0)
    assert day.reach[Nation.SOVIET_UNION, BOM] == near(("SU",), (), 9, 0)
    assert (Nation.SOVIET_UNION, OFF) not in day.reach


@pytest.mark.rule("polska1939:6.1.9", "polska1939:6.2.5")
def test_ruling_6_2_reach_from_headquarters_in_supply() -> None:
    """An HQ at Warszawa with a line back to Germany counts for its own nation alone."""
    state = position(unit("DE-HQ-XVI", "P24"), day=17)
    day = AirDay.of(DATA, state, Side.GERMAN)
    assert day.reach[Nation.GERMANY, OFF] == near(("DE", "SK"), ("P24",), 4, 3)
    assert day.reach[Nation.GERMANY, OFF] != near(("DE", "SK"), (), 4, 0)
    assert day.reach[Nation.SOVIET_UNION, BOM] == near(("SU",), (), 9, 0)


@pytest.mark.rule("polska1939:6.1.9")
def test_6_1_9_bombers_reach_six_areas_from_a_soviet_headquarters() -> None:
    hq = next(name for name, kind in DATA.forces.units.items() if name.startswith("SU-HQ"))
    day = AirDay.of(DATA, position(unit(hq, "P87"), day=20), Side.GERMAN)
    assert day.reach[Nation.SOVIET_UNION, BOM] == near(("SU",), ("P87",), 9, 6)
    assert day.reach[Nation.SOVIET_UNION, BOM] != near(("SU",), (), 9, 0)


@pytest.mark.rule("polska1939:6.1.9")
def test_6_1_9_headquarters_without_supply_do_not_count() -> None:
    around = [unit(f"PL-INF-{n}", area) for n, area in zip((8, 20, 4, 16), DATA.board.neighbours["P24"], strict=True)]
    day = AirDay.of(DATA, position(unit("DE-HQ-XVI", "P24"), *around), Side.GERMAN)
    assert day.reach[Nation.GERMANY, OFF] == near(("DE", "SK"), (), 4, 0)


@pytest.mark.rule("polska1939:6.1.2", "polska1939:8.1.5")
def test_6_1_2_targets_are_enemy_units_and_trains() -> None:
    trains = tuple(Train(AreaId(area), UnitId("PL-INF-24")) for area in ("P62", "G13"))
    units = unit("PL-INF-8", "P22"), unit("DE-INF-11", "G13"), unit("PL-HQ-Modlin", "P23")
    assert AirDay.of(DATA, position(*units, trains=trains), Side.GERMAN).targets == ("P22", "P23", "P62")
    assert AirDay.of(DATA, position(*units, trains=trains, day=3), Side.POLISH).targets == ("G13",)
