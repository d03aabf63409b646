"""Drives one game's coroutine up to the next thing that only an event can give it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeAlias, TypeVar

import orjson

from pbem.log import dice
from pbem.log.hashing import ZERO, digest
from pbem.rules.play import (
    Asking,
    Checkpoint,
    Drawing,
    Opening,
    Outcome,
    Report,
    Request,
    Rolling,
    Rules,
)
from pbem.rules.ruleset import Ruleset

S = TypeVar("S")


@dataclass(slots=True)
class LiveDice:
    """The dice of the links that one step opened: good until the next question is asked."""

    key: bytes
    step: int
    used: list[str] = field(default_factory=list)

    def use(self, label: str) -> None:
        """Take a label; one label twice in a step would be one roll used twice, which is a bug of the game."""
        if label in self.used:
            raise ValueError(f"the label '{label}' is rolled twice at step {self.step}")
        self.used.append(label)

    def faces(self, request: Rolling | Drawing) -> tuple[int, ...]:
        """The faces of a roll; of a draw the place, from 1, among what is left."""
        self.use(request.label)
        return dice.faces(self.key, request.label, *asked_dice(request))

    @property
    def author(self) -> str:
        """Who has dictated these dice: nobody, they follow from links."""
        return ""

    def copied(self) -> LiveDice:
        """The same dice, to be used on their own."""
        return replace(self, used=list(self.used))


@dataclass(frozen=True, slots=True)
class RollRecord:
    """One roll that was made: its id is `<step>:<label>`; `items` are the names of what was drawn from.

    `by` is the role whose roll it is, empty when it is nobody's; `dictated` the one that has said the faces, where a
    link was withheld and no chain stands behind them.
    """

    step: int
    label: str
    count: int
    sides: int
    faces: tuple[int, ...]
    items: tuple[str, ...] = ()
    by: str = ""
    dictated: str = ""

    @property
    def id(self) -> str:
        return f"{self.step}:{self.label}"


@dataclass(frozen=True, slots=True)
class NeedsEntropy:
    """The rules want to roll and no dice are live."""

    request: Rolling | Drawing


Waiting: TypeAlias = Asking | Opening | NeedsEntropy | Outcome


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the narrative, at the step whose closing led to it."""

    step: int
    rule: str
    text: str


class Driver(Generic[S]):
    """One run of `ruleset.play`, from a state to its outcome.

    `trace` is a digest of all that happened since the last checkpoint, so that two programs that walk
    different ways through the same rules find out at the next step.
    """

    def __init__(self, ruleset: Ruleset[S], state: S, dice_now: LiveDice | None = None) -> None:
        self.ruleset = ruleset
        self.state = state
        self.dice = dice_now
        self.trace = ZERO
        self.step = 0
        self._encoded: tuple[S, bytes] | None = None
        self.lines: list[Line] = []
        self.rolls: list[RollRecord] = []
        self.saved: tuple[S, LiveDice | None] = (state, self._dice_copy())
        self._rules: Rules[Outcome] = ruleset.play(state)
        self.waiting: Waiting = Outcome("", "", "")

    def start(self, step: int) -> None:
        """Run up to the first thing that the rules wait for; `step` is the last closed step."""
        self.step = step
        self._run(None)

    def supply(self, response: Any, step: int) -> None:
        """Give the rules what they waited for, which step `step` closed."""
        self.step = step
        self.dice = None
        self._run(response)

    def roll(self, live: LiveDice) -> None:
        """Give the rules dice; they go on rolling with them until they ask something."""
        assert isinstance(self.waiting, NeedsEntropy)
        self.step = live.step
        self.dice = live
        self._run(self._rolled(self.waiting.request))

    def state_digest(self) -> bytes:
        """Digest of the state of the last question or checkpoint, and of what happened since."""
        if self._encoded is None or self._encoded[0] is not self.state:
            self._encoded = (self.state, self.ruleset.encode(self.state))
        return digest("pbem/state/v1", self._encoded[1], self.trace)

    def note(self, rule: str, text: str, **facts: str | int) -> None:
        """A line of the narrative that the engine itself has to add; only its rule and facts are in the digest."""
        self._tell(rule, text, facts)

    def _run(self, response: Any) -> None:
        try:
            request = self._rules.send(response)
            while (response := self._respond(request)) is not _WAIT:
                request = self._rules.send(response)
        except StopIteration as end:
            self.waiting = end.value

    def _respond(self, request: Request) -> Any:
        if isinstance(request, Report):
            return self._report(request)
        if isinstance(request, Rolling | Drawing):
            return self._rolled(request) if self.dice else self._wait(NeedsEntropy(request))
        self.state = request.state
        if isinstance(request, Checkpoint):
            self.trace = ZERO
            self.saved = (request.state, self._dice_copy())
            return None
        return self._wait(request)

    def _wait(self, waiting: Waiting) -> Any:
        self.waiting = waiting
        return _WAIT

    def _report(self, report: Report) -> None:
        self._tell(report.rule, report.sentence(), report.facts)

    def _tell(self, rule: str, text: str, facts: Mapping[str, str | int]) -> None:
        """The words may be mended in a later version, so they are in no digest: rule and facts are."""
        known = orjson.dumps((rule, facts), option=orjson.OPT_SORT_KEYS)
        self.trace = digest("pbem/trace/v1", self.trace, known)
        self.lines.append(Line(self.step, rule, text))

    def _rolled(self, request: Rolling | Drawing) -> Any:
        assert self.dice is not None
        faces = self.dice.faces(request)
        if isinstance(request, Rolling):
            self._record(request, request.sides, faces)
            return request.read(faces)
        self._record(request, len(request.items), faces, request.items)
        return request.items[faces[0] - 1]

    def _record(
        self, request: Rolling | Drawing, sides: int, faces: tuple[int, ...], items: Sequence[Any] = ()
    ) -> None:
        assert self.dice is not None
        self.trace = digest("pbem/trace/v1", self.trace, orjson.dumps((request.label, sides, faces)))
        names, by = tuple(map(str, items)), str(request.by or "")
        author = self.dice.author
        self.rolls.append(RollRecord(self.dice.step, request.label, len(faces), sides, faces, names, by, author))

    def _dice_copy(self) -> LiveDice | None:
        return self.dice.copied() if self.dice else None


def asked_dice(request: Rolling | Drawing) -> tuple[int, int]:
    """How many dice with how many sides: a draw is one die with as many sides as items are left."""
    return (request.count, request.sides) if isinstance(request, Rolling) else (1, len(request.items))


_WAIT = object()
