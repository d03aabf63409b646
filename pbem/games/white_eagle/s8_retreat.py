"""Retreats (8.5): which boxes are open to a unit, in which order, and the going, with hits on the way and displacement.

Rulings 8-4 to 8-7 and 8-10 to 8-14. Left out: who retreats at all (`s8_outcome`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from pbem.games.white_eagle.board import BoxId, Country
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.kinds import Nation, Side
from pbem.games.white_eagle.s6_victory import settle
from pbem.games.white_eagle.s7_movement import barred
from pbem.games.white_eagle.s7_stacking import fits
from pbem.games.white_eagle.s8_hits import hit_each, hits_left
from pbem.games.white_eagle.s9_siege import activated, fort_stands
from pbem.games.white_eagle.state import State, Unit, nation_of, side_of
from pbem.rules.play import Rules, report

HOMES = {
    Nation.GERMAN: (Country.GERMANY, Country.EAST_PRUSSIA),
    Nation.SLOVAK: (Country.SLOVAKIA,),
    Nation.SOVIET: (Country.SOVIET_UNION,),
    Nation.POLISH: (Country.POLAND,),
}


@dataclass(frozen=True, slots=True)
class Flight:
    """What a retreat depends on besides the units: `launched` are the boxes from which attackers came (8.5).

    `wanted` are boxes of the plan, the best first. `lost` is the box of the combat: comrades who are still there leave
    too. In boxes of `settled` nobody is displaced any more: units that retreated before stand there, so that a chain of
    displacements ends. `second` is a retreat that goes on from a box to be avoided, to free boxes only.
    """

    launched: tuple[BoxId, ...] = ()
    wanted: tuple[BoxId, ...] = ()
    lost: BoxId | None = None
    settled: tuple[BoxId, ...] = ()
    second: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """A box that a unit can retreat to; `rule` is that of the kind of box to avoid, empty for a free one (8.5)."""

    to: BoxId
    rule: str = ""


# ---------------------------------------------------------------------- which boxes


def ways_of(data: GameData, state: State, unit: Unit, flight: Flight) -> tuple[Way, ...]:
    """The boxes to which a unit must retreat, sorted; none where it is eliminated (8.5, rulings 8-5, 8-6).

    Free ones toward home, else any free ones, else those to avoid from which there is a second retreat, likewise.
    """
    free = _free_ways(data, state, unit, flight)
    if free or flight.second:
        return free
    rules = {box: _rule(data, state, unit, box, flight) for box in data.board.neighbours[unit.box]}
    avoided = [Way(box, rule) for box, rule in rules.items() if rule]
    return _homeward(data, unit, [way for way in avoided if _goes_on(data, state, unit, way, flight)])


def _free_ways(data: GameData, state: State, unit: Unit, flight: Flight) -> tuple[Way, ...]:
    near = data.board.neighbours[unit.box]
    return _homeward(data, unit, [Way(box) for box in near if _rule(data, state, unit, box, flight) == FREE])


FREE, SHUT = "", None


def _rule(data: GameData, state: State, unit: Unit, box: BoxId, flight: Flight) -> str | None:
    """The rule that makes a unit avoid a box, FREE for none, SHUT where it can never retreat to it."""
    if barred(data, state, unit, box) is not None:
        return SHUT
    side = side_of(unit.id)
    own = () if box == flight.lost else state.of_side(box, side)
    enemies = state.of_side(box, side.enemy)
    if data.fort_against(state, box, side):
        return "8.5.b8"
    if enemies:
        return _among_enemies(data, state, unit, box, own, enemies)
    if is_held_by(data, state, box, side.enemy):
        return "8.5.b7"
    if box in flight.launched:
        return "8.5.b9"
    if box in flight.settled and not fits(data, state, box, [*own, unit]):
        return SHUT
    return FREE if fits(data, state, box, [unit]) else SHUT


def _among_enemies(
    data: GameData, state: State, unit: Unit, box: BoxId, own: Sequence[Unit], enemies: Sequence[Unit]
) -> str | None:
    """A box with units of both sides is open if it was friendly and has room; one of enemies alone is to be avoided."""
    if not own:
        return "8.5.b6"
    return FREE if is_new_fight(state, enemies) and fits(data, state, box, [*own, unit]) else SHUT


def is_new_fight(state: State, enemies: Iterable[Unit]) -> bool:
    """Whether all these enemies have entered their box in this activation, so that it was friendly before (8.5)."""
    came = activated(state).came
    return all(unit.id in came for unit in enemies)


def is_held_by(data: GameData, state: State, box: BoxId, side: Side) -> bool:
    """Whether a box is a victory city that a side controls (6.1)."""
    return bool(data.board.boxes[box].victory) and (box in state.held) is (side is Side.GERMAN)


def _homeward(data: GameData, unit: Unit, ways: Sequence[Way]) -> tuple[Way, ...]:
    """Those of some ways that lead toward home, all where none does (ruling 8-5)."""
    found = tuple(way for way in ways if is_homeward(data, nation_of(unit.id), unit.box, way.to))
    return found or tuple(ways)


def is_homeward(data: GameData, nation: Nation, here: BoxId, there: BoxId) -> bool:
    """Whether a box is nearer to the home country, or in it when `here` is; for Poles in Poland always (ruling 8-5)."""
    far = data.board.to_country(here, HOMES[nation])
    if nation is Nation.POLISH and not far:
        return True
    left = data.board.to_country(there, HOMES[nation])
    return left < far or not left


def _goes_on(data: GameData, state: State, unit: Unit, way: Way, flight: Flight) -> bool:
    """Whether there is a free box to go on to from a box that is to be avoided (8.5)."""
    return bool(_free_ways(data, state, replace(unit, box=way.to), flight))


# ---------------------------------------------------------------------- the choice


def open_retreats(data: GameData, state: State, units: Sequence[Unit], flight: Flight) -> tuple[BoxId, ...]:
    """Every box to which any of some units could retreat first, the best first as it would be taken by default."""
    return tuple(stop.to for stop in _stops(data, state, units, replace(flight, wanted=())))


@dataclass(frozen=True, slots=True)
class Stop:
    """Where some of the units that retreat from a box can go together."""

    to: BoxId
    rule: str
    units: tuple[Unit, ...]


def _stops(data: GameData, state: State, units: Sequence[Unit], flight: Flight) -> list[Stop]:
    """The boxes that are open to units in one box, with those who find room there: the plan's, then the best."""
    rules: dict[BoxId, str] = {}
    able: dict[BoxId, list[Unit]] = {}
    for unit in units:
        for way in ways_of(data, state, unit, flight):
            rules[way.to] = way.rule
            able.setdefault(way.to, []).append(unit)
    stops = [Stop(to, rules[to], _together(data, state, to, able[to], rules[to], flight)) for to in sorted(able)]
    return sorted(stops, key=lambda stop: (_wish(stop.to, flight), *_worth(data, state, stop)))


def _wish(box: BoxId, flight: Flight) -> int:
    return flight.wanted.index(box) if box in flight.wanted else len(flight.wanted)


def _worth(data: GameData, state: State, stop: Stop) -> tuple[int, ...]:
    """How bad a box is where the plan names none (ruling 8-10), its id last.

    Units that find no room, displaced ones, Poles abroad, a fight to come, enemies around it, lines to the goal.
    """
    side, nation = side_of(stop.units[0].id), nation_of(stop.units[0].id)
    enemies = sum(bool(state.of_side(box, side.enemy)) for box in data.board.neighbours[stop.to])
    abroad = not data.board.in_poland(stop.to) if nation is Nation.POLISH else 0
    displaced = () if stop.rule else crowded_out(data, state, stop.to, stop.units)
    fight = bool(state.of_side(stop.to, side.enemy))
    return -len(stop.units), len(displaced), abroad, fight, enemies, _remoteness(data, nation, stop.to)


def _remoteness(data: GameData, nation: Nation, box: BoxId) -> int:
    """Lines to the home country, for Poles to their city with the most control markers."""
    if nation is not Nation.POLISH:
        return data.board.to_country(box, HOMES[nation])
    poland = [one for one in data.board.victory_cities if data.board.in_poland(one)]
    capital = max(poland, key=lambda one: data.board.boxes[one].victory, default=box)
    return data.board.distance(box, capital)


def _together(
    data: GameData, state: State, to: BoxId, units: Sequence[Unit], rule: str, flight: Flight
) -> tuple[Unit, ...]:
    """Those of some units that can stop in a box together; to a box that is only passed all can go (ruling 8-4)."""
    if rule:
        return tuple(units)
    side = side_of(units[0].id)
    shared = to in flight.settled or state.of_side(to, side.enemy)
    there = state.of_side(to, side) if shared else ()
    found: list[Unit] = []
    for unit in sorted(units, key=lambda one: _weight(data, one)):
        if fits(data, state, to, [*there, *found, unit]):
            found.append(unit)
    return tuple(sorted(found, key=lambda unit: unit.id))


def _weight(data: GameData, unit: Unit) -> tuple[int, int, int, UnitId]:
    """The strongest unit first."""
    return -hits_left(data, unit), data.factor(unit), -data.unit(unit.id).dice, unit.id


def crowded_out(data: GameData, state: State, box: BoxId, newcomers: Sequence[Unit]) -> tuple[Unit, ...]:
    """The residents of a box who must make room for others: as few and as weak ones as cure the excess (ruling 8-4)."""
    residents = state.of_side(box, side_of(newcomers[0].id))
    for number in range(len(residents)):
        cures = [
            leaving
            for leaving in combinations(residents, number)
            if fits(data, state, box, [*(unit for unit in residents if unit not in leaving), *newcomers])
        ]
        if cures:
            return min(cures, key=lambda units: [_cheapness(data, unit) for unit in units])
    return residents


def _cheapness(data: GameData, unit: Unit) -> tuple[int, int, int, UnitId]:
    """The weakest unit first."""
    return hits_left(data, unit), -data.factor(unit), data.unit(unit.id).dice, unit.id


# ---------------------------------------------------------------------- the going


def retreat(
    data: GameData, state: State, names: Iterable[UnitId], flight: Flight, rule: str = "8.5.b2"
) -> Rules[State]:
    """Units in one box retreat: together where there is room, the rest to the next box (8.5, ruling 8-4)."""
    left = [state.units[name] for name in names]
    if left:
        state = _out_of_combat(state, left)
    while left:
        stops = _stops(data, state, left, flight)
        if not stops:
            return (yield from _cut_off(data, state, left))
        stop = stops[0]
        left = [unit for unit in left if unit not in stop.units]
        if stop.rule:
            state = yield from _through(data, state, stop, flight)
        else:
            state = yield from _stop_at(data, state, stop, flight, rule)
            flight = replace(flight, settled=(*flight.settled, stop.to))
    return state


def _cut_off(data: GameData, state: State, units: Sequence[Unit]) -> Rules[State]:
    names = tuple(unit.id for unit in units)
    text = "no way to retreat from {box}: {units} eliminated"
    yield from report("8.5.p3", text, box=data.box_name(units[0].box), units=data.names(names))
    return state.without(names)


def _through(data: GameData, state: State, stop: Stop, flight: Flight) -> Rules[State]:
    """Into a box that is to be avoided, a hit on each unit, and on from there; they do not stay (8.5)."""
    names = tuple(unit.id for unit in stop.units)
    text = "retreat through {box}, which is to be avoided ({why}): {units}"
    facts = {"box": data.box_name(stop.to), "why": AVOIDED[stop.rule], "units": data.names(names)}
    yield from report(stop.rule, text, **facts)
    state = moved(state, names, stop.to)
    state = yield from settle(data, state, stop.to)
    state = yield from hit_each(data, state, names, "8.5.b11")
    left = [name for name in names if name in state.units]
    return (yield from retreat(data, state, left, replace(flight, second=True), "8.5.b12"))


AVOIDED = {
    "8.5.b6": "only enemies are there",
    "8.5.b7": "the enemy's victory city",
    "8.5.b8": "the enemy's fort",
    "8.5.b9": "the attack came from there",
}


def _stop_at(data: GameData, state: State, stop: Stop, flight: Flight, rule: str) -> Rules[State]:
    """Units come to a box; residents for whom there is no room any more retreat as defenders do (8.5)."""
    names = tuple(unit.id for unit in stop.units)
    mixed = bool(state.of_side(stop.to, side_of(names[0]).enemy))
    yield from report("8.5.b3" if mixed else rule, "retreat to {box}: {units}", **_facts(data, stop.to, names))
    state = idle(state, names) if mixed else state
    return (yield from make_room(data, state, names, stop.to, flight))


def make_room(
    data: GameData, state: State, names: Sequence[UnitId], box: BoxId, flight: Flight | None = None
) -> Rules[State]:
    """Units stop in a box, and residents who have no room beside them are displaced (8.5)."""
    flight = flight or Flight()
    leaving = tuple(unit.id for unit in crowded_out(data, state, box, [state.units[name] for name in names]))
    state = moved(state, names, box)
    if not leaving:
        return state
    yield from report("8.5.b4", "displaced from {box}: {units}", **_facts(data, box, leaving))
    further = replace(flight, wanted=(), settled=(*flight.settled, box), second=False)
    return (yield from retreat(data, state, leaving, further, "8.5.b4"))


def _facts(data: GameData, box: BoxId, names: tuple[UnitId, ...]) -> dict[str, str]:
    return {"box": data.box_name(box), "units": data.names(names)}


def moved(state: State, names: Iterable[UnitId], box: BoxId) -> State:
    """The position with units in another box."""
    return state.with_units([replace(state.units[name], box=box) for name in names])


def _out_of_combat(state: State, units: Sequence[Unit]) -> State:
    """Units of the activated side that retreat attack no more; those of the other side defend where they come to."""
    names = [unit.id for unit in units]
    activation = activated(state)
    if side_of(names[0]) is activation.side:
        return idle(state, names)
    return replace(state, activation=replace(activation, idle=tuple(n for n in activation.idle if n not in names)))


def idle(state: State, names: Iterable[UnitId]) -> State:
    """The position with units that take no part in further combat of the activation (8.5)."""
    activation = activated(state)
    found = tuple(sorted({*activation.idle, *names}))
    return replace(state, activation=replace(activation, idle=found))


def returned(
    data: GameData, state: State, names: Iterable[UnitId], flight: Flight, rule: str = "8.5.b1"
) -> Rules[State]:
    """Attackers go back to the boxes from which they attacked (8.5); where that cannot be they retreat as defenders do.

    That is those whose box holds enemies now, those who find no room there together, and those who attacked from
    where they stood, as besiegers do (rulings 8-7, 9-9).
    """
    units = [state.units[name] for name in names]
    homes = {unit.id: activated(state).came.get(unit.id) for unit in units}
    state = back_from_attack(state, homes)
    for home in dict.fromkeys(homes.values()):
        group = [unit for unit in units if homes[unit.id] == home]
        state = yield from _return_group(data, state, group, home, flight, rule)
    return state


def _return_group(
    data: GameData, state: State, group: Sequence[Unit], home: BoxId | None, flight: Flight, rule: str
) -> Rules[State]:
    back: tuple[UnitId, ...] = ()
    if home is not None and can_return(data, state, home, side_of(group[0].id)):
        back = tuple(unit.id for unit in _together(data, state, home, group, "", Flight()))
        flight = replace(flight, settled=(home,))
    if home is not None and back:
        yield from report(rule, "back to {box}: {units}", **_facts(data, home, back))
        state = yield from make_room(data, state, back, home, replace(flight, wanted=(), settled=()))
        state = yield from settle(data, state, home)
    rest = [unit.id for unit in group if unit.id not in back]
    return (yield from retreat(data, state, rest, flight, rule))


def back_from_attack(state: State, names: Collection[UnitId]) -> State:
    """The position with units whose attack is over: they fight no more, and came from nowhere."""
    state = idle(state, names)
    activation = activated(state)
    came = {name: box for name, box in activation.came.items() if name not in names}
    support = tuple(name for name in activation.support if name not in names)
    return replace(state, activation=replace(activation, came=came, support=support))


def can_return(data: GameData, state: State, home: BoxId, side: Side) -> bool:
    """Whether attackers can go back to a box: no enemy is there, or comrades or their fort hold out (ruling 8-7)."""
    holds_out = state.of_side(home, side) or fort_stands(data, state, home, side)
    return bool(holds_out) or not data.is_opposed(state, home, side)
