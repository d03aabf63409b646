"""Everything that the rules look up: the board and the counters, read from the data files.

Pure: whoever calls hands over file names and bytes, from the package or from a player's own transcription.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.games.white_eagle import board as board_files
from pbem.games.white_eagle import forces as forces_files
from pbem.games.white_eagle.board import Board, BoxId
from pbem.games.white_eagle.figures import Figures
from pbem.games.white_eagle.forces import Chit, ChitId, Forces, UnitId, UnitType
from pbem.games.white_eagle.kinds import Command, Side
from pbem.games.white_eagle.state import State, Unit

NEEDED = (*board_files.NEEDED, *forces_files.COLUMNS)


@dataclass(frozen=True, slots=True)
class GameData:
    """The board and the counters; the figures of the rulebook are a part of the counters' files."""

    board: Board
    forces: Forces

    @property
    def figures(self) -> Figures:
        """The numbers in the rules."""
        return self.forces.figures

    def unit(self, name: UnitId) -> UnitType:
        """What is printed on a counter."""
        return self.forces.units[name]

    def name(self, unit: UnitId) -> str:
        """A unit for people: `XIX Panzer`."""
        return self.forces.units[unit].name

    def names(self, units: tuple[UnitId, ...]) -> str:
        """Units for people: `I Corps, XXI Corps`."""
        return ", ".join(self.name(unit) for unit in units)

    def box_name(self, box: BoxId) -> str:
        """A box for people: `Łódź`."""
        return self.board.boxes[box].name

    def chit(self, chit: ChitId) -> Chit:
        """What a chit brings."""
        return self.forces.chits[chit]

    def factor(self, unit: Unit) -> int:
        """The lowest number with which a unit hits as it is now (2.2)."""
        kind = self.forces.units[unit.id]
        return kind.factor_reduced if unit.reduced else kind.factor_full

    def fort_side(self, box: BoxId) -> Side | None:
        """Whose fort is in a box, standing or not; None where there is none."""
        command = self.board.boxes[box].fort
        return Command(command).side if command else None

    def fort_against(self, state: State, box: BoxId, side: Side) -> bool:
        """Whether a fort of the other side stands in a box."""
        return bool(state.forts.get(box)) and self.fort_side(box) is side.enemy

    def is_opposed(self, state: State, box: BoxId, side: Side) -> bool:
        """Whether units or a standing fort of the other side are in a box."""
        return self.fort_against(state, box, side) or bool(state.of_side(box, side.enemy))

    def date(self, turn: int) -> str:
        """`1 September to 4 September` for turn 1."""
        dates = self.forces.turns[turn]
        return f"{dates.first} to {dates.last}"


def parse(files: Mapping[str, bytes]) -> GameData:
    """The data in the files; BadRequest names file, line and column of what is wrong."""
    forces = forces_files.parse_forces(files)
    movement = forces.figures.movement
    return GameData(board_files.parse_board(files, movement.easy, movement.difficult), forces)
