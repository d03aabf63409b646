"""Sequence of play (4.0): chits are pulled, late German commands try to activate, the turn is cleaned up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import permutations

from pbem.games.white_eagle.answers import Attempts
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import ChitId, Start
from pbem.games.white_eagle.kinds import GERMAN_COMMANDS, ChitKind, Command, Side
from pbem.games.white_eagle.s3_setup import chits_that_start
from pbem.games.white_eagle.s5_activation import activate
from pbem.games.white_eagle.s6_victory import outcome_of, victory_points
from pbem.games.white_eagle.state import Activation, Stage, State, Unit
from pbem.log.event import Role
from pbem.rules.play import Outcome, Question, Rules, ask, checkpoint, draw, report, roll, total
from pbem.rules.refusal import Refusal

DIE = 6


def play_turns(data: GameData, state: State) -> Rules[Outcome]:
    """Chit after chit and turn after turn until the game is decided; play can be resumed between any two chits."""
    while (outcome := outcome_of(data, state)) is None:
        state = yield from one_step(data, state)
        yield from checkpoint(state)
    yield from report(outcome.rule, "{result}", result=outcome.text)
    return outcome


def one_step(data: GameData, state: State) -> Rules[State]:
    """An activation, or what comes next of the turn."""
    if state.activation is not None:
        return (yield from activate(data, state, state.activation))
    return (yield from STAGES[state.stage](data, state))


def pull(data: GameData, state: State) -> Rules[State]:
    """The next chit, or the end of the Chit Pull Phase with the fourth Turn End chit (4.1, 5.3)."""
    if ends_pulled(data, state) >= data.figures.cup.end_chits:
        return (yield from end_of_pulling(data, state))
    label = f"5.0/turn-{state.turn}/chit-{len(state.pulled) + 1}"
    chit = yield from draw(label, state.cup, lambda one: data.chit(one).meaning, cup_of(data, state))
    state = replace(state, cup=tuple(one for one in state.cup if one != chit), pulled=(*state.pulled, chit))
    return (yield from resolve(data, state, chit))


def resolve(data: GameData, state: State, chit: ChitId) -> Rules[State]:
    """What a chit brings: an activation comes next, an event waits for its use (5.0)."""
    drawn = data.chit(chit)
    if drawn.command:
        yield from report("5.0.p1", "chit: {chit}", chit=drawn.title)
        return replace(state, activation=Activation(drawn.command))
    if drawn.event:
        yield from report("5.1.p1", "chit: {chit}, which waits for its use", chit=drawn.title)
    else:
        facts = {"number": ends_pulled(data, state), "all": data.figures.cup.end_chits}
        yield from report("5.3.p1", "chit: Turn End, {number} of {all}", **facts)
    return state


def cup_of(data: GameData, state: State) -> tuple[ChitId, ...]:
    """Every chit of this turn, in the cup or drawn (3.2, 6.3)."""
    whole = {*state.cup, *state.pulled}
    return tuple(chit for chit in data.forces.chits if chit in whole)


def ends_pulled(data: GameData, state: State) -> int:
    """How many Turn End chits have been drawn this turn (5.3)."""
    return sum(data.chit(chit).kind is ChitKind.END for chit in state.pulled)


# ---------------------------------------------------------------------- late German commands


def end_of_pulling(data: GameData, state: State) -> Rules[State]:
    """German commands whose chits were not drawn may try to activate (4.2)."""
    drawn = {data.chit(chit).command for chit in state.pulled}
    missing = tuple(command for command in GERMAN_COMMANDS if command not in drawn)
    if not missing:
        return replace(state, stage=Stage.CLEAN_UP)
    answer = yield from ask(state, attempts_question(missing))
    return replace(state, stage=Stage.LATE if answer.commands else Stage.CLEAN_UP, late=answer.commands)


def attempts_question(missing: tuple[Command, ...]) -> Question[Attempts]:
    """Which commands try, and in which order; by default none does."""
    return Question(
        role=Role(Side.GERMAN),
        model=Attempts,
        default=Attempts(),
        check=partial(attempts_refusals, missing),
        options=lambda: tuple(_every_order(missing)),
    )


def attempts_refusals(missing: tuple[Command, ...], attempts: Attempts) -> list[Refusal]:
    """Why commands may not try: one that was drawn this turn, one that is no German command, one named twice (4.2)."""
    able = " and ".join(command.full_name for command in missing)
    found = []
    for number, command in enumerate(attempts.commands):
        if command not in missing:
            text = f"expected a German command whose chit was not drawn, got {command.full_name}"
            found.append(Refusal("attempts.command", text, "4.2.p1", f"{able} can try", number + 1))
        elif command in attempts.commands[:number]:
            text = f"expected each command once, got {command.full_name} again"
            found.append(
                Refusal("attempts.twice", text, "4.2.p1", "name each one once, in the order of the tries", number + 1)
            )
    return found


def _every_order(missing: tuple[Command, ...]) -> Iterator[Attempts]:
    for size in range(len(missing) + 1):
        yield from (Attempts(commands=some) for some in permutations(missing, size))


def try_late(data: GameData, state: State) -> Rules[State]:
    """A command is activated late, as usual or with a breakdown that the track counts (4.2, ruling 4-1)."""
    command, *later = state.late
    state = replace(state, late=tuple(later), stage=Stage.LATE if later else Stage.CLEAN_UP)
    figures = data.figures.breakdown
    die = yield from roll(f"4.2/turn-{state.turn}/{command}", 1, DIE, total)
    if die <= figures.activates_to:
        yield from report("4.2.p1", "{command} tries: {die}, it is activated", command=command.full_name, die=die)
        return replace(state, activation=Activation(command))
    state = replace(state, breakdowns=state.breakdowns + 1)
    text = "{command} tries: {die}, a breakdown, the {count}. of the campaign"
    yield from report("4.2.b2", text, command=command.full_name, die=die, count=state.breakdowns)
    return replace(state, activation=Activation(command, slowed=figures.movement, breakdown=True))


# ---------------------------------------------------------------------- the end of a turn


def clean_up(data: GameData, state: State) -> Rules[State]:
    """The marker moves on, the chits go back, reduced Poles are turned over, the Soviets may enter (4.3)."""
    turn = state.turn + 1
    state = replace(state, turn=turn, stage=Stage.PULL, pulled=(), used=(), recovered=(), fort_turns=())
    yield from report("4.3.b1", "turn {turn}: {date}", turn=turn, date=data.date(turn))
    state = yield from turn_over(data, state)
    state = yield from soviet_entry(data, state)
    starts = (Start.CUP, Start.HELD, *((Start.ASIDE,) if state.soviets else ()))
    return replace(state, cup=chits_that_start(data, *starts))


def turn_over(data: GameData, state: State) -> Rules[State]:
    """Poles that began reduced come to full strength on the turn that their counter names (3.1, 4.3)."""
    ready = [unit for unit in state.units.values() if is_due(data, state, unit)]
    for unit in ready:
        yield from report("4.3.b4", "{unit} comes to full strength", unit=data.name(unit.id))
    return state.with_units([replace(unit, reduced=False) for unit in ready])


def is_due(data: GameData, state: State, unit: Unit) -> bool:
    """Whether a reduced unit is turned over at the beginning of this turn."""
    return unit.reduced and data.unit(unit.id).flips_on == state.turn


def soviet_entry(data: GameData, state: State) -> Rules[State]:
    """From Turn 5 on, with enough German points, the Soviet chits come into the cup for good (6.3, ruling 6-1)."""
    points = victory_points(data, state)
    enough = points >= data.figures.victory.soviet_entry and state.turn >= data.figures.turns.soviet_entry
    if state.soviets or not enough:
        return state
    yield from report("6.3.p1", "{points} VP: the Soviet Union enters", points=points)
    return replace(state, soviets=True)


STAGES: Mapping[Stage, Callable[[GameData, State], Rules[State]]] = {
    Stage.PULL: pull,
    Stage.LATE: try_late,
    Stage.CLEAN_UP: clean_up,
}
