"""The strength of both sides in an attack, and the modifiers of its rows (5.2.5, 5.2.8, 5.2.9, 5.5.3, 9.2.6, 1.2).

Rulings 5-1 to 5-4. Left out: the worth of fortifications (`s7_fixed`) and of HQs (`s10_headquarters`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pbem.games.polska1939.board import Feature, Terrain
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import Attack as Share
from pbem.games.polska1939.kinds import Kind
from pbem.games.polska1939.s7_fixed import Modifier, bars_armour, fortification
from pbem.games.polska1939.s9_supply import out_of_fuel
from pbem.games.polska1939.s10_headquarters import attack_factor, defence_factor, support_modifier
from pbem.games.polska1939.state import AreaId, State, Unit

MOST_HALVINGS = 3
"""Swamp, disorganization and an empty tank."""
ARMOUR = (Kind.ARM, Kind.LARM)


@dataclass(frozen=True, slots=True)
class BorderForce:
    """What attacks through one border, in SP: all that stand there, what may pass (5.2.5), what counts when halved."""

    origin: AreaId
    units: tuple[Unit, ...]
    standing: int
    passing: int
    counted: int
    armour: int


@dataclass(frozen=True, slots=True)
class Strength:
    """Both sides of an attack in SP, and the shifts of its rows.

    `borders`, `supporting` HQs with their factors and `air` make up the attack. `defenders` have `standing` SP, of
    which `counted` are used (5.2.8 b), and the factor of the HQ `leader` is added to them. `fortified` is the
    fortification among the modifiers, `armour` what counts for 5.3.8.
    """

    borders: tuple[BorderForce, ...]
    supporting: tuple[tuple[Unit, int], ...]
    air: int
    defenders: tuple[Unit, ...]
    standing: int
    counted: int
    leader: Unit | None
    defence: int
    modifiers: tuple[Modifier, ...]
    fortified: Modifier | None
    armour: int

    @property
    def attack(self) -> int:
        """SP of the attack in all."""
        return sum(b.counted for b in self.borders) + sum(factor for _, factor in self.supporting) + self.air

    @property
    def shift(self) -> int:
        """The sum of all modifiers, below zero in favour of the defender (1.2)."""
        return sum(modifier.shift for modifier in self.modifiers)


def strength_of(
    data: GameData,
    state: State,
    target: AreaId,
    attackers: Sequence[Unit],
    supporting: Sequence[Unit],
    air: int,
    defenders: Sequence[Unit],
    leader: Unit | None,
) -> Strength:
    """The strength of an attack on `target`.

    `attackers` are no HQs, `supporting` are; `air` is the strength of the air support. `defenders` are those whose
    strength counts, and `leader` the one HQ that supports them.
    """
    borders = _borders(data, target, attackers)
    lines = _through_line(data, target, borders)
    standing = sum(unit.strength for unit in defenders)
    counted = min(standing, data.figures.combat.strength_per_border * len(borders))
    fortified = fortification(data, state, target, standing, _most_come(borders, lines))
    modifiers = [
        *_ground(data, target, borders),
        *([fortified] if fortified else ()),
        *_favours(data, state, target, supporting),
    ]
    return Strength(
        borders=borders,
        supporting=tuple((unit, attack_factor(data, unit)) for unit in supporting),
        air=air,
        defenders=tuple(defenders),
        standing=standing,
        counted=counted,
        leader=leader,
        defence=counted + (defence_factor(data, leader) if leader else 0),
        modifiers=tuple(modifiers),
        fortified=fortified,
        armour=_armour(data, target, borders, fortified),
    )


# ---------------------------------------------------------------------- strength


def _borders(data: GameData, target: AreaId, attackers: Iterable[Unit]) -> tuple[BorderForce, ...]:
    by_area: dict[AreaId, list[Unit]] = {}
    for unit in sorted(attackers, key=lambda unit: (unit.area, unit.id)):
        by_area.setdefault(unit.area, []).append(unit)
    return tuple(_force(data, target, origin, units) for origin, units in by_area.items())


def _force(data: GameData, target: AreaId, origin: AreaId, units: Sequence[Unit]) -> BorderForce:
    """Within 32 SP those units come first that are halved least (ruling 5-1); what is halved is rounded up once."""
    swamp = _comes_by_swamp(data, origin, target)
    half, left = data.figures.rounding.half, data.figures.combat.strength_per_border
    parts = 0
    for unit in sorted(units, key=lambda unit: halvings(data, unit, swamp)):
        taken = min(unit.strength, left)
        left -= taken
        parts += taken * half ** (MOST_HALVINGS - halvings(data, unit, swamp))
    return BorderForce(
        origin=origin,
        units=tuple(units),
        standing=sum(unit.strength for unit in units),
        passing=data.figures.combat.strength_per_border - left,
        counted=-(-parts // half**MOST_HALVINGS),
        armour=sum(unit.strength for unit in units if data.unit(unit.id).type in ARMOUR),
    )


def halvings(data: GameData, unit: Unit, swamp: bool) -> int:
    """How often the strength of an attacking unit is halved (5.2.9, 5.5.3, 9.2.6, ruling 5-2)."""
    return swamp + unit.disorganized + out_of_fuel(data, unit)


def _comes_by_swamp(data: GameData, origin: AreaId, target: AreaId) -> bool:
    """Whether an attack comes from a swamp or through one; both together halve once (5.2.9, ruling 5-2)."""
    grounds = {data.board.areas[origin].terrain, *data.board.border(origin, target).features}
    return any(_terrain_halves(data, ground) for ground in grounds)


def _terrain_halves(data: GameData, ground: str) -> bool:
    found = data.forces.terrain.get(ground)
    return found is not None and found.attack is Share.HALF


# ---------------------------------------------------------------------- modifiers


def _ground(data: GameData, target: AreaId, borders: Sequence[BorderForce]) -> Iterator[Modifier]:
    """The terrain of the attacked area, and of the borders through which the stronger part comes (ruling 5-3)."""
    names: list[str] = [data.board.areas[target].terrain]
    if Terrain.MOUNTAINS not in names and _most_come(borders, _across(data, target, borders, Feature.MOUNTAIN)):
        names.append(Terrain.MOUNTAINS)
    if _most_come(borders, _across(data, target, borders, Feature.VISTULA)):
        names.append(Feature.VISTULA)
    elif _most_come(borders, _across(data, target, borders, Feature.VISTULA, Feature.RIVER)):
        names.append(Feature.RIVER)
    for name in names:
        if shift := data.forces.terrain[name].modifier:
            yield Modifier("Vistula" if name == Feature.VISTULA else str(name), shift, "1.2")


def _favours(data: GameData, state: State, target: AreaId, supporting: Sequence[Unit]) -> Iterator[Modifier]:
    """What favours the attacker: bombs before (6.2.6) and many HQs (10.1.8)."""
    if target in state.bombed:
        yield Modifier("bombed", data.figures.combat.bombed_modifier, "6.2.6")
    if shift := support_modifier(data, supporting):
        yield Modifier(f"{len(supporting)} headquarters", shift, "10.1.8")


def _across(data: GameData, target: AreaId, borders: Iterable[BorderForce], *features: Feature) -> set[AreaId]:
    """The areas from which an attack comes through a border with one of some features."""
    wanted = frozenset(features)
    return {force.origin for force in borders if data.board.border(force.origin, target).features & wanted}


def _through_line(data: GameData, target: AreaId, borders: Iterable[BorderForce]) -> set[AreaId]:
    """The areas from which an attack comes through the fortified line of the attacked area (7.1.1)."""
    return {force.origin for force in borders if data.board.border(force.origin, target).line == target}


def _most_come(borders: Sequence[BorderForce], origins: Collection[AreaId]) -> bool:
    """Whether more SP come from some areas than from the others (7.1.2), without HQs and air (ruling 5-3)."""
    through = sum(force.counted for force in borders if force.origin in origins)
    return through > sum(force.counted for force in borders) - through


def _armour(data: GameData, target: AreaId, borders: Sequence[BorderForce], fortified: Modifier | None) -> int:
    """SP of armour that count for 5.3.8: not what comes through fortifications of 3 and more (5.3.9, ruling 5-4)."""
    if fortified and fortified.rule == "7.1.4" and bars_armour(data, fortified.shift):
        return 0
    barred = _through_line(data, target, borders) if bars_armour(data, data.figures.fortification.line) else ()
    return sum(force.armour for force in borders if force.origin not in barred)
