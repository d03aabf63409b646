"""Which attacks a program orders, by what they promise: taken areas, losses on either side, disorder (5.0)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pbem.games.polska1939.answers import AttackOrder
from pbem.games.polska1939.bot_odds import SURE, Forecast, Holding, forecast
from pbem.games.polska1939.bot_view import View
from pbem.games.polska1939.kinds import AirKind
from pbem.games.polska1939.s5_attacks import attackable
from pbem.games.polska1939.s5_strength import Strength, strength_of
from pbem.games.polska1939.s6_reach import Aircraft, AirDay
from pbem.games.polska1939.s9_supply import out_of_fuel
from pbem.games.polska1939.s10_headquarters import attack_factor
from pbem.games.polska1939.state import AreaId, Unit, UnitId

POINT = 10
"""A SP in the worth of attacks, which is counted in tenths of a SP."""

VANGUARD = 28
"""SP that enter a vacated area."""
COUNTER = 40
"""What it is worth beyond its SP that an enemy counter is destroyed, which can take a city as well as any other."""


@dataclass(frozen=True, slots=True)
class Taste:
    """How a side weighs attacks: the worth of a vacated area, of a SP of either side, and the cost of a unit's day."""

    area: Callable[[AreaId], int]
    foe_point: int
    own_point: int
    effort: int
    least: int


@dataclass(frozen=True, slots=True)
class Assault:
    """A possible attack: the units by the areas that they come from, with an HQ each; its promise in tenths of a SP."""

    holding: Holding
    groups: tuple[tuple[Unit, ...], ...]
    leaders: tuple[Unit, ...]
    air: int
    strength: Strength
    promise: Forecast
    worth: int

    @property
    def units(self) -> tuple[Unit, ...]:
        return tuple(unit for group in self.groups for unit in group)

    @property
    def names(self) -> set[UnitId]:
        """All that take part."""
        return {unit.id for unit in (*self.units, *self.leaders)}


def assaults(view: View, taste: Taste, closed: Iterable[UnitId] = ()) -> list[Assault]:
    """Attacks that are worth their price, the best first, each unit in one of them; `closed` units stay out."""
    found = attackable(view.data, view.state, view.occupation, view.side)
    shut = set(closed)
    free = {
        area: [unit for unit in units if unit.id not in shut and _is_fit(view, unit)] for area, units in found.items()
    }
    holdings = {area: Holding.of(view.data, view.state, view.occupation, area) for area in free}
    best = {area: _best(view, taste, holdings[area], units, shut) for area, units in free.items()}
    chosen: list[Assault] = []
    while True:
        left = [assault for assault in best.values() if assault and assault.worth >= taste.least]
        if not left:
            return chosen
        first = max(left, key=lambda assault: (assault.worth, assault.holding.area))
        chosen.append(first)
        shut |= first.names
        del best[first.holding.area]
        for area, assault in best.items():
            if assault and not assault.names.isdisjoint(first.names):
                units = [unit for unit in free[area] if unit.id not in shut]
                best[area] = _best(view, taste, holdings[area], units, shut)


def _is_fit(view: View, unit: Unit) -> bool:
    """Units with half their strength rest (5.5.3, 9.2.6)."""
    return not (unit.disorganized or out_of_fuel(view.data, unit))


def _best(view: View, taste: Taste, holding: Holding, units: Sequence[Unit], shut: set[UnitId]) -> Assault | None:
    """The best attack on an area: from all sides, less the groups that add nothing."""
    groups = list(_groups(view, units))
    if not groups:
        return None
    best = _assault(view, taste, holding, groups, shut)
    for group in groups:
        rest = [other for other in best.groups if other is not group]
        if rest and len(rest) < len(best.groups):
            other = _assault(view, taste, holding, rest, shut)
            best = other if other.worth >= best.worth else best
    for number, group in enumerate(best.groups):
        if len(group) > 1:
            groups = [*best.groups[:number], group[:-1], *best.groups[number + 1 :]]
            other = _assault(view, taste, holding, groups, shut)
            best = other if other.worth >= best.worth else best
    return best


def _groups(view: View, units: Iterable[Unit]) -> Iterator[tuple[Unit, ...]]:
    """The units of each area, the strongest first, no more than can pass a border (5.2.5)."""
    by_area: dict[AreaId, list[Unit]] = {}
    for unit in units:
        by_area.setdefault(unit.area, []).append(unit)
    for there in by_area.values():
        left, group = view.data.figures.combat.strength_per_border, []
        for unit in sorted(there, key=lambda unit: (-unit.strength, unit.id)):
            if left > 0:
                group.append(unit)
                left -= unit.strength
        yield tuple(group)


def _assault(
    view: View,
    taste: Taste,
    holding: Holding,
    groups: Sequence[tuple[Unit, ...]],
    shut: set[UnitId],
    plane: Aircraft | None = None,
) -> Assault:
    leaders = tuple(_leaders(view, groups, shut))
    units = [unit for group in groups for unit in group]
    strength = strength_of(
        view.data,
        view.state,
        holding.area,
        attackers=units,
        supporting=leaders,
        air=plane.strength if plane else 0,
        defenders=holding.strong,
        leader=holding.leader,
    )
    promise = forecast(view.data, strength, holding)
    worth = _worth(taste, holding, units, promise)
    return Assault(holding, tuple(groups), leaders, plane.number if plane else 0, strength, promise, worth)


def _leaders(view: View, groups: Sequence[tuple[Unit, ...]], shut: set[UnitId]) -> Iterator[Unit]:
    """The best free HQ of each area (10.1.3)."""
    for group in groups:
        there = view.occupation.at(group[0].area)
        leaders = [u for u in there if u.is_hq and u.id not in shut and attack_factor(view.data, u) > 0]
        if leaders:
            yield max(leaders, key=lambda unit: (attack_factor(view.data, unit), unit.id))


def _worth(taste: Taste, holding: Holding, units: Sequence[Unit], promise: Forecast) -> int:
    """In tenths of a SP."""
    strength = sum(unit.strength for unit in units)
    gain = promise.taken * taste.area(holding.area) + promise.foe_loss * taste.foe_point
    gain += promise.destroyed * holding.counters * COUNTER + promise.foe_disorder * holding.points * POINT // 20
    price = promise.own_loss * taste.own_point + promise.own_disorder * strength * POINT // 8
    return (gain - price) // SURE - taste.effort * len(units)


# ---------------------------------------------------------------------- air support and orders


def with_air(view: View, taste: Taste, chosen: Sequence[Assault]) -> list[Assault]:
    """The attacks with the day's air support where it adds most (6.2.4)."""
    day = AirDay.of(view.data, view.state, view.side)
    free = [plane for plane in day.of_kind(AirKind.SUPPORT) if plane.number not in view.state.air_used]
    found = {assault.holding.area: assault for assault in chosen}
    for plane in free:
        offers = [_supported(view, taste, one, plane) for one in found.values() if not one.air]
        near = [offer for offer in offers if day.reaches(plane, offer.holding.area)]
        gains = [(offer.worth - found[offer.holding.area].worth, offer.holding.area, offer) for offer in near]
        if gains:
            gain, area, offer = max(gains, key=lambda one: one[:2])
            if gain > 0:
                found[area] = offer
    return list(found.values())


def _supported(view: View, taste: Taste, assault: Assault, plane: Aircraft) -> Assault:
    """The attack as it is but for the air unit."""
    strength = replace(assault.strength, air=plane.strength)
    promise = forecast(view.data, strength, assault.holding)
    worth = _worth(taste, assault.holding, assault.units, promise)
    return replace(assault, air=plane.number, strength=strength, promise=promise, worth=worth)


def orders(view: View, chosen: Iterable[Assault], enters: Callable[[Assault, Unit], bool]) -> tuple[AttackOrder, ...]:
    """Attacks as orders; the strongest unit on foot loses first where armour takes part."""
    return tuple(_order(view, assault, enters) for assault in chosen)


def _order(view: View, assault: Assault, enters: Callable[[Assault, Unit], bool]) -> AttackOrder:
    return AttackOrder(
        target=assault.holding.area,
        units=tuple(unit.id for unit in assault.units),
        headquarters=tuple(unit.id for unit in assault.leaders),
        air=assault.air,
        losses=tuple(first_to_lose(view, assault.units)),
        advance=tuple(_entering(assault, [unit for unit in assault.units if enters(assault, unit)])) or "none",
    )


def _entering(assault: Assault, free: Sequence[Unit]) -> Iterator[UnitId]:
    """The strongest units, as many as make a division or two, and HQs that would be left alone."""
    left, going = VANGUARD, set[UnitId]()
    for unit in sorted(free, key=lambda unit: (-unit.strength, unit.id)):
        if left > 0:
            left -= unit.strength
            going.add(unit.id)
            yield unit.id
    staying = {unit.area for unit in assault.units if unit.id not in going}
    yield from (leader.id for leader in assault.leaders if going and leader.area not in staying)


def first_to_lose(view: View, units: Sequence[Unit]) -> list[UnitId]:
    """The strongest unit on foot where there is armour to be spared."""
    foot = [unit for unit in units if not (unit.is_hq or view.data.unit(unit.id).is_motorized)]
    spared = any(view.data.unit(unit.id).is_motorized for unit in units if not unit.is_hq)
    return [max(foot, key=lambda unit: (unit.strength, unit.id)).id] if foot and spared else []
