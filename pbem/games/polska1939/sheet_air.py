"""The sheets of the air: who flies today and what each reaches, intercepts, raids on trains, losses under bombs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.games.polska1939.kinds import AirKind
from pbem.games.polska1939.s6_bombs import bombing_modifiers
from pbem.games.polska1939.s6_reach import Aircraft, AirDay
from pbem.games.polska1939.sheet_words import Scene
from pbem.games.polska1939.state import AreaId, Unit, side_of
from pbem.log.enumeration import counted, cut
from pbem.rules.listed import wrapped
from pbem.rules.play import Question

MOST_TARGETS = 60
WIDTH = 110
MISSION_HELP = (
    "# One bomber and one OFF in an area; bombers are turned back from the end of the list. Then 'attacks later',",
    "# where you see the results first, for one more mail; 'no attacks'; or the attacks themselves in this sheet.",
    "# Bombs alone mean 'attacks later'.",
)


def mission_lines(scene: Scene) -> Iterator[str]:
    """The air units of the day, and the targets in reach, those with most strength points first."""
    day = AirDay.of(scene.data, scene.state, scene.side)
    yield from _fleet(day)
    yield "# Targets, with the units there, the modifier of the die, and who reaches them:"
    ranked = sorted(day.targets, key=lambda area: (-_points(scene, area), area))
    lines = [line for area in ranked if (line := _target(scene, day, area))]
    yield from lines[:MOST_TARGETS]
    if len(lines) > MOST_TARGETS:
        left = len(lines) - MOST_TARGETS
        yield f"# Left out: {counted(left, 'target')} with fewer strength points; any area in reach may be named."


def _fleet(day: AirDay) -> Iterator[str]:
    """Air units that are alike in a line."""
    alike: dict[tuple[AirKind, int, int], list[Aircraft]] = {}
    for plane in day.aircraft:
        alike.setdefault((plane.kind, plane.strength, len(day.bombable(plane))), []).append(plane)
    for (_, points, targets), planes in alike.items():
        each = " each" if planes[1:] else ""
        reached = counted(targets, "target")
        yield f"# {', '.join(_spans(planes))}: {points} SP{each}, {reached} in reach"


def _spans(planes: Sequence[Aircraft]) -> list[str]:
    """Air units by name, those with consecutive numbers together: `BOM 1 to BOM 3`, `BOM 5`."""
    runs: list[list[Aircraft]] = []
    for plane in planes:
        follows = runs and runs[-1][-1].kind is plane.kind and runs[-1][-1].number == plane.number - 1
        if follows:
            runs[-1].append(plane)
        else:
            runs.append([plane])
    return [f"{run[0].name} to {run[-1].name}" if run[1:] else run[0].name for run in runs]


def _target(scene: Scene, day: AirDay, area: AreaId) -> str:
    able = [plane for plane in day.aircraft if day.reaches(plane, area)]
    if not able:
        return ""
    modifiers = bombing_modifiers(scene.data, scene.state, area)
    shifts = ", ".join(f"{reason} {shift}" for reason, shift in modifiers.items())
    facts = [scene.here(area) or "an empty train", *([shifts] if shifts else [])]
    facts += [f"or {', '.join(_spans(able[1:]))}"] if able[1:] else []
    return f"# bomb {scene.area(area)} with {able[0].name}   # {'; '.join(facts)}"


def _points(scene: Scene, area: AreaId) -> int:
    return sum(unit.strength for unit in scene.occupation.at(area))


def intercept_lines(scene: Scene) -> Iterator[str]:
    """Own areas that enemy bombers reach and own bombers can defend, those with most strength points first."""
    guard = AirDay.of(scene.data, scene.state, scene.side)
    enemy = AirDay.of(scene.data, scene.state, scene.side.enemy)
    bombers, threats = guard.of_kind(AirKind.BOMBER), enemy.of_kind(AirKind.BOMBER)
    yield f"# Bombers today: yours {len(bombers)}, the enemy's {len(threats)}. One turns back one, up to 2 areas away."
    both = [
        area
        for area in enemy.targets
        if any(enemy.reaches(plane, area) for plane in threats) and any(guard.reaches(plane, area) for plane in bombers)
    ]
    ranked = sorted(both, key=lambda area: (-_points(scene, area), area))
    if ranked:
        yield f"# intercept {', '.join(map(scene.area, ranked[: len(bombers)]))}"
    told = [f"{scene.area(area)} {_points(scene, area)}" for area in ranked]
    yield from wrapped(
        "Your areas that can be bombed and defended, with their strength points:", told[:MOST_TARGETS], WIDTH
    )


def raid_lines(scene: Scene) -> Iterator[str]:
    """Enemy units that are on trains now, and the regions in reach."""
    aboard = [unit for unit in scene.state.units.values() if side_of(unit.id) is not scene.side and unit.loaded]
    raiders = counted(len(scene.state.raiders), "bomber")
    yield f"# {raiders} can wait for trains. Each attacks one train in its region today."
    yield from (f"# {_passenger(scene, unit)}" for unit in aboard)
    yield from wrapped("Regions in reach:", scene.state.raid_regions, WIDTH)


def _passenger(scene: Scene, unit: Unit) -> str:
    region = scene.data.board.areas[unit.area].region
    line = f"# {scene.told(unit)} in {scene.data.area_name(unit.area)}, region {region}"
    return f"raid {region} with 1   {line}" if region in scene.state.raid_regions else line.removeprefix("# ")


def loss_lines(scene: Scene, question: Question[Any]) -> Iterator[str]:
    """The bombed areas, with the units there from the strongest: who loses without an order."""
    for area in dict.fromkeys(AreaId(order.area) for option in question.legal() for order in option.areas):
        units = [unit for unit in scene.occupation.at(area) if not unit.is_hq]
        ranked = sorted(units, key=lambda unit: (-unit.strength, unit.id))
        told = cut([scene.told(unit) for unit in ranked], MOST_TARGETS)
        yield f"# losses {scene.area(area)} {scene.units(ranked)}   # {told}"
