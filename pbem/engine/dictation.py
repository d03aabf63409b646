"""Dictated dice: where a link was withheld and the remedy is the worst, the author of the lapse says every face.

The worst that the silent side can get is what its enemy chooses, in every game: no game says which faces are bad. The
list is exactly what the rules roll until their next question. Left out: who may dictate, and when (`pbem.log.verify`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from shlex import quote
from typing import Any, TypeAlias

from pbem.engine.driver import Driver, LiveDice, asked_dice
from pbem.engine.spelled import face_spelled, item_spelled
from pbem.errors import BadEvidence, BadRequest
from pbem.log.enumeration import counted, enumerated
from pbem.log.event import Dictated
from pbem.rules.play import Drawing, Rolling

Faces: TypeAlias = tuple[tuple[str, tuple[int, ...]], ...]
"""Rolls in the order in which the rules make them: the label of each, and its faces from 1."""
NO_KEY = b""
MOST_ITEMS = 6
"""Items of a draw that are named one by one."""


@dataclass(slots=True)
class DictatedDice(LiveDice):
    """The rolls of one step as role `by` dictates them; BadEvidence for a roll that it does not dictate so."""

    rolls: Faces = ()
    by: str = ""

    def faces(self, request: Rolling | Drawing) -> tuple[int, ...]:
        """The faces dictated for the next roll."""
        number = len(self.used)
        self.use(request.label)
        if number == len(self.rolls):
            raise _other(f"{in_words(request)} dictated too, got {counted(number, 'roll')}")
        label, faces = self.rolls[number]
        if label != request.label:
            raise _other(f"{in_words(request)} dictated as roll {number + 1}, got '{label}'")
        count, sides = asked_dice(request)
        if len(faces) != count or any(face > sides for face in faces):
            raise _other(f"{in_words(request)}, got {' '.join(map(str, faces)) or 'nothing'}")
        return faces

    @property
    def author(self) -> str:
        """Who has dictated these dice."""
        return self.by


def dictated_dice(step: int, by: str, rolls: Sequence[Dictated]) -> DictatedDice:
    """The dice of a lapse that stands at a step."""
    return DictatedDice(NO_KEY, step, rolls=tuple((one.label, tuple(one.faces)) for one in rolls), by=by)


def check_dictated(trial: Driver[Any], dice: DictatedDice) -> None:
    """Raise BadEvidence unless dice are exactly what the rules roll now; the driver is used up."""
    trial.roll(dice)
    if len(dice.used) != len(dice.rolls):
        raise _other(f"{counted(len(dice.used), 'dictated roll')}, got {len(dice.rolls)}")


def _other(expected: str) -> BadEvidence:
    return BadEvidence("campaign.dictated", f"expected {expected}")


def in_words(request: Rolling | Drawing) -> str:
    """`2 dice of 6 sides for '2.4/turn-1/north'`, or `rain, fog or sun for '2.1/turn-1/weather'`."""
    count, sides = asked_dice(request)
    if isinstance(request, Drawing):
        names = list(dict.fromkeys(str(item) for item in request.items))
        left = len(names) - MOST_ITEMS
        shown = [*names[:MOST_ITEMS], f"{left} more"] if left > 0 else names
        return f"{enumerated(shown, 'or')} for '{request.label}'"
    return f"{counted(count, 'die', 'dice')} of {counted(sides, 'side')} for '{request.label}'"


# ---------------------------------------------------------------------- as a player spells them


CODE = "lapse.dice"


@dataclass(slots=True)
class SpelledDice(LiveDice):
    """Results as a player spells them behind a command; BadRequest where one does not fit, or none is left.

    `at` is how many of the words were used, `rolls` are those that were made of them.
    """

    words: Sequence[str] = ()
    command: str = ""
    at: int = 0
    rolls: list[Dictated] = field(default_factory=list)

    def faces(self, request: Rolling | Drawing) -> tuple[int, ...]:
        """The faces that the next words spell."""
        self.use(request.label)
        count, _ = asked_dice(request)
        found = tuple(self._face(request, missing) for missing in range(count, 0, -1))
        self.rolls.append(Dictated(label=request.label, faces=list(found)))
        return found

    def _face(self, request: Rolling | Drawing, missing: int) -> int:
        if self.at == len(self.words):
            raise self._none_left(request, missing)
        word = self.words[self.at]
        self.at += 1
        if isinstance(request, Drawing):
            return item_spelled(request, word, CODE)
        return face_spelled(request, word, CODE)

    def _none_left(self, request: Rolling | Drawing, missing: int) -> BadRequest:
        got, which = (f"{len(self.words)}", "next") if self.words else ("none", "first")
        rest = (
            ""
            if missing == asked_dice(request)[0]
            else f", of which {missing} more {'is' if missing == 1 else 'are'} needed"
        )
        text = f"expected a result for every roll of this step, got {got}: the {which} is {in_words(request)}{rest}"
        example = spelled([*self.words, *examples(request)[-missing:]])
        return BadRequest(CODE, text, f"for example `{self.command} --dice {example}`")


def examples(request: Rolling | Drawing) -> list[str]:
    """How results of a roll are spelled, one for each die."""
    if isinstance(request, Drawing):
        return [str(request.items[-1])]
    return [str(request.sides)] * request.count


def spelled(words: Sequence[str]) -> str:
    """Results as one word of a command line."""
    return quote(",".join(words))


def spelled_rolls(trial: Driver[Any], words: Sequence[str], command: str) -> list[Dictated]:
    """The rolls that a player's words dictate, exactly those that the rules make now; the driver is used up.

    BadRequest names the first roll without a result, or what is left over; `command` is for its example.
    """
    dice = SpelledDice(NO_KEY, trial.step, words=words, command=command)
    trial.roll(dice)
    if dice.at < len(words):
        text = f"expected {counted(dice.at, 'result')}, got {len(words)}: '{words[dice.at]}' is left over"
        raise BadRequest(CODE, text, f"for example `{command} --dice {spelled(words[: dice.at])}`")
    return dice.rolls
