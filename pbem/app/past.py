"""What contradicts the log at a step that is known already: a second event of one role, or a late answer to a claim.

The log is read once for all events of an import. Whether such an event would have stood, had it come first, takes a
replay; how many replays an import may cost is the caller's business.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress

from pbem.app.beside import heads_behind
from pbem.app.desk import Desk
from pbem.app.opened import OpenGame, open_game
from pbem.app.reading import replayed_to
from pbem.engine.admission import RulesMissing
from pbem.engine.closing import CLAIMING
from pbem.errors import PbemError
from pbem.log.event import ADJUDICATOR, NEUTRAL, Annul, Lapse, Receipt, Ruling
from pbem.log.fork import fork
from pbem.log.roster import registration_of
from pbem.log.verify import Verified, slot, verify_event
from pbem.store.reading import Reader
from pbem.store.rows import StoredEvent

STANDING_IN = CLAIMING | {"annul"}
"""Kinds that close a step without what was owed there, until that comes after all."""
LEANING = frozenset({"lapse", "receipt"})
"""Kinds that may need something else of their step to be there."""


class Past:
    """The stored events of an open game, by step, and those that came together with what is looked at."""

    def __init__(self, opened: OpenGame, came: Sequence[Verified] = ()) -> None:
        self._opened, self._came = opened, came
        self._rows = [row for row in opened.rows if row.kind_class == "log"]
        self._at: dict[int, list[StoredEvent]] = defaultdict(list)
        for row in self._rows:
            self._at[row.step].append(row)
        self._read: dict[str, Verified] = {}

    def is_contradicted_by(self, verified: Verified) -> bool:
        """Whether an event contradicts one of its role at its place of the log, or was claimed there not to come.

        A former key says nothing new about the past, but it can contradict what it has signed itself: else it would
        depend on the order of mails whether a home learns of a fork at the step where the seat was given away.
        """
        if registration_of(verified.event) is not None:
            return False  # the first acceptance of a role counts: the digest of step 1 holds everybody to it
        rows = self._at.get(verified.event.step, ())
        holds = self._opened.campaign.roster.held.get(verified.event.role) == verified.key
        if holds and any(self._voids(row, verified) for row in rows):
            return True
        return any(self._makes_fork(row, verified) for row in rows)

    def _makes_fork(self, row: StoredEvent, verified: Verified) -> bool:
        return row.role == verified.event.role and fork(self._verified(row), verified) is not None

    def _voids(self, row: StoredEvent, verified: Verified) -> bool:
        """Whether a stored lapse, ruling or annulment closed a step that has gone by, and this is what was owed there
        (late, but before the game is closed by all)."""
        if self._opened.campaign.roster.judge == ADJUDICATOR and verified.event.kind != "deposit":
            return False  # its receipt says what came in time, and it gave none
        is_past = row.kind in STANDING_IN and self._opened.campaign.place.step > row.step
        if not is_past or self._closed_by_all(verified.event.step) or self._final(verified):
            return False
        stored = self._verified(row).event
        if stored.prev != verified.event.prev:
            return False
        if isinstance(stored.body, Lapse):
            return stored.body.role == verified.event.role
        of_role = isinstance(stored.body, Ruling) and stored.body.role == verified.event.role
        owed = of_role or (isinstance(stored.body, Annul) and slot(verified.event.kind) == "move")
        return owed and (verified.event.kind == "deposit" or self._is_built_on(verified))

    def _is_built_on(self, verified: Verified) -> bool:
        """Whether another player has signed behind an event: the referee's word stands against one party alone."""
        here = [one for one in self._came if one.event.prev == verified.event.prev and one.id != verified.id]
        here += [one for one in map(self._verified, self._at[verified.event.step]) if one.event.kind not in STANDING_IN]
        heads = heads_behind(verified, here)
        behind = [one for one in self._came if one.event.prev in heads]
        return any(one.event.role not in (verified.event.role, *NEUTRAL) for one in behind)

    def _final(self, verified: Verified) -> bool:
        """Whether a claim has become final: the silent role has played on from it, or links for later dice are open.

        Whoever could take back a step behind which links are open would know the dice that come instead. Where the
        remedy is the worst, a claim is final once anybody has signed behind it: who could take it back then would know
        what the other side has decided.
        """
        later = [row for row in self._rows if row.step > verified.event.step]
        if self._opened.campaign.worst and later:
            return True
        return any(row.kind == "entropy" or (row.role == verified.event.role and row.kind != "close") for row in later)

    def _closed_by_all(self, behind: int) -> bool:
        """Whether all have closed the game at a step behind this one: from then on secrets are open."""
        later = (step for step in self._opened.campaign.steps if step.number > behind)
        return any(all(event.event.kind in ("close", "receipt") for event in step.events) for step in later)

    def _verified(self, row: StoredEvent) -> Verified:
        if row.event_id not in self._read:
            keys = [registration.key for registration in self._opened.registrations]
            self._read[row.event_id] = verify_event(row.line, self._opened.known, keys)
        return self._read[row.event_id]


def would_have_stood(desk: Desk, reader: Reader, verified: Verified, came: Sequence[Verified] = ()) -> bool:
    """Whether the log and the rules would have taken an event, had it come first: only such a one changes anything.

    A receipt needs what it names, and a claim that dictates dice the link of its author: they are stored or `came`
    together with it.
    """
    return would_stand_in(open_game(reader, verified.event.game, desk.games, whole=True), verified, came)


def would_stand_in(whole: OpenGame, verified: Verified, came: Sequence[Verified] = ()) -> bool:
    """`would_have_stood` where several events are asked about: the game is opened whole once for them."""
    keys = [registration.key for registration in whole.registrations]
    here = [row for row in whole.rows if row.step == verified.event.step and row.kind_class == "log"]
    asked = [verify_event(row.line, whole.known, keys) for row in here if _is_needed(row.kind, verified)]
    then = replayed_to(whole.campaign, verified.event.step - 1)
    asked += came if verified.event.kind in LEANING else ()
    for needed in (one for one in asked if _is_needed_by(one, verified)):
        with suppress(PbemError):
            then.offer(needed)
    try:
        then.offer(verified)
    except RulesMissing:
        raise
    except PbemError:
        return False
    return True


def _is_needed(kind: str, verified: Verified) -> bool:
    return kind == "request" or verified.event.kind in LEANING


def _is_needed_by(one: Verified, verified: Verified) -> bool:
    """Whether an event stands before another one at its step: a request before a consent, before a claim the link of
    its author, and before a receipt what it names, and what its author has signed there besides."""
    body = verified.event.body
    if isinstance(body, Lapse) and one.event.kind == "entropy":
        return (one.event.role, one.event.step) == (verified.event.role, verified.event.step)
    if not isinstance(body, Receipt) or one.event.step != verified.event.step:
        return one.event.kind == "request" and one.event.step == verified.event.step
    own = one.event.role == verified.event.role and one.event.kind != "receipt"
    return one.id in body.arrived or own
