"""What is asked before the dice (8.0 to 9.0): the combats that are left, and how the other side defends in all of them.

The reasons against answers are in `s8_refusals`. Ruling 5-1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.white_eagle.answers import Battle, Battles, Defence, Fight
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.s8_hits import hits_left
from pbem.games.white_eagle.s8_outcome import flight_of
from pbem.games.white_eagle.s8_plans import Combat, combat_of, combats
from pbem.games.white_eagle.s8_refusals import battle_refusals, defence_refusals
from pbem.games.white_eagle.s8_retreat import open_retreats
from pbem.games.white_eagle.s9_siege import activated
from pbem.games.white_eagle.state import State
from pbem.log.event import Role
from pbem.rules.play import Question

# ---------------------------------------------------------------------- the activated side


def battles_question(data: GameData, state: State) -> Question[Battles] | None:
    """The combats that are left, for a player who wanted to see results first; None when there are none."""
    if not combats(data, state):
        return None
    return Question(
        role=Role(activated(state).side),
        model=Battles,
        default=Battles(),
        check=lambda answer: battle_refusals(data, state, answer),
        options=lambda: _battle_options(data, state),
    )


def _battle_options(data: GameData, state: State) -> Iterator[Battles]:
    """Some of the many legal answers: the default, and each combat alone, without and with each event."""
    yield Battles()
    for combat in combats(data, state):
        for event in (None, *combat.attack_events):
            yield Battles(battles=(Battle(box=combat.box, sortie=combat.sortie, event=event),))


# ---------------------------------------------------------------------- the other side


def defence_question(data: GameData, state: State) -> Question[Defence] | None:
    """How the other side fights in the planned combats, None where it has nothing to choose."""
    planned = planned_combats(data, state)
    if not any(has_choice(data, state, combat) for _, combat in planned):
        return None
    attacked = dict.fromkeys(data.box_name(combat.box) for _, combat in planned)
    return Question(
        role=Role(activated(state).side.enemy),
        model=Defence,
        default=Defence(),
        check=lambda answer: defence_refusals(data, state, answer),
        options=lambda: _defence_options(data, state, planned),
        about=f"attacked: {', '.join(attacked)}",
    )


def planned_combats(data: GameData, state: State) -> tuple[tuple[Battle, Combat], ...]:
    """The announced orders with the combats that they would bring now; an advance to come is not among them."""
    pairs = [(battle, combat_of(data, state, battle)) for battle in activated(state).planned]
    return tuple((battle, combat) for battle, combat in pairs if combat is not None)


def has_choice(data: GameData, state: State, combat: Combat) -> bool:
    """Whether the defender decides anything: an event, who takes hits, where to retreat, whether to leave a siege.

    A unit that the first hit eliminates does not retreat: without a hit it wins.
    """
    units = [state.units[name] for name in combat.defenders]
    if combat.defence_events or len(units) > 1:
        return True
    can_lose = sum(hits_left(data, unit) for unit in units) > 1
    return can_lose and len(defence_retreats(data, state, combat)) > (0 if combat.siege else 1)


def defence_retreats(data: GameData, state: State, combat: Combat) -> tuple[BoxId, ...]:
    """The boxes to which the defenders of a combat could retreat first, the best first (8.5)."""
    units = [state.units[name] for name in combat.defenders]
    return open_retreats(data, state, units, flight_of(combat)) if units else ()


def _defence_options(data: GameData, state: State, planned: Sequence[tuple[Battle, Combat]]) -> Iterator[Defence]:
    """Some of the many legal answers: the default, and each event, first loss, retreat and leave of one combat."""
    yield Defence()
    seen: set[tuple[BoxId, str]] = set()
    for _, combat in planned:
        if (combat.box, combat.sortie) not in seen:
            seen.add((combat.box, combat.sortie))
            yield from (Defence(fights=(fight,)) for fight in _fights(data, state, combat))


def _fights(data: GameData, state: State, combat: Combat) -> Iterator[Fight]:
    box = combat.box
    yield from (Fight(box=box, event=event) for event in combat.defence_events)
    ways = defence_retreats(data, state, combat)
    if combat.siege:
        yield from (Fight(box=box, retreat=(to,), leave=True) for to in ways)
    elif len(ways) > 1:
        yield from (Fight(box=box, retreat=(to,)) for to in ways)
    if len(combat.defenders) > 1:
        yield from (Fight(box=box, losses=(name,)) for name in combat.defenders)
