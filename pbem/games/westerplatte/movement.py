"""Movement: one area, ground units on land, the ship on water (turn.6 to turn.11, setup.1, 3, 5). Rulings 9 and 19."""

from __future__ import annotations

from collections.abc import Collection

from pbem.games.westerplatte.answers import Move
from pbem.games.westerplatte.data_files import AreaId, AreaKind, GameData, Side, UnitId
from pbem.games.westerplatte.state import EAST, Piece, State, enemies_in, is_ship, side_of
from pbem.log.enumeration import counted
from pbem.rules.refusal import Refusal


def destinations(data: GameData, piece: Piece) -> tuple[AreaId, ...]:
    """Where a unit could move as far as the ground allows, whoever stands there."""
    if piece.area == EAST:
        return tuple(map(AreaId, data.words("areas.german_entry")))
    if is_ship(data, piece.unit):
        return data.ship_steps(piece.area)
    steps = data.ground_steps(piece.area)
    if side_of(data, piece.unit) is Side.GERMAN:
        return steps
    closed = data.words("areas.closed_to_poles")
    return tuple([area for area in steps if area not in closed])


def has_room(data: GameData, state: State, unit: UnitId, area: AreaId) -> bool:
    """Whether one more friendly ground unit may stack there (setup.5)."""
    friends = [piece for piece in state.at(area) if side_of(data, piece.unit) is side_of(data, unit)]
    return is_ship(data, unit) or len(friends) < data.number("stack.limit")


def may_enter(data: GameData, state: State, unit: UnitId, area: AreaId) -> bool:
    """No enemy and room (turn.7, setup.5)."""
    side, here = side_of(data, unit), state.at(area)
    if any(side_of(data, piece.unit) is not side for piece in here):
        return False
    return is_ship(data, unit) or len(here) < data.number("stack.limit")


def move_refusals(data: GameData, state: State, order: Move, fired_at: Collection[str]) -> list[Refusal]:
    """Reasons against a move; an area whose every enemy is fired at earlier in the sheet may be tried."""
    unit, area = UnitId(order.unit), AreaId(order.to)
    piece = state.piece(unit)
    if area not in data.areas:
        return [Refusal("move.area", f"expected an area of the map for {unit}, got '{area}'", "turn.6")]
    if area not in destinations(data, piece):
        return [_not_there(data, piece, area)]
    found = []
    held = [enemy.unit for enemy in enemies_in(data, state, area, side_of(data, unit)) if enemy.unit not in fired_at]
    if held:
        text = f"expected an area without enemies for {unit}, got {area} with {' and '.join(held)}"
        found.append(Refusal("move.enemy", text, "turn.7", "fire at every unit there earlier in the sheet, or wait"))
    if not has_room(data, state, unit, area):
        text = f"expected room for {unit}, got {area} with {counted(data.number('stack.limit'), 'friendly unit')}"
        found.append(Refusal("move.stack", text, "setup.5", "order the unit there to leave first"))
    return found


def _not_there(data: GameData, piece: Piece, area: AreaId) -> Refusal:
    reachable = ", ".join(destinations(data, piece)) or "no area"
    rule = "turn.6"
    kind = data.areas[area].kind
    if piece.area == EAST:
        rule = "setup.3"
    elif is_ship(data, piece.unit) != (kind is AreaKind.WATER):
        rule = "turn.9" if is_ship(data, piece.unit) else "turn.8"
    elif area in data.words("areas.closed_to_poles") and side_of(data, piece.unit) is Side.POLISH:
        rule = "setup.1"
    origin = "off the map" if piece.area == EAST else f"in {piece.area}"
    return Refusal("move.reach", f"expected {piece.unit} {origin} to move to {reachable}, got {area}", rule)
