"""Reads the facts of a position text, line by line, into a state (`position.py` says what the text is)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from pbem.games.polska1939.answers import Attacks, Raid, RailRaids
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.names import lexicon
from pbem.games.polska1939.orders import read_attack
from pbem.games.polska1939.s12_scenario import opening_state
from pbem.games.polska1939.s13_victory import SHORT
from pbem.games.polska1939.state import PHASES, SETUP, Aboard, AreaId, City, Side, State, Train, Unit, UnitId
from pbem.log.event import Role
from pbem.rules.fact_lines import FactReader, Word
from pbem.rules.play import Sealed
from pbem.rules.refusal import Refused

SCENARIOS = ("campaign", SHORT)
FACTS = (
    "'day 3', 'phase II', 'unit PL-INF-8 P22 12', 'fort P20 2', 'city P20 german', 'train P62 PL-INF-24', "
    "'lost PL-INF-20' or another fact"
)
STAGES = {SETUP: "setup", 1: "I", 2: "II", 3: "III", 4: "IV", 5: "V", 6: "VI"}
LAST_DAY = 36
MOST_POINTS = 99_999
_COMMITMENT = re.compile(r"[0-9a-f]{64}")


class PositionReader(FactReader):
    """Builds a state line by line."""

    facts = FACTS
    single = frozenset(("scenario", "day", "phase"))

    def __init__(self, data: GameData) -> None:
        super().__init__({word: partial(read, self) for word, read in _READERS.items()})
        self._data = data
        self._names = lexicon(data)
        self._state = _empty(data, SCENARIOS[0])
        self._units: dict[UnitId, Unit] = {}
        self._forts: dict[AreaId, int] = {}
        self._cities = dict(self._state.cities)
        self._planned: list[tuple[int, Word]] = []

    def finished(self) -> State:
        """The state that all lines make; planned attacks are read when every unit is in its place."""
        units, forts, cities = _sorted(self._units), _sorted(self._forts), _sorted(self._cities)
        state = replace(self._state, units=units, forts=forts, cities=cities)
        if not self._planned:
            return state
        orders = [self._attack(state, *planned) for planned in self._planned if planned[1].text != "pass"]
        return replace(state, planned=Attacks(attacks=tuple(orders)))

    def _attack(self, state: State, number: int, line: Word) -> Any:
        try:
            return read_attack(self._data, state, state.active, line.text)
        except Refused as refused:
            self.refuse_order(refused, line, number)

    # ------------------------------------------------------------------ facts

    def scenario(self) -> None:
        scenario = self.one_of({name: name for name in SCENARIOS}, f"one of {', '.join(SCENARIOS)}")
        self._state = replace(self._state, scenario=scenario)

    def day(self) -> None:
        self._state = replace(self._state, day=self.count(1, LAST_DAY))

    def phase(self) -> None:
        known = {name: phase for phase, name in STAGES.items()}
        self._state = replace(self._state, phase=self.one_of(known, f"one of {', '.join(known)}"))

    def crossed(self) -> None:
        self._state = replace(self._state, crossed=True)

    def unit(self) -> None:
        unit, area, strength = self.once("a unit", self._unit_id), self._area_id(), self.count(0, 99)
        conditions: dict[str, Any] = {}
        while self.words_left:
            word = self.next_word("a condition")
            change = _CONDITIONS.get(word.text.casefold())
            if change is None:
                self.refuse("'grows', 'fuel', 'R', 'train', 'disturbed' or 'exerted'", word)
            conditions |= change(self)
        self._units[unit] = Unit(unit, area, strength, **conditions)

    def fort(self) -> None:
        area = self.once("a fort", self._area_id)
        self._forts[area] = self.count(1, self._data.figures.fortification.field_levels)

    def train(self) -> None:
        train = Train(self._area_id(), self.once("a unit on rails", self._unit_id))
        self._state = replace(self._state, trains=(*self._state.trains, train))

    def city(self) -> None:
        area, holder, point = self.once("a city", self._area_id), self._side(), None
        if self.words_left:
            self.keyword("point")
            point = self._side()
        self._cities[area] = City(holder, point)

    def losses(self) -> None:
        side, points = self.once("a side", self._side), self.count(0, MOST_POINTS)
        self._state = replace(self._state, losses=_sorted({**self._state.losses, side: points}))

    def lost(self) -> None:
        self._state = replace(self._state, lost=(*self._state.lost, *self._units_of("a lost unit")))

    def withdrawn(self) -> None:
        self._state = replace(self._state, withdrawn=(*self._state.withdrawn, *self._units_of("a withdrawn unit")))

    def waiting(self) -> None:
        self._state = replace(self._state, waiting=(*self._state.waiting, *self._units_of("a waiting unit")))

    def bombed(self) -> None:
        self._state = replace(
            self._state, bombed=(*self._state.bombed, *self.rest(partial(self.once, "a bombed area", self._area_id)))
        )

    def used(self) -> None:
        numbers = self.rest(partial(self.once, "an air unit in use", partial(self.count, 1, 9)))
        self._state = replace(self._state, air_used=(*self._state.air_used, *numbers))

    def raid(self) -> None:
        opened = self._state.raids_opened or RailRaids()
        if self.words_left and self.words_left[0].text == "none":
            self.next_word("none")
        else:
            raid = Raid(region=self.once("a region with a raid", self._region), bombers=self.count(1, 9))
            opened = RailRaids(raids=(*opened.raids, raid))
        self._state = replace(self._state, raids_opened=opened)

    def travellers(self) -> None:
        names = self._units_of("a unit aboard")
        self._state = replace(self._state, aboard=(*self._state.aboard, *names))

    def raiders(self) -> None:
        strengths = self.rest(lambda: self.count(1, 9))
        self._state = replace(self._state, raiders=(*self._state.raiders, *strengths))

    def regions(self) -> None:
        names = self.rest(partial(self.once, "a region in reach", self._region))
        self._state = replace(self._state, raid_regions=(*self._state.raid_regions, *names))

    def planned(self) -> None:
        """An attack in the order language, or `pass`; read when every unit has its place."""
        self._planned.append((self.line, self.rest_of_line("an attack or 'pass'")))

    def sealed(self) -> None:
        """What is sealed, whose, the kind of question, the step of the log, the commitment."""
        what = self.next_word("'raids' or 'destinations'")
        role, kind = Role(self._side().value), self.next_word("a kind of question").text
        step, commitment = self.count(0, 999_999_999), self.next_word("a commitment")
        if not _COMMITMENT.fullmatch(commitment.text):
            self.refuse("64 hexadecimal digits", commitment)
        one = Sealed(role, kind, step, commitment.text)
        if what.text == "raids":
            self._state = replace(self._state, raids=one)
        elif what.text == "destinations":
            self._state = replace(self._state, destinations=(*self._state.destinations, one))
        else:
            self.refuse("'raids' or 'destinations'", what)

    # ------------------------------------------------------------------ conditions of a unit

    def grows(self) -> dict[str, Any]:
        return {"ceiling": self.count(0, 99)}

    def fuel(self) -> dict[str, Any]:
        return {"fuel": self.count(0, 9)}

    def disorganized(self) -> dict[str, Any]:
        return {"disorganized": True}

    def aboard(self) -> dict[str, Any]:
        known = {one.value: one for one in Aboard if one}
        return {"train": self.one_of(known, "'came', 'sealed' or 'arrived'")}

    def disturbed(self) -> dict[str, Any]:
        return {"disturbed": self.count(0, PHASES * LAST_DAY)}

    def exerted(self) -> dict[str, Any]:
        return {"exerted": self.count(0, PHASES * LAST_DAY)}

    # ------------------------------------------------------------------ words

    def _side(self) -> Side:
        return self.one_of({side.value: side for side in Side}, "german or polish")

    def _unit_id(self) -> UnitId:
        return UnitId(self.known(self._data.forces.units, self._names.unit_ids, "the id of a unit, such as PL-INF-8"))

    def _units_of(self, kind: str) -> tuple[UnitId, ...]:
        return self.rest(partial(self.once, kind, self._unit_id))

    def _area_id(self) -> AreaId:
        return AreaId(self.known(self._data.board.areas, self._names.area_ids, "the code of an area, such as P20"))

    def _region(self) -> str:
        return self.known(self._data.board.regions, self._names.region_ids, "the name of a region")


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
