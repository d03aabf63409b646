"""Attacks that the activated command could make: who could enter a box with enemies, from where, in which groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.bot_view import View
from pbem.games.white_eagle.s7_movement import points
from pbem.games.white_eagle.state import Unit

MOST_HOMES = 3


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a unit is to be, the boxes that it enters on the way, and whether it supports there."""

    box: BoxId
    path: tuple[BoxId, ...] = ()
    support: bool = False

    def home(self, unit: Unit) -> BoxId:
        """The box from which it enters its last one, its own when it stays."""
        return self.path[-2] if len(self.path) > 1 else unit.box


@dataclass(frozen=True, slots=True)
class Group:
    """Units that attack together, with their spots."""

    units: tuple[tuple[Unit, Spot], ...]


def entries(view: View, unit: Unit, target: BoxId) -> dict[BoxId, Spot]:
    """The ways of a unit into a box, by the box from which it enters it."""
    key = "entries", unit.id, target
    if key not in view.known:
        view.known[key] = {spot.home(unit): spot for spot in _entries(view, unit, target)}
    found: dict[BoxId, Spot] = view.known[key]
    return found


def _entries(view: View, unit: Unit, target: BoxId) -> Iterator[Spot]:
    reach = view.reach(unit)
    if target not in reach:
        return
    left = points(view.data, view.state, unit)
    for home in view.data.board.neighbours[target]:
        step = view.data.board.cost(home, target)
        if home == unit.box and step <= left:
            yield Spot(target, (target,))
        elif home in reach and not view.is_opposed(home) and reach[home].cost + step <= left:
            yield Spot(target, (*reach[home].path, target))


def groups(view: View, target: BoxId, present: Sequence[Unit], pool: Sequence[Unit]) -> Iterator[Group]:
    """Some of the units of a pool that can enter a box together: from anywhere, or with support from a second box."""
    able = [unit for unit in pool if entries(view, unit, target)]
    filled = view.filled(target, present, able)
    entering = [unit for unit in filled if unit not in present]
    for size in range(1, len(entering) + 1):
        yield Group(tuple((unit, _any_entry(view, unit, target)) for unit in entering[:size]))
    if len(entering) < len(able):
        yield from _with_support(view, target, present, able)


def _any_entry(view: View, unit: Unit, target: BoxId) -> Spot:
    """By the shortest way."""
    return min(entries(view, unit, target).values(), key=lambda spot: (len(spot.path), spot.path))


def _with_support(view: View, target: BoxId, present: Sequence[Unit], able: Sequence[Unit]) -> Iterator[Group]:
    """All that come by one box with all others that come by another one, which are supporting units (7.2)."""
    counts: dict[BoxId, int] = {}
    for unit in able:
        for home in entries(view, unit, target):
            counts[home] = counts.get(home, 0) + 1
    homes = sorted(counts, key=lambda home: (-counts[home], home))[:MOST_HOMES]
    for home in homes:
        by_home = [unit for unit in able if home in entries(view, unit, target)]
        primary = [unit for unit in view.filled(target, present, by_home) if unit not in present]
        for other in homes:
            rest = [unit for unit in able if unit not in primary and other in entries(view, unit, target)]
            support = view.filled(target, (), rest, fort_limit=False)
            if other != home and primary and support:
                first = [(unit, entries(view, unit, target)[home]) for unit in primary]
                second = [(unit, entries(view, unit, target)[other]) for unit in support]
                yield Group((*first, *((unit, Spot(spot.box, spot.path, True)) for unit, spot in second)))
