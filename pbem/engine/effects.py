"""What a closed step does to the game: it is prepared, begun, played on, changed by a motion, or ended."""

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
from pbem.engine.standing import Standing
from pbem.log import dice
from pbem.log.event import Body, Deposit, Lapse, Role
from pbem.log.verify import Place
from pbem.rules import play
from pbem.rules.play import Asking, Opening

S = TypeVar("S")


def take(
    standing: Standing[S],
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
        tabled.annul(standing, step)
    elif standing.preparation.stages or not standing.tips:
        _prepare(standing, ledger, step, place)
    elif standing.outcome:
        _end(standing, step)
    elif not tabled.carry_on(standing, ledger, step, games):
        tabled.behind_decision(standing)
        _advance(standing, ledger, step, place, given)


def _prepare(standing: Standing[S], ledger: Ledger, step: Step, place: Place) -> None:
    """Acceptances, then deposits for the referee and its word that they are good, where there is one."""
    if any(event.event.kind == "ruling" for event in step.events):
        remedies.forfeit_deposit(standing, step, place)
        return
    if standing.tips:
        standing.preparation = standing.preparation.behind()
    ledger.release_time()
    standing.tips = standing.tips or standing.roster.tips()
    for one in step.events:
        if isinstance(one.event.body, Deposit):
            standing.deposits = {**standing.deposits, one.event.role: one.event.body.chain}
    if not standing.first and not standing.preparation.stages:
        _begin(standing, step.number)


def _begin(standing: Standing[S], step: int) -> None:
    """The first step of play is behind `step`."""
    run = standing.run
    told = run.driver.lines  # what motions have said before: without a referee, nothing
    state = run.driver.state
    standing.first = step + 1
    standing.go_on(run.from_position(state, step) if told else Run(run.ruleset, state, step), step)
    standing.run.start(step)


def _advance(
    standing: Standing[S], ledger: Ledger, step: Step, place: Place, given: Mapping[Role, play.Answer]
) -> None:
    """Give the rules what they waited for, or what stands in its place."""
    kinds = {event.event.kind for event in step.events}
    bodies = {event.event.role: event.event.body for event in step.events if event.event.kind not in NO_MOVE}
    if "ruling" in kinds:
        bodies |= remedies.ruled(standing, step, place)
        if remedies.forfeit_link(standing, step):
            return
    waiting = standing.run.driver.waiting
    if standing.worst and "lapse" in kinds:
        remedies.tell_silence(standing, step)
    if isinstance(waiting, Opening):
        _open_seals(standing, waiting, bodies, step.number)
    elif "lapse" in kinds and not standing.worst:
        remedies.claim(standing, step)
    elif isinstance(waiting, NeedsEntropy):
        _roll(standing, ledger, bodies, step)
    elif isinstance(waiting, Asking):
        _answer(standing, waiting, bodies, given, step.number)


def _roll(standing: Standing[S], ledger: Ledger, bodies: Mapping[Role, Body], step: Step) -> None:
    """Roll with the links that were opened, or as a claim dictates it; each run of the step has fresh dice."""
    standing.tips, standing.opened[step.number] = supply.open_links(standing.tips, bodies)
    key = dice.dice_key([tip.link for tip in standing.tips.values()], ledger.salt, bytes.fromhex(ledger.game))
    claims = ((one.event.role, one.event.body) for one in step.events)
    author, rolls = next(((role, body.dice) for role, body in claims if isinstance(body, Lapse)), ("", []))
    number = step.number
    standing.run.give(
        number,
        lambda driver: driver.roll(dictated_dice(number, author, rolls) if author else LiveDice(key, number)),
    )


def _answer(
    standing: Standing[S],
    waiting: Asking,
    bodies: Mapping[Role, Body],
    given: Mapping[Role, play.Answer],
    step: int,
) -> None:
    found = supply.answers(waiting, bodies, given, standing.roster.game, step)
    if waiting.sealed:
        standing.commitments |= {one.commitment for one in found}
        standing.audit = standing.audit.behind_seals(waiting, bodies, step)
    _supply(standing, found, step)


def _open_seals(standing: Standing[S], waiting: Opening, bodies: Mapping[Role, Body], step: int) -> None:
    found, breaches = supply.openings(waiting, bodies)
    standing.audit = standing.audit.behind_openings(waiting, bodies)
    for breach in breaches:
        standing.note(step, "breach", breach.text, role=str(breach.role), ask=breach.ask)
    _supply(standing, found, step)


def _supply(standing: Standing[S], answers: Any, step: int) -> None:
    standing.run.give(step, lambda driver: driver.supply(answers, step))


def _end(standing: Standing[S], step: Step) -> None:
    """All have closed the game, or it was claimed of one that he has not; then what was left sealed is opened."""
    kinds = {event.event.kind for event in step.events}
    driver, ruleset = standing.run.driver, standing.run.ruleset
    if standing.closed:
        standing.audit, lines = standing.audit.behind_closing(step.events, ruleset, step.number)
        driver.lines.extend(lines)
    standing.closed = standing.closed or not kinds & CLAIMING
    standing.finished = not standing.closed or not standing.audit.demands({})
    if standing.finished and standing.closed and standing.started:
        driver.lines.extend(standing.audit.at_the_end(ruleset, driver.state, step.number))
