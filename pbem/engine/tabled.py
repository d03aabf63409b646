"""Motions on the table: which one waits for consent, and what becomes of the game when it is agreed to or refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from pbem.engine import motions, new_rules
from pbem.engine.ledger import Ledger, Step
from pbem.engine.new_rules import Games
from pbem.engine.remedies import because
from pbem.engine.standing import Standing
from pbem.log.event import Annul, Change, Consent, Ruling
from pbem.log.roster import seated_role
from pbem.log.verify import Verified
from pbem.rules.play import Outcome

S = TypeVar("S")


def needs_consent(standing: Standing[Any], moved: Verified) -> bool:
    """Whether the other party has to agree to a motion or a request."""
    assert isinstance(moved.event.body, Change)
    return motions.needs_consent(standing.roster, moved.event.role, moved.event.body)


def carry_on(standing: Standing[S], ledger: Ledger, step: Step, games: Games) -> bool:
    """Carry a motion on that the step was closed with; False when the step was closed by the rules' own events."""
    kinds = {event.event.kind: event for event in step.events}
    if (moved := standing.terms.moved) is not None:
        standing.terms = replace(standing.terms, moved=None)
        agreed = [isinstance(one.event.body, Consent | Ruling) and one.event.body.agree for one in _spoken(step)]
        _change(standing, moved, step, games) if all(agreed) else _refuse(standing, moved, step)
    elif motion := kinds.get("motion"):
        _table(standing, ledger, motion, step, games)
    elif request := kinds.get("request"):
        _change(standing, request, step, games)
    else:
        return False
    return True


def annul(standing: Standing[S], step: Step) -> None:
    """A judge has annulled the game."""
    author, body = next((one.event.role, one.event.body) for one in step.events if one.event.kind == "annul")
    assert isinstance(body, Annul)
    text = f"the {author} annulled the game at step {step.number}{because(body.why)}"
    standing.note(step.number, "annul", text)
    standing.terms = replace(standing.terms, moved=None)
    standing.end(Outcome("", "annul", text))


def behind_decision(standing: Standing[S]) -> None:
    """Take back what holds until the next decision only."""
    terms = standing.terms
    if terms.extra_days or terms.refused or terms.rotated:
        standing.terms = replace(terms, extra_days=0, refused=False, rotated=frozenset())


def _table(standing: Standing[S], ledger: Ledger, motion: Verified, step: Step, games: Games) -> None:
    assert isinstance(motion.event.body, Change)
    if needs_consent(standing, motion):
        standing.terms = replace(standing.terms, moved=motion)
        return
    if motion.event.body.seat is not None:  # or whoever owes a decision could put it off with key after key
        ledger.hold_time()
    _change(standing, motion, step, games)


def _change(standing: Standing[S], moved: Verified, step: Step, games: Games) -> None:
    """Do what a motion says, as everybody has agreed to."""
    author, body = moved.event.role, moved.event.body
    assert isinstance(body, Change)
    ruleset = standing.run.ruleset
    rules = new_rules.rules_of(games, body.ruleset, ruleset) if body.ruleset else ruleset
    made = motions.change(rules, standing.run, author, body, step.number)
    standing.go_on(made.run, step.number)
    terms = standing.terms
    standing.terms = replace(
        terms,
        refused=False,
        extra_days=made.extra_days or terms.extra_days,
        paused=terms.paused if made.paused is None else made.paused,
        days=made.days or terms.days,
    )
    standing.note(step.number, "motion", made.text, **motions.facts(author, body))
    if made.ends:
        winner = standing.others_than(author)[0] if body.what == "concede" else ""
        standing.end(Outcome(winner, "motion", made.text))
    role = seated_role(moved.event)
    if body.seat is not None and role is not None:
        standing.seat(role, body.seat, body.address)


def _refuse(standing: Standing[S], moved: Verified, step: Step) -> None:
    assert isinstance(moved.event.body, Change)
    standing.terms = replace(standing.terms, refused=True)
    text = f"{moved.event.role}'s motion to {motions.in_words(moved.event.body)} is not agreed to"
    standing.note(step.number, "motion", text, refused=moved.event.body.what, role=str(moved.event.role))


def _spoken(step: Step) -> list[Verified]:
    """The events of a step but its receipt."""
    return [one for one in step.events if one.event.kind != "receipt"]
