"""What a combat promises: exact expectations over the dice, for programs that weigh one combat against another.

Dice, modifiers, forts, who takes hits and who has won are those of the rules; retreats behind the combat are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import TypeAlias, TypeVar

from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.figures import Combat as CombatFigures
from pbem.games.white_eagle.kinds import Side
from pbem.games.white_eagle.s8_combat import Engagement, Fought, cavalry_throws, other_throws
from pbem.games.white_eagle.s8_dice import SIDES, Throw, hits_of
from pbem.games.white_eagle.s8_hits import Takers, hits_left, take_hits
from pbem.games.white_eagle.s8_outcome import is_won
from pbem.games.white_eagle.state import State
from pbem.rules.play import Rules

SURE = 1000
"""Chances and expectations are in thousandths."""
FACES = range(1, SIDES + 1)
T = TypeVar("T")
Weights: TypeAlias = tuple[int, ...]
"""For 0, 1, 2 … hits the number of ways to roll them."""
Joint: TypeAlias = dict[tuple[int, int], int]
"""The number of ways to so many hits on the attacker and on the defender."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """Thousandths: the chances that the defender loses, that nobody is left of it, and that this costs no hit; the
    chance that nobody is left of the attacker; steps that either side loses, those of a fort among them."""

    won: int
    gone: int
    unscathed: int
    beaten: int
    attacker_loss: int
    defender_loss: int


@dataclass(frozen=True, slots=True)
class Stage:
    """A position in a combat, who takes the next hits, and the hits so far."""

    state: State
    takers: Mapping[Side, Takers]
    hits: Mapping[Side, int]

    def is_over(self) -> bool:
        """Whether one side has nobody left."""
        return any(taker.are_gone(self.state) for taker in self.takers.values())


def forecast(data: GameData, state: State, engagement: Engagement) -> Forecast:
    """What all dice of a combat come to on average; only the units that take part need to be in the position."""
    start = Stage(state, engagement.takers(), dict.fromkeys(Side, 0))
    riders = list(cavalry_throws(data, state, engagement))
    branches = [(_suffered(data, start, engagement, hits), ways) for hits, ways in _joint(data, engagement, riders)]
    later = [_second(data, stage, engagement) for stage, _ in branches]
    most = max(dice for _, dice in later)
    found: Joint = {}
    for (stage, ways), (spread, dice) in zip(branches, later, strict=True):
        for (own, other), more in spread:
            key = stage.hits[engagement.combat.side] + own, stage.hits[engagement.combat.side.enemy] + other
            found[key] = found.get(key, 0) + ways * more * SIDES ** (most - dice)
    return _summed(data, start, engagement, found)


def _second(data: GameData, stage: Stage, engagement: Engagement) -> tuple[Sequence[tuple[tuple[int, int], int]], int]:
    """The hits of all others, when anybody is left to fight, and how many dice they roll."""
    if stage.is_over():
        return [((0, 0), 1)], 0
    throws = list(other_throws(data, stage.state, engagement))
    return _joint(data, engagement, throws), sum(throw.count for throw in throws)


def _summed(data: GameData, start: Stage, engagement: Engagement, found: Joint) -> Forecast:
    side = engagement.combat.side
    steps = {one: steps_of(data, start.state, taker) for one, taker in start.takers.items()}
    sums = [0] * 6
    for (own, other), ways in found.items():
        gone = {side: own >= steps[side], side.enemy: other >= steps[side.enemy]}
        won = is_won(engagement.combat, Fought(start.state, {side: own, side.enemy: other}, gone))
        clean = won and gone[side.enemy] and not own
        facts = won, gone[side.enemy], clean, gone[side], min(own, steps[side]), min(other, steps[side.enemy])
        sums = [total + fact * ways for total, fact in zip(sums, facts, strict=True)]
    everything = sum(found.values())
    return Forecast(*(total * SURE // everything for total in sums))


def steps_of(data: GameData, state: State, takers: Takers) -> int:
    """Hits that a side can take in a combat."""
    units = [state.units[name] for name in (*takers.first, *takers.then) if name in state.units]
    return sum(hits_left(data, unit) for unit in units) + (state.forts[takers.fort] if takers.fort else 0)


def _suffered(data: GameData, stage: Stage, engagement: Engagement, hits: tuple[int, int]) -> Stage:
    """After hits on the attacker and on the defender."""
    state, takers = stage.state, dict(stage.takers)
    sides = engagement.combat.side, engagement.combat.side.enemy
    for side, many in zip(sides, hits, strict=True):
        if many:
            state, takers[side] = without_reports(take_hits(data, state, takers[side], many))
    return Stage(state, takers, dict(zip(sides, hits, strict=True)))


def without_reports(rule: Rules[T]) -> T:
    """The result of a rule that asks and rolls nothing."""
    try:
        while True:
            next(rule)
    except StopIteration as end:
        found: T = end.value
        return found


# ---------------------------------------------------------------------- dice


def _joint(data: GameData, engagement: Engagement, throws: Iterable[Throw]) -> Sequence[tuple[tuple[int, int], int]]:
    """Hits on the attacker and on the defender by dice that are thrown at the same time."""
    dealt: dict[Side, Weights] = dict.fromkeys(Side, (1,))
    for throw in throws:
        ways = _ways(data.figures.combat, throw.factor, throw.shift, throw.count, throw.panzer)
        dealt[throw.side.enemy] = _sum_of(dealt[throw.side.enemy], ways)
    own, other = dealt[engagement.combat.side], dealt[engagement.combat.side.enemy]
    return [((i, j), a * b) for i, a in enumerate(own) for j, b in enumerate(other) if a and b]


@cache
def _ways(figures: CombatFigures, factor: int, shift: int, count: int, panzer: bool) -> Weights:
    """The hits of a throw, found from its faces."""
    together = count if panzer else 1
    throw = Throw(Side.GERMAN, "", "", "", together, factor, (), panzer)
    once = [0] * (together + 1)
    for faces in product(FACES, repeat=together):
        once[hits_of(figures, _shifted(throw, shift), faces)] += 1
    found: Weights = (1,)
    for _ in range(count // together):
        found = _sum_of(found, tuple(once))
    return found


def _shifted(throw: Throw, shift: int) -> Throw:
    return replace(throw, factor=throw.factor - shift)


@cache
def _sum_of(one: Weights, other: Weights) -> Weights:
    """The hits of two throws together."""
    found = [0] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            found[i + j] += a * b
    return tuple(found)
