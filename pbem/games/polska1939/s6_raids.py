"""Attacks on trains: bombers that wait in secret in a region for the rest of the day (6.1.6 to 6.1.8).

Rulings 6-7 to 6-10 and 6-14.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbem.games.polska1939.answers import Bomb, Raid, RailRaids
from pbem.games.polska1939.casualties import lose_each
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import AirKind
from pbem.games.polska1939.s6_bombs import points_lost, told_points
from pbem.games.polska1939.s6_reach import Aircraft, AirDay, countries_of
from pbem.games.polska1939.state import Aboard, Side, State, UnitId, side_of
from pbem.log.enumeration import cut
from pbem.log.event import Role
from pbem.rules.play import Question, Rules, report, roll, seal, total
from pbem.rules.refusal import Refusal

LISTED = 12
"""How many regions a hint names."""
TRAVELLERS = (Aboard.CAME_LOADED, Aboard.SEALED)


def note_raids(data: GameData, state: State, day: AirDay, flown: Sequence[Bomb]) -> Rules[State]:
    """The attacker of an air phase notes in secret where his other bombers wait for trains (6.1.6).

    Nothing is noted when no enemy train can travel in the enemy's next movement phase, or no bomber is left.
    """
    if state.raids or not trains_may_travel(data, state, day.side.enemy):
        return state
    busy = {bomb.number for bomb in flown if bomb.air == "bom"}
    left = [plane for plane in day.of_kind(AirKind.BOMBER) if plane.number not in busy]
    regions = _regions_in_reach(data, day, left)
    if not regions:
        return state
    state = replace(state, raiders=tuple(plane.strength for plane in left), raid_regions=regions)
    (sealed,) = yield from seal(state, raids_question(data, state, day.side))
    return replace(state, raids=sealed)


def trains_may_travel(data: GameData, state: State, side: Side) -> bool:
    """Whether units of a side could travel by rail in its next movement phase: loaded now, or loaded when they come."""
    if any(side_of(unit.id) is side and unit.train in TRAVELLERS for unit in state.units.values()):
        return True
    day = state.day if side is Side.POLISH else state.day + 1
    coming = (row for row in data.forces.reinforcements if row.loaded and side_of(UnitId(row.unit)) is side)
    return any(row.day == day or row.unit in state.waiting for row in coming)


def raids_question(data: GameData, state: State, side: Side) -> Question[RailRaids]:
    """Where the bombers kept back wait for trains; asked, and read again when it is opened, with the same check."""
    return Question(
        role=Role(side.value),
        model=RailRaids,
        default=RailRaids(),
        check=lambda answer: raid_refusals(data, state, answer),
        options=lambda: _options(state),
        about=f"bombers kept back: {len(state.raiders)}",
    )


def raid_refusals(data: GameData, state: State, answer: RailRaids) -> list[Refusal]:
    """Regions in reach, each once, and no more bombers than were kept back (6.1.3, 6.1.6, 6.1.9)."""
    found, times = [], Counter(raid.region for raid in answer.raids)
    for number, raid in enumerate(answer.raids, start=1):
        if raid.region not in data.board.regions:
            text = f"expected a region of the map, got '{raid.region}'"
            found.append(Refusal("raid.region", text, "6.1.6", _in_reach(state), number))
        elif raid.region not in state.raid_regions:
            text = f"expected a region with trains that a bomber kept back reaches, got {raid.region}"
            found.append(Refusal("raid.range", text, "6.1.9", _in_reach(state), number))
        if times[raid.region] > 1:
            text = f"expected one raid in a region, got {times[raid.region]} in {raid.region}"
            found.append(Refusal("raid.twice", text, "6.1.6", "give the raid the sum of the bombers", number))
    bombers = sum(raid.bombers for raid in answer.raids)
    if bombers > len(state.raiders):
        text = f"expected at most as many bombers as were kept back, {len(state.raiders)}, got {bombers}"
        found.append(Refusal("raid.bombers", text, "6.1.3", "name fewer bombers"))
    return found


def raids_opened(state: State, answer: RailRaids) -> Rules[State]:
    """The raids are known; each takes the strongest bombers that are left, in the order of the list (ruling 6-8)."""
    side = state.active.enemy.adjective
    if answer.raids:
        where = ", ".join(f"{raid.region} ({raid.bombers})" for raid in answer.raids)
        yield from report("6.1.6", "{side} bombers wait for trains in {where}", side=side, where=where)
    else:
        yield from report("6.1.6", "no {side} bombers wait for trains", side=side)
    return replace(state, raids_opened=answer, raiders=state.raiders[: sum(raid.bombers for raid in answer.raids)])


def attack_train(data: GameData, state: State, name: UnitId, region: str, number: int) -> Rules[State]:
    """A raid in a region attacks a unit on a train once (6.1.6, 6.1.7), without terrain (6.1.8), doubled (8.1.4).

    `number` is that of the region on the way, from 1; it tells the dice of one train apart.
    """
    strength = _next_raider(state, region)
    if strength is None:
        return state
    state = _without_raider(state, region)
    state = state.with_units((replace(state.units[name], disturbed=state.moment),))
    label, by = f"6.1.6/day-{state.day}/{name}/region-{number}", Role(side_of(name).enemy.value)
    face = yield from roll(label, 1, data.figures.air.die_sides, total, by)
    points = points_lost(data, AirKind.BOMBER, strength, face)
    text = "a bomber ({strength} SP) attacks {unit} on its train in {region}: {face}: {result}"
    told, unit = told_points(points), data.name(name)
    yield from report("6.1.6", text, strength=strength, unit=unit, region=region, face=face, result=told)
    lost = points * data.figures.rail.bombing_factor
    return (yield from lose_each(data, state, "8.1.4", {name: lost})) if lost else state


def without_raids(state: State, side: Side) -> State:
    """The position when the raids of a side have lapsed (ruling 6-10)."""
    if state.raids is None or state.raids.role != side.value:
        return state
    return replace(state, raids=None, raids_opened=None, raiders=(), raid_regions=())


def _regions_in_reach(data: GameData, day: AirDay, planes: Sequence[Aircraft]) -> tuple[str, ...]:
    """The regions of the enemy's country of which a bomber reaches an area, sorted (ruling 6-9)."""
    enemy = countries_of(day.side.enemy)
    nations = dict.fromkeys(plane.nation for plane in planes)
    reached = [day.reach[nation, AirKind.BOMBER] for nation in nations]
    regions = (
        area.region
        for code, area in data.board.areas.items()
        if area.country in enemy and any(code in areas for areas in reached)
    )
    return tuple(sorted(set(regions)))


def _next_raider(state: State, region: str) -> int | None:
    """The strength of the next bomber that waits in a region."""
    before = 0
    for raid in state.raids_opened.raids if state.raids_opened else ():
        if raid.region == region:
            return state.raiders[before]
        before += raid.bombers
    return None


def _without_raider(state: State, region: str) -> State:
    """The position when that bomber has attacked: a bomber flies once a day (6.1.3)."""
    assert state.raids_opened is not None
    raids, raiders = [], []
    left = list(state.raiders)
    for raid in state.raids_opened.raids:
        here, left = left[: raid.bombers], left[raid.bombers :]
        waiting = here[1:] if raid.region == region else here
        raiders += waiting
        if waiting:
            raids.append(Raid(region=raid.region, bombers=len(waiting)))
    return replace(state, raids_opened=RailRaids(raids=tuple(raids)), raiders=tuple(raiders))


def _options(state: State) -> Iterator[RailRaids]:
    """None, and one bomber in each region: some of the many legal answers."""
    yield RailRaids()
    for region in state.raid_regions:
        yield RailRaids(raids=(Raid(region=region, bombers=1),))


def _in_reach(state: State) -> str:
    return f"in reach are {cut(state.raid_regions, LISTED)}"
