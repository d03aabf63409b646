"""The combat step of an activation (8.0): orders, the defence, one combat after the other, advances into enemies.

What can be fought is in `s8_plans`, one combat in `s8_outcome`. Rulings 5-1, 8-1, 8-16 and 8-18.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.games.white_eagle.answers import Battle, Battles, Defence, Fight
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.s8_combat import Engagement
from pbem.games.white_eagle.s8_outcome import resolve
from pbem.games.white_eagle.s8_plans import Combat, combat_of, combats
from pbem.games.white_eagle.s8_questions import battles_question, defence_question, defence_retreats, planned_combats
from pbem.games.white_eagle.s8_refusals import battle_refusals, defence_refusals
from pbem.games.white_eagle.s9_siege import activated
from pbem.games.white_eagle.state import State
from pbem.rules.play import Rules, ask, report

__all__ = [
    "Combat",
    "battle_refusals",
    "battles_question",
    "combats",
    "defence_question",
    "defence_refusals",
    "defence_retreats",
    "fight_battles",
    "planned_combats",
]


def fight_battles(data: GameData, state: State, battles: Battles) -> Rules[State]:
    """The combats of an activation: those ordered, in their order, then those that must be fought all the same (8.0).

    A player who wants to see results first is asked for the rest behind them.
    """
    state = yield from _fight(data, state, battles)
    question = battles_question(data, state) if battles.ask_again else None
    if question is None:
        return state
    answer = yield from ask(state, question)
    return (yield from fight_battles(data, state, answer))


def _fight(data: GameData, state: State, battles: Battles) -> Rules[State]:
    """One plan. Orders whose condition fails lose their event, if the combat must be fought; then it comes last."""
    unnamed = [] if battles.ask_again else _left_out(data, state, battles.battles)
    state = with_plan(state, (*battles.battles, *unnamed))
    state, defence = yield from _fight_planned(data, state, None)
    if not battles.ask_again:
        bare = {battle.box: without_event(battle) for battle in battles.battles}
        late = [bare.get(one.box, one) for one in _left_out(data, state, ())]
        state, _ = yield from _fight_planned(data, with_plan(state, late), defence)
    return state


def _left_out(data: GameData, state: State, named: Sequence[Battle]) -> list[Battle]:
    """Orders for the combats that must be fought and that are not named."""
    boxes = [battle.box for battle in named]
    return [Battle(box=combat.box) for combat in combats(data, state) if combat.must and combat.box not in boxes]


def without_event(battle: Battle) -> Battle:
    """An order whose condition does not hold: a combat that must be fought is fought without the event."""
    return battle.model_copy(update={"event": None, "sortie": "", "when_won": None, "unless_won": None})


def with_plan(state: State, planned: Sequence[Battle]) -> State:
    """The position with announced combats."""
    return replace(state, activation=replace(activated(state), planned=tuple(planned)))


def _fight_planned(data: GameData, state: State, defence: Defence | None) -> Rules[tuple[State, Defence | None]]:
    """The announced combats; the other side says once how it fights in all of them, or before each if it wants to.

    `defence` is what it has said for these combats before, and comes back with the position.
    """
    while True:
        state = yield from _drop_void(data, state)
        planned = activated(state).planned
        if not planned:
            return state, defence
        if defence is None or defence.ask_again:
            defence = yield from ask_defence(data, state)
        state = with_plan(state, planned[1:])
        state = yield from _one_combat(data, state, planned[0], defence)


def ask_defence(data: GameData, state: State) -> Rules[Defence]:
    """How the other side fights in the planned combats; not asked where it has no choice."""
    question = defence_question(data, state)
    return (yield from ask(state, question)) if question else Defence()


def _drop_void(data: GameData, state: State) -> Rules[State]:
    """Orders at the head of the plan whose condition fails, or who find no enemy, are left out (ruling 8-18)."""
    while planned := activated(state).planned:
        reason = _why_void(data, state, planned[0])
        if not reason:
            break
        yield from report(
            "8.0.p1", "no combat in {box} as ordered: {reason}", box=_name(data, planned[0].box), reason=reason
        )
        state = with_plan(state, planned[1:])
    return state


def _why_void(data: GameData, state: State, battle: Battle) -> str:
    won = activated(state).won
    if battle.when_won is not None and battle.when_won not in won:
        return f"{_name(data, battle.when_won)} was not won"
    if battle.unless_won is not None and battle.unless_won in won:
        return f"{_name(data, battle.unless_won)} was won"
    return "" if combat_of(data, state, battle) else "nobody is there to fight"


def _name(data: GameData, box: str) -> str:
    return data.box_name(BoxId(box))


# ---------------------------------------------------------------------- one combat


def _one_combat(data: GameData, state: State, battle: Battle, defence: Defence) -> Rules[State]:
    """A combat, and the one that an advance into enemies starts at once (8.5)."""
    resolved = yield from resolve(data, state, _engagement(data, state, battle, defence))
    state, goal = resolved.state, resolved.advanced
    if goal is None or not data.is_opposed(state, goal, activated(state).side):
        return state
    state, battle = _order_for(data, state, goal)
    if all(fight.box != goal for fight in defence.fights):
        later = activated(state).planned
        defence = yield from ask_defence(data, with_plan(state, (battle,)))
        state = with_plan(state, later)
    resolved = yield from resolve(data, state, _engagement(data, state, battle, defence), again=True)
    return resolved.state


def _engagement(data: GameData, state: State, battle: Battle, defence: Defence) -> Engagement:
    combat = combat_of(data, state, battle)
    assert combat is not None
    fight = next((one for one in defence.fights if one.box == battle.box), Fight(box=battle.box))
    return Engagement(combat, battle, fight)


def _order_for(data: GameData, state: State, goal: BoxId) -> tuple[State, Battle]:
    """The planned order for a box that units have advanced to, taken out of the plan; without one, an attack."""
    planned = activated(state).planned
    fitting = [one for one in planned if one.box == goal and not one.sortie and not _why_void(data, state, one)]
    order = fitting[0] if fitting else Battle(box=goal)
    return with_plan(state, [one for one in planned if one is not order]), order
