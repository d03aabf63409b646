"""On which side of the two lines of the rules an area lies: Pisa, Narew, Bug, San, and San, Vistula."""

from __future__ import annotations

import shapely

from tests.cartography.plane import Point, project

GERMAN_SIDE = (
    (53.56, 21.84), (53.35, 21.86), (53.22, 21.87), (53.02, 21.97), (52.86, 22.05), (52.70, 22.12), (52.60, 22.20),
    (52.45, 22.45), (52.35, 22.90), (52.25, 23.25), (52.08, 23.63), (51.80, 23.60), (51.50, 23.55), (51.20, 23.70),
    (51.00, 23.87), (50.78, 24.08), (50.60, 24.08), (50.40, 24.25), (50.36, 23.95), (50.33, 23.50), (50.25, 23.20),
    (50.20, 22.80), (50.12, 22.62), (49.95, 22.73), (49.80, 22.73), (49.76, 22.45), (49.70, 22.26), (49.57, 22.22),
    (49.47, 22.34), (49.40, 22.45), (49.20, 22.70), (48.0, 22.6), (47.0, 15.0), (57.0, 15.0), (57.0, 20.5),
    (54.5, 21.3),
)  # fmt: skip
WEST_OF_VISTULA = (
    (54.60, 18.95), (54.25, 18.92), (54.09, 18.805), (53.90, 18.88), (53.73, 18.83), (53.49, 18.745), (53.35, 18.42),
    (53.25, 18.25), (53.15, 18.17), (53.08, 18.25), (53.025, 18.60), (52.87, 18.80), (52.66, 19.09), (52.57, 19.35),
    (52.53, 19.69), (52.40, 20.00), (52.36, 20.30), (52.43, 20.66), (52.40, 20.93), (52.23, 21.04), (52.03, 21.23),
    (51.85, 21.30), (51.70, 21.55), (51.55, 21.84), (51.42, 21.96), (51.10, 21.80), (50.80, 21.86), (50.72, 21.86),
    (50.62, 22.04), (50.52, 22.15), (50.35, 22.40), (50.20, 22.45), (50.08, 22.62), (49.95, 22.73), (49.80, 22.73),
    (49.76, 22.45), (49.70, 22.26), (49.57, 22.22), (49.47, 22.34), (49.40, 22.45), (49.20, 22.70), (48.0, 22.6),
    (47.0, 15.0), (57.0, 15.0),
)  # fmt: skip
_GERMAN = shapely.Polygon([project(*pair) for pair in GERMAN_SIDE])
_WEST = shapely.Polygon([project(*pair) for pair in WEST_OF_VISTULA])
SUWALKI = ("P35", "P36")
"""West of the line although north-east of the Pisa: the corner of Suwałki fell to the German side."""


def is_west_of_line(code: str, country: str, seed: Point) -> bool:
    """Areas of Germany and Slovakia always; Soviet ones never."""
    return country in ("DE", "SK") or code in SUWALKI or (country == "PL" and _GERMAN.contains(shapely.Point(seed)))


def is_west_of_vistula(country: str, seed: Point) -> bool:
    """West of San and Vistula."""
    return country != "SU" and bool(_WEST.contains(shapely.Point(seed)))
