"""A campaign: the log of one game with the game on it, step by step.

It takes verified events one at a time, refuses what does not fit, and closes a step when all that it waited
for is there. Which of several candidates is offered first is `pbem.engine.assembly`'s business.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pbem.engine.admission import accepted, check_ruleset
from pbem.engine.driver import Driver, Line, LiveDice, NeedsEntropy, RollRecord
from pbem.engine.snapshot import Snapshot
from pbem.errors import BadEvidence
from pbem.log import dice
from pbem.log.chain import Tip
from pbem.log.event import NOTHING, Answer, Body, Entropy, Kind, Lapse, Open, Role, Seal
from pbem.log.roster import Roster, from_proposal, registered, registration_of
from pbem.log.step import GENESIS, step_digest
from pbem.log.verify import Demand, Place, Verified, verify_place
from pbem.rules import play
from pbem.rules.play import Asking, Opening, Outcome, Question, Sealed
from pbem.rules.refusal import Refused
from pbem.rules.ruleset import Ruleset

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Step:
    """A closed step: its events in role order and its digest."""

    number: int
    events: tuple[Verified, ...]
    digest: bytes


@dataclass(frozen=True, slots=True)
class _Kept(Generic[S]):
    """What a snapshot is made of; nothing in it changes afterwards."""

    step: int
    head: bytes
    since: int
    state: S
    tips: Mapping[Role, Tip]
    commitments: frozenset[str]
    dice: LiveDice | None


class Campaign(Generic[S]):
    """One game from its proposal on. Every method leaves it unchanged when it raises."""

    def __init__(self, ruleset: Ruleset[S], proposal: Verified) -> None:
        if proposal.event.kind != "propose" or proposal.event.step != 0 or proposal.event.prev != NOTHING:
            raise BadEvidence("campaign.proposal", f"expected a proposal at step 0, got {proposal.title}")
        self.ruleset = ruleset
        self.roster = from_proposal(proposal.id, proposal.event)
        check_ruleset(ruleset, self.roster)
        self.driver = Driver(ruleset, ruleset.begin(*_start(self.roster)))
        self.steps: list[Step] = []
        self.tips: Mapping[Role, Tip] = {}
        self.outcome: Outcome | None = None
        self.finished = False
        self._commitments: frozenset[str] = frozenset()
        self._pending: dict[tuple[Role, str], Verified] = {}
        self._given: dict[Role, play.Answer] = {}
        self._head = self._previous = GENESIS
        self._number = 0
        self._since = proposal.event.at
        self._kept: _Kept[S] | None = None
        self._snapshot: Snapshot | None = None
        self.place = self._place()
        self._close((proposal,))
        self._after_closing()

    @classmethod
    def resume(cls, ruleset: Ruleset[S], registrations: Sequence[Verified], snapshot: Snapshot) -> Campaign[S]:
        """The campaign at a snapshot; `registrations` are the events of steps 0 and 1.

        Its narrative, rolls and steps begin there.
        """
        campaign = cls(ruleset, registrations[0])
        for registration in registrations[1:]:
            campaign.offer(registration)
        campaign._restore(snapshot)
        return campaign

    # ------------------------------------------------------------------ what is waited for

    @property
    def game(self) -> str:
        """The game's id (64 hex digits)."""
        return self.roster.game

    @property
    def head(self) -> bytes:
        """Digest of the last closed step."""
        return self._head

    @property
    def started(self) -> bool:
        """Whether every party has accepted."""
        return not self.roster.absent()

    @property
    def state(self) -> S:
        """The state of the game at the last question or checkpoint."""
        return self.driver.state

    @property
    def lines(self) -> Sequence[Line]:
        """The narrative so far."""
        return self.driver.lines

    @property
    def rolls(self) -> Sequence[RollRecord]:
        """The rolls so far."""
        return self.driver.rolls

    def awaited(self) -> dict[Role, Demand]:
        """Who still owes what at the present step."""
        answered = {role for role, slot in self._pending if slot == "move"}
        return {role: demand for role, demand in self.place.demands.items() if role not in answered}

    def pending(self) -> tuple[Verified, ...]:
        """Events of the present step that are already there."""
        return tuple(self._pending[key] for key in sorted(self._pending))

    def question(self, role: Role) -> Question[Any] | None:
        """What `role` is asked to decide now, None when it has nothing to decide."""
        waiting = self.driver.waiting
        if not self.started or not isinstance(waiting, Asking) or self.outcome:
            return None
        for question in waiting.questions:
            if question.role == role and role in self.awaited():
                return question
        return None

    # ------------------------------------------------------------------ what is offered

    def offer(self, verified: Verified) -> bool:
        """Take an event of the present step; True when it closes the step.

        Raises BadEvidence when it does not fit its place, and Refused with every reason when the rules of
        the game do not accept the answer.
        """
        verify_place(verified, self.place)
        body = verified.event.body
        key = (verified.event.role, "lapse" if isinstance(body, Lapse) else "move")
        if key in self._pending:
            if self._pending[key].id == verified.id:
                return False
            raise BadEvidence("campaign.answered", f"expected one event of a role at a step, got also {verified.title}")
        registration = registration_of(verified.event)
        if registration is not None:
            self.roster = registered(self.roster, verified.event.role, registration)
        if isinstance(body, Answer):
            self._given[verified.event.role] = self.read_answer(verified.event.role, body.value)
        self._pending[key] = verified
        chosen = self._complete()
        if chosen is None:
            return False
        self._close(chosen)
        self._after_closing()
        return True

    def read_answer(self, role: Role, value: Mapping[str, Any]) -> play.Answer:
        """The answer that a body's value gives to the present question; Refused when it is not acceptable."""
        question = self.question(role)
        assert question is not None
        return accepted(question, value)

    def _complete(self) -> tuple[Verified, ...] | None:
        """The events that close the step: answers where there are any, else lapses; None when some are missing."""
        chosen = {}
        for role in self.place.demands:
            event = self._pending.get((role, "move")) or self._lapse_of(role)
            if event is None:
                return None
            chosen[event.id] = event
        return tuple(sorted(chosen.values(), key=_in_role_order))

    def _lapse_of(self, role: Role) -> Verified | None:
        for (_, kind), event in sorted(self._pending.items()):
            if kind == "lapse" and isinstance(event.event.body, Lapse) and event.event.body.role == role:
                return event
        return None

    # ------------------------------------------------------------------ closing a step

    def _close(self, events: tuple[Verified, ...]) -> None:
        self._previous, self._head = self._head, step_digest(self._head, (event.id for event in events))
        self.steps.append(Step(self._number, events, self._head))
        self._since = max(event.event.at for event in events)
        self._number += 1
        self._pending = {}

    def _after_closing(self) -> None:
        step, saved = self.steps[-1], self.driver.saved
        if step.number == 0:
            pass
        elif not self.tips:
            self.tips = self.roster.tips()
            self.driver.start(step.number)
        elif self.outcome:
            self.finished = True
        else:
            self._advance(step)
        if isinstance(self.driver.waiting, Outcome) and self.tips and not self.outcome:
            self.outcome = self.driver.waiting
        if self.driver.saved is not saved:
            self._keep()
        self.place = self._place()

    def _advance(self, step: Step) -> None:
        bodies = {event.event.role: event.event.body for event in step.events if event.event.kind != "lapse"}
        waiting, self.driver.step = self.driver.waiting, step.number
        if isinstance(waiting, Opening):
            self.driver.supply(self._opened(waiting, bodies), step.number)
        elif any(event.event.kind == "lapse" for event in step.events):
            self._claimed(step)
        elif isinstance(waiting, NeedsEntropy):
            self._open_links(bodies, step)
        elif isinstance(waiting, Asking):
            self.driver.supply(self._answers(waiting, bodies, step), step.number)

    def _open_links(self, bodies: Mapping[Role, Body], step: Step) -> None:
        opened = {}
        for role, tip in sorted(self.tips.items()):
            body = bodies[role]
            assert isinstance(body, Entropy)
            opened[role] = Tip(role, tip.nonce, tip.length, body.index, bytes.fromhex(body.link))
        self.tips = opened
        links = [tip.link for tip in opened.values()]
        key = dice.dice_key(links, self._previous, bytes.fromhex(self.game))
        self.driver.roll(LiveDice(key, step.number))

    def _answers(self, waiting: Asking, bodies: Mapping[Role, Body], step: Step) -> tuple[Any, ...]:
        found: list[Any] = []
        for question in waiting.questions:
            body = bodies[question.role]
            if isinstance(body, Seal):
                self._commitments |= {body.commitment}
                found.append(Sealed(question.role, question.kind, step.number, body.commitment))
            else:
                found.append(self._given.pop(question.role))
        return tuple(found)

    def _opened(self, waiting: Opening, bodies: Mapping[Role, Body]) -> tuple[play.Answer, ...]:
        found = []
        for question in waiting.questions:
            body = bodies.get(question.role)
            found.append(self._opened_or_default(question, body))
        return tuple(found)

    def _opened_or_default(self, question: Question[Any], body: Body | None) -> play.Answer:
        default: play.Answer = question.default
        if not isinstance(body, Open):
            told = f"{question.role} did not open its {question.kind}: the default stands"
            self.driver.note("breach", told, role=str(question.role), ask=question.kind)
            return default
        try:
            return accepted(question, body.value)
        except Refused as refused:
            reason = refused.refusals[0].sentence()
            told = f"{question.role} sealed an illegal {question.kind} ({reason}): the default stands"
            self.driver.note("breach", told, role=str(question.role), ask=question.kind)
            return default

    def _claimed(self, step: Step) -> None:
        """The author of a lapse has won; where two roles each claim what the other owes, nobody has."""
        claims = [(event.event.role, event.event.body) for event in step.events if isinstance(event.event.body, Lapse)]
        authors = sorted({role for role, _ in claims})
        owed = " and ".join(f"{body.role}'s {body.demand}" for _, body in claims)
        text = f"{' and '.join(authors)} claimed the game at step {step.number}, where {owed} did not come"
        self.driver.note("remedy", text)
        self.outcome = Outcome(authors[0] if len(authors) == 1 else "", "remedy", text)

    # ------------------------------------------------------------------ snapshots

    @property
    def snapshot(self) -> Snapshot | None:
        """Where play can be resumed: the last checkpoint, None before the first. It is written out when asked for."""
        if self._snapshot is None and self._kept is not None:
            self._snapshot = self._written(self._kept)
        return self._snapshot

    def _written(self, kept: _Kept[S]) -> Snapshot:
        live = kept.dice
        return Snapshot(
            step=kept.step,
            head=kept.head.hex(),
            since=kept.since,
            state=self.ruleset.encode(kept.state),
            tips=tuple((role, tip.index, tip.link.hex()) for role, tip in sorted(kept.tips.items())),
            commitments=tuple(sorted(kept.commitments)),
            dice=(live.key.hex(), live.step, tuple(live.used)) if live else None,
        )

    def _keep(self) -> None:
        state, live = self.driver.saved
        self._snapshot = None
        self._kept = _Kept(self._number - 1, self._head, self._since, state, self.tips, self._commitments, live)

    def _restore(self, snapshot: Snapshot) -> None:
        self._number, self._since = snapshot.step + 1, snapshot.since
        self._head = bytes.fromhex(snapshot.head)
        self._commitments = frozenset(snapshot.commitments)
        for role, index, link in snapshot.tips:
            tip = self.tips[Role(role)]
            self.tips = {**self.tips, Role(role): Tip(tip.role, tip.nonce, tip.length, index, bytes.fromhex(link))}
        live = (
            LiveDice(bytes.fromhex(snapshot.dice[0]), snapshot.dice[1], list(snapshot.dice[2]))
            if snapshot.dice
            else None
        )
        self.driver = Driver(self.ruleset, self.ruleset.decode(snapshot.state), live)
        self.driver.start(snapshot.step)
        self.steps, self._pending, self._kept, self._snapshot = [], {}, None, snapshot
        self.outcome = self.driver.waiting if isinstance(self.driver.waiting, Outcome) else None
        self.place = self._place()

    # ------------------------------------------------------------------ the present place

    def _place(self) -> Place:
        return Place(
            game=self.game,
            step=self._number,
            prev=self._head.hex(),
            state=self.driver.state_digest().hex(),
            demands=self._demands(),
            tips=self.tips,
            commitments=self._commitments,
            since=self._since,
            deadline_days=self.roster.proposal.deadline_days,
        )

    def _demands(self) -> dict[Role, Demand]:
        if not self.tips:
            return {role: Demand("accept") for role in self.roster.absent()}
        if self.finished:
            return {}
        if self.outcome:
            closing = Demand("close", result=self.outcome.as_result())
            return dict.fromkeys(sorted(self.roster.parties), closing)
        return _demands_of(self.driver.waiting, self.tips)


def _start(roster: Roster) -> tuple[str, Mapping[str, int | str | bool]]:
    return roster.proposal.scenario, roster.proposal.options


def _demands_of(waiting: object, tips: Mapping[Role, Tip]) -> dict[Role, Demand]:
    if isinstance(waiting, NeedsEntropy):
        return dict.fromkeys(tips, Demand("entropy"))
    if isinstance(waiting, Asking):
        kind: Kind = "seal" if waiting.sealed else "answer"
        asked = sorted(waiting.questions, key=lambda question: question.role)
        # a game may name its sides by an enumeration of strings: an event carries plain text
        return {Role(str(question.role)): Demand(kind, question.kind) for question in asked}
    if isinstance(waiting, Opening):
        sealed = sorted(waiting.sealed, key=lambda one: one.role)
        return {one.role: Demand("open", one.kind, (bytes.fromhex(one.commitment), one.step)) for one in sealed}
    return {}


def _in_role_order(verified: Verified) -> tuple[str, str]:
    return (verified.event.role, verified.event.kind)
