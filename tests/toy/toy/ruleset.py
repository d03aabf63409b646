"""The toy as a ruleset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import TypeAdapter

from pbem.errors import BadRequest
from pbem.log.event import Role
from pbem.rules.picture import Picture
from pbem.rules.play import Answer, Outcome, Question, Rules
from pbem.rules.refusal import Refusal, Refused
from pbem.rules.ruleset import Bot, Choose, Experiment, GuideLine, Ruleset
from pbem.rules.tables import Table
from toy import board, rules, words
from toy.state import NORTH, SOUTH, Army, Plan, Stage, State, parse

_STATES = TypeAdapter(State)


class Toy(Ruleset[State]):
    """Three turns at a ford."""

    name: ClassVar[str] = "toy"
    title: ClassVar[str] = "The Toy Ford"
    version: ClassVar[int] = 1
    roles: ClassVar[tuple[Role, ...]] = (NORTH, SOUTH)
    scenarios: ClassVar[tuple[str, ...]] = ("standard", "short")
    turns: ClassVar[int] = 3
    versions: ClassVar[tuple[str, ...]] = ("toy.second.ruleset:SecondToy",)
    data_names: ClassVar[tuple[str, ...]] = ("chits.csv", "figures.csv")

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(files)
        self.data = parse(self.files)

    def begin(self, scenario: str, options: Mapping[str, int | str | bool]) -> State:
        if scenario not in self.scenarios:
            raise BadRequest("game.scenario", f"expected one of {', '.join(self.scenarios)}, got '{scenario}'")
        supply = options.get("supply", self.data.figures["supply"])
        if not set(options) <= {"supply"} or type(supply) is not int or not 0 <= supply <= 9:
            raise BadRequest("game.options", "expected no option but a supply from 0 to 9, got another one")
        turns = self.data.figures["turns" if scenario == "standard" else "turns short"]
        return State(Stage.RESERVES, 1, turns, Army(NORTH, supply), Army(SOUTH, supply), self.data.bag)

    def play(self, state: State) -> Rules[Outcome]:
        return rules.play(self.data, state)

    def decode(self, data: bytes) -> State:
        return _STATES.validate_json(data)

    def turn_of(self, state: State) -> int:
        return state.turn

    def position_lines(self, state: State) -> Sequence[str]:
        return tuple(words.position_lines(state))

    def read_position(self, text: str) -> State:
        return words.read_position(self.begin("standard", {}), text)

    def picture(self, state: State | None) -> Picture:
        return board.picture(self.title, state)

    def tables(self) -> Sequence[Table]:
        return board.tables(self.data)

    def question_text(self, question: Question[Any], state: State) -> str:
        return words.question_text(question, state)

    def order_sheet(self, question: Question[Any], state: State) -> Sequence[str]:
        return words.sheet_lines(question, state)

    def read_orders(self, question: Question[Any], state: State, text: str) -> Answer:  # noqa: ARG002
        return words.read_answer(question, text)

    def write_orders(self, answer: Answer) -> str:
        return words.write_answer(answer)

    def check_standing(self, role: Role, text: str) -> None:  # noqa: ARG002
        if not words.read_standing(text) and text.strip():
            raise Refused((Refusal("orders.standing_empty", "expected a line such as bet always 1, got none"),))

    def standing_forms(self) -> Sequence[str]:
        return ("# bet always 1   # bet one supply whenever that is legal",)

    def guide(self) -> Sequence[GuideLine]:
        return (
            GuideLine("2.2", "Plans", "Both sides plan in secret: assault or hold, with some of their supply."),
            GuideLine("2.4", "Assaults", "An assault throws two dice and adds the supply that is behind it."),
        )

    def standing_answer(self, question: Question[Any], state: State, text: str) -> Answer | None:  # noqa: ARG002
        return words.standing_answer(question, text)

    def experiments(self, state: State, text: str) -> Sequence[Experiment]:
        return [self._experiment(state, role, stake) for role, stake in words.read_assaults(text)]

    def _experiment(self, state: State, role: Role, stake: int) -> Experiment:
        army = replace(state.army(role), do="assault", stake=stake)
        before = army.points

        def result(after: State) -> str:
            return "across" if after.army(role).points > before else "thrown back"

        staked = state.with_army(army)
        return Experiment(f"{role} assault with {stake}", lambda: rules.assault(self.data, staked, role, 0), result)

    def bots(self) -> Mapping[str, Bot]:
        return {"random": at_random, "good": to_win}


def at_random(question: Question[Any], _: State, choose: Choose) -> Answer:
    """Any legal answer."""
    options = question.legal()
    chosen: Answer = options[choose(len(options))]
    return chosen


def to_win(question: Question[Any], state: State, _: Choose) -> Answer:
    """The greatest reserve, and an assault with a share of the supply for every turn that is left."""
    if question.kind != "plan":
        last: Answer = question.legal()[-1]
        return last
    share = state.army(question.role).supply // (state.turns - state.turn + 1)
    return Plan(do="assault", stake=share)
