"""Colours by name: the sides, the grounds of states, the inks of symbols; and how two colours mix.

Nothing is told by colour alone: counters carry the letter of their side, bases that of their state, terrain symbols.
"""

from __future__ import annotations

from collections.abc import Mapping

INK = "#23211c"
PAPER = "#fbf8ef"
WATER, WATER_EDGE = "#b9dbe8", "#4c86a8"
GROUND_OF: Mapping[str, tuple[str, int]] = {
    "german": ("#7d8998", 30),
    "slovak": ("#b98fc0", 26),
    "soviet": ("#d0715f", 28),
    "free_city": ("#c98a3c", 45),
    "abroad": ("#a9a59a", 100),
}
"""The colour that a state's ground is tinted with, and how many hundredths of it."""
BASE_OF: Mapping[str, tuple[str, str]] = {
    "polish": ("#c8102e", "#ffffff"),
    "german": ("#3f4448", "#ffffff"),
    "slovak": ("#1f4e9c", "#ffffff"),
    "soviet": ("#8a1c12", "#ffd84a"),
}
"""The face and the letter of a supply base."""
INKS: Mapping[str, str] = {
    "black": "#1d1b18",
    "blue": "#17479e",
    "red": "#b01c23",
    "green": "#1d6b3a",
    "brown": "#6b3f17",
    "purple": "#6a2483",
    "teal": "#0b6b74",
    "orange": "#b35900",
    "yellow": "#c79400",
    "white": "#fffdf6",
}


def mixed(colour: str, other: str, hundredths: int) -> str:
    """Two colours such as `#f0e8d0` mixed: 0 is the first, 100 the other."""
    pairs = ((int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{(a * (100 - hundredths) + b * hundredths) // 100:02x}" for a, b in pairs)
