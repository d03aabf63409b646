"""What bombs do: the die, its modifiers, and who loses strength points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from driven import Driven, drive
from positions import DATA, position, unit

from pbem.games.polska1939.kinds import AirKind, Nation
from pbem.games.polska1939.s6_bombs import bomb_shares, bombard, bombing_modifiers
from pbem.games.polska1939.s6_reach import Aircraft
from pbem.games.polska1939.state import Aboard, AreaId, State, Train, UnitId

BOMBER = Aircraft(AirKind.BOMBER, 1, Nation.GERMANY, 2)
HALF = Aircraft(AirKind.BOMBER, 5, Nation.GERMANY, 1)
SUPPORT = Aircraft(AirKind.SUPPORT, 2, Nation.GERMANY, 3)
CLEAR, FOREST, LINE, FORTRESS = (
    next(
        AreaId(code)
        for code, area in DATA.board.areas.items()
        if (area.country, area.terrain, area.fortified, area.fortress) == ("PL", terrain, fortified, fortress)
    )
    for terrain, fortified, fortress in (
        ("clear", False, False),
        ("forest", False, False),
        ("clear", True, False),
        ("clear", False, True),
    )
)


def bombed(state: State, plane: Aircraft, area: str, *dice: int, first: Sequence[str] = ()) -> Driven:
    return drive(bombard(DATA, state, plane, AreaId(area), first), dice=dice)


def losses(plane: Aircraft, area: AreaId, **facts: object) -> list[int]:
    """SP that a unit in an area loses at each face of the die."""
    state = position(unit("PL-INF-26", area), **facts)
    strength = state.units[UnitId("PL-INF-26")].strength
    after = [bombed(state, plane, area, face).result for face in range(1, 7)]
    return [strength - one.units[UnitId("PL-INF-26")].strength for one in after]


@pytest.mark.rule("polska1939:6.1.4")
def test_6_1_4_losses_by_die_and_terrain() -> None:
    assert losses(BOMBER, CLEAR) == [0, 0, 1, 1, 2, 2]
    assert losses(BOMBER, FOREST) == [0, 0, 0, 1, 1, 2]
    assert losses(BOMBER, CLEAR, forts={CLEAR: 1}) == [0, 0, 0, 1, 1, 2]
    assert losses(BOMBER, CLEAR, forts={CLEAR: 2}) == [0, 0, 0, 1, 1, 2]
    assert losses(BOMBER, FORTRESS) == [0, 0, 0, 0, 0, 1]
    assert losses(BOMBER, FOREST, forts={FOREST: 2}) == [0, 0, 0, 0, 1, 1]


@pytest.mark.rule("polska1939:6.1.4")
def test_ruling_6_3_the_best_fortification_counts_and_a_line_is_a_field_fortification() -> None:
    assert losses(BOMBER, FORTRESS, forts={FORTRESS: 2}) == losses(BOMBER, FORTRESS)
    assert losses(BOMBER, LINE) == losses(BOMBER, LINE, forts={LINE: 2}) == [0, 0, 0, 1, 1, 2]
    assert bombing_modifiers(DATA, position(), LINE) == {"fortified line": -1}
    assert bombing_modifiers(DATA, position(forts={"P20": 2}), AreaId("P20")) == {
        "forest": -1,
        "field fortification": -1,
    }


@pytest.mark.rule("polska1939:6.1.5")
def test_ruling_6_4_half_strength_bombers() -> None:
    assert losses(HALF, CLEAR) == [0, 0, 0, 0, 1, 1]
    assert losses(HALF, FOREST) == [0, 0, 0, 0, 0, 1]


@pytest.mark.rule("polska1939:6.2.3", "polska1939:6.2.2")
def test_6_2_3_support_units_bomb_for_one_point() -> None:
    assert losses(SUPPORT, CLEAR) == [0, 0, 0, 1, 1, 1]
    assert losses(SUPPORT, FOREST) == [0, 0, 0, 0, 1, 1]
    assert losses(SUPPORT, FORTRESS) == [0] * 6


@pytest.mark.rule("polska1939:6.1.4")
def test_6_1_4_a_bombardment_is_told_with_all_its_figures() -> None:
    state = position(unit("PL-INF-20", "P20", 15), forts={"P20": 2})
    found = bombed(state, BOMBER, "P20", 5)
    assert found.told == [
        "6.1.4: BOM 1 (2 SP) bombs Mława (P20): 5, forest -1, field fortification -1 = 3: 1 SP",
        "6.1.4: 20 INF loses 1 SP",
    ]
    assert found.rolled == ["6.1.4/day-1/P20/bom-1"]
    assert bombed(state, SUPPORT, "P20", 2).told == [
        "6.2.3: OFF 2 (3 SP) bombs Mława (P20): 2, forest -1, field fortification -1 = 0: no loss"
    ]


@pytest.mark.rule("polska1939:6.2.6", "polska1939:5.5.5")
def test_ruling_6_6_success_is_noted_and_every_bombed_unit_is_disturbed() -> None:
    units = unit("PL-INF-8", CLEAR, disturbed=2), unit("PL-HQ-Modlin", CLEAR)
    missed = bombed(position(*units, day=2), BOMBER, CLEAR, 2).result
    hit = bombed(position(*units, day=2), BOMBER, CLEAR, 3).result
    assert (missed.bombed, hit.bombed) == ((), (CLEAR,))
    assert [[one.disturbed for one in state.units.values()] for state in (missed, hit)] == [[7, 7], [7, 7]]
    assert [one.exerted for one in hit.units.values()] == [0, 0]


# ---------------------------------------------------------------------- who loses


@pytest.mark.rule("polska1939:6.1.4")
def test_6_1_4_the_defender_chooses_who_loses() -> None:
    state = position(unit("PL-INF-8", CLEAR), unit("PL-INF-20", CLEAR, 15))
    assert bombed(state, BOMBER, CLEAR, 6).told[1:] == ["6.1.4: 20 INF loses 2 SP"]
    assert bombed(state, BOMBER, CLEAR, 6, first=("PL-INF-8",)).told[1:] == ["6.1.4: 8 INF loses 2 SP"]


@pytest.mark.rule("polska1939:8.1.4")
def test_8_1_4_units_on_trains_lose_twice_as_much() -> None:
    state = position(unit("PL-INF-13", CLEAR, 12, train=Aboard.CAME_LOADED))
    found = bombed(state, BOMBER, CLEAR, 5)
    assert found.told[1:] == ["8.1.4: 13 INF loses 4 SP"]
    assert found.result.units[UnitId("PL-INF-13")].strength == 8


@pytest.mark.rule("polska1939:8.1.4")
def test_ruling_6_5_a_point_takes_two_from_a_unit_on_a_train() -> None:
    loaded, other = unit("PL-ARM-1", CLEAR, 3, train=Aboard.CAME_LOADED), unit("PL-ND-Hel", CLEAR, 2)
    units = (loaded, other)
    assert bomb_shares(DATA, units, 2, ("PL-ARM-1",)) == ({"PL-ARM-1": 3}, 0)
    assert bomb_shares(DATA, units, 1, ("PL-ARM-1",)) == ({"PL-ARM-1": 2}, 0)
    assert bomb_shares(DATA, units, 2, ("PL-ND-Hel",)) == ({"PL-ND-Hel": 2}, 0)
    assert bomb_shares(DATA, units, 9) == ({"PL-ARM-1": 3, "PL-ND-Hel": 2}, 5)


@pytest.mark.rule("polska1939:8.1.5")
def test_8_1_5_a_train_alone_is_destroyed_by_any_loss() -> None:
    state = position(trains=(Train(CLEAR, UnitId("PL-INF-24")), Train(FOREST, UnitId("PL-INF-12"))))
    found = bombed(state, BOMBER, CLEAR, 3)
    assert found.told[1:] == [f"8.1.5: the train for 24 INF is destroyed in {DATA.area_name(CLEAR)}"]
    assert (found.result.trains, found.result.bombed) == ((Train(FOREST, UnitId("PL-INF-12")),), ())
    assert bombed(state, BOMBER, CLEAR, 2).result.trains == state.trains


@pytest.mark.rule("polska1939:8.1.5")
def test_8_1_5_a_train_beside_a_unit_is_spared() -> None:
    trains = (Train(CLEAR, UnitId("PL-INF-24")),)
    found = bombed(position(unit("PL-INF-8", CLEAR), trains=trains), BOMBER, CLEAR, 6)
    assert found.result.trains == trains


@pytest.mark.rule("polska1939:10.1.6", "polska1939:10.1.6.example")
def test_10_1_6_a_headquarters_is_destroyed_by_what_its_units_cannot_lose() -> None:
    alone = position(unit("PL-HQ-Modlin", CLEAR))
    assert bombed(alone, BOMBER, CLEAR, 3).told[1:] == ['10.1.6: "Modlin" HQ is destroyed']
    led = position(unit("PL-HQ-Modlin", CLEAR), unit("PL-ND-Hel", CLEAR, 1))
    found = bombed(led, BOMBER, CLEAR, 5)
    assert found.told[1:] == ['6.1.4: "Hel" ND loses 1 SP and is destroyed', '10.1.6: "Modlin" HQ is destroyed']
    assert (dict(found.result.units), found.result.lost) == ({}, ("PL-HQ-Modlin", "PL-ND-Hel"))
    assert bombed(led, BOMBER, CLEAR, 3).result.lost == ("PL-ND-Hel",)


@pytest.mark.rule("polska1939:11.1.7", "polska1939:11.1.7.example")
def test_11_1_7_two_successes_for_three_points_let_44_inf_reach_nine() -> None:
    state = position(unit("PL-INF-44", CLEAR, 8, ceiling=12), day=10)
    once = bombed(state, BOMBER, CLEAR, 6).result
    twice = bombed(replace(once, day=11), BOMBER, CLEAR, 3).result
    assert (twice.units[UnitId("PL-INF-44")].strength, twice.units[UnitId("PL-INF-44")].ceiling) == (5, 9)


def test_the_second_bomber_over_an_emptied_area_finds_nobody() -> None:
    found = bombed(position(), SUPPORT, CLEAR)
    assert found.told == [f"6.2.3: OFF 2 finds nobody left in {DATA.area_name(CLEAR)}"]
