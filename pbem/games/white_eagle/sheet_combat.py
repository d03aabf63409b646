"""The sheets of combat: what is left to fight, and how the other side can defend each of its boxes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.games.white_eagle.answers import Battle, Fight
from pbem.games.white_eagle.kinds import Side
from pbem.games.white_eagle.names import written_event
from pbem.games.white_eagle.orders import write_fight
from pbem.games.white_eagle.s8_plans import Combat, combats
from pbem.games.white_eagle.s8_questions import defence_retreats, planned_combats
from pbem.games.white_eagle.sheet_orders import combat_lines
from pbem.games.white_eagle.sheet_words import Scene, forces, told_dice

EXAMPLES: Mapping[Side, str] = {
    Side.GERMAN: "defend Neisse with stuka losses XI Corps, IV Corps retreat Breslau or Oppeln",
    Side.POLISH: "defend Łódź with train losses Lodz CAV, Lodz INF retreat Warszawa or Rawa",
}
_DEFENCE_HELP = (
    "# All that is behind the box may be left out: an event of yours, who takes the hits in turn (a unit twice takes",
    "# two), where to retreat, the best box first. In a siege that you lose your units stay; with 'leave' they go.",
    "# 'ask before each combat': you are asked anew when you have seen the results of the one before.",
    "# Beforehand, for every activation of the enemy: see `pbem orders GAME --standing`.",
)


def defence_help(side: Side) -> tuple[str, ...]:
    """How a defence is written, with units of the side that is asked."""
    return (f"# '{EXAMPLES[side]}':", *_DEFENCE_HELP)


def battle_lines(scene: Scene) -> Iterator[str]:
    """Every combat that can still be fought."""
    for combat in combats(scene.data, scene.state):
        yield "#"
        yield from combat_lines(scene, combat)


def defence_lines(scene: Scene) -> Iterator[str]:
    """Every attacked box: both sides with their dice, the plan of the attacker, and ready lines."""
    for battle, combat in planned_combats(scene.data, scene.state):
        yield "#"
        yield f"# {scene.place(combat.box)}: {forces(scene, combat, scene.side)}"
        yield f"# attacked by {forces(scene, combat, scene.side.enemy)}{_told_plan(scene, battle)}"
        yield f"# {told_dice(scene.data, scene.state, combat, battle)}"
        yield from _stands(scene, combat)


def _told_plan(scene: Scene, battle: Battle) -> str:
    """What the attacker has said of a combat that matters to the defender."""
    parts = [f"with {written_event(battle.event)}"] if battle.event else []
    parts += [f"if {scene.box(battle.when_won)} is won"] if battle.when_won else []
    parts += [f"unless {scene.box(battle.unless_won)} is won"] if battle.unless_won else []
    return f" ({', '.join(parts)})" if parts else ""


def _stands(scene: Scene, combat: Combat) -> Iterator[str]:
    """A line with each event that could be used, one with the retreat by default, one to leave a siege."""
    ways = defence_retreats(scene.data, scene.state, combat)
    for event in combat.defence_events:
        yield f"# {_defend(scene, Fight(box=combat.box, event=event))}"
    if ways:
        fight = Fight(box=combat.box, retreat=ways[:1], leave=combat.siege)
        others = f"   # or {scene.boxes(ways[1:])}" if ways[1:] else ""
        yield f"# {_defend(scene, fight)}{others}"
    elif combat.defenders:
        yield "# no way to retreat is open: who must retreat is eliminated"


def _defend(scene: Scene, fight: Fight) -> str:
    return write_fight(scene.data, fight)
