"""Ground for tests of movement: a star of boxes, a fort with three neighbours, and short ways to order marches."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.white_eagle.answers import March
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.s7_refusals import march_refusals
from pbem.games.white_eagle.state import State
from white_eagle.positions import position, small_board, unit

FOOT, FOOT_2, LIGHT = "GER-3rd-1", "GER-3rd-2", "GER-3rd-3"
FOOT_3, FOOT_4, TANKS = "GER-4th-1", "GER-4th-2", "GER-4th-3"
POLE, HORSE = "POL-Modlin-1", "POL-Modlin-2"
STAR = small_board(
    "Hub PL\nWest DE\nNorth DE\nEast DE\nSouth PL victory=1\nFar PL victory=3\nOut PL",
    "Hub West\nHub North\nHub East\nHub South difficult\nWest North\nSouth Far\nFar Out",
)
"""A box with four neighbours; behind the southern one two more in a row."""
FORT = small_board("Hub PL fort=POL-North victory=1\nWest PL\nNorth PL\nEast PL", "Hub West\nHub North\nHub East")


def to(*path: str, units: Sequence[str] = (FOOT,), support: bool = False) -> March:
    return March(units=tuple(units), path=path, support=support)


def refused(data: GameData, state: State, *marches: March) -> list[str]:
    """Every reason against marches, each with its hint."""
    return [part for one in march_refusals(data, state, marches) for part in (one.sentence(), one.hint) if part]


def north(*places: str, **facts: object) -> State:
    """German North with units `GER-3rd-1 West`, one Polish infantry unit in the hub."""
    units = [unit(*place.split()) for place in places]
    return position(*units, unit(POLE, "Hub"), **{"command": "GER-North", **facts})
