"""A campaign: the log of one game with the game on it, step by step.

It takes verified events one at a time, refuses what does not fit, and closes a step when all that it waited
for is there. Which of several candidates is offered first is `pbem.engine.assembly`'s business.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pbem.engine import motions, new_rules, preparation, supply
from pbem.engine.admission import accepted, check_ruleset
from pbem.engine.audit import Audit, resumed
from pbem.engine.closing import CLAIMING, NO_MOVE, closing_events, pending_slot, to_be_receipted
from pbem.engine.demands import demands_of
from pbem.engine.dictation import check_dictated, dictated_dice
from pbem.engine.driver import Driver, Line, LiveDice, NeedsEntropy, RollRecord
from pbem.engine.motions import check_change
from pbem.engine.new_rules import Games
from pbem.engine.run import Played, Run
from pbem.engine.snapshot import Kept, Snapshot, live_dice
from pbem.engine.supply import OpenedLink
from pbem.engine.terms import Terms
from pbem.errors import BadEvidence
from pbem.log import dice
from pbem.log.chain import Tip
from pbem.log.event import (
    ADJUDICATOR,
    NOTHING,
    REFEREE,
    Accept,
    Annul,
    Answer,
    Body,
    Change,
    Consent,
    Deposit,
    Entropy,
    Event,
    Lapse,
    Open,
    Registration,
    Request,
    Role,
    RulesetName,
    Ruling,
    Withdraw,
)
from pbem.log.nouns import NOUNS
from pbem.log.receipt import dice_salt, receipt_of
from pbem.log.roster import Roster, anchored, from_proposal, is_successor, registered, reseated, seated_role
from pbem.log.step import GENESIS, step_digest
from pbem.log.verify import Demand, Place, Verified, verify_place
from pbem.rules import play
from pbem.rules.play import Asking, Opening, Outcome, Question
from pbem.rules.ruleset import Ruleset

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Step:
    """A closed step: its events in role order and its digest."""

    number: int
    events: tuple[Verified, ...]
    digest: bytes


class Campaign(Generic[S]):
    """One game from its proposal on. Every method leaves it unchanged when it raises.

    `games` finds the rules by which a motion may let it go on; `ruled` says from which step on it is played by which.
    """

    def __init__(self, ruleset: Ruleset[S], proposal: Verified, games: Games | None = None) -> None:
        if proposal.event.kind != "propose" or proposal.event.step != 0 or proposal.event.prev != NOTHING:
            raise BadEvidence("campaign.proposal", f"expected a proposal at step 0, got {proposal.title}")
        self.games = games or new_rules.only(ruleset)
        self.roster = from_proposal(proposal.id, proposal.event)
        check_ruleset(ruleset, self.roster)
        self._first_rules = ruleset
        self._preparation = preparation.preparation(self.roster, tuple(sorted(self.roster.proposal.rollers)))
        self._first = 0
        self._run: Run[S] = Run(ruleset, ruleset.begin(*_start(self.roster)), 0)
        self.ruled: tuple[tuple[int, RulesetName], ...] = ((0, self.roster.proposal.ruleset),)
        self.steps: list[Step] = []
        self.tips: Mapping[Role, Tip] = {}
        self.outcome: Outcome | None = None
        self.finished = False
        self.closed = False
        self.audit = Audit()
        self._commitments: frozenset[str] = frozenset()
        self._pending: dict[tuple[Role, str], Verified] = {}
        self._given: dict[Role, play.Answer] = {}
        self._head = self._previous = GENESIS
        self._salt = b""
        self._number = 0
        self._since = proposal.event.at
        self._owed_since = 0
        self._kept: Kept[S] | None = None
        self._snapshot: Snapshot | None = None
        self._saved = self.driver.saved
        self._terms = Terms()
        self.deposits: Mapping[Role, str] = {}
        self.opened: dict[int, tuple[OpenedLink, ...]] = {}
        self.place = self._place()
        self._close((proposal,))
        self._after_closing()

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
        campaign._restore(snapshot)
        return campaign

    # ------------------------------------------------------------------ what is waited for

    @property
    def game(self) -> str:
        """The game's id (64 hex digits)."""
        return self.roster.game

    @property
    def ruleset(self) -> Ruleset[S]:
        """The rules that it is played by now."""
        return self._run.ruleset

    def anew(self) -> Campaign[S]:
        """The same game with nothing behind its proposal, for a whole campaign."""
        return Campaign(self._first_rules, self.steps[0].events[0], self.games)

    def played(self) -> Sequence[Played]:
        """What the rules were given so far, from the first step on or from the snapshot that it began with."""
        return tuple(self._run.played())

    @property
    def head(self) -> bytes:
        """Digest of the last closed step."""
        return self._head

    @property
    def driver(self) -> Driver[S]:
        """The rules as they stand."""
        return self._run.driver

    @property
    def started(self) -> bool:
        """Whether every party has accepted, and what the referee is to hold has come."""
        return bool(self.tips) and not self._preparation.stages

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
    def worst(self) -> bool:
        """Whether silence leads to the worst for the silent side, and the game goes on."""
        return self.roster.proposal.remedy == "worst"

    def trial(self) -> Driver[S]:
        """The rules as they stand, to try something on: nothing of this campaign changes."""
        return self._run.trial()

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
        if isinstance(body, Request):
            self.place = replace(self.place, requests={**self.place.requests, verified.id: verified.event.role})
            self._resumption(verified.event, body)
        try:
            chosen = closing_events(self._pending, self.place)
        except BadEvidence:
            del self._pending[key]
            raise
        if chosen is None:
            return False
        self._close(chosen)
        self._after_closing()
        return True

    def _admit(self, role: Role, body: Body) -> None:
        """What the game itself says to an event that fits its place."""
        match body:
            case Answer():
                self._given[role] = self.read_answer(role, body.value)
            case Accept():
                self.roster = registered(self.roster, role, body.registration)
            case Change():
                check_change(self.ruleset, self.roster, role, body)
                motions.check_rotation(self.roster, self._terms.rotated, role, body)
            case Consent(agree=True) | Ruling(agree=True):
                self._check_grant(body)
                self._check_new_rules(body.motion)
            case Lapse() if body.dice:
                self._check_dictated(role, body)

    def _check_dictated(self, role: Role, body: Lapse) -> None:
        """Raise BadEvidence for dice that another step needs, or of somebody who has not opened its own link."""
        if role in self.awaited():
            text = f"expected {role} to open its own link before it dictates the rolls of step {self._number}"
            raise BadEvidence("campaign.dictated", text)
        check_dictated(self._run.trial(), dictated_dice(self._number, role, body.dice))

    def _resumption(self, event: Event, body: Request) -> None:
        """Who asks for a resumption, which nobody may withhold, is waited for no longer than the deadline."""
        if body.what == "resume":
            asked = {**self._terms.resuming, event.role: min(event.at, self._terms.resuming.get(event.role, event.at))}
            self._terms = replace(self._terms, resuming=asked)
            self.place = replace(self.place, resuming=asked)

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

    # ------------------------------------------------------------------ closing a step

    def _close(self, events: tuple[Verified, ...]) -> None:
        self._previous, self._head = self._head, step_digest(self._head, (event.id for event in events))
        self.steps.append(Step(self._number, events, self._head))
        self._before, self._since = self._since, max(event.event.at for event in events)
        if self.roster.is_hosted:
            self._note_receipt(events)
        self._number += 1
        self._pending = {}
        if self._terms.resuming:  # asked at this step, and not granted: whoever decides instead is not silent
            self._terms = replace(self._terms, resuming={})

    def _note_receipt(self, events: tuple[Verified, ...]) -> None:
        """In a hosted game time goes by the receipts, and nothing that the adjudicator signs is in a salt."""
        receipt = receipt_of(events)
        self._since = receipt.event.at if receipt else max(self._before, self._since)
        self._previous, self._salt = self._salt, dice_salt(bytes.fromhex(self.game), self._number, events)

    def _after_closing(self) -> None:
        step = self.steps[-1]
        if step.number:
            self._take(step)
        if isinstance(self.driver.waiting, Outcome) and self.started and not self.outcome:
            self.outcome = self.driver.waiting
        if self.driver.saved is not self._saved and not self._preparation.stages:  # a snapshot goes on with play
            self._keep()
        self.place = self._place()

    def _take(self, step: Step) -> None:
        """What a closed step does to the game."""
        kinds = {event.event.kind for event in step.events}
        if "annul" in kinds:
            self._annul(step)
        elif self._preparation.stages or not self.tips:
            self._prepare(step)
        elif self.outcome:
            self._end(step, kinds)
        elif not self._move(step):
            if self._terms.extra_days or self._terms.refused or self._terms.rotated:
                self._terms = replace(self._terms, extra_days=0, refused=False, rotated=frozenset())
            self._advance(step, kinds)

    def _end(self, step: Step, kinds: set[str]) -> None:
        """All have closed the game, or it was claimed of one that he has not; then what was left sealed is opened."""
        if self.closed:
            self.audit, lines = self.audit.behind_closing(step.events, self.ruleset, step.number)
            self.driver.lines.extend(lines)
        self.closed = self.closed or not kinds & CLAIMING
        self.finished = not self.closed or not self.audit.demands({})
        if self.finished and self.closed and self.started:
            self.driver.lines.extend(self.audit.at_the_end(self.ruleset, self.state, step.number))

    def _prepare(self, step: Step) -> None:
        """Acceptances, then deposits for the referee and its word that they are good, where there is one."""
        if any(event.event.kind == "ruling" for event in step.events):
            self._forfeited(step)
            return
        if self.tips:
            self._preparation = self._preparation.behind()
        self._since = self._owed_since or self._since
        self._owed_since = 0
        self.tips = self.tips or self.roster.tips()
        for one in step.events:
            if isinstance(one.event.body, Deposit):
                self.deposits = {**self.deposits, one.event.role: one.event.body.chain}
        if not self._first and not self._preparation.stages:
            self._begin(step.number)

    def _begin(self, step: int) -> None:
        """The first step of play is behind `step`."""
        self._first = step + 1
        told = self.driver.lines  # what motions have said before: without a referee, nothing
        self._run = self._run.from_position(self.state, step) if told else Run(self.ruleset, self.state, step)
        self._saved = self.driver.saved
        self._run.start(step)

    def _forfeited(self, step: Step) -> None:
        """Who has taken a seat and withholds what the referee is to hold has lost, when the referee says so."""
        self._ruled(step)
        silent = sorted({one.event.body.role for one in step.events if isinstance(one.event.body, Ruling)})
        text = f"{' and '.join(silent)} withheld {'their' if len(silent) > 1 else 'its'} deposit at step {step.number}"
        self._preparation = preparation.DONE
        self._lost(silent, text)

    def _advance(self, step: Step, kinds: set[str]) -> None:
        bodies = {event.event.role: event.event.body for event in step.events if event.event.kind not in NO_MOVE}
        if "ruling" in kinds:
            bodies |= self._ruled(step)
            if self._forfeits(step):
                return
        waiting = self.driver.waiting
        if self.worst and "lapse" in kinds:
            self._note_silence(step)
        if isinstance(waiting, Opening):
            self._open_seals(waiting, bodies, step.number)
        elif "lapse" in kinds and not self.worst:
            self._claimed(step)
        elif isinstance(waiting, NeedsEntropy):
            self._open_links(bodies, step)
        elif isinstance(waiting, Asking):
            self._supply(self._answers(waiting, bodies, step), step.number)

    def _ruled(self, step: Step) -> dict[Role, Body]:
        """What rulings stand for: a link, an opening, or nothing, so that the default applies."""
        found: dict[Role, Body] = {}
        for one in step.events:
            body = one.event.body
            if isinstance(body, Ruling):
                text = f"the {one.event.role} rules on {body.role}'s {NOUNS[body.demand]}{_because(body.why)}"
                self._note("ruling", text, demand=body.demand, role=str(body.role))
                if body.link:
                    found[body.role] = Entropy(index=self.tips[body.role].next, link=body.link)
                elif body.value is not None:
                    found[body.role] = Open(ask=self.place.demands[body.role].ask, salt=body.salt, value=body.value)
        return found

    def _forfeits(self, step: Step) -> bool:
        """Whether somebody withholds a link that its deposit does not give either: it has lost."""
        rulings = [one.event.body for one in step.events if isinstance(one.event.body, Ruling)]
        silent = sorted(one.role for one in rulings if one.demand == "entropy" and not one.link)
        if silent:
            whose = "their deposits do" if len(silent) > 1 else "its deposit does"
            text = f"{' and '.join(silent)} withheld a share of the dice at step {step.number}, and {whose} not give it"
            self._lost(silent, text)
        return bool(silent)

    def _lost(self, silent: Sequence[Role], text: str) -> None:
        left = [role for role in self.roster.players if role not in silent]
        self.outcome = Outcome(left[0] if left else "", "ruling", text)

    def _supply(self, answers: Any, step: int) -> None:
        self._run.give(step, lambda driver: driver.supply(answers, step))

    def _note(self, rule: str, text: str, **facts: str | int) -> None:
        self._run.give(self.steps[-1].number, lambda driver: driver.note(rule, text, **facts))

    def _open_links(self, bodies: Mapping[Role, Body], step: Step) -> None:
        opened, found = supply.open_links(self.tips, bodies)
        self.tips, self.opened[step.number] = opened, found
        claim = next((one.event for one in step.events if isinstance(one.event.body, Lapse)), None)
        if claim is not None:
            self._roll_dictated(claim, step.number)
            return
        links = [tip.link for tip in opened.values()]
        key = dice.dice_key(links, self._previous, bytes.fromhex(self.game))
        self._run.give(step.number, lambda driver: driver.roll(LiveDice(key, step.number)))

    def _roll_dictated(self, claim: Event, step: int) -> None:
        assert isinstance(claim.body, Lapse)
        author, rolls = claim.role, claim.body.dice
        self._run.give(step, lambda driver: driver.roll(dictated_dice(step, author, rolls)))

    def _note_silence(self, step: Step) -> None:
        """What came in the place of what did not, where the game goes on with the worst for the silent side."""
        for one in step.events:
            body = one.event.body
            if isinstance(body, Lapse):
                instead = f"{one.event.role} dictates the dice" if body.dice else "the default stands"
                text = f"{body.role}'s {NOUNS[body.demand]} did not come, as {one.event.role} states: {instead}"
                self._note("remedy", text, demand=body.demand, role=str(body.role))

    def _answers(self, waiting: Asking, bodies: Mapping[Role, Body], step: Step) -> tuple[Any, ...]:
        found = supply.answers(waiting, bodies, self._given, self.game, step.number)
        if waiting.sealed:
            self._commitments |= {one.commitment for one in found}
            self.audit = self.audit.behind_seals(waiting, bodies, step.number)
        self._given = {}
        return found

    def _open_seals(self, waiting: Opening, bodies: Mapping[Role, Body], step: int) -> None:
        found, breaches = supply.openings(waiting, bodies)
        self.audit = self.audit.behind_openings(waiting, bodies)
        for breach in breaches:
            self._note("breach", breach.text, role=str(breach.role), ask=breach.ask)
        self._supply(found, step)

    def _claimed(self, step: Step) -> None:
        """The author of a lapse has won; where two roles each claim what the other owes, nobody has."""
        claims = [(event.event.role, event.event.body) for event in step.events if isinstance(event.event.body, Lapse)]
        authors = sorted({role for role, _ in claims})
        owed = " and ".join(f"{body.role}'s {body.demand}" for _, body in claims)  # as closings of old games sign it
        text = f"{' and '.join(authors)} claimed the game at step {step.number}, where {owed} did not come"
        self._note("remedy", text)
        self.outcome = Outcome(authors[0] if len(authors) == 1 else "", "remedy", text)

    # ------------------------------------------------------------------ motions

    @property
    def moved(self) -> Verified | None:
        """The motion that waits for the consent of the others."""
        return self._terms.moved

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
        assert isinstance(moved.event.body, Change)
        return motions.needs_consent(self.roster, moved.event.role, moved.event.body)

    def _move(self, step: Step) -> bool:
        """Carry a motion on that the step was closed with; False when the step was closed by the rules' own events."""
        kinds = {event.event.kind: event for event in step.events}
        if (moved := self._terms.moved) is not None:
            self._terms = replace(self._terms, moved=None)
            agreed = [isinstance(one.event.body, Consent | Ruling) and one.event.body.agree for one in _spoken(step)]
            self._change(moved, step.number) if all(agreed) else self._note_refused(moved)
        elif motion := kinds.get("motion"):
            self._table(motion, step.number)
        elif request := kinds.get("request"):
            self._change(request, step.number)
        else:
            return False
        return True

    def _annul(self, step: Step) -> None:
        author, body = next((one.event.role, one.event.body) for one in step.events if one.event.kind == "annul")
        assert isinstance(body, Annul)
        text = f"the {author} annulled the game at step {step.number}{_because(body.why)}"
        self._note("annul", text)
        self._terms, self._preparation = replace(self._terms, moved=None), preparation.DONE
        self.outcome = Outcome("", "annul", text)

    def _check_new_rules(self, request: str) -> None:
        """Refused for a consent to rules that cannot take play up here, RulesMissing for those that are not here."""
        moved = self._terms.moved or next((one for one in self.requests if one.id == request), None)
        if moved and isinstance(moved.event.body, Change) and (wanted := moved.event.body.ruleset):
            self.under(wanted)

    def under(self, wanted: RulesetName) -> Driver[Any]:
        """Other rules as they would go on from here; Refused or RulesMissing where they cannot."""
        rules = new_rules.rules_of(self.games, wanted, self.ruleset)
        return new_rules.check_carried(self.driver, rules, self._commitments)

    def _table(self, motion: Verified, step: int) -> None:
        assert isinstance(motion.event.body, Change)
        if self.needs_consent(motion):
            self._terms = replace(self._terms, moved=motion)
            return
        if motion.event.body.seat is not None:  # or whoever owes a decision could put it off with key after key
            self._since = self._owed_since = self._before
        self._change(motion, step)

    def _change(self, moved: Verified, step: int) -> None:
        """Do what a motion says, as everybody has agreed to."""
        body = moved.event.body
        assert isinstance(body, Change)
        rules = new_rules.rules_of(self.games, body.ruleset, self.ruleset) if body.ruleset else self.ruleset
        made = motions.change(rules, self._run, moved.event.role, body, step)
        self._run = made.run
        if (now := new_rules.named(self.ruleset)) != self.ruled[-1][1]:
            self.ruled = (*self.ruled, (step + 1, now))
        self._terms = replace(
            self._terms,
            refused=False,
            extra_days=made.extra_days or self._terms.extra_days,
            paused=self._terms.paused if made.paused is None else made.paused,
            days=made.days or self._terms.days,
        )
        self._note("motion", made.text, **motions.facts(moved.event.role, body))
        others = [role for role in self.roster.players if role != moved.event.role]
        if made.ends:
            self._preparation = preparation.DONE
            self.outcome = Outcome(others[0] if body.what == "concede" else "", "motion", made.text)
        role = seated_role(moved.event)
        if body.seat is not None and role is not None:
            self._seat(role, body.seat, body.address)
        if made.run.driver.saved is not self._saved:  # a run that does not begin at a checkpoint cannot be resumed
            self._saved, self._kept, self._snapshot = self.driver.saved, None, None

    def _seat(self, role: Role, seat: Registration, address: str) -> None:
        """Another key, with a chain of its own, holds a role from the next step on."""
        if role != REFEREE and is_successor(self.roster.parties[role], bytes.fromhex(seat.key)):
            self._terms = replace(self._terms, rotated=self._terms.rotated | {role})
        elif role != REFEREE:
            self.audit = self.audit.handed_over(role)
        self.roster = reseated(self.roster, role, seat, address)
        self._terms = replace(self._terms, seated=(*self._terms.seated, (role, seat, address)))
        depositing = tuple(sorted(self.tips)) if role == REFEREE else (role,)
        if role == REFEREE or role in self.tips:
            self._preparation = preparation.preparation(self.roster, depositing, begun=True)
            self._terms = replace(self._terms, unvouched=self._terms.unvouched | {*depositing})
        if role in self.tips:
            self.tips = {**self.tips, role: anchored(role, bytes.fromhex(self.roster.proposal.nonce), seat)}

    def _note_refused(self, moved: Verified) -> None:
        assert isinstance(moved.event.body, Change)
        self._terms = replace(self._terms, refused=True)
        text = f"{moved.event.role}'s motion to {motions.in_words(moved.event.body)} is not agreed to"
        self._note("motion", text, refused=moved.event.body.what, role=str(moved.event.role))

    # ------------------------------------------------------------------ snapshots

    @property
    def snapshot(self) -> Snapshot | None:
        """Where play can be resumed: the last checkpoint, None before the first. It is written out when asked for."""
        if self._snapshot is None and self._kept is not None:
            self._snapshot = self._kept.written(self.ruleset)
        return self._snapshot

    def _keep(self) -> None:
        self._saved = self.driver.saved
        state, live = self._saved
        self._snapshot = None
        self._kept = Kept(
            self._number - 1,
            self._head,
            self._since,
            state,
            self.tips,
            self._commitments,
            live,
            self._terms.paused,
            self._terms.seated,
            self._terms.days,
            self._first,
            self.ruled,
            self.audit,
            self._salt,
        )

    def _restore(self, snapshot: Snapshot) -> None:
        for seated in snapshot.seated:
            self._seat(*seated)
        self._number, self._since = snapshot.step + 1, snapshot.since
        self._head, self._salt = bytes.fromhex(snapshot.head), bytes.fromhex(snapshot.salt)
        self._commitments = frozenset(snapshot.commitments)
        self.audit = resumed(snapshot.secrets)
        for role, index, link, withheld in snapshot.tips:
            tip = self.tips[Role(role)]
            opened = Tip(tip.role, tip.nonce, tip.length, index, bytes.fromhex(link), withheld)
            self.tips = {**self.tips, Role(role): opened}
        live = live_dice(snapshot.dice) if snapshot.dice else None
        self._terms = replace(self._terms, paused=snapshot.paused, days=snapshot.days, rotated=frozenset())
        self._first, self._preparation = snapshot.first, preparation.DONE
        self.ruled = snapshot.ruled or self.ruled
        rules = new_rules.rules_of(self.games, self.ruled[-1][1], self.ruleset) if len(self.ruled) > 1 else self.ruleset
        self._run = Run(rules, rules.decode(snapshot.state), snapshot.step, live)
        self._run.start(snapshot.step)
        self._saved = self.driver.saved
        self.steps, self._pending, self._kept, self._snapshot = [], {}, None, snapshot
        self.outcome = self.driver.waiting if isinstance(self.driver.waiting, Outcome) else None
        self.place = self._place()

    # ------------------------------------------------------------------ the present place

    def _place(self) -> Place:
        days = self._terms.days or self.roster.proposal.deadline_days
        return Place(
            game=self.game,
            step=self._number,
            prev=self._head.hex(),
            state=self.driver.state_digest().hex(),
            demands=self._demands(),
            tips=self.tips,
            commitments=self._commitments,
            since=self._since,
            deadline_days=days + self._terms.extra_days if days else 0,
            paused=self._terms.paused,
            refused=self._terms.refused,
            judge=self.roster.judge,
            receipted=self.roster.is_hosted and self.started and not self.finished,
            unvouched=self._terms.unvouched,
            resuming=self._terms.resuming,
            worst=self.worst,
            first=self._first or self._number + 1,
            keys=self.roster.held,
        )

    def _demands(self) -> dict[Role, Demand]:
        if not self.tips:
            return {role: Demand("accept") for role in self.roster.absent()}
        if self._preparation.stages:
            return self._preparation.demands()
        if self.finished:
            return {}
        if self.outcome and self.closed:
            return self.audit.demands(self.outcome.as_result())
        if self.outcome:
            closing = Demand("close", result=self.outcome.as_result())
            return dict.fromkeys(self.roster.players, closing)
        if moved := self._terms.moved:
            consent = Demand("consent", motion=moved.id)
            return {role: consent for role in self.roster.players if role != moved.event.role}
        return demands_of(self.driver.waiting, self.tips)


def _spoken(step: Step) -> list[Verified]:
    """The events of a step but its receipt."""
    return [one for one in step.events if one.event.kind != "receipt"]


def _start(roster: Roster) -> tuple[str, Mapping[str, int | str | bool]]:
    return roster.proposal.scenario, roster.proposal.options


def _because(why: str) -> str:
    return f": {why}" if why else ""


def _by_id(verified: Verified) -> str:
    return verified.id
