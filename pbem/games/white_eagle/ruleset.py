"""White Eagle Defiant as a ruleset: everything that the rest of the program asks of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import orjson
from pydantic import BaseModel, TypeAdapter
from typing_extensions import override

from pbem.games.white_eagle import (
    data_files,
    orders,
    picture,
    picture_state,
    position,
    sheet_remarks,
    sheets,
    standing,
    tables,
)
from pbem.games.white_eagle.kinds import Side
from pbem.games.white_eagle.position_reader import SCENARIOS
from pbem.games.white_eagle.s3_setup import opening_state
from pbem.games.white_eagle.s4_sequence import play_turns
from pbem.games.white_eagle.shapes_file import SHAPES, MapShapes, parse_shapes
from pbem.games.white_eagle.state import State
from pbem.games.white_eagle.transcription import refuse_unplayable
from pbem.log.event import Role
from pbem.rules.picture import Picture
from pbem.rules.play import Answer, Outcome, Question, Rules
from pbem.rules.ruleset import Bot, Experiment, GuideLine, Remark, Ruleset
from pbem.rules.tables import Table

_STATES = TypeAdapter(State)


class WhiteEagle(Ruleset[State]):
    """The campaign in Poland from 1 September to 10 October 1939, activated chit by chit, for two players."""

    name: ClassVar[str] = "white_eagle"
    title: ClassVar[str] = "White Eagle Defiant"
    version: ClassVar[int] = 1
    roles: ClassVar[tuple[Role, ...]] = (Role("german"), Role("polish"))
    scenarios: ClassVar[tuple[str, ...]] = SCENARIOS
    turns: ClassVar[int] = 10
    data_names: ClassVar[tuple[str, ...]] = (*data_files.NEEDED, SHAPES)

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(files)
        self.data = data_files.parse(self.files)

    @override
    def check_data(self, built_in: Ruleset[State]) -> None:
        assert isinstance(built_in, WhiteEagle)
        refuse_unplayable(self.data, built_in.data)
        parse_shapes(self.files, self.data.board.forts)

    def begin(self, scenario: str, options: Mapping[str, int | str | bool]) -> State:
        self.refuse_unknown(scenario, options)
        return opening_state(self.data)

    def play(self, state: State) -> Rules[Outcome]:
        return play_turns(self.data, state)

    @override
    def encode(self, state: State) -> bytes:
        return orjson.dumps(state, default=_as_data, option=orjson.OPT_SORT_KEYS)

    def decode(self, data: bytes) -> State:
        return _STATES.validate_json(data)

    def turn_of(self, state: State) -> int:
        return state.turn

    def position_lines(self, state: State) -> Sequence[str]:
        return tuple(position.position_lines(self.data, state))

    def read_position(self, text: str) -> State:
        return position.read_position(self.data, text)

    def picture(self, state: State | None) -> Picture:
        if state is None:
            return picture.map_picture(self.data.board, self.shapes)
        return picture_state.position_picture(self.data, self.shapes, state)

    @cached_property
    def shapes(self) -> MapShapes | None:
        """The drawing of the map, None where the data have none."""
        return parse_shapes(self.files, self.data.board.forts)

    def tables(self) -> Sequence[Table]:
        return self._tables

    @cached_property
    def _tables(self) -> tuple[Table, ...]:
        return tables.all_tables(self.files)

    def guide(self) -> Sequence[GuideLine]:
        from pbem.games.white_eagle.guide import guide

        return guide()

    def question_text(self, question: Question[Any], state: State) -> str:
        return sheets.question_text(self.data, question, state)

    def order_sheet(self, question: Question[Any], state: State) -> Sequence[str]:
        return sheets.sheet_lines(self.data, question, state)

    def read_orders(self, question: Question[Any], state: State, text: str) -> Answer:
        return orders.read_orders(self.data, question, state, text)

    def write_orders(self, answer: Answer) -> str:
        return orders.write_orders(self.data, answer)

    @override
    def remarks(self, answer: Answer, state: State) -> Sequence[Remark]:
        return sheet_remarks.remarks(self.data, answer, state)

    def check_standing(self, role: Role, text: str) -> None:
        standing.check_standing(self.data, role, text)

    def standing_forms(self) -> Sequence[str]:
        return standing.FORMS

    def standing_answer(self, question: Question[Any], state: State, text: str) -> Answer | None:
        return standing.standing_answer(self.data, question, state, text)

    @override
    def routine(self, role: Role) -> str:
        return standing.ROUTINE[Side(role)]

    def experiments(self, state: State, text: str) -> Sequence[Experiment]:
        from pbem.games.white_eagle.odds import experiments

        return experiments(self.data, state, text)

    def bots(self) -> Mapping[str, Bot]:
        from pbem.games.white_eagle.bots import bots

        return bots(self.data)


def _as_data(value: Any) -> Any:
    """A combat that the state keeps, as what is written of it."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise TypeError(f"no part of a state: {value!r}")
