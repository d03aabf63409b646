"""An activation (5.2): the enemy's event, the orders, recovery, movement, combat."""

from __future__ import annotations

from dataclasses import replace

from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.s5_events import interfere
from pbem.games.white_eagle.s5_orders import orders_question
from pbem.games.white_eagle.s5_recovery import recover
from pbem.games.white_eagle.s7_march import march
from pbem.games.white_eagle.s8_battles import fight_battles
from pbem.games.white_eagle.state import Activation, State
from pbem.rules.play import Rules, ask, report


def activate(data: GameData, state: State, activation: Activation) -> Rules[State]:
    """A command moves, then fights; nobody is asked who could do nothing."""
    yield from report("5.2.p1", "{command} is activated", command=activation.command.full_name)
    state = yield from interfere(data, state, activation)
    question = orders_question(data, state)
    if question is None:
        yield from report("5.2.p1", "{command} has nothing to do", command=activation.command.full_name)
        return replace(state, activation=None)
    orders = yield from ask(state, question)
    if orders.recover is not None:
        state = yield from recover(data, state, UnitId(orders.recover))
    state = yield from march(data, state, orders.marches)
    state = yield from fight_battles(data, state, orders.battles)
    return replace(state, activation=None)
