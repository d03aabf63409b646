"""Two programs that play: one at random, one to win."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.white_eagle.bot_good import good_answer
from pbem.games.white_eagle.bot_random import random_answer
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.state import State
from pbem.rules.play import Answer, Question
from pbem.rules.ruleset import Bot, Choose


def bots(data: GameData) -> Mapping[str, Bot]:
    """The programs by name."""

    def at_random(question: Question[Any], state: State, choose: Choose) -> Answer:
        return random_answer(data, question, state, choose)

    def to_win(question: Question[Any], state: State, _: Choose) -> Answer:
        return good_answer(data, question, state)

    return {"random": at_random, "good": to_win}
