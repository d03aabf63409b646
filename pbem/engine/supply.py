"""Supply: what the events of a closed step give the rules that wait for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pbem.engine.admission import accepted
from pbem.log import canonical, seal
from pbem.log.chain import Tip
from pbem.log.event import Body, Entropy, Open, Role, Seal
from pbem.log.nouns import spoken
from pbem.rules import play
from pbem.rules.play import Asking, Opening, Question, Sealed
from pbem.rules.refusal import Refused


@dataclass(frozen=True, slots=True)
class OpenedLink:
    """A link that an entropy step opened, and the one that was opened `before` it, which it hashes down to."""

    role: Role
    index: int
    link: bytes
    before: bytes


@dataclass(frozen=True, slots=True)
class Breach:
    """A sealed answer that was not opened, or was illegal, so that its default stands."""

    role: Role
    ask: str
    text: str


def answers(
    waiting: Asking, bodies: Mapping[Role, Body], given: Mapping[Role, play.Answer], game: str, step: int
) -> tuple[Any, ...]:
    """What each question is answered with: an answer, or a `Sealed`; the default of a role that has no body."""
    found: list[Any] = []
    for question in waiting.questions:
        body = bodies.get(question.role)
        if isinstance(body, Seal):
            found.append(Sealed(question.role, question.kind, step, body.commitment))
        elif body is None and waiting.sealed:
            commitment = sealed_default(game, question, step).hex()
            found.append(Sealed(question.role, question.kind, step, commitment))
        else:
            found.append(question.default if body is None else given[question.role])
    return tuple(found)


def sealed_default(game: str, question: Question[Any], step: int) -> bytes:
    """The commitment to a question's default with a salt of zeros, which a ruling puts in the place of a seal."""
    payload = canonical.encode(question.default.model_dump(mode="json"))
    salt = bytes(seal.SALT_BYTES)
    return seal.commitment(bytes.fromhex(game), step, str(question.role), question.kind, salt, payload)


def openings(waiting: Opening, bodies: Mapping[Role, Body]) -> tuple[tuple[play.Answer, ...], list[Breach]]:
    """What was sealed, as opened now, and what was not opened or is illegal: its default stands."""
    found, breaches = [], []
    for question in waiting.questions:
        breach = None
        body = bodies.get(question.role)
        if isinstance(body, Open):
            answer, breach = _legal(question, body)
        else:
            told = f"{question.role} did not open its {spoken(question.kind)}: the default stands"
            answer, breach = question.default, Breach(question.role, question.kind, told)
        found.append(answer)
        breaches += [breach] if breach else []
    return tuple(found), breaches


def _legal(question: Question[Any], body: Open) -> tuple[play.Answer, Breach | None]:
    try:
        return accepted(question, body.value), None
    except Refused as refused:
        reason = refused.refusals[0].sentence()
        told = f"{question.role} sealed an illegal {spoken(question.kind)} ({reason}): the default stands"
        return question.default, Breach(question.role, question.kind, told)


def open_links(tips: Mapping[Role, Tip], bodies: Mapping[Role, Body]) -> tuple[dict[Role, Tip], tuple[OpenedLink, ...]]:
    """The tips behind the links that the bodies open, and those links, both in role order.

    A link without a body was withheld: it stays closed for good, and serves no later roll either.
    """
    opened, found = {}, []
    for role, tip in sorted(tips.items()):
        body = bodies.get(role)
        if body is None:
            opened[role] = replace(tip, withheld=tip.withheld + 1)
            continue
        assert isinstance(body, Entropy)
        opened[role] = Tip(role, tip.nonce, tip.length, body.index, bytes.fromhex(body.link))
        found.append(OpenedLink(role, body.index, opened[role].link, tip.link))
    return opened, tuple(found)
