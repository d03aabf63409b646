"""Motions: what parties agree to that the rules of the game do not know, and how each one changes a campaign."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pbem.engine import new_rules
from pbem.engine.run import Run
from pbem.errors import BadEvidence, PbemError
from pbem.log.enumeration import counted
from pbem.log.event import REFEREE, UNILATERAL, Change, Role
from pbem.log.roster import Roster, is_successor, reseated
from pbem.rules.refusal import Refusal, Refused, shown
from pbem.rules.ruleset import Ruleset

S = TypeVar("S")
ENDS = frozenset({"draw", "concede"})
"""Matters that end the game."""
PARTIES = 2
"""Motions are for games of two parties: with more, one consent would not speak for all."""


@dataclass(frozen=True, slots=True)
class Changed(Generic[S]):
    """What became of a campaign: its run, days beyond its deadline or a new one, a pause, its end, and what is told."""

    run: Run[S]
    text: str
    extra_days: int = 0
    days: int = 0
    paused: bool | None = None
    ends: bool = False


def in_words(body: Change, who: str = "", *, own: bool = False) -> str:
    """A motion as one reads it behind `a motion to`: `take play back to step 12`.

    `who` is whose key wants a seat, by default its name alone; `own` tells that the seat stays with whoever has it.
    """
    who = who or (shown(body.seat.name) if body.seat else "")
    return {
        "take_back": f"take play back to step {body.step}",
        "adjust": "adjust the position",
        "extend": f"extend the deadline by {counted(body.days, 'day')}",
        "pause": "pause the game",
        "resume": "resume the game",
        "draw": "end the game as a draw",
        "concede": "concede the game",
        "seat": f"sign with a new key of {who}" if own else f"give its seat to a new key of {who}",
        "appoint": f"make {who} the referee{_with_deadline(body.days)}",
        "ruleset": f"play on by {new_rules.in_words(body.ruleset)}",
    }[body.what]


def needs_consent(roster: Roster, author: Role, body: Change) -> bool:
    """Whether another party has to agree: not to a resumption, a concession, or the key that was committed to."""
    if body.what == "seat" and body.seat is not None:
        return not is_successor(roster.parties[author], bytes.fromhex(body.seat.key))
    return body.what not in UNILATERAL


def is_rotation(roster: Roster, author: Role, body: Change) -> bool:
    """Whether a change seats the key that its author had committed to."""
    return body.what == "seat" and not needs_consent(roster, author, body)


def check_rotation(roster: Roster, rotated: Container[Role], author: Role, body: Change) -> None:
    """Raise BadEvidence for a second rotation of a role before play has gone on: nobody's consent would end them."""
    if author in rotated and is_rotation(roster, author, body):
        raise BadEvidence(
            "motion.rotated",
            f"expected a decision behind the rotation of {author}'s key, got another rotation",
            "the next decision comes first, whoever has to make it; until then a key that is in wrong hands can still "
            "be given up with `pbem motion hand-over`",
        )


def check_change(ruleset: Ruleset[Any], roster: Roster, author: Role, body: Change) -> None:
    """Raise Refused for a position that the game cannot be played from, BadEvidence for a key that has a seat, for the
    rules of another game, or in a game of more than two."""
    if body.seat is not None:
        reseated(roster, REFEREE if body.what == "appoint" else author, body.seat, body.address)
    if body.ruleset is not None:
        new_rules.check_names_others(ruleset, body.ruleset)
    if len(roster.players) != PARTIES:
        raise BadEvidence("motion.parties", f"expected a game of two parties, got one of {len(roster.players)}")
    if body.what != "adjust":
        return
    try:
        adjusted(ruleset, body.position)
    except Refused:
        raise
    except PbemError as error:
        raise Refused((Refusal("motion.position", error.text, "", error.hint),)) from None


def adjusted(ruleset: Ruleset[S], position: str) -> S:
    """The state of a position text, from which play goes on; what `Ruleset.read_position` says against it is raised."""
    state = ruleset.read_position(position)
    next(ruleset.play(state), None)
    return state


def facts(author: Role, body: Change) -> dict[str, str | int]:
    """What a carried out motion adds to the digest of the state: new rules are in it, whatever their state is like."""
    known: dict[str, str | int] = {"what": body.what, "role": str(author)}
    return {**known, "ruleset": body.ruleset.digest} if body.ruleset else known


def change(ruleset: Ruleset[S], run: Run[S], author: Role, body: Change, step: int) -> Changed[S]:
    """What an agreed motion that step `step` was closed with does; TooEarly when the run began behind its target.

    `ruleset` are the rules by which play goes on.
    """
    text = _done(author, body, step)
    match body.what:
        case "take_back":
            return Changed(run.back_to(body.step, step), text)
        case "adjust":
            begun = run.from_position(adjusted(ruleset, body.position), step)
            begun.start(step)
            return Changed(begun, text)
        case "ruleset":
            begun = run.by_other_rules(ruleset, new_rules.carried_over(run.ruleset, ruleset, run.driver.state), step)
            begun.start(step)
            return Changed(begun, text)
        case "pause" | "resume":
            return Changed(run, text, paused=body.what == "pause")
        case "appoint":
            return Changed(run, text, days=body.days)
        case _:
            return Changed(run, text, extra_days=body.days, ends=body.what in ENDS)


def _done(author: Role, body: Change, step: int) -> str:
    """What the narrative tells, and for the end of a game the words of its result."""
    return {
        "take_back": f"play is taken back to step {body.step}",
        "adjust": "the position is adjusted",
        "extend": f"the deadline is extended by {counted(body.days, 'day')}",
        "pause": "the game is paused: no deadline runs",
        "resume": "the game is resumed",
        "draw": f"a draw was agreed at step {step}",
        "concede": f"{author} conceded at step {step}",
        "seat": f"{seated_words(author, body)} from step {step + 1} on",
        "appoint": f"{seated_words(author, body)} from step {step + 1} on{_with_deadline(body.days)}",
        "ruleset": f"play goes on by {new_rules.in_words(body.ruleset)} from step {step + 1} on",
    }[body.what]


def seated_words(author: Role, body: Change) -> str:
    """How the narrative begins to tell that a key takes a seat: whose it is, with its address, both printable."""
    name = shown(body.seat.name) if body.seat else ""
    holder = f"{name or 'somebody'} <{shown(body.address)}>"
    if body.what == "appoint":
        return f"{holder} is appointed as the referee"
    return f"{author} signs with a new key of {holder}"


def _with_deadline(days: int) -> str:
    return f", with a deadline of {counted(days, 'day')}" if days else ""
