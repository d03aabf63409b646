"""What an attack promises: exact expectations over the dice, for programs that weigh one attack against another.

Strengths, modifiers and tables are those of the rules; only whether the defender stays is a guess.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pbem.games.polska1939.combat_tables import CombatResult
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import Nation
from pbem.games.polska1939.s5_battle import came_by_retreat
from pbem.games.polska1939.s5_retreat import ways_out
from pbem.games.polska1939.s5_strength import Strength
from pbem.games.polska1939.s7_fixed import is_strong
from pbem.games.polska1939.s10_headquarters import defending_headquarters
from pbem.games.polska1939.state import AreaId, Occupation, State, Unit

TWO_DICE = tuple((total, 6 - abs(total - 7)) for total in range(2, 13))
"""Each total of two dice with the ways to throw it, of 36."""
THROWS = 36
SURE = 1000
"""Chances and expectations are in thousandths."""
LAST_STAND = 5
"""SP beyond one for each counter with which defenders are still expected to stay."""


@dataclass(frozen=True, slots=True)
class Holding:
    """The defenders of an area as an attacker sees them.

    `strong` ones fight, all `counters` that are no HQ suffer, for `points` SP in all. `price` is what their retreat
    costs, None when they have nowhere to go.
    """

    area: AreaId
    strong: tuple[Unit, ...]
    leader: Unit | None
    counters: int
    points: int
    price: int | None
    free: bool

    @classmethod
    def of(cls, data: GameData, state: State, occupation: Occupation, area: AreaId) -> Holding:
        """Who would defend an area now."""
        units = [unit for unit in occupation.at(area) if not unit.loaded]
        counted = [unit for unit in units if not came_by_retreat(state, unit)]
        foot = [unit for unit in units if not unit.is_hq]
        ways = [ways_out(data, state, occupation, unit) for unit in units]
        prices = [min(way.price for way in found) for found in ways if found]
        return cls(
            area,
            tuple(unit for unit in counted if not unit.is_hq),
            defending_headquarters(data, counted),
            max(1, len(foot)),
            sum(unit.strength for unit in foot),
            sum(prices) if len(prices) == len(units) else None,
            any(data.unit(unit.id).nation is not Nation.SOVIET_UNION for unit in units),
        )


@dataclass(frozen=True, slots=True)
class Forecast:
    """Thousandths: the chances that the area is vacated and that its defenders are destroyed, SP that either side
    loses, the chance of an R for each side."""

    taken: int
    destroyed: int
    foe_loss: int
    own_loss: int
    own_disorder: int
    foe_disorder: int


def forecast(data: GameData, strength: Strength, holding: Holding) -> Forecast:
    """The expectations of an attack of a known strength, exact but for the defender's will."""
    row = data.results.row_of(strength.attack - strength.defence) - strength.shift
    stays = holding.free and is_strong(data, strength.fortified) and _would_stay(holding)
    hits = _spectrum(data, strength.attack, -strength.shift)
    taken = destroyed = foe_loss = own_loss = own_disorder = foe_disorder = 0
    for total, ways in TWO_DICE:
        result = data.results.cell(row, total)
        gone, dead, lost = _outcome(data, result, strength, holding, stays, hits)
        taken += ways * gone
        destroyed += ways * dead
        foe_loss += ways * lost
        own_loss += ways * result.attacker_loss
        own_disorder += ways * result.attacker_reorganizes
        foe_disorder += ways * result.defender_reorganizes
    table = _mean(_spectrum(data, strength.defence, strength.shift))
    return Forecast(
        taken // THROWS,
        destroyed // THROWS,
        foe_loss // THROWS,
        own_loss * SURE // THROWS + table,
        own_disorder * SURE // THROWS,
        foe_disorder * SURE // THROWS,
    )


def _outcome(
    data: GameData,
    result: CombatResult,
    strength: Strength,
    holding: Holding,
    stays: bool,
    hits: Sequence[tuple[int, int]],
) -> tuple[int, int, int]:
    """In thousandths over the loss dice: the chances that nobody is left or alive, and SP lost by the defenders."""
    more, factor, leaves = _terms(data, result, strength, holding, stays)
    gone = dead = lost = 0
    for ways, points in hits:
        loss = min(holding.points, (points + result.defender_loss) * factor + more)
        dies = loss >= max(1, holding.points)
        gone += ways * (leaves or dies)
        dead += ways * dies
        lost += ways * loss
    return gone * SURE // THROWS, dead * SURE // THROWS, lost * SURE // THROWS


def _terms(
    data: GameData, result: CombatResult, strength: Strength, holding: Holding, stays: bool
) -> tuple[int, int, bool]:
    """What is added to losses of the table, by what they are multiplied, and whether the defenders leave (5.3)."""
    figures = data.figures.retreat
    if not result.retreat:
        return 0, 1, False
    each = holding.counters * result.retreat * figures.stand_loss
    if stays:
        return max(each, strength.armour // figures.armour_per_loss * figures.armour_loss), 1, False
    if holding.price is None:
        return each * figures.blocked_factor, figures.blocked_factor, False
    return holding.price, 1, True


def _would_stay(holding: Holding) -> bool:
    return holding.price is None or holding.points > holding.counters + LAST_STAND


def _spectrum(data: GameData, strength: int, shift: int) -> tuple[tuple[int, int], ...]:
    """The losses that a strength deals, each with its ways of 36."""
    return tuple(_cells(data, data.losses.row_of(strength) + shift))


def _cells(data: GameData, row: int) -> Iterator[tuple[int, int]]:
    ways_of_points: dict[int, int] = {}
    for total, ways in TWO_DICE:
        points = data.losses.cell(row, total)
        ways_of_points[points] = ways_of_points.get(points, 0) + ways
    for points in sorted(ways_of_points):
        yield ways_of_points[points], points


def _mean(spectrum: Sequence[tuple[int, int]]) -> int:
    return sum(ways * points for ways, points in spectrum) * SURE // THROWS
