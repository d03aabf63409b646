"""The position: where every unit stands, what is left of the deck, and what this turn has used up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pbem.games.westerplatte.cards import is_black, is_face
from pbem.games.westerplatte.data_files import AreaId, GameData, Side, UnitId, UnitKind

EAST = AreaId("east")
"""Off the east edge of the map, where the German ground units begin (setup.2)."""
LOST = AreaId("lost")
UNPLACED = AreaId("unplaced")
OFF_MAP = (EAST, LOST, UNPLACED)


class Stage(StrEnum):
    """What the game is at."""

    POLISH_SETUP = "polish_setup"
    GERMAN_SETUP = "german_setup"
    CARDS = "cards"


@dataclass(frozen=True)  # no slots: every step encodes the state, and orjson reads a `__dict__` five times as fast
class Piece:
    """One counter: `area` is an area of the map or one of OFF_MAP."""

    unit: UnitId
    area: AreaId
    weak: bool = False


@dataclass(frozen=True)  # no slots: see Piece
class State:
    """A position of The Battle of the Westerplatte.

    `deck` is what is left of it, in a fixed order. `card` is being played (empty between cards), `left` counts
    the units that it still activates, `face_area` is the area that a face card activates, once chosen, and
    `acted` names the units that have acted on it.
    """

    stage: Stage
    turn: int
    pieces: tuple[Piece, ...]
    deck: tuple[str, ...]
    drawn: int = 0
    reshuffles: int = 0
    german_could_act: bool = False
    polish_could_act: bool = False
    air_used: bool = False
    oba_used: bool = False
    suppressed: AreaId | None = None
    card: str = ""
    left: int = 0
    face_area: AreaId | None = None
    acted: tuple[UnitId, ...] = ()
    turn_over: bool = False

    @property
    def both_could_act(self) -> bool:
        """Whether each side has had a card this turn; a pass counts (turn.12, ruling 3)."""
        return self.german_could_act and self.polish_could_act

    def changed(self, **fields: Any) -> State:
        """The position with some fields as given."""
        copy = object.__new__(State)
        copy.__dict__.update(self.__dict__, **fields)  # five times as fast as `dataclasses.replace`, for every event
        if len(copy.__dict__) != len(self.__dict__):
            raise TypeError(f"expected fields of a position, got {', '.join(fields)}")
        return copy

    def piece(self, unit: UnitId) -> Piece:
        """The counter of a unit."""
        for piece in self.pieces:
            if piece.unit == unit:
                return piece
        raise KeyError(unit)

    def at(self, area: AreaId) -> tuple[Piece, ...]:
        """The counters in an area."""
        return tuple([piece for piece in self.pieces if piece.area == area])

    def with_piece(self, changed: Piece) -> State:
        """The position with one counter as given."""
        pieces = tuple([changed if piece.unit == changed.unit else piece for piece in self.pieces])
        return self.changed(pieces=pieces)

    def moved(self, unit: UnitId, area: AreaId) -> State:
        """The position with a unit in another area."""
        return self.with_piece(Piece(unit, area, self.piece(unit).weak))

    def without_card(self, card: str) -> State:
        """The position with a card drawn from what is left (turn.12)."""
        deck = tuple([other for other in self.deck if other != card])
        return self.changed(deck=deck, drawn=self.drawn + 1)

    def with_open_card(self, card: str, left: int) -> State:
        """The position with a card open that activates `left` units; its side has had a card now (ruling 3)."""
        black = is_black(card)
        german, polish = self.german_could_act or black, self.polish_could_act or not black
        return self.changed(card=card, left=left, german_could_act=german, polish_could_act=polish)

    def spent(self, units: Iterable[UnitId]) -> State:
        """The position when units have acted on the present card, before they move (turn.3, turn.4)."""
        acted = tuple(units)
        area = self.face_area or (self.piece(acted[0]).area if is_face(self.card) else None)
        return self.changed(acted=self.acted + acted, left=max(0, self.left - len(acted)), face_area=area)


def side_of(data: GameData, unit: UnitId) -> Side:
    """Whose unit it is."""
    return data.units[unit].side


def strength(data: GameData, piece: Piece) -> int:
    """The fire strength printed on the face that is up (combat.5)."""
    kind = data.units[piece.unit]
    return kind.weak if piece.weak else kind.strong


def is_ship(data: GameData, unit: UnitId) -> bool:
    """Whether a unit moves on water (turn.8, turn.9)."""
    return data.units[unit].kind is UnitKind.BATTLESHIP


def pieces_of(data: GameData, state: State, side: Side) -> tuple[Piece, ...]:
    """A side's counters that are not lost."""
    units = data.units
    return tuple([piece for piece in state.pieces if piece.area != LOST and units[piece.unit].side is side])


def on_map(data: GameData, state: State, side: Side) -> tuple[Piece, ...]:
    """A side's counters on the map."""
    return tuple(piece for piece in pieces_of(data, state, side) if piece.area not in OFF_MAP)


def enemies_in(data: GameData, state: State, area: AreaId, side: Side) -> tuple[Piece, ...]:
    """The other side's counters in an area."""
    return tuple(piece for piece in state.at(area) if side_of(data, piece.unit) is not side)


def adjective(side: Side) -> str:
    """`German` or `Polish`, for what people read."""
    return side.value.capitalize()


def acting_side(state: State) -> Side:
    """Who plays the present card (turn.3, turn.5)."""
    return Side.GERMAN if is_black(state.card) else Side.POLISH
