"""What it is worth to have units in a box: where they could go on to, and what the enemy could do to them there.

Worths are in hundredths of a victory point. Every figure here is this program's judgement, none is a rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.bot_fight import GROUND, PERCENT, POINT, exchange_worth, imagined, prize, step_worth
from pbem.games.white_eagle.bot_view import SURE, View, likelihood
from pbem.games.white_eagle.kinds import Command, Nation, Side
from pbem.games.white_eagle.s6_victory import victory_points
from pbem.games.white_eagle.s8_hits import hits_left
from pbem.games.white_eagle.s9_siege import fort_command, fort_dice
from pbem.games.white_eagle.state import Unit

FEAR = {Side.GERMAN: 20, Side.POLISH: 100}
"""Percentage of what the enemy could do that is feared: he cannot do all of it."""
NEGLECT = {Side.GERMAN: 40, Side.POLISH: 80}
"""The same where nobody stands."""
PULL = 25
"""Percentage of the worth of a goal that a unit has which could be there at once."""
WAY = (100, 60, 36, 22, 13, 8, 5, 3, 2, 1)
"""Percentages of that for a unit that is 0, 1, 2 … activations away."""
CAPITAL = 220
PREY = 5
"""What each step of an enemy pulls, and for a Soviet unit."""
SOVIET_PREY = 15
IN_THE_EAST = {5: 10, 6: 25, 7: 60}
"""What it costs a German unit to be east of the line once the Soviets are in, by turn; later a victory point."""
GERMAN_FORT = 60
FORT_FOR_GOOD = 200
"""What Germans fear to lose with a fort: a city can be won back."""
INTRUDER = 50
"""What pulls Germans, but no Soviets, to Poles outside Poland."""
ALLIED = 60
"""What pulls Poles more when the next point that the Germans lose brings the war in the west near (6.2)."""


# ---------------------------------------------------------------------- goals


def goals(view: View, nation: Nation) -> Mapping[BoxId, int]:
    """The boxes that pull units of a nation, with their worths."""
    key = "goals", nation
    if key not in view.known:
        found = _polish_goals(view) if nation is Nation.POLISH else _german_goals(view, nation)
        view.known[key] = {box: worth for box, worth in found.items() if worth}
    known: Mapping[BoxId, int] = view.known[key]
    return known


def _german_goals(view: View, nation: Nation) -> dict[BoxId, int]:
    """Cities to take and Poles to beat, on the right side of the line."""
    data, state = view.data, view.state
    prey = SOVIET_PREY if nation is Nation.SOVIET else PREY
    found: dict[BoxId, int] = {}
    for unit in state.units.values():
        if data.unit(unit.id).nation is Nation.POLISH:
            intruder = 0 if data.board.in_poland(unit.box) else INTRUDER
            found[unit.box] = found.get(unit.box, 0) + prey * hits_left(data, unit) + intruder
    for box in data.board.victory_cities:
        if box not in state.held:
            found[box] = found.get(box, 0) + (CAPITAL if data.board.boxes[box].victory > 1 else POINT)
    return {box: worth for box, worth in found.items() if _is_for(view, nation, box)}


def _is_for(view: View, nation: Nation, box: BoxId) -> bool:
    east = view.data.board.boxes[box].east
    return east if nation is Nation.SOVIET else not (east and view.state.soviets)


def _polish_goals(view: View) -> dict[BoxId, int]:
    """Cities to guard as far as they are menaced, cities to win back, German forts."""
    data, state = view.data, view.state
    near_war = ALLIED if victory_points(data, state) <= data.figures.victory.allied_points + 1 else 0
    found: dict[BoxId, int] = {}
    for box in data.board.victory_cities:
        markers = data.board.boxes[box].victory
        worth = CAPITAL if markers > 1 else POINT
        found[box] = worth + near_war if box in state.held else worth * menace(view, box) // PERCENT
    if state.turn >= data.figures.turns.poles_leave - 1:
        forts = [box for box in data.board.forts if data.fort_against(state, box, Side.POLISH)]
        found |= dict.fromkeys(forts, GERMAN_FORT + near_war)
    return found


def menace(view: View, box: BoxId) -> int:
    """How much of the enemy's army is near a box, in percent of four units beside it."""
    near = 0
    away = None if view.state.soviets else Nation.SOVIET
    for unit in view.state.units.values():
        if view.data.unit(unit.id).nation not in (Nation.POLISH, away):
            near += WAY[min(view.turns(unit, box), len(WAY) - 1)]
    return min(PERCENT, near * PERCENT // (4 * WAY[1]))


def pull(view: View, unit: Unit, box: BoxId) -> int:
    """What the goals are worth to a unit in a box; Germans look for others than the box itself."""
    key = "pull", unit.id, box
    if key not in view.known:
        nation = view.data.unit(unit.id).nation
        stays = nation is Nation.POLISH and box not in view.state.held
        near = [
            worth * WAY[min(view.turns(unit, goal, box), len(WAY) - 1)]
            for goal, worth in goals(view, nation).items()
            if stays or goal != box
        ]
        view.known[key] = max(near, default=0) * PULL // PERCENT // PERCENT
    return int(view.known[key])


# ---------------------------------------------------------------------- standing in a box


def standing(view: View, box: BoxId, units: Sequence[Unit]) -> int:
    """What units of this side are worth in a box where they do not fight now, nobody included."""
    key = "stand", box, tuple(units)
    if key not in view.known:
        found = sum(pull(view, unit, box) - in_the_east(view, unit, box) for unit in units)
        fear = FEAR[view.side] if units else NEGLECT[view.side]
        view.known[key] = found - risk(view, box, units) * fear // PERCENT
    return int(view.known[key])


def in_the_east(view: View, unit: Unit, box: BoxId) -> int:
    """What the end of the game takes for a German unit there (10.0)."""
    if not (view.state.soviets and view.data.board.boxes[box].east and view.data.unit(unit.id).nation is Nation.GERMAN):
        return 0
    return IN_THE_EAST.get(view.state.turn, POINT)


def risk(view: View, box: BoxId, units: Sequence[Unit]) -> int:
    """What the enemy may win in a box until the next activation, from those of his commands that could come."""
    key = "risk", box, tuple(units)
    if key not in view.known:
        threats = view.threats(box)
        found = sum(_danger(view, box, units, command, threats[command]) for command in threats)
        view.known[key] = found + _fort_fire(view, box, units)
    return int(view.known[key])


def _danger(view: View, box: BoxId, units: Sequence[Unit], command: Command, enemies: Sequence[Unit]) -> int:
    able = [unit for unit in enemies if unit.box != box or units]
    if not able:
        return 0
    if not units and not view.has_own_fort(box):
        worth = prize(view.data, view.state, box, view.side.enemy) if view.is_ours(box) else 0
    else:
        group = view.filled(box, (), able, fort_limit=False)
        promised = imagined(view, box, command, group, (), units)
        worth = max(0, exchange_worth(view, promised, box, group, units, stake(view, box)))
    return worth * likelihood(view.data, view.state, command) // SURE


def stake(view: View, box: BoxId) -> int:
    """What the enemy wins with a box where units of this side stand: its city is theirs, but before a fort."""
    besieging = view.data.fort_against(view.state, box, view.side)
    markers = 0 if besieging else view.data.board.boxes[box].victory
    fort = FORT_FOR_GOOD if view.side is Side.GERMAN and view.has_own_fort(box) else 0
    return GROUND + markers * POINT + fort


def _fort_fire(view: View, box: BoxId, units: Sequence[Unit]) -> int:
    """What a besieged fort does to besiegers without any risk (9.0)."""
    if not units or not view.data.fort_against(view.state, box, view.side):
        return 0
    dice = fort_dice(view.data, view.state.forts[box])
    hits = dice * (7 - view.data.figures.fort.factor) * SURE // 6
    chance = likelihood(view.data, view.state, fort_command(view.data, box))
    return hits * step_worth(view, units[0]) * chance // SURE // SURE
