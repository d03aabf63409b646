"""Event chits (5.1): which of them a side can still trigger, and those that slow the enemy's movement."""

from __future__ import annotations

from dataclasses import replace

from pbem.games.white_eagle.answers import Interference
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import ChitId
from pbem.games.white_eagle.kinds import BEFORE_MOVEMENT, Event, Side
from pbem.games.white_eagle.s7_movement import can_march
from pbem.games.white_eagle.state import Activation, State
from pbem.log.event import Role
from pbem.rules.play import Fact, Question, Rules, ask, report

RULES = {Event.LUFTWAFFE: "5.1.b1", Event.SABOTAGE: "5.1.b5"}


def ready_events(data: GameData, state: State, side: Side) -> tuple[Event, ...]:
    """The events of a side that were drawn this turn and not used, each once, in the order of the chits."""
    chits = [data.chit(chit).event for chit in state.pulled if chit not in state.used]
    return tuple(dict.fromkeys(event for event in chits if event and event.side is side))


def use_event(data: GameData, state: State, event: Event) -> State:
    """The position with one chit of an event turned face down (5.1)."""
    chit = next(chit for chit in state.pulled if chit not in state.used and data.chit(chit).event is event)
    return replace(state, used=(*state.used, ChitId(chit)))


def interfere(data: GameData, state: State, activation: Activation) -> Rules[State]:
    """The side that is not activated may slow the movement that comes (5.1)."""
    enemy = activation.side.enemy
    event = BEFORE_MOVEMENT[enemy]
    state = replace(state, activation=replace(activation, asked=True))
    if activation.asked or event not in ready_events(data, state, enemy) or not can_march(data, state):
        return state
    answer = yield from ask(state, interference_question(enemy))
    if not answer.use:
        return state
    slowed = activation.slowed + data.figures.events.movement
    state = use_event(data, state, event)
    text = "{event}: the units of {command} lose {points} movement point"
    points = -data.figures.events.movement
    facts: dict[str, Fact] = {"event": event.full_name, "command": activation.command.full_name, "points": points}
    yield from report(RULES[event], text, **facts)
    return replace(state, activation=replace(activation, asked=True, slowed=slowed))


def interference_question(enemy: Side) -> Question[Interference]:
    """Whether to use Luftwaffe or Sabotage now; the default keeps it."""
    return Question(
        role=Role(enemy),
        model=Interference,
        default=Interference(use=False),
        options=lambda: (Interference(use=False), Interference(use=True)),
    )
