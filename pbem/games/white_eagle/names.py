"""Names of units, boxes, events and commands, as players write them and as the program writes them back.

A unit is found by id (`GER-3rd-1`), name (`I Corps`, `Pomorze CAV`, `CAV Pomorze`, `XIX`) or a beginning of one of its
words, first among its side's units on the map, then among all of its side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId, UnitType
from pbem.games.white_eagle.grammar import LANGUAGE
from pbem.games.white_eagle.kinds import Command, Event, Kind, Side
from pbem.games.white_eagle.state import State, side_of
from pbem.rules.known import Known
from pbem.rules.names import fold
from pbem.rules.spelling import Match, Pool, Spelling, find, single

TYPE_WORDS: Mapping[Kind, tuple[str, ...]] = {
    Kind.INF: ("INF", "infantry"),
    Kind.CAV: ("CAV", "cavalry"),
    Kind.LARM: ("LARM", "light armour", "light armor"),
    Kind.ARM: ("ARM", "armour", "armor"),
}
OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "Warszawa": ("Warsaw",),
    "Krakow": ("Cracow",),
    "Gdynia": ("Hel",),
    "Danzig": ("Gdańsk",),
    "Lodz": ("Lodsch",),
    "Lwow": ("Lemberg",),
    "Brzesc-Litewski": ("Brest", "Brest-Litovsk"),
}
"""What a player may call a box besides the names of the map."""


@dataclass(frozen=True, slots=True)
class Namer:
    """The names that an order of one side may use in a position."""

    here: Pool
    side: Pool
    boxes: Pool
    box_ids: Mapping[str, str]

    def unit(self, text: str) -> Match:
        """A unit of the side; those on the map come first."""
        return find(text, (self.here, self.side))

    def is_unit(self, text: str) -> bool:
        """Whether a text is the whole name of one or more units of the side."""
        return any(fold(text) in one.whole for one in self.side)

    def box(self, text: str) -> Match:
        """A box."""
        return find(text, (self.boxes,))

    def whole_box(self, text: str) -> str:
        """The id of a box whose whole name this is, empty otherwise."""
        return self.box_ids.get(fold(text), "")


def namer(data: GameData, state: State | None, side: Side) -> Namer:
    """The names that `side` may use; without a position all of its units are alike."""
    known = lexicon(data)
    mine = tuple(one for one in known.units if side_of(UnitId(one.id)) is side)
    here = mine if state is None else tuple(one for one in mine if one.id in state.units)
    return Namer(here, mine, known.boxes, known.box_ids)


def event(text: str) -> Match:
    """An event, whosesoever it is: `stuka`, `Ju 87`, `P.11`, `train`."""
    return find(text, (_EVENTS,))


def is_event(text: str) -> bool:
    """Whether a text is the whole name of an event."""
    return any(fold(text) in one.whole for one in _EVENTS)


def command(text: str, commands: Iterable[Command]) -> Match:
    """One of some commands: `North`, `German North`, `GER-North`."""
    return find(text, (tuple(_command(one) for one in commands),))


def _event(one: Event) -> Spelling:
    names = (
        one.value,
        one.full_name,
        *one.full_name.split(),
        *((one.full_name.rpartition(" ")[0],) if " " in one.full_name else ()),
    )
    whole = tuple(dict.fromkeys(map(fold, names)))
    return Spelling(one.value, written_event(one), whole, whole)


def _command(one: Command) -> Spelling:
    names = (one.value, one.full_name, short_command(one))
    whole = tuple(dict.fromkeys(map(fold, names)))
    return Spelling(one.value, one.full_name, whole, whole)


def written_event(one: Event) -> str:
    """An event as orders are written: `stuka`."""
    return one.value.lower()


def short_command(one: Command) -> str:
    """A command without its nation: `North`."""
    return one.value.partition("-")[2]


_EVENTS = tuple(map(_event, Event))


# ---------------------------------------------------------------------- all names of a game


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """The names of everything: units and boxes in the order of the data, how each is written, what means one thing.

    `unit_ids` and `box_ids` map whole names (folded) to ids; a name that means two things is in none.
    """

    units: Pool
    boxes: Pool
    written_units: Mapping[str, str]
    written_boxes: Mapping[str, str]
    unit_ids: Mapping[str, str]
    box_ids: Mapping[str, str]


def _lexicon(data: GameData) -> Lexicon:
    units = _units(tuple(data.forces.units.values()))
    boxes = _boxes({box.id: box.name for box in data.board.boxes.values()})
    return Lexicon(
        units=units,
        boxes=boxes,
        written_units={one.id: one.written for one in units},
        written_boxes={one.id: one.written for one in boxes},
        unit_ids=single(units),
        box_ids=single(boxes),
    )


lexicon: Final = Known(_lexicon, most=4)
"""The names of a game's data, the same object for the same data."""


def _units(units: tuple[UnitType, ...]) -> Pool:
    whole = {unit.id: _folded((unit.id, *_unit_names(unit))) for unit in units}
    known = Counter((unit.side, name) for unit in units for name in whole[unit.id])

    def is_known(unit: UnitType) -> bool:
        return known[unit.side, fold(unit.name)] == 1

    return tuple(_unit(unit, whole[unit.id], is_known) for unit in units)


def _unit(unit: UnitType, whole: tuple[str, ...], is_known: Callable[[UnitType], bool]) -> Spelling:
    written = unit.name if is_known(unit) and LANGUAGE.is_plain(unit.name) else unit.id
    return Spelling(unit.id, written, whole, _folded((*unit.name.split(), unit.name, unit.id)))


def _unit_names(unit: UnitType) -> Iterator[str]:
    """`Pomorze INF`, `INF Pomorze`, `Pomorze infantry`, `Pomorze`; `XIX Panzer` and `XIX`."""
    words = unit.name.split()
    yield from (unit.name, words[0])
    stem = " ".join(word for word in words if word != unit.type)
    if stem != unit.name or len(words) == 1:
        yield stem
        for said in TYPE_WORDS[unit.type]:
            yield from (f"{stem} {said}", f"{said} {stem}")


def _boxes(boxes: Mapping[str, str]) -> Pool:
    whole = {box: _folded((box, name, *OTHER_NAMES.get(box, ()))) for box, name in boxes.items()}
    known = Counter(name for names in whole.values() for name in names)

    def written(box: str, name: str) -> str:
        return name if known[fold(name)] == 1 and LANGUAGE.is_plain(name) else box

    def words(box: str, name: str) -> tuple[str, ...]:
        said = " ".join((name, box.replace("-", " "), *OTHER_NAMES.get(box, ())))
        return _folded((*said.split(), name))

    return tuple(Spelling(box, written(box, name), whole[box], words(box, name)) for box, name in boxes.items())


def _folded(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, map(fold, names))))


# ---------------------------------------------------------------------- writing


def written_unit(data: GameData, unit: str) -> str:
    """A unit's name as orders are written: what its side reads back, whatever is on the map."""
    return lexicon(data).written_units.get(unit, unit)


def written_box(data: GameData, box: str) -> str:
    """A box's name as orders are written."""
    return lexicon(data).written_boxes.get(box, box)
