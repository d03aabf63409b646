"""Losses of defenders: staying, being stuck, doubling, HQs (5.3.3 to 5.3.5, 5.3.8, 5.4, 12.1.1)."""

from __future__ import annotations

import pytest
from combat_ground import GROUND, battle, field, fought, places, result, strengths, unit
from driven import drive

from pbem.games.polska1939.answers import Stand
from pbem.games.polska1939.s5_losses import Fates, fates_of, retreat_losses, suffer
from pbem.games.polska1939.s5_retreat import Way
from pbem.games.polska1939.state import AreaId, State, Unit, UnitId

ONE, TWO = unit("PL-INF-8", "P70", 9), unit("PL-INF-20", "P70", 12)
AROUND = (unit("DE-INF-1", "G16"), unit("DE-INF-11", "G17"))
HQ = unit("PL-HQ-Modlin", "P70")
WAY = Way(AreaId("P41"))


def lost(state: State, after: State) -> dict[str, int]:
    """SP that every Polish unit lost; all of them when it is gone."""
    left = strengths(after)
    return {name: points - left.get(name, 0) for name, points in strengths(state).items() if name.startswith("PL")}


# ---------------------------------------------------------------------- worked examples


@pytest.mark.rule("polska1939:5.3.5", "polska1939:5.3.5.example", "polska1939:5.3.4")
@pytest.mark.parametrize(("strong", "total"), [(True, 4), (False, 8)])
def test_5_3_5_two_counters_that_cannot_retreat(strong: bool, total: int) -> None:
    """D1(-1) and 1 SP in combat: 4 SP in a fortified area, 8 SP without."""
    state = field(ONE, TWO, *AROUND)
    fates = fates_of(GROUND, (ONE, TWO), {}, strong=strong, stay=False)
    after = drive(retreat_losses(GROUND, state, fates, 1, 1 + 1, 0, ())).result
    assert sum(lost(state, after).values()) == total


@pytest.mark.rule("polska1939:5.3.10.example", "polska1939:5.3.8", "polska1939:5.3.4", "polska1939:5.3.3")
@pytest.mark.parametrize(("stay", "total"), [(True, 3), (False, 1)])
def test_5_3_10_b_staying_against_27_points_of_armour(stay: bool, total: int) -> None:
    """Level 2, D1 and 1 SP: staying costs 3 SP, retreating 1 SP. Row 10-12 becomes 4-6: a 6 is D1."""
    tanks = [unit("DE-ARM-3", "G16", 11), unit("DE-ARM-1", "G16", 12), unit("DE-LARM-1", "G16", 4)]
    state = field(unit("PL-INF-20", "P40", 17), *tanks, forts={"P40": 2})
    found = fought(state, "P40", 6, 7, 12, stand=Stand(area="P40", stay=stay))
    assert (battle(state, "P40").strength.armour, result(found).result.text) == (27, "D1")
    assert result(found).defender_loss == total
    assert places(result(found).state)["PL-INF-20"] == ("P40" if stay else "P41")


# ---------------------------------------------------------------------- who stays, goes, is stuck


def fates(*units: Unit, ways: tuple[Unit, ...] = (), strong: bool = True, stay: bool = False) -> list[list[str]]:
    found = fates_of(GROUND, units, {one.id: WAY for one in ways}, strong=strong, stay=stay)
    return [[one.id for one in group] for group in (found.staying, found.going, found.stuck)]


@pytest.mark.rule("polska1939:5.3.3", "polska1939:5.3.5")
@pytest.mark.parametrize(
    ("strong", "stay", "found"),
    [
        (True, True, [["PL-INF-8", "PL-INF-20"], [], []]),
        (True, False, [["PL-INF-20"], ["PL-INF-8"], []]),
        (False, True, [[], ["PL-INF-8"], ["PL-INF-20"]]),
        (False, False, [[], ["PL-INF-8"], ["PL-INF-20"]]),
    ],
)
def test_5_3_3_who_cannot_go_stays_in_strong_fortifications(strong: bool, stay: bool, found: list[list[str]]) -> None:
    """Only 8 INF has a way out."""
    assert fates(ONE, TWO, ways=(ONE,), strong=strong, stay=stay) == found


@pytest.mark.rule("polska1939:12.1.1")
def test_12_1_1_soviets_never_stay() -> None:
    soviet, stuck, german = unit("SU-INF-2", "S01"), unit("SU-INF-4", "S01"), unit("DE-INF-1", "S01")
    found = fates(soviet, stuck, german, ways=(soviet, german), stay=True)
    assert found == [["DE-INF-1"], ["SU-INF-2"], ["SU-INF-4"]]


# ---------------------------------------------------------------------- losses


def suffered(
    state: State, units: tuple[Unit, ...], each: int, pooled: int, first: tuple[str, ...] = ()
) -> dict[str, int]:
    return lost(state, drive(suffer(GROUND, state, units, each, pooled, first)).result)


@pytest.mark.rule("polska1939:5.4.2")
def test_5_4_2_the_units_that_are_named_lose_first() -> None:
    state = field(ONE, TWO, HQ)
    assert suffered(state, (ONE, TWO, HQ), 0, 2) == {"PL-HQ-Modlin": 0, "PL-INF-20": 2, "PL-INF-8": 0}
    assert suffered(state, (ONE, TWO, HQ), 0, 2, ("PL-INF-8",)) == {"PL-HQ-Modlin": 0, "PL-INF-20": 0, "PL-INF-8": 2}


def test_ruling_5_13_what_one_counter_cannot_lose_the_others_do() -> None:
    weak = unit("PL-INF-8", "P70", 1)
    assert suffered(field(weak, TWO), (weak, TWO), 2, 2) == {"PL-INF-20": 5, "PL-INF-8": 1}


@pytest.mark.rule("polska1939:10.1.6")
@pytest.mark.parametrize(("pooled", "survives"), [(9, True), (10, False)])
def test_10_1_6_an_hq_is_lost_when_losses_are_left_over(pooled: int, survives: bool) -> None:
    state = field(ONE, HQ)
    after = drive(suffer(GROUND, state, (ONE, HQ), 0, pooled)).result
    assert ("PL-HQ-Modlin" in after.units, after.lost[-1:]) == (survives, ("PL-INF-8",))


@pytest.mark.rule("polska1939:5.3.5", "polska1939:10.1.6")
def test_ruling_5_14_an_hq_that_is_stuck_alone_is_lost_even_without_losses() -> None:
    state = field(ONE, HQ)
    group = Fates(staying=(), going=(ONE,), stuck=(HQ,))
    after = drive(retreat_losses(GROUND, state, group, 1, 0, 0, ())).result
    assert (sorted(after.units), after.units[UnitId("PL-INF-8")].strength) == (["PL-INF-8"], 9)


@pytest.mark.rule("polska1939:5.3.5")
def test_ruling_5_15_only_who_is_stuck_has_its_share_doubled() -> None:
    """3 SP: the strongest lose first, 12 to 10 and 9 to 9 make 20 INF lose 3; it is stuck and loses 2 x (3 + 1)."""
    state = field(ONE, TWO)
    driven = drive(retreat_losses(GROUND, state, Fates((), (ONE,), (TWO,)), 1, 3, 0, ()))
    assert lost(state, driven.result) == {"PL-INF-20": 8, "PL-INF-8": 0}
    assert driven.told == [
        "5.3.5: no retreat, 1 SP more for each and all losses doubled: 20 INF",
        "5.4.2: 20 INF loses 8 SP",
    ]


@pytest.mark.rule("polska1939:5.3.8", "polska1939:5.3.4")
@pytest.mark.parametrize(
    ("armour", "total", "line"),
    [
        (23, 2, "5.3.4: stay, 1 SP more for each: 8 INF, 20 INF"),
        (35, 2, "5.3.4: stay, 1 SP more for each: 8 INF, 20 INF"),
        (36, 3, "5.3.8: stay, 1 SP more for each and 1 SP for 36 SP of armour: 8 INF, 20 INF"),
    ],
)
def test_ruling_5_12_the_price_of_staying_is_the_greater_of_two(armour: int, total: int, line: str) -> None:
    state = field(ONE, TWO)
    driven = drive(retreat_losses(GROUND, state, Fates((ONE, TWO), (), ()), 1, 0, armour, ()))
    assert (sum(lost(state, driven.result).values()), driven.told[0]) == (total, line)
