"""The toy as text: orders, sheets, standing orders, positions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from pbem.errors import BadRequest
from pbem.log.event import Role
from pbem.rules.play import Answer, Question, Sealed
from pbem.rules.refusal import Refusal, Refused, shown
from pbem.rules.sheet import SheetLine, read_sheet
from toy.state import SIDES, Army, Bet, Plan, Reserve, Stage, State

FORMS = {"reserve": "reserve 2", "plan": "assault with 1", "bet": "bet 1"}
_ORDERS: dict[str, tuple[re.Pattern[str], Callable[[re.Match[str]], Answer]]] = {
    "reserve": (re.compile(r"reserve +(\d{1,2})\Z", re.I), lambda m: Reserve(strength=int(m[1]))),
    "plan": (
        re.compile(r"(assault|hold) +with +(\d{1,2})\Z", re.I),
        lambda m: Plan.model_validate({"do": m[1].lower(), "stake": int(m[2])}),
    ),
    "bet": (re.compile(r"bet +(\d{1,2})\Z", re.I), lambda m: Bet(supply=int(m[1]))),
}
_STANDING = re.compile(r"bet +always +(\d{1,2})\Z", re.I)
_SIDE = re.compile(r"(north|south) +(.*)\Z", re.I)


def question_text(question: Question[Any], state: State) -> str:
    match question.kind:
        case "reserve":
            return "keep a reserve of up to 2 until the end"
        case "plan":
            return f"turn {state.turn}, {state.weather}: assault or hold, with up to {_supply(question, state)} supply"
        case _:
            return f"turn {state.turn}: bet supply on the assaults"


def _supply(question: Question[Any], state: State) -> int:
    return state.army(question.role).supply


def sheet_lines(question: Question[Any], state: State) -> list[str]:
    choices = [f"# {write_answer(option)}" for option in question.legal()]
    return [
        f"# You are asked: {question_text(question, state)}.",
        "# Take the # away from one line.",
        *choices,
    ]


def read_answer(question: Question[Any], text: str) -> Answer:
    """The one order of a sheet, checked."""
    lines = read_sheet(text).lines
    form = FORMS[question.kind]
    if len(lines) != 1:
        raise Refused((Refusal("orders.number", f"expected one order such as {form}, got {len(lines)}"),))
    (line,) = lines
    pattern, read = _ORDERS[question.kind]
    match = pattern.match(line.text)
    if match is None:
        raise _unreadable(line, form)
    answer = read(match)
    refusals = question.check(answer)
    if refusals:
        raise Refused([replace(refusal, line=line.number, column=line.indent + 1) for refusal in refusals])
    return answer


def _unreadable(line: SheetLine, form: str) -> Refused:
    text = f"expected an order such as {form}, got '{shown(line.text)}'"
    return Refused((Refusal("orders.unreadable", text, "", "", line.number, line.indent + 1),))


def write_answer(answer: Answer) -> str:
    if isinstance(answer, Reserve):
        return f"reserve {answer.strength}"
    if isinstance(answer, Plan):
        return f"{answer.do} with {answer.stake}"
    assert isinstance(answer, Bet)
    return f"bet {answer.supply}"


def read_standing(text: str) -> list[int]:
    """`bet always 1`, one a line: the first that is legal counts."""
    found = []
    for line in read_sheet(text).lines:
        match = _STANDING.match(line.text)
        if match is None:
            raise _unreadable(line, "bet always 1")
        found.append(int(match[1]))
    return found


def standing_answer(question: Question[Any], text: str) -> Answer | None:
    bets = [Bet(supply=supply) for supply in read_standing(text)]
    if question.kind != "bet":
        return None
    return next((bet for bet in bets if not question.check(bet)), None)


def read_assaults(text: str) -> list[tuple[Role, int]]:
    """`north assault with 2`, one a line: who, and with how much."""
    found = []
    for line in read_sheet(text).lines:
        side = _SIDE.match(line.text)
        plan = _ORDERS["plan"][0].match(side[2]) if side else None
        if side is None or plan is None or plan[1].lower() != "assault":
            raise _unreadable(line, "north assault with 2")
        found.append((Role(side[1].lower()), int(plan[2])))
    return found


def position_lines(state: State) -> Iterator[str]:
    yield f"stage {state.stage.value}"
    yield f"turn {state.turn} of {state.turns}"
    yield f"bag {' '.join(state.bag)}"
    if state.weather:
        yield f"weather {state.weather}"
    for role in SIDES:
        yield from _army_lines(state.army(role))


def _army_lines(army: Army) -> Iterator[str]:
    yield f"{army.role} supply {army.supply} points {army.points}"
    if army.do:
        yield f"{army.role} {army.do} with {army.stake}"
    if army.reserve:
        yield f"{army.role} reserve sealed at step {army.reserve.step} as {army.reserve.commitment}"
    if army.opened >= 0:
        yield f"{army.role} reserve opened {army.opened}"


_POSITION: dict[str, Callable[[State, re.Match[str]], State]] = {
    r"stage (\w+)": lambda state, m: replace(state, stage=Stage(m[1])),
    r"turn (\d) of (\d)": lambda state, m: replace(state, turn=int(m[1]), turns=int(m[2])),
    r"bag ?((?:\w+ ?)*)": lambda state, m: replace(state, bag=tuple(m[1].split())),
    r"weather (\w+)": lambda state, m: replace(state, weather=m[1]),
    r"(north|south) supply (\d+) points (\d+)": lambda state, m: _changed(
        state, m[1], supply=int(m[2]), points=int(m[3])
    ),
    r"(north|south) (assault|hold) with (\d+)": lambda state, m: _changed(state, m[1], do=m[2], stake=int(m[3])),
    r"(north|south) reserve sealed at step (\d+) as ([0-9a-f]{64})": lambda state, m: _changed(
        state, m[1], reserve=Sealed(Role(m[1]), "reserve", int(m[2]), m[3])
    ),
    r"(north|south) reserve opened (\d)": lambda state, m: _changed(state, m[1], opened=int(m[2])),
}


def _changed(state: State, role: str, **fields: Any) -> State:
    return state.with_army(replace(state.army(Role(role)), **fields))


def read_position(begin: State, text: str) -> State:
    """The state of a position text, from a beginning that says what the text leaves out."""
    state = begin
    for number, row in enumerate(text.splitlines(), start=1):
        if row.strip():
            state = _read_fact(state, number, row.split("#")[0].strip())
    return state


def _read_fact(state: State, number: int, row: str) -> State:
    for pattern, change in _POSITION.items():
        match = re.fullmatch(pattern, row)
        if match:
            try:
                return change(state, match)
            except ValueError:
                break
    raise BadRequest(
        "position.unreadable", f"expected a fact of a position, got '{shown(row)}' in line {number}, column 1"
    )
