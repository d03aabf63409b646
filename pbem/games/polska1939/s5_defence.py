"""The defender's plan for all attacks of a phase, given before the dice (5.1.1, 5.3.3, 5.4, 10.1.3 c). Ruling 5-21."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbem.games.polska1939.answers import Defence, Stand
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.kinds import Nation
from pbem.games.polska1939.near_areas import some_areas
from pbem.games.polska1939.s5_attacks import is_target
from pbem.games.polska1939.s5_battle import came_by_retreat, defenders_of
from pbem.games.polska1939.s5_retreat import retreat_areas
from pbem.games.polska1939.s7_fixed import fortification, is_strong
from pbem.games.polska1939.state import AreaId, Occupation, State, Unit
from pbem.log.event import Role
from pbem.rules.play import Question
from pbem.rules.refusal import Refusal


def defence_question(data: GameData, state: State) -> Question[Defence] | None:
    """How the attacked units fight, None when there is nothing to choose; the attacks are `state.planned`."""
    areas = attacked_areas(state)
    occupation = Occupation.of(state)
    choices = [area for area in areas if has_choice(data, state, occupation, area)]
    if not choices:
        return None
    side = state.active.enemy
    return Question(
        role=Role(side.value),
        model=Defence,
        default=Defence(),
        check=lambda answer: defence_refusals(data, state, answer),
        options=lambda: _options(data, state, choices),
        about=f"attacked: {', '.join(map(data.area_name, areas))}",
    )


def attacked_areas(state: State) -> tuple[AreaId, ...]:
    """The areas under attack in `state.planned`, in the order of the attacks."""
    occupation = Occupation.of(state)
    targets = dict.fromkeys(AreaId(order.target) for order in state.planned.attacks) if state.planned else {}
    return tuple(area for area in targets if is_target(occupation, area, state.active))


def has_choice(data: GameData, state: State, occupation: Occupation, area: AreaId) -> bool:
    """Whether a defender decides anything: HQ, stay, who loses, where to."""
    units = defenders_of(occupation, area)
    leaders = sum(unit.is_hq for unit in units)
    if leaders > 1 or len(units) - leaders > 1 or may_stay(data, state, area):
        return True
    return len(retreat_areas(data, state, occupation, units)) > 1


def may_stay(data: GameData, state: State, area: AreaId) -> bool:
    """Whether any unit of an attacked area may choose not to retreat (5.3.3, 12.1.1)."""
    units = [unit for unit in state.at(area) if not unit.loaded]
    strength = sum(unit.strength for unit in units if not came_by_retreat(state, unit))
    free = any(data.unit(unit.id).nation is not Nation.SOVIET_UNION for unit in units)
    return free and is_strong(data, fortification(data, state, area, strength, through_line=False))


def _options(data: GameData, state: State, areas: Sequence[AreaId]) -> Iterator[Defence]:
    """Some of the many legal answers: the default, staying, and each way back."""
    yield Defence()
    occupation = Occupation.of(state)
    for area in areas:
        if may_stay(data, state, area):
            yield Defence(stands=(Stand(area=area, stay=True),))
        for to in retreat_areas(data, state, occupation, defenders_of(occupation, area)):
            yield Defence(stands=(Stand(area=area, to=(to,)),))


# ---------------------------------------------------------------------- reasons against a plan


def defence_refusals(data: GameData, state: State, defence: Defence) -> list[Refusal]:
    """Every reason against a defender's plan."""
    areas = attacked_areas(state)
    seen: set[str] = set()
    found: list[Refusal] = []
    for number, stand in enumerate(defence.stands, start=1):
        reasons = list(_stand_refusals(data, state, stand, areas))
        if stand.area in seen:
            text = f"expected one defence of an area, got another of {data.any_area(stand.area)}"
            reasons.append(Refusal("defence.twice", text, "5.2.7"))
        seen.add(stand.area)
        found += [replace(reason, line=number) for reason in reasons]
    return found


def _stand_refusals(data: GameData, state: State, stand: Stand, areas: Sequence[AreaId]) -> Iterator[Refusal]:
    if stand.area not in areas:
        text = f"expected an area that is attacked, got {data.any_area(stand.area)}"
        yield Refusal("defence.area", text, "5.1.1", f"attacked are {', '.join(map(data.area_name, areas))}")
        return
    area, units = AreaId(stand.area), [unit for unit in state.at(AreaId(stand.area)) if not unit.loaded]
    there = data.area_name(area)
    if stand.headquarters and stand.headquarters not in [unit.id for unit in units if unit.is_hq]:
        text = f"expected an HQ in {there}, got {data.any_unit(stand.headquarters)}"
        yield Refusal("defence.headquarters", text, "10.1.3", _leaders_hint(data, units))
    if stand.stay and not may_stay(data, state, area):
        yield _cannot_stay(data, units, there)
    near = {*data.board.neighbours[area], *(link.to for link in data.board.across_node.get(area, ()))}
    for to in dict.fromkeys(to for to in stand.to if to not in near):
        text = f"expected areas beside {there} for a retreat, got {data.any_area(to)}"
        yield Refusal("defence.retreat", text, "5.3.1", _ways_hint(data, state, units, to))
    attacked = {unit.id for unit in state.units.values() if unit.area in areas and not unit.loaded}
    for name in dict.fromkeys(name for name in stand.losses if name not in attacked):
        text = f"expected attacked units to lose, got {data.any_unit(name)}"
        yield Refusal("defence.losses", text, "5.4.2", "units that may retreat there can be named too")


def _cannot_stay(data: GameData, units: Sequence[Unit], there: str) -> Refusal:
    if units and all(data.unit(unit.id).nation is Nation.SOVIET_UNION for unit in units):
        return Refusal("defence.stay", f"expected a retreat of the Soviet units in {there}, got 'stay'", "12.1.1")
    text = f"expected a retreat from {there}, whose fortifications are too weak, got 'stay'"
    hint = "only a fortification of -2, -3 or -4 lets units stay; mountains, forest and rivers do not"
    return Refusal("defence.stay", text, "5.3.3", hint)


def _leaders_hint(data: GameData, units: Sequence[Unit]) -> str:
    leaders = ", ".join(data.name(unit.id) for unit in units if unit.is_hq)
    return f"HQs there: {leaders}" if leaders else "no HQ is there: leave 'hq' out"


def _ways_hint(data: GameData, state: State, units: Sequence[Unit], to: str) -> str:
    ways = some_areas(data, retreat_areas(data, state, Occupation.of(state), units), to)
    return f"ways back lead to {ways}" if ways else "no way back is open now"
