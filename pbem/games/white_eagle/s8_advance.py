"""Advance after combat (8.5): when it is allowed, to which box, and the going. Rulings 1-1 and 8-15.

Left out: the combat that an advance into enemies starts (`s8_battles`).
"""

from __future__ import annotations

from dataclasses import replace

from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.kinds import Event, Nation
from pbem.games.white_eagle.s6_victory import settle
from pbem.games.white_eagle.s7_movement import barred
from pbem.games.white_eagle.s7_stacking import fits
from pbem.games.white_eagle.s8_combat import Engagement, Fought
from pbem.games.white_eagle.s9_siege import activated
from pbem.games.white_eagle.state import State, nation_of
from pbem.rules.play import Rules, report


def may_advance(data: GameData, engagement: Engagement, fought: Fought) -> bool:
    """Three units to one, no defender and no fort left, no hit on the attacker (8.5).

    With Blitzkrieg the first condition does not matter to Germans (5.1); steps of a fort count as units.
    """
    combat = engagement.combat
    attackers = len(combat.committed) + combat.attacking_fort
    defenders = len(combat.defenders) + combat.defending_fort
    many = attackers >= data.figures.combat.advance_ratio * defenders
    unscathed = fought.gone[combat.side.enemy] and not fought.hits[combat.side]
    return unscathed and (many or is_blitzkrieg(engagement))


def is_blitzkrieg(engagement: Engagement) -> bool:
    """Whether the advance is automatic: the event, and German units alone (5.1, 8.5, ruling 1-1)."""
    combat = engagement.combat
    germans = all(nation_of(name) is Nation.GERMAN for name in combat.committed)
    return germans and engagement.event_of(combat.side) is Event.BLITZKRIEG


def advance_goal(data: GameData, state: State, engagement: Engagement) -> BoxId | None:
    """The first box of the plan that all victorious primary units may enter together, None for no advance (8.5)."""
    units = [name for name in engagement.combat.attackers if name in state.units]
    wanted = map(BoxId, engagement.attack.advance)
    return next((box for box in wanted if units and can_enter(data, state, units, engagement.combat.box, box)), None)


def can_enter(data: GameData, state: State, names: list[UnitId], start: BoxId, box: BoxId) -> bool:
    """Whether units in `start` could advance to a box: next to it, open to each of them, with room for all (8.5).

    They do not advance into a fight that is over, as that for an own fort which has made its sortie (ruling 9-11).
    """
    activation = activated(state)
    over = box in activation.fought and data.is_opposed(state, box, activation.side)
    if over or box not in data.board.neighbours[start]:
        return False
    units = [state.units[name] for name in names]
    there = state.of_side(box, activation.side)
    return not any(barred(data, state, unit, box) for unit in units) and fits(data, state, box, [*there, *units])


def has_room(data: GameData, state: State, engagement: Engagement, goal: BoxId) -> bool:
    """Whether the victors still find room in the box to which they would advance, when supporters have gone back."""
    names = [name for name in engagement.combat.attackers if name in state.units]
    return can_enter(data, state, names, engagement.combat.box, goal)


def advance(data: GameData, state: State, engagement: Engagement, goal: BoxId) -> Rules[State]:
    """The primary units move one box on as a single stack, and take control of what nobody defends (8.5, 8.6)."""
    start, activation = engagement.combat.box, activated(state)
    names = tuple(name for name in engagement.combat.attackers if name in state.units)
    automatic = " (Blitzkrieg)" if is_blitzkrieg(engagement) else ""
    text = "advance{automatic} from {start} to {box}: {units}"
    places = {"start": data.box_name(start), "box": data.box_name(goal)}
    rule = "8.5.p6" if automatic else "8.5.p5"
    yield from report(rule, text, automatic=automatic, units=data.names(names), **places)
    came = dict(activation.came)
    opposed = data.is_opposed(state, goal, activation.side)
    for name in names:
        came.pop(name, None)
    if opposed:
        came |= dict.fromkeys(names, start)
    fighting = [name for name in activation.idle if not (opposed and name in names)]
    state = replace(state, activation=replace(activation, came=came, idle=tuple(fighting)))
    state = state.with_units([replace(state.units[name], box=goal) for name in names])
    return (yield from settle(data, state, goal))
