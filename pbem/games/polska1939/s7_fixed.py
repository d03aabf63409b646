"""What fortifications are worth in combat: fortresses, fortified lines and field fortifications (7.1, 7.2.3).

Rulings 7-11 and 7-12. Left out: building and leaving field fortifications (`s7_field`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.state import AreaId, State


@dataclass(frozen=True, slots=True)
class Modifier:
    """A shift of rows with its reason and rule: below zero it favours the defender, above the attacker (1.2)."""

    reason: str
    shift: int
    rule: str


def fortification(data: GameData, state: State, area: AreaId, strength: int, through_line: bool) -> Modifier | None:
    """The best fortification of an area, None in the open (ruling 7-11).

    `strength` are the SP of the defending units (7.1.4, ruling 7-12); `through_line` says whether the greater part
    of the attack comes through a fortified line (7.1.2).
    """
    found = list(_fortifications(data, state, area, strength, through_line))
    return min(found, key=lambda one: one.shift) if found else None


def _fortifications(
    data: GameData, state: State, area: AreaId, strength: int, through_line: bool
) -> Iterator[Modifier]:
    figures, place = data.figures.fortification, data.board.areas[area]
    if place.fortress:
        yield Modifier("fortress", figures.fortress(strength), "7.1.4")
    if place.fortified and through_line:
        yield Modifier("fortified line", figures.line, "7.1.1")
    if place.fortified:
        yield Modifier("fortified line elsewhere", figures.line_elsewhere, "7.1.3")
    if level := state.forts.get(area, 0):
        yield Modifier(f"field fortification {level}", level * figures.field_per_level, "7.2.3")


def is_strong(data: GameData, found: Modifier | None) -> bool:
    """Whether defenders in a fortification may choose not to retreat (5.3.3)."""
    return found is not None and found.shift <= data.figures.retreat.stand_modifier


def bars_armour(data: GameData, shift: int) -> bool:
    """Whether armour that attacks through a fortification of this modifier does not count for 5.3.8 (5.3.9)."""
    return shift <= data.figures.retreat.armour_barred_modifier
