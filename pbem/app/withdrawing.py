"""Withdrawing a motion or a request that has not been answered.

A withdrawal closes nothing, so that mails may cross: the one signed answer of who was asked counts, in whatever order
the two came. To a motion that was withdrawn a program answers by itself, and refuses; to a request that was withdrawn
it does not agree any more.
"""

from __future__ import annotations

from pbem.app.desk import Desk
from pbem.app.moving import Moved, request_words
from pbem.app.opened import OpenGame, open_game
from pbem.app.signing import answer_by_itself, check_not_stopped, finish, give
from pbem.engine.driver import Line
from pbem.errors import BadRequest
from pbem.log import envelope
from pbem.log.enumeration import counted
from pbem.log.event import Change, Withdraw, read
from pbem.log.verify import Verified, verify_event


def withdraw(desk: Desk, name: str, event: str = "") -> Moved:
    """Withdraw what this home has moved, or asked for; `event` is the beginning of a request's id.

    BadRequest when nothing of that kind waits, or several requests do and no `event` names one.
    """
    desk.vault()
    with desk.home.writing(name) as writer:
        opened = open_game(writer, name, desk.games, whole=True)
        check_not_stopped(opened)
        chosen = _own(opened, event)
        words = request_words(opened, chosen)
        give(desk, writer, opened, Withdraw(motion=chosen.id))
        answered = answer_by_itself(desk, writer, opened)
        finish(writer, opened)
    return Moved(words, asked=False, told=[], answered=answered, opened=opened, difference=[])


def _own(opened: OpenGame, event: str) -> Verified:
    campaign = opened.campaign
    waiting = [*([campaign.moved] if campaign.moved else []), *campaign.requests]
    own = [one for one in waiting if one.event.role == opened.role and one.id not in campaign.withdrawn]
    found = [one for one in own if one.id.startswith(event)]
    if len(found) == 1:
        return found[0]
    if not own:
        raise BadRequest(
            "motion.none",
            "expected a motion or a request of yours that waits for its answer, got none",
            f"`pbem status {opened.row.name}` says what to do now",
        )
    listed = "; ".join(f"{one.id[:16]}: {request_words(opened, one)}" for one in own)
    got = f"'{event}'" if event else "none named"
    raise BadRequest(
        "motion.which",
        f"expected one of {counted(len(own), 'request')} of yours, got {got}: {listed}",
        f"for example `pbem motion withdraw {opened.row.name} --event {own[0].id[:16]}`",
    )


def withdrawal_lines(whole: OpenGame) -> list[Line]:
    """A line for each withdrawal of a game, to be told beside the narrative."""
    keys = [registration.key for registration in whole.registrations]
    said = [row for row in whole.rows if row.kind == "withdraw"]
    moved = {row.event_id: row for row in whole.rows if row.kind in ("motion", "request")}
    lines = []
    for row in said:
        body = read(envelope.from_line(row.line).payload).body
        assert isinstance(body, Withdraw)
        if (about := moved.get(body.motion)) is not None:
            asked = verify_event(about.line, whole.known, keys)
            assert isinstance(asked.event.body, Change)
            lines.append(Line(row.step, "withdraw", f"{row.role} withdraws its {about.kind} to {_words(whole, asked)}"))
    return lines


def _words(whole: OpenGame, asked: Verified) -> str:
    return request_words(whole, asked)
