"""A player's own transcription of the game's data: whether the rules can play a whole game with it.

The proposer of a game chooses the data, and what could not be used would stop the game on a turn of his choice; so
everything that the files' own readers do not see is looked at before the game begins.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from pbem.errors import BadRequest
from pbem.games.white_eagle.answers import MOST_BOXES, MOST_UNITS
from pbem.games.white_eagle.board import BOXES, BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.figures import CONSTANTS
from pbem.games.white_eagle.forces import CHITS, SETUP, TURNS, UNITS, Start, UnitId, UnitType
from pbem.games.white_eagle.kinds import HINT, SOVIET_COMMANDS, ChitKind, Command, Nation
from pbem.games.white_eagle.s8_retreat import HOMES
from pbem.games.white_eagle.state import side_of
from pbem.rules.figures import other_signs

LONGEST_MARCH = 10
"""Boxes that an order can name, one for each movement point at most."""
_UNIT = re.compile(r"[A-Z]{3}-[A-Za-z0-9_-]{1,20}")
_BOX = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,23}")


def refuse_unplayable(data: GameData, model: GameData) -> None:
    """Raise `BadRequest` for data with which a game could come to a stop; `model` are the built-in ones."""
    for found in (_units(data), _map(data), _places(data), _chits(data), _figures(data, model)):
        for text in found:
            raise BadRequest("data.unplayable", text, HINT)


def _units(data: GameData) -> Iterator[str]:
    """Ids say the nationality, commands the side and whether a unit waits for Soviet entry."""
    for unit in data.forces.units.values():
        if not _UNIT.fullmatch(unit.id) or unit.id[:3] != unit.nation:
            yield f"expected an id such as {unit.nation}-3rd-1 in {UNITS}, got '{unit.id}'"
        elif not _fits(unit):
            yield f"expected a command of the {unit.nation.adjective} side for {unit.id} in {UNITS}, got {unit.command}"
    if len(data.forces.units) > MOST_UNITS:
        yield f"expected at most {MOST_UNITS} units in {UNITS}, got {len(data.forces.units)}"


def _fits(unit: UnitType) -> bool:
    soviet = unit.command in SOVIET_COMMANDS
    return unit.command.side is unit.side and soviet is (unit.nation is Nation.SOVIET)


def _map(data: GameData) -> Iterator[str]:
    """Boxes that orders can name, and a home for everybody."""
    boxes = data.board.boxes
    yield from (f"expected ids such as Lodz in {BOXES}, got '{box}'" for box in boxes if not _BOX.fullmatch(box))
    if len(boxes) > MOST_BOXES:
        yield f"expected at most {MOST_BOXES} boxes in {BOXES}, got {len(boxes)}"
    for home in HOMES.values():
        if not any(box.country in home for box in boxes.values()):
            yield f"expected a box of {' or '.join(home)} in {BOXES}, got none"


def _places(data: GameData) -> Iterator[str]:
    """Everybody begins in a box of the map, units of one side in a box, and comes to strength who begins reduced."""
    held: dict[BoxId, UnitId] = {}
    for row in data.forces.placements:
        if row.box not in data.board.boxes:
            yield f"expected a box of {BOXES} in {SETUP}, got '{row.box}'"
        other = held.setdefault(row.box, row.unit)
        if side_of(row.unit) is not side_of(other):
            yield f"expected units of one side in {row.box} in {SETUP}, got {other} and {row.unit}"
        kind = data.unit(row.unit)
        if row.reduced and kind.steps == 1 and not kind.flips_on:
            yield f"expected a turn in column 'flips_on' of {UNITS} for {row.unit}, which begins reduced, got 0"


def _chits(data: GameData) -> Iterator[str]:
    """A chit for every command, and as many Turn End chits in the cup as end the turn."""
    commands = Counter(chit.command for chit in data.forces.chits.values() if chit.command)
    for command in Command:
        if commands[command] != 1:
            yield f"expected one chit of {command} in {CHITS}, got {commands[command]}"
    ends = [chit for chit in data.forces.chits.values() if chit.kind is ChitKind.END]
    wanted = data.figures.cup.end_chits
    if len(ends) != wanted or any(chit.start is not Start.CUP for chit in ends):
        yield f"expected {wanted} Turn End chits in the cup in {CHITS}, got others"


def _figures(data: GameData, model: GameData) -> Iterator[str]:
    yield from other_signs(data.figures, model.figures, CONSTANTS)
    turns, movement = data.figures.turns, data.figures.movement
    if not turns.end_check <= turns.last <= model.figures.turns.last:
        yield f"expected the last turns in order, at most {model.figures.turns.last}, in {CONSTANTS}, got another order"
    if missing := [turn for turn in range(1, turns.last + 1) if turn not in data.forces.turns]:
        yield f"expected a line for turn {missing[0]} in {TURNS}, got none"
    if max(movement.infantry, movement.others) > LONGEST_MARCH:
        yield f"expected at most {LONGEST_MARCH} movement points in {CONSTANTS}, got more"
