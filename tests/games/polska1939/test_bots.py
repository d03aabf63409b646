"""The programs that play: every answer is legal, the same numbers make the same game, and good beats random."""

from __future__ import annotations

import random
from ast import literal_eval
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import pytest
from asked import DATA, MLAWA, RULES, asked
from combat_ground import GROUND
from combat_ground import field as on_ground
from positions import position, unit
from soak import soak

from pbem.engine.chances import distribution
from pbem.games.polska1939.answers import (
    AirMissions,
    AttackOrder,
    Attacks,
    Bomb,
    BombLosses,
    Defence,
    LossOrder,
    Move,
    Moves,
    RailRaids,
    Stand,
    Travel,
)
from pbem.games.polska1939.bot_attack import Assault, assaults, first_to_lose
from pbem.games.polska1939.bot_good import good_answer, taste
from pbem.games.polska1939.bot_odds import Forecast, Holding, forecast
from pbem.games.polska1939.bot_random import legal
from pbem.games.polska1939.bot_view import FAR, View
from pbem.games.polska1939.s4_march import moves_question
from pbem.games.polska1939.s4_terrain import Gait
from pbem.games.polska1939.s5_battle import battle_of
from pbem.games.polska1939.s5_combat import Fought, resolve
from pbem.games.polska1939.s5_defence import defence_question
from pbem.games.polska1939.s6_air import losses_question, missions_question
from pbem.games.polska1939.s6_reach import AirDay
from pbem.games.polska1939.s13_victory import NATIONAL_HQ, score
from pbem.games.polska1939.state import Aboard, AreaId, City, Occupation, Side, State, UnitId
from pbem.log.event import Role
from pbem.rules.play import Answer, Asking, Checkpoint, Opening, Outcome, Question, Report, Rolling, Sealed

BOTS = RULES.bots()
KINDS = {
    "slovak_setup",
    "intercepts",
    "air_missions",
    "rail_raids",
    "bomb_losses",
    "attacks",
    "defence",
    "moves",
    "destinations",
}
Asked = tuple[Question[Any], State, Answer]


@dataclass
class Game:
    """A game between two programs, played by the rules alone: what was asked and answered, and the rules told of."""

    asked: list[Asked] = field(default_factory=list)
    rules: set[str] = field(default_factory=set)
    breaches: int = 0
    state: State = field(default_factory=position)
    outcome: Outcome = field(default_factory=lambda: Outcome("", "", ""))

    @property
    def difference(self) -> int:
        """German points less Polish points."""
        return score(DATA, self.state).difference

    @property
    def keeps_national_hq(self) -> bool:
        return NATIONAL_HQ in self.state.units

    @property
    def told(self) -> list[tuple[str, Answer]]:
        return [(question.kind, answer) for question, _, answer in self.asked]

    @property
    def illegal(self) -> list[str]:
        return [refusal.sentence() for question, _, answer in self.asked for refusal in question.check(answer)]


@cache
def played(german: str, polish: str, seed: int, scenario: str = "campaign") -> Game:
    """A whole game; nobody changes it."""
    return play(german, polish, seed, scenario)


def play(german: str, polish: str, seed: int, scenario: str) -> Game:
    game, bots, numbers = Game(), {"german": german, "polish": polish}, random.Random(seed)
    vault: dict[Sealed, Answer] = {}
    rules, response = RULES.play(RULES.begin(scenario, {})), None
    while True:
        try:
            request = rules.send(response)
        except StopIteration as end:
            game.outcome = end.value
            return game
        response = None
        match request:
            case Report():
                game.rules.add(request.rule)
            case Rolling():
                response = request.read(tuple(numbers.randint(1, request.sides) for _ in range(request.count)))
            case Asking():
                response = tuple(_answer(game, bots, numbers, vault, request, one) for one in request.questions)
            case Opening():
                response = tuple(
                    _opened(game, vault, *pair) for pair in zip(request.sealed, request.questions, strict=True)
                )
            case Checkpoint():
                game.state = request.state


def _answer(
    game: Game,
    bots: Mapping[str, str],
    numbers: random.Random,
    vault: dict[Sealed, Answer],
    request: Asking,
    question: Question[Any],
) -> Any:
    answer = BOTS[bots[question.role]](question, request.state, numbers.randrange)
    game.asked.append((question, request.state, answer))
    if not request.sealed:
        return answer
    sealed = Sealed(question.role, question.kind, len(game.asked), f"{len(game.asked):064x}")
    vault[sealed] = answer
    return sealed


def _opened(game: Game, vault: dict[Sealed, Answer], sealed: Sealed, question: Question[Any]) -> Answer:
    answer = vault[sealed]
    game.breaches += bool(question.check(answer))
    return answer


def good(question: Question[Any] | None, state: State) -> Answer:
    """What the good program answers; the answer is legal."""
    assert question
    answer = good_answer(DATA, question, state)
    assert question.check(answer) == []
    return answer


# ---------------------------------------------------------------------- whole games


GAMES = (
    ("random", "random", 3, "campaign"),
    ("random", "random", 4, "campaign"),
    ("good", "good", 2, "short"),
    ("good", "random", 1, "short"),
    ("random", "good", 1, "short"),
)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: "-".join(map(str, game)))
def test_every_answer_is_legal_also_when_its_seal_is_opened(game: tuple[str, str, int, str]) -> None:
    found = played(*game)
    assert (found.illegal, found.breaches) == ([], 0)
    assert found.outcome.rule.startswith("scenario.")


def test_every_kind_of_question_is_asked_and_answered() -> None:
    assert {kind for game in GAMES for kind, _ in played(*game).told} == KINDS


@pytest.mark.parametrize("side", ["german", "polish"])
def test_good_answers_questions_of_both_sides_in_positions_that_random_play_leads_to(side: str) -> None:
    """One question in nine of a random campaign: units are scattered as no good program would scatter them."""
    for question, state, _ in played("random", "random", 3).asked[::9]:
        if question.role == side:
            assert question.check(BOTS["good"](question, state, random.Random(1).randrange)) == []


CORNERS = {
    "4.1.3",
    "5.3.1",
    "5.3.4",
    "5.3.7",
    "5.3.10",
    "5.5.2",
    "5.5.5",
    "6.1.4",
    "6.1.6",
    "6.2.3",
    "7.2.1",
    "7.2.4",
    "7.2.5",
    "8.1.2",
    "8.1.3",
    "9.1.5",
    "9.2.4",
    "10.1.4",
    "10.1.6",
    "11.1.1",
    "11.1.4",
    "12.1.2",
    "13.A",
    "scenario.9inf-rejoin",
    "scenario.withdrawal",
}


def test_random_play_comes_into_the_corners_of_the_rules() -> None:
    told = played("random", "random", 3).rules | played("random", "random", 4).rules
    assert CORNERS - told == set()


def test_the_same_numbers_make_the_same_game() -> None:
    assert play("random", "good", 1, "short").told == played("random", "good", 1, "short").told


def test_good_needs_no_numbers() -> None:
    def nothing(_: int) -> int:
        raise AssertionError

    for question, state, answer in played("good", "good", 2, "short").asked[::5]:
        assert BOTS["good"](question, state, nothing) == answer


def test_good_germans_beat_random_poles() -> None:
    """They take many more cities than random Germans do."""
    game, even = played("good", "random", 1, "short"), played("random", "random", 1, "short")
    assert (game.outcome.winner, even.outcome.winner) == ("german", "polish")
    assert game.difference > even.difference + 50


def test_good_poles_beat_random_germans() -> None:
    """They keep the National HQ and far more cities than against Germans who know what they do."""
    game, even = played("random", "good", 1, "short"), played("good", "good", 2, "short")
    assert (game.outcome.winner, game.keeps_national_hq) == ("polish", True)
    assert game.difference < even.difference - 50


@pytest.mark.soak
def test_good_beats_random_in_many_campaigns() -> None:
    for seed in range(soak(5)):
        german, polish = played("good", "random", seed), played("random", "good", seed)
        assert (german.outcome.winner, polish.outcome.winner) == ("german", "polish")
        assert polish.difference < -100


@pytest.mark.soak
def test_good_against_good_comes_to_an_end_that_either_side_can_win() -> None:
    games = [played("good", "good", seed) for seed in range(soak(12))]
    assert [game.illegal for game in games] == [[]] * len(games)
    assert {game.outcome.winner for game in games} >= {"german", "polish"}


# ---------------------------------------------------------------------- legal


def test_refused_orders_are_struck_out_and_the_rest_kept() -> None:
    question, _ = asked(MLAWA + "day 1\nphase II")
    fine = AttackOrder(target="P20", units=("DE-INF-11",))
    wrong = [AttackOrder(target="P22", units=("DE-INF-61",)), AttackOrder(target="P20", units=("DE-INF-61",))]
    assert legal(question, Attacks(attacks=(fine, *wrong))) == Attacks(attacks=(fine,))


def test_where_nothing_can_be_struck_out_the_default_is_taken() -> None:
    question: Question[RailRaids] = Question(
        role=Role("german"),
        model=RailRaids,
        default=RailRaids(),
        check=lambda _: attacks_refused(),
    )
    assert legal(question, RailRaids()) == RailRaids()


def attacks_refused() -> Any:
    question, _ = asked(MLAWA + "day 1\nphase II")
    return question.check(Attacks(attacks=(AttackOrder(target="P22", units=("DE-INF-61",)),)))


# ---------------------------------------------------------------------- forecasts


FORECASTS = {
    "stays in its line": (
        on_ground(unit("PL-INF-20", "P20", 15), *(unit(n, "G13", 15) for n in ("DE-INF-11",))),
        "P20",
    ),
    "goes": (on_ground(unit("PL-INF-20", "P40", 9), unit("DE-INF-1", "G16"), unit("DE-ARM-1", "G16")), "P40"),
    "nearly gone": (on_ground(unit("PL-INF-20", "P40", 2), unit("DE-INF-1", "G16"), unit("DE-INF-11", "G16")), "P40"),
}


@pytest.mark.parametrize("name", FORECASTS)
def test_a_forecast_is_what_the_rules_make_of_all_dice(name: str) -> None:
    state, target = FORECASTS[name]
    holding = Holding.of(GROUND, state, Occupation.of(state), AreaId(target))
    order = AttackOrder(target=target, units=tuple(n for n in state.units if n.startswith("DE-")))
    battle = battle_of(GROUND, state, order, Stand(area=target, stay=name == "stays in its line"))
    found = distribution(lambda: resolve(GROUND, state, battle), lambda fought: repr(_facts(holding, fought)))
    expected = [sum(literal_eval(facts)[i] * 1000 * chance for facts, chance in found.items()) for i in range(5)]
    promised = forecast(GROUND, battle.strength, holding)
    for value, exact in zip(_values(promised), expected, strict=True):
        assert abs(value - exact) <= 3


def _facts(holding: Holding, fought: Fought) -> tuple[int, ...]:
    dead = all(one.id not in fought.state.units for one in holding.strong)
    result = fought.result
    return (fought.taken, dead, fought.defender_loss, fought.attacker_loss, result.attacker_reorganizes)


def _values(promised: Forecast) -> tuple[int, ...]:
    return (promised.taken, promised.destroyed, promised.foe_loss, promised.own_loss, promised.own_disorder)


# ---------------------------------------------------------------------- decisions


def best_assault(state: State) -> list[Assault]:
    view = View.of(DATA, state, state.active)
    return assaults(view, taste(view))


def test_good_attacks_where_it_pays_and_leaves_the_rest_alone() -> None:
    """A weak brigade in the open is attacked, a division in the fortress of Warszawa is not."""
    strong = (unit("DE-INF-11", "H149"), unit("DE-INF-61", "H149"))
    weak = position(unit("PL-CAV-Nowogrodzka", "H148", 3), *strong, phase=2, day=9)
    castle = position(unit("PL-INF-20", "P24"), *strong, phase=2, day=9)
    assert [one.holding.area for one in best_assault(weak)] == ["H148"]
    assert best_assault(castle) == []


def test_good_spares_its_armour() -> None:
    foot, strong, armour = unit("DE-INF-1", "H149", 9), unit("DE-INF-11", "H149"), unit("DE-ARM-1", "H149")
    view = View.of(DATA, position(foot, strong, armour), Side.GERMAN)
    assert first_to_lose(view, (foot, strong, armour)) == ["DE-INF-11"]
    assert first_to_lose(view, (foot, strong)) == []
    assert first_to_lose(view, (armour,)) == []


def test_good_bombs_a_unit_on_a_train_rather_than_one_in_trenches() -> None:
    train = unit("PL-INF-2", "P65", train=Aboard.CAME_LOADED)
    state = position(train, unit("PL-INF-7", "P47"), unit("DE-INF-1", "G33"), day=9, forts={"P47": 2})
    day = AirDay.of(DATA, state, Side.GERMAN)
    assert good(missions_question(DATA, state, day), state) == AirMissions(
        bombs=(Bomb(air="bom", number=1, area="P65"),), attacks=Attacks()
    )


def test_good_lets_foot_lose_to_bombs_before_armour() -> None:
    state = position(unit("DE-INF-1", "P47"), unit("DE-ARM-1", "P47"), phase=4, day=5)
    question = losses_question(DATA, state, Side.GERMAN, (Bomb(air="bom", number=1, area="P47"),))
    assert good(question, state) == BombLosses(areas=(LossOrder(area="P47", first=("DE-INF-1",)),))


def attacked(area: str, level: int, strength: int, day: int = 1) -> Stand:
    """How the good program lets a division defend an area against one from the west."""
    state = position(unit("PL-INF-7", area, strength), unit("DE-INF-1", "H105"), phase=2, day=day, forts={area: level})
    state = replace(state, planned=Attacks(attacks=(AttackOrder(target=area, units=("DE-INF-1",)),)))
    answer = good(defence_question(DATA, state), state)
    assert isinstance(answer, Defence)
    return answer.stands[0]


def test_good_holds_a_city_until_its_day_and_no_longer() -> None:
    """Częstochowa counts until 3 IX; a handful of men leaves it, and so does who stands in the open."""
    kept = position().cities[AreaId("P47")]
    assert kept == City(Side.POLISH)
    assert attacked("P47", 2, 14).stay
    assert not attacked("P47", 2, 4).stay
    assert not attacked("P47", 0, 14).stay


def test_good_sends_units_that_came_loaded_to_a_city_of_the_country() -> None:
    state = position(unit("PL-INF-2", "P65", train=Aboard.CAME_LOADED), unit("DE-INF-1", "G33"), phase=6)
    answer = good(moves_question(DATA, state), state)
    assert isinstance(answer, Moves)
    assert answer.travels == (Travel(unit="PL-INF-2", to="P24"),)


def test_good_takes_a_city_on_its_last_day() -> None:
    """Częstochowa is empty on 3 IX, but there are Poles beside it: somebody must stand in it."""
    assert {"H105", "H125"} <= set(DATA.board.neighbours["P47"])
    state = position(unit("DE-INF-4", "H105"), unit("PL-INF-7", "H125"), phase=3, day=3)
    answer = good(moves_question(DATA, state), state)
    assert isinstance(answer, Moves)
    assert answer.moves == (Move(unit="DE-INF-4", to="P47"),)


def test_good_does_not_leave_the_national_hq_alone_within_reach_of_bombs() -> None:
    state = position(unit(NATIONAL_HQ, "H121"), unit("PL-INF-20", "P24"), unit("DE-INF-1", "G33"), phase=6, day=2)
    answer = good(moves_question(DATA, state), state)
    assert isinstance(answer, Moves)
    places = {move.unit: move.to for move in answer.moves}
    assert places[NATIONAL_HQ] == places.get(UnitId("PL-INF-20"), "P24")


# ---------------------------------------------------------------------- roads


def test_roads_are_found_once_for_a_board_and_know_where_no_way_leads() -> None:
    view = View.of(DATA, position(unit("DE-INF-1", "G33")), Side.GERMAN)
    again = View.of(DATA, position(), Side.POLISH)
    assert view.roads is again.roads
    assert view.roads.turns(Gait.FOOT, Side.GERMAN, "G33", "G33") == 0
    assert view.roads.turns(Gait.FOOT, Side.GERMAN, "G33", "P47") < view.roads.turns(
        Gait.FOOT, Side.GERMAN, "G33", "P24"
    )
    assert again.enemy_turns("P24") == FAR
