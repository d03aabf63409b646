"""Areas named in a hint: the nearest to what a player wrote, not more than can be read."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.polska1939.data_files import GameData
from pbem.log.enumeration import cut

MOST_NAMED = 12
ANY_OTHER = "any area in reach may be named"
"""What to say behind a list that is cut."""


def nearest(data: GameData, areas: Iterable[str], to: str) -> list[str]:
    """Areas by their distance from another, those that are as far by name; by name alone from what is no area."""
    board = data.board
    far = {area: board.distance(to, area) if to in board.areas else 0 for area in areas}
    return sorted(far, key=lambda area: (far[area], board.areas[area].name, area))


def some_areas(data: GameData, areas: Iterable[str], to: str) -> str:
    """The nearest of some areas to another, and how many more there are; empty for none."""
    ranked = nearest(data, areas, to)
    named = cut([data.area_name(area) for area in ranked], MOST_NAMED)
    return f"{named} ({ANY_OTHER})" if len(ranked) > MOST_NAMED else named
