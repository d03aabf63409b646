"""What a signed event says, in words, by the rules alone: for a slice of a log, behind which no game can be replayed.

Orders are read by the form that their question has in the rules, which says nothing of whether they were legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import orjson
from pydantic import ValidationError

from pbem.app.catalogue import Games
from pbem.app.forks import statement
from pbem.errors import PbemError
from pbem.log import envelope, event
from pbem.log.event import Answer as SignedAnswer
from pbem.log.event import Open, Propose
from pbem.log.verify import Verified
from pbem.rules import play
from pbem.rules.ruleset import Ruleset


def rules_of(lines: Sequence[bytes], games: Games) -> Ruleset[Any] | None:
    """The rules that the proposal in front of verified lines names; None where they are not here."""
    body = event.read(envelope.from_line(lines[0]).payload).body
    if not isinstance(body, Propose):
        return None
    try:
        return games(body.ruleset)
    except PbemError:
        return None


def in_words(rules: Ruleset[Any] | None, verified: Verified) -> str:
    """What an event says, in one line: orders as the game writes them, where its rules are known."""
    body = verified.event.body
    orders = written(rules, body.ask, body.value) if isinstance(body, SignedAnswer | Open) else ""
    return statement(verified, orders)


def written(rules: Ruleset[Any] | None, ask: str, value: dict[str, Any]) -> str:
    """An answer as the game writes it, on one line; empty where the rules do not know such a one."""
    for model in _models(rules, ask) if rules else ():
        try:
            lines = rules.write_orders(model.model_validate_json(orjson.dumps(value))).splitlines() if rules else ()
        except (ValidationError, LookupError, ValueError, PbemError):  # a form of it that names what the game has not
            continue
        return "; ".join(line.strip() for line in lines if line.strip())
    return ""


def _models(rules: Ruleset[Any], ask: str) -> Iterator[type[play.Answer]]:
    """The forms of answer of a game's package to a question."""
    package = type(rules).__module__.rpartition(".")[0]
    for model in _below(play.Answer):
        if model.__module__.startswith(package) and getattr(model, "kind", "") == ask:
            yield model


def _below(model: type[play.Answer]) -> Iterator[type[play.Answer]]:
    for one in model.__subclasses__():
        yield one
        yield from _below(one)
