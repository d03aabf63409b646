"""Signs on a campaign map: towns, capture days, supply bases, fortresses, passes, nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.rules.picture import Mark
from pbem.viewer.colours import BASE_OF, INK, PAPER
from pbem.viewer.xml_text import tag, words

STAR = "M0 -15L4 -5L14 -5L6 2L9 12L0 6L-9 12L-6 2L-14 -5L-4 -5Z"


def draw_mark(mark: Mark) -> str:
    """One sign; a kind that is not known is written in words."""
    return SIGNS.get(mark.kind, _words)(mark)


def _words(mark: Mark) -> str:
    return words(mark.text or mark.kind, *mark.at, 20, fill=INK)


def _id(mark: Mark) -> str:
    look: dict[str, int | str] = {"fill": "#5f594a", "stroke": PAPER, "stroke_width": 4, "paint_order": "stroke"}
    return words(mark.text, mark.at[0], mark.at[1] + 6, 18, **look)


def _city(mark: Mark) -> str:
    """A square with a hole."""
    x, y = mark.at
    outer = tag("rect", x=x - 9, y=y - 9, width=18, height=18, fill=INK, stroke=PAPER, stroke_width=2)
    return outer + tag("rect", x=x - 4, y=y - 4, width=8, height=8, fill=PAPER)


def _day(mark: Mark) -> str:
    """The historical day of capture in a blue box."""
    x, y = mark.at
    box = tag("rect", x=x - 16, y=y - 13, width=32, height=26, rx=3, fill="#1f4fa8", stroke=PAPER, stroke_width=2)
    return box + words(mark.text, x, y + 8, 22, font_weight="bold", fill="#ffffff")


def _base(mark: Mark) -> str:
    """A coloured square with the letter of its state."""
    x, y = mark.at
    face, letter = BASE_OF.get(mark.owner, (INK, PAPER))
    box = tag("rect", x=x - 13, y=y - 13, width=26, height=26, fill=face, stroke=PAPER, stroke_width=2)
    return box + words(mark.text, x, y + 8, 22, font_weight="bold", fill=letter)


def _fortress(mark: Mark) -> str:
    x, y = mark.at
    look: dict[str, int | str] = {"fill": "#ffd84a", "stroke": INK, "stroke_width": 3, "stroke_linejoin": "round"}
    return tag("path", d=STAR, transform=f"translate({x} {y})", **look)


def _fortified(mark: Mark) -> str:
    """A battlement."""
    x, y = mark.at
    wall = f"M{x - 13} {y + 10}v-18h6v6h4v-6h6v6h4v-6h6v18z"
    return tag("path", d=wall, fill="#d9c8a0", stroke=INK, stroke_width=3, stroke_linejoin="round")


def _pass(mark: Mark) -> str:
    """Two brackets back to back across the border."""
    x, y = mark.at
    brackets = "M-16 -13Q-4 0 -16 13M16 -13Q4 0 16 13"
    turned = f"translate({x} {y}) rotate({mark.turn})"
    halo = tag("path", d=brackets, fill="none", stroke=PAPER, stroke_width=11, stroke_linecap="round")
    line = tag("path", d=brackets, fill="none", stroke="#5a3410", stroke_width=6, stroke_linecap="round")
    return tag("g", halo, line, transform=turned)


def _node(mark: Mark) -> str:
    x, y = mark.at
    look: dict[str, int | str] = {"fill": PAPER, "stroke": INK, "stroke_width": 4}
    return tag("circle", cx=x, cy=y, r=9, **look)


def _river_node(mark: Mark) -> str:
    """A node through which a river runs: closed to movement."""
    x, y = mark.at
    bar = tag("path", d=f"M{x - 6} {y + 6}L{x + 6} {y - 6}", stroke="#2e6f99", stroke_width=4)
    return _node(mark) + bar


def _fort(mark: Mark) -> str:
    """A battlement in the colour of its side, with what is left of the fort; broken stone for one that is destroyed."""
    x, y = mark.at
    face, letter = BASE_OF.get(mark.owner, (INK, PAPER)) if mark.text != "0" else ("#b9b3a6", INK)
    wall = f"M{x - 34} {y + 26}v-52h16v12h10v-12h16v12h10v-12h16v52z"
    look: dict[str, int | str] = {"stroke": PAPER, "stroke_width": 5, "stroke_linejoin": "round"}
    return tag("path", d=wall, fill=face, **look) + words(mark.text, x, y + 21, 36, font_weight="bold", fill=letter)


def _markers(mark: Mark) -> str:
    """A wooden disc with the number of control markers, which lie here if the mark has an owner."""
    x, y = mark.at
    face, letter = BASE_OF.get(mark.owner, ("#ffffff", "#c8102e"))
    edge: dict[str, int | str] = {"stroke": "#c8102e", "stroke_width": 6}
    disc = tag("circle", cx=x, cy=y, r=29, fill=face, **edge)
    return disc + words(mark.text, x, y + 13, 37, font_weight="bold", fill=letter)


def _combat(mark: Mark) -> str:
    """A burst between two stacks."""
    burst = "M0 -34L9 -13L30 -22L18 -3L36 9L14 12L14 34L0 17L-14 34L-14 12L-36 9L-18 -3L-30 -22L-9 -13Z"
    look: dict[str, int | str] = {"fill": "#c8102e", "stroke": PAPER, "stroke_width": 4, "stroke_linejoin": "round"}
    return tag("path", d=burst, transform=f"translate({mark.at[0]} {mark.at[1]})", **look)


SIGNS: Mapping[str, Callable[[Mark], str]] = {
    "id": _id,
    "city": _city,
    "day": _day,
    "base": _base,
    "fortress": _fortress,
    "fortified": _fortified,
    "pass": _pass,
    "node": _node,
    "river_node": _river_node,
    "fort": _fort,
    "markers": _markers,
    "combat": _combat,
}
