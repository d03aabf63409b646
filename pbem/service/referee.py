"""The service of a home that presides over games: the agent's rounds, with visitors to deal with and duties to fulfil.

Everything is as the agent has it; here are only the parts that `pbem serve` puts in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pbem.app.desk import Desk
from pbem.app.routing import Arrived
from pbem.log.verify import Verified
from pbem.mail.post.port import Letter
from pbem.service.agent import Round
from pbem.service.asking import Clerk
from pbem.service.condition import note_round
from pbem.service.deadlines import keep_deadlines
from pbem.service.joining import MOST_GAMES, Doorman
from pbem.service.overdue import Overdue, Policy
from pbem.service.record import Tell
from pbem.service.resending import NO_GAME, Neighbour, asks_to_resend
from pbem.service.watch import holds


@dataclass(frozen=True, slots=True)
class Reception:
    """Proposals go to the doorman, words to the clerk, but for requests to send something again."""

    doorman: Doorman
    clerk: Clerk
    neighbour: Neighbour

    def join(self, proposal: Verified, arrived: Arrived) -> str:
        return self.doorman.join(proposal, arrived)

    def answers(self, letter: Letter) -> str:
        """A request that names no game of its sender is answered in words, where it may be answered at all."""
        if not asks_to_resend(letter):
            return self.clerk.answers(letter)
        why = self.neighbour.answers(letter)
        return why if why != NO_GAME or self.clerk.answers(letter) else ""


def reception(desk: Desk, tell: Tell, most_games: int = MOST_GAMES) -> Reception:
    """The visitors' part of a service."""
    return Reception(Doorman(desk, tell, most_games), Clerk(desk, tell), Neighbour(desk, tell))


def always() -> bool:
    """Every round is a time to look at what is due."""
    return True


@dataclass(frozen=True, slots=True)
class Docket:
    """The duties of a service: deadlines, and the note that it lives. `tick` says whether it is time to look."""

    desk: Desk
    policy: Policy
    worker: str
    tell: Tell
    tick: Callable[[], bool] = always

    def fulfil(self, read: bool) -> int:
        """Keep the deadlines of all games and, when it is time, do what is due; how much that was."""
        clock_holds = holds(self.desk, self.tell)
        keep_deadlines(self.desk, self.policy.grace, self.worker)
        if not clock_holds or not self.tick():
            return 0
        done = Overdue(self.desk, self.policy, self.worker, self.tell).fire(read)
        if done:
            keep_deadlines(self.desk, self.policy.grace, self.worker)
        return done

    def note(self, done: Round) -> None:
        """Keep what the round did, for whoever asks how the service is."""
        note_round(self.desk, done)
