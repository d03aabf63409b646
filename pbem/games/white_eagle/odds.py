"""What `pbem odds` is asked: combats in the order language, of units that stand beside a box or in it, exactly.

`attack Łódź with IV Corps, XVI Panzer, stuka support VIII Corps against train`, `sortie Modlin`, `fire from Modlin`.
Whose turn it is, movement points and whether an event has been drawn do not matter. Nobody advances, and who may leave
a siege stays, unless the order says `leave`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from pbem.games.white_eagle.answers import Battle, Battles, Defence, Fight
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.kinds import Command, Event, Side
from pbem.games.white_eagle.meaning import Assault
from pbem.games.white_eagle.misread import VERBS
from pbem.games.white_eagle.orders import forms_of, read_battle
from pbem.games.white_eagle.s7_movement import barred
from pbem.games.white_eagle.s7_stacking import broken_limits
from pbem.games.white_eagle.s8_combat import Engagement
from pbem.games.white_eagle.s8_outcome import Resolved, resolve
from pbem.games.white_eagle.s8_plans import Combat, combat_of
from pbem.games.white_eagle.s8_refusals import battle_refusals, defence_refusals
from pbem.games.white_eagle.s9_siege import fort_command
from pbem.games.white_eagle.state import Activation, State, Unit, side_of
from pbem.rules.refusal import Refusal, Refused
from pbem.rules.ruleset import Experiment, Measure
from pbem.rules.sheet import SheetLine, read_sheet

VERB = "attack "


def experiments(data: GameData, state: State, text: str) -> Sequence[Experiment]:
    """One experiment for every line of `text`; Refused, with line and column, for what nobody could order."""
    lines = read_sheet(text).lines
    if not lines:
        example = forms_of("battles", Side.GERMAN)[0]
        raise Refused((Refusal("odds.empty", f"expected a combat such as {example}, got none"),))
    return [_experiment(data, state, line) for line in lines]


def _experiment(data: GameData, state: State, line: SheetLine) -> Experiment:
    assault = _read(data, state, line)
    _refuse(line, _unit_reasons(data, state, assault))
    before = imagined(data, state, assault)
    _refuse(line, battle_refusals(data, before, Battles(battles=(assault.battle,))))
    _refuse(line, defence_refusals(data, before, _defence(assault)))
    combat = combat_of(data, before, assault.battle)
    assert combat is not None
    engagement = Engagement(combat, assault.battle, *_defence(assault).fights)
    rule = partial(resolve, data, before, engagement)
    return Experiment(_title(data, engagement), rule, partial(_told, data, before, combat), _measures(data, combat))


def _refuse(line: SheetLine, reasons: Iterable[Refusal]) -> None:
    found = [replace(reason, line=line.number, column=line.indent + 1) for reason in reasons]
    if found:
        raise Refused(found)


def _read(data: GameData, state: State, line: SheetLine) -> Assault:
    """The combat that a line means; its verb may be left out."""
    added = "" if VERBS.begins(line.text, "attack") else VERB
    try:
        assault = read_battle(data, state, added + line.text)
    except Refused as refused:
        start = line.indent - len(added)
        places = [max(line.indent + 1, start + reason.column) for reason in refused.refusals]
        pairs = zip(refused.refusals, places, strict=True)
        raise Refused([replace(reason, line=line.number, column=at) for reason, at in pairs]) from None
    unconditional = {"advance": (), "when_won": None, "unless_won": None}
    return replace(assault, battle=assault.battle.model_copy(update=unconditional))


def _defence(assault: Assault) -> Defence:
    return Defence(fights=(Fight(box=assault.battle.box, event=assault.against),))


# ---------------------------------------------------------------------- the position that an order imagines


def imagined(data: GameData, state: State, assault: Assault) -> State:
    """The position in which the named units have entered the box, and the named events are drawn."""
    state = _drawn(data, state, [assault.battle.event, assault.against])
    named = [state.units[name] for name in (*assault.units, *assault.support) if name in state.units]
    box, fort = BoxId(assault.battle.box), bool(assault.battle.sortie)
    if not named and not fort:
        return _with_order(state, assault.battle) if state.activation else state
    command = _command(data, state, box, named)
    known = state.activation if state.activation and state.activation.command is command else Activation(command)
    came = {name: at for name, at in known.came.items() if name in state.units and state.units[name].box == box}
    came |= {unit.id: unit.box for unit in named if unit.box != box}
    others = [unit.id for unit in state.of_side(box, command.side) if unit not in named]
    activation = Activation(
        command,
        breakdown=known.breakdown,
        came=came,
        support=tuple(name for name in assault.support if name in came),
        idle=() if fort else tuple(others),
    )
    forts = tuple(one for one in state.fort_turns if one != box)
    state = state.with_units([replace(unit, box=box) for unit in named])
    return _with_order(replace(state, activation=activation, fort_turns=forts), assault.battle)


def _command(data: GameData, state: State, box: BoxId, named: Sequence[Unit]) -> Command:
    """The activated command if any of the units is of it, else that of the first one, or of the fort."""
    commands = [data.unit(unit.id).command for unit in named] or [fort_command(data, box)]
    activated = state.activation.command if state.activation else None
    return activated if activated in commands else commands[0]


def _drawn(data: GameData, state: State, events: Iterable[Event | None]) -> State:
    wanted = [chit for chit, facts in data.forces.chits.items() if facts.event and facts.event in events]
    pulled = (*state.pulled, *(chit for chit in wanted if chit not in state.pulled))
    return replace(state, pulled=pulled, used=tuple(chit for chit in state.used if chit not in wanted))


def _with_order(state: State, battle: Battle) -> State:
    assert state.activation is not None
    return replace(state, activation=replace(state.activation, planned=(battle,)))


# ---------------------------------------------------------------------- reasons against it


def _unit_reasons(data: GameData, state: State, assault: Assault) -> Iterator[Refusal]:
    """Units that are not there or far away, that may not enter, that are too many, or none at all."""
    names = dict.fromkeys((*assault.units, *assault.support))
    units = [state.units[name] for name in names if name in state.units]
    box = BoxId(assault.battle.box)
    for name in names:
        if name not in state.units:
            yield Refusal("odds.unit", f"expected units on the map, got {data.name(name)}")
    for unit in units:
        yield from _place_reasons(data, state, unit, box)
    if not names and not assault.battle.sortie and not _is_under_way(data, state, assault.battle):
        yield _no_units(data, state, box)
    if assault.battle.sortie and not data.fort_side(box):
        yield Refusal("odds.fort", f"expected a fort for a sortie, got {data.box_name(box)}", "9.0.p2")
    for group in (assault.units, assault.support):
        together = [state.units[name] for name in group if name in state.units]
        yield from broken_limits(data, state, box, together, fort_limit=False) if together else ()


def _place_reasons(data: GameData, state: State, unit: Unit, box: BoxId) -> Iterator[Refusal]:
    reason = barred(data, state, unit, box)
    if unit.box != box and unit.box not in data.board.neighbours[box]:
        where = data.box_name(box)
        text = f"expected units in {where} or beside it, got {data.name(unit.id)} in {data.box_name(unit.box)}"
        near = ", ".join(map(data.box_name, data.board.neighbours[box]))
        yield Refusal("odds.far", text, "8.0.p1", f"beside it are {near}")
    elif reason is not None:
        yield reason


def _is_under_way(data: GameData, state: State, battle: Battle) -> bool:
    """Whether units of the activated side are in the box to fight there already."""
    return state.activation is not None and combat_of(data, state, battle) is not None


def _no_units(data: GameData, state: State, box: BoxId) -> Refusal:
    near = [unit for one in data.board.neighbours[box] for unit in state.at(one) if _is_enemy(data, state, unit, box)]
    names = data.names(tuple(unit.id for unit in near))
    text = f"expected units that attack {data.box_name(box)}, got none"
    hint = f"write 'with' and units; beside it stand {names}" if names else "no unit that could attack stands beside it"
    return Refusal("odds.units", text, "8.0.p1", hint)


def _is_enemy(data: GameData, state: State, unit: Unit, box: BoxId) -> bool:
    return data.is_opposed(state, box, side_of(unit.id))


# ---------------------------------------------------------------------- how it is told


def _title(data: GameData, engagement: Engagement) -> str:
    """Both sides with their events: `German attack on Łódź: IV Corps with Ju 87 Stuka against Lodz INF`."""
    combat = engagement.combat
    where, fort = data.box_name(combat.box), f"the fort of {data.box_name(combat.box)}"
    attackers = [*([fort] if combat.attacking_fort else []), *map(data.name, combat.attackers)]
    defenders = [*([fort] if combat.defending_fort else []), *map(data.name, combat.defenders)]
    support = f", in support {data.names(combat.support)}" if combat.support else ""
    sides = (
        f"{', '.join(attackers)}{support}{_with(engagement, combat.side)}",
        f"{', '.join(defenders)}{_with(engagement, combat.side.enemy)}",
    )
    verb = "sortie from" if combat.sortie else "attack on"
    return f"{combat.side.adjective} {verb} {where}: {' against '.join(sides)}"


def _with(engagement: Engagement, side: Side) -> str:
    event = engagement.event_of(side)
    return f" with {event.full_name}" if event else ""


def _told(data: GameData, before: State, combat: Combat, resolved: Resolved) -> str:
    """Hits on both sides, what became of every unit that took some or left, and of the box."""
    hits = [
        f"{resolved.on_defender} on the {combat.side.enemy.adjective} side",
        f"{resolved.on_attacker} on the {combat.side.adjective} one",
    ]
    fates = [told for name in before.units if (told := _fate(data, before, resolved.state, combat, name))]
    box = _box_fate(data, before, resolved.state, combat)
    return "; ".join([f"hits: {', '.join(hits)}", *fates, *box])


def _fate(data: GameData, before: State, after: State, combat: Combat, name: UnitId) -> str:
    old, new = before.units[name], after.units.get(name)
    if new is None:
        return f"{data.name(name)} eliminated"
    changes = ["reduced"] if new.reduced and not old.reduced else []
    if new.box != old.box:
        came = before.activation.came.get(name) if before.activation else None
        word = "back to" if name in combat.committed and came == new.box else "to"
        changes.append(f"{word} {data.box_name(new.box)}")
    return f"{data.name(name)} {' and '.join(changes)}" if changes else ""


def _box_fate(data: GameData, before: State, after: State, combat: Combat) -> Iterator[str]:
    old, new = before.forts.get(combat.box, 0), after.forts.get(combat.box, 0)
    if new < old:
        yield f"fort {'reduced' if new else 'destroyed'}"
    if is_taken(data, combat, after):
        yield _goal(combat)


def _goal(combat: Combat) -> str:
    """What a combat is for: a box, or in an own fort that the besiegers are gone."""
    return "siege lifted" if combat.siege and not combat.defending_fort else "box taken"


def is_taken(data: GameData, combat: Combat, after: State) -> bool:
    """Whether the attacker alone is in the box behind the combat."""
    mine = bool(after.of_side(combat.box, combat.side)) or data.fort_against(after, combat.box, combat.side.enemy)
    return mine and not data.is_opposed(after, combat.box, combat.side)


def _measures(data: GameData, combat: Combat) -> tuple[Measure, ...]:
    attacker, defender = combat.side.adjective, combat.side.enemy.adjective
    return (
        Measure(_goal(combat), lambda resolved: int(is_taken(data, combat, resolved.state)), is_chance=True),
        Measure(f"hits on the {defender} side", lambda resolved: int(resolved.on_defender)),
        Measure(f"hits on the {attacker} side", lambda resolved: int(resolved.on_attacker)),
    )
