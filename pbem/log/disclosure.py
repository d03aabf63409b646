"""Disclosures: what a closing opens of the sealed answers that nothing in the log has opened.

They come behind the step in which every party has closed the game: before that a late answer could still make a claim
or an annulment void, and its author would know what the others had planned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.errors import BadEvidence
from pbem.log import canonical, seal
from pbem.log.enumeration import cut
from pbem.log.event import Disclosure, Role

ENOUGH = 16_384
"""Bytes of openings from which on a closing may leave the rest to the next step: an event has a greatest size."""

LONGEST = 40_000
"""Bytes of a sealed answer that a closing can open behind others, less than `ENOUGH`, of the same event."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A sealed answer that nothing has opened: its step, question and commitment (hex).

    It is `owed` when the one who holds the seat now has made it; what a former holder made lies in another vault.
    """

    step: int
    ask: str
    commitment: str
    owed: bool = True


def size_of(openings: Sequence[Disclosure]) -> int:
    """How many bytes openings take in an event."""
    return len(canonical.encode([one.model_dump() for one in openings]))


def fits(game: str, role: Role, secret: Secret, opening: Disclosure) -> bool:
    """Whether an opening that is not lost gives the commitment."""
    payload = canonical.encode(opening.value)
    place = (bytes.fromhex(game), secret.step, role, secret.ask)
    return seal.commitment(*place, bytes.fromhex(opening.salt), payload).hex() == secret.commitment


def check_openings(game: str, role: Role, openings: Sequence[Disclosure], secrets: Sequence[Secret]) -> None:
    """Raise BadEvidence unless openings are what a role owes, each once and in the order of steps.

    What is owed may be lost; what is not owed may be left out. The last ones may be left out behind `ENOUGH` bytes.
    """
    open_to = {(one.step, one.ask): one for one in secrets}
    named = [(one.step, one.ask) for one in openings]
    if named != sorted(set(named)) or not set(named) <= set(open_to):
        told = cut([str(one.step) for one in secrets]) or "none"
        raise BadEvidence(
            "place.disclosure",
            f"expected openings of what {role} sealed and nothing has opened (steps: {told}), each once and in their "
            f"order, got steps {cut([str(one.step) for one in openings])}",
        )
    for opening in openings:
        _check_one(game, role, open_to[opening.step, opening.ask], opening)
    _check_all(role, openings, [one for one in secrets if one.owed and (one.step, one.ask) not in named])


def _check_one(game: str, role: Role, secret: Secret, opening: Disclosure) -> None:
    if opening.value is None and not secret.owed:
        raise BadEvidence(
            "place.disclosure",
            f"expected an opening or nothing of what a former holder of {role}'s seat sealed at step {secret.step}, "
            "got a loss",
        )
    if opening.value is not None and not fits(game, role, secret, opening):
        raise BadEvidence("place.disclosure", another_answer(role, secret.step))


def another_answer(role: Role, step: int) -> str:
    """What is told of an opening that is not of what was sealed."""
    return f"expected the answer that {role} sealed at step {step}, got another one"


def _check_all(role: Role, openings: Sequence[Disclosure], left: Sequence[Secret]) -> None:
    if not left:
        return
    first = left[0].step
    if not openings or openings[-1].step > first or size_of(openings) < ENOUGH:
        raise BadEvidence(
            "place.disclosure",
            f"expected {role}'s closing to open everything that it sealed and nothing has opened, got one without step "
            f"{first}",
        )
