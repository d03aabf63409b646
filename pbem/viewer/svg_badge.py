"""A number in a disc, as it stands beside a name or in a legend."""

from __future__ import annotations

from pbem.rules.picture import Point
from pbem.viewer.colours import PAPER
from pbem.viewer.xml_text import tag, words

BADGE_RADIUS = 21


def draw_badge(value: str, at: Point) -> str:
    """A number in a disc."""
    disc = tag("circle", cx=at[0], cy=at[1], r=BADGE_RADIUS, fill="#3f4a2c", stroke=PAPER, stroke_width=3)
    return disc + words(value, at[0], at[1] + 9, 25, font_weight="bold", fill="#ffffff")
