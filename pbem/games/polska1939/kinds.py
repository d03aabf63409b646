"""The words of the rulebook: nations, types and sizes of units, kinds of aircraft, what terrain does."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

HINT = "correct the file and try again; `pbem tables polska1939` shows the built-in one"
"""What the reader of a wrong data file is told."""


class Nation(StrEnum):
    """Poland, Germany, the Soviet Union and Slovakia (1.3)."""

    POLAND = "PL"
    GERMANY = "DE"
    SOVIET_UNION = "SU"
    SLOVAKIA = "SK"


class Kind(StrEnum):
    """Types of land unit (2.0): infantry, cavalry, armour, motorized, light, mountain, home and frontier defence."""

    INF = "INF"
    CAV = "CAV"
    ARM = "ARM"
    MOT = "MOT"
    LARM = "LARM"
    MINF = "MINF"
    ND = "ND"
    FD = "FD"
    HQ = "HQ"


MOTORIZED = (Kind.ARM, Kind.LARM, Kind.MOT, Kind.HQ)


class Size(StrEnum):
    DIVISION = "division"
    BRIGADE = "brigade"
    REGIMENT = "regiment"
    BATTALION = "battalion"
    HEADQUARTERS = "headquarters"


class AirKind(StrEnum):
    """Bombers and offensive air support (2.0)."""

    BOMBER = "BOM"
    SUPPORT = "OFF"


class Passage(StrEnum):
    """What a border or an area costs where it is no number: every point that the unit has, or it may not pass."""

    ALL = "all"
    NO = "no"


Cost: TypeAlias = int | Passage
"""Half movement points, or a word."""


class Ground(StrEnum):
    AREA = "area"
    BORDER = "border"
    BOTH = "both"


class Attack(StrEnum):
    """What a terrain leaves of the strength of an attack from it or across it (5.2.9)."""

    FULL = "full"
    HALF = "half"
    NONE = "none"
