"""What bombs do: the die, its modifiers, and who loses strength points (6.1.4, 6.1.5, 6.2.3, 8.1.4, 8.1.5, 10.1.6).

Rulings 6-3 to 6-6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbem.games.polska1939.casualties import lose_each, removed, shares
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import AirKind, Nation
from pbem.games.polska1939.s6_reach import Aircraft
from pbem.games.polska1939.state import AreaId, Side, State, Train, Unit, UnitId, side_of
from pbem.log.event import Role
from pbem.rules.play import Rules, report, roll, total

FULL_STRENGTH = 2
"""SP of a bomber that is not at half strength (6.1.5)."""


def bombard(data: GameData, state: State, plane: Aircraft, area: AreaId, first: Sequence[str]) -> Rules[State]:
    """One mission against the units in an area (6.1.4, 6.2.3); `first` names who of them loses first.

    The attacker's success is noted for the attack that follows (6.2.6). A train alone is destroyed by any loss (8.1.5).
    """
    rule = "6.1.4" if plane.kind is AirKind.BOMBER else "6.2.3"
    under = state.at(area)
    names = {"plane": plane.name, "area": data.area_name(area)}
    if not under and not _waiting(state, area):
        yield from report(rule, "{plane} finds nobody left in {area}", **names)
        return state
    state = state.with_units(replace(unit, disturbed=state.moment) for unit in under)
    label = f"{rule}/day-{state.day}/{area}/{plane.kind.value.lower()}-{plane.number}"
    side = Side.POLISH if plane.nation is Nation.POLAND else Side.GERMAN
    face = yield from roll(label, 1, data.figures.air.die_sides, total, Role(side.value))
    modifiers = bombing_modifiers(data, state, area)
    reached = face + sum(modifiers.values())
    points = points_lost(data, plane.kind, plane.strength, reached)
    text = "{plane} ({strength} SP) bombs {area}: {die}: {result}"
    die = told_die(face, modifiers)
    yield from report(rule, text, strength=plane.strength, die=die, result=told_points(points), **names)
    if not points:
        return state
    if not under:
        return (yield from _trains_destroyed(data, state, area))
    state = replace(state, bombed=tuple(sorted({*state.bombed, area})))
    return (yield from lose_to_bombs(data, state, rule, state.at(area), points, first))


def bombing_modifiers(data: GameData, state: State, area: AreaId) -> Mapping[str, int]:
    """What is added to the die, with the reason: the forest, and the best fortification (6.1.4, ruling 6-3)."""
    figures, where = data.figures.air, data.board.areas[area]
    found = {"forest": figures.forest_die} if where.terrain == "forest" else {}
    if where.fortress:
        found["fortress"] = figures.fortress_die
    elif where.fortified or state.forts.get(area):
        reason = "field fortification" if state.forts.get(area) else "fortified line"
        found[reason] = figures.field_fortification_die
    return found


def points_lost(data: GameData, kind: AirKind, strength: int, reached: int) -> int:
    """SP that a die with its modifiers takes (6.1.4; 6.1.5 with ruling 6-4; 6.2.3); `strength` of the air unit."""
    figures = data.figures.air
    if kind is AirKind.SUPPORT:
        return int(reached >= figures.support_one_from)
    if strength < FULL_STRENGTH:
        return int(reached >= figures.half_bomber_from)
    return int(reached >= figures.bomber_one_from) + int(reached >= figures.bomber_two_from)


def lose_to_bombs(
    data: GameData, state: State, rule: str, units: Sequence[Unit], points: int, first: Sequence[str]
) -> Rules[State]:
    """Units in an area lose points, those on trains twice as many; what is left over destroys HQs (10.1.6)."""
    lost, left_over = bomb_shares(data, units, points, first)
    aboard = {unit.id for unit in units if unit.loaded}
    state = yield from lose_each(data, state, rule, {name: lost[name] for name in lost if name not in aboard})
    state = yield from lose_each(data, state, "8.1.4", {name: lost[name] for name in lost if name in aboard})
    if left_over:
        for unit in units:
            if unit.is_hq:
                yield from report("10.1.6", "{unit} is destroyed", unit=data.name(unit.id))
                state = removed(state, (unit.id,))
    return state


def bomb_shares(
    data: GameData, units: Sequence[Unit], points: int, first: Sequence[str] = ()
) -> tuple[dict[UnitId, int], int]:
    """SP that each unit loses when bombs take `points`, and the points that nobody is left to lose.

    A point that falls on a unit on a train takes two of its SP (8.1.4), so it stands for half its strength, rounded
    up, when the shares are made (ruling 6-5).
    """
    factor = data.figures.rail.bombing_factor
    aboard = {unit.id: unit.strength for unit in units if unit.loaded}
    halved = [replace(unit, strength=-(-unit.strength // factor)) if unit.loaded else unit for unit in units]
    lost, left_over = shares(halved, points, first)
    doubled = {name: min(aboard[name], points * factor) if name in aboard else points for name, points in lost.items()}
    return doubled, left_over


def may_choose(units: Sequence[Unit]) -> bool:
    """Whether more than one of the bombed units could lose points (6.1.4)."""
    return sum(not unit.is_hq for unit in units) > 1


def _trains_destroyed(data: GameData, state: State, area: AreaId) -> Rules[State]:
    """A bombed train without land units is lost (8.1.5)."""
    gone = _waiting(state, area)
    for train in gone:
        text = "the train for {unit} is destroyed in {area}"
        yield from report("8.1.5", text, unit=data.name(train.unit), area=data.area_name(area))
    return replace(state, trains=tuple(train for train in state.trains if train not in gone))


def _waiting(state: State, area: AreaId) -> list[Train]:
    """The enemy's empty trains in an area."""
    return [train for train in state.trains if train.area == area and side_of(train.unit) is state.active.enemy]


def told_die(face: int, modifiers: Mapping[str, int]) -> str:
    """A die and what is added to it, for people: `5, forest -1 = 4`."""
    shifts = "".join(f", {reason} {shift}" for reason, shift in modifiers.items())
    return f"{face}{shifts} = {face + sum(modifiers.values())}" if shifts else str(face)


def told_points(points: int) -> str:
    """SP lost, for people."""
    return f"{points} SP" if points else "no loss"
