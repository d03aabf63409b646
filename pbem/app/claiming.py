"""What a claim beyond the deadline says, and what it leads to: the game, the question's default, or dictated dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from pbem.app.opened import EARLY, OpenGame
from pbem.engine.campaign import Campaign
from pbem.engine.dictation import examples, in_words, spelled, spelled_rolls
from pbem.engine.driver import NeedsEntropy
from pbem.errors import BadRequest, PbemError
from pbem.log import envelope
from pbem.log.event import NEUTRAL, Body, Lapse, Resolve, Role, Ruling, read
from pbem.log.verify import Verified, verify_event
from pbem.store.reading import Reader

CLAIMED = "import.claimed"
"""The code under which a claim of what was signed here is kept apart."""


def dictates(campaign: Campaign[Any], owing: Role) -> bool:
    """Whether a claim of what a role owes now dictates the rolls of the step."""
    return campaign.worst and campaign.place.demands[owing].kind == "entropy"


def claim_of(opened: OpenGame, owing: Role, words: Sequence[str]) -> Lapse:
    """The claim of what a role owes; `words` are the results that it dictates.

    BadRequest where they are not exactly those of the rolls that the rules make now.
    """
    campaign = opened.campaign
    kind = campaign.place.demands[owing].kind
    if not dictates(campaign, owing):
        if words:
            raise _no_dice(campaign, owing)
        return Lapse(role=owing, demand=kind, dice=[])
    return Lapse(
        role=owing, demand=kind, dice=spelled_rolls(campaign.trial(), words, f"pbem motion claim {opened.row.name}")
    )


def _no_dice(campaign: Campaign[Any], owing: Role) -> BadRequest:
    kind = campaign.place.demands[owing].kind
    why = f"{owing} owes its {kind}" if campaign.worst else "the remedy of this game is a claim"
    return BadRequest("lapse.no_dice", f"expected no --dice where nothing is dictated, got some: {why}", "leave it out")


def told_of(campaign: Campaign[Any], before: int) -> list[str]:
    """What a claim has led to, where the game goes on with the worst for the silent side."""
    return [f"  > {line.text}" for line in campaign.lines[before:]] if campaign.worst else []


def first_roll(campaign: Campaign[Any]) -> dict[str, str]:
    """The first roll that a claim has to dictate, in words, and an example; empty when it has none to dictate."""
    waiting = campaign.driver.waiting
    if not campaign.worst or campaign.outcome or not isinstance(waiting, NeedsEntropy):
        return {}
    return {"text": in_words(waiting.request), "example": spelled(examples(waiting.request))}


# ---------------------------------------------------------------------- claims that came too late


def kept_apart(reader: Reader, opened: OpenGame) -> Iterator[Verified]:
    """The events that this home keeps apart, in no order: early ones and refused ones."""
    for row in reader.refusals(opened.row.game_id):
        with suppress(PbemError):
            yield verify_event(row.line, opened.known)


def claimed_step(reader: Reader, opened: OpenGame) -> int:
    """The earliest step at which a claim or a ruling is kept apart because this home had answered, 0 for none."""
    campaign = opened.campaign
    if not (campaign.worst or campaign.roster.judge) or opened.role in NEUTRAL:
        return 0
    stored, heads = opened.ids(), {(step.number, step.events[0].event.prev) for step in campaign.steps}
    said = [
        (row.event_id, read(envelope.from_line(row.line).payload))
        for row in reader.refusals(opened.row.game_id)
        if row.code in (EARLY, CLAIMED)
    ]
    found = [one for name, one in said if name not in stored and is_claim_on(one.body, opened.role)]
    return min((one.step for one in found if (one.step, one.prev) in heads), default=0)


def is_claim_on(body: Body, role: Role) -> bool:
    """Whether an event claims, or rules on, what a role owes."""
    return isinstance(body, Lapse | Ruling) and body.role == role


def is_given_way(resolution: Verified, opened: OpenGame) -> bool:
    """Whether somebody says of its own event that it gives way to a claim or a ruling that is in the log here.

    It changes nothing then; of one's own fork nobody can say anything so.
    """
    body, role = resolution.event.body, resolution.event.role
    if not isinstance(body, Resolve) or body.role != role:
        return False
    kept = [row.line for row in opened.rows if row.event_id == body.keep and row.kind_class == "log"]
    return any(is_claim_on(read(envelope.from_line(line).payload).body, role) for line in kept)
