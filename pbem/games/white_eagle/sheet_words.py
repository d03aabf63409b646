"""What every sheet says in the same words: units, boxes, the cup, events, and the dice of a combat on both sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pbem.games.white_eagle.answers import Battle, Fight
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.data_files import GameData
from pbem.games.white_eagle.kinds import Side
from pbem.games.white_eagle.names import written_box, written_event, written_unit
from pbem.games.white_eagle.s3_setup import is_unmobilised
from pbem.games.white_eagle.s5_events import ready_events
from pbem.games.white_eagle.s6_victory import victory_points
from pbem.games.white_eagle.s8_combat import Engagement, cavalry_throws, other_throws
from pbem.games.white_eagle.s8_dice import Throw, told_modifiers
from pbem.games.white_eagle.s8_plans import Combat
from pbem.games.white_eagle.state import State, Unit, side_of
from pbem.log.enumeration import counted
from pbem.rules.listed import wrapped

WIDTH = 116


@dataclass(frozen=True, slots=True)
class Scene:
    """A position as one side looks at it."""

    data: GameData
    state: State
    side: Side

    def unit(self, unit: str) -> str:
        """A unit's name as an order may use it."""
        return written_unit(self.data, unit)

    def units(self, units: Iterable[Unit]) -> str:
        return ", ".join(self.unit(unit.id) for unit in units)

    def box(self, box: str) -> str:
        """A box's name as an order may use it."""
        return written_box(self.data, box)

    def boxes(self, boxes: Iterable[str]) -> str:
        return ", ".join(map(self.box, boxes))

    def told(self, unit: Unit) -> str:
        """`IV Corps 4+`, with what is not as usual: `XVI Panzer 4+ two dice`, `Lodz INF 6+ reduced`."""
        kind = self.data.unit(unit.id)
        marks = [self.unit(unit.id), f"{self.data.factor(unit)}+"]
        marks += ["two dice"] if kind.is_panzer and not unit.reduced else []
        if is_unmobilised(self.data, unit):
            marks.append(f"not mobilised before turn {kind.flips_on}")
        elif unit.reduced:
            marks.append("reduced")
        return " ".join(marks)

    def place(self, box: BoxId) -> str:
        """`Łódź, victory city`: what a box is."""
        facts, marks = self.data.board.boxes[box], [self.data.box_name(box)]
        if facts.victory:
            held = "German" if box in self.state.held else "Polish"
            marks.append(f"{held} victory city" + (f" ({facts.victory} VP)" if facts.victory > 1 else ""))
        steps = self.state.forts.get(box)
        if steps is not None:
            full = self.data.figures.fort.steps
            marks.append("fort" if steps == full else "fort reduced" if steps else "fort destroyed")
        return ", ".join(marks)

    def here(self, box: BoxId, side: Side) -> str:
        """The units of a side in a box, in words."""
        return ", ".join(map(self.told, self.state.of_side(box, side)))

    def is_opposed(self, box: BoxId) -> bool:
        """Whether entering a box is entering a fight."""
        return self.data.is_opposed(self.state, box, self.side)


# ---------------------------------------------------------------------- the state of the game


def standings(data: GameData, state: State) -> Iterator[str]:
    """Points, breakdowns, what is still in the cup, events that are ready."""
    points = victory_points(data, state)
    breakdowns = f"breakdowns {state.breakdowns} of {data.figures.breakdown.lost_at}"
    yield f"# German victory points {points} (victory with {data.figures.victory.german}), {breakdowns}."
    titles = Counter(data.chit(chit).title for chit in state.cup)
    chits = [title if count == 1 else f"{count} {title}" for title, count in titles.items()]
    yield from wrapped(f"{counted(len(state.cup), 'chit')} in the cup:", chits or ["none"], WIDTH)
    yield f"# Events ready: {'; '.join(f'{side.adjective} {_ready(data, state, side)}' for side in Side)}."


def _ready(data: GameData, state: State, side: Side) -> str:
    return ", ".join(map(written_event, ready_events(data, state, side))) or "none"


# ---------------------------------------------------------------------- dice


def told_dice(
    data: GameData, state: State, combat: Combat, battle: Battle | None = None, fight: Fight | None = None
) -> str:
    """`IV Corps: 1 die on 4+ against Lodz CAV: 1 die on 5+ first` with every modifier, as plans stand."""
    engagement = Engagement(combat, battle or Battle(box=combat.box), fight or Fight(box=combat.box))
    first = list(cavalry_throws(data, state, engagement))
    later = list(other_throws(data, state, engagement))
    sides = []
    for side in (combat.side, combat.side.enemy):
        parts = [f"{_told_throw(throw)} first" for throw in first if throw.side is side]
        parts += [_told_throw(throw) for throw in later if throw.side is side]
        sides.append("; ".join(parts) or "no dice")
    return " against ".join(sides)


def _told_throw(throw: Throw) -> str:
    dice = counted(throw.count, "die", "dice")
    panzer = " for one hit, two with a double" if throw.panzer else ""
    who = throw.who.removeprefix(f"{throw.side.adjective} ")
    return f"{who}: {dice} on {throw.factor}+{told_modifiers(throw.modifiers)}{panzer}"


def forces(scene: Scene, combat: Combat, side: Side) -> str:
    """Who fights for a side in a combat, its fort too: `fort, Narew INF 5+`."""
    fort = combat.attacking_fort if side is combat.side else combat.defending_fort
    names = combat.committed if side is combat.side else combat.defenders
    told = [scene.told(scene.state.units[name]) for name in names]
    told = [f"{one} in support" if name in combat.support else one for name, one in zip(names, told, strict=True)]
    return ", ".join([*(["fort"] if fort else []), *told]) or "nobody"


def own_boxes(scene: Scene, units: Iterable[Unit]) -> list[BoxId]:
    """The boxes where some units stand, by name."""
    boxes = {unit.box for unit in units if side_of(unit.id) is scene.side}
    return sorted(boxes, key=lambda box: scene.data.board.boxes[box].name)
