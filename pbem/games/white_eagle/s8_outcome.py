"""A combat from its announcement to its end (8.0 to 8.6, 9.0): who keeps the box, who retreats, stays or advances.

`resolve` asks nothing, so that chances can be told from it. Rulings 8-2, 8-12, 8-14, 8-17, 9-1, 9-4, 9-9 and 9-10.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.s6_victory import settle
from pbem.games.white_eagle.s7_stacking import fits
from pbem.games.white_eagle.s8_advance import advance, advance_goal, has_room, may_advance
from pbem.games.white_eagle.s8_combat import Engagement, Fought, exchange
from pbem.games.white_eagle.s8_plans import Combat
from pbem.games.white_eagle.s8_retreat import Flight, retreat, returned, ways_of
from pbem.games.white_eagle.s9_siege import activated, fort_stands
from pbem.games.white_eagle.state import State
from pbem.rules.play import Rules, report


@dataclass(frozen=True, slots=True)
class Resolved:
    """A combat that is over: the hits on each side, whether the attacker won, and the box that he advanced to."""

    state: State
    on_attacker: int
    on_defender: int
    won: bool
    advanced: BoxId | None


def resolve(data: GameData, state: State, engagement: Engagement, *, again: bool = False) -> Rules[Resolved]:
    """One combat; `again` for one that an advance has started, behind which there is no other advance (8.5)."""
    combat = engagement.combat
    yield from _announce(data, combat)
    fought = yield from exchange(data, state, engagement)
    won = is_won(combat, fought)
    state = yield from _conclude(data, engagement, fought)
    state = noted(state, combat, won=won)
    goal = None
    if not again and may_advance(data, engagement, fought):
        goal = advance_goal(data, state, engagement)
    state = yield from _supporters(data, state, engagement, won=won, advancing=goal is not None)
    state = yield from settle(data, state, combat.box)
    if goal is not None and not has_room(data, state, engagement, goal):
        goal = None
    if goal is not None:
        state = yield from advance(data, state, engagement, goal)
    return Resolved(state, fought.hits[combat.side], fought.hits[combat.side.enemy], won, goal)


def _announce(data: GameData, combat: Combat) -> Rules[None]:
    fort = f"the fort of {data.box_name(combat.box)}"
    attackers = [*([fort] if combat.attacking_fort else []), *map(data.name, combat.attackers)]
    support = f", in support {data.names(combat.support)}" if combat.support else ""
    defenders = [*([fort] if combat.defending_fort else []), *map(data.name, combat.defenders)]
    yield from report(
        {"": "8.0.p1", "all": "9.0.b6", "fort": "9.0.b7"}[combat.sortie],
        "combat in {box}: {attackers}{support} against {defenders}",
        box=data.box_name(combat.box),
        attackers=", ".join(attackers),
        support=support,
        defenders=", ".join(defenders),
    )


# ---------------------------------------------------------------------- who won


def is_won(combat: Combat, fought: Fought) -> bool:
    """Whether the defender loses: all of it is gone, or it took more hits than the attacker (8.5, 9.0)."""
    if fought.gone[combat.side]:
        return False
    return fought.gone[combat.side.enemy] or fought.hits[combat.side.enemy] > fought.hits[combat.side]


def _conclude(data: GameData, engagement: Engagement, fought: Fought) -> Rules[State]:
    """The loser leaves the box; in a siege only the attacker must (8.5, 9.0)."""
    combat, state = engagement.combat, fought.state
    attacker, defender = combat.side, combat.side.enemy
    if fought.gone[attacker] or fought.gone[defender]:
        return (yield from _one_is_gone(data, engagement, fought))
    won = is_won(combat, fought)
    yield from report(
        "9.0.b4" if combat.siege else "8.5.p1",
        "hits on the {attacker} attacker {first}, on the {defender} defender {second}: {fate}",
        attacker=attacker.adjective,
        first=fought.hits[attacker],
        defender=defender.adjective,
        second=fought.hits[defender],
        fate=_told_fate(combat, won=won),
    )
    if not won:
        return (yield from _beaten_off(data, state, engagement))
    if combat.siege:
        return (yield from _siege_goes_on(data, state, engagement))
    return (yield from _vacate(data, state, engagement))


def _told_fate(combat: Combat, *, won: bool) -> str:
    if combat.siege and won:
        return f"the {combat.side.enemy.adjective} side may leave"
    if combat.attacking_fort:
        return f"the {combat.side.adjective} side holds its fort"
    return f"the {(combat.side.enemy if won else combat.side).adjective} side retreats"


def _one_is_gone(data: GameData, engagement: Engagement, fought: Fought) -> Rules[State]:
    """Nobody is left of a side, or of both; defenders who took no part in a combat that is lost must leave (8.5)."""
    combat, state = engagement.combat, fought.state
    gone = [side.adjective for side in (combat.side, combat.side.enemy) if fought.gone[side]]
    text = "no {gone} unit is left in the combat"
    yield from report("8.5.p1", text, gone=" and no ".join(gone))
    return state if fought.gone[combat.side] else (yield from _vacate(data, state, engagement))


def _vacate(data: GameData, state: State, engagement: Engagement) -> Rules[State]:
    """All units of the defender leave, those who took no part in the combat too (ruling 8-12)."""
    combat = engagement.combat
    names = [unit.id for unit in state.of_side(combat.box, combat.side.enemy)]
    return (yield from retreat(data, state, names, flight_of(combat, engagement.defence.retreat)))


def flight_of(combat: Combat, wanted: Iterable[str] = ()) -> Flight:
    """The retreat of defenders."""
    return Flight(combat.launched, tuple(map(BoxId, wanted)), combat.box)


def _beaten_off(data: GameData, state: State, engagement: Engagement) -> Rules[State]:
    """Attackers go back, each group to its box; who makes a sortie stays in the fort (8.5, 8.6, ruling 9-1)."""
    combat = engagement.combat
    names = [name for name in combat.committed if name in state.units]
    if fort_stands(data, state, combat.box, combat.side):
        names = [name for name in names if name in activated(state).came]
    return (yield from _back(data, state, engagement, names, "8.6.b1" if combat.support else "8.5.b1"))


def _siege_goes_on(data: GameData, state: State, engagement: Engagement) -> Rules[State]:
    """Both sides may stay or leave, the defender first, but only to a free box (9.0, ruling 9-13)."""
    combat = engagement.combat
    inside = [unit.id for unit in state.of_side(combat.box, combat.side.enemy)]
    if engagement.defence.leave and _have_ways(data, state, inside, flight_of(combat, engagement.defence.retreat)):
        state = yield from _vacate(data, state, engagement)
    if engagement.attack.leave and data.is_opposed(state, combat.box, combat.side):
        names = [name for name in combat.attackers if name in state.units]
        stranded = [name for name in names if name not in activated(state).came]
        if _have_ways(data, state, stranded, Flight(lost=combat.box)):
            state = yield from _back(data, state, engagement, names, "9.0.b4")
    return state


def _have_ways(data: GameData, state: State, names: Iterable[UnitId], flight: Flight) -> bool:
    """Whether each of some units has a box to retreat to that it need not avoid."""
    units = [state.units[name] for name in names]
    return all(any(not way.rule for way in ways_of(data, state, unit, flight)) for unit in units)


def _back(data: GameData, state: State, engagement: Engagement, names: Iterable[UnitId], rule: str) -> Rules[State]:
    flight = Flight(wanted=tuple(map(BoxId, engagement.attack.retreat)), lost=engagement.combat.box)
    return (yield from returned(data, state, names, flight, rule))


def _supporters(data: GameData, state: State, engagement: Engagement, *, won: bool, advancing: bool) -> Rules[State]:
    """Supporting units that won go back, unless the primary ones advance and leave the box to them (8.6, 8-17)."""
    combat = engagement.combat
    names = [name for name in combat.support if name in state.units and state.units[name].box == combat.box]
    if not won or not names or (advancing and _have_room(data, state, combat)):
        return state
    rule = "8.6.b4" if data.is_opposed(state, combat.box, combat.side) else "8.6.b2"
    return (yield from _back(data, state, engagement, names, rule))


def _have_room(data: GameData, state: State, combat: Combat) -> bool:
    """Whether those who stay when the primary units are gone keep the limits (8.6)."""
    others = [unit for unit in state.of_side(combat.box, combat.side) if unit.id not in combat.attackers]
    return fits(data, state, combat.box, others)


# ---------------------------------------------------------------------- what is noted


def noted(state: State, combat: Combat, *, won: bool) -> State:
    """The position with a combat as fought: its attackers fight no more, a fort has used its turn up (9.0).

    Defenders who held the box could fight for it again, those too who came there by a retreat.
    """
    activation = activated(state)
    box, held = combat.box, {unit.id for unit in state.of_side(combat.box, combat.side.enemy)}
    idle = {*activation.idle, *combat.committed} - held
    activation = replace(
        activation,
        came={name: home for name, home in activation.came.items() if name in state.units},
        support=tuple(name for name in activation.support if name in state.units),
        idle=tuple(sorted(name for name in idle if name in state.units)),
        fought=(*activation.fought, box),
        won=(*activation.won, box) if won else tuple(one for one in activation.won if one != box),
    )
    turns = (*state.fort_turns, box) if combat.sortie else state.fort_turns
    return replace(state, activation=activation, fort_turns=turns)
