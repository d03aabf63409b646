"""A whole game as text, so that a change of the rules shows as lines that differ.

Two programs play at random; cards and choices come out of a hash, not out of a random source. Each
step holds the digest of the state, who is asked what, how many options are legal, the answer, and what is told
until the next question.

When the rules are meant to differ, write the file anew, read what has changed, and raise the version of the ruleset
once that version is out:

    PBEM_REGENERATE=1 pytest tests/games/westerplatte/test_golden.py
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from pbem.games.westerplatte import data_files
from pbem.games.westerplatte.ruleset import Westerplatte
from pbem.rules.play import Asking, Checkpoint, Drawing, Outcome, Question, Report

DATA = Path(data_files.__file__).parent / "data"
RULES = Westerplatte({path.name: path.read_bytes() for path in sorted(DATA.iterdir())})
FOLDER = Path(__file__).parents[3] / "fixtures" / "games" / "westerplatte"
GAMES = {"golden-1": 1, "golden-2": 34}
"""Files, and the number that each game is dealt by."""
REQUEST_LIMIT = 5_000


@pytest.mark.parametrize("name", GAMES)
def test_golden_game(name: str) -> None:
    path = FOLDER / f"{name}.txt"
    text = "\n".join(told(GAMES[name])) + "\n"
    if os.environ.get("PBEM_REGENERATE"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_the_golden_games_end_both_ways_and_use_every_order() -> None:
    texts = [(FOLDER / f"{name}.txt").read_text(encoding="utf-8") for name in GAMES]
    assert {text.splitlines()[-1].split(":")[0] for text in texts} == {"outcome german", "outcome polish"}
    answers = {line.split()[1] for text in texts for line in text.splitlines() if line.startswith("  > ")}
    assert answers >= {"place", "move", "fire", "recover", "air", "oba", "pass"}


def chooser(number: int) -> Callable[[int], int]:
    """Choices that are the same everywhere and for ever: SHA-256 of the game's number and a counter."""
    numbers = count(1)

    def choose(below: int) -> int:
        found = sha256(f"{number}/{next(numbers)}".encode()).digest()
        return int.from_bytes(found) % below

    return choose


def told(number: int) -> Iterator[str]:
    """The lines of the file: a head, the steps, the outcome."""
    choose = chooser(number)
    yield f"# {RULES.title}, version {RULES.version}: a game at random, number {number}"
    state = RULES.begin("standard", {})
    rules = RULES.play(state)
    response: Any = None
    for _ in range(REQUEST_LIMIT):
        try:
            request = rules.send(response)
        except StopIteration as end:
            yield f"{digest(state)} the end"
            yield outcome_line(end.value)
            return
        response = None
        if isinstance(request, Report):
            yield f"  {request.rule:<9} {request.sentence()}"
        elif isinstance(request, Drawing):
            response = request.items[choose(len(request.items))]
        elif isinstance(request, Checkpoint):
            state = request.state
        elif isinstance(request, Asking):
            (question,) = request.questions
            answer = RULES.bots()["random"](question, request.state, choose)
            yield from step_lines(question, request.state, answer)
            response = (answer,)
    pytest.fail(f"no end after {REQUEST_LIMIT} requests")


def step_lines(question: Question[Any], state: Any, answer: Any) -> Iterator[str]:
    options = len(question.legal())
    yield f"{digest(state)} {question.role}, {options} options: {RULES.question_text(question, state)}"
    yield from (f"  > {line}" for line in RULES.write_orders(answer).splitlines())


def digest(state: Any) -> str:
    return sha256(RULES.encode(state)).hexdigest()[:16]


def outcome_line(outcome: Outcome) -> str:
    return f"outcome {outcome.winner}: {outcome.text} ({outcome.rule})"
