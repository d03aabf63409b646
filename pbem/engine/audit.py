"""The audit at the end of a game: sealed answers that nothing opened in play are opened, and judged where they stood.

Where nobody has left anything sealed there is none. What it finds is told and is in no digest: nothing is signed
behind it. A campaign that was resumed behind a seal cannot ask its question again, and leaves the judging to a whole
replay (`partial`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from pbem.engine.admission import accepted
from pbem.engine.driver import Line
from pbem.log.disclosure import Secret
from pbem.log.event import Body, Close, Disclosure, Lapse, Open, Role, Ruling, Seal
from pbem.log.nouns import spoken
from pbem.log.verify import Demand, Verified
from pbem.rules.play import Asking, Disclosed, Opening, Question
from pbem.rules.refusal import Refused
from pbem.rules.ruleset import Ruleset

BREACH = "breach"
KeptSecret: TypeAlias = tuple[str, int, str, str, bool]
"""A secret as a snapshot keeps it: role, step, question, commitment, whether it is owed."""


@dataclass(frozen=True, slots=True)
class Unopened:
    """A sealed answer of a role that nothing has opened; `question` is None behind a snapshot."""

    role: Role
    secret: Secret
    question: Question[Any] | None = None


@dataclass(frozen=True, slots=True)
class Audit:
    """What is `left` to be opened, and what the closings have `opened`."""

    left: tuple[Unopened, ...] = ()
    opened: tuple[Disclosed, ...] = ()
    partial: bool = False

    def behind_seals(self, waiting: Asking, bodies: Mapping[Role, Body], step: int) -> Audit:
        """With the answers that were sealed at a step."""
        made = []
        for question in waiting.questions:
            role, body = Role(str(question.role)), bodies.get(question.role)
            if isinstance(body, Seal):
                made.append(Unopened(role, Secret(step, body.ask, body.commitment), question))
        return replace(self, left=(*self.left, *made))

    def behind_openings(self, waiting: Opening, bodies: Mapping[Role, Body]) -> Audit:
        """Without those that were opened, by their authors or by a ruling."""
        done = {(str(one.role), one.step) for one in waiting.sealed if isinstance(bodies.get(one.role), Open)}
        return replace(self, left=tuple(one for one in self.left if (one.role, one.secret.step) not in done))

    def handed_over(self, role: Role) -> Audit:
        """When somebody else holds a seat, who does not have the secrets of the one before."""
        left = (replace(one, secret=replace(one.secret, owed=False)) if one.role == role else one for one in self.left)
        return replace(self, left=tuple(left))

    def demands(self, result: Mapping[str, str]) -> dict[Role, Demand]:
        """Who still has to open something: a closing that opens it."""
        owing = sorted({one.role for one in self.left if one.secret.owed})
        return {role: Demand("close", result=result, secrets=self._of(role)) for role in owing}

    def _of(self, role: Role) -> tuple[Secret, ...]:
        return tuple(sorted((one.secret for one in self.left if one.role == role), key=lambda one: one.step))

    def behind_closing(self, events: Iterable[Verified], ruleset: Ruleset[Any], step: int) -> tuple[Audit, list[Line]]:
        """What a step of closings has opened, and what is to be told of it.

        Whose closing did not come has lost everything.
        """
        found: list[tuple[Unopened, Disclosure | None]] = []
        for verified in events:
            body = verified.event.body
            given = {one.step: one for one in body.openings} if isinstance(body, Close) else {}
            role = body.role if isinstance(body, Lapse | Ruling) else verified.event.role
            mine = [one for one in self.left if one.role == role and (one.secret.owed or one.secret.step in given)]
            found += [(one, given.get(one.secret.step)) for one in mine if one.secret.step in given or not given]
        done = [one for one, _ in found]
        left = tuple(one for one in self.left if one not in done)
        if self.partial or any(one.question is None for one in done):
            return replace(self, left=left, partial=True), []
        judged = [_judged(one, opening, ruleset) for one, opening in found]
        lines = [Line(step, rule, text) for _, rule, text in judged]
        return replace(self, left=left, opened=(*self.opened, *(one for one, _, _ in judged))), lines

    def at_the_end(self, ruleset: Ruleset[Any], state: Any, step: int) -> list[Line]:
        """What the game itself has to say of everything that was opened at the end."""
        kept = [Line(step, BREACH, _never_opened(one)) for one in self.left]
        if self.partial:
            return kept
        return [*kept, *(Line(step, report.rule, report.sentence()) for report in ruleset.audit(state, self.opened))]

    def kept(self) -> tuple[KeptSecret, ...]:
        """What a snapshot has to carry."""
        return tuple(
            (str(one.role), one.secret.step, one.secret.ask, one.secret.commitment, one.secret.owed)
            for one in self.left
        )


def _never_opened(sealed: Unopened) -> str:
    role, secret = sealed.role, sealed.secret
    what = f"what {role} sealed at step {secret.step} ({spoken(secret.ask)})"
    return f"{what} was never opened: its seat has gone to another key"


def resumed(kept: Sequence[KeptSecret]) -> Audit:
    """The audit at a snapshot."""
    return Audit(tuple(Unopened(Role(role), Secret(step, ask, made, owed)) for role, step, ask, made, owed in kept))


def _judged(sealed: Unopened, opening: Disclosure | None, ruleset: Ruleset[Any]) -> tuple[Disclosed, str, str]:
    """What was opened, with the rule and the words under which it is told."""
    role, step, ask, question = sealed.role, sealed.secret.step, sealed.secret.ask, sealed.question
    assert question is not None
    lost = Disclosed(role, ask, step, None)
    if opening is None or opening.value is None:
        return lost, BREACH, f"{role} did not open at the end the {spoken(ask)} that it sealed at step {step}"
    try:
        answer = accepted(question, opening.value)
    except Refused as refused:
        reason = refused.refusals[0].sentence()
        return lost, BREACH, f"{role} had sealed an illegal {spoken(ask)} at step {step} ({reason})"
    said = "; ".join(line.strip() for line in ruleset.write_orders(answer).splitlines() if line.strip())
    return (
        Disclosed(role, ask, step, answer),
        "audit",
        f"{role} had sealed at step {step}, {spoken(ask)}: {said or 'nothing'}",
    )
