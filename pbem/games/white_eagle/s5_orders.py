"""The question of an activation (5.2): who recovers, who marches where, which combats are fought, in one answer.

The reasons against each part are in `s5_recovery`, `s7_refusals` and `s8_battles`. Rulings 5-2 to 5-4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pbem.games.white_eagle.answers import Orders
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.s5_recovery import may_recover, recovered, recovery_refusals
from pbem.games.white_eagle.s7_march import placed
from pbem.games.white_eagle.s7_movement import can_march
from pbem.games.white_eagle.s7_refusals import followable, march_refusals
from pbem.games.white_eagle.s8_battles import battle_refusals
from pbem.games.white_eagle.s8_plans import combats
from pbem.games.white_eagle.s9_siege import activated
from pbem.games.white_eagle.state import State, side_of
from pbem.log.event import Role
from pbem.rules.play import Question
from pbem.rules.refusal import Refusal


def orders_question(data: GameData, state: State) -> Question[Orders] | None:
    """What the activated command does, by default nothing; None when it can neither move nor recover nor fight."""
    if not (can_march(data, state) or may_recover(data, state) or combats(data, state)):
        return None
    return Question(
        role=Role(activated(state).side),
        model=Orders,
        default=Orders(),
        check=lambda orders: orders_refusals(data, state, orders),
    )


def orders_refusals(data: GameData, state: State, orders: Orders) -> list[Refusal]:
    """Every reason against orders; they are numbered from 1: the recovery, the marches, the battles (`Refusal.line`).

    Each part is judged in the position that those before it lead to, as far as they can be followed.
    """
    found: list[Refusal] = []
    before, state = state, after_recovery(state, orders)
    if orders.recover is not None:
        found += [replace(reason, line=1) for reason in recovery_refusals(data, before, orders.recover)]
    count = int(orders.recover is not None)
    found += _at(count, march_refusals(data, state, orders.marches))
    count += len(orders.marches)
    return [*found, *_at(count, battle_refusals(data, after_marches(data, state, orders), orders.battles))]


def after_recovery(state: State, orders: Orders) -> State:
    """The position after the recovery, if the unit is one of the side on the map."""
    unit = state.units.get(UnitId(orders.recover or ""))
    ours = unit is not None and side_of(unit.id) is activated(state).side
    return recovered(state, unit.id) if unit and ours else state


def after_marches(data: GameData, state: State, orders: Orders) -> State:
    """The position after those marches that can be followed on the map."""
    return placed(data, state, [order for _, order in followable(data, state, orders.marches)])


def _at(others: int, reasons: Iterable[Refusal]) -> Iterator[Refusal]:
    """Reasons with the numbers of orders that come after so many others; 0 stands for none."""
    return (replace(reason, line=reason.line + others) if reason.line else reason for reason in reasons)
