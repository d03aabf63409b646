"""Victory (end.1 to end.4). Rulings 1, 11 and 23."""

from __future__ import annotations

from pbem.games.westerplatte.data_files import GameData, Side
from pbem.games.westerplatte.state import LOST, State, pieces_of, side_of
from pbem.rules.play import Outcome


def victory_points(data: GameData, state: State) -> int:
    """What the Germans have left: 9, less reshuffles, less their units eliminated or reduced (end.2, end.3)."""
    reduced = sum(
        piece.weak or piece.area == LOST for piece in state.pieces if side_of(data, piece.unit) is Side.GERMAN
    )
    return (
        data.number("vp.start")
        - state.reshuffles * data.number("vp.deducted_per_reshuffle")
        - reduced * data.number("vp.deducted_per_german_loss")
    )


def outcome_now(data: GameData, state: State) -> Outcome | None:
    """The Germans win at once when no Polish unit is left and a victory point remains (end.4, ruling 11)."""
    if any(piece.area != LOST and side_of(data, piece.unit) is Side.POLISH for piece in reversed(state.pieces)):
        return None
    points = victory_points(data, state)
    if points < data.number("vp.german_minimum"):
        return None
    remain = "1 VP remains" if points == 1 else f"{points} VP remain"
    return Outcome("german", "end.4", f"the Germans win in turn {state.turn}: no Polish unit is left, {remain}")


def outcome_at_end(data: GameData, state: State) -> Outcome:
    """After the last turn the Poles win unless `outcome_now` says otherwise (end.4)."""
    left = len(pieces_of(data, state, Side.POLISH))
    points = victory_points(data, state)
    held = {0: "no Polish unit holds", 1: "1 Polish unit holds"}.get(left, f"{left} Polish units hold")
    return Outcome("polish", "end.4", f"the Poles win: {held} out, the Germans have {points} VP")
