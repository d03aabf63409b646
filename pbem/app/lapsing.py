"""Claiming what has lapsed: another role owes something beyond the deadline that was agreed on.

What such a claim says, and what it leads to, is `pbem.app.claiming`'s.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.app.claiming import claim_of, dictates, told_of
from pbem.app.delivery import time_left
from pbem.app.desk import Desk
from pbem.app.opened import OpenGame, open_game
from pbem.app.signing import answer_by_itself, finish, give
from pbem.errors import BadRequest
from pbem.log.event import ADJUDICATOR, Role
from pbem.log.verify import DAY


def claim_lapse(desk: Desk, name: str, dice: Sequence[str] = ()) -> OpenGame:
    """State that another role owes what the game waits for beyond the agreed deadline (the remedy of the proposal).

    `dice` are the results of every roll, as a player spells them, where the claim dictates them.
    """
    desk.vault()
    with desk.home.writing(name) as writer:
        opened = open_game(writer, name, desk.games)
        owing = _owing(opened, desk.clock())
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
    if not owing or opened.campaign.outcome:
        hint = f"`pbem status {opened.row.name}` says what to do now"
        raise BadRequest("lapse.nobody", "expected somebody else to owe something, got nobody", hint)
    if not place.deadline_days:
        raise BadRequest(
            "lapse.no_deadline",
            "expected a game with a deadline, got one that was agreed without",
            "a deadline is agreed on when a game is proposed: `pbem new … --deadline-days 7`; `pbem forget "
            f"{opened.row.name} --anyway` puts this game aside",
        )
    if place.runs_since is None:
        hint = (
            f"`pbem motion resume {opened.row.name}` lets it run again, or a deadline run for whoever does not let it"
        )
        raise BadRequest("lapse.paused", "expected a game whose clock runs, got one that is paused", hint)
    due = place.runs_since + place.deadline_days * DAY
    if now < due:
        left = time_left(due - now, place.deadline_days)
        hint = f"`pbem status {opened.row.name}` says until when"
        raise BadRequest("lapse.too_early", f"expected the deadline to be over, got {left}", hint)
    return owing[0]
