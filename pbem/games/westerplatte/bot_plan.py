"""A sheet of attacks and moves that grows order by order, each time by the one that gains most for each unit used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from pbem.games.westerplatte.answers import AnyOrder, Fire, Move, OnFace
from pbem.games.westerplatte.bot_appraisal import appraise, appraise_losses
from pbem.games.westerplatte.bot_chances import CERTAIN, Pack, best_plan
from pbem.games.westerplatte.data_files import AreaId, GameData, Side, UnitId
from pbem.games.westerplatte.movement import destinations, may_enter
from pbem.games.westerplatte.s3_combat import attack_of, targets_in_range
from pbem.games.westerplatte.state import LOST, Piece, State, acting_side, on_map, side_of

CARD_WORTH = 6
"""What a card that is left is worth to the Germans: the Poles are glad of a short turn."""
MOST_TARGETS = 8
MOST_ORDERS = 32
WHOLE = 60
"""A number that 1 and 2 units divide, to compare gains for each unit."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An order that could be put on the sheet, who carries it out, and what it is worth to its side."""

    gain: int
    units: tuple[UnitId, ...]
    order: Move | Fire


@dataclass(frozen=True, slots=True)
class Harm:
    """An enemy unit under planned attacks: what the first, second … hit is worth; the chances of 0, 1 … hits so far."""

    gains: tuple[int, ...]
    chances: tuple[int, ...]

    def expected(self) -> int:
        """What one more hit is worth on average."""
        return sum(gain * chance for gain, chance in zip(self.gains, self.chances, strict=True)) // CERTAIN

    def after(self, chance: int) -> Harm:
        """With one more attack planned that hits with `chance` thousandths."""
        missed = [each * (CERTAIN - chance) // CERTAIN for each in self.chances]
        moved = [0, *(each * chance // CERTAIN for each in self.chances[:-1])]
        return Harm(self.gains, tuple(a + b for a, b in zip(missed, moved, strict=True)))


@dataclass(slots=True)
class Plan:
    """The sheet so far; `state` is the position if all its orders go well, `harms` what its attacks may do."""

    data: GameData
    state: State
    pack: Pack
    harms: dict[UnitId, Harm]
    fires: list[Fire] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    gain: int = 0

    def orders(self) -> tuple[AnyOrder, ...]:
        """Attacks first, so that no move is made in front of what they show."""
        orders: list[AnyOrder] = [*self.fires, *self.moves]
        return tuple(orders[:MOST_ORDERS])

    def add(self, choice: Choice) -> None:
        """Put an order on the sheet."""
        self.gain += choice.gain
        self.state = self.state.spent(choice.units)
        if isinstance(choice.order, Move):
            self.state = self.state.moved(choice.units[0], AreaId(choice.order.to))
            self.moves.append(choice.order)
        else:
            target = UnitId(choice.order.targets[0])
            chance = self.pack.redrawn(self.highest_hit(choice.units, target)).chance
            self.harms[target] = self.harms[target].after(chance)
            self.fires.append(choice.order)

    def highest_hit(self, units: Sequence[UnitId], target: UnitId) -> int:
        """The highest card that hits, below 1 when none does (combat.12)."""
        attack = attack_of(self.data, self.state, Fire(units=tuple(units), targets=(target,)), target)
        return attack.strength - attack.modifier


def sign_of(state: State) -> int:
    """1 when the Germans play the present card, -1 when the Poles do: the way appraisals count."""
    return 1 if acting_side(state) is Side.GERMAN else -1


def harms_of(data: GameData, state: State) -> Mapping[UnitId, Harm]:
    """Every enemy unit on the map, before any attack is planned."""
    enemy = Side.POLISH if acting_side(state) is Side.GERMAN else Side.GERMAN
    now = appraise_losses(data, state, enemy)
    return {piece.unit: _harm(data, state, piece, now) for piece in on_map(data, state, enemy)}


def _harm(data: GameData, state: State, piece: Piece, now: int) -> Harm:
    side, gains = side_of(data, piece.unit), []
    while piece.area != LOST:
        piece = replace(piece, area=LOST) if piece.weak else replace(piece, weak=True)
        state = state.with_piece(piece)
        after = appraise_losses(data, state, side)
        gains.append(sign_of(state) * (after - now))
        now = after
    return Harm((*gains, 0), (CERTAIN, *(0 for _ in gains)))


def rated_attack(state: State, pack: Pack, most: int, harm: Harm) -> tuple[int, OnFace]:
    """What an attack that a card of `most` or less wins is worth, and the better plan for face cards."""
    return best_plan((pack.redrawn(most), pack.missed(most)), harm.expected(), sign_of(state) * CARD_WORTH)


def grow(plan: Plan, able: Sequence[UnitId]) -> None:
    """Add orders of the given units as long as one gains anything."""
    left = list(able)
    moves = list(move_choices(plan, left))
    while plan.state.left:
        choices = [choice for choice in (*fire_choices(plan, left), *moves) if choice.gain > 0]
        if not choices:
            return
        best = max(choices, key=lambda choice: WHOLE // len(choice.units) * choice.gain)
        plan.add(best)
        left = [unit for unit in left if unit not in best.units]
        if isinstance(best.order, Move):
            moves = list(move_choices(plan, left))
        else:
            moves = [choice for choice in moves if choice.units[0] in left]


def move_choices(plan: Plan, able: Sequence[UnitId]) -> Iterator[Choice]:
    """Every move of the units that are left."""
    now, sign = appraise(plan.data, plan.state), sign_of(plan.state)
    for unit in able:
        for area in destinations(plan.data, plan.state.piece(unit)):
            if may_enter(plan.data, plan.state, unit, area):
                after = appraise(plan.data, plan.state.moved(unit, area))
                yield Choice(sign * (after - now), (unit,), Move(unit=unit, to=area))


def fire_choices(plan: Plan, able: Sequence[UnitId]) -> Iterator[Choice]:
    """The best attack of every unit and of every pair of units that are left."""
    reach = {unit: targets_in_range(plan.data, plan.state, unit) for unit in able}
    for unit, targets in reach.items():
        if targets:
            yield best_attack(plan, (unit,), targets)
    if plan.state.left < 2:
        return
    for one, other in combinations(able, 2):
        common = [target for target in reach[one] if target in reach[other]]
        if common:
            yield best_attack(plan, (one, other), common)


def best_attack(plan: Plan, units: tuple[UnitId, ...], targets: Sequence[UnitId]) -> Choice:
    """The attack at the best target, and at the next best ones should that be gone by then."""
    rated: list[tuple[int, OnFace, UnitId]] = []
    for target in targets:
        gain, face = rated_attack(plan.state, plan.pack, plan.highest_hit(units, target), plan.harms[target])
        rated.append((gain, face, target))
    rated.sort(key=lambda each: -each[0])
    gain, face, best = rated[0]
    others = [target for worth, _, target in rated[1:MOST_TARGETS] if worth > 0]
    return Choice(gain, units, Fire(units=units, targets=(best, *others), face=face))
