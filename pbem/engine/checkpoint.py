"""Checkpoints: what a snapshot is made of at one, and the game as it goes on from a snapshot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pbem.engine import new_rules, preparation
from pbem.engine.audit import Audit, resumed
from pbem.engine.dictation import DictatedDice
from pbem.engine.driver import LiveDice
from pbem.engine.ledger import Ledger
from pbem.engine.new_rules import Games
from pbem.engine.run import Run
from pbem.engine.situation import Situation
from pbem.engine.snapshot import SavedDice, Snapshot
from pbem.engine.terms import Terms
from pbem.log.chain import Tip
from pbem.log.event import Role, RulesetName
from pbem.rules.play import Outcome
from pbem.rules.ruleset import Ruleset

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Checkpoint(Generic[S]):
    """What a snapshot is made of, until somebody wants it written; nothing in it changes afterwards."""

    step: int
    head: bytes
    since: int
    salt: bytes
    ruleset: Ruleset[S]
    state: S
    dice: LiveDice | None
    tips: Mapping[Role, Tip]
    commitments: frozenset[str]
    terms: Terms
    first: int
    ruled: tuple[tuple[int, RulesetName], ...]
    audit: Audit

    def written(self) -> Snapshot:
        """The snapshot, with the state as the ruleset encodes it."""
        return Snapshot(
            step=self.step,
            head=self.head.hex(),
            since=self.since,
            state=self.ruleset.encode(self.state),
            tips=tuple((role, tip.index, tip.link.hex(), tip.withheld) for role, tip in sorted(self.tips.items())),
            commitments=tuple(sorted(self.commitments)),
            dice=_saved(self.dice) if self.dice else None,
            paused=self.terms.paused,
            seated=self.terms.seated,
            days=self.terms.days,
            first=self.first,
            ruled=self.ruled if len(self.ruled) > 1 else (),
            secrets=self.audit.kept(),
            salt=self.salt.hex(),
        )


def checkpoint(situation: Situation[S], ledger: Ledger) -> Checkpoint[S]:
    """The last checkpoint of the run, which the step that was closed last led to."""
    state, live = situation.run.driver.saved
    return Checkpoint(
        step=ledger.number - 1,
        head=ledger.head,
        since=ledger.since,
        salt=ledger.next_salt if situation.roster.is_hosted else b"",
        ruleset=situation.run.ruleset,
        state=state,
        dice=live,
        tips=situation.tips,
        commitments=situation.commitments,
        terms=situation.terms,
        first=situation.first,
        ruled=situation.ruled,
        audit=situation.audit,
    )


def restore(snapshot: Snapshot, situation: Situation[Any], ledger: Ledger, games: Games) -> None:
    """Bring a game that all have accepted, and that has gone no further, to a snapshot of it."""
    for seated in snapshot.seated:
        situation.seat(*seated)
    ledger.number, ledger.since, ledger.steps = snapshot.step + 1, snapshot.since, []
    ledger.head = bytes.fromhex(snapshot.head)
    ledger.next_salt = bytes.fromhex(snapshot.salt) or ledger.head
    _restore_chains(snapshot, situation)
    situation.commitments, situation.audit = frozenset(snapshot.commitments), resumed(snapshot.secrets)
    situation.terms = replace(situation.terms, paused=snapshot.paused, days=snapshot.days, rotated=frozenset())
    situation.first, situation.preparation = snapshot.first, preparation.DONE
    _restore_run(snapshot, situation, games)
    if isinstance(waiting := situation.run.driver.waiting, Outcome):
        situation.end(waiting)


def _restore_chains(snapshot: Snapshot, situation: Situation[Any]) -> None:
    tips = dict(situation.tips)
    for role, index, link, withheld in snapshot.tips:
        tip = tips[Role(role)]
        tips[Role(role)] = Tip(tip.role, tip.nonce, tip.length, index, bytes.fromhex(link), withheld)
    situation.tips = tips


def _restore_run(snapshot: Snapshot, situation: Situation[Any], games: Games) -> None:
    situation.ruled = snapshot.ruled or situation.ruled
    rules = situation.run.ruleset
    if len(situation.ruled) > 1:
        rules = new_rules.rules_of(games, situation.ruled[-1][1], rules)
    live = _live_dice(snapshot.dice) if snapshot.dice else None
    situation.run = Run(rules, rules.decode(snapshot.state), snapshot.step, live)
    situation.run.start(snapshot.step)
    situation.seen = situation.run.driver.saved


def _saved(live: LiveDice) -> SavedDice:
    rolls = live.rolls if isinstance(live, DictatedDice) else ()
    return live.key.hex(), live.step, tuple(live.used), live.author, rolls


def _live_dice(saved: SavedDice) -> LiveDice:
    """The dice as they were when a snapshot was made."""
    key, step, used, author, rolls = saved
    if author:
        return DictatedDice(bytes.fromhex(key), step, list(used), rolls, author)
    return LiveDice(bytes.fromhex(key), step, list(used))
