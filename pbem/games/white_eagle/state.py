"""The position: units, forts, control markers, the cup, and what the turn and an activation have used up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from pbem.games.white_eagle.answers import Battle
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.forces import ChitId, UnitId
from pbem.games.white_eagle.kinds import Command, Nation, Side


class Stage(StrEnum):
    """Where in the turn play is: chits are pulled, late German commands try, or all that is left is cleaning up."""

    PULL = "pull"
    LATE = "late"
    CLEAN_UP = "clean-up"


def nation_of(unit: UnitId) -> Nation:
    """The nationality of a unit, which its id begins with."""
    return Nation(unit[:3])


def side_of(unit: UnitId) -> Side:
    """Whose unit it is."""
    return nation_of(unit).side


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit on the map and which side of the counter is up."""

    id: UnitId
    box: BoxId
    reduced: bool = False


@dataclass(frozen=True, slots=True)
class Activation:
    """A command that moves and fights.

    `slowed` is what its movement factors have lost, `breakdown` whether it activates late in spite of a breakdown
    (4.2). `asked` says that the enemy had his chance to slow it down, `marched` that its movement is over. `came` has
    the box from which each unit has entered one with enemies; `support` are those of them that entered as supporting
    units (7.2). `resting` recovers instead of moving or fighting (5.2). `left` are the besieged forts that units left
    in this movement, which make no sortie (9.0, ruling 9-3). `planned` are the combats that are announced and not yet
    fought, in their order. `idle` are the units that take no part in any further combat of the activation: those of
    the activated side that have fought or retreated, and defenders that retreated into a fight to come (8.5).
    `fought` are the boxes where the fight is over, and `won` those of them where the activated side won (8.5).
    """

    command: Command
    slowed: int = 0
    breakdown: bool = False
    asked: bool = False
    marched: bool = False
    came: Mapping[UnitId, BoxId] = field(default_factory=dict)
    support: tuple[UnitId, ...] = ()
    resting: UnitId | None = None
    left: tuple[BoxId, ...] = ()
    planned: tuple[Battle, ...] = ()
    idle: tuple[UnitId, ...] = ()
    fought: tuple[BoxId, ...] = ()
    won: tuple[BoxId, ...] = ()

    @property
    def side(self) -> Side:
        """Whose activation it is."""
        return self.command.side


@dataclass(frozen=True, slots=True)
class State:
    """A position of White Eagle Defiant.

    `pulled` are the chits of this turn in the order in which they were drawn, `used` the events among them that were
    triggered. `forts` has the steps of each fort, 0 for a destroyed one. `held` are the victory cities with German
    control markers. `fort_turns` are the forts that have been activated this turn, `recovered` the sides that have
    recovered a unit. `late` are the commands that are still to try in the Additional German Activation Phase.
    """

    scenario: str
    turn: int
    units: Mapping[UnitId, Unit]
    forts: Mapping[BoxId, int]
    held: tuple[BoxId, ...]
    cup: tuple[ChitId, ...]
    stage: Stage = Stage.PULL
    pulled: tuple[ChitId, ...] = ()
    used: tuple[ChitId, ...] = ()
    lost: tuple[UnitId, ...] = ()
    breakdowns: int = 0
    soviets: bool = False
    recovered: tuple[Side, ...] = ()
    fort_turns: tuple[BoxId, ...] = ()
    late: tuple[Command, ...] = ()
    activation: Activation | None = None

    def at(self, box: BoxId) -> tuple[Unit, ...]:
        """The units in a box, in the order of their ids."""
        return tuple([unit for unit in self.units.values() if unit.box == box])

    def of_side(self, box: BoxId, side: Side) -> tuple[Unit, ...]:
        """The units of a side in a box."""
        return tuple([unit for unit in self.at(box) if side_of(unit.id) is side])

    def with_units(self, changed: Iterable[Unit]) -> State:
        """The position with units as given."""
        return replace(self, units={**self.units, **{unit.id: unit for unit in changed}})

    def without(self, gone: Iterable[UnitId]) -> State:
        """The position without units that were eliminated."""
        away = tuple(gone)
        left = {name: unit for name, unit in self.units.items() if name not in away}
        return replace(self, units=left, lost=(*self.lost, *away))
