"""What a position is worth to the Germans, in hundredths of a Polish unit: for the program that plays.

Counted are the units, the victory points that will be left, who could fire at whom with the next cards, and the way
that the Germans still have to go. Every figure here is this program's judgement, none is a rule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

from pbem.games.westerplatte.data_files import AreaId, GameData, Side, UnitId
from pbem.games.westerplatte.s3_combat import may_attack
from pbem.games.westerplatte.s5_victory import victory_points
from pbem.games.westerplatte.state import EAST, LOST, Piece, State, is_ship, on_map, pieces_of, strength

POLE_REDUCED = 60
POLE_ELIMINATED = 100
GERMAN_ELIMINATED = 25
LOSS_BY_SPARE_POINTS = (100, 90, 75, 60, 45, 30, 25, 20, 15, 10)
"""What the next victory point is worth when so many are to spare."""
HITS_IN_A_TURN = 4
"""How many hits the Germans score in a turn, to tell how many turns they still need."""
STRENGTH_WORTH = 4
WAY_WORTH = (0, 0, 7, 14, 21, 28, 35, 42, 49)
GERMAN_FIRE = (30, 30, 22, 22, 15, 15, 8, 8, 8)
POLISH_FIRE = (30, 30, 22, 22, 15, 15)
"""Percentages that the best, the second best … firing unit counts with."""
COVER_WORTH = 4


def appraise(data: GameData, state: State) -> int:
    """The worth of a position to the Germans."""
    germans, poles = on_map(data, state, Side.GERMAN), on_map(data, state, Side.POLISH)
    found = units_worth(data, state) + points_worth(data, state)
    found += weighed(fire_shares(data, state, germans, poles), GERMAN_FIRE)
    found -= weighed(fire_shares(data, state, poles, germans), POLISH_FIRE)
    found -= COVER_WORTH * sum(data.areas[pole.area].bonus for pole in poles)
    return found - way_to_go(data, state, poles)


def units_worth(data: GameData, state: State) -> int:
    """Units in play, by their faces and strengths."""
    found = 0
    for piece in state.pieces:
        if piece.area == LOST:
            continue
        value = STRENGTH_WORTH * strength(data, piece)
        if data.units[piece.unit].side is Side.GERMAN:
            found += value + GERMAN_ELIMINATED
        else:
            found -= value + POLE_ELIMINATED + (0 if piece.weak else POLE_REDUCED)
    return found


def points_worth(data: GameData, state: State) -> int:
    """The worth of the victory points that will be left when the last Pole has fallen (end.2 to end.4)."""
    return _worth_of_spare(spare_points(data, state))


@lru_cache(maxsize=64)
def _worth_of_spare(spare: int) -> int:
    steps = LOSS_BY_SPARE_POINTS
    if spare < 0:
        return steps[0] * spare
    return sum(steps[min(i, len(steps) - 1)] for i in range(spare))


def spare_points(data: GameData, state: State) -> int:
    """Points over the one that is needed, after the turns that the Germans still need."""
    hits = sum(1 if pole.weak else 2 for pole in pieces_of(data, state, Side.POLISH))
    turns = min(data.number("game.turns") - state.turn, hits // HITS_IN_A_TURN)
    return victory_points(data, state) - data.number("vp.german_minimum") - turns


def loss_worth(data: GameData, state: State, piece: Piece) -> int:
    """What one hit on a unit is worth to its enemy, roughly."""
    if data.units[piece.unit].side is Side.POLISH:
        return POLE_ELIMINATED if piece.weak else POLE_REDUCED
    if piece.weak:
        return GERMAN_ELIMINATED
    return LOSS_BY_SPARE_POINTS[max(0, min(spare_points(data, state), len(LOSS_BY_SPARE_POINTS) - 1))]


def weighed(shares: Iterable[int], percentages: Sequence[int]) -> int:
    """Shares with the best counted most: a card moves few units."""
    best = sorted(shares, reverse=True)
    return sum(share * percent for share, percent in zip(best, percentages, strict=False)) // 100


Shot = tuple[int, int, UnitId]
"""Strength, what is added to the card, and who fires."""


def fire_shares(data: GameData, state: State, firing: Sequence[Piece], targets: Sequence[Piece]) -> list[int]:
    """For each unit that has a target, its half of the best attack that it could join."""
    best: dict[UnitId, int] = defaultdict(int)
    for target in targets:
        shots = sorted(shots_at(data, state, firing, target), reverse=True)
        value = loss_worth(data, state, target)
        for i, (power, modifier, unit) in enumerate(shots):
            alone = max(0, min(10, power - modifier))
            share = alone
            if len(shots) > 1:
                partner = shots[1] if i == 0 else shots[0]
                both = power + partner[0] - max(modifier, partner[1])
                share = max(alone, max(0, min(10, both)) // 2 if both < 2 else (min(10, both) + 1) // 2)
            best[unit] = max(best[unit], share * value // 10)
    return list(best.values())


def shots_at(data: GameData, state: State, firing: Sequence[Piece], target: Piece) -> Iterable[Shot]:
    """Who could fire at a target now, and with what (combat.2, 5, 8 to 11; support.6)."""
    distances = data.distances[target.area]
    pole = data.units[target.unit].side is Side.POLISH
    for piece in firing:
        far = distances[piece.area]
        if far > 2 or not (pole or may_attack(data, piece.unit, target.unit)):
            continue
        modifier = int(far > 1) + (data.areas[target.area].bonus if pole else _hindered(data, state, piece, target))
        yield strength(data, piece), modifier, piece.unit


def _hindered(data: GameData, state: State, piece: Piece, target: Piece) -> int:
    return int(is_ship(data, target.unit)) + int(state.suppressed == piece.area)


def way_to_go(data: GameData, state: State, poles: Sequence[Piece]) -> int:
    """Areas that the German ground units still have to go to be close to the nearest Pole."""
    found = 0
    for piece in pieces_of(data, state, Side.GERMAN):
        if poles:
            found += WAY_WORTH[min(_nearest(data, piece.area, poles), len(WAY_WORTH) - 1)]
    return found


def _nearest(data: GameData, area: AreaId, poles: Sequence[Piece]) -> int:
    if area == EAST:
        return 1 + min(_nearest(data, AreaId(entry), poles) for entry in data.words("areas.german_entry"))
    distances = data.distances[area]
    return min(distances[pole.area] for pole in poles)
