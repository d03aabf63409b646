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
from pbem.games.white_eagle.kinds import Command, Event, Side
from pbem.games.white_eagle.s4_sequence import attempts_question
from pbem.games.white_eagle.s5_events import interference_question
from pbem.games.white_eagle.s5_orders import orders_question
from pbem.games.white_eagle.s8_combat import Engagement
from pbem.games.white_eagle.s8_outcome import Resolved, resolve
from pbem.games.white_eagle.s8_plans import combat_of
from pbem.games.white_eagle.s8_questions import battles_question, defence_question
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


# ---------------------------------------------------------------------- decisions


def ordered(state: State) -> Orders:
    """What the good program orders in a position with an activated command."""
    answer = good(orders_question(DATA, state), state)
    assert isinstance(answer, Orders)
    return answer


def goals(orders: Orders) -> dict[str, str]:
    """Where each unit marches."""
    return {name: march.path[-1] for march in orders.marches for name in march.units}


def all_held(*but: str) -> tuple[BoxId, ...]:
    """Every victory city in German hands, except some."""
    return tuple(box for box in DATA.board.victory_cities if box not in but)


def test_good_takes_an_empty_city() -> None:
    pole, held = unit("POL-Lodz-1", "Lublin"), all_held("Lodz")
    state = position(unit("GER-10th-4", "Wielun"), pole, command="GER-South", held=held)
    assert goals(ordered(state)) == {"GER-10th-4": "Lodz"}


def test_good_concentrates_on_a_fort_and_supports() -> None:
    """Two corps and a panzer from Mława are not enough against a fort with two units inside: others support."""
    north = [unit(name, "Mlawa") for name in ("GER-3rd-1", "GER-3rd-2", "GER-4th-3", "GER-3rd-3")]
    others = [unit(name, "Plock") for name in ("GER-4th-1", "GER-4th-2")]
    poles = [unit(name, "Modlin") for name in ("POL-Modlin-1", "POL-Modlin-2")]
    facts = {"held": all_held("Modlin"), "forts": {BoxId("Modlin"): 2}}
    state = position(*north, *others, *poles, command="GER-North", turn=4, **facts)
    orders = ordered(state)
    assert set(goals(orders).values()) == {"Modlin"}
    assert [march.units for march in orders.marches if march.support] == [("GER-4th-1", "GER-4th-2")]


def test_good_leaves_a_strong_stack_alone() -> None:
    poles = [unit(name, "Radom") for name in ("POL-Prusy-1", "POL-Prusy-2", "POL-Lodz-1", "POL-Krakow-3")]
    state = position(unit("GER-8th-1", "Piotrkow", reduced=True), *poles, command="GER-South", turn=4)
    assert "Radom" not in goals(ordered(state)).values()


def test_good_lets_a_besieged_fort_fire() -> None:
    germans = [unit(name, "Modlin") for name in ("GER-3rd-1", "GER-3rd-2")]
    state = position(
        *germans, unit("POL-Modlin-1", "Modlin", reduced=True), command="POL-North", forts={BoxId("Modlin"): 2}
    )
    assert ordered(state).battles.battles == (Battle(box="Modlin", sortie="fort"),)


def test_good_recovers_a_panzer_that_has_nothing_better_to_do() -> None:
    panzer, pole = unit("GER-10th-4", "Neisse", reduced=True), unit("POL-Lodz-1", "Wilno")
    state = position(panzer, pole, command="GER-South", turn=3, held=all_held())
    assert ordered(state).recover == "GER-10th-4"


def test_good_leaves_the_east_to_the_soviets() -> None:
    """A German unit behind the line costs a point when the game ends."""
    state = position(
        unit("GER-3rd-1", "Wyszkow"), unit("POL-Krakow-1", "Krakow"), command="GER-North", turn=8, soviets=True
    )
    (goal,) = goals(ordered(state)).values()
    assert not DATA.board.boxes[BoxId(goal)].east


def test_good_guards_a_german_fort_that_is_raided() -> None:
    poles = [unit(name, "Suwalki") for name in ("POL-Narew-1", "POL-Narew-2")]
    corps = [unit(name, "Allenstein") for name in ("GER-3rd-1", "GER-3rd-2")]
    state = position(*poles, *corps, command="GER-North", forts={BoxId("Lotzen"): 2}, held=all_held())
    assert "Lotzen" in goals(ordered(state)).values()


def test_good_uses_an_event_where_it_gains_most() -> None:
    """Stuka in the attack on Warszawa, not in that on a unit in Rawa."""
    south = [unit(name, "Warszawa") for name in ("GER-10th-1", "GER-10th-2", "GER-10th-4")]
    poles = [unit("POL-Lodz-1", "Warszawa"), unit("POL-Lodz-2", "Warszawa"), unit("POL-Prusy-2", "Rawa", reduced=True)]
    came = {one.id: BoxId("Radom") for one in south} | {UnitId("GER-8th-1"): BoxId("Piotrkow")}
    state = position(
        *south,
        *poles,
        unit("GER-8th-1", "Rawa"),
        command="GER-South",
        came=came,
        marched=True,
        pulled=("Stuka",),
    )
    answer = good(battles_question(DATA, state), state)
    assert {battle.box: battle.event for battle in answer.battles} == {"Warszawa": Event.STUKA, "Rawa": None}


def test_good_defends_with_an_event_and_falls_back_on_a_city() -> None:
    """Beaten in Łódź, Poles go where they still cover Warszawa, and not to a German city."""
    came = {UnitId("GER-10th-1"): BoxId("Piotrkow"), UnitId("GER-10th-2"): BoxId("Piotrkow")}
    state = position(
        unit("GER-10th-1", "Lodz"),
        unit("GER-10th-2", "Lodz"),
        unit("POL-Lodz-1", "Lodz"),
        command="GER-South",
        came=came,
        marched=True,
        pulled=("P11",),
        planned=(Battle(box="Lodz"),),
    )
    answer = good(defence_question(DATA, state), state)
    assert (answer.fights[0].event, answer.fights[0].retreat[0]) == (Event.P11, "Lowicz")


@pytest.mark.parametrize(("breakdowns", "commands"), [(0, 2), (2, 2), (3, 1), (4, 0)])
def test_good_tries_no_command_that_could_lose_the_campaign(breakdowns: int, commands: int) -> None:
    state = position(breakdowns=breakdowns)
    answer = good(attempts_question((Command.GERMAN_NORTH, Command.GERMAN_SOUTH)), state)
    assert len(answer.commands) == commands


def test_good_slows_down_a_command_that_is_large_enough() -> None:
    three = [unit(name, "Lodz") for name in ("POL-Lodz-1", "POL-Lodz-2", "POL-Prusy-1")]
    question = interference_question(Side.GERMAN)
    found = [good(question, position(*some, command="POL-Central")) for some in (three, three[:1])]
    assert found == [Interference(use=True), Interference(use=False)]
