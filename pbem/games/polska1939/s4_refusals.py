"""Why a unit cannot make a move that is ordered (4.0), as refusals; `s4_movement` says what it can do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.games.polska1939.answers import Move
from pbem.games.polska1939.board import Border, Feature
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import MOTORIZED, Kind
from pbem.games.polska1939.near_areas import some_areas
from pbem.games.polska1939.s4_movement import (
    Front,
    Route,
    has_acted,
    is_passable,
    reach,
    route_to,
    shortfall,
)
from pbem.games.polska1939.s9_supply import out_of_fuel
from pbem.games.polska1939.s12_scenario import limit_of, may_enter
from pbem.games.polska1939.state import Aboard, AreaId, State, Unit, UnitId, side_of
from pbem.rules.refusal import Refusal


def points(halves: int) -> str:
    """Half movement points for people: `2.5 MP`."""
    return f"{halves // 2}.5 MP" if halves % 2 else f"{halves // 2} MP"


def stops(unit: Unit, order: Move) -> tuple[AreaId, ...]:
    """The areas named on the way; the start and the goal may be named with them."""
    via = list(order.via)
    if via and via[0] == unit.area:
        del via[0]
    if via and via[-1] == order.to:
        del via[-1]
    return tuple(AreaId(area) for area in via)


def move_refusals(data: GameData, state: State, front: Front, order: Move) -> list[Refusal]:
    """Every reason against a move of the active side in the present position; none when it can be made."""
    return way_of(data, state, front, order)[1]


def way_of(data: GameData, state: State, front: Front, order: Move) -> tuple[Route | None, list[Refusal]]:
    """The way of a move that can be made, or else every reason against it."""
    unit = state.units.get(UnitId(order.unit))
    if unit is None or side_of(unit.id) is not state.active:
        return None, [unit_refusal(data, state, order.unit)]
    found = [*_condition(data, state, unit), *_places(data, unit, order)]
    found = found or [*_closed(data, state, front, unit, order)]
    if found:
        return None, found
    route = route_to(data, state, front, unit, AreaId(order.to), stops(unit, order))
    return (route, []) if route else (None, [_no_way(data, state, front, unit, order)])


def unit_refusal(data: GameData, state: State, name: str) -> Refusal:
    """Against an order for a unit that the side does not have on the map."""
    known = data.any_unit(name)
    adjective = state.active.adjective
    if name not in data.forces.units or side_of(UnitId(name)) is not state.active:
        return Refusal("move.unit", f"expected a {adjective} unit, got {known}", "4.1.2")
    return Refusal("move.unit", f"expected a {adjective} unit on the map, got {known}, which is not there", "4.1.2")


def _condition(data: GameData, state: State, unit: Unit) -> Iterator[Refusal]:
    """What keeps a unit from marching at all."""
    name = data.name(unit.id)
    if unit.loaded:
        hints = {
            Aboard.CAME_LOADED: "send it to a city by rail, or let it stay aboard",
            Aboard.SEALED: "it travels at the beginning of the next movement phase",
            Aboard.ARRIVED: "it can march in the next movement phase",
        }
        text = f"expected a unit that is on no train, got {name} aboard"
        yield Refusal("move.aboard", text, "8.1.2", hints.get(unit.train, ""))
    elif has_acted(state, unit):
        phase = "III" if state.phase <= 3 else "VI"
        text = f"expected a unit that did not fight or move in this turn, got {name}, which did"
        yield Refusal("move.fought", text, f"3.1.2.phase{phase}")
    if out_of_fuel(data, unit):
        hint = f"fuel rises by {data.figures.fuel.regained} on a day without attack or move, in supply (9.2.4)"
        yield Refusal("move.fuel", f"expected a unit with fuel, got {name} with none", "9.2.6", hint)


def _places(data: GameData, unit: Unit, order: Move) -> Iterator[Refusal]:
    """Areas that are none, and a move that goes nowhere."""
    for area in (*order.via, order.to):
        if area not in data.board.areas:
            text = f"expected an area of the map for {data.name(unit.id)}, got '{area}'"
            yield Refusal("move.area", text, "4.1.1")
    if order.to == unit.area and not stops(unit, order):
        text = f"expected another area for {data.name(unit.id)}, got {data.area_name(order.to)}, where it stands"
        yield Refusal("move.here", text, "4.1.1", "leave the order out: units without one stay")


def _closed(data: GameData, state: State, front: Front, unit: Unit, order: Move) -> Iterator[Refusal]:
    """Areas that the enemy holds, or that the scenario closes to the unit."""
    kind, name = data.unit(unit.id).type, data.name(unit.id)
    for area in dict.fromkeys(AreaId(area) for area in (*order.via, order.to)):
        if area in (front.held if kind is Kind.HQ else front.firm):
            enemies = ", ".join(data.name(enemy.id) for enemy in state.at(area))
            text = f"expected an area without enemies for {name}, got {data.area_name(area)} with {enemies}"
            yield Refusal("move.enemy", text, "1.1", _about_enemies(front, area))
        elif not may_enter(data, state, unit.id, area):
            text = f"expected an area that the scenario opens to {name}, got {data.area_name(area)}"
            yield Refusal("move.limit", text, limit_of(data, state, unit.id))


def _about_enemies(front: Front, area: AreaId) -> str:
    if area in front.firm:
        return "enemies that can fight are attacked in the attack phase"
    return "an HQ does not overrun what a fighting unit could (10.1.4)"


def _no_way(data: GameData, state: State, front: Front, unit: Unit, order: Move) -> Refusal:
    """Against a goal that is too far, or to which no way is open; what bars the step to a goal beside comes first."""
    goal, via = AreaId(order.to), stops(unit, order)
    hint = _in_reach(data, state, front, unit, goal)
    barrier = None if via else _barrier(data, unit, goal)
    found = None if barrier else shortfall(data, state, front, unit, goal, via)
    if found:
        return replace(_too_far(data, unit, *found), hint=hint)
    text, rule = barrier or ("got none that is open", "4.1.1")
    return Refusal("move.way", f"expected a way for {data.name(unit.id)} to {data.area_name(goal)}, {text}", rule, hint)


def _too_far(data: GameData, unit: Unit, route: Route, allowance: int) -> Refusal:
    way = ", ".join(data.area_name(area) for area in route.areas)
    most, name = points(allowance), data.name(unit.id)
    text = f"expected a movement of at most {most} for {name}, got {points(route.cost)}: {way}"
    return Refusal("move.far", text, "4.1.3" if route.free else "4.1.2")


def _barrier(data: GameData, unit: Unit, goal: AreaId) -> tuple[str, str] | None:
    """What bars the step to an area beside that is not in reach, as text and rule; None for an area farther away."""
    start = unit.area
    border = data.board.borders.get((start, goal))
    if border:
        return _ground(data.unit(unit.id).type, border)
    link = next((link for link in data.board.across_node[start] if link.to == goal), None)
    if link and is_passable(data, data.unit(unit.id).type, start, goal):
        return ("got a node with a river", "4.1.6") if link.river else ("got a node beside enemies", "4.1.5")
    return None


def _ground(kind: Kind, border: Border) -> tuple[str, str]:
    """What bars a border to a type of unit."""
    if Feature.LAKE in border.features:
        return "got a lake between", "4.2.1"
    if kind in MOTORIZED and Feature.SWAMP in border.features:
        return "got a swamp between, which motorized units and HQs do not cross", "4.2.4"
    return "got mountains without a pass for motorized units and HQs", "4.2.5"


def _in_reach(data: GameData, state: State, front: Front, unit: Unit, goal: AreaId) -> str:
    """Where the unit can go, the areas nearest to the goal first."""
    routes = reach(data, state, front, unit)
    return f"in reach: {some_areas(data, routes, goal)}" if routes else "it can go nowhere"
