"""Combats that a program imagines: who would attack whom in a box, and what it is worth to the attacker.

Worths are in hundredths of a victory point. Every figure here is this program's judgement, none is a rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from pbem.games.white_eagle.answers import Battle, Fight
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.bot_odds import SURE, Forecast, forecast
from pbem.games.white_eagle.bot_view import View
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.kinds import Command, Nation, Side
from pbem.games.white_eagle.s6_victory import allied_modifier
from pbem.games.white_eagle.s8_combat import Engagement
from pbem.games.white_eagle.s8_hits import hits_left
from pbem.games.white_eagle.s8_plans import Combat
from pbem.games.white_eagle.state import Activation, State, Unit
from pbem.rules.known import Known

POINT = 100
"""A victory point."""
STEP = {Nation.GERMAN: 15, Nation.SLOVAK: 8, Nation.SOVIET: 3, Nation.POLISH: 22}
PANZER_STEP = 24
FORT_STEP = 40
LATE = {7: 80, 8: 50, 9: 50, 10: 20}
"""Percentage of that which is left late in the game, when cities decide and nobody recovers from losses."""
PERCENT = 100
GROUND = 6
"""A box that is no victory city, to who drives the other out of it."""


def step_worth(view: View, unit: Unit) -> int:
    """What a step of a unit is worth: less when few turns are left in which it could serve."""
    kind = view.data.unit(unit.id)
    worth = PANZER_STEP if kind.is_panzer and not unit.reduced else STEP[kind.nation]
    return worth * LATE.get(view.state.turn, PERCENT) // PERCENT


def steps_worth(view: View, units: Sequence[Unit]) -> int:
    """The mean worth of the steps of some units, in which each counts as often as it has steps."""
    steps = sum(hits_left(view.data, unit) for unit in units)
    return sum(step_worth(view, unit) * hits_left(view.data, unit) for unit in units) // max(1, steps)


def prize(data: GameData, state: State, box: BoxId, side: Side) -> int:
    """What it is worth to a side to be alone in a box: a victory city of the enemy, a fort that is gone."""
    theirs = (box in state.held) is (side is Side.POLISH)
    fort = POINT if side is Side.POLISH and data.fort_against(state, box, side) else 0
    return GROUND + fort + (POINT * data.board.boxes[box].victory if theirs else 0)


def imagined(
    view: View,
    box: BoxId,
    command: Command,
    attackers: Sequence[Unit],
    support: Sequence[Unit],
    defenders: Sequence[Unit],
) -> Forecast:
    """What an attack on a box with these units would come to, without events; found once for units that are alike."""
    data, state = view.data, view.state
    groups = [tuple(sorted(_print(data, unit) for unit in units)) for units in (attackers, support, defenders)]
    known = state.activation
    breakdown = known is not None and known.command is command and known.breakdown
    fort, hostile = state.forts.get(box, 0), data.fort_against(state, box, command.side)
    key = (*groups, command.side, fort, hostile, breakdown, allied_modifier(data, state))
    found = _forecasts_of(data)
    if key not in found:
        units = attackers, support, defenders
        found[key] = _imagined(view, box, Activation(command, breakdown=breakdown), units, fort if hostile else 0)
    return found[key]


def _print(data: GameData, unit: Unit) -> tuple[str, int, int, bool]:
    """What of a unit matters to the dice of a combat."""
    kind = data.unit(unit.id)
    return f"{kind.nation}{kind.type}", data.factor(unit), hits_left(data, unit), kind.is_panzer


def _no_forecasts(_: GameData) -> dict[Any, Forecast]:
    return {}


_forecasts_of: Final = Known(_no_forecasts, most=2)
"""The forecasts that were made with the same data."""


def _imagined(
    view: View, box: BoxId, activation: Activation, groups: Sequence[Sequence[Unit]], defending_fort: int
) -> Forecast:
    attackers, support, defenders = groups
    units = {unit.id: unit for group in groups for unit in group}
    state = replace(view.state, units=units, activation=activation)
    combat = Combat(
        box=box,
        side=activation.side,
        attackers=_names(attackers),
        support=_names(support),
        defenders=_names(defenders),
        sortie="",
        siege=state.forts.get(box, 0) > 0,
        must=True,
        sheltered=(),
        attacking_fort=0,
        defending_fort=defending_fort,
        launched=(),
        attack_events=(),
        defence_events=(),
    )
    return forecast(view.data, state, Engagement(combat, Battle(box=box), Fight(box=box)))


def _names(units: Sequence[Unit]) -> tuple[UnitId, ...]:
    return tuple([unit.id for unit in units])


def exchange_worth(
    view: View, promised: Forecast, box: BoxId, ours: Sequence[Unit], theirs: Sequence[Unit], won: int
) -> int:
    """What a combat in a box is worth to the attacker, whose are `ours`: losses, and `won` for the box."""
    data, state = view.data, view.state
    fort = data.fort_against(state, box, data.unit(ours[0].id).side)
    own, other = steps_worth(view, ours), steps_worth(view, theirs) if theirs else FORT_STEP
    taken = promised.gone if fort else promised.won
    return (promised.defender_loss * other - promised.attacker_loss * own + taken * won) // SURE
