"""The orders for one card: the best attacks and moves one after the other, or a marker, a recovery, a pass.

Every choice is the one that `appraise` likes best, an attack by its chance with the cards that are left. Not looked
at: what the enemy does next, attacks that make room for a move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from pbem.games.westerplatte.activation import acting_refusals, is_area_card, single_orders
from pbem.games.westerplatte.answers import Activation, AnyOrder, Bombard, Fire, Move, OnFace, Recover, Suppress
from pbem.games.westerplatte.bot_appraisal import appraise
from pbem.games.westerplatte.bot_chances import CERTAIN, Pack, best_plan, pack
from pbem.games.westerplatte.data_files import AreaId, GameData, Side, UnitId
from pbem.games.westerplatte.movement import destinations, may_enter
from pbem.games.westerplatte.s3_combat import attack_of, targets_in_range
from pbem.games.westerplatte.s4_support import bombardment
from pbem.games.westerplatte.state import LOST, Piece, State, acting_side, on_map, pieces_of

CARD_COST = 6
"""What a card is worth to the Germans: the fewer they are, the shorter is the turn."""
MOST_TARGETS = 8
MOST_ORDERS = 32


@dataclass(frozen=True, slots=True)
class Choice:
    """An order, what it is worth to its side, and how many units it takes."""

    gain: int
    units: int
    order: AnyOrder


@dataclass(frozen=True, slots=True)
class Harm:
    """An enemy unit under planned attacks: what each further hit is worth, and how likely 0, 1 … hits are."""

    gains: tuple[int, ...]
    chances: tuple[int, ...]

    def expected(self) -> int:
        """What one more hit is worth on average."""
        return sum(gain * chance for gain, chance in zip(self.gains, self.chances, strict=True)) // CERTAIN

    def after(self, chance: int) -> Harm:
        """When one more attack with a chance is planned."""
        missed = [each * (CERTAIN - chance) // CERTAIN for each in self.chances]
        moved = [0, *(each * chance // CERTAIN for each in self.chances[:-1])]
        return Harm(self.gains, tuple(a + b for a, b in zip(missed, moved, strict=True)))


@dataclass(slots=True)
class Plan:
    """A sheet that grows order by order; `state` is the position if all its moves go well."""

    data: GameData
    state: State
    pack: Pack
    harms: dict[UnitId, Harm]
    fires: list[Fire] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    gain: int = 0

    def orders(self) -> tuple[AnyOrder, ...]:
        """Attacks first: they may free a move, and units fire from where they stand now."""
        return (*self.fires, *self.moves)[:MOST_ORDERS]


def best_sheet(data: GameData, state: State) -> Activation:
    """The orders for the present card, in one sheet."""
    harms = harms_of(data, state)
    deck = pack(state)
    gain, orders = 0, ()
    for able in groups(data, state):
        plan = grown(Plan(data, state, deck, dict(harms)), able)
        if plan.gain > gain:
            gain, orders = plan.gain, plan.orders()
    for choice in lone_choices(data, state, deck, harms):
        if choice.gain > gain:
            gain, orders = choice.gain, (choice.order,)
    return Activation(orders=orders)


def groups(data: GameData, state: State) -> Iterator[tuple[UnitId, ...]]:
    """Units that could act on the present card together: all, or those of one area (turn.4)."""
    able = [
        piece for piece in pieces_of(data, state, acting_side(state)) if not acting_refusals(data, state, [piece.unit])
    ]
    if not is_area_card(state):
        yield tuple(piece.unit for piece in able)
        return
    for area in dict.fromkeys(piece.area for piece in able):
        yield tuple(piece.unit for piece in able if piece.area == area)


def sign_of(state: State) -> int:
    """1 when the Germans play the present card, -1 when the Poles do: the way appraisals count."""
    return 1 if acting_side(state) is Side.GERMAN else -1


def harms_of(data: GameData, state: State) -> dict[UnitId, Harm]:
    """Every enemy unit on the map, and what hits on it are worth."""
    enemy = Side.POLISH if acting_side(state) is Side.GERMAN else Side.GERMAN
    now = appraise(data, state)
    return {piece.unit: _harm(data, state, piece, now) for piece in on_map(data, state, enemy)}


def _harm(data: GameData, state: State, piece: Piece, now: int) -> Harm:
    sign, gains = sign_of(state), []
    while piece.area != LOST:
        piece = replace(piece, area=LOST) if piece.weak else replace(piece, weak=True)
        state = state.with_piece(piece)
        after = appraise(data, state)
        gains.append(sign * (after - now))
        now = after
    return Harm((*gains, 0), (CERTAIN, *(0 for _ in gains)))


# ---------------------------------------------------------------------- a sheet of attacks and moves


def grown(plan: Plan, able: Sequence[UnitId]) -> Plan:
    """The plan with orders for the given units as long as they gain anything."""
    left = list(able)
    moves: list[Choice] = list(move_choices(plan, left))
    while found := [choice for choice in (*fire_choices(plan, left), *moves) if choice.gain > 0]:
        best = max(found, key=lambda choice: 6 * choice.gain // choice.units)
        add(plan, best)
        used = best.order.units if isinstance(best.order, Fire) else (best.order.unit,)
        left = [unit for unit in left if unit not in used]
        if isinstance(best.order, Move):
            moves = list(move_choices(plan, left))
        moves = [choice for choice in moves if choice.order.unit in left and plan.state.left]
    return plan


def add(plan: Plan, choice: Choice) -> None:
    """Put an order on the sheet."""
    plan.gain += choice.gain
    order = choice.order
    if isinstance(order, Move):
        plan.state = plan.state.spent((UnitId(order.unit),)).moved(UnitId(order.unit), AreaId(order.to))
        plan.moves.append(order)
    elif isinstance(order, Fire):
        target = UnitId(order.targets[0])
        most, _ = _most(plan, [UnitId(unit) for unit in order.units], target)
        plan.state = plan.state.spent(UnitId(unit) for unit in order.units)
        plan.harms[target] = plan.harms[target].after(plan.pack.redrawn(most).chance)
        plan.fires.append(order)


def move_choices(plan: Plan, able: Sequence[UnitId]) -> Iterator[Choice]:
    """Every move of the units that are left."""
    if not plan.state.left:
        return
    now, sign = appraise(plan.data, plan.state), sign_of(plan.state)
    for unit in able:
        for area in destinations(plan.data, plan.state.piece(unit)):
            if may_enter(plan.data, plan.state, unit, area):
                after = appraise(plan.data, plan.state.moved(unit, area))
                yield Choice(sign * (after - now), 1, Move(unit=unit, to=area))


def fire_choices(plan: Plan, able: Sequence[UnitId]) -> Iterator[Choice]:
    """The best attack of every unit and of every pair of units that are left."""
    reach = {unit: targets_in_range(plan.data, plan.state, unit) for unit in able}
    if plan.state.left >= 1:
        yield from (_best_attack(plan, (unit,), targets) for unit, targets in reach.items() if targets)
    if plan.state.left >= 2:
        for one, other in combinations(able, 2):
            targets = [target for target in reach[one] if target in reach[other]]
            if targets:
                yield _best_attack(plan, (one, other), targets)


def _best_attack(plan: Plan, units: tuple[UnitId, ...], targets: Sequence[UnitId]) -> Choice:
    """The attack at the best target, and at the next best ones should that be gone."""
    rated: list[tuple[int, UnitId, OnFace]] = []
    for target in targets:
        gain, face = rated_attack(plan.state, plan.pack, _most(plan, units, target)[0], plan.harms[target])
        rated.append((gain, target, face))
    rated.sort(key=lambda each: -each[0])
    worthy = [target for gain, target, _ in rated if gain > 0] or [rated[0][1]]
    order = Fire(units=units, targets=tuple(worthy[:MOST_TARGETS]), face=rated[0][2])
    return Choice(rated[0][0], len(units), order)


def _most(plan: Plan, units: Sequence[UnitId], target: UnitId) -> tuple[int, int]:
    attack = attack_of(plan.data, plan.state, Fire(units=tuple(units), targets=(target,)), target)
    return attack.strength - attack.modifier, attack.modifier


def rated_attack(state: State, deck: Pack, most: int, harm: Harm) -> tuple[int, OnFace]:
    """What an attack that a card of `most` or less wins is worth, and the better plan for face cards."""
    return best_plan((deck.redrawn(most), deck.missed(most)), harm.expected(), sign_of(state) * CARD_COST)


# ---------------------------------------------------------------------- orders that stand alone


def lone_choices(data: GameData, state: State, deck: Pack, harms: dict[UnitId, Harm]) -> Iterator[Choice]:
    """Recoveries and markers, each instead of everything else (turn.4, support.2)."""
    if state.acted:
        return
    now, sign = appraise(data, state), sign_of(state)
    for order in single_orders(data, state):
        match order:
            case Recover():
                piece = replace(state.piece(UnitId(order.unit)), weak=False)
                yield Choice(sign * (appraise(data, state.with_piece(piece)) - now), 1, order)
            case Suppress():
                after = appraise(data, replace(state, suppressed=AreaId(order.area)))
                yield Choice(after - now, 1, order)
            case Bombard():
                attack = bombardment(data, state, order)
                most = attack.strength - attack.modifier
                gain, face = rated_attack(state, deck, most, harms[UnitId(order.target)])
                yield Choice(gain, 1, order.model_copy(update={"face": face}))
            case _:
                pass
