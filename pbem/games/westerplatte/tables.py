"""The game's tables as data, each row with its source, and the board as a picture."""

from __future__ import annotations

from collections import defaultdict

from pbem.games.westerplatte.data_files import GameData
from pbem.games.westerplatte.picture import ELIMINATED, OFF_MAP, board_picture, unit_counter
from pbem.games.westerplatte.s5_victory import victory_points
from pbem.games.westerplatte.state import EAST, LOST, UNPLACED, State
from pbem.log.enumeration import counted
from pbem.rules.picture import Counter, Picture
from pbem.rules.tables import Source, Table

TITLES = {
    "stack": "Stacking",
    "areas": "Closed areas and entries",
    "entry": "Entry",
    "ship": "The ship",
    "deck": "The deck",
    "activation": "Units that a card activates",
    "card": "Cards",
    "move": "Movement",
    "joker": "The joker",
    "combat": "Combat",
    "support": "The marker that a black card offers",
    "oba": "Off-board artillery",
    "air": "Air",
    "game": "Length of the game",
    "vp": "Victory points",
}


def all_tables(data: GameData) -> tuple[Table, ...]:
    """Areas, joins, units, and a table for each group of constants."""
    return (_areas(data), _joins(data), _units(data), *_constants(data))


def _areas(data: GameData) -> Table:
    areas = data.areas.values()
    return Table(
        "areas",
        "Areas of the house map",
        ("id", "name", "kind", "terrain", "bonus", "note"),
        tuple((area.id, area.name, area.kind.value, area.terrain, area.bonus, area.note) for area in areas),
        tuple(area.source for area in areas),
    )


def _joins(data: GameData) -> Table:
    return Table(
        "adjacency",
        "Adjacent areas",
        ("a", "b", "note"),
        tuple((join.a, join.b, join.note) for join in data.joins),
        tuple(join.source for join in data.joins),
    )


def _units(data: GameData) -> Table:
    """One row a face: the weak faces are printed, most strong ones are not to be had."""
    rows: list[tuple[str | int, ...]] = []
    sources: list[Source] = []
    for unit in data.units.values():
        common = (unit.id, unit.name, unit.side.value, unit.kind.value, unit.size.value)
        rows += [(*common, "strong", unit.strong), (*common, "weak", unit.weak)]
        sources += [unit.source_strong, unit.source_weak]
    columns = ("id", "name", "side", "type", "size", "face", "fire strength")
    return Table("units", "Fire strengths", columns, tuple(rows), tuple(sources))


def _constants(data: GameData) -> list[Table]:
    groups: dict[str, list[str]] = defaultdict(list)
    for key in data.constants:
        groups[key.split(".")[0]].append(key)
    return [_constant_table(data, name, keys) for name, keys in groups.items()]


def _constant_table(data: GameData, name: str, keys: list[str]) -> Table:
    constants = [data.constants[key] for key in keys]
    return Table(
        "entries" if name == "areas" else name,
        TITLES.get(name, name),
        ("key", "value", "rule", "note"),
        tuple((constant.key, constant.value, constant.rule, constant.note) for constant in constants),
        tuple(constant.source for constant in constants),
    )


def board(data: GameData, state: State) -> Picture:
    """The map with a position on it."""
    placements: dict[str, list[Counter]] = defaultdict(list)
    for piece in state.pieces:
        place = {EAST: OFF_MAP, UNPLACED: OFF_MAP, LOST: ELIMINATED}.get(piece.area, piece.area)
        placements[place].append(unit_counter(data.units[piece.unit], weak=piece.weak))
    return board_picture(data, placements, captions(data, state))


def captions(data: GameData, state: State) -> tuple[str, ...]:
    """Turn, cards, points and what is in force."""
    found = [
        f"Turn {state.turn} of {data.number('game.turns')}, {counted(len(state.deck), 'card')} left",
        f"German victory points: {victory_points(data, state)}",
    ]
    if state.suppressed:
        found.append(f"Air hinders fire from {state.suppressed}")
    used = [name for name, flag in (("air", state.air_used), ("artillery", state.oba_used)) if flag]
    return (*found, *((f"Used this turn: {' and '.join(used)}",) if used else ()))
