"""A program that plays to win, from either side: which part of it answers which question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.games.white_eagle.answers import Attempts, Battles, Defence, Interference, Orders
from pbem.games.white_eagle.bot_combat import battles, defence
from pbem.games.white_eagle.bot_fight import step_worth
from pbem.games.white_eagle.bot_plan import Plan, marches, planned
from pbem.games.white_eagle.bot_random import legal
from pbem.games.white_eagle.bot_view import View
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.kinds import Side
from pbem.games.white_eagle.s5_orders import after_marches, after_recovery
from pbem.games.white_eagle.s5_recovery import may_recover
from pbem.games.white_eagle.s7_movement import marchers
from pbem.games.white_eagle.state import State
from pbem.rules.play import Answer, Question

MOST_PATIENTS = 2
SMALL_COMMAND = 3


def good_answer(data: GameData, question: Question[Any], state: State) -> Answer:
    """The answer to a question, legal in any case."""
    side = Side(question.role)
    match question.kind:
        case Orders.kind:
            return _orders(data, question, state, side)
        case Battles.kind:
            return legal(question, battles(View.of(data, state, side)))
        case Defence.kind:
            return legal(question, defence(View.of(data, state, side)))
        case Interference.kind:
            return Interference(use=len(list(marchers(data, state))) >= SMALL_COMMAND)
        case Attempts.kind:
            return _attempts(data, question, state)
    default: Answer = question.default
    return default


def _attempts(data: GameData, question: Question[Any], state: State) -> Answer:
    """As many commands as can break down without losing the campaign."""
    spare = data.figures.breakdown.lost_at - 1 - state.breakdowns
    options: list[Attempts] = [one for one in question.legal() if len(one.commands) <= max(0, spare)]
    return max(options, key=lambda one: len(one.commands))


def _orders(data: GameData, question: Question[Any], state: State, side: Side) -> Answer:
    plan = max(_plans(data, state, side), key=lambda one: one[0])[1]
    found = legal(question, Orders(recover=plan.resting, marches=marches(plan)))
    assert isinstance(found, Orders)
    after = after_marches(data, after_recovery(state, found), found)
    return legal(question, found.model_copy(update={"battles": battles(View.of(data, after, side))}))


def _plans(data: GameData, state: State, side: Side) -> Iterator[tuple[int, Plan]]:
    """Without a recovery, and with that of each of the units that need it most."""
    view = View.of(data, state, side)
    plan = planned(view)
    yield plan.total(), plan
    able = [unit for unit in may_recover(data, state) if unit.id not in plan.busy]
    for unit in sorted(able, key=lambda one: (-step_worth(view, one), one.id))[:MOST_PATIENTS]:
        other = planned(view, unit.id)
        yield other.total() + step_worth(view, unit), other
