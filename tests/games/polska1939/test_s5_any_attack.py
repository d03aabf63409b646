"""Attacks on positions left to chance, with dice left to chance: what must hold whatever happens."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from positions import DATA, position, run, unit

from pbem.games.polska1939.answers import AttackOrder, Attacks
from pbem.games.polska1939.s5_combat import attack_phase, attack_refusals, attackable, defence_question
from pbem.games.polska1939.state import Aboard, AreaId, Occupation, State, Unit, side_of

PLACES = [area for area, found in DATA.board.areas.items() if found.country == "PL"][:60]
NAMES = sorted(DATA.forces.units)


def scattered(chance: Random) -> State:
    """120 units of all nations in 60 areas, each area with those of one side."""
    sides = {area: chance.choice(("PL", "DE SU SK")) for area in PLACES}
    placed = []
    for name in chance.sample(NAMES, 160):
        area = chance.choice([area for area, nations in sides.items() if name[:2] in nations])
        placed.append(_worn(chance, unit(name, area)))
    forts = {AreaId(area): chance.randint(1, 2) for area in chance.sample(PLACES, 20)}
    return position(*placed, day=chance.choice((12, 20)), phase=chance.choice((2, 5)), forts=forts)


def _worn(chance: Random, one: Unit) -> Unit:
    points = 0 if one.is_hq else chance.randint(1, DATA.unit(one.id).maximum)
    fuel = chance.randint(0, DATA.unit(one.id).fuel)
    train = Aboard.ARRIVED if chance.random() < 0.05 else Aboard.NO
    return replace(one, strength=points, fuel=fuel, disorganized=chance.random() < 0.2, train=train)


def some_attacks(chance: Random, state: State) -> Attacks:
    """An attack on each area, with those who have no other order."""
    busy: set[str] = set()
    orders = []
    for area, units in attackable(DATA, state, Occupation.of(state), state.active).items():
        names = [one.id for one in units if one.id not in busy and chance.random() < 0.8]
        if names:
            busy |= set(names)
            orders.append(AttackOrder(target=area, units=tuple(names), advance=chance.choice(("all", "none"))))
    return Attacks(attacks=tuple(orders))


@pytest.mark.rule("polska1939:1.1", "polska1939:5.2.2")
@pytest.mark.parametrize("seed", range(25))
def test_any_attacks_leave_a_sound_position(seed: int) -> None:
    chance = Random(seed)
    state = scattered(chance)
    orders = some_attacks(chance, state)
    assert attack_refusals(DATA, state, orders) == []
    answers: list[Any] = [orders]
    question = defence_question(DATA, replace(state, planned=orders))
    if question:
        options = question.legal()
        assert [list(question.check(option)) for option in options] == [[]] * len(options)
        answers.append(chance.choice(options))
    after, told = run(
        attack_phase(DATA, state), answers, [chance.randint(1, 6) for _ in range(6 * len(orders.attacks))]
    )
    assert_sound(state, after)
    assert sum(line.startswith("5.2.1:") for line in told) == len(orders.attacks) > 5


def assert_sound(before: State, after: State) -> None:
    holders = {(one.area, side_of(one.id)) for one in after.units.values()}
    assert max(Counter(area for area, _ in holders).values()) == 1
    assert {*after.units, *after.lost} == {*before.units}
    assert set(after.units).isdisjoint(after.lost)
    for name, one in after.units.items():
        old = before.units[name]
        assert (0 if one.is_hq else 1) <= one.strength <= old.strength
        assert 0 <= one.fuel <= max(0, old.fuel - (one.area != old.area))
        assert one.area == old.area or one.exerted == after.moment
    assert (after.planned, after.bombed, after.air_used) == (None, (), ())
    assert list(after.units) == sorted(after.units)
