"""What a take-back would undo, step by step: whose events they are and what the narrative told of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from pbem.engine.campaign import Campaign
from pbem.engine.ledger import Step
from pbem.errors import BadRequest
from pbem.log.enumeration import counted, enumerated
from pbem.log.event import Change
from pbem.log.nouns import NOUNS
from pbem.mail.plain import printable

MOST_LINES = 24
"""Lines that are shown; a long take-back is read in the log."""
WIDTH = 300


def check_takes_back(campaign: Campaign[Any], body: Change) -> None:
    """Raise BadRequest for a take-back to a step that has not been played."""
    place = campaign.place
    if body.what == "take_back" and not place.first <= body.step < place.step:
        raise BadRequest(
            "motion.take_back",
            f"expected a step from {place.first} to {place.step - 1} to go back to, got step {body.step}",
        )


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
    for step in campaign.steps:
        if first <= step.number <= last:
            yield f"step {step.number}: {_whose(step)}"
            yield from (f"  > {text}" for text in told[step.number])


def _whose(step: Step) -> str:
    """`german's orders and polish's orders`."""
    return enumerated([f"{one.event.role}'s {NOUNS[one.event.kind]}" for one in step.events])
