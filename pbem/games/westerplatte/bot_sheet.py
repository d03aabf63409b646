"""The orders for one card: a sheet of attacks and moves, or a marker, a recovery, a pass; whatever is worth most.

Every choice is the one that `appraise` likes best, an attack by its chance with the cards that are left. Not looked
at: what the enemy does next, attacks that make room for a move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pbem.games.westerplatte.activation import acting_refusals, is_area_card, single_orders
from pbem.games.westerplatte.answers import Activation, AnyOrder, Bombard, Recover, Suppress
from pbem.games.westerplatte.bot_appraisal import appraise
from pbem.games.westerplatte.bot_chances import pack
from pbem.games.westerplatte.bot_plan import Harm, Plan, grow, harms_of, rated_attack, sign_of
from pbem.games.westerplatte.data_files import AreaId, GameData, UnitId
from pbem.games.westerplatte.s4_support import bombardment
from pbem.games.westerplatte.state import State, acting_side, pieces_of

Rated = tuple[int, tuple[AnyOrder, ...]]
"""Orders and what they are worth to the side that gives them."""


def best_sheet(data: GameData, state: State) -> Activation:
    """The orders for the present card, in one sheet; none of worth is a pass."""
    harms = harms_of(data, state)
    rated: list[Rated] = [(0, ())]
    for able in groups(data, state):
        plan = Plan(data, state, pack(state), dict(harms))
        grow(plan, able)
        rated.append((plan.gain, plan.orders()))
    if not state.acted:
        rated += lone_orders(data, state, harms)
    return Activation(orders=max(rated, key=lambda each: each[0])[1])


def groups(data: GameData, state: State) -> Iterator[tuple[UnitId, ...]]:
    """Units that could act on the present card together: all, or those of one area (turn.3, turn.4)."""
    mine = pieces_of(data, state, acting_side(state))
    able = [piece for piece in mine if not acting_refusals(data, state, [piece.unit])]
    if not is_area_card(state):
        yield tuple(piece.unit for piece in able)
        return
    for area in dict.fromkeys(piece.area for piece in able):
        yield tuple(piece.unit for piece in able if piece.area == area)


def lone_orders(data: GameData, state: State, harms: Mapping[UnitId, Harm]) -> Iterator[Rated]:
    """Recoveries and markers, each instead of everything else (turn.4, support.2, support.3)."""
    now, sign = appraise(data, state), sign_of(state)
    for order in single_orders(data, state):
        match order:
            case Recover():
                recovered = state.with_piece(replace(state.piece(UnitId(order.unit)), weak=False))
                yield sign * (appraise(data, recovered) - now), (order,)
            case Suppress():
                yield appraise(data, replace(state, suppressed=AreaId(order.area))) - now, (order,)
            case Bombard():
                yield _bombardment(data, state, order, harms[UnitId(order.target)])
            case _:
                pass


def _bombardment(data: GameData, state: State, order: Bombard, harm: Harm) -> Rated:
    attack = bombardment(data, state, order)
    gain, face = rated_attack(state, pack(state), attack.strength - attack.modifier, harm)
    return gain, (order.model_copy(update={"face": face}),)
