"""Answers that need no human: entropy, openings, closings, and questions with one legal answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from pbem.engine.campaign import Campaign
from pbem.engine.supply import sealed_default
from pbem.log import canonical
from pbem.log.disclosure import ENOUGH, LONGEST, Secret, fits, size_of
from pbem.log.event import Answer, Body, Close, Consent, Deposit, Disclosure, Entropy, Open, Receipt, Role, Vouch
from pbem.log.seal import SALT_BYTES
from pbem.log.verify import DECISIONS, Demand
from pbem.rules import play
from pbem.rules.play import Opening


class Secrets(Protocol):
    """What a home alone knows of one role in one game."""

    def link(self, index: int) -> bytes:
        """Link `index` of the role's chain."""

    def deposit(self, referee: bytes) -> bytes:
        """The seed of the role's chain, sealed to the referee's key."""

    def opens(self, role: Role, deposit: bytes) -> bool:
        """Whether a deposit of `role` opens with this home's key and gives the chain that its holder registered."""

    def sealed(self, commitment: bytes) -> tuple[bytes, Mapping[str, Any]] | None:
        """Salt and answer behind a commitment, None when the vault has lost them."""


@dataclass(frozen=True, slots=True)
class Automatic:
    """A body that the program answers with by itself, and why no human is asked."""

    body: Body
    why: str


Standing: TypeAlias = Callable[[play.Question[Any]], play.Answer | None]


def no_standing_orders(_: play.Question[Any]) -> play.Answer | None:
    """Nothing is answered in advance."""
    return None


Arrivals: TypeAlias = Callable[[str], int | None]
"""When an event arrived at this home, by its id, in seconds; None where that is not known."""


def no_arrivals(_: str) -> int | None:
    """Nothing is known of when anything arrived: no receipt is given."""
    return None


def automatic(
    campaign: Campaign[Any],
    role: Role,
    secrets: Secrets,
    standing: Standing = no_standing_orders,
    arrivals: Arrivals = no_arrivals,
) -> Automatic | None:
    """What `role` can answer now without asking anybody, None when it owes nothing or a human must decide."""
    demand = campaign.awaited().get(role)
    if demand is None:
        return None
    if demand.kind == "entropy":
        index = campaign.tips[role].next
        return Automatic(Entropy(index=index, link=secrets.link(index).hex()), "its share of the dice")
    if demand.kind == "open":
        return _known_default(campaign, role, demand) or _opening(demand, secrets)
    if demand.kind == "receipt":
        return _receipt(campaign, arrivals)
    if demand.kind == "deposit":
        return Automatic(Deposit(chain=_deposit(campaign, secrets)), f"what the {campaign.roster.judge} is to hold")
    if demand.kind == "vouch":
        return _vouching(campaign, secrets)
    if demand.kind == "close":
        return _closing(campaign, role, demand, secrets)
    return _decided(campaign, role, demand, standing)


def _deposit(campaign: Campaign[Any], secrets: Secrets) -> str:
    assert campaign.roster.judge is not None
    judge = campaign.roster.parties[campaign.roster.judge].registration
    assert judge is not None
    return secrets.deposit(bytes.fromhex(judge.escrow)).hex()


def _receipt(campaign: Campaign[Any], arrivals: Arrivals) -> Automatic | None:
    """What arrived when, never before the step began: a clock that was set back does not turn the log back."""
    found = {event: arrivals(event) for event in campaign.unreceipted()}
    arrived = {event: max(at, campaign.place.since) for event, at in found.items() if at is not None}
    return Automatic(Receipt(arrived=arrived), "its receipt") if len(arrived) == len(found) else None


def _vouching(campaign: Campaign[Any], secrets: Secrets) -> Automatic | None:
    """The word for all deposits; none while one of them is no good, and play does not begin."""
    judge = campaign.roster.judge
    assert judge is not None
    roles = campaign.awaited()[judge].roles
    if not all(secrets.opens(role, bytes.fromhex(campaign.deposits[role])) for role in roles):
        return None
    return Automatic(Vouch(roles=list(roles)), f"the {judge}'s word that the deposits are good")


def _known_default(campaign: Campaign[Any], role: Role, demand: Demand) -> Automatic | None:
    """The opening of what a ruling has sealed in the place of `role`: the default, with a salt that everybody knows."""
    waiting = campaign.driver.waiting
    assert isinstance(waiting, Opening)
    assert demand.opens is not None
    commitment, step = demand.opens
    for question in waiting.questions:
        if question.role == role and sealed_default(campaign.game, question, step) == commitment:
            value = question.default.model_dump(mode="json")
            opening = Open(ask=demand.ask, salt=bytes(SALT_BYTES).hex(), value=value)
            return Automatic(opening, "the opening of a default")
    return None


def _opening(demand: Demand, secrets: Secrets) -> Automatic | None:
    assert demand.opens is not None
    kept = secrets.sealed(demand.opens[0])
    if kept is None:
        return None
    salt, value = kept
    return Automatic(Open(ask=demand.ask, salt=salt.hex(), value=dict(value)), "the opening of a sealed answer")


def _closing(campaign: Campaign[Any], role: Role, demand: Demand, secrets: Secrets) -> Automatic:
    """The closing, with what is demanded of what was left sealed; what this home has lost is said to be lost."""
    said: dict[str, Any] = {"result": dict(demand.result), "head": campaign.head.hex()}
    if not demand.secrets:
        return Automatic(Close(**said), "the closing of the game")
    openings = _disclosures(campaign.game, role, demand.secrets, secrets)
    lost = [str(one.step) for one in openings if one.value is None]
    why = f", of which that of step {', '.join(lost)} is lost here" if lost else ""
    return Automatic(Close(**said, openings=openings), f"the opening of what was left sealed{why}")


def _disclosures(game: str, role: Role, demanded: Sequence[Secret], secrets: Secrets) -> list[Disclosure]:
    found: list[Disclosure] = []
    for secret in demanded:
        opening = _disclosed(game, role, secret, secrets)
        if opening.value is None and not secret.owed:
            continue
        found.append(opening)
        if size_of(found) >= ENOUGH:
            break
    return found


def _disclosed(game: str, role: Role, secret: Secret, secrets: Secrets) -> Disclosure:
    kept = secrets.sealed(bytes.fromhex(secret.commitment))
    if kept is not None and len(canonical.encode(kept[1])) <= LONGEST:
        opening = Disclosure(step=secret.step, ask=secret.ask, salt=kept[0].hex(), value=dict(kept[1]))
        if fits(game, role, secret, opening):
            return opening
    return Disclosure(step=secret.step, ask=secret.ask, salt="", value=None)


def _decided(campaign: Campaign[Any], role: Role, demand: Demand, standing: Standing) -> Automatic | None:
    """A sealed answer is never given here: it needs a salt, and its absence would tell."""
    if demand.kind == "consent" and demand.motion in campaign.withdrawn:
        return Automatic(Consent(motion=demand.motion, agree=False), "the refusal of a motion that was withdrawn")
    for request in campaign.requests:
        if request.event.role != role and not campaign.needs_consent(request) and demand.kind in DECISIONS:
            return Automatic(Consent(motion=request.id, agree=True), "a request that needs nobody's consent")
    question = campaign.question(role)
    if question is None or demand.kind != "answer":
        return None
    forced = question.forced()
    if forced is not None:
        return Automatic(_answer(question, forced), "the only legal answer")
    ordered = standing(question)
    if ordered is None or question.check(ordered):
        return None
    return Automatic(_answer(question, ordered), "standing orders")


def _answer(question: play.Question[Any], answer: play.Answer) -> Answer:
    return Answer(ask=question.kind, value=answer.model_dump(mode="json"))
