"""Archives: a whole campaign as one text file, the same bytes for the same log, verified by anybody."""

from __future__ import annotations

from pbem.app.desk import Desk
from pbem.app.opened import OpenGame
from pbem.app.reading import whole_game
from pbem.log import bundle
from pbem.log.roster import registration_of
from pbem.log.verify import Verified, slot, verify_event


def archive(desk: Desk, name: str) -> bytes:
    """The archive of a game: every event of its log, forks and their resolutions included."""
    return archive_of(whole_game(desk, name))


def archive_of(opened: OpenGame) -> bytes:
    """The archive of an open game, replayed from its beginning."""
    events = [event for step in opened.campaign.steps for event in step.events]
    events += opened.campaign.pending()
    known = {event.id for event in events}
    keys = [registration.key for registration in opened.registrations]
    others = [verify_event(row.line, opened.known, keys) for row in opened.counting() if row.event_id not in known]
    ordered = sorted([*events, *others], key=archive_order)
    return bundle.write("archive", [e.key for e in ordered if registration_of(e.event)], [e.line for e in ordered])


def archive_order(verified: Verified) -> tuple[int, str, str, str]:
    """Where an event stands in an archive: by step, then slot, then role, then id."""
    statement = verified.event
    return (statement.step, slot(statement.kind), statement.role, verified.id)
