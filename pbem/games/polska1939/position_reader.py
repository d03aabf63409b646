"""Reads the facts of a position text, line by line, into a state (`position.py` says what the text is)."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from pbem.errors import BadRequest
from pbem.games.polska1939.answers import Attacks, Raid, RailRaids
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.names import lexicon
from pbem.games.polska1939.orders import read_attack
from pbem.games.polska1939.s12_scenario import opening_state
from pbem.games.polska1939.s13_victory import SHORT
from pbem.games.polska1939.state import PHASES, SETUP, Aboard, AreaId, City, Side, State, Train, Unit, UnitId
from pbem.log.event import Role
from pbem.rules.names import fold
from pbem.rules.play import Sealed
from pbem.rules.refusal import Refused, shown

SCENARIOS = ("campaign", SHORT)
FACTS = (
    "'day 3', 'phase II', 'unit PL-INF-8 P22 12', 'fort P20 2', 'city P20 german', 'train P62 PL-INF-24', "
    "'lost PL-INF-20' or another fact"
)
HINT = "`pbem show GAME --position` writes a position to start from"
STAGES = {SETUP: "setup", 1: "I", 2: "II", 3: "III", 4: "IV", 5: "V", 6: "VI"}
LAST_DAY = 36
MOST_POINTS = 99_999
_WORDS = re.compile(r'"[^"]*"|\S+')
_NUMBER = re.compile(r"[0-9]{1,9}")
_COMMITMENT = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a line, with its column from 1."""

    text: str
    column: int


class PositionReader:
    """Builds a state line by line."""

    def __init__(self, data: GameData) -> None:
        self._data = data
        self._names = lexicon(data)
        self._state = _empty(data, SCENARIOS[0])
        self._units: dict[UnitId, Unit] = {}
        self._forts: dict[AreaId, int] = {}
        self._cities = dict(self._state.cities)
        self._planned: list[tuple[int, _Word]] = []
        self._words: list[_Word] = []
        self._row, self._number = "", 0

    def read(self, number: int, row: str) -> None:
        """One line, without its comment."""
        self._row, self._number = row, number
        self._words = [_Word(match[0].strip('"'), match.start() + 1) for match in _WORDS.finditer(row)]
        first = self._next(FACTS)
        reading = _READERS.get(first.text.casefold())
        if reading is None:
            self._refuse(FACTS, first)
        reading(self)
        if self._words:
            self._refuse("nothing more in this line", self._words[0])

    def finished(self) -> State:
        """The state that all lines make; planned attacks are read when every unit is in its place."""
        units, forts, cities = _sorted(self._units), _sorted(self._forts), _sorted(self._cities)
        state = replace(self._state, units=units, forts=forts, cities=cities)
        if not self._planned:
            return state
        orders = [self._attack(state, *planned) for planned in self._planned if planned[1].text != "pass"]
        return replace(state, planned=Attacks(attacks=tuple(orders)))

    def _attack(self, state: State, number: int, line: _Word) -> Any:
        try:
            return read_attack(self._data, state, state.active, line.text)
        except Refused as refused:
            first = refused.refusals[0]
            self._number = number
            column = line.column + max(0, first.column - 1)
            self._refuse(first.text.removeprefix("expected ").split(", got ")[0], _Word(line.text, column))

    # ------------------------------------------------------------------ facts

    def scenario(self) -> None:
        word = self._next("a scenario")
        if word.text not in SCENARIOS:
            self._refuse(f"one of {', '.join(SCENARIOS)}", word)
        self._state = replace(self._state, scenario=word.text)

    def day(self) -> None:
        self._state = replace(self._state, day=self._count(1, LAST_DAY))

    def phase(self) -> None:
        word = self._next("a phase")
        known = {name.casefold(): phase for phase, name in STAGES.items()}
        if word.text.casefold() not in known:
            self._refuse(f"one of {', '.join(STAGES.values())}", word)
        self._state = replace(self._state, phase=known[word.text.casefold()])

    def crossed(self) -> None:
        self._state = replace(self._state, crossed=True)

    def unit(self) -> None:
        unit, area, strength = self._unit_id(), self._area_id(), self._count(0, 99)
        conditions: dict[str, Any] = {}
        while self._words:
            word = self._next("a condition")
            change = _CONDITIONS.get(word.text.casefold())
            if change is None:
                self._refuse("'grows', 'fuel', 'R', 'train', 'disturbed' or 'exerted'", word)
            conditions |= change(self)
        self._units[unit] = Unit(unit, area, strength, **conditions)

    def fort(self) -> None:
        area = self._area_id()
        self._forts[area] = self._count(1, self._data.figures.fortification.field_levels)

    def train(self) -> None:
        train = Train(self._area_id(), self._unit_id())
        self._state = replace(self._state, trains=(*self._state.trains, train))

    def city(self) -> None:
        area, holder, point = self._area_id(), self._side(), None
        if self._words:
            self._keyword("point")
            point = self._side()
        self._cities[area] = City(holder, point)

    def losses(self) -> None:
        side, points = self._side(), self._count(0, MOST_POINTS)
        self._state = replace(self._state, losses=_sorted({**self._state.losses, side: points}))

    def lost(self) -> None:
        self._state = replace(self._state, lost=(*self._state.lost, *self._rest(self._unit_id)))

    def withdrawn(self) -> None:
        self._state = replace(self._state, withdrawn=(*self._state.withdrawn, *self._rest(self._unit_id)))

    def waiting(self) -> None:
        self._state = replace(self._state, waiting=(*self._state.waiting, *self._rest(self._unit_id)))

    def bombed(self) -> None:
        self._state = replace(self._state, bombed=(*self._state.bombed, *self._rest(self._area_id)))

    def used(self) -> None:
        numbers = self._rest(lambda: self._count(1, 9))
        self._state = replace(self._state, air_used=(*self._state.air_used, *numbers))

    def raid(self) -> None:
        opened = self._state.raids_opened or RailRaids()
        if self._words and self._words[0].text == "none":
            self._next("none")
        else:
            raid = Raid(region=self._region(), bombers=self._count(1, 9))
            opened = RailRaids(raids=(*opened.raids, raid))
        self._state = replace(self._state, raids_opened=opened)

    def travellers(self) -> None:
        names = self._rest(self._unit_id)
        self._state = replace(self._state, aboard=(*self._state.aboard, *names))

    def raiders(self) -> None:
        strengths = self._rest(lambda: self._count(1, 9))
        self._state = replace(self._state, raiders=(*self._state.raiders, *strengths))

    def regions(self) -> None:
        names = self._rest(self._region)
        self._state = replace(self._state, raid_regions=(*self._state.raid_regions, *names))

    def planned(self) -> None:
        """An attack in the order language, or `pass`; read when every unit has its place."""
        column = self._next("an attack or 'pass'").column
        self._planned.append((self._number, _Word(self._row[column - 1 :], column)))
        self._words = []

    def sealed(self) -> None:
        """What is sealed, whose, the kind of question, the step of the log, the commitment."""
        what = self._next("'raids' or 'destinations'")
        role, kind = Role(self._side().value), self._next("a kind of question").text
        step, commitment = self._count(0, 999_999_999), self._next("a commitment")
        if not _COMMITMENT.fullmatch(commitment.text):
            self._refuse("64 hexadecimal digits", commitment)
        one = Sealed(role, kind, step, commitment.text)
        if what.text == "raids":
            self._state = replace(self._state, raids=one)
        elif what.text == "destinations":
            self._state = replace(self._state, destinations=(*self._state.destinations, one))
        else:
            self._refuse("'raids' or 'destinations'", what)

    # ------------------------------------------------------------------ conditions of a unit

    def grows(self) -> dict[str, Any]:
        return {"ceiling": self._count(0, 99)}

    def fuel(self) -> dict[str, Any]:
        return {"fuel": self._count(0, 9)}

    def disorganized(self) -> dict[str, Any]:
        return {"disorganized": True}

    def aboard(self) -> dict[str, Any]:
        word = self._next("'came', 'sealed' or 'arrived'")
        if word.text not in [one.value for one in Aboard if one]:
            self._refuse("'came', 'sealed' or 'arrived'", word)
        return {"train": Aboard(word.text)}

    def disturbed(self) -> dict[str, Any]:
        return {"disturbed": self._count(0, PHASES * LAST_DAY)}

    def exerted(self) -> dict[str, Any]:
        return {"exerted": self._count(0, PHASES * LAST_DAY)}

    # ------------------------------------------------------------------ words

    def _next(self, expected: str) -> _Word:
        if not self._words:
            self._refuse(expected, _Word("", len(self._row) + 1))
        return self._words.pop(0)

    def _keyword(self, text: str) -> None:
        word = self._next(f"'{text}'")
        if word.text.casefold() != text:
            self._refuse(f"'{text}'", word)

    def _count(self, least: int, most: int) -> int:
        word = self._next(f"a whole number from {least} to {most}")
        if not _NUMBER.fullmatch(word.text) or not least <= int(word.text) <= most:
            self._refuse(f"a whole number from {least} to {most}", word)
        return int(word.text)

    def _side(self) -> Side:
        word = self._next("german or polish")
        if word.text.casefold() not in [side.value for side in Side]:
            self._refuse("german or polish", word)
        return Side(word.text.casefold())

    def _unit_id(self) -> UnitId:
        return UnitId(self._known(self._data.forces.units, self._names.unit_ids, "the id of a unit, such as PL-INF-8"))

    def _area_id(self) -> AreaId:
        return AreaId(self._known(self._data.board.areas, self._names.area_ids, "the code of an area, such as P20"))

    def _region(self) -> str:
        return self._known(self._data.board.regions, self._names.region_ids, "the name of a region")

    def _known(self, ids: Container[str], names: Mapping[str, str], expected: str) -> str:
        """An id, or the id of a whole name."""
        word = self._next(expected)
        if word.text in ids:
            return word.text
        return names.get(fold(word.text)) or self._refuse(expected, word)

    def _rest(self, read: Callable[[], Any]) -> tuple[Any, ...]:
        found = [read()]
        while self._words:
            found.append(read())
        return tuple(found)

    def _refuse(self, expected: str, word: _Word) -> NoReturn:
        got = f"'{shown(word.text)}'" if word.text else "the end of the line"
        where = f"in line {self._number}, column {word.column}"
        raise BadRequest("position.unreadable", f"expected {expected}, got {got} {where}", HINT)


_READERS: Mapping[str, Callable[[PositionReader], None]] = {
    "scenario": PositionReader.scenario,
    "day": PositionReader.day,
    "phase": PositionReader.phase,
    "crossed": PositionReader.crossed,
    "unit": PositionReader.unit,
    "fort": PositionReader.fort,
    "train": PositionReader.train,
    "city": PositionReader.city,
    "losses": PositionReader.losses,
    "lost": PositionReader.lost,
    "withdrawn": PositionReader.withdrawn,
    "waiting": PositionReader.waiting,
    "bombed": PositionReader.bombed,
    "used": PositionReader.used,
    "raid": PositionReader.raid,
    "aboard": PositionReader.travellers,
    "raiders": PositionReader.raiders,
    "regions": PositionReader.regions,
    "planned": PositionReader.planned,
    "sealed": PositionReader.sealed,
}
_CONDITIONS: Mapping[str, Callable[[PositionReader], dict[str, Any]]] = {
    "grows": PositionReader.grows,
    "fuel": PositionReader.fuel,
    "r": PositionReader.disorganized,
    "train": PositionReader.aboard,
    "disturbed": PositionReader.disturbed,
    "exerted": PositionReader.exerted,
}


def _empty(data: GameData, scenario: str) -> State:
    """A position without anything on the map, at the beginning of phase I of the first day."""
    return replace(opening_state(data, scenario), phase=1, units={}, forts={})


def _sorted(values: Mapping[Any, Any]) -> dict[Any, Any]:
    return {key: values[key] for key in sorted(values)}
