"""How far units can march, and which boxes are closed to them (7.0, 7.2, 7.3).

Left out: what they may do together (`s7_stacking`), and orders (`s7_march`). Rulings 7-3, 7-4, 7-7, 7-8, 7-11, 7-13
and 9-3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitType
from pbem.games.white_eagle.kinds import SOVIET_COMMANDS, Nation
from pbem.games.white_eagle.s3_setup import is_unmobilised
from pbem.games.white_eagle.s9_siege import is_besieged
from pbem.games.white_eagle.state import State, Unit, nation_of, side_of
from pbem.log.enumeration import counted
from pbem.rules.refusal import Refusal


@dataclass(frozen=True, slots=True)
class Route:
    """The boxes that a unit enters, the last of them its goal, and their cost in movement points."""

    path: tuple[BoxId, ...]
    cost: int

    @property
    def goal(self) -> BoxId:
        return self.path[-1]


# ---------------------------------------------------------------------- who marches


def points(data: GameData, state: State, unit: Unit) -> int:
    """Movement points of a unit in this activation: its factor less what slows it (7.0, 4.2, 5.1), at least 0."""
    slowed = state.activation.slowed if state.activation else 0
    return max(0, data.figures.movement.of(data.unit(unit.id).type) + slowed)


def may_march(data: GameData, state: State, unit: Unit) -> Refusal | None:
    """Why a unit of the activated side cannot move at all, None when it may."""
    kind = data.unit(unit.id)
    return (
        _not_entered(data, state, kind)
        or _not_activated(data, state, unit)
        or _reserve(data, state, unit)
        or _unmobilised(data, unit)
    )


def can_march(data: GameData, state: State) -> bool:
    """Whether any unit of the activated command could move, so that slowing it down means something (5.1)."""
    return any(reachable(data, state, unit) for unit in marchers(data, state))


def marchers(data: GameData, state: State) -> Iterator[Unit]:
    """The units that may march in this activation."""
    side = state.activation.side if state.activation else None
    for unit in state.units.values():
        if side_of(unit.id) is side and may_march(data, state, unit) is None:
            yield unit


def leaves_by_fort(data: GameData, state: State, unit: Unit) -> bool:
    """Whether a unit of another command may leave its besieged fort because the fort is activated (9.0, ruling 9-3)."""
    if state.activation is None:
        return False
    activated = data.board.boxes[unit.box].fort == state.activation.command
    free = state.fort_turns.count(unit.box) < data.figures.fort.activations
    return activated and free and is_besieged(data, state, unit.box, side_of(unit.id))


def _not_entered(data: GameData, state: State, kind: UnitType) -> Refusal | None:
    if kind.command not in SOVIET_COMMANDS or state.soviets:
        return None
    figures = data.figures
    text = f"expected a unit that is in the game, got {kind.name} before Soviet entry"
    hint = f"the Soviets enter with {figures.victory.soviet_entry} VP from turn {figures.turns.soviet_entry} on"
    return Refusal("march.soviets", text, "6.3.p1", hint)


def _not_activated(data: GameData, state: State, unit: Unit) -> Refusal | None:
    kind = data.unit(unit.id)
    if state.activation is None or kind.command is state.activation.command or leaves_by_fort(data, state, unit):
        return None
    text = f"expected a unit of {state.activation.command.full_name}, got {kind.name} of {kind.command.full_name}"
    hint = "it moves when its own chit is drawn"
    if unit.box in state.fort_turns and is_besieged(data, state, unit.box, side_of(unit.id)):
        hint = f"the fort of {data.box_name(unit.box)} was activated this turn already (9.0)"
    return Refusal("march.command", text, "5.2.p1", hint)


def _reserve(data: GameData, state: State, unit: Unit) -> Refusal | None:
    first = next((row.moves_from for row in data.forces.placements if row.unit == unit.id), 1)
    if state.turn >= first:
        return None
    text = f"expected a unit that may move on turn {state.turn}, got {data.name(unit.id)}"
    return Refusal("march.reserve", text, "7.3.b1", f"it may move from turn {first} on")


def _unmobilised(data: GameData, unit: Unit) -> Refusal | None:
    if not is_unmobilised(data, unit):
        return None
    text = f"expected a unit that is mobilised, got {data.name(unit.id)}"
    return Refusal("march.unmobilised", text, "7.3.b5", f"it may move from turn {data.unit(unit.id).flips_on} on")


# ---------------------------------------------------------------------- where to


def reachable(data: GameData, state: State, unit: Unit) -> Mapping[BoxId, Route]:
    """The cheapest way to each box that a unit can enter, of ways as cheap that with the fewest boxes, then by name.

    It ends at enemies and their standing forts (7.2) and keeps out of boxes that are closed to the unit (7.3).
    Stacking, which depends on the other marches, is not looked at.
    """
    most, side = points(data, state, unit), side_of(unit.id)
    found: dict[BoxId, Route] = {}
    open_routes = [Route((), 0)]
    while open_routes:
        route = min(open_routes, key=lambda one: (one.cost, len(one.path), one.path))
        open_routes.remove(route)
        here = route.goal if route.path else unit.box
        if here in found or (route.path and here == unit.box):
            continue
        if route.path:
            found[here] = route
        if not route.path or not data.is_opposed(state, here, side):
            steps = _steps(data, state, unit, route, here)
            open_routes += [step for step in steps if step.cost <= most and step.goal not in found]
    return found


def _steps(data: GameData, state: State, unit: Unit, route: Route, here: BoxId) -> Iterator[Route]:
    for box in data.board.neighbours[here]:
        if barred(data, state, unit, box) is None:
            yield Route((*route.path, box), route.cost + data.board.cost(here, box))


def barred(data: GameData, state: State, unit: Unit, box: BoxId) -> Refusal | None:
    """Why a unit may never be in a box, None when it may; for marches, retreats and advances (7.3, ruling 7-8)."""
    name, where = data.name(unit.id), data.box_name(box)
    match nation_of(unit.id):
        case Nation.POLISH if state.turn < data.figures.turns.poles_leave and not data.board.in_poland(box):
            text = f"expected a box in Poland for {name} on turn {state.turn}, got {where}"
            hint = f"Poles may leave Poland from turn {data.figures.turns.poles_leave} on"
            return Refusal("march.poland", text, "7.3.b5", hint)
        case Nation.SOVIET if not data.board.boxes[box].east:
            text = f"expected a box east of the German/Soviet Line for {name}, got {where}"
            return Refusal("march.line", text, "7.3.b3", "Soviet units never move west of that line")
        case Nation.SLOVAK:
            return _far_from_home(data, unit, box)
    return None


def _far_from_home(data: GameData, unit: Unit, box: BoxId) -> Refusal | None:
    """A Slovak stays near the box where it begins, Presov (7.3)."""
    home = next(row.box for row in data.forces.placements if row.unit == unit.id)
    radius, far = data.figures.movement.slovak_radius, data.board.distance(home, box)
    if far <= radius:
        return None
    name, where = data.name(unit.id), data.box_name(box)
    wanted = f"expected a box within {counted(radius, 'line')} of {data.box_name(home)} for {name}"
    text = f"{wanted}, got {where}, {counted(far, 'line')} away"
    near = sorted(one for one in data.board.boxes if data.board.distance(home, one) <= radius)
    return Refusal("march.slovak", text, "7.3.b4", f"these are {', '.join(map(data.box_name, near))}")
