"""What `pbem odds` is asked: attacks in the order language, with exact chances for each sensible defence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from pbem.games.polska1939.answers import AttackOrder, Stand
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import Nation
from pbem.games.polska1939.misread import VERBS
from pbem.games.polska1939.orders import forms_of, read_attack
from pbem.games.polska1939.s5_attacks import Check
from pbem.games.polska1939.s5_battle import Battle, battle_of, signed
from pbem.games.polska1939.s5_combat import Fought, resolve, rows_of, told_result
from pbem.games.polska1939.s7_fixed import is_strong
from pbem.games.polska1939.state import AreaId, Side, State
from pbem.rules.refusal import Refusal, Refused
from pbem.rules.ruleset import Experiment, Measure
from pbem.rules.sheet import SheetLine, read_sheet

ATTACK_PHASES = (2, 5)
FORM = forms_of("attacks", Side.GERMAN)[0]
VERB = "attack "
MEASURES = (
    Measure("area taken", lambda fought: int(fought.taken), is_chance=True),
    Measure("attacker loses", lambda fought: int(fought.attacker_loss), "SP"),
    Measure("defender loses", lambda fought: int(fought.defender_loss), "SP"),
)


def experiments(data: GameData, state: State, text: str) -> Sequence[Experiment]:
    """Every attack in `text`, once for each sensible defence: retreat by default, and staying where it is allowed."""
    lines = read_sheet(text).lines
    if not lines:
        raise Refused((Refusal("odds.empty", f"expected an attack such as {FORM}, got none"),))
    orders = [_legal_attack(data, state, line) for line in lines]
    return [one for order in orders for one in _of_attack(data, state, order)]


# ---------------------------------------------------------------------- which attack


def _legal_attack(data: GameData, state: State, line: SheetLine) -> AttackOrder:
    """The attack of a line, by the side to act in its attack phase, else by the side that could make it.

    The verb may be left out. Raises Refused, with the reasons against the more likely side, when neither could.
    """
    sides = (state.active,) if state.phase in ATTACK_PHASES else (state.active, state.active.enemy)
    added = "" if VERBS.begins(line.text, "attack") else VERB
    reasons: list[Sequence[Refusal]] = []
    for side in sides:
        try:
            order = read_attack(data, state, side, added + line.text)
        except Refused as refused:
            reasons.append(refused.refusals)
            continue
        refusals = Check.of(data, state, side).refusals(order)
        if not refusals:
            return order
        reasons.append(refusals)
    likely = min(reasons, key=_remoteness)
    start = line.indent - len(added)
    raise Refused([replace(r, line=line.number, column=max(line.indent + 1, start + r.column)) for r in likely])


def _remoteness(refusals: Sequence[Refusal]) -> int:
    """How far an attack is from being legal: wrong units, then a target that is no enemy's, then unreadable."""
    codes = [refusal.code for refusal in refusals]
    if any(not code.startswith("attack.") for code in codes):
        return 2
    return int("attack.target" in codes)


# ---------------------------------------------------------------------- its chances


def _of_attack(data: GameData, state: State, order: AttackOrder) -> Iterator[Experiment]:
    battle = battle_of(data, state, order)
    if not _has_choice(data, battle):
        yield _experiment(data, state, battle, "")
        return
    yield _experiment(data, state, battle, "; the defender retreats")
    staying = Stand(area=AreaId(order.target), stay=True)
    yield _experiment(data, state, battle_of(data, state, order, staying), "; the defender stays")


def _has_choice(data: GameData, battle: Battle) -> bool:
    """Whether a defender that could retreat may stay instead (5.3.3, 12.1.1)."""
    free = (unit for unit in battle.defenders if data.unit(unit.id).nation is not Nation.SOVIET_UNION)
    return is_strong(data, battle.strength.fortified) and any(unit.id in battle.escape for unit in free)


def _experiment(data: GameData, state: State, battle: Battle, defence: str) -> Experiment:
    strength = battle.strength
    _, shifted = rows_of(data.results, strength.attack - strength.defence, -strength.shift)
    against = f"{strength.attack} against {strength.defence} SP"
    row = f"modifier {signed(strength.shift)}, row {data.results.labels[shifted]}"
    title = f"{battle.side.adjective} attack on {data.area_name(battle.target)}: {against}, {row}{defence}"
    return Experiment(title, partial(resolve, data, state, battle), _told, MEASURES)


def _told(fought: Fought) -> str:
    losses = f"attacker loses {fought.attacker_loss} SP, defender {fought.defender_loss} SP"
    return f"{told_result(fought.result)}: {losses}{', area taken' if fought.taken else ''}"
