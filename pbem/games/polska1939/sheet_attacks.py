"""The sheets of combat: what can be attacked, with both strengths and the row; how an attacked area can be held."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.games.polska1939.answers import AttackOrder
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import AirKind
from pbem.games.polska1939.s5_attacks import attackable, has_attacked
from pbem.games.polska1939.s5_battle import battle_of, came_by_retreat, defenders_of
from pbem.games.polska1939.s5_combat import rows_of
from pbem.games.polska1939.s5_defence import attacked_areas, may_stay
from pbem.games.polska1939.s5_losses import fates_of
from pbem.games.polska1939.s5_retreat import by_default, ways_of_all
from pbem.games.polska1939.s5_strength import Strength, strength_of
from pbem.games.polska1939.s6_reach import AirDay
from pbem.games.polska1939.s10_headquarters import attack_factor, by_defence, defending_headquarters
from pbem.games.polska1939.sheet_words import Scene
from pbem.games.polska1939.state import AreaId, Side, Unit

ATTACK_EXAMPLES: Mapping[Side, str] = {
    Side.GERMAN: "attack Mława with 11 INF, 61 INF support HQ I air 1 losses 61 INF advance 11 INF if Chojnice taken",
    Side.POLISH: "attack Nidzica with 20 INF, 8 INF support HQ Modlin losses 8 INF advance 20 INF if Wielbark taken",
}
_ATTACK_HELP = (
    "# 'with all': every unit that can attack there; 'from X' in place of 'with': those of them that stand in X,",
    "# without who attacks in an earlier line. 'support': one HQ from an area. 'air': the number of an OFF today.",
    "# 'losses': who loses first, else the strongest. 'advance': who enters an empty area, else all; or 'none'.",
    "# 'if X taken', 'unless X taken': only when an earlier attack has emptied X, or not.",
    "# Attacks are made in the order of their lines; a unit or an HQ takes part in one, an area is attacked once.",
)
DEFENCE_HELP = (
    "# 'stay': if the fortification allows it. 'hq': the HQ that supports, else the best. 'retreat': where to go, the",
    "# best area first. 'losses': who loses first, else the strongest. Areas that you leave out retreat by default.",
    "# Beforehand, for every phase: 'stand everywhere'; see `pbem orders GAME --standing`.",
)


def attack_help(side: Side) -> tuple[str, ...]:
    """How an attack is written, with units of the side that is asked."""
    return (f"# '{ATTACK_EXAMPLES[side]}':", *_ATTACK_HELP)


# ---------------------------------------------------------------------- attacks


def attack_lines(scene: Scene) -> Iterator[str]:
    """Own areas beside enemies, then a ready line for each area that can be attacked, the best row first."""
    targets = attackable(scene.data, scene.state, scene.occupation, scene.side)
    if not targets:
        yield "# Nothing can be attacked: none of your units that can fight stands beside an enemy."
        return
    fronts = dict.fromkeys(unit.area for units in targets.values() for unit in units)
    yield "# Your units beside enemies, with their strength points:"
    yield from (f"# {scene.place(area)}: {scene.here(area)}" for area in scene.mine() if area in fronts)
    day = AirDay.of(scene.data, scene.state, scene.side)
    yield "# What can be attacked, with all that can reach it:"
    found = [(_odds(scene, target, units), target, units) for target, units in targets.items()]
    for (_, told), target, units in sorted(found, key=lambda one: (one[0][0], one[1])):
        yield f"# {scene.place(target)}: {scene.here(target)}{_air(scene, day, target)}"
        yield f"# {_order(scene, target, units)}   # {told}"


def _order(scene: Scene, target: AreaId, units: Sequence[Unit]) -> str:
    leaders = _leaders(scene, units)
    support = f" support {scene.units(leaders)}" if leaders else ""
    return f"attack {scene.area(target)} with {scene.units(units)}{support}"


def _leaders(scene: Scene, units: Sequence[Unit]) -> list[Unit]:
    """The best HQ of every area from which units attack (10.1.3)."""
    leaders = []
    for area in dict.fromkeys(unit.area for unit in units):
        here = (unit for unit in scene.occupation.at(area) if unit.is_hq and not has_attacked(scene.state, unit))
        able = [unit for unit in here if attack_factor(scene.data, unit)]
        leaders += [max(able, key=lambda unit: attack_factor(scene.data, unit))] if able else []
    return leaders


def _odds(scene: Scene, target: AreaId, units: Sequence[Unit]) -> tuple[int, str]:
    """The row of an attack with everybody, from the top, and both strengths in words."""
    defenders = [u for u in defenders_of(scene.occupation, target) if not came_by_retreat(scene.state, u)]
    strength = strength_of(
        scene.data,
        scene.state,
        target,
        attackers=units,
        supporting=_leaders(scene, units),
        air=0,
        defenders=[unit for unit in defenders if not unit.is_hq],
        leader=defending_headquarters(scene.data, defenders),
    )
    row = rows_of(scene.data.results, strength.attack - strength.defence, -strength.shift)[1]
    return row, told_strength(scene.data, strength)


def told_strength(data: GameData, strength: Strength) -> str:
    """`35 against 18 SP, -4 (forest -1, fortified line -3): row 4-6`."""
    row = rows_of(data.results, strength.attack - strength.defence, -strength.shift)[1]
    reasons = ", ".join(f"{modifier.reason} {modifier.shift:+d}" for modifier in strength.modifiers)
    shift = f", {strength.shift:+d} ({reasons})" if strength.modifiers else ""
    cut = [f"{force.passing} of {force.standing} SP" for force in strength.borders if force.passing < force.standing]
    passing = f" ({', '.join(cut)} pass)" if cut else ""
    return f"{strength.attack}{passing} against {strength.defence} SP{shift}: row {data.results.labels[row]}"


def _air(scene: Scene, day: AirDay, target: AreaId) -> str:
    """The air support units that reach an area and have no mission yet."""
    free = [plane for plane in day.of_kind(AirKind.SUPPORT) if plane.number not in scene.state.air_used]
    able = [f"{plane.number} (+{plane.strength})" for plane in free if day.reaches(plane, target)]
    return f"; air {', '.join(able)}" if able else ""


# ---------------------------------------------------------------------- defence


def defence_lines(scene: Scene) -> Iterator[str]:
    """Every attacked area: who stands there, who attacks it with what, and what can be done."""
    planned = scene.state.planned.attacks if scene.state.planned else ()
    for area in attacked_areas(scene.state):
        yield "#"
        yield f"# {scene.place(area)}: {scene.here(area)}"
        yield from (f"# {_attacked(scene, order)}" for order in planned if order.target == area)
        yield from (f"# {line}" for line in _stands(scene, area))


def _attacked(scene: Scene, order: AttackOrder) -> str:
    """Who attacks, and with what; strengths as they are before the first attack."""
    known = [scene.state.units[name] for name in order.units if name in scene.state.units]  # type: ignore[index]
    battle = battle_of(scene.data, scene.state, order)
    leaders = f", support {scene.units(battle.supporting)}" if battle.supporting else ""
    air = f", air {order.air}" if order.air else ""
    when = f", if {scene.area(order.when_taken)} is taken" if order.when_taken else ""
    when += f", unless {scene.area(order.unless_taken)} is taken" if order.unless_taken else ""
    who = ", ".join(map(scene.told, known))
    return f"attacked by {who}{leaders}{air}{when}: {told_strength(scene.data, battle.strength)}"


def _stands(scene: Scene, area: AreaId) -> Iterator[str]:
    """A line for staying, where that is allowed, and one for retreat, with the ways in the order of the default."""
    units = defenders_of(scene.occupation, area)
    leaders = [unit for unit in units if unit.is_hq]
    hq = f" hq {scene.unit(by_defence(scene.data, leaders)[0].id)}" if len(leaders) > 1 else ""
    if may_stay(scene.data, scene.state, area):
        lost = "HQs" if leaders[1:] else "HQ"
        alone = f"   # (a D1 destroys the {lost})" if len(leaders) == len(units) else ""
        yield f"defend {scene.area(area)} stay{hq}{alone}"
    ways = ways_of_all(scene.data, scene.state, scene.occupation, units)
    prices = {way.to: way.price for found in ways.values() for way in found}
    if not prices:
        stuck = fates_of(scene.data, units, {}, may_stay(scene.data, scene.state, area), stay=False).stuck
        yield f"no way back is open: {'who must retreat loses twice as much' if stuck else 'who must retreat stays'}"
        return
    ranked = by_default(scene.data, scene.state, scene.occupation, units, prices)
    others = ", ".join(f"{scene.area(to)}{_price(prices[to])}" for to in ranked[1:])
    told = [_price(prices[ranked[0]]).strip(), f"or {others}" if others else ""]
    comment = ", ".join(filter(None, told))
    yield f"defend {scene.area(area)}{hq} retreat {scene.area(ranked[0])}" + (f"   # {comment}" if comment else "")


def _price(points: int) -> str:
    return f" (costs {points} SP each)" if points else ""
