"""What a player reads before deciding: the question in a line, the sheet with the legal choices, standing orders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.games.westerplatte import cards
from pbem.games.westerplatte.activation import UNLIMITED, describe, single_orders
from pbem.games.westerplatte.answers import Activation, Move, Recover
from pbem.games.westerplatte.data_files import GameData, Side
from pbem.games.westerplatte.orders import STANDING_FORMS, unit_names, write_answer
from pbem.games.westerplatte.s1_setup import areas_to_place, units_to_place
from pbem.games.westerplatte.s4_support import NAMES, available_marker
from pbem.games.westerplatte.s5_victory import victory_points
from pbem.games.westerplatte.state import State
from pbem.rules.play import Answer, Question
from pbem.rules.refusal import Refusal, Refused
from pbem.rules.sheet import SheetLine, read_sheet, resolver

_PASS = re.compile(r"pass +(always|at +most +(\d{1,2}))\Z", re.IGNORECASE)
_RECOVER = re.compile(r"recover +(.+)\Z", re.IGNORECASE)


def question_text(data: GameData, question: Question[Any], state: State) -> str:
    """What is asked, in one line."""
    match question.kind:
        case "polish_setup":
            return "place every Polish unit on a land area, at most 2 in one"
        case "german_setup":
            return f"place the ship in {', '.join(areas_to_place(data, Side.GERMAN))}"
        case "face_card":
            return "a face card was drawn: redraw, or take it as a miss"
        case _:
            return f"{cards.title(state.card)}: {_allowance(data, state)}"


def _allowance(data: GameData, state: State) -> str:
    if state.left < UNLIMITED // 2:
        text = f"order up to {state.left} unit{'s' if state.left > 1 else ''}"
    elif state.face_area:
        text = f"order the other units of {state.face_area}"
    else:
        text = "order the units of one area, or let one flipped unit recover"
    marker = available_marker(data, state)
    return f"{text}; {NAMES[marker]} may be used instead" if marker else text


def sheet_lines(data: GameData, question: Question[Any], state: State) -> list[str]:
    """The lines of an order sheet: what is asked, the position, the legal choices as comments."""
    lines = [f"# You are asked: {question_text(data, question, state)}.", "#"]
    lines += [f"# {line}" for line in _facts(data, state)]
    lines += ["#", *_how_to(question)]
    return lines + list(_choices(data, question, state))


def _facts(data: GameData, state: State) -> list[str]:
    return [
        f"Turn {state.turn} of {data.number('game.turns')}, {len(state.deck)} cards left, "
        f"the Germans have {victory_points(data, state)} victory points."
    ]


def _how_to(question: Question[Any]) -> list[str]:
    if question.kind != "activation":
        return ["# One order a line; what stands behind a # is ignored."]
    return [
        "# One order a line, carried out in turn; what stands behind a # is ignored.",
        "# Take the # away from what you choose, or write 'pass'. Several targets: 'fire A at X or Y'.",
        "# 'face miss' or 'face ask' behind an attack: what to do with a face card (else it is redrawn).",
        "# 'then ask': see the results, then order what is left. 'if blocked ask': stop when an order fails.",
    ]


def _choices(data: GameData, question: Question[Any], state: State) -> Iterator[str]:
    if question.kind == "polish_setup":
        yield from _setup_choices(data, question)
    elif question.kind == "activation":
        yield from _orders_by_unit(data, state)
    else:
        yield from (f"# {write_answer(option)}" for option in question.legal())


def _setup_choices(data: GameData, question: Question[Any]) -> Iterator[str]:
    areas = (data.areas[area] for area in areas_to_place(data, Side.POLISH))
    yield "# areas: " + ", ".join(f"{area.id} (+{area.bonus})" for area in areas)
    yield "# units: " + ", ".join(
        f"{unit} {data.units[unit].strong}/{data.units[unit].weak}" for unit in units_to_place(data, Side.POLISH)
    )
    yield from write_answer(question.default).splitlines()


def _orders_by_unit(data: GameData, state: State) -> Iterator[str]:
    """Single orders, a unit's moves in one line; pairs of firing units are left to the player."""
    yield "# pass"
    moves: dict[str, list[str]] = {}
    others = []
    for order in single_orders(data, state):
        if isinstance(order, Move):
            moves.setdefault(order.unit, []).append(order.to)
        elif not getattr(order, "units", None) or len(order.units) == 1:  # type: ignore[union-attr]
            others.append(describe(order))
    for unit, areas in moves.items():
        rest = f"   # or {', '.join(areas[1:])}" if areas[1:] else ""
        yield f"# move {unit} to {areas[0]}{rest}"
    yield from (f"# {text}" for text in others)


@dataclass(frozen=True, slots=True)
class Standing:
    """One standing order: pass on a card for at most `most` units, or let the first weak one of `recover` recover."""

    most: int = 0
    recover: tuple[str, ...] = ()


def read_standing(data: GameData, text: str) -> list[Standing]:
    """Standing orders, one a line; Refused for a line that is none."""
    return [_standing(data, line) for line in read_sheet(text).lines]


def _standing(data: GameData, line: SheetLine) -> Standing:
    passes, recovers = _PASS.match(line.text), _RECOVER.match(line.text)
    if passes:
        return Standing(most=int(passes[2]) if passes[2] else UNLIMITED)
    if recovers:
        resolve = resolver(line, "a unit", unit_names(data))
        names = recovers[1].split(",")
        return Standing(recover=tuple(resolve(name.strip(), recovers.start(1) + 1) for name in names))
    reason = f"expected a standing order such as {' / '.join(STANDING_FORMS)}, got '{line.text}'"
    raise Refused((Refusal("orders.standing", reason, "", "", line.number, line.indent + 1),))


def standing_answer(data: GameData, question: Question[Any], state: State, text: str) -> Answer | None:
    """What the first standing order that applies says to a card."""
    if question.kind != "activation" or state.acted:
        return None
    for order in read_standing(data, text):
        answer = _first_recovery(question, order.recover)
        if answer or state.left <= order.most:
            return answer or Activation()
    return None


def _first_recovery(question: Question[Any], units: Sequence[str]) -> Activation | None:
    for unit in units:
        answer = Activation(orders=(Recover(unit=unit),))
        if not question.check(answer):
            return answer
    return None
