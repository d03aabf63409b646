"""The agent of a home: it takes in what comes, answers what needs nobody, and sends what there is to send.

One agent at a time works on a home. It decides nothing: a question waits for its player, whose orders go out with the
next round, whoever gave them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from pbem.app.desk import Desk
from pbem.errors import BadRequest
from pbem.mail.post.port import Inbox, Outgoing, PostFault
from pbem.service.lacking import ask_all
from pbem.service.letters import Letterbox
from pbem.service.posting import AGAIN, post_all
from pbem.service.record import Tell
from pbem.service.resending import Neighbour
from pbem.service.sending import send_all
from pbem.service.visitors import Visitors

LEASE_NAME = "agent"
LEASE = 600
"""Seconds after which an agent that was killed counts as gone."""
AT_ONCE = 200
"""Letters of one round."""


@dataclass(frozen=True, slots=True)
class Round:
    """How many letters came, mails were put into the outbox, and mails left it, in one round; whether the box was
    `read` to its end, and how much that was due was done."""

    letters: int
    posted: int
    sent: int
    read: bool = True
    due: int = 0


class Duties(Protocol):
    """What else a home has to do in a round."""

    def fulfil(self, read: bool) -> int:
        """Do what is due, after the letters of the round were taken in and, if `read`, no other ones wait."""
        ...

    def note(self, done: Round) -> None:
        """Note that a round is over."""
        ...


class NoDuties:
    """A player has none."""

    def fulfil(self, read: bool) -> int:  # noqa: ARG002 - the port's signature
        return 0

    def note(self, done: Round) -> None: ...


class Agent:
    """A home on a mailbox; `worker` is a name that no other one has."""

    def __init__(
        self,
        desk: Desk,
        inbox: Inbox,
        outgoing: Outgoing,
        worker: str,
        tell: Tell,
        again: int = AGAIN,
        visitors: Visitors | None = None,
        duties: Duties | None = None,
    ) -> None:
        self._desk, self._inbox, self._outgoing = desk, inbox, outgoing
        self._worker, self._tell, self._again = worker, tell, again
        self._letters = Letterbox(desk, inbox, tell, visitors or Neighbour(desk, tell))
        self._duties = duties or NoDuties()

    def begin(self) -> None:
        """Ask for the passphrase now, and take the home for this agent; BadRequest when another one has it."""
        self._desk.vault()
        self._keep()

    def round(self) -> Round:
        """Once everything: letters in, turn files into the outbox, mails out. A way that is closed is told and left."""
        self._keep()
        letters = self._or_none(lambda: self._letters.take_all(AT_ONCE))
        read = letters is not None and letters < AT_ONCE
        due = self._duties.fulfil(read)
        posted = post_all(self._desk, self._tell, self._again)
        ask_all(self._desk, self._tell, self._again)
        sent = send_all(self._desk, self._outgoing, self._worker, self._tell)
        done = Round(letters or 0, posted, sent, read, due)
        self._duties.note(done)
        return done

    def run(self, stop: Callable[[], bool], pause: float) -> None:
        """Round after round until `stop`, with a wait for news of at most `pause` seconds between two."""
        self._tell("begun", worker=self._worker)
        try:
            while not stop():
                self.round()
                if not stop():
                    self._or_none(lambda: self._wait(pause))
        finally:
            self.end()
            self._tell("ended", worker=self._worker)

    def once(self) -> Round:
        """One round, and the home let go of, whatever happens."""
        try:
            return self.round()
        finally:
            self.end()

    def end(self) -> None:
        """Let go of the home, the box and the way out."""
        with self._desk.home.queueing() as queue:
            queue.release_lease(LEASE_NAME, self._worker)
        self._inbox.close()
        self._outgoing.close()

    def _wait(self, pause: float) -> int:
        self._inbox.wait(pause)
        return 0

    def _keep(self) -> None:
        with self._desk.home.queueing() as queue:
            if queue.take_lease(LEASE_NAME, self._worker, self._desk.clock(), LEASE):
                return
        raise BadRequest(
            "agent.running",
            "expected a home on which no agent works, got one that another agent has",
            f"stop that one; one that was killed counts as gone after {LEASE // 60} minutes",
        )

    def _or_none(self, work: Callable[[], int]) -> int | None:
        try:
            return work()
        except PostFault as error:
            self._tell("closed", code=error.code, text=error.text)
            return None
