"""What the players decide: air missions, intercepts, attacks, defence, losses, moves, trains, the Slovaks' places.

A list is a batch: its items are carried out in turn, and what became impossible is skipped with a report.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from pbem.rules.play import Answer

MOST_UNITS = 400
"""More than there are counters: any number of units may stand in an area (4.1.11)."""

AreaCode = Annotated[str, StringConstraints(pattern=r"^[A-Z][0-9]{2,3}$")]
UnitCode = Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}-[A-Za-z0-9_-]{1,24}$")]
POLISH = "A-Za-zĄĆĘŁŃÓŚŹŻąćęłńóśźż"
RegionName = Annotated[str, StringConstraints(pattern=rf"^[{POLISH}][{POLISH} .-]{{0,31}}$")]
AirNumber = Annotated[int, Field(ge=1, le=9)]


class Order(BaseModel):
    """One order of a sheet."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Placed(Order):
    """A unit and the area where it begins."""

    unit: UnitCode
    area: AreaCode


class SlovakSetup(Answer):
    """Every Slovak unit in an area of Slovakia (scenario notes)."""

    kind: ClassVar[str] = "slovak_setup"
    placed: Annotated[tuple[Placed, ...], Field(max_length=8)]


# ---------------------------------------------------------------------- air


class Intercepts(Answer):
    """The areas that bombers defend, one bomber in each (3.1.2 a); which bomber makes no difference."""

    kind: ClassVar[str] = "intercepts"
    areas: Annotated[tuple[AreaCode, ...], Field(max_length=9)] = ()


class Bomb(Order):
    """An air unit bombards the units in an area (6.1.4, 6.2.3): `bom` 2 is the second bomber of the day's list."""

    air: Literal["bom", "off"]
    number: AirNumber
    area: AreaCode


class AttackOrder(Order):
    """One attack on an area (5.1.1).

    `units` fight, from whatever areas beside the target they stand in; `headquarters` support, at most one from
    an area (10.1.3); `air` is the number of an offensive air support unit (6.2.4), 0 for none. The units named in
    `losses` are the first to lose strength points; `advance` names who enters a vacated area (5.3.10).
    The attack is made only when the attack on `when_taken` has emptied that area, or not emptied `unless_taken`.
    """

    target: AreaCode
    units: Annotated[tuple[UnitCode, ...], Field(min_length=1, max_length=MOST_UNITS)]
    headquarters: Annotated[tuple[UnitCode, ...], Field(max_length=10)] = ()
    air: Annotated[int, Field(ge=0, le=9)] = 0
    losses: Annotated[tuple[UnitCode, ...], Field(max_length=MOST_UNITS)] = ()
    advance: Literal["all", "none"] | Annotated[tuple[UnitCode, ...], Field(max_length=MOST_UNITS)] = "all"
    when_taken: AreaCode | None = None
    unless_taken: AreaCode | None = None


class Attacks(Answer):
    """The attacks of phase II or V, in the order in which they are made; none is legal (5.2.2)."""

    kind: ClassVar[str] = "attacks"
    attacks: Annotated[tuple[AttackOrder, ...], Field(max_length=100)] = ()


class AirMissions(Answer):
    """Where air units go in phase I or IV (6.1.2, 6.2.2), and, if the player will not wait, the attacks after it.

    Bombers are turned back from the end of the list (3.1.2 c). `attacks` is None when the player wants to see the
    results first.
    """

    kind: ClassVar[str] = "air_missions"
    bombs: Annotated[tuple[Bomb, ...], Field(max_length=18)] = ()
    attacks: Attacks | None = None


class Raid(Order):
    """Bombers that wait for trains in a region (6.1.6)."""

    region: RegionName
    bombers: Annotated[int, Field(ge=1, le=9)]


class RailRaids(Answer):
    """Secret attacks on trains for the rest of the day (6.1.6)."""

    kind: ClassVar[str] = "rail_raids"
    raids: Annotated[tuple[Raid, ...], Field(max_length=9)] = ()


class LossOrder(Order):
    """Which units of an area lose strength points first (6.1.4, 5.4); the others follow, the strongest first."""

    area: AreaCode
    first: Annotated[tuple[UnitCode, ...], Field(max_length=MOST_UNITS)]


class BombLosses(Answer):
    """Who takes the losses of a bombardment, said before the dice (6.1.4)."""

    kind: ClassVar[str] = "bomb_losses"
    areas: Annotated[tuple[LossOrder, ...], Field(max_length=18)] = ()


# ---------------------------------------------------------------------- combat


class Stand(Order):
    """How the units of an attacked area fight: the supporting HQ, stand or retreat, where to, who loses first.

    `stay` counts only where the fortification allows it (5.3.3). `to` lists areas for a retreat, the best first;
    the first one that is possible is taken, and any other possible one when none of them is.
    """

    area: AreaCode
    headquarters: UnitCode | None = None
    stay: bool = False
    to: Annotated[tuple[AreaCode, ...], Field(max_length=12)] = ()
    losses: Annotated[tuple[UnitCode, ...], Field(max_length=MOST_UNITS)] = ()


class Defence(Answer):
    """The defender's decisions about all attacks of a phase, taken before the dice (5.1.1)."""

    kind: ClassVar[str] = "defence"
    stands: Annotated[tuple[Stand, ...], Field(max_length=100)] = ()


# ---------------------------------------------------------------------- movement


class Move(Order):
    """A unit moves to an area; `via` names areas on the way, in order, else the cheapest way is taken (4.1)."""

    unit: UnitCode
    to: AreaCode
    via: Annotated[tuple[AreaCode, ...], Field(max_length=12)] = ()


class Load(Order):
    """A unit in a city goes aboard the train that waits there (8.1.2, first day)."""

    unit: UnitCode


class Travel(Order):
    """A unit that came on the map loaded travels to a city (8.1.2 example a)."""

    unit: UnitCode
    to: AreaCode


class Join(Order):
    """The regiments of the Polish 9 INF in an area become one counter (scenario notes)."""

    area: AreaCode


class Moves(Answer):
    """What moves in phase III or VI: marches in turn, then trains, loading and joining."""

    kind: ClassVar[str] = "moves"
    moves: Annotated[tuple[Move, ...], Field(max_length=400)] = ()
    travels: Annotated[tuple[Travel, ...], Field(max_length=20)] = ()
    loads: Annotated[tuple[Load, ...], Field(max_length=20)] = ()
    joins: Annotated[tuple[Join, ...], Field(max_length=4)] = ()


class Destinations(Answer):
    """Where the units that were just loaded will travel: noted in secret, opened when they go (8.1.2)."""

    kind: ClassVar[str] = "destinations"
    travels: Annotated[tuple[Travel, ...], Field(max_length=20)] = ()
