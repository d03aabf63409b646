"""Text on a map that belongs to no place: names of rivers, regions and states."""

from __future__ import annotations

from pbem.rules.picture import Label
from pbem.viewer.colours import INK
from pbem.viewer.xml_text import words

LABELS: dict[str, dict[str, int | str]] = {
    "river": {"fill": "#1d5a83", "letter_spacing": 1, "stroke": "#ffffff", "stroke_width": 3, "paint_order": "stroke"},
    "state": {"fill": "#6d6553", "letter_spacing": 14, "font_family": "serif", "opacity": "0.75"},
    "track": {"fill": INK, "font_style": "normal", "font_weight": "bold"},
}


def draw_label(label: Label) -> str:
    """One label in the look of its kind, turned if it says so."""
    size = label.size or {"small": 30, "caption": 34}.get(label.kind, 44)
    look: dict[str, int | str] = {"font_style": "italic", "fill": "#5a5648", "letter_spacing": 3}
    if label.kind in LABELS:
        look = {"font_style": "italic", **LABELS[label.kind]}
    x, y = label.at
    if not label.turn:
        return words(label.text, x, y, size, **look)
    return words(label.text, 0, 0, size, transform=f"translate({x} {y}) rotate({label.turn})", **look)
