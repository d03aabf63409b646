"""What the author of legal orders should know before he signs them: strengths, retreats, supply, growth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from pbem.games.polska1939.answers import AirMissions, Attacks, Defence, Move, Moves, Stand, Travel
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.names import written_area
from pbem.games.polska1939.orders import write_orders
from pbem.games.polska1939.s4_joining import join
from pbem.games.polska1939.s4_march import march
from pbem.games.polska1939.s5_battle import Battle, battle_of
from pbem.games.polska1939.s5_defence import attacked_areas
from pbem.games.polska1939.s5_losses import fates_of
from pbem.games.polska1939.s5_retreat import retreat_areas
from pbem.games.polska1939.s7_fixed import is_strong
from pbem.games.polska1939.s9_supply import supply
from pbem.games.polska1939.sheet_attacks import told_strength
from pbem.games.polska1939.state import AreaId, Occupation, Side, State, Unit, UnitId, side_of
from pbem.rules.play import Answer, Report, Rules
from pbem.rules.ruleset import Remark

T = TypeVar("T")


def remarks(data: GameData, answer: Answer, state: State) -> list[Remark]:
    """What can be said of the orders of a legal answer, each as `write_orders` has it; the others stand under none."""
    match answer:
        case AirMissions(attacks=attacks):
            return list(_of_attacks(data, state, attacks)) if attacks else []
        case Attacks():
            return list(_of_attacks(data, state, answer))
        case Defence():
            return list(_of_defence(data, state, answer))
        case Moves():
            return list(_of_moves(data, state, answer))
        case _:
            return []


def _of_attacks(data: GameData, state: State, attacks: Attacks) -> Iterator[Remark]:
    """Both strengths and the row of every attack."""
    for order in attacks.attacks:
        line = write_orders(data, Attacks(attacks=(order,)))
        yield Remark(line, told_strength(data, battle_of(data, state, order).strength))


# ---------------------------------------------------------------------- defence


def _of_defence(data: GameData, state: State, defence: Defence) -> Iterator[Remark]:
    """What will happen in every attacked area where the defender is defeated, those that are left out too."""
    stands = {stand.area: stand for stand in defence.stands}
    orders = {order.target: order for order in reversed(state.planned.attacks)} if state.planned else {}
    for area in attacked_areas(state):
        stand = stands.get(area)
        told = _told_fates(data, battle_of(data, state, orders[area], stand), stay=stand is not None and stand.stay)
        if stand is None:
            yield Remark("", f"{data.area_name(area)}, left out: {told}")
            continue
        line = write_orders(data, Defence(stands=(stand,)))
        yield Remark(line, told)
        yield from _closed_ways(data, state, stand, line)


def _told_fates(data: GameData, battle: Battle, *, stay: bool) -> str:
    """Who stays and who goes where when the result asks for a retreat (5.3)."""
    fates = fates_of(data, battle.defenders, battle.escape, is_strong(data, battle.strength.fortified), stay)
    parts = [f"{_named(data, fates.staying)} stay"] if fates.staying else []
    for goal in dict.fromkeys(battle.escape[unit.id].to for unit in fates.going):
        together = [unit for unit in fates.going if battle.escape[unit.id].to == goal]
        price = max(battle.escape[unit.id].price for unit in together)
        costs = f" (costs {price} SP each)" if price else ""
        parts.append(f"{_named(data, together)} to {data.area_name(goal)}{costs}")
    parts += [f"no way back for {_named(data, fates.stuck)}, losses are doubled"] if fates.stuck else []
    return f"if a retreat is due, {'; '.join(parts)}"


def _closed_ways(data: GameData, state: State, stand: Stand, line: str) -> Iterator[Remark]:
    """Areas for a retreat that nobody can go to; the order is in vain when it names no other and does not stay."""
    occupation, area = Occupation.of(state), AreaId(stand.area)
    units = [unit for unit in occupation.at(area) if not unit.loaded]
    ways = retreat_areas(data, state, occupation, units)
    closed = [AreaId(to) for to in dict.fromkeys(stand.to) if to not in ways]
    vain = not stand.stay and len(closed) == len(set(stand.to))
    for to in closed:
        enemy = occupation.is_held_by(to, state.active)
        why = f"{written_area(data, to)} holds the enemy" if enemy else f"no way back leads to {written_area(data, to)}"
        yield Remark(line, f"{why}: not possible as things stand", vain=vain, warns=True)


def _named(data: GameData, units: Sequence[Unit]) -> str:
    return ", ".join(data.name(unit.id) for unit in units)


# ---------------------------------------------------------------------- movement


def _of_moves(data: GameData, state: State, moves: Moves) -> Iterator[Remark]:
    """Growth that a move ends, and units that would starve where they end or because of what moves."""
    lines = {one.unit: _line(data, one) for one in _goings(moves)}
    for order in _goings(moves):
        unit = state.units[UnitId(order.unit)]
        if unit.strength < unit.ceiling and order.to != unit.area:
            text = f"moving ends its growth (11.1.6): {unit.strength} of {unit.ceiling} SP"
            yield Remark(lines[order.unit], text, warns=True)
    for unit in _newly_starving(data, state, moves):
        loss = data.figures.supply.loss(data.unit(unit.id).nation)
        where = f"{data.name(unit.id)} ({data.board.areas[unit.area].name})"
        text = f"{where} would have no supply line: loses {loss} SP (9.1.5)"
        yield Remark(lines.get(unit.id, ""), text, warns=True)


def _goings(moves: Moves) -> list[Move | Travel]:
    return [*moves.moves, *moves.travels]


def _line(data: GameData, order: Move | Travel) -> str:
    return write_orders(data, Moves(moves=(order,)) if isinstance(order, Move) else Moves(travels=(order,)))


def _newly_starving(data: GameData, state: State, moves: Moves) -> list[Unit]:
    """Units without a supply line behind the orders that moved, or that have one now."""
    side = state.active
    after = _after(data, state, moves)
    hungry = [unit for unit in _starving(data, after, side) if unit.strength]
    before = {unit.id for unit in _starving(data, state, side)}
    moved = {order.unit for order in _goings(moves)}
    return [unit for unit in hungry if unit.id in moved or unit.id not in before]


def _after(data: GameData, state: State, moves: Moves) -> State:
    """The position behind marches, trips and joins, if no train is attacked."""
    trips = {UnitId(travel.unit): AreaId(travel.to) for travel in moves.travels}
    state = state.with_units(replace(state.units[name], area=goal) for name, goal in trips.items())
    state, _ = _told_to_nobody(march(data, state, moves.moves))
    for order in moves.joins:
        state = _told_to_nobody(join(data, state, AreaId(order.area)))
    return state


def _starving(data: GameData, state: State, side: Side) -> list[Unit]:
    supplied = supply(data, state, Occupation.of(state), side)
    mine = (unit for unit in state.units.values() if side_of(unit.id) is side)
    return [unit for unit in mine if unit.area not in supplied[data.unit(unit.id).nation]]


def _told_to_nobody(rules: Rules[T]) -> T:
    """What rules that only report come to."""
    try:
        while True:
            request = rules.send(None)
            assert isinstance(request, Report)
    except StopIteration as end:
        result: T = end.value
        return result
