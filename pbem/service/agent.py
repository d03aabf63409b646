"""The agent of a home: it takes in what comes, answers what needs nobody, and sends what there is to send.

It decides nothing: a question waits for its player, whose orders go out with the next round, whoever gave them; one
may want a bot to give them (`bots`). Of a home in PostgreSQL several agents are workers; which of them does what is in
`pbem.service.shift`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Protocol

from pbem.app.desk import Desk
from pbem.errors import BadDisk
from pbem.mail.post.port import Inbox, Outgoing, PostFault
from pbem.service.away import Absence
from pbem.service.letters import Letterbox, Taken
from pbem.service.posting import AGAIN, post_all
from pbem.service.pruning import KEEP_DAYS, prune
from pbem.service.record import Tell
from pbem.service.resending import Neighbour
from pbem.service.sending import note_gone, send_all, why_held
from pbem.service.shift import BEAT, Shift, is_locked
from pbem.service.visitors import Visitors
from pbem.store.faults import is_away
from pbem.store.rows import StoredMail

AT_ONCE = 200
"""Letters of one round."""


@dataclass(frozen=True, slots=True)
class Round:
    """How many letters came, mails were put into the outbox, and mails left it, in one round; whether the box was
    `read` to its end and all that lay in it is dealt with, how much that was due was done, and whether the box was out
    of reach; and in sentences what kept mails from coming in or going out."""

    letters: int
    posted: int
    sent: int
    read: bool = True
    due: int = 0
    closed: bool = False
    faults: tuple[str, ...] = ()


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
    """A home on a mailbox; `worker` is a name that no other one has, `pulse` keeps what it has while it works.

    After `keep_days` it is forgotten what was sent and handled.
    """

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
        pulse: AbstractContextManager[object] | None = None,
        sleep: Callable[[float], None] = time.sleep,
        keep_days: int = KEEP_DAYS,
    ) -> None:
        self._desk, self._inbox, self._outgoing = desk, inbox, outgoing
        self._worker, self._tell, self._again = worker, tell, again
        self._shift = Shift(desk, worker, "agent" if visitors is None else "serve")
        self._letters = Letterbox(desk, inbox, tell, visitors or Neighbour(desk, tell), self._shift)
        self._duties = duties or NoDuties()
        self._pulse, self._sleep, self._keep_days = pulse or nullcontext(), sleep, keep_days
        self._absence = Absence(desk.home, tell, sleep)
        self._gone: list[StoredMail] = []

    def begin(self) -> None:
        """Ask for the passphrase now, and begin to work; BadRequest when another agent has the home for itself."""
        self._desk.vault()
        self._shift.begin()

    def round(self) -> Round:
        """Once everything: letters in, turn files into the outbox, mails out. A way that is closed is told and left."""
        self._shift.keep()
        taken, faults = self._taken()
        found = taken or Taken()
        read = taken is not None and found.read
        # what others have in hand may be the answer that is waited for: it is looked at what is due the next time
        due = 0 if found.elsewhere else self._duties.fulfil(read)
        posted = post_all(self._desk, self._tell, self._again, self._worker)
        sent = send_all(self._desk, self._outgoing, self._worker, self._tell, gone=self._gone)
        prune(self._desk, self._keep_days)
        faults += why_held(self._desk.home)
        read = read and not found.elsewhere
        done = Round(found.handled, posted, sent, read, due, closed=taken is None, faults=faults)
        self._duties.note(done)
        return done

    def run(self, stop: Callable[[], bool], pause: float) -> None:
        """Round after round until `stop`, with a wait for news of at most `pause` seconds between two.

        A database that goes away ends a round and not the work, which goes on when it is there again.
        """
        self._tell("begun", worker=self._worker)
        lost: BadDisk | None = None
        try:
            with self._pulse:
                while not stop():
                    lost = self._worked(lost, stop)
                    if lost is None:
                        self._wait(stop, pause)
        finally:
            self.end()
            self._tell("ended", worker=self._worker)

    def once(self) -> Round:
        """One round, and the home let go of, whatever happens."""
        try:
            with self._pulse:
                return self.round()
        finally:
            self.end()

    def end(self) -> None:
        """Let go of the home, the box and the way out; at a home that is away what it has ends by itself."""
        try:
            self._shift.end()
        except BadDisk as error:
            if not is_away(error):
                raise
        self._inbox.close()
        self._outgoing.close()

    def _worked(self, lost: BadDisk | None, stop: Callable[[], bool]) -> BadDisk | None:
        """A round, once the database is there that was `lost`; why that has gone away meanwhile, None if it has not."""
        try:
            if lost is None or self._is_back(lost, stop):
                self._or_busy(self.round)
                self._absence.tries = 0
        except BadDisk as error:
            if not is_away(error):
                raise
            return error
        return None

    def _is_back(self, lost: BadDisk, stop: Callable[[], bool]) -> bool:
        """Begin anew at a database that is there again: of what this worker had it may not have heard all."""
        if not self._absence.ends(lost, stop):
            return False
        if self._gone:
            note_gone(self._desk, self._gone, self._tell)
        self._shift.begin_anew()
        return True

    def _wait(self, stop: Callable[[], bool], pause: float) -> None:
        """Wait for news, a short time again and again: so that a worker that was told to end does so soon.

        Of a box that is out of reach there is no news, and it is not asked more often than others.
        """
        until = time.monotonic() + pause
        wait: Callable[[float], None] = self._inbox.wait
        while not stop() and (left := until - time.monotonic()) > 0:
            awhile, begun = min(left, BEAT), time.monotonic()
            try:
                wait(awhile)
            except PostFault:
                wait = self._sleep
            else:
                if time.monotonic() < begun + awhile:
                    return

    def _or_busy(self, work: Callable[[], object]) -> None:
        """A round that others of the home kept from its end is made again; nothing of it is lost."""
        try:
            work()
        except BadDisk as error:
            if not is_locked(error):
                raise
            self._tell("busy", code=error.code, text=error.text)

    def _taken(self) -> tuple[Taken | None, tuple[str, ...]]:
        """What was taken in, None where the box is out of reach, and why."""
        try:
            return self._letters.take_all(AT_ONCE), ()
        except PostFault as error:
            self._tell("closed", code=error.code, text=error.text)
            return None, (f"mails do not come in: {error.text}",)
