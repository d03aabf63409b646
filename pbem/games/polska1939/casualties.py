"""Losing strength points: who of several units loses, and when a counter is destroyed (5.4, 6.1.4, 9.1.5, 10.1.6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.state import Side, State, Unit, UnitId, side_of
from pbem.rules.play import Rules, report


def shares(units: Sequence[Unit], points: int, first: Sequence[str] = ()) -> tuple[dict[UnitId, int], int]:
    """How many of `points` each of some units loses, and how many nobody is left to lose.

    The units named in `first` lose one after the other, each to its last point; then the others point by point,
    the strongest first, in the order of their ids among equals. An HQ has no points to lose.
    """
    left = {unit.id: unit.strength for unit in units if not unit.is_hq}
    lost = dict.fromkeys(left, 0)
    for name in dict.fromkeys(UnitId(name) for name in first if name in left):
        taken = min(points, left[name])
        left[name] -= taken
        lost[name] += taken
        points -= taken
    while points and any(left.values()):
        strongest = max(sorted(left), key=lambda name: left[name])
        left[strongest] -= 1
        lost[strongest] += 1
        points -= 1
    return {name: share for name, share in lost.items() if share}, points


def lose_each(data: GameData, state: State, rule: str, lost: Mapping[UnitId, int]) -> Rules[State]:
    """Each unit loses its points; a unit without points is destroyed, one that grows grows less far (11.1.7)."""
    for name, points in lost.items():
        unit = state.units[name]
        points = min(points, unit.strength)
        state = _counted(data, state, name, points)
        if points >= unit.strength:
            yield from report(rule, "{unit} loses {points} SP and is destroyed", unit=data.name(name), points=points)
            state = removed(state, (name,))
            continue
        yield from report(rule, "{unit} loses {points} SP", unit=data.name(name), points=points)
        ceiling = max(0, unit.ceiling - points)
        changed = replace(unit, strength=unit.strength - points, ceiling=ceiling)
        state = state.with_units((changed,))
    return state


def removed(state: State, gone: Iterable[UnitId]) -> State:
    """The position when counters are destroyed."""
    names = tuple(gone)
    return replace(state.without_units(names), lost=tuple(sorted({*state.lost, *names})))


def _counted(data: GameData, state: State, name: UnitId, points: int) -> State:
    """The points that the short game counts: those of ARM and MOT double for the Germans (victory conditions)."""
    side = side_of(name)
    weight = 2 if side is Side.GERMAN and data.counts_double(name) else 1
    losses = {**state.losses, side: state.losses.get(side, 0) + points * weight}
    return replace(state, losses={key: losses[key] for key in sorted(losses)})
