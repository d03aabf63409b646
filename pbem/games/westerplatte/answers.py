"""What the players decide: the set-up of each side, the orders for a card, and a face card drawn in combat."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from pbem.rules.play import Answer

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,15}$")]
OnFace = Literal["redraw", "miss", "ask"]


class Order(BaseModel):
    """One order of a sheet."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Move(Order):
    """Move one area, or enter the map at an entry area (turn.6, setup.3)."""

    do: Literal["move"] = "move"
    unit: Name
    to: Name


class Fire(Order):
    """Attack the first of `targets` that is still on the map (combat.6); `face` plans for face cards (combat.15)."""

    do: Literal["fire"] = "fire"
    units: Annotated[tuple[Name, ...], Field(min_length=1, max_length=2)]
    targets: Annotated[tuple[Name, ...], Field(min_length=1, max_length=8)]
    face: OnFace = "redraw"


class Recover(Order):
    """Return a flipped unit to full strength on a face card (turn.4)."""

    do: Literal["recover"] = "recover"
    unit: Name


class Bombard(Order):
    """Attack one Polish unit with a support marker (support.4)."""

    do: Literal["bombard"] = "bombard"
    marker: Literal["air", "oba"]
    target: Name
    face: OnFace = "redraw"


class Suppress(Order):
    """Hinder all attacks by the Polish units of one area for the rest of the turn (support.6)."""

    do: Literal["suppress"] = "suppress"
    area: Name


AnyOrder = Annotated[Move | Fire | Recover | Bombard | Suppress, Field(discriminator="do")]


class Activation(Answer):
    """Orders for one card, carried out in turn; none is a pass (turn.3).

    `then` says whether the player is asked again about activations that are left, `blocked` whether an order
    that has become impossible is skipped, or stops the rest and asks.
    """

    kind: ClassVar[str] = "activation"
    orders: Annotated[tuple[AnyOrder, ...], Field(max_length=32)] = ()
    then: Literal["end", "ask"] = "end"
    blocked: Literal["skip", "ask"] = "skip"


class Placed(Order):
    """A unit and the area where it begins."""

    unit: Name
    area: Name


class PolishSetup(Answer):
    """Every Polish unit on a land area (setup.1)."""

    kind: ClassVar[str] = "polish_setup"
    placed: Annotated[tuple[Placed, ...], Field(max_length=32)]


class GermanSetup(Answer):
    """The water area where the battleship begins (setup.4)."""

    kind: ClassVar[str] = "german_setup"
    placed: Annotated[tuple[Placed, ...], Field(max_length=32)]


class FaceCard(Answer):
    """What to do with a face card drawn in combat, where the plan was to ask (combat.15)."""

    kind: ClassVar[str] = "face_card"
    face: Literal["redraw", "miss"]
