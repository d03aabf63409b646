"""What the players decide: an activation, the defence, events before movement, attempts of late commands."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from pbem.games.white_eagle.kinds import Command, Event
from pbem.rules.play import Answer

MOST_UNITS = 60
MOST_BOXES = 100
BoxCode = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_-]{1,23}$")]
UnitCode = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}-[A-Za-z0-9_-]{1,20}$")]
Losses = Annotated[tuple[UnitCode, ...], Field(max_length=MOST_UNITS)]
Boxes = Annotated[tuple[BoxCode, ...], Field(max_length=MOST_BOXES)]


class Order(BaseModel):
    """One order of a sheet."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class March(Order):
    """Units that move together; `path` are the boxes that they enter, the last of them their goal (7.0).

    With `support` they enter the goal, which the enemy holds, as supporting units (7.2).
    """

    units: Annotated[tuple[UnitCode, ...], Field(min_length=1, max_length=MOST_UNITS)]
    path: Annotated[tuple[BoxCode, ...], Field(min_length=1, max_length=10)]
    support: bool = False


class Fight(Order):
    """How a side fights in a box.

    `event` is used in this combat (5.1). Hits fall on the units of `losses` one after the other, a unit named twice
    takes two; then on what the program finds best (8.4). `retreat` are the boxes to retreat to, best first (8.5); with
    `leave` units that could stay in a siege retreat from it (9.0).
    """

    box: BoxCode
    event: Event | None = None
    losses: Losses = ()
    retreat: Boxes = ()
    leave: bool = False


class Battle(Fight):
    """A combat of the activated side.

    `sortie` activates a besieged fort: with all units in it, or the fort alone (9.0). After a victory that allows it
    the units advance to the first box of `advance` that they may enter, and stay where none is named (8.5). The order
    holds only if the combat in `when_won` was won, or that in `unless_won` was not; else a combat that must be fought
    is fought without the event, and one that need not be is not.
    """

    sortie: Literal["", "all", "fort"] = ""
    advance: Boxes = ()
    when_won: BoxCode | None = None
    unless_won: BoxCode | None = None


class Battles(Answer):
    """The combats of an activation in their order; those that are not named but must be fought come last.

    With `ask_again` play stops behind the last named one, and the player is asked for those that are left.
    """

    kind: ClassVar[str] = "battles"
    battles: Annotated[tuple[Battle, ...], Field(max_length=MOST_BOXES)] = ()
    ask_again: bool = False


class Orders(Answer):
    """What an activated command does (5.2): at most one unit recovers, others move, then combat."""

    kind: ClassVar[str] = "orders"
    recover: UnitCode | None = None
    marches: Annotated[tuple[March, ...], Field(max_length=MOST_UNITS)] = ()
    battles: Battles = Battles()


class Defence(Answer):
    """How the side that is not activated fights, box by box; with `ask_again` it is asked anew after each combat."""

    kind: ClassVar[str] = "defence"
    fights: Annotated[tuple[Fight, ...], Field(max_length=MOST_BOXES)] = ()
    ask_again: bool = False


class Interference(Answer):
    """Whether Luftwaffe or Sabotage slows the movement that comes (5.1)."""

    kind: ClassVar[str] = "interference"
    use: bool


class Attempts(Answer):
    """German commands that were not activated and shall try to be, in that order (4.2)."""

    kind: ClassVar[str] = "attempts"
    commands: Annotated[tuple[Command, ...], Field(max_length=2)] = ()
