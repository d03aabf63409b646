"""Joining by mail: a proposal that names this home's address for a seat on the bench is accepted by itself.

Only from addresses that a person has allowed, so many games a day from each, and under one key for each address: what
else comes as a proposal waits for a person. An address in a proposal is its proposer's claim; what is mailed because of
it goes to the parties of the game alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import orjson

from pbem.app.desk import Desk
from pbem.app.propose import Joining, accept, seats_taken
from pbem.app.routing import Arrived
from pbem.errors import BadDisk, BadRequest, PbemError
from pbem.log.enumeration import counted
from pbem.log.event import Propose, Role
from pbem.log.verify import Verified
from pbem.mail.message import check_address
from pbem.service.bench import BENCH
from pbem.service.counting import count_below, within_a_day
from pbem.service.left import try_again
from pbem.service.record import Tell
from pbem.store.queue import Queue
from pbem.store.reading import Reader

ANYBODY = "any"
MOST_GAMES = 5
MOST_IN_ALL = 100
"""Games that are joined within a day, whoever proposes them."""
_ALLOWED, _WHAT = "serve/allowed", "opened"
_THERE = ("accept.known", "game.exists")
"""What is said of a proposal that another worker has accepted meanwhile."""


class _Waits(Exception):
    """A proposal that a person has to accept; the text says why."""


@dataclass(frozen=True, slots=True)
class Doorman:
    """Who lets proposals in: `most` games a day from one address."""

    desk: Desk
    tell: Tell
    most: int = MOST_GAMES

    def join(self, proposal: Verified, arrived: Arrived) -> str:
        """Accept a proposal; the reason why a person has to, empty when it is accepted."""
        body = proposal.event.body
        assert isinstance(body, Propose)
        role, proposer = self._seat(body), _address(body, proposal.event.role)
        if role is None:
            return "a proposal, which a person accepts"
        seats = Joining(seats_taken(arrived, proposal))
        try:
            opened = accept(
                self.desk, proposal, role, joining=seats, noting=lambda writer: self._admit(writer, proposer, body)
            )
        except _Waits as waits:
            return str(waits)
        except BadDisk:
            raise
        except PbemError as error:
            return "" if error.code in _THERE else error.text
        self.tell("joined", game=opened.row.name, role=role, proposer=proposer)
        return ""

    def _seat(self, body: Propose) -> Role | None:
        own = self.desk.profile().address.casefold()
        meant = {seat.role for seat in body.seats if seat.address.casefold() == own}
        return next((role for role in BENCH if role in meant), None)

    def _admit(self, queue: Queue, proposer: str, body: Propose) -> None:
        """Count a proposal that may be accepted, and note its key; _Waits for one that may not."""
        if why := self._why_not(queue, proposer, body):
            raise _Waits(why)
        for who, most in ((proposer, self.most), (ANYBODY, MOST_IN_ALL)):
            count_below(queue, _WHAT, who, self.desk.clock(), most)
        queue.put_meta(_key_of(proposer), body.registration.key.encode())

    def _why_not(self, queue: Queue, proposer: str, body: Propose) -> str:
        """Why a person has to; empty when it may be accepted."""
        now, key = self.desk.clock(), body.registration.key.encode()
        if not {proposer.casefold(), ANYBODY} & allowed(queue):
            return f"a proposal of {proposer}, for whom nobody said --for"
        if (queue.meta(_key_of(proposer)) or key) != key:
            return f"a proposal of {proposer} under another key than before"
        if within_a_day(queue, _WHAT, proposer, now) >= self.most:
            return f"a proposal of {proposer}, who has opened {counted(self.most, 'game')} within a day"
        if within_a_day(queue, _WHAT, ANYBODY, now) >= MOST_IN_ALL:
            return f"a proposal on a day with {MOST_IN_ALL} others"
        return ""


def allowed(reader: Reader) -> set[str]:
    """The addresses whose proposals are accepted, in lower case; `any` stands for everybody."""
    return set(orjson.loads(reader.meta(_ALLOWED) or b"[]"))


def allow(queue: Queue, addresses: Iterable[str]) -> None:
    """Remember whose proposals are accepted: these and no others; `nobody` alone for none. Where that changes what
    held, the proposals that were left are tried again."""
    typed = {address.casefold(): address for address in addresses}
    wanted = set(typed)
    for address in sorted(wanted - {ANYBODY, "nobody"}):
        check_address(typed[address], "a proposer's")
    if "nobody" in wanted and len(wanted) > 1:
        raise BadRequest("serve.for", "expected nobody, or addresses, or any, got nobody beside others")
    if wanted - {"nobody"} != allowed(queue):
        try_again(queue)
    queue.put_meta(_ALLOWED, orjson.dumps(sorted(wanted - {"nobody"})))


def _address(body: Propose, role: Role) -> str:
    return next(seat.address for seat in body.seats if seat.role == role)


def _key_of(proposer: str) -> str:
    return f"serve/key/{proposer.casefold()}"
