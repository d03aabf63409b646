"""Motions on the table: which one waits for consent, and what becomes of the game when it is agreed to or refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pbem.engine import motions, new_rules
from pbem.engine.ledger import Ledger, Step
from pbem.engine.new_rules import Games
from pbem.engine.remedies import because
from pbem.engine.situation import Situation
from pbem.log.event import Change, Consent, Ruling
from pbem.log.roster import seated_role
from pbem.log.verify import Verified
from pbem.rules.play import Outcome

S = TypeVar("S")


def needs_consent(situation: Situation[Any], moved: Verified) -> bool:
    """Whether the other party has to agree to a motion or a request."""
    assert isinstance(moved.event.body, Change)
    return motions.needs_consent(situation.roster, moved.event.role, moved.event.body)


def check_reach(situation: Situation[S], events: Sequence[Verified]) -> None:
    """Raise TooEarly where a step that is closed with these events would take play back behind what is known here."""
    for moved in _agreed_to(situation, events):
        if isinstance(moved.event.body, Change) and moved.event.body.what == "take_back":
            situation.run.check_reach(moved.event.body.step)


def _agreed_to(situation: Situation[S], events: Sequence[Verified]) -> Iterator[Verified]:
    """The motion on the table, where all of these events agree to it, and the requests among them."""
    spoken = _spoken(events)
    if situation.terms.moved and all(_agrees(one) for one in spoken):
        yield situation.terms.moved
    yield from (one for one in spoken if one.event.kind == "request")


def _agrees(one: Verified) -> bool:
    return isinstance(one.event.body, Consent | Ruling) and one.event.body.agree


def settle(situation: Situation[S], ledger: Ledger, step: Step, games: Games) -> bool:
    """Carry a motion on that the step was closed with; False when the step was closed by the rules' own events."""
    kinds = {event.event.kind: event for event in step.events}
    if (moved := situation.terms.moved) is not None:
        situation.terms = replace(situation.terms, moved=None)
        agreed = all(_agrees(one) for one in _spoken(step.events))
        _change(situation, moved, step, games) if agreed else _refuse(situation, moved, step)
    elif motion := kinds.get("motion"):
        _table(situation, ledger, motion, step, games)
    elif request := kinds.get("request"):
        _change(situation, request, step, games)
    else:
        return False
    return True


def forget_until_decision(situation: Situation[S]) -> None:
    """Take back what holds until the next decision only."""
    terms = situation.terms
    if terms.extra_days or terms.refused or terms.rotated:
        situation.terms = replace(terms, extra_days=0, refused=False, rotated=frozenset())


def _table(situation: Situation[S], ledger: Ledger, motion: Verified, step: Step, games: Games) -> None:
    assert isinstance(motion.event.body, Change)
    if needs_consent(situation, motion):
        situation.terms = replace(situation.terms, moved=motion)
        return
    if motion.event.body.seat is not None:  # or whoever owes a decision could put it off with key after key
        ledger.hold_time()
    _change(situation, motion, step, games)


def _change(situation: Situation[S], moved: Verified, step: Step, games: Games) -> None:
    """Do what a motion says, as everybody has agreed to."""
    author, body = moved.event.role, moved.event.body
    assert isinstance(body, Change)
    ruleset = situation.run.ruleset
    rules = new_rules.rules_of(games, body.ruleset, ruleset) if body.ruleset else ruleset
    made = motions.change(rules, situation.run, author, body, step.number)
    situation.go_on(made.run, step.number)
    terms = situation.terms
    situation.terms = replace(
        terms,
        refused=False,
        extra_days=made.extra_days or terms.extra_days,
        paused=terms.paused if made.paused is None else made.paused,
        days=made.days or terms.days,
    )
    situation.note(step.number, "motion", made.text + _by_ruling(step), **motions.facts(author, body))
    if made.ends:
        winner = situation.others_than(author)[0] if body.what == "concede" else ""
        situation.end(Outcome(winner, "motion", made.text))
    role = seated_role(moved.event)
    if body.seat is not None and role is not None:
        situation.seat(role, body.seat, body.address)


def _refuse(situation: Situation[S], moved: Verified, step: Step) -> None:
    assert isinstance(moved.event.body, Change)
    situation.terms = replace(situation.terms, refused=True)
    text = f"{moved.event.role}'s motion to {motions.in_words(moved.event.body)} is not agreed to{_by_ruling(step)}"
    situation.note(step.number, "motion", text, refused=moved.event.body.what, role=str(moved.event.role))


def _by_ruling(step: Step) -> str:
    """What is told behind a motion that nobody but the referee has agreed to or refused."""
    rulings = ((one.event.role, one.event.body) for one in step.events if isinstance(one.event.body, Ruling))
    return next((f", as the {role} rules in {body.role}'s place{because(body.why)}" for role, body in rulings), "")


def resume(situation: Situation[S], step: Step) -> None:
    """A paused game in which somebody was late for a step goes on: it was asked for, and nobody may withhold that."""
    if situation.terms.paused:
        situation.terms = replace(situation.terms, paused=False)
        situation.note(step.number, "motion", "the game is resumed: no deadline stands still any more", what="resume")


def _spoken(events: Iterable[Verified]) -> list[Verified]:
    """The events of a step but its receipt."""
    return [one for one in events if one.event.kind != "receipt"]
