"""A run of the rules with all that it was given, so that play can go back to an earlier step.

What was rolled is rolled again from the same links: going back changes nothing of what happened before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from pbem.engine.driver import Driver, LiveDice
from pbem.rules.ruleset import Ruleset

S = TypeVar("S")
Act: TypeAlias = Callable[[Driver[Any]], None]


class TooEarly(Exception):
    """The run began later than the step to go back to: it must be replayed from the first one."""


@dataclass(frozen=True, slots=True)
class Resumable(Generic[S]):
    """The last checkpoint of a run, to which step `step` led, and the `number` of acts up to it."""

    state: S
    dice: LiveDice | None
    step: int
    number: int


@dataclass(frozen=True, slots=True)
class Played:
    """What a run began with, and what each step gave it."""

    ruleset: Ruleset[Any]
    state: Any
    dice: LiveDice | None
    given: tuple[tuple[int, Act], ...]


class Run(Generic[S]):
    """A driver from `state`, to which step `since` led, and what each later step gave it.

    A run that a motion began at step `since` knows the `earlier` one, which play can still go back to.
    """

    def __init__(self, ruleset: Ruleset[S], state: S, since: int, dice: LiveDice | None = None) -> None:
        self.driver: Driver[S] = Driver(ruleset, state, _copy(dice))
        self._ruleset = ruleset
        self._state, self._dice = state, _copy(dice)
        self._resumable = Resumable(*self.driver.saved, since, 0)
        self._since = since
        self._given: list[tuple[int, Act]] = []
        self._earlier: Run[S] | None = None

    @property
    def ruleset(self) -> Ruleset[S]:
        """The rules of this run."""
        return self._ruleset

    def played(self) -> Iterator[Played]:
        """This run and those before it, the earliest first."""
        if self._earlier is not None:
            yield from self._earlier.played()
        yield Played(self._ruleset, self._state, _copy(self._dice), tuple(self._given))

    def start(self, step: int) -> None:
        """Run up to the first thing that the rules wait for; step `step` was the last one closed."""
        self.give(step, lambda driver: driver.start(step))

    def give(self, step: int, act: Act) -> None:
        """Let step `step` act on the driver."""
        self._given.append((step, act))
        self.driver.step = step
        act(self.driver)
        if self.driver.saved[0] is not self._resumable.state:
            self._resumable = Resumable(*self.driver.saved, step, len(self._given))

    def trial(self) -> Driver[S]:
        """Another driver that waits where this one does, to try something on; it was run from the last checkpoint."""
        kept = self._resumable
        again = Driver(self._ruleset, kept.state, _copy(kept.dice))
        if kept.number:
            again.start(kept.step)
        for number, act in self._given[kept.number :]:
            again.step = number
            act(again)
        return again

    def check_reach(self, target: int) -> None:
        """Raise TooEarly for a step that `back_to` could not go back to."""
        if target <= self._since:
            if self._earlier is None:
                raise TooEarly
            self._earlier.check_reach(target)

    def back_to(self, target: int, step: int) -> Run[S]:
        """The run as it stood before step `target` was closed, which step `step` goes back to; TooEarly for the past
        of a run that began later."""
        return self._as_of(target)._behind(self, step)

    def from_position(self, state: S, step: int) -> Run[S]:
        """A run from a position that step `step` has put in place of the present one."""
        return Run(self._ruleset, state, step)._behind(self, step)

    def by_other_rules(self, ruleset: Ruleset[S], state: S, step: int) -> Run[S]:
        """A run from the present position as other rules have it, by which play goes on behind step `step`."""
        return Run(ruleset, state, step)._behind(self, step)

    def _as_of(self, target: int) -> Run[S]:
        self.check_reach(target)
        if self._earlier is not None and target <= self._since:
            return self._earlier._as_of(target)
        again = Run(self._ruleset, self._state, self._since, self._dice)
        for number, act in self._given:
            if number < target:
                again.give(number, act)
        return again

    def _behind(self, earlier: Run[S], step: int) -> Run[S]:
        self._earlier, self._since = earlier, step
        self.driver.lines[:] = earlier.driver.lines
        self.driver.rolls[:] = earlier.driver.rolls
        return self


def _copy(dice: LiveDice | None) -> LiveDice | None:
    return dice.copied() if dice else None
