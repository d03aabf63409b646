"""A campaign: the log of one game with the game on it, step by step.

It takes verified events one at a time, refuses what does not fit, and closes a step when all that it waited
for is there. Which of several candidates is offered first is `pbem.engine.assembly`'s business, and what a closed step
does to the game that of `pbem.engine.effects`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar

from pbem.engine import effects, motions, new_rules, preparation, tabled
from pbem.engine.admission import accepted, check_ruleset
from pbem.engine.audit import Audit
from pbem.engine.checkpoint import Checkpoint, checkpoint, restore
from pbem.engine.closing import closing_events, pending_slot, to_be_receipted
from pbem.engine.dictation import check_dictated, dictated_dice
from pbem.engine.driver import Driver, Line, RollRecord
from pbem.engine.ledger import Ledger, Step
from pbem.engine.motions import check_change
from pbem.engine.new_rules import Games
from pbem.engine.run import Played, Run, TooEarly
from pbem.engine.situation import Situation
from pbem.engine.snapshot import Snapshot
from pbem.engine.supply import OpenedLink
from pbem.errors import BadEvidence
from pbem.log.chain import Tip
from pbem.log.event import (
    ADJUDICATOR,
    NOTHING,
    Accept,
    Answer,
    Body,
    Change,
    Consent,
    Lapse,
    Request,
    Role,
    RulesetName,
    Ruling,
    Withdraw,
)
from pbem.log.roster import Roster, from_proposal, registered
from pbem.log.verify import Demand, Place, Verified, verify_place
from pbem.rules import play
from pbem.rules.play import Asking, Outcome, Question
from pbem.rules.ruleset import Ruleset

S = TypeVar("S")


class Campaign(Generic[S]):
    """One game from its proposal on. Every method leaves it unchanged when it raises.

    `games` finds the rules by which a motion may let it go on; `ruled` says from which step on it is played by which.
    """

    def __init__(self, ruleset: Ruleset[S], proposal: Verified, games: Games | None = None) -> None:
        if proposal.event.kind != "propose" or proposal.event.step != 0 or proposal.event.prev != NOTHING:
            raise BadEvidence("campaign.proposal", f"expected a proposal at step 0, got {proposal.title}")
        self.games = games or new_rules.only(ruleset)
        roster = from_proposal(proposal.id, proposal.event)
        check_ruleset(ruleset, roster)
        self._first_rules, self._proposal = ruleset, proposal
        begun = ruleset.begin(roster.proposal.scenario, roster.proposal.options)
        self._situation: Situation[S] = Situation(
            roster,
            Run(ruleset, begun, 0),
            preparation.preparation(roster, tuple(sorted(roster.proposal.rollers))),
            ((0, roster.proposal.ruleset),),
        )
        self._ledger = Ledger(roster.game, proposal.event.at)
        self._pending: dict[tuple[Role, str], Verified] = {}
        self._given: dict[Role, play.Answer] = {}
        self._checkpoint: Checkpoint[S] | None = None
        self._snapshot: Snapshot | None = None
        self.place = self._place()
        self._close((proposal,))

    @classmethod
    def resume(
        cls, ruleset: Ruleset[S], registrations: Sequence[Verified], snapshot: Snapshot, games: Games | None = None
    ) -> Campaign[S]:
        """The campaign at a snapshot; `registrations` are the events of steps 0 and 1, `ruleset` that of the proposal.

        Its narrative, rolls and steps begin there.
        """
        campaign = cls(ruleset, registrations[0], games)
        for registration in registrations[1:]:
            campaign.offer(registration)
        restore(snapshot, campaign._situation, campaign._ledger, campaign.games)
        campaign._pending, campaign._checkpoint, campaign._snapshot = {}, None, snapshot
        campaign.place = campaign._place()
        return campaign

    # ------------------------------------------------------------------ what is waited for

    @property
    def game(self) -> str:
        """The game's id (64 hex digits)."""
        return self.roster.game

    @property
    def roster(self) -> Roster:
        """The parties, with the keys that sign for them now."""
        return self._situation.roster

    @property
    def steps(self) -> list[Step]:
        """The closed steps, from the first one on or from the snapshot that it began with."""
        return self._ledger.steps

    @property
    def head(self) -> bytes:
        """Digest of the last closed step."""
        return self._ledger.head

    @property
    def tips(self) -> Mapping[Role, Tip]:
        """How far the chain of each roller is opened; empty until all have accepted."""
        return self._situation.tips

    @property
    def deposits(self) -> Mapping[Role, str]:
        """What each roller has left with the judge."""
        return self._situation.deposits

    @property
    def opened(self) -> Mapping[int, tuple[OpenedLink, ...]]:
        """The links that each step has opened."""
        return self._situation.opened

    @property
    def ruleset(self) -> Ruleset[S]:
        """The rules that it is played by now."""
        return self._situation.run.ruleset

    @property
    def ruled(self) -> tuple[tuple[int, RulesetName], ...]:
        """From which step on it is played by which rules."""
        return self._situation.ruled

    @property
    def driver(self) -> Driver[S]:
        """The rules as they stand."""
        return self._situation.run.driver

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

    @property
    def started(self) -> bool:
        """Whether every party has accepted, and what the referee is to hold has come."""
        return self._situation.started

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by its rules or otherwise."""
        return self._situation.outcome

    @property
    def closed(self) -> bool:
        """Whether all have signed its end."""
        return self._situation.closed

    @property
    def finished(self) -> bool:
        """Whether nothing is waited for any more."""
        return self._situation.finished

    @property
    def audit(self) -> Audit:
        """What was left sealed, and what became of it at the end."""
        return self._situation.audit

    @property
    def worst(self) -> bool:
        """Whether silence leads to the worst for the silent side, and the game goes on."""
        return self._situation.worst

    def anew(self) -> Campaign[S]:
        """The same game with nothing behind its proposal, for a whole campaign."""
        return Campaign(self._first_rules, self._proposal, self.games)

    def played(self) -> Sequence[Played]:
        """What the rules were given so far, from the first step on or from the snapshot that it began with."""
        return tuple(self._situation.run.played())

    def trial(self) -> Driver[S]:
        """The rules as they stand, to try something on: nothing of this campaign changes."""
        return self._situation.run.trial()

    def awaited(self) -> dict[Role, Demand]:
        """Who still owes what at the present step."""
        answered = {role for role, slot in self._pending if slot == "move"}
        owed = {role: demand for role, demand in self.place.demands.items() if role not in answered}
        return {**owed, ADJUDICATOR: Demand("receipt")} if self.place.receipted and self.unreceipted() else owed

    def pending(self) -> tuple[Verified, ...]:
        """Events of the present step that are already there."""
        return tuple(self._pending[key] for key in sorted(self._pending))

    def unreceipted(self) -> tuple[str, ...]:
        """The events of others, by id, for which the adjudicator's receipt is all that is missing at this step."""
        return to_be_receipted(self._pending, self.place)

    def question(self, role: Role) -> Question[Any] | None:
        """What `role` is asked to decide now, None when it has nothing to decide."""
        waiting = self.driver.waiting
        if not self.started or not isinstance(waiting, Asking) or self.outcome or self.moved:
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
        key = (verified.event.role, pending_slot(verified))
        if key in self._pending:
            if self._pending[key].id == verified.id:
                return False
            raise BadEvidence("campaign.answered", f"expected one event of a role at a step, got also {verified.title}")
        self._admit(verified.event.role, body)
        self._pending[key] = verified
        before, self.place = self.place, self._with_requests()
        try:
            chosen = closing_events(self._pending, self.place)
            tabled.check_reach(self._situation, chosen or ())
        except (BadEvidence, TooEarly):
            del self._pending[key]
            self.place = before
            raise
        if chosen is None:
            return False
        self._close(chosen)
        return True

    def _with_requests(self) -> Place:
        """The present place with the requests that were made there.

        Who asks for a resumption, which nobody may withhold, is waited for no longer than the deadline.
        """
        made = {one.id: one.event for one in self._pending.values() if isinstance(one.event.body, Request)}
        if len(made) == len(self.place.requests):
            return self.place
        resuming: dict[Role, int] = {}
        for event in made.values():
            if isinstance(event.body, Request) and event.body.what == "resume":
                resuming[event.role] = min(event.at, resuming.get(event.role, event.at))
        return replace(self.place, requests={one: event.role for one, event in made.items()}, resuming=resuming)

    def _admit(self, role: Role, body: Body) -> None:
        """What the game itself says to an event that fits its place."""
        match body:
            case Answer():
                self._given[role] = self.read_answer(role, body.value)
            case Accept():
                self._situation.roster = registered(self.roster, role, body.registration)
            case Change():
                check_change(self.ruleset, self.roster, role, body)
                motions.check_rotation(self.roster, self._situation.terms.rotated, role, body)
            case Consent(agree=True) | Ruling(agree=True):
                self._check_grant(body)
                self._check_new_rules(body.motion)
            case Lapse() if body.dice:
                self._check_dictated(role, body)

    def _check_dictated(self, role: Role, body: Lapse) -> None:
        """Raise BadEvidence for dice that another step needs, or of somebody who has not opened its own link."""
        if role in self.awaited():
            text = f"expected {role} to open its own link before it dictates the rolls of step {self._ledger.number}"
            raise BadEvidence("campaign.dictated", text)
        check_dictated(self.trial(), dictated_dice(self._ledger.number, role, body.dice))

    def _check_grant(self, body: Consent | Ruling) -> None:
        """A referee is for both sides to choose: none appoints another one with one of them."""
        if isinstance(body, Consent):
            return
        asked = next((one for one in self._pending.values() if one.id == body.motion), self.moved)
        if asked is not None and isinstance(asked.event.body, Change) and asked.event.body.what == "appoint":
            raise BadEvidence("campaign.appoint", "expected both players to agree on a referee, got a ruling for one")

    def read_answer(self, role: Role, value: Mapping[str, Any]) -> play.Answer:
        """The answer that a body's value gives to the present question; Refused when it is not acceptable."""
        question = self.question(role)
        assert question is not None
        return accepted(question, value)

    def _close(self, events: tuple[Verified, ...]) -> None:
        """Close the open step, let it act on the game, and open the next one."""
        situation, run = self._situation, self._situation.run
        step = self._ledger.close(events, hosted=self.roster.is_hosted)
        self._pending = {}
        if step.number:
            effects.apply(situation, self._ledger, step, self.place, self._given, self.games)
        self._given = {}
        if isinstance(self.driver.waiting, Outcome) and self.started and not situation.outcome:
            situation.end(self.driver.waiting)
        self._keep(run)
        self.place = self._place()

    def _keep(self, before: Run[S]) -> None:
        """Note what a snapshot is made of, behind a checkpoint; none is where another run has just begun."""
        situation = self._situation
        if situation.run is not before:
            self._checkpoint = self._snapshot = None
        if self.driver.saved is not situation.seen and not situation.preparation.stages:
            situation.seen, self._snapshot = self.driver.saved, None
            self._checkpoint = checkpoint(situation, self._ledger)

    # ------------------------------------------------------------------ motions

    @property
    def moved(self) -> Verified | None:
        """The motion that waits for the consent of the others."""
        return self._situation.terms.moved

    @property
    def requests(self) -> tuple[Verified, ...]:
        """The requests that were made at the present step, in the order of their ids."""
        return tuple(sorted((one for one in self._pending.values() if one.id in self.place.requests), key=_by_id))

    @property
    def withdrawn(self) -> frozenset[str]:
        """Motions and requests, by event id, that their author does not want any more; an answer still counts."""
        return frozenset(
            one.event.body.motion for one in self._pending.values() if isinstance(one.event.body, Withdraw)
        )

    def needs_consent(self, moved: Verified) -> bool:
        """Whether the other party has to agree to a motion or a request."""
        return tabled.needs_consent(self._situation, moved)

    def _check_new_rules(self, request: str) -> None:
        """Refused for a consent to rules that cannot take play up here, RulesMissing for those that are not here."""
        moved = self._situation.terms.moved or next((one for one in self.requests if one.id == request), None)
        if moved and isinstance(moved.event.body, Change) and (wanted := moved.event.body.ruleset):
            self.under(wanted)

    def under(self, wanted: RulesetName) -> Driver[Any]:
        """Other rules as they would go on from here; Refused or RulesMissing where they cannot."""
        rules = new_rules.rules_of(self.games, wanted, self.ruleset)
        return new_rules.check_carried(self.driver, rules, self._situation.commitments)

    # ------------------------------------------------------------------ snapshots

    @property
    def snapshot(self) -> Snapshot | None:
        """Where play can be resumed: the last checkpoint, None before the first. It is written out when asked for."""
        if self._snapshot is None and self._checkpoint is not None:
            self._snapshot = self._checkpoint.written()
        return self._snapshot

    # ------------------------------------------------------------------ the present place

    def _place(self) -> Place:
        situation, terms, ledger = self._situation, self._situation.terms, self._ledger
        days = terms.days or self.roster.proposal.deadline_days
        return Place(
            game=self.game,
            step=ledger.number,
            prev=ledger.head.hex(),
            state=self.driver.state_digest().hex(),
            demands=situation.demands(),
            tips=situation.tips,
            commitments=situation.commitments,
            since=ledger.since,
            deadline_days=days + terms.extra_days if days else 0,
            paused=terms.paused,
            refused=terms.refused,
            judge=self.roster.judge,
            receipted=self.roster.is_hosted and self.started and not self.finished,
            unvouched=terms.unvouched,
            worst=self.worst,
            first=situation.first or ledger.number + 1,
            keys=self.roster.held,
        )


def _by_id(verified: Verified) -> str:
    return verified.id
