"""The programs that play: every answer is legal, the same numbers make the same game, and good beats random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from soak import soak

from pbem.engine.driver import Driver, LiveDice, NeedsEntropy
from pbem.games.westerplatte import data_files
from pbem.games.westerplatte.activation import activation_question
from pbem.games.westerplatte.answers import Activation, Bombard, FaceCard, Fire, PolishSetup, Recover
from pbem.games.westerplatte.bot_chances import Prospect, pack
from pbem.games.westerplatte.cards import DECK
from pbem.games.westerplatte.data_files import AreaId
from pbem.games.westerplatte.ruleset import Westerplatte
from pbem.games.westerplatte.s1_setup import opening_state
from pbem.games.westerplatte.state import LOST, Stage, State
from pbem.log.event import Role
from pbem.rules.play import Answer, Outcome, Question

FOLDER = Path(data_files.__file__).parent / "data"
GAME = Westerplatte({path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())})
BOTS = GAME.bots()
Told = tuple[tuple[str, Answer], ...]


def answers(seed: int, german: str, polish: str) -> Iterator[tuple[Question[Any], Answer, Driver[State]]]:
    """One whole game: each question, what the program of its side answered, and the run before it goes on."""
    numbers = random.Random(seed)
    names = {Role("german"): german, Role("polish"): polish}
    run = Driver(GAME, GAME.begin("standard", {}))
    step = 1
    run.start(step)
    while not isinstance(run.waiting, Outcome):
        step += 1
        if isinstance(run.waiting, NeedsEntropy):
            run.roll(LiveDice(numbers.randbytes(32), step))
            continue
        question = run.waiting.questions[0]
        answer = BOTS[names[question.role]](question, run.state, numbers.randrange)
        yield question, answer, run
        run.supply((answer,), step)


def winner(seed: int, german: str, polish: str) -> str:
    """Who wins a game in which every answer is legal."""
    game = list(answers(seed, german, polish))
    assert [answer for question, answer, _ in game if question.check(answer)] == []
    end = game[-1][2].waiting
    assert isinstance(end, Outcome)
    return end.winner


def told(seed: int, german: str, polish: str) -> Told:
    """Every answer of a game."""
    return tuple((question.kind, answer) for question, answer, _ in answers(seed, german, polish))


def wins(side: str, games: int, first: int = 0) -> int:
    """Games that the good program wins from one side against the random one."""
    names = ("good", "random") if side == "german" else ("random", "good")
    return sum(winner(seed, *names) == side for seed in range(first, first + games))


def position(card: str, places: dict[str, str], weak: tuple[str, ...] = (), left: int = 99) -> State:
    """A position with a card lying open; units without a place are lost."""
    state = opening_state(GAME.data)
    pieces = tuple(
        replace(piece, area=AreaId(places.get(piece.unit, LOST)), weak=piece.unit in weak) for piece in state.pieces
    )
    return replace(
        state,
        stage=Stage.CARDS,
        pieces=pieces,
        deck=tuple(other for other in DECK if other != card),
        drawn=1,
        german_could_act=True,
        polish_could_act=True,
        card=card,
        left=left,
    )


def good(state: State) -> Activation:
    """The good program's answer to the card of a position."""
    question = activation_question(GAME.data, state)
    assert question is not None
    answer = BOTS["good"](question, state, lambda _: 0)
    assert isinstance(answer, Activation)
    assert question.check(answer) == []
    return answer


def test_there_is_a_random_and_a_good_program() -> None:
    assert list(BOTS) == ["random", "good"]


@pytest.mark.parametrize("name", ["random", "good"])
def test_every_answer_of_a_program_against_itself_is_legal(name: str) -> None:
    games = {"random": 15, "good": 6}[name]
    assert {winner(seed, name, name) for seed in range(games)} <= {"german", "polish"}


def test_the_good_program_needs_few_answers() -> None:
    assert len(told(2, "good", "good")) < 120


@pytest.mark.parametrize("name", ["random", "good"])
def test_the_same_numbers_make_the_same_game(name: str) -> None:
    assert told(7, name, name) == told(7, name, name)


def test_the_random_program_gives_one_order_at_a_time() -> None:
    sheets = [answer for _, answer in told(1, "random", "random") if isinstance(answer, Activation)]
    assert {len(sheet.orders) for sheet in sheets} == {0, 1}
    assert {sheet.then for sheet in sheets} == {"end", "ask"}


def test_the_good_program_gives_whole_sheets() -> None:
    sheets = [answer for _, answer in told(1, "good", "good") if isinstance(answer, Activation)]
    assert {sheet.then for sheet in sheets} == {"end"}
    assert max(len(sheet.orders) for sheet in sheets) > 2


LEAST = {"german": 21, "polish": 26}
"""Games of 30: what a program with the strength of this one misses less than once in ten thousand runs."""


@pytest.mark.parametrize("side", ["german", "polish"])
def test_good_beats_random_from_either_side(side: str) -> None:
    assert wins(side, 30) >= LEAST[side]


def test_the_pole_is_set_up_in_cover_far_from_the_entries() -> None:
    setup = told(3, "good", "good")[0][1]
    assert isinstance(setup, PolishSetup)
    bonus = [GAME.data.areas[AreaId(item.area)].bonus for item in setup.placed]
    near = [GAME.data.distance(AreaId(item.area), AreaId("A")) for item in setup.placed]
    assert (min(bonus) >= 1, min(near) >= 3) == (True, True)


def test_two_companies_fire_together_at_what_they_can_eliminate() -> None:
    state = position("S4", {"MAS-1": "GH5", "MAS-2": "GH5", "PL-1": "Elektr", "PL-2": "GH1"}, weak=("PL-1",), left=2)
    assert good(state) == Activation(orders=(Fire(units=("MAS-1", "MAS-2"), targets=("PL-1", "PL-2")),))


def test_a_lone_pole_out_of_reach_of_attack_recovers_on_a_face_card() -> None:
    state = position("HQ", {"MAS-1": "A", "PL-1": "GH3"}, weak=("PL-1",))
    assert good(state) == Activation(orders=(Recover(unit="PL-1"),))


def test_the_german_takes_the_marker_where_no_unit_can_fire() -> None:
    state = position("SA", {"MAS-1": "A", "PL-1": "Cypel"}, weak=("PL-1",), left=1)
    assert good(state) == Activation(orders=(Bombard(marker="air", target="PL-1"),))


def test_no_hopeless_german_attack_shortens_the_turn() -> None:
    state = position("S2", {"DSS-HW": "GH4", "PL-1": "Koszary", "PL-2": "Koszary"}, weak=("DSS-HW",), left=1)
    state = replace(state, oba_used=True)
    assert [order for order in good(state).orders if isinstance(order, Fire)] == []


def test_a_hopeless_polish_attack_shortens_the_turn() -> None:
    state = position("H2", {"BB": "Wc", "ATG": "Koszary", "MAS-1": "A"}, weak=("ATG",), left=1)
    assert good(state) == Activation(orders=(Fire(units=("ATG",), targets=("BB",)),))


@pytest.mark.parametrize(
    ("side", "left", "face"), [("german", 40, "redraw"), ("german", 5, "miss"), ("polish", 5, "redraw")]
)
@pytest.mark.rule("westerplatte:combat.15")
def test_combat_15_a_face_card_is_redrawn_but_by_a_german_late_in_the_turn(side: str, left: int, face: str) -> None:
    state = position("SQ", {"MAS-1": "GH5", "PL-1": "Koszary"})
    state = replace(state, deck=state.deck[-left:])
    question = Question(role=Role(side), model=FaceCard, default=FaceCard(face="redraw"))
    assert BOTS["good"](question, state, lambda _: 0) == FaceCard.model_validate({"face": face})


@pytest.mark.rule("westerplatte:combat.7")
def test_combat_7_chances_are_counted_from_the_cards_that_are_left() -> None:
    state = replace(position("SQ", {}), deck=("SA", "S5", "SJ", "HK", "joker"))
    redrawn, missed = Prospect(333, 150, "redraw"), Prospect(200, 100, "miss")
    assert (pack(state).redrawn(4), pack(state).missed(4)) == (redrawn, missed)
    assert pack(replace(state, polish_could_act=False)).redrawn(4).chance == 500


@pytest.mark.soak
@pytest.mark.parametrize("side", ["german", "polish"])
def test_good_wins_more_than_four_of_five_against_random(side: str) -> None:
    games = soak(100)
    assert wins(side, games, first=1000) * 5 > games * 4


@pytest.mark.soak
def test_good_against_good_is_hopeless_for_neither_side() -> None:
    """The German wins 175 of 500; 100 games leave these bounds less than once in two thousand runs."""
    games = soak(100)
    german = sum(winner(seed, "good", "good") == "german" for seed in range(1000, 1000 + games))
    assert games * 18 < german * 100 < games * 54
