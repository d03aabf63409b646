"""What `pbem odds` is asked: attacks from the present position, with the deck as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.games.westerplatte.activation import describe
from pbem.games.westerplatte.answers import Bombard, Fire
from pbem.games.westerplatte.data_files import GameData, UnitId
from pbem.games.westerplatte.orders import Item, read_items
from pbem.games.westerplatte.s3_combat import Attack, attack_of, fire_refusals, resolve
from pbem.games.westerplatte.s4_support import bombard_refusals, bombardment
from pbem.games.westerplatte.state import LOST, State
from pbem.rules.refusal import Refusal, Refused
from pbem.rules.ruleset import Experiment
from pbem.rules.sheet import SheetLine, read_sheet

FORMS = ("fire MAS-1, MAS-2 at PL-1", "oba at PL-1", "air at PL-1 face miss")


def experiments(data: GameData, state: State, text: str) -> Sequence[Experiment]:
    """One experiment for every attack; whose card it would be and who has acted does not matter."""
    found = [_experiment(data, state, line, item) for line, item in read_items(data, read_sheet(text).lines, FORMS)]
    if not found:
        raise Refused((Refusal("odds.empty", f"expected an attack such as {' / '.join(FORMS)}, got none"),))
    return found


def _experiment(data: GameData, state: State, line: SheetLine, item: Item) -> Experiment:
    refusals = _refusals(data, state, item)
    if refusals:
        raise Refused([replace(r, line=line.number, column=line.indent + 1) for r in refusals])
    if isinstance(item, Fire):
        return _of_attack(state, describe(item), attack_of(data, state, item, UnitId(item.targets[0])))
    assert isinstance(item, Bombard)
    return _of_attack(state, describe(item), bombardment(data, state, item))


def _refusals(data: GameData, state: State, item: Item) -> list[Refusal]:
    if not isinstance(item, Fire | Bombard):
        return [Refusal("odds.kind", f"expected an attack such as {' / '.join(FORMS)}, got another order")]
    if item.face == "ask":
        return [Refusal("odds.ask", "expected a plan for face cards, got 'face ask'", "combat.15")]
    if isinstance(item, Fire):
        return fire_refusals(data, state, item)
    return bombard_refusals(data, state, UnitId(item.target))


def _of_attack(state: State, title: str, attack: Attack) -> Experiment:
    before = state.piece(attack.target)

    def result(after: State) -> str:
        piece = after.piece(attack.target)
        if piece.area == LOST and before.area != LOST:
            return "eliminated"
        if piece.weak and not before.weak:
            return "becomes weak"
        return "miss, the turn ends" if after.turn_over or not after.deck else "miss"

    return Experiment(title, lambda: resolve(state, attack), result)
