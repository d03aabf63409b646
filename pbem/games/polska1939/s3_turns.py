"""Turns and phases (3.1): six phases a day, those of Player A first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.s4_march import march_phase
from pbem.games.polska1939.s5_combat import attack_phase
from pbem.games.polska1939.s5_reorganization import reorganize
from pbem.games.polska1939.s6_air import air_phase
from pbem.games.polska1939.s11_reinforcements import grow
from pbem.games.polska1939.s12_scenario import place_slovaks, withdraw
from pbem.games.polska1939.s13_victory import close_day, outcome_of
from pbem.games.polska1939.state import PHASES, SETUP, State
from pbem.rules.play import Outcome, Rules, checkpoint, report

Phase = Callable[[GameData, State], Rules[State]]
PLAYED: Mapping[int, Phase] = {
    1: air_phase,
    2: attack_phase,
    3: march_phase,
    4: air_phase,
    5: attack_phase,
    6: march_phase,
}
NAMES = {1: "I", 2: "II", 3: "III", 4: "IV", 5: "V", 6: "VI"}


def play_days(data: GameData, state: State) -> Rules[Outcome]:
    """Phase after phase until the campaign is decided; play can be resumed between any two phases."""
    if state.phase == SETUP:
        state = yield from place_slovaks(data, state)
        state = replace(state, phase=1)
        yield from checkpoint(state)
    while (outcome := outcome_of(data, state)) is None:
        state = yield from one_phase(data, state)
        yield from checkpoint(state)
    yield from report(outcome.rule, "{result}", result=outcome.text)
    return outcome


def one_phase(data: GameData, state: State) -> Rules[State]:
    """A whole phase, with what happens at its beginning, and the end of the day behind phase VI (3.1.2)."""
    if state.phase == 1:
        yield from report("3.1.1", "{date}", date=data.date(state.day))
    state = yield from reorganize(data, state)
    if state.phase in (1, 4):
        state = yield from grow(data, state)
    state = yield from PLAYED[state.phase](data, state)
    if outcome_of(data, state) is not None:
        return state
    if state.phase < PHASES:
        return replace(state, phase=state.phase + 1)
    state = yield from withdraw(data, state)
    state = yield from close_day(data, state)
    return replace(state, day=state.day + 1, phase=1)
