"""Phases I and IV: who is asked what, intercepts, missions, losses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, permutations

import pytest
from driven import Driven, drive
from hypothesis import given
from hypothesis import strategies as st
from positions import DATA, position, unit

from pbem.games.polska1939.answers import AirMissions, AttackOrder, Attacks, Bomb, BombLosses, Intercepts, LossOrder
from pbem.games.polska1939.s6_air import (
    air_phase,
    intercepts_question,
    losses_question,
    missions_question,
    turned_back,
)
from pbem.games.polska1939.s6_reach import AirDay
from pbem.games.polska1939.state import Aboard, AreaId, Side, State, Train, Unit, UnitId
from pbem.rules.play import Answer

NOBODY = Intercepts()


def bom(number: int, area: str) -> Bomb:
    return Bomb(air="bom", number=number, area=area)


def off(number: int, area: str) -> Bomb:
    return Bomb(air="off", number=number, area=area)


def phase(state: State, *answers: Answer, dice: Sequence[int] = ()) -> Driven:
    return drive(air_phase(DATA, state), answers, dice)


def mlawa(day: int = 4, *more: Unit, **facts: object) -> State:
    """20 INF in Mława, 8 INF in Płońsk, 11 INF in Nidzica."""
    units = unit("PL-INF-20", "P20", 15), unit("PL-INF-8", "P22"), unit("DE-INF-11", "G13")
    return position(*units, *more, day=day, **facts)


# ---------------------------------------------------------------------- who is asked what


@pytest.mark.rule("polska1939:3.1.2.phaseI", "polska1939:6.1.2")
def test_3_1_2_phase_i_in_full() -> None:
    missions = AirMissions(bombs=(bom(1, "P20"), bom(2, "P22"), off(3, "P20")))
    found = phase(mlawa(), Intercepts(areas=("P23",)), missions, dice=(6, 4))
    assert found.asked == ["sealed polish intercepts", "german air_missions"]
    assert found.told == [
        "3.1.2.phaseI: Polish bombers defend Modlin (P23)",
        "3.1.2.phaseI: BOM 2 is turned back from Płońsk (P22) by the bomber over Modlin (P23)",
        "6.1.4: BOM 1 (2 SP) bombs Mława (P20): 6, forest -1, fortified line -1 = 4: 1 SP",
        "6.1.4: 20 INF loses 1 SP",
        "6.2.3: OFF 3 (3 SP) bombs Mława (P20): 4, forest -1, fortified line -1 = 2: no loss",
    ]
    assert (found.result.bombed, found.result.air_used, found.result.planned) == (("P20",), (3,), None)


@pytest.mark.rule("polska1939:3.1.2.phaseIV", "polska1939:6.1.3")
def test_3_1_2_phase_iv_polish_bombers_against_german_ones() -> None:
    """German bombers defend though they may have flown in phase I; the Pole comes with his one bomber."""
    missions = AirMissions(bombs=(bom(1, "G13"),))
    found = phase(mlawa(phase=4), Intercepts(areas=("G13", "G14")), missions)
    assert found.asked == ["sealed german intercepts", "polish air_missions"]
    assert found.told == [
        "3.1.2.phaseIV: German bombers defend Nidzica (G13), Wielbark (G14)",
        "3.1.2.phaseIV: BOM 1 is turned back from Nidzica (G13) by the bomber over Nidzica (G13)",
    ]


@pytest.mark.rule("polska1939:5.5.5.example", "polska1939:3.1.2.phaseIV")
def test_5_5_5_a_polish_bomber_disturbs_18_inf_even_without_success() -> None:
    state = position(unit("DE-INF-18", "G23", disorganized=True, disturbed=20), day=4, phase=4)
    found = phase(state, NOBODY, AirMissions(bombs=(bom(1, "G23"),)), dice=(1,))
    assert found.told[-1].endswith("no loss")
    assert found.result.units[UnitId("DE-INF-18")].disturbed == 22


def test_ruling_6_13_nobody_is_asked_to_intercept_without_bombers() -> None:
    assert phase(mlawa(1), AirMissions()).asked == ["german air_missions"]
    assert phase(mlawa(9, phase=4)).asked == []


def test_ruling_6_13_nobody_is_asked_where_nothing_can_be_bombed() -> None:
    assert phase(position(unit("DE-INF-11", "G13"), day=4)).asked == []
    assert phase(position(unit("DE-INF-11", "G13"), day=4, phase=4), NOBODY, AirMissions()).asked != []


def test_soviet_bombers_alone_do_not_reach_the_west() -> None:
    """In October only Soviets fly, nine areas from their own country: Poznań is too far, Wilno is not."""
    assert phase(position(unit("PL-INF-14", "P39"), day=34)).asked == []
    assert phase(position(unit("PL-INF-14", "P76"), day=34), AirMissions()).asked == ["german air_missions"]


def test_ruling_6_13_intercepts_stay_shut_when_no_bomber_flies() -> None:
    found = phase(mlawa(), Intercepts(areas=("P23",)), AirMissions(bombs=(off(1, "P20"),)), dice=(1,))
    assert found.told == ["6.2.3: OFF 1 (3 SP) bombs Mława (P20): 1, forest -1, fortified line -1 = -1: no loss"]


@pytest.mark.rule("polska1939:6.2.2", "polska1939:6.2.6")
def test_a_phase_begins_without_the_traces_of_the_last_one() -> None:
    state = mlawa(phase=4, bombed=(AreaId("P20"),), air_used=(1, 2), planned=Attacks())
    result = phase(state, NOBODY, AirMissions()).result
    assert (result.bombed, result.air_used, result.planned) == ((), (), None)


def test_attacks_given_in_advance_are_kept() -> None:
    assert phase(mlawa(1), AirMissions(attacks=Attacks())).result.planned == Attacks()


# ---------------------------------------------------------------------- intercepts


def back(bombers: Iterable[str], areas: Iterable[str]) -> dict[int, str]:
    """Which missions are turned back, by number, and by the bomber over which area."""
    missions = [bom(number, area) for number, area in enumerate(bombers, start=1)]
    return {bomb.number: area for bomb, area in turned_back(DATA, missions, [AreaId(a) for a in areas]).items()}


@pytest.mark.rule("polska1939:3.1.2.phaseI")
def test_3_1_2_a_bomber_is_turned_back_within_two_areas() -> None:
    by_distance = {DATA.board.distance("P24", area): area for area in sorted(DATA.board.areas)}
    assert [back([by_distance[far]], ["P24"]) for far in (0, 1, 2, 3)] == [{1: "P24"}, {1: "P24"}, {1: "P24"}, {}]


@pytest.mark.rule("polska1939:3.1.2.phaseI")
def test_3_1_2_one_for_one_from_the_end_of_the_list() -> None:
    assert back(["P23", "P22", "P24"], ["P23"]) == {3: "P23"}
    assert back(["P23", "P22", "P24"], ["P23", "P24"]) == {2: "P23", 3: "P24"}


@pytest.mark.rule("polska1939:3.1.2.phaseI")
def test_ruling_6_12_a_defender_makes_room_for_another() -> None:
    """The bomber over P23 could meet either, the one over P24 only the last: both meet somebody."""
    ring = [area for area in sorted(DATA.board.areas) if DATA.board.distance("P23", area) <= 2]
    only = next(area for area in ring if DATA.board.distance("P24", area) > 2)
    assert back([only, "P24"], ["P23", "P24"]) == {1: "P23", 2: "P24"}


CLOSE = [a for a in sorted(DATA.board.areas) if DATA.board.distance("P24", a) <= 4]


@given(
    st.lists(st.sampled_from(CLOSE), max_size=4, unique=True), st.lists(st.sampled_from(CLOSE), max_size=4, unique=True)
)
def test_3_1_2_as_many_as_can_be_are_turned_back_and_late_ones_first(bombers: list[str], areas: list[str]) -> None:
    best = max(pairings(bombers, areas), key=lambda numbers: (len(numbers), sorted(numbers, reverse=True)))
    assert sorted(back(bombers, areas)) == sorted(best)


def pairings(bombers: list[str], areas: list[str]) -> Iterable[tuple[int, ...]]:
    """Every set of bombers that could be turned back together, tried one by one."""
    for size in range(min(len(bombers), len(areas)) + 1):
        for numbers in combinations(range(1, len(bombers) + 1), size):
            for places in permutations(areas, size):
                if all(DATA.board.distance(bombers[n - 1], a) <= 2 for n, a in zip(numbers, places, strict=True)):
                    yield numbers


def test_intercepts_are_checked_with_every_reason() -> None:
    state = position(unit("PL-INF-14", "P76"), day=4)
    day, guard = (AirDay.of(DATA, state, side) for side in (Side.GERMAN, Side.POLISH))
    question = intercepts_question(DATA, day, guard)
    refusals = question.check(Intercepts(areas=("P23", "P23", "X99")))
    assert [one.hint for one in refusals] == ["name each area once", "name each area once", "", "name fewer areas"]
    assert [one.sentence() for one in refusals] == [
        "intercept.twice: expected one bomber in an area, got 2 in Modlin (P23) in line 1 (6.1.1)",
        "intercept.twice: expected one bomber in an area, got 2 in Modlin (P23) in line 2 (6.1.1)",
        "intercept.area: expected an area of the map to defend, got 'X99' in line 3 (3.1.2.phaseI)",
        "intercept.bombers: expected at most an area for each bomber, 1, got 3 (6.1.1)",
    ]


@pytest.mark.rule("polska1939:6.1.9")
def test_ruling_6_11_bombers_defend_what_they_reach() -> None:
    state = position(unit("SU-INF-2", "S04"), unit("PL-INF-14", "P75"), day=30, phase=4)
    guard = AirDay.of(DATA, position(unit("DE-INF-11", "G13"), day=34), Side.GERMAN)
    question = intercepts_question(DATA, AirDay.of(DATA, state, Side.POLISH), guard)
    (refusal,) = question.check(Intercepts(areas=("P39",)))
    assert refusal.sentence() == (
        "intercept.range: expected an area that a bomber reaches, got Poznań (P39) in line 1 (6.1.9)"
    )
    assert refusal.hint == "it flies 9 areas from the Soviet Union, 6 from a supplied HQ of its own nation"


# ---------------------------------------------------------------------- missions


def refusals(state: State, *bombs: Bomb) -> list[str]:
    day = AirDay.of(DATA, state, state.active)
    return [
        f"{one.sentence()} | {one.hint}" for one in missions_question(DATA, state, day).check(AirMissions(bombs=bombs))
    ]


@pytest.mark.rule("polska1939:6.1.1", "polska1939:6.2.1", "polska1939:6.1.3")
def test_6_1_1_one_of_a_kind_in_an_area_and_one_mission_each() -> None:
    assert refusals(mlawa(), bom(1, "P20"), off(1, "P20"), bom(2, "P22")) == []
    assert refusals(mlawa(), bom(1, "P20"), bom(2, "P20")) == [
        "air.crowded: expected one bomber in an area, got 2 in Mława (P20) in line 1 (6.1.1)"
        " | a bomber and a support unit may go to one area",
        "air.crowded: expected one bomber in an area, got 2 in Mława (P20) in line 2 (6.1.1)"
        " | a bomber and a support unit may go to one area",
    ]
    assert refusals(mlawa(), off(1, "P20"), off(1, "P22")) == [
        "air.twice: expected one mission of an air unit, got 2 of OFF 1 in line 1 (6.2.2) | keep one of them",
        "air.twice: expected one mission of an air unit, got 2 of OFF 1 in line 2 (6.2.2) | keep one of them",
    ]


def test_missions_are_checked_with_every_reason() -> None:
    assert refusals(mlawa(4), bom(6, "P99"), bom(5, "P98"), off(1, "X99")) == [
        "air.unit: expected an air unit of the day, got BOM 6 in line 1 (6.1.3)"
        " | today: BOM 1, BOM 2, BOM 3, BOM 4, BOM 5, OFF 1, OFF 2, OFF 3, OFF 4, OFF 5",
        "air.target: expected an area with enemy units or trains for BOM 6, got Worechta (P99) in line 1 (6.1.2)"
        " | it can bomb Płońsk (P22), Mława (P20)",
        "air.target: expected an area with enemy units or trains for BOM 5, got Stanisławów (P98) in line 2 (6.1.2)"
        " | it can bomb Płońsk (P22), Mława (P20)",
        "air.area: expected an area of the map, got 'X99' in line 3 (6.1.2) | ",
    ]
    assert refusals(mlawa(9), bom(1, "P20"), off(1, "P22")) == [
        "air.unit: expected an air unit of the day, got OFF 1 in line 2 (scenario.air)"
        " | there is no OFF today, only BOM 1"
    ]


@pytest.mark.rule("polska1939:6.1.9", "polska1939:6.2.5")
def test_6_2_5_a_target_out_of_reach_names_the_radius_and_what_is_in_reach() -> None:
    assert refusals(mlawa(1, unit("PL-HQ-National", "P24")), off(1, "P24")) == [
        "air.range: expected an area in reach of OFF 1, got Warszawa (P24) in line 1 (6.2.5)"
        " | it flies 4 areas from Germany or Slovakia, 3 from a supplied HQ of its own nation;"
        " it can bomb Płońsk (P22), Mława (P20)"
    ]
    assert refusals(position(unit("PL-INF-14", "P39"), unit("PL-INF-8", "P76"), day=34), bom(1, "P39")) == [
        "air.range: expected an area in reach of BOM 1, got Poznań (P39) in line 1 (6.1.9)"
        " | it flies 9 areas from the Soviet Union, 6 from a supplied HQ of its own nation; it can bomb Wilno (P76)"
    ]


def test_a_hint_names_twelve_targets_and_counts_the_others() -> None:
    areas = [area for area in sorted(DATA.board.areas) if DATA.board.areas[area].country == "PL"][:14]
    names = [name for name in sorted(DATA.forces.units) if name.startswith("PL-INF-")]
    crowd = [unit(name, area) for name, area in zip(names, areas, strict=False)]
    by_name = sorted(areas, key=lambda area: DATA.board.areas[area].name)
    near = sorted(by_name, key=lambda area: DATA.board.distance("G13", area))
    named = ", ".join(DATA.area_name(area) for area in near[:12])
    more = "and 2 more (any area in reach may be named)"
    assert refusals(position(*crowd), bom(1, "G13"))[0].endswith(f"| it can bomb {named} {more}")
    named = ", ".join(DATA.area_name(area) for area in near if area in areas[:12])
    assert refusals(position(*crowd[:12]), bom(1, "G13"))[0].endswith(f"| it can bomb {named}")


def test_every_listed_mission_is_legal() -> None:
    state = mlawa(
        4, unit("PL-INF-13", "P13", train=Aboard.CAME_LOADED), trains=(Train(AreaId("P62"), UnitId("PL-INF-24")),)
    )
    question = missions_question(DATA, state, AirDay.of(DATA, state, Side.GERMAN))
    assert [one for option in question.legal() for one in question.check(option)] == []
    assert len(question.legal()[1].bombs) == 5 + 3


def test_attacks_given_in_advance_are_checked_with_the_missions() -> None:
    """Their lines count behind those of the missions; a support unit that bombs is not free for them (6.2.2)."""
    state = mlawa()
    order = AttackOrder(target="P20", units=("DE-INF-11",), air=1)
    lost = AttackOrder(target="P22", units=("DE-INF-11",))
    question = missions_question(DATA, state, AirDay.of(DATA, state, Side.GERMAN))
    answer = AirMissions(bombs=(bom(1, "P22"), off(1, "P22")), attacks=Attacks(attacks=(order, lost)))
    assert [(one.code, one.line) for one in question.check(answer)] == [
        ("attack.air_used", 3),
        ("attack.adjacent", 4),
        ("attack.again", 4),
    ]
    legal = AirMissions(bombs=(bom(1, "P22"), off(2, "P22")), attacks=Attacks(attacks=(order,)))
    assert question.check(legal) == []


# ---------------------------------------------------------------------- who loses


def stacked() -> State:
    units = unit("PL-INF-20", "P20", 15), unit("PL-INF-8", "P20", 12), unit("PL-HQ-Modlin", "P20")
    return position(*units, unit("PL-INF-4", "P22"), unit("PL-HQ-Pomorze", "P22"))


@pytest.mark.rule("polska1939:6.1.4")
def test_6_1_4_the_bombed_side_says_who_loses_before_the_dice() -> None:
    missions = AirMissions(bombs=(bom(1, "P20"), bom(2, "P22"), off(1, "P20")))
    found = phase(stacked(), missions, BombLosses(areas=(LossOrder(area="P20", first=("PL-INF-8",)),)), dice=(6, 1, 6))
    assert found.asked == ["german air_missions", "polish bomb_losses"]
    assert found.questions[-1].about == "Mława (P20) by BOM 1 and OFF 1"
    assert [line for line in found.told if "loses" in line] == ["6.1.4: 8 INF loses 1 SP", "6.2.3: 8 INF loses 1 SP"]


def test_6_1_4_nobody_is_asked_where_one_unit_alone_can_lose() -> None:
    assert losses_question(DATA, stacked(), Side.POLISH, (bom(1, "P22"),)) is None


def test_losses_are_checked_with_every_reason() -> None:
    question = losses_question(DATA, stacked(), Side.POLISH, (bom(1, "P20"), bom(2, "P22")))
    assert question is not None
    orders = (("P22", ("PL-INF-4",)), ("P20", ("PL-INF-4", "PL-HQ-Modlin")), ("P20", ("PL-INF-8", "PL-INF-8")))
    answer = BombLosses(areas=tuple(LossOrder(area=area, first=first) for area, first in orders))
    assert [one.sentence() for one in question.check(answer)] == [
        "losses.area: expected an area that is bombed, got Płońsk (P22) in line 1 (6.1.4)",
        "losses.twice: expected one order for an area, got 2 for Mława (P20) in line 2 (6.1.4)",
        "losses.unit: expected each unit in Mława (P20) at most once, got 4 INF in line 2 (6.1.4)",
        'losses.unit: expected each unit in Mława (P20) at most once, got "Modlin" HQ in line 2 (6.1.4)',
        "losses.twice: expected one order for an area, got 2 for Mława (P20) in line 3 (6.1.4)",
        "losses.unit: expected each unit in Mława (P20) at most once, got 8 INF in line 3 (6.1.4)",
        "losses.unit: expected each unit in Mława (P20) at most once, got 8 INF in line 3 (6.1.4)",
    ]
    assert [one for option in question.legal() for one in question.check(option)] == []
