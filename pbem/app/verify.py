"""Verifying an archive, with nothing but the archive and the rules: every event, every step, every roll.

The events are read in the order in which they stand. Each passes `pbem.log.verify` (steps 1 to 15) and the
rules of the game; the first that does not is named. Then the log must be complete: closed by every party.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.app.archive import archive_order
from pbem.app.catalogue import Games
from pbem.engine.assembly import Assembled, assemble
from pbem.engine.campaign import Campaign
from pbem.errors import BadEvidence
from pbem.log import bundle
from pbem.log.bundle import Bundle
from pbem.log.event import OUT_OF_STEP, Propose
from pbem.log.fork import Fork, read_evidence
from pbem.log.roster import Roster, from_proposal, registered, registration_of
from pbem.log.verify import Verified, verify_event

Progress = Callable[[int, int], None]


@dataclass(slots=True)
class Verdict:
    """What verification found. `finished` is false for a log whose closing is missing; `forks` names what was
    signed twice; `fork` is set when the file is evidence of one."""

    game: str = ""
    title: str = ""
    events: int = 0
    steps: int = 0
    rolls: int = 0
    finished: bool = False
    show_only: bool = False
    result: dict[str, str] = field(default_factory=dict)
    waiting: str = ""
    next_step: int = 0
    head: str = ""
    parties: tuple[tuple[str, str, bytes], ...] = ()
    forks: list[str] = field(default_factory=list)
    fork: Fork | None = None


def verify(data: bytes, games: Games, progress: Progress | None = None) -> Verdict:
    """The verdict on an archive or on evidence; BadEvidence that names the first event that does not hold."""
    found = bundle.read(data)
    if found.contents == "evidence":
        fork = read_evidence(found)
        return Verdict(fork=fork, game=fork.first.event.game, events=len(found.lines))
    if found.contents != "archive":
        raise BadEvidence(
            "verify.turn_file", "expected an archive, got the contents of a turn file", "write one with `pbem archive`"
        )
    events = list(_signed_events(found, progress))
    campaign = _replayed(found, events, games)
    return _verdict(campaign, events)


def _signed_events(found: Bundle, progress: Progress | None) -> Iterator[Verified]:
    """Steps 1 to 8 of verification for each line, in order; an archive has one order and no repetition."""
    roster: Roster | None = None
    before: tuple[Any, ...] = ()
    for number, line in enumerate(found.lines, start=found.first_line):
        try:
            verified = verify_event(line, roster, found.keys)
            order = archive_order(verified)
            if order <= before:
                raise BadEvidence("archive.order", f"expected events in order and each once, got {verified.title}")
            roster, before = _joined(roster, verified), order
        except BadEvidence as error:
            raise _named(error, number, before) from None
        if progress:
            progress(number - found.first_line + 1, len(found.lines))
        yield verified


def _joined(roster: Roster | None, verified: Verified) -> Roster:
    if roster is None:
        if verified.event.kind != "propose":
            raise BadEvidence("archive.proposal", f"expected the proposal first, got {verified.title}")
        return from_proposal(verified.id, verified.event)
    registration = registration_of(verified.event)
    if registration is not None and verified.event.role in roster.absent():
        return registered(roster, verified.event.role, registration)
    return roster


def _named(error: BadEvidence, line: int, before: Sequence[Any]) -> BadEvidence:
    where = f" (line {line}, behind {before[2]}'s event of step {before[0]})" if before else f" (line {line})"
    return BadEvidence(error.code, error.text + where, error.hint)


def _replayed(found: Bundle, events: Sequence[Verified], games: Games) -> Campaign[Any]:
    """Steps 9 to 15 and the rules, for every event; each must be used."""
    if not events:
        raise BadEvidence("archive.empty", "expected events, got an archive without any")
    proposal = events[0].event.body
    if not isinstance(proposal, Propose):
        raise BadEvidence("archive.proposal", f"expected the proposal first, got {events[0].title}")
    campaign: Campaign[Any] = Campaign(games(proposal.ruleset), events[0])
    resolutions = [event for event in events if event.event.kind in OUT_OF_STEP]
    result = assemble(campaign, events[1:], resolutions)
    _check_all_used(result, found, events, bool(resolutions))
    campaign_forks = result.fork
    if campaign_forks is not None:
        raise BadEvidence(
            "archive.fork",
            f"expected one event of a role at a step, got two: {campaign_forks.first.title} and "
            f"{campaign_forks.second.title}",
            "the game is stopped there until another party settles it",
        )
    return campaign


def _check_all_used(result: Assembled, found: Bundle, events: Sequence[Verified], resolved: bool) -> None:
    lines = {event.id: number for number, event in enumerate(events, start=found.first_line)}
    if result.refused:
        verified, reason = min(result.refused, key=lambda pair: lines[pair[0].id])
        raise BadEvidence(reason.code, f"{reason.text} ({_place(verified, lines)})", reason.hint)
    loose = [*result.early, *([] if resolved else result.overtaken)]
    if loose:
        first = min(loose, key=lambda event: lines[event.id])
        raise BadEvidence(
            "archive.gap",
            f"expected every event to follow the one before, got {first.title} with its step before missing or changed "
            f"({_place(first, lines)})",
        )


def _place(verified: Verified, lines: dict[str, int]) -> str:
    return f"line {lines[verified.id]}, {verified.title}"


def _verdict(campaign: Campaign[Any], events: Sequence[Verified]) -> Verdict:
    owed = [f"{role}'s {demand.kind}" for role, demand in sorted(campaign.awaited().items())]
    parties = campaign.roster.parties.values()
    used = {event.id for step in campaign.steps for event in step.events} | {e.id for e in campaign.pending()}
    beside = [event for event in events if event.id not in used and event.event.kind not in OUT_OF_STEP]
    return Verdict(
        game=campaign.game,
        title=campaign.ruleset.title,
        events=len(events),
        steps=len(campaign.steps),
        rolls=len(campaign.rolls),
        finished=campaign.finished,
        show_only=campaign.roster.proposal.show_only,
        result=campaign.outcome.as_result() if campaign.outcome else {},
        waiting=" and ".join(owed),
        next_step=campaign.place.step,
        head=campaign.head.hex(),
        parties=tuple((party.role, party.name, party.key or b"") for party in parties),
        forks=[f"{event.title} was overruled" for event in beside],
    )
