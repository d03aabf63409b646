"""Who fights in Polska 1939, when and where they come, the two combat tables, terrain costs and all other figures.

Pure: whoever calls hands over file names and bytes. A day is a number, 1 for 1 IX to 35 for 5 X. Left out: the map
(`board.py`), which areas exist, and everything that the rules make of these figures.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from pbem.errors import BadRequest
from pbem.games.polska1939.combat_tables import BANDS, LossTable, ResultTable, read_bands, read_result
from pbem.games.polska1939.figures import CONSTANTS, Figures
from pbem.games.polska1939.kinds import HINT, MOTORIZED, AirKind, Attack, Cost, Ground, Kind, Nation, Passage, Size
from pbem.rules.csv_file import Row, read_rows
from pbem.rules.figures import read_figures
from pbem.rules.tables import Source

UNITS, SETUP, REINFORCEMENTS, WITHDRAWALS = "units.csv", "setup.csv", "reinforcements.csv", "withdrawals.csv"
AIR, RESULTS, LOSSES = "air.csv", "combat_result.csv", "combat_losses.csv"
TERRAIN = "terrain.csv"
TERRAINS = ("clear", "forest", "hills", "swamp", "mountains", "river", "vistula", "lake")
COLUMNS: Mapping[str, tuple[str, ...]] = {
    UNITS: ("id", "nation", "name", "code", "type", "size", "maximum", "attack", "defence", "front", "source", "note"),
    SETUP: ("unit", "area", "strength", "loaded", "field_fort", "day", "enters", "source", "note"),
    REINFORCEMENTS: ("day", "kind", "unit", "area", "joins", "strength", "loaded", "may_enter", "source", "note"),
    WITHDRAWALS: ("day", "unit", "destination", "source", "note"),
    AIR: ("nation", "kind", "first", "last", "count", "strength", "source", "note"),
    RESULTS: BANDS,
    LOSSES: BANDS,
    TERRAIN: (
        "terrain",
        "on",
        "foot_halves",
        "cavalry_halves",
        "motorized_halves",
        "modifier",
        "attack",
        "source",
        "note",
    ),
    CONSTANTS: ("key", "value", "rule", "source", "note"),
}
NEEDED = tuple(COLUMNS)
"""The files that `parse_order_of_battle` reads."""
LONGEST_ID = 32
STRONGEST = 99
LAST_DAY = 36
"""Two printed entries name 6 X, a day after the last one played."""
AREA = re.compile(r"[PGSH][0-9]{2,3}")


class Arrival(StrEnum):
    UNIT = "unit"
    TRAIN = "train"


@dataclass(frozen=True, slots=True)
class UnitType:
    """One counter.

    `maximum` is in strength points and 0 for an HQ, whose `attack` and `defence` are its factors (10.1.1).
    `movement` is in half movement points (4.1.2), `fuel` the highest level and 0 where fuel is no matter (9.2.2).
    """

    id: str
    nation: Nation
    name: str
    code: str
    type: Kind
    size: Size
    maximum: int
    attack: int
    defence: int
    front: str
    movement: int
    fuel: int

    @property
    def is_motorized(self) -> bool:
        """ARM, LARM, MOT and HQ (2.0)."""
        return self.type in MOTORIZED

    @property
    def uses_fuel(self) -> bool:
        """German and Soviet ARM, LARM and MOT (9.2.1)."""
        return self.fuel > 0


@dataclass(frozen=True, slots=True)
class Placement:
    """A unit at set-up: on `day` with `fort` levels of field fortification, in Poland from the day `enters` on."""

    unit: str
    area: str
    strength: int
    loaded: bool
    fort: int
    day: int
    enters: int


@dataclass(frozen=True, slots=True)
class Reinforcement:
    """A unit that comes later (11.1.1), to `area`, or where that is empty to the area of the unit `joins`."""

    day: int
    unit: str
    area: str
    joins: str
    strength: int
    loaded: bool
    may_enter: bool


@dataclass(frozen=True, slots=True)
class Train:
    """An empty train that comes for a unit (8.1.2)."""

    day: int
    area: str
    unit: str


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A unit that leaves for good; `destination` is only told."""

    day: int
    unit: str
    destination: str


@dataclass(frozen=True, slots=True)
class AirRow:
    """`count` air units of one strength on every day from `first` to `last`."""

    nation: Nation
    kind: AirKind
    first: int
    last: int
    count: int
    strength: int


@dataclass(frozen=True, slots=True)
class Terrain:
    """What a terrain adds to the cost of an area (4.2) and to the shift of an attack (1.2)."""

    name: str
    on: Ground
    foot: Cost
    cavalry: Cost
    motorized: Cost
    modifier: int
    attack: Attack

    def cost(self, kind: Kind) -> Cost:
        """Half movement points for a type of unit; that an HQ does not pay them is a rule (4.2.6)."""
        if kind in MOTORIZED:
            return self.motorized
        return self.cavalry if kind is Kind.CAV else self.foot


@dataclass(frozen=True, slots=True)
class OrderOfBattle:
    """All of it, in the order of the files."""

    units: Mapping[str, UnitType]
    placements: tuple[Placement, ...]
    reinforcements: tuple[Reinforcement, ...]
    trains: tuple[Train, ...]
    withdrawals: tuple[Withdrawal, ...]
    air: tuple[AirRow, ...]
    results: ResultTable
    losses: LossTable
    terrain: Mapping[str, Terrain]
    figures: Figures


def parse_order_of_battle(files: Mapping[str, bytes]) -> OrderOfBattle:
    """Read the tables; `files` maps a file name to its bytes, and other files than these are not looked at.

    Raises `BadRequest` with file, line and column where a table is missing or does not hold what it should.
    """
    rows = {name: _rows(files, name) for name in COLUMNS}
    figures = read_figures(Figures, rows[CONSTANTS], CONSTANTS, HINT)
    units = _units(rows[UNITS], figures)
    placements = tuple(_placements(rows[SETUP], units))
    placed = [placement.unit for placement in placements]
    return OrderOfBattle(
        units=units,
        placements=placements,
        reinforcements=tuple(_reinforcements(rows[REINFORCEMENTS], units, placed)),
        trains=tuple(_trains(rows[REINFORCEMENTS], units)),
        withdrawals=tuple(_withdrawals(rows[WITHDRAWALS], units)),
        air=tuple(_air_row(row) for row in rows[AIR]),
        results=ResultTable(*read_bands(rows[RESULTS], read_result)),
        losses=LossTable(*read_bands(rows[LOSSES], lambda row, column: row.number(column, 0, 9))),
        terrain=_terrains(rows[TERRAIN]),
        figures=figures,
    )


def _rows(files: Mapping[str, bytes], name: str) -> tuple[Row, ...]:
    if name not in files:
        raise BadRequest("data.missing", f"expected {name} among the data files, got none", "add the file")
    rows = read_rows(name, files[name], COLUMNS[name], HINT)
    if not rows:
        raise BadRequest("data.rows", f"expected rows below line 1 of {name}, got none", HINT)
    for row in rows:
        row.choice("source", Source)
        row.text("note")
    return rows


def _units(rows: Iterable[Row], figures: Figures) -> Mapping[str, UnitType]:
    found: dict[str, UnitType] = {}
    names: list[tuple[Nation, str]] = []
    for row in rows:
        unit = _unit(row, figures)
        row.unused("id", unit.id, found, "a unit")
        row.unused("name", unit.name, [name for nation, name in names if nation is unit.nation], "a name")
        names.append((unit.nation, unit.name))
        found[unit.id] = unit
    return MappingProxyType(found)


def _unit(row: Row, figures: Figures) -> UnitType:
    nation, kind, size = row.choice("nation", Nation), row.choice("type", Kind), row.choice("size", Size)
    if (kind is Kind.HQ) != (size is Size.HEADQUARTERS):
        row.refuse("size", "headquarters for an HQ and for nothing else")
    least, most = (0, 0) if kind is Kind.HQ else (1, STRONGEST)
    return UnitType(
        id=row.id("id", LONGEST_ID),
        nation=nation,
        name=row.name("name"),
        code=row.text("code"),
        type=kind,
        size=size,
        maximum=row.number("maximum", least, most),
        attack=_factor(row, "attack", kind),
        defence=_factor(row, "defence", kind),
        front=row.name("front"),
        movement=figures.movement.of(kind),
        fuel=figures.fuel.maximum(nation, kind),
    )


def _factor(row: Row, column: str, kind: Kind) -> int:
    if kind is Kind.HQ:
        return row.number(column, 0, STRONGEST)
    return row.refuse(column, "nothing, since the unit is no HQ,") if row.cells[column] else 0


def _placements(rows: Iterable[Row], units: Mapping[str, UnitType]) -> Iterator[Placement]:
    placed: list[str] = []
    for row in rows:
        unit = _known(row, "unit", units)
        placed.append(row.unused("unit", unit.id, placed, "a unit"))
        day = row.number("day", 1, LAST_DAY)
        yield Placement(
            unit=unit.id,
            area=_area(row),
            strength=_strength(row, unit),
            loaded=row.flag("loaded"),
            fort=row.number("field_fort", 0, 2),
            day=day,
            enters=row.number("enters", day, LAST_DAY) if row.cells["enters"] else day,
        )


def _reinforcements(
    rows: Iterable[Row], units: Mapping[str, UnitType], placed: Collection[str]
) -> Iterator[Reinforcement]:
    taken = list(placed)
    for row in rows:
        if row.choice("kind", Arrival) is Arrival.TRAIN:
            continue
        unit = _known(row, "unit", units)
        taken.append(row.unused("unit", unit.id, taken, "a unit"))
        joins = _known(row, "joins", units).id if row.cells["joins"] else ""
        yield Reinforcement(
            day=row.number("day", 1, LAST_DAY),
            unit=unit.id,
            area="" if joins and not row.cells["area"] else _area(row),
            joins=joins,
            strength=_strength(row, unit),
            loaded=row.flag("loaded"),
            may_enter=row.flag("may_enter"),
        )


def _trains(rows: Iterable[Row], units: Mapping[str, UnitType]) -> Iterator[Train]:
    for row in rows:
        if row.choice("kind", Arrival) is Arrival.TRAIN:
            yield Train(row.number("day", 1, LAST_DAY), _area(row), _known(row, "unit", units).id)


def _withdrawals(rows: Iterable[Row], units: Mapping[str, UnitType]) -> Iterator[Withdrawal]:
    taken: list[str] = []
    for row in rows:
        unit = row.unused("unit", _known(row, "unit", units).id, taken, "a unit")
        taken.append(unit)
        yield Withdrawal(row.number("day", 1, LAST_DAY), unit, row.text("destination"))


def _air_row(row: Row) -> AirRow:
    first = row.number("first", 1, LAST_DAY)
    return AirRow(
        nation=row.choice("nation", Nation),
        kind=row.choice("kind", AirKind),
        first=first,
        last=row.number("last", first, LAST_DAY),
        count=row.number("count", 1, 9),
        strength=row.number("strength", 1, 9),
    )


def _known(row: Row, column: str, units: Mapping[str, UnitType]) -> UnitType:
    return units.get(row.cells[column]) or row.refuse(column, f"a unit of {UNITS}")


def _area(row: Row) -> str:
    code = row.cells["area"]
    return code if AREA.fullmatch(code) else row.refuse("area", "the code of an area, such as P24")


def _strength(row: Row, unit: UnitType) -> int:
    return row.number("strength", min(1, unit.maximum), unit.maximum)


def _terrains(rows: Iterable[Row]) -> Mapping[str, Terrain]:
    found: dict[str, Terrain] = {}
    for row in rows:
        terrain = _terrain(row)
        found[row.unused("terrain", terrain.name, found, "a terrain")] = terrain
    for name in TERRAINS:
        if name not in found:
            raise BadRequest("data.terrain", f"expected a line for {name!r} in {TERRAIN}, got none", HINT)
    return MappingProxyType(found)


def _terrain(row: Row) -> Terrain:
    return Terrain(
        name=row.name("terrain"),
        on=row.choice("on", Ground),
        foot=_cost(row, "foot_halves"),
        cavalry=_cost(row, "cavalry_halves"),
        motorized=_cost(row, "motorized_halves"),
        modifier=row.number("modifier", -9, 0),
        attack=row.choice("attack", Attack),
    )


def _cost(row: Row, column: str) -> Cost:
    word = row.cells[column]
    return Passage(word) if word in list(Passage) else row.number(column, 0, 99)
