"""Field fortifications (7.2): building them and leaving them. Rulings 7-1 to 7-4.

What they are worth in combat is in `s7_fixed`; that they vanish with a beaten defender is in `s5_combat` (7.2.5).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.state import PHASES, AreaId, Side, State, Unit, UnitId, side_of
from pbem.rules.play import Rules, report


def has_rested(state: State, unit: Unit) -> bool:
    """Whether a unit has not attacked, moved or retreated since its side's last movement phase (7.2.1, 9.2.4).

    Asked at the end of the present movement phase; the one before it was six phases ago.
    """
    return unit.exerted == 0 or unit.exerted <= state.moment - PHASES


def dig_in(data: GameData, state: State, side: Side, newcomers: Collection[UnitId] = ()) -> Rules[State]:
    """A level more where a unit has rested for a day, at the end of its side's movement phase (7.2.1, 7.2.2).

    HQs do not build, nor units on trains (ruling 7-1), nor `newcomers` of this phase (ruling 7-2); several units in
    an area build one level together.
    """
    builders = (
        unit
        for unit in state.units.values()
        if side_of(unit.id) is side and not (unit.is_hq or unit.loaded or unit.id in newcomers)
    )
    areas = sorted({unit.area for unit in builders if has_rested(state, unit)})
    highest = data.figures.fortification.field_levels
    built = {area: state.forts.get(area, 0) + 1 for area in areas if state.forts.get(area, 0) < highest}
    for level in range(1, highest + 1):
        if dug := [area for area in areas if built.get(area) == level]:
            text = "field fortifications of level {level} in {areas}"
            yield from report("7.2.1", text, level=level, areas=_listed(data, dug))
    return _with_forts(state, {**state.forts, **built}) if built else state


def abandon(data: GameData, state: State) -> Rules[State]:
    """Fortifications in areas without any unit vanish at the end of a movement phase (7.2.4, ruling 7-4)."""
    held = {unit.area for unit in state.units.values()}
    left = sorted(area for area in state.forts if area not in held)
    if not left:
        return state
    yield from report("7.2.4", "field fortifications are abandoned in {areas}", areas=_listed(data, left))
    return without_forts(state, left)


def without_forts(state: State, areas: Iterable[AreaId]) -> State:
    """The position without the field fortifications of some areas."""
    gone = set(areas)
    return replace(state, forts={area: level for area, level in state.forts.items() if area not in gone})


def _with_forts(state: State, forts: dict[AreaId, int]) -> State:
    return replace(state, forts={area: forts[area] for area in sorted(forts)})


def _listed(data: GameData, areas: Iterable[AreaId]) -> str:
    return ", ".join(data.area_name(area) for area in areas)
