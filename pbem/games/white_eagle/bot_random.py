"""A program that plays at random: legal answers that come into every corner of the rules, to no purpose.

Orders are made up from what the rules offer; what the question's check refuses is struck out until the rest is legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pbem.games.white_eagle.answers import Battle, Battles, Defence, Fight, March, Orders
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.kinds import Event
from pbem.games.white_eagle.s5_orders import after_marches, after_recovery
from pbem.games.white_eagle.s5_recovery import may_recover
from pbem.games.white_eagle.s7_movement import Route, marchers, reachable
from pbem.games.white_eagle.s8_outcome import flight_of
from pbem.games.white_eagle.s8_plans import Combat, combats
from pbem.games.white_eagle.s8_questions import planned_combats
from pbem.games.white_eagle.s8_retreat import open_retreats
from pbem.games.white_eagle.s9_siege import activated
from pbem.games.white_eagle.state import State, Unit
from pbem.rules.bots import Chance, struck_out
from pbem.rules.play import Answer, Question
from pbem.rules.ruleset import Choose

T = TypeVar("T")


def random_answer(data: GameData, question: Question[Any], state: State, choose: Choose) -> Answer:
    """A legal answer to a question of the game, whichever it is."""
    chance = Chance(choose)
    match question.kind:
        case Orders.kind:
            return _orders(data, question, state, chance)
        case Battles.kind:
            return legal(question, _battles(data, state, chance))
        case Defence.kind:
            return legal(question, _defence(data, state, chance))
    chosen: Answer = chance.one(question.legal())
    return chosen


# ---------------------------------------------------------------------- striking out


def legal(question: Question[Any], answer: Answer) -> Answer:
    """An answer without the orders that are refused."""
    return struck_out(question, answer, orders_of, with_orders)


def orders_of(answer: Answer) -> list[Any]:
    """The orders of an answer in the order in which refusals number them."""
    match answer:
        case Orders():
            recovery = [] if answer.recover is None else [answer.recover]
            return [*recovery, *answer.marches, *answer.battles.battles]
        case Battles():
            return list(answer.battles)
        case Defence():
            return list(answer.fights)
    return []


def with_orders(answer: Answer, orders: Sequence[Any]) -> Answer:
    """An answer like another one, with some of its orders."""
    battles = tuple(order for order in orders if isinstance(order, Battle))
    match answer:
        case Orders():
            return Orders(
                recover=next((order for order in orders if isinstance(order, str)), None),
                marches=tuple(order for order in orders if isinstance(order, March)),
                battles=answer.battles.model_copy(update={"battles": battles}),
            )
        case Battles():
            return answer.model_copy(update={"battles": battles})
    return answer.model_copy(update={"fights": tuple(orders)})


# ---------------------------------------------------------------------- movement


def _orders(data: GameData, question: Question[Any], state: State, chance: Chance) -> Answer:
    able = [unit.id for unit in may_recover(data, state)]
    recover = chance.one(able) if able and not chance.one_in(3) else None
    marches = _marches(data, state, [recover], chance)
    found = legal(question, Orders(recover=recover, marches=tuple(marches)))
    assert isinstance(found, Orders)
    after = after_marches(data, after_recovery(state, found), found)
    return legal(question, found.model_copy(update={"battles": _battles(data, after, chance)}))


def _marches(data: GameData, state: State, resting: Sequence[UnitId | None], chance: Chance) -> Iterator[March]:
    """Some of the units, box by box: now and then all toward one enemy box, some of them in support there."""
    units = [unit for unit in marchers(data, state) if unit.id not in resting]
    ways = {unit.id: reachable(data, state, unit) for unit in units}
    side = activated(state).side
    hostile = sorted({box for way in ways.values() for box in way if data.is_opposed(state, box, side)})
    target = chance.one(hostile) if hostile and not chance.one_in(3) else None
    share, entered = chance.choose(4) + 1, 0
    for start in chance.shuffled(list(dict.fromkeys(unit.box for unit in units))):
        group = [unit for unit in units if unit.box == start and ways[unit.id] and chance.choose(4) < share]
        for march in _group(group, ways, target, chance):
            support = march.path[-1] == target and entered > 0 and not chance.one_in(3)
            entered += march.path[-1] == target
            yield march.model_copy(update={"support": support})


def _group(
    units: Sequence[Unit], ways: Mapping[UnitId, Mapping[BoxId, Route]], target: BoxId | None, chance: Chance
) -> Iterator[March]:
    """Units in one box go to the target where they can, else each, or all together, anywhere in reach."""
    going = [unit for unit in units if target in ways[unit.id]]
    if target is not None and going:
        yield _march(chance.shuffled(going)[: chance.choose(4) + 1], target, ways)
        units = [unit for unit in units if unit not in going]
    if units and chance.one_in(2):
        common = [box for box in ways[units[0].id] if all(box in ways[unit.id] for unit in units)]
        if common:
            yield _march(units, chance.one(common), ways)
            return
    for unit in units:
        yield _march([unit], chance.one(list(ways[unit.id])), ways)


def _march(units: Sequence[Unit], goal: BoxId, ways: Mapping[UnitId, Mapping[BoxId, Route]]) -> March:
    """By the cheapest of their ways, which the slowest of them can go."""
    route = min((ways[unit.id][goal] for unit in units), key=lambda one: one.cost)
    return March(units=tuple(unit.id for unit in units), path=route.path)


# ---------------------------------------------------------------------- combat


def _battles(data: GameData, state: State, chance: Chance) -> Battles:
    """Most of the combats, in any order; each may wait for the outcome of one before it, or stand in for it."""
    found: list[Battle] = []
    used: list[Event | None] = []
    by_box: dict[BoxId, list[Combat]] = {}
    for combat in combats(data, state):
        by_box.setdefault(combat.box, []).append(combat)
    for box in chance.shuffled(list(by_box)):
        combat = chance.one(by_box[box])
        if chance.one_in(5) and not combat.sortie:
            continue
        battle = _battle(data, state, combat, used, found, chance)
        found += [battle, *_otherwise(battle, chance)]
        used.append(battle.event)
    return Battles(battles=tuple(found), ask_again=bool(found) and chance.one_in(2))


def _battle(
    data: GameData,
    state: State,
    combat: Combat,
    used: Sequence[Event | None],
    before: Sequence[Battle],
    chance: Chance,
) -> Battle:
    near = data.board.neighbours[combat.box]
    conditions = [battle.box for battle in before]
    events = [event for event in combat.attack_events if event not in used]
    return Battle(
        box=combat.box,
        event=chance.one((None, *events, *events)),
        losses=_losses(state, (*combat.committed, *combat.sheltered), chance),
        retreat=chance.some(chance.shuffled(near)),
        leave=combat.siege and chance.one_in(3),
        sortie=combat.sortie,
        advance=() if chance.one_in(4) else tuple(chance.shuffled(near)),
        when_won=chance.one(conditions) if conditions and chance.one_in(5) else None,
        unless_won=chance.one(conditions) if conditions and chance.one_in(5) else None,
    )


def _otherwise(battle: Battle, chance: Chance) -> Iterator[Battle]:
    """Sometimes the same combat, without the event, for the opposite outcome of the one that it waits for."""
    if battle.when_won is not None and battle.unless_won is None and chance.one_in(2):
        changed = {"when_won": None, "unless_won": battle.when_won, "event": None}
        yield battle.model_copy(update=changed)


def _losses(state: State, names: Sequence[UnitId], chance: Chance) -> tuple[UnitId, ...]:
    """Some units in any order; a full one sometimes twice."""
    twice = [name for name in names if name in state.units and not state.units[name].reduced and chance.one_in(4)]
    return chance.some(chance.shuffled([*names, *twice]))


def _defence(data: GameData, state: State, chance: Chance) -> Defence:
    """Plans for most of the combats; one that an advance may bring is not thought of."""
    found: dict[BoxId, Fight] = {}
    used: list[Event | None] = []
    for _, combat in chance.shuffled(planned_combats(data, state)):
        if combat.box in found or chance.one_in(6):
            continue
        events = [event for event in combat.defence_events if event not in used]
        fight = _fight(data, state, combat, chance.one((None, *events, *events)), chance)
        found[combat.box] = fight
        used.append(fight.event)
    return Defence(fights=tuple(found.values()), ask_again=chance.one_in(4))


def _fight(data: GameData, state: State, combat: Combat, event: Event | None, chance: Chance) -> Fight:
    units = [state.units[name] for name in combat.defenders]
    near = data.board.neighbours[combat.box]
    ways = open_retreats(data, state, units, flight_of(combat)) if chance.one_in(2) else near
    return Fight(
        box=combat.box,
        event=event,
        losses=_losses(state, combat.defenders, chance),
        retreat=chance.some(chance.shuffled(ways)),
        leave=combat.siege and chance.one_in(3),
    )
