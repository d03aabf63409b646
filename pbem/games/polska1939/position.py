"""A position as text, one fact a line: for `pbem lab`, for fixtures, and for whoever reads without a screen.

Left out: that the position could come about in play; only what the rules could not go on from is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NoReturn

from pbem.errors import BadRequest
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.orders import write_orders
from pbem.games.polska1939.position_reader import STAGES, PositionReader
from pbem.games.polska1939.state import AreaId, City, State, Unit, UnitId, side_of

# ---------------------------------------------------------------------- writing


def position_lines(data: GameData, state: State) -> Iterator[str]:
    """The position, line by line; `read_position` gives the same state back."""
    yield f"scenario {state.scenario}"
    yield f"day {state.day}"
    yield f"phase {STAGES[state.phase]}"
    if state.crossed:
        yield "crossed"
    yield from map(_unit_line, state.units.values())
    yield from (f"fort {area} {level}" for area, level in state.forts.items())
    yield from (f"train {train.area} {train.unit}" for train in state.trains)
    yield from (_city_line(area, city) for area, city in state.cities.items())
    yield from (f"losses {side} {points}" for side, points in state.losses.items())
    gone = {"lost": state.lost, "withdrawn": state.withdrawn, "waiting": state.waiting, "bombed": state.bombed}
    named = {**gone, "aboard": state.aboard}
    yield from (f"{word} {' '.join(names)}" for word, names in named.items() if names)
    numbers = {"used": state.air_used, "raiders": state.raiders}
    yield from (f"{word} {' '.join(map(str, found))}" for word, found in numbers.items() if found)
    if state.raid_regions:
        yield "regions " + " ".join(f'"{region}"' for region in state.raid_regions)
    yield from _secret_lines(data, state)


def _unit_line(unit: Unit) -> str:
    counts = {"grows": unit.ceiling, "fuel": unit.fuel, "disturbed": unit.disturbed, "exerted": unit.exerted}
    parts = [f"unit {unit.id} {unit.area} {unit.strength}"]
    parts += [f"{word} {count}" for word, count in counts.items() if count]
    parts += ["R"] if unit.disorganized else []
    parts += [f"train {unit.train.value}"] if unit.loaded else []
    return " ".join(parts)


def _city_line(area: AreaId, city: City) -> str:
    return f"city {area} {city.holder}" + (f" point {city.point}" if city.point else "")


def _secret_lines(data: GameData, state: State) -> Iterator[str]:
    """Attacks given with air missions, raids that were opened, and commitments that are still sealed."""
    if state.planned is not None:
        written = write_orders(data, state.planned).splitlines() if state.planned.attacks else ["pass"]
        yield from (f"planned {line}" for line in written)
    if state.raids_opened is not None:
        yield from (f'raid "{raid.region}" {raid.bombers}' for raid in state.raids_opened.raids)
        if not state.raids_opened.raids:
            yield "raid none"
    sealed = [("raids", state.raids), *(("destinations", one) for one in state.destinations)]
    yield from (f"sealed {what} {s.role} {s.kind} {s.step} {s.commitment}" for what, s in sealed if s is not None)


# ---------------------------------------------------------------------- reading


def read_position(data: GameData, text: str) -> State:
    """The state of a position text; what it does not say is as at the start, without units, trains and forts.

    BadRequest with line and column for what is no fact, and for what the rules could not go on from.
    """
    reader = PositionReader(data)
    reader.read_text(text)
    state = reader.finished()
    refuse_impossible(data, state)
    return state


# ---------------------------------------------------------------------- what cannot be


def refuse_impossible(data: GameData, state: State) -> None:
    """Raise BadRequest for a position that no play could lead to."""
    for unit in state.units.values():
        _refuse_condition(data, unit)
    sides: dict[AreaId, UnitId] = {}
    for unit in state.units.values():
        other = sides.setdefault(unit.area, unit.id)
        if side_of(other) is not side_of(unit.id):
            _impossible(f"expected units of one side in {data.area_name(unit.area)}, got {other} and {unit.id}")
    twice = _twice((*state.units, *state.lost, *state.withdrawn, *state.waiting))
    if twice:
        _impossible(f"expected {twice} on the map, lost, withdrawn or waiting, got it twice")


def _refuse_condition(data: GameData, unit: Unit) -> None:
    kind = data.unit(unit.id)
    least = 0 if unit.is_hq else 1
    if not least <= unit.strength <= kind.maximum:
        _impossible(f"expected {unit.id} with {least} to {kind.maximum} strength points, got {unit.strength}")
    if unit.ceiling > kind.maximum:
        _impossible(f"expected {unit.id} to grow to at most {kind.maximum}, got {unit.ceiling}")
    if unit.fuel > kind.fuel:
        _impossible(f"expected {unit.id} with a fuel level of at most {kind.fuel}, got {unit.fuel}")


def _twice(names: Sequence[UnitId]) -> str:
    seen: list[UnitId] = []
    known: set[UnitId] = set()
    for name in names:
        seen += [name] if name in known else []
        known.add(name)
    return seen[0] if seen else ""


def _impossible(text: str) -> NoReturn:
    raise BadRequest(
        "position.impossible", text, "a line reads 'unit PL-INF-8 P22 12'; see `pbem show GAME --position`"
    )
