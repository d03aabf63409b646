"""Names of units, areas and regions, as players write them and as the program writes them back.

A unit is found by id (`PL-INF-8`), name (`8 INF`, `INF 8`, `"Kempf" ARM`, `Kempf`, `HQ I`), counter code (`Wk`) or a
beginning of one of its words, first among those that are meant (its side's units on the map), then among all of its
side; `SU`, `SK` or `DE` before or behind a name tells nations apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.grammar import LANGUAGE
from pbem.games.polska1939.kinds import Nation
from pbem.games.polska1939.order_of_battle import UnitType
from pbem.games.polska1939.state import SETUP, Side, State, UnitId, side_of
from pbem.rules.known import Known
from pbem.rules.names import fold
from pbem.rules.spelling import Match, Pool, Spelling, find, single


@dataclass(frozen=True, slots=True)
class Namer:
    """The names that an order of one side may use in a position."""

    here: Pool
    side: Pool
    areas: Pool
    regions: Pool
    area_ids: Mapping[str, str]

    def unit(self, text: str) -> Match:
        """A unit of the side; those on the map come first."""
        return find(text, (self.here, self.side))

    def headquarters(self, text: str) -> Match:
        """An HQ of the side, which may be named without saying that it is one."""
        pools = tuple(tuple(one for one in pool if "-HQ-" in one.id) for pool in (self.here, self.side))
        return find(text, (*pools, self.here, self.side))

    def area(self, text: str) -> Match:
        """An area by code, name, or both."""
        return find(text, (self.areas,))

    def whole_area(self, text: str) -> str:
        """The code of an area whose whole name this is, empty otherwise."""
        return self.area_ids.get(fold(text), "")

    def region(self, text: str) -> Match:
        """A region by its name."""
        return find(text, (self.regions,))


def namer(data: GameData, state: State | None, side: Side) -> Namer:
    """The names that `side` may use; without a position all of its units are alike, at set-up the Slovaks are meant."""
    known = lexicon(data)
    mine = tuple(one for one in known.units if side_of(UnitId(one.id)) is side)
    if state is None:
        here = mine
    elif state.phase == SETUP:
        here = tuple(one for one in mine if data.unit(one.id).nation is Nation.SLOVAKIA)
    else:
        here = tuple(one for one in mine if one.id in state.units)
    return Namer(here, mine, known.areas, known.regions, known.area_ids)


# ---------------------------------------------------------------------- all names of a game


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """The names of everything: units and areas in the order of their files, how each is written, what means one thing.

    `unit_ids`, `area_ids` and `region_ids` map whole names (folded) to ids; a name that means two things is in none.
    """

    units: Pool
    areas: Pool
    regions: Pool
    written_units: Mapping[str, str]
    written_areas: Mapping[str, str]
    unit_ids: Mapping[str, str]
    area_ids: Mapping[str, str]
    region_ids: Mapping[str, str]


def _lexicon(data: GameData) -> Lexicon:
    units = _units(tuple(data.forces.units.values()))
    areas = _areas(tuple((code, area.name) for code, area in data.board.areas.items()))
    regions = _areas(tuple((name, name) for name in data.board.regions))
    return Lexicon(
        units=units,
        areas=areas,
        regions=regions,
        written_units={one.id: one.written for one in units},
        written_areas={one.id: one.written for one in areas},
        unit_ids=single(units),
        area_ids=single(areas),
        region_ids=single(regions),
    )


lexicon: Final = Known(_lexicon, most=4)
"""The names of a game's data, the same object for the same data."""


# ---------------------------------------------------------------------- units


def _units(units: tuple[UnitType, ...]) -> Pool:
    whole = {unit.id: tuple(dict.fromkeys(map(fold, _unit_names(unit)))) for unit in units}
    known = Counter((side_of(UnitId(unit)), name) for unit, names in whole.items() for name in names)

    def means_one(unit: UnitType, name: str) -> bool:
        return known[side_of(UnitId(unit.id)), fold(name)] == 1 and LANGUAGE.is_plain(name)

    return tuple(
        Spelling(unit.id, _best(unit, means_one), whole[unit.id], tuple(dict.fromkeys(_words(unit)))) for unit in units
    )


def _best(unit: UnitType, means_one: Callable[[UnitType, str], bool]) -> str:
    """Its name, with the nation where it needs one, or its id where no name would be read back."""
    foreign = unit.nation in (Nation.SOVIET_UNION, Nation.SLOVAKIA)
    names = (f"{unit.name} {unit.nation}",) if foreign else (unit.name, f"{unit.name} {unit.nation}")
    return next((name for name in names if means_one(unit, name)), unit.id)


def _unit_names(unit: UnitType) -> Iterator[str]:
    plain = list(dict.fromkeys(_plain_names(unit)))
    yield unit.id
    for name in plain:
        yield from (name, f"{name} {unit.nation}", f"{unit.nation} {name}")


def _plain_names(unit: UnitType) -> Iterator[str]:
    """`8 INF`, `INF 8` and `8`; `10 ARM-BR` also as `10 ARM`; `Medem` also as `Medem INF`."""
    words = unit.name.replace('"', " ").split()
    yield " ".join(words)
    if unit.code:
        yield from (unit.code, f"{unit.name} {unit.code}")
    kind = words[-1] if words[-1].split("-")[0] == unit.type else ""
    stem = " ".join(words[:-1] if kind else words)
    if stem:
        yield stem
    for said in dict.fromkeys((kind or unit.type.value, unit.type.value)) if stem else ():
        yield from (f"{stem} {said}", f"{said} {stem}")


def _words(unit: UnitType) -> Iterator[str]:
    yield from (word for word in map(fold, unit.name.split()) if word)
    yield from (fold(name) for name in (unit.name, unit.id))


# ---------------------------------------------------------------------- areas and regions


def _areas(areas: tuple[tuple[str, str], ...]) -> Pool:
    known = Counter(fold(name) for code, name in areas for name in dict.fromkeys((code, name)))
    return tuple(_area(code, name, alone=known[fold(name)] == 1) for code, name in areas)


def _area(code: str, name: str, alone: bool) -> Spelling:
    whole = dict.fromkeys(fold(one) for one in (code, name, f"{name} {code}", f"{code} {name}"))
    words = dict.fromkeys(word for word in map(fold, (*name.split(), name)) if word)
    said = name if alone else f"{name} {code}"
    return Spelling(code, said if LANGUAGE.is_plain(said) else code, tuple(whole), tuple(words))


# ---------------------------------------------------------------------- writing


def written_unit(data: GameData, unit: str) -> str:
    """A unit's name as orders are written: what its side reads back, whatever is on the map."""
    return lexicon(data).written_units.get(unit, unit)


def written_area(data: GameData, area: str) -> str:
    """An area's name as orders are written, with its code where two areas have one name."""
    return lexicon(data).written_areas.get(area, area)


def written_region(region: str) -> str:
    """A region's name as orders are written."""
    return region if LANGUAGE.is_plain(region) else f'"{region}"'
