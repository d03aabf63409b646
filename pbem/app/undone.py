"""What a take-back would undo, step by step: whose events they are and what the narrative told of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from pbem.engine.campaign import Campaign
from pbem.engine.ledger import Step
from pbem.errors import BadRequest
from pbem.log.enumeration import counted, enumerated
from pbem.log.event import Body, Change, Consent, Deposit, Lapse, Motion, Ruling
from pbem.log.nouns import NOUNS
from pbem.log.verify import not_to_go_back_to
from pbem.mail.plain import printable

MOST_LINES = 24
"""Lines that are shown; a long take-back is read in the log."""
WIDTH = 300
TAKEN_BACK = frozenset({"take_back", "adjust", "ruleset"})
"""Matters of motions that going back behind them undoes: the run of the rules alone goes back."""


def check_takes_back(campaign: Campaign[Any], body: Change) -> None:
    """Raise BadRequest for a take-back to a step that has not been played."""
    place = campaign.place
    if body.what != "take_back":
        return
    if place.step <= place.first:
        text = (
            "expected a game in which something was decided that can be taken back, got one before its first decision"
        )
        raise BadRequest("motion.take_back", text, "there is nothing to go back to")
    if not place.first <= body.step < place.step:
        raise BadRequest("motion.take_back", not_to_go_back_to(body.step, place.first, place.step))


def undone_lines(campaign: Campaign[Any], first: int) -> list[str]:
    """What would be undone by going back to step `first`, cut to `MOST_LINES`; nothing for a step still to come.

    A campaign that was resumed behind that step names the steps alone.
    """
    last = (campaign.moved.event.step if campaign.moved else campaign.place.step) - 1
    if first > last:
        return []
    steps = f"would be undone: step {first}" if first == last else f"would be undone: steps {first} to {last}"
    if campaign.steps and campaign.steps[0].number > first:
        return [f"{steps}, which `pbem log --from {first}` tells"]
    lines = [steps, *_told(campaign, first, last)]
    if len(lines) <= MOST_LINES:
        return lines
    return [
        *lines[: MOST_LINES - 1],
        f"and {counted(len(lines) - MOST_LINES + 1, 'line')} more: `pbem log --from {first}`",
    ]


def _told(campaign: Campaign[Any], first: int, last: int) -> Iterator[str]:
    told: dict[int, list[str]] = defaultdict(list)
    for line in campaign.lines:
        told[line.step].append(printable(line.text, WIDTH))
    stays = _staying(campaign)
    for step in campaign.steps:
        if first <= step.number <= last and step.number not in stays:
            yield f"step {step.number}: {_whose(step)}"
            yield from (f"  > {text}" for text in told[step.number])
    for number, carried in sorted(stays.items()):
        if first <= number <= last and carried:
            yield from (f"stays as it is, from step {number}: {text}" for text in told[number])


def _staying(campaign: Campaign[Any]) -> dict[int, bool]:
    """The steps that changed nothing which is taken back, and whether they changed anything else.

    Those are motions that were only moved or were refused, what was agreed about seats, a referee, the deadline or a
    pause, and deposits.
    """
    found: dict[int, bool] = {}
    moved: Change | None = None
    for step in campaign.steps:
        bodies = [one.event.body for one in step.events]
        asked = next((body for body in bodies if isinstance(body, Change)), None)
        if asked or any(_is_answer(body) for body in bodies):
            carried, about = all(_agrees(body) for body in bodies), asked or moved
            if isinstance(asked, Motion) or not (carried and about and about.what in TAKEN_BACK):
                found[step.number] = carried
        elif any(isinstance(body, Deposit) for body in bodies):
            found[step.number] = False
        moved = asked
    return found


def _is_answer(body: Body) -> bool:
    """Whether a body answers a motion, or stands in the place of such an answer."""
    return isinstance(body, Consent) or (isinstance(body, Ruling | Lapse) and body.demand == "consent")


def _agrees(body: Body) -> bool:
    return not _is_answer(body) or (isinstance(body, Consent | Ruling) and body.agree)


def _whose(step: Step) -> str:
    """`german's orders and polish's orders`."""
    return enumerated([f"{one.event.role}'s {NOUNS[one.event.kind]}" for one in step.events])
