"""The lab: a position, orders and given dice, adjudicated by the very rules that play uses."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pbem.engine.spelled import face_spelled, item_spelled
from pbem.errors import BadRequest
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

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class LabResult(Generic[S]):
    """How far sheets and dice carried a position: what was told, where it stands, and what it waits for."""

    state: S
    reports: tuple[Report, ...]
    question: Question[Any] | None
    outcome: Outcome | None
    unused_dice: tuple[str, ...]
    unused_sheets: int


class _Stop(Exception):
    """Nothing is left to go on with."""


class Lab(Generic[S]):
    """Drives `ruleset.play` from a position until sheets or dice run out."""

    def __init__(self, ruleset: Ruleset[S], state: S, sheets: Sequence[str], dice: Sequence[str]) -> None:
        self._ruleset = ruleset
        self._state = state
        self._sheets = deque(sheets)
        self._dice = deque(dice)
        self._reports: list[Report] = []
        self._question: Question[Any] | None = None
        self._sealed: dict[str, Answer] = {}

    def run(self) -> LabResult[S]:
        """The result; Refused for a sheet that is not legal, BadRequest for dice that do not fit."""
        outcome = self._drive()
        dice = tuple(self._dice)
        return LabResult(self._state, tuple(self._reports), self._question, outcome, dice, len(self._sheets))

    def _drive(self) -> Outcome | None:
        rules = self._ruleset.play(self._state)
        response: Any = None
        try:
            while True:
                response = self._respond(rules.send(response))
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome
        except _Stop:
            return None

    def _respond(self, request: Request) -> Any:
        match request:
            case Report():
                self._reports.append(request)
                return None
            case Checkpoint():
                self._state = request.state
                return None
            case Rolling():
                return request.read(tuple(self._face(request) for _ in range(request.count)))
            case Drawing():
                return self._item(request)
            case Asking():
                return self._answer(request)
            case Opening():
                return tuple(self._opened(*pair) for pair in zip(request.sealed, request.questions, strict=True))

    def _answer(self, request: Asking) -> Any:
        self._state = request.state
        answers = tuple(self._ordered(question) for question in request.questions)
        return tuple(map(self._seal, request.questions, answers)) if request.sealed else answers

    def _ordered(self, question: Question[Any]) -> Answer:
        if not self._sheets:
            self._question = question
            raise _Stop
        return self._ruleset.read_orders(question, self._state, self._sheets.popleft())

    def _seal(self, question: Question[Any], answer: Answer) -> Sealed:
        """A seal of the lab's own: its commitment is a number, since nobody has to be kept from looking."""
        commitment = f"{len(self._sealed):064x}"
        self._sealed[commitment] = answer
        return Sealed(question.role, question.kind, len(self._sealed), commitment)

    def _opened(self, sealed: Sealed, question: Question[Any]) -> Answer:
        """What was sealed here; what has become illegal is the default, as in play."""
        answer = self._sealed.get(sealed.commitment)
        if answer is None:
            text = f"expected a position without sealed answers, got one of {sealed.role} ({sealed.kind})"
            raise BadRequest("lab.sealed", text, "begin at a position before it was sealed")
        return question.default if question.check(answer) else answer

    def _next(self) -> str:
        if not self._dice:
            raise _Stop
        return self._dice.popleft()

    def _face(self, request: Rolling) -> int:
        return face_spelled(request, self._next(), "lab.dice")

    def _item(self, request: Drawing) -> Any:
        return request.items[item_spelled(request, self._next(), "lab.dice") - 1]
