"""The sheet of an activation: who can recover, where every unit can go, which fights are in reach and their dice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.games.white_eagle.answers import Battle, March
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.kinds import Side
from pbem.games.white_eagle.names import written_event
from pbem.games.white_eagle.orders import write_battle, write_march
from pbem.games.white_eagle.s5_recovery import may_recover
from pbem.games.white_eagle.s7_march import placed
from pbem.games.white_eagle.s7_movement import Route, marchers, may_march, points, reachable
from pbem.games.white_eagle.s7_stacking import fits
from pbem.games.white_eagle.s8_plans import Combat, combats
from pbem.games.white_eagle.sheet_words import Scene, forces, own_boxes, told_dice
from pbem.games.white_eagle.state import State, Unit, side_of
from pbem.log.enumeration import cut

Reach = Mapping[UnitId, Mapping[BoxId, Route]]
MOST_GOALS = 14
EXAMPLES: Mapping[Side, str] = {
    Side.GERMAN: "attack Łódź with stuka losses IV Corps, XI Corps advance Rawa retreat Sieradz if Kalisz won",
    Side.POLISH: "attack Łódź with p11 losses Lodz INF, Lodz CAV retreat Rawa if Piotrków won",
}
_MOVE_HELP = (
    "# 'move A, B to X via Y': without 'via' the cheapest way. 'move all from Y to X': all there that may move and",
    "# have no other order. 'in support' behind it: into a box with enemies as supporting units (7.2), from one box.",
)
_ATTACK_HELP = (
    "# Boxes with enemies that you enter are fought for, ordered or not. All that is behind the box may be left out:",
    "# an event of yours, who takes the hits in turn (a unit twice takes two), where to advance, where to retreat,",
    "# 'leave' for a siege that you won and do not keep up, 'if X won' or 'unless X won' for an earlier combat.",
    "# Combats are fought in the order of the lines, others last. 'then ask': you are asked again behind the last.",
)


def orders_help(side: Side) -> tuple[str, ...]:
    """How marches and attacks are written, with units of the side that is asked."""
    return (*_MOVE_HELP, *attack_help(side))


def attack_help(side: Side) -> tuple[str, ...]:
    """How a combat is ordered."""
    return (f"# '{EXAMPLES[side]}':", *_ATTACK_HELP)


# ---------------------------------------------------------------------- movement


def order_lines(scene: Scene) -> Iterator[str]:
    """Recoveries, then own boxes one by one with the marches of the units in them, then fights."""
    data, state = scene.data, scene.state
    able = may_recover(data, state)
    if able:
        yield "# One of these may recover, and then neither moves nor attacks:"
        yield from (f"# recover {scene.unit(unit.id)}" for unit in able)
    reach: Reach = {unit.id: reachable(data, state, unit) for unit in marchers(data, state)}
    ours = [unit for unit in state.units.values() if _is_ours(scene, unit)]
    for box in own_boxes(scene, ours):
        here = [unit for unit in ours if unit.box == box]
        yield "#"
        yield f"# {scene.place(box)}: {', '.join(map(scene.told, here))}{_besieged(scene, box)}"
        yield from _move_lines(scene, here, reach)
    yield from _fights_in_reach(scene, reach)
    yield from _fights_at_hand(scene)


def _is_ours(scene: Scene, unit: Unit) -> bool:
    """Whether a unit belongs to the activated command, or may march with it."""
    activation = scene.state.activation
    assert activation is not None
    if side_of(unit.id) is not scene.side:
        return False
    mine = scene.data.unit(unit.id).command is activation.command
    return mine or may_march(scene.data, scene.state, unit) is None


def _besieged(scene: Scene, box: BoxId) -> str:
    enemies = scene.here(box, scene.side.enemy)
    return f"; with them {enemies}" if enemies else ""


def _move_lines(scene: Scene, units: Sequence[Unit], reach: Reach) -> Iterator[str]:
    """A line for all units of a box that can go to the same boxes, and why others cannot go anywhere."""
    groups: dict[tuple[BoxId, ...], list[Unit]] = {}
    for unit in units:
        if reach.get(unit.id):
            groups.setdefault(tuple(sorted(reach[unit.id])), []).append(unit)
        else:
            reason = may_march(scene.data, scene.state, unit)
            yield f"# {scene.unit(unit.id)} stays: {reason.hint or reason.text if reason else 'no box is in reach'}"
    for group in groups.values():
        yield _move_line(scene, group, reach[group[0].id])


def _move_line(scene: Scene, group: Sequence[Unit], routes: Mapping[BoxId, Route]) -> str:
    """Fights first in the comment, then the cheapest boxes."""
    first, *others = group
    goals = sorted(routes, key=lambda box: (not scene.is_opposed(box), routes[box].cost, scene.box(box)))
    best = next((goal for goal in reversed(goals) if _has_room(scene, first, goal)), goals[0])
    rest = [f"{scene.box(goal)} {routes[goal].cost}{_fight(scene, goal)}" for goal in goals if goal != best]
    also = f"; likewise {scene.units(others)}" if others else ""
    movement = f"{routes[best].cost} of {points(scene.data, scene.state, first)} MP{_fight(scene, best)}"
    more = f"; or {cut(rest, MOST_GOALS)}" if rest else ""
    return f"# move {scene.unit(first.id)} to {scene.box(best)}   # {movement}{more}{also}"


def _fight(scene: Scene, box: BoxId) -> str:
    return " (fight)" if scene.is_opposed(box) else ""


def _has_room(scene: Scene, unit: Unit, box: BoxId) -> bool:
    return fits(scene.data, scene.state, box, [*scene.state.of_side(box, scene.side), unit])


# ---------------------------------------------------------------------- fights


def _fights_in_reach(scene: Scene, reach: Reach) -> Iterator[str]:
    """For every box with enemies that can be entered: marches of the strongest that find room, and the dice."""
    boxes = sorted({box for routes in reach.values() for box in routes if scene.is_opposed(box)}, key=scene.box)
    if boxes:
        yield "#"
        yield "# Fights in reach, each with the strongest units that find room there together:"
    for box in boxes:
        marches = _storm(scene, reach, box)
        after = placed(scene.data, scene.state, marches)
        combat = next((one for one in combats(scene.data, after) if one.box == box and not one.sortie), None)
        if combat is not None:
            yield f"# {scene.place(box)}: {forces(Scene(scene.data, after, scene.side), combat, scene.side.enemy)}"
            yield from (f"# {write_march(scene.data, march)}" for march in marches)
            yield _ready_attack(scene, after, combat)


def _storm(scene: Scene, reach: Reach, box: BoxId) -> list[March]:
    """Marches of the strongest units into a box, as many as keep the limits with those of their side there."""
    able = [scene.state.units[name] for name, routes in reach.items() if box in routes]
    chosen: list[Unit] = []
    there = scene.state.of_side(box, scene.side)
    for unit in sorted(able, key=lambda unit: _strength(scene, unit)):
        if fits(scene.data, scene.state, box, [*there, *chosen, unit]):
            chosen.append(unit)
    paths: dict[tuple[BoxId, ...], list[UnitId]] = {}
    for unit in chosen:
        paths.setdefault(reach[unit.id][box].path, []).append(unit.id)
    return [March(units=tuple(units), path=path) for path, units in paths.items()]


def _strength(scene: Scene, unit: Unit) -> tuple[int, int, int, UnitId]:
    """The strongest unit first: its dice, its factor, its steps."""
    kind = scene.data.unit(unit.id)
    return -kind.dice, scene.data.factor(unit), int(unit.reduced), unit.id


def _fights_at_hand(scene: Scene) -> Iterator[str]:
    """What can be fought by who stands there already: sieges and sorties."""
    found = combats(scene.data, scene.state)
    if found:
        yield "#"
        yield "# Where you stand already, without any movement:"
    yield from (line for combat in found for line in combat_lines(scene, combat))


def combat_lines(scene: Scene, combat: Combat) -> Iterator[str]:
    """A combat with both sides, whether it must be fought, and a ready line."""
    ours, theirs = forces(scene, combat, combat.side), forces(scene, combat, combat.side.enemy)
    must = "" if combat.must else " (it may be left out)"
    yield f"# {scene.place(combat.box)}: {ours} against {theirs}{must}"
    yield _ready_attack(scene, scene.state, combat)


def _ready_attack(scene: Scene, state: State, combat: Combat) -> str:
    """An order as it stands, with the dice of both sides without events, and the events that could be used."""
    events = ", ".join(map(written_event, combat.attack_events))
    order = write_battle(scene.data, Battle(box=combat.box, sortie=combat.sortie))
    return f"# {order}   # {told_dice(scene.data, state, combat)}{f'. Ready: {events}' if events else ''}"
