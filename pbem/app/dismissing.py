"""Going on without an adjudicator that gives no receipts any more: both players say so, and need nobody else for it."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.app.desk import Desk
from pbem.app.dismissals import has_link, waiting_words
from pbem.app.movable import MOST_WHY
from pbem.app.opened import OpenGame, open_game
from pbem.app.signing import answer_by_itself, check_not_stopped, finish, give
from pbem.errors import BadRequest
from pbem.log.event import ADJUDICATOR, NEUTRAL, Dismiss


@dataclass(frozen=True, slots=True)
class Dismissing:
    """What saying so has led to: whether the adjudicator is `dismissed` now, or everything but something that is owed
    is there (`agreed`), what is known to have happened, and what was answered by itself."""

    dismissed: bool
    agreed: bool
    without: bool
    told: list[str]
    answered: list[str]
    opened: OpenGame


def dismiss(desk: Desk, name: str, why: str = "") -> Dismissing:
    """Say that this home would go on without the adjudicator, or agree to it where the other side has said so.

    BadRequest in a game that nobody hosts, where it has been said, and where the other side would leave a roll whose
    share of the adjudicator is here.
    """
    desk.vault()
    with desk.home.writing(name) as writer:
        opened = open_game(writer, name, desk.games, whole=True)
        check_not_stopped(opened)
        body = _body(opened, why)
        before = len(opened.campaign.lines)
        give(desk, writer, opened, body)
        answered = answer_by_itself(desk, writer, opened)
        finish(writer, opened)
    told = [line.text for line in opened.campaign.lines[before:]]
    place = opened.campaign.place
    agreed = place.hosted and not place.receipted
    return Dismissing(bool(opened.campaign.dismissed), agreed, body.without, told, answered, opened)


def _body(opened: OpenGame, why: str) -> Dismiss:
    campaign, name = opened.campaign, opened.row.name
    now = f"`pbem status {name}` says what to do now"
    if not campaign.roster.is_hosted:
        done = f"which was dismissed at step {campaign.dismissed}" if campaign.dismissed else "got one without"
        text = "expected a game with an adjudicator, "
        raise BadRequest("dismiss.none", text + (f"got one {done}" if campaign.dismissed else done), now)
    if opened.role in NEUTRAL:
        hint = f"an adjudicator who gives up asks both for `pbem motion dismiss {name}`"
        raise BadRequest("dismiss.player", f"expected one of the players, got the {opened.role}", hint)
    if not campaign.place.hosted:
        over = "one that is over" if campaign.finished else "one whose play has not begun"
        hint = now if campaign.finished else "propose another game: nothing is lost yet"
        raise BadRequest("dismiss.not_now", f"expected a game in play, got {over}", hint)
    if len(why) > MOST_WHY:
        raise BadRequest("motion.why", f"expected a reason of at most {MOST_WHY} characters, got one of {len(why)}")
    return Dismiss(agree=True, step=campaign.place.step, without=_without(opened), why=why)


def _without(opened: OpenGame) -> bool:
    """Whether a roll of the step falls away: it waits for the adjudicator's share, which is not here.

    Who agrees says the same as who has spoken first.
    """
    said = waiting_words(opened)
    missing = ADJUDICATOR in opened.campaign.place.demands and not has_link(opened)
    others = {one.body.without for one in said if one.role != opened.role}
    without = missing if len(others) != 1 else others.pop() and missing
    if any(one.role == opened.role and one.body.without is without for one in said):
        raise BadRequest(
            "dismiss.asked",
            "expected something that you have not said yet, got once more that you would go on without the adjudicator",
            f"it waits for the other side: `pbem export {opened.row.name}` sends it again",
        )
    return without
