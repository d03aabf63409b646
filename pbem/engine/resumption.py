"""Resumption: what a snapshot is made of at a checkpoint, and the game as it goes on from one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pbem.engine import new_rules, preparation
from pbem.engine.audit import resumed
from pbem.engine.dictation import DictatedDice
from pbem.engine.driver import LiveDice
from pbem.engine.ledger import Ledger
from pbem.engine.new_rules import Games
from pbem.engine.run import Run
from pbem.engine.snapshot import SavedDice, Snapshot
from pbem.engine.standing import Standing
from pbem.log.chain import Tip
from pbem.log.event import Role
from pbem.rules.play import Outcome

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Kept(Generic[S]):
    """What a snapshot is made of, until somebody wants it written; nothing in it changes afterwards."""

    step: int
    head: bytes
    since: int
    salt: bytes
    state: S
    dice: LiveDice | None
    standing: Standing[S]

    def written(self) -> Snapshot:
        """The snapshot, with the state as the ruleset encodes it."""
        standing = self.standing
        return Snapshot(
            step=self.step,
            head=self.head.hex(),
            since=self.since,
            state=standing.run.ruleset.encode(self.state),
            tips=tuple((role, tip.index, tip.link.hex(), tip.withheld) for role, tip in sorted(standing.tips.items())),
            commitments=tuple(sorted(standing.commitments)),
            dice=_saved(self.dice) if self.dice else None,
            paused=standing.terms.paused,
            seated=standing.terms.seated,
            days=standing.terms.days,
            first=standing.first,
            ruled=standing.ruled if len(standing.ruled) > 1 else (),
            secrets=standing.audit.kept(),
            salt=self.salt.hex() if standing.roster.is_hosted else "",
        )


def kept(standing: Standing[S], ledger: Ledger) -> Kept[S]:
    """What a snapshot at the last checkpoint of the run is made of."""
    state, live = standing.run.driver.saved
    step = ledger.number - 1
    return Kept(step, ledger.head, ledger.since, ledger.next_salt, state, live, replace(standing))


def restore(snapshot: Snapshot, standing: Standing[Any], ledger: Ledger, games: Games) -> None:
    """Bring a game that all have accepted, and that has gone no further, to a snapshot of it."""
    for seated in snapshot.seated:
        standing.seat(*seated)
    ledger.number, ledger.since, ledger.steps = snapshot.step + 1, snapshot.since, []
    ledger.head = bytes.fromhex(snapshot.head)
    ledger.next_salt = bytes.fromhex(snapshot.salt) or ledger.head
    _restore_chains(snapshot, standing)
    standing.commitments, standing.audit = frozenset(snapshot.commitments), resumed(snapshot.secrets)
    standing.terms = replace(standing.terms, paused=snapshot.paused, days=snapshot.days, rotated=frozenset())
    standing.first, standing.preparation = snapshot.first, preparation.DONE
    _restore_run(snapshot, standing, games)
    waiting = standing.run.driver.waiting
    standing.outcome = waiting if isinstance(waiting, Outcome) else None


def _restore_chains(snapshot: Snapshot, standing: Standing[Any]) -> None:
    tips = dict(standing.tips)
    for role, index, link, withheld in snapshot.tips:
        tip = tips[Role(role)]
        tips[Role(role)] = Tip(tip.role, tip.nonce, tip.length, index, bytes.fromhex(link), withheld)
    standing.tips = tips


def _restore_run(snapshot: Snapshot, standing: Standing[Any], games: Games) -> None:
    standing.ruled = snapshot.ruled or standing.ruled
    rules = standing.run.ruleset
    if len(standing.ruled) > 1:
        rules = new_rules.rules_of(games, standing.ruled[-1][1], rules)
    live = _live_dice(snapshot.dice) if snapshot.dice else None
    standing.run = Run(rules, rules.decode(snapshot.state), snapshot.step, live)
    standing.run.start(snapshot.step)
    standing.seen = standing.run.driver.saved


def _saved(live: LiveDice) -> SavedDice:
    rolls = live.rolls if isinstance(live, DictatedDice) else ()
    return live.key.hex(), live.step, tuple(live.used), live.author, rolls


def _live_dice(saved: SavedDice) -> LiveDice:
    """The dice as they were when a snapshot was made."""
    key, step, used, author, rolls = saved
    if author:
        return DictatedDice(bytes.fromhex(key), step, list(used), rolls, author)
    return LiveDice(bytes.fromhex(key), step, list(used))
