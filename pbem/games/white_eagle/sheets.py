"""What a player reads before deciding: the question in a line, and the sheet with the legal choices as comments.

The choices are in `sheet_orders.py` and `sheet_combat.py`, the words they share in `sheet_words.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.kinds import BEFORE_MOVEMENT, Side
from pbem.games.white_eagle.names import short_command, written_event
from pbem.games.white_eagle.orders import forms_of
from pbem.games.white_eagle.s7_movement import marchers, points
from pbem.games.white_eagle.sheet_combat import battle_lines, defence_help, defence_lines
from pbem.games.white_eagle.sheet_orders import attack_help, order_lines, orders_help
from pbem.games.white_eagle.sheet_words import Scene, own_boxes, standings
from pbem.games.white_eagle.state import State
from pbem.log.enumeration import counted
from pbem.rules.play import Question

ASKED: Mapping[str, str] = {
    "orders": "what {command} does",
    "battles": "what {command} fights next",
    "defence": "how you defend against {command}",
    "interference": "whether {event} slows {command}",
    "attempts": "which commands try to activate late",
}


def question_text(data: GameData, question: Question[Any], state: State) -> str:
    """What is asked, in one line: `turn 3 (9 September to 12 September): what German South does`."""
    command = state.activation.command.full_name if state.activation else ""
    event = BEFORE_MOVEMENT[Side(question.role)].full_name
    about = f" ({question.about})" if question.about else ""
    asked = ASKED[question.kind].format(command=command, event=event)
    return f"turn {state.turn} ({data.date(state.turn)}): {asked}{about}"


def sheet_lines(data: GameData, question: Question[Any], state: State) -> list[str]:
    """The lines of an order sheet: what is asked, how it is written, the position and the legal choices as comments."""
    side = Side(question.role)
    lines = [f"# You are asked: {question_text(data, question, state)}.", "#", *standings(data, state), "#"]
    lines += ["# One order a line; what stands behind a # is ignored. Take the # away from what you choose, or"]
    lines[-1] += " write 'pass'."
    lines += [f"# Orders: {' / '.join(forms_of(question.kind, side))}", *_help(question.kind, side), "#"]
    return lines + list(_choices(data, question, state))


def _help(kind: str, side: Side) -> tuple[str, ...]:
    match kind:
        case "orders":
            return orders_help(side)
        case "battles":
            return attack_help(side)
        case "defence":
            return defence_help(side)
        case _:
            return ()


def _choices(data: GameData, question: Question[Any], state: State) -> Iterator[str]:
    scene = Scene(data, state, Side(question.role))
    match question.kind:
        case "interference":
            yield from _interference_lines(scene)
        case "attempts":
            yield from _attempt_lines(data, question)
        case "orders":
            yield "# pass"
            yield from order_lines(scene)
        case "battles":
            yield "# pass"
            yield from battle_lines(scene)
        case _:
            yield "# pass"
            yield from defence_lines(scene)


def _interference_lines(scene: Scene) -> Iterator[str]:
    """The decision, and who would be slowed."""
    event = written_event(BEFORE_MOVEMENT[scene.side])
    loss = -scene.data.figures.events.movement
    yield f"# use {event}   # the units below lose {loss} movement point, this time"
    yield f"# keep {event}   # it stays ready for another use this turn"
    units = list(marchers(scene.data, scene.state))
    enemy = Scene(scene.data, scene.state, scene.side.enemy)
    for box in own_boxes(enemy, units):
        told = (f"{enemy.told(unit)} ({points(scene.data, scene.state, unit)} MP)" for unit in units if unit.box == box)
        yield f"# {enemy.place(box)}: {', '.join(told)}"


def _attempt_lines(data: GameData, question: Question[Any]) -> Iterator[str]:
    """Every choice, what a die brings first."""
    figures = data.figures.breakdown
    loss = f"{counted(-figures.movement, 'movement point')} and {-figures.modifier} on each die less"
    yield f"# Each rolls a die: up to {figures.activates_to} activates it as usual; with more it breaks down, acts with"
    yield f"# {loss}, and the breakdown marker advances."
    for option in question.legal():
        yield f"# attempt {', '.join(map(short_command, option.commands)) or 'none'}"
