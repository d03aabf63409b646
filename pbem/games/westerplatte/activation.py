"""Activation: what a card allows, the check of an order sheet, and carrying it out (turn.3 to turn.6).

Rulings 7 to 9, 11, 12, 17, 18 and 22.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Literal, assert_never

from pbem.games.westerplatte import cards
from pbem.games.westerplatte.answers import Activation, AnyOrder, Bombard, Fire, Move, Recover, Suppress
from pbem.games.westerplatte.data_files import AreaId, AreaKind, GameData, Side, UnitId
from pbem.games.westerplatte.movement import destinations, may_enter, move_refusals
from pbem.games.westerplatte.s3_combat import attack_of, fire_refusals, resolve, targets_in_range
from pbem.games.westerplatte.s4_support import available_marker, support_refusals, use_marker
from pbem.games.westerplatte.s5_victory import outcome_now
from pbem.games.westerplatte.state import (
    EAST,
    LOST,
    OFF_MAP,
    UNPLACED,
    Piece,
    State,
    acting_side,
    adjective,
    on_map,
    pieces_of,
    side_of,
)
from pbem.log.event import Role
from pbem.rules.play import Question, Rules, ask, report
from pbem.rules.refusal import Refusal

UNLIMITED = 99


def activations(data: GameData, card: str) -> int:
    """How many units a number card activates, half of it rounded up; a face card activates an area (turn.3, 4)."""
    value = data.constants[f"activation.{cards.rank(card)}"].value
    return value if isinstance(value, int) else UNLIMITED


def activation(data: GameData, state: State) -> Rules[State]:
    """The side of the present card orders its units, in one sheet or in parts, or passes."""
    side = acting_side(state)
    rule = "turn.3" if side is Side.GERMAN else "turn.5"
    question = activation_question(data, state)
    if question is None and not outcome_now(data, state):
        yield from report(rule, "the {side} side can do nothing", side=adjective(side))
    while question is not None:
        answer = yield from ask(state, question)
        if not answer.orders:
            yield from report(rule, "the {side} side passes", side=adjective(side))
            return state
        state, done = yield from carry_out(data, state, answer)
        question = activation_question(data, state) if state.left and not done else None
    return state


def activation_question(data: GameData, state: State) -> Question[Activation] | None:
    """What is asked about the present card, None when nothing but a pass is left."""
    if outcome_now(data, state) or next(single_orders(data, state), None) is None:
        return None
    return Question(
        role=Role(acting_side(state).value),
        model=Activation,
        default=Activation(),
        check=lambda answer: activation_refusals(data, state, answer),
        options=lambda: options(data, state),
    )


# ---------------------------------------------------------------------- carrying out


def carry_out(data: GameData, state: State, answer: Activation) -> Rules[tuple[State, bool]]:
    """Orders in turn; the flag says whether the card is done with."""
    for order in answer.orders:
        if blocked := impossible(data, state, order):
            yield from report("order", "{order}: {blocked}", order=describe(order), blocked=blocked)
            if answer.blocked == "ask":
                return state, False
            continue
        state = yield from _one_order(data, state, order)
        if state.turn_over or outcome_now(data, state) or isinstance(order, Recover | Bombard | Suppress):
            return state, True
    return state, answer.then == "end"


def _one_order(data: GameData, state: State, order: AnyOrder) -> Rules[State]:
    match order:
        case Move():
            return (yield from _move(state, order))
        case Fire():
            target = next(UnitId(t) for t in order.targets if state.piece(UnitId(t)).area not in OFF_MAP)
            attack = attack_of(data, state, order, target)
            return (yield from resolve(state.spent(UnitId(unit) for unit in order.units), attack))
        case Recover():
            return (yield from _recover(state, order))
        case Bombard() | Suppress():
            return (yield from use_marker(data, state, order))
        case _:
            assert_never(order)


def _move(state: State, order: Move) -> Rules[State]:
    unit = UnitId(order.unit)
    where = state.piece(unit).area
    state = state.spent((unit,)).moved(unit, AreaId(order.to))
    if where == EAST:
        yield from report("setup.3", "{unit} enters at {to}", unit=unit, to=order.to)
    else:
        yield from report("turn.6", "{unit} moves from {where} to {to}", unit=unit, where=where, to=order.to)
    return state


def _recover(state: State, order: Recover) -> Rules[State]:
    piece = state.piece(UnitId(order.unit))
    yield from report("turn.4", "{unit} returns to full strength", unit=order.unit)
    return state.with_piece(replace(piece, weak=False))


def impossible(data: GameData, state: State, order: AnyOrder) -> str:
    """Why an order that was legal when written cannot be carried out any more; empty when it can."""
    match order:
        case Move():
            if not may_enter(data, state, UnitId(order.unit), AreaId(order.to)):
                return "the way is blocked"
        case Fire():
            if all(state.piece(UnitId(target)).area in OFF_MAP for target in order.targets):
                return "no target is left"
        case Recover() | Bombard() | Suppress():
            pass
        case _:
            assert_never(order)
    return ""


# ---------------------------------------------------------------------- checking


def activation_refusals(data: GameData, state: State, answer: Activation) -> list[Refusal]:
    """Every reason against a sheet; each order is judged as if those before it had gone well."""
    found: list[Refusal] = []
    fired_at: set[str] = set()
    for number, order in enumerate(answer.orders, start=1):
        reasons = _alone_refusals(state, order, len(answer.orders)) + _order_refusals(data, state, order, fired_at)
        found += [replace(reason, line=reason.line or number) for reason in reasons]
        if isinstance(order, Fire) and not reasons:
            fired_at.update(order.targets)
        if number < len(answer.orders) and not reasons:
            state = _if_all_goes_well(state, order)
    return found


def _if_all_goes_well(state: State, order: AnyOrder) -> State:
    match order:
        case Move():
            return state.spent((UnitId(order.unit),)).moved(UnitId(order.unit), AreaId(order.to))
        case Fire():
            return state.spent(UnitId(unit) for unit in order.units)
        case _:
            return state


def _alone_refusals(state: State, order: AnyOrder, orders: int) -> list[Refusal]:
    if isinstance(order, Move | Fire) or (orders == 1 and not state.acted):
        return []
    rule = "turn.4" if isinstance(order, Recover) else "support.2"
    text = f"expected '{describe(order)}' to be the only order of the card, got others with it"
    return [Refusal("activation.alone", text, rule)]


def _order_refusals(data: GameData, state: State, order: AnyOrder, fired_at: set[str]) -> list[Refusal]:
    match order:
        case Move():
            return acting_refusals(data, state, [order.unit]) or move_refusals(data, state, order, fired_at)
        case Fire():
            return acting_refusals(data, state, order.units) or fire_refusals(data, state, order)
        case Recover():
            return recover_refusals(data, state, UnitId(order.unit))
        case Bombard() | Suppress():
            return support_refusals(data, state.changed(acted=()), order)  # that it is not alone is told already
        case _:
            assert_never(order)


def acting_refusals(data: GameData, state: State, units: Sequence[str]) -> list[Refusal]:
    """Reasons why units cannot act on the present card (turn.3, turn.4, ruling 12)."""
    found = []
    for unit in units:
        reason = _cannot_act(data, state, unit)
        if reason:
            found.append(reason)
    if not found and len(set(units)) > state.left:
        most = "one more unit" if state.left else "no more units"  # an order is for two units at most
        text = f"expected {most} to act on {cards.title(state.card)}, got {' and '.join(units)}"
        found.append(Refusal("activation.too_many", text, "turn.3"))
    if not found and is_area_card(state) and len({state.piece(UnitId(unit)).area for unit in units}) > 1:
        text = f"expected units of one area on {cards.title(state.card)}, got {' and '.join(units)} in two"
        found.append(Refusal("activation.one_area", text, "turn.4"))
    return found


def is_area_card(state: State) -> bool:
    """Whether the present card activates all units of one area (turn.4)."""
    return cards.is_face(state.card)


def _cannot_act(data: GameData, state: State, unit: str) -> Refusal | None:
    side = acting_side(state)
    if unit not in data.units or side_of(data, UnitId(unit)) is not side:
        rule = "turn.3" if side is Side.GERMAN else "turn.5"
        return Refusal("activation.unit", f"expected a {adjective(side)} unit to act, got '{unit}'", rule)
    match _obstacle(state, state.piece(UnitId(unit))):
        case "lost":
            return Refusal("activation.lost", f"expected a unit in play, got the eliminated {unit}", "combat.14")
        case "again":
            return Refusal("activation.again", f"expected each unit to act once on a card, got {unit} again", "turn.6")
        case "one_area":
            wanted = state.face_area or "one area of the map"
            text = f"expected units of {wanted} on {cards.title(state.card)}, got {unit}"
            return Refusal("activation.one_area", text, "turn.4")
        case None:
            return None


def _obstacle(state: State, piece: Piece) -> Literal["lost", "again", "one_area"] | None:
    """Why a unit of the side whose card it is cannot act."""
    if piece.area in (LOST, UNPLACED):
        return "lost"
    if piece.unit in state.acted:
        return "again"
    if is_area_card(state) and not _in_activated_area(state, piece):
        return "one_area"
    return None


def _in_activated_area(state: State, piece: Piece) -> bool:
    return piece.area not in OFF_MAP and state.face_area in (None, piece.area)


def recover_refusals(data: GameData, state: State, unit: UnitId) -> list[Refusal]:
    """Reasons against a recovery (turn.4, ruling 8)."""
    if not is_area_card(state):
        text = f"expected a recovery on a face card, got one on {cards.title(state.card)}"
        return [Refusal("recover.card", text, "turn.4")]
    side = acting_side(state)
    if unit not in data.units or side_of(data, unit) is not side or not state.piece(unit).weak:
        return [Refusal("recover.unit", f"expected a weak {adjective(side)} unit, got '{unit}'", "turn.4")]
    if state.piece(unit).area == LOST:
        return [Refusal("recover.unit", f"expected a unit in play, got the eliminated {unit}", "combat.14")]
    return []


# ---------------------------------------------------------------------- options


def options(data: GameData, state: State) -> Iterator[Activation]:
    """A pass, and every single order; where the card allows more, the player is asked again afterwards."""
    yield Activation()
    for order in single_orders(data, state):
        alone = isinstance(order, Recover | Bombard | Suppress)
        yield Activation(orders=(order,), then="end" if alone else "ask")


def single_orders(data: GameData, state: State) -> Iterator[AnyOrder]:
    """Every order that could be given now, in a fixed order."""
    for piece in _able(data, state):
        for area in destinations(data, piece):
            if may_enter(data, state, piece.unit, area):
                yield Move(unit=piece.unit, to=area)
    yield from _fires(data, state, list(_able(data, state)))
    if state.acted:
        return
    yield from _recoveries(data, state)
    yield from _supports(data, state)


def _able(data: GameData, state: State) -> Iterator[Piece]:
    """The counters that can still act on the present card."""
    if state.left > 0:
        for piece in pieces_of(data, state, acting_side(state)):
            if _obstacle(state, piece) is None:
                yield piece


def _fires(data: GameData, state: State, able: Sequence[Piece]) -> Iterator[Fire]:
    reach = {piece.unit: targets_in_range(data, state, piece.unit) for piece in able}
    for unit, targets in reach.items():
        for target in targets:
            yield Fire(units=(unit,), targets=(target,))
    if state.left >= 2:
        for first, second in _pairs(state, able):
            for target in reach[first]:
                if target in reach[second]:
                    yield Fire(units=(first, second), targets=(target,))


def _pairs(state: State, able: Sequence[Piece]) -> Iterator[tuple[UnitId, UnitId]]:
    """Units that may fire together on the present card."""
    for one, other in combinations(able, 2):
        if not is_area_card(state) or one.area == other.area:
            yield one.unit, other.unit


def _recoveries(data: GameData, state: State) -> Iterator[Recover]:
    if is_area_card(state):
        for piece in pieces_of(data, state, acting_side(state)):
            if piece.weak:
                yield Recover(unit=piece.unit)


def _supports(data: GameData, state: State) -> Iterator[Bombard | Suppress]:
    marker: Any = available_marker(data, state)
    if not marker:
        return
    poles = on_map(data, state, Side.POLISH)
    for piece in poles:
        yield Bombard(marker=marker, target=piece.unit)
    if marker == "air":
        for area in sorted({piece.area for piece in poles}):
            if data.areas[area].kind is AreaKind.LAND:
                yield Suppress(area=area)


def describe(order: AnyOrder) -> str:
    """An order in the order language."""
    match order:
        case Move():
            return f"move {order.unit} to {order.to}"
        case Fire():
            face = "" if order.face == "redraw" else f" face {order.face}"
            return f"fire {', '.join(order.units)} at {' or '.join(order.targets)}{face}"
        case Recover():
            return f"recover {order.unit}"
        case Bombard():
            face = "" if order.face == "redraw" else f" face {order.face}"
            return f"{order.marker} at {order.target}{face}"
        case Suppress():
            return f"air suppress {order.area}"
        case _:
            assert_never(order)
