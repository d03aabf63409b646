"""Every number of the rulebook that stands in no table, in groups by subject."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.games.white_eagle.kinds import Kind

CONSTANTS = "constants.csv"


@dataclass(frozen=True, slots=True)
class Turns:
    poles_leave: int
    allied: int
    soviet_entry: int
    end_check: int
    last: int


@dataclass(frozen=True, slots=True)
class Cup:
    end_chits: int


@dataclass(frozen=True, slots=True)
class Breakdown:
    activates_to: int
    movement: int
    modifier: int
    lost_at: int


@dataclass(frozen=True, slots=True)
class Recovery:
    per_turn: int


@dataclass(frozen=True, slots=True)
class Events:
    movement: int
    modifier: int
    per_combat: int


@dataclass(frozen=True, slots=True)
class Victory:
    german: int
    enough: int
    soviet_entry: int
    fort: int
    east: int
    allied_points: int
    allied_modifier: int
    allied_lowest: int


@dataclass(frozen=True, slots=True)
class Movement:
    infantry: int
    others: int
    easy: int
    difficult: int
    slovak_radius: int

    def of(self, kind: Kind) -> int:
        """Movement points of a type of unit (7.0)."""
        return self.infantry if kind is Kind.INF else self.others


@dataclass(frozen=True, slots=True)
class Stacking:
    units: int
    infantry: int
    of_type: int
    fort: int

    def of(self, kind: Kind) -> int:
        """How many units of a type may stand together (7.1)."""
        return self.infantry if kind is Kind.INF else self.of_type


@dataclass(frozen=True, slots=True)
class Combat:
    dice: int
    panzer_dice: int
    always: int
    never: int
    double_hits: int
    advance_ratio: int


@dataclass(frozen=True, slots=True)
class Fort:
    steps: int
    dice_full: int
    dice_reduced: int
    factor: int
    activations: int


@dataclass(frozen=True, slots=True)
class Figures:
    """Every number of the rulebook that stands in no table; modifiers of movement and dice are signed."""

    turns: Turns
    cup: Cup
    breakdown: Breakdown
    recovery: Recovery
    events: Events
    victory: Victory
    movement: Movement
    stacking: Stacking
    combat: Combat
    fort: Fort
