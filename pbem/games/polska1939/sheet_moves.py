"""The sheets of movement and rail: every own unit with where it can go, trains that wait, secret destinations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.s4_joining import join_areas
from pbem.games.polska1939.s4_movement import Route, reach_of_all
from pbem.games.polska1939.s8_rail import loadable
from pbem.games.polska1939.s8_routes import reachable_cities
from pbem.games.polska1939.sheet_words import Scene
from pbem.games.polska1939.state import Aboard, AreaId, Side, State, Unit, UnitId, side_of
from pbem.log.enumeration import cut

MOST_GOALS = 12
MOST_CITIES = 20
MOVE_EXAMPLES: Mapping[Side, str] = {
    Side.GERMAN: "'move 11 INF, 61 INF to Mława', 'move 1 INF to H22 via P21'",
    Side.POLISH: "'move 8 INF, 20 INF to Mława', 'move 27 INF to P48 via P47'",
}
_MOVE_HELP = (
    "# Below: each area with its ground, your units, enemies beside it; then where they can go, the nearest first.",
    "# A list that ends 'and N more' is cut: any area in reach may be named.",
    "# Units without an order stay: they dig in, regain fuel and are reorganized (7.2.1, 9.2.4, 5.5.5).",
)


def move_help(side: Side) -> tuple[str, ...]:
    """How a move is written, with units of the side that is asked."""
    return (f"# {MOVE_EXAMPLES[side]} where the way matters; carried out in turn.", *_MOVE_HELP)


def move_lines(scene: Scene) -> Iterator[str]:
    """Own areas one by one, with the moves of the units in them; trains first."""
    yield from _rail_lines(scene)
    reach = reach_of_all(scene.data, scene.state, scene.occupation, scene.side)
    for area in scene.mine():
        beside = scene.enemies_beside(area)
        yield "#"
        yield f"# {scene.place(area)}: {scene.here(area)}" + (f"; beside {beside}" if beside else "")
        yield from _moves(scene, area, reach)


def _moves(scene: Scene, area: AreaId, reach: Mapping[UnitId, Mapping[AreaId, Route]]) -> Iterator[str]:
    """A line for all units of an area that can go to the same areas."""
    groups: dict[tuple[AreaId, ...], list[Unit]] = {}
    for unit in scene.occupation.at(area):
        if unit.id in reach:
            groups.setdefault(tuple(reach[unit.id]), []).append(unit)
    for goals, units in groups.items():
        names = _nearest(scene, area, goals)
        others = f"   # or {cut(names[1:], MOST_GOALS)}" if names[1:] else ""
        yield f"# move {scene.units(units)} to {names[0]}{others}"


def _nearest(scene: Scene, area: AreaId, goals: Sequence[AreaId]) -> list[str]:
    """Goals by distance, those beside first."""
    board = scene.data.board
    ranked = sorted(goals, key=lambda goal: (board.distance(area, goal), board.areas[goal].name))
    return [scene.area(goal) for goal in ranked]


def _rail_lines(scene: Scene) -> Iterator[str]:
    """Trips of units that came loaded, loading, and rejoining."""
    mine = [unit for unit in scene.state.units.values() if side_of(unit.id) is scene.side]
    for unit in mine:
        if unit.train is Aboard.CAME_LOADED:
            yield from _trip(scene, unit, "train")
    able = loadable(scene.data, scene.state, scene.side)
    yield from (f"# load {scene.unit(name)}   # goes aboard its train" for name in able)
    for train in scene.state.trains:
        if side_of(train.unit) is scene.side:
            yield f"# A train for {scene.unit(train.unit)} waits in {scene.data.area_name(train.area)}."
    yield from (f"# join 9 INF at {scene.area(area)}" for area in join_areas(scene.state))


def idle_forms(data: GameData, state: State, side: Side) -> tuple[str, ...]:
    """The verbs of orders that no unit of a side can be given now: no train waits, nobody came loaded or can rejoin."""
    came = any(side_of(unit.id) is side and unit.train is Aboard.CAME_LOADED for unit in state.units.values())
    able = {"load": bool(loadable(data, state, side)), "train": came, "join": bool(join_areas(state))}
    return tuple(verb for verb, possible in able.items() if not possible)


def _trip(scene: Scene, unit: Unit, verb: str) -> Iterator[str]:
    cities = [scene.area(city) for city in reachable_cities(scene.data, scene.occupation, unit)]
    where = scene.data.area_name(unit.area)
    if not cities:
        yield f"# {scene.told(unit)} in {where}: no way to another city is open"
        return
    others = f", or {cut(cities[1:], MOST_CITIES)}" if cities[1:] else ""
    yield f"# {verb} {scene.unit(unit.id)} to {cities[0]}   # from {where}; the nearest by rail{others}"


def destination_lines(scene: Scene) -> Iterator[str]:
    """The cities that every loaded unit could travel to."""
    yield "# Every loaded unit needs a city; the one where it stands lets it unload there."
    for unit in scene.state.units.values():
        if side_of(unit.id) is scene.side and unit.train is Aboard.SEALED:
            yield from _trip(scene, unit, "destination")
