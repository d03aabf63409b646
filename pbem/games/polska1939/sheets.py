"""What a player reads before deciding: the question in a line, and the sheet with the legal choices as comments.

The choices are in `sheet_attacks.py`, `sheet_moves.py` and `sheet_air.py`, the words they share in `sheet_words.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import AirKind
from pbem.games.polska1939.orders import NOTHING, forms_of, write_orders
from pbem.games.polska1939.position_reader import STAGES
from pbem.games.polska1939.s6_reach import aircraft
from pbem.games.polska1939.s12_scenario import slovak_areas
from pbem.games.polska1939.s13_victory import score
from pbem.games.polska1939.sheet_air import MISSION_HELP, intercept_lines, loss_lines, mission_lines, raid_lines
from pbem.games.polska1939.sheet_attacks import DEFENCE_HELP, attack_help, attack_lines, defence_lines
from pbem.games.polska1939.sheet_moves import destination_lines, idle_forms, move_help, move_lines
from pbem.games.polska1939.sheet_words import Scene
from pbem.games.polska1939.state import SETUP, Side, State
from pbem.log.enumeration import counted
from pbem.rules.play import Question

ASKED: Mapping[str, str] = {
    "slovak_setup": "where the Slovak units begin",
    "intercepts": "which areas your bombers defend, in secret",
    "air_missions": "which areas are bombed",
    "rail_raids": "where your bombers wait for trains, in secret",
    "bomb_losses": "who loses first under bombs",
    "attacks": "what you attack",
    "defence": "how you defend",
    "moves": "what moves",
    "destinations": "where the loaded units will travel, in secret",
}


def question_text(data: GameData, question: Question[Any], state: State) -> str:
    """What is asked, in one line: `3 September, phase II: what you attack`."""
    phase = "" if state.phase == SETUP else f", phase {STAGES[state.phase]}"
    about = _fleet(data, question, state) if question.kind == "air_missions" else question.about
    about = f" ({about})" if about else ""
    return f"{data.date(state.day)}{phase}: {ASKED[question.kind]}{about}"


def _fleet(data: GameData, question: Question[Any], state: State) -> str:
    """`5 BOM, 5 OFF`."""
    counts = {kind: len(aircraft(data, Side(question.role), state.day, kind)) for kind in AirKind}
    return ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)


def sheet_lines(data: GameData, question: Question[Any], state: State) -> list[str]:
    """The lines of an order sheet: what is asked, how it is written, the position and the legal choices as comments."""
    lines = [f"# You are asked: {question_text(data, question, state)}.", "#", f"# {_standings(data, state)}", "#"]
    lines += ["# One order a line; what stands behind a # is ignored. Take the # away from what you choose"]
    lines[-1] += ", or write 'pass'." if question.kind in NOTHING else "."
    lines += [f"# Orders: {' / '.join(_forms(data, question, state))}", *_help(question), "#"]
    return lines + list(_choices(data, question, state))


def _forms(data: GameData, question: Question[Any], state: State) -> list[str]:
    """Orders as examples, without those that nobody can be given now."""
    side = Side(question.role)
    idle = idle_forms(data, state, side) if question.kind == "moves" else ()
    return [form for form in forms_of(question.kind, side) if form.split()[0] not in idle]


def _help(question: Question[Any]) -> tuple[str, ...]:
    side = Side(question.role)
    match question.kind:
        case "air_missions":
            return (*MISSION_HELP, *attack_help(side))
        case "attacks":
            return attack_help(side)
        case "defence":
            return DEFENCE_HELP
        case "moves":
            return move_help(side)
        case _:
            return ()


def _standings(data: GameData, state: State) -> str:
    """The points so far."""
    found = score(data, state)
    german, polish = found.german_cities + found.german_bonus, found.polish_cities + found.polish_bonus
    points = counted(german, "victory point")
    return f"{state.scenario.capitalize()}: so far the Germans have {points}, the Poles {polish}."


def _choices(data: GameData, question: Question[Any], state: State) -> Iterator[str]:
    if question.kind == "slovak_setup":
        yield f"# areas of Slovakia: {', '.join(map(data.area_name, slovak_areas(data)))}"
        yield from write_orders(data, question.default).splitlines()
        return
    if question.kind in NOTHING:
        yield "# pass"
    scene = Scene.of(data, state, Side(question.role))
    match question.kind:
        case "attacks":
            yield from attack_lines(scene)
        case "defence":
            yield from defence_lines(scene)
        case "moves":
            yield from move_lines(scene)
        case "destinations":
            yield from destination_lines(scene)
        case _:
            yield from _air_choices(scene, question)


def _air_choices(scene: Scene, question: Question[Any]) -> Iterator[str]:
    match question.kind:
        case "intercepts":
            yield from intercept_lines(scene)
        case "rail_raids":
            yield from raid_lines(scene)
        case "bomb_losses":
            yield from loss_lines(scene, question)
        case _:
            yield from mission_lines(scene)
            yield "#"
            yield "# attacks later"
            yield "# no attacks"
            yield from attack_lines(scene)
