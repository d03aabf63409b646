"""Sieges (9.0): who is inside a fort and who before it, what a fort may do in an activation, its dice and its hits.

Rulings 9-1 to 9-9. Left out: the combat itself, which a siege shares with all others (`s8_combat`, `s8_outcome`).
"""

from __future__ import annotations

from dataclasses import replace

from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.kinds import Command, Side
from pbem.games.white_eagle.s3_setup import is_unmobilised
from pbem.games.white_eagle.s6_victory import victory_points
from pbem.games.white_eagle.state import Activation, State, Unit
from pbem.rules.play import Rules, report
from pbem.rules.refusal import Refusal

# ---------------------------------------------------------------------- who is where


def fort_stands(data: GameData, state: State, box: BoxId, side: Side) -> bool:
    """Whether a fort of a side stands in a box (9.0)."""
    return data.fort_against(state, box, side.enemy)


def is_besieged(data: GameData, state: State, box: BoxId, side: Side) -> bool:
    """Whether a fort of a side stands in a box with enemy units before it (9.0)."""
    return fort_stands(data, state, box, side) and bool(state.of_side(box, side.enemy))


def may_attack(data: GameData, activation: Activation, unit: Unit) -> bool:
    """Whether a unit can still attack in this activation (8.0, rulings 5-2, 7-7).

    Units of another command that left their fort by its chit, and entered a box with enemies, attack too (9-3).
    """
    return (
        (data.unit(unit.id).command is activation.command or unit.id in activation.came)
        and unit.id != activation.resting
        and unit.id not in activation.idle
        and not is_unmobilised(data, unit)
    )


def storming(data: GameData, state: State, box: BoxId) -> tuple[Unit, ...]:
    """The units of the activated side that attack in a box; out of a fort of theirs, who came to its relief (9-4)."""
    activation = activated(state)
    units = [unit for unit in state.of_side(box, activation.side) if may_attack(data, activation, unit)]
    if fort_stands(data, state, box, activation.side):
        units = [unit for unit in units if unit.id in activation.came]
    return tuple(units)


def garrison(data: GameData, state: State, box: BoxId) -> tuple[Unit, ...]:
    """The units of the activated side that make a sortie of the whole fort, whatever their command (ruling 9-2).

    One that recovers neither moves nor fights (5.2).
    """
    activation = activated(state)
    units = state.of_side(box, activation.side)
    return tuple(unit for unit in units if unit.id != activation.resting and not is_unmobilised(data, unit))


def is_first_entry(state: State, box: BoxId, side: Side) -> bool:
    """Whether every unit of the activated side in a box has entered it in this activation (ruling 8-1)."""
    return all(unit.id in activated(state).came for unit in state.of_side(box, side))


def activated(state: State) -> Activation:
    """The activation that is going on."""
    assert state.activation is not None
    return state.activation


# ---------------------------------------------------------------------- a fort's activation


def why_no_sortie(data: GameData, state: State, box: BoxId) -> Refusal | None:
    """The reason why no sortie can be made from a box now, None where one can (9.0, rulings 9-2, 9-3, 9-8)."""
    activation = activated(state)
    name = data.box_name(box)
    if not is_besieged(data, state, box, activation.side):
        text = f"expected a besieged fort of the {activation.side.adjective} side, got {name}"
        return Refusal("battle.sortie", text, "9.0.p2")
    if state.fort_turns.count(box) >= data.figures.fort.activations:
        return Refusal("battle.sortie", f"expected one activation of a fort in a turn, got {name} again", "9.0.p2")
    if box in activation.left:
        text = f"expected a sortie or units that leave, got both from {name}"
        return Refusal("battle.sortie", text, "9.0.b8", "one activation of a fort brings one of them")
    if box in activation.fought:
        return Refusal("battle.sortie", f"expected one combat in a box, got another in {name}", "9.0.p2")
    if not matches_fort(data, state, box):
        fort = fort_command(data, box).full_name
        text = f"expected the chit of the fort or of its units, got {activation.command.full_name} for {name}"
        return Refusal("battle.sortie", text, "9.0.p2", f"the fort is of {fort}")
    return None


def matches_fort(data: GameData, state: State, box: BoxId) -> bool:
    """Whether the chit is that of a fort, or of a unit that was in it before the movement (9.0, ruling 9-8)."""
    activation = activated(state)
    inside = [unit for unit in state.of_side(box, activation.side) if unit.id not in activation.came]
    commands = {fort_command(data, box), *(data.unit(unit.id).command for unit in inside)}
    return activation.command in commands


def fort_command(data: GameData, box: BoxId) -> Command:
    """The command whose chit activates a fort (9.0)."""
    return Command(data.board.boxes[box].fort)


# ---------------------------------------------------------------------- its dice and its hits


def fort_dice(data: GameData, steps: int) -> int:
    """Dice of a fort with so many steps left (9.0)."""
    figures = data.figures.fort
    if not steps:
        return 0
    return figures.dice_full if steps == figures.steps else figures.dice_reduced


def hit_fort(data: GameData, state: State, box: BoxId) -> Rules[State]:
    """One hit on a fort: it is reduced, or destroyed and off the map (9.0, 6.1)."""
    steps = state.forts[box] - 1
    state = replace(state, forts={**state.forts, box: steps})
    fate = "is reduced" if steps else "is destroyed"
    yield from report("9.0.b1", "the fort of {box} {fate}", box=data.box_name(box), fate=fate)
    if not steps and data.fort_side(box) is Side.GERMAN:
        yield from report("6.1.p5", "a German fort is lost: {points} VP", points=victory_points(data, state))
    return state
