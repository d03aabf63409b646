"""How often each side wins when both are played well: the house values are to leave both a chance."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from soak import soak

from pbem.app.demo import Seeded
from pbem.games.white_eagle.bots import bots
from pbem.games.white_eagle.s4_sequence import play_turns
from pbem.rules.play import Asking, Drawing, Outcome, Rolling
from white_eagle.positions import DATA, OPENING

BOTS = bots(DATA)
GAMES = 500
MOST_IN_PERCENT = 67
"""No side wins more than two games in three; a draw is won by nobody."""


def winner(seed: int, german: str = "good", polish: str = "good") -> str:
    """Who wins a game between two programs, `draw` for nobody."""
    source, names = Seeded(seed, "balance"), {"german": german, "polish": polish}
    rules, response = play_turns(DATA, OPENING), None
    while True:
        try:
            request: Any = rules.send(response)
        except StopIteration as end:
            outcome: Outcome = end.value
            return str(outcome.winner) or "draw"
        response = None
        match request:
            case Rolling():
                response = request.read(tuple(1 + source.choose(request.sides) for _ in range(request.count)))
            case Drawing():
                response = request.items[source.choose(len(request.items))]
            case Asking():
                state, choose = request.state, source.choose
                response = tuple(BOTS[names[one.role]](one, state, choose) for one in request.questions)


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_neither_side_wins_more_than_two_games_in_three() -> None:
    won = Counter(winner(seed) for seed in range(GAMES * max(1, soak(1))))
    played = sum(won.values())
    assert max(won["german"], won["polish"]) * 100 <= MOST_IN_PERCENT * played, won


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("side", ["german", "polish"])
def test_a_good_program_beats_a_random_one_from_either_side(side: str) -> None:
    bots_of = {"german": "random", "polish": "random", side: "good"}
    won = Counter(winner(seed, **bots_of) for seed in range(soak(60)))
    assert won[side] * 100 > 80 * sum(won.values()), won
