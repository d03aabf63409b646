"""The programs that play: every answer is legal, the same numbers make the same game, and good beats random."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.chances import distribution
from pbem.games.white_eagle.answers import Attempts, Battle, Battles, Defence, Fight, Interference, March, Orders
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.bot_odds import SURE, Forecast, forecast, steps_of
from pbem.games.white_eagle.bot_random import legal
from pbem.games.white_eagle.bot_view import View, costs_from
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.kinds import Command, Side
from pbem.games.white_eagle.s5_orders import orders_question
from pbem.games.white_eagle.s8_combat import Engagement
from pbem.games.white_eagle.s8_outcome import Resolved, resolve
from pbem.games.white_eagle.s8_plans import combat_of
from pbem.games.white_eagle.state import State
from pbem.log.event import Role
from pbem.rules.play import Question
from pbem.rules.refusal import Refusal
from white_eagle.combat_ground import GROUND
from white_eagle.played import BOTS, play, played
from white_eagle.positions import DATA, position, unit

KINDS = {"orders", "battles", "defence", "interference", "attempts"}


def good(question: Question[Any] | None, state: State) -> Any:
    """What the good program answers; the answer is legal, and needs no number."""
    assert question
    answer = BOTS["good"](question, state, no_number)
    assert [refusal.sentence() for refusal in question.check(answer)] == []
    return answer


def no_number(_: int) -> int:
    raise AssertionError


# ---------------------------------------------------------------------- whole games


GAMES = (
    ("random", "random", 3),
    ("random", "random", 4),
    ("good", "good", 2),
    ("good", "random", 1),
    ("random", "good", 1),
)


def test_there_is_a_random_and_a_good_program() -> None:
    assert list(BOTS) == ["random", "good"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: "-".join(map(str, game)))
def test_every_answer_is_legal(game: tuple[str, str, int]) -> None:
    found = played(*game)
    assert found.illegal == []
    assert found.outcome.rule.startswith("10.0")


def test_every_kind_of_question_is_asked_and_answered() -> None:
    assert {question.kind for game in GAMES for question, _, _ in played(*game).asked} == KINDS


@pytest.mark.parametrize("side", ["german", "polish"])
def test_good_answers_questions_of_both_sides_in_positions_that_random_play_leads_to(side: str) -> None:
    """One question in five of a random game: units are scattered as no good program would scatter them."""
    for question, state, _ in played("random", "random", 3).asked[::5]:
        if question.role == side:
            assert good(question, state) is not None


CORNERS = {
    "4.2.b2",
    "5.1.b1",
    "5.1.b2",
    "5.1.b3",
    "5.1.b4",
    "5.1.b5",
    "5.1.b6",
    "6.1.p2",
    "6.1.p3",
    "6.1.p4",
    "7.2.b2",
    "8.3.b1",
    "8.3.b2",
    "8.5.b4",
    "8.5.p5",
    "8.6.b1",
    "8.6.b2",
    "9.0.b1",
    "9.0.b3",
    "9.0.b4",
    "9.0.b7",
}


def test_random_play_comes_into_the_corners_of_the_rules() -> None:
    told = {rule for seed in range(8) for rule in played("random", "random", seed).rules}
    assert CORNERS - told == set()


def test_random_play_gives_every_kind_of_order() -> None:
    answers = [answer for seed in range(8) for _, _, answer in played("random", "random", seed).asked]
    orders = [answer for answer in answers if isinstance(answer, Orders)]
    battles = [battle for order in orders for battle in order.battles.battles]
    assert any(order.recover for order in orders)
    assert any(march.support for order in orders for march in order.marches)
    assert any(order.battles.ask_again for order in orders)
    assert {battle.sortie for battle in battles} == {"", "all", "fort"}
    assert any(battle.when_won for battle in battles)
    assert any(battle.unless_won for battle in battles)
    assert any(answer.ask_again for answer in answers if isinstance(answer, Defence))
    assert {len(answer.commands) for answer in answers if isinstance(answer, Attempts)} >= {0, 1}
    assert {answer.use for answer in answers if isinstance(answer, Interference)} == {False, True}


def test_the_same_numbers_make_the_same_game() -> None:
    assert play("random", "random", 4).told == played("random", "random", 4).told


def test_good_needs_no_numbers() -> None:
    for question, state, answer in played("good", "good", 2).asked[::4]:
        assert good(question, state) == answer


@pytest.mark.parametrize("seed", [1, 2])
def test_good_beats_random_from_either_side(seed: int) -> None:
    sides = played("good", "random", seed).outcome.winner, played("random", "good", seed).outcome.winner
    assert sides == ("german", "polish")


# ---------------------------------------------------------------------- legal


def test_refused_orders_are_struck_out_and_the_rest_kept() -> None:
    state = position(unit("GER-3rd-1", "Allenstein"), unit("GER-3rd-2", "Allenstein"), command="GER-North")
    question = orders_question(DATA, state)
    assert question
    fine, far = March(units=("GER-3rd-1",), path=("Mlawa",)), March(units=("GER-3rd-2",), path=("Warszawa",))
    nobody = Battles(battles=(Battle(box="Mlawa"),))
    assert legal(question, Orders(marches=(far, fine), battles=nobody)) == Orders(marches=(fine,))


def test_where_nothing_can_be_struck_out_the_default_is_taken() -> None:
    never = Refusal("test.never", "expected nothing at all")
    question = Question(Role("german"), Interference, Interference(use=False), check=lambda _: (never,))
    assert legal(question, Interference(use=True)) == Interference(use=False)


# ---------------------------------------------------------------------- forecasts


FORECASTS: dict[str, tuple[str, str, tuple[str, ...], tuple[str, ...], str]] = {
    "panzer and infantry against infantry": ("GER-South", "Mitte", ("GER-10th-4", "GER-10th-1"), ("POL-Lodz-1",), ""),
    "cavalry rolls first": ("GER-South", "Mitte", ("GER-10th-1",), ("POL-Lodz-1", "POL-Lodz-2"), ""),
    "cavalry attacks": ("POL-Central", "Mitte", ("POL-Lodz-1", "POL-Lodz-2"), ("GER-10th-1",), ""),
    "a siege": ("GER-North", "Fort", ("GER-3rd-1", "GER-4th-3"), ("POL-Modlin-2",), ""),
    "a fort alone": ("GER-North", "Fort", ("GER-3rd-1", "GER-3rd-2"), (), ""),
    "a sortie": ("POL-North", "Fort", ("POL-Modlin-1",), ("GER-3rd-1",), "all"),
    "the fort fires": ("POL-North", "Fort", ("POL-Modlin-1",), ("GER-3rd-1", "GER-4th-3"), "fort"),
}


@pytest.mark.parametrize("name", FORECASTS)
def test_a_forecast_is_what_the_rules_make_of_all_dice(name: str) -> None:
    state, engagement = engaged(*FORECASTS[name])
    expected = distribution(lambda: resolve(GROUND, state, engagement), lambda end: _facts(state, engagement, end))
    means = [sum(facts[i] * SURE * chance for facts, chance in expected.items()) for i in range(6)]
    assert forecast(GROUND, state, engagement) == Forecast(*map(int, means))


def engaged(
    command: str, box: str, attackers: tuple[str, ...], defenders: tuple[str, ...], sortie: str
) -> tuple[State, Engagement]:
    """A combat on the ground of the tests, without events."""
    came = {} if sortie else {UnitId(name): BoxId("Alfa") for name in attackers}
    units = [unit(name, box) for name in (*attackers, *defenders)]
    forts = {BoxId("Fort"): 2} if box == "Fort" else {}
    state = position(*units, command=command, came=came, marched=True, forts=forts)
    battle = Battle.model_validate({"box": box, "sortie": sortie})
    combat = combat_of(GROUND, state, battle)
    assert combat
    return state, Engagement(combat, battle, Fight(box=box))


def _facts(before: State, engagement: Engagement, end: Resolved) -> tuple[int, ...]:
    """What a forecast counts, from the outcome of the rules."""
    side = engagement.combat.side
    steps = {one: steps_of(GROUND, before, taker) for one, taker in engagement.takers().items()}
    gone = {side: end.on_attacker >= steps[side], side.enemy: end.on_defender >= steps[side.enemy]}
    losses = min(end.on_attacker, steps[side]), min(end.on_defender, steps[side.enemy])
    unscathed = end.won and gone[side.enemy] and not end.on_attacker
    return int(end.won), int(gone[side.enemy]), int(unscathed), int(gone[side]), *losses


# ---------------------------------------------------------------------- what it sees


def test_ways_are_counted_in_movement_points_over_the_board() -> None:
    assert [costs_from(DATA.board, BoxId("Danzig"))[BoxId(box)] for box in ("Danzig", "Gdynia", "Grudziadz")] == [
        0,
        1,
        2,
    ]


def test_threats_are_the_enemies_that_could_come_by_command() -> None:
    state = position(
        unit("POL-Lodz-1", "Lodz"), unit("GER-8th-1", "Wielun"), unit("GER-3rd-1", "Mlawa"), command="POL-Central"
    )
    view = View.of(DATA, state, Side.POLISH)
    assert view.threats(BoxId("Lodz")) == {Command.GERMAN_SOUTH: (unit("GER-8th-1", "Wielun"),)}
    assert view.threats(BoxId("Lomza")) == {}
