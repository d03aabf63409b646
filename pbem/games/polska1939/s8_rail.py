"""Rail transport (8.1): the trip, unloading and loading. Rulings 8-2 to 8-8, 8-11 and 8-12.

Routes are in `s8_routes`, raids in `s6_raids`. Left out: what befalls loaded units whose area an enemy enters (8.1.3,
in movement and combat).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pbem.games.polska1939.answers import Destinations, Load, Moves, RailRaids, Travel
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.near_areas import some_areas
from pbem.games.polska1939.s4_movement import has_acted
from pbem.games.polska1939.s6_raids import TRAVELLERS, attack_train, raids_opened, raids_question
from pbem.games.polska1939.s8_routes import rail_cities, rail_route, reachable_cities
from pbem.games.polska1939.state import Aboard, AreaId, Occupation, Side, State, Unit, UnitId, side_of
from pbem.log.event import Role
from pbem.rules.play import Question, Rules, literal, open_sealed, report, seal
from pbem.rules.refusal import Refusal

# ---------------------------------------------------------------------- the trip


def unload(data: GameData, state: State, side: Side) -> Rules[State]:
    """The beginning of a movement phase: who arrived the day before leaves the train and can move (8.1.2)."""
    there = [unit for unit in state.units.values() if side_of(unit.id) is side and unit.train is Aboard.ARRIVED]
    for unit in there:
        where = data.area_name(unit.area)
        yield from report("8.1.2", "{unit} leaves its train in {area}", unit=data.name(unit.id), area=where)
    state = state.with_units(replace(unit, train=Aboard.NO) for unit in there)
    return (yield from _lose_trains(data, state, side))


def transport(data: GameData, state: State, side: Side, travels: Sequence[Travel]) -> Rules[State]:
    """The trips of a side: those noted when units were loaded, and the `travels` of those that came loaded (8.1.2).

    Each player opens after the other has decided all that the opening bears on: the moves are ordered and the
    destinations known before the raids are, and these stay shut when no train goes (ruling 8-11).
    """
    mine = tuple(sealed for sealed in state.destinations if sealed.role == side.value)
    trips = list(travels)
    if mine and any(name in state.units for name in state.aboard if side_of(name) is side):
        answers = yield from open_sealed(state, mine, [destinations_question(data, state, side) for _ in mine])
        trips = [one for answer in answers if isinstance(answer, Destinations) for one in answer.travels] + trips
    others = tuple(name for name in state.aboard if side_of(name) is not side)
    destinations = tuple(one for one in state.destinations if one not in mine)
    state = replace(state, destinations=destinations, aboard=others)
    if any(_goes(state, trip) for trip in trips):
        state = yield from _open_raids(data, state, side)
    state = yield from _carry_all(data, state, trips)
    left = [unit for unit in state.units.values() if side_of(unit.id) is side and unit.train is Aboard.SEALED]
    for unit in left:
        state = yield from _stay(data, state, unit)
    return state


def _goes(state: State, trip: Travel) -> bool:
    unit = state.units.get(UnitId(trip.unit))
    return unit is not None and unit.train in TRAVELLERS and unit.area != trip.to


def _lose_trains(data: GameData, state: State, side: Side) -> Rules[State]:
    """Empty trains in areas that the enemy holds are lost (ruling 8-6)."""
    occupation = Occupation.of(state)
    gone = [t for t in state.trains if side_of(t.unit) is side and occupation.is_held_by(t.area, side.enemy)]
    for train in gone:
        text = "the train for {unit} in {area} is lost"
        yield from report("8.1.3", text, unit=data.name(train.unit), area=data.area_name(train.area))
    return replace(state, trains=tuple(train for train in state.trains if train not in gone)) if gone else state


def _open_raids(data: GameData, state: State, side: Side) -> Rules[State]:
    """The enemy's raids become known, if he noted any and they are not known yet."""
    raids = state.raids
    if raids is None or raids.role != side.enemy.value or state.raids_opened is not None:
        return state
    (answer,) = yield from open_sealed(state, (raids,), (raids_question(data, state, side.enemy),))
    assert isinstance(answer, RailRaids)
    return (yield from raids_opened(state, answer))


def _carry_all(data: GameData, state: State, travels: Sequence[Travel]) -> Rules[State]:
    occupation = Occupation.of(state)
    for travel in travels:
        unit = state.units.get(UnitId(travel.unit))
        if unit is not None and unit.train in TRAVELLERS:
            state = yield from _carry(data, state, occupation, unit, AreaId(travel.to))
    return state


def _carry(data: GameData, state: State, occupation: Occupation, unit: Unit, goal: AreaId) -> Rules[State]:
    """One trip: region by region, with the raids there, to the goal (6.1.6, 8.1.2); a trip is a move (11.1.6)."""
    if goal == unit.area:
        return (yield from _stay(data, state, unit))
    route = rail_route(data, occupation, unit, goal)
    names = {"unit": data.name(unit.id), "start": data.area_name(unit.area), "goal": data.area_name(goal)}
    if not route:
        yield from report("8.1.2", "no way is open for {unit} from {start} to {goal}", **names)
        return (yield from _stay(data, state, unit))
    regions = ", ".join(route)
    yield from report("8.1.2", "{unit} travels from {start} to {goal}: {regions}", regions=regions, **names)
    for number, region in enumerate(route, start=1):
        if region not in route[: number - 1]:
            state = yield from attack_train(data, state, unit.id, region, number)
        if unit.id not in state.units:
            return state
    arrived = replace(
        state.units[unit.id],
        area=goal,
        train=Aboard.ARRIVED,
        ceiling=0,
        exerted=state.moment,
        disturbed=state.moment,
    )
    return state.with_units((arrived,))


def _stay(data: GameData, state: State, unit: Unit) -> Rules[State]:
    """A unit that does not travel unloads where it is, and can move on the next day (ruling 8-3)."""
    yield from report("8.1.2", "{unit} unloads in {area}", unit=data.name(unit.id), area=data.area_name(unit.area))
    return state.with_units((replace(unit, train=Aboard.ARRIVED),))


# ---------------------------------------------------------------------- loading


def board_trains(data: GameData, state: State, side: Side, moves: Moves) -> Rules[State]:
    """Behind the marches: units go aboard, and their player notes in secret where they will go (8.1.2, first day)."""
    aboard = []
    for load in moves.loads:
        blocked = _load_refusal(data, state, side, load)
        if blocked:
            text = f"no loading: {literal(blocked.text)}"
            yield from report("8.1.2", text, unit=load.unit, code=blocked.code)
            continue
        unit = state.units[UnitId(load.unit)]
        where = data.area_name(unit.area)
        yield from report("8.1.2", "{unit} goes aboard a train in {area}", unit=data.name(unit.id), area=where)
        trains = tuple(train for train in state.trains if train.unit != unit.id)
        state = replace(state.with_units((replace(unit, train=Aboard.SEALED),)), trains=trains)
        aboard.append(unit.id)
    if not aboard:
        return state
    state = replace(state, aboard=tuple(sorted({*state.aboard, *aboard})))
    sealed = yield from seal(state, destinations_question(data, state, side))
    return replace(state, destinations=(*state.destinations, *sealed))


def destinations_question(data: GameData, state: State, side: Side) -> Question[Destinations]:
    """Where the units aboard will travel; who names his own area for one lets it unload where it stands."""
    aboard = [name for name in state.aboard if side_of(name) is side]
    units = [state.units[name] for name in aboard if name in state.units]
    return Question(
        role=Role(side.value),
        model=Destinations,
        default=_destinations(data, state, aboard, {}),
        check=lambda answer: destination_refusals(data, state, side, answer),
        options=lambda: _destination_options(data, state, aboard),
        about=", ".join(f"{data.name(unit.id)} in {data.area_name(unit.area)}" for unit in units),
    )


def destination_refusals(data: GameData, state: State, side: Side, answer: Destinations) -> list[Refusal]:
    """A city in the side's own country for every unit that was loaded, and for no other (8.1.2).

    It is read in the same way when it is opened, whatever has become of the units, so that no plan hangs on that
    (ruling 8-12); a goal that the enemy holds by then is no fault.
    """
    found = []
    times = Counter(travel.unit for travel in answer.travels)
    aboard = [name for name in state.aboard if side_of(name) is side]
    for number, travel in enumerate(answer.travels, start=1):
        if times[travel.unit] > 1:
            text = f"expected one destination for {data.any_unit(travel.unit)}, got {times[travel.unit]}"
            found.append(Refusal("rail.twice", text, "8.1.2", "keep one of them", number))
        if travel.unit not in aboard:
            text = f"expected a unit that was loaded in this phase, got {data.any_unit(travel.unit)}"
            found.append(Refusal("rail.unit", text, "8.1.2", f"these are {_listed(data, aboard)}", number))
        found += _city_refusals(data, side, travel.to, number)
    missing = [name for name in aboard if name not in times]
    if missing:
        text = f"expected a destination for every loaded unit, got none for {_listed(data, missing)}"
        found.append(Refusal("rail.missing", text, "8.1.2", "name a city; that where it stands lets it unload there"))
    return found


def _destinations(
    data: GameData, state: State, aboard: Sequence[UnitId], goals: Mapping[UnitId, AreaId]
) -> Destinations:
    """Each unit to its goal, or to where it stands; one that is lost by now to any city, since it goes nowhere."""
    here = {name: state.units[name].area for name in aboard if name in state.units}
    nowhere = {name: min(rail_cities(data, side_of(name))) for name in aboard}
    places = {**nowhere, **here, **goals}
    return Destinations(travels=tuple(Travel(unit=name, to=places[name]) for name in aboard))


def _destination_options(data: GameData, state: State, aboard: Sequence[UnitId]) -> Iterator[Destinations]:
    """To stay, and each city for each unit while the others stay: some of the many legal answers."""
    yield _destinations(data, state, aboard, {})
    occupation = Occupation.of(state)
    for name in aboard:
        for city in reachable_cities(data, occupation, state.units[name]) if name in state.units else ():
            yield _destinations(data, state, aboard, {name: city})


def _city_refusals(data: GameData, side: Side, goal: str, line: int) -> list[Refusal]:
    if goal not in data.board.areas:
        text = f"expected a city of the map to travel to, got '{goal}'"
        return [Refusal("rail.city", text, "8.1.2", line=line)]
    if AreaId(goal) not in rail_cities(data, side):
        text = f"expected a city of the own country to travel to, got {data.area_name(goal)}"
        return [Refusal("rail.city", text, "8.1.2", "a train goes to an area with a city, as drawn on the map", line)]
    return []


# ---------------------------------------------------------------------- checks of the moves


def travel_refusals(data: GameData, state: State, moves: Moves) -> list[Refusal]:
    """Reasons against the trips of units that came loaded; lines count behind those of the marches (8.1.2)."""
    found = []
    occupation = Occupation.of(state)
    times = Counter(travel.unit for travel in moves.travels)
    for line, travel in enumerate(moves.travels, start=len(moves.moves) + 1):
        unit = state.units.get(UnitId(travel.unit))
        if times[travel.unit] > 1:
            text = f"expected one trip of {data.any_unit(travel.unit)}, got {times[travel.unit]}"
            found.append(Refusal("rail.twice", text, "8.1.2", "keep one of them", line))
        if unit is None or side_of(unit.id) is not state.active or unit.train is not Aboard.CAME_LOADED:
            found.append(_no_traveller(data, state, travel.unit, line))
        elif travel.to != unit.area:
            refusals = _city_refusals(data, state.active, travel.to, line)
            found += refusals or _way_refusals(data, occupation, unit, travel.to, line)
    return found


def _no_traveller(data: GameData, state: State, name: str, line: int) -> Refusal:
    mine = [u.id for u in state.units.values() if side_of(u.id) is state.active and u.train is Aboard.CAME_LOADED]
    unit = state.units.get(UnitId(name))
    hints = {
        Aboard.SEALED: "where it travels was noted when it was loaded",
        Aboard.ARRIVED: "it leaves its train at the beginning of the next movement phase",
    }
    usual = f"these are {_listed(data, mine)}" if mine else "there are none now"
    text = f"expected a unit of your own that came loaded on a train, got {data.any_unit(name)}"
    return Refusal("rail.unit", text, "8.1.2", hints.get(unit.train, usual) if unit else usual, line)


def _way_refusals(data: GameData, occupation: Occupation, unit: Unit, goal: str, line: int) -> list[Refusal]:
    if rail_route(data, occupation, unit, goal):
        return []
    cities = reachable_cities(data, occupation, unit)
    near = some_areas(data, cities, goal) or "no other city"
    where = f"{data.area_name(goal)} from {data.area_name(unit.area)}"
    text = f"expected a city that {data.name(unit.id)} reaches past no enemy, got {where}"
    return [Refusal("rail.way", text, "8.1.2", f"open is the way to {near}", line)]


def load_refusals(data: GameData, state: State, moves: Moves) -> list[Refusal]:
    """Reasons against loading; lines count behind those of the marches and trips (8.1.2, first day)."""
    found = []
    times = Counter(load.unit for load in moves.loads)
    marching = {move.unit for move in moves.moves}
    for line, load in enumerate(moves.loads, start=len(moves.moves) + len(moves.travels) + 1):
        refusal = _load_refusal(data, state, state.active, load)
        if times[load.unit] > 1:
            text = f"expected one order to load {data.any_unit(load.unit)}, got {times[load.unit]}"
            found.append(Refusal("load.twice", text, "8.1.2", "keep one of them", line))
        if refusal:
            found.append(replace(refusal, line=line))
        elif load.unit in marching:
            text = f"expected a unit that does not move in this phase to go aboard, got {data.name(load.unit)}"
            hint = "leave out its move, or load it tomorrow"
            found.append(Refusal("load.moves", text, "8.1.2", hint, line))
    return found


def loadable(data: GameData, state: State, side: Side) -> tuple[UnitId, ...]:
    """The units that could go aboard a train now."""
    waiting = sorted({train.unit for train in state.trains if side_of(train.unit) is side})
    return tuple(name for name in waiting if _load_refusal(data, state, side, Load(unit=name)) is None)


def _load_refusal(data: GameData, state: State, side: Side, load: Load) -> Refusal | None:
    """Why a unit cannot go aboard, None when it can: a train sent for it waits in its city (rulings 8-4, 8-5)."""
    unit = state.units.get(UnitId(load.unit))
    if unit is None or side_of(unit.id) is not side:
        return Refusal(
            "load.unit", f"expected a unit of your own to go aboard, got {data.any_unit(load.unit)}", "8.1.2"
        )
    name, where = data.name(unit.id), data.area_name(unit.area)
    train = next((train for train in state.trains if train.unit == unit.id), None)
    if unit.loaded:
        return Refusal("load.loaded", f"expected a unit that is not on a train, got {name}", "8.1.1")
    if train is None or train.area != unit.area:
        hint = f"its train waits in {data.area_name(train.area)}" if train else _trains_hint(data, state, side)
        text = f"expected a unit for which a train waits in its area, got {name} in {where}"
        return Refusal("load.train", text, "8.1.2", hint)
    if unit.area not in rail_cities(data, side):
        return Refusal("load.city", f"expected {name} in a city of the own country, got {where}", "8.1.2")
    if has_acted(state, unit):
        text = f"expected a unit that did not fight or move in this turn to go aboard, got {name}"
        return Refusal("load.acted", text, "8.1.2", "it can go aboard tomorrow")
    return None


def _trains_hint(data: GameData, state: State, side: Side) -> str:
    trains = [train for train in state.trains if side_of(train.unit) is side]
    told = ", ".join(f"for {data.name(train.unit)} in {data.area_name(train.area)}" for train in trains)
    return f"trains wait {told}" if told else "no train waits now"


def _listed(data: GameData, names: Sequence[str]) -> str:
    return ", ".join(data.name(name) for name in names) or "none"
