"""Headquarters in combat (10.1): the factors that support an attack or a defence, and the modifier of many HQs.

Rulings 10-1 and 10-2. Left out: which HQ may support which attack (`s5_attacks`), the loss of an HQ with the units
that it leads (`s5_losses`), and its movement (`s4_movement`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.state import Unit


def attack_factor(data: GameData, headquarters: Unit) -> int:
    """SP that an HQ adds to an attack (10.1.1); half of it, rounded up, when it is disorganized (ruling 10-1)."""
    factor = data.unit(headquarters.id).attack
    return -(-factor // data.figures.rounding.half) if headquarters.disorganized else factor


def defence_factor(data: GameData, headquarters: Unit) -> int:
    """SP that an HQ adds to a defence, or defends with when it is alone (10.1.1, 10.1.5, 5.5.4)."""
    return data.unit(headquarters.id).defence


def support_modifier(data: GameData, supporting: Iterable[Unit]) -> int:
    """The shift for an attack that more than two HQs with an attack factor support (10.1.8)."""
    counted = sum(data.unit(unit.id).attack > 0 for unit in supporting)
    combat = data.figures.combat
    return max(0, counted - combat.headquarters_without_modifier) * combat.headquarters_modifier


def defending_headquarters(data: GameData, defenders: Iterable[Unit], wanted: str | None = None) -> Unit | None:
    """The one HQ that supports a defence (10.1.3): the one that was chosen, else the best (ruling 10-2)."""
    present = [unit for unit in defenders if unit.is_hq]
    chosen = [unit for unit in present if unit.id == wanted] or by_defence(data, present)
    return chosen[0] if chosen else None


def by_defence(data: GameData, headquarters: Iterable[Unit]) -> Sequence[Unit]:
    """HQs from the best defence factor down, in the order of their ids among equals."""
    return sorted(headquarters, key=lambda unit: (-defence_factor(data, unit), unit.id))
