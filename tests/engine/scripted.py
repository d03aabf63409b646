"""Rules of a few lines, to look at the engine alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeAlias

import orjson
from play import Match
from toy.ruleset import Toy

from pbem.app import catalogue
from pbem.log.event import Role
from pbem.rules.play import Answer, Outcome, Question, Rules
from pbem.rules.refusal import Refusal

TOY = catalogue.ruleset("toy")
END = Outcome("north", "9", "north has it")
NORTH, SOUTH = Role("north"), Role("south")
Script: TypeAlias = Callable[[Any], Rules[Outcome]]


class Say(Answer):
    """A number from 0 to 9; an odd one is illegal."""

    kind: ClassVar[str] = "say"
    number: int = 0


class Scripted(Toy):
    """The toy with other rules; a state is any JSON value."""

    def __init__(self, script: Script) -> None:
        super().__init__(TOY.files)
        self._script = script

    def play(self, state: Any) -> Rules[Outcome]:
        return self._script(state)

    def encode(self, state: Any) -> bytes:
        return orjson.dumps(state)

    def decode(self, data: bytes) -> Any:
        return orjson.loads(data)

    def begin(self, *_: Any) -> Any:
        return "begin"


def say(role: Role = NORTH, *options: int) -> Question[Say]:
    """A question with these options, or none that are listed."""
    listed = [Say(number=option) for option in options]
    return Question(role, Say, Say(), even, (lambda: listed) if listed else None)


def even(answer: Say) -> Sequence[Refusal]:
    if answer.number % 2 == 0:
        return ()
    return (Refusal("say.odd", f"expected an even number, got {answer.number}", "7"),)


def playing(until: str, **options: Any) -> Match:
    """A short toy game that waits for a kind of event."""
    match = Match(TOY, 1, scenario="short", **options)
    return match.play(lambda campaign: until in {demand.kind for demand in campaign.place.demands.values()})


def waits(match: Match) -> str:
    demands = match.campaign.place.demands
    return " and ".join(f"{role} {demand.kind} {demand.ask}".rstrip() for role, demand in demands.items())
