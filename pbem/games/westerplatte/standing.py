"""Standing orders: what a player has answered beforehand, for cards that need no thought."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.games.westerplatte.activation import UNLIMITED, is_area_card
from pbem.games.westerplatte.answers import Activation, Recover
from pbem.games.westerplatte.data_files import GameData, Side, UnitId
from pbem.games.westerplatte.orders import unit_names
from pbem.games.westerplatte.state import State, adjective, side_of
from pbem.log.event import Role
from pbem.rules.play import Answer, Question
from pbem.rules.refusal import Refusal, Refused, shown
from pbem.rules.sheet import SheetLine, read_sheet, refuse_without_orders, resolver

FORMS = (
    "# One standing order a line: the first that fits the card answers it for you.",
    "# pass always            # pass on every card",
    "# pass at most 2         # pass on a card that activates 2 units or fewer; never on a face card",
    "# recover MAS-1, BB      # on a face card: the first of these that is weak becomes strong again",
    "# A text with nothing in it takes all of them back.",
)
_EXAMPLES = {
    "german": "pass always / pass at most 1 / recover MAS-1, BB",
    "polish": "pass always / pass at most 1 / recover PL-1, MTR",
}
_PASS = re.compile(r"pass +(always|at +most +(\d{1,2}))\Z", re.IGNORECASE)
_RECOVER = re.compile(r"recover +(.+)\Z", re.IGNORECASE)
_NAME = re.compile(r" *(.+?) *(?:,|(?<= )and +|\Z)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Standing:
    """Pass on a card for at most `most` units, on every card with UNLIMITED, or let one of `recover` recover."""

    line: SheetLine
    most: int = 0
    recover: tuple[str, ...] = ()


def check_standing(data: GameData, role: Role, text: str) -> None:
    """Refused for standing orders that are none, or that could never answer for `role`; blank text is right."""
    refuse_without_orders(text, _EXAMPLES[role])
    orders = read_standing(data, role, text)
    refusals = [*_foreign(data, role, orders), *_never(orders)]
    if refusals:
        raise Refused(refusals)


def read_standing(data: GameData, role: Role, text: str) -> list[Standing]:
    """Standing orders, one a line; Refused for a line that is none."""
    return [_standing(data, role, line) for line in read_sheet(text).lines]


def _standing(data: GameData, role: Role, line: SheetLine) -> Standing:
    passes, recovers = _PASS.match(line.text), _RECOVER.match(line.text)
    if passes:
        return Standing(line, most=min(int(passes[2]), UNLIMITED - 1) if passes[2] else UNLIMITED)
    if recovers:
        resolve = resolver(line, "a unit", unit_names(data))
        names = _NAME.finditer(line.text, recovers.start(1))
        return Standing(line, recover=tuple(resolve(name[1], name.start(1) + 1) for name in names))
    reason = f"expected a standing order such as {_EXAMPLES[role]}, got '{shown(line.text)}'"
    raise Refused((Refusal("orders.standing", reason, "", "", line.number, line.indent + 1),))


def _foreign(data: GameData, role: Role, orders: Sequence[Standing]) -> Iterator[Refusal]:
    for order in orders:
        for unit in order.recover:
            if side_of(data, UnitId(unit)) is not Side(role):
                text = f"expected {_article(role)} unit to recover, got '{unit}'"
                yield _refusal("orders.standing_unit", text, order.line, "turn.4")


def _article(role: Role) -> str:
    return f"a {adjective(Side(role))}"


def _never(orders: Sequence[Standing]) -> Iterator[Refusal]:
    """Lines that no card could ever come to (turn.3, turn.4): what they say, an earlier line has answered."""
    answered, known = 0, set[str]()
    for order in orders:
        if not order.recover and order.most == 0:
            yield _refusal("orders.standing_never", "expected a number of units from 1, got 0", order.line, "turn.3")
        elif answered == UNLIMITED or (order.most and order.most <= answered) or known.issuperset(order.recover or "-"):
            text = f"expected a line that can still apply, got '{shown(order.line.text)}' behind lines that answer it"
            yield _refusal("orders.standing_never", text, order.line)
        answered = max(answered, order.most)
        known.update(order.recover)


def _refusal(code: str, text: str, line: SheetLine, rule: str = "") -> Refusal:
    return Refusal(code, text, rule, "", line.number, line.indent + 1)


def standing_answer(data: GameData, question: Question[Any], state: State, text: str) -> Answer | None:
    """What the first standing order that applies says to a card."""
    if question.kind != "activation" or state.acted:
        return None
    for order in read_standing(data, question.role, text):
        if answer := _first_recovery(question, order.recover):
            return answer
        if order.most == UNLIMITED or (not is_area_card(state) and state.left <= order.most):
            return Activation()
    return None


def _first_recovery(question: Question[Any], units: Sequence[str]) -> Activation | None:
    for unit in units:
        answer = Activation(orders=(Recover(unit=unit),))
        if not question.check(answer):
            return answer
    return None
