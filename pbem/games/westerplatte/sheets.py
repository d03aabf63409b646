"""What a player reads before deciding: the question in a line, and the sheet with the legal choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.games.westerplatte import cards
from pbem.games.westerplatte.activation import UNLIMITED, describe, single_orders
from pbem.games.westerplatte.answers import Activation, AnyOrder, Bombard, Fire, Move, Recover, Suppress
from pbem.games.westerplatte.data_files import GameData, Side, UnitId, UnitType
from pbem.games.westerplatte.orders import write_answer
from pbem.games.westerplatte.s1_setup import areas_to_place, units_to_place
from pbem.games.westerplatte.s3_combat import Attack, attack_of
from pbem.games.westerplatte.s4_support import NAMES, available_marker, bombardment
from pbem.games.westerplatte.s5_victory import victory_points
from pbem.games.westerplatte.state import State
from pbem.log.enumeration import counted
from pbem.rules.names import fold
from pbem.rules.play import Answer, Question
from pbem.rules.ruleset import Remark

MOST_PAIRS = 6
_HOW_TO = (
    "# One order a line, carried out in turn; what stands behind a # is ignored.",
    "# Take the # away from what you choose, or write 'pass'.",
    "# 'fire A at X or Y': at the first of these targets that is still there.",
    "# 'face miss' or 'face ask' behind an attack: what to do with a face card, which is no number (else redraw).",
    "# 'if blocked ask': stop and ask when an order fails (else it is skipped).",
    "# 'then ask' as the last order: see the results, then order what is left of the card.",
    "# Beforehand, for every card: 'pass always', 'pass at most 2', 'recover A, B'; see `pbem orders GAME --standing`.",
)


def question_text(data: GameData, question: Question[Any], state: State) -> str:
    """What is asked, in one line."""
    match question.kind:
        case "polish_setup":
            return "place every Polish unit on a land area, at most 2 in one"
        case "german_setup":
            return f"place the ship in {', '.join(areas_to_place(data, Side.GERMAN))}"
        case "face_card":
            return f"{question.about}: redraw, or take it as a miss"
        case _:
            return f"{cards.title(state.card)}: {_allowance(data, state)}"


def _allowance(data: GameData, state: State) -> str:
    if state.left < UNLIMITED // 2:
        text = f"order up to {state.left} unit{'s' if state.left > 1 else ''}"
    elif state.face_area:
        text = f"order the other units of {state.face_area}"
    else:
        text = "order the units of one area, or let one weak unit recover"
    marker = available_marker(data, state)
    return f"{text}; {NAMES[marker]} may be used instead" if marker else text


def sheet_lines(data: GameData, question: Question[Any], state: State) -> list[str]:
    """The lines of an order sheet: what is asked, the position, the legal choices as comments."""
    lines = [f"# You are asked: {question_text(data, question, state)}.", "#"]
    lines += [f"# {line}" for line in _facts(data, state)]
    lines += ["#", *_how_to(question)]
    return lines + list(_choices(data, question, state))


def remarks(data: GameData, answer: Answer, state: State) -> list[Remark]:
    """The card that hits, for every attack of an answer."""
    orders = answer.orders if isinstance(answer, Activation) else ()
    return [_remark(data, state, order) for order in orders if isinstance(order, Fire | Bombard)]


def _remark(data: GameData, state: State, order: Fire | Bombard) -> Remark:
    """An attack is in vain when no card hits the first of its targets, which it is carried out at as things stand."""
    if isinstance(order, Fire):
        attacks = [attack_of(data, state, order, UnitId(target)) for target in dict.fromkeys(order.targets)]
    else:
        attacks = [bombardment(data, state, order)]
    first, *others = attacks
    text = "; ".join(f"{one.target}: {one.chance}" for one in attacks) if others else first.chance
    return Remark(describe(order), text, vain=first.highest < 1)


def _facts(data: GameData, state: State) -> list[str]:
    return [
        f"Turn {state.turn} of {data.number('game.turns')}, {counted(len(state.deck), 'card')} left; "
        f"if the game ended now, the Germans would have {counted(victory_points(data, state), 'victory point')}."
    ]


def _how_to(question: Question[Any]) -> list[str]:
    if question.kind != "activation":
        return ["# One order a line; what stands behind a # is ignored."]
    return list(_HOW_TO)


def _choices(data: GameData, question: Question[Any], state: State) -> Iterator[str]:
    if question.kind == "polish_setup":
        yield from _setup_choices(data, question)
    elif question.kind == "activation":
        yield from _orders_by_unit(data, state)
    else:
        yield from (f"# {write_answer(option)}" for option in question.legal())


def _setup_choices(data: GameData, question: Question[Any]) -> Iterator[str]:
    areas = (data.areas[area] for area in areas_to_place(data, Side.POLISH))
    yield "# areas, with what the ground adds to the card of a German attack: " + ", ".join(
        f"{area.id} (+{area.bonus})" for area in areas
    )
    yield "# units, with their fire strength strong/weak: " + ", ".join(
        _unit_words(data.units[unit]) for unit in units_to_place(data, Side.POLISH)
    )
    yield from write_answer(question.default).splitlines()


def _unit_words(unit: UnitType) -> str:
    """The id that one types, the name behind it when it says more: `FG (75 mm) 3/1`."""
    name = "" if fold(unit.name) == fold(unit.id) else f" ({unit.name})"
    return f"{unit.id}{name} {unit.strong}/{unit.weak}"


def _orders_by_unit(data: GameData, state: State) -> Iterator[str]:
    """Single orders, a unit's moves in one line, attacks with the card that hits; the best pairs at the end."""
    orders = list(single_orders(data, state))
    yield "# pass"
    yield from _move_lines([order for order in orders if isinstance(order, Move)])
    attacks = [(order, _attack(data, state, order)) for order in orders if isinstance(order, Fire | Bombard)]
    able = [(order, attack) for order, attack in attacks if attack.highest > 0]
    yield from (_attack_line(order, attack) for order, attack in able if not _is_pair(order))
    yield from (f"# {describe(order)}" for order in orders if isinstance(order, Recover | Suppress))
    yield from _pair_lines([(order, attack) for order, attack in able if _is_pair(order)])
    hopeless = sum(attack.highest < 1 for order, attack in attacks if not _is_pair(order))
    if hopeless:
        yield f"# Left out: {hopeless} attack{'s' if hopeless > 1 else ''} by one unit that no card could make hit."


def _move_lines(moves: Sequence[Move]) -> Iterator[str]:
    areas: dict[str, list[str]] = {}
    for order in moves:
        areas.setdefault(order.unit, []).append(order.to)
    for unit, (first, *others) in areas.items():
        rest = f"   # or {', '.join(others)}" if others else ""
        yield f"# move {unit} to {first}{rest}"


def _attack(data: GameData, state: State, order: Fire | Bombard) -> Attack:
    if isinstance(order, Fire):
        return attack_of(data, state, order, UnitId(order.targets[0]))
    return bombardment(data, state, order)


def _is_pair(order: Fire | Bombard) -> bool:
    return isinstance(order, Fire) and len(order.units) == 2


def _attack_line(order: AnyOrder, attack: Attack) -> str:
    return f"# {describe(order)}   # {attack.chance}"


def _pair_lines(pairs: Sequence[tuple[AnyOrder, Attack]]) -> Iterator[str]:
    """The best pair for each target, the best of these first."""
    best: dict[str, tuple[AnyOrder, Attack]] = {}
    for order, attack in pairs:
        if attack.target not in best or attack.highest > best[attack.target][1].highest:
            best[attack.target] = (order, attack)
    if best:
        yield "# Two units together, 'fire A, B at C', for instance:"
    ranked = sorted(best.values(), key=lambda pair: -pair[1].highest)
    yield from (_attack_line(order, attack) for order, attack in ranked[:MOST_PAIRS])
