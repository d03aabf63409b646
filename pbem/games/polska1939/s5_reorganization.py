"""Reorganization (5.5): when an R marker is removed. Putting it on is a matter of combat (`s5_combat`)."""

from __future__ import annotations

from dataclasses import replace

from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.state import PHASES, State
from pbem.rules.play import Rules, report


def reorganize(data: GameData, state: State) -> Rules[State]:
    """At the beginning of a phase: markers off who has been left alone for a whole cycle of phases (5.5.5).

    Disturbed in phase II, a unit is free again at the beginning of phase III of the next day.
    """
    rested = [u for u in state.units.values() if u.disorganized and u.disturbed + PHASES < state.moment]
    for unit in rested:
        yield from report("5.5.5", "{unit} is reorganized", unit=data.name(unit.id))
    return state.with_units(replace(unit, disorganized=False) for unit in rested) if rested else state
