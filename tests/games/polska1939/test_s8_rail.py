"""Rail transport: routes, trips, loading and unloading, with both worked examples."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from driven import Driven, Vault, drive
from positions import DATA, position, unit

from pbem.games.polska1939.answers import (
    AirMissions,
    Bomb,
    Destinations,
    Intercepts,
    Load,
    Move,
    Moves,
    Raid,
    RailRaids,
    Travel,
)
from pbem.games.polska1939.near_areas import some_areas
from pbem.games.polska1939.s4_march import march_phase, moves_question
from pbem.games.polska1939.s6_air import air_phase
from pbem.games.polska1939.s6_raids import raids_question
from pbem.games.polska1939.s8_rail import (
    board_trains,
    destinations_question,
    load_refusals,
    loadable,
    transport,
    travel_refusals,
    unload,
)
from pbem.games.polska1939.s8_routes import rail_cities, rail_route, rail_ways, reachable_cities
from pbem.games.polska1939.state import Aboard, AreaId, Occupation, Side, State, Train, Unit, UnitId
from pbem.rules.play import Opening

INF2, INF12, INF24, MINF22 = (UnitId(name) for name in ("PL-INF-2", "PL-INF-12", "PL-INF-24", "PL-MINF-22"))
BESIDE_JAROSLAW = DATA.board.neighbours["P62"][0]


def route(goal: str, *enemies: str) -> tuple[str, ...]:
    """The regions from Przemyśl to a goal with German units here and there."""
    numbers = (1, 3, 11, 12, 21, 61, 228)
    germans = [unit(f"DE-INF-{number}", area) for number, area in zip(numbers, enemies, strict=False)]
    minf = unit(MINF22, "P61", train=Aboard.CAME_LOADED)
    return rail_route(DATA, Occupation.of(position(minf, *germans)), minf, goal)


def march(state: State, *answers: object, dice: tuple[int, ...] = (), vault: Vault | None = None) -> Driven:
    return drive(march_phase(DATA, replace(state, phase=6)), answers, dice, vault)  # type: ignore[arg-type]


# ---------------------------------------------------------------------- routes


@pytest.mark.rule("polska1939:13.B", "polska1939:8.1.2")
def test_13_b_from_przemysl_to_tarnow_a_train_passes_five_regions() -> None:
    assert route("P58") == ("Przemyśl", "Jarosław", "Rzeszów", "Dębica", "Tarnów")


@pytest.mark.rule("polska1939:8.1.2")
def test_8_1_2_a_route_avoids_enemies_and_ends_when_none_is_left() -> None:
    detour = route("P58", "P62", *DATA.board.regions["Jarosław"])
    assert detour[0] == "Przemyśl"
    assert detour[-1] == "Tarnów"
    assert "Jarosław" not in detour
    assert route("P58", "P58") == ()
    assert route("P58", *DATA.board.neighbours["P61"]) == ()


@pytest.mark.rule("polska1939:8.1.2")
def test_8_1_2_no_route_has_fewer_regions() -> None:
    """Against a search over regions alone, which cannot be longer, and over areas, which cannot be shorter."""
    minf = unit(MINF22, "P61")
    ways = rail_ways(DATA, Occupation.of(position(minf)), minf)
    poles = {code for code, area in DATA.board.areas.items() if area.country == "PL"}
    assert set(ways) <= poles
    assert {area: len(way) for area, way in ways.items()} == fewest_regions("P61", poles)
    assert all(way[-1] == DATA.board.areas[area].region for area, way in ways.items())


def fewest_regions(start: str, open_areas: set[str]) -> dict[str, int]:
    """By relaxing every border until nothing changes."""
    region = {area: DATA.board.areas[area].region for area in open_areas}
    best, changed = {start: 1}, True
    while changed:
        changed = False
        for area in sorted(best):
            for near in DATA.board.neighbours[area]:
                if near in open_areas:
                    count = best[area] + (region[near] != region[area])
                    if count < best.get(near, 999):
                        best[near], changed = count, True
    return best


def test_ruling_8_1_of_several_routes_the_first_in_the_alphabet_is_taken() -> None:
    """Every way of as few regions between two cities, tried one by one."""
    minf = unit(MINF22, "P61")
    ways = rail_ways(DATA, Occupation.of(position(minf)), minf)
    checked = [city for city in rail_cities(DATA, Side.POLISH) if len(ways.get(city, ())) in (3, 4, 5)]
    assert len(checked) > 5
    assert {city: ways[city] for city in checked} == {city: first_of_all(city, len(ways[city])) for city in checked}


def first_of_all(goal: str, regions: int) -> tuple[str, ...]:
    beside: dict[str, set[str]] = {}
    poles = {code: area.region for code, area in DATA.board.areas.items() if area.country == "PL"}
    for code, region in poles.items():
        beside.setdefault(region, set()).update(poles[near] for near in DATA.board.neighbours[code] if near in poles)
    chains = [("Przemyśl",)]
    for _ in range(regions - 1):
        chains = [(*chain, near) for chain in chains for near in beside[chain[-1]] if near not in chain]
    return min(chain for chain in chains if chain[-1] == poles[goal])


def test_ruling_8_9_cities_are_those_of_the_own_country_nearest_first() -> None:
    minf = unit(MINF22, "P61")
    cities = reachable_cities(DATA, Occupation.of(position(minf)), minf)
    assert "P61" not in cities
    assert {"P62", "P58", "P24"} <= set(cities)
    assert all(DATA.board.areas[city].city and DATA.board.areas[city].country == "PL" for city in cities)
    assert "G34" in rail_cities(DATA, Side.GERMAN)


# ---------------------------------------------------------------------- the worked examples


@pytest.mark.rule("polska1939:8.1.2.example", "polska1939:8.1.2", "polska1939:11.1.6")
def test_ruling_8_7_example_a_a_unit_that_came_loaded() -> None:
    first = position(unit(INF2, "P65", train=Aboard.CAME_LOADED, ceiling=15))
    day1 = march(first, Moves(travels=(Travel(unit=INF2, to="P24"),)))
    assert day1.told == [
        "8.1.2: 2 INF travels from Kielce (P65) to Warszawa (P24): " + ", ".join(way(first, INF2, "P24")),
    ]
    there = day1.result.units[INF2]
    assert (there.area, there.train, there.exerted, there.disturbed, there.ceiling) == ("P24", Aboard.ARRIVED, 6, 6, 0)
    goal = DATA.board.neighbours["P24"][0]
    day2 = march(replace(day1.result, day=2), Moves(moves=(Move(unit=INF2, to=goal),)))
    assert day2.told[0] == "8.1.2: 2 INF leaves its train in Warszawa (P24)"
    assert (day2.result.units[INF2].area, day2.result.units[INF2].train) == (goal, Aboard.NO)


def way(state: State, name: UnitId, goal: str) -> tuple[str, ...]:
    return rail_route(DATA, Occupation.of(state), state.units[name], goal)


@pytest.mark.rule("polska1939:8.1.2.example", "polska1939:8.1.1", "polska1939:8.1.4", "polska1939:6.1.6")
def test_8_1_2_example_b_24_inf_day_by_day() -> None:
    vault = Vault()
    state = position(unit(INF24, BESIDE_JAROSLAW, 12), day=3)
    state = alone(march(state, Moves(moves=(Move(unit=INF24, to="P62"),))).result)
    assert (state.units[INF24].area, state.trains) == ("P62", (Train(AreaId("P62"), INF24),))

    tarnow = Destinations(travels=(Travel(unit=INF24, to="P58"),))
    day4 = march(replace(state, day=4), Moves(loads=(Load(unit=INF24),)), tarnow, vault=vault)
    assert day4.asked == ["polish moves", "sealed polish destinations"]
    assert of_24_inf(day4) == ["8.1.2: 24 INF goes aboard a train in Jarosław (P62)"]
    state = alone(day4.result)
    assert (state.trains, state.units[INF24].train, len(state.destinations)) == ((), Aboard.SEALED, 1)

    bombs = AirMissions(bombs=(Bomb(air="bom", number=5, area="P62"),))
    raids = RailRaids(raids=(Raid(region="Rzeszów", bombers=1), Raid(region="Tarnów", bombers=2)))
    phase1 = drive(air_phase(DATA, replace(state, day=5, phase=1)), (Intercepts(), bombs, raids), (5,), vault)
    assert phase1.told[1:] == [
        "6.1.4: BOM 5 (1 SP) bombs Jarosław (P62): 5: 1 SP",
        "8.1.4: 24 INF loses 2 SP",
    ]

    day5 = march(phase1.result, Moves(), dice=(3, 1), vault=vault)
    assert of_24_inf(day5) == [
        "6.1.6: German bombers wait for trains in Rzeszów (1), Tarnów (2)",
        "8.1.2: 24 INF travels from Jarosław (P62) to Tarnów (P58): Jarosław, Rzeszów, Dębica, Tarnów",
        "6.1.6: a bomber (2 SP) attacks 24 INF on its train in Rzeszów: 3: 1 SP",
        "8.1.4: 24 INF loses 2 SP",
        "6.1.6: a bomber (2 SP) attacks 24 INF on its train in Tarnów: 1: no loss",
    ]
    state = alone(day5.result)
    there = state.units[INF24]
    assert (there.area, there.strength, there.train, state.destinations) == ("P58", 8, Aboard.ARRIVED, ())

    bombs = AirMissions(bombs=(Bomb(air="bom", number=1, area="P58"),))
    day6 = drive(air_phase(DATA, replace(state, day=6, phase=1)), (Intercepts(), bombs), (4,), vault)
    assert day6.told[-1] == "8.1.4: 24 INF loses 2 SP"

    goal = DATA.board.neighbours["P58"][0]
    free = march(day6.result, Moves(moves=(Move(unit=INF24, to=goal),)), vault=vault)
    assert of_24_inf(free)[0] == "8.1.2: 24 INF leaves its train in Tarnów (P58)"
    assert (free.result.units[INF24].area, free.result.units[INF24].train) == (goal, Aboard.NO)


def alone(state: State) -> State:
    """Without the reinforcements of the day, which come in between."""
    trains = tuple(train for train in state.trains if train.unit == INF24)
    return replace(state, units={INF24: state.units[INF24]}, trains=trains)


def of_24_inf(driven: Driven) -> list[str]:
    return [line for line in driven.told if "24 INF" in line or "wait for trains" in line]


# ---------------------------------------------------------------------- the trip


def sealed_trip(goal: str, *enemies: Unit, **facts: object) -> Driven:
    """24 INF was loaded in Jarosław for a goal, and now its day has come."""
    vault = Vault()
    state = position(unit(INF24, "P62", 12, train=Aboard.SEALED), *enemies, phase=6, aboard=(INF24,), **facts)
    question = destinations_question(DATA, state, Side.POLISH)
    sealed = vault.seal(question, Destinations(travels=(Travel(unit=INF24, to=goal),)))
    return drive(transport(DATA, replace(state, destinations=(sealed,)), Side.POLISH, ()), (), (), vault)


def test_ruling_8_3_without_a_way_the_unit_unloads_where_it_is() -> None:
    found = sealed_trip("P58", unit("DE-INF-1", "P58"))
    assert found.told == [
        "8.1.2: no way is open for 24 INF from Jarosław (P62) to Tarnów (P58)",
        "8.1.2: 24 INF unloads in Jarosław (P62)",
    ]
    there = found.result.units[INF24]
    assert (found.breaches, there.area, there.train, there.exerted) == ([], "P62", Aboard.ARRIVED, 0)


def test_ruling_8_2_to_name_the_own_city_is_to_unload() -> None:
    assert sealed_trip("P62").told == ["8.1.2: 24 INF unloads in Jarosław (P62)"]


@pytest.mark.rule("polska1939:8.1.2")
def test_8_1_2_a_destination_against_the_rules_lets_the_unit_unload() -> None:
    found = sealed_trip("G34")
    assert found.breaches == [
        "rail.city: expected a city of the own country to travel to, got Opole (G34) in line 1 (8.1.2)"
    ]
    assert found.told == ["8.1.2: 24 INF unloads in Jarosław (P62)"]


def test_ruling_8_8_a_destination_is_no_breach_because_the_unit_was_lost_in_between() -> None:
    vault = Vault()
    state = position(unit(INF24, "P62", train=Aboard.SEALED), unit(MINF22, "P61", train=Aboard.SEALED), phase=6)
    state = replace(state, aboard=(INF24, MINF22))
    travels = (Travel(unit=INF24, to="P58"), Travel(unit=MINF22, to="P58"))
    sealed = vault.seal(destinations_question(DATA, state, Side.POLISH), Destinations(travels=travels))
    state = replace(state.without_units((MINF22,)), lost=(MINF22,), destinations=(sealed,))
    found = drive(transport(DATA, state, Side.POLISH, ()), (), (), vault)
    assert (found.breaches, found.result.units[INF24].area, found.result.destinations) == ([], "P58", ())


def test_nothing_is_opened_when_every_loaded_unit_is_lost() -> None:
    vault = Vault()
    state = position(unit(INF24, "P62", train=Aboard.SEALED), phase=6, aboard=(INF24,))
    sealed = vault.seal(destinations_question(DATA, state, Side.POLISH), Destinations())
    state = replace(state.without_units((INF24,)), destinations=(sealed,))
    found = drive(transport(DATA, state, Side.POLISH, ()))
    assert (found.told, found.result.destinations) == ([], ())


def test_a_loaded_unit_without_any_destination_unloads() -> None:
    """As in a position that somebody wrote."""
    found = drive(transport(DATA, position(unit(INF24, "P62", train=Aboard.SEALED), phase=6), Side.POLISH, ()))
    assert found.told == ["8.1.2: 24 INF unloads in Jarosław (P62)"]


def test_raids_are_opened_once_a_phase() -> None:
    """First for the unit whose destination was sealed, and then they are known."""
    vault = Vault()
    loaded = unit(INF24, "P62", train=Aboard.SEALED), unit(INF2, "P65", train=Aboard.CAME_LOADED)
    state = position(*loaded, day=9, phase=6, raiders=(2, 2), raid_regions=("Kielce", "Tarnów"), aboard=(INF24,))
    raids = RailRaids(raids=(Raid(region="Kielce", bombers=1), Raid(region="Tarnów", bombers=1)))
    goals = Destinations(travels=(Travel(unit=INF24, to="P58"),))
    sealed = vault.seal(destinations_question(DATA, state, Side.POLISH), goals)
    state = replace(state, destinations=(sealed,), raids=vault.seal(raids_question(DATA, state, Side.GERMAN), raids))
    found = march(state, Moves(travels=(Travel(unit=INF2, to="P24"),)), dice=(1, 1), vault=vault)
    assert [line for line in found.told if line.startswith("6.1.6")] == [
        "6.1.6: German bombers wait for trains in Kielce (1), Tarnów (1)",
        "6.1.6: a bomber (2 SP) attacks 24 INF on its train in Tarnów: 1: no loss",
        "6.1.6: a bomber (2 SP) attacks 2 INF on its train in Kielce: 1: no loss",
    ]


@pytest.mark.rule("polska1939:6.1.6")
def test_ruling_8_11_raids_stay_shut_until_moves_and_destinations_are_known() -> None:
    """A unit that only unloads is no scout for another that came loaded."""
    vault = Vault()
    loaded = unit(INF24, "P62", train=Aboard.SEALED), unit(INF2, "P65", train=Aboard.CAME_LOADED)
    state = position(*loaded, day=9, phase=6, raiders=(2,), raid_regions=("Kielce",), aboard=(INF24,))
    stay = Destinations(travels=(Travel(unit=INF24, to="P62"),))
    state = replace(state, destinations=(vault.seal(destinations_question(DATA, state, Side.POLISH), stay),))
    raids = RailRaids(raids=(Raid(region="Kielce", bombers=1),))
    state = replace(state, raids=vault.seal(raids_question(DATA, state, Side.GERMAN), raids))
    idle = march(state, Moves(), vault=vault)
    assert (idle.asked, idle.result.raids_opened) == (["polish moves"], None)
    assert not any(line.startswith("6.1.6") for line in idle.told)
    gone = march(state, Moves(travels=(Travel(unit=INF2, to="P24"),)), dice=(1,), vault=vault)
    told = [line[:5] for line in gone.told if line.startswith(("6.1.6", "8.1.2"))]
    assert told == ["6.1.6", "8.1.2", "8.1.2", "6.1.6"]
    assert gone.result.raids_opened is not None


def test_ruling_8_11_destinations_are_opened_before_raids_in_a_step_of_their_own() -> None:
    vault = Vault()
    state = position(unit(INF24, "P62", train=Aboard.SEALED), day=9, phase=6, aboard=(INF24,))
    state = replace(state, raiders=(2,), raid_regions=("Kielce",))
    goal = Destinations(travels=(Travel(unit=INF24, to="P58"),))
    sealed = vault.seal(destinations_question(DATA, state, Side.POLISH), goal)
    raids = vault.seal(raids_question(DATA, state, Side.GERMAN), RailRaids())
    rules = transport(DATA, replace(state, destinations=(sealed,), raids=raids), Side.POLISH, ())
    first = rules.send(None)
    second = rules.send((goal,))
    assert isinstance(first, Opening)
    assert isinstance(second, Opening)
    assert [one.kind for one in (*first.sealed, *second.sealed)] == ["destinations", "rail_raids"]


def test_ruling_8_12_a_plan_is_judged_alike_whatever_became_of_the_units() -> None:
    """Neither a unit that is named without being aboard nor one that is left out hangs on who is lost meanwhile."""
    aboard = unit(INF24, "P62", train=Aboard.SEALED), unit(MINF22, "P61", train=Aboard.SEALED)
    state = position(*aboard, unit("PL-INF-8", "P22"), phase=6, aboard=(INF24, MINF22))
    plans = [
        Destinations(travels=tuple(Travel(unit=name, to="P58") for name in names))
        for names in ((INF24, MINF22, "PL-INF-8"), (INF24,), (INF24, MINF22))
    ]
    gone = ("PL-INF-8", MINF22)
    later = replace(state.without_units(map(UnitId, gone)), lost=tuple(map(UnitId, gone)))
    for now in (state, later):
        question = destinations_question(DATA, now, Side.POLISH)
        assert [[one.code for one in question.check(plan)] for plan in plans] == [["rail.unit"], ["rail.missing"], []]
        assert list(question.check(question.default)) == []


def test_ruling_8_6_trains_that_the_enemy_holds_are_lost() -> None:
    trains = Train(AreaId("P62"), INF24), Train(AreaId("P95"), INF12)
    state = position(unit("DE-INF-1", "P62"), trains=trains, phase=6)
    found = drive(unload(DATA, state, Side.POLISH))
    assert found.told == ["8.1.3: the train for 24 INF in Jarosław (P62) is lost"]
    assert found.result.trains == trains[1:]


# ---------------------------------------------------------------------- loading


def at_jaroslaw(*more: Unit, **facts: object) -> State:
    facts.setdefault("trains", (Train(AreaId("P62"), INF24),))
    return position(unit(INF24, "P62", exerted=int(str(facts.pop("exerted", 0)))), *more, phase=6, day=4, **facts)


def refusals(state: State, moves: Moves) -> list[str]:
    found = [*travel_refusals(DATA, state, moves), *load_refusals(DATA, state, moves)]
    return [f"{one.sentence()} | {one.hint}" for one in found]


def loads(*names: str) -> Moves:
    return Moves(loads=tuple(Load(unit=name) for name in names))


@pytest.mark.rule("polska1939:8.1.1", "polska1939:8.1.2")
def test_ruling_8_5_who_can_go_aboard() -> None:
    elsewhere = (Train(AreaId("P95"), INF24),)
    village = next(area for area in DATA.board.regions["Rzeszów"] if not DATA.board.areas[area].city)
    in_village = position(unit(INF24, village), phase=6, trains=(Train(AreaId(village), INF24),))
    states = {
        "ready": at_jaroslaw(),
        "rested": at_jaroslaw(exerted=22),
        "fought": at_jaroslaw(exerted=23),
        "no train": at_jaroslaw(trains=()),
        "elsewhere": at_jaroslaw(trains=elsewhere),
        "village": in_village,
    }
    assert {word: loadable(DATA, state, Side.POLISH) for word, state in states.items()} == {
        "ready": (INF24,),
        "rested": (INF24,),
        "fought": (),
        "no train": (),
        "elsewhere": (),
        "village": (),
    }


def test_ruling_8_4_loading_is_checked_with_every_reason() -> None:
    state = at_jaroslaw(unit(INF12, "P62"), unit(MINF22, "P62", train=Aboard.ARRIVED), unit("DE-INF-1", "G13"))
    moves = Moves(
        moves=(Move(unit=INF24, to="P61"),),
        loads=tuple(Load(unit=name) for name in (INF24, INF12, MINF22, "DE-INF-1", INF12)),
    )
    assert refusals(state, moves) == [
        "load.moves: expected a unit that does not move in this phase to go aboard, got 24 INF in line 2 (8.1.2)"
        " | leave out its move, or load it tomorrow",
        "load.twice: expected one order to load 12 INF, got 2 in line 3 (8.1.2) | keep one of them",
        "load.train: expected a unit for which a train waits in its area, got 12 INF in Jarosław (P62)"
        " in line 3 (8.1.2) | trains wait for 24 INF in Jarosław (P62)",
        "load.loaded: expected a unit that is not on a train, got 22 MINF in line 4 (8.1.1) | ",
        "load.unit: expected a unit of your own to go aboard, got 1 INF in line 5 (8.1.2) | ",
        "load.twice: expected one order to load 12 INF, got 2 in line 6 (8.1.2) | keep one of them",
        "load.train: expected a unit for which a train waits in its area, got 12 INF in Jarosław (P62)"
        " in line 6 (8.1.2) | trains wait for 24 INF in Jarosław (P62)",
    ]
    both = Moves(travels=(Travel(unit=INF2, to="P62"),), loads=(Load(unit=INF12),))
    lines = [one.line for one in load_refusals(DATA, at_jaroslaw(), both)]
    assert lines == [2]
    assert refusals(at_jaroslaw(exerted=23), loads(INF24)) == [
        "load.acted: expected a unit that did not fight or move in this turn to go aboard, got 24 INF"
        " in line 1 (8.1.2) | it can go aboard tomorrow"
    ]
    assert refusals(at_jaroslaw(trains=(Train(AreaId("P95"), INF24),)), loads(INF24)) == [
        "load.train: expected a unit for which a train waits in its area, got 24 INF in Jarosław (P62)"
        " in line 1 (8.1.2) | its train waits in Tarnopol (P95)"
    ]


def test_loading_is_checked_for_a_city() -> None:
    village = next(area for area in DATA.board.regions["Rzeszów"] if not DATA.board.areas[area].city)
    state = position(unit(INF24, village), phase=6, trains=(Train(AreaId(village), INF24),))
    assert refusals(state, loads(INF24)) == [
        f"load.city: expected 24 INF in a city of the own country, got {DATA.area_name(village)} in line 1 (8.1.2) | "
    ]


def test_what_has_become_impossible_is_not_loaded() -> None:
    found = drive(board_trains(DATA, at_jaroslaw(trains=()), Side.POLISH, loads(INF24)))
    assert found.told == [
        "8.1.2: no loading: expected a unit for which a train waits in its area, got 24 INF in Jarosław (P62)"
    ]
    assert (found.asked, found.result.units[INF24].train) == ([], Aboard.NO)


def test_destinations_are_checked_with_every_reason() -> None:
    loaded = unit(INF24, "P62", train=Aboard.SEALED), unit(MINF22, "P61", train=Aboard.SEALED)
    state = position(*loaded, unit(INF12, "P95"), unit("DE-INF-1", "G34", train=Aboard.SEALED), phase=6)
    state = replace(state, aboard=(INF24, MINF22))
    question = destinations_question(DATA, state, Side.POLISH)
    stay = tuple(Travel(unit=name, to=area) for name, area in ((INF24, "P62"), (MINF22, "P61")))
    assert question.default == Destinations(travels=stay)
    assert question.about == "24 INF in Jarosław (P62), 22 MINF in Przemyśl (P61)"
    travels = ((INF24, "P99"), (INF24, "X99"), (INF2, "P58"))
    answer = Destinations(travels=tuple(Travel(unit=name, to=goal) for name, goal in travels))
    assert [f"{one.sentence()} | {one.hint}" for one in question.check(answer)] == [
        "rail.twice: expected one destination for 24 INF, got 2 in line 1 (8.1.2) | keep one of them",
        "rail.city: expected a city of the own country to travel to, got Worechta (P99) in line 1 (8.1.2)"
        " | a train goes to an area with a city, as drawn on the map",
        "rail.twice: expected one destination for 24 INF, got 2 in line 2 (8.1.2) | keep one of them",
        "rail.city: expected a city of the map to travel to, got 'X99' in line 2 (8.1.2) | ",
        "rail.unit: expected a unit that was loaded in this phase, got 2 INF in line 3 (8.1.2)"
        " | these are 24 INF, 22 MINF",
        "rail.missing: expected a destination for every loaded unit, got none for 22 MINF (8.1.2)"
        " | name a city; that where it stands lets it unload there",
    ]
    assert [one for option in question.legal() for one in question.check(option)] == []
    assert question.check(question.default) == []


# ---------------------------------------------------------------------- trips of units that came loaded


def test_trips_are_checked_with_every_reason() -> None:
    sealed, arrived = unit(INF24, "P62", train=Aboard.SEALED), unit(INF12, "P95", train=Aboard.ARRIVED)
    state = position(unit(INF2, "P65", train=Aboard.CAME_LOADED), sealed, arrived, unit("DE-INF-1", "P58"), phase=6)
    goals = ((INF24, "P58"), (INF12, "P58"), ("PL-INF-99", "P58"), (INF2, "P58"), (INF2, "P99"))
    found = refusals(state, Moves(travels=tuple(Travel(unit=name, to=goal) for name, goal in goals)))
    nearest = some_areas(DATA, reachable_cities(DATA, Occupation.of(state), state.units[INF2]), "P58")
    assert re.fullmatch(r"Bochnia \(H91\), (.+, ){10}.+ and \d+ more \(any area in reach may be named\)", nearest)
    assert found == [
        "rail.unit: expected a unit of your own that came loaded on a train, got 24 INF in line 1 (8.1.2)"
        " | where it travels was noted when it was loaded",
        "rail.unit: expected a unit of your own that came loaded on a train, got 12 INF in line 2 (8.1.2)"
        " | it leaves its train at the beginning of the next movement phase",
        "rail.unit: expected a unit of your own that came loaded on a train, got 'PL-INF-99' in line 3 (8.1.2)"
        " | these are 2 INF",
        "rail.twice: expected one trip of 2 INF, got 2 in line 4 (8.1.2) | keep one of them",
        "rail.way: expected a city that 2 INF reaches past no enemy, got Tarnów (P58) from Kielce (P65)"
        f" in line 4 (8.1.2) | open is the way to {nearest}",
        "rail.twice: expected one trip of 2 INF, got 2 in line 5 (8.1.2) | keep one of them",
        "rail.city: expected a city of the own country to travel to, got Worechta (P99) in line 5 (8.1.2)"
        " | a train goes to an area with a city, as drawn on the map",
    ]


def test_ruling_8_2_a_unit_that_came_loaded_may_unload_where_it_stands() -> None:
    state = position(unit(INF2, "P99", train=Aboard.CAME_LOADED), phase=6)
    moves = Moves(travels=(Travel(unit=INF2, to="P99"),))
    question = moves_question(DATA, state)
    assert question is not None
    assert question.check(moves) == []
    found = march(state, moves)
    assert found.told[0] == "8.1.2: 2 INF unloads in Worechta (P99)"
    assert found.result.units[INF2].train is Aboard.ARRIVED
