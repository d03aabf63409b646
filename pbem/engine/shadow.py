"""A shadow replay: what other rules would have made of everything that was played, and what they would ask now.

Play is cut at its checkpoints. Each piece begins with the position that was there, carried over to the other rules,
which are given the same answers and the same dice; so a difference does not spread beyond its piece, and the first one
of each piece is told. Words of reports may differ: rules and facts count. Whatever the rules do, nothing is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from itertools import islice, zip_longest
from typing import Any

import orjson

from pbem.engine.admission import accepted
from pbem.engine.driver import Driver, LiveDice, NeedsEntropy, Waiting
from pbem.engine.new_rules import MOST_OPTIONS, Bounded, carried_over, waits_for
from pbem.engine.run import Act, Played
from pbem.errors import PbemError
from pbem.rules import play
from pbem.rules.play import Asking, Checkpoint, Drawing, Opening, Question, Rolling
from pbem.rules.play import Request as Wanted
from pbem.rules.refusal import Refused
from pbem.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Difference:
    """What step `step` led to, in the words of the narrative, and what it `would` have led to, with the rule.

    `position` are lines of the position at the end of the piece, with `-` as they were and `+` as they would be.
    """

    step: int
    rule: str
    was: str
    would: str
    position: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What one role is asked now, and would be asked; options that would `go` or `come`, in the order language."""

    role: str
    was: str
    would: str
    go: tuple[str, ...] = ()
    come: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shadow:
    """The first differences of each piece of play, how many steps were replayed, and what differs of what is asked."""

    steps: int
    differences: tuple[Difference, ...]
    asked: tuple[Asked, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One report or roll; two are alike when rule and facts are."""

    rule: str
    known: bytes
    text: str = field(compare=False)


class Told(Driver[Any]):
    """A driver that keeps what it tells and rolls, and how far that was when it came to a checkpoint."""

    def __init__(self, ruleset: Ruleset[Any], state: Any, dice_now: LiveDice | None = None) -> None:
        self.entries: list[Entry] = []
        self.at_checkpoint = 0
        super().__init__(ruleset, state, dice_now)

    def _respond(self, request: Wanted) -> Any:
        if isinstance(request, Checkpoint):
            self.at_checkpoint = len(self.entries)
        return super()._respond(request)

    def _tell(self, rule: str, text: str, facts: Mapping[str, str | int]) -> None:
        super()._tell(rule, text, facts)
        self.entries.append(Entry(rule, orjson.dumps(facts, option=orjson.OPT_SORT_KEYS), text))

    def _record(
        self, request: Rolling | Drawing, sides: int, faces: tuple[int, ...], items: Sequence[Any] = ()
    ) -> None:
        super()._record(request, sides, faces, items)
        shown = ", ".join(map(str, faces)) if not items else str(items[faces[0] - 1])
        self.entries.append(Entry("", orjson.dumps((request.label, sides, faces)), f"{request.label}: {shown}"))


class Other(Bounded, Told):
    """The other rules, given what was answered: they read it as their own questions do."""

    def supply(self, response: Any, step: int) -> None:
        waiting = self.waiting
        if isinstance(waiting, Opening) or (isinstance(waiting, Asking) and not waiting.sealed):
            response = tuple(map(_read_again, waiting.questions, response))
        super().supply(response, step)


class Unread(Exception):
    """An answer that the other rules refuse."""

    def __init__(self, role: str, answer: play.Answer, refused: Refused) -> None:
        super().__init__()
        self.role, self.answer, self.reason = role, answer, refused.refusals[0]


def _read_again(question: Question[Any], answer: play.Answer) -> play.Answer:
    try:
        return accepted(question, answer.model_dump(mode="json"))
    except Refused as refused:
        raise Unread(str(question.role), answer, refused) from None


class _Piece:
    """A piece of play from a position on, as it was and as it would be; `found` is its first difference."""

    def __init__(self, was: Told, rules: Ruleset[Any], state: Any, dice: LiveDice | None, step: int) -> None:
        self._was, self.step, self.found = was, step, None if was.ruleset.digest != rules.digest else _NONE
        self._seen = was.at_checkpoint
        self._other: Other | None = None
        self._other_seen = 0
        self._began: object = None
        self._words: Difference | None = None
        if self.found is _NONE:
            return
        try:
            self._other = Other(rules, carried_over(was.ruleset, rules, state), _copy(dice))
            self._began = self._other.saved
        except PbemError as error:
            self._differs(Difference(step, "", "play goes on from the position", error.text))
        except Exception as error:  # whatever rules do that nobody has played with
            self._differs(_failed(was, step, error))

    def act(self, step: int, act: Act) -> None:
        """Let a step act on the other rules too, which has acted on those that were played by."""
        self.step = step
        if self._other is not None:
            self._compare(act)

    def begin(self) -> None:
        """Run the other rules to where those that were played by wait."""
        if self._other is not None:
            self._compare(lambda other: other.start(self.step))

    def _compare(self, act: Callable[[Other], None]) -> None:
        assert self._other is not None
        try:
            act(self._other)
            difference = self._difference(self._other)
        except Exception as error:  # whatever rules do that nobody has played with
            self._differs(_failed(self._was, self.step, error))
            self._other = None
            return
        self._seen, self._other_seen = len(self._was.entries), len(self._other.entries)
        if difference is not None:
            self._differs(difference)
        if _waits(self._was.waiting) != _waits(self._other.waiting):
            self._other = None

    def _difference(self, other: Other) -> Difference | None:
        for was, would in zip_longest(self._was.entries[self._seen :], other.entries[self._other_seen :]):
            if was and would and was.text != would.text and self._words is None:
                self._words = Difference(self.step, was.rule, was.text, would.text)
            if was != would:
                rule = (was or would).rule
                return Difference(self.step, rule, was.text if was else _NOTHING, would.text if would else _NOTHING)
        was_asked, would_ask = _waits(self._was.waiting), _waits(other.waiting)
        if was_asked != would_ask:
            return Difference(self.step, "", waits_for(self._was.waiting), waits_for(other.waiting))
        return None

    def _differs(self, difference: Difference) -> None:
        self.found = self.found or difference

    def ended(self, was: Any, at_checkpoint: bool) -> Difference | None:
        """The first difference of the piece, with that of the position at its end."""
        if self.found is _NONE:
            return None
        if self._other is not None and not (at_checkpoint and self._other.saved is self._began):
            try:
                would = self._other.saved[0] if at_checkpoint else self._other.state
                lines = _position(self._was.ruleset, was, self._other.ruleset, would)
            except Exception as error:  # whatever rules do that nobody has played with
                self._differs(_failed(self._was, self.step, error))
                return self.found
            if lines:
                self._differs(self._words or Difference(self.step, "", "", ""))
                assert self.found is not None
                self.found = replace(self.found, position=lines)
        return self.found


_NOTHING = "(nothing)"
_NONE = Difference(0, "", "", "")
"""Stands where the rules are the same: nothing can differ."""


def shadow(played: Sequence[Played], present: Driver[Any], there: Driver[Any] | None, rules: Ruleset[Any]) -> Shadow:
    """What differs when `rules` replay what was played; `there` are those rules as they would stand where `present` is.

    Play that was taken back is part of it.
    """
    found: dict[tuple[int, str, str, str], Difference] = {}
    steps: set[int] = set()
    for run in played:
        steps.update(step for step, _ in run.given[1:])  # a run begins by running up to its first question
        for one in _of_run(run, rules):
            found.setdefault((one.step, one.rule, one.was, one.would), one)
    differences = tuple(sorted(found.values(), key=lambda one: one.step))
    return Shadow(len(steps), differences, tuple(_asked(present, there)) if there else ())


def _of_run(run: Played, rules: Ruleset[Any]) -> Iterator[Difference]:
    was = Told(run.ruleset, run.state, run.dice)
    piece = _Piece(was, rules, run.state, run.dice, run.given[0][0] if run.given else 0)
    for step, act in run.given:
        saved = was.saved
        act(was)
        piece.act(step, act)
        if was.saved is not saved:
            state, dice = was.saved
            yield from _told(piece.ended(state, at_checkpoint=True))
            piece = _Piece(was, rules, state, dice, step)
            piece.begin()
    yield from _told(piece.ended(was.state, at_checkpoint=False))


def _told(difference: Difference | None) -> Iterator[Difference]:
    if difference is not None:
        yield difference


def _copy(dice: LiveDice | None) -> LiveDice | None:
    return LiveDice(dice.key, dice.step, list(dice.used)) if dice else None


def _failed(was: Told, step: int, error: Exception) -> Difference:
    """What is told when the other rules cannot go on: an answer that they refuse, or an error of theirs."""
    if isinstance(error, Unread):
        ordered = "; ".join(was.ruleset.write_orders(error.answer).splitlines())
        return Difference(step, error.reason.rule, f"{error.role}: {ordered}", f"refused: {error.reason.text}")
    last = was.entries[-1].text if was.entries else waits_for(was.waiting)
    return Difference(step, "", last, f"the rules would fail ({type(error).__name__})")


def _position(former: Ruleset[Any], was: Any, rules: Ruleset[Any], would: Any) -> tuple[str, ...]:
    """Lines of the position that differ, with `-` and `+`; both are read back first, as from a snapshot."""
    before, after = former.decode(former.encode(was)), rules.decode(rules.encode(would))
    lines = unified_diff(former.position_lines(before), rules.position_lines(after), n=0, lineterm="")
    return tuple(line for line in lines if not line.startswith(("---", "+++", "@@")))


def _waits(waiting: Waiting) -> object:
    """What is waited for, as far as the same events could give it."""
    if isinstance(waiting, Asking):
        return waiting.sealed, [(question.role, question.kind) for question in waiting.questions]
    if isinstance(waiting, Opening):
        return [(one.role, one.kind, one.commitment) for one in waiting.sealed]
    return "dice" if isinstance(waiting, NeedsEntropy) else (waiting.winner, waiting.rule)


def _asked(present: Driver[Any], there: Driver[Any]) -> Iterator[Asked]:
    """What would be asked otherwise, role by role."""
    was, would = _questions(present), _questions(there)
    for role in sorted({*was, *would}):
        before, after = was.get(role, _NOT_ASKED), would.get(role, _NOT_ASKED)
        if role not in would and not isinstance(there.waiting, Asking):
            after = (waits_for(there.waiting), ())
        go = tuple(one for one in before[1] if one not in after[1])
        come = tuple(one for one in after[1] if one not in before[1])
        if go or come or before[0] != after[0]:
            yield Asked(role, before[0], after[0], go, come)


_NOT_ASKED: tuple[str, tuple[str, ...]] = ("nothing", ())


def _questions(driver: Driver[Any]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """What each role is asked: the question and its listed options as orders."""
    if not isinstance(driver.waiting, Asking):
        return {}
    return {str(question.role): _question(driver, question) for question in driver.waiting.questions}


def _question(driver: Driver[Any], question: Question[Any]) -> tuple[str, tuple[str, ...]]:
    try:
        text = driver.ruleset.question_text(question, driver.state)
        options = islice(question.options(), MOST_OPTIONS) if question.options else ()
        return text, tuple(driver.ruleset.write_orders(option) for option in options)
    except Exception as error:  # whatever rules do that nobody has played with
        return f"{question.kind} (it cannot be told: {type(error).__name__})", ()
