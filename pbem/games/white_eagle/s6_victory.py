"""Victory points and control markers (6.0 to 6.3), and the end of the game (10.0)."""

from __future__ import annotations

from dataclasses import replace

from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.kinds import Nation, Side
from pbem.games.white_eagle.state import Stage, State, nation_of
from pbem.rules.play import Outcome, Rules, report


def victory_points(data: GameData, state: State) -> int:
    """The German points: control markers on the map less destroyed German forts, never below 0 (6.0, 6.1)."""
    markers = sum(data.board.boxes[box].victory for box in state.held)
    destroyed = [box for box, steps in state.forts.items() if not steps and data.fort_side(box) is Side.GERMAN]
    return max(0, markers + data.figures.victory.fort * len(destroyed))


def allied_modifier(data: GameData, state: State) -> int:
    """What the dice of German units, not of Slovaks or Soviets, lose to the front in the west (6.2)."""
    figures = data.figures.victory
    points = victory_points(data, state)
    if state.turn < data.figures.turns.allied or points > figures.allied_points:
        return 0
    return figures.allied_modifier if points else figures.allied_lowest


def settle(data: GameData, state: State, box: BoxId) -> Rules[State]:
    """A victory city changes hands when one side alone is in it, an undestroyed fort counting for its side (6.1)."""
    if not data.board.boxes[box].victory:
        return state
    for side in Side:
        if state.of_side(box, side) and not data.is_opposed(state, box, side):
            return (yield from _change_hands(data, state, box, side))
    return state


def _change_hands(data: GameData, state: State, box: BoxId, side: Side) -> Rules[State]:
    if (box in state.held) is (side is Side.GERMAN):
        return state
    held = {*state.held, box} if side is Side.GERMAN else {*state.held} - {box}
    state = replace(state, held=tuple(sorted(held)))
    text = "{box} is captured: {points} VP" if side is Side.GERMAN else "{box} is liberated: {points} VP"
    rule = "6.1.p4" if data.board.boxes[box].victory > 1 else "6.1.p2" if side is Side.GERMAN else "6.1.p3"
    yield from report(rule, text, box=data.box_name(box), points=victory_points(data, state))
    return state


def east_of_line(data: GameData, state: State) -> int:
    """German units, not Slovaks or Soviets, east of the German/Soviet line (10.0)."""
    units = state.units.values()
    return sum(nation_of(unit.id) is Nation.GERMAN and data.board.boxes[unit.box].east for unit in units)


def adjusted_points(data: GameData, state: State) -> int:
    """The points less the German units that are still in the east, once the Soviets have entered (10.0)."""
    points = victory_points(data, state)
    return points + data.figures.victory.east * east_of_line(data, state) if state.soviets else points


def outcome_of(data: GameData, state: State) -> Outcome | None:
    """How the game has ended, None while it goes on (10.0)."""
    if state.breakdowns >= data.figures.breakdown.lost_at:
        return Outcome(Side.POLISH, "10.0.b1", f"the Blitzkrieg broke down {state.breakdowns} times: Polish victory")
    turn_is_over = state.stage is Stage.CLEAN_UP and state.activation is None
    return _end_of_turn(data, state) if turn_is_over else None


def _end_of_turn(data: GameData, state: State) -> Outcome | None:
    turns, figures = data.figures.turns, data.figures.victory
    points, adjusted = victory_points(data, state), adjusted_points(data, state)
    if points >= figures.german:
        return Outcome(Side.GERMAN, "10.0.b2", f"{points} VP at the end of turn {state.turn}: German victory")
    if state.turn < turns.end_check:
        return None
    count = f"{adjusted} adjusted VP at the end of turn {state.turn}"
    if adjusted >= figures.enough:
        if state.turn == turns.end_check:
            return Outcome(Side.GERMAN, "10.0.b3", f"{count}: German victory")
        return Outcome("", "10.0.b4", f"{count}: a draw")
    return Outcome(Side.POLISH, "10.0.p3", f"{count}: Polish victory") if state.turn >= turns.last else None
