"""What is said in a game of going on without its adjudicator, and what that asks of this home meanwhile.

Who has agreed to go on without an adjudicator has promised to sign nothing behind a receipt that comes after all: else
the other side, who knows what stands behind it, could choose which of the two closes the step. The promise ends where
the other side goes on from the receipt, or says that it will not agree any more, which its program does by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pbem.app.opened import OpenGame
from pbem.engine.driver import Line
from pbem.log import envelope
from pbem.log.event import ADJUDICATOR, NEUTRAL, Dismiss, Role, read


@dataclass(frozen=True, slots=True)
class Word:
    """What a player has said about the adjudicator, with the step at which that was signed."""

    role: Role
    step: int
    body: Dismiss


def words(opened: OpenGame) -> list[Word]:
    """Everything that was said about the adjudicator, this transaction included."""
    found = {row.event_id: read(envelope.from_line(row.line).payload) for row in opened.rows if row.kind == "dismiss"}
    found |= {one.id: one.event for one in opened.fresh if one.event.kind == "dismiss"}
    return [Word(one.role, one.step, one.body) for one in found.values() if isinstance(one.body, Dismiss)]


def waiting_words(opened: OpenGame) -> list[Word]:
    """Who would go on without the adjudicator from the present step on, while not all would."""
    said = [one.event for one in opened.campaign.pending()]
    return [Word(one.role, one.step, one.body) for one in said if isinstance(one.body, Dismiss) and one.body.agree]


def bound_since(opened: OpenGame) -> int:
    """The step about which this home waits for the other side's word and signs nothing, 0 when there is none.

    It has agreed to go on without the adjudicator, and the step was closed otherwise.
    """
    if not opened.campaign.roster.is_hosted:
        return 0
    own = [one.step for one in words(opened) if one.role == opened.role and one.body.agree]
    late = [step for step in own if step < opened.campaign.place.step]
    latest = max(late, default=0)
    return latest if latest and not _has_gone_on(opened, latest) else 0


def _has_gone_on(opened: OpenGame, step: int) -> bool:
    """Whether another player has signed anything behind a step, or will not agree about it."""
    placed = [(row.role, row.step) for row in opened.rows if row.kind_class == "log"]
    placed += [(one.event.role, one.event.step) for one in opened.fresh]
    others = [at for role, at in placed if role != opened.role and role not in NEUTRAL]
    return max(others, default=0) > step or any(
        one.role != opened.role and not one.body.agree and one.body.step == step for one in words(opened)
    )


def keeps_link(opened: OpenGame) -> bool:
    """Whether this home has agreed that the roll of the present step falls away: it opens no link for it, unless the
    other side will not agree to that."""
    place, said = opened.campaign.place, [one for one in words(opened) if one.body.without]
    here = [one for one in said if one.body.step == place.step]
    agreed = any(one.role == opened.role and one.body.agree for one in here)
    return agreed and not any(one.role != opened.role and not one.body.agree for one in here)


def refusals(opened: OpenGame) -> Iterator[Dismiss]:
    """What this home says by itself: that it will not go on without what has come from the adjudicator after all."""
    if not opened.campaign.place.hosted or opened.role in NEUTRAL:
        return
    said = words(opened)
    mine = {(one.body.step, one.body.without) for one in said if one.role == opened.role}
    for one in said:
        new = one.role != opened.role and one.body.agree and (one.body.step, one.body.without) not in mine
        if new and _is_answered(opened, one):
            yield Dismiss(agree=False, step=one.body.step, without=one.body.without, why="")


def _is_answered(opened: OpenGame, word: Word) -> bool:
    """Whether the adjudicator has done what the other side would not wait for, and this home has said nothing since."""
    step = opened.campaign.place.step
    if word.step == step:
        return word.body.without and has_link(opened)
    since = [row.step for row in opened.rows if row.role == opened.role and row.kind_class == "log"]
    since += [one.event.step for one in opened.fresh if one.event.role == opened.role]
    return word.step < step and max(since, default=0) <= word.step


def has_link(opened: OpenGame) -> bool:
    """Whether the adjudicator's share of the dice of the present step is here."""
    said = [one.event for one in opened.campaign.pending()]
    return any((one.role, one.kind) == (ADJUDICATOR, "entropy") for one in said)


def dismissal_lines(whole: OpenGame) -> list[Line]:
    """A line for who would have gone on without the adjudicator where that did not come about: beside the narrative."""
    done = whole.campaign.dismissed
    told = [one for one in words(whole) if one.body.agree and one.step != done]
    return [Line(one.step, "dismiss", f"{one.role} would go on without the adjudicator") for one in told]
