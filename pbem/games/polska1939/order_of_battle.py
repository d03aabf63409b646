"""Who fights in Polska 1939, when and where they come, the two combat tables, terrain costs and all other figures.

Pure: whoever calls hands over file names and bytes. A day is a number, 1 for 1 IX to 35 for 5 X. Left out: the map
(`board.py`), which areas exist, and everything that the rules make of these figures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Generic, NoReturn, TypeAlias, TypeVar

from pbem.errors import BadRequest
from pbem.rules.csv_file import Row, read_rows

UNITS, SETUP, REINFORCEMENTS, WITHDRAWALS = "units.csv", "setup.csv", "reinforcements.csv", "withdrawals.csv"
AIR, RESULTS, LOSSES = "air.csv", "combat_result.csv", "combat_losses.csv"
TERRAIN, CONSTANTS = "terrain.csv", "constants.csv"
TERRAINS = ("clear", "forest", "hills", "swamp", "mountains", "river", "vistula", "lake")
TOTALS = range(2, 13)
"""What two dice can show."""
BANDS = ("row", "lowest", "highest", *(str(total) for total in TOTALS), "source", "note")
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
HINT = "correct the file and try again; `pbem tables polska1939` shows the built-in one"
LONGEST_ID = 32
STRONGEST = 99
LAST_DAY = 36
"""Two printed entries name 6 X, a day after the last one played."""
AREA = re.compile(r"[PGSH][0-9]{2,3}")
RESULT = re.compile(r"(?:D([0-9])(?:\(-([0-9])\))?(R)?)?(?:A(?:\(-([0-9])\))?(R)?)?")
Cell = TypeVar("Cell")


class Source(StrEnum):
    """Where a row comes from: the rulebook, a reading of it, or this house."""

    PRINTED = "printed"
    INFERRED = "inferred"
    HOUSE = "house"


class Nation(StrEnum):
    """Poland, Germany, the Soviet Union and Slovakia (1.3)."""

    POLAND = "PL"
    GERMANY = "DE"
    SOVIET_UNION = "SU"
    SLOVAKIA = "SK"


class Kind(StrEnum):
    """Types of land unit (2.0): infantry, cavalry, armour, motorized, light, mountain, home and frontier defence."""

    INF = "INF"
    CAV = "CAV"
    ARM = "ARM"
    MOT = "MOT"
    LARM = "LARM"
    MINF = "MINF"
    ND = "ND"
    FD = "FD"
    HQ = "HQ"


MOTORIZED = (Kind.ARM, Kind.LARM, Kind.MOT, Kind.HQ)


class Size(StrEnum):
    DIVISION = "division"
    BRIGADE = "brigade"
    REGIMENT = "regiment"
    BATTALION = "battalion"
    HEADQUARTERS = "headquarters"


class AirKind(StrEnum):
    """Bombers and offensive air support (2.0)."""

    BOMBER = "BOM"
    SUPPORT = "OFF"


class Arrival(StrEnum):
    UNIT = "unit"
    TRAIN = "train"


class Passage(StrEnum):
    """What a border or an area costs where it is no number: every point that the unit has, or it may not pass."""

    ALL = "all"
    NO = "no"


Cost: TypeAlias = int | Passage
"""Half movement points, or a word."""


class Ground(StrEnum):
    AREA = "area"
    BORDER = "border"
    BOTH = "both"


class Attack(StrEnum):
    """What a terrain leaves of the strength of an attack from it or across it (5.2.9)."""

    FULL = "full"
    HALF = "half"
    NONE = "none"


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
class CombatResult:
    """A cell of the result table: `D1(-2)R` is retreat 1, loss 2 and reorganization, all of the defender.

    `retreat` is in areas, losses are in strength points; `D1AR` lets the attacker reorganize.
    """

    text: str
    retreat: int
    defender_loss: int
    defender_reorganizes: bool
    attacker_loss: int
    attacker_reorganizes: bool


@dataclass(frozen=True, slots=True)
class BandedTable(Generic[Cell]):
    """Rows from the highest values to the lowest, and a column for each total of two dice.

    `lowest` holds the lowest value of each row; beyond the ends the first and the last row go on.
    """

    labels: tuple[str, ...]
    lowest: tuple[int, ...]
    cells: tuple[tuple[Cell, ...], ...]

    def row_of(self, value: int) -> int:
        """The row of a difference or a strength, from 0 at the top."""
        return next((row for row, low in enumerate(self.lowest) if value >= low), len(self.lowest) - 1)

    def cell(self, row: int, total: int) -> Cell:
        """The cell for a total of two dice; a row shifted past an end is the row at that end."""
        return self.cells[min(max(row, 0), len(self.cells) - 1)][TOTALS.index(total)]


class ResultTable(BandedTable[CombatResult]):
    """Rows by attacker minus defender (5.2.1)."""

    __slots__ = ()


class LossTable(BandedTable[int]):
    """Rows by strength; cells are the strength points that the other side loses (5.4.1)."""

    __slots__ = ()


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


GROUPS: Mapping[str, type[Any]] = {
    group.__name__.lower(): group
    for group in (
        Days,
        Rounding,
        Movement,
        Combat,
        Retreat,
        Air,
        Fortification,
        Rail,
        Supply,
        Fuel,
        Recovery,
        Victory,
    )
}


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
    figures = _figures(rows[CONSTANTS])
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
        results=ResultTable(*_banded(rows[RESULTS], _result)),
        losses=LossTable(*_banded(rows[LOSSES], lambda row, column: row.number(column, 0, 9))),
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


def _figures(rows: Iterable[Row]) -> Figures:
    values: dict[str, int] = {}
    known = [f"{name}.{one.name}" for name, group in GROUPS.items() for one in fields(group)]
    for row in rows:
        key = row.unused("key", row.name("key"), values, "a key")
        if key not in known:
            row.refuse("key", "a figure that the rules use")
        row.name("rule")
        values[key] = row.number("value", -9999, 9999)
    for key in known:
        if key not in values:
            raise BadRequest("data.constant", f"expected a line with the key {key!r} in {CONSTANTS}, got none", HINT)
    groups = {
        name: group(**{one.name: values[f"{name}.{one.name}"] for one in fields(group)})
        for name, group in GROUPS.items()
    }
    return Figures(**groups)


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


def _banded(
    rows: tuple[Row, ...], read: Callable[[Row, str], Cell]
) -> tuple[tuple[str, ...], tuple[int, ...], tuple[tuple[Cell, ...], ...]]:
    """Labels, lowest values and cells of rows that follow each other without a gap."""
    lowest: list[int] = []
    for row in rows:
        if row.cells["highest"] != (str(lowest[-1] - 1) if lowest else ""):
            row.refuse("highest", str(lowest[-1] - 1) if lowest else "nothing in the first row")
        if lowest and row is rows[-1] and not row.cells["lowest"]:
            lowest.append(lowest[-1] - 1)
        else:
            lowest.append(row.number("lowest", -999, lowest[-1] - 1 if lowest else 999))
    cells = tuple(tuple(read(row, str(total)) for total in TOTALS) for row in rows)
    return tuple(row.name("row") for row in rows), tuple(lowest), cells


def _result(row: Row, column: str) -> CombatResult:
    text = row.cells[column]
    found = RESULT.fullmatch("" if text == "-" else text or "?")
    if found is None:
        _no_result(row, column)
    retreat, defender, defender_again, attacker, attacker_again = found.groups()
    if "A" in text and not (attacker or attacker_again):
        _no_result(row, column)
    return CombatResult(
        text=text,
        retreat=int(retreat or 0),
        defender_loss=int(defender or 0),
        defender_reorganizes=defender_again is not None,
        attacker_loss=int(attacker or 0),
        attacker_reorganizes=attacker_again is not None,
    )


def _no_result(row: Row, column: str) -> NoReturn:
    row.refuse(column, "a result such as D1(-2)R, D1AR, A(-1)R or -")


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
