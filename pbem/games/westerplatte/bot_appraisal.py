"""What a position is worth to the Germans, in hundredths of a Polish unit: for the program that plays.

Counted are the units, the victory points that will be left, who could fire at whom with the next cards, and the way
that the Germans still have to go. Every figure here is this program's judgement, none is a rule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pbem.games.westerplatte.data_files import AreaId, GameData, Side, UnitId
from pbem.games.westerplatte.s3_combat import may_attack
from pbem.games.westerplatte.s5_victory import victory_points
from pbem.games.westerplatte.state import EAST, LOST, Piece, State, is_ship, on_map, pieces_of, strength

POLE_REDUCED = 60
POLE_ELIMINATED = 100
GERMAN_ELIMINATED = 25
LOSS_BY_SPARE_POINTS = (65, 58, 50, 40, 30, 20, 16, 13, 10, 7)
"""What the next victory point is worth when so many are to spare."""
HITS_IN_A_TURN = 4
"""How many hits the Germans score in a turn, to tell how many turns they still need."""
STRENGTH_WORTH = 4
WAY_WORTH = (0, 0, 7, 14, 21, 28, 35, 42, 49)
"""What a German unit loses by being 0, 1, 2 … areas from the nearest Pole."""
FIRE = {Side.GERMAN: (30, 30, 22, 22, 15, 15, 8, 8, 8), Side.POLISH: (30, 30, 22, 22, 15, 15)}
"""Percentages that the best, the second best … firing unit counts with."""
COVER_WORTH = 4


@dataclass(frozen=True, slots=True)
class Scene:
    """A position with what is asked of it again and again: who is on the map, and the points to spare."""

    data: GameData
    state: State
    on_map: Mapping[Side, tuple[Piece, ...]]
    spare: int


def scene(data: GameData, state: State) -> Scene:
    """Look at a position."""
    sides = {side: on_map(data, state, side) for side in Side}
    return Scene(data, state, sides, spare_points(data, state, sides[Side.POLISH]))


def spare_points(data: GameData, state: State, poles: Sequence[Piece]) -> int:
    """Victory points over the one that is needed, after the turns that the Germans still need (end.2 to end.4)."""
    hits = sum(1 if pole.weak else 2 for pole in poles)
    turns = min(data.number("game.turns") - state.turn, hits // HITS_IN_A_TURN)
    return victory_points(data, state) - data.number("vp.german_minimum") - turns


def appraise(data: GameData, state: State) -> int:
    """The worth of a position to the Germans, to compare moves, recoveries and hindered fire."""
    seen = scene(data, state)
    found = units_worth(data, state) + points_worth(seen.spare)
    found += fire_worth(seen, Side.GERMAN) - fire_worth(seen, Side.POLISH)
    return found - cover_worth(seen) - way_to_go(seen)


def appraise_losses(data: GameData, state: State, side: Side) -> int:
    """The worth to the Germans of what hits on one side change.

    Without the way to go and the fire of the other side: to lose a target is no loss.
    """
    seen = scene(data, state)
    fire = fire_worth(seen, side)
    return units_worth(data, state) + points_worth(seen.spare) + (fire if side is Side.GERMAN else -fire)


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


def points_worth(spare: int) -> int:
    """The worth of the victory points to spare; too few are worth less than nothing."""
    if spare < 0:
        return LOSS_BY_SPARE_POINTS[0] * spare
    return sum(LOSS_BY_SPARE_POINTS[:spare])


def loss_worth(data: GameData, piece: Piece, spare: int) -> int:
    """What one hit on a unit is worth to its enemy, roughly, when the Germans have `spare` points."""
    if data.units[piece.unit].side is Side.POLISH:
        return POLE_ELIMINATED if piece.weak else POLE_REDUCED
    if piece.weak:
        return GERMAN_ELIMINATED
    return LOSS_BY_SPARE_POINTS[max(0, min(spare, len(LOSS_BY_SPARE_POINTS) - 1))]


def cover_worth(seen: Scene) -> int:
    """Terrain that the Poles hold (combat.11)."""
    return COVER_WORTH * sum(seen.data.areas[pole.area].bonus for pole in seen.on_map[Side.POLISH])


def fire_worth(seen: Scene, side: Side) -> int:
    """What a side could hit with its next cards; the best units count most, as a card moves few."""
    best = sorted(fire_shares(seen, side), reverse=True)
    return sum(share * percent for share, percent in zip(best, FIRE[side], strict=False)) // 100


Shot = tuple[int, int, UnitId]
"""Strength, what is added to the card, and who fires."""


def fire_shares(seen: Scene, side: Side) -> list[int]:
    """For each unit of a side that has a target, its half of the best attack that it could join."""
    best: dict[UnitId, int] = defaultdict(int)
    for target in seen.on_map[Side.POLISH if side is Side.GERMAN else Side.GERMAN]:
        shots = sorted(shots_at(seen, side, target), reverse=True)
        value = loss_worth(seen.data, target, seen.spare)
        for i, shot in enumerate(shots):
            partner = shots[1 if i == 0 else 0] if len(shots) > 1 else None
            best[shot[2]] = max(best[shot[2]], hitting_cards(shot, partner) * value // 10)
    return list(best.values())


def hitting_cards(shot: Shot, partner: Shot | None) -> int:
    """How many of ten number cards hit for a unit: alone, or half of those for it and its best partner."""
    power, modifier, _ = shot
    alone = max(0, min(10, power - modifier))
    if partner is None:
        return alone
    together = max(0, min(10, power + partner[0] - max(modifier, partner[1])))
    return max(alone, (together + 1) // 2)


def shots_at(seen: Scene, side: Side, target: Piece) -> Iterator[Shot]:
    """Which units of a side could fire at a target now, and with what (combat.2, 5, 8 to 11; support.6)."""
    data, reach = seen.data, seen.data.number("combat.range")
    distances = data.distances[target.area]
    common = data.areas[target.area].bonus if side is Side.GERMAN else int(is_ship(data, target.unit))
    for piece in seen.on_map[side]:
        far = distances[piece.area]
        if far > reach or not may_attack(data, piece.unit, target.unit):
            continue
        hindered = side is Side.POLISH and seen.state.suppressed == piece.area
        yield strength(data, piece), common + (far > 1) + hindered, piece.unit


def way_to_go(seen: Scene) -> int:
    """What it costs the Germans to be as far from the nearest Pole as they are."""
    poles = seen.on_map[Side.POLISH]
    if not poles:
        return 0
    way = [_nearest(seen.data, piece.area, poles) for piece in pieces_of(seen.data, seen.state, Side.GERMAN)]
    return sum(WAY_WORTH[min(far, len(WAY_WORTH) - 1)] for far in way)


def _nearest(data: GameData, area: AreaId, poles: Sequence[Piece]) -> int:
    if area == EAST:
        return 1 + min(_nearest(data, AreaId(entry), poles) for entry in data.words("areas.german_entry"))
    distances = data.distances[area]
    return min(distances[pole.area] for pole in poles)
