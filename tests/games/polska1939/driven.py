"""Drives a rule with answers and dice as play would: each answer is checked, seals are kept, openings fall back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from positions import DATA

from pbem.app.demo import Seeded
from pbem.games.polska1939.bots import bots
from pbem.games.polska1939.s3_turns import play_days
from pbem.games.polska1939.s12_scenario import opening_state
from pbem.games.polska1939.state import State
from pbem.rules.play import Answer, Asking, Checkpoint, Opening, Question, Report, Rolling, Rules, Sealed


@dataclass
class Driven:
    """What came of a rule: its result, what it told, asked (`sealed` before what was sealed) and rolled."""

    result: Any = None
    told: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    rolled: list[str] = field(default_factory=list)
    questions: list[Question[Any]] = field(default_factory=list)
    breaches: list[str] = field(default_factory=list)


class Vault:
    """What was sealed, over several rules; a position that is sealed here can be opened here."""

    def __init__(self) -> None:
        self._answers: list[Answer] = []

    def seal(self, question: Question[Any], answer: Answer) -> Sealed:
        self._answers.append(answer)
        return Sealed(question.role, question.kind, len(self._answers), f"{len(self._answers) - 1:064x}")

    def open(self, sealed: Sealed) -> Answer:
        return self._answers[int(sealed.commitment, 16)]


def drive(
    rule: Rules[Any], answers: Sequence[Answer] = (), dice: Sequence[int] = (), vault: Vault | None = None
) -> Driven:
    """The rule to its end; answers and dice must be legal and just enough."""
    vault, given, faces, found = vault or Vault(), list(answers), list(dice), Driven()
    response: Any = None
    try:
        while True:
            request = rule.send(response)
            response = None
            match request:
                case Report():
                    found.told.append(f"{request.rule}: {request.sentence()}")
                case Rolling():
                    found.rolled.append(request.label)
                    response = request.read(tuple(faces.pop(0) for _ in range(request.count)))
                case Asking():
                    response = tuple(
                        _answered(found, vault, request, question, given) for question in request.questions
                    )
                case Opening():
                    pairs = zip(request.sealed, request.questions, strict=True)
                    response = tuple(_opened(found, vault, *pair) for pair in pairs)
    except StopIteration as end:
        assert (given, faces) == ([], [])
        found.result = end.value
        return found


def whole_campaign(seed: int, bot: str, scenario: str = "campaign") -> Iterator[State]:
    """The position between any two phases of a campaign that programs play on both sides, with dice out of a hash."""
    choose = Seeded(seed, "campaign").choose
    vault, answer = Vault(), bots(DATA)[bot]
    rules = play_days(DATA, opening_state(DATA, scenario))
    response: Any = None
    while True:
        try:
            request = rules.send(response)
        except StopIteration:
            return
        response = None
        match request:
            case Checkpoint():
                yield request.state
            case Rolling():
                response = request.read(tuple(1 + choose(request.sides) for _ in range(request.count)))
            case Asking():
                given = [answer(question, request.state, choose) for question in request.questions]
                sealed = map(vault.seal, request.questions, given)
                response = tuple(sealed if request.sealed else given)
            case Opening():
                pairs = zip(request.sealed, request.questions, strict=True)
                response = tuple(_opened(Driven(), vault, *pair) for pair in pairs)


def _answered(found: Driven, vault: Vault, request: Asking, question: Question[Any], given: list[Answer]) -> Any:
    found.asked.append(f"{'sealed ' if request.sealed else ''}{question.role} {question.kind}")
    found.questions.append(question)
    answer = given.pop(0)
    assert isinstance(answer, question.model)
    assert [refusal.sentence() for refusal in question.check(answer)] == []
    assert len(question.legal()) > 1 or question.options is None
    return vault.seal(question, answer) if request.sealed else answer


def _opened(found: Driven, vault: Vault, sealed: Sealed, question: Question[Any]) -> Answer:
    answer = vault.open(sealed)
    assert (sealed.role, sealed.kind) == (question.role, question.kind)
    reasons = [refusal.sentence() for refusal in question.check(answer)]
    found.breaches += reasons
    return question.default if reasons else answer
