"""Everything that the rules look up: the board, the order of battle and the tables, read from the data files.

Pure: whoever calls hands over file names and bytes, from the package or from a player's own transcription.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.games.polska1939 import board as board_files
from pbem.games.polska1939 import order_of_battle as forces_files
from pbem.games.polska1939.board import Board
from pbem.games.polska1939.combat_tables import LossTable, ResultTable
from pbem.games.polska1939.figures import Figures
from pbem.games.polska1939.kinds import Kind, Nation
from pbem.games.polska1939.order_of_battle import OrderOfBattle, UnitType

NEEDED = (*board_files.NEEDED, *forces_files.COLUMNS)
_SEPTEMBER = 30
NEVER = 99


@dataclass(frozen=True, slots=True)
class GameData:
    """The board and the forces; the tables and figures of the rulebook are parts of the forces' files."""

    board: Board
    forces: OrderOfBattle
    soviet_days: Mapping[str, int]
    """The day from which each Soviet unit may be in Poland, NEVER for those that may not (scenario notes)."""

    @property
    def results(self) -> ResultTable:
        """COMBAT RESULT."""
        return self.forces.results

    @property
    def losses(self) -> LossTable:
        """COMBAT LOSSES."""
        return self.forces.losses

    @property
    def figures(self) -> Figures:
        """The numbers in the rules."""
        return self.forces.figures

    def unit(self, name: str) -> UnitType:
        """What is printed on a counter."""
        return self.forces.units[name]

    def name(self, unit: str) -> str:
        """A unit for people: `8 INF`; nation codes tell Soviets and Slovaks from Germans."""
        found = self.forces.units[unit]
        return f"{found.name} {found.nation}" if found.nation in (Nation.SOVIET_UNION, Nation.SLOVAKIA) else found.name

    def area_name(self, area: str) -> str:
        """An area for people: `Mława (P20)`."""
        return f"{self.board.areas[area].name} ({area})"

    def any_unit(self, name: str) -> str:
        """A unit for people, in quotes what is none."""
        return self.name(name) if name in self.forces.units else f"'{name}'"

    def any_area(self, area: str) -> str:
        """An area for people, in quotes what is none."""
        return self.area_name(area) if area in self.board.areas else f"'{area}'"

    def counts_double(self, unit: str) -> bool:
        """Whether its losses count double in the short game (victory conditions; LARM inferred)."""
        return self.forces.units[unit].type in (Kind.ARM, Kind.LARM, Kind.MOT)

    def date(self, day: int) -> str:
        """`1 September` for day 1, `1 October` for day 31."""
        return f"{day} September" if day <= _SEPTEMBER else f"{day - _SEPTEMBER} October"


def parse(files: Mapping[str, bytes]) -> GameData:
    """The data in the files; BadRequest names file, line and column of what is wrong."""
    forces = forces_files.parse_order_of_battle(files)
    days = {row.unit: row.enters for row in forces.placements}
    days |= {row.unit: row.day if row.may_enter else NEVER for row in forces.reinforcements}
    soviet_days = {unit: day for unit, day in days.items() if forces.units[unit].nation is Nation.SOVIET_UNION}
    return GameData(board_files.parse_board(files), forces, soviet_days)
