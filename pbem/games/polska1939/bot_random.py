"""A program that plays at random: legal answers that come into every corner of the rules, to no purpose.

Orders are made up from what the rules offer; what the question's check refuses is struck out until the rest is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeVar

from pbem.games.polska1939.answers import (
    AirMissions,
    AttackOrder,
    Attacks,
    Bomb,
    BombLosses,
    Defence,
    Destinations,
    Intercepts,
    Join,
    Load,
    LossOrder,
    Move,
    Moves,
    Order,
    Placed,
    Raid,
    RailRaids,
    SlovakSetup,
    Stand,
    Travel,
)
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import AirKind
from pbem.games.polska1939.s4_joining import REGIMENTS
from pbem.games.polska1939.s4_movement import Front, Route, reach
from pbem.games.polska1939.s5_attacks import attackable
from pbem.games.polska1939.s5_defence import attacked_areas, may_stay
from pbem.games.polska1939.s6_reach import Aircraft, AirDay
from pbem.games.polska1939.s8_rail import loadable
from pbem.games.polska1939.s8_routes import reachable_cities
from pbem.games.polska1939.s12_scenario import slovak_areas
from pbem.games.polska1939.s13_victory import NATIONAL_HQ
from pbem.games.polska1939.state import Aboard, AreaId, Occupation, Side, State, Unit, UnitId, side_of
from pbem.rules.bots import Chance, struck_out
from pbem.rules.play import Answer, Question
from pbem.rules.ruleset import Choose

T = TypeVar("T")
Routes: TypeAlias = Mapping[AreaId, Route]
MOST_MISSIONS = 9
NATIONAL_HQ_STAYS = 40
"""How seldom it moves: a game ends when it is caught."""


Maker: TypeAlias = Callable[[GameData, State, Chance], Answer]


def random_answer(data: GameData, question: Question[Any], state: State, choose: Choose) -> Answer:
    """A legal answer to a question of the game, whichever it is."""
    if question.kind == BombLosses.kind:
        return legal(question, _bomb_losses(question.legal(), Chance(choose)))
    return legal(question, MAKERS[question.kind](data, state, Chance(choose)))


# ---------------------------------------------------------------------- striking out


def legal(question: Question[Any], answer: Answer) -> Answer:
    """An answer without the orders that are refused."""
    return struck_out(question, answer, orders_of, with_orders)


def orders_of(answer: Answer) -> list[Any]:
    """The orders of an answer in the order in which refusals number them."""
    match answer:
        case Moves():
            return [*answer.moves, *answer.travels, *answer.loads, *answer.joins]
        case AirMissions():
            return [*answer.bombs, *(answer.attacks.attacks if answer.attacks else ())]
    return list(next(iter(dict(answer).values())))


def with_orders(answer: Answer, orders: Sequence[Any]) -> Answer:
    """An answer like another one, with some of its orders."""
    match answer:
        case Moves():
            return Moves(
                moves=_of(Move, orders), travels=_of(Travel, orders), loads=_of(Load, orders), joins=_of(Join, orders)
            )
        case AirMissions():
            attacks = None if answer.attacks is None else Attacks(attacks=_of(AttackOrder, orders))
            return AirMissions(bombs=_of(Bomb, orders), attacks=attacks)
    field = next(iter(dict(answer)))
    return answer.model_copy(update={field: tuple(orders)})


def _of(kind: type[T], orders: Sequence[Any]) -> tuple[T, ...]:
    return tuple(order for order in orders if isinstance(order, kind))


# ---------------------------------------------------------------------- air


def _intercepts(data: GameData, state: State, chance: Chance) -> Answer:
    guard = AirDay.of(data, state, state.active.enemy)
    bombers = guard.of_kind(AirKind.BOMBER)
    held = [unit.area for unit in state.units.values() if side_of(unit.id) is guard.side]
    areas = [area for area in dict.fromkeys(held) if any(guard.reaches(plane, area) for plane in bombers)]
    return Intercepts(areas=tuple(chance.shuffled(areas)[: chance.choose(len(bombers) + 1)]))


def _missions(data: GameData, state: State, chance: Chance) -> Answer:
    day = AirDay.of(data, state, state.active)
    bombs = [bomb for plane in day.aircraft if not chance.one_in(3) for bomb in _bombs(day, plane, chance)]
    attacks = chance.one((None, None, Attacks(), _attacks_beside(data, state, chance)))
    return AirMissions(bombs=tuple(bombs), attacks=attacks)


def _bombs(day: AirDay, plane: Aircraft, chance: Chance) -> Iterator[Bomb]:
    targets = day.bombable(plane)
    if targets:
        air: Literal["bom", "off"] = "bom" if plane.kind is AirKind.BOMBER else "off"
        yield Bomb(air=air, number=plane.number, area=chance.one(targets))


def _raids(data: GameData, state: State, chance: Chance) -> Answer:
    """Half of the time where trains are, else anywhere in reach."""
    aboard = [unit.area for unit in state.units.values() if unit.loaded and side_of(unit.id) is state.active.enemy]
    near = [data.board.areas[other].region for area in aboard for other in (area, *data.board.neighbours[area])]
    likely = [region for region in dict.fromkeys(near) if region in state.raid_regions]
    regions = likely if likely and chance.one_in(2) else list(state.raid_regions)
    raids, left = [], len(state.raiders)
    for region in chance.shuffled(regions)[:MOST_MISSIONS]:
        bombers = chance.choose(min(left, 2) + 1)
        left -= bombers
        raids += [Raid(region=region, bombers=bombers)] if bombers else []
    return RailRaids(raids=tuple(raids))


def _bomb_losses(options: Sequence[Any], chance: Chance) -> Answer:
    """The options alone say what is bombed: they name each unit that could lose first."""
    first: dict[AreaId, list[UnitId]] = {}
    for option in options:
        for order in option.areas:
            first.setdefault(order.area, []).extend(order.first)
    areas = [area for area in first if not chance.one_in(3)]
    return BombLosses(areas=tuple(LossOrder(area=area, first=_in_any_order(first[area], chance)) for area in areas))


def _in_any_order(units: Sequence[UnitId], chance: Chance) -> tuple[UnitId, ...]:
    return chance.some(chance.shuffled(units))


# ---------------------------------------------------------------------- combat


def _attacks(data: GameData, state: State, chance: Chance) -> Answer:
    return _attacks_beside(data, state, chance)


def _attacks_beside(data: GameData, state: State, chance: Chance) -> Attacks:
    """Attacks on some areas by some of the units beside them; each may wait for the outcome of another."""
    open_to = attackable(data, state, Occupation.of(state), state.active)
    day = AirDay.of(data, state, state.active)
    orders: list[AttackOrder] = []
    wanted = [area for area in chance.shuffled(list(open_to)) if not chance.one_in(3)]
    for target in wanted:
        busy = {name for order in orders for name in (*order.units, *order.headquarters)}
        free = [unit for unit in open_to[target] if unit.id not in busy]
        chosen = chance.some(free)
        if chosen:
            orders.append(_attack(state, day, target, chosen, orders, chance))
    if orders and chance.one_in(4):
        orders += _instead(orders[-1], orders, chance)
    return Attacks(attacks=tuple(orders))


def _attack(
    state: State,
    day: AirDay,
    target: AreaId,
    units: Sequence[Unit],
    before: Sequence[AttackOrder],
    chance: Chance,
) -> AttackOrder:
    names = [unit.id for unit in units][:40]
    leaders = _leaders(state, units, before, chance)
    flown = {order.air for order in before} | set(state.air_used)
    planes = [p.number for p in day.of_kind(AirKind.SUPPORT) if p.number not in flown and day.reaches(p, target)]
    conditions = [order.target for order in before]
    return AttackOrder(
        target=target,
        units=tuple(names),
        headquarters=leaders,
        air=chance.one((0, *planes)),
        losses=chance.some(chance.shuffled(names)),
        advance=chance.one(("all", "all", "none", chance.some((*names, *leaders)))),
        when_taken=chance.one(conditions) if conditions and chance.one_in(6) else None,
        unless_taken=chance.one(conditions) if conditions and chance.one_in(6) else None,
    )


def _leaders(state: State, units: Sequence[Unit], before: Sequence[AttackOrder], chance: Chance) -> tuple[UnitId, ...]:
    """At most one free HQ from each of the areas that the units are in (10.1.3)."""
    busy = {name for order in before for name in order.headquarters}
    areas = dict.fromkeys(unit.area for unit in units)
    side = side_of(units[0].id)
    found = [u for u in state.units.values() if u.is_hq and u.area in areas and u.id not in busy]
    mine = {unit.area: unit.id for unit in chance.shuffled(found) if side_of(unit.id) is side}
    return tuple(mine[area] for area in areas if area in mine and not chance.one_in(3))[:10]


def _instead(order: AttackOrder, orders: Sequence[AttackOrder], chance: Chance) -> Iterator[AttackOrder]:
    """The same attack again, but for the opposite outcome of another one."""
    target = chance.one(orders).target
    if order.when_taken is None and order.unless_taken is not None:
        yield order.model_copy(update={"when_taken": order.unless_taken, "unless_taken": None})
    elif order.target != target:
        yield order.model_copy(update={"when_taken": None, "unless_taken": target})


def _defence(data: GameData, state: State, chance: Chance) -> Answer:
    areas = [area for area in attacked_areas(state) if not chance.one_in(4)]
    return Defence(stands=tuple(_stand(data, state, area, chance) for area in areas))


def _stand(data: GameData, state: State, area: AreaId, chance: Chance) -> Stand:
    units = [unit for unit in state.at(area) if not unit.loaded]
    leaders = [unit.id for unit in units if unit.is_hq]
    near = [*data.board.neighbours[area], *(link.to for link in data.board.across_node.get(area, ()))]
    return Stand(
        area=area,
        headquarters=chance.one((None, *leaders)),
        stay=bool(chance.choose(2)) and may_stay(data, state, area),
        to=chance.some(chance.shuffled(list(dict.fromkeys(near))))[:12],
        losses=chance.some(chance.shuffled([unit.id for unit in units]))[:60],
    )


# ---------------------------------------------------------------------- movement


def _moves(data: GameData, state: State, chance: Chance) -> Answer:
    side = state.active
    front = Front.of(data, Occupation.of(state), side)
    mine = [unit for unit in state.units.values() if side_of(unit.id) is side]
    loads = [name for name in loadable(data, state, side) if not chance.one_in(4)]
    share = chance.choose(5)
    going = [unit for unit in chance.shuffled(mine) if chance.choose(4) < share and unit.id not in loads]
    going = [unit for unit in going if unit.id != NATIONAL_HQ or chance.one_in(NATIONAL_HQ_STAYS)]
    found = ((unit, reach(data, state, front, unit)) for unit in going)
    orders: list[Order] = [_move(front, unit, routes, chance) for unit, routes in found if routes]
    orders += [Travel(unit=unit.id, to=city) for unit, city in _trips(data, state, mine, chance)]
    orders += [Load(unit=name) for name in loads]
    return with_orders(Moves(), _with_join(data, state, front, orders, chance) if side is Side.POLISH else orders)


def _move(front: Front, unit: Unit, routes: Routes, chance: Chance) -> Move:
    """Anywhere in reach, rather towards the enemy; half of the time by a way that is named."""
    areas = list(routes)
    near = [area for area in areas if area in front.contested or area in front.held]
    goal = chance.one(near if near and chance.one_in(2) else areas)
    way = routes[goal].areas[1:-1]
    return Move(unit=unit.id, to=goal, via=way if chance.one_in(2) and len(way) <= 12 else ())


def _trips(data: GameData, state: State, mine: Sequence[Unit], chance: Chance) -> Iterator[tuple[Unit, AreaId]]:
    occupation = Occupation.of(state)
    for unit in mine:
        if unit.train is Aboard.CAME_LOADED and not chance.one_in(3):
            cities = reachable_cities(data, occupation, unit)
            yield unit, chance.one((unit.area, *cities))


def _with_join(data: GameData, state: State, front: Front, orders: Sequence[Any], chance: Chance) -> Sequence[Any]:
    """Sometimes the regiments of 9 INF march to one area and join there."""
    parts = [state.units[name] for name in REGIMENTS if name in state.units]
    if not parts or chance.one_in(3):
        return orders
    ways = [{unit.area: None, **reach(data, state, front, unit)} for unit in parts]
    common = [area for area in ways[0] if all(area in way for way in ways)]
    if not common:
        return orders
    goal = chance.one(common)
    names = {unit.id for unit in parts}
    rest = [order for order in orders if getattr(order, "unit", "") not in names]
    marching = [Move(unit=unit.id, to=goal) for unit in parts if unit.area != goal]
    return [*marching, *rest, Join(area=goal)]


def _destinations(data: GameData, state: State, chance: Chance) -> Answer:
    occupation = Occupation.of(state)
    aboard = [u for u in state.units.values() if side_of(u.id) is state.active and u.train is Aboard.SEALED]
    goals = {unit.id: chance.one((unit.area, *reachable_cities(data, occupation, unit))) for unit in aboard}
    return Destinations(travels=tuple(Travel(unit=name, to=goal) for name, goal in goals.items()))


# ---------------------------------------------------------------------- the beginning


def _slovaks(data: GameData, _: State, chance: Chance) -> Answer:
    rows = [row for row in data.forces.placements if data.unit(row.unit).nation == "SK"]
    return SlovakSetup(placed=tuple(Placed(unit=row.unit, area=chance.one(slovak_areas(data))) for row in rows))


MAKERS: Mapping[str, Maker] = {
    SlovakSetup.kind: _slovaks,
    Intercepts.kind: _intercepts,
    AirMissions.kind: _missions,
    RailRaids.kind: _raids,
    Attacks.kind: _attacks,
    Defence.kind: _defence,
    Moves.kind: _moves,
    Destinations.kind: _destinations,
}
