"""A player's own transcription of the game's data: whether the rules can play a whole game with it.

The proposer of a game chooses the data, and what could not be used would stop the game on a card of his choice; so
everything is looked at before the game begins.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.errors import BadRequest
from pbem.games.westerplatte.data_files import (
    CONSTANTS,
    HINT,
    KEYS_THAT_NAME_AREAS,
    UNITS,
    Constant,
    GameData,
    Side,
    UnitKind,
)
from pbem.games.westerplatte.s1_setup import default_setup, placement_refusals, units_to_place
from pbem.games.westerplatte.shapes_file import short

FIXED = frozenset(
    (
        "entry.first_turn",
        "ship.start_strength",
        "deck.cards",
        "deck.jokers",
        "deck.german_colour",
        "deck.polish_colour",
        "card.ace",
        "move.areas",
        "joker.ends_turn",
        "combat.firing_units",
        "combat.targets",
        "combat.hits_to_eliminate",
        "oba.targets",
        "air.targets",
        "activation.divisor",
        "activation.recovered_units",
        "support.uses_per_turn",
    )
)
"""What the rules have no other way of playing: a transcription must agree."""
OF_UNITS = ("combat",)


def refuse_incomplete(data: GameData, model: GameData) -> None:
    """Raise `BadRequest` unless `data` has every constant of `model`, with values that the rules can use.

    A number that is counted with is at least 1; words are types of unit, or words of their group in `model`. Names of
    areas were looked up as the file was read.
    """
    for key, constant in model.constants.items():
        if key not in data.constants:
            raise BadRequest("data.constant", f"expected a line with the key {key!r} in {CONSTANTS}, got none", HINT)
        if key in KEYS_THAT_NAME_AREAS:
            continue
        expected = _expected(model, constant)
        if not expected.allows(data.constants[key].value):
            text = f"expected {expected.text} for the key {key!r} in {CONSTANTS}"
            raise BadRequest("data.constant", f"{text}, got {short(data.constants[key].value)}", HINT)
    _refuse_unplayable(data)


def _refuse_unplayable(data: GameData) -> None:
    """A ship, German companies and Polish units that have room where they may be set up (setup.1, 2, 4, 5)."""
    ships = units_to_place(data, Side.GERMAN)
    germans = [unit for unit in data.units.values() if unit.side is Side.GERMAN]
    if len(ships) != 1 or len(germans) < 2 or not units_to_place(data, Side.POLISH):
        text = f"expected one ship, German ground units and Polish units in {UNITS}, got others"
        raise BadRequest("data.units", text, HINT)
    refusals = placement_refusals(data, Side.POLISH, default_setup(data))
    if refusals:
        raise BadRequest("data.units", f"expected room for every Polish unit, but {refusals[0].text}", HINT)


@dataclass(frozen=True, slots=True)
class _Expected:
    """What a constant may be: a number from `least` to `most`, or words out of `words` where there are any."""

    text: str
    least: int = 0
    words: frozenset[str] = frozenset()
    most: int = 99

    def allows(self, value: int | str) -> bool:
        if isinstance(value, int):
            return not self.words and self.least <= value <= self.most
        return bool(value) and set(value.split()) <= self.words


def _expected(model: GameData, constant: Constant) -> _Expected:
    if constant.key in FIXED:
        words = frozenset(str(constant.value).split() if isinstance(constant.value, str) else ())
        least = constant.value if isinstance(constant.value, int) else 0
        return _Expected(f"{short(constant.value)}, which the rules are written for,", least, words, most=least)
    if isinstance(constant.value, int):
        least = min(constant.value, 1)
        return _Expected(f"a number from {least} to 99", least)
    group = constant.key.split(".")[0]
    if group in OF_UNITS:
        return _Expected("types of unit", words=frozenset(kind.value for kind in UnitKind))
    known = _words_of(model, group)
    return _Expected(" or ".join(sorted(known)), words=frozenset(known))


def _words_of(model: GameData, group: str) -> set[str]:
    values = [constant.value for key, constant in model.constants.items() if key.split(".")[0] == group]
    return {word for value in values if isinstance(value, str) for word in value.split()}
