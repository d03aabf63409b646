"""The position, the data and the answers of the toy."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from pbem.log.event import Role
from pbem.rules.play import Answer, Sealed

NORTH, SOUTH = Role("north"), Role("south")
SIDES = (NORTH, SOUTH)
Few = Annotated[int, Field(ge=0, le=99)]


class Reserve(Answer):
    """Strength kept back until the end (1)."""

    kind: ClassVar[str] = "reserve"
    strength: Few = 0


class Plan(Answer):
    """Assault or hold, with some supply (2.2)."""

    kind: ClassVar[str] = "plan"
    do: Literal["assault", "hold"] = "hold"
    stake: Few = 0


class Bet(Answer):
    """Supply bet on the assault by the side with the initiative (2.3)."""

    kind: ClassVar[str] = "bet"
    supply: Few = 0


class Stage(StrEnum):
    RESERVES = "reserves"
    WEATHER = "weather"
    PLANS = "plans"
    BETS = "bets"
    OPENING = "opening"


@dataclass(frozen=True, slots=True)
class Army:
    """One side: supply and points, what it has planned this turn, and its reserve under seal or opened."""

    role: Role
    supply: int
    points: int = 0
    do: str = ""
    stake: int = 0
    reserve: Sealed | None = None
    opened: int = -1


@dataclass(frozen=True, slots=True)
class State:
    stage: Stage
    turn: int
    turns: int
    north: Army
    south: Army
    bag: tuple[str, ...]
    weather: str = ""

    def army(self, role: Role) -> Army:
        return self.north if role == NORTH else self.south

    def with_army(self, army: Army) -> State:
        return replace(self, north=army) if army.role == NORTH else replace(self, south=army)

    @property
    def initiative(self) -> Role:
        """North in odd turns, south in even ones (2.3)."""
        return SIDES[(self.turn + 1) % 2]


@dataclass(frozen=True, slots=True)
class Data:
    """The figures and the chits of the data files, with the rows as they stand there."""

    figures: Mapping[str, int]
    bag: tuple[str, ...]
    rows: Mapping[str, tuple[dict[str, str], ...]]


def parse(files: Mapping[str, bytes]) -> Data:
    """The data of `figures.csv` and `chits.csv`."""
    rows = {name: tuple(csv.DictReader(data.decode("utf-8").splitlines())) for name, data in files.items()}
    figures = {row["name"]: int(row["value"]) for row in rows["figures.csv"]}
    bag = [row["chit"] for row in rows["chits.csv"] for _ in range(int(row["count"]))]
    return Data(figures, tuple(bag), rows)


def other(role: Role) -> Role:
    return SOUTH if role == NORTH else NORTH
