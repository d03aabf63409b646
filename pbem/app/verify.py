"""Verifying an archive, with nothing but the archive and the rules: every event, every step, every roll.

The events are read in the order in which they stand. Each passes `pbem.log.verify` (steps 1 to 19) and the
rules of the game; the first that does not is named. Then the log must be complete: closed by every party.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from pbem.app.ahead import checked_ahead
from pbem.app.archive import archive_order
from pbem.app.beside import Beside, by_steps, is_own, opened_behind_among
from pbem.app.catalogue import Games, for_log
from pbem.app.proposed import words_of
from pbem.engine.assembly import assemble
from pbem.engine.audit import BREACH
from pbem.engine.campaign import Campaign
from pbem.errors import BadEvidence
from pbem.log import bundle
from pbem.log.bundle import Bundle
from pbem.log.enumeration import enumerated
from pbem.log.event import (
    BRINGING_KEYS,
    OUT_OF_STEP,
    Consent,
    Lapse,
    Motion,
    Propose,
    Receipt,
    Request,
    Role,
    Ruling,
    Withdraw,
)
from pbem.log.fork import Fork, read_evidence
from pbem.log.nouns import NOUNS, PLURAL
from pbem.log.roster import Roster, claiming_roster, from_proposal, registered, registration_of
from pbem.log.verify import Signed, Verified, check_signed, read_signed, slot
from pbem.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from pbem.app.dispute_proof import Proof

Progress = Callable[[int, int], None]


@dataclass(slots=True)
class Verdict:
    """What verification found; `campaign` is the log of an archive, replayed.

    `finished` is false for a log whose closing is missing, and `unclosed` names who has not closed a game that is
    decided. Of the `rolls` some may be `dictated`. `forks` names each event that another role overruled because its
    author had signed two, `void` are the claims and rulings that a late answer made void, with what is said of them in
    `void_claims`, `given_way` answers that their author has taken back for a claim, `withdrawn` motions that nobody
    wanted any more, and `cut_off` counts events of anybody that stood behind what was overruled or gave way.
    `breaches` are what the log says of sealed answers that were not opened, or were illegal, with their steps. `fork`
    is set when the file is evidence of one, `dispute` when it is a dispute about something else; `rules` are then those
    of its game, if they are here.
    """

    game: str = ""
    title: str = ""
    events: int = 0
    steps: int = 0
    rolls: int = 0
    dictated: int = 0
    finished: bool = False
    show_only: bool = False
    result: dict[str, str] = field(default_factory=dict)
    waiting: str = ""
    unclosed: tuple[str, ...] = ()
    next_step: int = 0
    head: str = ""
    parties: tuple[tuple[str, str, bytes], ...] = ()
    rollers: tuple[str, ...] = ()
    forks: list[str] = field(default_factory=list)
    void: tuple[Verified, ...] = ()
    void_claims: list[str] = field(default_factory=list)
    given_way: list[str] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    cut_off: int = 0
    breaches: list[str] = field(default_factory=list)
    fork: Fork | None = None
    dispute: Proof | None = None
    rules: Ruleset[Any] | None = None
    campaign: Campaign[Any] | None = None


def verify(data: bytes, games: Games, progress: Progress | None = None) -> Verdict:
    """The verdict on an archive, evidence or a dispute; BadEvidence that names the first event that does not hold."""
    from pbem.app.said import rules_of

    found = bundle.read(data)
    if found.contents == "evidence":
        fork = read_evidence(found)
        rules = rules_of(found.lines, games)
        return Verdict(fork=fork, game=fork.first.event.game, events=len(found.lines), rules=rules)
    if found.contents == "dispute":
        from pbem.app.dispute_proof import prove  # it verifies a log, as this module does

        proof = prove(found, games, progress)
        rules = rules_of(found.lines, games)
        return Verdict(dispute=proof, game=proof.roster.game, events=len(found.lines), rules=rules)
    if found.contents != "archive":
        raise BadEvidence(
            "verify.turn_file", "expected an archive, got the contents of a turn file", "write one with `pbem archive`"
        )
    return verify_log(found, games, progress)


def verify_log(found: Bundle, games: Games, progress: Progress | None = None) -> Verdict:
    """The verdict on the events of an archive."""
    with _collector_at_rest():
        return _Verification(found, games, progress).verdict()


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """A verification makes many small values and no cycles, which the collector would look through in vain.

    They count as old when it goes on: frozen and at once unfrozen, unless the caller has frozen something itself.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on and not gc.get_freeze_count():
            gc.freeze()
            gc.unfreeze()
        if was_on:
            gc.enable()


class _Verification:
    """One pass over an archive, step by step."""

    def __init__(self, found: Bundle, games: Games, progress: Progress | None) -> None:
        self._found, self._games, self._progress = found, games, progress
        self._roster: Roster | None = None
        self._order: tuple[Any, ...] = ()
        self._number = found.first_line - 1
        self._lines: dict[str, int] = {}
        self._dropped: list[tuple[Verified, Verified]] = []
        self._void: list[Verified] = []
        self._cut_off = 0
        self._seen: list[Verified] = []
        self._beside = Beside()

    def verdict(self) -> Verdict:
        """The verdict; BadEvidence that names the first event that does not hold."""
        campaign: Campaign[Any] | None = None
        for events in self._steps():
            if campaign is None:
                campaign = self._begun(events)
            else:
                self._offered(campaign, events)
        if campaign is None:
            raise BadEvidence("archive.empty", "expected events, got an archive without any")
        self._check_dice_were_kept()
        return self._verdict(campaign)

    def _check_dice_were_kept(self) -> None:
        """No settlement may have dropped an event behind which dice were known: they would have been rolled again."""
        seen = by_steps(self._seen) if self._dropped else {}
        for dropped, resolution in self._dropped:
            if opened_behind_among(dropped, seen):
                raise BadEvidence(
                    "archive.rolled_again",
                    f"expected every event to stand behind which dice were known, got {dropped.title} overruled by "
                    f"{resolution.event.role} (line {self._lines[dropped.id]})",
                    "the same links rolled twice, so these dice could be chosen",
                )

    def _steps(self) -> Iterator[list[Verified]]:
        """The events of step after step; those before a line that does not hold are given before it is told."""
        step: list[Verified] = []
        try:
            for verified in self._events():
                if step and verified.event.step != step[0].event.step:
                    yield step
                    step = []
                step.append(verified)
        except BadEvidence:
            if step:
                yield step
            raise
        if step:
            yield step

    def _events(self) -> Iterator[Verified]:
        """Steps 1 to 8 for each line; an archive has one order and no repetition."""
        for signed in self._signed():
            self._number += 1
            try:
                verified = read_signed(signed(), self._roster)
                order = archive_order(verified)
                if order <= self._order:
                    raise BadEvidence("archive.order", f"expected events in order and each once, got {verified.title}")
                if self._roster is None or verified.event.kind in BRINGING_KEYS:
                    self._roster = _joined(self._roster, verified)
            except BadEvidence as error:
                raise self._named(error) from None
            self._order = order
            self._lines[verified.id] = self._number
            self._seen.append(verified)
            if self._progress:
                self._progress(self._number - self._found.first_line + 1, len(self._found.lines))
            yield verified

    def _signed(self) -> Iterator[Callable[[], Signed]]:
        """Registrations one by one, since they bring in the keys; all other signatures are checked ahead."""
        first = 0
        while first < len(self._found.lines) and (self._roster is None or self._roster.absent()):
            yield partial(check_signed, self._found.lines[first], self._roster, self._found.keys)
            first += 1
        rest = self._found.lines[first:]
        check = partial(check_signed, roster=self._roster, offered=self._found.keys)
        with checked_ahead(rest, check) as known:
            for line in rest:
                yield partial(check_signed, line, self._roster, self._found.keys, known=known())

    def _begun(self, events: Sequence[Verified]) -> Campaign[Any]:
        proposal = events[0].event.body
        assert isinstance(proposal, Propose)  # no other event passes without a roster (`event.game`)
        games = for_log(self._games, proposal.ruleset.name, self._found.lines)
        campaign: Campaign[Any] = Campaign(games(proposal.ruleset), events[0], games)
        self._offered(campaign, events[1:])
        return campaign

    def _offered(self, campaign: Campaign[Any], events: Sequence[Verified]) -> None:
        """Steps 9 to 19 and the rules for the events of one step; every one must be used, or overruled by another."""
        resolutions = [event for event in events if event.event.kind in OUT_OF_STEP]
        here = campaign.place.prev
        result = assemble(campaign, events, resolutions)
        if result.fork:
            raise BadEvidence(
                "archive.fork",
                f"expected one event of a role at a step, got {result.fork.first.title} and {result.fork.second.title}",
                "the game is stopped there until another party settles it",
            )
        if result.refused:
            verified, reason = result.refused[0]
            raise BadEvidence(reason.code, f"{reason.text} ({self._place(verified)})", reason.hint)
        unused = [*result.early, *result.overtaken]
        closing = [] if campaign.place.prev == here else campaign.steps[-1].events
        loose = [event for event in unused if not self._beside.holds(event, here, resolutions, closing)]
        if loose:
            text = f"expected every event to follow the one before, got {loose[0].title} behind a gap or a change"
            raise BadEvidence("archive.gap", f"{text} (line {self._lines[loose[0].id]})")
        if unused:
            self._beside.note(events, here, campaign.place.prev)
        for event in unused:
            self._note_unused(event, [*resolutions, *(one for one in closing if one.event.kind == "receipt")])

    def _note_unused(self, unused: Verified, resolutions: Sequence[Verified]) -> None:
        settled = [one for one in resolutions if getattr(one.event.body, "drop", "") == unused.id]
        settled = settled or [one for one in resolutions if one.event.kind == "receipt" and _is_move(unused)]
        if settled:
            self._dropped.append((unused, settled[0]))
        elif isinstance(unused.event.body, Lapse | Ruling):
            self._void.append(unused)
        elif not isinstance(unused.event.body, Request | Withdraw | Receipt):
            self._cut_off += 1

    def _verdict(self, campaign: Campaign[Any]) -> Verdict:
        silent = _closed_for(campaign)
        awaited = [(role, demand.kind) for role, demand in sorted(campaign.awaited().items())]
        owed = [(role, "close") for role in silent] or awaited
        parties = campaign.roster.parties.values()
        return Verdict(
            game=campaign.game,
            title=campaign.ruleset.title,
            events=len(self._found.lines),
            steps=len(campaign.steps),
            rolls=len(campaign.rolls),
            dictated=sum(bool(roll.dictated) for roll in campaign.rolls),
            finished=campaign.finished and not silent,
            show_only=campaign.roster.proposal.show_only,
            result=campaign.outcome.as_result() if campaign.outcome else {},
            waiting=enumerated([f"{role}'s {NOUNS[kind]}" for role, kind in owed]),
            unclosed=_unclosed(campaign, silent),
            next_step=campaign.place.step - bool(silent),
            head=campaign.head.hex(),
            parties=tuple((party.role, party.name, party.key or b"") for party in parties),
            rollers=tuple(campaign.roster.proposal.rollers),
            forks=[
                f"{_called(one)} {_was(one)} overruled by {by.event.role}"
                for one, by in self._dropped
                if not is_own(by)
            ],
            given_way=[f"{_called(one)} gave way to a claim or a ruling" for one, by in self._dropped if is_own(by)],
            void=tuple(self._void),
            void_claims=[f"{_called(claim)} was void: what was owed came after all" for claim in self._void],
            withdrawn=list(self._withdrawn(campaign)),
            cut_off=self._cut_off,
            breaches=[f"{line.text} (step {line.step})" for line in campaign.lines if line.rule == BREACH],
            campaign=campaign,
        )

    def _withdrawn(self, campaign: Campaign[Any]) -> Iterator[str]:
        """Motions that their author did not want any more, in words, where nobody had agreed to them."""
        known = {one.id: one for one in self._seen}
        answers = [body for one in self._seen if isinstance(body := one.event.body, Consent)]
        agreed = {body.motion for body in answers if body.agree}
        for event in (one.event for one in self._seen):
            about = known.get(event.body.motion) if isinstance(event.body, Withdraw) else None
            if about is not None and isinstance(about.event.body, Motion) and about.id not in agreed:
                words = words_of(campaign, event.role, about.event.body)
                yield f"{event.role} took back at step {event.step} its motion to {words}"

    def _place(self, verified: Verified) -> str:
        return f"line {self._lines[verified.id]}, {verified.title}"

    def _named(self, error: BadEvidence) -> BadEvidence:
        behind = f", behind {self._order[2]}'s event of step {self._order[0]}" if self._order else ""
        return BadEvidence(error.code, f"{error.text} (line {self._number}{behind})", error.hint)


def _called(verified: Verified) -> str:
    """An event in a person's words, with the beginning of its id."""
    return (
        f"{verified.event.role}'s {NOUNS[verified.event.kind]} of step {verified.event.step} (event {verified.id[:12]})"
    )


def _was(verified: Verified) -> str:
    return "were" if verified.event.kind in PLURAL else "was"


def _is_move(verified: Verified) -> bool:
    return slot(verified.event.kind) == "move"


def _joined(roster: Roster | None, verified: Verified) -> Roster:
    if roster is None:
        return from_proposal(verified.id, verified.event)
    registration = registration_of(verified.event)
    if registration is not None and verified.event.role in roster.absent():
        return registered(roster, verified.event.role, registration)
    return claiming_roster(roster, verified.event)


def _closed_for(campaign: Campaign[Any]) -> list[Role]:
    """Whose closing was claimed to be owed, or ruled on, in the last step of a game: the word of somebody else is no
    closing of theirs."""
    closing = [step for step in campaign.steps[-3:] if all(one.event.kind == "close" for one in step.events)]
    last = campaign.steps[-1].events if campaign.finished and not closing else ()
    return [event.event.body.role for event in last if isinstance(event.event.body, Lapse | Ruling)]


def _unclosed(campaign: Campaign[Any], silent: Sequence[Role]) -> tuple[str, ...]:
    """Who has not closed a game that is decided."""
    closing = [role for role, demand in sorted(campaign.awaited().items()) if demand.kind == "close"]
    return tuple(silent or closing)
