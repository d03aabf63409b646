"""What other rules would change, in lines: a shadow replay of what was played, and what they would ask now.

The lines are cut to a sensible number; how many more there are is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pbem.engine.campaign import Campaign
from pbem.engine.new_rules import Games, in_words, rules_of
from pbem.engine.shadow import Asked, Difference, Shadow, shadow
from pbem.errors import PbemError
from pbem.log.enumeration import counted
from pbem.log.event import RulesetName
from pbem.mail.plain import printable

MOST_DIFFERENCES = 10
MOST_POSITION = 6
"""Lines of a position that are shown of one difference."""
MOST_OPTIONS = 8
LONGEST = 400


def foreseen(campaign: Campaign[Any], wanted: RulesetName) -> list[str]:
    """What playing on by these rules would mean, and why it cannot be done here where it cannot."""
    given = sum(len(run.given) for run in campaign.played())
    look = _Look(campaign.game, campaign.driver.state_digest(), given, campaign.games, wanted, campaign)
    return list(_foreseen(look))


@dataclass(frozen=True, slots=True)
class _Look:
    """What the lines depend on: the play so far and the rules. One command wants them several times."""

    game: str
    state: bytes
    given: int
    games: Games
    wanted: RulesetName
    campaign: Campaign[Any] = field(compare=False)


@lru_cache(maxsize=2)
def _foreseen(look: _Look) -> tuple[str, ...]:
    campaign, wanted = look.campaign, look.wanted
    try:
        rules = rules_of(campaign.games, wanted, campaign.ruleset)
    except PbemError as error:
        return _line(error.text), _line(error.hint)
    refused = ""
    try:
        there = campaign.under(wanted)
    except PbemError as error:
        there, refused = None, error.text
    found = shadow(campaign.played(), campaign.driver, there, rules)
    return tuple(in_lines(found, wanted, refused))


def in_lines(found: Shadow, wanted: RulesetName, refused: str) -> Iterator[str]:
    """A shadow replay in lines; `refused` says why play cannot go on by these rules from where it stands, if so."""
    for line in (*_replayed(found, wanted), *_now(found, refused)):
        yield _line(line)


def _line(text: str) -> str:
    return printable(text, LONGEST)


def _replayed(found: Shadow, wanted: RulesetName) -> Iterator[str]:
    began = f"{counted(found.steps, 'step')} replayed by {in_words(wanted)}, with the same answers and dice"
    if not found.differences:
        yield f"{began}: nothing would have been different"
        return
    yield f"{began}: {counted(len(found.differences), 'difference')}"
    for one in found.differences[:MOST_DIFFERENCES]:
        yield from _difference(one)
    if len(found.differences) > MOST_DIFFERENCES:
        yield f"and {counted(len(found.differences) - MOST_DIFFERENCES, 'more difference')}"


def _difference(one: Difference) -> Iterator[str]:
    where = f"step {one.step}{f' ({one.rule})' if one.rule else ''}"
    if one.was or one.would:
        yield f"{where}: {one.was}"
        yield f"  would have been: {one.would}"
    else:
        yield f"{where}: the position would have been another one"
    yield from _cut([f"  {line}" for line in one.position], MOST_POSITION, ("more line",))


def _now(found: Shadow, refused: str) -> Iterator[str]:
    if refused:
        yield f"it cannot be done at this step: {refused}"
    elif not found.asked:
        yield "what is asked now stays as it is"
    for one in found.asked:
        yield from _asked(one)


def _asked(one: Asked) -> Iterator[str]:
    if one.was == one.would:
        yield f"{one.role} is asked as before: {one.was}"
    else:
        yield f"{one.role} is asked now: {one.was}"
        yield f"  would be: {one.would}"
    yield from _cut([f"  no more: {option}" for option in one.go], MOST_OPTIONS, ("more that goes", "more that go"))
    yield from _cut([f"  new: {option}" for option in one.come], MOST_OPTIONS, ("more that comes", "more that come"))


def _cut(lines: Sequence[str], most: int, rest: tuple[str, ...]) -> Iterator[str]:
    yield from lines[:most]
    if len(lines) > most:
        yield f"  and {counted(len(lines) - most, *rest)}"
