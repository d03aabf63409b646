"""Whole games between programs, played by the rules alone, without events and keys."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pbem.games.white_eagle.bots import bots
from pbem.games.white_eagle.s4_sequence import play_turns
from pbem.games.white_eagle.s6_victory import victory_points
from pbem.games.white_eagle.state import State
from pbem.rules.play import Answer, Asking, Checkpoint, Drawing, Outcome, Question, Report, Rolling
from white_eagle.positions import DATA, OPENING

BOTS = bots(DATA)
Asked = tuple[Question[Any], State, Answer]


@dataclass
class Game:
    """What was asked and answered in a game, the rules that were told of, and how it ended."""

    asked: list[Asked] = field(default_factory=list)
    rules: set[str] = field(default_factory=set)
    state: State = OPENING
    outcome: Outcome = field(default_factory=lambda: Outcome("", "", ""))

    @property
    def points(self) -> int:
        """German victory points at the end."""
        return victory_points(DATA, self.state)

    @property
    def told(self) -> list[tuple[str, Answer]]:
        """Every answer with the kind of its question."""
        return [(question.kind, answer) for question, _, answer in self.asked]

    @property
    def illegal(self) -> list[str]:
        """Every refusal of an answer."""
        return [refusal.sentence() for question, _, answer in self.asked for refusal in question.check(answer)]


@cache
def played(german: str, polish: str, seed: int) -> Game:
    """A whole game; nobody changes it."""
    return play(german, polish, seed)


def play(german: str, polish: str, seed: int) -> Game:
    """A whole game, the same one for the same seed."""
    game, numbers = Game(), random.Random(seed)
    rules, response = play_turns(DATA, OPENING), None
    while True:
        try:
            request = rules.send(response)
        except StopIteration as end:
            game.outcome = end.value
            return game
        response = _response(game, {"german": german, "polish": polish}, numbers, request)


def _response(game: Game, names: Mapping[str, str], numbers: random.Random, request: Any) -> Any:
    match request:
        case Report():
            game.rules.add(request.rule)
        case Rolling():
            return request.read(tuple(numbers.randint(1, request.sides) for _ in range(request.count)))
        case Drawing():
            return numbers.choice(request.items)
        case Checkpoint():
            game.state = request.state
        case Asking():
            (question,) = request.questions
            answer = BOTS[names[question.role]](question, request.state, numbers.randrange)
            game.asked.append((question, request.state, answer))
            return (answer,)
    return None
