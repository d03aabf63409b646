"""Every number of the rulebook that stands in no table, in groups by subject."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.games.polska1939.kinds import MOTORIZED, Kind, Nation

CONSTANTS = "constants.csv"


@dataclass(frozen=True, slots=True)
class Days:
    soviet: int
    soviet_late: int
    slovak: int
    short_game: int
    last: int


@dataclass(frozen=True, slots=True)
class Rounding:
    half: int


@dataclass(frozen=True, slots=True)
class Movement:
    foot_halves: int
    cavalry_halves: int
    motorized_halves: int
    headquarters_halves: int
    free_foot_halves: int
    free_area_halves: int
    headquarters_area_halves: int
    enemy_region_halves: int

    def of(self, kind: Kind) -> int:
        """Half movement points of a type of unit (4.1.2)."""
        if kind is Kind.HQ:
            return self.headquarters_halves
        if kind in MOTORIZED:
            return self.motorized_halves
        return self.cavalry_halves if kind is Kind.CAV else self.foot_halves


@dataclass(frozen=True, slots=True)
class Combat:
    strength_per_border: int
    attacks_per_turn: int
    headquarters_per_area: int
    headquarters_without_modifier: int
    headquarters_modifier: int
    bombed_modifier: int


@dataclass(frozen=True, slots=True)
class Retreat:
    stand_modifier: int
    stand_loss: int
    blocked_factor: int
    node_loss: int
    river_node_loss: int
    river_loss: int
    vistula_loss: int
    armour_per_loss: int
    armour_loss: int
    armour_barred_modifier: int
    soviet_loss: int


@dataclass(frozen=True, slots=True)
class Air:
    intercept_radius: int
    units_per_area: int
    missions_per_day: int
    die_sides: int
    bomber_one_from: int
    bomber_two_from: int
    half_bomber_from: int
    support_one_from: int
    forest_die: int
    field_fortification_die: int
    fortress_die: int
    bomber_country_radius: int
    bomber_headquarters_radius: int
    support_country_radius: int
    support_headquarters_radius: int
    unlisted_units: int


@dataclass(frozen=True, slots=True)
class Fortification:
    line: int
    line_elsewhere: int
    fortress_strong: int
    fortress_strong_from: int
    fortress_middle: int
    fortress_middle_from: int
    fortress_weak: int
    field_levels: int
    field_per_level: int

    def fortress(self, strength: int) -> int:
        """The modifier of a fortress held by units of `strength` points in all (7.1.4)."""
        if strength >= self.fortress_strong_from:
            return self.fortress_strong
        return self.fortress_middle if strength >= self.fortress_middle_from else self.fortress_weak


@dataclass(frozen=True, slots=True)
class Rail:
    units_per_train: int
    bombing_factor: int
    bombings_per_region: int


@dataclass(frozen=True, slots=True)
class Supply:
    poland_loss: int
    germany_loss: int
    soviet_loss: int
    slovakia_loss: int

    def loss(self, nation: Nation) -> int:
        """Strength points that each unit out of supply loses (9.1.5)."""
        return {
            Nation.POLAND: self.poland_loss,
            Nation.GERMANY: self.germany_loss,
            Nation.SOVIET_UNION: self.soviet_loss,
            Nation.SLOVAKIA: self.slovakia_loss,
        }[nation]


@dataclass(frozen=True, slots=True)
class Fuel:
    germany_maximum: int
    soviet_maximum: int
    move_cost: int
    regained: int

    def maximum(self, nation: Nation, kind: Kind) -> int:
        """The highest fuel level, 0 for units that fuel is no matter for (9.2.1, 9.2.2)."""
        if kind not in MOTORIZED or kind is Kind.HQ:
            return 0
        return {Nation.GERMANY: self.germany_maximum, Nation.SOVIET_UNION: self.soviet_maximum}.get(nation, 0)


@dataclass(frozen=True, slots=True)
class Recovery:
    per_day: int


@dataclass(frozen=True, slots=True)
class Victory:
    city: int
    destroyed_points: int
    destroyed_day: int
    destroyed_less_per_day: int
    german_losses_per_point: int
    polish_losses_per_point: int
    motorized_factor: int
    minor_from: int
    medium_from: int
    major_from: int
    overwhelming_from: int

    def destroyed_by(self, day: int) -> int:
        """Victory points for the destruction of the last Polish unit on a day."""
        late = max(0, day - self.destroyed_day)
        return max(0, self.destroyed_points - late * self.destroyed_less_per_day)


@dataclass(frozen=True, slots=True)
class Figures:
    """Every number of the rulebook that stands in no table.

    Shifts are signed as in 1.2: below zero they favour the defender. Distances are in areas, losses in strength points.
    """

    days: Days
    rounding: Rounding
    movement: Movement
    combat: Combat
    retreat: Retreat
    air: Air
    fortification: Fortification
    rail: Rail
    supply: Supply
    fuel: Fuel
    recovery: Recovery
    victory: Victory
