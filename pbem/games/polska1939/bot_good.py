"""A program that plays to win, from either side: which part of it answers which question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pbem.games.polska1939.answers import (
    AirMissions,
    Attacks,
    BombLosses,
    Defence,
    Destinations,
    Intercepts,
    Moves,
    RailRaids,
)
from pbem.games.polska1939.bot_air import bomb_losses, intercepts, missions, raids
from pbem.games.polska1939.bot_attack import Assault, Taste, assaults, orders, with_air
from pbem.games.polska1939.bot_german import german_moves, guards
from pbem.games.polska1939.bot_polish import FOR_GOOD, polish_moves, prize
from pbem.games.polska1939.bot_rail import destinations, joins, loads, travels, waits
from pbem.games.polska1939.bot_random import legal
from pbem.games.polska1939.bot_stand import defence
from pbem.games.polska1939.bot_view import View
from pbem.games.polska1939.data_files import GameData
from pbem.games.polska1939.s13_victory import NATIONAL_HQ
from pbem.games.polska1939.state import Aboard, AreaId, Side, State, UnitId
from pbem.rules.play import Answer, Question


def good_answer(data: GameData, question: Question[Any], state: State) -> Answer:
    """The answer to a question, legal in any case."""
    view = View.of(data, state, Side(question.role))
    if question.kind == BombLosses.kind:
        return legal(question, bomb_losses(view, question.legal()))
    found = ANSWERS.get(question.kind)
    default: Answer = question.default
    return legal(question, found(view)) if found else default


# ---------------------------------------------------------------------- attacks


def taste(view: View) -> Taste:
    """What a side wants of its attacks."""
    if view.side is Side.GERMAN:
        return Taste(lambda area: _german_area(view, area), foe_point=14, own_point=7, effort=3, least=5)
    return Taste(lambda area: _polish_area(view, area), foe_point=10, own_point=9, effort=8, least=15)


def _german_area(view: View, area: AreaId) -> int:
    """In tenths of a SP."""
    days = view.days_left(area)
    found = 20 + 80 * (days > 0) + 60 * (0 < days < 4) + 30 * bool(view.data.board.areas[area].supply)
    leaders = [unit for unit in view.occupation.at(area) if unit.is_hq]
    return found + 20 * len(leaders) + 400 * any(unit.id == NATIONAL_HQ for unit in leaders)


def _polish_area(view: View, area: AreaId) -> int:
    city = view.state.cities.get(area)
    wanted = city is not None and city.holder is Side.GERMAN and city.point is not Side.POLISH
    return 10 + 70 * wanted + 20 * sum(unit.is_hq for unit in view.occupation.at(area))


def _attacks(view: View) -> Attacks:
    kept = _kept(view)
    chosen = with_air(view, taste(view), _chosen(view, kept))
    enters = _goes_on if view.side is Side.GERMAN else _leaves_trench
    return Attacks(attacks=orders(view, chosen, lambda one, unit: unit.id not in kept and enters(view, one)))


def _kept(view: View) -> Mapping[UnitId, AreaId]:
    return guards(view) if view.side is Side.GERMAN else {}


def _chosen(view: View, kept: Mapping[UnitId, AreaId]) -> list[Assault]:
    """Without units that are needed elsewhere; those that are needed where they stand can fight from there."""
    away = [name for name, area in kept.items() if view.state.units[name].area != area]
    return assaults(view, taste(view), away)


def _goes_on(_: View, __: Assault) -> bool:
    return True


def _leaves_trench(view: View, assault: Assault) -> bool:
    """Poles do so for a city alone, and for good."""
    area = assault.holding.area
    return area in view.state.cities and prize(view, area) >= FOR_GOOD


def _missions(view: View) -> AirMissions:
    """Air missions with the attacks behind them: one mail instead of two, and the bombs' results are not waited for."""
    flown = missions(view, [assault.holding.area for assault in _chosen(view, _kept(view))])
    used = tuple(bomb.number for bomb in flown.bombs if bomb.air == "off")
    behind = View.of(view.data, replace(view.state, air_used=used), view.side)
    return flown.model_copy(update={"attacks": _attacks(behind)})


# ---------------------------------------------------------------------- moves


def _moves(view: View) -> Moves:
    if view.side is Side.GERMAN:
        return Moves(moves=german_moves(view).moves(), travels=travels(view, Aboard.CAME_LOADED))
    loaded = loads(view)
    names = {load.unit for load in loaded} | waits(view)
    moves = tuple(move for move in polish_moves(view).moves() if move.unit not in names)
    return Moves(moves=moves, travels=travels(view, Aboard.CAME_LOADED), loads=loaded, joins=joins(view))


ANSWERS: Mapping[str, Callable[[View], Answer]] = {
    Intercepts.kind: intercepts,
    AirMissions.kind: _missions,
    RailRaids.kind: raids,
    Attacks.kind: _attacks,
    Defence.kind: defence,
    Moves.kind: _moves,
    Destinations.kind: destinations,
}
