"""Attacks on trains: who notes them when, what is legal, and the dice on the way."""

from __future__ import annotations

from dataclasses import replace

import pytest
from driven import Driven, Vault, drive
from positions import DATA, position, unit

from pbem.games.polska1939.answers import AirMissions, Bomb, Intercepts, Raid, RailRaids, Travel
from pbem.games.polska1939.s6_air import air_phase
from pbem.games.polska1939.s6_raids import attack_train, raids_opened, raids_question, trains_may_travel
from pbem.games.polska1939.s8_rail import transport
from pbem.games.polska1939.state import Aboard, AreaId, Side, State, UnitId
from pbem.rules.play import Answer

MINF = UnitId("PL-MINF-22")
ROUTE = ("Przemyśl", "Jarosław", "Rzeszów", "Dębica", "Tarnów")


def raids(*pairs: tuple[str, int]) -> RailRaids:
    return RailRaids(raids=tuple(Raid(region=region, bombers=bombers) for region, bombers in pairs))


def przemysl(**facts: object) -> State:
    """22 MINF in Przemyśl, loaded."""
    return position(unit(MINF, "P61", 14, train=Aboard.CAME_LOADED), **facts)


def tarnow(state: State, answer: Answer, *dice: int, raiders: tuple[int, ...] = (2, 2, 2, 2, 2)) -> Driven:
    """The trip from Przemyśl to Tarnów past raids that were sealed."""
    vault = Vault()
    state = replace(state, phase=6, raiders=raiders, raid_regions=ROUTE)
    state = replace(state, raids=vault.seal(raids_question(DATA, state, Side.GERMAN), answer))
    return drive(transport(DATA, state, Side.POLISH, (Travel(unit=MINF, to="P58"),)), (), dice, vault)


# ---------------------------------------------------------------------- when raids are noted


def asked(state: State, *answers: Answer) -> list[str]:
    return drive(air_phase(DATA, state), answers).asked


@pytest.mark.rule("polska1939:6.1.6", "polska1939:6.1.2")
def test_6_1_6_raids_are_noted_when_a_train_can_travel() -> None:
    loaded, plain = przemysl(), position(unit(MINF, "P61"))
    arrived = position(unit(MINF, "P61", train=Aboard.ARRIVED))
    assert asked(loaded, AirMissions(), RailRaids()) == ["german air_missions", "sealed german rail_raids"]
    assert asked(plain, AirMissions()) == ["german air_missions"]
    assert asked(arrived, AirMissions()) == ["german air_missions"]
    assert [day for day in range(1, 36) if trains_may_travel(DATA, position(day=day), Side.POLISH)] == [3, 5, 14]


def test_units_that_wait_to_come_loaded_can_travel_too() -> None:
    state = position(day=8, waiting=(UnitId("PL-INF-38"),))
    assert trains_may_travel(DATA, state, Side.POLISH)
    assert not trains_may_travel(DATA, state, Side.GERMAN)


@pytest.mark.rule("polska1939:6.1.3")
def test_ruling_6_7_bombers_with_missions_are_not_kept_back() -> None:
    state = position(*przemysl(day=4).units.values(), unit("PL-INF-8", "P22"), day=7)
    bombs = Bomb(air="bom", number=1, area="P22"), Bomb(air="bom", number=4, area="P61")
    found = drive(air_phase(DATA, state), (Intercepts(), AirMissions(bombs=bombs), raids(("Lwów", 3))), (1, 1)).result
    assert (found.raiders, "Lwów" in found.raid_regions, found.raids.kind) == ((2, 2, 1), True, "rail_raids")
    everybody = tuple(Bomb(air="bom", number=n, area=area) for n, area in ((1, "P22"), (2, "P61")))
    ten = replace(state, day=10)
    assert asked(ten, AirMissions(), RailRaids()) == ["german air_missions", "sealed german rail_raids"]
    both = drive(air_phase(DATA, ten), (AirMissions(bombs=everybody),), (1, 1))
    assert both.asked == ["german air_missions"]


def test_ruling_6_10_raids_lapse_at_the_next_own_air_phase() -> None:
    vault = Vault()
    state = replace(position(day=9), raiders=(2,), raid_regions=ROUTE)
    state = replace(
        state, raids=vault.seal(raids_question(DATA, state, Side.GERMAN), RailRaids()), raids_opened=RailRaids()
    )
    own = drive(air_phase(DATA, state)).result
    assert (own.raids, own.raids_opened, own.raiders, own.raid_regions) == (None, None, (), ())
    assert drive(air_phase(DATA, replace(state, phase=4))).result.raids == state.raids


def test_polish_raids_wait_for_german_trains_of_the_next_morning() -> None:
    """The scenario gives the Germans no trains, but the rules hold for both sides."""
    vault = Vault()
    german = unit("DE-INF-11", "G34", train=Aboard.CAME_LOADED)
    state = position(german, day=3, phase=4)
    found = drive(air_phase(DATA, state), (Intercepts(), AirMissions(), raids(("Opole", 1))), (), vault)
    assert found.asked == ["sealed german intercepts", "polish air_missions", "sealed polish rail_raids"]
    state = replace(found.result, day=4, phase=3)
    trip = drive(transport(DATA, state, Side.GERMAN, (Travel(unit="DE-INF-11", to="G25"),)), (), (5,), vault)
    assert trip.told[0] == "6.1.6: Polish bombers wait for trains in Opole (1)"
    assert trip.told[-1] == "8.1.4: 11 INF loses 4 SP"


def test_ruling_6_10_one_side_alone_has_raids_at_a_time() -> None:
    vault = Vault()
    state = position(
        unit("DE-INF-11", "G34", train=Aboard.CAME_LOADED), day=3, phase=4, raiders=(2,), raid_regions=ROUTE
    )
    state = replace(state, raids=vault.seal(raids_question(DATA, state, Side.GERMAN), RailRaids()))
    assert asked(state, Intercepts(), AirMissions()) == ["sealed german intercepts", "polish air_missions"]


# ---------------------------------------------------------------------- what is legal


def test_raids_are_checked_with_every_reason() -> None:
    state = replace(position(), raiders=(2, 1), raid_regions=("Lwów", "Tarnów"))
    question = raids_question(DATA, state, Side.GERMAN)
    answer = raids(("Nowhere", 1), ("Wilno", 1), ("Lwów", 1), ("Lwów", 1))
    assert [f"{one.sentence()} | {one.hint}" for one in question.check(answer)] == [
        "raid.region: expected a region of the map, got 'Nowhere' in line 1 (6.1.6) | in reach are Lwów, Tarnów",
        "raid.range: expected a region with trains that a bomber kept back reaches, got Wilno in line 2 (6.1.9)"
        " | in reach are Lwów, Tarnów",
        "raid.twice: expected one raid in a region, got 2 in Lwów in line 3 (6.1.6)"
        " | give the raid the sum of the bombers",
        "raid.twice: expected one raid in a region, got 2 in Lwów in line 4 (6.1.6)"
        " | give the raid the sum of the bombers",
        "raid.bombers: expected at most as many bombers as were kept back, 2, got 4 (6.1.3) | name fewer bombers",
    ]
    assert [one for option in question.legal() for one in question.check(option)] == []


def test_a_hint_names_twelve_regions_and_counts_the_others() -> None:
    regions = tuple(sorted(DATA.board.regions))
    state = replace(position(), raiders=(1,), raid_regions=regions[:14])
    (refusal,) = raids_question(DATA, state, Side.GERMAN).check(raids((regions[-1], 1)))
    assert refusal.hint == f"in reach are {', '.join(regions[:12])} and 2 more"
    question = raids_question(DATA, replace(state, raid_regions=regions[:12]), Side.GERMAN)
    assert question.check(raids((regions[-1], 1)))[0].hint == f"in reach are {', '.join(regions[:12])}"
    assert [one for option in question.legal() for one in question.check(option)] == []


@pytest.mark.rule("polska1939:6.1.9")
def test_ruling_6_9_regions_in_reach_lie_in_the_enemy_country() -> None:
    """In October Soviet bombers reach the east of Poland alone, and no region of Germany is a place for raids."""
    state = position(unit(MINF, "P61", train=Aboard.CAME_LOADED), day=34)
    regions = drive(air_phase(DATA, state), (AirMissions(), RailRaids())).result.raid_regions
    assert "Lwów" in regions
    assert "Poznań" not in regions
    assert {area.country for area in DATA.board.areas.values() if area.region in regions} == {"PL"}


# ---------------------------------------------------------------------- on the way


@pytest.mark.rule("polska1939:13.B", "polska1939:6.1.6", "polska1939:6.1.7", "polska1939:8.1.4")
def test_13_b_a_train_from_przemysl_to_tarnow_can_be_bombed_in_five_regions() -> None:
    found = tarnow(przemysl(), raids(*((region, 1) for region in ROUTE)), 1, 3, 2, 5, 3)
    assert found.told == [
        "6.1.6: German bombers wait for trains in Przemyśl (1), Jarosław (1), Rzeszów (1), Dębica (1), Tarnów (1)",
        "8.1.2: 22 MINF travels from Przemyśl (P61) to Tarnów (P58): Przemyśl, Jarosław, Rzeszów, Dębica, Tarnów",
        "6.1.6: a bomber (2 SP) attacks 22 MINF on its train in Przemyśl: 1: no loss",
        "6.1.6: a bomber (2 SP) attacks 22 MINF on its train in Jarosław: 3: 1 SP",
        "8.1.4: 22 MINF loses 2 SP",
        "6.1.6: a bomber (2 SP) attacks 22 MINF on its train in Rzeszów: 2: no loss",
        "6.1.6: a bomber (2 SP) attacks 22 MINF on its train in Dębica: 5: 2 SP",
        "8.1.4: 22 MINF loses 4 SP",
        "6.1.6: a bomber (2 SP) attacks 22 MINF on its train in Tarnów: 3: 1 SP",
        "8.1.4: 22 MINF loses 2 SP",
    ]
    assert found.rolled == [f"6.1.6/day-1/PL-MINF-22/region-{number}" for number in range(1, 6)]
    arrived = found.result.units[MINF]
    assert (arrived.area, arrived.strength, arrived.train) == ("P58", 6, Aboard.ARRIVED)


@pytest.mark.rule("polska1939:6.1.7")
def test_ruling_6_8_several_bombers_attack_a_train_once_in_a_region() -> None:
    found = tarnow(przemysl(), raids(("Rzeszów", 3)), 6)
    assert found.rolled == ["6.1.6/day-1/PL-MINF-22/region-3"]
    assert (found.result.raids_opened, found.result.raiders) == (raids(("Rzeszów", 2)), (2, 2))


@pytest.mark.rule("polska1939:6.1.6")
def test_ruling_6_8_each_bomber_attacks_one_train_and_the_strongest_go_first() -> None:
    """Two trains pass Rzeszów: the second meets the second bomber there, a third would meet none."""
    state = przemysl(raiders=(2, 1, 1), raid_regions=ROUTE, phase=6)
    state = drive(raids_opened(state, raids(("Rzeszów", 2), ("Tarnów", 1)))).result
    first = drive(attack_train(DATA, state, MINF, "Rzeszów", 1), (), (3,))
    second = drive(attack_train(DATA, first.result, MINF, "Rzeszów", 2), (), (4,))
    third = drive(attack_train(DATA, second.result, MINF, "Rzeszów", 3))
    assert first.told[0].endswith("a bomber (2 SP) attacks 22 MINF on its train in Rzeszów: 3: 1 SP")
    assert second.told == ["6.1.6: a bomber (1 SP) attacks 22 MINF on its train in Rzeszów: 4: no loss"]
    assert (third.told, third.result.raids_opened, third.result.raiders) == ([], raids(("Tarnów", 1)), (1,))


@pytest.mark.rule("polska1939:6.1.7")
def test_ruling_6_14_a_train_bombed_in_its_area_can_still_meet_a_raid_there() -> None:
    found = tarnow(position(unit(MINF, "P61", 12, train=Aboard.CAME_LOADED, disturbed=1)), raids(("Przemyśl", 1)), 3)
    assert found.result.units[MINF].strength == 10


@pytest.mark.rule("polska1939:6.1.8")
def test_6_1_8_terrain_does_not_help_a_train() -> None:
    forts = {AreaId(area): 2 for area in ("P61", *DATA.board.regions["Przemyśl"])}
    found = tarnow(przemysl(forts=forts), raids(("Przemyśl", 1)), 3)
    assert found.result.units[MINF].strength == 12


@pytest.mark.rule("polska1939:6.1.5")
def test_6_1_5_half_strength_bombers_on_trains() -> None:
    assert tarnow(przemysl(), raids(("Tarnów", 1)), 4, raiders=(1,)).result.units[MINF].strength == 14
    assert tarnow(przemysl(), raids(("Tarnów", 1)), 5, raiders=(1,)).result.units[MINF].strength == 12


@pytest.mark.rule("polska1939:8.1.2", "polska1939:8.1.4")
def test_8_1_2_a_unit_that_does_not_survive_goes_no_further() -> None:
    state = position(unit(MINF, "P61", 3, train=Aboard.CAME_LOADED))
    found = tarnow(state, raids(("Jarosław", 1), ("Tarnów", 1)), 6)
    assert found.told[-1] == "8.1.4: 22 MINF loses 3 SP and is destroyed"
    assert (dict(found.result.units), found.result.lost) == ({}, (MINF,))


def test_raids_that_were_sealed_against_the_rules_come_to_nothing() -> None:
    found = tarnow(przemysl(), raids(("Tarnów", 2)), raiders=(2,))
    assert found.breaches == [
        "raid.bombers: expected at most as many bombers as were kept back, 1, got 2 (6.1.3)",
    ]
    assert found.told[0] == "6.1.6: no German bombers wait for trains"
