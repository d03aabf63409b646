"""Whole games, and what must hold at every step of them, however anybody plays: questions, checkpoints, the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from soak import soak

from pbem.app.demo import Seeded
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.bots import bots
from pbem.games.white_eagle.forces import Start, UnitId
from pbem.games.white_eagle.kinds import Side
from pbem.games.white_eagle.s3_setup import chits_that_start
from pbem.games.white_eagle.s4_sequence import play_turns
from pbem.games.white_eagle.s6_victory import victory_points
from pbem.games.white_eagle.s7_stacking import fits
from pbem.games.white_eagle.state import State, side_of
from pbem.rules.play import Asking, Checkpoint, Drawing, Rolling
from white_eagle.positions import DATA, OPENING

MARKERS = 12
"""Wooden control markers, on the victory track or in cities (2.0)."""
BOTS = bots(DATA)


def states(seed: int, bot: str) -> Iterator[tuple[State, bool]]:
    """Every position that is asked about or kept; whether it stands between two activations."""
    source = Seeded(seed, "whole game")
    rules, response = play_turns(DATA, OPENING), None
    while True:
        try:
            request = rules.send(response)
        except StopIteration:
            return
        response = answered(request, source, bot)
        if isinstance(request, Asking | Checkpoint):
            yield request.state, isinstance(request, Checkpoint)


def answered(request: Any, source: Seeded, bot: str) -> Any:
    match request:
        case Rolling():
            return request.read(tuple(1 + source.choose(request.sides) for _ in range(request.count)))
        case Drawing():
            return request.items[source.choose(len(request.items))]
        case Asking():
            return tuple(BOTS[bot](question, request.state, source.choose) for question in request.questions)
    return None


def breaches(before: State, state: State, *, between: bool) -> Iterator[str]:
    """What is wrong with a position; `before` is the last one between two activations."""
    yield from units_unaccounted_for(state)
    yield from markers_astray(state)
    yield from chits_astray(state)
    yield from (f"the fort of {box} has {steps} steps" for box, steps in state.forts.items() if steps not in (0, 1, 2))
    if between:
        yield from boxes_overfull(before, state)


def units_unaccounted_for(state: State) -> Iterator[str]:
    """Each of the 55 units is on the map or lost, once; a unit that is reduced has a reduced side."""
    places = Counter([*state.units, *state.lost])
    yield from (f"{name} is in {count} places" for name, count in places.items() if count > 1)
    yield from (f"{name} is missing" for name in DATA.forces.units if name not in places)
    yield from (f"{name} came from nowhere" for name in places if name not in DATA.forces.units)
    for unit in state.units.values():
        if unit.reduced and DATA.unit(unit.id).steps == 1 and not DATA.unit(unit.id).flips_on:
            yield f"{unit} has no reduced side"


def markers_astray(state: State) -> Iterator[str]:
    """Twelve control markers, in held cities or on the track; points are those off the track less destroyed forts."""
    on_map = sum(DATA.board.boxes[box].victory for box in state.held)
    destroyed = sum(not state.forts[box] for box in ("Konigsberg", "Lotzen"))
    track = MARKERS - on_map
    if not 0 <= track <= MARKERS or len(set(state.held)) != len(state.held):
        yield f"{on_map} markers are on the map"
    if victory_points(DATA, state) != max(0, MARKERS - track - destroyed):
        yield f"{victory_points(DATA, state)} points with {track} markers on the track, {destroyed} forts destroyed"
    for box in state.held:
        if not DATA.board.boxes[box].victory:
            yield f"a marker is in {box}"


def chits_astray(state: State) -> Iterator[str]:
    """Each chit of this turn is in the cup or drawn, once; events are used only when drawn."""
    starts = (Start.CUP, Start.HELD, *((Start.ASIDE,) if state.soviets else ()))
    if sorted([*state.cup, *state.pulled]) != sorted(chits_that_start(DATA, *starts)):
        yield f"the chits are {state.cup} and {state.pulled}"
    if not {*state.used} <= {*state.pulled} or len({*state.used}) != len(state.used):
        yield f"events {state.used} are used"


def boxes_overfull(before: State, state: State) -> Iterator[str]:
    """No open box holds both sides; who has come to a box keeps its limits (7.1); set-up boxes may be fuller."""
    for box in DATA.board.boxes:
        sides = {side_of(unit.id) for unit in state.at(box)}
        if len(sides) > 1 and not state.forts.get(box):
            yield f"{box} holds both sides"
        for side in Side:
            there = state.of_side(box, side)
            came = {unit.id for unit in there} - {unit.id for unit in before.of_side(box, side)}
            if came and not fits(DATA, state, box, there):
                yield f"{box} is overfull: {there}"


def checked(seed: int, bot: str) -> list[str]:
    """All breaches of a game, with the turn in which each was seen."""
    found, before, count = [], OPENING, 0
    for state, between in states(seed, bot):
        found += [f"turn {state.turn}: {one}" for one in breaches(before, state, between=between)]
        before, count = (state if between else before), count + 1
    assert count > 50
    return found


@pytest.mark.rule("white_eagle:2.0.p1", "white_eagle:7.1.p1", "white_eagle:4.3.b2", "white_eagle:6.0.p1")
@pytest.mark.parametrize(("seed", "bot"), [(1, "random"), (2, "random"), (3, "good")])
def test_invariants_hold_at_every_step(seed: int, bot: str) -> None:
    assert checked(seed, bot) == []


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_invariants_hold_in_many_random_games() -> None:
    assert {seed: found for seed in range(100, 100 + soak(500)) if (found := checked(seed, "random"))} == {}


def test_a_breach_is_noticed() -> None:
    """The checks can fail: a unit twice, a marker in a wrong box, a chit lost, a fort too strong, a full box."""
    lodz = UnitId("POL-Lodz-1")
    doubled = OPENING.without([lodz]).with_units([OPENING.units[lodz]])
    assert list(units_unaccounted_for(doubled)) == ["POL-Lodz-1 is in 2 places"]
    assert list(markers_astray(replace(OPENING, held=("Danzig", "Radom")))) == ["a marker is in Radom"]  # type: ignore[arg-type]
    assert len(list(chits_astray(replace(OPENING, cup=OPENING.cup[1:])))) == 1
    strong = replace(OPENING, forts={**OPENING.forts, BoxId("Modlin"): 3})
    assert list(breaches(OPENING, strong, between=True)) == ["the fort of Modlin has 3 steps"]
    poles = [replace(unit, box=BoxId("Kutno")) for unit in OPENING.units.values() if side_of(unit.id) is Side.POLISH]
    (full,) = boxes_overfull(OPENING, OPENING.with_units(poles))
    assert full.startswith("Kutno is overfull: ")
