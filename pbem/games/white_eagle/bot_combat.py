"""Combats as a program that plays to win fights them: which, with which event, where to go then; from either side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.white_eagle.answers import Battle, Battles, Defence, Fight
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.bot_fight import FORT_STEP, POINT, exchange_worth, prize, steps_worth
from pbem.games.white_eagle.bot_odds import SURE, Forecast, forecast
from pbem.games.white_eagle.bot_view import View
from pbem.games.white_eagle.bot_worth import standing
from pbem.games.white_eagle.kinds import Event
from pbem.games.white_eagle.s8_advance import can_enter
from pbem.games.white_eagle.s8_combat import Engagement
from pbem.games.white_eagle.s8_plans import Combat, combats
from pbem.games.white_eagle.s8_questions import defence_retreats, planned_combats
from pbem.games.white_eagle.state import Unit

EVENT_LEAST = 4
"""What an event must gain in a combat to be used in it: it may serve better later, but is gone with the turn."""
STORM_LEAST = 1


def promised(view: View, combat: Combat, attack: Event | None, defence: Event | None = None) -> Forecast:
    """What a combat comes to with events."""
    key = "promised", combat, attack, defence
    if key not in view.known:
        fights = Battle(box=combat.box, event=attack, sortie=combat.sortie), Fight(box=combat.box, event=defence)
        view.known[key] = forecast(view.data, view.state, Engagement(combat, *fights))
    found: Forecast = view.known[key]
    return found


def worth(view: View, combat: Combat, attack: Event | None, defence: Event | None = None) -> int:
    """What a combat is worth to the attacker."""
    state, expected = view.state, promised(view, combat, attack, defence)
    theirs = [state.units[name] for name in combat.defenders]
    ours = [state.units[name] for name in (*combat.committed, *combat.sheltered)]
    if combat.attacking_fort:
        own = steps_worth(view, ours) if ours else FORT_STEP
        return (expected.defender_loss * steps_worth(view, theirs) - expected.attacker_loss * own) // SURE
    won = prize(view.data, view.state, combat.box, combat.side)
    return exchange_worth(view, expected, combat.box, ours, theirs, won)


# ---------------------------------------------------------------------- the activated side


def battles(view: View) -> Battles:
    """All combats that must be fought or are worth it; events where they gain most, the surest combats first."""
    chosen = list(_chosen(view))
    events = _events([(c, c.attack_events) for c in chosen], lambda combat, event: worth(view, combat, event))
    rated = sorted(chosen, key=lambda combat: -promised(view, combat, events.get(combat.box)).won)
    return Battles(battles=tuple(_battle(view, combat, events.get(combat.box)) for combat in rated))


def _chosen(view: View) -> Iterator[Combat]:
    by_box: dict[BoxId, list[Combat]] = {}
    for combat in combats(view.data, view.state):
        by_box.setdefault(combat.box, []).append(combat)
    for options in by_box.values():
        best = max(options, key=lambda combat: (combat.must, worth(view, combat, None)))
        if best.must or worth(view, best, None) >= STORM_LEAST:
            yield best


def _events(choices: Sequence[tuple[Combat, Sequence[Event]]], rated: object) -> dict[BoxId, Event]:
    """Each event in the combat where it gains most."""
    assert callable(rated)
    found: dict[BoxId, Event] = {}
    gains = [
        (rated(combat, event) - rated(combat, None), combat.box, event)
        for combat, events in choices
        for event in events
    ]
    for gain, box, event in sorted(gains, key=lambda one: (-one[0], one[1], one[2])):
        if gain >= EVENT_LEAST and box not in found and event not in found.values():
            found[box] = event
    return found


def _battle(view: View, combat: Combat, event: Event | None) -> Battle:
    units = [view.state.units[name] for name in combat.attackers]
    return Battle(
        box=combat.box,
        event=event,
        sortie=combat.sortie,
        advance=() if combat.sortie or not units else tuple(_onward(view, combat, units)),
    )


def _onward(view: View, combat: Combat, units: Sequence[Unit]) -> Iterator[BoxId]:
    """Boxes to advance to, the best first: free ones that are better than to stay."""
    names = [unit.id for unit in units]
    stay = standing(view, combat.box, units)
    gains = []
    for box in view.data.board.neighbours[combat.box]:
        if not view.is_opposed(box) and can_enter(view.data, view.state, names, combat.box, box):
            taken = POINT * view.data.board.boxes[box].victory if view.is_theirs(box) else 0
            gains.append((standing(view, box, units) + taken - stay, box))
    yield from (box for gain, box in sorted(gains, reverse=True) if gain > 0)


# ---------------------------------------------------------------------- the other side


def defence(view: View) -> Defence:
    """Events where they cost the attacker most, retreats to where the units are worth most."""
    attacked = {combat.box: (battle, combat) for battle, combat in reversed(planned_combats(view.data, view.state))}
    choices = [(combat, combat.defence_events) for _, combat in attacked.values()]
    used = {box: battle.event for box, (battle, _) in attacked.items()}
    events = _events(choices, lambda combat, event: -worth(view, combat, used[combat.box], event))
    return Defence(fights=tuple(_fight(view, combat, events.get(box)) for box, (_, combat) in attacked.items()))


def _fight(view: View, combat: Combat, event: Event | None) -> Fight:
    units = [view.state.units[name] for name in combat.defenders]
    ways = defence_retreats(view.data, view.state, combat)
    rated = sorted(ways, key=lambda box: -_refuge(view, box, units))
    leave = bool(combat.siege and rated and _refuge(view, rated[0], units) > standing(view, combat.box, units))
    return Fight(box=combat.box, event=event, retreat=tuple(rated), leave=leave)


def _refuge(view: View, box: BoxId, units: Sequence[Unit]) -> int:
    there = view.of_side(box, view.side)
    taken = POINT * view.data.board.boxes[box].victory if view.is_theirs(box) else 0
    return standing(view, box, [*there, *units]) - standing(view, box, there) + taken
