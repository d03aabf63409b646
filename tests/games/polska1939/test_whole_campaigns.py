"""Whole campaigns, and what must hold between any two phases of them, however anybody plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest
from driven import whole_campaign
from positions import DATA
from soak import soak

from pbem.games.polska1939.s4_joining import DIVISION, REGIMENTS
from pbem.games.polska1939.s13_victory import outcome_of
from pbem.games.polska1939.state import SETUP, Side, State, UnitId, side_of

FIRST_DAY = 1
LAST_MARCH = {Side.GERMAN: 3, Side.POLISH: 6}
"""The phase in which a side's reinforcements come."""


@cache
def begun_with() -> frozenset[str]:
    """The units that are on the map before anybody comes: those of the set-up, the Slovaks included."""
    return frozenset(row.unit for row in DATA.forces.placements if row.day == FIRST_DAY)


def come_by(state: State) -> set[str]:
    """All units whose time has come, at the beginning of a phase."""
    rows = [(row.unit, row.day) for row in DATA.forces.placements if row.day > FIRST_DAY]
    rows += [(row.unit, row.day) for row in DATA.forces.reinforcements]
    return begun_with() | {unit for unit, day in rows if has_come(state, unit, day)}


def has_come(state: State, unit: str, day: int) -> bool:
    """Whether a unit of `day` is due; a campaign that ends in a phase stops there, and does not go on to the next."""
    march, over = LAST_MARCH[side_of(UnitId(unit))], outcome_of(DATA, state) is not None
    return day < state.day or (day == state.day and state.phase + over > march)


def breaches(state: State) -> Iterator[str]:
    """What is wrong with a position between two phases."""
    yield from strengths_out_of_their_tracks(state)
    yield from areas_with_both_sides(state)
    yield from units_unaccounted_for(state)
    yield from (f"{area} has a fort of level {level}" for area, level in state.forts.items() if level not in (1, 2))


def strengths_out_of_their_tracks(state: State) -> Iterator[str]:
    for name, unit in state.units.items():
        kind = DATA.unit(name)
        least = 0 if unit.is_hq else 1
        if not least <= unit.strength <= kind.maximum or not 0 <= unit.fuel <= kind.fuel or unit.ceiling > kind.maximum:
            yield f"{unit} is off its track"
        if unit.ceiling and unit.ceiling < unit.strength:
            yield f"{unit} is to grow to less than it has"


def areas_with_both_sides(state: State) -> Iterator[str]:
    sides = {(unit.area, side_of(name)) for name, unit in state.units.items()}
    yield from (f"{area} has both sides" for area, count in Counter(area for area, _ in sides).items() if count > 1)


def units_unaccounted_for(state: State) -> Iterator[str]:
    """Each unit that has come is on the map, lost, withdrawn or waiting; the parts of a rejoined division are it."""
    places = Counter([*state.units, *state.lost, *state.withdrawn, *state.waiting])
    yield from (f"{name} is in {count} places" for name, count in places.items() if count > 1)
    joined = set(REGIMENTS) - set(places) if DIVISION in places else set()
    expected = come_by(state) - joined | ({DIVISION} & set(places))
    yield from (f"{name} is missing" for name in sorted(expected - set(places)))
    yield from (f"{name} came from nowhere" for name in sorted(set(places) - expected))


def checked(seed: int, bot: str) -> list[str]:
    """All breaches of a campaign, with the place where each was seen."""
    states = [state for state in whole_campaign(seed, bot) if state.phase != SETUP]
    assert len(states) > 5
    return [f"day {state.day}, phase {state.phase}: {one}" for state in states for one in breaches(state)]


@pytest.mark.parametrize(("seed", "bot"), [(1, "random"), (2, "random"), (3, "good")])
def test_invariants_hold_between_all_phases(seed: int, bot: str) -> None:
    assert checked(seed, bot) == []


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_invariants_hold_in_many_random_campaigns() -> None:
    assert {seed: found for seed in range(100, 100 + soak(200)) if (found := checked(seed, "random"))} == {}
