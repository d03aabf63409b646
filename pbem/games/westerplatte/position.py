"""A position as text, one fact a line: for `pbem lab`, for fixtures, and for whoever reads without a screen."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import NoReturn

from pbem.errors import BadRequest
from pbem.games.westerplatte.activation import UNLIMITED, activations
from pbem.games.westerplatte.cards import DECK, JOKER
from pbem.games.westerplatte.data_files import AreaId, AreaKind, GameData, Side, UnitId
from pbem.games.westerplatte.orders import area_names, unit_names
from pbem.games.westerplatte.s1_setup import opening_state
from pbem.games.westerplatte.state import EAST, LOST, OFF_MAP, UNPLACED, Stage, State, is_ship, side_of
from pbem.log.enumeration import counted, cut
from pbem.rules.fact_lines import HINT
from pbem.rules.refusal import shown

_WORDS = re.compile(r"\S+")
_NUMBER = re.compile(r"[0-9]{1,9}")
_FLAGS = {
    "german could act": "german_could_act",
    "polish could act": "polish_could_act",
    "air used": "air_used",
    "oba used": "oba_used",
    "turn over": "turn_over",
}
_SINGLE = frozenset(("stage", "turn", "reshuffles", "left", "deck", "card", "area", "suppressed"))
"""Facts that have one line: a second one would take the place of the first."""
_FACTS = _SINGLE | {"drawn", "acted", "unit"}


def position_lines(state: State) -> Iterator[str]:
    """The position, line by line; `read_position` gives the same state back."""
    yield f"stage {state.stage.value}"
    yield f"turn {state.turn}"
    yield f"reshuffles {state.reshuffles}"
    gone = [card for card in DECK if card not in state.deck]
    facts = {
        "drawn": " ".join(gone),
        "suppressed": state.suppressed,
        "card": state.card,
        "left": _left(state),
        "area": state.face_area,
        "acted": " ".join(state.acted),
    }
    yield from (text for text, field in _FLAGS.items() if getattr(state, field))
    yield from (f"{word} {fact}" for word, fact in facts.items() if fact)
    yield from (f"unit {piece.unit} {piece.area}{' weak' if piece.weak else ''}" for piece in state.pieces)


def _left(state: State) -> str:
    """How many units the open card still activates: a face card all others of its area."""
    if not state.card:
        return ""
    return "all" if state.left == UNLIMITED - len(state.acted) else str(state.left)


def read_position(data: GameData, text: str) -> State:
    """The state of a position text; what it does not say is as at the start of the turn, units not named are lost.

    `drawn S2 H3` names the cards that are gone, `deck S2 H3` those that are left.
    """
    rows = [(n, row.split("#")[0].strip()) for n, row in enumerate(text.splitlines(), start=1)]
    reader = _Reader(data)
    for number, row in rows:
        if row:
            reader.read(number, row)
    state = reader.finished()
    refuse_impossible(data, state)
    return state


def refuse_impossible(data: GameData, state: State) -> None:
    """Raise BadRequest for a position that no play could lead to: units where they may never be, or too many."""
    for piece in state.pieces:
        if piece.area not in _homes(data, state.stage, piece.unit):
            _impossible(f"expected {piece.unit} where it may be, got it in {piece.area}")
    for area in data.areas:
        here = state.at(area)
        if len({side_of(data, piece.unit) for piece in here}) > 1:
            _impossible(f"expected units of one side in {area}, got {cut([piece.unit for piece in here])}")
        if len(here) > data.number("stack.limit"):
            _impossible(f"expected at most {counted(data.number('stack.limit'), 'unit')} in {area}, got {len(here)}")


def _homes(data: GameData, stage: Stage, unit: UnitId) -> Collection[AreaId]:
    """Everywhere that a unit may be at a stage, on the map and off it (setup.1 to setup.4, turn.8, turn.9)."""
    ship, polish = is_ship(data, unit), side_of(data, unit) is Side.POLISH
    closed = data.words("areas.closed_to_poles") if polish else ()
    homes = {area.id for area in data.areas.values() if (area.kind is AreaKind.WATER) == ship and area.id not in closed}
    waits = stage is Stage.POLISH_SETUP or (stage is Stage.GERMAN_SETUP and ship)
    off_map = UNPLACED if ship or polish else EAST
    return homes | {LOST} | ({off_map} if off_map == EAST or waits else set())


def _impossible(text: str) -> NoReturn:
    raise BadRequest("position.impossible", text, "a line reads 'unit PL-1 GH1'; units not named are lost")


class _Reader:
    """Builds a state line by line."""

    def __init__(self, data: GameData) -> None:
        self._data = data
        self._units, self._areas = unit_names(data), area_names(data)
        start = opening_state(data)
        lost = tuple(replace(piece, area=LOST) for piece in start.pieces)
        self.state = replace(start, stage=Stage.CARDS, pieces=lost)
        self._all_left = False
        self._named: set[tuple[str, str]] = set()

    def finished(self) -> State:
        """The state that all lines make."""
        return replace(self.state, left=UNLIMITED - len(self.state.acted)) if self._all_left else self.state

    def read(self, number: int, row: str) -> None:
        """One line."""
        self._row, self._number = row, number
        word, *rest = _WORDS.findall(row)
        flag = " ".join((word, *rest)).casefold()
        if flag in _FLAGS:
            self.state = replace(self.state, **{_FLAGS[flag]: True})  # type: ignore[arg-type]
            return
        if word.casefold() not in _FACTS or not rest:
            self._refuse("'turn 2', 'card S7', 'drawn S2 H3', 'unit PL-1 GH1 weak', 'suppressed GH1' or 'air used'", 1)
        if word.casefold() in _SINGLE:
            self._once(f"one line '{word.casefold()}'", word.casefold(), 1)
        getattr(self, f"_{word.casefold()}")(rest)

    def _stage(self, rest: list[str]) -> None:
        if rest[0] not in [stage.value for stage in Stage]:
            self._refuse(f"one of {', '.join(stage.value for stage in Stage)}", 2)
        self.state = replace(self.state, stage=Stage(rest[0]))

    def _turn(self, rest: list[str]) -> None:
        self.state = replace(self.state, turn=self._whole(rest, 1, self._data.number("game.turns")))

    def _reshuffles(self, rest: list[str]) -> None:
        self.state = replace(self.state, reshuffles=self._whole(rest, 0, 99))

    def _left(self, rest: list[str]) -> None:
        self._all_left = rest[0].casefold() == "all"
        if not self._all_left:
            self.state = replace(self.state, left=self._whole(rest, 0, UNLIMITED))

    def _drawn(self, rest: list[str]) -> None:
        for card in self._cards(rest):
            if card in self.state.deck:
                self.state = self.state.without_card(card)

    def _deck(self, rest: list[str]) -> None:
        left = self._cards(rest)
        deck = tuple(card for card in DECK if card in left)
        self.state = replace(self.state, deck=deck, drawn=len(DECK) - len(deck))

    def _card(self, rest: list[str]) -> None:
        card = self._known_card(rest[0], 2)
        if card == JOKER:
            self._refuse("a card with a suit", 2)
        state = self.state if card not in self.state.deck else self.state.without_card(card)
        self.state = state.with_open_card(card, activations(self._data, card))

    def _area(self, rest: list[str]) -> None:
        self.state = replace(self.state, face_area=self._area_id(rest[0], 2))

    def _suppressed(self, rest: list[str]) -> None:
        self.state = replace(self.state, suppressed=self._area_id(rest[0], 2))

    def _acted(self, rest: list[str]) -> None:
        self.state = replace(self.state, acted=(*self.state.acted, *self._acting(rest)))

    def _unit(self, rest: list[str]) -> None:
        unit = self._unit_id(rest[0], 2)
        self._once("a unit that was not named before", unit, 2)
        area = self._area_id(rest[1], 3) if len(rest) > 1 else self._refuse("an area behind the unit", 2)
        if rest[2:] not in ([], ["weak"]):
            self._refuse("nothing or 'weak' behind the area", 4)
        piece = replace(self.state.piece(unit), area=area, weak=bool(rest[2:]))
        self.state = self.state.with_piece(piece)

    def _acting(self, names: Iterable[str]) -> Iterator[UnitId]:
        for index, name in enumerate(names, start=2):
            unit = self._unit_id(name, index)
            self._once("a unit that acted and was not named before", unit, index)
            yield unit

    def _cards(self, names: Iterable[str]) -> list[str]:
        """The cards of a line that says which are drawn, or left; every card is named once."""
        found = []
        for index, name in enumerate(names, start=2):
            found.append(self._known_card(name, index))
            self._once("a card that was not named before", found[-1], index)
        return found

    def _known_card(self, name: str, word: int) -> str:
        known = {card.casefold(): card for card in DECK}
        return known.get(name.casefold()) or self._refuse("a card such as S7, H10, DA or joker", word)

    def _once(self, expected: str, value: str, word: int) -> None:
        if (expected, value) in self._named:
            self._refuse(expected, word)
        self._named.add((expected, value))

    def _whole(self, rest: list[str], least: int, most: int) -> int:
        if not _NUMBER.fullmatch(rest[0]) or not least <= int(rest[0]) <= most:
            self._refuse(f"a whole number from {least} to {most}", 2)
        return int(rest[0])

    def _unit_id(self, name: str, word: int) -> UnitId:
        found = self._units.find(name)
        return UnitId(found.id) if found.id else self._refuse("the name of a unit", word)

    def _area_id(self, name: str, word: int) -> AreaId:
        if name in OFF_MAP:
            return AreaId(name)
        found = self._areas.find(name)
        return AreaId(found.id) if found.id else self._refuse("the name of an area, 'east' or 'lost'", word)

    def _refuse(self, expected: str, word: int) -> NoReturn:
        words = list(_WORDS.finditer(self._row))
        match = words[min(word, len(words)) - 1]
        raise BadRequest(
            "position.unreadable",
            f"expected {expected}, got '{shown(match[0])}' in line {self._number}, column {match.start() + 1}",
            HINT,
        )
