"""A position as text, one fact a line: for `pbem lab`, for fixtures, and for whoever reads without a screen.

Left out: that the position could come about in play; only what the rules could not go on from is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NoReturn

from pbem.errors import BadRequest
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.orders import write_battle
from pbem.games.white_eagle.position_reader import PositionReader
from pbem.games.white_eagle.state import Activation, Stage, State, Unit, side_of

# ---------------------------------------------------------------------- writing


def position_lines(data: GameData, state: State) -> Iterator[str]:
    """The position, line by line; `read_position` gives the same state back."""
    yield f"scenario {state.scenario}"
    yield f"turn {state.turn}"
    yield f"stage {state.stage}"
    yield from (_unit_line(unit) for unit in state.units.values())
    yield from (f"fort {box} {steps}" for box, steps in state.forts.items())
    yield from (_listed(word, names) for word, names in (("held", state.held), ("cup", state.cup)))
    yield _listed("pulled", state.pulled)
    more = {"used": state.used, "lost": state.lost, "recovered": state.recovered, "forts-used": state.fort_turns}
    yield from (_listed(word, names) for word, names in {**more, "late": state.late}.items() if names)
    if state.breakdowns:
        yield f"breakdowns {state.breakdowns}"
    if state.soviets:
        yield "soviets"
    if state.activation:
        yield from _activation_lines(data, state.activation)


def _unit_line(unit: Unit) -> str:
    return f"unit {unit.id} {unit.box}" + (" reduced" if unit.reduced else "")


def _activation_lines(data: GameData, activation: Activation) -> Iterator[str]:
    parts = [f"activate {activation.command}"]
    parts += [f"slowed {-activation.slowed}"] if activation.slowed else []
    parts += [word for word in ("breakdown", "asked", "marched") if getattr(activation, word)]
    yield " ".join(parts)
    yield from (f"came {unit} {box}" for unit, box in activation.came.items())
    if activation.resting:
        yield f"resting {activation.resting}"
    lists = {"support": activation.support, "left": activation.left, "idle": activation.idle}
    lists |= {"fought": activation.fought, "won": activation.won}
    yield from (_listed(word, names) for word, names in lists.items() if names)
    yield from (f"planned {write_battle(data, battle)}" for battle in activation.planned)


def _listed(word: str, names: Sequence[str]) -> str:
    return f"{word} {', '.join(names) or 'none'}"


# ---------------------------------------------------------------------- reading


def read_position(data: GameData, text: str) -> State:
    """The state of a position text; what it does not say is as at the start, without units and an activation.

    Unless the text says what is in the cup, it holds every chit that was not pulled. BadRequest with line and column
    for what is no fact, and for what the rules could not go on from.
    """
    reader = PositionReader(data)
    reader.read_text(text)
    state = reader.finished()
    refuse_impossible(data, state)
    return state


# ---------------------------------------------------------------------- what cannot be


def refuse_impossible(data: GameData, state: State) -> None:
    """Raise BadRequest for a position that no play could lead to."""
    for unit in state.units.values():
        kind = data.unit(unit.id)
        if unit.reduced and kind.steps == 1 and not kind.flips_on:
            _impossible(f"expected {unit.id}, which has one step, at full strength, got it reduced")
    for what, names in (("on the map or lost", (*state.units, *state.lost)), ("once", (*state.cup, *state.pulled))):
        if twice := _twice(names):
            _impossible(f"expected {twice} {what}, got it twice")
    _refuse_turn(data, state)
    if state.activation:
        _refuse_activation(state, state.activation)


def _refuse_turn(data: GameData, state: State) -> None:
    """Only events that were pulled are used, only at the end of a turn are commands late."""
    for chit in state.used:
        if chit not in state.pulled or not data.chit(chit).event:
            _impossible(f"expected an event that was pulled among those used, got {chit}")
    if state.late and state.stage is not Stage.LATE:
        _impossible(f"expected late commands in the stage '{Stage.LATE}', got them in '{state.stage}'")


def _refuse_activation(state: State, activation: Activation) -> None:
    """Who came or supports is on the map and of the side, and every supporting unit came."""
    for unit in (*activation.came, *activation.support):
        if unit not in state.units or side_of(UnitId(unit)) is not activation.side:
            _impossible(f"expected a {activation.side.adjective} unit on the map that came, got {unit}")
    for unit in activation.support:
        if unit not in activation.came:
            _impossible(f"expected a box from which {unit} came to support, got none")


def _twice(names: Sequence[str]) -> str:
    return next((name for number, name in enumerate(names) if name in names[:number]), "")


def _impossible(text: str) -> NoReturn:
    raise BadRequest(
        "position.impossible", text, "a line reads 'unit POL-Lodz-1 Lodz'; see `pbem show GAME --position`"
    )
