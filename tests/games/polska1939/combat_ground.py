"""Ground for tests of combat: a board of a few areas with every kind of border, and short ways to fight on it.

Germans stand in G areas, Soviets in S areas, Poles defend in P areas; what is behind them is free. Dice are given as
totals of two: result, losses of the defender, losses of the attacker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from driven import Driven, drive
from positions import position, unit
from small_board import small_board

from pbem.games.polska1939.answers import AttackOrder, Attacks, Stand
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.s5_battle import Battle, battle_of
from pbem.games.polska1939.s5_combat import Fought, fight
from pbem.games.polska1939.state import AreaId, State, Unit

AREAS = """
P20 PL Mlawa forest fortified
P22 PL Back supply=PL
P23 PL Fort fortress
P24 PL Free
P40 PL Pole
P41 PL Pole supply=PL
P42 PL Left
P43 PL Right
P44 PL Hills hills
P45 PL Heights mountains
P50 PL Corner
P51 PL Beyond supply=PL
P60 PL Bend
P61 PL Across supply=PL
P70 PL Trap west
G13 DE Nidzica supply=DE
G14 DE Wielbark
G15 DE Swamp swamp
G16 DE Plain
G17 DE River
G18 DE Vistula
G19 DE Mountain
G20 DE Pass
G21 DE Marsh
G22 DE Lake
G30 DE North
G31 DE South
G32 DE East
G33 DE West
S01 SU Soviet
S02 SU Red supply=SU
"""
BORDERS = """
P20 G13
P20 G14
P20 P22
P22 P23
P22 P24
P23 G13
P23 P24
P40 G15
P40 G16
P40 G17 river
P40 G18 vistula
P40 G19 mountain
P40 G20 mountain pass
P40 G21 swamp
P40 G22 lake
P40 P41
P40 P42 river
P40 P43 vistula
P40 S01
P41 P42
P41 P43
P44 G16
P44 P41
P45 G16
P45 G19 mountain
P45 P41
P50 G30
G30 P51
P51 G31
G31 P50
P60 G32
G32 P61
P61 G33
G33 P60
P70 G16
P70 G17
P70 S01
S01 S02
"""
NODES = """
N1 P50 G30 P51 G31
N2 P60 G32 P61 G33 river
"""
LINES = (("P20", "G13"),)


def with_lines(data: GameData, lines: Sequence[tuple[str, str]]) -> GameData:
    """A fortified line on borders, each of which protects its first area."""
    borders = dict(data.board.borders)
    for area, other in lines:
        borders[area, other] = borders[other, area] = replace(borders[area, other], line=area)
    return replace(data, board=replace(data.board, borders=borders))


GROUND = with_lines(small_board(AREAS, BORDERS, NODES), LINES)


def order(target: str, units: Sequence[str], **facts: Any) -> AttackOrder:
    """An attack on an area."""
    return AttackOrder(target=target, units=tuple(units), **facts)


def attacks(*orders: AttackOrder) -> Attacks:
    return Attacks(attacks=orders)


def field(*units: Unit, day: int = 5, phase: int = 2, **facts: Any) -> State:
    """A position in an attack phase of the Germans."""
    return position(*units, day=day, phase=phase, **facts)


def attackers(state: State, target: str) -> list[str]:
    """Every unit of the side to act beside an area that is no HQ."""
    near = GROUND.board.neighbours[target]
    prefix = ("DE-", "SU-", "SK-") if state.phase == 2 else ("PL-",)
    return [one.id for one in state.units.values() if one.area in near and one.id.startswith(prefix) and not one.is_hq]


def battle(state: State, target: str, stand: Stand | None = None, **facts: Any) -> Battle:
    """The attack on an area of all who can attack it."""
    return battle_of(GROUND, state, order(target, attackers(state, target), **facts), stand)


def fought(state: State, target: str, *totals: int, stand: Stand | None = None, **facts: Any) -> Driven:
    """That attack with the totals of its dice."""
    return drive(fight(GROUND, state, battle(state, target, stand, **facts)), dice=faces(*totals))


def result(driven: Driven) -> Fought:
    found = driven.result
    assert isinstance(found, Fought)
    return found


def faces(*totals: int) -> list[int]:
    """Two dice for each total."""
    return [face for total in totals for face in (max(1, total - 6), min(6, total - 1))]


def strengths(state: State) -> dict[str, int]:
    """What every unit has left."""
    return {one.id: one.strength for one in state.units.values()}


def places(state: State) -> dict[str, str]:
    """Where every unit stands."""
    return {one.id: one.area for one in state.units.values()}


__all__ = [
    "GROUND",
    "AreaId",
    "attackers",
    "attacks",
    "battle",
    "faces",
    "field",
    "fought",
    "order",
    "places",
    "result",
    "strengths",
    "unit",
]
