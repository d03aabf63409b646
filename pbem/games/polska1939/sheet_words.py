"""What every sheet says in the same words: units with their condition, areas with their ground, lists that are cut."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.names import written_area, written_unit
from pbem.games.polska1939.s4_movement import has_acted
from pbem.games.polska1939.s9_supply import supply
from pbem.games.polska1939.state import Aboard, AreaId, Occupation, Side, State, Unit, UnitId, side_of

ABOARD: Mapping[Aboard, str] = {
    Aboard.CAME_LOADED: "came by train",
    Aboard.SEALED: "aboard, travels in the next movement phase",
    Aboard.ARRIVED: "leaves its train in the next movement phase",
}


@dataclass(frozen=True, slots=True)
class Scene:
    """A position as one side looks at it, with what every line needs looked up once."""

    data: GameData
    state: State
    side: Side
    occupation: Occupation
    supplied: Mapping[str, frozenset[AreaId]]
    names: Mapping[UnitId, str]

    @classmethod
    def of(cls, data: GameData, state: State, side: Side) -> Scene:
        """The scene of a side that is asked."""
        occupation = Occupation.of(state)
        return cls(data, state, side, occupation, supply(data, state, occupation, side), _short_names(data, state))

    # ------------------------------------------------------------------ names that can be typed

    def unit(self, unit: str) -> str:
        """A unit's name as an order may use it now."""
        return self.names.get(UnitId(unit)) or written_unit(self.data, unit)

    def units(self, units: Iterable[Unit]) -> str:
        return ", ".join(self.unit(unit.id) for unit in units)

    def area(self, area: str) -> str:
        """An area's name as an order may use it."""
        return written_area(self.data, area)

    # ------------------------------------------------------------------ facts

    def told(self, unit: Unit) -> str:
        """`8 INF 12` with its condition in brackets; an HQ with its factors: `I HQ +3/+2`."""
        kind = self.data.unit(unit.id)
        worth = f"+{kind.attack}/+{kind.defence}" if unit.is_hq else str(unit.strength)
        marks = list(self._marks(unit)) if side_of(unit.id) is self.side else list(_open_marks(unit))
        return f"{self.unit(unit.id)} {worth}" + (f" ({', '.join(marks)})" if marks else "")

    def _marks(self, unit: Unit) -> Iterator[str]:
        kind = self.data.unit(unit.id)
        yield from _open_marks(unit)
        if kind.uses_fuel:
            yield f"fuel {unit.fuel}/{kind.fuel}"
        if unit.area not in self.supplied.get(kind.nation, ()):
            yield "no supply"
        if unit.strength < unit.ceiling:
            yield f"grows to {unit.ceiling}"
        if self.state.active is self.side and has_acted(self.state, unit):
            yield "has fought or moved"

    def ground(self, area: AreaId) -> str:
        """What a defender of an area has from it: terrain, fortress, line, field fortification."""
        place = self.data.board.areas[area]
        parts = [place.terrain.value] if place.terrain != "clear" else []
        parts += ["fortress"] if place.fortress else []
        parts += ["fortified line"] if place.fortified else []
        level = self.state.forts.get(area)
        parts += [f"field fortification {level}"] if level else []
        return ", ".join(parts)

    def place(self, area: AreaId) -> str:
        """`Mława (P20), forest, field fortification 2`."""
        ground = self.ground(area)
        return self.data.area_name(area) + (f", {ground}" if ground else "")

    def enemies_beside(self, area: AreaId) -> str:
        """The enemies in the areas beside one, with their strength in all: `Nidzica (G13) 44`."""
        near = (AreaId(code) for code in self.data.board.neighbours[area])
        held = [code for code in near if self.occupation.is_held_by(code, self.side.enemy)]
        return ", ".join(f"{self.data.area_name(code)} {strength(self.occupation.at(code))}" for code in held)

    def mine(self) -> list[AreaId]:
        """The areas where the side stands, in the order of their names."""
        areas = [area for area, holder in self.occupation.sides.items() if holder is self.side]
        return sorted(areas, key=lambda area: (self.data.board.areas[area].country, self.data.board.areas[area].name))

    def here(self, area: AreaId) -> str:
        """Everybody in an area, in words."""
        return ", ".join(map(self.told, self.occupation.at(area)))


def _short_names(data: GameData, state: State) -> dict[UnitId, str]:
    """Names without a nation where no other unit of the side on the map has the same."""
    plain = Counter((side_of(name), data.unit(name).name) for name in state.units)
    names = ((name, data.name(name)) for name in state.units if plain[side_of(name), data.unit(name).name] == 1)
    return {name: short for name, short in names if written_unit(data, name).startswith(short)}


def _open_marks(unit: Unit) -> Iterator[str]:
    """What everybody sees of a unit, of either side."""
    if unit.disorganized:
        yield "R"
    if unit.loaded:
        yield ABOARD[unit.train]


def strength(units: Iterable[Unit]) -> str:
    """`44 SP`, and `HQ alone` where nobody else is."""
    points = sum(unit.strength for unit in units)
    return f"{points} SP" if points else "HQ alone"
