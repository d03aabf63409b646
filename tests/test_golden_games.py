"""Whole games as text, so that a change of the rules shows as lines that differ.

Two programs play at random; dice, cards and choices come out of a hash, not out of a random source. Each
step holds the digest of the state, who is asked what, how many options are legal, the answer, and what is told
until the next question.

When the rules are meant to differ, write the file anew, read what has changed, and raise the version of the ruleset
once that version is out:

    PBEM_REGENERATE=1 pytest tests/test_golden_games.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from golden import golden

from pbem.app import catalogue
from pbem.rules.play import (
    Answer,
    Asking,
    Checkpoint,
    Drawing,
    Opening,
    Outcome,
    Question,
    Report,
    Request,
    Rolling,
    Sealed,
)
from pbem.rules.ruleset import Ruleset

FOLDER = Path(__file__).parents[1] / "fixtures" / "games"
REQUEST_LIMIT = 10_000


@dataclass(frozen=True, slots=True)
class Golden:
    """A file below the fixtures, the scenario, and the number that the game is dealt by."""

    game: str
    name: str
    scenario: str
    number: int

    @property
    def path(self) -> Path:
        return FOLDER / self.game / f"{self.name}.txt"


GAMES = (
    Golden("polska1939", "golden-1", "short", 1),
    Golden("westerplatte", "golden-1", "standard", 1),
    Golden("westerplatte", "golden-2", "standard", 34),
    Golden("white_eagle", "golden-1", "campaign", 1),
)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.game}-{game.name}")
def test_golden_game(game: Golden) -> None:
    text = "\n".join(Telling(game).told()) + "\n"
    assert text == golden(game.path, text)


def test_every_game_that_is_ours_has_a_golden_one_and_no_file_is_left_over() -> None:
    assert {game.game for game in GAMES} == set(catalogue.OURS)
    assert {game.path for game in GAMES} == set(FOLDER.glob("*/golden-*.txt"))


def test_the_golden_games_of_the_westerplatte_end_both_ways_and_use_every_order() -> None:
    texts = [game.path.read_text(encoding="utf-8") for game in GAMES if game.game == "westerplatte"]
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


class Telling:
    """One game as the lines of its file: a head, the steps, the outcome."""

    def __init__(self, game: Golden) -> None:
        self.rules: Ruleset[Any] = catalogue.ruleset(game.game)
        self.number = game.number
        self.choose = chooser(game.number)
        self.state = self.rules.begin(game.scenario, {})
        self.sealed: list[Answer] = []

    def told(self) -> Iterator[str]:
        yield f"# {self.rules.title}, version {self.rules.version}: a game at random, number {self.number}"
        play = self.rules.play(self.state)
        response: Any = None
        for _ in range(REQUEST_LIMIT):
            try:
                request = play.send(response)
            except StopIteration as end:
                yield f"{self.digest(self.state)} the end"
                yield outcome_line(end.value)
                return
            if isinstance(request, Report):
                yield f"  {request.rule:<9} {request.sentence()}"
            response = self.response(request)
            if isinstance(request, Asking):
                answers = self.sealed[-len(response) :] if request.sealed else response
                for question, answer in zip(request.questions, answers, strict=True):
                    yield from self.step_lines(question, request.state, answer)
        pytest.fail(f"no end after {REQUEST_LIMIT} requests")

    def response(self, request: Request) -> Any:
        match request:
            case Rolling():
                return request.read(tuple(1 + self.choose(request.sides) for _ in range(request.count)))
            case Drawing():
                return request.items[self.choose(len(request.items))]
            case Checkpoint():
                self.state = request.state
            case Asking():
                bot = self.rules.bots()["random"]
                answers = tuple(bot(question, request.state, self.choose) for question in request.questions)
                return self.seals(request, answers) if request.sealed else answers
            case Opening():
                return tuple(self.sealed[int(one.commitment, 16)] for one in request.sealed)
        return None

    def seals(self, request: Asking, answers: tuple[Answer, ...]) -> tuple[Sealed, ...]:
        """Seals whose commitments are numbers: the answers' places among all that were sealed."""
        first = len(self.sealed)
        self.sealed += answers
        return tuple(
            Sealed(question.role, question.kind, first, f"{first + i:064x}")
            for i, question in enumerate(request.questions)
        )

    def step_lines(self, question: Question[Any], state: Any, answer: Any) -> Iterator[str]:
        text = self.rules.question_text(question, state)
        yield f"{self.digest(state)} {question.role}, {len(question.legal())} options: {text}"
        yield from (f"  > {line}" for line in self.rules.write_orders(answer).splitlines())

    def digest(self, state: Any) -> str:
        return sha256(self.rules.encode(state)).hexdigest()[:16]


def outcome_line(outcome: Outcome) -> str:
    return f"outcome {outcome.winner}: {outcome.text} ({outcome.rule})"
