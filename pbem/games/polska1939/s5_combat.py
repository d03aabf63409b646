"""Combat (5.0): phases II and V, and one attack from its dice to the advance (5.1.1).

Before the dice an attack is a `Battle` (`s5_battle`); orders are checked in `s5_attacks`, the defender's plan in
`s5_defence`. Rulings 5-19, 5-20 and 10-3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from pbem.games.polska1939.answers import AttackOrder, Attacks, Defence, Stand
from pbem.games.polska1939.combat_tables import BandedTable, CombatResult
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.s5_advance import after_battle, is_vacated
from pbem.games.polska1939.s5_attacks import Check, attack_refusals, attackable, attacks_question
from pbem.games.polska1939.s5_battle import Battle, announce, battle_of
from pbem.games.polska1939.s5_defence import defence_question, may_stay
from pbem.games.polska1939.s5_losses import fates_of, retreat_losses, suffer
from pbem.games.polska1939.s5_retreat import escape_of, retreat
from pbem.games.polska1939.s7_fixed import is_strong
from pbem.games.polska1939.state import AreaId, Occupation, State, Unit, UnitId
from pbem.log.event import Role
from pbem.rules.play import Rules, ask, literal, report, roll, total

__all__ = [
    "Fought",
    "attack_phase",
    "attack_refusals",
    "attackable",
    "attacks_question",
    "defence_question",
    "fight",
    "may_stay",
    "resolve",
    "rows_of",
    "told_result",
]

DICE, SIDES = 2, 6
Cell = TypeVar("Cell")


class Barred(NamedTuple):
    """Why an attack is not made: a code for the record, and words."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Fought:
    """What came of an attack: the result, the SP that each side lost in all, and whether the area is vacated."""

    state: State
    result: CombatResult
    attacker_loss: int
    defender_loss: int
    taken: bool


# ---------------------------------------------------------------------- the phase


def attack_phase(data: GameData, state: State) -> Rules[State]:
    """Phase II or V: the attacks that were planned or are ordered now, the defence, and one attack after the other."""
    attacks = state.planned
    if attacks is None:
        attacks_asked = attacks_question(data, state)
        attacks = (yield from ask(state, attacks_asked)) if attacks_asked else Attacks()
    state = replace(state, planned=attacks)
    defence_asked = defence_question(data, state)
    defence = (yield from ask(state, defence_asked)) if defence_asked else Defence()
    stands = {AreaId(stand.area): stand for stand in defence.stands}
    state = yield from _attacks_in_turn(data, state, attacks.attacks, stands)
    return replace(state, planned=None, bombed=(), air_used=())


def _attacks_in_turn(
    data: GameData, state: State, orders: Iterable[AttackOrder], stands: Mapping[AreaId, Stand]
) -> Rules[State]:
    taken: dict[str, bool] = {}
    for order in orders:
        if reason := _why_not(data, state, order, taken):
            text = f"no attack on {{area}}: {literal(reason.text)}"
            yield from report("5.1.1", text, area=data.area_name(order.target), code=reason.code)
            continue
        battle = battle_of(data, state, order, stands.get(AreaId(order.target)))
        fought = yield from fight(data, state, battle)
        state = fought.state
        taken[order.target] = fought.taken
        if order.air:
            state = replace(state, air_used=(*state.air_used, order.air))
    return state


def _why_not(data: GameData, state: State, order: AttackOrder, taken: Mapping[str, bool]) -> Barred | None:
    """Why an order cannot or shall not be carried out any more, None when it is."""
    if order.when_taken is not None and not taken.get(order.when_taken):
        return Barred("not_taken", f"{data.area_name(order.when_taken)} is not taken")
    if order.unless_taken is not None and taken.get(order.unless_taken):
        return Barred("taken", f"{data.area_name(order.unless_taken)} is taken")
    if order.target in taken:
        return Barred("done", "it has been attacked already")
    return next((Barred(one.code, one.text) for one in Check.of(data, state, state.active).refusals(order)), None)


# ---------------------------------------------------------------------- one attack


def fight(data: GameData, state: State, battle: Battle) -> Rules[Fought]:
    """An attack, told from the strengths to the advance (5.1.1)."""
    yield from announce(data, battle)
    return (yield from resolve(data, state, battle))


def resolve(data: GameData, state: State, battle: Battle) -> Rules[Fought]:
    """Result and losses are rolled, then applied: losses, retreat or not by plan, R markers, advance (ruling 5-19)."""
    before = state
    result = yield from _roll_result(data, state, battle)
    strength, shift = battle.strength, battle.strength.shift
    to_defender = yield from _roll_losses(data, state, battle, "defender", strength.attack, -shift)
    to_attacker = yield from _roll_losses(data, state, battle, "attacker", strength.defence, shift)
    state = _stamped(state, battle)
    losses = to_attacker + result.attacker_loss
    if losses:
        state = yield from suffer(data, state, battle.committed, 0, losses, battle.order.losses)
    state = yield from _defeated(data, state, battle, result, to_defender + result.defender_loss)
    state = yield from _disorganized(data, state, battle, result)
    taken = is_vacated(state, battle)
    state = yield from after_battle(data, state, battle)
    return Fought(state, result, _lost(before, state, battle.committed), _lost(before, state, battle.defenders), taken)


def _roll_result(data: GameData, state: State, battle: Battle) -> Rules[CombatResult]:
    """5.1.1 b to d: the row of the difference, shifted, and the column of two dice."""
    table, strength = data.results, battle.strength
    row, shifted = rows_of(table, strength.attack - strength.defence, -strength.shift)
    label = f"5.1.1/day-{state.day}/{battle.target}/{battle.side}-result"
    dice = yield from roll(label, DICE, SIDES, total, Role(battle.side.value))
    result = table.cell(shifted, dice)
    yield from report(
        "5.2.1",
        "difference {difference}, row {row}, modified {shifted}: dice {dice}: {result}",
        difference=strength.attack - strength.defence,
        row=table.labels[row],
        shifted=table.labels[shifted],
        dice=dice,
        result=told_result(result),
    )
    return result


def told_result(result: CombatResult) -> str:
    """A result for people: `D1(-1)R`, or that nothing happened."""
    happens = result.retreat or result.defender_loss or result.attacker_loss
    reorganizes = result.defender_reorganizes or result.attacker_reorganizes
    return result.text if happens or reorganizes else "no effect"


def _roll_losses(data: GameData, state: State, battle: Battle, loser: str, strength: int, down: int) -> Rules[int]:
    """5.4.2: SP that `loser` loses to the strength of the other side, whose dice they are, read `down` rows lower."""
    table = data.losses
    row, shifted = rows_of(table, strength, down)
    label = f"5.4.2/day-{state.day}/{battle.target}/{battle.side}-{loser}"
    by = battle.side if loser == "defender" else battle.side.enemy
    dice = yield from roll(label, DICE, SIDES, total, Role(by.value))
    points = table.cell(shifted, dice)
    yield from report(
        "5.4.2",
        "losses of the {loser}: strength {strength}, row {row}, modified {shifted}: dice {dice}: {points} SP",
        loser=loser,
        strength=strength,
        row=table.labels[row],
        shifted=table.labels[shifted],
        dice=dice,
        points=points,
    )
    return points


def rows_of(table: BandedTable[Cell], value: int, down: int) -> tuple[int, int]:
    """The row of a value, and the row so many rows below it; past an end, the row at that end (ruling 5-20)."""
    row = table.row_of(value)
    return row, min(max(row + down, 0), len(table.labels) - 1)


def _stamped(state: State, battle: Battle) -> State:
    """Who attacks or supports an attack has fought (3.1.2, ruling 10-3), who is attacked was disturbed (5.5.5)."""
    fighting = [replace(unit, disturbed=state.moment, exerted=state.moment) for unit in battle.committed]
    return state.with_units([*fighting, *(replace(unit, disturbed=state.moment) for unit in battle.defenders)])


def _defeated(data: GameData, state: State, battle: Battle, result: CombatResult, points: int) -> Rules[State]:
    """The defenders' losses, and their retreat where the result wants one (5.3)."""
    units = [state.units[unit.id] for unit in battle.defenders]
    if not result.retreat:
        return (yield from suffer(data, state, units, 0, points, battle.stand.losses)) if points else state
    strong = is_strong(data, battle.strength.fortified)
    fates = fates_of(data, units, battle.escape, strong, battle.stand.stay)
    armour = battle.strength.armour
    state = yield from retreat_losses(data, state, fates, result.retreat, points, armour, battle.stand.losses)
    going = _alive(state, fates.going)
    if going:
        state = yield from retreat(data, state, going, battle.escape)
    for _ in range(result.retreat - 1):
        state = yield from _retreat_on(data, state, battle, going)
    return state


def _retreat_on(data: GameData, state: State, battle: Battle, names: Iterable[UnitId]) -> Rules[State]:
    """Another area back for each group that can go on; never again where it came from (no printed result wants it)."""
    left = [state.units[name] for name in names if name in state.units]
    for area in dict.fromkeys(unit.area for unit in left):
        together = [unit for unit in left if unit.area == area]
        escape = escape_of(data, state, Occupation.of(state), together, battle.stand.to)
        going = [unit.id for unit in together if unit.id in escape and escape[unit.id].to != battle.target]
        if going:
            state = yield from retreat(data, state, going, escape)
    return state


def _alive(state: State, units: Iterable[Unit]) -> list[UnitId]:
    return [unit.id for unit in units if unit.id in state.units]


def _disorganized(data: GameData, state: State, battle: Battle, result: CombatResult) -> Rules[State]:
    """R markers on all who are left of a side that reorganizes, HQs too (5.5.2, 10.1.6)."""
    marked: list[Unit] = []
    marked += battle.committed if result.attacker_reorganizes else ()
    marked += battle.defenders if result.defender_reorganizes else ()
    left = [state.units[name] for name in _alive(state, marked)]
    if not left:
        return state
    named = ", ".join(data.name(unit.id) for unit in left)
    yield from report("5.5.2", "to be reorganized: {units}", units=named)
    return state.with_units(replace(unit, disorganized=True) for unit in left)


def _lost(before: State, after: State, units: Iterable[Unit]) -> int:
    """SP that some units had and have no more."""
    names = [unit.id for unit in units]
    left = (after.units[name].strength for name in names if name in after.units)
    return sum(before.units[name].strength for name in names) - sum(left)
