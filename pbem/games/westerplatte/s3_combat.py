"""Combat: who may fire at whom, the modifiers, and the card that decides.

Rulings 4 to 6, 10, 15, 16, 20, 21, 24 and 26.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.games.westerplatte import cards
from pbem.games.westerplatte.answers import FaceCard, Fire, OnFace
from pbem.games.westerplatte.data_files import AreaId, GameData, Side, UnitId
from pbem.games.westerplatte.state import LOST, OFF_MAP, State, is_ship, side_of, strength
from pbem.log.enumeration import counted
from pbem.log.event import Role
from pbem.rules.play import Question, Rules, ask, draw, report
from pbem.rules.refusal import Refusal


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack: a hit when card + modifier is at most the strength (combat.12)."""

    side: Side
    firing: str
    target: UnitId
    strength: int
    modifier: int
    face: OnFace

    @property
    def highest(self) -> int:
        """The highest card that hits, below 1 when none does (combat.12)."""
        return self.strength - self.modifier

    @property
    def chance(self) -> str:
        """What hits, for people: `a card of 2 or less hits`."""
        return f"a card of {self.highest} or less hits" if self.highest > 0 else "no card hits"


def fire_refusals(data: GameData, state: State, order: Fire) -> list[Refusal]:
    """Reasons against an attack by units that may act, at each of its targets (combat.2, 3, 6, 10)."""
    units = [UnitId(unit) for unit in order.units]
    found = []
    if len(set(units)) != len(units):
        found.append(Refusal("combat.twice", f"expected two different firing units, got {units[0]} twice", "combat.6"))
    strangers = [unit for unit in units if side_of(data, unit) is not side_of(data, units[0])]
    if strangers:
        text = f"expected firing units of one side, got {units[0]} and {strangers[0]}"
        found.append(Refusal("combat.sides", text, "combat.6"))
    for target in dict.fromkeys(order.targets):
        found += _target_refusals(data, state, units, UnitId(target))
    return found


def _target_refusals(data: GameData, state: State, units: Sequence[UnitId], target: UnitId) -> list[Refusal]:
    if target not in data.units or side_of(data, target) is side_of(data, units[0]):
        return [Refusal("combat.target", f"expected an enemy unit to fire at, got '{target}'", "combat.6")]
    area = state.piece(target).area
    if area in OFF_MAP:
        return [Refusal("combat.off_map", f"expected a target on the map, got {target} off the map", "combat.3")]
    found = []
    for unit in units:
        if not may_attack(data, unit, target):
            text = f"expected a gun to fire at {target}, got {unit} ({data.units[unit].kind.value})"
            found.append(Refusal("combat.no_gun", text, "combat.10", "only Polish guns can fire at the ship"))
        found += _range_refusals(data, state, unit, target)
    return found


def _range_refusals(data: GameData, state: State, unit: UnitId, target: UnitId) -> list[Refusal]:
    here, there, reach = state.piece(unit).area, state.piece(target).area, data.number("combat.range")
    if here in OFF_MAP:
        return [Refusal("combat.off_map", f"expected a firing unit on the map, got {unit} off the map", "combat.3")]
    far = data.distance(here, there)
    if far <= reach:
        return []
    text = f"expected a target within {counted(reach, 'area')} of {unit} in {here}, got {target} in {there}, {far} away"
    return [Refusal("combat.out_of_range", text, "combat.2")]


def may_attack(data: GameData, unit: UnitId, target: UnitId) -> bool:
    """Polish infantry and mortars cannot attack the ship (combat.10)."""
    barred = data.words("combat.polish_types_barred_from_ship")
    return not (is_ship(data, target) and data.units[unit].kind in barred)


def in_range(data: GameData, state: State, unit: UnitId, target: UnitId) -> bool:
    """Both on the map and at most 2 areas apart (combat.2, combat.3)."""
    here, there = state.piece(unit).area, state.piece(target).area
    return here not in OFF_MAP and there not in OFF_MAP and data.distance(here, there) <= data.number("combat.range")


def attack_of(data: GameData, state: State, order: Fire, target: UnitId) -> Attack:
    """The attack of units that fire together (combat.5, combat.6)."""
    units = [UnitId(unit) for unit in order.units]
    return Attack(
        side=side_of(data, units[0]),
        firing=" and ".join(units),
        target=target,
        strength=sum(strength(data, state.piece(unit)) for unit in units),
        modifier=fire_modifier(data, state, units, target),
        face=order.face,
    )


def fire_modifier(data: GameData, state: State, units: Sequence[UnitId], target: UnitId) -> int:
    """What is added to the card (combat.8, 9, 11; support.6)."""
    area = state.piece(target).area
    firing = [state.piece(unit).area for unit in units]
    modifier = 0
    if any(data.distance(here, area) > 1 for here in firing):
        modifier += data.number("combat.modifier_not_adjacent")
    if is_ship(data, target) and any(data.units[unit].kind in data.words("combat.polish_guns") for unit in units):
        modifier += data.number("combat.modifier_polish_gun_at_ship")
    if side_of(data, target) is Side.POLISH:
        modifier += data.areas[area].bonus
    elif state.suppressed in firing:
        modifier += data.number("air.suppression")
    return modifier


def resolve(state: State, attack: Attack) -> Rules[State]:
    """Draw until a number decides (combat.7, 12, 13, 15); a joker that counts ends the turn (turn.12, ruling 5)."""
    yield from _announce(attack, state.piece(attack.target).area)
    while state.deck:
        label = f"combat.7/turn-{state.turn}/card-{state.drawn + 1}"
        by = Role(attack.side.value)
        card = yield from draw(label, state.deck, alike=cards.meaning_in_combat, whole=cards.DECK, by=by)
        state = state.without_card(card)
        if card == cards.JOKER:
            state = yield from _joker_in_combat(state)
            if state.turn_over:
                return state
        elif not cards.is_face(card):
            return (yield from _decided(state, attack, card))
        elif not (yield from _redraws(state, attack, card)):
            return state
    yield from report("turn.12", "no card is left to decide the attack: it misses")
    return state


def _announce(attack: Attack, where: AreaId) -> Rules[None]:
    """Who fires at whom, and what hits (combat.5, combat.12)."""
    text = "{firing} at {target} in {where}: {chance}"
    yield from report("combat.5", text, firing=attack.firing, target=attack.target, where=where, chance=attack.chance)


def _joker_in_combat(state: State) -> Rules[State]:
    if state.both_could_act:
        yield from report("turn.12", "the joker is drawn: the attack misses")
        return replace(state, turn_over=True)
    yield from report("turn.12", cards.SET_ASIDE)
    return state


def _redraws(state: State, attack: Attack, card: str) -> Rules[bool]:
    """Whether a face card is redrawn, as planned or as the attacker says now (combat.15)."""
    face = attack.face
    if face == "ask":
        yield from report("combat.15", "{card} is drawn: the attacker is asked", card=cards.title(card))
        answer = yield from ask(state, _face_question(state, attack, card))
        face = answer.face
    if face == "miss":
        yield from report("combat.15", "{card}: taken as a miss", card=cards.title(card))
        return False
    yield from report("combat.15", "{card}: redrawn", card=cards.title(card))
    return True


def _face_question(state: State, attack: Attack, card: str) -> Question[FaceCard]:
    return Question(
        role=Role(attack.side.value),
        model=FaceCard,
        default=FaceCard(face="redraw"),
        options=lambda: (FaceCard(face="redraw"), FaceCard(face="miss")),
        about=_about(state, attack, card),
    )


def _about(state: State, attack: Attack, card: str) -> str:
    """Which card, which attack, and what a redraw needs."""
    where = state.piece(attack.target).area
    numbers = [cards.number(left) for left in state.deck if left != cards.JOKER and not cards.is_face(left)]
    hits = sum(number <= attack.highest for number in numbers)
    chances = f"{hits or 'none'} of the {counted(len(state.deck), 'card')} left"
    drawn = f"{cards.title(card)} is drawn for {attack.firing} at {attack.target} in {where}"
    return f"{drawn}, {attack.chance} ({chances})"


def _decided(state: State, attack: Attack, card: str) -> Rules[State]:
    """Hit or miss by a number card (combat.12, combat.13)."""
    reached = cards.number(card) + attack.modifier
    sums: dict[str, str | int] = {
        "card": cards.title(card),
        "modifier": attack.modifier,
        "reached": reached,
        "strength": attack.strength,
    }
    if reached > attack.strength:
        yield from report("combat.13", "{card}: {reached} with {modifier} added, over {strength}: a miss", **sums)
        return state
    yield from report("combat.12", "{card}: {reached} with {modifier} added, within {strength}: a hit", **sums)
    return (yield from hit(state, attack.target))


def hit(state: State, target: UnitId) -> Rules[State]:
    """A strong unit is flipped (combat.12), a flipped one eliminated (combat.14)."""
    piece = state.piece(target)
    if piece.weak:
        yield from report("combat.14", "{target} is eliminated", target=target)
        return state.with_piece(replace(piece, area=LOST))
    yield from report("combat.12", "{target} is reduced", target=target)
    return state.with_piece(replace(piece, weak=True))


def targets_in_range(data: GameData, state: State, unit: UnitId) -> tuple[UnitId, ...]:
    """Enemy units that a unit could attack now."""
    side = side_of(data, unit)
    return tuple(
        piece.unit
        for piece in state.pieces
        if side_of(data, piece.unit) is not side
        and may_attack(data, unit, piece.unit)
        and in_range(data, state, unit, piece.unit)
    )
