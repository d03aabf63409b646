"""The words of the rulebook: sides, nations, commands, types of unit, chits."""

from __future__ import annotations

from enum import StrEnum

HINT = "correct the file and try again; `pbem tables white_eagle` shows the built-in one"
"""What the reader of a wrong data file is told."""


class Side(StrEnum):
    """The two players; the German one has the Slovaks and the Soviets too (1.0)."""

    GERMAN = "german"
    POLISH = "polish"

    @property
    def enemy(self) -> Side:
        return Side.POLISH if self is Side.GERMAN else Side.GERMAN

    @property
    def adjective(self) -> str:
        """`German` or `Polish`, for what people read."""
        return self.value.capitalize()


class Nation(StrEnum):
    """The colour behind a unit (2.2)."""

    GERMAN = "GER"
    SOVIET = "SOV"
    SLOVAK = "SLO"
    POLISH = "POL"

    @property
    def side(self) -> Side:
        """Who moves it (1.0)."""
        return Side.POLISH if self is Nation.POLISH else Side.GERMAN

    @property
    def adjective(self) -> str:
        """`German`, `Soviet`, `Slovak` or `Polish`."""
        return self.name.capitalize()


class Command(StrEnum):
    """Whom an activation chit activates (2.2, 2.3)."""

    GERMAN_NORTH = "GER-North"
    GERMAN_SOUTH = "GER-South"
    BELORUSSIAN = "SOV-Belorussian"
    UKRAINIAN = "SOV-Ukrainian"
    POLISH_NORTH = "POL-North"
    POLISH_CENTRAL = "POL-Central"
    POLISH_SOUTH = "POL-South"

    @property
    def side(self) -> Side:
        """Whose orders it takes."""
        return Nation(self.value[:3]).side

    @property
    def full_name(self) -> str:
        """`German North`, for people."""
        nation, name = self.value.split("-")
        return f"{Nation(nation).adjective} {name}"


GERMAN_COMMANDS = (Command.GERMAN_NORTH, Command.GERMAN_SOUTH)
SOVIET_COMMANDS = (Command.BELORUSSIAN, Command.UKRAINIAN)


class Kind(StrEnum):
    """Types of unit: infantry, cavalry, light armour, armour (2.2)."""

    INF = "INF"
    CAV = "CAV"
    LARM = "LARM"
    ARM = "ARM"


class ChitKind(StrEnum):
    """What a chit from the cup is (2.3)."""

    ACTIVATION = "activation"
    EVENT = "event"
    END = "end"


class Event(StrEnum):
    """The event chits (5.1)."""

    LUFTWAFFE = "Luftwaffe"
    BLITZKRIEG = "Blitzkrieg"
    STUKA = "Stuka"
    TRAIN = "Train"
    SABOTAGE = "Sabotage"
    P11 = "P11"

    @property
    def side(self) -> Side:
        """Who may trigger it."""
        return Side.GERMAN if self in (Event.LUFTWAFFE, Event.BLITZKRIEG, Event.STUKA) else Side.POLISH

    @property
    def full_name(self) -> str:
        """As the chit is called: `Ju 87 Stuka`."""
        return {Event.STUKA: "Ju 87 Stuka", Event.TRAIN: "Armored Train", Event.P11: "PZL P.11"}.get(self, self.value)


BEFORE_MOVEMENT = {Side.GERMAN: Event.LUFTWAFFE, Side.POLISH: Event.SABOTAGE}
"""What slows the movement of the other side down (5.1)."""
