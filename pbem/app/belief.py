"""Dates that lie ahead, and claims that come too soon: they are kept apart until they can be believed.

A date is whatever its author says; this machine's clock and the arrival of mails are what a home itself knows.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pbem.app.apart import Apart, Kept
from pbem.app.forks import named
from pbem.app.imported import Imported
from pbem.app.opened import EARLY, OpenGame
from pbem.app.summary import holds_seat
from pbem.errors import BadEvidence
from pbem.log.enumeration import counted
from pbem.log.event import Lapse, Ruling
from pbem.log.verify import DAY, Verified
from pbem.store.reading import Reader

CLOCK_TOLERANCE = DAY
"""Seconds that a sender's clock may be ahead of ours."""


def dated_in_time(moves: list[Verified], opened: OpenGame, apart: Apart, imported: Imported) -> list[Verified]:
    """The moves that are not dated in the future; the others have no effect of any kind before their date has come.

    A deadline is counted from dates, and a date is whatever its author says: a step dated a century ahead would never
    be late. One of them at a step gone by is refused, since it waits for nothing; it can be sent again.
    """
    why = {one.id: told for one in moves if (told := _postdated(one, apart.now))}
    late = [one for one in moves if one.id in why and one.event.step < opened.campaign.place.step]
    for verified in late:
        text = f"expected an event dated by a clock like this one's, got {named(verified)}, which {why[verified.id]}"
        imported.refused.append(BadEvidence("import.postdated", text, "it changes nothing, and can be sent again then"))
    ahead = [one for one in moves if one.id in why and one not in late]
    keep_premature(apart, ahead, why, imported)
    return [one for one in moves if one.id not in why]


def _postdated(verified: Verified, now: int) -> str:
    """How far an event is dated in the future, or an empty string."""
    if verified.event.at <= now + CLOCK_TOLERANCE:
        return ""
    days = -(-(verified.event.at - now) // DAY)
    far = f"is dated {counted(days, 'day')} after this machine's clock"
    return f"{far} and waits until then: compare the clocks of both machines"


def believer(reader: Reader, opened: OpenGame, now: int) -> Callable[[Verified, OpenGame], str]:
    """Says why a claim is not believed; whoever waits for a seat, or has given it away, is late for nothing."""
    if not holds_seat(reader, opened):
        return lambda *_: ""
    return partial(_premature, now=now)


def _premature(verified: Verified, opened: OpenGame, now: int) -> str:
    """Why a claim that this home is late is not believed, or an empty string.

    The deadline must have gone by since the step before came to this home, whatever its date says.
    """
    statement = verified.event
    body = statement.body
    if not isinstance(body, Lapse | Ruling) or _is_on_motion(body) or body.role != opened.role:
        return ""
    if statement.step > opened.campaign.place.step:  # what is said not to be answered is not even asked here yet
        return (
            f"is not believed: you have not had the {counted(opened.campaign.place.deadline_days, 'day')}; answer now"
        )
    came = [row.arrived for row in opened.rows if row.step == statement.step - 1 and row.kind_class == "log"]
    if opened.campaign.place.paused:  # counted from when this home was asked to let the game go on
        came += [row.arrived for row in opened.rows if row.step == statement.step and row.kind == "request"] or [now]
    days = opened.campaign.place.deadline_days
    if now >= max(came, default=now) + days * DAY:
        return ""
    return f"is not believed: by this machine's clock you have had less than {counted(days, 'day')}; answer now"


def _is_on_motion(body: Lapse | Ruling) -> bool:
    """Whether a ruling needs no deadline."""
    return isinstance(body, Ruling) and (bool(body.motion) or body.demand == "consent")


def keep_premature(apart: Apart, events: list[Verified], why: dict[str, str], imported: Imported) -> None:
    """Keep events apart until their time has come; `why` says of each, by its id, why that is not now."""
    for verified in events:
        if apart.keep(verified, BadEvidence(EARLY, f"it {why[verified.id]}")) is not Kept.LEFT_OUT:
            imported.early += 1
        imported.missing = f"{named(verified)} {why[verified.id]}"
