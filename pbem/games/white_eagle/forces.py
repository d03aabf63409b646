"""The counters: units with their factors and places, chits, and the turn track, read from the data files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from pbem.errors import BadRequest
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.figures import CONSTANTS, Figures
from pbem.games.white_eagle.kinds import HINT, ChitKind, Command, Event, Kind, Nation, Side
from pbem.rules.csv_file import Row, read_rows
from pbem.rules.figures import read_figures
from pbem.rules.tables import Source

UnitId = NewType("UnitId", str)
ChitId = NewType("ChitId", str)
UNITS, SETUP, CHITS, TURNS = "units.csv", "setup.csv", "chits.csv", "turns.csv"
COLUMNS: Mapping[str, tuple[str, ...]] = {
    UNITS: (
        *("id", "nation", "command", "army", "name", "type", "steps", "factor_full", "factor_reduced", "dice"),
        *("flips_on", "source", "note"),
    ),
    SETUP: ("unit", "box", "reduced", "moves_from", "source", "note"),
    CHITS: ("id", "kind", "what", "count", "cup", "source", "note"),
    TURNS: ("turn", "first", "last", "source", "note"),
    CONSTANTS: ("key", "value", "rule", "source", "note"),
}
MOST_COPIES = 9


@dataclass(frozen=True, slots=True)
class UnitType:
    """What is printed on a counter (2.2).

    `factor_full` and `factor_reduced` are the lowest numbers that hit; `dice` are thrown at full strength. A unit that
    begins reduced is turned over on turn `flips_on` (3.1), before which it may not move if it has one step (7.3).
    """

    id: UnitId
    nation: Nation
    command: Command
    army: str
    name: str
    type: Kind
    steps: int
    factor_full: int
    factor_reduced: int
    dice: int
    flips_on: int
    source: Source

    @property
    def side(self) -> Side:
        """Whose unit it is."""
        return self.nation.side

    @property
    def is_polish_cavalry(self) -> bool:
        """Whether it rolls first (8.3)."""
        return self.nation is Nation.POLISH and self.type is Kind.CAV

    @property
    def is_panzer(self) -> bool:
        """Whether it has two red dice (2.2)."""
        return self.dice > 1


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a unit begins, whether on its reduced side, and the turn from which it may move (3.1)."""

    unit: UnitId
    box: BoxId
    reduced: bool
    moves_from: int


class Start(StrEnum):
    """Where a chit is before the first draw: in the cup, with the German player, on the turn track (3.2)."""

    CUP = "cup"
    HELD = "held"
    ASIDE = "aside"


@dataclass(frozen=True, slots=True)
class Chit:
    """One chit: `command` or `event` is what it brings, none of them for a Turn End chit."""

    id: ChitId
    kind: ChitKind
    command: Command | None
    event: Event | None
    start: Start

    @property
    def meaning(self) -> str:
        """Chits of one meaning are alike, whichever copy is drawn."""
        return self.command or self.event or self.kind

    @property
    def title(self) -> str:
        """`German North`, `Ju 87 Stuka`, `Turn End`, for people."""
        if self.command:
            return self.command.full_name
        return self.event.full_name if self.event else "Turn End"


@dataclass(frozen=True, slots=True)
class Dates:
    """First and last day of a turn, for people."""

    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Forces:
    units: Mapping[UnitId, UnitType]
    placements: tuple[Placement, ...]
    chits: Mapping[ChitId, Chit]
    turns: Mapping[int, Dates]
    figures: Figures


def parse_forces(files: Mapping[str, bytes]) -> Forces:
    """The counters in the files; BadRequest names file, line and column of what is wrong."""
    for name in COLUMNS:
        if name not in files:
            raise BadRequest("data.missing", f"expected {name} among the data files, got none", "add the file")
    rows = {name: read_rows(name, files[name], columns, HINT) for name, columns in COLUMNS.items()}
    units = _units(rows[UNITS])
    return Forces(
        units=units,
        placements=_placements(rows[SETUP], units),
        chits=_chits(rows[CHITS]),
        turns={row.number("turn", 1, 99): Dates(row.name("first"), row.name("last")) for row in rows[TURNS]},
        figures=read_figures(Figures, rows[CONSTANTS], CONSTANTS, HINT),
    )


def _units(rows: tuple[Row, ...]) -> dict[UnitId, UnitType]:
    found: dict[UnitId, UnitType] = {}
    names: list[str] = []
    for row in rows:
        unit = UnitId(row.unused("id", row.id("id", 24), found, "an id"))
        names.append(row.unused("name", row.name("name"), names, "a name"))
        found[unit] = UnitType(
            id=unit,
            nation=row.choice("nation", Nation),
            command=row.choice("command", Command),
            army=row.name("army"),
            name=names[-1],
            type=row.choice("type", Kind),
            steps=row.number("steps", 1, 2),
            factor_full=row.number("factor_full", 2, 6),
            factor_reduced=row.number("factor_reduced", 2, 6),
            dice=row.number("dice", 1, 2),
            flips_on=row.number("flips_on", 0, 99),
            source=row.choice("source", Source),
        )
    return dict(sorted(found.items()))


def _placements(rows: tuple[Row, ...], units: Mapping[UnitId, UnitType]) -> tuple[Placement, ...]:
    found: list[Placement] = []
    for row in rows:
        unit = UnitId(row.unused("unit", row.id("unit", 24), [one.unit for one in found], "a unit"))
        if unit not in units:
            row.refuse("unit", f"a unit of {UNITS}")
        found.append(Placement(unit, BoxId(row.id("box", 24)), row.flag("reduced"), row.number("moves_from", 1, 99)))
    return tuple(found)


def _chits(rows: tuple[Row, ...]) -> dict[ChitId, Chit]:
    found: dict[ChitId, Chit] = {}
    for row in rows:
        name = row.unused("id", row.id("id", 24), found, "an id")
        copies = row.number("count", 1, MOST_COPIES)
        for number in range(1, copies + 1):
            chit = ChitId(f"{name}-{number}" if copies > 1 else name)
            found[chit] = _chit(chit, row)
    return found


def _chit(chit: ChitId, row: Row) -> Chit:
    kind = row.choice("kind", ChitKind)
    return Chit(
        id=chit,
        kind=kind,
        command=row.choice("what", Command) if kind is ChitKind.ACTIVATION else None,
        event=row.choice("what", Event) if kind is ChitKind.EVENT else None,
        start=row.choice("cup", Start),
    )
