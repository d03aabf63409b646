"""Remedies: what stands in the place of what a silent role owes, by a ruling or by the claim of whoever waited, and an
annulment. Rulings on motions are in `pbem.engine.tabled`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pbem.engine.ledger import Step
from pbem.engine.situation import Situation
from pbem.log.event import Annul, Body, Entropy, Event, Lapse, Open, Role, Ruling
from pbem.log.nouns import NOUNS
from pbem.log.verify import Place
from pbem.rules.play import Outcome


def ruled(situation: Situation[Any], step: Step, place: Place) -> dict[Role, Body]:
    """What rulings stand for: a link, an opening, or nothing, so that the default applies."""
    found: dict[Role, Body] = {}
    for event, body in _rulings(step):
        text = f"the {event.role} rules on {body.role}'s {NOUNS[body.demand]}{because(body.why)}"
        situation.note(step.number, "ruling", text, demand=body.demand, role=str(body.role))
        if body.link:
            found[body.role] = Entropy(index=situation.tips[body.role].next, link=body.link)
        elif body.value is not None:
            found[body.role] = Open(ask=place.demands[body.role].ask, salt=body.salt, value=body.value)
    return found


def forfeit_link(situation: Situation[Any], step: Step) -> bool:
    """Whether somebody withholds a link that its deposit does not give either: it has lost."""
    silent = sorted(body.role for _, body in _rulings(step) if body.demand == "entropy" and not body.link)
    if silent:
        whose = "their deposits do" if len(silent) > 1 else "its deposit does"
        text = f"{_and(silent)} withheld a share of the dice at step {step.number}, and {whose} not give it"
        situation.lose(silent, text)
    return bool(silent)


def forfeit_deposit(situation: Situation[Any], step: Step, place: Place) -> None:
    """Who has taken a seat and withholds what the referee is to hold has lost, when the referee says so."""
    ruled(situation, step, place)
    silent = sorted({body.role for _, body in _rulings(step)})
    whose = "their" if len(silent) > 1 else "its"
    situation.lose(silent, f"{_and(silent)} withheld {whose} deposit at step {step.number}")


def tell_silence(situation: Situation[Any], step: Step) -> None:
    """What came in the place of what did not, where the game goes on with the worst for the silent side."""
    for event, body in _claims(step) if situation.worst else ():
        instead = f"{event.role} dictates the dice" if body.dice else "the default stands"
        text = f"{body.role}'s {NOUNS[body.demand]} did not come, as {event.role} states: {instead}"
        situation.note(step.number, "remedy", text, demand=body.demand, role=str(body.role))


def claim(situation: Situation[Any], step: Step) -> None:
    """The author of a lapse has won; where two roles each claim what the other owes, nobody has."""
    claims = _claims(step)
    authors = sorted({event.role for event, _ in claims})
    owed = " and ".join(f"{body.role}'s {body.demand}" for _, body in claims)  # as closings of old games sign it
    text = f"{_and(authors)} claimed the game at step {step.number}, where {owed} did not come"
    situation.note(step.number, "remedy", text)
    situation.end(Outcome(authors[0] if len(authors) == 1 else "", "remedy", text))


def annul(situation: Situation[Any], step: Step) -> None:
    """A judge has annulled the game."""
    author, body = next((one.event.role, one.event.body) for one in step.events if one.event.kind == "annul")
    assert isinstance(body, Annul)
    text = f"the {author} annulled the game at step {step.number}{because(body.why)}"
    situation.note(step.number, "annul", text)
    situation.terms = replace(situation.terms, moved=None)
    situation.end(Outcome("", "annul", text))


def because(why: str) -> str:
    """A reason as it is told behind what was done for it."""
    return f": {why}" if why else ""


def _rulings(step: Step) -> list[tuple[Event, Ruling]]:
    return [(one.event, one.event.body) for one in step.events if isinstance(one.event.body, Ruling)]


def _claims(step: Step) -> list[tuple[Event, Lapse]]:
    return [(one.event, one.event.body) for one in step.events if isinstance(one.event.body, Lapse)]


def _and(roles: Sequence[Role]) -> str:
    return " and ".join(roles)
