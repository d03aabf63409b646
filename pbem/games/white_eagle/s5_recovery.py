"""Recovery (5.2): once a turn a reduced unit of the activated command comes to full strength and does nothing else.

Ruling 5-2: the other units of its command act as usual; it still defends.
"""

from __future__ import annotations

from dataclasses import replace

from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.s3_setup import is_unmobilised
from pbem.games.white_eagle.s9_siege import activated
from pbem.games.white_eagle.state import State, Unit
from pbem.rules.play import Rules, report
from pbem.rules.refusal import Refusal

RULE = "5.2.p1"


def recover(data: GameData, state: State, unit: UnitId) -> Rules[State]:
    """A reduced unit is turned to full strength instead of moving or fighting."""
    yield from report(RULE, "{unit} recovers", unit=data.name(unit))
    return recovered(state, unit)


def recovered(state: State, unit: UnitId) -> State:
    """The position with a unit of the activated side at full strength, which takes no part in what follows."""
    state = state.with_units([replace(state.units[unit], reduced=False)])
    activation = replace(activated(state), resting=unit)
    return replace(state, recovered=(*state.recovered, activation.side), activation=activation)


def may_recover(data: GameData, state: State) -> tuple[Unit, ...]:
    """The units of the activated command of which one may recover."""
    command = activated(state).command
    if is_recovery_used(data, state):
        return ()
    ours = [unit for unit in state.units.values() if data.unit(unit.id).command is command]
    return tuple(unit for unit in ours if unit.reduced and not is_unmobilised(data, unit))


def is_recovery_used(data: GameData, state: State) -> bool:
    """Whether the activated side has recovered all that it may in this turn."""
    return state.recovered.count(activated(state).side) >= data.figures.recovery.per_turn


def recovery_refusals(data: GameData, state: State, name: str) -> list[Refusal]:
    """Every reason against the recovery of a unit."""
    command, found = activated(state).command, []
    if is_recovery_used(data, state):
        text = f"expected one recovery of the {command.side.adjective} side in a turn, got another"
        found.append(Refusal("recover.again", text, RULE, "leave it out: the next one is possible next turn"))
    reason = _unfit(data, state, name)
    if reason:
        able = data.names(tuple(unit.id for unit in may_recover(data, state)))
        hint = f"{able} could recover" if able else f"no unit of {command.full_name} can recover now"
        text = f"expected a reduced unit of {command.full_name} on the map to recover, got {reason}"
        found.append(Refusal("recover.unit", text, RULE, hint))
    return found


def _unfit(data: GameData, state: State, name: str) -> str:
    """Why a unit cannot recover, empty when it can."""
    if name not in data.forces.units:
        return f"'{name}'"
    kind, title = data.unit(UnitId(name)), data.name(UnitId(name))
    unit = state.units.get(kind.id)
    if unit is None:
        return f"{title}, which is not there"
    if kind.command is not activated(state).command:
        return f"{title} of {kind.command.full_name}"
    if not unit.reduced:
        return f"{title}, which is at full strength"
    return f"{title}, which comes to strength on turn {kind.flips_on}" if is_unmobilised(data, unit) else ""
