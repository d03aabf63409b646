"""Two programs that play: one at random over the legal options, one to win."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.westerplatte.answers import Placed, PolishSetup
from pbem.games.westerplatte.bot_good import good_answer
from pbem.games.westerplatte.data_files import GameData, Side
from pbem.games.westerplatte.s1_setup import areas_to_place, units_to_place
from pbem.games.westerplatte.state import State
from pbem.rules.play import Answer, Question
from pbem.rules.ruleset import Bot, Choose


def bots(data: GameData) -> Mapping[str, Bot]:
    """The programs by name."""

    def at_random(question: Question[Any], _: State, choose: Choose) -> Answer:
        if question.kind == "polish_setup":
            return random_setup(data, choose)
        options = question.legal()
        chosen: Answer = options[choose(len(options))]
        return chosen

    def to_win(question: Question[Any], state: State, choose: Choose) -> Answer:
        return good_answer(data, question, state, choose)

    return {"random": at_random, "good": to_win}


def random_setup(data: GameData, choose: Choose) -> PolishSetup:
    """Each Polish unit in any area that has room (setup.1, setup.5)."""
    room = {area: data.number("stack.limit") for area in areas_to_place(data, Side.POLISH)}
    placed = []
    for unit in units_to_place(data, Side.POLISH):
        free = [area for area, left in room.items() if left]
        area = free[choose(len(free))]
        room[area] -= 1
        placed.append(Placed(unit=unit, area=area))
    return PolishSetup(placed=tuple(placed))
