"""Why combats cannot be ordered or defended as a player wants to (5.1, 8.0 to 9.0), as refusals.

Rulings 5-1, 8-8, 8-16 and 8-18. What can be fought is in `s8_plans`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pbem.games.white_eagle.answers import Battle, Battles, Defence, Fight
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.kinds import Event, Side
from pbem.games.white_eagle.s5_events import ready_events
from pbem.games.white_eagle.s8_plans import Combat, combat_of, combats, helps_attack, helps_defence
from pbem.games.white_eagle.s9_siege import activated, garrison, is_besieged, why_no_sortie
from pbem.games.white_eagle.state import State
from pbem.rules.refusal import Refusal

EVENT_RULES = {
    Event.LUFTWAFFE: "5.1.b1",
    Event.BLITZKRIEG: "5.1.b2",
    Event.STUKA: "5.1.b3",
    Event.TRAIN: "5.1.b4",
    Event.SABOTAGE: "5.1.b5",
    Event.P11: "5.1.b6",
}
WHERE_USED = {
    Event.LUFTWAFFE: "in combat it is used by besiegers against a fort that attacks alone",
    Event.BLITZKRIEG: "it is used in an attack, but not against a fort",
    Event.TRAIN: "it is used in defence, inside Poland",
    Event.SABOTAGE: "it is used before German movement, not in combat",
}
FARTHEST = 2
"""Lines between a combat and the second box of a retreat (8.5)."""


# ---------------------------------------------------------------------- the activated side


def battle_refusals(data: GameData, state: State, battles: Battles) -> list[Refusal]:
    """Every reason against combats, in the position after the marches; `line` is the number of the order, from 1."""
    found: list[Refusal] = []
    for number, battle in enumerate(battles.battles, start=1):
        earlier = battles.battles[: number - 1]
        found += [replace(reason, line=number) for reason in _battle_reasons(data, state, battle, earlier)]
    if battles.ask_again and not battles.battles:
        text = "expected a combat before the question what comes next, got none"
        found.append(Refusal("battle.ask", text, "8.0.p1", "order a combat first, or leave the question out"))
    return found


def _battle_reasons(data: GameData, state: State, battle: Battle, earlier: Sequence[Battle]) -> Iterator[Refusal]:
    if battle.box not in data.board.boxes:
        yield Refusal("battle.box", f"expected a box of the map, got '{battle.box}'", "8.0.p1")
        return
    combat = combat_of(data, state, battle)
    leads_on = [one for one in earlier if battle.box in one.advance]
    if combat is None and (battle.sortie or not leads_on):
        yield _no_combat(data, state, battle)
        return
    yield from _attack_event(data, state, battle, earlier)
    yield from _again(data, battle, earlier)
    yield from _conditions(data, state, battle, earlier)
    yield from _losses(data, battle, _could_lose(data, state, [battle.box, *(one.box for one in leads_on)]))
    yield from _goals(data, battle)
    yield from _ways(data, battle)
    if battle.leave and not state.forts.get(BoxId(battle.box)):
        yield _no_leave(data, battle)


def _no_combat(data: GameData, state: State, battle: Battle) -> Refusal:
    """Why there is no such combat: no fort or not its turn, nobody there, or only a sortie can be made."""
    box, activation = BoxId(battle.box), activated(state)
    name = data.box_name(box)
    if battle.sortie:
        reason = why_no_sortie(data, state, box)
        if reason is not None:
            return reason
        if battle.sortie == "all" and not garrison(data, state, box):
            text = f"expected units in the fort of {name} for a sortie with all, got none"
            return Refusal("battle.sortie", text, "9.0.b6", "the fort alone can attack")
        text = f"expected a combat of the units that came to support in {name}, got one of the fort alone"
        return Refusal(
            "battle.sortie", text, "9.0.b7", "supporting units must fight: attack, or make a sortie with all"
        )
    if is_besieged(data, state, box, activation.side):
        text = f"expected units that came to the relief of {name}, got none that can attack"
        return Refusal("battle.nobody", text, "9.0.p2", "what is in the fort attacks by a sortie")
    text = f"expected a box where units of {activation.command.full_name} can fight, got {name}"
    return Refusal("battle.nobody", text, "8.0.p1", _possible(data, combats(data, state)))


def _possible(data: GameData, some: Iterable[Combat]) -> str:
    told = {"": "attack {box}", "all": "sortie of all in {box}", "fort": "the fort of {box} alone"}
    named = ", ".join(told[combat.sortie].format(box=data.box_name(combat.box)) for combat in some)
    return f"possible are: {named}" if named else "no combat is possible"


def _attack_event(data: GameData, state: State, battle: Battle, earlier: Sequence[Battle]) -> Iterator[Refusal]:
    if battle.event is None:
        return
    box, side = BoxId(battle.box), activated(state).side
    helps = battle.event.side is side and helps_attack(data, state, box, battle.event)
    yield from _event_reasons(data, state, side, battle, helps)
    for other in earlier:
        if other.event is battle.event and not exclude_each_other(battle, other) and _copies(data, state, other) < 2:
            yield _used_twice(data, battle, other)
            break


def _event_reasons(data: GameData, state: State, side: Side, fight: Fight, helps: bool) -> Iterator[Refusal]:
    """An event of the other side or not at hand, or one that cannot be used there."""
    event = fight.event
    assert event is not None
    ready = ready_events(data, state, side)
    if event not in ready:
        text = f"expected an event of the {side.adjective} side that is drawn and not used, got {event.full_name}"
        names = ", ".join(one.full_name for one in ready)
        yield Refusal("battle.event", text, "5.1.p1", f"ready: {names}" if names else "no event is ready")
    elif not helps:
        text = f"expected an event that can be used in this combat in {data.box_name(BoxId(fight.box))}"
        yield Refusal("battle.event", f"{text}, got {event.full_name}", EVENT_RULES[event], WHERE_USED.get(event, ""))


def _copies(data: GameData, state: State, fight: Fight) -> int:
    """Chits of an event that are drawn and not used."""
    return sum(data.chit(chit).event is fight.event for chit in state.pulled if chit not in state.used)


def _used_twice(data: GameData, fight: Fight, other: Fight) -> Refusal:
    assert fight.event is not None
    where = data.box_name(BoxId(other.box)) if other.box in data.board.boxes else other.box
    text = f"expected each event in one combat of a turn, got {fight.event.full_name} again after {where}"
    return Refusal("battle.event_twice", text, "5.1.p1", "conditions that exclude each other would allow it")


def exclude_each_other(one: Battle, other: Battle) -> bool:
    """Whether two orders wait for opposite results of one combat."""
    pairs = ((one.when_won, other.unless_won), (other.when_won, one.unless_won))
    return any(won is not None and won == lost for won, lost in pairs)


def _again(data: GameData, battle: Battle, earlier: Sequence[Battle]) -> Iterator[Refusal]:
    if any(other.box == battle.box and not exclude_each_other(battle, other) for other in earlier):
        text = f"expected one combat in {data.box_name(BoxId(battle.box))}, got another"
        yield Refusal("battle.twice", text, "8.0.p1")


def _conditions(data: GameData, state: State, battle: Battle, earlier: Sequence[Battle]) -> Iterator[Refusal]:
    """A condition is on an earlier combat, or on one that was fought, and can still come true (ruling 8-18)."""
    fought, won = activated(state).fought, activated(state).won
    boxes = [other.box for other in earlier]
    for box, wanted in ((battle.when_won, True), (battle.unless_won, False)):
        if box is None or box in boxes:
            continue
        name = data.box_name(BoxId(box)) if box in data.board.boxes else f"'{box}'"
        if box not in fought:
            text = f"expected a condition on an earlier combat, got {name}"
            yield Refusal("battle.condition", text, "8.0.p1", "write the combat that it waits for above it")
        elif (box in won) is not wanted:
            text = f"expected a condition that can come true, got one on {name}, {'won' if box in won else 'not won'}"
            yield Refusal("battle.condition", text, "8.0.p1")
    if battle.when_won is not None and battle.when_won == battle.unless_won:
        text = f"expected a condition that can come true, got {_shown(data, battle.when_won)} won and not won"
        yield Refusal("battle.condition", text, "8.0.p1")


def _could_lose(data: GameData, state: State, boxes: Iterable[str]) -> set[str]:
    """The attacking units in some boxes: those of a combat, and those that could advance into it."""
    there = [combat for combat in combats(data, state) if combat.box in boxes]
    return {name for combat in there for name in (*combat.committed, *combat.sheltered)}


def _losses(data: GameData, fight: Fight, able: Iterable[str]) -> Iterator[Refusal]:
    known = {*able}
    for name in dict.fromkeys(name for name in fight.losses if name not in known):
        shown = data.name(UnitId(name)) if name in data.forces.units else f"'{name}'"
        names = ", ".join(sorted(data.name(UnitId(one)) for one in known))
        text = f"expected units of this combat to take hits, got {shown}"
        yield Refusal("battle.losses", text, "8.4.p1", f"they can fall on {names}" if names else "")


def _goals(data: GameData, battle: Battle) -> Iterator[Refusal]:
    near = data.board.neighbours[BoxId(battle.box)]
    name = data.box_name(BoxId(battle.box))
    if battle.sortie == "fort" and battle.advance:
        yield Refusal("battle.advance", f"expected no advance of the fort of {name} alone, got one", "9.0.b7")
        return
    for box in dict.fromkeys(box for box in battle.advance if box not in near):
        text = f"expected a box beside {name} for an advance, got {_shown(data, box)}"
        yield Refusal("battle.advance", text, "8.5.p5", f"lines lead to {', '.join(map(data.box_name, near))}")


def _ways(data: GameData, fight: Fight) -> Iterator[Refusal]:
    here = BoxId(fight.box)
    near = data.board.neighbours[here]
    for box in dict.fromkeys(fight.retreat):
        far = data.board.distance(here, BoxId(box)) if box in data.board.boxes else 0
        if not 0 < far <= FARTHEST:
            text = f"expected boxes near {data.box_name(here)} for a retreat, got {_shown(data, box)}"
            yield Refusal("battle.retreat", text, "8.5.b2", f"lines lead to {', '.join(map(data.box_name, near))}")


def _shown(data: GameData, box: str) -> str:
    return data.box_name(BoxId(box)) if box in data.board.boxes else f"'{box}'"


def _no_leave(data: GameData, fight: Fight) -> Refusal:
    text = f"expected a siege to leave, got an open combat in {data.box_name(BoxId(fight.box))}"
    return Refusal("battle.leave", text, "9.0.b4", "in the open the loser retreats, and the winner stays")


# ---------------------------------------------------------------------- the other side


def defence_refusals(data: GameData, state: State, defence: Defence) -> list[Refusal]:
    """Every reason against a defence, in the position with the planned combats; `line` as for combats."""
    found: list[Refusal] = []
    planned = [(battle, combat_of(data, state, battle)) for battle in activated(state).planned]
    attacked = [combat for _, combat in planned if combat is not None]
    for number, fight in enumerate(defence.fights, start=1):
        earlier = defence.fights[: number - 1]
        found += [replace(reason, line=number) for reason in _fight_reasons(data, state, fight, attacked, earlier)]
    return found


def _fight_reasons(
    data: GameData, state: State, fight: Fight, attacked: Sequence[Combat], earlier: Sequence[Fight]
) -> Iterator[Refusal]:
    there = [combat for combat in attacked if combat.box == fight.box]
    if not there:
        text = f"expected a box that is attacked, got {_shown(data, fight.box)}"
        names = ", ".join(dict.fromkeys(data.box_name(combat.box) for combat in attacked))
        yield Refusal("defence.box", text, "8.0.p1", f"attacked are {names}")
        return
    if any(other.box == fight.box for other in earlier):
        yield Refusal("defence.twice", f"expected one defence of {_shown(data, fight.box)}, got another", "8.0.p1")
    yield from _defence_event(data, state, fight, there, earlier)
    yield from _losses(data, fight, [name for combat in there for name in combat.defenders])
    yield from _ways(data, fight)
    if fight.leave and not there[0].siege:
        yield _no_leave(data, fight)


def _defence_event(
    data: GameData, state: State, fight: Fight, there: Sequence[Combat], earlier: Sequence[Fight]
) -> Iterator[Refusal]:
    """An event may be planned where it may come to be fought in either of two boxes: the first fight takes it (8-8)."""
    if fight.event is None:
        return
    side = activated(state).side.enemy
    helps = fight.event.side is side and any(helps_defence(data, c.box, c.sortie, fight.event) for c in there)
    yield from _event_reasons(data, state, side, fight, helps)
    sure = _sure_to_be_fought(state)
    for other in earlier:
        both = {fight.box, other.box} <= sure
        if other.event is fight.event and both and _copies(data, state, other) < 2:
            yield _used_twice(data, fight, other)
            break


def _sure_to_be_fought(state: State) -> set[str]:
    """Boxes with a planned combat that waits for nothing."""
    return {one.box for one in activated(state).planned if one.when_won is None and one.unless_won is None}
