"""Which combats there are (8.0, 9.0), who fights in them, and which events each side could use (5.1).

Rulings 8-1, 8-12, 9-1 to 9-4, 9-8, 9-11 and 9-12. Left out: what is wrong with orders for them (`s8_refusals`), and
fighting them (`s8_combat`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from pbem.games.white_eagle.answers import Battle
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.kinds import Event, Side
from pbem.games.white_eagle.s5_events import ready_events
from pbem.games.white_eagle.s9_siege import (
    activated,
    fort_stands,
    garrison,
    is_first_entry,
    storming,
    why_no_sortie,
)
from pbem.games.white_eagle.state import State, Unit

Sortie = Literal["", "all", "fort"]


@dataclass(frozen=True, slots=True)
class Combat:
    """A combat that `side`, which is activated, can fight as things stand; units in the order of their ids.

    `attackers` are the primary units and `support` the supporting ones (8.6). `sortie` is `all` for one of a whole
    fort, whose units are attackers, and `fort` for one of the fort alone; units inside that do not fight are
    `sheltered`: they do not roll, but take hits before the fort does (9.0). `attacking_fort` and `defending_fort` are
    the steps of a fort that takes part, 0 for none. `siege` says that any fort stands in the box, `must` that the
    combat cannot be left out (ruling 8-1). `launched` are the boxes from which attackers came (8.5). `attack_events`
    and `defence_events` are those that the sides could use now, the Luftwaffe against a fort alone among them (5.1).
    """

    box: BoxId
    side: Side
    attackers: tuple[UnitId, ...]
    support: tuple[UnitId, ...]
    defenders: tuple[UnitId, ...]
    sortie: Sortie
    siege: bool
    must: bool
    sheltered: tuple[UnitId, ...]
    attacking_fort: int
    defending_fort: int
    launched: tuple[BoxId, ...]
    attack_events: tuple[Event, ...]
    defence_events: tuple[Event, ...]

    @property
    def committed(self) -> tuple[UnitId, ...]:
        """All attacking units, those who support last."""
        return (*self.attackers, *self.support)

    def events(self, side: Side) -> tuple[Event, ...]:
        """The events that a side could use now."""
        return self.attack_events if side is self.side else self.defence_events


def combats(data: GameData, state: State) -> tuple[Combat, ...]:
    """Every combat that can be fought now, by box; of those in one box, one at most is fought in an activation."""
    boxes = dict.fromkeys(unit.box for unit in state.units.values())
    side = activated(state).side
    contested = sorted(box for box in boxes if data.is_opposed(state, box, side))
    return tuple(combat for box in contested for combat in _combats_in(data, state, box))


def combat_of(data: GameData, state: State, battle: Battle) -> Combat | None:
    """The combat that an order means, None when it cannot be fought now."""
    box = BoxId(battle.box)
    if box not in data.board.boxes or not data.is_opposed(state, box, activated(state).side):
        return None
    return next((one for one in _combats_in(data, state, box) if one.sortie == battle.sortie), None)


def _combats_in(data: GameData, state: State, box: BoxId) -> Iterator[Combat]:
    """The attack or relief by units that came, then sorties of all that is in the fort and of the fort alone."""
    units = storming(data, state, box)
    support = [unit for unit in units if unit.id in activated(state).support]
    own_fort = fort_stands(data, state, box, activated(state).side)
    if units and not (own_fort and box in activated(state).fought):
        yield _combat(data, state, box, units, must=bool(support) or _must_attack(data, state, box))
    if own_fort and why_no_sortie(data, state, box) is None:
        inside = garrison(data, state, box)
        if inside:
            yield _combat(data, state, box, inside, "all")
        if not support:
            yield _combat(data, state, box, (), "fort")


def _must_attack(data: GameData, state: State, box: BoxId) -> bool:
    """Always in the open; a fort is attacked when its box is entered, later only if the attacker wants to (8-1).

    Who comes into his own fort need not fight, but supporting units must everywhere (ruling 9-12).
    """
    side = activated(state).side
    if data.fort_against(state, box, side):
        return is_first_entry(state, box, side)
    return not fort_stands(data, state, box, side)


def _combat(
    data: GameData, state: State, box: BoxId, units: Iterable[Unit], sortie: Sortie = "", *, must: bool = False
) -> Combat:
    activation = activated(state)
    side = activation.side
    names = [unit.id for unit in units]
    defenders = [unit.id for unit in state.of_side(box, side.enemy) if unit.id not in activation.idle]
    inside = [unit.id for unit in state.of_side(box, side)] if sortie else []
    fort = state.forts.get(box, 0)
    against_fort = data.fort_against(state, box, side)
    attack, defence = _events(data, state, box, sortie)
    return Combat(
        box=box,
        side=side,
        attackers=tuple(name for name in names if name not in activation.support),
        support=tuple(name for name in names if name in activation.support),
        defenders=tuple(defenders),
        sortie=sortie,
        siege=fort > 0,
        must=must,
        sheltered=tuple(name for name in inside if name not in names),
        attacking_fort=fort if sortie else 0,
        defending_fort=fort if against_fort else 0,
        launched=tuple(sorted({activation.came[name] for name in names if name in activation.came})),
        attack_events=attack,
        defence_events=defence,
    )


# ---------------------------------------------------------------------- events


def _events(data: GameData, state: State, box: BoxId, sortie: Sortie) -> tuple[tuple[Event, ...], tuple[Event, ...]]:
    side = activated(state).side
    attack = tuple(one for one in ready_events(data, state, side) if helps_attack(data, state, box, one))
    ready = ready_events(data, state, side.enemy)
    return attack, tuple(one for one in ready if helps_defence(data, box, sortie, one))


def helps_attack(data: GameData, state: State, box: BoxId, event: Event) -> bool:
    """Whether an event can be used by who attacks in a box: Blitzkrieg, but against no fort, Stuka, P.11 (5.1)."""
    if event is Event.BLITZKRIEG:
        return not data.fort_against(state, box, Side.GERMAN)
    return event in (Event.STUKA, Event.P11)


def helps_defence(data: GameData, box: BoxId, sortie: Sortie, event: Event) -> bool:
    """Whether an event can be used by who is attacked in a box: Stuka, P.11, in Poland the train (5.1).

    Where the fort alone attacks only the Luftwaffe can, as nothing else makes the besiegers roll (9.0).
    """
    if sortie == "fort":
        return event is Event.LUFTWAFFE
    if event is Event.TRAIN:
        return data.board.in_poland(box)
    return event in (Event.STUKA, Event.P11)
