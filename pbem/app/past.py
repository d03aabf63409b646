"""What contradicts the log at a step that is known already: a second event of one role, or a late answer to a claim.

The log is read once for all events of an import. Whether such an event would have stood, had it come first, takes a
replay; how many replays an import may cost is the caller's business.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress

from pbem.app.desk import Desk
from pbem.app.opened import OpenGame, open_game
from pbem.app.reading import replayed_to
from pbem.engine.campaign import CLAIMING
from pbem.errors import PbemError
from pbem.log.event import Lapse, Ruling
from pbem.log.fork import fork
from pbem.log.roster import registration_of
from pbem.log.verify import Verified, verify_event
from pbem.store.reading import Reader
from pbem.store.rows import StoredEvent


class Past:
    """The stored events of an open game, by step."""

    def __init__(self, opened: OpenGame) -> None:
        self._opened = opened
        self._rows = [row for row in opened.rows if row.kind_class == "log"]
        self._at: dict[int, list[StoredEvent]] = defaultdict(list)
        for row in self._rows:
            self._at[row.step].append(row)
        self._read: dict[str, Verified] = {}

    def is_contradicted_by(self, verified: Verified) -> bool:
        """Whether an event contradicts one of its role at its place of the log, or was claimed there not to come."""
        if registration_of(verified.event) is not None:
            return False  # the first acceptance of a role counts: the digest of step 1 holds everybody to it
        if self._opened.campaign.roster.parties[verified.event.role].key != verified.key:
            return False  # who has the seat no more says nothing new about the past
        rows = self._at.get(verified.event.step, ())
        return any(self._voids(row, verified) for row in rows) or any(self._makes_fork(row, verified) for row in rows)

    def _makes_fork(self, row: StoredEvent, verified: Verified) -> bool:
        return row.role == verified.event.role and fork(self._verified(row), verified) is not None

    def _voids(self, row: StoredEvent, verified: Verified) -> bool:
        """Whether a stored lapse closed a step that has gone by, and this is what was owed there (late, but before
        the game is closed by all)."""
        campaign = self._opened.campaign
        if (
            row.kind not in CLAIMING
            or campaign.place.step <= row.step
            or self._closed_by_all()
            or self._final(verified)
        ):
            return False
        lapse = self._verified(row).event
        owed = (verified.event.role, verified.event.prev)
        return isinstance(lapse.body, Lapse | Ruling) and (lapse.body.role, lapse.prev) == owed

    def _final(self, verified: Verified) -> bool:
        """Whether a claim has become final: the silent role has played on from it, or links for later dice are open.

        Whoever could take back a step behind which links are open would know the dice that come instead.
        """
        later = [row for row in self._rows if row.step > verified.event.step]
        return any(row.kind == "entropy" or (row.role == verified.event.role and row.kind != "close") for row in later)

    def _closed_by_all(self) -> bool:
        campaign = self._opened.campaign
        return campaign.finished and all(event.event.kind == "close" for event in campaign.steps[-1].events)

    def _verified(self, row: StoredEvent) -> Verified:
        if row.event_id not in self._read:
            keys = [registration.key for registration in self._opened.registrations]
            self._read[row.event_id] = verify_event(row.line, self._opened.campaign.roster, keys)
        return self._read[row.event_id]


def would_have_stood(desk: Desk, reader: Reader, verified: Verified) -> bool:
    """Whether the log and the rules would have taken an event, had it come first: only such a one changes anything."""
    opened = open_game(reader, verified.event.game, desk.games, whole=True)
    keys = [registration.key for registration in opened.registrations]
    asked = [row for row in opened.rows if (row.kind, row.step) == ("request", verified.event.step)]
    then = replayed_to(opened.campaign, verified.event.step - 1)
    for request in (verify_event(row.line, opened.campaign.roster, keys) for row in asked):
        with suppress(PbemError):
            then.offer(request)  # a consent needs what it agrees to
    try:
        then.offer(verified)
    except PbemError:
        return False
    return True
