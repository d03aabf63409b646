"""What an archive may hold beside its log: events that were overruled, and what was signed after them.

Nothing is ever deleted, so an archive keeps both events of a fork that was settled, and a claim that a late answer
made void. What its author signed next follows a head that the log does not have; those heads are worked out here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product

from pbem.log.event import OUT_OF_STEP, Lapse, Resolve
from pbem.log.step import step_digest
from pbem.log.verify import Verified

MAX_HEADS = 64
"""Ways to close one step that are followed up; there are as many as its events can be combined."""


class Beside:
    """The heads that were cut off so far."""

    def __init__(self) -> None:
        self._heads: set[str] = set()

    def holds(self, verified: Verified, prev: str, resolutions: Sequence[Verified]) -> bool:
        """Whether an unused event was overruled at the step behind `prev`, or follows something that was."""
        if verified.event.prev in self._heads:
            return True
        return verified.event.prev == prev and (
            isinstance(verified.event.body, Lapse) or verified.id in set(_dropped(resolutions))
        )

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


def _closings(prev: str, events: Iterable[Verified]) -> Iterator[str]:
    """Every digest that a step behind `prev` could have been closed with: of each role one event, or a lapse of it."""
    of_role: dict[str, list[Verified]] = defaultdict(list)
    for verified in events:
        body = verified.event.body
        of_role[body.role if isinstance(body, Lapse) else verified.event.role].append(verified)
    for chosen in product(*(of_role[role] for role in sorted(of_role))):
        ordered = sorted({one.id: one for one in chosen}.values(), key=lambda one: (one.event.role, one.event.kind))
        yield step_digest(bytes.fromhex(prev), (one.id for one in ordered)).hex()


def opened_behind(rival: Verified, events: Iterable[Verified]) -> bool:
    """Whether another role than its author has opened a link of its chain behind an event.

    Then the dice behind that event are known, and dropping it would roll them again with the same links: its author
    could have chosen its rival for the dice that come instead. Such an event stays, whatever a resolution says.
    """
    by_step: dict[int, list[Verified]] = defaultdict(list)
    for verified in events:
        if verified.event.kind not in OUT_OF_STEP:
            by_step[verified.event.step].append(verified)
    beside_it = [one for one in by_step[rival.event.step] if one.event.prev == rival.event.prev]
    rest = [one for one in beside_it if one.event.role != rival.event.role]
    heads = set(islice(_closings(rival.event.prev, [rival, *rest]), MAX_HEADS))
    for step in range(rival.event.step + 1, max(by_step, default=0) + 1):
        following = [one for one in by_step[step] if one.event.prev in heads]
        if any(one.event.kind == "entropy" and one.event.role != rival.event.role for one in following):
            return True
        heads = {
            found
            for head in sorted(heads)
            for found in islice(_closings(head, [one for one in following if one.event.prev == head]), MAX_HEADS)
        }
    return False
