"""The position: where every unit stands and in what condition, and what the day has used up.

A moment is a phase of the campaign as one number, 6 x (day - 1) + phase: phases I to VI are 1 to 6 (3.1.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NewType

from pbem.games.polska1939.answers import Attacks, RailRaids
from pbem.rules.play import Sealed

AreaId = NewType("AreaId", str)
UnitId = NewType("UnitId", str)
PHASES = 6
SETUP = 0
"""The phase before phase I of the first day, in which the Slovaks are placed."""


class Side(StrEnum):
    """The two players: Player A has the initiative (3.1.2)."""

    GERMAN = "german"
    POLISH = "polish"

    @property
    def enemy(self) -> Side:
        return Side.POLISH if self is Side.GERMAN else Side.GERMAN

    @property
    def adjective(self) -> str:
        """`German` or `Polish`, for what people read."""
        return self.value.capitalize()


def side_of(unit: UnitId) -> Side:
    """Whose unit it is: the German player has the Soviets and the Slovaks too (3.1.2 note)."""
    return Side.POLISH if unit.startswith("PL-") else Side.GERMAN


class Aboard(StrEnum):
    """How far a unit is with its train (8.1.2): none, loaded on arrival, loaded with a sealed goal, at its goal."""

    NO = ""
    CAME_LOADED = "came"
    SEALED = "sealed"
    ARRIVED = "arrived"


@dataclass(frozen=True, slots=True)
class Unit:
    """A counter on the map.

    `ceiling` is the strength to which a unit below full strength still grows, 0 for one that does not grow
    (11.1.4). `fuel` counts for motorized Germans and Soviets (9.2). `disturbed` is the moment when the unit last
    fought, moved, was attacked or was bombed (5.5.5); `exerted` when it last attacked, moved or retreated (7.2.1,
    9.2.4); 0 for never. An HQ has no strength points (10.1.6).
    """

    id: UnitId
    area: AreaId
    strength: int
    ceiling: int = 0
    fuel: int = 0
    disorganized: bool = False
    train: Aboard = Aboard.NO
    disturbed: int = 0
    exerted: int = 0

    @property
    def loaded(self) -> bool:
        """Whether it is aboard a train, where it cannot fight (8.1.3)."""
        return self.train is not Aboard.NO

    @property
    def is_hq(self) -> bool:
        """Whether it is a headquarters (2.0)."""
        return "-HQ-" in self.id


@dataclass(frozen=True, slots=True)
class Train:
    """An empty train that waits in an area; `unit` is the one that it was sent for (8.1.2 example b)."""

    area: AreaId
    unit: UnitId


@dataclass(frozen=True, slots=True)
class City:
    """Who holds a city, and who gets its point: empty until its historical day has ended (13.A)."""

    holder: Side
    point: Side | None = None


@dataclass(frozen=True, slots=True)
class State:
    """A position of Polska 1939 at the beginning of a phase, or in it.

    `units` are on the map. `waiting` are reinforcements whose area the enemy holds. `losses` are strength points
    lost so far as the short game counts them. `bombed` and `air_used` hold for the attack phase that follows the
    air missions (6.2.6, 6.2.2); `planned` are attacks given with them. `raiders` are the strengths of the bombers kept
    back for `raids`, and `raid_regions` what they reach (6.1.6, 6.1.9). `aboard` are the units that the sealed
    `destinations` must name. `crossed`: a German unit has been east of the line Pisa, Narew, Bug, San.
    """

    scenario: str
    day: int
    phase: int
    units: Mapping[UnitId, Unit]
    lost: tuple[UnitId, ...] = ()
    withdrawn: tuple[UnitId, ...] = ()
    waiting: tuple[UnitId, ...] = ()
    trains: tuple[Train, ...] = ()
    forts: Mapping[AreaId, int] = field(default_factory=dict)
    cities: Mapping[AreaId, City] = field(default_factory=dict)
    losses: Mapping[Side, int] = field(default_factory=dict)
    crossed: bool = False
    bombed: tuple[AreaId, ...] = ()
    air_used: tuple[int, ...] = ()
    planned: Attacks | None = None
    raids: Sealed | None = None
    raids_opened: RailRaids | None = None
    raiders: tuple[int, ...] = ()
    raid_regions: tuple[str, ...] = ()
    destinations: tuple[Sealed, ...] = ()
    aboard: tuple[UnitId, ...] = ()

    @property
    def moment(self) -> int:
        """The present phase, counted from the first of the campaign (1)."""
        return PHASES * (self.day - 1) + self.phase

    @property
    def active(self) -> Side:
        """Whose phase it is: I to III are Player A's (3.1.2)."""
        return Side.GERMAN if self.phase <= 3 else Side.POLISH

    def at(self, area: AreaId) -> tuple[Unit, ...]:
        """The counters in an area, in the order of their ids."""
        return tuple([unit for unit in self.units.values() if unit.area == area])

    def with_units(self, changed: Iterable[Unit]) -> State:
        """The position with counters as given; new ones are put in their place."""
        units = dict(self.units)
        for unit in changed:
            units[unit.id] = unit
        if len(units) != len(self.units):
            units = {identity: units[identity] for identity in sorted(units)}
        return replace(self, units=units)

    def without_units(self, gone: Iterable[UnitId]) -> State:
        """The position without some counters; the caller says in `lost` or `withdrawn` where they went."""
        away = set(gone)
        return replace(self, units={name: unit for name, unit in self.units.items() if name not in away})


@dataclass(frozen=True, slots=True)
class Occupation:
    """Who stands where: every occupied area with its side, made once for a position."""

    by_area: Mapping[AreaId, tuple[Unit, ...]]
    sides: Mapping[AreaId, Side]

    @classmethod
    def of(cls, state: State) -> Occupation:
        """The occupation of a position; an area holds units of one side only (1.1)."""
        by_area: dict[AreaId, list[Unit]] = {}
        for unit in state.units.values():
            by_area.setdefault(unit.area, []).append(unit)
        sides = {area: side_of(units[0].id) for area, units in by_area.items()}
        return cls({area: tuple(units) for area, units in by_area.items()}, sides)

    def at(self, area: AreaId) -> tuple[Unit, ...]:
        """The counters in an area."""
        return self.by_area.get(area, ())

    def is_held_by(self, area: AreaId, side: Side) -> bool:
        """Whether units of a side stand in an area, of whatever kind."""
        return self.sides.get(area) is side
