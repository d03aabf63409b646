"""Punctuality: who was late by the dates in the log, and where a ruling or a claim stood in the place of what was owed.

What a program gives by itself, and a question with one legal answer, is no decision: it is counted apart, since nobody
missed anything there. A date is whatever its author says. What came before a demand may have been signed long before it
was sent: where a claim of who waited says that it was not there yet, nobody counts that one as late before then. Left
out: acceptances, for which no deadline runs, and what the log does not have yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pbem.engine.assembly import assemble
from pbem.engine.campaign import Campaign
from pbem.engine.ledger import Step
from pbem.log.event import Kind, Lapse, Receipt, Role, Ruling
from pbem.log.receipt import receipt_of
from pbem.log.verify import DAY, DECISIONS, Demand, Place, Verified, slot


@dataclass(frozen=True, slots=True)
class Met:
    """How a demand of a closed step was met: `late` in seconds beyond the deadline, 0 in time or where none ran.

    `stood_in` is the kind of event in the place of the role's own, empty for its own; `decides` is false where there
    was no choice.
    """

    step: int
    role: Role
    kind: Kind
    decides: bool
    late: int = 0
    stood_in: str = ""


@dataclass(frozen=True, slots=True)
class Deadline:
    """How many days each step may take from step `first` on, 0 for ever: a motion can set, change and extend that."""

    first: int
    days: int


@dataclass(frozen=True, slots=True)
class Record:
    """How often a role met what was owed: how many, of them late, the longest delay in seconds, stood in for."""

    number: int = 0
    late: int = 0
    longest: int = 0
    stood_in: int = 0


def demands_met(campaign: Campaign[Any], void: Iterable[Verified] = ()) -> tuple[list[Met], list[Deadline]]:
    """Every demand behind the acceptances of a campaign that was replayed from its beginning, by steps, then roles; and
    the deadlines that held, one after another, with that of the present step as the last.

    `void` are claims that stand in no step, since what they say was owed came after all.
    """
    again, waited = campaign.anew(), _waited(void)
    found: list[Met] = []
    places = []
    for step in campaign.steps[1:]:
        choices = {role: _has_choice(again, role, demand) for role, demand in again.place.demands.items()}
        found += _met(again.place, step, choices, waited)
        places.append(again.place)
        assemble(again, step.events)
    return found, _deadlines([*places, campaign.place])


def _deadlines(places: Iterable[Place]) -> list[Deadline]:
    """The deadline of the first place, and each that was another one than before."""
    found: list[Deadline] = []
    for place in places:
        if not found or found[-1].days != place.deadline_days:
            found.append(Deadline(place.step, place.deadline_days))
    return found


def record(met: Iterable[Met], role: Role, *, decides: bool) -> Record:
    """The record of a role in its decisions, or in what was no decision of anybody."""
    own = [one for one in met if one.role == role and one.decides is decides]
    late = [one.late for one in own if one.late]
    return Record(len(own), len(late), max(late, default=0), sum(bool(one.stood_in) for one in own))


def _has_choice(campaign: Campaign[Any], role: Role, demand: Demand) -> bool:
    if demand.kind not in DECISIONS:
        return demand.kind == "consent"
    question = campaign.question(role)
    return question is None or question.forced() is None


def _waited(void: Iterable[Verified]) -> dict[tuple[Role, int], int]:
    """Of each role and step the date up to which, by a claim of that role, the step before had not been closed."""
    until: dict[tuple[Role, int], int] = {}
    for one in void:
        if isinstance(one.event.body, Lapse):
            place = one.event.role, one.event.step + 1
            until[place] = max(one.event.at, until.get(place, 0))
    return until


def _met(place: Place, step: Step, choices: dict[Role, bool], waited: dict[tuple[Role, int], int]) -> Iterator[Met]:
    for role, demand in sorted(place.demands.items()):
        own = next((one for one in step.events if one.event.role == role and slot(one.event.kind) == "move"), None)
        instead = next((one for one in step.events if _stands_for(one, role)), None)
        if demand.kind == "accept" or (own is None and instead is None):
            continue
        if own is not None:
            yield Met(
                step.number,
                role,
                demand.kind,
                choices[role],
                _late(place, own, step, waited.get((role, step.number), 0)),
            )
        elif instead is not None:
            yield Met(step.number, role, demand.kind, choices[role], stood_in=instead.event.kind)


def _stands_for(verified: Verified, role: Role) -> bool:
    """Whether an event is a claim or a ruling on what a role owes; one that grants a motion needs no delay."""
    body = verified.event.body
    if isinstance(body, Ruling) and (body.motion or body.demand == "consent"):
        return False
    return isinstance(body, Lapse | Ruling) and body.role == role


def _late(place: Place, own: Verified, step: Step, waited: int) -> int:
    """By its date, or by its receipt, which leaves a grace for a mail that was under way; nobody is late who waited
    for the step before until then."""
    if place.paused or not place.deadline_days:
        return 0
    receipt = receipt_of(step.events) if place.receipted else None
    came = own.event.at
    if receipt is not None and isinstance(receipt.event.body, Receipt):
        came = receipt.event.body.arrived.get(own.id, came)
    more = max(0, waited - place.since)
    return came - place.since - more - place.deadline_days * DAY if came > place.due + more else 0
