"""Set-up (3.0): the units in their boxes, the forts, the markers, the cup."""

from __future__ import annotations

from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import ChitId, Start
from pbem.games.white_eagle.kinds import GERMAN_COMMANDS
from pbem.games.white_eagle.state import Activation, State, Unit

CAMPAIGN = "campaign"


def opening_state(data: GameData) -> State:
    """The position in which the German North command begins (3.0 to 3.2)."""
    placed = {row.unit: Unit(row.unit, row.box, row.reduced) for row in data.forces.placements}
    return State(
        scenario=CAMPAIGN,
        turn=1,
        units={unit: placed[unit] for unit in sorted(placed)},
        forts=dict.fromkeys(data.board.forts, data.figures.fort.steps),
        held=tuple(box for box in data.board.victory_cities if not data.board.in_poland(box)),
        cup=chits_that_start(data, Start.CUP),
        pulled=chits_that_start(data, Start.HELD),
        activation=Activation(GERMAN_COMMANDS[0], asked=True),
    )


def chits_that_start(data: GameData, *starts: Start) -> tuple[ChitId, ...]:
    """The chits that are in some places before the first draw, in the order of the data."""
    return tuple(name for name, chit in data.forces.chits.items() if chit.start in starts)


def is_unmobilised(data: GameData, unit: Unit) -> bool:
    """Whether a unit of one step still shows the side with which it begins (7.3)."""
    return unit.reduced and data.unit(unit.id).steps == 1
