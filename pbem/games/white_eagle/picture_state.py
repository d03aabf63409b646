"""A position of White Eagle Defiant as a picture: counters, forts, control markers, the tracks.

Left out: the map itself (`picture.py`), and how anything is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.kinds import Side
from pbem.games.white_eagle.picture import board_picture, unit_counter
from pbem.games.white_eagle.picture_legend import Tracks
from pbem.games.white_eagle.s4_sequence import ends_pulled
from pbem.games.white_eagle.s6_victory import victory_points
from pbem.games.white_eagle.shapes_file import MapShapes
from pbem.games.white_eagle.state import State, Unit
from pbem.rules.picture import Counter, Picture


def position_picture(data: GameData, shapes: MapShapes | None, state: State) -> Picture:
    """The board with the counters of `state`, in a box those of one side together, the strongest first."""
    found: dict[BoxId, list[Unit]] = {}
    for unit in sorted(state.units.values(), key=lambda unit: _rank(data, unit)):
        found.setdefault(unit.box, []).append(unit)
    stacks = {box: [_counter(data, unit) for unit in units] for box, units in found.items()}
    tracks, captions = tracks_of(data, state), tuple(_captions(state))
    return board_picture(
        data.board, shapes, stacks, forts=state.forts, held=state.held, tracks=tracks, captions=captions
    )


def tracks_of(data: GameData, state: State) -> Tracks:
    """What stands on the tracks and in the holding areas."""
    drawn = [data.chit(chit) for chit in state.pulled]
    used = [f"{one.title} (used)" if one.id in state.used else one.title for one in drawn if one.command or one.event]
    recovery = tuple(f"{side.adjective}: {'used' if side in state.recovered else 'open'}" for side in Side)
    points = victory_points(data, state)
    return Tracks(state.turn, points, state.breakdowns, tuple(used), ends_pulled(data, state), recovery)


def _rank(data: GameData, unit: Unit) -> tuple[str, int, str]:
    return data.unit(unit.id).nation, data.factor(unit), unit.id


def _counter(data: GameData, unit: Unit) -> Counter:
    return unit_counter(data.unit(unit.id), reduced=unit.reduced)


def _captions(state: State) -> Iterator[str]:
    if state.activation:
        yield f"{state.activation.command.full_name} is activated"
    if state.soviets:
        yield "The Soviet Union has entered"
