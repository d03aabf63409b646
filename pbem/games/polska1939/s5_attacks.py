"""Ordering attacks: who can attack what, every reason against an order, and the question of phases II and V.

Rulings 5-5 to 5-7 and 5-16.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pbem.games.polska1939.answers import AttackOrder, Attacks, Bomb
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import AirKind
from pbem.games.polska1939.near_areas import some_areas
from pbem.games.polska1939.s6_reach import AirDay
from pbem.games.polska1939.s12_scenario import limit_of, may_enter
from pbem.games.polska1939.state import AreaId, Occupation, Side, State, Unit, UnitId, side_of
from pbem.log.event import Role
from pbem.rules.play import Question
from pbem.rules.refusal import Refusal

# ---------------------------------------------------------------------- who can attack what


def attackable(data: GameData, state: State, occupation: Occupation, side: Side) -> Mapping[AreaId, tuple[Unit, ...]]:
    """The areas that units of a side can attack now, sorted, with the units that can (5.2.3, 5.2.6, ruling 5-6)."""
    found: dict[AreaId, list[Unit]] = {}
    for area, units in occupation.by_area.items():
        if occupation.is_held_by(area, side):
            targets = [near for near in map(AreaId, data.board.neighbours[area]) if is_target(occupation, near, side)]
            for unit in units if targets else ():
                if can_fight(state, unit):
                    for near in targets:
                        if may_enter(data, state, unit.id, near):
                            found.setdefault(near, []).append(unit)
    return {area: tuple(sorted(found[area], key=lambda unit: unit.id)) for area in sorted(found)}


def is_target(occupation: Occupation, area: AreaId, side: Side) -> bool:
    """Whether enemies of a side stand in an area that can fight: not on trains alone (8.1.3, ruling 5-5)."""
    return occupation.is_held_by(area, side.enemy) and any(not unit.loaded for unit in occupation.at(area))


def can_fight(state: State, unit: Unit) -> bool:
    """Whether a unit can attack now: no HQ (10.1.5), on no train (8.1.3), and not for the second time (5.2.7)."""
    return not (unit.is_hq or unit.loaded or has_attacked(state, unit))


def has_attacked(state: State, unit: Unit) -> bool:
    """Whether a unit has attacked in the present phase (5.2.7)."""
    return unit.exerted == state.moment


# ---------------------------------------------------------------------- the question


def attacks_question(data: GameData, state: State) -> Question[Attacks] | None:
    """What the active side attacks, None when none of its units stands beside an enemy."""
    side = state.active
    if not attackable(data, state, Occupation.of(state), side):
        return None
    return Question(
        role=Role(side.value),
        model=Attacks,
        default=Attacks(),
        check=lambda answer: attack_refusals(data, state, answer),
        options=lambda: _options(data, state),
    )


def _options(data: GameData, state: State) -> Iterator[Attacks]:
    """Some of the many legal answers: none (5.2.2), and one attack on each area with all that can attack it."""
    yield Attacks()
    for area, units in attackable(data, state, Occupation.of(state), state.active).items():
        yield Attacks(attacks=(AttackOrder(target=area, units=tuple(unit.id for unit in units)),))


# ---------------------------------------------------------------------- reasons against orders


def attack_refusals(data: GameData, state: State, attacks: Attacks, *, bombs: Sequence[Bomb] = ()) -> list[Refusal]:
    """Every reason against the attacks of the active side; air units in `bombs` are not free for them (6.2.2).

    One support unit in an area (6.2.1) counts within a phase: those that bombed are gone (ruling 5-16).
    """
    check = Check.of(data, state, state.active, bombs)
    found: list[Refusal] = []
    for number, order in enumerate(attacks.attacks, start=1):
        reasons = [*check.refusals(order), *clashes(data, order, attacks.attacks[: number - 1])]
        found += [replace(reason, line=number) for reason in reasons]
    return found


@dataclass(frozen=True, slots=True)
class Check:
    """What orders are checked against, made once for a position and a side."""

    data: GameData
    state: State
    side: Side
    occupation: Occupation
    bombs: Sequence[Bomb]

    @classmethod
    def of(cls, data: GameData, state: State, side: Side, bombs: Sequence[Bomb] = ()) -> Check:
        """The check of a side's orders in a position."""
        return cls(data, state, side, Occupation.of(state), bombs)

    def refusals(self, order: AttackOrder) -> list[Refusal]:
        """Every reason against one order by itself."""
        target = self._target_refusals(order)
        if target:
            return target
        return [
            *(reason for name in order.units for reason in self._unit_refusals(order, name)),
            *self._headquarters_refusals(order),
            *self._air_refusals(order),
            *self._list_refusals(order),
        ]

    def _target_refusals(self, order: AttackOrder) -> list[Refusal]:
        area = AreaId(order.target)
        if is_target(self.occupation, area, self.side):
            return []
        if self.occupation.is_held_by(area, self.side.enemy):
            text = f"expected units that can fight in {self.data.area_name(area)}, got only units on trains"
            return [Refusal("attack.helpless", text, "8.1.3", "move there in the movement phase")]
        text = f"expected an area with enemy units, got {self.data.any_area(area)}"
        return [Refusal("attack.target", text, "5.2.3", self._targets_hint(order))]

    def _targets_hint(self, order: AttackOrder) -> str:
        """What the units of an order can attack together, else one of them, else any unit of the side."""
        open_to = attackable(self.data, self.state, self.occupation, self.side)
        able = {area: {unit.id for unit in units}.intersection(order.units) for area, units in open_to.items()}
        most = max(map(len, able.values()), default=0)
        targets = [area for area, units in able.items() if len(units) == most]
        who = "these units" if most == len(set(order.units)) else "some of these units"
        named = some_areas(self.data, targets, order.target)
        return f"{who if most else f'{self.side.adjective} units'} can attack {named}" if named else ""

    def _unit_refusals(self, order: AttackOrder, name: str) -> Iterator[Refusal]:
        unit = self.state.units.get(UnitId(name))
        if unit is None or side_of(unit.id) is not self.side:
            text = f"expected a {self.side.adjective} unit on the map, got {self.data.any_unit(name)}"
            yield Refusal("attack.unit", text, "5.1.1")
        elif unit.is_hq:
            text = f"expected units other than HQs to attack, got {self.data.any_unit(name)}"
            yield Refusal("attack.headquarters", text, "10.1.5", f"write 'support {self.data.any_unit(name)}'")
        else:
            yield from self._state_refusals(unit)
            yield from self._place_refusals(unit, AreaId(order.target))

    def _state_refusals(self, unit: Unit) -> Iterator[Refusal]:
        name = self.data.any_unit(unit.id)
        if unit.loaded:
            yield Refusal("attack.loaded", f"expected units that can fight, got {name} on a train", "8.1.3")
        if has_attacked(self.state, unit):
            text = f"expected units that have not attacked in this phase, got {name}"
            yield Refusal("attack.again", text, "5.2.7")

    def _place_refusals(self, unit: Unit, target: AreaId) -> Iterator[Refusal]:
        name, there = self.data.any_unit(unit.id), self.data.area_name(target)
        if target not in self.data.board.neighbours[unit.area]:
            text = f"expected units beside {there}, got {name} in {self.data.area_name(unit.area)}"
            node = any(link.to == target for link in self.data.board.across_node.get(unit.area, ()))
            hint = "the two areas meet at a node alone; " if node else ""
            yield Refusal("attack.adjacent", text, "5.2.6" if node else "5.2.3", hint + self._targets_of(unit))
        elif not may_enter(self.data, self.state, unit.id, target):
            text = f"expected units that may enter {there}, got {name}"
            yield Refusal("attack.barred", text, limit_of(self.data, self.state, unit.id))

    def _targets_of(self, unit: Unit) -> str:
        """What a unit can attack, for a hint."""
        near = [AreaId(area) for area in self.data.board.neighbours[unit.area]]
        targets = [area for area in near if is_target(self.occupation, area, self.side)]
        able = [area for area in targets if may_enter(self.data, self.state, unit.id, area)]
        return f"it can attack {some_areas(self.data, able, unit.area)}" if able else "no enemy stands beside it"

    def _headquarters_refusals(self, order: AttackOrder) -> Iterator[Refusal]:
        fighting = {unit.area for name in order.units if (unit := self.state.units.get(UnitId(name)))}
        seen: dict[AreaId, str] = {}
        for name in order.headquarters:
            unit = self.state.units.get(UnitId(name))
            if unit is None or not unit.is_hq or side_of(unit.id) is not self.side:
                text = f"expected a {self.side.adjective} HQ on the map, got {self.data.any_unit(name)}"
                yield Refusal("attack.support", text, "10.1.1")
                continue
            yield from self._state_refusals(unit)
            if unit.area not in fighting:
                text = f"expected an HQ in an area from which units attack, got {self.data.any_unit(name)}"
                hint = f"it is in {self.data.area_name(unit.area)}; {self._leaders_hint(fighting)}"
                yield Refusal("attack.support_area", text, "10.1.3", hint)
            if unit.area in seen:
                both = f"{self.data.any_unit(seen[unit.area])} and {self.data.any_unit(name)}"
                text = f"expected one HQ from an area, got {both}"
                yield Refusal("attack.support_twice", text, "10.1.3")
            seen[unit.area] = name

    def _leaders_hint(self, areas: Iterable[AreaId]) -> str:
        """The HQs in the areas from which units attack."""
        able = [unit for area in sorted(areas) for unit in self.occupation.at(area) if unit.is_hq]
        mine = ", ".join(self.data.name(unit.id) for unit in able if side_of(unit.id) is self.side)
        return f"with the attacking units are {mine}" if mine else "no HQ is with the attacking units"

    def _air_refusals(self, order: AttackOrder) -> Iterator[Refusal]:
        if not order.air:
            return
        day = AirDay.of(self.data, self.state, self.side)
        plane = day.plane(AirKind.SUPPORT, order.air)
        there = self.data.area_name(order.target)
        if plane is None:
            some = ", ".join(one.name for one in day.of_kind(AirKind.SUPPORT)) or "none"
            text = f"expected an air support unit of the day, got OFF {order.air}"
            yield Refusal("attack.air", text, "6.2.4", f"there are {some}")
        elif order.air in self.state.air_used or self._flies(order.air):
            text = f"expected an air support unit without another mission, got OFF {order.air}"
            yield Refusal("attack.air_used", text, "6.2.2", self._free_planes(day, order.target))
        elif not day.reaches(plane, order.target):
            text = f"expected {there} within reach of OFF {order.air}, got it out of reach"
            yield Refusal("attack.air_range", text, "6.2.5")

    def _free_planes(self, day: AirDay, target: str) -> str:
        """The support units without a mission that reach an area, for a hint."""
        planes = [plane for plane in day.of_kind(AirKind.SUPPORT) if day.reaches(plane, target)]
        free = [plane for plane in planes if plane.number not in self.state.air_used and not self._flies(plane.number)]
        return f"in reach and free: {', '.join(plane.name for plane in free)}" if free else "none in reach is free"

    def _flies(self, number: int) -> bool:
        return any(bomb.air == "off" and bomb.number == number for bomb in self.bombs)

    def _list_refusals(self, order: AttackOrder) -> Iterator[Refusal]:
        for name, times in Counter((*order.units, *order.headquarters)).items():
            if times > 1:
                text = f"expected each unit once in an attack, got {self.data.any_unit(name)} again"
                yield Refusal("attack.twice", text, "5.2.7")
        entering = order.advance if isinstance(order.advance, tuple) else ()
        lists = (
            ("attack.losses", "5.4.2", "lose", order.losses, order.units),
            ("attack.advance", "5.3.10", "advance", entering, (*order.units, *order.headquarters)),
        )
        for code, rule, what, names, known in lists:
            for name in dict.fromkeys(name for name in names if name not in known):
                text = f"expected units of the attack to {what}, got {self.data.any_unit(name)}"
                yield Refusal(code, text, rule)


# ---------------------------------------------------------------------- orders among each other


def clashes(data: GameData, order: AttackOrder, before: Sequence[AttackOrder]) -> Iterator[Refusal]:
    """Reasons against an order behind others: who attacks or is attacked twice (5.2.7, 10.1.2), and its conditions.

    Orders of which only one can come to be made do not clash (ruling 5-7).
    """
    earlier = [other for other in before if not exclude_each_other(order, other)]
    if any(other.target == order.target for other in earlier):
        text = f"expected one attack on {data.any_area(order.target)}, got another"
        yield Refusal("attack.target_again", text, "5.2.7")
    busy = {name for other in earlier for name in (*other.units, *other.headquarters)}
    for name in dict.fromkeys(name for name in (*order.units, *order.headquarters) if name in busy):
        text = f"expected each unit in one attack, got {data.any_unit(name)} in two"
        yield Refusal("attack.again", text, "10.1.2" if name in order.headquarters else "5.2.7")
    if order.air and any(other.air == order.air for other in earlier):
        text = f"expected each air support unit in one attack, got OFF {order.air} in two"
        yield Refusal("attack.air_used", text, "6.2.2", "take another, or attack there without one")
    yield from _condition_refusals(data, order, {other.target for other in before})


def exclude_each_other(one: AttackOrder, other: AttackOrder) -> bool:
    """Whether two orders wait for the opposite outcomes of one attack."""
    pairs = ((one.when_taken, other.unless_taken), (other.when_taken, one.unless_taken))
    return any(taken is not None and taken == held for taken, held in pairs)


def _condition_refusals(data: GameData, order: AttackOrder, targets: Iterable[str]) -> Iterator[Refusal]:
    for area in dict.fromkeys(area for area in (order.when_taken, order.unless_taken) if area is not None):
        if area not in targets:
            text = f"expected a condition on an earlier attack, got {data.any_area(area)}"
            hint = "write the attack that it waits for above it"
            yield Refusal("attack.condition", text, "5.2.7", hint)
    if order.when_taken is not None and order.when_taken == order.unless_taken:
        text = f"expected a condition that can come true, got {data.any_area(order.when_taken)} taken and not taken"
        yield Refusal("attack.condition", text, "5.2.7")
