"""Where the units of an activated command go: first, each time, the attack or capture that gains most, then others.

A plan is worth what its boxes are worth, each by itself: expectations of combats, and units where they then stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pbem.games.white_eagle.answers import March
from pbem.games.white_eagle.board import BoxId
from pbem.games.white_eagle.bot_assault import Group, Spot, groups
from pbem.games.white_eagle.bot_fight import PERCENT, POINT, exchange_worth, imagined, prize
from pbem.games.white_eagle.bot_odds import SURE
from pbem.games.white_eagle.bot_view import View
from pbem.games.white_eagle.bot_worth import FEAR, pull, risk, standing
from pbem.games.white_eagle.forces import UnitId
from pbem.games.white_eagle.s7_movement import marchers
from pbem.games.white_eagle.s9_siege import activated, may_attack
from pbem.games.white_eagle.state import Unit

EFFORT = 2
"""What it must gain to let one more unit attack."""
LEAST = 1
PASSES = 2
Placed = tuple[Unit, Spot]


@dataclass(slots=True, eq=False)
class Plan:
    """Spots of the units that may march, all others stay; `resting` recovers. `busy` are units of an attack."""

    view: View
    resting: UnitId | None = None
    spots: dict[UnitId, Spot] = field(default_factory=dict)
    busy: set[UnitId] = field(default_factory=set)
    movers: tuple[Unit, ...] = ()
    contents: dict[BoxId, tuple[Placed, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, view: View, resting: UnitId | None = None) -> Plan:
        """All units where they are."""
        plan = cls(view, resting)
        units = [unit for unit in marchers(view.data, view.state) if unit.id != resting]
        plan.movers = tuple(sorted(units, key=view.rank))
        plan.spots = {unit.id: Spot(unit.box) for unit in plan.movers}
        for (box, side), stack in view.stacks.items():
            if side is view.side:
                plan.contents[box] = tuple([(unit, Spot(box)) for unit in stack])
        return plan

    def inside(self, box: BoxId) -> tuple[Placed, ...]:
        """The units of this side that the plan has in a box."""
        return self.contents.get(box, ())

    def changed(self, moves: Sequence[Placed]) -> dict[BoxId, tuple[Placed, ...]]:
        """The contents of the boxes that moves would change."""
        found: dict[BoxId, tuple[Placed, ...]] = {}
        for unit, spot in moves:
            old = self.spots[unit.id].box
            found[old] = tuple([one for one in found.get(old, self.inside(old)) if one[0].id != unit.id])
            there = found.get(spot.box, self.inside(spot.box))
            found[spot.box] = tuple(sorted([*there, (unit, spot)], key=lambda one: one[0].id))
        return found

    def gain(self, moves: Sequence[Placed]) -> int:
        """What moves would add to the worth of the plan."""
        after = self.changed(moves)
        return sum(self.worth(box, units) - self.worth(box, self.inside(box)) for box, units in after.items())

    def make(self, moves: Sequence[Placed]) -> None:
        """Change the plan."""
        self.contents |= self.changed(moves)
        self.spots |= {unit.id: spot for unit, spot in moves}

    # ------------------------------------------------------------------ worths

    def worth(self, box: BoxId, placed: Sequence[Placed]) -> int:
        """What a box is worth with these units of this side in it."""
        key = "worth", box, tuple(placed), self.resting
        if key not in self.view.known:
            self.view.known[key] = self._worth(box, placed)
        return int(self.view.known[key])

    def _worth(self, box: BoxId, placed: Sequence[Placed]) -> int:
        view, units = self.view, [unit for unit, _ in placed]
        if not view.is_opposed(box):
            taken = POINT * view.data.board.boxes[box].victory if units and view.is_theirs(box) else 0
            return standing(view, box, units) + taken
        if not units:
            return 0
        if view.has_own_fort(box):
            return standing(view, box, units)
        fight = self.assault(box, placed)
        entered_all = all(spot.path for _, spot in placed)
        return fight if entered_all else max(fight, standing(view, box, units))

    def assault(self, box: BoxId, placed: Sequence[Placed]) -> int:
        """What an attack of those in a box who can attack is worth, with where all stand behind it."""
        view = self.view
        able = [(unit, spot) for unit, spot in placed if spot.path or self._can_attack(unit)]
        if not able:
            return standing(view, box, [unit for unit, _ in placed])
        first = [unit for unit, spot in able if not spot.support]
        second = [unit for unit, spot in able if spot.support]
        theirs = view.of_side(box, view.side.enemy)
        command = activated(view.state).command
        promised = imagined(view, box, command, first, second, theirs)
        stay = [unit for unit, spot in placed if not spot.support]
        back = sum(pull(view, unit, spot.home(unit)) for unit, spot in placed)
        ahead = sum(max(pull(view, unit, box), pull(view, unit, spot.home(unit))) for unit, spot in placed)
        ahead -= risk(view, box, stay) * FEAR[view.side] // PERCENT
        moved = promised.won * ahead + (SURE - promised.won) * back
        won = prize(view.data, view.state, box, view.side)
        return exchange_worth(view, promised, box, [unit for unit, _ in able], theirs, won) + moved // SURE

    def _can_attack(self, unit: Unit) -> bool:
        return unit.id != self.resting and may_attack(self.view.data, activated(self.view.state), unit)

    def total(self) -> int:
        """The worth of all boxes where units of this side are or were."""
        return sum(self.worth(box, placed) for box, placed in self.contents.items())


# ---------------------------------------------------------------------- making it


def planned(view: View, resting: UnitId | None = None) -> Plan:
    """The best plan that is found."""
    plan = Plan.of(view, resting)
    targets = _targets(view, plan.movers)
    while best := max([*_choices(plan, targets), *_captures(plan)], key=lambda choice: choice[0], default=None):
        if best[0] < LEAST:
            break
        plan.make(best[1].units)
        plan.busy |= {unit.id for unit, _ in best[1].units}
    for _ in range(PASSES):
        if not _improved(plan):
            break
    return plan


def _targets(view: View, units: Sequence[Unit]) -> list[BoxId]:
    """Boxes with enemies that any of some units can enter."""
    boxes = {box: None for unit in units for box in view.reach(unit)}
    return [box for box in boxes if view.is_opposed(box) and not view.has_own_fort(box)]


def _choices(plan: Plan, targets: Sequence[BoxId]) -> Iterator[tuple[int, Group]]:
    """Attacks of units that are free, with what they gain."""
    free = [unit for unit in plan.movers if unit.id not in plan.busy]
    for target in targets:
        present = [unit for unit, _ in plan.inside(target)]
        entered = any(spot.path for _, spot in plan.inside(target))
        if entered:
            continue
        pool = [unit for unit in free if plan.spots[unit.id].box != target]
        for group in groups(plan.view, target, present, pool):
            yield plan.gain(group.units) - EFFORT * len(group.units), group


def _captures(plan: Plan) -> Iterator[tuple[int, Group]]:
    """Free units that go to a city of the enemy where nobody is, with what they gain."""
    view = plan.view
    for unit in plan.movers:
        if unit.id in plan.busy:
            continue
        for box, route in view.reach(unit).items():
            if view.is_theirs(box) and not view.is_opposed(box) and not plan.inside(box):
                group = Group(((unit, Spot(box, route.path)),))
                yield plan.gain(group.units) - EFFORT, group


def _improved(plan: Plan) -> bool:
    """Let each unit that is free go where the plan gains most; whether any goes."""
    gone = False
    for unit in plan.movers:
        if unit.id not in plan.busy:
            gone |= _improve(plan, unit)
    return gone


def _improve(plan: Plan, unit: Unit) -> bool:
    """Let one unit go where the plan gains most; whether it goes."""
    view, best, goal = plan.view, LEAST - 1, None
    if plan.spots[unit.id].box != unit.box:
        stay = Spot(unit.box)
        best, goal = max((best, goal), (plan.gain([(unit, stay)]), stay), key=lambda choice: choice[0])
    for box, route in view.reach(unit).items():
        if box == plan.spots[unit.id].box or (view.is_opposed(box) and not view.has_own_fort(box)):
            continue
        there = [one for one, _ in plan.inside(box) if one.id != unit.id]
        if view.fits(box, [*there, unit]):
            spot = Spot(box, route.path)
            gain = plan.gain([(unit, spot)])
            if gain > best:
                best, goal = gain, spot
    if goal is not None:
        plan.make([(unit, goal)])
    return goal is not None


def marches(plan: Plan) -> tuple[March, ...]:
    """The orders of a plan, those that support last."""
    together: dict[tuple[BoxId, tuple[BoxId, ...], bool], list[UnitId]] = {}
    for unit in plan.movers:
        spot = plan.spots[unit.id]
        if spot.path:
            together.setdefault((unit.box, spot.path, spot.support), []).append(unit.id)
    ordered = sorted(together.items(), key=lambda item: item[0][2])
    return tuple(March(units=tuple(names), path=path, support=support) for (_, path, support), names in ordered)
