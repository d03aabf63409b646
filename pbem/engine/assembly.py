"""Assembly: makes the log from events that came in any order, more than once, or never.

At every step the candidates are those that name the present head. Two different ones in one slot are a
fork: the game stops there until another role has resolved it. What stands at a later step waits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.engine.admission import RulesMissing
from pbem.engine.campaign import Campaign
from pbem.engine.closing import named_by_receipt
from pbem.errors import PbemError
from pbem.log.event import OUT_OF_STEP, Lapse, Resolve, Ruling
from pbem.log.fork import JUDGING, Fork, first_fork, fork, place_of
from pbem.log.verify import Place, Verified, slot

OFFERED = ("request", "withdraw", "move", "ruling", "annul", "lapse", "receipt")
"""Slots in the order in which events are offered: a consent needs its request, an answer counts before a claim, and a
receipt is the last word."""
_RANKS = {kind: rank for rank, kind in enumerate(OFFERED)}


@dataclass(slots=True)
class Assembled:
    """What became of the events: in the log, refused with the reason, early, or beside the log."""

    accepted: list[Verified] = field(default_factory=list)
    refused: list[tuple[Verified, PbemError]] = field(default_factory=list)
    early: list[Verified] = field(default_factory=list)
    overtaken: list[Verified] = field(default_factory=list)
    fork: Fork | None = None


def assemble(campaign: Campaign[Any], events: Iterable[Verified], resolutions: Sequence[Verified] = ()) -> Assembled:
    """Offer `events` of the present and later steps to a campaign, as far as they reach."""
    waiting = _by_step(events)
    result = Assembled()
    while waiting and not campaign.finished and result.fork is None:
        number = campaign.place.step
        _offer_step(campaign, waiting.pop(number, []), resolutions, result)
        if campaign.place.step == number:
            break
    for number in sorted(waiting):
        (result.early if number >= campaign.place.step and not campaign.finished else result.overtaken).extend(
            waiting[number]
        )
    return result


def _in_order(verified: Verified) -> tuple[int, str, str]:
    return _RANKS[slot(verified.event.kind)], verified.event.role, verified.id


def _by_step(events: Iterable[Verified]) -> dict[int, list[Verified]]:
    found: dict[int, dict[str, Verified]] = defaultdict(dict)
    for verified in events:
        if verified.event.kind not in OUT_OF_STEP:
            found[verified.event.step][verified.id] = verified
    return {number: list(named.values()) for number, named in found.items()}


def _offer_step(
    campaign: Campaign[Any], candidates: Sequence[Verified], resolutions: Sequence[Verified], result: Assembled
) -> None:
    here = campaign.place
    fitting = [one for one in candidates if one.event.prev == here.prev]
    if len(fitting) < len(candidates):
        result.overtaken.extend(one for one in candidates if one.event.prev != here.prev)
    if here.receipted:
        fitting = _settled_by_receipt(campaign, fitting, result)
    settled = [one for one in resolutions if _holds_seat(one, here)]
    chosen, result.fork = _without_forks(fitting, settled, campaign.pending())
    if result.fork:
        return
    if len(chosen) < len(fitting):
        kept = {one.id for one in chosen}
        result.overtaken.extend(one for one in fitting if one.id not in kept)
    _offer_each(campaign, here.step, chosen, result)


def _offer_each(campaign: Campaign[Any], step: int, chosen: Sequence[Verified], result: Assembled) -> None:
    for verified in chosen:
        if campaign.place.step != step:
            result.overtaken.append(verified)
            continue
        try:
            campaign.offer(verified)
            result.accepted.append(verified)
        except RulesMissing:
            raise  # whoever gets these rules can take the event
        except PbemError as error:
            result.refused.append((verified, error))


def _settled_by_receipt(campaign: Campaign[Any], fitting: list[Verified], result: Assembled) -> list[Verified]:
    """The candidates without those that contradict one which the receipt names: its author's other one came later.

    A receipt of something that is not here yet waits for it.
    """
    named, receipt = named_by_receipt(fitting)
    if receipt is None:
        return fitting
    if not named <= {one.id for one in (*fitting, *campaign.pending())}:
        result.early.append(receipt)
        return [one for one in fitting if one is not receipt]
    standing = [one for one in fitting if one.id in named]
    late = [one for one in fitting if one.id not in named and any(fork(one, other) for other in standing)]
    result.overtaken.extend(late)
    return [one for one in fitting if one not in late]


def _holds_seat(resolution: Verified, here: Place) -> bool:
    return here.keys.get(resolution.event.role) == resolution.key


def _without_forks(
    fitting: Sequence[Verified], resolutions: Sequence[Verified], pending: Sequence[Verified]
) -> tuple[list[Verified], Fork | None]:
    """The candidates with resolved forks taken out, answers before lapses; or the first fork without a resolution."""
    if not resolutions and len(fitting) < 2:
        return list(fitting), None
    chosen = _settled(fitting, resolutions, pending) if resolutions else list(fitting)
    chosen.sort(key=_in_order)
    found = first_fork(chosen, pending)
    return ([], found) if found else (chosen, None)


def _settled(
    fitting: Sequence[Verified], resolutions: Sequence[Verified], pending: Sequence[Verified]
) -> list[Verified]:
    """The candidates without what others have dropped, or what its author lets give way to a claim."""
    naming: dict[str, list[Verified]] = defaultdict(list)
    for resolution in resolutions:
        assert isinstance(resolution.event.body, Resolve)
        naming[resolution.event.body.drop].append(resolution)
    dropped = {one.id for one in fitting if any(_drops(resolution, one) for resolution in naming[one.id])}
    there, at_hand = {one.id: one for one in fitting}, {one.id: one for one in (*fitting, *pending)}
    kept = [one for one in fitting if one.id not in dropped]
    places = {place_of(one) for one in kept}
    judging = [one for one in kept if one.event.kind in JUDGING]
    # an event can only be dropped for a rival that stays: resolutions that contradict each other settle nothing
    chosen = [
        one
        for one in fitting
        if one.id not in dropped or not (place_of(one) in places or any(fork(one, other, at_hand) for other in judging))
    ]
    return [one for one in chosen if not any(_gives_way(resolution, one, there) for resolution in naming[one.id])]


def _gives_way(resolution: Verified, own: Verified, there: Mapping[str, Verified]) -> bool:
    """Whether the author of an event says that a claim or a ruling, which is there, stands in its place."""
    body, role = resolution.event.body, own.event.role
    assert isinstance(body, Resolve)
    if (body.drop, body.role, resolution.event.role, resolution.event.step) != (own.id, role, role, own.event.step):
        return False
    standing = there[body.keep].event.body if body.keep in there else None
    return isinstance(standing, Lapse | Ruling) and standing.role == role


def _drops(resolution: Verified, rival: Verified) -> bool:
    """Whether another role has named an event as not surviving at its place."""
    body = resolution.event.body
    assert isinstance(body, Resolve)
    same_step = resolution.event.step == rival.event.step
    return same_step and body.drop == rival.id and resolution.event.role != rival.event.role == body.role
