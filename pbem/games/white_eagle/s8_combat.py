"""The exchange of a combat (8.1 to 8.4, 9.0): events, modifiers, groups, Polish cavalry first, panzers, forts, hits.

Rulings 5-1, 8-2, 8-9, 9-1, 9-2, 9-5 and 9-6. Left out: reading the dice (`s8_dice`), and who leaves the box when the
hits are taken (`s8_outcome`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pbem.games.white_eagle.answers import Battle, Fight
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.kinds import Event, Nation, Side
from pbem.games.white_eagle.s5_events import use_event
from pbem.games.white_eagle.s6_victory import allied_modifier
from pbem.games.white_eagle.s8_dice import Modifier, Throw, make_throw
from pbem.games.white_eagle.s8_hits import Takers, take_hits
from pbem.games.white_eagle.s8_plans import Combat
from pbem.games.white_eagle.s9_siege import activated, fort_dice
from pbem.games.white_eagle.state import State, Unit, nation_of
from pbem.rules.play import Rules, report

EVENT_RULES = {
    Event.LUFTWAFFE: "5.1.b1",
    Event.BLITZKRIEG: "5.1.b2",
    Event.STUKA: "5.1.b3",
    Event.TRAIN: "5.1.b4",
    Event.P11: "5.1.b6",
}


@dataclass(frozen=True, slots=True)
class Engagement:
    """A combat with the plans of both sides."""

    combat: Combat
    attack: Battle
    defence: Fight

    def event_of(self, side: Side) -> Event | None:
        """The event that a side uses; none where that of its plan is not to be had any more (5.1)."""
        plan = self.attack if side is self.combat.side else self.defence
        return plan.event if plan.event in self.combat.events(side) else None

    @property
    def rolls_back(self) -> bool:
        """Whether the defender rolls: against a fort alone only with the Luftwaffe (9.0)."""
        return self.combat.sortie != "fort" or self.event_of(self.combat.side.enemy) is Event.LUFTWAFFE

    @property
    def rolling(self) -> tuple[Side, ...]:
        """The sides that roll, the attacker first."""
        side = self.combat.side
        return (side, side.enemy) if self.rolls_back else (side,)

    def fort_of(self, side: Side) -> int:
        """Steps of the fort that rolls for a side, 0 for none."""
        return self.combat.attacking_fort if side is self.combat.side else self.combat.defending_fort

    def rollers(self, state: State, side: Side) -> list[Unit]:
        """The units of a side that are still there to roll."""
        names = self.combat.committed if side is self.combat.side else self.combat.defenders
        return [state.units[name] for name in names if name in state.units]

    def takers(self) -> dict[Side, Takers]:
        """On whom the hits against each side fall, and in which order (8.4, 9.0, ruling 9-6)."""
        combat = self.combat
        attack, defence = (tuple(map(UnitId, plan.losses)) for plan in (self.attack, self.defence))
        own_fort = combat.box if combat.attacking_fort else None
        enemy_fort = combat.box if combat.defending_fort else None
        return {
            combat.side: Takers(combat.attackers, (*combat.support, *combat.sheltered), own_fort, attack),
            combat.side.enemy: Takers(combat.defenders, (), enemy_fort, defence),
        }


@dataclass(frozen=True, slots=True)
class Fought:
    """A combat whose hits have been taken: how many each side was dealt, surplus ones too (ruling 8-2), who is gone."""

    state: State
    hits: dict[Side, int]
    gone: dict[Side, bool]


# ---------------------------------------------------------------------- the exchange


def exchange(data: GameData, state: State, engagement: Engagement) -> Rules[Fought]:
    """Events are used up; cavalry rolls and its hits are taken, then all others roll at the same time (8.2 to 8.4)."""
    combat, takers = engagement.combat, engagement.takers()
    for side in engagement.combat.side, engagement.combat.side.enemy:
        state = yield from _trigger(data, state, engagement, side)
    hits = dict.fromkeys(Side, 0)
    for throws in (cavalry_throws, other_throws):
        if any(takers[side].are_gone(state) for side in Side):
            break
        dealt = yield from _roll_all(data, state, combat, list(throws(data, state, engagement)))
        for side in combat.side, combat.side.enemy:
            hits[side] += dealt[side]
            state, takers[side] = yield from take_hits(data, state, takers[side], dealt[side])
    return Fought(state, hits, {side: takers[side].are_gone(state) for side in Side})


def _trigger(data: GameData, state: State, engagement: Engagement, side: Side) -> Rules[State]:
    event = engagement.event_of(side)
    if event is None:
        return state
    text = "{side} event: {event}"
    yield from report(EVENT_RULES[event], text, side=side.adjective, event=event.full_name)
    return use_event(data, state, event)


def _roll_all(data: GameData, state: State, combat: Combat, throws: Iterable[Throw]) -> Rules[dict[Side, int]]:
    """The hits that throws at the same time deal to each side."""
    dealt = dict.fromkeys(Side, 0)
    for throw in throws:
        dealt[throw.side.enemy] += yield from make_throw(data.figures.combat, throw, label_of(state, combat))
    return dealt


def label_of(state: State, combat: Combat) -> str:
    """The part of a roll's label that names the combat: `turn-3/GER-South/Lodz`, with a number for a second one."""
    activation = activated(state)
    again = activation.fought.count(combat.box)
    return f"turn-{state.turn}/{activation.command}/{combat.box}{f'-{again + 1}' if again else ''}"


# ---------------------------------------------------------------------- who rolls what


def cavalry_throws(data: GameData, state: State, engagement: Engagement) -> Iterator[Throw]:
    """Polish cavalry rolls before all others, but not in a siege (8.3, 9.0)."""
    for side in () if engagement.combat.siege else engagement.rolling:
        riders = [unit for unit in engagement.rollers(state, side) if data.unit(unit.id).is_polish_cavalry]
        yield from _group_throws(data, state, engagement, side, riders, "-cavalry", "8.3.b1")


def other_throws(data: GameData, state: State, engagement: Engagement) -> Iterator[Throw]:
    """Groups of units with one factor, each panzer for itself, the fort; in a siege nobody has special dice (8.1)."""
    siege = engagement.combat.siege
    for side in engagement.rolling:
        units = engagement.rollers(state, side)
        panzers = [] if siege else [unit for unit in units if data.unit(unit.id).is_panzer and not unit.reduced]
        riders = [] if siege else [unit for unit in units if data.unit(unit.id).is_polish_cavalry]
        others = [unit for unit in units if unit not in panzers and unit not in riders]
        yield from _group_throws(data, state, engagement, side, others, "", "8.3.p1")
        yield from (_panzer_throw(data, state, engagement, unit) for unit in panzers)
        if engagement.fort_of(side):
            yield _fort_throw(data, engagement, side)


def _group_throws(
    data: GameData, state: State, engagement: Engagement, side: Side, units: Iterable[Unit], use: str, rule: str
) -> Iterator[Throw]:
    """One throw for all units of a side with one factor and the same modifiers (8.1)."""
    groups: dict[tuple[int, tuple[Modifier, ...]], list[UnitId]] = {}
    for unit in units:
        key = data.factor(unit), tuple(modifiers(data, state, engagement, unit))
        groups.setdefault(key, []).append(unit.id)
    for number, ((factor, shifts), names) in enumerate(groups.items()):
        another = f"-{number + 1}" if number else ""
        count = len(names) * data.figures.combat.dice
        who = f"{nation_of(names[0]).adjective} {data.names(tuple(names))}"
        yield Throw(side, f"{side}{use}{another}", who, rule, count, factor, shifts)


def _panzer_throw(data: GameData, state: State, engagement: Engagement, unit: Unit) -> Throw:
    kind, shifts = data.unit(unit.id), tuple(modifiers(data, state, engagement, unit))
    dice = data.figures.combat.panzer_dice
    who = f"{kind.nation.adjective} {kind.name}"
    return Throw(kind.side, unit.id, who, "8.3.b2", dice, data.factor(unit), shifts, panzer=True)


def _fort_throw(data: GameData, engagement: Engagement, side: Side) -> Throw:
    """A fort's dice take the event of its side and no other modifier (ruling 9-5)."""
    who = f"{side.adjective} fort of {data.box_name(engagement.combat.box)}"
    dice, shifts = fort_dice(data, engagement.fort_of(side)), tuple(_event_modifier(data, engagement, side))
    return Throw(side, f"{side}-fort", who, "9.0.b3", dice, data.figures.fort.factor, shifts)


def modifiers(data: GameData, state: State, engagement: Engagement, unit: Unit) -> Iterator[Modifier]:
    """What is added to a unit's dice: event, breakdown, Allied Involvement (4.2, 5.1, 6.2, 8.2)."""
    kind, activation = data.unit(unit.id), activated(state)
    yield from _event_modifier(data, engagement, kind.side)
    if activation.breakdown and kind.command is activation.command:
        yield Modifier("breakdown", data.figures.breakdown.modifier)
    allied = allied_modifier(data, state)
    if allied and nation_of(unit.id) is Nation.GERMAN:
        yield Modifier("Allied Involvement", allied)


def _event_modifier(data: GameData, engagement: Engagement, side: Side) -> Iterator[Modifier]:
    event = engagement.event_of(side)
    if event is not None and event is not Event.LUFTWAFFE:
        yield Modifier(event.full_name, data.figures.events.modifier)
