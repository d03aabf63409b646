"""What every kind of event is called before a player."""

from __future__ import annotations

NOUNS = {
    "propose": "proposal",
    "accept": "acceptance",
    "answer": "orders",
    "seal": "sealed orders",
    "open": "opening of sealed orders",
    "entropy": "share of the dice",
    "close": "closing of the game",
    "lapse": "claim",
    "resolve": "settlement",
    "motion": "motion",
    "request": "request",
    "consent": "answer to a motion",
    "deposit": "deposit with the referee",
    "vouch": "word for the deposits",
    "ruling": "ruling",
    "annul": "annulment",
    "receipt": "receipt",
    "withdraw": "withdrawal",
}

PLURAL = frozenset({"answer", "seal"})
"""Kinds whose name is a plural."""


def spoken(ask: str) -> str:
    """The name of a question as a person reads it: `rail raids`."""
    return ask.replace("_", " ")
