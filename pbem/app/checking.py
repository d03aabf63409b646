"""Checking: the lines of bundles become verified events, each different line once.

Whether an event fits its place, and whether the rules take it, is asked afterwards (`pbem.app.importing`).
"""

from __future__ import annotations

from collections import Counter

from pbem.app.opened import OpenGame, roster_of
from pbem.app.routing import Incoming
from pbem.errors import BadEvidence, PbemError
from pbem.log import envelope
from pbem.log.event import Role
from pbem.log.keys import key_id
from pbem.log.roster import claiming_roster, registration_of
from pbem.log.verify import MOST_REQUESTS, Verified, verify_event
from pbem.rules.refusal import shown

MOST_BAD = 100
"""Lines of one bundle that do not hold before the rest is left unread: a stranger's file costs little."""
MOST_KEYS = MOST_REQUESTS
"""New keys of a role at one step whose events are read: no more requests than that are kept, nor motions."""


class Checked:
    """Events of one game whose signature holds: `new` by id, the number of those `known`, reasons why others fell."""

    def __init__(self, opened: OpenGame) -> None:
        self.new: dict[str, Verified] = {}
        self.known = 0
        self.refused: list[PbemError] = []
        self._ids = opened.ids()
        self._stored = {row.line for row in opened.rows}
        self._registrations = list(opened.registrations)
        self._roster = opened.known
        self._brought: Counter[tuple[Role, int]] = Counter()
        self._read: set[bytes] = set()
        self._fell: set[tuple[bytes, tuple[bytes, ...]]] = set()
        self._own = opened.role
        self._name = opened.row.name
        self._strangers: set[str] = set()

    def take(self, incoming: Incoming) -> None:
        """Check the lines of one bundle; equal ones cost one look, stored ones are known as they are."""
        bad = 0
        for line in dict.fromkeys(incoming.lines):
            if line in self._read or (line, incoming.keys) in self._fell:
                continue
            try:
                self._take_line(line, incoming.keys)
                self._read.add(line)
            except SeatTaken as error:
                self.refused.append(error)
                break
            except BadEvidence as error:
                self._fell.add((line, incoming.keys))
                self._refuse(line, error)
                bad += 1
            if bad == MOST_BAD:
                self.refused.append(_unread(incoming))
                break

    def _refuse(self, line: bytes, error: BadEvidence) -> None:
        """Note a reason; what somebody says whose acceptance came too late is refused with that acceptance, once."""
        if error.code != "event.author" or envelope.from_line(line).key_id not in self._strangers:
            self.refused.append(error)

    def _take_line(self, line: bytes, keys: tuple[bytes, ...]) -> None:
        if line in self._stored:
            self.known += 1
            return
        verified = verify_event(line, self._roster, keys)
        self._check_seat(verified)
        self._join(verified)
        if verified.id in self._ids or verified.id in self.new:
            self.known += 1
        else:
            self.new[verified.id] = verified

    def _check_seat(self, verified: Verified) -> None:
        """Raise SeatTaken for an acceptance of this home's own seat by another key: nothing behind it belongs here."""
        registration, role = registration_of(verified.event), verified.event.role
        held = self._roster.parties[role].key if registration and role in self._roster.parties else None
        if registration is None or held in (None, verified.key):
            return
        if role == self._own:
            raise _taken(self._name, role, registration.name)
        self._strangers.add(key_id(verified.key))

    def _join(self, verified: Verified) -> None:
        """The roster for the lines that follow: an acceptance, or a motion, brings in a key of its role."""
        claiming = claiming_roster(self._roster, verified.event)
        place = (verified.event.role, verified.event.step)
        if claiming is not self._roster and self._brought[place] < MOST_KEYS:
            self._brought[place] += 1
            self._roster = claiming
            self._fell.clear()
        if registration_of(verified.event) is not None and verified.event.role in self._roster.absent():
            self._roster = roster_of([*self._registrations, verified])
            self._registrations.append(verified)
            self._fell.clear()


class SeatTaken(BadEvidence):
    """Somebody else sits in this home's own seat of the game that came."""


def _taken(name: str, role: Role, other: str) -> SeatTaken:
    return SeatTaken(
        "import.own_seat_taken",
        f"expected game {name} with your key in the seat of {role}, got it with that of {shown(other) or 'another'}",
        "it is played without this home: use the home that plays it (PBEM_HOME), or ask the proposer whom it took and "
        f"put this one aside with `pbem forget {name} --anyway`",
    )


def _unread(incoming: Incoming) -> BadEvidence:
    text = f"expected a turn file of events, got {MOST_BAD} lines that do not hold in {incoming.origin}"
    return BadEvidence("import.unread", text, "the rest of it was not read: ask for a new one")
