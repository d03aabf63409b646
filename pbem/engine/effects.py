"""What a closed step does to the game: it is prepared, begun, played on, changed by a motion, or ended.

A ruling takes effect where what it stands for would: on a motion or a request in `pbem.engine.tabled`; in the place of
a link, an opening or a decision in `_advance`, of a deposit in `_prepare` (both by `pbem.engine.remedies`), and of a
closing in `_end`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pbem.engine import remedies, supply, tabled
from pbem.engine.closing import CLAIMING, NO_MOVE
from pbem.engine.dictation import dictated_dice
from pbem.engine.driver import LiveDice, NeedsEntropy
from pbem.engine.ledger import Ledger, Step
from pbem.engine.new_rules import Games
from pbem.engine.run import Run
from pbem.engine.situation import Situation
from pbem.log import dice
from pbem.log.event import Body, Deposit, Lapse, Role
from pbem.log.verify import Place
from pbem.rules import play
from pbem.rules.play import Asking, Opening

S = TypeVar("S")


def apply(
    situation: Situation[S],
    ledger: Ledger,
    step: Step,
    place: Place,
    given: Mapping[Role, play.Answer],
    games: Games,
) -> None:
    """Let the step that was closed last act on the game.

    `place` is what the step was offered at, `given` the open answers to the questions that were asked there.
    """
    kinds = {event.event.kind for event in step.events}
    if "annul" in kinds:
        remedies.annul(situation, step)
    elif situation.preparation.stages or not situation.tips:
        _prepare(situation, ledger, step, place)
    elif situation.outcome:
        _end(situation, step)
    elif not tabled.settle(situation, ledger, step, games):
        tabled.forget_until_decision(situation)
        ledger.owed_since = 0
        if "ruling" in kinds or ("lapse" in kinds and situation.worst):
            tabled.resume(situation, step)
        _advance(situation, ledger, step, place, given)


def _prepare(situation: Situation[S], ledger: Ledger, step: Step, place: Place) -> None:
    """Acceptances, then deposits for the referee and its word that they are good, where there is one."""
    if any(event.event.kind == "ruling" for event in step.events):
        remedies.forfeit_deposit(situation, step, place)
        return
    if situation.tips:
        situation.preparation = situation.preparation.behind()
    ledger.release_time()
    situation.tips = situation.tips or situation.roster.tips()
    for one in step.events:
        if isinstance(one.event.body, Deposit):
            situation.deposits = {**situation.deposits, one.event.role: one.event.body.chain}
    if not situation.first and not situation.preparation.stages:
        _begin(situation, step.number)


def _begin(situation: Situation[S], step: int) -> None:
    """The first step of play is behind `step`."""
    run = situation.run
    told = run.driver.lines  # what motions have said before: without a referee, nothing
    state = run.driver.state
    situation.first = step + 1
    situation.go_on(run.from_position(state, step) if told else Run(run.ruleset, state, step), step)
    situation.run.start(step)


def _advance(
    situation: Situation[S], ledger: Ledger, step: Step, place: Place, given: Mapping[Role, play.Answer]
) -> None:
    """Give the rules what they waited for, or what stands in its place."""
    kinds = {event.event.kind for event in step.events}
    remedies.tell_silence(situation, step)
    bodies = {event.event.role: event.event.body for event in step.events if event.event.kind not in NO_MOVE}
    if "ruling" in kinds:
        bodies |= remedies.ruled(situation, step, place)
        if remedies.forfeit_link(situation, step):
            return
    waiting = situation.run.driver.waiting
    if isinstance(waiting, Opening):
        _open_seals(situation, waiting, bodies, step.number)
    elif "lapse" in kinds and not situation.worst:
        remedies.claim(situation, step)
    elif isinstance(waiting, NeedsEntropy):
        _roll(situation, ledger, bodies, step)
    elif isinstance(waiting, Asking):
        _answer(situation, waiting, bodies, given, step.number)


def _roll(situation: Situation[S], ledger: Ledger, bodies: Mapping[Role, Body], step: Step) -> None:
    """Roll with the links that were opened, or as a claim dictates it; each run of the step has fresh dice."""
    situation.tips, situation.opened[step.number] = supply.open_links(situation.tips, bodies)
    key = dice.dice_key([tip.link for tip in situation.tips.values()], ledger.salt, bytes.fromhex(ledger.game))
    claims = ((one.event.role, one.event.body) for one in step.events)
    author, rolls = next(((role, body.dice) for role, body in claims if isinstance(body, Lapse)), ("", []))
    number = step.number
    situation.run.give(
        number,
        lambda driver: driver.roll(dictated_dice(number, author, rolls) if author else LiveDice(key, number)),
    )


def _answer(
    situation: Situation[S],
    waiting: Asking,
    bodies: Mapping[Role, Body],
    given: Mapping[Role, play.Answer],
    step: int,
) -> None:
    found = supply.answers(waiting, bodies, given, situation.roster.game, step)
    if waiting.sealed:
        situation.commitments |= {one.commitment for one in found}
        situation.audit = situation.audit.behind_seals(waiting, bodies, step)
    _supply(situation, found, step)


def _open_seals(situation: Situation[S], waiting: Opening, bodies: Mapping[Role, Body], step: int) -> None:
    found, breaches = supply.openings(waiting, bodies)
    situation.audit = situation.audit.behind_openings(waiting, bodies)
    for breach in breaches:
        situation.note(step, "breach", breach.text, role=str(breach.role), ask=breach.ask)
    _supply(situation, found, step)


def _supply(situation: Situation[S], answers: Any, step: int) -> None:
    situation.run.give(step, lambda driver: driver.supply(answers, step))


def _end(situation: Situation[S], step: Step) -> None:
    """All have closed the game, or it was claimed of one that he has not; then what was left sealed is opened."""
    kinds = {event.event.kind for event in step.events}
    driver, ruleset = situation.run.driver, situation.run.ruleset
    if situation.closed:
        situation.audit, lines = situation.audit.behind_closing(step.events, ruleset, step.number)
        driver.lines.extend(lines)
    situation.closed = situation.closed or not kinds & CLAIMING
    situation.finished = not situation.closed or not situation.audit.demands({})
    if situation.finished and situation.closed and situation.started:
        driver.lines.extend(situation.audit.at_the_end(ruleset, driver.state, step.number))
