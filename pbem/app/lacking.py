"""What a home lacks: events that came early wait for others, so a mail of the game was lost, or is still on its way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from pbem.app.claiming import LATE_ANSWER, claimed
from pbem.app.opened import EARLY, OpenGame, is_cut_off
from pbem.errors import BadEvidence
from pbem.log import envelope, event
from pbem.log.event import Event, Role
from pbem.log.verify import Verified, verify_event
from pbem.store.reading import Reader


def lacking(reader: Reader, opened: OpenGame) -> int:
    """The step from which on something is missing here, 0 when nothing is known to be."""
    steps = [said.step for said in _waiting(reader, opened)]
    if not steps or opened.fork:
        return 0
    against = claimed(reader, opened)
    if against and against.played_on and against.step < min(steps):
        return 0  # what waits stands behind a claim that this home does not let stand
    if behind_late_answer(reader, opened):
        return 0
    return opened.campaign.place.step


def behind_late_answer(reader: Reader, opened: OpenGame) -> Verified | None:
    """The answer that came too late behind which everything stands that waits here: its author has not given way.

    Whoever has given way has signed something behind the claim or the ruling since, which stands here.
    """
    waiting = _waiting(reader, opened)
    roles = {said.role for said in waiting}
    if len(roles) != 1:
        return None
    gone_on = max((one.step for one in opened.standing() if one.role in roles), default=0)
    for row in (row for row in reader.refusals(opened.row.game_id) if row.code == LATE_ANSWER):
        with suppress(BadEvidence):
            late = verify_event(row.line, opened.known)
            if late.event.role in roles and gone_on <= late.event.step < waiting[0].step:
                return late
    return None


def has_gone_on(reader: Reader, opened: OpenGame, silent: Iterable[Role]) -> Sequence[Role]:
    """The parties but the silent ones that have signed at later steps: by them the game does not wait where it stands
    here. What somebody silent signs proves nothing, since it could keep everybody from ever ruling on the silence."""
    ahead = {said.role for said in _waiting(reader, opened)} if lacking(reader, opened) else set()
    return sorted(ahead - {opened.role, *silent})


def who_is_ahead(reader: Reader, opened: OpenGame) -> Sequence[Role]:
    """The other parties, first those that have signed what waits here, the latest of it first."""
    seen = {said.role: said.step for said in _waiting(reader, opened)}
    others = [role for role in opened.campaign.roster.parties if role != opened.role]
    return sorted(others, key=lambda role: (-seen.get(role, 0), role))


def _waiting(reader: Reader, opened: OpenGame) -> list[Event]:
    """What came for a step that the log of this home has not reached, by step."""
    ids, here = opened.ids(), opened.campaign.place.step
    found = []
    for row in reader.refusals(opened.row.game_id):
        if row.code == EARLY and row.event_id not in ids:
            said = event.read(envelope.from_line(row.line).payload)
            if said.step > here and not is_cut_off(opened, said.step, row.arrived):
                found.append(said)
    return sorted(found, key=lambda said: said.step)
