"""Reinforcements (11.1): who comes when and where, waiting, growing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from positions import DATA, position, run, unit

from pbem.games.polska1939.s11_reinforcements import arrive, grow
from pbem.games.polska1939.state import Aboard, AreaId, Side, State, Train, UnitId


def came(state: State, name: str) -> tuple[str, int, int, Aboard]:
    found = state.units[UnitId(name)]
    return found.area, found.strength, found.ceiling, found.train


@pytest.mark.rule("polska1939:11.1.1", "polska1939:11.1.2")
def test_11_1_1_units_come_on_their_day_in_their_area_and_side() -> None:
    state, told = run(arrive(DATA, position(day=2, phase=3), Side.GERMAN))
    assert told == [
        "11.1.2: 10 ARM (14) comes to Bytów (G02)",
        "11.1.2: 23 INF (16) comes to Jastrowie (G04)",
        "11.1.2: 218 INF (14) comes to Trzebielin (G01)",
    ]
    assert sorted(state.units) == ["DE-ARM-10", "DE-INF-218", "DE-INF-23"]
    assert run(arrive(DATA, position(day=2, phase=6), Side.POLISH)) == (position(day=2, phase=6), [])


@pytest.mark.rule("polska1939:11.1.3", "polska1939:8.1.2")
def test_11_1_3_at_full_strength_or_at_the_one_in_brackets_and_loaded_when_marked() -> None:
    state, _ = run(arrive(DATA, position(day=3, phase=6), Side.POLISH))
    assert came(state, "PL-INF-11") == ("P98", 13, 0, Aboard.CAME_LOADED)
    assert came(state, "PL-INF-3") == ("P63", 10, 13, Aboard.CAME_LOADED)
    assert came(state, "PL-INF-Glabisz") == ("P65", 6, 0, Aboard.NO)
    assert state.trains == (Train(AreaId("P62"), UnitId("PL-INF-24")), Train(AreaId("P95"), UnitId("PL-INF-12")))


@pytest.mark.rule("polska1939:11.1.5.example")
def test_11_1_5_example() -> None:
    assert [(p.area, p.strength) for p in DATA.forces.placements if p.unit == "PL-INF-36"] == [("P66", 3)]
    state, _ = run(arrive(DATA, position(day=9, phase=6), Side.POLISH))
    assert came(state, "PL-INF-50") == ("P82", 6, 10, Aboard.NO)


def test_ruling_11_1_a_unit_waits_for_its_area() -> None:
    held = position(unit("DE-INF-1", "P68"), day=7, phase=6)
    waiting, told = run(arrive(DATA, held, Side.POLISH))
    assert told == ["11.1.1: 39 INF cannot come to Dęblin (P68), which the enemy holds: it waits"]
    assert waiting.waiting == ("PL-INF-39",)
    still, told = run(arrive(DATA, replace(waiting, day=8), Side.POLISH))
    assert (still.waiting, told) == (("PL-INF-39",), [])
    free = replace(waiting.without_units((UnitId("DE-INF-1"),)), day=8)
    there, told = run(arrive(DATA, free, Side.POLISH))
    assert (there.waiting, came(there, "PL-INF-39")) == ((), ("P68", 9, 0, Aboard.NO))


def test_ruling_11_1_a_train_does_not_come_to_the_enemy() -> None:
    state, _ = run(arrive(DATA, position(unit("DE-INF-1", "P62"), day=3, phase=6), Side.POLISH))
    assert [train.unit for train in state.trains] == ["PL-INF-12"]


@pytest.mark.parametrize(("area", "expected"), [("P83", "P83"), (None, None)])
def test_ruling_11_2_60_inf_comes_to_its_headquarters(area: str | None, expected: str | None) -> None:
    units = [unit("PL-HQ-Polesie", area)] if area else []
    state, told = run(arrive(DATA, position(*units, day=22, phase=6), Side.POLISH))
    found = state.units.get(UnitId("PL-INF-60"))
    assert (found.area if found else None) == expected
    assert ("PL-INF-60" in state.lost) is (expected is None)
    if expected is None:
        assert told == ["11.1.1: 60 INF has no headquarters to come to and is lost"]


# ---------------------------------------------------------------------- growing


@pytest.mark.rule("polska1939:11.1.4", "polska1939:11.1.7.example")
def test_11_1_7_example_a_12_sp_on_14_september() -> None:
    state, _ = run(arrive(DATA, position(day=5, phase=6), Side.POLISH))
    for day in range(6, 15):
        state, _ = run(grow(DATA, replace(state, day=day, phase=1)))
    assert came(state, "PL-INF-44") == ("P72", 12, 0, Aboard.NO)
    before = position(unit("PL-INF-44", "P72", 11, ceiling=12), day=14)
    assert run(grow(DATA, before))[1] == ["11.1.4: 44 INF grows to 12 SP"]


@pytest.mark.rule("polska1939:11.1.7")
def test_11_1_7_growing_ends_at_what_losses_have_left() -> None:
    state = position(unit("PL-INF-44", "P72", 9, ceiling=9), day=14)
    assert run(grow(DATA, state)) == (state, [])


@pytest.mark.rule("polska1939:11.1.4")
@pytest.mark.parametrize(("phase", "grown"), [(1, ["PL-INF-36"]), (4, ["DE-INF-1"])])
def test_11_1_4_before_the_missions_of_the_enemy(phase: int, grown: list[str]) -> None:
    units = (unit("PL-INF-36", "P66", 3, ceiling=12), unit("DE-INF-1", "G14", 3, ceiling=15))
    state, _ = run(grow(DATA, position(*units, day=2, phase=phase)))
    assert [name for name, found in state.units.items() if found.strength == 4] == grown


def test_ruling_11_3_units_of_the_set_up_grow_from_the_second_day() -> None:
    state = position(unit("PL-INF-36", "P66", 3, ceiling=12), day=1)
    assert run(grow(DATA, state)) == (state, [])
