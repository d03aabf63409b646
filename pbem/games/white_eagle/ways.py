"""Ways as a player names them: goals, and boxes to pass, made whole to the boxes that a march enters one by one."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.white_eagle.board import Board, BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.s7_movement import reachable
from pbem.games.white_eagle.state import State, Unit


def whole_way(data: GameData, state: State, unit: Unit, via: Sequence[BoxId], goal: BoxId) -> tuple[BoxId, ...]:
    """The boxes that a unit enters on its way; where no line leads from one named box to the next, those between.

    Without boxes named it is the way on which the unit gets there (7.0), else one that the rules refuse.
    """
    named = (*via, goal)
    if not via and goal not in data.board.neighbours[unit.box]:
        route = reachable(data, state, unit).get(goal)
        if route is not None:
            return route.path
    path: list[BoxId] = []
    for step in named:
        here = path[-1] if path else unit.box
        path += [step] if step in data.board.neighbours[here] else cheapest(data.board, here, step)
    return tuple(path)


def cheapest(board: Board, start: BoxId, goal: BoxId) -> tuple[BoxId, ...]:
    """The boxes of a cheapest way, whoever stands on it; none from a box to itself."""
    found: dict[BoxId, tuple[int, tuple[BoxId, ...]]] = {start: (0, ())}
    open_boxes = [start]
    while open_boxes:
        here = min(open_boxes, key=lambda box: found[box])
        open_boxes.remove(here)
        cost, path = found[here]
        if here == goal:
            return path
        for box in board.neighbours[here]:
            step = (cost + board.cost(here, box), (*path, box))
            if box not in found or step < found[box]:
                found[box] = step
                open_boxes += [box] if box not in open_boxes else []
    return ()
