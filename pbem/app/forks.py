"""Forks and their settlements in a player's words: both statements, which came first here, which one stands.

Nothing here judges: what makes a fork is `pbem.log.fork`'s business, which event survives `pbem.engine.assembly`'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from pbem.app.beside import opened_behind
from pbem.app.opened import OpenGame
from pbem.app.reading import replayed_to
from pbem.app.seatings import Seatings
from pbem.engine.admission import accepted
from pbem.engine.campaign import Campaign
from pbem.engine.driver import Line
from pbem.engine.motions import in_words
from pbem.log import bundle, envelope
from pbem.log.event import Answer, Change, Consent, Lapse, Open, Resolve, Role, Seal
from pbem.log.fork import Fork, evidence, read_evidence
from pbem.log.keys import key_id
from pbem.log.nouns import NOUNS
from pbem.log.verify import Verified, verify_event
from pbem.mail.plain import printable
from pbem.rules.play import Asking, Opening, Question
from pbem.rules.refusal import Refused

NAMING_DIGITS = 16
"""Digits of an event's id that a player types."""
LATEST = 253_402_300_799
"""The last second of the year 9999: a date is whatever its author says, and this is the last that has a name."""


def named(verified: Verified) -> str:
    """An event in a player's words: `polish's share of the dice of step 5`."""
    return f"{verified.event.role}'s {NOUNS[verified.event.kind]} of step {verified.event.step}"


@dataclass(frozen=True, slots=True)
class Rival:
    """One of the two events of a fork: its id, what it says in one line, and its author's date in words."""

    event: str
    says: str
    dated: str

    @property
    def name(self) -> str:
        """The digits that name it."""
        return self.event[:NAMING_DIGITS]


def rivals_of(opened: OpenGame) -> tuple[Rival, Rival]:
    """Both events of the fork that stops a game, the one that came here first in front."""
    assert opened.fork is not None
    first, second = _as_they_came(opened, opened.fork)
    return _rival(opened.campaign, first), _rival(opened.campaign, second)


def fork_data(opened: OpenGame) -> dict[str, Any] | None:
    """The fork that stops a game, as the summary keeps it; None when there is none.

    `rivals` are both events, the one that came here first in front; `binding` is the event behind which another role
    has opened links, which is the only one that can stand, or empty.
    """
    if opened.fork is None:
        return None
    one, other = opened.fork.first, opened.fork.second
    return {
        "role": one.event.role,
        "step": one.event.step,
        "events": [one.id, other.id],
        "rivals": [asdict(rival) for rival in rivals_of(opened)],
        "binding": _binding(opened, opened.fork),
        "former": former_holder(opened, opened.fork),
    }


def _binding(opened: OpenGame, fork: Fork) -> str:
    keys = [registration.key for registration in opened.registrations]
    later = [row for row in opened.rows if row.step >= fork.first.event.step]
    stored = [*(verify_event(row.line, opened.known, keys) for row in later), *opened.fresh]
    bound = [rival.id for rival in (fork.first, fork.second) if opened_behind(rival, stored)]
    return bound[0] if len(bound) == 1 else ""


def fork_sentence(fork: dict[str, Any], own: Role | str) -> str:
    """Who has signed twice, and where."""
    who = "your role" if fork["role"] == own else fork["role"]
    if former := fork.get("former"):
        return f"a former key of {who} ({former}) signed two different events at step {fork['step']}"
    return f"{who} signed two different events at step {fork['step']}, perhaps from a backup or a second device"


def former_holder(opened: OpenGame, found: Fork) -> str:
    """Whose key signed both events, and at which steps it held the seat, where a later one has signed for the role
    since: `Anna, who held the seat at steps 1 to 12`; empty for the key that signs for it now."""
    role, key = found.first.event.role, found.first.key
    signed = [(row.step, envelope.from_line(row.line).key_id) for row in opened.rows if row.role == role]
    own = [step for step, name in signed if name == key_id(key)]
    later = [step for step, name in signed if name != key_id(key) and step > found.first.event.step]
    if not own or not later:
        return ""
    last = max(step for step in own if step < min(later))
    name = printable(Seatings(opened).name_of(key)) or "no name"
    return f"{name}, who held the seat at steps {min(own)} to {last}"


def rival_lines(fork: dict[str, Any]) -> list[str]:
    """Both events of a fork, one line each, with the words that name it."""
    first, second = fork["rivals"]
    bound = "; dice behind it are known, so that it alone can stand"
    return [
        f"{order}: {one['says']} (dated {one['dated']}; named by --keep {one['event'][:NAMING_DIGITS]}"
        f"{bound if one['event'] == fork['binding'] else ''})"
        for order, one in (("came first here", first), ("came second here", second))
    ]


def evidence_of(opened: OpenGame, found: Fork) -> bytes:
    """The proof of a fork for a stranger: what brought in the key that signed both events, and the two.

    It is the same from every home, and is read again before it is given.
    """
    registrations = sorted(opened.registrations, key=lambda one: (one.event.step, one.event.role))
    data = evidence([*registrations, *_seatings(opened, found)], found)
    read_evidence(bundle.read(data))
    return data


def _seatings(opened: OpenGame, found: Fork) -> list[Verified]:
    """The motions by which the seat went from the key that was registered to the one that signed both events, each with
    the consent that it needed."""
    known = Seatings(opened)
    way: list[Verified] = []
    for moved in known.way_to(found.first.event.role, found.first.key):
        way += [moved.by] if known.needs_nobody(moved) else [moved.by, *known.consents(moved)[:1]]
    return way


def _as_they_came(opened: OpenGame, fork: Fork) -> tuple[Verified, Verified]:
    places = {row.event_id: row.place for row in opened.rows}
    both = sorted((fork.first, fork.second), key=lambda one: (places.get(one.id, len(places)), one.id))
    return both[0], both[1]


def _rival(campaign: Campaign[Any], verified: Verified) -> Rival:
    return Rival(verified.id, says(campaign, verified), dated(verified))


def dated(verified: Verified) -> str:
    """The date that an event names, in words."""
    return datetime.fromtimestamp(min(verified.event.at, LATEST), UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def says(campaign: Campaign[Any], verified: Verified) -> str:
    """What an event says, in one line; `campaign` stands before the step of the event."""
    body = verified.event.body
    ordered = _orders(campaign, verified.event.role, body.value) if isinstance(body, Answer | Open) else ""
    return statement(verified, ordered)


def statement(verified: Verified, orders: str) -> str:
    """The same where its orders are known in words, or are not known and empty."""
    body = verified.event.body
    match body:
        case Answer() | Open():
            return orders or NOUNS[verified.event.kind]
        case Seal(commitment=commitment):
            return f"sealed orders {commitment[:NAMING_DIGITS]}"
        case Lapse(role=role):
            return f"a claim that {role} owes an answer"
        case Change():
            return f"a motion to {in_words(body)}"
        case Consent(agree=agree):
            return "agreement" if agree else "refusal"
        case _:
            return NOUNS[verified.event.kind]


def _orders(campaign: Campaign[Any], role: Role, value: dict[str, Any]) -> str:
    """An answer as the ruleset writes it, on one line; empty when the rules do not take it."""
    question = _asked(campaign, role)
    if question is None:
        return ""
    try:
        written = campaign.ruleset.write_orders(accepted(question, value))
    except Refused:
        return ""
    return "; ".join(line.strip() for line in written.splitlines() if line.strip())


def _asked(campaign: Campaign[Any], role: Role) -> Question[Any] | None:
    waiting = campaign.driver.waiting
    questions = waiting.questions if isinstance(waiting, Asking | Opening) else ()
    return next((question for question in questions if question.role == role), None)


# ---------------------------------------------------------------------- settlements


@dataclass(frozen=True, slots=True)
class Settlement:
    """A fork that is settled: which step, whose events, by whom, and what both of them say.

    `resolution` is the event that settled it; `stood` says that the dropped one was first here, so that it counted.
    """

    step: int
    role: Role
    by: Role
    kept: Rival
    dropped: Rival
    noun: str
    resolution: str
    stood: bool


def settlements(whole: OpenGame) -> Iterator[Settlement]:
    """What was settled in a game that was replayed from its beginning, in the order of the steps."""
    lines = {row.event_id: row.line for row in whole.rows}
    first = {row.event_id for row in whole.rows if row.place == 0}
    seen: set[tuple[str, str]] = set()
    for resolution in sorted(whole.resolutions, key=lambda one: one.event.step):
        body, step = resolution.event.body, resolution.event.step
        assert isinstance(body, Resolve)
        if body.role == resolution.event.role:
            continue  # it settles no fork: its author gave way to a claim
        known = body.keep in lines and body.drop in lines and (body.keep, body.drop) not in seen
        if not known or not any(one.id == body.keep for one in _standing(whole, step)):
            continue
        seen.add((body.keep, body.drop))
        before = replayed_to(whole.campaign, step - 1)
        kept, dropped = (verify_event(lines[one], whole.known) for one in (body.keep, body.drop))
        both = _rival(before, kept), _rival(before, dropped)
        noun, stood = NOUNS[kept.event.kind], body.drop in first
        yield Settlement(step, body.role, resolution.event.role, *both, noun, resolution.id, stood)


def _standing(whole: OpenGame, step: int) -> Sequence[Verified]:
    closed = [one for found in whole.campaign.steps if found.number == step for one in found.events]
    return [*closed, *whole.campaign.pending()]


def settled_sentence(settled: Settlement, own: Role | str) -> str:
    """What a settlement means for the player of the role `own`."""
    where, stands = f"{settled.noun} of step {settled.step}", _quoted(settled.kept, settled.dropped)
    if settled.role != own:
        by = "you" if settled.by == own else settled.by
        return f"settled by {by}: of {settled.role}'s {where} {stands} stands, the other one is overruled"
    many = settled.noun.endswith("orders") and not settled.noun.startswith("opening")
    if settled.stood:
        return f"your {where} {'were' if many else 'was'} overruled by {settled.by}: {stands} stands"
    return f"settled by {settled.by}: your {where} {'stand' if many else 'stands'}: {stands}"


def _quoted(kept: Rival, other: Rival) -> str:
    """What the surviving event says, with its date where the other one says the same."""
    return f"'{kept.says}'" if kept.says != other.says else f"'{kept.says}', dated {kept.dated},"


def settlement_lines(whole: OpenGame) -> list[Line]:
    """One line for each settled fork of a game replayed from its beginning: to be told beside the narrative."""
    return [
        Line(
            one.step,
            "fork",
            f"{one.role} signed two {one.noun}; settled by {one.by}: {_quoted(one.kept, one.dropped)} stands",
        )
        for one in settlements(whole)
    ]
