"""How a program uses its air units: bombs where they take most, intercepts over its armies, raids on trains (6.0)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from pbem.games.polska1939.answers import AirMissions, Bomb, BombLosses, Intercepts, LossOrder, Raid, RailRaids
from pbem.games.polska1939.bot_attack import first_to_lose
from pbem.games.polska1939.bot_view import View
from pbem.games.polska1939.kinds import AirKind
from pbem.games.polska1939.s6_bombs import bombing_modifiers, points_lost
from pbem.games.polska1939.s6_reach import Aircraft, AirDay, spread
from pbem.games.polska1939.s13_victory import NATIONAL_HQ
from pbem.games.polska1939.state import AreaId, Unit, UnitId, side_of

OPENING = 12
"""What a success is worth that helps the attack after it (6.2.6), in sixths of a SP."""
LEADER, CAPITAL = 8, 4
"""By how much a bomb is better where HQs are alone (10.1.6), and where the National HQ is."""


def missions(view: View, attacked: Collection[AreaId]) -> AirMissions:
    """A bomber over each of the best targets, those that will be attacked before others.

    Air support waits for the attacks, but for what reaches none of them.
    """
    day = AirDay.of(view.data, view.state, view.side)
    bombs: list[Bomb] = []
    for plane in day.aircraft:
        near = [area for area in day.bombable(plane) if all((b.air, b.area) != (_air(plane), area) for b in bombs)]
        if plane.kind is AirKind.SUPPORT and any(area in attacked for area in near):
            continue
        marks = [(_effect(view, plane, area, attacked), area) for area in near]
        if marks and max(marks)[0]:
            bombs.append(Bomb(air=_air(plane), number=plane.number, area=max(marks)[1]))
    return AirMissions(bombs=tuple(bombs))


def _air(plane: Aircraft) -> Any:
    return "bom" if plane.kind is AirKind.BOMBER else "off"


def _effect(view: View, plane: Aircraft, area: AreaId, attacked: Collection[AreaId]) -> int:
    """SP that a bomb takes, in sixths; twice as many from units on trains (8.1.4)."""
    units = view.occupation.at(area)
    shift = sum(bombing_modifiers(view.data, view.state, area).values())
    sides = range(1, view.data.figures.air.die_sides + 1)
    hits = [points_lost(view.data, plane.kind, plane.strength, face + shift) for face in sides]
    factor = 2 if units and all(unit.loaded for unit in units) else 1
    factor += LEADER * all(unit.is_hq for unit in units) + CAPITAL * any(unit.id == NATIONAL_HQ for unit in units)
    opening = OPENING * sum(map(bool, hits)) // len(hits) if area in attacked else 0
    return factor * sum(hits) + opening


def intercepts(view: View) -> Intercepts:
    """Bombers over the areas around which most of the own army is within reach of bombs."""
    guard = AirDay.of(view.data, view.state, view.side)
    bombers = guard.of_kind(AirKind.BOMBER)
    radius = view.data.figures.air.intercept_radius
    left = {area: points + view.pressure(area) for area, points in view.own.items()}
    chosen: list[AreaId] = []
    for plane in bombers:
        reached = [area for area in view.own if guard.reaches(plane, area) and area not in chosen]
        marks = [(sum(left.get(near, 0) for near in spread(view.data, (area,), radius)), area) for area in reached]
        if marks:
            best = max(marks)[1]
            chosen.append(best)
            for near in spread(view.data, (best,), radius):
                left.pop(near, None)
    return Intercepts(areas=tuple(chosen))


def raids(view: View) -> RailRaids:
    """Bombers kept back wait where loaded units begin their trip."""
    trains = [unit for unit in view.state.units.values() if unit.loaded and side_of(unit.id) is not view.side]
    trains.sort(key=lambda unit: (-unit.strength, unit.id))
    regions = dict.fromkeys(view.data.board.areas[unit.area].region for unit in trains)
    near = [region for region in regions if region in view.state.raid_regions]
    return RailRaids(raids=tuple(Raid(region=region, bombers=1) for region in near[: len(view.state.raiders)]))


def bomb_losses(view: View, options: Sequence[Any]) -> BombLosses:
    """Units on foot lose first where armour stands with them; the options say which areas are bombed."""
    areas = dict.fromkeys(order.area for option in options for order in option.areas)
    return BombLosses(areas=tuple(_spared(view, areas)))


def _spared(view: View, areas: Collection[AreaId]) -> Iterator[LossOrder]:
    for area in areas:
        units: Sequence[Unit] = [unit for unit in view.occupation.at(area) if not unit.loaded]
        first: list[UnitId] = first_to_lose(view, units)
        if first:
            yield LossOrder(area=area, first=tuple(first))
