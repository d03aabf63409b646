"""Events kept apart: what came before its time, and what was refused or leads nowhere, each with the reason.

A seated opponent can sign as many events as he likes, so that of each role a fixed number is kept; what is left out
is told in one line and can be sent again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from enum import Enum, auto
from itertools import count

from pbem.app.opened import EARLY, OpenGame
from pbem.errors import BadEvidence, PbemError
from pbem.log import envelope, event
from pbem.log.enumeration import counted
from pbem.log.event import Event, Role
from pbem.log.verify import Verified, slot, verify_event
from pbem.store.rows import Appended, StoredRefusal
from pbem.store.writing import Writer

MOST_APART = 300
"""Events of one role that are kept in a game because they came early, and as many for all other reasons."""
HORIZON = 500
"""Steps ahead of the log within which an event of another role is kept: a lost mail delays a game by fewer."""

NOT_KEPT = "they are not kept, and nothing else changes: what belongs to the game can be sent again"


class Kept(Enum):
    """What became of an event that is no part of the log."""

    NEW = auto()
    KNOWN = auto()
    LEFT_OUT = auto()


class Apart:
    """The events that one game keeps apart, within one transaction; `whole` are lines of files with a whole log."""

    def __init__(self, writer: Writer, opened: OpenGame, now: int) -> None:
        self._writer, self._opened, self.now = writer, opened, now
        self._rows = {row.event_id: row for row in writer.refusals(opened.row.game_id)}
        self._said = {row.event_id: _read(row) for row in self._rows.values()}
        self._counts = Counter((said.role, self._rows[one].code == EARLY) for one, said in self._said.items())
        self._places = {_place(said) for one, said in self._said.items() if self._rows[one].code == EARLY}
        self._left_out: Counter[Role] = Counter()
        self._pointless: Counter[Role] = Counter()
        self.unreached: list[tuple[int, int]] = []
        self.whole: frozenset[bytes] = frozenset()

    def turn_to(self, opened: OpenGame) -> None:
        """Go on with the same game, rebuilt."""
        self._opened = opened

    def keep(self, verified: Verified, reason: PbemError) -> Kept:
        """Keep an event with the reason why it is not in the log; nothing is kept of somebody without a seat."""
        if verified.id in self._rows:
            return Kept.KNOWN
        if verified.key not in self._opened.campaign.roster.held.values():
            return Kept.NEW
        if reason.code == EARLY and self._is_pointless(verified.event):
            self._pointless[verified.event.role] += 1
            return Kept.LEFT_OUT
        counted = (verified.event.role, reason.code == EARLY)
        if self._counts[counted] >= MOST_APART:
            self._left_out[verified.event.role] += 1
            return Kept.LEFT_OUT
        row = StoredRefusal(self._opened.row.game_id, verified.id, reason.code, reason.text, self.now, verified.line)
        if self._writer.refuse(row) is Appended.DUPLICATE:
            return Kept.KNOWN
        self._counts[counted] += 1
        self._rows[verified.id], self._said[verified.id] = row, verified.event
        if reason.code == EARLY:
            self._places.add(_place(verified.event))
        return Kept.NEW

    def _is_pointless(self, said: Event) -> bool:
        """Whether another role's event is for a time too far ahead, or for a place that one of it waits for already.

        Of this home's own events none is: they show it that it is behind, and nobody else can make them. Of them too no
        more than MOST_APART are kept.
        """
        far = said.step > self._opened.campaign.place.step + HORIZON
        return said.role != self._opened.role and (far or _place(said) in self._places)

    def early(self, moves: Sequence[Verified]) -> list[Verified]:
        """Events that were kept for a time that may have come, now that `moves` are here.

        The rest is as it was and is not read again: `unreached` has the step of each and when it came.
        """
        place, known = self._opened.campaign.place.step, self._opened.ids() | {one.id for one in moves}
        kept = [one for one, row in self._rows.items() if row.code == EARLY and one not in known]
        waiting = [one for one in kept if self._said[one].step >= place]
        steps = {self._said[one].step for one in waiting} | {one.event.step for one in moves}
        reach = next(step for step in count(place) if step not in steps)
        self.unreached = [(self._said[o].step, self._rows[o].arrived) for o in waiting if self._said[o].step > reach]
        near = [self._rows[one].line for one in waiting if self._said[one].step <= reach]
        return list(self._still_signed(near))

    def _still_signed(self, lines: Iterable[bytes]) -> Iterator[Verified]:
        """Those whose key is known: that of a motion which did not become a part of the log is not."""
        for line in lines:
            with suppress(BadEvidence):
                yield verify_event(line, self._opened.known)

    def arrived(self, verified: Verified) -> int | None:
        """When an event that is kept came, None for one that is not."""
        row = self._rows.get(verified.id)
        return row.arrived if row else None

    def left_out(self) -> list[PbemError]:
        """One line for each role of which more came than is kept."""
        pointless: list[PbemError] = [
            BadEvidence(
                "import.far",
                f"expected events of {role} for the next {HORIZON} steps, one for each place, "
                f"got {counted(number, 'other')}",
                NOT_KEPT,
            )
            for role, number in sorted(self._pointless.items())
        ]
        return pointless + [
            BadEvidence(
                "import.too_many",
                f"expected at most {MOST_APART} events of {role} to be kept beside the log, got {number} more",
                NOT_KEPT,
            )
            for role, number in sorted(self._left_out.items())
        ]


def _read(row: StoredRefusal) -> Event:
    """What an event that is kept says; its signature was checked when it came, and is again before it is used."""
    return event.read(envelope.from_line(row.line).payload)


def _place(said: Event) -> tuple[Role, int, str, str]:
    return said.role, said.step, slot(said.kind), said.prev
