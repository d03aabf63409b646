"""What may be moved or asked for now, and what a player is told instead.

The log refuses all of this too (`pbem.log.verify`, step 16), in words about events; here it is said about the game.
"""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from pbem.app.clock import NO_DEADLINE, PAUSED
from pbem.app.opened import OpenGame
from pbem.app.proposed import proposed, words_of
from pbem.app.summary import owed
from pbem.errors import BadRequest
from pbem.log.event import UNILATERAL, Change, Motion, Request
from pbem.log.forms import first_problem

MOST_WHY = 200
MOST_POSITION = 60_000
FIELDS = {"why": "reason", "seat": "registration", "days": "number of days", "step": "number of a step"}
"""How a player calls what a motion holds, where it is not the name of the field."""


def body_of(opened: OpenGame, fields: dict[str, Any]) -> Motion | Request:
    """The motion of who alone has to decide, or the request of who waits; BadRequest when it is not the time for it.

    Refused for rules that cannot take play up here.
    """
    if opened.role not in opened.campaign.roster.players:
        raise _no_player(opened)
    deciding = opened.campaign.place.deciding
    if not deciding:
        raise _nobody_decides(opened)
    if len(deciding) > 1:
        raise BadRequest(
            "motion.together",
            "expected a game in which one side alone has to decide, got one in which both do",
            f"decide first: `pbem orders {opened.row.name} -o orders.txt`",
        )
    _check_lengths(fields)
    try:
        body = (Motion if deciding == (opened.role,) else Request)(**fields)
    except ValidationError as error:
        where = first_problem(error)[0].partition(".")[0]
        got = f"one whose {FIELDS.get(where, where)} is none" if where else "one whose fields do not fit"
        hint = "`pbem motion --help` lists the motions, and the help of each says what it takes"
        raise BadRequest("motion.form", f"expected a motion that can be sent, got {got}", hint) from None
    _check_clock(opened, body)
    _check_new(opened, body)
    if body.ruleset is not None:
        opened.campaign.under(body.ruleset)
    return body


def _no_player(opened: OpenGame) -> BadRequest:
    """Whoever judges or hosts a game moves nothing in it, and asks for nothing; its key is changed by nobody."""
    name, role = opened.row.name, opened.role
    text = f"expected a player, who alone can move or ask for something, got the {role}"
    if role != opened.campaign.roster.judge:
        hint = f"you host it: `pbem import` takes in what comes, `pbem export {name}` sends your receipts"
        return BadRequest("motion.no_player", text, hint)
    return BadRequest(
        "motion.no_player",
        text,
        f"you rule: `pbem motion rule {name}` when a deadline is over, or on what a player has moved, and `pbem motion "
        f"annul {name} --why REASON` ends it without a winner; another referee, or the same one with a new key, is "
        "appointed by the players",
    )


def _nobody_decides(opened: OpenGame) -> BadRequest:
    hint = f"`pbem status {opened.row.name}` says what it waits for"
    if opened.campaign.outcome:
        return BadRequest("motion.over", "expected a game in play, got one that is over", "see `pbem log`")
    for one in proposed(opened.campaign):
        text = f"expected a game without a motion that waits for its answer, got one where {one.sentence}"
        return BadRequest("motion.waiting", text, hint)
    waits = owed(opened.campaign) or "nobody"
    text = f"expected a game in which somebody has to decide something now, got one that waits for {waits}"
    return BadRequest("motion.not_now", text, _when_nobody_decides(opened))


def _when_nobody_decides(opened: OpenGame) -> str:
    """What can be done while dice, an opening or a receipt are awaited, or play has not begun."""
    name, campaign = opened.row.name, opened.campaign
    if not campaign.started:
        return f"nothing is moved before play begins: `pbem status {name}` says what it waits for"
    limit = "nothing is moved while dice, an opening or a receipt are awaited: wait for the next decision"
    if not campaign.place.deadline_days:
        return limit
    late = f"the {judge} may rule" if (judge := campaign.roster.judge) else f"`pbem motion claim {name}` claims"
    return f"{limit}; when the deadline is over, {late}"


def _check_lengths(fields: dict[str, Any]) -> None:
    for name, most, what, code in (
        ("why", MOST_WHY, "reason", "motion.why"),
        ("position", MOST_POSITION, "position", "motion.position"),
    ):
        if len(fields[name]) > most:
            text = f"expected a {what} of at most {most} characters, got one of {len(fields[name])}"
            raise BadRequest(code, text)
    if fields["what"] == "adjust" and not fields["position"].strip():
        hint = "`pbem show GAME --position` prints the present one"
        raise BadRequest("motion.position", "expected a position, got an empty text", hint)


def _check_clock(opened: OpenGame, body: Change) -> None:
    place, now = opened.campaign.place, f"`pbem status {opened.row.name}` says what to do now"
    if body.what == "pause" and place.paused:
        raise BadRequest("motion.paused", PAUSED, f"`pbem motion resume {opened.row.name}` lets it run again")
    if body.what == "resume" and not place.paused:
        raise BadRequest("motion.not_paused", "expected a game that is paused, got one whose clock runs", now)
    if body.what == "extend" and not place.deadline_days:
        raise BadRequest("motion.no_deadline", NO_DEADLINE, now)


def _check_new(opened: OpenGame, body: Change) -> None:
    place, name = opened.campaign.place, opened.row.name
    if isinstance(body, Motion) and place.refused and body.what not in UNILATERAL:
        text = "expected your decision, since your motion was not agreed to, got another motion"
        raise BadRequest("motion.refused", text, f"decide: `pbem orders {name} -o orders.txt`")
    for one in opened.campaign.requests:
        waits = one.event.role == opened.role and one.id not in opened.campaign.withdrawn
        if waits and one.event.body == body:
            said = words_of(opened.campaign, opened.role, body)
            text = f"expected something that you have not asked for yet, got a request to {said} once more"
            raise BadRequest("motion.asked", text, f"it waits: `pbem export {name}` sends it again")
