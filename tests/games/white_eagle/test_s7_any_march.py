"""Marches in positions at random: what is in reach is accepted, what is not is refused, and play ends where it says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from pbem.games.white_eagle.answers import March
from pbem.games.white_eagle.kinds import Command
from pbem.games.white_eagle.s7_march import march, placed
from pbem.games.white_eagle.s7_movement import marchers, reachable
from pbem.games.white_eagle.s7_refusals import march_refusals
from pbem.games.white_eagle.state import Activation, State, Unit
from white_eagle.positions import DATA, OPENING, play

BOXES = tuple(DATA.board.boxes)
SEEDS = range(25)


def anywhere(seed: int) -> State:
    """Most of the units somewhere on the map, and a command that is activated."""
    chance = Random(seed)
    units = {
        name: replace(one, box=chance.choice(BOXES)) for name, one in OPENING.units.items() if chance.random() < 0.7
    }
    activation = Activation(chance.choice([*Command]), slowed=-chance.randint(0, 1))
    return replace(OPENING, turn=chance.randint(1, 10), soviets=True, units=units, activation=activation)


def reasons(state: State, unit: Unit, *path: str) -> set[str]:
    """The kinds of refusals of a march, but for those of stacking."""
    found = march_refusals(DATA, state, [March(units=(unit.id,), path=path)])
    return {one.code for one in found if not one.code.startswith("stack.")}


def every_march(state: State) -> Iterator[March]:
    for unit in marchers(DATA, state):
        yield from (March(units=(unit.id,), path=route.path) for route in reachable(DATA, state, unit).values())


@pytest.mark.rule("white_eagle:7.0.p1", "white_eagle:7.0.p2", "white_eagle:7.2.p1", "white_eagle:7.3.p1")
@pytest.mark.parametrize("seed", SEEDS)
def test_7_0_what_is_in_reach_is_accepted_and_no_other_box_beside_it(seed: int) -> None:
    state = anywhere(seed)
    for unit in marchers(DATA, state):
        routes = reachable(DATA, state, unit)
        assert {box: reasons(state, unit, *route.path) for box, route in routes.items()} == {
            box: set() for box in routes
        }
        others = [box for box in DATA.board.neighbours[unit.box] if box not in routes]
        assert all(reasons(state, unit, box) for box in others)
        for route in routes.values():
            onward = [box for box in DATA.board.neighbours[route.goal] if box not in routes and box != unit.box]
            assert all(reasons(state, unit, *route.path, box) for box in onward)


@pytest.mark.rule("white_eagle:7.0.p1")
@pytest.mark.parametrize("seed", SEEDS)
def test_7_0_marches_lead_where_the_check_saw_them(seed: int) -> None:
    state, chance = anywhere(seed), Random(seed)
    by_unit = {order.units: order for order in sorted(every_march(state), key=lambda _: chance.random())}
    marches = [order for order in by_unit.values() if not march_refusals(DATA, state, [order])]
    end, seen = play(march(DATA, state, marches)).result, placed(DATA, state, marches)
    assert end == replace(seen, held=end.held, activation=replace(seen.activation, marched=True))
    assert all(end.units[name].box == order.path[-1] for (name,), order in by_unit.items() if order in marches)
