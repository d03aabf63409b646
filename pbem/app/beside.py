"""What an archive may hold beside its log: events that were overruled, and what was signed after them.

Nothing is ever deleted, so an archive keeps both events of a fork that was settled, and a claim that a late answer
made void. What its author signed next follows a head that the log does not have; those heads are worked out here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, product

from pbem.log.event import (
    ADJUDICATOR,
    BODIES,
    NEUTRAL,
    OUT_OF_STEP,
    Annul,
    Consent,
    Lapse,
    Receipt,
    Request,
    Resolve,
    Role,
    Ruling,
    Withdraw,
)
from pbem.log.step import step_digest
from pbem.log.verify import DECISIONS, Verified

MAX_HEADS = 64
"""Ways to close one step that are followed up; there are as many as its events can be combined."""


class Beside:
    """The heads that were cut off so far."""

    def __init__(self) -> None:
        self._heads: set[str] = set()

    def holds(
        self, verified: Verified, prev: str, resolutions: Sequence[Verified], closing: Sequence[Verified] = ()
    ) -> bool:
        """Whether an unused event was overruled at the step behind `prev`, or follows something that was.

        `closing` are the events that closed that step. A request that nobody has agreed to stands beside the log, and
        so does what was decided where another role agreed to one instead, and what no receipt names where there is one.
        """
        if verified.event.prev in self._heads:
            return True
        if verified.event.prev != prev:
            return False
        granted = any(one.event.kind in ("request", "annul") for one in closing)
        overruled = isinstance(verified.event.body, Lapse | Request | Ruling | Annul | Withdraw) or (
            granted and verified.event.kind in DECISIONS
        )
        receipted = any(one.event.kind == "receipt" for one in closing)
        return overruled or receipted or verified.id in set(_dropped(resolutions))

    def note(self, events: Iterable[Verified], prev: str, head: str) -> None:
        """Take in the events of a step of which some were overruled; the log closed it with the digest `head`."""
        groups: dict[str, list[Verified]] = defaultdict(list)
        for verified in events:
            if verified.event.kind not in OUT_OF_STEP:
                groups[verified.event.prev].append(verified)
        for before, group in groups.items():
            if before == prev or before in self._heads:
                self._heads.update(found for found in islice(_closings(before, group), MAX_HEADS) if found != head)


def _dropped(resolutions: Iterable[Verified]) -> Iterator[str]:
    for verified in resolutions:
        if isinstance(verified.event.body, Resolve):
            yield verified.event.body.drop


def _closings(prev: str, events: Sequence[Verified]) -> Iterator[str]:
    """Every digest that a step behind `prev` could have been closed with: of each role one event, or a lapse of it or a
    ruling on it; a request with the consent to it or the ruling that grants it; or an annulment alone."""
    plain = [one for one in events if not isinstance(one.event.body, Withdraw)]
    for chosen in chain(_receipted(plain), _granted(plain), _moves(plain)):
        ordered = sorted({one.id: one for one in chosen}.values(), key=lambda one: (one.event.role, one.event.kind))
        yield step_digest(bytes.fromhex(prev), (one.id for one in ordered)).hex()


def _receipted(events: Sequence[Verified]) -> Iterator[Sequence[Verified]]:
    """In a hosted game: what a receipt names, with the adjudicator's own events that do not stand in its place."""
    own = [one for one in events if one.event.role == ADJUDICATOR and one.event.kind != "receipt"]
    for receipt in events:
        if not isinstance(receipt.event.body, Receipt):
            continue
        named = [one for one in events if one.id in receipt.event.body.arrived]
        roles = {one.event.role for one in named}
        yield (*named, *(one for one in own if getattr(one.event.body, "role", "") not in roles), receipt)


def _granted(events: Sequence[Verified]) -> Iterator[Sequence[Verified]]:
    requests = {one.id: one for one in events if isinstance(one.event.body, Request)}
    for one in events:
        if isinstance(one.event.body, Annul):
            yield (one,)
        elif _motion(one) in requests:
            yield requests[_motion(one)], one


def _motion(verified: Verified) -> str:
    """The motion or request that an event agrees to or refuses, empty for every other event."""
    body = verified.event.body
    return body.motion if isinstance(body, Consent | Ruling) else ""


def _moves(events: Sequence[Verified]) -> Iterator[Sequence[Verified]]:
    """One event of each role, or what stands in its place; what closes a step by itself is none of these."""
    of_role: dict[str, list[Verified]] = defaultdict(list)
    requests = {one.id for one in events if isinstance(one.event.body, Request)}
    for verified in events:
        body = verified.event.body
        granting = _motion(verified) in requests or (isinstance(body, Ruling) and body.motion)
        if not isinstance(body, Request | Annul | Receipt) and not granting:
            of_role[body.role if isinstance(body, Lapse | Ruling) else verified.event.role].append(verified)
    return product(*(of_role[role] for role in sorted(of_role)))


def is_own(resolution: Verified) -> bool:
    """Whether the author of a `resolve` speaks of its own event, which gives way to a claim."""
    body = resolution.event.body
    return isinstance(body, Resolve) and body.role == resolution.event.role


def heads_behind(chosen: Verified, others: Iterable[Verified]) -> set[str]:
    """The digests with which a step could have been closed with an event and others that stand beside it."""
    rest = [one for one in others if one.event.prev == chosen.event.prev and not _in_place_of(chosen, one)]
    return set(islice(_closings(chosen.event.prev, [chosen, *rest]), MAX_HEADS))


def _in_place_of(chosen: Verified, other: Verified) -> bool:
    """Whether an event cannot close a step together with another one: of the same role, or in its place."""
    body = other.event.body
    if (chosen.event.kind == "receipt") is not (other.event.kind == "receipt"):
        return False
    return chosen.event.role in (other.event.role, body.role if isinstance(body, Lapse | Ruling) else "")


def opened_behind(rival: Verified, events: Iterable[Verified]) -> bool:
    """Whether another role than its author has opened a link of its chain behind an event.

    Then the dice behind that event are known, and dropping it would roll them again with the same links: its author
    could have chosen its rival for the dice that come instead. Such an event stays, whatever a resolution says.
    """
    return opened_behind_among(rival, by_steps(events))


def opened_behind_among(rival: Verified, by_step: Mapping[int, Sequence[Verified]]) -> bool:
    """`opened_behind` where many events are asked about: `by_steps` of all that there are is made once for them."""
    beside_it = [one for one in by_step.get(rival.event.step, ()) if one.event.prev == rival.event.prev]
    rest = [one for one in beside_it if not _in_place_of(rival, one)]
    behind = _following(rival.event.step, _closings(rival.event.prev, [rival, *rest]), by_step)
    return any(one.event.kind == "entropy" and one.event.role != rival.event.role for one in behind)


def by_steps(events: Iterable[Verified]) -> dict[int, list[Verified]]:
    """Events by their steps, without what stands beside the log."""
    by_step: dict[int, list[Verified]] = defaultdict(list)
    for verified in events:
        if verified.event.kind not in OUT_OF_STEP:
            by_step[verified.event.step].append(verified)
    return by_step


def _following(number: int, closed: Iterable[str], by_step: Mapping[int, Sequence[Verified]]) -> Iterator[Verified]:
    """The events that stand behind a step which was closed with one of some digests, step after step."""
    heads = set(islice(closed, MAX_HEADS))
    for step in range(number + 1, max(by_step, default=0) + 1):
        if not heads:
            return
        following = [one for one in by_step.get(step, ()) if one.event.prev in heads]
        yield from following
        heads = {
            found
            for head in sorted(heads)
            for found in islice(_closings(head, [one for one in following if one.event.prev == head]), MAX_HEADS)
        }


# ---------------------------------------------------------------------- claims, and who gives way to them


def owes_in(verified: Verified) -> Role:
    """Whose place at its step an event fills: that of its author, or of whom it claims, or rules on."""
    body = verified.event.body
    return body.role if isinstance(body, Lapse | Ruling) else verified.event.role


def played_on_from(claim: Verified, events: Iterable[Verified], kinds: Container[str] = tuple(BODIES)) -> bool:
    """Whether another player than the one it is about has signed something of `kinds` behind a claim or a ruling."""
    by_step, silent = by_steps(events), owes_in(claim)
    here = [one for one in by_step[claim.event.step] if one.event.prev == claim.event.prev]
    rest = [one for one in here if owes_in(one) != silent and one.id != claim.id]
    behind = _following(claim.event.step, _closings(claim.event.prev, [claim, *rest]), by_step)
    return any(one.event.role not in (silent, *NEUTRAL) and one.event.kind in kinds for one in behind)


def in_effect(resolutions: Sequence[Verified], events: Sequence[Verified]) -> tuple[Verified, ...]:
    """The resolutions that count, given every event that is known from the step of the first of them on.

    Nobody gives way where another role has opened a link behind the event that would be dropped, unless another player
    has gone on from what would stand: who has a link for either could choose between two rolls of the same links.
    """
    known = {one.id: one for one in events}
    return tuple(one for one in resolutions if not (is_own(one) and _is_void(one, known)))


def _is_void(resolution: Verified, known: Mapping[str, Verified]) -> bool:
    body = resolution.event.body
    assert isinstance(body, Resolve)
    claim, own = known.get(body.keep), known.get(body.drop)
    if claim is None or own is None or not opened_behind(own, known.values()):
        return False
    return not played_on_from(claim, known.values())
