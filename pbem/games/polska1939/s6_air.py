"""Phases I and IV: intercepts noted in secret, bombers and support sent out, intercepts opened, bombs (3.1.2, 6.0).

Dice and losses are in `s6_bombs`, raids on trains in `s6_raids`, reach in `s6_reach`. Offensive air support of attacks
is ordered with the attacks (6.2.4). Rulings 6-11 to 6-13.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pbem.games.polska1939.answers import AirMissions, Bomb, BombLosses, Intercepts, LossOrder
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import AirKind
from pbem.games.polska1939.near_areas import some_areas
from pbem.games.polska1939.s5_attacks import attack_refusals
from pbem.games.polska1939.s6_bombs import bombard, may_choose
from pbem.games.polska1939.s6_raids import note_raids, without_raids
from pbem.games.polska1939.s6_reach import COUNTRIES, NAMES, Aircraft, AirDay, radii, spread
from pbem.games.polska1939.state import AreaId, Side, State
from pbem.log.enumeration import counted
from pbem.log.event import Role
from pbem.rules.play import Question, Rules, Sealed, ask, open_sealed, report, seal
from pbem.rules.refusal import Refusal

KINDS: Mapping[str, AirKind] = {"bom": AirKind.BOMBER, "off": AirKind.SUPPORT}


def air_phase(data: GameData, state: State) -> Rules[State]:
    """Air missions of the active side (3.1.2 a to d), and what it notes in secret for the rest of the day (6.1.6)."""
    state = replace(without_raids(state, state.active), bombed=(), air_used=(), planned=None)
    day = AirDay.of(data, state, state.active)
    if not day.aircraft:
        return state
    guard = AirDay.of(data, state, state.active.enemy) if day.has_mission(AirKind.BOMBER) else None
    noted = (yield from _note_intercepts(data, state, day, guard)) if guard else ()
    missions = AirMissions()
    if day.has_mission(AirKind.BOMBER) or day.has_mission(AirKind.SUPPORT):
        missions = yield from ask(state, missions_question(data, state, day))
    state = yield from note_raids(data, state, day, missions.bombs)
    state = replace(state, planned=missions.attacks)
    flown = missions.bombs
    if guard and noted:
        flown = yield from _intercepted(data, state, day, guard, noted, flown)
    return (yield from _bombs_fall(data, state, day, flown))


def _phase_rule(guarding: Side) -> str:
    """The phase in which a side's bombers defend areas."""
    return "3.1.2.phaseI" if guarding is Side.POLISH else "3.1.2.phaseIV"


# ---------------------------------------------------------------------- intercepts


def _note_intercepts(data: GameData, state: State, day: AirDay, guard: AirDay) -> Rules[tuple[Sealed, ...]]:
    """The other side notes which areas its bombers defend (3.1.2 a); nobody is asked who could defend none."""
    question = intercepts_question(data, day, guard)
    if question.forced() is not None:
        return ()
    return (yield from seal(state, question))


def intercepts_question(data: GameData, day: AirDay, guard: AirDay) -> Question[Intercepts]:
    """Which areas the bombers of the side that is not active defend: any that one of them reaches (ruling 6-11)."""
    return Question(
        role=Role(guard.side.value),
        model=Intercepts,
        default=Intercepts(),
        check=lambda answer: intercept_refusals(data, guard, answer),
        options=lambda: _intercept_options(day, guard),
        about=f"bombers today: {len(guard.of_kind(AirKind.BOMBER))}",
    )


def intercept_refusals(data: GameData, guard: AirDay, answer: Intercepts) -> list[Refusal]:
    """One bomber in an area (6.1.1), no more areas than bombers, all in reach (6.1.9)."""
    found = []
    bombers, times = guard.of_kind(AirKind.BOMBER), Counter(answer.areas)
    for line, area in enumerate(answer.areas, start=1):
        if area not in data.board.areas:
            text = f"expected an area of the map to defend, got '{area}'"
            found.append(Refusal("intercept.area", text, _phase_rule(guard.side), line=line))
        elif not any(guard.reaches(plane, area) for plane in bombers):
            text = f"expected an area that a bomber reaches, got {data.area_name(area)}"
            found.append(Refusal("intercept.range", text, "6.1.9", _radius(data, bombers[0]), line))
        if times[area] > 1:
            text = f"expected one bomber in an area, got {times[area]} in {data.any_area(area)}"
            found.append(Refusal("intercept.twice", text, "6.1.1", "name each area once", line))
    if len(answer.areas) > len(bombers):
        text = f"expected at most an area for each bomber, {len(bombers)}, got {len(answer.areas)}"
        found.append(Refusal("intercept.bombers", text, "6.1.1", "name fewer areas"))
    return found


def _intercept_options(day: AirDay, guard: AirDay) -> Iterator[Intercepts]:
    """None, and each area that could be bombed and defended: some of the many legal answers."""
    yield Intercepts()
    bombers = guard.of_kind(AirKind.BOMBER)
    threatened = dict.fromkeys(area for plane in day.of_kind(AirKind.BOMBER) for area in day.bombable(plane))
    for area in sorted(threatened):
        if any(guard.reaches(plane, area) for plane in bombers):
            yield Intercepts(areas=(area,))


def _intercepted(
    data: GameData, state: State, day: AirDay, guard: AirDay, noted: Sequence[Sealed], missions: Sequence[Bomb]
) -> Rules[tuple[Bomb, ...]]:
    """The missions that are left when the intercepts are opened (3.1.2 c); they stay shut where no bomber flies."""
    bombers = [bomb for bomb in missions if bomb.air == "bom"]
    if not bombers:
        return tuple(missions)
    opened = yield from open_sealed(state, noted, (intercepts_question(data, day, guard),))
    areas = [AreaId(area) for answer in opened if isinstance(answer, Intercepts) for area in answer.areas]
    rule, side = _phase_rule(guard.side), guard.side.adjective
    where = ", ".join(data.area_name(area) for area in areas) or "no area"
    yield from report(rule, "{side} bombers defend {where}", side=side, where=where)
    pairs = turned_back(data, bombers, areas)
    for bomb, area in pairs.items():
        text = "{bomber} is turned back from {target} by the bomber over {area}"
        facts = {"bomber": f"BOM {bomb.number}", "target": data.area_name(bomb.area), "area": data.area_name(area)}
        yield from report(rule, text, **facts)
    return tuple(bomb for bomb in missions if bomb not in pairs)


def turned_back(data: GameData, bombers: Sequence[Bomb], areas: Sequence[AreaId]) -> dict[Bomb, AreaId]:
    """The missions that are turned back, each with the area whose bomber does it (3.1.2 c, ruling 6-12).

    One bomber turns one back, at most 2 areas away. As many as can be are turned back, from the end of the list.
    """
    radius = data.figures.air.intercept_radius
    near = {area: spread(data, (area,), radius) for area in areas}
    pairs: dict[AreaId, Bomb] = {}
    for bomb in reversed(bombers):
        _pair(near, pairs, bomb, [])
    return {bomb: area for bomb in bombers for area, paired in pairs.items() if paired is bomb}


def _pair(
    near: Mapping[AreaId, Mapping[AreaId, None]], pairs: dict[AreaId, Bomb], bomb: Bomb, tried: list[AreaId]
) -> bool:
    """Find a defender for a bomber; one that is taken is set free where its own bomber finds another."""
    for area, reached in near.items():
        if AreaId(bomb.area) in reached and area not in tried:
            tried.append(area)
            if area not in pairs or _pair(near, pairs, pairs[area], tried):
                pairs[area] = bomb
                return True
    return False


# ---------------------------------------------------------------------- missions


def missions_question(data: GameData, state: State, day: AirDay) -> Question[AirMissions]:
    """Which areas are bombed, and, for a player who will not wait for the results, the attacks after it."""
    return Question(
        role=Role(day.side.value),
        model=AirMissions,
        default=AirMissions(),
        check=lambda answer: mission_refusals(data, state, day, answer),
        options=lambda: _mission_options(day),
        about=", ".join(f"{plane.name} ({plane.strength} SP)" for plane in day.aircraft),
    )


def mission_refusals(data: GameData, state: State, day: AirDay, answer: AirMissions) -> list[Refusal]:
    """All reasons against a list of missions (6.1.1, 6.1.3, 6.1.9, 6.2.1, 6.2.5), and against the attacks with it."""
    found = []
    units = Counter((bomb.air, bomb.number) for bomb in answer.bombs)
    areas = Counter((bomb.air, bomb.area) for bomb in answer.bombs)
    for line, bomb in enumerate(answer.bombs, start=1):
        refusals = [*_unit_refusals(day, bomb), *_area_refusals(data, day, bomb)]
        if units[bomb.air, bomb.number] > 1:
            text = f"expected one mission of an air unit, got {units[bomb.air, bomb.number]} of {_name(bomb)}"
            refusals.append(Refusal("air.twice", text, "6.1.3" if bomb.air == "bom" else "6.2.2", "keep one of them"))
        if areas[bomb.air, bomb.area] > 1:
            kind = "bomber" if bomb.air == "bom" else "support unit"
            text = f"expected one {kind} in an area, got {areas[bomb.air, bomb.area]} in {data.any_area(bomb.area)}"
            rule = "6.1.1" if bomb.air == "bom" else "6.2.1"
            refusals.append(Refusal("air.crowded", text, rule, "a bomber and a support unit may go to one area"))
        found += [replace(refusal, line=line) for refusal in refusals]
    return found + _attack_refusals(data, state, answer)


def _unit_refusals(day: AirDay, bomb: Bomb) -> list[Refusal]:
    kind = KINDS[bomb.air]
    if day.plane(kind, bomb.number):
        return []
    there = day.of_kind(kind)
    got = f"expected an air unit of the day, got {_name(bomb)}"
    today = ", ".join(plane.name for plane in day.aircraft)
    hint = f"today: {today}" if there else f"there is no {kind.value} today" + (f", only {today}" if today else "")
    return [Refusal("air.unit", got, "scenario.air" if not there else "6.1.3", hint)]


def _area_refusals(data: GameData, day: AirDay, bomb: Bomb) -> list[Refusal]:
    if bomb.area not in data.board.areas:
        return [Refusal("air.area", f"expected an area of the map, got '{bomb.area}'", "6.1.2")]
    plane = day.plane(KINDS[bomb.air], bomb.number)
    where = data.area_name(bomb.area)
    if bomb.area not in day.targets:
        text = f"expected an area with enemy units or trains for {_name(bomb)}, got {where}"
        return [Refusal("air.target", text, "6.1.2", _targets_hint(data, day, plane, bomb.area))]
    if plane is None or day.reaches(plane, bomb.area):
        return []
    text = f"expected an area in reach of {plane.name}, got {where}"
    rule = "6.1.9" if plane.kind is AirKind.BOMBER else "6.2.5"
    return [Refusal("air.range", text, rule, f"{_radius(data, plane)}; {_targets_hint(data, day, plane, bomb.area)}")]


def _attack_refusals(data: GameData, state: State, answer: AirMissions) -> list[Refusal]:
    """The check of attacks that are given in advance; their lines count behind those of the missions."""
    if answer.attacks is None:
        return []
    found = attack_refusals(data, state, answer.attacks, bombs=answer.bombs)
    return [replace(refusal, line=refusal.line + len(answer.bombs)) if refusal.line else refusal for refusal in found]


def _mission_options(day: AirDay) -> Iterator[AirMissions]:
    """None, each air unit alone over each target, and all where they may: some of the many legal answers."""
    yield AirMissions()
    if len(everybody := _everybody(day)) > 1:
        yield AirMissions(bombs=everybody)
    for plane in day.aircraft:
        for area in day.bombable(plane):
            yield AirMissions(bombs=(_bomb(plane, area),))


def _everybody(day: AirDay) -> tuple[Bomb, ...]:
    """A mission for every air unit, each over another area where there are enough."""
    bombs: list[Bomb] = []
    for plane in day.aircraft:
        taken = [bomb.area for bomb in bombs if KINDS[bomb.air] is plane.kind]
        free = [area for area in day.bombable(plane) if area not in taken]
        bombs += [_bomb(plane, area) for area in free[:1]]
    return tuple(bombs)


def _bomb(plane: Aircraft, area: AreaId) -> Bomb:
    return Bomb(air="bom" if plane.kind is AirKind.BOMBER else "off", number=plane.number, area=area)


def _name(bomb: Bomb) -> str:
    return f"{KINDS[bomb.air].value} {bomb.number}"


def _radius(data: GameData, plane: Aircraft) -> str:
    """How far an air unit flies, for people (6.1.9, 6.2.5)."""
    country, headquarters = radii(data, plane.kind)
    home = " or ".join(NAMES[nation] for nation in COUNTRIES[plane.nation])
    return f"it flies {counted(country, 'area')} from {home}, {headquarters} from a supplied HQ of its own nation"


def _targets_hint(data: GameData, day: AirDay, plane: Aircraft | None, wanted: str) -> str:
    """Targets of an air unit, those nearest to the wanted area first."""
    targets = some_areas(data, day.bombable(plane) if plane else day.targets, wanted)
    return f"it can bomb {targets}" if targets else "there is nothing to bomb in reach"


# ---------------------------------------------------------------------- bombs


def _bombs_fall(data: GameData, state: State, day: AirDay, flown: Sequence[Bomb]) -> Rules[State]:
    """The missions in turn (3.1.2 d), when the bombed side has said who loses first (6.1.4)."""
    first: dict[str, Sequence[str]] = {}
    question = losses_question(data, state, day.side.enemy, flown)
    if question is not None:
        answer = yield from ask(state, question)
        first = {order.area: order.first for order in answer.areas}
    for bomb in flown:
        plane = day.plane(KINDS[bomb.air], bomb.number)
        assert plane is not None
        state = yield from bombard(data, state, plane, AreaId(bomb.area), first.get(bomb.area, ()))
    return replace(state, air_used=tuple(sorted(bomb.number for bomb in flown if bomb.air == "off")))


def losses_question(data: GameData, state: State, side: Side, flown: Sequence[Bomb]) -> Question[BombLosses] | None:
    """Who loses first in areas that are bombed, None where there is no choice (6.1.4)."""
    areas = [AreaId(area) for area in dict.fromkeys(bomb.area for bomb in flown)]
    open_areas = tuple(area for area in areas if may_choose(state.at(area)))
    if not open_areas:
        return None
    return Question(
        role=Role(side.value),
        model=BombLosses,
        default=BombLosses(),
        check=lambda answer: loss_refusals(data, state, open_areas, answer),
        options=lambda: _loss_options(state, open_areas),
        about=", ".join(_told_bombs(data, flown, area) for area in open_areas),
    )


def loss_refusals(data: GameData, state: State, areas: Sequence[AreaId], answer: BombLosses) -> list[Refusal]:
    """Bombed areas with a choice, each once, and units that stand there (6.1.4)."""
    found = []
    times = Counter(order.area for order in answer.areas)
    for line, order in enumerate(answer.areas, start=1):
        if order.area not in areas:
            text = f"expected an area that is bombed, got {data.any_area(order.area)}"
            hint = f"these are {', '.join(data.area_name(area) for area in areas)}"
            found.append(Refusal("losses.area", text, "6.1.4", hint, line))
            continue
        if times[order.area] > 1:
            text = f"expected one order for an area, got {times[order.area]} for {data.area_name(order.area)}"
            found.append(Refusal("losses.twice", text, "6.1.4", "name all its units in one order", line))
        there = [unit.id for unit in state.at(AreaId(order.area)) if not unit.is_hq]
        for name in order.first:
            if name not in there or order.first.count(name) > 1:
                text = f"expected each unit in {data.area_name(order.area)} at most once, got {data.any_unit(name)}"
                hint = f"there are {', '.join(data.name(one) for one in there)}"
                found.append(Refusal("losses.unit", text, "6.1.4", hint, line))
    return found


def _loss_options(state: State, areas: Sequence[AreaId]) -> Iterator[BombLosses]:
    """The strongest first everywhere, and each unit first in its area: some of the many legal answers."""
    yield BombLosses()
    for area in areas:
        for unit in state.at(area):
            if not unit.is_hq:
                yield BombLosses(areas=(LossOrder(area=area, first=(unit.id,)),))


def _told_bombs(data: GameData, flown: Sequence[Bomb], area: AreaId) -> str:
    return f"{data.area_name(area)} by " + " and ".join(_name(bomb) for bomb in flown if bomb.area == area)
