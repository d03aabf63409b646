"""Rules as coroutines: what a rule can ask of the engine, and the functions that a rulebook is written with.

Every function here is used as `value = yield from ask(…)`. A request carries all that the engine needs, and
the engine never looks into a game's state.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict

from pbem.log.event import Role
from pbem.rules.refusal import Refusal

T = TypeVar("T")
Fact: TypeAlias = str | int


class Answer(BaseModel):
    """A decision of one role. Subclasses name their `kind`, which is the name of the question they answer."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")
    kind: ClassVar[str]


A = TypeVar("A", bound=Answer)


def accepts_everything(_: Answer) -> Sequence[Refusal]:
    """The check of a question whose every well-formed answer is legal."""
    return ()


@dataclass(frozen=True, slots=True)
class Question(Generic[A]):
    """What is asked of one role.

    `check` gives every reason against an answer; `options` lists legal answers (at least one), for bots, order
    sheets and random play, and is left out where they are too many to list; `default` is always legal, and
    stands in where no answer can be had. `about` says in a line what the state does not show: why it is asked.
    """

    role: Role
    model: type[A]
    default: A
    check: Callable[[A], Sequence[Refusal]] = accepts_everything
    options: Callable[[], Iterable[A]] | None = None
    about: str = ""

    @property
    def kind(self) -> str:
        return self.model.kind

    def legal(self) -> tuple[A, ...]:
        """The listed options, or the default alone where they are too many to list."""
        return tuple(self.options()) if self.options else (self.default,)

    def forced(self) -> A | None:
        """The only legal answer, None when there is a choice."""
        if self.options is None:
            return None
        first_two = tuple(islice(self.options(), 2))
        return first_two[0] if len(first_two) == 1 else None


@dataclass(frozen=True, slots=True)
class Sealed:
    """A sealed answer as a game keeps it in its state: whose, to which question, at which step, and the hash."""

    role: Role
    kind: str
    step: int
    commitment: str


@dataclass(frozen=True, slots=True)
class Disclosed:
    """A sealed answer that was left when the game was over and was opened then: `answer` is None when it was not, or
    was illegal at its step."""

    role: Role
    kind: str
    step: int
    answer: Answer | None


@dataclass(frozen=True, slots=True)
class Asking:
    """Answers wanted from one role in the open, or from one or more roles under seal."""

    state: Any
    questions: tuple[Question[Any], ...]
    sealed: bool


@dataclass(frozen=True, slots=True)
class Opening:
    """Openings wanted of sealed answers; a breach falls back to each question's default."""

    state: Any
    sealed: tuple[Sealed, ...]
    questions: tuple[Question[Any], ...]


@dataclass(frozen=True, slots=True)
class Rolling:
    """`count` dice with `sides` sides; the rule is resumed with `read(faces)`.

    `by` is the role whose dice they are, where the rule says so: it serves reports, and is in no digest.
    """

    label: str
    count: int
    sides: int
    read: Callable[[tuple[int, ...]], Any]
    by: Role | None = None


@dataclass(frozen=True, slots=True)
class Drawing:
    """One of `items`, each as likely; `alike` says which ones mean the same to the rule that draws.

    `whole` is what `items` are left of, `by` the role that draws for itself, where the rule says so: they serve
    messages and reports, not the draw.
    """

    label: str
    items: tuple[Any, ...]
    alike: Callable[[Any], Hashable]
    whole: tuple[Any, ...] = ()
    by: Role | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """A line of the public narrative: rule number, a text with {facts}, and the facts."""

    rule: str
    text: str
    facts: Mapping[str, Fact] = field(default_factory=dict)

    def sentence(self) -> str:
        """The text with its facts in place."""
        return self.text.format(**self.facts)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A state from which play can be resumed: `ruleset.play(state)` goes on exactly here."""

    state: Any


Request: TypeAlias = Asking | Opening | Rolling | Drawing | Report | Checkpoint
Rules: TypeAlias = Generator[Request, Any, T]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winning role (empty for a draw) and why, with the rule."""

    winner: str
    rule: str
    text: str

    def as_result(self) -> dict[str, str]:
        """What every party signs in its closing event."""
        return {"winner": self.winner, "rule": self.rule, "text": self.text}


def ask(state: Any, question: Question[A]) -> Rules[A]:
    """One role decides in the open."""
    answers = yield Asking(state, (question,), sealed=False)
    answer: A = answers[0]
    return answer


def seal(state: Any, *questions: Question[Any]) -> Rules[tuple[Sealed, ...]]:
    """One or more roles decide in secret, at the same time; the answers are read by `open_sealed`."""
    sealed: tuple[Sealed, ...] = yield Asking(state, questions, sealed=True)
    return sealed


def open_sealed(state: Any, sealed: Sequence[Sealed], questions: Sequence[Question[Any]]) -> Rules[tuple[Answer, ...]]:
    """The answers behind seals, each checked by its question; a breach is reported and becomes the default."""
    answers: tuple[Answer, ...] = yield Opening(state, tuple(sealed), tuple(questions))
    return answers


def ask_together(state: Any, *questions: Question[Any]) -> Rules[tuple[Answer, ...]]:
    """Two or more roles decide at the same time: sealed by all, then opened by all."""
    sealed = yield from seal(state, *questions)
    return (yield from open_sealed(state, sealed, questions))


def as_they_fall(faces: tuple[int, ...]) -> tuple[int, ...]:
    """A roll read die by die."""
    return faces


def total(faces: tuple[int, ...]) -> int:
    """A roll read as the sum of its dice."""
    return sum(faces)


def roll(label: str, count: int, sides: int, read: Callable[[tuple[int, ...]], T], by: Role | None = None) -> Rules[T]:
    """Dice under a label that names rule and use; the result is what `read` makes of the faces.

    `by` is the role whose dice they are, for reports; it changes no digest.
    """
    result: T = yield Rolling(label, count, sides, read, by)
    return result


def itself(item: Any) -> Any:
    """A draw in which every item means something else."""
    return item


def draw(
    label: str,
    items: Sequence[T],
    alike: Callable[[T], Hashable] = itself,
    whole: Sequence[T] = (),
    by: Role | None = None,
) -> Rules[T]:
    """One of what is left (of `whole`), without replacement: the rule takes the item out of its state.

    `by` is the role that draws for itself, for reports; it changes no digest.
    """
    item: T = yield Drawing(label, tuple(items), alike, tuple(whole), by)
    return item


def literal(text: str) -> str:
    """Words for the text of a report in which nothing is a fact: what they say is in no digest."""
    return text.replace("{", "{{").replace("}", "}}")


def report(rule: str, text: str, /, **facts: Fact) -> Rules[None]:
    """A line of the public narrative."""
    yield Report(rule, text, facts)


def checkpoint(state: Any) -> Rules[None]:
    """Play can be resumed from `state`; at least once a game turn."""
    yield Checkpoint(state)
