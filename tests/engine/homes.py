"""Two real homes with a clock and randomness of their own, which play the toy by turn files."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from engine.scripted import NORTH, SOUTH
from pbem.app import catalogue
from pbem.app.deciding import submit_orders
from pbem.app.demo import Seeded
from pbem.app.desk import Desk, make_home
from pbem.app.exporting import export
from pbem.app.imported import ImportResult
from pbem.app.importing import import_arrived
from pbem.app.opened import OpenGame, open_game
from pbem.app.propose import Terms, accept, propose, single_proposal
from pbem.app.routing import Arrived, incoming
from pbem.engine.campaign import Campaign
from pbem.log.event import Role
from pbem.store.database import Home

BEGIN = 1_700_000_000
GAME = "toy"


@dataclass(slots=True)
class Side:
    """One party with its home; `now` is its clock."""

    role: Role
    desk: Desk
    now: list[int] = field(default_factory=lambda: [BEGIN])

    @property
    def opened(self) -> OpenGame:
        return open_game(self.desk.home, GAME, self.desk.games)

    @property
    def campaign(self) -> Campaign[object]:
        return self.opened.campaign

    def submit(self, orders: str) -> None:
        submit_orders(self.desk, GAME, orders)

    def mail(self) -> bytes:
        return export(self.desk, GAME).mail

    def take(self, mail: bytes) -> ImportResult:
        return import_arrived(self.desk, incoming(mail, "a mail"))


@dataclass(slots=True)
class Pair:
    north: Side
    south: Side

    def exchange(self) -> None:
        """Mails to and fro until both have everything."""
        for _ in range(3):
            self.south.take(self.north.mail())
            self.north.take(self.south.mail())

    def submit(self, north: str, south: str) -> None:
        self.north.submit(north)
        self.south.submit(south)
        self.exchange()

    def close(self) -> None:
        self.north.desk.home.close()
        self.south.desk.home.close()


def new_side(folder: Path, role: Role, name: str) -> Side:
    random = Seeded(1, role)
    make_home(folder, name, f"{role}@example.org", None, random)
    now = [BEGIN]
    return Side(role, Desk(Home.open(folder), lambda: now[0], random), now)


def new_pair(folder: Path) -> Pair:
    """A toy game that north has proposed and south accepted."""
    north, south = new_side(folder / "north", NORTH, "Anna"), new_side(folder / "south", SOUTH, "Bruno")
    opponents = {SOUTH: ("Bruno", "south@example.org")}
    propose(north.desk, Terms(catalogue.ruleset(GAME), "standard", NORTH, opponents, 7, show_only=True))
    accept(south.desk, single_proposal(arrived(north.mail())))
    north.take(south.mail())
    return Pair(north, south)


def arrived(mail: bytes) -> Arrived:
    return incoming(mail, "a mail")
