"""Dismissals: all who play go on without an adjudicator that gives no receipts any more.

They stand in the place of its receipt: what the players have signed at the step stands, what one of them still owes
there is owed, and nobody decides anything again. Where the adjudicator owes a link of its own which nobody has, the
step is left (`without`) and its roll is made behind it with later links of the players: what one of them may have
opened too early is used up.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pbem.errors import BadEvidence
from pbem.log.event import ADJUDICATOR, NEUTRAL, Dismiss

if TYPE_CHECKING:
    from pbem.log.verify import Place, Verified


def check_dismissal(verified: Verified, body: Dismiss, place: Place) -> None:
    """Raise BadEvidence `place.dismiss` unless a dismissal is a player's, at a step of play with an adjudicator.

    It agrees about the step where it stands, or takes back nothing but the wish to agree about it or an earlier one;
    what falls away is what the adjudicator owes there.
    """
    if verified.event.role in NEUTRAL or not place.hosted:
        text = f"expected a dismissal by a player, at a step of play with an adjudicator, got {verified.title}"
        raise BadEvidence("place.dismiss", text)
    if body.step > place.step or (body.agree and body.step < place.step):
        text = f"expected a dismissal at step {place.step}, got {verified.title} about step {body.step}"
        raise BadEvidence("place.dismiss", text)
    if body.agree and body.without and ADJUDICATOR not in place.demands:
        text = f"expected nothing of the adjudicator at step {place.step} to fall away, got {verified.title}"
        raise BadEvidence("place.dismiss", text)


def dismissal_of(events: Iterable[Verified], place: Place) -> tuple[Verified, ...]:
    """The events by which all who play dismiss the adjudicator at a step, in role order; none while one is missing.

    Where all have agreed to both, to go on `without` what it owed counts.
    """
    agreeing = [one for one in events if _agrees(one, place.step)]
    players = sorted(role for role in place.keys if role not in NEUTRAL)
    for without in (True, False):
        found = {one.event.role: one for one in agreeing if _is_without(one) is without}
        if players and all(role in found for role in players):
            return tuple(found[role] for role in players)
    return ()


def is_without(dismissal: Iterable[Verified]) -> bool:
    """Whether a dismissal leaves the step with nothing of what was owed there."""
    return any(_is_without(one) for one in dismissal)


def _agrees(verified: Verified, step: int) -> bool:
    body = verified.event.body
    return isinstance(body, Dismiss) and body.agree and body.step == step == verified.event.step


def _is_without(verified: Verified) -> bool:
    return isinstance(verified.event.body, Dismiss) and verified.event.body.without
