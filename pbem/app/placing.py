"""Placing: events are offered to the campaign, and what does not go into the log is kept apart with the reason."""

from __future__ import annotations

from typing import Any

from pbem.app.apart import Apart, Kept
from pbem.app.claiming import claimed, is_claim_on
from pbem.app.desk import Desk
from pbem.app.forks import named
from pbem.app.imported import Imported
from pbem.app.lacking import behind_late_answer
from pbem.app.opened import EARLY, OpenGame, is_cut_off
from pbem.app.overtaken import keep_overtaken
from pbem.app.rivals import tells_something
from pbem.app.signing import store
from pbem.app.summary import owed
from pbem.engine.assembly import Assembled, assemble
from pbem.engine.campaign import Campaign
from pbem.errors import BadEvidence, PbemError
from pbem.log.event import Answer, Resolve
from pbem.log.fork import Fork, place_of
from pbem.log.verify import Verified, slot, verify_place
from pbem.store.reading import Reader
from pbem.store.rows import Appended
from pbem.store.writing import Writer


def place_in_log(
    desk: Desk, writer: Writer, opened: OpenGame, events: list[Verified], apart: Apart, imported: Imported
) -> None:
    """Store what the campaign takes, keep the rest apart, and name what is missing."""
    pending = {event.id for event in opened.campaign.pending()}
    if opened.fork:
        events = _while_stopped(opened.fork, events, apart, imported)
    result = _assembled(opened, events)
    if result.fork:
        opened.fork = result.fork
        both = [one for one in (result.fork.first, result.fork.second) if one.id not in pending]
        result.accepted += [one for one in both if tells_something(one, opened)]
        rest = [one for one in events if one.id not in {two.id for two in (*both, *_placed(result))}]
        result.early += _while_stopped(result.fork, rest, apart, imported)
    dropped = [one for one in result.overtaken if _is_dropped(one, opened)]
    for verified in [*result.accepted, *dropped]:
        if store(writer, opened, verified, desk.clock()) is not Appended.DUPLICATE:
            opened.fresh.append(verified)
            imported.taken += 1
    for verified, reason in result.refused:
        apart.keep(verified, reason)
        imported.refused.append(reason)
    waiting = [one for one in result.early if not _waits_in_vain(opened, one, apart)]
    imported.early += len(apart.unreached)
    _keep_early(result.early, apart, imported)
    overtaken = [one for one in result.overtaken if one not in dropped]
    overtaken.sort(key=lambda one: is_claim_on(one.event.body, opened.role))  # what stands behind a claim is known then
    keep_overtaken(writer, opened, overtaken, apart, imported)
    _name_missing(writer, opened, waiting, apart, imported)


def _while_stopped(found: Fork, events: list[Verified], apart: Apart, imported: Imported) -> list[Verified]:
    """What may be offered while a fork stops the game: at its step only what others than its author owe.

    Whatever else could close the step would let play go on behind dice that the author of the fork may have chosen,
    among which a rival that is one more than a home keeps. It waits until the fork is settled.
    """
    free = []
    for verified in events:
        if (verified.event.step, verified.event.prev) != (found.first.event.step, found.first.event.prev):
            free.append(verified)
        elif place_of(verified) == place_of(found.first):
            text = f"expected the fork of step {verified.event.step} to be settled first, got {named(verified)}"
            imported.refused.append(BadEvidence("import.forked", text, "it adds nothing to the two that are kept"))
        elif slot(verified.event.kind) == "move" and verified.event.kind != "consent":
            free.append(verified)
        else:
            _keep_early([verified], apart, imported)
    return free


def _placed(result: Assembled) -> list[Verified]:
    return [*result.accepted, *result.early, *result.overtaken, *(one for one, _ in result.refused)]


def _assembled(opened: OpenGame, events: list[Verified]) -> Assembled:
    """Offer events to the campaign; what its place or the rules refuse makes no fork with what they take."""
    campaign = opened.campaign
    result = assemble(campaign, events, opened.resolutions)
    while result.fork:
        here = campaign.place
        there = [one for one in events if (one.event.step, one.event.prev) == (here.step, here.prev)]
        unfit = [(one, why) for one in there if (why := _unfit(campaign, one))]
        if not unfit:
            break
        result.refused += unfit
        done = {one.id for one in (*result.accepted, *result.overtaken, *(one for one, _ in result.refused))}
        events = [one for one in events if one.id not in done]
        again = assemble(campaign, events, opened.resolutions)
        again.accepted[:0], again.overtaken[:0], again.refused[:0] = result.accepted, result.overtaken, result.refused
        result = again
    return result


def _unfit(campaign: Campaign[Any], verified: Verified) -> PbemError | None:
    """Why an event of the present step would be refused there, None when it would not."""
    body = verified.event.body
    try:
        verify_place(verified, campaign.place)
        if isinstance(body, Answer) and verified.event.role in campaign.awaited():
            campaign.read_answer(verified.event.role, body.value)
    except PbemError as reason:
        return reason
    return None


def _keep_early(early: list[Verified], apart: Apart, imported: Imported) -> None:
    for verified in early:
        if apart.keep(verified, BadEvidence(EARLY, "it came before its time")) is not Kept.LEFT_OUT:
            imported.early += 1


def _is_dropped(verified: Verified, opened: OpenGame) -> bool:
    """Whether a settlement has overruled this very event; it is kept beside the one that stands."""
    return any(isinstance(one.event.body, Resolve) and one.event.body.drop == verified.id for one in opened.resolutions)


def _name_missing(reader: Reader, opened: OpenGame, early: list[Verified], apart: Apart, imported: Imported) -> None:
    """Say what has to come before the events that came early; nothing is missing for what a settlement has cut off, nor
    where the other side has gone on from something else."""
    steps = [one.event.step for one in early]
    steps += [step for step, arrived in apart.unreached if not is_cut_off(opened, step, arrived)]
    if not steps or imported.missing or opened.fork:
        return
    name, step = opened.row.name, opened.campaign.place.step
    against = claimed(reader, opened)
    if against and against.played_on and against.step < min(steps):
        imported.missing = (
            f"no mail is missing: play has gone on from the {against.noun} of step {against.step}, in the place of "
            f"what you have signed there; if you agree that it stands, `pbem motion yield {name}`"
        )
    elif late := behind_late_answer(reader, opened):
        role = late.event.role
        imported.missing = (
            f"no mail is missing: events of step {min(steps)} and later follow {named(late)}, which came too late: "
            f"{role} has not given way yet, as `pbem motion yield` does there"
        )
    elif early and all(one.line in apart.whole for one in early):
        imported.missing = (
            f"events of step {min(steps)} and later follow others than those of this log, although that file is all "
            "that its sender has: compare what `pbem log` tells at both homes"
        )
    else:
        imported.missing = (
            f"a mail is missing: events of step {min(steps)} and later wait for step {step}, where "
            f"{owed(opened.campaign)} has not come; ask the other side for all it has: `pbem export --all`"
        )


def _waits_in_vain(opened: OpenGame, verified: Verified, apart: Apart) -> bool:
    arrived = apart.arrived(verified)
    return arrived is not None and is_cut_off(opened, verified.event.step, arrived)
