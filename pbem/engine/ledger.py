"""The closed steps of a game, and what the next one rests on: the heads before it, and since when it is waited for."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbem.log.receipt import dice_salt, receipt_of
from pbem.log.step import GENESIS, step_digest
from pbem.log.verify import Verified


@dataclass(frozen=True, slots=True)
class Step:
    """A closed step: its events in role order and its digest."""

    number: int
    events: tuple[Verified, ...]
    digest: bytes


@dataclass(slots=True)
class Ledger:
    """Closed `steps`, and the `number` of the one that is open.

    `head` is the digest of the last closed step, `salt` that of its dice, `next_salt` that of the dice to come. The
    last step was closed at `since`, the one in front of it at `before` (seconds since 1970); `owed_since` is when what
    is owed began to be owed while time is held, 0 while it is not.
    """

    game: str
    since: int
    steps: list[Step] = field(default_factory=list)
    number: int = 0
    head: bytes = GENESIS
    salt: bytes = GENESIS
    next_salt: bytes = GENESIS
    before: int = 0
    owed_since: int = 0

    def close(self, events: tuple[Verified, ...], *, hosted: bool) -> Step:
        """Close the step that is open with its events; in a `hosted` game time goes by the receipts, and nothing that
        the adjudicator signs is in a salt."""
        self.head = step_digest(self.head, (event.id for event in events))
        self.salt, self.next_salt = self.next_salt, self._next_salt(events) if hosted else self.head
        receipt = receipt_of(events) if hosted else None
        least = self.since if hosted else 0
        self.before = self.since
        self.since = receipt.event.at if receipt else max(least, *(event.event.at for event in events))
        step = Step(self.number, events, self.head)
        self.steps.append(step)
        self.number += 1
        return step

    def _next_salt(self, events: tuple[Verified, ...]) -> bytes:
        return dice_salt(bytes.fromhex(self.game), self.number, events)

    def hold_time(self) -> None:
        """The step that was closed last puts nothing off: what was owed before it is owed since then."""
        self.since = self.owed_since = self.before

    def release_time(self) -> None:
        """What is owed now is owed since then, where time was held."""
        self.since, self.owed_since = self.owed_since or self.since, 0
