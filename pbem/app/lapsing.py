"""Claiming what has lapsed: another role owes something beyond the deadline that was agreed on.

What such a claim says, and what it leads to, is `pbem.app.claiming`'s.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.app.claiming import claim_of, dictates, told_of
from pbem.app.clock import NO_DEADLINE, PAUSED
from pbem.app.delivery import time_left
from pbem.app.desk import Desk
from pbem.app.moving import request_words
from pbem.app.opened import OpenGame, open_game
from pbem.app.proposed import GIVING
from pbem.app.signing import answer_by_itself, check_may_sign, finish, give
from pbem.app.summary import has_news
from pbem.errors import BadRequest
from pbem.log.enumeration import enumerated
from pbem.log.event import ADJUDICATOR, Change, Role
from pbem.log.verify import DAY
from pbem.store.reading import Reader


def claim_lapse(desk: Desk, name: str, dice: Sequence[str] = ()) -> OpenGame:
    """State that another role owes what the game waits for beyond the agreed deadline (the remedy of the proposal).

    `dice` are the results of every roll, as a player spells them, where the claim dictates them.
    """
    desk.vault()
    with desk.home.writing(name) as writer:
        opened = open_game(writer, name, desk.games)
        check_may_sign(writer, opened)
        owing = _owing(opened, desk.clock())
        _check_goes_with_requests(opened, owing)
        _check_sent(writer, opened)
        if dictates(opened.campaign, owing):
            answer_by_itself(desk, writer, opened)
        before = len(opened.campaign.lines)
        give(desk, writer, opened, claim_of(opened, owing, dice))
        opened.news = told_of(opened.campaign, before)
        answer_by_itself(desk, writer, opened)
        finish(writer, opened)
    return opened


def _owing(opened: OpenGame, now: int) -> Role:
    place = opened.campaign.place
    if place.refereed:
        judge, article = place.judge, "an" if place.judge == ADJUDICATOR else "a"
        hint = f"ask the {judge} to rule: what is owed is opened from what was deposited, or becomes its default"
        raise BadRequest(
            "lapse.referee", f"expected a game without {article} {judge}, got one whose {judge} rules", hint
        )
    owing = [role for role in sorted(opened.campaign.awaited()) if role != opened.role]
    if owing and opened.campaign.outcome:
        name, silent = opened.row.name, enumerated(owing)
        raise BadRequest(
            "lapse.decided",
            f"expected something without which nobody knows who has won, got a closing of {silent}: the result stands",
            f"`pbem archive {name} -o {name}.pbem` keeps it, and `pbem verify {name}.pbem --running` shows it",
        )
    if not owing:
        hint = f"`pbem status {opened.row.name}` says what to do now"
        raise BadRequest("lapse.nobody", "expected somebody else to owe something, got nobody", hint)
    if not opened.campaign.started:
        raise BadRequest(
            "lapse.not_begun",
            f"expected a game in which play has begun, got one that waits for {enumerated(owing)}: nothing can be "
            "claimed, and nothing is lost",
            f"`pbem new` proposes a new game, and `pbem forget {opened.row.name}` puts this one aside",
        )
    if not place.deadline_days:
        raise BadRequest(
            "lapse.no_deadline",
            NO_DEADLINE,
            "a deadline is agreed on when a game is proposed: `pbem new … --deadline-days 7`; `pbem forget "
            f"{opened.row.name} --anyway` puts this game aside",
        )
    if place.runs_since is None:
        hint = (
            f"`pbem motion resume {opened.row.name}` lets it run again, or a deadline run for whoever does not let it"
        )
        raise BadRequest("lapse.paused", PAUSED, hint)
    due = place.runs_since + place.deadline_days * DAY
    if now < due:
        left = time_left(due - now, place.deadline_days)
        hint = f"`pbem status {opened.row.name}` says until when"
        raise BadRequest("lapse.too_early", f"expected the deadline to be over, got {left}", hint)
    return owing[0]


def _check_goes_with_requests(opened: OpenGame, owing: Role) -> None:
    """Raise BadRequest beside a request of this home's that gives what would be claimed."""
    campaign = opened.campaign
    for one in campaign.requests:
        body = one.event.body
        own = one.event.role == opened.role and one.id not in campaign.withdrawn
        if own and isinstance(body, Change) and body.what in GIVING:
            raise BadRequest(
                "lapse.asked",
                "expected a claim that goes with what you have asked for at this step, got one beside your request to "
                f"{request_words(opened, one)}",
                f"wait for {owing}, or withdraw that first: `pbem motion withdraw {opened.row.name}`",
            )


def _check_sent(reader: Reader, opened: OpenGame) -> None:
    """Raise BadRequest while no turn file holds what the other side may wait for."""
    if has_news(reader, opened):
        raise BadRequest(
            "lapse.unsent",
            "expected a claim behind all that you have signed, got something of yours that is in no turn file yet",
            f"send your turn file first, `pbem export {opened.row.name} -o turn.eml --eml`, and give it time to come",
        )
