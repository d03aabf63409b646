"""The demo: two homes that exchange nothing but mails play a whole game, and a third one verifies it."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem.app import catalogue
from pbem.app.archive import archive
from pbem.app.deciding import submit_orders
from pbem.app.desk import Desk, make_home, system_clock
from pbem.app.exporting import Posting, TurnFile, export
from pbem.app.imported import ImportResult, require_something
from pbem.app.importing import import_arrived
from pbem.app.opened import OpenGame, open_game
from pbem.app.propose import Terms, accept, propose, single_proposal
from pbem.app.routing import incoming
from pbem.app.standing_orders import set_standing_orders
from pbem.app.summary import has_news
from pbem.app.verify import Verdict, verify
from pbem.errors import BadRequest
from pbem.log.event import Role
from pbem.rules.ruleset import Ruleset
from pbem.store.database import Home
from pbem.store.files import write_atomically

PEOPLE = (("Anna", "anna@example.org"), ("Bruno", "bruno@example.org"))
START_OF_SHOW = 1_788_220_800
"""The clock of a demo with a seed begins here, so that its files are the same every time."""


@dataclass(slots=True)
class Player:
    """One side of the demo: its desk, its bot, its name for the game, how many lines of the story it was told."""

    role: Role
    desk: Desk
    bot: str
    game: str = ""
    told: int = 0
    choose: Callable[[int], int] = field(default=lambda count: int.from_bytes(os.urandom(8), "big") % count)


@dataclass(slots=True)
class Counted:
    """Figures of a demo."""

    human_mails: int = 0
    automatic_mails: int = 0
    largest_mail: int = 0
    turns: int = 0


@dataclass(frozen=True, slots=True)
class Sent:
    """One mail of the demo, as a watcher sees it; `told` is the part of the story that is new with it."""

    number: int
    sender: Role
    receiver: Role
    human: bool
    events: int
    told: tuple[str, ...]
    turn: int
    campaign: Any


@dataclass(slots=True)
class Show:
    """What the demo did: where its files are, its figures, and the verdict of the third home."""

    folder: Path
    counted: Counted
    verdict: Verdict
    verify_seconds: float
    archive_path: Path


class Seeded:
    """Bytes that are the same for the same seed: for show only, since whoever knows the seed knows every key."""

    def __init__(self, seed: int, who: str) -> None:
        self._state = hashlib.sha256(f"pbem/show-only/{seed}/{who}".encode()).digest()
        self._count = 0

    def __call__(self, size: int) -> bytes:
        found = b""
        while len(found) < size:
            self._count += 1
            found += hashlib.sha256(self._state + self._count.to_bytes(8, "big")).digest()
        return found[:size]

    def choose(self, count: int) -> int:
        """A number below `count`."""
        return int.from_bytes(self(8), "big") % count


class Demo:
    """Plays a game between two homes in `folder`; `watch` sees every mail."""

    def __init__(self, ruleset: Ruleset[Any], folder: Path, seed: int | None, bots: Sequence[str]) -> None:
        if folder.exists() and any(folder.iterdir()):
            raise BadRequest("demo.folder", f"expected an empty folder, got {folder}", "name another one with --out")
        self._ruleset, self._folder, self._seed = ruleset, folder, seed
        self._ticks = 0
        self._story: list[str] = []
        self._watched = 0
        self.counted = Counted()
        self.players = [self._player(i, role, bots[i]) for i, role in enumerate(ruleset.roles)]

    def play(self, watch: Callable[[Sent], None], turns: int | None = None) -> Show:
        """The whole game, or as many game turns as asked for; then the archive, verified by a stranger."""
        for sent in self._mails(turns):
            watch(sent)
        archive_path = self._folder / f"{self._ruleset.name}.pbem"
        write_atomically(archive_path, archive(self.players[0].desk, self.players[0].game), 0o644)
        started = time.perf_counter()
        verdict = verify(archive_path.read_bytes(), catalogue.for_proposal())
        return Show(self._folder, self.counted, verdict, time.perf_counter() - started, archive_path)

    def close(self) -> None:
        """Close both homes."""
        for player in self.players:
            player.desk.home.close()

    def _player(self, index: int, role: Role, bot: str) -> Player:
        folder = self._folder / f"home-{role}"
        name, address = PEOPLE[index]
        random = Seeded(self._seed, role) if self._seed is not None else os.urandom
        make_home(folder, name, address, None, random)
        desk = Desk(Home.open(folder), self._clock, random)
        player = Player(role, desk, bot)
        if isinstance(random, Seeded):
            player.choose = random.choose
        return player

    def _clock(self) -> int:
        if self._seed is None:
            return system_clock()
        self._ticks += 1
        return START_OF_SHOW + 60 * self._ticks

    def _mails(self, turns: int | None) -> Iterator[Sent]:
        """Mail after mail, each side in turn, until neither has anything to send."""
        sender, receiver = self.players
        yield self._invite(sender, receiver)
        human, idle = True, 0
        while idle < 2:
            sender, receiver = receiver, sender
            human = self._decide(sender) or human
            opened = _open(sender)
            self.counted.turns = self._ruleset.turn_of(opened.campaign.state)
            if turns is not None and self.counted.turns > turns:
                return
            idle += 1
            if has_news(sender.desk.home, opened):
                yield self._send(sender, receiver, human=human)
                idle = 0
            human = False

    def _invite(self, first: Player, second: Player) -> Sent:
        opponents = {second.role: PEOPLE[1]}
        terms = Terms(self._ruleset, self._ruleset.scenarios[0], first.role, opponents, 7, self._seed is not None)
        first.game = propose(first.desk, terms).row.name
        file = export(first.desk, first.game)
        mail = self._deliver(file, human=True)
        joined = accept(second.desk, single_proposal(incoming(mail, file.subject)))
        second.game = joined.row.name
        for player in (first, second):
            if routine := self._ruleset.routine(player.role):
                set_standing_orders(player.desk, player.game, routine)
        self._tell(second, [line.text for line in joined.campaign.lines])
        return self._seen(first, second, file, human=True)

    def _send(self, sender: Player, receiver: Player, *, human: bool) -> Sent:
        file = export(sender.desk, sender.game, post=Posting(automatic=not human))
        mail = self._deliver(file, human=human)
        result: ImportResult = import_arrived(receiver.desk, incoming(mail, file.subject))
        require_something(result)
        self._tell(receiver, [line for game in result.games for line in game.told])
        return self._seen(sender, receiver, file, human=human)

    def _decide(self, player: Player) -> bool:
        """Answer every question that the player has now; whether there was any."""
        decided = False
        campaign = _open(player).campaign
        while (question := campaign.question(player.role)) is not None:
            answer = self._ruleset.bots()[player.bot](question, campaign.state, player.choose)
            done = submit_orders(player.desk, player.game, self._ruleset.write_orders(answer))
            campaign = done.opened.campaign
            self._tell(player, done.told)
            decided = True
        return decided

    def _tell(self, player: Player, lines: Sequence[str]) -> None:
        """Add to the story what the other side was not told before: both are told the same lines in the same order."""
        known = len(self._story) - player.told
        self._story.extend(lines[known:])
        player.told += len(lines)

    def _unwatched(self) -> tuple[str, ...]:
        """The lines of the story that no watcher has seen."""
        fresh = tuple(self._story[self._watched :])
        self._watched = len(self._story)
        return fresh

    def _deliver(self, file: TurnFile, *, human: bool) -> bytes:
        """Put the mail where a watcher can read it, and give what a mail program would."""
        counted = self.counted
        counted.human_mails += human
        counted.automatic_mails += not human
        counted.largest_mail = max(counted.largest_mail, len(file.mail))
        number = counted.human_mails + counted.automatic_mails
        path = self._folder / "mails" / f"{number:04}-{file.game}.eml"
        path.parent.mkdir(exist_ok=True)
        write_atomically(path, file.mail, 0o644)
        return path.read_bytes()

    def _seen(self, sender: Player, receiver: Player, file: TurnFile, *, human: bool) -> Sent:
        campaign = _open(receiver).campaign
        number = self.counted.human_mails + self.counted.automatic_mails
        turn = self._ruleset.turn_of(campaign.state)
        return Sent(number, sender.role, receiver.role, human, file.events, self._unwatched(), turn, campaign)


def _open(player: Player) -> OpenGame:
    return open_game(player.desk.home, player.game, player.desk.games)
