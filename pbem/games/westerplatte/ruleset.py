"""The Battle of the Westerplatte as a ruleset: everything that the rest of the program asks of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from pydantic import TypeAdapter
from typing_extensions import override

from pbem.games.westerplatte import bots, data_files, guide, odds, orders, picture, position, sheets, standing, tables
from pbem.games.westerplatte.s1_setup import german_setup, opening_state, polish_setup
from pbem.games.westerplatte.s2_turn import play_cards
from pbem.games.westerplatte.shapes_file import SHAPES
from pbem.games.westerplatte.state import Stage, State
from pbem.games.westerplatte.transcription import refuse_incomplete
from pbem.log.event import Role
from pbem.rules.picture import Picture
from pbem.rules.play import Answer, Outcome, Question, Rules, checkpoint
from pbem.rules.ruleset import Bot, Experiment, GuideLine, Remark, Ruleset
from pbem.rules.tables import Table

_STATES = TypeAdapter(State)


class Westerplatte(Ruleset[State]):
    """Cards on the Westerplatte, 1 to 7 September 1939, for two players."""

    name: ClassVar[str] = "westerplatte"
    title: ClassVar[str] = "The Battle of the Westerplatte"
    version: ClassVar[int] = 1
    roles: ClassVar[tuple[Role, ...]] = (Role("german"), Role("polish"))
    scenarios: ClassVar[tuple[str, ...]] = ("standard",)
    turns: ClassVar[int] = 6
    data_names: ClassVar[tuple[str, ...]] = (*data_files.NEEDED, SHAPES)

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(files)
        self.data = data_files.parse(self.files)

    def check_data(self, built_in: Ruleset[State]) -> None:
        assert isinstance(built_in, Westerplatte)
        refuse_incomplete(self.data, built_in.data)

    def begin(self, scenario: str, options: Mapping[str, int | str | bool]) -> State:
        self.refuse_unknown(scenario, options)
        return opening_state(self.data)

    def play(self, state: State) -> Rules[Outcome]:
        if state.stage is Stage.POLISH_SETUP:
            state = yield from polish_setup(self.data, state)
            yield from checkpoint(state)
        if state.stage is Stage.GERMAN_SETUP:
            state = yield from german_setup(self.data, state)
            yield from checkpoint(state)
        return (yield from play_cards(self.data, state))

    def decode(self, data: bytes) -> State:
        return _STATES.validate_json(data)

    def turn_of(self, state: State) -> int:
        return state.turn

    def position_lines(self, state: State) -> Sequence[str]:
        return tuple(position.position_lines(state))

    def read_position(self, text: str) -> State:
        return position.read_position(self.data, text)

    def picture(self, state: State | None) -> Picture:
        if state is None:
            return picture.map_picture(self.data)
        return tables.board(self.data, state)

    def tables(self) -> Sequence[Table]:
        return self._tables

    @cached_property
    def _tables(self) -> tuple[Table, ...]:
        return tables.all_tables(self.data)

    def guide(self) -> Sequence[GuideLine]:
        return guide.guide()

    def question_text(self, question: Question[Any], state: State) -> str:
        return sheets.question_text(self.data, question, state)

    def order_sheet(self, question: Question[Any], state: State) -> Sequence[str]:
        return sheets.sheet_lines(self.data, question, state)

    @override
    def read_orders(self, question: Question[Any], state: State, text: str) -> Answer:
        return orders.read_answer(self.data, question, text)

    def write_orders(self, answer: Answer) -> str:
        return orders.write_answer(answer)

    def remarks(self, answer: Answer, state: State) -> Sequence[Remark]:
        return sheets.remarks(self.data, answer, state)

    def check_standing(self, role: Role, text: str) -> None:
        standing.check_standing(self.data, role, text)

    def standing_forms(self) -> Sequence[str]:
        return standing.FORMS

    def standing_answer(self, question: Question[Any], state: State, text: str) -> Answer | None:
        return standing.standing_answer(self.data, question, state, text)

    def experiments(self, state: State, text: str) -> Sequence[Experiment]:
        return odds.experiments(self.data, state, text)

    def bots(self) -> Mapping[str, Bot]:
        return bots.bots(self.data)
