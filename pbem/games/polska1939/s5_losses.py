"""What the defenders of an area suffer: who stays, who retreats, who is stuck, and the losses of each (5.3, 5.4).

Rulings 5-12 to 5-15.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pbem.games.polska1939.casualties import lose_each, removed, shares
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import Nation
from pbem.games.polska1939.s5_retreat import Escape
from pbem.games.polska1939.state import State, Unit, UnitId
from pbem.rules.play import Rules, report


@dataclass(frozen=True, slots=True)
class Fates:
    """The units of an area that must retreat: those that stay by choice, those that go, those that can do neither."""

    staying: tuple[Unit, ...]
    going: tuple[Unit, ...]
    stuck: tuple[Unit, ...]


def fates_of(data: GameData, units: Sequence[Unit], escape: Escape, strong: bool, stay: bool) -> Fates:
    """Who stays, goes or is stuck (5.3.3, 5.3.5, 12.1.1).

    `strong`: the fortification lets units stay; then those that cannot go stay too. Soviets never choose to stay.
    """
    free = [unit for unit in units if strong and data.unit(unit.id).nation is not Nation.SOVIET_UNION]
    staying = [unit for unit in free if stay or unit.id not in escape]
    rest = [unit for unit in units if unit not in staying]
    going = tuple(unit for unit in rest if unit.id in escape)
    return Fates(tuple(staying), going, tuple(unit for unit in rest if unit.id not in escape))


def retreat_losses(
    data: GameData, state: State, fates: Fates, areas: int, points: int, armour: int, first: Sequence[str]
) -> Rules[State]:
    """The losses of units that must retreat `areas` areas: `points` for all, and what staying costs (ruling 5-15).

    `armour` are the SP of armour that count for 5.3.8; `first` names who loses first.
    """
    figures = data.figures.retreat
    everyone = (*fates.staying, *fates.going, *fates.stuck)
    lost, left_over = shares(everyone, points, first)
    groups = (fates.staying, fates.going, fates.stuck)
    own = [sum(lost.get(unit.id, 0) for unit in group) + left_over for group in groups]
    each = areas * figures.stand_loss
    if fates.staying:
        more = max(0, armour // figures.armour_per_loss * figures.armour_loss - each * _counters(fates.staying))
        yield from _announce_stay(data, fates.staying, each, more, armour)
        state = yield from suffer(data, state, fates.staying, each, own[0] + more, first)
    if fates.going:
        state = yield from suffer(data, state, fates.going, 0, own[1], first)
    if fates.stuck:
        factor = figures.blocked_factor
        text = "no retreat, {each} SP more for each and all losses doubled: {units}"
        yield from report("5.3.5", text, units=named(data, fates.stuck), each=each)
        state = yield from suffer(data, state, fates.stuck, each * factor, own[2] * factor, first)
    return state


def _announce_stay(data: GameData, staying: Sequence[Unit], each: int, more: int, armour: int) -> Rules[None]:
    """The price of staying: the greater of 5.3.4 and 5.3.8 (ruling 5-12)."""
    units = named(data, staying)
    if more:
        text = "stay, {each} SP more for each and {more} SP for {armour} SP of armour: {units}"
        yield from report("5.3.8", text, units=units, each=each, more=more, armour=armour)
    else:
        yield from report("5.3.4", "stay, {each} SP more for each: {units}", units=units, each=each)


def suffer(
    data: GameData, state: State, units: Sequence[Unit], each: int, pooled: int, first: Sequence[str] = ()
) -> Rules[State]:
    """Every counter loses `each`, and all of them together `pooled` points; what one cannot lose, the others do.

    HQs have no points: they are destroyed when some are left over (10.1.6, ruling 5-13).
    """
    counters = [unit for unit in units if not unit.is_hq]
    carried = {unit.id: min(each, unit.strength) for unit in counters}
    pooled += each * _counters(units) - sum(carried.values())
    weakened = [replace(unit, strength=unit.strength - carried[unit.id]) for unit in counters]
    more, left_over = shares(weakened, pooled, first)
    lost = {name: points + more.get(name, 0) for name, points in carried.items()}
    state = yield from lose_each(data, state, "5.4.2", {name: points for name, points in lost.items() if points})
    return (yield from _leaderless(data, state, [unit.id for unit in units if unit.is_hq])) if left_over else state


def _counters(units: Iterable[Unit]) -> int:
    """How many counters carry losses: an HQ does so only when no other unit is there (10.1.6, ruling 5-14)."""
    return max(1, sum(not unit.is_hq for unit in units))


def _leaderless(data: GameData, state: State, headquarters: Sequence[UnitId]) -> Rules[State]:
    if not headquarters:
        return state
    for name in headquarters:
        yield from report("10.1.6", "{unit} is destroyed: losses are left over", unit=data.name(name))
    return removed(state, headquarters)


def named(data: GameData, units: Iterable[Unit]) -> str:
    """Units for people, in a row."""
    return ", ".join(data.name(unit.id) for unit in units)
