"""Claims and rulings that something made void which came after all: what that means is told at the import."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.app.opened import OpenGame
from pbem.engine.closing import CLAIMING
from pbem.log.event import Lapse, Ruling
from pbem.log.nouns import NOUNS
from pbem.log.verify import Verified, slot, verify_event


def standing_claims(opened: OpenGame) -> list[Verified]:
    """The claims and rulings in the log of this home."""
    return [verify_event(one.line, opened.known) for one in opened.standing() if one.kind in CLAIMING]


def void_claims(before: Iterable[Verified], opened: OpenGame) -> list[str]:
    """One sentence for each of those that stood `before` and is void now, since what was owed there stands."""
    standing = opened.standing()
    lines = {one.line for one in standing}
    moves = {(one.role, one.step): one.kind for one in standing if slot(one.kind) == "move"}
    told = []
    for claim in before:
        body, step = claim.event.body, claim.event.step
        if claim.line not in lines and isinstance(body, Lapse | Ruling) and (body.role, step) in moves:
            whose = "your" if claim.event.role == opened.role else f"{claim.event.role}'s"
            dice = "; the dictated dice do not count" if isinstance(body, Lapse) and body.dice else ""
            came = f"{body.role}'s {NOUNS[moves[body.role, step]]} came after all"
            told.append(f"{whose} {NOUNS[claim.event.kind]} of step {step} is void: {came}{dice}")
    return told
