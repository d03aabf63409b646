"""Withdrawing a motion or a request that has not been answered.

A withdrawal closes nothing, so that mails may cross: the one signed answer of who was asked counts, in whatever order
the two came. To a motion that was withdrawn a program answers by itself, and refuses; to a request that was withdrawn
it does not agree any more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pbem.app.desk import Desk
from pbem.app.moving import Moved, request_words
from pbem.app.opened import OpenGame, open_game
from pbem.app.signing import answer_by_itself, check_not_stopped, finish, give
from pbem.app.tenure import check_holds_seat
from pbem.engine.driver import Line
from pbem.errors import BadRequest
from pbem.log import envelope
from pbem.log.enumeration import counted
from pbem.log.event import Body, Change, Consent, Ruling, Withdraw, read
from pbem.log.nouns import NOUNS
from pbem.log.verify import Verified, verify_event
from pbem.store.rows import StoredEvent


def withdraw(desk: Desk, name: str, event: str = "") -> Moved:
    """Withdraw what this home has moved, or asked for; `event` is the beginning of a request's id.

    BadRequest when nothing of that kind waits, or several requests do and no `event` names one.
    """
    desk.vault()
    with desk.home.writing(name) as writer:
        opened = open_game(writer, name, desk.games, whole=True)
        check_holds_seat(writer, opened)
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
    if len(own) == 1:
        noun = NOUNS[own[0].event.kind]
        text = f"expected nothing or the id of your only {noun}, which is {listed}, got '{event}'"
        hint = f"`pbem motion withdraw {opened.row.name}` withdraws it"
        raise BadRequest("motion.which", text, hint)
    got = f"'{event}'" if event else "none named"
    raise BadRequest(
        "motion.which",
        f"expected one of {counted(len(own), 'request')} of yours, got {got}: {listed}",
        f"for example `pbem motion withdraw {opened.row.name} --event {own[0].id[:16]}`",
    )


def withdrawal_lines(whole: OpenGame) -> list[Line]:
    """A line for each withdrawal of a game, to be told beside the narrative."""
    said = [row for row in whole.rows if row.kind == "withdraw"]
    told = ((row, _withdrawn(whole, row.role, read(envelope.from_line(row.line).payload).body)) for row in said)
    return [Line(row.step, "withdraw", text) for row, text in told if text]


def told_withdrawals(opened: OpenGame) -> list[str]:
    """What others have withdrawn by what this transaction took in."""
    said = [one.event for one in opened.fresh if one.event.kind == "withdraw" and one.event.role != opened.role]
    return [text for one in said if (text := _withdrawn(opened, one.role, one.body))]


def _withdrawn(opened: OpenGame, role: str, body: Body) -> str:
    """What a withdrawal takes back, in words; empty where that is not known."""
    assert isinstance(body, Withdraw)
    keys = [registration.key for registration in opened.registrations]
    lines = {row.event_id: row.line for row in opened.rows} | {one.id: one.line for one in opened.fresh}
    if body.motion not in lines:
        return ""
    asked = verify_event(lines[body.motion], opened.known, keys)
    assert isinstance(asked.event.body, Change)
    return f"{role} withdraws its {asked.event.kind} to {request_words(opened, asked)}"


@dataclass(frozen=True, slots=True)
class Asked:
    """What this home has moved or asked for and nobody has answered, in words, and whether it is `withdrawn`."""

    event: str
    step: int
    kind: str
    words: str
    withdrawn: bool


def own_waiting(opened: OpenGame) -> list[Asked]:
    """Everything of that kind, before more comes."""
    campaign = opened.campaign
    waiting = [*([campaign.moved] if campaign.moved else []), *campaign.requests]
    return [
        Asked(one.id, one.event.step, one.event.kind, request_words(opened, one), one.id in campaign.withdrawn)
        for one in waiting
        if one.event.role == opened.role
    ]


def become_of(waiting: Iterable[Asked], opened: OpenGame) -> list[str]:
    """What is told of requests that were not taken up, and of withdrawals that crossed with an agreement."""
    steps = opened.campaign.steps
    agreed = {
        body.motion
        for step in steps
        for one in step.events
        if isinstance(body := one.event.body, Consent | Ruling) and body.agree
    }
    told = []
    for one in waiting:
        if one.event in agreed and one.withdrawn:
            told.append(f"your withdrawal came too late: the other side had agreed to {one.words}, and that counts")
        elif (
            one.kind == "request"
            and opened.campaign.place.step > one.step
            and not (one.event in agreed or one.withdrawn)
        ):
            told.append(f"your request to {one.words} was not taken up: step {one.step} was closed without it")
    return told


def request_lines(whole: OpenGame) -> list[Line]:
    """A line for each request that nobody agreed to, at the step that a decision closed instead."""
    said = {one.id for one in _spoken(whole)}
    said |= {one.event.body.motion for one in _spoken(whole) if isinstance(one.event.body, Ruling)}
    said |= {body.motion for row in whole.rows if isinstance(body := _body(row), Withdraw)}
    here = whole.campaign.place.step
    left = [row for row in whole.rows if row.kind == "request" and row.event_id not in said and row.step < here]
    asked = [(row, verify_event(row.line, whole.known)) for row in left]
    return [
        Line(row.step, "request", f"{row.role}'s request to {request_words(whole, one)} is not agreed to")
        for row, one in asked
    ]


def _spoken(whole: OpenGame) -> list[Verified]:
    return [one for step in whole.campaign.steps for one in step.events]


def _body(row: StoredEvent) -> Body | None:
    """What a withdrawal says; nothing of other events is read."""
    return read(envelope.from_line(row.line).payload).body if row.kind == "withdraw" else None
