"""An attack before its dice: who fights, with what strength, where the defenders would retreat, and how it is told.

Left out: the numbers themselves (`s5_strength`) and the ways out (`s5_retreat`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pbem.games.polska1939.answers import AttackOrder, Stand
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import AirKind
from pbem.games.polska1939.s5_retreat import Escape, escape_of
from pbem.games.polska1939.s5_strength import BorderForce, Strength, strength_of
from pbem.games.polska1939.s6_reach import aircraft
from pbem.games.polska1939.s10_headquarters import defence_factor, defending_headquarters
from pbem.games.polska1939.state import AreaId, Occupation, Side, State, Unit, UnitId, side_of
from pbem.rules.play import Rules, report


@dataclass(frozen=True, slots=True)
class Battle:
    """An attack with everything about it that is known before the dice.

    `attackers` are no HQs, `supporting` are. All `defenders` suffer the result; those who retreated here in this
    phase do not count in `strength` (5.3.2). `escape` says where each defender goes when it must and can.
    """

    order: AttackOrder
    attackers: tuple[Unit, ...]
    supporting: tuple[Unit, ...]
    defenders: tuple[Unit, ...]
    strength: Strength
    stand: Stand
    escape: Escape

    @property
    def target(self) -> AreaId:
        """The attacked area."""
        return AreaId(self.order.target)

    @property
    def side(self) -> Side:
        """Who attacks."""
        return side_of(self.attackers[0].id)

    @property
    def committed(self) -> tuple[Unit, ...]:
        """The attacking units and the HQs that support them."""
        return (*self.attackers, *self.supporting)


def battle_of(data: GameData, state: State, order: AttackOrder, stand: Stand | None = None) -> Battle:
    """What an order that is legal now leads to, when the defender decides `stand` or by default (None)."""
    target = AreaId(order.target)
    stand = stand or Stand(area=target)
    occupation = Occupation.of(state)
    attackers = tuple(state.units[UnitId(name)] for name in order.units)
    supporting = tuple(state.units[UnitId(name)] for name in order.headquarters)
    defenders = defenders_of(occupation, target)
    counted = [unit for unit in defenders if not came_by_retreat(state, unit)]
    strength = strength_of(
        data,
        state,
        target,
        attackers=attackers,
        supporting=supporting,
        air=_air_strength(data, state, side_of(attackers[0].id), order.air),
        defenders=[unit for unit in counted if not unit.is_hq],
        leader=defending_headquarters(data, counted, stand.headquarters),
    )
    escape = escape_of(data, state, occupation, defenders, stand.to)
    return Battle(order, attackers, supporting, defenders, strength, stand, escape)


def defenders_of(occupation: Occupation, area: AreaId) -> tuple[Unit, ...]:
    """Who suffers an attack on an area: all but units on trains (8.1.3)."""
    return tuple(unit for unit in occupation.at(area) if not unit.loaded)


def came_by_retreat(state: State, unit: Unit) -> bool:
    """Whether a defending unit has retreated in the present phase, and so does not count in a defence (5.3.2)."""
    return unit.exerted == state.moment


def _air_strength(data: GameData, state: State, side: Side, number: int) -> int:
    planes = aircraft(data, side, state.day, AirKind.SUPPORT) if number else ()
    return sum(plane.strength for plane in planes if plane.number == number)


# ---------------------------------------------------------------------- how it is told


def announce(data: GameData, battle: Battle) -> Rules[None]:
    """Who attacks whom, both strengths and the modifiers: all that a player needs to find the rows by hand."""
    strength, where = battle.strength, data.area_name(battle.target)
    text = "{side} attack on {area}: {units}"
    yield from report("5.1.1", text, side=battle.side.adjective, area=where, units=_told_attackers(data, strength))
    yield from report("5.2.5", "attack: {sum} SP", sum=_told_sum(list(_told_attack(data, battle)), strength.attack))
    cut = f" ({strength.counted} of {strength.standing} SP count)" if strength.counted < strength.standing else ""
    text = "defence: {sum} SP{cut}"
    yield from report("5.2.8", text, sum=_told_sum(list(_told_defence(data, battle)), strength.defence), cut=cut)
    reasons = ", ".join(f"{modifier.reason} {signed(modifier.shift)}" for modifier in strength.modifiers)
    if reasons:
        yield from report("1.2", "modifier {shift}: {reasons}", shift=signed(strength.shift), reasons=reasons)
    else:
        yield from report("1.2", "no modifier")


def signed(shift: int) -> str:
    """A modifier for people: `+1`, `-4`, `0`."""
    return f"{shift:+d}" if shift else "0"


def _told_sum(parts: Sequence[str], whole: int) -> str:
    """`20 + I HQ 3 = 23`, and `20` for 20 alone."""
    return str(whole) if list(parts) in ([], [str(whole)]) else f"{' + '.join(parts)} = {whole}"


def _told_attackers(data: GameData, strength: Strength) -> str:
    """Units by the areas that they come from, each with its SP."""
    return "; ".join(
        f"{_told_units(data, force.units)} from {data.area_name(force.origin)}" for force in strength.borders
    )


def _told_units(data: GameData, units: Sequence[Unit]) -> str:
    return ", ".join(f"{data.name(unit.id)} {unit.strength}" for unit in units)


def _told_attack(data: GameData, battle: Battle) -> Iterator[str]:
    for force in battle.strength.borders:
        yield f"{force.counted}{_told_cut(data, force)}"
    for unit, factor in battle.strength.supporting:
        yield f"{data.name(unit.id)} {factor}"
    if battle.order.air:
        yield f"OFF {battle.order.air} {battle.strength.air}"


def _told_cut(data: GameData, force: BorderForce) -> str:
    """What became of the SP at a border, where not all of them count."""
    cut = [f"{force.passing} of {force.standing} SP pass"] if force.passing < force.standing else []
    cut += [f"{force.passing} SP halved"] if force.counted < force.passing else []
    return f" ({data.area_name(force.origin)}: {', '.join(cut)})" if cut else ""


def _told_defence(data: GameData, battle: Battle) -> Iterator[str]:
    strength = battle.strength
    for unit in strength.defenders:
        yield f"{data.name(unit.id)} {unit.strength}"
    if strength.leader:
        yield f"{data.name(strength.leader.id)} {defence_factor(data, strength.leader)}"
