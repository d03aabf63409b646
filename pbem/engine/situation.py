"""How a game stands between two steps: its parties, what they have agreed to, their chains, the run of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from pbem.engine.audit import Audit
from pbem.engine.demands import demands_of
from pbem.engine.new_rules import named
from pbem.engine.preparation import DONE, Preparation, preparation
from pbem.engine.run import Run
from pbem.engine.supply import OpenedLink
from pbem.engine.terms import Terms
from pbem.log.chain import Tip
from pbem.log.event import REFEREE, Registration, Role, RulesetName
from pbem.log.roster import Roster, anchored, is_successor, reseated
from pbem.log.verify import Demand
from pbem.rules.play import Outcome

S = TypeVar("S")


@dataclass(slots=True)
class Situation(Generic[S]):
    """What the steps of a game have made of it; the time and the heads are the ledger's.

    `tips` are empty until all have accepted. `first` is the first step of play, 0 before it is known; `ruled` says from
    which step on which rules are played by; `opened` has the links that each step has opened, `commitments` all that
    was ever sealed. `seen` is the checkpoint of the run behind which the next one can be resumed.
    """

    roster: Roster
    run: Run[S]
    preparation: Preparation
    ruled: tuple[tuple[int, RulesetName], ...]
    terms: Terms = field(default_factory=Terms)
    tips: Mapping[Role, Tip] = field(default_factory=dict)
    deposits: Mapping[Role, str] = field(default_factory=dict)
    opened: dict[int, tuple[OpenedLink, ...]] = field(default_factory=dict)
    commitments: frozenset[str] = frozenset()
    audit: Audit = field(default_factory=Audit)
    outcome: Outcome | None = None
    closed: bool = False
    finished: bool = False
    first: int = 0
    seen: object = None

    def __post_init__(self) -> None:
        self.seen = self.run.driver.saved

    @property
    def worst(self) -> bool:
        """Whether silence leads to the worst for the silent side, and the game goes on."""
        return self.roster.proposal.remedy == "worst"

    @property
    def started(self) -> bool:
        """Whether every party has accepted, and what the referee is to hold has come."""
        return bool(self.tips) and not self.preparation.stages

    def demands(self) -> dict[Role, Demand]:
        """Who owes what at the open step."""
        if not self.tips:
            return {role: Demand("accept") for role in self.roster.absent()}
        if self.preparation.stages:
            return self.preparation.demands()
        if self.finished:
            return {}
        if self.outcome and self.closed:
            return self.audit.demands(self.outcome.as_result())
        if self.outcome:
            return dict.fromkeys(self.roster.players, Demand("close", result=self.outcome.as_result()))
        if moved := self.terms.moved:
            return dict.fromkeys(self.others_than(moved.event.role), Demand("consent", motion=moved.id))
        return demands_of(self.run.driver.waiting, self.tips)

    def others_than(self, *roles: Role) -> list[Role]:
        """The other players."""
        return [role for role in self.roster.players if role not in roles]

    def note(self, step: int, rule: str, text: str, **facts: str | int) -> None:
        """Tell something in the narrative; `facts` go into the digest of the state."""
        self.run.give(step, lambda driver: driver.note(rule, text, **facts))

    def go_on(self, run: Run[S], step: int) -> None:
        """Behind a step play goes on with this run, which may be that of other rules."""
        if run is self.run:
            return
        self.run, self.seen = run, run.driver.saved
        if (now := named(run.ruleset)) != self.ruled[-1][1]:
            self.ruled = (*self.ruled, (step + 1, now))

    def lose(self, silent: Sequence[Role], text: str) -> None:
        """Some have lost by a ruling."""
        winners = self.others_than(*silent)
        self.end(Outcome(winners[0] if winners else "", "ruling", text))

    def end(self, outcome: Outcome) -> None:
        """The game is over, whatever was still to be prepared."""
        self.preparation, self.outcome = DONE, outcome

    def seat(self, role: Role, seat: Registration, address: str) -> None:
        """Another key, with a chain of its own, holds a role from the next step on."""
        if role != REFEREE and is_successor(self.roster.parties[role], bytes.fromhex(seat.key)):
            self.terms = replace(self.terms, rotated=self.terms.rotated | {role})
        elif role != REFEREE:
            self.audit = self.audit.handed_over(role)
        self.roster = reseated(self.roster, role, seat, address)
        self.terms = replace(self.terms, seated=(*self.terms.seated, (role, seat, address)))
        depositing = tuple(sorted(self.tips)) if role == REFEREE else (role,)
        if role == REFEREE or role in self.tips:
            self.preparation = preparation(self.roster, depositing, begun=True)
            self.terms = replace(self.terms, unvouched=self.terms.unvouched | {*depositing})
        if role in self.tips:
            self.tips = {**self.tips, role: anchored(role, bytes.fromhex(self.roster.proposal.nonce), seat)}
