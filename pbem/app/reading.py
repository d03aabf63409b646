"""Reading a game without changing it: the board, the narrative, a roll and where it came from, the odds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from pbem.app.desk import Desk
from pbem.app.opened import OpenGame, open_game, signed_events
from pbem.engine.assembly import assemble
from pbem.engine.campaign import Campaign
from pbem.engine.chances import distribution
from pbem.engine.driver import Line, RollRecord
from pbem.errors import BadRequest
from pbem.log.enumeration import cut
from pbem.log.receipt import dice_salt
from pbem.log.verify import Verified
from pbem.rules.play import Question
from pbem.rules.refusal import Refused
from pbem.rules.ruleset import Experiment, Measure, Ruleset


def whole_game(desk: Desk, name: str) -> OpenGame:
    """A game replayed from its beginning."""
    return open_game(desk.home, name, desk.games, whole=True)


def campaign_at(desk: Desk, name: str, step: int | None) -> Campaign[Any]:
    """The campaign of a game now, or as it stood when `step` was closed."""
    if step is None:
        return open_game(desk.home, name, desk.games).campaign
    opened = whole_game(desk, name)
    return replayed_to(opened.campaign, step)


def replayed_to(campaign: Campaign[Any], step: int) -> Campaign[Any]:
    """A fresh replay of a whole campaign up to and with `step`."""
    last = campaign.steps[-1].number
    if not 0 <= step <= last:
        raise BadRequest("show.step", f"expected a step from 0 to {last}, got {step}")
    again = campaign.anew()
    assemble(again, (event for closed in campaign.steps[1 : step + 1] for event in closed.events))
    return again


def narrative(desk: Desk, name: str, first: int = 0, last: int | None = None) -> Sequence[Line]:
    """The narrative of a game from step `first` to step `last`, with a line for every fork that was settled, every
    withdrawal, and every request that nobody agreed to.

    BadRequest where the game has no such steps.
    """
    from pbem.app.forks import settlement_lines  # it reads games, as this module does
    from pbem.app.proposed import key_told
    from pbem.app.withdrawing import request_lines, withdrawal_lines

    whole = whole_game(desk, name)
    _check_steps(whole.campaign, first, last)
    told = [
        replace(line, text=f"{line.text}; that key in words is '{words}'") if words else line
        for line in whole.campaign.lines
        for words in (key_told(whole.seats, line.text),)
    ]
    before = [*withdrawal_lines(whole), *request_lines(whole)]  # they stand beside what closed their step
    lines = sorted([*before, *told, *settlement_lines(whole)], key=lambda line: line.step)
    return [line for line in lines if first <= line.step and (last is None or line.step <= last)]


def _check_steps(campaign: Campaign[Any], first: int, last: int | None) -> None:
    closed = campaign.steps[-1].number
    if first > closed:
        raise BadRequest("log.step", f"expected a step from 0 to {closed}, got {first}")
    if last is not None and last < first:
        raise BadRequest("log.step", f"expected a last step from {first} on, got {last}")


def events_of(desk: Desk, name: str) -> list[Verified]:
    """All events of a game in their order, readable without the rules that it is played by."""
    return signed_events(desk.home, name)


@dataclass(frozen=True, slots=True)
class RollSource:
    """One roll with everything that it was made from: opened and previous links, salt, game id.

    The salt `closing` is the digest of the step before, in a `hosted` game of what the players said there.
    """

    record: RollRecord
    game: bytes
    closing: bytes
    nonce: bytes
    links: tuple[tuple[str, int, bytes, bytes], ...]
    hosted: bool = False


def roll_named(campaign: Campaign[Any], wanted: str) -> RollRecord:
    """The roll of an id `<step>:<label>`, or of a step if it has one roll; BadRequest with the nearest ones."""
    found = [roll for roll in campaign.rolls if wanted in (roll.id, str(roll.step))]
    if len(found) != 1:
        raise _no_roll(campaign, wanted, found)
    return found[0]


def roll_source(campaign: Campaign[Any], wanted: str) -> RollSource:
    """The same with what it was made from; BadRequest for one that was dictated, which follows from nothing."""
    record = roll_named(campaign, wanted)
    if record.dictated:
        raise BadRequest(
            "roll.dictated", f"expected a roll that follows from links, got {record.id}: {why_dictated(record)}"
        )
    links = tuple((str(one.role), one.index, one.link, one.before) for one in campaign.opened[record.step])
    hosted, before = campaign.roster.is_hosted, campaign.steps[record.step - 1]
    game = bytes.fromhex(campaign.game)
    closing = dice_salt(game, before.number, before.events) if hosted else before.digest
    nonce = bytes.fromhex(campaign.roster.proposal.nonce)
    return RollSource(record, game, closing, nonce, links, hosted)


def why_dictated(record: RollRecord) -> str:
    """Why no chain stands behind a roll: who has dictated it, and where that is stated."""
    return (
        f"{record.dictated} dictated it in its claim at step {record.step}, because the other side's link did not come "
        "in time and the remedy that both agreed to is the worst for the silent side"
    )


def _no_roll(campaign: Campaign[Any], wanted: str, found: Sequence[RollRecord]) -> BadRequest:
    step = wanted.split(":")[0]
    text = f"expected the id of one roll such as 4:turn.2/turn-1/card-1, got '{wanted}'"
    if not campaign.rolls:
        return BadRequest("roll.unknown", text, "this game has no roll yet")
    near = found or [roll for roll in campaign.rolls if str(roll.step) == step]
    which = f"rolls of step {step}" if near else f"no roll is of step '{step[:80]}'; the last ones"
    named = cut([roll.id for roll in near or campaign.rolls[-5:]])
    return BadRequest("roll.unknown", text, f"{which}: {named}; {_NAMED_BY}")


_NAMED_BY = (
    "each is named by its step, a colon and its label, or by its step alone where that has one roll; `pbem roll GAME` "
    "lists all"
)


@dataclass(frozen=True, slots=True)
class Chances:
    """The exact chances of one order's results, likeliest first; they sum to 1. `means` are those of its measures."""

    title: str
    results: tuple[tuple[str, Fraction], ...]
    means: tuple[tuple[Measure, Fraction], ...] = ()


def odds(ruleset: Ruleset[Any], state: Any, text: str) -> list[Chances]:
    """Exact chances of what `text` would order in `state`."""
    found = []
    for experiment in ruleset.experiments(state, text):
        chances = distribution(experiment.rule, partial(_measured, experiment))
        named: dict[str, Fraction] = {}
        for (name, _), chance in chances.items():
            named[name] = named.get(name, Fraction(0)) + chance
        ordered = sorted(named.items(), key=lambda item: (-item[1], item[0]))
        means = [
            (measure, sum((chance * values[at] for (_, values), chance in chances.items()), Fraction(0)))
            for at, measure in enumerate(experiment.measures)
        ]
        found.append(Chances(experiment.title, tuple(ordered), tuple(means)))
    return found


def _measured(experiment: Experiment, result: Any) -> tuple[str, tuple[int, ...]]:
    """The name of a result and its measures."""
    return experiment.result(result), tuple(measure.value(result) for measure in experiment.measures)


def not_now(ruleset: Ruleset[Any], state: Any, question: Question[Any] | None, order: str) -> str:
    """Why an order would not answer what is asked now; empty when it would, or when nothing is asked."""
    if question is None:
        return ""
    try:
        ruleset.read_orders(question, state, order)
    except Refused as refused:
        first = refused.refusals[0]
        rule = f" ({first.rule})" if first.rule else ""
        return "" if first.code == "orders.unreadable" else f"{first.text}{rule}"
    return ""
