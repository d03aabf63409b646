"""Reads the facts of a position text, line by line, into a state (`position.py` says what the text is)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from pbem.games.white_eagle.answers import Battle
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import ChitId, Start, UnitId
from pbem.games.white_eagle.kinds import GERMAN_COMMANDS, Command, Side
from pbem.games.white_eagle.names import lexicon
from pbem.games.white_eagle.orders import read_battle
from pbem.games.white_eagle.s3_setup import CAMPAIGN, chits_that_start, opening_state
from pbem.games.white_eagle.state import Activation, Stage, State, Unit
from pbem.rules.fact_lines import FactReader, Word
from pbem.rules.refusal import Refused

SCENARIOS = (CAMPAIGN,)
FACTS = (
    "'turn 3', 'unit POL-Lodz-1 Lodz', 'fort Modlin 1', 'held Danzig, Katowice', 'pulled GER-South, Stuka', "
    "'activate GER-South' or another fact"
)
CONDITIONS = "'slowed', 'breakdown', 'asked' or 'marched'"
MOST_SLOWED = 4


class PositionReader(FactReader):
    """Builds a state line by line."""

    facts = FACTS
    single = frozenset(
        (
            *("scenario", "turn", "stage", "breakdowns", "held", "cup", "pulled", "used", "lost", "recovered"),
            *("forts-used", "late", "activate", "resting", "support", "left", "idle", "fought", "won"),
        )
    )
    words = re.compile(r'"[^"]*"|[^\s,"]+')

    def __init__(self, data: GameData) -> None:
        box = partial(self.some, self._box_id)
        readers: dict[str, Callable[[], None]] = {
            "scenario": self.scenario,
            "turn": self.turn,
            "stage": self.stage,
            "unit": self.unit,
            "fort": self.fort,
            "breakdowns": self.breakdowns,
            "soviets": self.soviets,
            "held": partial(self.replaced, "held", self._once("a held box", self._box_id)),
            "cup": partial(self.replaced, "cup", self._chits("a chit in the cup")),
            "pulled": partial(self.replaced, "pulled", self._chits("a pulled chit")),
            "used": partial(self.replaced, "used", self._chits("a used chit")),
            "lost": partial(self.replaced, "lost", self._once("a lost unit", self._unit_id)),
            "recovered": partial(self.replaced, "recovered", self._once("a recovered side", self._side)),
            "forts-used": partial(self.replaced, "fort_turns", box),
            "late": partial(self.replaced, "late", self._once("a late command", self._late)),
            "activate": self.activate,
            "came": self.came,
            "resting": partial(self.noted, "resting", self._unit_id),
            "support": partial(self.noted, "support", self._once("a supporting unit", self._unit_id)),
            "left": partial(self.noted, "left", self._once("a left box", self._box_id)),
            "idle": partial(self.noted, "idle", self._once("an idle unit", self._unit_id)),
            "fought": partial(self.noted, "fought", box),
            "won": partial(self.noted, "won", box),
            "planned": self.planned,
        }
        super().__init__(readers)
        self._data = data
        self._names = lexicon(data)
        self._state = replace(opening_state(data), units={}, cup=(), pulled=(), activation=None)
        self._units: dict[UnitId, Unit] = {}
        self._came: dict[UnitId, BoxId] = {}
        self._activation: dict[str, Any] = {}
        self._about_activation: tuple[int, Word] | None = None
        self._planned: list[tuple[int, Word]] = []
        self._has_cup = False

    def finished(self) -> State:
        """The state that all lines make; planned combats are read when every unit is in its place."""
        units = {name: self._units[name] for name in sorted(self._units)}
        state = replace(self._state, units=units)
        if not self._has_cup:
            state = replace(state, cup=self._rest_of_chits(state))
        if "command" not in self._activation:
            if self._about_activation:
                number, word = self._about_activation
                self.refuse("a line 'activate' with a command for this", word, number)
            return state
        activation = Activation(came=self._came, **self._activation)
        state = replace(state, activation=activation)
        planned = tuple(self._battle(state, activation.side, *one) for one in self._planned)
        return replace(state, activation=replace(activation, planned=planned))

    def _rest_of_chits(self, state: State) -> tuple[ChitId, ...]:
        starts = (Start.CUP, Start.HELD, *((Start.ASIDE,) if state.soviets else ()))
        return tuple(chit for chit in chits_that_start(self._data, *starts) if chit not in state.pulled)

    def _battle(self, state: State, side: Side, number: int, line: Word) -> Battle:
        try:
            return read_battle(self._data, state, line.text, side).battle
        except Refused as refused:
            self.refuse_order(refused, line, number)

    # ------------------------------------------------------------------ facts

    def scenario(self) -> None:
        scenario = self.one_of({name: name for name in SCENARIOS}, f"one of {', '.join(SCENARIOS)}")
        self._state = replace(self._state, scenario=scenario)

    def turn(self) -> None:
        self._state = replace(self._state, turn=self.count(1, self._data.figures.turns.last))

    def stage(self) -> None:
        known = {stage.value: stage for stage in Stage}
        self._state = replace(self._state, stage=self.one_of(known, f"one of {', '.join(known)}"))

    def unit(self) -> None:
        unit, box, reduced = self.once("a unit", self._unit_id), self._box_id(), False
        if self.words_left:
            reduced = self.one_of({"reduced": True}, "nothing or 'reduced' behind the box")
        self._units[unit] = Unit(unit, box, reduced)

    def fort(self) -> None:
        word = self.words_left[0] if self.words_left else None
        box = self.once("a fort", self._box_id)
        if word is not None and box not in self._data.board.forts:
            self.refuse("a box with a fort", word)
        steps = self.count(0, self._data.figures.fort.steps)
        self._state = replace(self._state, forts={**self._state.forts, box: steps})

    def breakdowns(self) -> None:
        self._state = replace(self._state, breakdowns=self.count(0, self._data.figures.breakdown.lost_at))

    def soviets(self) -> None:
        self._state = replace(self._state, soviets=True)

    def replaced(self, field: str, read: Callable[[], tuple[Any, ...]]) -> None:
        """A fact that is a list."""
        self._has_cup = self._has_cup or field == "cup"
        self._state = replace(self._state, **{field: read()})  # type: ignore[arg-type]

    def activate(self) -> None:
        """The command that is activated, and how far it is."""
        self._activation["command"] = self._command(tuple(Command))
        while self.words_left:
            change = self.one_of(
                {"slowed": "slowed", **{one: one for one in ("breakdown", "asked", "marched")}}, CONDITIONS
            )
            self._activation[change] = -self.count(1, MOST_SLOWED) if change == "slowed" else True

    def came(self) -> None:
        self._note()
        unit = self.once("a unit that came", self._unit_id)
        self._came[unit] = self._box_id()

    def noted(self, field: str, read: Callable[[], Any]) -> None:
        """A fact of the activation."""
        self._note()
        self._activation[field] = read()

    def planned(self) -> None:
        """A combat in the order language; read when every unit has its place."""
        self._note()
        self._planned.append((self.line, self.rest_of_line("a combat such as 'attack Lodz with stuka'")))

    def _note(self) -> None:
        """Remembers where the first fact stands that says nothing without an activation."""
        word = self.words_left[0] if self.words_left else Word("", 1)
        self._about_activation = self._about_activation or (self.line, word)

    # ------------------------------------------------------------------ words

    def some(self, read: Callable[[], Any]) -> tuple[Any, ...]:
        """What is left of the line, or nothing where it says `none`."""
        if [word.text.casefold() for word in self.words_left] == ["none"]:
            self.keyword("none")
            return ()
        return self.rest(read)

    def _once(self, kind: str, read: Callable[[], Any]) -> Callable[[], tuple[Any, ...]]:
        """A list in which nothing comes twice; boxes in which a combat was fought may come again."""
        return partial(self.some, partial(self.once, kind, read))

    def _chits(self, kind: str) -> Callable[[], tuple[ChitId, ...]]:
        return self._once(kind, self._chit_id)

    def _unit_id(self) -> UnitId:
        expected = "the id of a unit, such as POL-Lodz-1"
        return UnitId(self.known(self._data.forces.units, self._names.unit_ids, expected))

    def _box_id(self) -> BoxId:
        return BoxId(self.known(self._data.board.boxes, self._names.box_ids, "the id of a box, such as Lodz"))

    def _chit_id(self) -> ChitId:
        chits: dict[str, ChitId] = {name: name for name in self._data.forces.chits}
        return self.one_of(chits, "the id of a chit, such as GER-South, Stuka or End-1")

    def _side(self) -> Side:
        return self.one_of({side.value: side for side in Side}, "german or polish")

    def _late(self) -> Command:
        return self._command(GERMAN_COMMANDS)

    def _command(self, commands: tuple[Command, ...]) -> Command:
        known = {one.value: one for one in commands}
        return self.one_of(known, f"one of {', '.join(known)}")
