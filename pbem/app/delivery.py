"""What the other side is known to have of one's own events, what it is not known to have, and how that is sent again.

An event of the other side names the digest of the step before it, so it acknowledges everything before its own step.
Nothing else does: that a mail was sent shows nothing. `pbem status` lives on this module, so that it loads next to
nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.log.enumeration import counted, enumerated
from pbem.log.nouns import NOUNS

if TYPE_CHECKING:
    from pbem.app.opened import OpenGame
    from pbem.store.reading import Reader

HOUR, HOURS_A_DAY = 3600, 24
MOST_TOLD = 3
"""Events that are named one by one."""


def time_left(seconds: int, days: int) -> str:
    """How long a deadline of `days` still runs, in hours begun: `1 hour left`.

    A date may lie a little ahead of this machine's clock; no more is left than was ever given.
    """
    hours = min(-(-seconds // HOUR), days * HOURS_A_DAY)
    return f"{counted(hours, 'hour')} left"


def delivery(reader: Reader, opened: OpenGame, known: int) -> dict[str, Any]:
    """What is acknowledged, for the summary; the other side had everything before step `known`.

    `acknowledged` is the step of the newest own event that the other side has, None without one; `open` are step and
    kind of each later one; `written` is when the last turn file was written (Unix seconds, 0 for never).
    """
    own = sorted(_own(opened))
    return {
        "acknowledged": max((step for step, _ in own if step < known), default=None),
        "open": [{"step": step, "kind": kind} for step, kind in own if step >= known],
        "written": int(reader.meta(written_key(opened)) or 0),
    }


def written_key(opened: OpenGame) -> str:
    """Where the home notes when it wrote its last turn file of a game."""
    return f"written/{opened.row.game_id}"


def _own(opened: OpenGame) -> set[tuple[int, str]]:
    """Step and kind of every own event of the log; what was cut off by a settled fork is none."""
    campaign = opened.campaign
    used = [*(event for step in campaign.steps for event in step.events), *campaign.pending()]
    found = {(one.event.step, str(one.event.kind)) for one in used if one.event.role == opened.role}
    return found | _own_before(opened)


def _own_before(opened: OpenGame) -> set[tuple[int, str]]:
    """The same of the steps that are not replayed: of two events that contradict each other, the first one."""
    from pbem.log.verify import slot

    first: dict[tuple[int, str], str] = {}
    for row in sorted(opened.rows, key=lambda row: row.place):
        if row.step < opened.from_step and row.kind_class == "log" and row.role == opened.role:
            first.setdefault((row.step, slot(row.kind)), row.kind)
    return {(step, kind) for (step, _), kind in first.items()}


def open_words(found: dict[str, Any]) -> str:
    """Own events that are not acknowledged, in words: `your orders of step 4 and your share of the dice of step 5`."""
    told = [f"your {NOUNS[one['kind']]} of step {one['step']}" for one in found["open"]]
    if len(told) > MOST_TOLD:
        told = [*told[: MOST_TOLD - 1], f"{counted(len(told) - MOST_TOLD + 1, 'more event')} of yours"]
    return enumerated(told)
