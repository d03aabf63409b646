"""The movement phase (4.0): what is asked, what is refused, what moves bring, and in which order things happen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from positions import DATA, position, run, unit
from small_board import chain, small_board

from pbem.games.polska1939.answers import Join, Load, Move, Moves, Travel
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.s4_joining import join
from pbem.games.polska1939.s4_march import march, march_phase, moves_question, moves_refusals
from pbem.games.polska1939.state import Aboard, AreaId, State, Train, Unit, UnitId
from pbem.rules.play import Question

ROW = small_board(
    "P01 PL Row\nP02 PL Row\nP03 PL Row\nP04 PL Row forest\nP05 PL Rear\nP06 PL Rear\nP07 PL Rear",
    chain("P01", "P02", "P03", "P04", "P05", "P06", "P07"),
)
HOLD = unit("PL-INF-20", "P04")


def moves(*orders: str) -> tuple[Move, ...]:
    """`DE-INF-1 P02` or, by way of others, `DE-INF-1 P02 P03`: the goal is the last."""
    split = [order.split() for order in orders]
    return tuple(Move(unit=name, to=via[-1], via=tuple(via[:-1])) for name, *via in split)


def on_row(*units: Unit, phase: int = 3, day: int = 2, **facts: Any) -> State:
    return position(*units, day=day, phase=phase, cities={}, **facts)


def refused(state: State, *orders: str, data: GameData = ROW) -> list[str]:
    return [refusal.sentence() for refusal in moves_refusals(data, state, Moves(moves=moves(*orders)))]


def hints(state: State, *orders: str, data: GameData = ROW) -> list[str]:
    return [refusal.hint for refusal in moves_refusals(data, state, Moves(moves=moves(*orders)))]


# ---------------------------------------------------------------------- marches


@pytest.mark.rule("polska1939:3.1.2.phaseIII", "polska1939:4.1.2", "polska1939:11.1.6", "polska1939:9.2.3")
def test_a_march_is_told_in_a_line_and_leaves_its_mark() -> None:
    state = on_row(unit("DE-ARM-1", "P01", ceiling=19), HOLD)
    (after, passed), told = run(march(ROW, state, moves("DE-ARM-1 P03")))
    assert told == ["4.1.2: 1 ARM moves from AreaP01 (P01) to AreaP03 (P03) by AreaP02 (P02), fuel 3"]
    assert after.units[UnitId("DE-ARM-1")] == unit("DE-ARM-1", "P03", ceiling=0, fuel=3, exerted=9, disturbed=9)
    assert passed == {"P02", "P03"}


@pytest.mark.rule("polska1939:3.1.2.phaseVI", "polska1939:4.1.3")
def test_a_march_through_free_regions_is_told_under_its_rule() -> None:
    state = on_row(unit("PL-INF-8", "P05"), phase=6)
    _, told = run(march(ROW, state, moves("PL-INF-8 P06 P07")))
    assert told == ["4.1.3: 8 INF moves from AreaP05 (P05) to AreaP07 (P07) by AreaP06 (P06)"]


def test_the_areas_named_on_the_way_may_begin_with_the_start_and_end_with_the_goal() -> None:
    state = on_row(unit("DE-ARM-1", "P01"), HOLD)
    _, told = run(march(ROW, state, (Move(unit="DE-ARM-1", to="P03", via=("P01", "P02", "P03")),)))
    assert told == ["4.1.2: 1 ARM moves from AreaP01 (P01) to AreaP03 (P03) by AreaP02 (P02), fuel 3"]


@pytest.mark.parametrize("via", [("P01",), ("P02",), ("P01", "P02")])
def test_and_a_single_step_stays_one_that_is_always_possible(via: tuple[str, ...]) -> None:
    data = small_board("P01 PL Row\nP02 PL Row swamp", "P01 P02")
    order = Move(unit="DE-INF-1", to="P02", via=via)
    assert moves_refusals(data, on_row(unit("DE-INF-1", "P01")), Moves(moves=(order,))) == []


def test_a_march_that_has_become_impossible_is_left_out_with_its_reason() -> None:
    state = on_row(unit("DE-INF-1", "P03"), unit("DE-INF-3", "P03"), HOLD)
    (after, _), told = run(march(ROW, state, moves("DE-INF-1 P04", "DE-INF-3 P02")))
    assert told == [
        "4.1.1: a move is left out: move.enemy: expected an area without enemies for 1 INF, got AreaP04 (P04) with"
        " 20 INF (1.1)",
        "4.1.2: 3 INF moves from AreaP03 (P03) to AreaP02 (P02)",
    ]
    assert [one.area for one in after.units.values()] == ["P03", "P02", "P04"]


@pytest.mark.rule("polska1939:8.1.3", "polska1939:10.1.4")
def test_ruling_7_3_who_cannot_fight_is_overrun_on_the_way_and_so_are_fortifications() -> None:
    weak = (unit("PL-HQ-Modlin", "P02"), unit("PL-INF-2", "P02", train=Aboard.CAME_LOADED), unit("PL-HQ-Prusy", "P03"))
    state = on_row(unit("DE-ARM-1", "P01"), *weak, forts={"P02": 2, "P03": 1, "P07": 1})
    (after, _), told = run(march(ROW, state, moves("DE-ARM-1 P03")))
    assert told == [
        "4.1.2: 1 ARM moves from AreaP01 (P01) to AreaP03 (P03) by AreaP02 (P02), fuel 3",
        "8.1.3: 2 INF loses 13 SP and is destroyed",
        '10.1.4: "Modlin" HQ is overrun in AreaP02 (P02)',
        '10.1.4: "Prusy" HQ is overrun in AreaP03 (P03)',
    ]
    assert (list(after.units), after.lost) == (["DE-ARM-1"], ("PL-HQ-Modlin", "PL-HQ-Prusy", "PL-INF-2"))
    assert (after.losses["polish"], after.forts) == (13, {"P07": 1})


@pytest.mark.rule("polska1939:4.1.3")
def test_ruling_4_7_an_overrun_frees_the_way_of_those_that_march_after_it() -> None:
    state = on_row(unit("DE-ARM-1", "P01"), unit("DE-INF-3", "P01"), unit("PL-HQ-Modlin", "P02"))
    both = moves("DE-ARM-1 P03", "DE-INF-3 P03")
    assert moves_refusals(ROW, state, Moves(moves=both)) == []
    assert run(march(ROW, state, both))[1][-1].startswith("4.1.3: 3 INF moves from AreaP01 (P01) to AreaP03 (P03)")
    assert [r.code for r in moves_refusals(ROW, state, Moves(moves=both[::-1]))] == ["move.far"]


# ---------------------------------------------------------------------- refusals


def test_a_move_too_far_names_its_cost_and_what_is_in_reach() -> None:
    state = on_row(unit("DE-INF-1", "P01"), unit("DE-ARM-1", "P06"), unit("PL-INF-20", "P07"))
    assert refused(state, "DE-INF-1 P04", "DE-ARM-1 P03") == [
        "move.far: expected a movement of at most 2 MP for 1 INF, got 3 MP:"
        " AreaP01 (P01), AreaP02 (P02), AreaP03 (P03), AreaP04 (P04) in line 1 (4.1.3)",
        "move.far: expected a movement of at most 3 MP for 1 ARM, got 3.5 MP:"
        " AreaP06 (P06), AreaP05 (P05), AreaP04 (P04), AreaP03 (P03) in line 2 (4.1.2)",
    ]
    assert hints(state, "DE-INF-1 P04") == ["in reach: AreaP03 (P03), AreaP02 (P02)"]


def test_ruling_4_8_all_reasons_are_given_at_once_each_with_its_line() -> None:
    state = on_row(
        unit("DE-INF-1", "P03"),
        unit("DE-INF-3", "P03", exerted=8),
        unit("DE-ARM-1", "P03", fuel=0),
        unit("DE-INF-4", "P03", train=Aboard.ARRIVED),
        HOLD,
    )
    sheet = (
        "DE-INF-1 P04", "DE-INF-3 P02", "DE-ARM-1 P02", "DE-INF-4 P02", "PL-INF-20 P05", "DE-INF-8 P02",
        "DE-INF-99 P02", "DE-INF-1 P02",
    )  # fmt: skip
    assert refused(state, *sheet) == [
        "move.enemy: expected an area without enemies for 1 INF, got AreaP04 (P04) with 20 INF in line 1 (1.1)",
        "move.fought: expected a unit that did not fight or move in this turn, got 3 INF, which did in line 2"
        " (3.1.2.phaseIII)",
        "move.fuel: expected a unit with fuel, got 1 ARM with none in line 3 (9.2.6)",
        "move.aboard: expected a unit that is on no train, got 4 INF aboard in line 4 (8.1.2)",
        "move.unit: expected a German unit, got 20 INF in line 5 (4.1.2)",
        "move.unit: expected a German unit on the map, got 8 INF, which is not there in line 6 (4.1.2)",
        "move.unit: expected a German unit, got 'DE-INF-99' in line 7 (4.1.2)",
        "move.twice: expected one move of 1 INF, got another in line 8 (4.1.2)",
    ]
    assert hints(state, *sheet) == [
        "enemies that can fight are attacked in the attack phase",
        "",
        "fuel rises by 2 on a day without attack or move, in supply (9.2.4)",
        "it can march in the next movement phase",
        "",
        "",
        "",
        "name the areas on the way in one order",
    ]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("DE-INF-1 P99", "move.area: expected an area of the map for 1 INF, got 'P99' in line 1 (4.1.1)"),
        ("DE-INF-1 P98 P02", "move.area: expected an area of the map for 1 INF, got 'P98' in line 1 (4.1.1)"),
        (
            "DE-INF-1 P01",
            "move.here: expected another area for 1 INF, got AreaP01 (P01), where it stands in line 1 (4.1.1)",
        ),
        (
            "DE-HQ-I P02",
            'move.enemy: expected an area without enemies for I HQ, got AreaP02 (P02) with "Modlin" HQ in line 1 (1.1)',
        ),
    ],
)
def test_what_is_no_goal(order: str, expected: str) -> None:
    state = on_row(unit("DE-INF-1", "P01"), unit("DE-HQ-I", "P01"), unit("PL-HQ-Modlin", "P02"))
    assert refused(state, order) == [expected]


def test_what_bars_the_way_is_named() -> None:
    data = small_board(
        "P01 PL Row\nP02 PL Row\nP03 PL Row\nP04 SU Su\nP05 PL Row\nP06 PL Row mountains\nP07 PL Row",
        "P01 P02 swamp\nP01 P03 mountain\nP01 P04\nP01 P05 lake\nP01 P06\nP05 P07",
    )
    state = on_row(unit("DE-ARM-1", "P01"))
    found = [refused(state, f"DE-ARM-1 {goal}", data=data)[0] for goal in ("P02", "P03", "P04", "P05", "P06", "P07")]
    assert found == [
        "move.way: expected a way for 1 ARM to AreaP02 (P02), got a swamp between, which motorized units and HQs do not"
        " cross in line 1 (4.2.4)",
        "move.way: expected a way for 1 ARM to AreaP03 (P03), got mountains without a pass for motorized units and HQs"
        " in line 1 (4.2.5)",
        "move.limit: expected an area that the scenario opens to 1 ARM, got AreaP04 (P04) in line 1 (scenario.allies)",
        "move.way: expected a way for 1 ARM to AreaP05 (P05), got a lake between in line 1 (4.2.1)",
        "move.way: expected a way for 1 ARM to AreaP06 (P06), got mountains without a pass for motorized units and HQs"
        " in line 1 (4.2.5)",
        "move.way: expected a way for 1 ARM to AreaP07 (P07), got none that is open in line 1 (4.1.1)",
    ]
    assert hints(state, "DE-ARM-1 P02", data=data) == ["it can go nowhere"]


@pytest.mark.parametrize(
    ("river", "expected"),
    [
        ("", "move.way: expected a way for 1 INF to AreaP03 (P03), got a node beside enemies in line 1 (4.1.5)"),
        ("river", "move.way: expected a way for 1 INF to AreaP03 (P03), got a node with a river in line 1 (4.1.6)"),
    ],
)
def test_a_closed_node_is_named(river: str, expected: str) -> None:
    data = small_board(
        "P01 PL Row\nP02 PL Row\nP03 PL Row\nP04 PL Row",
        "P01 P02\nP02 P03\nP03 P04\nP04 P01",
        f"N1 P01 P02 P03 P04 {river}",
    )
    state = on_row(unit("DE-INF-1", "P01"), unit("PL-INF-20", "P04"))
    assert refused(state, "DE-INF-1 P03", data=data) == [expected]


# ---------------------------------------------------------------------- the question


def asked(state: State, data: GameData = ROW) -> Question[Moves] | None:
    return moves_question(data, state)


def test_moves_are_asked_of_the_active_side_and_none_is_the_default() -> None:
    question = asked(on_row(unit("DE-INF-1", "P01"), HOLD))
    assert question is not None
    assert (question.role, question.default, question.options) == ("german", Moves(), None)
    assert question.check(Moves()) == []


@pytest.mark.parametrize(
    "units",
    [(), (HOLD,), (unit("DE-INF-1", "P01", exerted=8),), (unit("DE-ARM-1", "P01", fuel=0),)],
    ids=["nobody", "enemies alone", "attacked", "no fuel"],
)
def test_nothing_is_asked_when_nothing_can_be_done(units: tuple[Unit, ...]) -> None:
    assert asked(on_row(*units)) is None


def test_moves_are_asked_when_a_unit_can_only_travel_load_or_join() -> None:
    loaded = position(unit("PL-INF-2", "P65", train=Aboard.CAME_LOADED), day=1, phase=6)
    assert asked(loaded, DATA) is not None
    train = Train(AreaId("P62"), UnitId("PL-INF-24"))
    waits = position(unit("PL-INF-24", "P62"), day=4, phase=6, trains=(train,))
    assert asked(waits, DATA) is not None


def test_trains_and_joining_are_refused_with_the_moves_and_numbered_behind_them() -> None:
    state = position(unit("PL-INF-24", "P62"), unit("PL-INF-8", "P22"), day=4, phase=6)
    sheet = Moves(
        moves=moves("PL-INF-8 P22"),
        travels=(Travel(unit="PL-INF-24", to="P58"),),
        loads=(Load(unit="PL-INF-24"),),
        joins=(Join(area="P11"), Join(area="P00")),
    )
    found = moves_refusals(DATA, state, sheet)
    assert [(refusal.sentence(), refusal.hint) for refusal in found] == [
        (
            "move.here: expected another area for 8 INF, got Płońsk (P22), where it stands in line 1 (4.1.1)",
            "leave the order out: units without one stay",
        ),
        (
            "rail.unit: expected a unit of your own that came loaded on a train, got 24 INF in line 2 (8.1.2)",
            "there are none now",
        ),
        (
            "load.train: expected a unit for which a train waits in its area, got 24 INF in Jarosław (P62) "
            "in line 3 (8.1.2)",
            "no train waits now",
        ),
        (
            "join.regiments: expected all regiments left of 9 INF, at least two, in Koronowo (P11), got none of them "
            "in line 4 (scenario.9inf-rejoin)",
            "they may march to one area in the same sheet",
        ),
        ("join.area: expected an area of the map, got 'P00' in line 5 (scenario.9inf-rejoin)", ""),
    ]


# ---------------------------------------------------------------------- 9 INF

REGIMENTS = ("PL-INF-22_9-R", "PL-INF-34_9-R", "PL-INF-35_9-R")


@pytest.mark.rule("polska1939:scenario.9inf-rejoin")
def test_the_regiments_of_9_inf_become_one_counter_after_the_marches() -> None:
    first, second, third = REGIMENTS
    state = position(
        unit(first, "P11", 4), unit(second, "P11", disorganized=True, disturbed=5), unit(third, "P10"), day=2, phase=6
    )
    twice = Moves(moves=moves(f"{third} P11"), joins=(Join(area="P11"), Join(area="P11")))
    assert [(one.line, one.code) for one in moves_refusals(DATA, state, twice)] == [(3, "join.regiments")]
    sheet = Moves(moves=moves(f"{third} P11"), joins=(Join(area="P11"),))
    assert moves_refusals(DATA, state, sheet) == []
    after, told = run(march_phase(DATA, state), [sheet])
    assert "scenario.9inf-rejoin: the regiments of 9 INF in Koronowo (P11) become one counter with 14 SP" in told
    expected = unit("PL-INF-9", "P11", 14, disorganized=True, disturbed=12, exerted=12)
    assert after.units == {expected.id: expected}
    assert after.lost == ()


@pytest.mark.rule("polska1939:scenario.9inf-rejoin")
@pytest.mark.parametrize(
    ("areas", "got"),
    [(("P11", "P11", "P10"), "22/9 INF-R, 34/9 INF-R"), (("P11",), "22/9 INF-R"), (("P10", "P10"), "none of them")],
    ids=["one is elsewhere", "one is left", "in another area"],
)
def test_ruling_4_10_all_that_are_left_must_be_there_and_two_at_least(areas: tuple[str, ...], got: str) -> None:
    state = position(*(unit(name, area) for name, area in zip(REGIMENTS, areas, strict=False)), day=2, phase=6)
    assert [refusal.sentence() for refusal in moves_refusals(DATA, state, Moves(joins=(Join(area="P11"),)))] == [
        "join.regiments: expected all regiments left of 9 INF, at least two, in Koronowo (P11), got"
        f" {got} in line 1 (scenario.9inf-rejoin)"
    ]


def test_ruling_4_10_two_regiments_join_when_the_third_is_lost() -> None:
    state = position(*(unit(name, "P11", 2) for name in REGIMENTS[:2]), day=2, phase=6)
    after, _ = run(march_phase(DATA, state), [Moves(joins=(Join(area="P11"),))])
    assert [(one.id, one.strength) for one in after.units.values()] == [("PL-INF-9", 4)]


def test_regiments_that_are_not_together_any_more_stay_what_they_are() -> None:
    first, second, third = REGIMENTS
    state = position(unit(first, "P11"), unit(second, "P11"), unit(third, "P10"), day=2, phase=6)
    assert run(join(DATA, state, AreaId("P11"))) == (
        state,
        ["scenario.9inf-rejoin: 9 INF cannot be rejoined in Koronowo (P11)"],
    )


# ---------------------------------------------------------------------- the whole phase


@pytest.mark.rule("polska1939:3.1.2.phaseIII", "polska1939:11.1.2", "polska1939:7.2.4.example")
def test_ruling_9_6_a_movement_phase_in_its_order() -> None:
    units = (
        unit("DE-INF-3", "G06"),
        unit("DE-INF-32", "G06"),
        unit("DE-ARM-3", "G05", fuel=1),
        unit("DE-INF-50", "P87"),
        *(unit(name, area) for name, area in zip(POLES, AROUND_CHELM, strict=False)),
    )
    state = position(*units, day=2, phase=3, forts={"G06": 1, "G05": 1, "P90": 1}, cities={})
    after, told = run(march_phase(DATA, state), [Moves(moves=moves("DE-INF-32 G07"))])
    assert told == [
        "11.1.2: 10 ARM (14) comes to Bytów (G02)",
        "11.1.2: 23 INF (16) comes to Jastrowie (G04)",
        "11.1.2: 218 INF (14) comes to Trzebielin (G01)",
        "4.1.3: 32 INF moves from Złotów (G06) to Piła (G07)",
        "7.2.1: field fortifications of level 1 in Chełm (P87)",
        "7.2.1: field fortifications of level 2 in Frydląd (G05), Złotów (G06)",
        "9.2.4: fuel rises: 3 ARM (3)",
        "9.1.5: no supply line leads to Chełm (P87)",
        "9.1.5: 50 INF loses 1 SP",
        "7.2.4: field fortifications are abandoned in Niemowicze (P90)",
    ]
    assert after.forts == {"G05": 2, "G06": 2, "P87": 1}


AROUND_CHELM = DATA.board.neighbours["P87"]
POLES = [row.unit for row in DATA.forces.placements if row.unit.startswith("PL-INF") and not row.loaded]


def test_a_phase_in_which_nothing_changes_tells_nothing_and_asks_nothing() -> None:
    state = replace(position(day=2, phase=6), cities={})
    assert run(march_phase(DATA, state)) == (state, [])
