"""Motions: moving a change that the rules of the game do not know, asking for one, agreeing or not.

Who has to decide and is the only one moves a motion instead of deciding; who waits asks the other side for the change,
which agrees to it or decides as if nothing had been asked (`pbem.engine.motions` says what each one does).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pbem.app.desk import Desk
from pbem.app.movable import body_of
from pbem.app.opened import OpenGame, open_game
from pbem.app.proposed import difference_of, lost_units, read_reply, words_of
from pbem.app.sheets import check_sheet
from pbem.app.signing import answer_by_itself, check_not_stopped, finish, give
from pbem.app.tenure import check_holds_seat
from pbem.app.undone import check_takes_back
from pbem.engine.motions import needs_consent
from pbem.errors import BadRequest
from pbem.log.enumeration import counted, cut
from pbem.log.event import NEUTRAL, Change, Consent, Request
from pbem.log.nouns import NOUNS
from pbem.log.verify import Verified

NOTHING_TO_ANSWER = "motion.none"
MOST_NAMED = 8
"""Names of units in a sentence."""
NOTHING: dict[str, Any] = {"step": 0, "days": 0, "position": "", "seat": None, "proof": "", "address": "", "why": ""}
"""What a change says of everything that its matter does not need."""


@dataclass(frozen=True, slots=True)
class Moved:
    """What was moved or asked for, in words, and what is known to have happened; `difference` is what changes,
    `warnings` what its author should know of it."""

    words: str
    asked: bool
    told: list[str]
    answered: list[str]
    opened: OpenGame
    difference: list[str]
    warnings: Sequence[str] = ()
    by_itself: bool = False
    """Whether the other side's program agrees to it without asking its player."""


def move(desk: Desk, name: str, matter: dict[str, Any], *, anyway: bool = True) -> Moved:
    """Move a change, or ask for it where the other side has to decide; `matter` are the fields of a `Change`.

    Unless `anyway`, BadRequest for a position in which units of the present one do not stand any more.
    """
    desk.vault()
    with desk.home.writing(name) as writer:
        opened = open_game(writer, name, desk.games, whole=True)
        check_holds_seat(writer, opened)
        check_not_stopped(opened)
        body = body_of(opened, {**NOTHING, **matter})
        check_takes_back(opened.campaign, body)
        before, difference = len(opened.campaign.lines), difference_of(opened.campaign, body)
        _check_differs(opened, body, difference)
        if not anyway:
            _check_names_all(opened, body)
        words, free = (
            words_of(opened.campaign, opened.role, body),
            not needs_consent(opened.campaign.roster, opened.role, body),
        )
        give(desk, writer, opened, body)
        answered = answer_by_itself(desk, writer, opened)
        finish(writer, opened)
    told = [line.text for line in opened.campaign.lines[before:]]
    asked = isinstance(body, Request)
    return Moved(words, asked, told, answered, opened, difference, by_itself=asked and free)


def _check_differs(opened: OpenGame, body: Change, difference: Sequence[str]) -> None:
    """Raise BadRequest for a position that is the present one."""
    if body.what == "adjust" and not difference:
        raise BadRequest(
            "motion.same",
            "expected a position that differs from the present one, got one in which nothing differs",
            f"change a line of what `pbem show {opened.row.name} --position` prints",
        )


def _check_names_all(opened: OpenGame, body: Change) -> None:
    """Raise BadRequest for a position without some of the units that the present one has."""
    lost, present = lost_units(opened.campaign, body)
    if lost:
        name = opened.row.name
        raise BadRequest(
            "motion.lost_units",
            f"expected a line for each of {counted(present, 'unit')}, got {present - len(lost)}: without one are "
            f"{cut(lost, MOST_NAMED)}, which would be lost by it",
            f"begin from `pbem show {name} --position > position.txt`; where they are meant to be lost, say --anyway",
        )


def preview(desk: Desk, name: str, matter: dict[str, Any]) -> list[str]:
    """What a motion would change, line by line, without moving it; BadRequest when it is not the time for it."""
    opened = open_game(desk.home, name, desk.games, whole=True)
    check_holds_seat(desk.home, opened)
    check_not_stopped(opened)
    body = body_of(opened, {**NOTHING, **matter})
    check_takes_back(opened.campaign, body)
    difference = difference_of(opened.campaign, body)
    _check_differs(opened, body, difference)
    lost, _ = lost_units(opened.campaign, body)
    return [*difference, *([f"would be lost by it: {', '.join(lost)}"] if lost else [])]


def reply(desk: Desk, name: str, *, agree: bool, event: str = "") -> Moved:
    """Agree to what the other side has moved or asked for, or not; `event` is the beginning of a request's id.

    BadRequest when there is nothing of that kind, or several requests and no `event`.
    """
    desk.vault()
    with desk.home.writing(name) as writer:
        opened = open_game(writer, name, desk.games, whole=True)
        check_holds_seat(writer, opened)
        check_not_stopped(opened)
        waiting = to_answer(opened, agree=agree, event=event)
        before, words = len(opened.campaign.lines), request_words(opened, waiting)
        give(desk, writer, opened, Consent(motion=waiting.id, agree=agree))
        answered = answer_by_itself(desk, writer, opened)
        finish(writer, opened)
    told = [line.text for line in opened.campaign.lines[before:]]
    return Moved(words, asked=False, told=told, answered=answered, opened=opened, difference=[])


def to_answer(opened: OpenGame, *, agree: bool, event: str = "") -> Verified:
    """The motion or request that a reply is to; BadRequest when there is none or several, or when refusing needs no
    reply."""
    campaign = opened.campaign
    demand = campaign.awaited().get(opened.role)
    if campaign.moved and demand and demand.kind == "consent":
        return one_of(opened, [campaign.moved], event)
    requested = [one for one in campaign.requests if one.event.role != opened.role]
    asked = [one for one in requested if one.id not in campaign.withdrawn]
    if requested and not asked:
        text = "expected a request of the other side that waits for you, got one that it has withdrawn"
        raise BadRequest("motion.withdrawn", text, f"decide: `pbem orders {opened.row.name} -o orders.txt`")
    if not asked or demand is None:
        raise BadRequest(
            NOTHING_TO_ANSWER,
            "expected a motion of the other side that waits for you, got none",
            f"`pbem status {opened.row.name}` says what to do now",
        )
    if not agree:
        raise BadRequest(
            "motion.by_deciding",
            "expected your decision, which refuses what was asked for, got a refusal alone",
            f"go on: `pbem orders {opened.row.name} -o orders.txt`",
        )
    return one_of(opened, asked, event)


def one_of(opened: OpenGame, asked: Sequence[Verified], event: str) -> Verified:
    """The request whose id begins with `event`, the only one where that is empty; BadRequest names them all."""
    found = [one for one in asked if one.id.startswith(event)]
    if len(found) == 1:
        return found[0]
    if len(asked) == 1:
        only = f"{asked[0].id[:16]}: {request_words(opened, asked[0])}"
        noun = NOUNS[asked[0].event.kind]
        text = f"expected nothing or the id of the only {noun}, which is {only}, got '{event}'"
        raise BadRequest("motion.which", text, f"`{_agreeing(opened)}` agrees to it")
    shown_event = f"'{event}'" if event else "none named"
    listed = "; ".join(f"{one.id[:16]}: {request_words(opened, one)}" for one in asked)
    raise BadRequest(
        "motion.which",
        f"expected one of {counted(len(asked), 'request')}, got {shown_event}: {listed}",
        f"for example `{_agreeing(opened)} --event {asked[0].id[:16]}`",
    )


def _agreeing(opened: OpenGame) -> str:
    """The command that agrees to a request: a judge rules, in the place of whoever was asked."""
    name = opened.row.name
    return f"pbem motion rule {name} --agree" if opened.role in NEUTRAL else f"pbem motion agree {name}"


def request_words(opened: OpenGame, asked: Verified) -> str:
    """What a motion or a request is for, as a player reads it behind `to`."""
    assert isinstance(asked.event.body, Change)
    return words_of(opened.campaign, asked.event.role, asked.event.body)


def check_reply(desk: Desk, name: str, text: str) -> str:
    """What a sheet that only agrees or refuses would say, in words; empty for any other sheet. Nothing is changed."""
    return "" if read_reply(text) is None else reply_in(open_game(desk.home, name, desk.games), text)


def reply_in(opened: OpenGame, text: str) -> str:
    """The same for an open game, whose role need not be this home's."""
    said = read_reply(text)
    if said is None:
        return ""
    check_sheet(opened, text)
    waiting = to_answer(opened, agree=said.agree, event=said.event)
    return f"{'agree' if said.agree else 'refuse'} to {request_words(opened, waiting)}"


def submit_reply(desk: Desk, name: str, text: str) -> Moved | None:
    """A sheet that only agrees or refuses, carried out; None for any other sheet."""
    said = read_reply(text)
    if said is None:
        return None
    check_sheet(open_game(desk.home, name, desk.games), text)
    return reply(desk, name, agree=said.agree, event=said.event)
