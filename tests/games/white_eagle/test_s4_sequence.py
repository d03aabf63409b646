"""The sequence of play (4.0 to 4.3), the draw of chits (5.0, 5.3), and Soviet entry (6.3)."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from pbem.games.white_eagle.answers import Attempts, Orders
from pbem.games.white_eagle.kinds import Command, Side
from pbem.games.white_eagle.s4_sequence import (
    attempts_question,
    clean_up,
    end_of_pulling,
    one_step,
    play_turns,
    pull,
    try_late,
)
from pbem.games.white_eagle.state import Activation, Stage, State
from pbem.rules.play import Outcome
from white_eagle.positions import DATA, OPENING, Played, play, position, unit

NORTH, SOUTH = Command.GERMAN_NORTH, Command.GERMAN_SOUTH
ENDS = ("End-1", "End-2", "End-3", "End-4")
CUP = OPENING.cup
CITIES = tuple(DATA.board.victory_cities)
SIX = ("Warszawa", "Krakow", "Lodz", "Danzig")
"""Victory cities for six points."""


def pulling(*pulled: str, **facts: object) -> State:
    """A turn in which chits were drawn; every other one that began there is in the cup."""
    cup = tuple(chit for chit in CUP if chit not in pulled)
    return position(**{"pulled": pulled, "cup": cup, **facts})


# ---------------------------------------------------------------------- the draw


@pytest.mark.rule("white_eagle:4.0.p1", "white_eagle:3.2.p2", "white_eagle:5.0.p1")
def test_4_0_german_north_acts_first_without_a_draw() -> None:
    found = play(one_step(DATA, OPENING), answers=[Orders()])
    assert found.told == ["5.2.p1: German North is activated"]
    assert (found.labels, found.result.activation, found.result.pulled) == ([], None, ("GER-North",))


@pytest.mark.rule("white_eagle:4.1.p1", "white_eagle:5.0.p1")
def test_4_1_one_chit_is_drawn_out_of_the_cup_and_resolved_before_the_next() -> None:
    state = pulling("GER-North", "End-2")
    found = play(pull(DATA, state), chits=["POL-South"])
    assert (found.labels, found.told) == (["5.0/turn-2/chit-3"], ["5.0.p1: chit: Polish South"])
    left = tuple(chit for chit in state.cup if chit != "POL-South")
    activation = Activation(Command.POLISH_SOUTH)
    assert found.result == replace(state, cup=left, pulled=(*state.pulled, "POL-South"), activation=activation)


@pytest.mark.rule("white_eagle:5.0.p1")
def test_5_0_chits_of_one_meaning_are_alike_and_the_whole_cup_is_known() -> None:
    (draw,) = play(pull(DATA, pulling("GER-North", "End-2")), chits=["POL-South"]).draws
    assert len({draw.alike(chit) for chit in draw.items}) == 11
    assert {draw.alike(chit) for chit in draw.items if chit in ENDS} == {"end"}
    assert draw.whole == ("GER-North", *CUP)


@pytest.mark.rule("white_eagle:5.1.p1")
@pytest.mark.parametrize(
    ("chit", "title"),
    [
        ("Luftwaffe", "Luftwaffe"), ("Blitzkrieg", "Blitzkrieg"), ("Stuka", "Ju 87 Stuka"), ("Train", "Armored Train"),
        ("Sabotage", "Sabotage"), ("P11", "PZL P.11"),
    ],
)  # fmt: skip
def test_5_1_an_event_waits_for_its_use(chit: str, title: str) -> None:
    found = play(pull(DATA, pulling()), chits=[chit])
    assert found.told == [f"5.1.p1: chit: {title}, which waits for its use"]
    assert (found.result.pulled, found.result.used, found.result.activation) == ((chit,), (), None)


@pytest.mark.rule("white_eagle:5.3.p1", "white_eagle:4.1.p1")
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_5_3_turn_end_chits_are_kept(number: int) -> None:
    found = play(pull(DATA, pulling(*ENDS[: number - 1])), chits=[ENDS[number - 1]])
    assert found.told == [f"5.3.p1: chit: Turn End, {number} of 4"]
    assert (found.result.pulled, found.result.stage) == (ENDS[:number], Stage.PULL)


@pytest.mark.rule("white_eagle:5.3.p1", "white_eagle:4.1.p1", "white_eagle:4.2.p1")
def test_5_3_the_fourth_ends_the_phase_and_nothing_is_drawn_any_more() -> None:
    found = play(pull(DATA, pulling("GER-North", "GER-South", *ENDS)))
    assert (found.told, found.labels, found.asked, found.result.stage) == ([], [], [], Stage.CLEAN_UP)


# ---------------------------------------------------------------------- late commands


@pytest.mark.rule("white_eagle:4.2.p1")
@pytest.mark.parametrize(
    ("pulled", "missing"),
    [((), (NORTH, SOUTH)), (("GER-North",), (SOUTH,)), (("GER-South", "POL-North"), (NORTH,))],
)
def test_4_2_the_german_may_try_each_command_whose_chit_was_not_drawn(
    pulled: tuple[str, ...], missing: tuple[Command, ...]
) -> None:
    found = play(end_of_pulling(DATA, pulling(*pulled, *ENDS)), answers=[Attempts(commands=missing)])
    assert [(question.role, question.kind) for question in found.asked] == [("german", "attempts")]
    assert (found.result.stage, found.result.late) == (Stage.LATE, missing)
    orders = [some for size in range(len(missing) + 1) for some in permutations(missing, size)]
    assert found.asked[0].legal() == tuple(Attempts(commands=some) for some in orders)


@pytest.mark.rule("white_eagle:4.2.p1")
def test_4_2_only_a_german_command_that_was_not_drawn_tries_and_once() -> None:
    question = attempts_question((SOUTH,))
    told = [
        [(one.sentence(), one.hint) for one in question.check(Attempts(commands=commands))]
        for commands in ((NORTH,), (SOUTH, SOUTH), (Command.UKRAINIAN,))
    ]
    expected = "attempts.command: expected a German command whose chit was not drawn, got"
    assert told == [
        [(f"{expected} German North in line 1 (4.2.p1)", "German South can try")],
        [
            (
                "attempts.twice: expected each command once, got German South again in line 2 (4.2.p1)",
                "name each one once, in the order of the tries",
            )
        ],
        [(f"{expected} Soviet Ukrainian in line 1 (4.2.p1)", "German South can try")],
    ]
    assert list(question.check(Attempts(commands=(SOUTH,)))) == []


@pytest.mark.rule("white_eagle:4.2.p1")
def test_4_2_he_may_also_try_none_which_is_the_default() -> None:
    assert attempts_question((NORTH, SOUTH)).default == Attempts()
    found = play(end_of_pulling(DATA, pulling(*ENDS)), answers=[Attempts()])
    assert (found.result.stage, found.result.late) == (Stage.CLEAN_UP, ())


@pytest.mark.rule("white_eagle:4.2.p1")
@pytest.mark.parametrize("die", [1, 2, 3])
def test_4_2_three_or_less_activates_as_if_the_chit_was_drawn(die: int) -> None:
    found = play(try_late(DATA, pulling(*ENDS, stage=Stage.LATE, late=(SOUTH, NORTH))), dice=[die])
    assert found.told == [f"4.2.p1: German South tries: {die}, it is activated"]
    assert found.labels == ["4.2/turn-2/GER-South"]
    result = found.result
    assert (result.activation, result.breakdowns) == (Activation(SOUTH), 0)
    assert (result.stage, result.late) == (Stage.LATE, (NORTH,))


@pytest.mark.rule("white_eagle:4.2.p1", "white_eagle:4.2.b1", "white_eagle:4.2.b2")
@pytest.mark.parametrize("die", [4, 5, 6])
def test_ruling_4_1_four_or_more_activates_with_a_breakdown(die: int) -> None:
    found = play(try_late(DATA, pulling(*ENDS, stage=Stage.LATE, late=(NORTH,), breakdowns=2)), dice=[die])
    assert found.told == [f"4.2.b2: German North tries: {die}, a breakdown, the 3. of the campaign"]
    result = found.result
    assert (result.activation, result.breakdowns) == (Activation(NORTH, slowed=-1, breakdown=True), 3)
    assert (result.stage, result.late) == (Stage.CLEAN_UP, ())


@pytest.mark.rule("white_eagle:4.2.b2")
def test_4_2_each_command_rolls_for_itself_and_acts_before_the_other_tries() -> None:
    state = pulling(*ENDS, stage=Stage.LATE, late=(SOUTH, NORTH), turn=3)
    first = play(one_step(DATA, state), dice=[4]).result
    idle = play(one_step(DATA, first)).result
    second = play(one_step(DATA, idle), dice=[5]).result
    assert (first.activation, idle.activation, second.activation) == (
        Activation(SOUTH, slowed=-1, breakdown=True),
        None,
        Activation(NORTH, slowed=-1, breakdown=True),
    )
    assert (second.breakdowns, second.stage) == (2, Stage.CLEAN_UP)


@pytest.mark.rule("white_eagle:4.2.p2", "white_eagle:10.0.b1")
def test_4_2_the_fifth_breakdown_is_a_polish_victory_before_anything_else() -> None:
    state = pulling(*ENDS, stage=Stage.LATE, late=(SOUTH, NORTH), breakdowns=4)
    found = play(play_turns(DATA, state), dice=[4])
    assert found.result == Outcome("polish", "10.0.b1", "the Blitzkrieg broke down 5 times: Polish victory")
    assert found.rules == ["4.2.b2", "10.0.b1"]


# ---------------------------------------------------------------------- clean-up


def cleaned(*units: object, **facts: object) -> Played:
    """A turn that has been cleaned up."""
    return play(clean_up(DATA, position(*units, **{"stage": Stage.CLEAN_UP, **facts})))


@pytest.mark.rule("white_eagle:4.3.b1", "white_eagle:4.3.b2", "white_eagle:4.3.b3", "white_eagle:4.3.p1")
def test_4_3_the_turn_ends() -> None:
    used = {"pulled": ("GER-North", "P11", *ENDS), "used": ("P11",), "cup": ("Stuka",), "recovered": tuple(Side)}
    found = cleaned(turn=2, fort_turns=("Modlin",), **used)
    assert found.told == ["4.3.b1: turn 3: 9 September to 12 September"]
    assert found.result == position(turn=3, cup=("GER-North", *CUP), stage=Stage.PULL)


@pytest.mark.rule("white_eagle:4.3.b4", "white_eagle:3.1.p11")
def test_4_3_poles_come_to_full_strength_on_the_turn_of_their_counter() -> None:
    reduced = [unit(name, "Warszawa", reduced=True) for name in ("POL-Wyszkow-1", "POL-Warszawa-1", "POL-Lodz-1")]
    flips = {name: DATA.unit(name).flips_on for name in ("POL-Wyszkow-1", "POL-Warszawa-1")}
    for turn in range(1, 8):
        due = [name for name in sorted(flips, reverse=False) if flips[name] == turn + 1]
        found = cleaned(*reduced, turn=turn)
        assert found.told[1:] == [f"4.3.b4: {DATA.name(name)} comes to full strength" for name in due]
        assert [one.id for one in found.result.units.values() if not one.reduced] == due


@pytest.mark.rule("white_eagle:4.3.b4")
def test_4_3_a_lost_unit_does_not_come_back_and_a_full_one_is_no_news() -> None:
    full = unit("POL-Wyszkow-1", "Wilno")
    turn = DATA.unit(full.id).flips_on - 1
    found = cleaned(full, turn=turn, lost=("POL-Karpaty-1",))
    assert (len(found.told), found.result.units) == (1, {full.id: full})


@pytest.mark.rule("white_eagle:6.3.p1", "white_eagle:4.3.b5", "white_eagle:3.2.b2")
@pytest.mark.parametrize(
    ("turn", "held", "enters"),
    [(3, SIX, False), (4, SIX, True), (4, SIX[:3], False), (7, SIX, True), (7, SIX[:3], False), (9, CITIES, True)],
)
def test_ruling_6_1_the_soviets_enter_with_six_points_when_the_marker_reaches_turn_5(
    turn: int, held: tuple[str, ...], enters: bool
) -> None:
    found = cleaned(turn=turn, held=held)
    assert found.result.soviets is enters
    assert ("SOV-Belorussian" in found.result.cup, "SOV-Ukrainian" in found.result.cup) == (enters, enters)
    assert ("6.3.p1" in found.rules) is enters


@pytest.mark.rule("white_eagle:6.3.p1")
def test_6_3_the_soviets_stay_even_with_fewer_points() -> None:
    found = cleaned(turn=6, held=("Danzig",), soviets=True)
    assert (found.result.soviets, found.rules) == (True, ["4.3.b1"])
    assert len(found.result.cup) == 17


@pytest.mark.rule("white_eagle:6.3.p1")
def test_6_3_entry_is_told_with_the_points() -> None:
    assert cleaned(turn=4, held=SIX).told[-1] == "6.3.p1: 6 VP: the Soviet Union enters"


# ---------------------------------------------------------------------- the whole


@pytest.mark.rule("white_eagle:4.0.p1", "white_eagle:10.0.b2")
def test_4_0_play_can_be_resumed_after_every_step() -> None:
    state = pulling("GER-North", "GER-South", *ENDS[:3], turn=2, held=CITIES[:1])
    found = play(play_turns(DATA, state), chits=["End-4", "Luftwaffe"], stop=4)
    turns = [(one.turn, one.stage, len(one.pulled)) for one in found.checkpoints]
    assert turns == [(2, Stage.PULL, 6), (2, Stage.CLEAN_UP, 6), (3, Stage.PULL, 0), (3, Stage.PULL, 1)]


@pytest.mark.rule("white_eagle:10.0.b2")
def test_10_0_the_end_of_the_turn_is_looked_at_before_the_clean_up() -> None:
    found = play(play_turns(DATA, pulling("GER-North", "GER-South", *ENDS, held=CITIES)))
    assert found.told == ["10.0.b2: 12 VP at the end of turn 2: German victory"]
    assert found.result.winner == "german"
