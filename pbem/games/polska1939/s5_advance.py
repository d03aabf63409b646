"""What follows a defeat: who enters the vacated area, whom they overrun, and the end of its fortifications.

5.3.10, 7.2.5, 9.2.3, 9.2.6; rulings 5-17 and 5-18.
"""

from __future__ import annotations

from dataclasses import replace

from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.s4_march import overrun
from pbem.games.polska1939.s4_terrain import is_passable
from pbem.games.polska1939.s5_battle import Battle
from pbem.games.polska1939.s7_field import without_forts
from pbem.games.polska1939.s9_supply import out_of_fuel, spend_fuel
from pbem.games.polska1939.s12_scenario import may_enter
from pbem.games.polska1939.state import AreaId, State, Unit, side_of
from pbem.rules.play import Rules, report


def is_vacated(state: State, battle: Battle) -> bool:
    """Whether the defenders have retreated or were destroyed (5.3.10).

    HQs that are left when the units with them are gone do not hold an area (10.1.4, ruling 5-17), nor do trains.
    """
    left = [unit for unit in _defenders_left(state, battle) if not unit.loaded]
    led = any(not unit.is_hq for unit in battle.defenders)
    return not left or (led and all(unit.is_hq for unit in left))


def after_battle(data: GameData, state: State, battle: Battle) -> Rules[State]:
    """Who may enters a vacated area; without a defender its field fortifications are gone (7.2.5)."""
    fortified = battle.target in state.forts
    entering = _entering(data, state, battle) if is_vacated(state, battle) else []
    if entering:
        units = ", ".join(data.name(unit.id) for unit in entering)
        yield from report("5.3.10", "advance to {area}: {units}", units=units, area=data.area_name(battle.target))
        state = yield from overrun(data, state, battle.target)
        state = state.with_units(_entered(data, unit, battle.target) for unit in entering)
    if fortified and not _defenders_left(state, battle):
        yield from report("7.2.5", "field fortifications in {area} are gone", area=data.area_name(battle.target))
        state = without_forts(state, (battle.target,))
    return state


def _defenders_left(state: State, battle: Battle) -> list[Unit]:
    return [unit for unit in state.at(battle.target) if side_of(unit.id) is not battle.side]


def _entering(data: GameData, state: State, battle: Battle) -> list[Unit]:
    """The attackers and supporting HQs that are to enter and can; HQs do not enter alone (ruling 5-18)."""
    wanted = battle.order.advance
    if wanted == "none":
        return []
    left = [state.units[unit.id] for unit in battle.committed if unit.id in state.units]
    chosen = [unit for unit in left if wanted == "all" or unit.id in wanted]
    able = [unit for unit in chosen if may_pursue(data, state, unit, battle.target)]
    return able if any(not unit.is_hq for unit in able) else []


def may_pursue(data: GameData, state: State, unit: Unit, area: AreaId) -> bool:
    """Whether a unit can enter a vacated area: fuel (9.2.6), terrain (4.2.4, 4.2.5), limits of the scenario."""
    return (
        not out_of_fuel(data, unit)
        and is_passable(data, data.unit(unit.id).type, unit.area, area)
        and may_enter(data, state, unit.id, area)
    )


def _entered(data: GameData, unit: Unit, area: AreaId) -> Unit:
    """A pursuit is a move: it costs fuel (9.2.3) and ends growth (11.1.6)."""
    return spend_fuel(data, replace(unit, area=area, ceiling=0))
