"""What the cards that are left say about an attack: for the program that plays (combat.7, 12, 13, 15; turn.12).

Integers only: chances are in thousandths, numbers of cards in hundredths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.games.westerplatte import cards
from pbem.games.westerplatte.answers import OnFace
from pbem.games.westerplatte.state import State

CERTAIN = 1000
ONE_CARD = 100
HIGHEST = 10


@dataclass(frozen=True, slots=True)
class Prospect:
    """One attack under one plan for face cards: its chance, and how many cards it draws on average."""

    chance: int
    cards: int
    face: OnFace


@dataclass(frozen=True, slots=True)
class Pack:
    """What is left of the deck: `up_to[n]` number cards of n or less, all cards, cards that end an attack."""

    up_to: tuple[int, ...]
    size: int
    deciding: int

    def redrawn(self, most: int) -> Prospect:
        """An attack that a card of `most` or less wins, face cards redrawn."""
        hitting = self.up_to[max(0, min(HIGHEST, most))]
        chance = CERTAIN * hitting // self.deciding if self.deciding else 0
        return Prospect(chance, ONE_CARD * (self.size + 1) // (self.deciding + 1), "redraw")

    def missed(self, most: int) -> Prospect:
        """The same attack with face cards taken as a miss."""
        hitting = self.up_to[max(0, min(HIGHEST, most))]
        return Prospect(CERTAIN * hitting // self.size if self.size else 0, ONE_CARD, "miss")


def pack(state: State) -> Pack:
    """Count what is left; a joker that does not count yet is as good as not there."""
    left = [card for card in state.deck if card != cards.JOKER]
    numbers = [cards.number(card) for card in left if not cards.is_face(card)]
    joker = len(state.deck) > len(left) and state.both_could_act
    up_to = tuple(sum(number <= most for number in numbers) for most in range(HIGHEST + 1))
    return Pack(up_to, len(left) + joker, len(numbers) + joker)


def worth(prospect: Prospect, gain: int, card_cost: int) -> int:
    """What an attack is worth: its chance of `gain`, less the cards that it takes off the turn."""
    return prospect.chance * gain // CERTAIN - prospect.cards * card_cost // ONE_CARD


def best_plan(prospects: Sequence[Prospect], gain: int, card_cost: int) -> tuple[int, OnFace]:
    """The better plan for face cards and its worth."""
    found = max(prospects, key=lambda prospect: worth(prospect, gain, card_cost))
    return worth(found, gain, card_cost), found.face
