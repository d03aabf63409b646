"""What the author of legal orders should know before he signs them: the dice of every combat, left-out ones too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.white_eagle.answers import Battle, Battles, Defence, Fight, Orders
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.kinds import Nation
from pbem.games.white_eagle.orders import write_battle, write_fight, write_march
from pbem.games.white_eagle.s5_orders import after_marches, after_recovery
from pbem.games.white_eagle.s8_plans import combat_of, combats
from pbem.games.white_eagle.s8_questions import planned_combats
from pbem.games.white_eagle.sheet_words import told_dice
from pbem.games.white_eagle.state import State, Unit, nation_of
from pbem.rules.play import Answer
from pbem.rules.ruleset import Remark


def remarks(data: GameData, answer: Answer, state: State) -> list[Remark]:
    """What can be said of the orders of a legal answer, each as `write_orders` has it; the others stand under none."""
    match answer:
        case Orders():
            return list(_of_orders(data, state, answer))
        case Battles():
            return list(_of_battles(data, state, answer))
        case Defence():
            return list(_of_defence(data, state, answer))
        case _:
            return []


def _of_orders(data: GameData, state: State, orders: Orders) -> Iterator[Remark]:
    after = after_marches(data, after_recovery(state, orders), orders)
    for march in orders.marches if state.soviets else ():
        if any(_is_east(data, after.units[UnitId(name)]) for name in march.units):
            text = "east of the German/Soviet Line: a German unit that is still there at the end costs 1 VP (10.0)"
            yield Remark(write_march(data, march), text)
    yield from _of_battles(data, after, orders.battles)


def _is_east(data: GameData, unit: Unit) -> bool:
    return nation_of(unit.id) is Nation.GERMAN and data.board.boxes[unit.box].east


def _of_battles(data: GameData, state: State, battles: Battles) -> Iterator[Remark]:
    """Both sides' dice in every combat as things stand, also in those that are fought without an order."""
    for battle in battles.battles:
        combat = combat_of(data, state, battle)
        if combat is not None:
            yield Remark(write_battle(data, battle), told_dice(data, state, combat, battle))
    named = [battle.box for battle in battles.battles]
    for combat in combats(data, state):
        if combat.must and combat.box not in named:
            later = "left for later" if battles.ask_again else "fought too"
            yield Remark("", f"{data.box_name(combat.box)}, {later}: {told_dice(data, state, combat)}")


def _of_defence(data: GameData, state: State, defence: Defence) -> Iterator[Remark]:
    """Both sides' dice in every attacked box, those that are left out too."""
    for battle, combat in planned_combats(data, state):
        fight = _fight_in(battle, defence.fights)
        dice = told_dice(data, state, combat, battle, fight)
        if fight is None:
            yield Remark("", f"{data.box_name(combat.box)}, left out: {dice}")
        else:
            yield Remark(write_fight(data, fight), dice)


def _fight_in(battle: Battle, fights: Sequence[Fight]) -> Fight | None:
    return next((fight for fight in fights if fight.box == battle.box), None)
