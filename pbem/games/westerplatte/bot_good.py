"""The program that plays to win: it answers every question of either side."""

from __future__ import annotations

from typing import Any

from pbem.games.westerplatte.answers import FaceCard, GermanSetup, Placed, PolishSetup
from pbem.games.westerplatte.bot_sheet import best_sheet
from pbem.games.westerplatte.cards import JOKER
from pbem.games.westerplatte.data_files import AreaId, GameData, Side
from pbem.games.westerplatte.s1_setup import areas_to_place, units_to_place
from pbem.games.westerplatte.state import State, on_map
from pbem.log.event import Role
from pbem.rules.play import Answer, Question
from pbem.rules.ruleset import Choose

LATE = 8
"""With so few cards left a redraw by the Germans is likelier to end the turn than to hit."""


def good_answer(data: GameData, question: Question[Any], state: State, choose: Choose) -> Answer:
    """The answer of a player who wants to win."""
    if question.kind == "polish_setup":
        return polish_placing(data, choose)
    if question.kind == "german_setup":
        return german_placing(data, state)
    if question.kind == "face_card":
        return face_card(state, question.role)
    return best_sheet(data, state)


def polish_placing(data: GameData, choose: Choose) -> PolishSetup:
    """Two units an area, in the areas that are best to hold; which unit goes where is drawn."""
    limit = data.number("stack.limit")
    areas = sorted(areas_to_place(data, Side.POLISH), key=lambda area: -holding_worth(data, area))
    units = list(units_to_place(data, Side.POLISH))
    placed = []
    for i in range(len(units)):
        unit = units.pop(choose(len(units)))
        placed.append(Placed(unit=unit, area=areas[i // limit]))
    return PolishSetup(placed=tuple(placed))


def holding_worth(data: GameData, area: AreaId) -> int:
    """Cover, and the way that the Germans have to go."""
    entry = min(data.distance(area, AreaId(each)) for each in data.words("areas.german_entry"))
    return 4 * data.areas[area].bonus + 2 * entry


def german_placing(data: GameData, state: State) -> GermanSetup:
    """The ship where most Poles are in its range, at short range first."""
    ship = units_to_place(data, Side.GERMAN)[0]
    best = max(areas_to_place(data, Side.GERMAN), key=lambda area: _closeness(data, state, area))
    return GermanSetup(placed=(Placed(unit=ship, area=best),))


def _closeness(data: GameData, state: State, area: AreaId) -> int:
    reach = data.number("combat.range")
    poles = on_map(data, state, Side.POLISH)
    return sum(max(0, reach + 1 - data.distance(area, pole.area)) for pole in poles)


def face_card(state: State, role: Role) -> FaceCard:
    """Redraw, unless it is a German attack so late that the turn is likely to end by it."""
    late = JOKER in state.deck and state.both_could_act and len(state.deck) <= LATE
    return FaceCard(face="miss" if late and role == Side.GERMAN.value else "redraw")
