"""A position of Polska 1939 as a picture: every counter with its strength, fuel and state, field forts, trains.

Left out: the map itself (`picture.py`), and how anything is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import Kind
from pbem.games.polska1939.order_of_battle import UnitType
from pbem.games.polska1939.picture import board_picture, unit_counter
from pbem.games.polska1939.shapes_file import MapShapes
from pbem.games.polska1939.state import State, Unit
from pbem.rules.picture import Counter, Picture

COLOURS = ("black", "blue", "red", "green", "brown", "purple", "teal", "orange")


def position_picture(data: GameData, shapes: MapShapes | None, state: State) -> Picture:
    """The board with the counters of `state`; headquarters stand first in an area, then the strongest."""
    inks = front_colours(data)
    found: dict[str, list[Unit]] = {}
    for unit in state.units.values():
        found.setdefault(unit.area, []).append(unit)
    placements = {
        area: [_counter(data, unit, inks) for unit in sorted(units, key=_rank)] for area, units in found.items()
    }
    lines = {area: line for area in data.board.areas if (line := _line(data, state, area))}
    caption = f"Day {state.day}, {data.date(state.day)}, phase {state.phase}"
    return board_picture(data.board, shapes, placements, lines=lines, day=state.day, captions=(caption,))


def front_colours(data: GameData) -> Mapping[tuple[str, str], str]:
    """An ink for each army or front of a state, in the order in which the units are listed."""
    found: dict[tuple[str, str], str] = {}
    for unit in data.forces.units.values():
        key = (unit.nation.value, unit.front)
        if key not in found:
            found[key] = COLOURS[sum(nation == key[0] for nation, _ in found) % len(COLOURS)]
    return found


def _rank(unit: Unit) -> tuple[bool, int, str]:
    return not unit.is_hq, -unit.strength, unit.id


def _counter(data: GameData, unit: Unit, inks: Mapping[tuple[str, str], str]) -> Counter:
    kind = data.unit(unit.id)
    flags = tuple(_flags(kind, unit))
    return unit_counter(kind, strength_text(kind, unit.strength), inks[kind.nation.value, kind.front], flags)


def strength_text(kind: UnitType, strength: int) -> str:
    """Strength points; an HQ has its factors for attack and defence instead (10.1.1)."""
    return f"{kind.attack}/{kind.defence}" if kind.type is Kind.HQ else str(strength)


def _flags(kind: UnitType, unit: Unit) -> Iterator[str]:
    if unit.disorganized:
        yield "R"
    if unit.loaded:
        yield "train"
    if kind.uses_fuel:
        yield f"fuel {unit.fuel}"


def _line(data: GameData, state: State, area: str) -> str:
    """The field fort and the empty trains of an area, or nothing."""
    fort = [f"FF {state.forts[name]}" for name in state.forts if name == area and state.forts[name]]
    trains = [f"train for {data.name(train.unit)}" for train in state.trains if train.area == area]
    return ", ".join((*fort, *trains))
