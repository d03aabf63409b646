"""How the dice of a game fell: each side's totals beside the exact distribution of as many fair dice.

Every number is a whole number or a fraction. Draws are told apart: a card or chit comes from what is left, so that
draws have no total. Left out: whether a total was good for a side, which depends on the rule that read it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

from pbem.app.derivation import noun
from pbem.engine.campaign import Campaign
from pbem.engine.driver import RollRecord
from pbem.log.enumeration import counted, enumerated
from pbem.viewer.document import Block, Document, Facts, Grid, Section, Words

NOBODY = ""
"""Whose a roll is that no side makes for itself."""
TAIL = Fraction(1, 20)


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice of one kind: whose (empty for nobody's), under which rule (empty for all), and what they showed.

    `shown` counts each face from 1; `ways` has the number of ways to each total from `count` on; all of them together
    are `sides ** count`.
    """

    by: str
    rule: str
    sides: int
    shown: tuple[int, ...]
    ways: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many dice."""
        return sum(self.shown)

    @property
    def total(self) -> int:
        """What they show together."""
        return sum(face * number for face, number in enumerate(self.shown, 1))

    @property
    def mean(self) -> Fraction:
        """The mean total of as many fair dice."""
        return Fraction(self.count * (self.sides + 1), 2)

    @property
    def this_or_less(self) -> Fraction:
        """The chance that as many fair dice show this total or a lower one."""
        return Fraction(sum(self.ways[: self.total - self.count + 1]), self.sides**self.count)

    @property
    def this_or_more(self) -> Fraction:
        """The chance that as many fair dice show this total or a higher one."""
        return Fraction(sum(self.ways[self.total - self.count :]), self.sides**self.count)

    def middle(self) -> tuple[int, int]:
        """The lowest and the highest total that are left when each end gives up at most one part in twenty."""
        most = TAIL * self.sides**self.count
        cut = sum(1 for below in accumulate(self.ways) if below <= most)  # the distribution is symmetric
        return self.count + cut, self.count * self.sides - cut


@dataclass(frozen=True, slots=True)
class Draws:
    """How many cards or chits were drawn by whom (empty for nobody in particular) under a rule."""

    by: str
    rule: str
    noun: str
    count: int


@dataclass(frozen=True, slots=True)
class Luck:
    """The dice and draws of one game up to a step: all of each side, then by rule.

    `dictated` counts the rolls and draws that are left out because somebody has dictated them.
    """

    title: str
    game: str
    step: int
    roles: tuple[str, ...]
    dice: tuple[Dice, ...]
    draws: tuple[Draws, ...]
    dictated: int = 0


def luck_of(campaign: Campaign[Any]) -> Luck:
    """The luck of a game that was replayed from its beginning; what was taken back was rolled, and counts."""
    fallen = [roll for roll in campaign.rolls if not roll.dictated]
    rolls = [roll for roll in fallen if not roll.items]
    drawn = Counter((roll.by, rule_of(roll), noun(roll) or "item") for roll in fallen if roll.items)
    dictated = len(campaign.rolls) - len(fallen)
    draws = tuple(Draws(*key, count) for key, count in sorted(drawn.items()))
    roles = tuple(str(role) for role in campaign.roster.players)
    return Luck(campaign.ruleset.title, campaign.game, campaign.place.step, roles, tuple(_dice(rolls)), draws, dictated)


def rule_of(roll: RollRecord) -> str:
    """The rule that a label begins with: `5.1.1` of `5.1.1/day-3/Lodz/german-result`."""
    return roll.label.partition("/")[0]


def _dice(rolls: Sequence[RollRecord]) -> Iterator[Dice]:
    """Of each side and kind of dice first all, then those of each rule where there are several."""
    for by in sorted({roll.by for roll in rolls}):
        for sides in sorted({roll.sides for roll in rolls if roll.by == by}):
            chosen = [roll for roll in rolls if (roll.by, roll.sides) == (by, sides)]
            yield _dice_of(by, "", sides, chosen)
            rules = sorted({rule_of(roll) for roll in chosen})
            for rule in rules if len(rules) > 1 else ():
                yield _dice_of(by, rule, sides, [roll for roll in chosen if rule_of(roll) == rule])


def _dice_of(by: str, rule: str, sides: int, rolls: Sequence[RollRecord]) -> Dice:
    faces = Counter(face for roll in rolls for face in roll.faces)
    shown = tuple(faces[face] for face in range(1, sides + 1))
    return Dice(by, rule, sides, shown, ways_to_total(sum(shown), sides))


def ways_to_total(count: int, sides: int) -> tuple[int, ...]:
    """In how many ways `count` dice with `sides` sides show each total, from `count` to `count * sides`.

    A die more adds up a window of `sides` neighbours, which is a difference of two running sums.
    """
    ways = [1]
    for _ in range(count):
        sums = [0, *accumulate(ways)]
        whole = len(ways)
        ways = [sums[min(at + 1, whole)] - sums[max(0, at + 1 - sides)] for at in range(whole + sides - 1)]
    return tuple(ways)


# ---------------------------------------------------------------------- in words


def percent(chance: Fraction) -> str:
    """`23.45 %`, rounded; what is not 0 or 1 is never told as that."""
    hundredths = (chance * 20_000 + 1) // 2
    if hundredths == 0 and chance:
        return "below 0.01 %"
    if hundredths == 10_000 and chance != 1:
        return "above 99.99 %"
    return f"{hundredths // 100}.{hundredths % 100:02} %"


def luck_data(luck: Luck) -> dict[str, Any]:
    """The report for programs: chances as fractions; the ways of a whole side from its lowest total on."""
    return {
        "title": luck.title,
        "game": luck.game,
        "step": luck.step,
        "dictated": luck.dictated,
        "dice": [_dice_data(one) for one in luck.dice],
        "draws": [{"by": one.by, "rule": one.rule, "noun": one.noun, "count": one.count} for one in luck.draws],
    }


def _dice_data(dice: Dice) -> dict[str, Any]:
    lowest, highest = dice.middle()
    found = {
        "by": dice.by,
        "rule": dice.rule,
        "sides": dice.sides,
        "count": dice.count,
        "total": dice.total,
        "mean": str(dice.mean),
        "middle": [lowest, highest],
        "this_or_less": str(dice.this_or_less),
        "this_or_more": str(dice.this_or_more),
        "shown": list(dice.shown),
    }
    return found if dice.rule else {**found, "ways": [str(ways) for ways in dice.ways]}


def page(luck: Luck) -> Document:
    """The report for people."""
    owners = [*luck.roles, NOBODY]
    sections = [_section(luck, by) for by in owners]
    game = Facts((("Game", luck.game), ("Before step", str(luck.step))))
    told = Section("What is told", (game, _of_dice(luck), *_left_out(luck)))
    return Document(
        f"Dice of {luck.title}, game {luck.game[:12]}", (told, *(one for one in sections if one), _meaning(luck))
    )


_TOLD = Words(
    "For the dice of each side: their total, the mean total of as many fair dice, the range in which their total "
    "lies in at least nine games of ten, and the chances that they show this total or less, and this total or more."
)
_DRAWN = "each comes from what is left, so that draws have no total, and no chance of it is told here."


def _of_dice(luck: Luck) -> Words:
    """What the tables of dice have; of a game without any, what decided in their place."""
    if luck.dice:
        return _TOLD
    draws: Counter[str] = Counter()
    for one in luck.draws:
        draws[one.noun] += one.count
    if not draws:
        return Words("Nothing was rolled and nothing drawn so far.")
    drawn = enumerated([counted(count, noun) for noun, count in sorted(draws.items())])
    return Words(f"No dice were rolled so far: all that chance has decided was drawn, {drawn}; {_DRAWN}")


def _left_out(luck: Luck) -> tuple[Words, ...]:
    if not luck.dictated:
        return ()
    rolls = "One roll or draw was" if luck.dictated == 1 else f"{luck.dictated} rolls and draws were"
    text = f"{rolls} dictated by the side that waited for a share of the dice: luck had no part in it, it is left out."
    return (Words(text),)


def _section(luck: Luck, by: str) -> Section | None:
    dice = [one for one in luck.dice if one.by == by]
    draws = [one for one in luck.draws if one.by == by]
    columns = ("Dice", "number", "total", "mean", "nine in ten", "this or less", "this or more", "faces")
    blocks: list[Block] = [Grid(columns, tuple(map(_row, dice)))] if dice else []
    if draws:
        rows = tuple((f"rule {one.rule}", _drawn(one)) for one in draws)
        blocks += [Words("Drawn, each time one of what was left:"), Facts(rows)]
    if not blocks and by == NOBODY:
        return None
    name = f"Rolled by {by}" if by else "Rolled for both sides, or for none that the rules name"
    return Section(name, tuple(blocks) or (Words("No dice so far."),))


def _row(dice: Dice) -> tuple[str, ...]:
    lowest, highest = dice.middle()
    kind = f"of them under rule {dice.rule}" if dice.rule else f"all of {dice.sides} sides"
    shown = " ".join(f"{face}:{number}" for face, number in enumerate(dice.shown, 1))
    numbers = (str(dice.count), str(dice.total), _half(dice.mean), f"{lowest} to {highest}")
    return (kind, *numbers, percent(dice.this_or_less), percent(dice.this_or_more), shown)


def _half(mean: Fraction) -> str:
    return f"{mean.numerator // mean.denominator}{'.5' if mean.denominator == 2 else ''}"


def _drawn(draws: Draws) -> str:
    return counted(draws.count, draws.noun)


_FAIR = Words(
    "These numbers do not show whether the dice were fair. `pbem verify` shows that, from the links that "
    "the rollers had committed to, and it shows it of a likely result and an unlikely one alike."
)
_FAIR_DRAWS = Words(
    "These counts do not show whether the draws were fair. `pbem verify` shows that, from the links that the rollers "
    "had committed to. Draws of steps that were taken back were drawn, and count."
)


def _meaning(luck: Luck) -> Section:
    title, lines = "What these numbers mean, and what they do not", len(luck.dice)
    if not lines:
        return Section(title, (_FAIR_DRAWS,))
    return Section(
        title,
        (
            Words(
                "Each chance is worked out from all the ways in which as many fair dice can fall, and then rounded; "
                "--json has it as a fraction. Both chances count the total itself, so that they add up to more than 1."
            ),
            Words(
                "A high total is no good result by itself: some rules want low dice. Every die counts the same here, "
                "whatever hung on it. Rolls of steps that were taken back were rolled, and count."
            ),
            Words(
                f"This report has {counted(lines, 'line')} of dice. In fair games at most one line in "
                "twenty, on average, has a chance of 5 % or less at its lower end, and as few at its upper end: some "
                "such lines are to be expected in a long report."
            ),
            _FAIR,
        ),
    )
