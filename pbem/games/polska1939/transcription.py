"""A player's own transcription of the game's data: whether the rules can play a whole game with it.

The proposer of a game chooses the data, and what could not be used would stop the game on a day of his choice; so
everything that the files' own readers do not see is looked at before the game begins.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from pbem.errors import BadRequest
from pbem.games.polska1939.answers import POLISH
from pbem.games.polska1939.board import AREAS, REGIONS
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.figures import CONSTANTS
from pbem.games.polska1939.kinds import HINT, Nation
from pbem.games.polska1939.order_of_battle import AIR, REINFORCEMENTS, SETUP, UNITS
from pbem.games.polska1939.s11_reinforcements import FIRST_DAY
from pbem.games.polska1939.state import UnitId, side_of
from pbem.rules.figures import other_signs

MOST_AIR_UNITS = 9
MOST_SLOVAKS = 8
_AREA = re.compile(r"[A-Z][0-9]{2,3}")
_REGION = re.compile(rf"[{POLISH}][{POLISH} .-]{{0,31}}")


def refuse_unplayable(data: GameData, model: GameData) -> None:
    """Raise `BadRequest` for data with which a game could come to a stop; `model` are the built-in ones."""
    for found in (_units(data, model), _map(data), _places(data), _air(data), _figures(data, model)):
        for text in found:
            raise BadRequest("data.unplayable", text, HINT)


def _units(data: GameData, model: GameData) -> Iterator[str]:
    """The rules name units, and nations and types decide what they may do."""
    for name, unit in model.forces.units.items():
        other = data.forces.units.get(name)
        if other is None or (other.nation, other.type) != (unit.nation, unit.type):
            yield f"expected {name} of type {unit.type} in {UNITS}, got {other.type if other else 'no such unit'}"
    if more := [name for name in data.forces.units if name not in model.forces.units]:
        yield f"expected no more units than the game has in {UNITS}, got '{more[0]}'"


def _map(data: GameData) -> Iterator[str]:
    """Codes and regions that orders can name."""
    for code in data.board.areas:
        if not _AREA.fullmatch(code):
            yield f"expected codes such as P20 in {AREAS}, got '{code}'"
    for region in data.board.regions:
        if not _REGION.fullmatch(region):
            yield f"expected regions of letters, blanks, points and hyphens in {REGIONS}, got '{region}'"


def _places(data: GameData) -> Iterator[str]:
    """Everybody comes to an area of the map, one side to an area at the start, the Slovaks in Slovakia."""
    forces, areas = data.forces, data.board.areas
    come = [(SETUP, row.area) for row in forces.placements]
    come += [(REINFORCEMENTS, row.area) for row in forces.reinforcements if row.area]
    come += [(REINFORCEMENTS, train.area) for train in forces.trains]
    yield from (f"expected an area of {AREAS} in {name}, got '{area}'" for name, area in come if area not in areas)
    held: dict[str, str] = {}
    for row in (row for row in forces.placements if row.day == FIRST_DAY):
        other = held.setdefault(row.area, row.unit)
        if side_of(UnitId(other)) is not side_of(UnitId(row.unit)):
            yield f"expected units of one side in {row.area} in {SETUP}, got {other} and {row.unit}"
    slovaks = [row for row in forces.placements if forces.units[row.unit].nation is Nation.SLOVAKIA]
    if len(slovaks) > MOST_SLOVAKS or any(areas[row.area].country is not Nation.SLOVAKIA for row in slovaks):
        yield f"expected at most {MOST_SLOVAKS} Slovak units in {SETUP}, all in areas of Slovakia, got others"


def _air(data: GameData) -> Iterator[str]:
    """Air units of a side and kind are numbered with one figure."""
    flown = Counter(
        (day, row.kind, side_of(UnitId(f"{row.nation}-")))
        for row in data.forces.air
        for day in range(row.first, row.last + 1)
        for _ in range(row.count)
    )
    for (day, kind, side), count in flown.items():
        if count > MOST_AIR_UNITS:
            yield f"expected at most {MOST_AIR_UNITS} {side.adjective} {kind} on day {day} in {AIR}, got {count}"


def _figures(data: GameData, model: GameData) -> Iterator[str]:
    yield from other_signs(data.figures, model.figures, CONSTANTS)
    days = data.figures.days
    if not days.short_game <= days.last <= model.figures.days.last:
        yield f"expected the last days in order, at most {model.figures.days.last}, in {CONSTANTS}, got another order"
