"""The deck: 52 cards and a joker (turn.1). A card's code is its suit and rank, `S7`, `H10`, `DA`, or `joker`."""

from __future__ import annotations

JOKER = "joker"
SET_ASIDE = "the joker is drawn before both sides could act: it is set aside"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = {"S": "spades", "C": "clubs", "H": "hearts", "D": "diamonds"}
BLACK = ("S", "C")
FACES = ("J", "Q", "K")
_NAMES = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}

DECK = (*(suit + rank for suit in SUITS for rank in RANKS), JOKER)


def rank(card: str) -> str:
    """`A`, `2` … `10`, `J`, `Q`, `K`."""
    return card[1:]


def is_black(card: str) -> bool:
    """Whether the Germans activate with this card (turn.3, turn.5)."""
    return card[0] in BLACK


def is_face(card: str) -> bool:
    """Jack, queen or king."""
    return rank(card) in FACES


def number(card: str) -> int:
    """The number on a card that is no face card and no joker; an ace is a one (turn.4)."""
    return 1 if rank(card) == "A" else int(rank(card))


def meaning_in_combat(card: str) -> str:
    """What a combat draw is read for: cards of one meaning are alike, whatever their suit (combat.7)."""
    if card == JOKER:
        return "joker"
    return "face" if is_face(card) else str(number(card))


def title(card: str) -> str:
    """`seven` of nothing: `7 of spades`, `ace of hearts`, `the joker`."""
    if card == JOKER:
        return "the joker"
    return f"the {_NAMES.get(rank(card), rank(card))} of {SUITS[card[0]]}"
